//! `pathlight.toml`: options that stay the same from call to call. Each key is the long name of an
//! option; the commands' own definitions list them.
//!
//! A file that `--config` names may set every option. A file that is found in the current folder
//! may have come with a downloaded project: it must belong to the user, sets only options of
//! [`HARMLESS`], and names only files below its own folder.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, Command};
use toml::de::{DeTable, DeValue};

use crate::outputs::formats::FORMATS;

/// The file that is looked for in the current folder.
const FILE: &str = "pathlight.toml";
/// Options that choose the file to read.
const OWN: [&str; 2] = ["config", "no-config"];
/// A longer file is none.
const LONGEST: u64 = 1 << 20;
/// Options that a found file may set: they write no file, sign nothing, read no secret, send
/// nothing anywhere and leave nothing out of a build. `sources` is not among them, as pages and
/// listings that are shared would contain the text.
const HARMLESS: [&str; 74] = [
    "adapt",
    "all",
    "bad",
    "base",
    "beam",
    "callback",
    "cap",
    "class",
    "clones",
    "codec",
    "compare",
    "count-storage",
    "deadline",
    "decay",
    "delta-ns",
    "depth",
    "every",
    "fanout",
    "format",
    "from",
    "full",
    "gaps",
    "good",
    "hot-calls",
    "huge-methods",
    "index",
    "inline",
    "inline-coder",
    "interval",
    "jitter",
    "jobs",
    "json",
    "keep",
    "kind",
    "known",
    "last",
    "leaf",
    "lines",
    "log-quota",
    "map",
    "mapping",
    "maps",
    "max-decisions",
    "max-log-rate",
    "max-seconds",
    "max-size-growth",
    "max-slowdown",
    "method",
    "min-sessions",
    "model",
    "names",
    "new",
    "no-exit-reasons",
    "no-ids",
    "no-model",
    "no-pager",
    "observer",
    "path-ids",
    "path-tracking",
    "places",
    "profile",
    "rare",
    "releases",
    "ring",
    "select",
    "slow",
    "startup-ms",
    "stats",
    "thread",
    "through",
    "to",
    "top",
    "unfolded",
    "x86-safe",
];
/// Commands in which a harmless option writes a file.
const WRITES: [(&str, &str); 1] = [("instrument", "map")];

