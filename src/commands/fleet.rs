//! `pathlight fleet`.

use decoder::Damage;

use super::{Result, merge, tables};
use crate::outputs::print::Printer;

/// Commands for the sessions of many devices.
#[derive(clap::Subcommand)]
pub enum FleetCommand {
    /// Write many sessions as Parquet files and one partial model.
    Tables(tables::Args),
    /// Add models of the same build, and fold releases.
    Merge(merge::Args),
}

/// Runs the command.
pub fn run(command: &FleetCommand, out: &mut Printer) -> Result<Damage> {
    match command {
        FleetCommand::Tables(args) => tables::run(args, out),
        FleetCommand::Merge(args) => merge::run(args, out).map(|()| Damage::NONE),
    }
}
