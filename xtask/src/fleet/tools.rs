//! Python with DuckDB, and with Spark where it is asked for, in the user's cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{PathContext, Result};
use crate::files::sha256;
use crate::process::run;
use crate::workspace::Workspace;

/// Engine that queries the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// DuckDB alone: 25 MB.
    DuckDb,
    /// DuckDB and Spark in local mode: 600 MB, and a Java runtime.
    Spark,
}

impl Engine {
    fn requirements(self) -> &'static str {
        match self {
            Engine::DuckDb => "fleet/requirements.txt",
            Engine::Spark => "fleet/requirements-spark.txt",
        }
    }
}

/// The Python of a virtual environment that has the engine's libraries. The environment is kept
/// under the hash of its list of libraries.
///
/// # Errors
/// Fails if a Debian package or a library is missing and cannot be installed.
pub fn python(here: &Workspace, engine: Engine) -> Result<PathBuf> {
    here.packages(&["fleet"])?;
    let list = here.path(engine.requirements());
    let folder = here.cache().join(format!("tools/fleet-{}", &sha256(&list)?[..16]));
    let (python, whole) = (folder.join("bin/python3"), folder.join("whole"));
    if !whole.exists() {
        install(&folder, &python, &list)?;
        fs::write(&whole, "").at(&whole)?;
    }
    Ok(python)
}

fn install(folder: &Path, python: &Path, list: &Path) -> Result<()> {
    fs::create_dir_all(folder).at(folder)?;
    // Debian's Python: another one on the PATH may lack `venv`.
    run(Command::new("/usr/bin/python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "-q", "--disable-pip-version-check", "-r"]);
    run(pip.arg(list))
}
