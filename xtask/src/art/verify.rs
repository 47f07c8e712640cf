//! ART's verifiers on the run-tests, before and after `pathlight instrument`, class by class.
//!
//! Each class must keep its state (OK, SOFT, ACCESS, TYPE, HARD, UNLINKED) and its lock
//! verification, on ART 10, 11 and 14; none may come or go but the runtime's own, which must be OK.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use super::{Common, run_tests};
use crate::error::{PathContext, Result};
use crate::files::scratch;
use crate::process::{output, parallel, to_files};
use crate::workspace::Workspace;

const LIMIT: Duration = Duration::from_secs(300);

/// The tests, and the options of their build.
#[derive(Args)]
pub struct VerifyOptions {
    #[command(flatten)]
    common: Common,
    /// The short list for CI instead of all 680 tests
    #[arg(long)]
    representative: bool,
    /// Only these tests
    tests: Vec<String>,
}

/// Looks at every test, then tests/art/verify.py compares.
///
/// # Errors
/// Fails if a class is worse than before.
pub fn run(options: &VerifyOptions, here: &Workspace) -> Result<()> {
    let list = if options.representative { "representative.txt" } else { "run-tests-passing.txt" };
    let tests = match &options.tests[..] {
        [] => run_tests::listed(&here.path("tests/art").join(list))?,
        named => named.to_vec(),
    };
    let (art, pathlight) = (here.art("dexverify14")?, here.pathlight()?);
    run_tests::build_missing(&tests, &art, here)?;
    let aside = scratch()?;
    let out = options.common.out.as_deref().unwrap_or(aside.path());
    fs::create_dir_all(out).at(out)?;
    parallel(&tests, options.common.jobs, |test| {
        one(test, &art, pathlight, &options.common.codec, out)
    })?;
    here.python(
        "tests/art/verify.py",
        [out.as_os_str(), options.common.codec.as_ref()]
            .into_iter()
            .chain(tests.iter().map(AsRef::as_ref)),
    )
}

/// Leaves OUT/TEST.before and .after, both also with 11 and 14 behind; .none without code, .broken
/// where instrumenting failed.
fn one(test: &str, art: &Path, pathlight: &Path, codec: &str, out: &Path) -> Result<()> {
    let (jar, file) =
        (run_tests::jar(art, test), |ending: &str| out.join(format!("{test}.{ending}")));
    if !jar.exists() {
        return fs::write(file("none"), "no code\n").at(&file("none"));
    }
    let made = file("jar");
    if let Err(error) = instrument(pathlight, codec, &jar, &made, &file("plmap"), &[]) {
        return fs::write(file("broken"), error.to_string()).at(&file("broken"));
    }
    for vm in ["", "11", "14"] {
        for (code, side) in [(&jar, "before"), (&made, "after")] {
            let mut verify = Command::new(art.join(format!("bin/dexverify{vm}")));
            verify.env("ART_LOG", "w").arg("-v").arg(code);
            let printed = file(&format!("{side}{vm}"));
            let messages = file(&format!("{side}{vm}.err"));
            // The comparer sees whether it came to its end.
            to_files(&mut verify, &printed, &messages, LIMIT)?;
            append(&printed, &messages)?;
        }
    }
    fs::remove_file(&made).at(&made)
}

fn append(file: &Path, other: &Path) -> Result<()> {
    let both = [fs::read(file).at(file)?, fs::read(other).at(other)?].concat();
    fs::write(file, both).at(file)
}

/// Instruments one program; without a codec there is no map.
pub fn instrument(
    pathlight: &Path,
    codec: &str,
    from: &Path,
    to: &PathBuf,
    map: &Path,
    more: &[String],
) -> Result<String> {
    let mut command = Command::new(pathlight);
    command
        .args(["instrument", "--force"])
        .arg(from)
        .arg("-o")
        .arg(to)
        .args(["--codec", codec])
        .args(more);
    if codec != "none" {
        command.arg("--map").arg(map);
    }
    output(&mut command)
}
