//! The binary that needs nothing else: linked statically, and run in an empty root folder.

use std::env::{
    self,
    consts::{EXE_SUFFIX, OS},
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sorted};
use crate::process::{output, run as run_shown};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// The binary of a release: `$PATHLIGHT`, or the release build, which is static on Linux.
///
/// # Errors
/// Fails if it does not build.
pub fn binary(here: &Workspace) -> Result<PathBuf> {
    if env::var_os("PATHLIGHT").is_some_and(|given| !given.is_empty()) {
        return here.pathlight().map(Path::to_owned);
    }
    build(here)
}

/// Builds the release binary. A C library is linked into it on Linux, so that it runs on every
/// system of the machine's architecture. Only the program itself gets the option: what it uses is
/// built once for both kinds of binary.
///
/// # Errors
/// Fails if it does not build.
pub fn build(here: &Workspace) -> Result<PathBuf> {
    let mut build = here.cargo("rustc");
    build.args(["--release", "--locked", "--package", "pathlight", "--bin", "pathlight"]);
    if OS == "linux" {
        build.args(["--", "-C", "target-feature=+crt-static"]);
        // Debuggers find the symbols by it.
        build.args(["-C", "link-arg=-Wl,--build-id"]);
    }
    run_shown(&mut build)?;
    Ok(here.target.join("release").join(format!("pathlight{EXE_SUFFIX}")))
}

/// Builds it. In a root folder with nothing but the binary, an app and logs it must write what the
/// other build writes.
///
/// # Errors
/// Fails if it does not build or run, or an output differs.
pub fn run(here: &Workspace) -> Result<()> {
    let binary = build(here)?;
    let work = scratch()?;
    let root = work.path();
    fs::copy(&binary, root.join("pathlight")).at(&binary)?;
    furnish(root, here)?;

    let mut tally = Tally::default();
    let tasks = [
        ("instruments", "instrument app.apk -o beta.apk --map app.plmap"),
        ("decodes", "decode --map recorded.plmap session.plt --full --format json"),
        ("finds the crash", "crash --map recorded.plmap session.plt"),
        ("reports", "report --map recorded.plmap session.plt --html out.html --lcov out.info"),
        ("trains", "train --map recorded.plmap session.plt -o model.json"),
    ];
    let outputs = ["beta.apk", "app.plmap", "out.info", "model.json"];
    let mut printed = Vec::new();
    for (what, task) in tasks {
        let alone = output(inside(root)?.arg("/pathlight").args(task.split(' ')));
        printed.push(alone.as_ref().ok().cloned());
        let outcome = alone.map(|printed| format!("{} bytes printed", printed.len()));
        tally.count(what, outcome.map_err(|e| e.to_string()));
    }
    let alone: Vec<_> = outputs.iter().map(|name| fs::read(root.join(name)).ok()).collect();
    for name in outputs.iter().chain(&["out.html"]) {
        let _ = fs::remove_file(root.join(name));
    }
    for ((what, task), printed) in tasks.into_iter().zip(printed) {
        let mut usual = Command::new(here.pathlight()?);
        // The same debug key.
        usual.current_dir(root).env("XDG_CONFIG_HOME", root.join("config"));
        let same = output(usual.args(task.split(' ')))?;
        let outcome = if Some(same) == printed { Ok(String::new()) } else { Err("differs".into()) };
        tally.count(&format!("{what}: prints the same"), outcome);
    }
    for (name, alone) in outputs.iter().zip(alone) {
        let usual = fs::read(root.join(name)).ok();
        let same = usual.is_some() && usual == alone;
        let outcome = if same { Ok("the same bytes".into()) } else { Err("differs".into()) };
        tally.count(name, outcome);
    }
    let size = root.join("pathlight").metadata().at(root)?.len();
    println!("the static binary: {:.1} MB", size as f64 / 1e6);
    tally.finish()
}

/// Puts an app, and a recorded session with its map, into a root folder.
///
/// # Errors
/// Fails if one cannot be copied.
pub fn furnish(root: &Path, here: &Workspace) -> Result<()> {
    fs::create_dir_all(root.join("tmp")).at(root)?;
    let copy = |from: PathBuf, to: &str| fs::copy(&from, root.join(to)).at(&from).map(drop);
    let recorded = here.path("tests/cli/recorded");
    copy(here.path("android-fixtures/tether/prebuilt/tether.apk"), "app.apk")?;
    copy(recorded.join("app.plmap"), "recorded.plmap")?;
    let logs = sorted(&recorded)?;
    let log = logs.into_iter().find(|p| p.extension().is_some_and(|e| e == "plt"));
    copy(log.ok_or_else(|| Error::Missing("no recorded session".into()))?, "session.plt")
}

/// A command whose root is this folder, without other environment than a place for its key.
///
/// # Errors
/// Fails if the user cannot be asked for.
pub fn inside(root: &Path) -> Result<Command> {
    let is_root = output(Command::new("id").arg("-u"))?.trim() == "0";
    let mut command = Command::new(if is_root { "chroot" } else { "unshare" });
    if !is_root {
        command.args(["--map-root-user", "chroot"]);
    }
    command.arg(root).env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    command.env("XDG_CONFIG_HOME", "/config");
    Ok(command)
}
