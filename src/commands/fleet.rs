//! `pathlight fleet`.

use decoder::Damage;

use super::{Result, merge, tables};
use crate::print::Printer;

/// Commands for the sessions of many devices.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Write many sessions as Parquet files and one partial model.
    Tables(tables::Args),
    /// Add models of the same build, and fold releases.
    Merge(merge::Args),
}

/// Runs the command.
pub fn run(command: &Command, out: &mut Printer) -> Result<Damage> {
    match command {
        Command::Tables(args) => tables::run(args, out),
        Command::Merge(args) => merge::run(args, out).map(|()| Damage::NONE),
    }
}
