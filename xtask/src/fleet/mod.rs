//! Many sessions: a simulated beta, and the scripts of `fleet/` on it.

use std::path::PathBuf;
use std::process::Command;

use clap::Subcommand;

use crate::error::Result;
use crate::process;
use crate::workspace::{HandedOn, Workspace};

mod beta;
mod codecs;
mod tools;

use tools::Engine;

/// Tasks of a fleet.
#[derive(Subcommand)]
pub enum FleetTask {
    /// The whole way on one machine: a simulated beta, tables, a model for each day, the ranking
    ///
    /// Release 1.0 of the fixture `tether`, and release 2.0 with a planted fault. What is there is
    /// not made again.
    #[command(after_help = "\
Example:
  cargo xtask fleet demo /tmp/beta                       # 200 and 400 sessions: some minutes
  cargo xtask fleet demo /tmp/small --old 40 --new 80    # a quick look")]
    Demo(beta::BetaOptions),
    /// The simulated beta alone: maps, logs by day, crash labels
    #[command(after_help = "Example:\n  cargo xtask fleet beta /tmp/beta")]
    Beta(beta::BetaOptions),
    /// Runs a script of fleet/ with the Python libraries that it needs
    #[command(after_help = "\
Example:
  cargo xtask fleet run query.py /tmp/beta suspicious --top 10
  cargo xtask fleet run --spark job.py /tmp/beta --master 'local[2,4]'")]
    Run {
        /// With Spark, too; it is installed when it is missing
        #[arg(long)]
        spark: bool,
        /// The script
        script: PathBuf,
        /// Its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Judges tables, models and queries on a beta: repeated, shuffled, killed and mislabelled
    #[command(after_help = "\
Example:
  cargo xtask fleet check                         # a small beta, DuckDB
  cargo xtask fleet check --spark --folder /tmp/beta --old 200 --new 400")]
    Check {
        /// Spark as well: the same models, the same rows
        #[arg(long)]
        spark: bool,
        /// Keep the beta in this folder
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Sessions of release 1.0
        #[arg(long, default_value_t = 40)]
        old: u64,
        /// Sessions of release 2.0
        #[arg(long, default_value_t = 80)]
        new: u64,
        /// Draws of 20 bad and 200 good sessions
        #[arg(long, default_value_t = 100)]
        draws: u64,
    },
    /// Checks that the tables of the same sessions are the same under four codecs, of three apps
    #[command(after_help = "Example:\n  cargo xtask fleet codecs --sessions 2")]
    Codecs {
        /// Keep the sessions in this folder
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Sessions of each app and codec
        #[arg(long, default_value_t = 2)]
        sessions: u64,
    },
    /// Measures tables and the ranking on a beta that `demo` has made
    #[command(after_help = "\
Example:
  cargo xtask fleet bench /tmp/beta --spark --out bench/fleet.csv")]
    Bench(HandedOn),
}

/// Runs a task.
///
/// # Errors
/// Fails if a check does not hold.
pub fn run(task: FleetTask, here: &Workspace) -> Result<()> {
    match task {
        FleetTask::Beta(options) => beta::make(&options, here),
        FleetTask::Demo(options) => {
            beta::make(&options, here)?;
            script(here, Engine::DuckDb, "fleet/demo.py", [&options.folder])
        }
        FleetTask::Run { spark, script: name, arguments } => {
            let engine = if spark { Engine::Spark } else { Engine::DuckDb };
            script(here, engine, PathBuf::from("fleet").join(name), arguments)
        }
        FleetTask::Codecs { folder, sessions } => {
            let scratch = crate::files::scratch()?;
            let folder = folder.unwrap_or_else(|| scratch.path().join("codecs"));
            codecs::make(&folder, sessions, here)?;
            script(here, Engine::DuckDb, "tests/fleet/codecs.py", [folder])
        }
        FleetTask::Bench(options) => {
            script(here, Engine::Spark, "bench/fleet.py", options.arguments)
        }
        FleetTask::Check { spark, folder, old, new, draws } => {
            let scratch = crate::files::scratch()?;
            let folder = folder.unwrap_or_else(|| scratch.path().join("beta"));
            let options = beta::BetaOptions { folder, old, new, steps: 120, vm: None };
            beta::make(&options, here)?;
            let engine = if spark { Engine::Spark } else { Engine::DuckDb };
            let mut arguments = vec![options.folder.into_os_string(), "--draws".into()];
            arguments.push(draws.to_string().into());
            if spark {
                arguments.push("--spark".into());
            }
            script(here, engine, "tests/fleet/check.py", arguments)
        }
    }
}

/// Runs a Python script of the checkout with the libraries of an engine.
fn script<S: AsRef<std::ffi::OsStr>>(
    here: &Workspace,
    engine: Engine,
    file: impl AsRef<std::path::Path>,
    arguments: impl IntoIterator<Item = S>,
) -> Result<()> {
    let python = tools::python(here, engine)?;
    let mut command = Command::new(&python);
    command.arg(here.path(file)).args(arguments);
    command.env("PATHLIGHT", here.pathlight()?).env("PYTHONPATH", here.path("fleet"));
    // Spark's workers are to be the same Python.
    command.env("PYSPARK_PYTHON", &python).env("PYTHONDONTWRITEBYTECODE", "1");
    process::run(&mut command)
}
