//! `pathlight timetree`.

mod build;
mod query;

use decoder::Damage;

use super::Result;
use crate::outputs::print::Printer;

/// The commands of `pathlight timetree`.
#[derive(clap::Subcommand)]
pub enum TimetreeCommand {
    /// Decode sessions once, and write a tree of what ran when; or one of samples.
    Build(build::Args),
    /// Show what ran in an interval: methods and call paths with their weights.
    Query(query::Args),
}

/// Runs the command.
pub fn run(command: &TimetreeCommand, out: &mut Printer) -> Result<Damage> {
    match command {
        TimetreeCommand::Build(args) => build::run(args, out),
        TimetreeCommand::Query(args) => query::run(args, out).map(|()| Damage::NONE),
    }
}
