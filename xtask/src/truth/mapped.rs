//! Paths of what R8 made, beside those of the same program's debug build.
//!
//! With R8's mapping, calls that it inlined are shown as calls. So both builds must show the same
//! calls, each from the same line of the same caller. Where an exception ended a block, the path
//! shows no call that R8 inlined behind the last certain place, but names it as a place of the
//! exception.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::compilers::{files_below, javac, jdk, r8};
use crate::error::{PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::session::Vm;
use crate::process::{output, quietly};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// With a line table, and with addresses.
const API_LEVELS: [&str; 2] = ["21", "26"];

/// Compares the calls in the paths of the program for stack traces.
///
/// # Errors
/// Fails if a build shows other calls.
pub fn run(here: &Workspace) -> Result<()> {
    here.packages(&["fixtures"])?;
    let work = scratch()?;
    let classes = work.path().join("classes");
    javac(&here.path("tests/truth/traces/java"), &classes, &["-g", "-Xlint:-options"], None)?;
    let classes = files_below(&classes, "class")?;
    let folder = |name: &str| {
        let folder = work.path().join(name);
        fs::create_dir(&folder).at(&folder).map(|()| folder)
    };
    let debug = folder("debug")?;
    let mut d8 = r8(here, "D8")?;
    d8.args(["--debug", "--min-api", "26", "--lib"]).arg(jdk()?).arg("--output").arg(&debug);
    quietly(d8.args(&classes))?;
    let want = calls(&path(here, &debug, false)?);
    let mut tally = Tally::default();
    for api in API_LEVELS {
        let release = folder(api)?;
        let mut r8 = r8(here, "R8")?;
        r8.args(["--release", "--min-api", api, "--lib"]).arg(jdk()?).arg("--pg-conf");
        r8.arg(here.path("tests/truth/traces/keep.pro"));
        r8.arg("--pg-map-output").arg(release.join("mapping.txt")).arg("--output").arg(&release);
        quietly(r8.args(&classes))?;
        let path = path(here, &release, true)?;
        let got = calls(&path);
        let inlined = path.matches('⤷').count();
        let outcome = match same(&want, &got) {
            Ok(_) if inlined == 0 => Err("nothing is inlined".to_owned()),
            Ok(perhaps) => Ok(format!(
                "{} calls, {inlined} of them inlined, {perhaps} named at exceptions",
                want.iter().filter(|step| matches!(step, Step::Call(_))).count()
            )),
            Err(difference) => Err(difference),
        };
        tally.count(&format!("API {api}"), outcome);
    }
    tally.finish()
}

/// The decoded path of one run.
fn path(here: &Workspace, folder: &Path, mapped: bool) -> Result<String> {
    let [app, beta, map] = ["classes.dex", "beta.dex", "app.plmap"].map(|f| folder.join(f));
    let mut instrument = Command::new(here.pathlight()?);
    instrument
        .args(["instrument", "--force"])
        .arg(&app)
        .arg("-o")
        .arg(&beta)
        .arg("--map")
        .arg(&map);
    if mapped {
        instrument.arg("--mapping").arg(folder.join("mapping.txt"));
    }
    output(&mut instrument)?;
    let logs = folder.join("logs");
    fs::create_dir(&logs).at(&logs)?;
    let mut art = Vm::Art.art_command(here)?;
    art.arg("-cp").arg(&beta).arg(format!("-Dpathlight.dir={}", logs.display())).arg("Main");
    output(&mut art)?;
    let mut decode = Command::new(here.pathlight()?);
    output(
        decode
            .args(["decode", "--full", "--unfolded", "--names", "full", "--map"])
            .arg(&map)
            .args(sorted(&logs)?),
    )
}

/// A step of a path as it is shown.
#[derive(Debug, PartialEq)]
enum Step {
    /// Caller, its line and the method called.
    Call(String),
    /// An exception, and the inlined methods that can have thrown it.
    Threw(Vec<String>),
}

/// Compares the steps of the debug build with others; returns how many of its calls are only named
/// at an exception.
fn same(want: &[Step], got: &[Step]) -> std::result::Result<usize, String> {
    let (mut perhaps, mut want) = (0, want.iter().peekable());
    for step in got {
        if let Step::Threw(methods) = step {
            let named = |call: &str| {
                let callee = call.split_once(" calls ").map_or("", |c| c.1);
                methods.iter().any(|m| callee.split('(').next() == Some(m))
            };
            while want.next_if(|w| matches!(w, Step::Call(call) if named(call))).is_some() {
                perhaps += 1;
            }
            match want.next() {
                Some(Step::Threw(_)) => continue,
                other => return Err(format!("{other:?} became {step:?}")),
            }
        }
        match want.next() {
            Some(wanted) if wanted == step => {}
            other => return Err(format!("{other:?} became {step:?}")),
        }
    }
    want.next().map_or(Ok(perhaps), |step| Err(format!("{step:?} is missing")))
}

/// The methods that an exception's row names: `Main.java:12 in Main.cast`.
fn inlined(row: &str) -> Vec<String> {
    let places = row.split(", caught at ").next().unwrap_or(row);
    let method = |place: &str| {
        place.split_once(" in ").map(|p| p.1.split(' ').next().unwrap_or(p.1).to_owned())
    };
    places.split(", ").filter_map(method).collect()
}

/// Each call and each exception. Calls of and in lambda classes are left out:
/// R8 makes them anew, so only the lambdas' own names would distinguish them.
fn calls(path: &str) -> Vec<Step> {
    let mut stack: Vec<(String, String)> = Vec::new();
    let mut out = Vec::new();
    for line in path.lines().filter(|l| !l.starts_with(['#', '='])) {
        let text = line.trim_start();
        let depth = (line.len() - text.len()) / 2;
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            if let Some(frame) = depth.checked_sub(1).and_then(|d| stack.get_mut(d)) {
                frame.1 = text.split(' ').next_back().unwrap_or_default().to_owned();
            }
            continue;
        }
        if text.starts_with('✗') {
            out.push(Step::Threw(inlined(text)));
            continue;
        }
        if text.starts_with(['…', '■']) || text.contains("perhaps here: ") {
            continue;
        }
        let text = text.rsplit_once("] ").map_or(text, |t| t.1);
        let name = text.trim_start_matches(['⤷', '⇠', ' ']);
        let name = name.split("  ").next().unwrap_or(name);
        stack.truncate(depth);
        let empty = (String::new(), String::new());
        let (caller, at) = stack.last().unwrap_or(&empty);
        if ![caller.as_str(), name].iter().any(|n| n.to_lowercase().contains("lambda")) {
            out.push(Step::Call(format!("{caller}:{at} calls {name}")));
        }
        stack.push((name.to_owned(), String::new()));
    }
    out
}
