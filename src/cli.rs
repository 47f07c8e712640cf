//! The commands of `pathlight`, their groups in `--help`, and the names that they had before.

use std::path::PathBuf;

use clap::builder::Styles;
use clap::{CommandFactory, Parser, Subcommand};

use crate::args::help;
use crate::commands;

/// Exact execution paths from finished Android apps: instrument, decode, retrain.
#[derive(Parser)]
#[command(
    name = "pathlight",
    version,
    max_term_width = 100,
    after_long_help = "\
Example, from an app to a page of what ran:
  pathlight device record app.apk
The same step by step:
  pathlight instrument app.apk
  pathlight device install app-pathlight.apk
  pathlight device pull com.example.app -o logs
  pathlight report logs

Exit codes: 0 success; 1 the job failed, or damage was found in the input (all undamaged content is
written); 2 wrong usage"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Read options from this file. Default: pathlight.toml in the current folder, if the file is
    /// yours; of that file only options without side effects are used.
    #[arg(long, global = true, value_name = "FILE", help_heading = "Configuration")]
    #[arg(hide_short_help = true)]
    config: Option<PathBuf>,
    /// Read no configuration file.
    #[arg(long, global = true, help_heading = "Configuration", conflicts_with = "config")]
    #[arg(hide_short_help = true)]
    no_config: bool,
    /// Print long text without a pager. Else text for a terminal goes to $PAGER (default: less).
    #[arg(long, global = true, help_heading = "Options", hide_short_help = true)]
    pub no_pager: bool,
}

/// All commands, in the order of [`GROUPS`].
#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one, and it lives as long as the program")]
pub enum Command {
    /// Add probes to a finished app and sign it.
    Instrument(commands::instrument::Args),
    /// Record a session on a device; install apps, fetch logs, decode live.
    #[command(
        subcommand,
        after_long_help = "\
Examples:
  pathlight device record app.apk
  pathlight device install beta.apk
  pathlight device pull com.example.app -o logs
  pathlight device watch --map app.plmap"
    )]
    Device(commands::device::DeviceCommand),
    /// Turn logs into execution paths.
    Decode(commands::decode::Args),
    /// Write paths as an HTML page, as coverage, or for viewers of traces.
    Report(commands::report::Args),
    /// Join a crash's stack trace to the path that led to it.
    Crash(commands::crash::Args),
    /// Explain an exception or a line by the values and branches that led to it.
    Why(commands::why::Args),
    /// Answer an agent's questions about logs, by the Model Context Protocol.
    #[cfg(feature = "mcp")]
    Mcp(commands::mcp::Args),
    /// Compare sessions: where two differ, what bad ones share, what is new.
    Compare(commands::compare::Args),
    /// Train a model for the next release on decoded paths.
    Train(commands::train::Args),
    /// Index sessions by time, and query any interval without decoding again.
    #[command(
        subcommand,
        after_long_help = "\
Examples:
  pathlight timetree build --map app.plmap pathlight-*.plt -o session.pltt
  pathlight timetree query session.pltt --from 12.3s --to 15s"
    )]
    Timetree(commands::timetree::TimetreeCommand),
    /// Show samples of a build, or score paths that were rebuilt from samples.
    #[command(
        subcommand,
        after_long_help = "\
Examples:
  pathlight samples show --map app.plmap dump.txt
  pathlight samples score --map app.plmap held-back.plt --every 8,16,32"
    )]
    Samples(commands::samples::SamplesCommand),
    /// Select paths to count; advise on profiles; analyse and explain how often paths ran.
    #[command(
        subcommand,
        after_long_help = "\
Examples:
  pathlight paths select --map app.plmap *.plt -o paths.json
  pathlight paths analyse --map app.plmap *.plt
  pathlight paths advise --map app.plmap --select paths.json
  pathlight paths explain --map app.plmap *.plt --path 'Lorg/example/tether/Network;->up()Z'"
    )]
    Paths(commands::paths::PathsCommand),
    /// Show the contents of a map, package, log or model; write control-flow graphs.
    Inspect(commands::inspect::Args),
    /// Check adb and the signing key, and whether files belong together.
    Doctor(commands::doctor::Args),
    /// Write many sessions as Parquet tables, and merge their models.
    #[cfg(feature = "tables")]
    #[command(
        subcommand,
        after_long_help = "\
Examples:
  pathlight fleet tables --maps maps --out fleet --day 20261122 --shard 0001 raw/day=d20261122
  pathlight fleet merge fleet/partial/build=b*/day=d20261122/*.zst -o day.json"
    )]
    Fleet(commands::fleet::FleetCommand),
    /// Print a script that completes commands in a shell.
    #[command(hide = true)]
    Completions(commands::completions::Args),
    #[command(hide = true)]
    Man(commands::completions::ManArgs),
}

/// Headings of `pathlight --help`, and the commands under each.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Start here", &["instrument", "device", "decode", "report", "crash", "compare", "train"]),
    ("Look closer", &["why", "mcp", "timetree", "samples", "paths", "inspect", "doctor"]),
    ("Many sessions", &["fleet"]),
];

/// Returns the definition of the command line.
pub fn definition() -> clap::Command {
    let program = help::lay_out(Cli::command(), "");
    let template = template(&program);
    program.help_template(template)
}

/// Lays out the program's help: the commands under the headings of [`GROUPS`].
fn template(program: &clap::Command) -> String {
    let styles = Styles::default();
    let header = styles.get_header();
    let listed = |name: &&str| program.find_subcommand(name);
    let commands = GROUPS.iter().flat_map(|(_, names)| names.iter()).filter_map(listed);
    let width = commands.map(|command| command.get_name().len()).max().unwrap_or_default();
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        let commands: Vec<_> = names.iter().filter_map(listed).collect();
        if commands.is_empty() {
            continue;
        }
        groups += &format!("{header}{heading}:{header:#}\n");
        for command in commands {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            groups += &format!("  {:width$}  {about}\n", command.get_name());
        }
        groups += "\n";
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\
         {header}Options:{header:#}\n{{options}}{{after-help}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::renamed::RENAMED;

    #[test]
    fn help_lists_every_visible_command_once() {
        let program = Cli::command();
        let visible = program.get_subcommands().filter(|command| !command.is_hide_set());
        let mut visible: Vec<&str> = visible.map(clap::Command::get_name).collect();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        if cfg!(not(feature = "tables")) {
            listed.retain(|name| *name != "fleet");
        }
        if cfg!(not(feature = "mcp")) {
            listed.retain(|name| *name != "mcp");
        }
        visible.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, visible);
        assert!(listed.len() <= 15, "{listed:?}");
    }

    #[test]
    fn old_names_lead_to_commands_that_exist() {
        let program = Cli::command();
        for (old, new) in RENAMED {
            assert!(program.find_subcommand(old).is_none(), "{old} is a command");
            if new[0].starts_with('-') || cfg!(not(feature = "tables")) && new[0] == "fleet" {
                continue;
            }
            let found = new.iter().try_fold(&program, |around, name| around.find_subcommand(name));
            assert!(found.is_some(), "{old} → {new:?}");
        }
    }
}
