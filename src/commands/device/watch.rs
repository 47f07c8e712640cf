//! `pathlight device watch`.

use std::fs::File;
use std::io::{BufRead, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use decoder::Damage;
use decoder::follow::Follower;
use decoder::log::LiveLine;
use decoder::replay::Program;
use device::Logcat;
use reports::{Live, LiveError, LiveForm};

use super::Which;
use crate::args::filters::Shown;
use crate::args::jobs::Jobs;
use crate::args::text::{Format, Text};
use crate::args::unmatched;
use crate::commands::Result;
use crate::error::PathContext;
use crate::inputs::{read_map, read_sources};
use crate::interrupt;
use crate::outputs::print::{Printer, note};

/// Time between two outputs of new callbacks.
const TURN: Duration = Duration::from_millis(300);
/// Without a slab for so long, something may be wrong.
const SILENCE: Duration = Duration::from_secs(10);
/// Lines that wait.
const WAITING: usize = 1024;
/// Longer lines are no build's.
const LONGEST_LINE: u64 = 1 << 17;

/// Decode logcat as it comes: for builds with --sink logcat.
#[derive(clap::Args)]
#[command(after_long_help = "\
First comes what the device still has in its log, then what the app does. Each callback is printed
once it has ended. Ctrl-C ends the command: what has not ended is printed then.

Examples:
  pathlight device watch --map app.plmap
  pathlight device watch --map app.plmap --thread main --class 'Main*' --sources app/src/main/java
  pathlight device watch --map app.plmap --format json --save session.log")]
pub struct Args {
    /// Map of the build, written by `instrument`.
    #[arg(long)]
    map: PathBuf,
    #[command(flatten)]
    which: Which,
    /// Write the build's lines to this new file, too: `decode`, `report` and `train` read it.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Print text for people, or json (one object per line) for programs.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[arg(default_value_if("json", "true", "json"), conflicts_with = "json")]
    format: Format,
    /// Print JSON. Short for --format json.
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,
    #[command(flatten)]
    text: Text,
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    jobs: Jobs,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let map = read_map(&args.map)?;
    let sources = read_sources(&args.text.sources)?;
    let mut save = match &args.save {
        Some(path) => {
            let file = File::create_new(path).map_err(|e| match e.kind() {
                ErrorKind::AlreadyExists => {
                    format!("{}: this file is there; --save writes a new one", path.display())
                }
                _ => format!("{}: {e}", path.display()),
            })?;
            Some((file, path))
        }
        None => None,
    };
    let phone = args.which.phone()?;
    let program = Program::new(&map);
    let (filter, cores) = (args.shown.filter(None)?, args.jobs.cores());
    unmatched::check(filter.unmatched(&map))?;
    let form = match args.format {
        Format::Text => LiveForm::Text(args.text.options(sources.as_ref())),
        Format::Json => LiveForm::Json,
    };
    let mut follower = Follower::new(&program);
    let mut live = Live::new(&program, &filter, form);
    let mut notes = Notes { since: Some(Instant::now()), ..Notes::default() };

    interrupt::listen();
    let mut logcat = phone.logcat()?;
    let lines = lines_of(&mut logcat);
    let mut damage = Damage::NONE;
    let mut turn = Instant::now();
    let ended = loop {
        match lines.recv_timeout(TURN) {
            Ok(line) => {
                let found = follower.add_line(&line);
                let has_slab = found.iter().any(|what| matches!(what, LiveLine::Slab(_)));
                if let (Some((file, path)), true) = (&mut save, has_slab) {
                    let written = file.write_all(&line);
                    written.at(path)?;
                }
                if found.is_empty() {
                    notes.other(&line);
                }
                found.into_iter().for_each(|what| notes.of(what, &map.build.to_string()));
            }
            Err(RecvTimeoutError::Timeout) => notes.silence(),
            Err(RecvTimeoutError::Disconnected) => break true,
        }
        if interrupt::is_stopped() {
            break false;
        }
        if turn.elapsed() >= TURN {
            damage += live.write(&mut follower, false, &cores, out.raw()).map_err(plain)?;
            out.flush()?;
            turn = Instant::now();
        }
    };
    damage += live.write(&mut follower, true, &cores, out.raw()).map_err(plain)?;
    out.flush()?;
    if ended && !interrupt::is_stopped() {
        let message = logcat.ended().filter(|message| !message.is_empty());
        let why = if phone.is_there() { "logcat ended" } else { "the device went away" };
        let message = message.map_or(String::new(), |message| format!(" ({message})"));
        return Err(format!("{}: {why}{message}; all that came is above", phone.serial()).into());
    }
    damage += notes.damage;
    Ok(damage)
}

/// Errors of the output are the system's: a closed pipe ends the program quietly.
fn plain(error: LiveError) -> Box<dyn std::error::Error> {
    match error {
        LiveError::Output(error) => error.into(),
        LiveError::Log(error) => error.into(),
    }
}

/// Reads lines on a thread of its own, so that silence can be noticed.
fn lines_of(logcat: &mut Logcat) -> Receiver<Vec<u8>> {
    let (sender, lines) = sync_channel(WAITING);
    if let Some(mut output) = logcat.output() {
        std::thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                let mut limited = std::io::Read::take(&mut output, LONGEST_LINE);
                let read = limited.read_until(b'\n', &mut line);
                if !matches!(read, Ok(1..)) || sender.send(line).is_err() {
                    break;
                }
            }
        });
    }
    lines
}

/// Messages on standard error, each printed once.
#[derive(Default)]
struct Notes {
    /// The time since which nothing came; `None`: this was reported, or something came.
    since: Option<Instant>,
    foreign: Vec<String>,
    is_damaged: bool,
    /// Damage that was reported.
    damage: Damage,
}

impl Notes {
    fn of(&mut self, what: LiveLine, build: &str) {
        match what {
            LiveLine::Slab(_) => self.since = None,
            LiveLine::Foreign(other) => {
                let other = other.to_string();
                self.damage += Damage::problems(1);
                if !self.foreign.contains(&other) {
                    note(format_args!("build {other} also logs; this map is of build {build}"));
                    self.foreign.push(other);
                }
            }
            LiveLine::Damaged(damaged) => {
                self.damage += Damage::problems(1);
                if !std::mem::replace(&mut self.is_damaged, true) {
                    note(format_args!("a line was cut or damaged, perhaps more: {damaged}"));
                }
            }
        }
    }

    /// A line without a slab.
    fn other(&mut self, line: &[u8]) {
        if let Some(message) = model::trace::runtime_note(line) {
            note(format_args!("message of the device: {message}"));
        }
    }

    fn silence(&mut self) {
        if self.since.is_some_and(|since| since.elapsed() > SILENCE) {
            self.since = None;
            note(
                "no log of this build yet: does the app run? Was it instrumented with \
                 --sink logcat?",
            );
        }
    }
}
