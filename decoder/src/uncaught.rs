//! Exceptions that left the app's code as the last event of their thread: did they end it?
//!
//! A log has no types of exceptions and no frames of the platform. The called methods and the later
//! behaviour of the process decide if the platform's code that had called the app kept the
//! exception, as a `FutureTask` does, or if the exception ended the thread: Android ends a process
//! whose thread an exception ends.

use std::collections::HashSet;
use std::sync::Arc;

use model::map::{Map, Method, MethodId};

use crate::log::ThreadLog;
use crate::replay::Times;

/// The platform reports a crash before it ends the process; in this time, in µs, the other threads
/// go on.
const DYING_US: u64 = 5_000_000;

/// Continuation of an exception that left the app's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExceptionOutcome {
    /// The code that had called the app kept it.
    Kept,
    /// It ended its thread, or the threads of a pool kept it: the log fits both.
    Open,
    /// Its thread ended by it.
    Ended,
}

/// Methods whose callers are known for what they do with exceptions.
#[derive(Debug)]
pub struct Callers {
    /// Handlers of uncaught exceptions: they run after the exception that ends a thread.
    handlers: HashSet<MethodId>,
    /// Methods of which the platform's callers keep every exception.
    kept: HashSet<MethodId>,
}

impl Callers {
    /// Those of a build.
    pub fn new(map: &Map) -> Arc<Self> {
        let all = |is: fn(&Map, &Method) -> bool| {
            let fitting = (1..).zip(&map.methods).filter(|(_, m)| is(map, m));
            fitting.map(|(id, _)| MethodId(id)).collect()
        };
        Arc::new(Callers { handlers: all(is_handler), kept: all(is_kept) })
    }

    /// Tests if a method is a handler of uncaught exceptions.
    pub fn is_handler(&self, method: MethodId) -> bool {
        self.handlers.contains(&method)
    }
}

/// `uncaughtException(Thread, Throwable)`.
fn is_handler(map: &Map, m: &Method) -> bool {
    map.name(m.name) == "uncaughtException"
        && map.name(m.descriptor) == "(Ljava/lang/Thread;Ljava/lang/Throwable;)V"
}

/// Methods that `FutureTask`, `ForkJoinTask`, `CompletableFuture`, `BaseContinuationImpl` and the
/// finalizer's thread call: all of them catch `Throwable`.
fn is_kept(map: &Map, m: &Method) -> bool {
    let descriptor = map.name(m.descriptor).strip_prefix('(').and_then(|d| d.split_once(')'));
    let (parameters, result) = descriptor.unwrap_or_default();
    let is_object = result.starts_with(['L', '[']);
    match (map.name(m.name), parameters) {
        ("call" | "get", "") => is_object,
        ("apply", "Ljava/lang/Object;" | "Ljava/lang/Object;Ljava/lang/Object;") => is_object,
        ("compute", "") => is_object || result == "V",
        ("exec", "") => result == "Z",
        ("invokeSuspend", "Ljava/lang/Object;") => is_object,
        ("resumeWith", "Ljava/lang/Object;") | ("finalize", "") => result == "V",
        _ => false,
    }
}

/// The exception with which the log of a thread ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastThrow {
    /// The top-level callback that it left.
    callback: MethodId,
    /// Begin and end of the callback, in µs since the trace began.
    begin_us: u64,
    end_us: Option<u64>,
    /// True if a handler of uncaught exceptions ran after it.
    is_handled: bool,
    /// The thread is one whose callers keep no exception: the main thread, or one without a pool.
    is_own: bool,
    /// Number of the thread in its process.
    thread: usize,
}

/// Follows one thread: what a sink passes on.
#[derive(Debug)]
pub struct ThreadTrack {
    callers: Arc<Callers>,
    is_own: bool,
    /// The thread went on, and that part of the log is missing.
    breaks_off: bool,
    callback: Option<MethodId>,
    /// Of the callback.
    times: Option<Times>,
    left: Option<LastThrow>,
    /// Callbacks that an exception left, and the thread went on.
    survived: HashSet<MethodId>,
}

