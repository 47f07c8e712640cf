//! The Android Runtime on this machine, and its checks of instrumented code.

use std::path::PathBuf;
use std::process::Command;

use clap::Subcommand;

use crate::error::Result;
use crate::process::run as run_command;
use crate::workspace::{HandedOn, Workspace};

mod compiled;
mod run_tests;
mod types;
mod verify;

/// Tasks of the ART host.
#[derive(Subcommand)]
pub enum ArtTask {
    /// Builds ART 10, 11 and 14 outside the checkout; does nothing when they are there
    #[command(after_help = "\
Example:
  cargo xtask art setup          # once
  cargo xtask art setup --aot    # for the bench")]
    Setup {
        /// Builds ART 14's compiler ahead of time and its boot image, too: no test needs them
        #[arg(long)]
        aot: bool,
    },
    /// Prints the folder of the ART host
    #[command(after_help = "Example:\n  $(cargo xtask art prefix)/bin/dexverify app.apk")]
    Prefix,
    /// Adds class stubs of Android 6, so that the verifier can link an app's classes
    #[command(after_help = "\
Example:
  cargo xtask art framework    # writes framework/android-23.zip in the ART host's folder
  dexverify app.apk:$(cargo xtask art prefix)/framework/android-23.zip")]
    Framework,
    /// ART's own run-tests with instrumented code: do they still print what they should?
    #[command(after_help = "\
Example:
  cargo xtask art run-tests --codec none                     # all 680, in three modes
  cargo xtask art run-tests --representative --codec arith --decode
  cargo xtask art run-tests --mode jit 003-omnibus-opcodes   # one test
  cargo xtask art run-tests -- --help                        # all options")]
    RunTests(HandedOn),
    /// ART's verifiers over every run-test before and after instrumenting: no class may be worse
    #[command(after_help = "Example:\n  cargo xtask art verify --representative --codec huffman")]
    Verify(verify::VerifyOptions),
    /// ART's compiler over programs before and after instrumenting: every method must still be
    /// taken
    #[command(after_help = "\
Example:
  cargo xtask art compiled                               # fixtures and committed programs, 10 s
  cargo xtask art compiled --list tests/art/run-tests-passing.txt
  cargo xtask art compiled app.apk:platform-stubs.dex    # with what it links against")]
    Compiled(compiled::CompiledOptions),
    /// ART's verifiers on the classes by which the check of register kinds is tested: they must
    /// agree with it
    #[command(after_help = "Example:\n  cargo xtask art types")]
    Types,
}

/// Runs a task.
///
/// # Errors
/// Fails if a check does not hold.
pub fn run(task: ArtTask, here: &Workspace) -> Result<()> {
    match task {
        ArtTask::Setup { aot } => {
            run_command(Command::new(here.path("tests/art/setup.sh")).arg(here.art_folder()))?;
            let mut add = Command::new(here.path("tests/art/setup14.sh"));
            run_command(add.arg(here.art_folder()).args(aot.then_some("aot")))
        }
        ArtTask::Prefix => {
            println!("{}", here.art_folder().display());
            Ok(())
        }
        ArtTask::Framework => {
            let (art, d8) = (here.art("dalvikvm")?, here.d8()?);
            let mut script = Command::new(here.path("tests/art/framework.sh"));
            run_command(script.env("PATHLIGHT_ART", art).env("D8_JAR", d8))
        }
        ArtTask::RunTests(options) => run_tests::run(&options.arguments, here),
        ArtTask::Verify(options) => verify::run(&options, here),
        ArtTask::Compiled(options) => compiled::run(&options, here),
        ArtTask::Types => types::run(here),
    }
}

/// Options of the checks that look at programs before and after instrumenting.
#[derive(clap::Args)]
pub struct Common {
    /// Codec of the instrumented programs
    #[arg(long, default_value = "arith")]
    pub codec: String,
    /// Keep what the tools print in this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of programs at a time
    #[arg(short, default_value_t = crate::process::cores())]
    pub jobs: usize,
}
