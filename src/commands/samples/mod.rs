//! `pathlight samples`.

mod path;
mod score;
mod show;
mod told;
mod training;

use decoder::Damage;

use super::Result;
use crate::print::Printer;

/// What is to be done.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Show what ran in samples: stacks of simpleperf, Perfetto, ART and text.
    Show(show::Args),
    /// Thin exact paths out to samples, rebuild the paths, and score the result.
    Score(score::Args),
}

/// Runs the command.
pub fn run(command: &Command, out: &mut Printer) -> Result<Damage> {
    match command {
        Command::Show(args) => show::run(args, out),
        Command::Score(args) => score::run(args, out),
    }
}
