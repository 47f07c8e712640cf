//! Do ART's optimizing compilers still take every method that they took before
//! `pathlight instrument`, and how much native code do they make?
//!
//! The compilers of ART 10 and ART 14 get every method, hot or not (`dexcompile` and `dexcompile14`
//! of the ART host); nothing is run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use super::{Common, run_tests, verify::instrument};
use crate::error::{PathContext, Result};
use crate::files::{scratch, sorted};
use crate::process::{parallel, to_files};
use crate::workspace::Workspace;

const LIMIT: Duration = Duration::from_secs(600);
/// Name of the committed programs in tests/art/native-code.csv.
const COMMITTED: &str = "fixtures and prebuilt programs";

/// The programs, and the options of their build.
#[derive(Args)]
pub struct CompiledOptions {
    #[command(flatten)]
    common: Common,
    /// Run-tests that are named in a file (repeatable)
    #[arg(long, value_name = "FILE")]
    list: Vec<PathBuf>,
    /// A .dex, .jar or .apk, with :LIB.dex after it for each library it links against; or the name
    /// of a run-test (default: the fixtures and committed programs of tests/truth)
    programs: Vec<String>,
}

/// One program.
struct Program {
    id: usize,
    name: String,
    file: PathBuf,
    /// Libraries that it links against, with a colon before each.
    libraries: String,
}

/// Looks at every program, then tests/art/compiled.py compares.
///
/// # Errors
/// Fails if a method was compiled before and is not after, or a new one is refused.
pub fn run(options: &CompiledOptions, here: &Workspace) -> Result<()> {
    let (art, pathlight) = (here.art("dexcompile14")?, here.pathlight()?);
    let mut names = options.programs.clone();
    for list in &options.list {
        names.extend(run_tests::listed(list)?);
    }
    // Only the committed programs are the same each time.
    let limits = names.is_empty();
    if limits {
        names = committed(here)?;
    }
    let programs = find(&names, &art, here)?;
    let aside = scratch()?;
    let out = options.common.out.as_deref().unwrap_or(aside.path());
    fs::create_dir_all(out).at(out)?;
    let lines = programs.iter().map(|p| format!("{}\t{}\n", p.id, p.name)).collect::<String>();
    fs::write(out.join("programs.txt"), lines).at(out)?;
    parallel(&programs, options.common.jobs, |p| {
        one(p, &art, pathlight, &options.common.codec, out)
    })?;
    let (listed, bounds) =
        (here.path("tests/art/not-compiled.txt"), here.path("tests/art/native-code.csv"));
    let mut arguments = vec![out.as_os_str(), listed.as_os_str()];
    if limits {
        arguments.extend([bounds.as_os_str(), COMMITTED.as_ref(), options.common.codec.as_ref()]);
    }
    here.python("tests/art/compiled.py", arguments)
}

fn committed(here: &Workspace) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for folder in ["tests/truth/fixtures", "tests/truth/prebuilt"] {
        for program in sorted(&here.path(folder))? {
            found.push(program.join("program.dex").to_string_lossy().into_owned());
        }
    }
    Ok(found)
}

fn find(names: &[String], art: &Path, here: &Workspace) -> Result<Vec<Program>> {
    let mut run_tests = Vec::new();
    let mut found = Vec::new();
    for name in names.iter().filter(|n| *n != run_tests::EMPTY) {
        let (file, libraries) = name.split_once(':').unwrap_or((name, ""));
        let libraries = if libraries.is_empty() { String::new() } else { format!(":{libraries}") };
        let mut path = PathBuf::from(file);
        if !path.exists() && !file.contains('/') {
            run_tests.push(file.to_owned());
            path = run_tests::jar(art, file);
        }
        let of = if path.ends_with("program.dex") { path.parent() } else { Some(&*path) };
        let name = of.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        found.push(Program { id: found.len(), name, file: path, libraries });
    }
    run_tests::build_missing(&run_tests, art, here)?;
    Ok(found)
}

/// Leaves OUT/ID.before and .after, with 14 behind it for ART 14; .broken where instrumenting
/// failed.
fn one(program: &Program, art: &Path, pathlight: &Path, codec: &str, out: &Path) -> Result<()> {
    let file = |ending: &str| out.join(format!("{}.{ending}", program.id));
    let made = file(&program.file.extension().unwrap_or_default().to_string_lossy());
    // A program of the truth tests may have arguments for `instrument`.
    let more =
        fs::read_to_string(program.file.with_file_name("instrument-args")).unwrap_or_default();
    let more: Vec<_> = more.split_whitespace().map(str::to_owned).collect();
    if let Err(error) = instrument(pathlight, codec, &program.file, &made, &file("plmap"), &more) {
        return fs::write(file("broken"), error.to_string()).at(&file("broken"));
    }
    for vm in ["", "14"] {
        for (code, side) in [(&program.file, "before"), (&made, "after")] {
            let mut compile = Command::new(art.join(format!("bin/dexcompile{vm}")));
            compile.arg(format!("{}{}", code.display(), program.libraries));
            let printed = file(&format!("{side}{vm}"));
            // The comparer sees whether it came to its end.
            to_files(&mut compile, &printed, &file(&format!("{side}{vm}.err")), LIMIT)?;
        }
    }
    fs::remove_file(&made).at(&made)
}