/// A reason why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// A place in it is wrong.
    #[error("{}: line {line}: {problem}", path.display())]
    At {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// The mistake.
        problem: String,
    },
    /// Nobody knows who wrote a found file.
    #[error(
        "{}: found in this folder, but it belongs to another user: if you trust it, give \
         --config {}; --no-config passes it over",
        path.display(), path.display()
    )]
    Owner {
        /// The file.
        path: PathBuf,
    },
    /// An option that a found file may not set.
    #[error(
        "{}: line {line}: `{key}` {why}, so a file that was only found in this folder may not set \
         it; if you trust the file, give --config {}",
        path.display(), path.display()
    )]
    Untrusted {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// The option.
        key: String,
        /// The effect of the option.
        why: &'static str,
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
    let Some((path, trust)) = file_of(&words) else { return Ok(Joined { words, used: None }) };
    let failed = |error| ConfigError::Read { path: path.clone(), error };
    if trust == Trust::Found && !is_own(&path).map_err(failed)? {
        return Err(ConfigError::Owner { path });
    }
    let text = disk::read_to_string(&path, LONGEST).map_err(failed)?;
    let file = File { path: &path, text: &text };
    let table = DeTable::parse(&text)
        .map_err(|e| file.at(e.span().unwrap_or_default(), e.message().to_owned()))?;
    let chosen = chosen(program, &words);
    let mut options = vec![];
    file.options(program, table.get_ref(), &chosen, &mut options)?;

    let given = |arg: &Arg| {
        let names = arg.get_long().into_iter().chain(arg.get_all_aliases().unwrap_or_default());
        let names: Vec<String> = names.map(|name| format!("--{name}")).collect();
        let short = arg.get_short().map(|s| format!("-{s}"));
        words.iter().filter_map(|w| w.to_str()).any(|w| {
            let name = w.split_once('=').map_or(w, |(name, _)| name);
            names.iter().any(|n| n == name)
                || short.as_ref().is_some_and(|s| w.starts_with(s) && !w.starts_with("--"))
        })
    };
    let mut used = vec![];
    let mut added = vec![];
    for setting in options {
        let Setting { command, arg, .. } = setting;
        let others = command.get_arg_conflicts_with(arg);
        if given(arg) || others.into_iter().any(given) {
            continue;
        }
        if trust == Trust::Found {
            file.check(&setting)?;
        }
        let values = setting.values;
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

/// The origin of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// The user, by `--config`.
    Named,
    /// Nobody: it lies in the current folder.
    Found,
}

/// Returns whether a file, and a link to it, belong to the user or to root.
#[cfg(unix)]
fn is_own(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    // New files are those of the user who runs the program.
    let user = disk::StagedFile::temporary()?.as_file().metadata()?.uid();
    let owners = [std::fs::symlink_metadata(path)?.uid(), std::fs::metadata(path)?.uid()];
    Ok(owners.into_iter().all(|owner| owner == 0 || owner == user))
}

#[cfg(not(unix))]
fn is_own(_: &Path) -> std::io::Result<bool> {
    Ok(true)
}

/// The file that is to be read, if there is one.
fn file_of(words: &[OsString]) -> Option<(PathBuf, Trust)> {
    let named = |path: PathBuf| (path, Trust::Named);
    let mut words = words.iter().skip(1).take_while(|w| *w != "--");
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--no-config") => return None,
            Some("--config") => return words.next().map(PathBuf::from).map(named),
            Some(word) => {
                if let Some(path) = word.strip_prefix("--config=") {
                    return Some(named(path.into()));
                }
            }
            None => {}
        }
    }
    Some(PathBuf::from(FILE)).filter(|path| path.is_file()).map(|path| (path, Trust::Found))
}

/// The command that the line names, and those around it, each with its place among the words.
pub fn chosen<'p>(program: &'p Command, words: &[OsString]) -> Vec<(usize, &'p Command)> {
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

/// An option of the file, for the command that runs.
struct Setting<'p> {
    command: &'p Command,
    arg: &'p Arg,
    values: Vec<OsString>,
    /// The byte range of its key.
    key: Range<usize>,
}

struct File<'f> {
    path: &'f Path,
    text: &'f str,
}

