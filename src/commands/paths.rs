//! `pathlight paths`.

use decoder::Damage;

use super::{Result, analyse, explain, select};
use crate::outputs::print::Printer;

/// Commands about single paths and how often they ran.
#[derive(clap::Subcommand)]
pub enum PathsCommand {
    /// Choose paths to count in the next build.
    Select(select::Args),
    /// Measure what edge counts miss about paths.
    #[command(alias = "analyze")]
    Analyse(analyse::Args),
    /// Show how often the paths of one method ran.
    Explain(explain::Args),
}

/// Runs the command.
pub fn run(command: &PathsCommand, out: &mut Printer) -> Result<Damage> {
    match command {
        PathsCommand::Select(args) => select::run(args, out),
        PathsCommand::Analyse(args) => analyse::run(args, out),
        PathsCommand::Explain(args) => explain::run(args, out),
    }
}
