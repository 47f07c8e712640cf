//! `pathlight timetree`.

mod build;
mod query;
mod told;

use decoder::Damage;

use super::Result;
use crate::print::Printer;

/// What is to be done.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Decode sessions once, and write a tree of what ran when; or one of samples.
    Build(build::Args),
    /// Show what ran in an interval: methods and call paths with their weights.
    Query(query::Args),
}

/// Runs the command.
pub fn run(command: &Command, out: &mut Printer) -> Result<Damage> {
    match command {
        Command::Build(args) => build::run(args, out),
        Command::Query(args) => query::run(args, out).map(|()| Damage::NONE),
    }
}
