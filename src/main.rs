//! `pathlight`: the command line. No logic lives here: each command reads its arguments, calls one room
//! and prints.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod commands;
mod outputs;
mod print;

use print::Printer;

/// Exact execution paths from finished Android apps: instrument, decode, retrain.
#[derive(Parser)]
#[command(
    name = "pathlight",
    version,
    max_term_width = 100,
    after_help = "\
Example:
  pathlight instrument app.apk -o beta.apk --map app.plmap
  adb install beta.apk; …; adb logcat -d > beta.log
  pathlight decode --map app.plmap beta.log
  pathlight train  --map app.plmap beta.log -o next.json"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one, and it lives as long as the program")]
enum Command {
    /// Add probes to a finished app and sign it.
    Instrument(commands::instrument::Args),
    /// Turn logs into execution paths.
    Decode(commands::decode::Args),
    /// Count decoded paths into a new model.
    Train(commands::train::Args),
    /// Write an app's control-flow graphs: lifecycles and functions, as JSON and DOT files.
    Cfg(commands::cfg::Args),
    /// Tell what is in a map, a package, a log or a model.
    Inspect(commands::inspect::Args),
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let mut out = Printer::new();
    let result = match command {
        Command::Instrument(args) => commands::instrument::run(&args, &mut out),
        Command::Decode(args) => commands::decode::run(&args, &mut out),
        Command::Train(args) => commands::train::run(&args, &mut out),
        Command::Cfg(args) => commands::cfg::run(&args, &mut out),
        Command::Inspect(args) => commands::inspect::run(&args, &mut out),
    };
    // What was printed before a failure is shown, too.
    let flushed = out.flush();
    match result.and_then(|()| Ok(flushed?)) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(e) if e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe) => {
            ExitCode::SUCCESS
        }
        Err(message) => {
            print::note(&message);
            ExitCode::from(if message.is::<commands::Usage>() { 2 } else { 1 })
        }
    }
}
