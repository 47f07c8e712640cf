//! ART's run-tests: which there are, and building those that a check needs.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{PathContext, Result};
use crate::process;
use crate::workspace::Workspace;

/// The run-test without code.
pub const EMPTY: &str = "000-nop";

/// Hands everything on to tests/art/run-tests.sh.
pub fn run<S: AsRef<OsStr>>(arguments: &[S], here: &Workspace) -> Result<()> {
    process::run(script(here)?.env("PATHLIGHT", here.pathlight()?).args(arguments))
}

fn script(here: &Workspace) -> Result<Command> {
    let art = here.art("dalvikvm")?;
    here.packages(&["art", "oracles"])?;
    let mut command = Command::new(here.path("tests/art/run-tests.sh"));
    command.env("PATHLIGHT_ART", art);
    Ok(command)
}

/// The names in a list: the first word of every line that is no comment.
pub fn listed(file: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(file).at(file)?;
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    Ok(lines.filter_map(|l| l.split_whitespace().next()).map(str::to_owned).collect())
}

/// Path of the jar of a built run-test.
pub fn jar(art: &Path, name: &str) -> PathBuf {
    art.join("tests").join(name).join(format!("{name}.jar"))
}

/// Builds the tests of these names that are not built yet.
pub fn build_missing(names: &[String], art: &Path, here: &Workspace) -> Result<()> {
    let missing: Vec<_> = names.iter().filter(|n| *n != EMPTY && !jar(art, n).exists()).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        process::run(script(here)?.arg("--build-only").args(missing))
    }
}
