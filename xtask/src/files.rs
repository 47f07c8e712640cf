//! Files and folders.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{PathContext, Result};
use crate::process::output;

/// The folders and files of a folder, sorted by name.
///
/// # Errors
/// Fails if it cannot be read.
pub fn sorted(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = folder.read_dir().at(folder)?;
    let mut found =
        entries.map(|e| e.map(|e| e.path())).collect::<std::io::Result<Vec<_>>>().at(folder)?;
    found.sort();
    Ok(found)
}

/// A temporary folder that goes away with the value.
///
/// # Errors
/// Fails if it cannot be made.
pub fn scratch() -> Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("xtask-").tempdir().at(&env::temp_dir())
}

/// The SHA-256 of a file in hexadecimal, by coreutils, or by what macOS has in its place.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn sha256(file: &Path) -> Result<String> {
    let mut command = Command::new("sha256sum");
    if cfg!(target_os = "macos") {
        command = Command::new("shasum");
        command.args(["-a", "256"]);
    }
    let printed = output(command.arg("--").arg(file))?;
    Ok(printed.split(' ').next().unwrap_or_default().trim_start_matches('\\').to_owned())
}
