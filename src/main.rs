//! `pathlight`: the command line. Each command reads its arguments, calls one crate and prints; it
//! holds no logic of its own.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use decoder::Damage;

mod commands;
mod config;
mod inputs;
mod interrupt;
mod outputs;
mod print;
mod progress;
mod replace;

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
  pathlight report --map app.plmap beta.log --perfetto app.pftrace
  pathlight crash  --map app.plmap beta.log --stack crash.txt
  pathlight train  --map app.plmap beta.log -o next.json

Exit codes: 0 all is well; 1 the job failed, or what was read is damaged (what can be written is);
2 wrong usage"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Take options out of this file. Default: pathlight.toml of the current folder, if it is there
    /// and yours; only options that do no harm are taken out of that one.
    #[arg(long, global = true, value_name = "FILE", help_heading = "Configuration")]
    config: Option<PathBuf>,
    /// Read no such file.
    #[arg(long, global = true, help_heading = "Configuration", conflicts_with = "config")]
    no_config: bool,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one, and it lives as long as the program")]
enum Command {
    /// Add probes to a finished app and sign it.
    Instrument(commands::instrument::Args),
    /// Turn logs into execution paths.
    Decode(commands::decode::Args),
    /// Write paths as one HTML page, and as files for viewers of traces and flame graphs.
    Report(commands::report::Args),
    /// Join a crash's stack trace to the path that led there.
    Crash(commands::crash::Args),
    /// Compare sessions: where two part, what bad ones have in common, what is new.
    Compare(commands::compare::Args),
    /// Tell what counts of edges would miss: whether they fix those of paths, what they lose.
    Analyse(commands::analyse::Args),
    /// Tell how often paths of a method ran, and what counts of edges would tell of that.
    Explain(commands::explain::Args),
    /// Choose paths to count, of those that ran in decoded sessions.
    Select(commands::select::Args),
    /// Index sessions by time, and ask what ran in any interval without decoding them again.
    #[command(
        subcommand,
        after_help = "\
Examples:
  pathlight timetree build --map app.plmap pathlight-*.plt -o session.pltt
  pathlight timetree query session.pltt --from 12.3s --to 15s"
    )]
    Timetree(commands::timetree::Command),
    /// Show samples of a build, and tell how much of exact paths samples give back.
    #[command(
        subcommand,
        after_help = "\
Examples:
  pathlight samples show --map app.plmap dump.txt
  pathlight samples score --map app.plmap held-back.plt --every 8,16,32"
    )]
    Samples(commands::samples::Command),
    /// Train a new model on decoded paths.
    Train(commands::train::Args),
    /// Write many sessions as Parquet files and one partial model.
    #[cfg(feature = "tables")]
    Tables(commands::tables::Args),
    /// Sum models of the same build, and fold releases.
    #[cfg(feature = "tables")]
    Merge(commands::merge::Args),
    /// Install an app on a device, fetch its logs, or decode them as they come.
    #[command(
        subcommand,
        after_help = "\
Examples:
  pathlight device install beta.apk
  pathlight device pull com.example.app -o logs
  pathlight device watch --map app.plmap"
    )]
    Device(commands::device::Command),
    /// Tell what is missing (adb, key), what files are, and whether they belong together.
    Doctor(commands::doctor::Args),
    /// Write an app's control-flow graphs: lifecycles and functions, as JSON and DOT files.
    Cfg(commands::cfg::Args),
    /// Show what a map, a package, a log or a model holds.
    Inspect(commands::inspect::Args),
    #[command(hide = true)]
    Completions(commands::completions::Args),
    #[command(hide = true)]
    Man(commands::completions::ManArgs),
}

fn main() -> ExitCode {
    if let Err(problem) = interrupt::install() {
        print::note(format_args!("signals will leave unfinished files: {problem}"));
    }
    let mut program = Cli::command();
    program.build();
    let joined = match config::join(&program, std::env::args_os().collect()) {
        Ok(joined) => joined,
        Err(problem) => {
            print::note(&problem);
            return ExitCode::from(2);
        }
    };
    let command = Cli::parse_from(joined.words).command;
    if let Some((file, options)) = joined.used {
        print::note(format_args!("{}: {}", file.display(), options.join(", ")));
    }
    let mut out = Printer::new();
    // Of commands that read no log, nor anything else that is used in spite of damage.
    let whole = |()| Damage::NONE;
    let result = match command {
        Command::Instrument(args) => commands::instrument::run(&args, &mut out).map(whole),
        Command::Decode(args) => commands::decode::run(&args, &mut out),
        Command::Report(args) => commands::report::run(&args, &mut out),
        Command::Crash(args) => commands::crash::run(&args, &mut out),
        Command::Compare(args) => commands::compare::run(&args, &mut out),
        Command::Analyse(args) => commands::analyse::run(&args, &mut out),
        Command::Explain(args) => commands::explain::run(&args, &mut out),
        Command::Select(args) => commands::select::run(&args, &mut out),
        Command::Timetree(command) => commands::timetree::run(&command, &mut out),
        Command::Samples(command) => commands::samples::run(&command, &mut out),
        Command::Train(args) => commands::train::run(&args, &mut out),
        #[cfg(feature = "tables")]
        Command::Tables(args) => commands::tables::run(&args, &mut out),
        #[cfg(feature = "tables")]
        Command::Merge(args) => commands::merge::run(&args, &mut out).map(whole),
        Command::Device(command) => commands::device::run(&command, &mut out),
        Command::Doctor(args) => commands::doctor::run(&args, &mut out),
        Command::Cfg(args) => commands::cfg::run(&args, &mut out).map(whole),
        Command::Inspect(args) => commands::inspect::run(&args, &mut out),
        Command::Completions(args) => {
            commands::completions::run(&args, Cli::command(), &mut out).map(whole)
        }
        Command::Man(args) => {
            commands::completions::man(&args, Cli::command(), &mut out).map(whole)
        }
    };
    // Show what was printed before a failure.
    let flushed = out.flush();
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
            ExitCode::from(if message.is::<commands::Usage>() { 2 } else { 1 })
        }
    }
}
