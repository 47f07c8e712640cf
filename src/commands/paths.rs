//! `pathlight paths`.

use decoder::Damage;

use super::{Result, advise, analyse, explain, select};
use crate::outputs::print::Printer;

/// Commands about single paths and how often they ran.
#[derive(clap::Subcommand)]
pub enum PathsCommand {
    /// Choose paths to count in the next build.
    Select(select::Args),
    /// Advise on the profile for chosen paths, by publications and measurements.
    Advise(advise::Args),
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
        PathsCommand::Advise(args) => advise::run(args, out).map(|()| Damage::NONE),
        PathsCommand::Analyse(args) => analyse::run(args, out),
        PathsCommand::Explain(args) => explain::run(args, out),
    }
}
