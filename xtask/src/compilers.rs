//! Java, Kotlin and D8, as the recipes of the committed files call them. Nothing is put into the
//! checkout.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, PathContext, Result};
use crate::files::sorted;
use crate::npm;
use crate::process::{output, quietly};
use crate::workspace::Workspace;

const KOTLIN: &str = "2.1.21";
/// Options of a JVM that runs some seconds: its second compiler would take more time than it saves.
pub const SHORT_RUN: [&str; 2] = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

/// The folder of kotlinc, fetched from npm where it is missing.
///
/// # Errors
/// Fails if it cannot be fetched.
pub fn kotlin(here: &Workspace) -> Result<PathBuf> {
    let folder = here.cache().join(format!("tools/kotlin-{KOTLIN}"));
    npm::file(&format!("kotlin-compiler@{KOTLIN}"), &folder, "lib/kotlin-compiler.jar")?;
    Ok(folder)
}

/// The JDK, which D8 and R8 take as the library that `java.*` is in.
///
/// # Errors
/// Fails if there is none.
pub fn jdk() -> Result<PathBuf> {
    let found = output(Command::new("sh").args(["-c", "command -v javac"]));
    let Ok(found) = found else {
        return Err(Error::Missing(
            "no JDK: `tests/prerequisites.sh fixtures` installs one".into(),
        ));
    };
    let javac = PathBuf::from(found.trim_end());
    let real = javac.canonicalize().at(&javac)?;
    Ok(real.ancestors().nth(2).unwrap_or(Path::new("/")).to_owned())
}

/// All files below a folder with this ending, sorted by their path in bytes.
///
/// # Errors
/// Fails if a folder cannot be read.
pub fn files_below(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in sorted(&folder)? {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                found.push(path);
            }
        }
    }
    found.sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    Ok(found)
}

/// Compiles all Java files below `sources`; `options` and a class path come before them.
///
/// # Errors
/// Fails if javac refuses them.
pub fn javac(
    sources: &Path,
    out: &Path,
    options: &[&str],
    class_path: Option<&Path>,
) -> Result<()> {
    fs::create_dir_all(out).at(out)?;
    let mut command = Command::new("javac");
    command.args(SHORT_RUN.map(|option| format!("-J{option}")));
    command.args(["--release", "8"]).args(options);
    if let Some(path) = class_path {
        command.arg("-cp").arg(path);
    }
    quietly(command.arg("-d").arg(out).args(files_below(sources, "java")?))
}

/// A call of D8 (`com.android.tools.r8.D8`) or R8, without arguments.
///
/// # Errors
/// Fails if there is no D8.
pub fn r8(here: &Workspace, program: &str) -> Result<Command> {
    let mut command = Command::new("java");
    command
        .args(SHORT_RUN)
        .arg("-Xmx2g")
        .arg("-cp")
        .arg(here.d8()?)
        .arg(format!("com.android.tools.r8.{program}"));
    Ok(command)
}
