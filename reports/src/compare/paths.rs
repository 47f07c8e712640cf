//! The callbacks of a session, each with one hash of its path.

use decoder::log::{Process, ThreadLog};
use decoder::session::decode_thread_on;
use model::map::MethodId;

use super::common::{ComparedBuild, mix};
use super::steps::{CallbackEnd, PathDecision, StepSink, Steps};

/// Maximum number of compared callbacks of a session; each takes 40 bytes of memory.
pub const CALLBACKS: usize = 1 << 22;

/// A top-level callback that ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Callback {
    /// Hash of its method and its path.
    pub hash: u64,
    /// Its number in its thread, from 1.
    pub number: u64,
    /// Start, in ms since the process began.
    pub ms: u64,
    /// Hash of its method, the same in all builds.
    pub key: u64,
    /// Its method; `None` for the time before the first callback.
    pub method: Option<MethodId>,
}

/// A thread and its callbacks, in order.
#[derive(Debug, Clone)]
pub struct Thread {
    /// Index in [`Process::threads`].
    pub at: usize,
    /// The callbacks.
    pub callbacks: Vec<Callback>,
    /// Number of undecodable records.
    pub faulty: u64,
}

/// Returns all threads of a session; `None` if it has more than [`CALLBACKS`].
pub fn threads(build: &ComparedBuild<'_>, process: &Process) -> Option<Vec<Thread>> {
    let mut room = CALLBACKS;
    let mut threads = Vec::new();
    for (at, thread) in process.threads.iter().enumerate() {
        let (callbacks, faulty) = callbacks(build, thread, room)?;
        room -= callbacks.len();
        threads.push(Thread { at, callbacks, faulty });
    }
    Some(threads)
}

fn callbacks(
    build: &ComparedBuild<'_>,
    thread: &ThreadLog,
    room: usize,
) -> Option<(Vec<Callback>, u64)> {
    let hashes = Hashes { build, found: Vec::new(), hash: 0, room, full: false };
    let mut steps = Steps::new(build, hashes);
    let faulty = decode_thread_on(&build.cores, &build.program, thread, &mut steps).faulty;
    let hashes = steps.finish();
    (!hashes.full).then_some((hashes.found, faulty))
}

struct Hashes<'b, 'm> {
    build: &'b ComparedBuild<'m>,
    found: Vec<Callback>,
    hash: u64,
    room: usize,
    full: bool,
}

impl StepSink for Hashes<'_, '_> {
    fn callback(&mut self, number: u64, method: Option<MethodId>, ms: u64) {
        self.hash = method.map_or(0, |m| self.build.method(m));
        self.full |= self.found.len() >= self.room;
        if !self.full {
            self.found.push(Callback { hash: 0, key: self.hash, number, ms, method });
        }
    }

    fn step(&mut self, hash: u64, _step: PathDecision, times: u64) {
        self.hash = mix(mix(self.hash, hash), times);
    }

    fn end(&mut self, end: CallbackEnd) {
        if let (false, Some(last)) = (self.full, self.found.last_mut()) {
            last.hash = mix(self.hash, u64::from(end == CallbackEnd::Whole));
        }
    }
}
