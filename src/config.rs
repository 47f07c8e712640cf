//! `pathlight.toml`: options that stay the same from call to call. Each key is the long name of an
//! option; the commands' own definitions say which there are.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, Command};
use toml::de::{DeTable, DeValue};

/// The file that is looked for in the current folder.
const FILE: &str = "pathlight.toml";
/// Options that say which file is read.
const OWN: [&str; 2] = ["config", "no-config"];
/// A longer file is none.
const LONGEST: u64 = 1 << 20;

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A place in it is wrong.
    #[error("{}: line {line}: {problem}", path.display())]
    At {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// A command line with the file's options in it.
pub struct Joined {
    /// All words, the program's name first.
    pub words: Vec<OsString>,
    /// The file, and the options that were taken out of it.
    pub used: Option<(PathBuf, Vec<String>)>,
}

/// Adds the file's options to a command line. Those on the line have priority: they, and what does
/// not go together with them, are not taken out of the file.
///
/// # Errors
/// A file that cannot be read, or names what no command has.
pub fn join(program: &Command, words: Vec<OsString>) -> Result<Joined, ConfigError> {
    let Some(path) = file_of(&words) else { return Ok(Joined { words, used: None }) };
    let read = std::fs::metadata(&path).and_then(|m| match m.len() {
        ..=LONGEST => std::fs::read_to_string(&path),
        _ => Err(std::io::ErrorKind::FileTooLarge.into()),
    });
    let text = read.map_err(|error| ConfigError::Read { path: path.clone(), error })?;
    let file = File { path: &path, text: &text };
    let table = DeTable::parse(&text)
        .map_err(|e| file.at(e.span().unwrap_or_default(), e.message().to_owned()))?;
    let chosen = chosen(program, &words);
    let mut options = vec![];
    file.options(program, table.get_ref(), &chosen, &mut options)?;

    let given = |arg: &Arg| {
        let long = arg.get_long().map(|l| format!("--{l}")).unwrap_or_default();
        let short = arg.get_short().map(|s| format!("-{s}"));
        words.iter().filter_map(|w| w.to_str()).any(|w| {
            w == long
                || w.strip_prefix(&long).is_some_and(|rest| rest.starts_with('='))
                || short.as_ref().is_some_and(|s| w.starts_with(s) && !w.starts_with("--"))
        })
    };
    let mut used = vec![];
    let mut added = vec![];
    for (command, arg, values) in options {
        let others = command.get_arg_conflicts_with(arg);
        if given(arg) || others.into_iter().any(given) {
            continue;
        }
        let long = arg.get_long().unwrap_or_default();
        used.push(format!("--{long}"));
        let switch = !arg.get_action().takes_values();
        let several = arg.get_num_args().is_some_and(|n| n.min_values() > 1);
        if switch || several {
            added.push(format!("--{long}").into());
            added.extend(values.into_iter().filter(|_| several));
        } else {
            added.extend(values.into_iter().map(|value| {
                let mut word = OsString::from(format!("--{long}="));
                word.push(value);
                word
            }));
        }
    }
    let mut joined = words;
    if let Some(last) = chosen.last() {
        joined.splice(last.0 + 1..last.0 + 1, added);
    }
    Ok(Joined { words: joined, used: (!used.is_empty()).then_some((path, used)) })
}

/// The file that is to be read, if there is one.
fn file_of(words: &[OsString]) -> Option<PathBuf> {
    let mut words = words.iter().skip(1).take_while(|w| *w != "--");
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--no-config") => return None,
            Some("--config") => return words.next().map(PathBuf::from),
            Some(word) => {
                if let Some(path) = word.strip_prefix("--config=") {
                    return Some(path.into());
                }
            }
            None => {}
        }
    }
    Some(PathBuf::from(FILE)).filter(|path| path.is_file())
}

/// The command that the line names, and those around it, each with its place among the words.
fn chosen<'p>(program: &'p Command, words: &[OsString]) -> Vec<(usize, &'p Command)> {
    let mut found: Vec<(usize, &Command)> = vec![];
    let mut skip = false;
    for (at, word) in words.iter().enumerate().skip(1) {
        let Some(word) = word.to_str() else { break };
        if std::mem::take(&mut skip) || word.starts_with('-') {
            skip = word == "--config";
            continue;
        }
        let around = found.last().map_or(program, |f| f.1);
        match around.find_subcommand(word) {
            Some(command) => found.push((at, command)),
            None => break,
        }
    }
    found
}

type Found<'p> = Vec<(&'p Command, &'p Arg, Vec<OsString>)>;

struct File<'f> {
    path: &'f Path,
    text: &'f str,
}

