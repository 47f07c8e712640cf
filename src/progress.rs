//! How far long work is: one line on standard error, for terminals only. It comes after a second,
//! and goes when the work is done.

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

/// Whether a line is shown.
static SHOWN: AtomicBool = AtomicBool::new(false);

#[derive(Default)]
struct State {
    text: String,
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
        let state = State { text: text.to_string(), done: false };
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
            let seconds = begun.elapsed().as_secs();
            // Go on when the terminal has gone.
            let _ = write!(stderr(), "{CLEAR}{text}, {seconds} s");
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
