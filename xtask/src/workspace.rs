//! The checkout, and what tasks need around it: the release binary, the ART host, Debian packages.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::error::{Error, PathContext, Result};
use crate::{d8, process};

/// The checkout and the folders beside it.
pub struct Workspace {
    /// The folder of the root `Cargo.toml`.
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
    binary: OnceLock<PathBuf>,
    d8: OnceLock<PathBuf>,
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from)
}

/// `$XDG_CACHE_HOME` or `~/.cache`.
fn user_cache() -> PathBuf {
    let home = || variable("HOME").unwrap_or_else(|| PathBuf::from("/"));
    variable("XDG_CACHE_HOME").unwrap_or_else(|| home().join(".cache"))
}

impl Workspace {
    /// The checkout that this program was built from.
    pub fn find() -> Self {
        let crate_folder =
            variable("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = crate_folder.parent().expect("xtask lies in the workspace").to_owned();
        let target = root.join(variable("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()));
        Self { root, target, binary: OnceLock::new(), d8: OnceLock::new() }
    }

    /// A file of the checkout.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// Folder of compilers and translated programs: `$PATHLIGHT_CACHE` or the user's cache.
    pub fn cache(&self) -> PathBuf {
        variable("PATHLIGHT_CACHE").unwrap_or_else(|| user_cache().join("pathlight"))
    }

    /// Folder of the ART host: `$PATHLIGHT_ART` or the user's cache.
    pub fn art_folder(&self) -> PathBuf {
        variable("PATHLIGHT_ART").unwrap_or_else(|| user_cache().join("pathlight/art"))
    }

    /// The folder of an ART host that has this program in `bin`.
    ///
    /// # Errors
    /// Fails if there is none yet.
    pub fn art(&self, program: &str) -> Result<PathBuf> {
        let folder = self.art_folder();
        if folder.join("bin").join(program).exists() {
            return Ok(folder);
        }
        let folder = folder.display();
        Err(Error::Missing(format!("no {program} in {folder}: `cargo xtask art setup` builds it")))
    }

    /// The binary under test: `$PATHLIGHT`, or the release binary, built now.
    ///
    /// # Errors
    /// Fails if it does not build.
    pub fn pathlight(&self) -> Result<&Path> {
        if let Some(known) = self.binary.get() {
            return Ok(known);
        }
        let found = self.find_pathlight()?;
        Ok(self.binary.get_or_init(|| found))
    }

    fn find_pathlight(&self) -> Result<PathBuf> {
        if let Some(given) = variable("PATHLIGHT") {
            // Programs that get it run in other folders.
            return given.canonicalize().at(&given);
        }
        process::run(self.cargo("build").args(["--release", "--quiet", "--package", "pathlight"]))?;
        Ok(self.target.join("release/pathlight"))
    }

    /// Google's D8 and R8: `$D8_JAR`, or fetched.
    ///
    /// # Errors
    /// Fails if it cannot be fetched.
    pub fn d8(&self) -> Result<&Path> {
        if let Some(known) = self.d8.get() {
            return Ok(known);
        }
        let found = d8::find_d8(&self.cache(), variable("D8_JAR"))?;
        Ok(self.d8.get_or_init(|| found))
    }

    /// A cargo command that runs in the root folder.
    pub fn cargo(&self, verb: &str) -> Command {
        let mut command = Command::new(variable("CARGO").unwrap_or_else(|| "cargo".into()));
        // What `cargo run` sets for this program is not meant for another crate.
        command.current_dir(&self.root).env_remove("CARGO_MANIFEST_DIR").arg(verb);
        command
    }

    /// Builds `mutants` and `pathlight` with the development profile; returns their folder.
    ///
    /// # Errors
    /// Fails if one does not build.
    pub fn development_binaries(&self) -> Result<PathBuf> {
        // An example makes cargo count the features of dev-dependencies.
        self.build_like_tests(&["--bin", "mutants", "--bin", "pathlight", "--example", "types"])
    }

    /// Builds an example with the development profile; returns its path.
    ///
    /// # Errors
    /// Fails if it does not build.
    pub fn development_example(&self, name: &str) -> Result<PathBuf> {
        Ok(self.build_like_tests(&["--example", name])?.join("examples").join(name))
    }

    /// Builds with the features of `cargo test --workspace`, so that no crate is built twice: cargo
    /// chooses features for all packages of one call.
    fn build_like_tests(&self, targets: &[&str]) -> Result<PathBuf> {
        process::run(self.cargo("build").args(["--quiet", "--workspace"]).args(targets))?;
        Ok(self.target.join("debug"))
    }

    /// A script of the checkout. It gets the binary under test, the ART host, this program and,
    /// where it is known, D8 in variables.
    ///
    /// # Errors
    /// Fails if the binary does not build.
    pub fn script(&self, interpreter: &str, file: &str) -> Result<Command> {
        let mut command = Command::new(interpreter);
        command
            .arg(self.path(file))
            .env("PYTHONPATH", self.path("tests"))
            .env("PATHLIGHT", self.pathlight()?)
            .env("PATHLIGHT_ART", self.art_folder());
        command.env("XTASK", env::current_exe().at(Path::new("xtask"))?);
        if let Some(d8) = self.d8.get() {
            command.env("D8_JAR", d8);
        }
        Ok(command)
    }

    /// A Python module of the package that test scripts share (`tests/harness`), as a program.
    pub fn harness(&self, module: &str) -> Command {
        let mut command = Command::new("python3");
        command.env("PYTHONPATH", self.path("tests")).args(["-m", &format!("harness.{module}")]);
        command
    }

    /// A Python script of the checkout that needs nothing but the package of test scripts.
    pub fn judge(&self, file: &str) -> Command {
        let mut command = Command::new("python3");
        command.env("PYTHONPATH", self.path("tests")).arg(self.path(file));
        command
    }

    /// Runs a Python script of the checkout (see [`Self::script`]).
    ///
    /// # Errors
    /// Fails if it fails.
    pub fn python<S: AsRef<OsStr>>(
        &self,
        file: &str,
        arguments: impl IntoIterator<Item = S>,
    ) -> Result<()> {
        process::run(self.script("python3", file)?.args(arguments))
    }

    /// Installs the Debian packages of these groups where they are missing.
    ///
    /// # Errors
    /// Fails if some are missing and cannot be installed.
    pub fn packages(&self, groups: &[&str]) -> Result<()> {
        process::quietly(Command::new(self.path("tests/prerequisites.sh")).args(groups))
    }
}

/// Options that a task hands on to its script.
#[derive(clap::Args)]
pub struct HandedOn {
    /// Options of the script; `-- --help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    pub arguments: Vec<OsString>,
}
