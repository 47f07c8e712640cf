//! Runs adb under limits. Both of its outputs are read as they come, so that it never waits for a
//! reader; adb is ended if it prints nothing for too long, or too much.

use std::io::{self, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes that are read at a time, and the number of such blocks that may wait.
const PIECE: usize = 1 << 16;
const WAITING: usize = 4;
/// Errors beyond this are read, and not kept.
const ERRORS: usize = 1 << 16;
/// Time between two looks at whether the program has ended.
const TURN: Duration = Duration::from_millis(50);
/// Time for which outputs are read after the program has ended: it may have left them to another
/// program (adb to its server).
const GRACE: Duration = Duration::from_secs(1);

/// Limits of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The longest time without output.
    pub silence: Duration,
    /// The most bytes of output.
    pub bytes: u64,
}

/// Reasons for which a run was ended, or could not begin.
#[derive(Debug)]
pub(crate) enum Broken {
    /// It could not be started.
    Start(io::Error),
    /// The sink refused its output.
    Taken(io::Error),
    /// It printed nothing for too long.
    Silent,
    /// It printed too much.
    TooMuch,
}

/// A run that ended by itself.
#[derive(Debug)]
pub(crate) struct Ended {
    pub is_success: bool,
    /// Its output on standard error.
    pub errors: Vec<u8>,
}

/// Standard error of a program, read by a thread of its own.
#[derive(Debug)]
pub(crate) struct Errors {
    kept: Arc<Mutex<Vec<u8>>>,
    over: Receiver<()>,
}

impl Errors {
    /// Begins to read.
    pub fn of(mut pipe: ChildStderr) -> Errors {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (sender, over) = sync_channel(1);
        let shared = Arc::clone(&kept);
        thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Some(n) = read(&mut pipe, &mut piece) {
                let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let room = ERRORS - kept.len();
                kept.extend_from_slice(&piece[..n.min(room)]);
            }
            let _ = sender.send(());
        });
        Errors { kept, over }
    }

    /// Returns the bytes printed up to the end, or up to now if the end does not come.
    pub fn take(self) -> Vec<u8> {
        let _ = self.over.recv_timeout(GRACE);
        std::mem::take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The next bytes of a pipe; `None` at its end.
fn read(pipe: &mut impl Read, piece: &mut [u8]) -> Option<usize> {
    loop {
        match pipe.read(piece) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            read => return read.ok().filter(|n| *n > 0),
        }
    }
}

/// Ends a program.
pub(crate) fn end(child: &mut Child) {
    // It may have ended by itself meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

/// Waits for the end of a program; `None` if it does not come in time.
pub(crate) fn wait(child: &mut Child, time: Duration) -> Option<std::process::ExitStatus> {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if begun.elapsed() < time => thread::sleep(TURN.min(time)),
            _ => return None,
        }
    }
}

/// Runs a program and hands on what it prints.
pub(crate) fn run(
    mut command: Command,
    limits: Limits,
    to: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<Ended, Broken> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(Broken::Start)?;
    let errors = child.stderr.take().map(Errors::of);
    let run = hand_on(&mut child, limits, to).and_then(|()| {
        wait(&mut child, limits.silence).map(|status| status.success()).ok_or(Broken::Silent)
    });
    match run {
        Ok(is_success) => {
            Ok(Ended { is_success, errors: errors.map(Errors::take).unwrap_or_default() })
        }
        Err(broken) => {
            end(&mut child);
            Err(broken)
        }
    }
}

/// Hands on standard output up to its end.
fn hand_on(
    child: &mut Child,
    limits: Limits,
    mut to: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), Broken> {
    let Some(mut pipe) = child.stdout.take() else { return Ok(()) };
    let (sender, pieces) = sync_channel(WAITING);
    thread::spawn(move || {
        let mut piece = vec![0; PIECE];
        while let Some(n) = read(&mut pipe, &mut piece) {
            if sender.send(piece[..n].to_vec()).is_err() {
                break;
            }
        }
    });
    let (mut all, mut last) = (0, Instant::now());
    loop {
        match pieces.recv_timeout(TURN) {
            Ok(piece) => {
                all += piece.len() as u64;
                if all > limits.bytes {
                    return Err(Broken::TooMuch);
                }
                to(&piece).map_err(Broken::Taken)?;
                last = Instant::now();
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {
                let quiet = last.elapsed();
                if quiet >= limits.silence {
                    return Err(Broken::Silent);
                }
                if quiet >= GRACE && child.try_wait().is_ok_and(|status| status.is_some()) {
                    return Ok(());
                }
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { silence: Duration::from_millis(300), bytes: 1 << 20 };

    fn shell(line: &str) -> (Result<Ended, Broken>, Vec<u8>) {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        let mut out = Vec::new();
        let ended = run(command, LIMITS, |piece| {
            out.extend_from_slice(piece);
            Ok(())
        });
        (ended, out)
    }

    /// A pipe holds 64 KiB: a program whose errors nobody reads waits for ever.
    #[test]
    fn many_errors_do_not_stop_a_program() {
        let (ended, out) = shell("head -c 300000 /dev/zero >&2; echo done; exit 3");
        let ended = ended.expect("it ended");
        assert_eq!((&out[..], ended.is_success), (&b"done\n"[..], false));
        assert_eq!(ended.errors.len(), ERRORS);
    }

    #[test]
    fn a_program_that_prints_nothing_is_ended() {
        for line in ["exec sleep 60", "echo begun; exec sleep 60", "exec >&-; exec sleep 60"] {
            let begun = Instant::now();
            let (ended, _) = shell(line);
            assert!(matches!(ended, Err(Broken::Silent)), "{line}: {ended:?}");
            assert!(begun.elapsed() < Duration::from_secs(20), "{line}");
        }
    }

    #[test]
    fn endless_output_is_ended_at_the_limit() {
        let (ended, out) = shell("exec cat /dev/zero");
        assert!(matches!(ended, Err(Broken::TooMuch)), "{ended:?}");
        assert!(out.len() as u64 <= LIMITS.bytes);
    }

    /// As adb does with its server.
    #[test]
    fn a_child_that_keeps_the_outputs_open_is_not_waited_for() {
        let limits = Limits { silence: Duration::from_secs(50), ..LIMITS };
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 40 & echo done"]);
        let begun = Instant::now();
        let ended = run(command, limits, |_| Ok(())).expect("it ended");
        assert!(ended.is_success && begun.elapsed() < Duration::from_secs(30));
    }
}
