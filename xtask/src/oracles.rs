//! Other tools judge what Pathlight writes.

use std::process::Command;

use clap::Subcommand;

use crate::error::Result;
use crate::process;
use crate::workspace::{HandedOn, Workspace};

/// What is judged.
#[derive(Subcommand)]
pub enum Task {
    /// Signatures, alignment, manifest and entries of an APK beside the one that it was made from
    #[command(after_help = "Example:\n  cargo xtask oracles apk app.apk beta.apk")]
    Apk(HandedOn),
    /// Two APKs or DEX files class by class, as dexdump reads them (for --codec none)
    #[command(after_help = "Example:\n  cargo xtask oracles dexdiff app.apk rewritten.apk")]
    Dexdiff(HandedOn),
    /// Proves that dexdiff sees seeded changes and nothing else
    #[command(after_help = "Example:\n  cargo xtask oracles dexdiff-selftest")]
    DexdiffSelftest,
}

/// Runs a task.
///
/// # Errors
/// When something differs that must not.
pub fn run(task: Task, here: &Workspace) -> Result<()> {
    here.packages(&["oracles"])?;
    match task {
        Task::Apk(options) => {
            process::run(Command::new(here.path("tests/oracles/apk.sh")).args(options.arguments))
        }
        Task::Dexdiff(options) => process::run(
            Command::new(here.path("tests/oracles/dexdiff.py")).args(options.arguments),
        ),
        Task::DexdiffSelftest => {
            process::run(&mut Command::new(here.path("tests/oracles/dexdiff-selftest.sh")))
        }
    }
}
