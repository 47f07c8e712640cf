//! Prints the output of commands line by line, without terminal control characters. A closed pipe
//! never causes a panic.

use std::fmt::{Arguments, Display};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::process::ChildStdin;
use std::sync::{Mutex, PoisonError};

pub use model::nouns::counted;
use reports::visible;
use serde::Serialize;

use super::pager;

/// The condition for coloured output.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Colour {
    /// On terminals, unless NO_COLOR is set or TERM is dumb
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Colour {
    /// Returns true if standard output is to be coloured.
    pub fn is_on(self) -> bool {
        let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        match self {
            Colour::Always => true,
            Colour::Never => false,
            // https://no-color.org: set and not empty.
            Colour::Auto => {
                io::stdout().is_terminal()
                    && set("NO_COLOR").is_none()
                    && set("TERM").is_some_and(|term| term != "dumb")
            }
        }
    }
}

/// Version of the forms of all JSON output: docs/schema.
pub const JSON_VERSION: u32 = 1;

/// A form and its version.
#[derive(Serialize)]
struct Versioned<'v, T> {
    v: u32,
    #[serde(flatten)]
    value: &'v T,
}

/// The destination of output.
#[derive(Debug)]
enum Target {
    Standard(Stdout),
    /// The pager starts when there is something to show.
    PagerToStart,
    Pager(ChildStdin),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Target::PagerToStart = self {
            let standard = || Target::Standard(io::stdout());
            *self = pager::start().map_or_else(standard, Target::Pager);
        }
        match self {
            Target::Standard(out) => out.write(bytes),
            Target::Pager(out) => out.write(bytes),
            Target::PagerToStart => Ok(0),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Standard(out) => out.flush(),
            Target::Pager(out) => out.flush(),
            Target::PagerToStart => Ok(()),
        }
    }
}

/// Standard output, or the pager before it.
#[derive(Debug)]
pub struct Printer {
    out: BufWriter<Target>,
    /// True if [`Printer::page`] may start a pager.
    pages: bool,
}

impl Printer {
    /// The only one. `pages`: long text may go to a pager.
    pub fn new(pages: bool) -> Printer {
        Printer { out: BufWriter::new(Target::Standard(io::stdout())), pages }
    }

    /// Passes what follows to a pager, if standard output is a terminal. For text that people read.
    ///
    /// # Errors
    /// As [`Printer::line`].
    pub fn page(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.pages) {
            return Ok(());
        }
        self.out.flush()?;
        *self.out.get_mut() = Target::PagerToStart;
        Ok(())
    }

    /// Writes buffered output, and waits until the user has left the pager if there is one. Then
    /// prints the messages that came while it ran.
    ///
    /// # Errors
    /// As [`Printer::line`].
    pub fn close(mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        // The end of the text: the pager's input is closed.
        drop(self);
        pager::wait();
        print_waiting();
        flushed
    }

    /// Prints one line; what would break it or move the cursor is written out. [`show!`] calls it.
    ///
    /// # Errors
    /// The output's; a closed pipe is one, and ends the program quietly.
    pub fn line(&mut self, text: Arguments<'_>) -> io::Result<()> {
        writeln!(self.out, "{}", visible(&text.to_string()))
    }

    /// Prints a value (a struct or a map) as indented JSON, the version first.
    ///
    /// # Errors
    /// As [`Printer::line`].
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_string_pretty(&Versioned { v: JSON_VERSION, value })?
            .lines()
            .try_for_each(|l| self.line(format_args!("{l}")))
    }

    /// For writers that make their lines visible themselves ([`reports`]).
    pub fn raw(&mut self) -> &mut (impl Write + Send) {
        &mut self.out
    }

    /// Writes buffered output.
    ///
    /// # Errors
    /// As [`Printer::line`].
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Prints a line: `show!(out, "{n} methods")?`.
macro_rules! show {
    ($out:expr, $($text:tt)*) => { $out.line(format_args!($($text)*)) };
}
pub(crate) use show;

/// Messages that wait for the end of the pager, which has the terminal.
static WAITING: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Prints a message on standard error. Goes on when the reader has gone.
pub fn note(text: impl Display) {
    super::progress::clear();
    let line = format!("pathlight: {}", visible(&plain(&text.to_string())));
    if pager::is_running() && io::stderr().is_terminal() {
        WAITING.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    } else {
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// Prints the messages that waited for the end of the pager.
fn print_waiting() {
    for line in WAITING.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// Errors of the system by number (errno.h), in plain words.
const SYSTEM: [(u32, &str); 7] = [
    (2, "there is no such file or folder"),
    (13, "no permission"),
    (17, "it is there already"),
    (20, "it is a file, where a folder is expected"),
    (21, "it is a folder, where a file is expected"),
    (28, "no space is left on the disk"),
    (30, "the disk is read-only"),
];

/// Puts an error of the system at the end of a message into plain words.
pub fn plain(text: &str) -> String {
    let number = || text.strip_suffix(')')?.rsplit_once(" (os error ");
    let Some((before, number)) = number() else { return text.to_owned() };
    let words =
        number.parse::<u32>().ok().and_then(|n| SYSTEM.iter().find(|(known, _)| *known == n));
    match (words, before.rsplit_once(": ")) {
        (Some((_, words)), Some((place, _))) => format!("{place}: {words}"),
        (Some((_, words)), None) => (*words).to_owned(),
        (None, _) => before.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn errors_of_the_system_are_put_into_words() {
        let cases = [
            (
                "a.plt: No such file or directory (os error 2)",
                "a.plt: there is no such file or folder",
            ),
            (
                "x: y: Is a directory (os error 21)",
                "x: y: it is a folder, where a file is expected",
            ),
            ("a: Too many open files (os error 24)", "a: Too many open files"),
            ("a (os error 2) b", "a (os error 2) b"),
        ];
        for (from, to) in cases {
            assert_eq!(plain(from), to);
        }
    }
}
