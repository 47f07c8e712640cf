//! Signals that end the program: unfinished files are removed first.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::outputs::pager;

/// Set by Ctrl-C where a command prints what is left and then ends by itself.
static STOP: AtomicBool = AtomicBool::new(false);
/// True if the command that runs looks at [`STOP`].
static LISTENS: AtomicBool = AtomicBool::new(false);

/// From now on, the first Ctrl-C ends nothing: the caller asks [`is_stopped`] and ends by itself.
/// The second one ends the program.
pub fn listen() {
    LISTENS.store(true, Ordering::Relaxed);
}

/// From now on, Ctrl-C ends the program again.
pub fn stop_listening() {
    LISTENS.store(false, Ordering::Relaxed);
    STOP.store(false, Ordering::Relaxed);
}

/// Returns whether Ctrl-C was pressed since [`listen`].
pub fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Returns whether Ctrl-C is left to the command.
fn is_for_the_command() -> bool {
    LISTENS.load(Ordering::Relaxed) && !STOP.swap(true, Ordering::Relaxed)
}

/// Starts to wait for signals. A program that was started with a signal ignored (`nohup`, jobs in
/// the background of a script) goes on ignoring it.
///
/// # Errors
/// The system has no more threads or pipes.
#[cfg(unix)]
pub fn install() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    let caught = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(caught)?;
    let wait = move || {
        for signal in signals.forever() {
            if signal == SIGINT && (pager::is_running() || is_for_the_command()) {
                continue;
            }
            disk::remove_unfinished();
            // The parent sees that the signal was the reason.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
}

/// Signals that were ignored at the start: bit n - 1 for signal n. Only Linux reports them without
/// a change of what is ignored.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Starts to wait for Ctrl-C.
///
/// # Errors
/// The system refuses.
#[cfg(not(unix))]
pub fn install() -> io::Result<()> {
    let end = || {
        if !pager::is_running() && !is_for_the_command() {
            disk::remove_unfinished();
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(end).map_err(io::Error::other)
}
