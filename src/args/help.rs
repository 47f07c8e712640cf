//! The layout of help: one set of headings for all commands, and `-h` that fits on a screen.
//!
//! `-h` shows the first sentence of each option and leaves out the [expert options](is_expert);
//! `--help` shows everything, and examples. A new option needs a line in [`heading`] only if it is
//! none of those that other commands have, and one in [`is_expert`] if `-h` gets too long.

use clap::{Arg, ArgAction, Command, ValueHint};

/// Lays out the help of a command and of those inside it. `path` is the command as it is typed,
/// without the program's name.
pub fn lay_out(command: Command, path: &str) -> Command {
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help_heading("Options")
        .help("Print help: -h in short, --help with all options and examples");
    // Examples and notes are for --help.
    let command = match command.get_after_help().cloned() {
        Some(notes) if command.get_after_long_help().is_none() => {
            command.after_long_help(notes).after_help(None::<&str>)
        }
        _ => command,
    };
    command.disable_help_flag(true).mut_args(|arg| place(arg, path)).arg(help).mut_subcommands(
        |inside| {
            let path = format!("{path} {}", inside.get_name());
            lay_out(inside, path.trim_start())
        },
    )
}

/// Puts an argument under its heading, and gives it a short help.
fn place(arg: Arg, path: &str) -> Arg {
    let name = match arg.get_long() {
        Some(long) => long.to_owned(),
        None => arg.get_id().to_string(),
    };
    let heading = if arg.is_positional() { "Input" } else { heading(path, &name) };
    let hidden = is_expert(path, &name) || arg.is_hide_short_help_set();
    let arg = arg.help_heading(heading).hide_short_help(hidden);
    let arg = match arg.get_value_hint() {
        ValueHint::AnyPath => {
            let is_folder = |name: &clap::builder::Str| name.as_str() == "DIR";
            let names = arg.get_value_names().unwrap_or_default();
            let hint = if names.iter().all(is_folder) && !names.is_empty() {
                ValueHint::DirPath
            } else {
                ValueHint::FilePath
            };
            arg.value_hint(hint)
        }
        _ => arg,
    };
    // Files come first: they are what a command is about.
    let arg = if arg.is_positional() { arg.display_order(0) } else { arg };
    let whole = arg.get_help().map(ToString::to_string).unwrap_or_default();
    match first_sentence(&whole) {
        Some(first) if arg.get_long_help().is_none() => {
            let first = first.to_owned();
            arg.help(first).long_help(whole)
        }
        _ => arg,
    }
}

/// Returns the first sentence of a text that has several, without its full stop.
fn first_sentence(text: &str) -> Option<&str> {
    // `-2s.. before` is one sentence.
    let at = text.match_indices(". ").map(|(at, _)| at).find(|&at| !text[..at].ends_with('.'))?;
    Some(&text[..at])
}

/// Returns the heading of an option.
fn heading(command: &str, option: &str) -> &'static str {
    match (command, option) {
        (_, "version" | "help" | "no-pager") => "Options",
        (_, "config" | "no-config") => "Configuration",
        ("instrument", "include" | "exclude" | "select" | "logs") => "What to record",
        ("instrument", "map") => "Output",
        ("instrument", "cap" | "keep" | "log-quota") => "Limits",
        ("device pull", "cap") => "Limits",
        ("timetree build", "keep") => "Tuning",
        ("timetree build" | "samples show", "interval") => "Input",
        ("samples score", "train" | "model" | "no-model") => "Input",
        ("samples show", "train") => "Output",
        ("samples show", "target" | "first" | "marker" | "split" | "group") => "Passes",
        ("samples show", "method" | "level" | "pairs" | "against") => "Merged passes",
        ("samples show", "fill" | "every" | "jitter" | "block-time") => "Gaps between samples",
        ("samples score", "places") => "What to show",
        (_, "codec" | "profile" | "sink" | "adapt" | "ring" | "x86-safe" | "drop-unmapped") => {
            "What to record"
        }
        (_, "no-exit-reasons" | "no-ids") => "What to record",
        (_, "path-tracking" | "detect" | "count-storage" | "hits") => "What to record",
        (_, "ks" | "ks-pass" | "ks-key-alias" | "unsigned" | "sign-also" | "schemes") => "Signing",
        (_, "serial" | "test-only" | "downgrade" | "grant" | "for" | "logs") => "Device",
        (_, "map" | "maps" | "index" | "stack" | "mapping" | "sources" | "model" | "base") => {
            "Input"
        }
        (_, "good" | "bad" | "new" | "known" | "apk" | "contexts" | "samples" | "releases") => {
            "Input"
        }
        (_, option) if option.starts_with("max-") => "Limits",
        ("crash", "steps") => "What to show",
        ("crash", "maestro" | "adb") => "Output",
        (_, "jobs" | "inline" | "clones" | "steps" | "inline-coder" | "huge-methods") => "Tuning",
        (_, "leaf" | "fanout" | "beam" | "decay") => "Tuning",
        (_, "thread" | "class" | "method" | "callback" | "from" | "to" | "interval" | "last") => {
            "What to show"
        }
        ("why", "at" | "exception" | "most") => "What to show",
        (_, "depth" | "top" | "compare" | "include" | "exclude" | "all" | "observer") => {
            "What to show"
        }
        (_, "deadline" | "delta-ns" | "kind" | "rare" | "through" | "lines" | "path") => {
            "What to show"
        }
        (_, "own") => "What to show",
        ("report", "page-size") | ("mcp", "answer-size" | "answer-time") => "Limits",
        (_, "every" | "jitter" | "gaps" | "min-sessions" | "startup-ms" | "hot-calls") => {
            "What to show"
        }
        _ => "Output",
    }
}

/// Returns whether `-h` leaves out an option.
fn is_expert(command: &str, option: &str) -> bool {
    match (command, option) {
        (_, "jobs" | "force") => true,
        ("instrument", "model" | "mapping" | "profile" | "include" | "exclude" | "logs") => false,
        ("instrument", "output" | "map" | "inputs" | "ks" | "ks-pass") => false,
        ("instrument", "max-size-growth" | "max-log-rate") => false,
        ("instrument", _) => true,
        ("decode" | "device watch", "full" | "unfolded" | "names" | "color" | "path-ids") => true,
        (_, "format") => true,
        ("decode", "index") => true,
        ("report", "min-sessions" | "startup-ms" | "hot-calls" | "page-size") => true,
        ("report", "stack" | "mapping") => true,
        ("paths select", "lines" | "kind" | "rare" | "from" | "to") => true,
        ("paths analyse", "deadline" | "delta-ns") => true,
        ("timetree build", "leaf" | "fanout" | "keep") => true,
        ("timetree query", "stats") => true,
        ("samples show", "apk" | "firefox" | "model" | "level" | "pairs" | "group") => true,
        ("samples show", "target" | "first" | "marker" | "split" | "block-time") => true,
        ("samples show", "jitter" | "against" | "every") => true,
        ("samples score", "gaps" | "max-blocks" | "beam" | "samples" | "no-model") => true,
        ("samples score", "jitter") => true,
        ("fleet tables", "max-decisions" | "max-seconds" | "callbacks") => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_help_is_the_first_sentence() {
        assert_eq!(
            first_sentence("Limit it (1.35: 35 %). Then more. End"),
            Some("Limit it (1.35: 35 %)")
        );
        assert_eq!(first_sentence("One -2s.. sentence"), None);
    }
}
