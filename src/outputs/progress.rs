//! The progress of long work: one line on standard error, for terminals only. The line appears
//! after a second, and disappears when the work is done.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

/// Shorter work shows nothing.
const FIRST: Duration = Duration::from_secs(1);
/// Between two lines.
const NEXT: Duration = Duration::from_millis(250);
/// Back to the line's beginning, and the line empty.
const CLEAR: &str = "\r\x1b[K";

/// True if a line is shown.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Returns the number of parts that are done, and of all.
type Watched = Box<dyn Fn() -> (usize, usize) + Send>;

#[derive(Default)]
struct State {
    text: String,
    /// The number of parts that are done, and of all.
    parts: Option<(u64, u64)>,
    /// Asked for `parts` whenever the line is painted.
    watched: Option<Watched>,
    done: bool,
}

type Shared = Arc<(Mutex<State>, Condvar)>;

/// Work that is being done. The line goes when this value does.
pub struct Progress {
    shared: Shared,
    painter: Option<JoinHandle<()>>,
}

impl Progress {
    /// Work that has begun.
    pub fn new(text: impl Display) -> Progress {
        Self::shown(text, stderr().is_terminal())
    }

    /// Work that prints its results as they come: on a terminal they are progress enough.
    pub fn unless_printed(text: impl Display) -> Progress {
        Self::shown(text, stderr().is_terminal() && !std::io::stdout().is_terminal())
    }

    fn shown(text: impl Display, shown: bool) -> Progress {
        let state = State { text: text.to_string(), ..State::default() };
        let shared: Shared = Arc::new((Mutex::new(state), Condvar::new()));
        let painter = shown.then(|| {
            let shared = Arc::clone(&shared);
            spawn(move || paint(&shared))
        });
        Progress { shared, painter }
    }

    /// The work has come to this.
    pub fn at(&self, text: impl Display) {
        if self.painter.is_some() {
            let mut state = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.text = text.to_string();
        }
    }
}

impl Progress {
    /// The work has come to this, with `done` of its `all` parts done: the line shows the share and
    /// the time that is left at this speed.
    pub fn at_part(&self, done: usize, all: usize, text: impl Display) {
        if self.painter.is_some() {
            let mut state = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.text = text.to_string();
            state.parts = Some((done as u64, all as u64));
        }
    }
}

impl Progress {
    /// The work has come to this, and `parts` returns the number of its parts that are done, and of
    /// all.
    pub fn watch(&self, text: impl Display, parts: impl Fn() -> (usize, usize) + Send + 'static) {
        if self.painter.is_some() {
            let mut state = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.text = text.to_string();
            state.watched = Some(Box::new(parts));
        }
    }
}

/// The share of the work that is done, and the time that the rest takes at the speed so far.
fn remaining((done, all): (u64, u64), elapsed: Duration) -> String {
    if done == 0 || done >= all {
        return String::new();
    }
    let left = elapsed.as_secs_f64() * (all - done) as f64 / done as f64;
    format!(", {} %, about {} s left", done * 100 / all, left.ceil())
}

impl Drop for Progress {
    fn drop(&mut self) {
        let Some(painter) = self.painter.take() else { return };
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner).done = true;
        self.shared.1.notify_one();
        let _ = painter.join();
        clear();
    }
}

fn paint(shared: &Shared) {
    let begun = Instant::now();
    let mut wait = FIRST;
    let mut state = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
    while !state.done {
        let waited = shared.1.wait_timeout(state, wait);
        state = waited.unwrap_or_else(PoisonError::into_inner).0;
        if !state.done && begun.elapsed() >= FIRST {
            let text = reports::visible(&state.text).into_owned();
            SHOWN.store(true, Ordering::Relaxed);
            let elapsed = begun.elapsed();
            if let Some(watched) = &state.watched {
                let (done, all) = watched();
                state.parts = Some((done as u64, all as u64));
            }
            let left = state.parts.map_or_else(String::new, |parts| remaining(parts, elapsed));
            // Go on when the terminal has gone.
            let _ = write!(stderr(), "{CLEAR}{text}, {} s{left}", elapsed.as_secs());
            wait = NEXT;
        }
    }
}

/// Takes the line away, if there is one, so that a message can stand there.
pub fn clear() {
    if SHOWN.swap(false, Ordering::Relaxed) {
        let _ = write!(stderr(), "{CLEAR}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_rest_at_the_speed_so_far() {
        let elapsed = Duration::from_secs(30);
        assert_eq!(remaining((3, 12), elapsed), ", 25 %, about 90 s left");
        assert_eq!(remaining((11, 12), elapsed), ", 91 %, about 3 s left");
        assert_eq!(remaining((0, 12), elapsed), "", "the speed is unknown");
        assert_eq!(remaining((12, 12), elapsed), "");
    }
}
