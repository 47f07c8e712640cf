//! D8 and the tracer judge the profiles that `report` writes for the next release.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::compilers::{javac, jdk, r8};
use crate::error::{PathContext, Result};
use crate::files::scratch;
use crate::fixtures::session::Vm;
use crate::process::{output, quietly};
use crate::tally::Tally;
use crate::truth::apps::App;
use crate::workspace::Workspace;

/// Compares the profiles of these sessions of `tether` with their traces, and has D8 take them.
///
/// # Errors
/// Fails if a method is missing or too much, or D8 takes a rule otherwise.
pub fn run(here: &Workspace, seeds: &[u64]) -> Result<()> {
    here.packages(&["run", "fixtures"])?;
    let work = scratch()?;
    let mut tally = Tally::default();
    let app = App { here, name: "tether", work: work.path() };
    app.prepare(&[])?;
    let outcome = judged(&app, seeds).map_err(|error| error.to_string());
    tally.count(&format!("{} sessions of tether", seeds.len()), outcome);
    tally.finish()
}

fn judged(app: &App<'_>, seeds: &[u64]) -> Result<String> {
    let here = app.here;
    let (mut logs, mut traces): (Vec<PathBuf>, Vec<PathBuf>) = (Vec::new(), Vec::new());
    for seed in seeds {
        let (log, trace) =
            (app.work.join(format!("{seed}.plt")), app.work.join(format!("{seed}.trace")));
        app.trace(*seed)?;
        for from in app.play(*seed, Vm::Art)? {
            // One process each.
            fs::copy(&from, &log).at(&from)?;
        }
        fs::copy(app.file("trace"), &trace).at(&trace)?;
        logs.push(log);
        traces.push(trace);
    }
    let [baseline, startup, echo, dex, jar, classes] =
        ["baseline", "startup", "echo", "dex", "jar2", "classes"].map(|f| app.file(f));
    let mut report = Command::new(here.pathlight()?);
    report.arg("report").arg("--map").arg(app.file("plmap")).args(&logs);
    report.arg("--baseline-profile").arg(&baseline);
    output(report.arg("--startup-profile").arg(&startup).args(["--min-sessions", "0"]))?;

    let stubs = here.path("android-fixtures/stubs/prebuilt/stubs.jar");
    let options = ["-g", "-nowarn", "-Xlint:-options", "-proc:none", "-encoding", "UTF-8"];
    javac(&here.path("android-fixtures/tether/src"), &classes, &options, Some(&stubs))?;
    let jar = jar.with_extension("jar");
    let mut pack = Command::new("python3");
    quietly(pack.arg(here.path("android-fixtures/tools/jar.py")).arg(&jar).arg(&classes))?;
    fs::create_dir(&dex).at(&dex)?;
    let mut d8 = r8(here, "D8")?;
    d8.args(["--min-api", "21", "--release", "--lib"]).arg(jdk()?).arg("--classpath").arg(&stubs);
    d8.arg("--startup-profile").arg(&startup).arg("--art-profile").arg(&baseline).arg(&echo);
    output(d8.arg("--output").arg(&dex).arg(&jar))?;

    let mut judge = here.judge("tests/oracles/profiles.py");
    judge.arg("--baseline").arg(&baseline).arg("--startup").arg(&startup);
    judge.arg("--echo").arg(&echo).arg("--dex").arg(&dex);
    judge.arg("--table").arg(app.file("table")).arg("--apk").arg(app.original());
    Ok(output(judge.args(&traces))?.trim().to_owned())
}
