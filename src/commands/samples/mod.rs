//! `pathlight samples`.

mod against;
mod calibration;
mod fill;
mod merging;
mod output;
mod passes;
mod path;
mod score;
mod show;
mod training;

use decoder::Damage;

use super::{Result, Usage};
use crate::outputs::print::Printer;

/// The commands of `pathlight samples`.
#[derive(clap::Subcommand)]
pub enum SamplesCommand {
    /// Show what ran in samples: stacks of simpleperf, Perfetto, ART and text.
    Show(show::Args),
    /// Thin exact paths out to samples, rebuild the paths, and score the result.
    Score(score::Args),
}

/// Runs the command.
pub fn run(command: &SamplesCommand, out: &mut Printer) -> Result<Damage> {
    match command {
        SamplesCommand::Show(args) => show::run(args, out),
        SamplesCommand::Score(args) => score::run(args, out),
    }
}
