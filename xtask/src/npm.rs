//! Tools from the npm registry, of one version each, kept in the cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{PathContext, Result};
use crate::files::{scratch, sorted};
use crate::process::{output, quietly};

/// Unpacks a package (`name@version`) into a new folder, without the packages that it needs, and
/// runs nothing of it.
///
/// # Errors
/// The package cannot be fetched or unpacked.
pub fn unpack(package: &str, folder: &Path) -> Result<()> {
    let work = scratch()?;
    let mut npm = Command::new("npm");
    npm.args(["pack", "--silent", "--ignore-scripts", package]).current_dir(work.path());
    let printed = output(&mut npm)?;
    let archive = printed.lines().last().unwrap_or_default();
    quietly(Command::new("tar").current_dir(work.path()).args(["xzf", archive]))?;
    fs::create_dir_all(folder).at(folder)?;
    for entry in sorted(&work.path().join("package"))? {
        // The cache may lie on another file system: no rename.
        quietly(Command::new("cp").arg("-r").arg(entry).arg(folder))?;
    }
    Ok(())
}

/// Returns a file of a package, which is fetched into `folder` if it is missing.
///
/// # Errors
/// The package cannot be fetched or unpacked.
pub fn file(package: &str, folder: &Path, file: &str) -> Result<PathBuf> {
    let found = folder.join(file);
    if !found.exists() {
        unpack(package, folder)?;
    }
    Ok(found)
}
