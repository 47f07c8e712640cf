//! The tracer, genhtml and JaCoCo's DTD judge the coverage that `report` writes.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::error::{At, Result};
use crate::files::scratch;
use crate::fixtures::session::Vm;
use crate::process::output;
use crate::tally::Tally;
use crate::truth::apps::App;
use crate::workspace::Workspace;

/// Compares the coverage of all these sessions of `tether` together with their traces.
///
/// # Errors
/// When a format tells something else.
pub fn run(here: &Workspace, seeds: &[u64]) -> Result<()> {
    let work = scratch()?;
    let mut tally = Tally::default();
    let app = App { here, name: "tether", work: work.path() };
    app.prepare(&[])?;
    let outcome = judged(&app, seeds).map_err(|error| error.to_string());
    tally.count(&format!("{} sessions of tether", seeds.len()), outcome);
    tally.finish()
}

fn judged(app: &App<'_>, seeds: &[u64]) -> Result<String> {
    let (mut logs, mut traces): (Vec<PathBuf>, Vec<PathBuf>) = (Vec::new(), Vec::new());
    let kept = app.work.join("kept");
    fs::create_dir(&kept).at(&kept)?;
    for seed in seeds {
        app.trace(*seed)?;
        for (number, log) in app.play(*seed, Vm::Art)?.iter().enumerate() {
            // The next session clears its folder.
            let to = kept.join(format!("{seed}-{number}.plt"));
            fs::copy(log, &to).at(log)?;
            logs.push(to);
        }
        let to = kept.join(format!("{seed}.trace"));
        fs::copy(app.file("trace"), &to).at(&to)?;
        traces.push(to);
    }
    let formats = ["lcov", "jacoco", "cobertura"].map(|f| (format!("--{f}"), app.file(f)));
    let mut report = Command::new(app.here.pathlight()?);
    report.arg("report").arg("--map").arg(app.file("plmap")).args(&logs);
    report.arg("--sources").arg(app.here.path("android-fixtures/tether/src"));
    let mut judge = Command::new("python3");
    judge.arg(app.here.path("tests/oracles/coverage.py"));
    for (option, file) in &formats {
        report.arg(option).arg(file);
        judge.arg(option).arg(file);
    }
    output(&mut report)?;
    judge.arg("--apk").arg(app.original()).arg("--table").arg(app.file("table")).args(&traces);
    Ok(output(&mut judge)?.trim().to_owned())
}
