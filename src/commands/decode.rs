//! `pathlight decode`.

use super::Result;

/// Turn logs into execution paths.
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args) -> Result {
    Ok(())
}