impl ThreadTrack {
    /// A thread begins.
    pub fn new(callers: Arc<Callers>) -> Self {
        ThreadTrack {
            callers,
            is_own: false,
            breaks_off: false,
            callback: None,
            times: None,
            left: None,
            survived: HashSet::new(),
        }
    }

    /// Takes what the log shows of the thread without being decoded.
    pub fn describe(&mut self, log: &ThreadLog) {
        let last = log.segments.last().map_or(0, |s| s.first);
        self.breaks_off = log.gaps.iter().any(|g| g.from > last && g.to > g.from);
        self.is_own = log.name.as_deref().is_some_and(is_own);
    }

    /// The next callback ran at this time.
    pub fn times(&mut self, times: Times) {
        self.times = Some(times);
    }

    /// A top-level callback begins; [`ThreadTrack::times`] came before.
    pub fn callback(&mut self, method: MethodId) {
        self.callback = Some(method);
        if self.callers.is_handler(method)
            && let Some(left) = &mut self.left
        {
            left.is_handled = true;
        } else {
            self.go_on();
        }
    }

    /// The thread goes on: what left the app's code was caught outside.
    pub fn go_on(&mut self) {
        self.survived.extend(self.left.take().map(|left| left.callback));
    }

    /// A method of the app caught an exception that had left another one.
    pub fn caught(&mut self) {
        self.left = None;
    }

    /// An exception left the callback.
    pub fn left(&mut self) {
        if let Some(callback) = self.callback
            && !self.callers.is_handler(callback)
        {
            self.left = Some(LastThrow {
                callback,
                begin_us: self.times.map_or(0, |t| t.begin_us),
                end_us: self.times.and_then(|t| t.end_us),
                is_handled: false,
                is_own: self.is_own,
                thread: 0,
            });
        }
    }
}

/// Collects the threads of a process.
#[derive(Debug, Default)]
pub struct ProcessTrack {
    threads: usize,
    survived: HashSet<MethodId>,
    /// Begin of the last callback of a thread, and the thread: the latest one, and the latest of
    /// all other threads.
    begins: [(u64, usize); 2],
}

impl ProcessTrack {
    /// Adds a thread whose log ends. Returns the exception with which the thread ends, if it does.
    pub fn add(&mut self, track: ThreadTrack) -> Option<LastThrow> {
        let ThreadTrack { is_own, breaks_off, times, left, survived, .. } = track;
        self.survived.extend(survived);
        self.threads += 1;
        let thread = self.threads;
        let begin = times.map_or(0, |t| t.begin_us);
        if begin > self.begins[0].0 {
            self.begins = [(begin, thread), self.begins[0]];
        } else if begin > self.begins[1].0 {
            self.begins[1] = (begin, thread);
        }
        let left = left.filter(|_| !breaks_off)?;
        Some(LastThrow { is_own, thread, ..left })
    }

    /// The outcome of an exception, once all threads of its process have been added.
    pub fn outcome(&self, callers: &Callers, last: &LastThrow) -> ExceptionOutcome {
        if last.is_handled {
            return ExceptionOutcome::Ended;
        }
        if callers.kept.contains(&last.callback) || self.survived.contains(&last.callback) {
            return ExceptionOutcome::Kept;
        }
        let [latest, second] = self.begins;
        let other = if latest.1 == last.thread { second.0 } else { latest.0 };
        let is_dead = other <= last.end_us.unwrap_or(last.begin_us);
        let is_alive = last.end_us.is_some_and(|end| other > end.saturating_add(DYING_US));
        match () {
            () if is_dead || last.is_own => ExceptionOutcome::Ended,
            () if is_alive => ExceptionOutcome::Kept,
            () => ExceptionOutcome::Open,
        }
    }
}

/// The main thread, and threads with the name that Java gives to those without one. Pools name
/// theirs.
fn is_own(name: &str) -> bool {
    let number = name.strip_prefix("Thread-").unwrap_or_default();
    name == "main" || (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}