impl File<'_> {
    fn line(&self, place: &Range<usize>) -> usize {
        let before = &self.text.as_bytes()[..place.start.min(self.text.len())];
        1 + before.iter().filter(|b| **b == b'\n').count()
    }

    fn at(&self, place: Range<usize>, problem: String) -> ConfigError {
        ConfigError::At { path: self.path.to_owned(), line: self.line(&place), problem }
    }

    /// Refuses what a file that was only found may not set.
    fn check(&self, setting: &Setting<'_>) -> Result<(), ConfigError> {
        let long = setting.arg.get_long().unwrap_or_default();
        let why = if let Some(why) = harm(setting.command.get_name(), long) {
            why
        } else if is_path(setting.arg) && !setting.values.iter().all(|v| self.is_below(v.as_ref()))
        {
            "leads out of the file's folder"
        } else {
            return Ok(());
        };
        let line = self.line(&setting.key);
        Err(ConfigError::Untrusted { path: self.path.to_owned(), line, key: long.to_owned(), why })
    }

    /// Returns whether a path stays below the folder of the file, also through links.
    fn is_below(&self, path: &Path) -> bool {
        let folder = self.path.parent().filter(|p| !p.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let is_plain = |c: Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
        path.components().all(is_plain)
            && match (path.canonicalize(), folder.canonicalize()) {
                (Ok(path), Ok(folder)) => path.starts_with(folder),
                // Its reader reports it.
                (Err(_), _) => true,
                (Ok(_), Err(_)) => false,
            }
    }

    /// Options of a table, which is that of `around`; of those only the ones that the chosen
    /// command has. Its tables are those of commands inside.
    fn options<'p>(
        &self,
        around: &'p Command,
        table: &DeTable<'_>,
        chosen: &[(usize, &'p Command)],
        found: &mut Vec<Setting<'p>>,
    ) -> Result<(), ConfigError> {
        // Options outside of all tables are for all commands that have them.
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            if let DeValue::Table(inner) = value.get_ref() {
                let Some(within) = commands_of(around, name) else {
                    return Err(self.at(key.span(), format!("no command {name:?}")));
                };
                let is_chosen = chosen.len() >= within.len()
                    && within.iter().zip(chosen).all(|(c, (_, chosen))| std::ptr::eq(*c, *chosen));
                let inside = if is_chosen { &chosen[within.len()..] } else { &[] };
                let mut here = vec![];
                // The others are looked through for mistakes.
                let command = within.last().expect("a name leads to a command");
                self.options(command, inner, inside, &mut here)?;
                if is_chosen {
                    found.retain(|f| !here.iter().any(|h| h.arg.get_id() == f.arg.get_id()));
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
            if let Some((command, arg)) = option
                && !found.iter().any(|f| f.arg.get_id() == arg.get_id())
            {
                let values = self.values(arg, value)?;
                found.push(Setting { command, arg, values, key: key.span() });
            }
        }
        Ok(())
    }

    /// Returns the values of an option. A switch has none.
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
                    Err(wrong("remove this line: off is the default".into()))
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

/// Returns the command that a table is for, and the commands around it, from the outside. The table
/// may have a name that the command had before.
fn commands_of<'p>(around: &'p Command, name: &str) -> Option<Vec<&'p Command>> {
    let old = super::renamed::renamed(name).filter(|_| around.get_display_name().is_none());
    let mut within: Vec<&Command> = vec![];
    for name in old.unwrap_or(&[name]) {
        let command = within.last().copied().unwrap_or(around).find_subcommand(name)?;
        within.push(command);
    }
    within.last().filter(|c| !c.is_hide_set())?;
    Some(within)
}

/// Returns what makes an option one for `--config` alone.
fn harm(command: &str, long: &str) -> Option<&'static str> {
    if HARMLESS.contains(&long) && !WRITES.contains(&(command, long)) {
        return None;
    }
    Some(match long {
        "ks" | "ks-pass" | "ks-key-alias" | "sign-also" | "schemes" | "unsigned" => {
            "decides what is signed, and with which key"
        }
        "include" | "exclude" | "sink" | "logs" => "decides what is recorded, and who can read it",
        "sources" => "shows the text of files",
        "salt" => "reads a secret",
        "serial" | "test-only" | "downgrade" | "grant" => "decides what is done to a device",
        "force" => "replaces files that are kept otherwise",
        "out" | "output" | "map" | "save" | "firefox" | "train" => "writes files",
        _ if FORMATS.iter().any(|format| format.name_of_option() == long) => "writes files",
        _ => "is not among the options that do no harm",
    })
}

/// Returns true if an option names a file.
fn is_path(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == ValueParser::path_buf().type_id()
}

/// The option of a command with this long name, which may be one that it had before.
fn option_of<'p>(command: &'p Command, name: &str) -> Option<&'p Arg> {
    let is_named = |arg: &&Arg| {
        arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|old| old.contains(&name))
    };
    command.get_arguments().find(is_named).filter(|_| !OWN.contains(&name))
}

/// A command and all that are inside it, but for those that the help does not show.
fn commands(around: &Command) -> Vec<&Command> {
    let inside = around.get_subcommands().filter(|c| !c.is_hide_set()).flat_map(commands);
    [around].into_iter().chain(inside).collect()
}
