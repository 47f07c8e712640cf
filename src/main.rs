//! `pathlight`: the command line. Each command reads its arguments, calls one crate and prints; it
//! holds no logic of its own.

use std::process::ExitCode;

use clap::FromArgMatches;
use decoder::Damage;

mod args;
mod cli;
mod commands;
mod error;
mod inputs;
mod interrupt;
mod outputs;
#[cfg(all(test, feature = "tables"))]
mod reference;

use args::{config, renamed, tips};
use cli::{Cli, Command};
use outputs::print::{self, Printer};

fn main() -> ExitCode {
    if let Err(problem) = interrupt::install() {
        print::note(format_args!("signals will leave unfinished files: {problem}"));
    }
    let mut program = cli::definition();
    program.build();
    let words = renamed::with_new_names(std::env::args_os().collect());
    let joined = match config::join(&program, words) {
        Ok(joined) => joined,
        Err(problem) => {
            print::note(&problem);
            return ExitCode::from(2);
        }
    };
    let parsed = program.try_get_matches_from_mut(&joined.words);
    let Cli { command, no_pager, .. } = match parsed.and_then(|m| Cli::from_arg_matches(&m)) {
        Ok(parsed) => parsed,
        Err(problem) => tips::add(problem, &program, &joined.words).exit(),
    };
    if let Some((file, options)) = joined.used {
        print::note(format_args!("{}: {}", file.display(), options.join(", ")));
    }
    let mut out = Printer::new(!no_pager);
    // Of commands that read no log, nor anything else that is used in spite of damage.
    let whole = |()| Damage::NONE;
    let result = match command {
        Command::Instrument(args) => commands::instrument::run(&args, &mut out).map(whole),
        Command::Decode(args) => commands::decode::run(&args, &mut out),
        Command::Report(args) => commands::report::run(&args, &mut out),
        Command::Crash(args) => commands::crash::run(&args, &mut out),
        Command::Why(args) => commands::why::run(&args, &mut out),
        Command::Compare(args) => commands::compare::run(&args, &mut out),
        Command::Timetree(command) => commands::timetree::run(&command, &mut out),
        Command::Samples(command) => commands::samples::run(&command, &mut out),
        Command::Train(args) => commands::train::run(&args, &mut out),
        #[cfg(feature = "tables")]
        Command::Fleet(command) => commands::fleet::run(&command, &mut out),
        Command::Device(command) => commands::device::run(&command, &mut out),
        Command::Doctor(args) => commands::doctor::run(&args, &mut out),
        Command::Paths(command) => commands::paths::run(&command, &mut out),
        Command::Inspect(args) => commands::inspect::run(&args, &mut out),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => commands::mcp::run(&args).map(whole),
        Command::Completions(args) => {
            commands::completions::run(&args, cli::definition(), &mut out).map(whole)
        }
        Command::Man(args) => {
            commands::completions::man(&args, cli::definition(), &mut out).map(whole)
        }
    };
    // Show what was printed before a failure.
    let flushed = out.close();
    match result.and_then(|damage| Ok(flushed.map(|()| damage)?)) {
        Ok(damage) if damage.is_none() => ExitCode::SUCCESS,
        Ok(damage) => {
            print::note(format_args!("damage in what was read, which the output lacks: {damage}"));
            ExitCode::from(1)
        }
        // The reader of the output has seen enough.
        Err(e)
            if e.downcast_ref::<std::io::Error>()
                .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(message) => {
            print::note(&message);
            ExitCode::from(if message.is::<error::Usage>() { 2 } else { 1 })
        }
    }
}
