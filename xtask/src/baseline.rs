//! ART and an independent reader judge the baseline profiles of instrumented apps.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Result;
use crate::files::scratch;
use crate::process::{output, quietly};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Options of builds that change DEX files in ways of their own.
const BUILDS: [&[&str]; 3] =
    [&[], &["--codec", "none"], &["--clones", "all", "--inline", "all", "--inline-coder", "all"]];

/// Instruments these apps, which have a profile, and compares their profiles before and after, as
/// the script and ART read them; without apps, `tether` with the committed profile.
///
/// # Errors
/// Fails if an app lost more than 1 % of its rules, or readers disagree.
pub fn run(here: &Workspace, apps: &[PathBuf]) -> Result<()> {
    let work = scratch()?;
    let mut tally = Tally::default();
    let fixture = work.path().join("tether.apk");
    if apps.is_empty() {
        pack(here, &fixture)?;
    }
    let of_fixture = apps.is_empty();
    let apps = if of_fixture { std::slice::from_ref(&fixture) } else { apps };
    for app in apps {
        for options in BUILDS {
            // Rules of another app may name no method that a clone is made of.
            let clones = of_fixture && options.contains(&"--clones");
            let outcome = judged(here, app, work.path(), options, clones);
            let outcome = outcome.map_err(|e| e.to_string());
            tally.count(&options.join(" "), outcome);
        }
    }
    tally.finish()
}

/// Writes `tether` with the committed profile.
fn pack(here: &Workspace, to: &Path) -> Result<()> {
    let mut pack = here.judge("tests/oracles/baseline.py");
    pack.arg("pack").arg(here.path("android-fixtures/tether/prebuilt/tether.apk"));
    for file in ["tether.prof", "tether.profm"] {
        pack.arg(here.path("tests/oracles/baseline").join(file));
    }
    quietly(pack.arg(to))
}

fn judged(
    here: &Workspace,
    app: &Path,
    work: &Path,
    options: &[&str],
    clones: bool,
) -> Result<String> {
    let beta = work.join("beta.apk");
    let mut instrument = Command::new(here.pathlight()?);
    instrument.arg("instrument").arg(app).arg("-o").arg(&beta).args(options);
    output(instrument.arg("--map").arg(work.join("beta.plmap")).args(["--unsigned", "--force"]))?;
    let mut judge = here.judge("tests/oracles/baseline.py");
    judge.arg("compare").arg(app).arg(&beta);
    for program in ["profdump", "profdump14"] {
        judge.arg(format!("--{program}")).arg(here.art(program)?.join("bin").join(program));
    }
    if clones {
        judge.args(["--clones", "1"]);
    }
    Ok(output(&mut judge)?.trim().to_owned())
}
