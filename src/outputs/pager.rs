//! The pager: a program that shows text page by page, where the text goes to a terminal.
//!
//! `PAGER` names it; an empty `PAGER`, or `cat`, means none. Default: `less -FRX`, which ends by
//! itself if the text fits on the screen. A pager that cannot start is no error: the text goes to
//! standard output.

use std::ffi::OsString;
use std::io::{IsTerminal, stdin, stdout};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The pager of `PAGER`'s absence.
const DEFAULT: &str = "less";
/// Options of `less` in its own variable: `F` ends it if all fits on the screen, `R` shows colours,
/// `X` leaves the text on the screen.
const LESS: (&str, &str) = ("LESS", "FRX");

/// The pager that runs. [`wait`] takes it.
static RUNNING: Mutex<Option<Child>> = Mutex::new(None);
/// True if [`wait`] waits for the user to leave the pager.
static IS_WAITING: AtomicBool = AtomicBool::new(false);

/// Starts the pager, if standard output is a terminal. Returns its standard input.
pub fn start() -> Option<ChildStdin> {
    // Without a keyboard nobody could leave it, and a dumb terminal cannot go back in the text.
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    if !stdout().is_terminal() || !stdin().is_terminal() || cfg!(unix) && is_dumb {
        return None;
    }
    let mut command = command(std::env::var_os("PAGER"))?;
    if std::env::var_os(LESS.0).is_none() {
        command.env(LESS.0, LESS.1);
    }
    let mut child = command.stdin(Stdio::piped()).spawn().ok()?;
    let input = child.stdin.take();
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
    input
}

/// Returns the command of a pager as `PAGER` has it; `None` if there is to be none.
fn command(wanted: Option<OsString>) -> Option<Command> {
    let Some(wanted) = wanted else {
        let mut command = Command::new(DEFAULT);
        command.arg("-FRX");
        return Some(command);
    };
    let text = wanted.to_string_lossy();
    if matches!(text.trim(), "" | "cat") {
        return None;
    }
    // Quotes and variables are for the shell, as other programs take them.
    let is_plain = |c: char| c.is_alphanumeric() || " ./_-+=:,@%\\".contains(c);
    if cfg!(unix) && !text.chars().all(is_plain) {
        let mut command = Command::new("sh");
        command.arg("-c").arg(wanted);
        return Some(command);
    }
    let mut words = text.split_whitespace();
    let mut command = Command::new(words.next()?);
    command.args(words);
    Some(command)
}

/// Waits until the user leaves the pager. Its input must be closed.
pub fn wait() {
    IS_WAITING.store(true, Ordering::Relaxed);
    let child = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(mut child) = child {
        let _ = child.wait();
    }
    IS_WAITING.store(false, Ordering::Relaxed);
}

/// Returns true if a pager runs: then Ctrl-C is a key of the pager.
pub fn is_running() -> bool {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let is_alive = |child: &mut Child| matches!(child.try_wait(), Ok(None));
    IS_WAITING.load(Ordering::Relaxed) || running.as_mut().is_some_and(is_alive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_pager_and_cat_are_none() {
        let program = |text: &str| command(Some(text.into())).map(|c| c.get_program().to_owned());
        assert_eq!([program(""), program("  "), program("cat")], [None, None, None]);
        assert!(program("more -s").is_some());
        assert_eq!(command(None).expect("the default").get_program(), DEFAULT);
    }
}