impl File<'_> {
    fn at(&self, place: Range<usize>, problem: String) -> ConfigError {
        let before = &self.text.as_bytes()[..place.start.min(self.text.len())];
        let line = 1 + before.iter().filter(|b| **b == b'\n').count();
        ConfigError::At { path: self.path.to_owned(), line, problem }
    }

    /// Options of a table, which is that of `around`; of those only the ones that the chosen
    /// command has. Its tables are those of commands inside.
    fn options<'p>(
        &self,
        around: &'p Command,
        table: &DeTable<'_>,
        chosen: &[(usize, &'p Command)],
        found: &mut Found<'p>,
    ) -> Result<(), ConfigError> {
        // Options outside of all tables are for all commands that have them.
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            if let DeValue::Table(inner) = value.get_ref() {
                let Some(command) = around.find_subcommand(name).filter(|c| !c.is_hide_set())
                else {
                    return Err(self.at(key.span(), format!("no command {name:?}")));
                };
                let next = chosen.first().filter(|c| c.1.get_name() == name);
                let inside = next.map_or(&[][..], |_| &chosen[1..]);
                let mut here = vec![];
                // The others are looked through for mistakes.
                self.options(command, inner, inside, &mut here)?;
                if next.is_some() {
                    found.retain(|(_, arg, _)| !here.iter().any(|h| h.1.get_id() == arg.get_id()));
                    found.extend(here);
                }
                continue;
            }
            let mut those = BTreeSet::new();
            let mut option = None;
            for command in commands(around) {
                if let Some(arg) = option_of(command, name) {
                    those.insert(command.get_name());
                    let last = chosen.last().map_or(around, |c| c.1);
                    if std::ptr::eq(last, command) {
                        option = Some((command, arg));
                    }
                    self.values(arg, value)?;
                }
            }
            if those.is_empty() {
                let whose = match around.get_display_name() {
                    Some(command) if around.has_subcommands() => format!("no command of {command}"),
                    Some(command) => format!("`{}`", command.replace('-', " ")),
                    None => "no command".into(),
                };
                let problem = match whose.starts_with('`') {
                    true => format!("{whose} has no option --{name}"),
                    false => format!("{whose} has an option --{name}"),
                };
                return Err(self.at(key.span(), problem));
            }
            let known =
                |f: &(&Command, &Arg, _)| option.is_some_and(|o| f.1.get_id() == o.1.get_id());
            if let Some((command, arg)) = option
                && !found.iter().any(known)
            {
                found.push((command, arg, self.values(arg, value)?));
            }
        }
        Ok(())
    }

    /// What an option is given; a switch that is off is given nothing, and left out by the caller.
    fn values(
        &self,
        arg: &Arg,
        value: &toml::Spanned<DeValue<'_>>,
    ) -> Result<Vec<OsString>, ConfigError> {
        let long = arg.get_long().unwrap_or_default();
        let wrong = |problem: String| self.at(value.span(), format!("{long}: {problem}"));
        if !arg.get_action().takes_values() {
            return match value.get_ref() {
                DeValue::Boolean(true) => Ok(vec![]),
                DeValue::Boolean(false) => {
                    Err(wrong("false is what it is without this line".into()))
                }
                _ => Err(wrong("true, as it takes no value".into())),
            };
        }
        let list = match value.get_ref() {
            DeValue::Array(list) => list.iter().map(toml::Spanned::get_ref).collect(),
            one => vec![one],
        };
        let several = matches!(arg.get_action(), ArgAction::Append)
            || arg.get_num_args().is_some_and(|n| n.max_values() > 1);
        if list.len() != 1 && !several {
            return Err(wrong("one value is wanted".into()));
        }
        list.into_iter()
            .map(|value| match value {
                DeValue::String(text) if is_path(arg) => Ok(self.beside(text).into_os_string()),
                DeValue::String(text) => Ok(text.as_ref().into()),
                DeValue::Integer(number) => Ok(number.to_string().into()),
                DeValue::Float(number) => Ok(number.to_string().into()),
                _ => Err(wrong("a text or a number is wanted".into())),
            })
            .collect()
    }

    /// A path of the file counts from the folder that the file is in.
    fn beside(&self, path: &str) -> PathBuf {
        self.path.parent().map_or_else(|| path.into(), |folder| folder.join(path))
    }
}

/// Whether an option names a file.
fn is_path(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == ValueParser::path_buf().type_id()
}

/// The option of a command with this long name.
fn option_of<'p>(command: &'p Command, name: &str) -> Option<&'p Arg> {
    command.get_arguments().find(|a| a.get_long() == Some(name) && !OWN.contains(&name))
}

/// A command and all that are inside it, but for those that the help does not show.
fn commands(around: &Command) -> Vec<&Command> {
    let inside = around.get_subcommands().filter(|c| !c.is_hide_set()).flat_map(commands);
    [around].into_iter().chain(inside).collect()
}
