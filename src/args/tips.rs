//! Tips after errors of the command line: which command or option was meant.

use std::ffi::OsString;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use super::{config, near};

/// Commands of other tools, and what does their job here.
const ELSEWHERE: [(&str, &str); 9] = [
    ("view", "`pathlight report` writes a page, `pathlight decode` prints paths"),
    ("open", "`pathlight report` writes a page, `pathlight decode` prints paths"),
    ("show", "`pathlight decode` prints paths, `pathlight inspect FILE` what a file contains"),
    ("diff", "`pathlight compare --good LOGS --bad LOGS` shows where sessions differ"),
    (
        "info",
        "`pathlight inspect FILE` shows what a file contains, `pathlight doctor` what is set up",
    ),
    ("coverage", "`pathlight report --lcov FILE` writes coverage, as do --jacoco and --cobertura"),
    ("trace", "`pathlight instrument app.apk` makes a build that records traces"),
    ("logs", "`pathlight device pull PACKAGE -o logs` fetches logs"),
    ("sign", "`pathlight instrument --ks FILE` signs the build that it writes"),
];

/// Adds tips to an error of the parser.
pub fn add(mut error: Error, program: &Command, words: &[OsString]) -> Error {
    let chosen = config::chosen(program, words);
    let command = chosen.last().map_or(program, |(_, command)| command);
    let name = chosen.iter().map(|(_, command)| command.get_name()).collect::<Vec<_>>().join(" ");
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let wrong = text(ContextKind::InvalidSubcommand);
            error.remove(ContextKind::SuggestedSubcommand);
            let tip = subcommand_tip(program, command, &wrong);
            // The parser advises to pass the word as a value, of which there is none.
            error.remove(ContextKind::Suggested);
            add_tip(&mut error, tip);
        }
        ErrorKind::UnknownArgument => {
            let wrong = text(ContextKind::InvalidArg);
            let wrong = wrong.split('=').next().unwrap_or_default();
            if wrong == "-v" {
                let tip = "`pathlight -V` prints the version; there are no levels of messages";
                add_tip(&mut error, tip.into());
            } else if let Some(long) = wrong.strip_prefix("--")
                && let [nearest, ..] = near::names(long, longs(command))[..]
            {
                error.remove(ContextKind::SuggestedArg);
                error.remove(ContextKind::Suggested);
                add_tip(&mut error, format!("a similar argument exists: '--{nearest}'"));
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::Strings(missing)) => missing.join("\n"),
                _ => String::new(),
            };
            if let Some(tip) = missing_tip(&name, &missing) {
                add_tip(&mut error, tip.into());
            }
        }
        _ => {}
    }
    error
}

/// Returns the command that was probably meant.
fn subcommand_tip(program: &Command, around: &Command, wrong: &str) -> String {
    let names = around.get_subcommands().filter(|c| !c.is_hide_set()).map(Command::get_name);
    let elsewhere = ELSEWHERE.iter().find(|(name, _)| *name == wrong).map(|(_, tip)| *tip);
    let inside = program
        .get_subcommands()
        .filter(|c| c.get_subcommands().any(|c| c.get_name() == wrong && wrong != "help"))
        .map(|c| format!("`pathlight {} {wrong}` does this", c.get_name()))
        .next();
    match (elsewhere, inside, near::names(wrong, names).first()) {
        (Some(tip), _, _) => tip.to_owned(),
        (_, Some(tip), _) => tip,
        (_, _, Some(nearest)) => format!("a similar subcommand exists: '{nearest}'"),
        _ => "`pathlight --help` lists all commands".to_owned(),
    }
}

/// Returns how a missing argument is found.
fn missing_tip(command: &str, missing: &str) -> Option<&'static str> {
    let lacks = |name: &str| missing.contains(name);
    match command {
        "paths explain" if lacks("--path") => {
            Some("`pathlight paths analyse LOGS` lists methods; pass one as --path Cls.name")
        }
        "compare" if lacks("--bad") => Some(
            "pass the logs to compare with: --bad LOGS beside --good LOGS, or --new LOGS beside \
             --known LOGS",
        ),
        _ if lacks("<LOGS>") => Some(
            "`pathlight device pull PACKAGE -o logs` fetches the logs of an app; - reads standard \
             input",
        ),
        "instrument" if lacks("<APP>") => Some("pass the app: `pathlight instrument app.apk`"),
        "train" if lacks("--output") => Some("pass the file of the new model: -o model.json"),
        _ => None,
    }
}

/// Returns the long options of a command.
fn longs(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(|arg| arg.get_long())
}

/// Adds a tip after those of the parser.
fn add_tip(error: &mut Error, tip: String) {
    let mut tips = match error.remove(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(tips)) => tips,
        _ => Vec::new(),
    };
    tips.push(StyledStr::from(tip));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
}
