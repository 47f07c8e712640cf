//! Stack traces of what R8 made, before and after instrumenting.
//!
//! From API level 26 on R8 writes no lines: ART prints addresses in their place, which the mapping
//! file translates. So an instrumented app must still print the addresses of the original.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::compilers::{files_below, javac, jdk, r8};
use crate::error::{Error, PathContext, Result};
use crate::files::scratch;
use crate::fixtures::session::Vm;
use crate::fixtures::tail;
use crate::process::{output, quietly, to_files};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// With lines and without.
const API_LEVELS: [&str; 2] = ["21", "26"];
const CODECS: [&str; 3] = ["arith", "huffman", "pap"];

/// Builds the program with R8 and compares what it prints on every ART.
///
/// # Errors
/// Fails if a trace has another line, before or after R8's Retrace.
pub fn run(here: &Workspace) -> Result<()> {
    here.packages(&["fixtures"])?;
    let work = scratch()?;
    let classes = work.path().join("classes");
    javac(&here.path("tests/truth/traces/java"), &classes, &["-g", "-Xlint:-options"], None)?;
    let mut tally = Tally::default();
    for api in API_LEVELS {
        let folder = work.path().join(api);
        fs::create_dir(&folder).at(&folder)?;
        let mapping = folder.join("mapping.txt");
        let mut release = r8(here, "R8")?;
        release.args(["--release", "--min-api", api, "--lib"]).arg(jdk()?).arg("--pg-conf");
        release.arg(here.path("tests/truth/traces/keep.pro"));
        release.arg("--pg-map-output").arg(&mapping).arg("--output").arg(&folder);
        quietly(release.args(files_below(&classes, "class")?))?;
        let app = folder.join("classes.dex");
        let beta = folder.join("beta.dex");
        for vm in Vm::ART {
            let before = traces(vm, &app, here)?;
            let source = retraced(&mapping, &before, here)?;
            for codec in CODECS {
                let mut instrument = Command::new(here.pathlight()?);
                instrument.args(["instrument", "--force"]).arg(&app).arg("-o").arg(&beta);
                instrument.arg("--map").arg(folder.join("beta.plmap"));
                output(instrument.args(["--codec", codec, "--inline", "all"]))?;
                let after = traces(vm, &beta, here)?;
                let same = lines(&before) == lines(&after);
                let outcome = match same && source == retraced(&mapping, &after, here)? {
                    true => Ok(format!("{} frames", lines(&before).len())),
                    false => Err(first_difference(&lines(&before), &lines(&after))),
                };
                tally.count(&format!("API {api}, {}, {codec}", vm.name()), outcome);
            }
        }
    }
    tally.finish()
}

/// Output of the program.
fn traces(vm: Vm, dex: &Path, here: &Workspace) -> Result<PathBuf> {
    let [out, err] = ["out", "err"].map(|name| dex.with_extension(format!("{}.{name}", vm.name())));
    let mut art = vm.art_command(here)?;
    let logs = dex.parent().expect("in a folder").display().to_string();
    art.arg("-cp").arg(dex).arg(format!("-Dpathlight.dir={logs}")).arg("Main");
    let ended = to_files(&mut art, &out, &err, Duration::from_secs(120))?;
    if !ended.is_some_and(|s| s.success()) {
        return Err(Error::Wrong(format!("{}: {}", dex.display(), tail(&err)?)));
    }
    Ok(out)
}

/// The frames with their lines. The file's name is not compared: ART prints none where it prints an
/// address, and Retrace takes it from the mapping.
fn lines(printed: &Path) -> Vec<String> {
    let text = fs::read_to_string(printed).unwrap_or_default();
    let frames = text.lines().filter_map(|l| l.trim_start().strip_prefix("at "));
    let frame = |frame: &str| {
        let (method, place) = frame.split_once('(').unwrap_or((frame, ""));
        let line = place.trim_end_matches(')').rsplit(':').next().unwrap_or_default();
        format!("{method}:{line}")
    };
    frames.map(frame).collect()
}

/// Output of R8's Retrace for it: source names and lines.
fn retraced(mapping: &Path, printed: &Path, here: &Workspace) -> Result<String> {
    let mut retrace = r8(here, "retrace.Retrace")?;
    let text = output(retrace.arg(mapping).arg(printed))?;
    match text.contains("Main.depth(Main.java:") {
        true => Ok(text),
        false => Err(Error::Wrong(format!("{}: Retrace finds no source line", printed.display()))),
    }
}

fn first_difference(before: &[String], after: &[String]) -> String {
    let differs = before.iter().zip(after).find(|(a, b)| a != b);
    match differs {
        Some((a, b)) => format!("{a} became {b}"),
        None => format!("{} frames became {}", before.len(), after.len()),
    }
}
