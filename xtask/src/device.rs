//! The real adb and a phone of our own judge `pathlight device`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::session::{self, Vm};
use crate::process::output;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Sessions whose logs are fetched.
const SEEDS: [u64; 3] = [1, 2, 3];

/// Installs, fetches and watches `tether` on a phone that `tests/oracles/device` plays.
///
/// # Errors
/// Fails if something is not as it should be.
pub fn run(here: &Workspace) -> Result<()> {
    here.packages(&["run", "device"])?;
    let work = scratch()?;
    let mut tally = Tally::default();
    tally.count("device", judged(here, work.path()).map_err(|e| e.to_string()));
    tally.finish()
}

fn judged(here: &Workspace, work: &Path) -> Result<String> {
    let prebuilt = here.path("android-fixtures/tether/prebuilt");
    let (app, logs) = (work.join("tether.apk"), work.join("logs"));
    fs::copy(prebuilt.join("tether.apk"), &app).at(&app)?;
    let instrument = |arguments: &[&str]| {
        let mut instrument = Command::new(here.pathlight()?);
        instrument.current_dir(work).env("XDG_CONFIG_HOME", work).args(["instrument", "--force"]);
        output(instrument.arg("tether.apk").args(arguments)).map(drop)
    };
    instrument(&["-o", "beta.apk", "--map", "app.plmap"])?;
    let chatty = ["-o", "chatty.apk", "--map", "chatty.plmap", "--sink", "logcat"];
    instrument(&chatty)?;
    let split = prebuilt.join("split_config.de.apk");
    instrument(&[&split.to_string_lossy(), "-o", "set", "--map", "set.plmap"])?;
    for (from, to) in [("tether.apk", "base.apk"), ("split_config.de.apk", "split.apk")] {
        fs::copy(work.join("set").join(from), work.join(to)).at(work)?;
    }
    fs::create_dir(&logs).at(&logs)?;
    let play = |apk: &str, seed, property: &str, path: &Path| {
        let session = session::SessionOptions::new("tether", seed).on(Vm::Hotspot);
        let session = session.with_apk(&work.join(apk)).with_path(property, path);
        session.play(here, &work.join("output"), &work.join("errors"))
    };
    for seed in SEEDS {
        play("beta.apk", seed, "pathlight.dir", &logs)?;
    }
    play("chatty.apk", SEEDS[0], "stub.logcat", &work.join("beta.log"))?;
    // What `device record` makes of the app, and what that leaves on the phone.
    let recorded = work.join("recorded");
    fs::create_dir(&recorded).at(&recorded)?;
    instrument(&["-o", "same.apk", "--map", "same.plmap", "--logs", "external"])?;
    play("same.apk", SEEDS[1], "pathlight.dir", &recorded)?;
    let found = sorted(&logs)?.len();
    if found < SEEDS.len() {
        return Err(Error::Wrong(format!("{found} logs of {} sessions", SEEDS.len())));
    }
    let mut judge = Command::new("python3");
    judge.arg(here.path("tests/oracles/device/judge.py")).arg(here.pathlight()?).arg(work);
    Ok(output(judge.arg(here.path("docs/DEVICE.md")))?.trim().to_owned())
}
