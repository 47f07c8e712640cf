//! What a pass leaves behind beside the call tree: counters per block and per way of each decision,
//! callbacks, exceptions, and what is known of gaps and damage.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use decoder::log::{Process, ThreadLog};
use decoder::replay::{BlockNo, Decision, Ended, PathSink, Program, Times, Via};
use decoder::session::{Note, ThreadSink, ThreadTotals};
use decoder::uncaught::{Callers, LastThrow, Outcome, ProcessTrack, ThreadTrack};
use model::map::{HandlerId, MethodId, SlotId};

use super::events::{Event, Kept, Ring, Stretch, Window};
use crate::calls::Progress;
use crate::counts::Counts;
use crate::inside::{BELOW, inside};
use crate::visible;

/// Callbacks that are listed one by one; the rest is in the tree and in all counts.
const CALLBACKS: usize = 1_000_000;
/// Kinds of exceptions that are told apart.
const EXCEPTIONS: usize = 10_000;
/// Windows of last events that are kept, for exceptions and for ends of threads each.
const WINDOWS: usize = 200;
/// Remarks of a thread that are kept.
const REMARKS: usize = 200;
/// Frames that ended by an exception, of which the names are kept.
const CHAIN: usize = 64;

/// A top-level callback.
#[derive(Debug, Clone, Copy)]
pub(super) struct Callback {
    pub method: MethodId,
    /// When it began, ms since the process did.
    pub start: u32,
    took: Took,
    pub steps: u64,
    /// Its path, if it was kept.
    pub path: Stretch,
    /// Whether all of its path was.
    pub whole: bool,
}

impl Callback {
    /// How long it took, in µs, if the log tells it; at most 71 minutes.
    pub fn took_us(&self) -> Option<u32> {
        self.took.0.map(|us| us.get() - 1)
    }
}

/// Microseconds and one more, or that they are not known: in four bytes, as there are many.
#[derive(Debug, Clone, Copy)]
struct Took(Option<NonZeroU32>);

impl Took {
    fn of(times: Option<Times>) -> Took {
        let us = times.and_then(|t| t.took_us());
        Took(us.and_then(|us| {
            NonZeroU32::new(u32::try_from(us).map_or(u32::MAX, |us| us.saturating_add(1)))
        }))
    }
}

/// A thread with its callbacks.
#[derive(Debug)]
pub(super) struct Lane {
    /// Number of the process in the report, from 0.
    pub process: u32,
    pub number: u32,
    pub name: Option<String>,
    pub callbacks: Vec<Callback>,
    /// All callbacks, listed or not.
    pub count: u64,
    pub totals: ThreadTotals,
    pub ended: Option<Ended>,
    /// Remarks on the log, each with the number of callbacks before it.
    pub remarks: Vec<(u64, Remark)>,
    pub more_remarks: u64,
    /// The last events, if the path of the last callback was not kept whole.
    pub tail: Option<Window>,
}

/// Something about the log of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Remark {
    /// A part is missing.
    Missing(String),
    /// A part is there and was not decoded.
    Refused(String),
    /// What follows is decoded, with less certainty.
    Doubt(String),
}

/// A place in a thread: the lane and the number of the callback, from 1; 0 before the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct At {
    pub lane: u32,
    pub callback: u64,
}

/// Exceptions that were thrown in the same blocks and caught in the same one.
#[derive(Debug)]
pub(super) struct Thrown {
    pub from: Vec<BlockNo>,
    /// The handler; `None`: it left the app's code.
    pub to: Option<BlockNo>,
    pub count: u64,
    pub first: At,
    /// Methods that it ended the first time, innermost first, and how many there were.
    pub ended: Vec<MethodId>,
    pub dropped: usize,
    pub window: Option<Window>,
}

/// An exception with which the log of a thread ends.
#[derive(Debug)]
struct Ending {
    /// Position of the process, and of the exception's kind.
    process: usize,
    thrown: usize,
    at: At,
    /// What led there.
    window: Option<Window>,
    last: LastThrow,
}

/// An exception that ended its thread, or may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crash<'f> {
    pub outcome: Outcome,
    pub at: At,
    pub window: Option<&'f Window>,
}

/// One way of a decision.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Way {
    pub count: u64,
    pub first: At,
}

/// A process of the logs.
#[derive(Debug)]
pub(super) struct ProcessFacts {
    pub name: String,
    pub pid: u32,
    pub start_ms: u64,
    pub files: Vec<String>,
    pub refused: u64,
    pub cut: u64,
}

/// Counts what runs, and remembers where.
#[derive(Debug)]
pub struct Facts<'p, 'm> {
    program: &'p Program<'m>,
    pub(super) counts: Counts<'p, 'm>,
    /// Where each way of a branch was taken first.
    pub(super) firsts: Vec<At>,
    pub(super) slots: Vec<Vec<Way>>,
    pub(super) next_callbacks: Vec<Vec<Way>>,
    /// Per call site, as [`Program::calls_of`] counts them: line entries of its block up to it.
    lines: Vec<u32>,
    pub(super) doubtful: HashMap<MethodId, u64>,
    pub(super) thrown: Vec<Thrown>,
    by_place: HashMap<(Option<BlockNo>, usize, Option<BlockNo>), usize>,
    pub(super) more_thrown: u64,
    windows: usize,
    pub(super) processes: Vec<ProcessFacts>,
    pub(super) lanes: Vec<Lane>,
    pub(super) kept: Kept,
    listed: usize,
    tails: usize,
    ring: Ring,
    here: At,
    /// Blocks of the thread so far, and those when its callback began.
    steps: u64,
    began: u64,
    /// The callback is in the list.
    running: bool,
    clock: u64,
    start: u64,
    /// Of the next callback.
    times: Option<Times>,
    /// What all measured times are rounded down to, in µs; 0: none came.
    pub(super) tick_us: u32,
    last_thrown: Option<usize>,
    callers: Arc<Callers>,
    track: ThreadTrack,
    /// Of each process.
    tracks: Vec<ProcessTrack>,
    endings: Vec<Ending>,
}

impl<'p, 'm> Facts<'p, 'm> {
    pub(super) fn new(program: &'p Program<'m>) -> Self {
        let map = program.map;
        let blocks = map.methods.iter().flat_map(|m| &m.blocks);
        let lines = blocks
            .flat_map(|b| b.calls.iter().map(|c| b.lines.partition_point(|l| l.0 <= c.pc) as u32));
        let callers = Callers::new(map);
        let slots = || map.slots.iter().map(|s| vec![Way::default(); s.freqs.len()]).collect();
        let counts = Counts::new(program);
        Facts {
            program,
            firsts: vec![At::default(); counts.ways().len()],
            counts,
            slots: slots(),
            next_callbacks: slots(),
            lines: lines.collect(),
            doubtful: HashMap::new(),
            thrown: Vec::new(),
            by_place: HashMap::new(),
            more_thrown: 0,
            windows: 0,
            processes: Vec::new(),
            lanes: Vec::new(),
            kept: Kept::default(),
            listed: 0,
            tails: 0,
            ring: Ring::new(),
            here: At::default(),
            steps: 0,
            began: 0,
            running: false,
            clock: 0,
            start: 0,
            times: None,
            tick_us: 0,
            last_thrown: None,
            track: ThreadTrack::new(callers.clone()),
            callers,
            tracks: Vec::new(),
            endings: Vec::new(),
        }
    }

    /// A process begins: the threads that follow are its own.
    pub fn process(&mut self, process: &Process) {
        self.tracks.push(ProcessTrack::default());
        self.processes.push(ProcessFacts {
            name: process.name.clone(),
            pid: process.pid,
            start_ms: process.start_ms,
            files: process.sources.clone(),
            refused: process.refused.threads.into(),
            cut: process.refused.cut.into(),
        });
    }

    /// A thread begins: the events that follow are its own.
    pub fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.here = At { lane: self.lanes.len() as u32, callback: 0 };
        self.lanes.push(Lane {
            process: self.processes.len().saturating_sub(1) as u32,
            number: thread.number,
            name: thread.name.clone(),
            callbacks: Vec::new(),
            count: 0,
            totals: ThreadTotals::default(),
            ended: None,
            remarks: Vec::new(),
            more_remarks: 0,
            tail: None,
        });
        (self.clock, self.start) = (process.start_ms, process.start_ms);
        self.counts.drop_all();
        self.ring.clear();
        self.last_thrown = None;
        self.track = ThreadTrack::new(self.callers.clone());
        self.track.describe(thread);
    }

    /// The thread ends.
    pub fn thread_ends(&mut self, totals: ThreadTotals) {
        let (window, depth) = (&self.ring, self.counts.stack().len());
        let track = std::mem::replace(&mut self.track, ThreadTrack::new(self.callers.clone()));
        if let Some(process) = self.tracks.len().checked_sub(1)
            && let Some(last) = self.tracks[process].add(track)
            && let Some(thrown) = self.last_thrown
            && depth == 0
            && self.endings.len() < EXCEPTIONS
        {
            // What led to a crash is wanted more than what led to the same exception before.
            let is_kept = self.thrown[thrown].window.is_some() && self.endings.len() < WINDOWS;
            let window = is_kept.then(|| window.window(depth));
            self.endings.push(Ending { process, thrown, at: self.here, window, last });
        }
        let lane = self.lanes.last_mut().expect("a thread began");
        lane.totals = totals;
        let whole = !self.running && lane.callbacks.last().is_none_or(|c| c.whole);
        if !whole && self.tails < WINDOWS {
            self.tails += 1;
            lane.tail = Some(window.window(depth));
        }
        self.end_callback();
        self.counts.thread_ends(&totals);
    }

    /// By position in `thrown`: exceptions that ended their threads, or may have. Of several of one
    /// kind, the last of those that did so most certainly.
    pub(super) fn crashes(&self) -> HashMap<usize, Crash<'_>> {
        let mut found: HashMap<usize, Crash<'_>> = HashMap::new();
        for ending in &self.endings {
            let outcome = self.tracks[ending.process].outcome(&self.callers, &ending.last);
            let known = found.get(&ending.thrown).map_or(Outcome::Open, |c| c.outcome);
            if outcome >= known {
                let window = ending.window.as_ref();
                found.insert(ending.thrown, Crash { outcome, at: ending.at, window });
            }
        }
        found
    }

    /// A top-level callback begins.
    fn begin_callback(&mut self, method: MethodId, ms: u32) {
        self.track.callback(method);
        let took = Took::of(self.times.take());
        self.end_callback();
        self.clock = self.clock.saturating_add(ms.into());
        let lane = self.lanes.last_mut().expect("a thread began");
        lane.count += 1;
        self.here.callback = lane.count;
        if self.listed < CALLBACKS {
            self.listed += 1;
            self.running = true;
            self.began = self.steps;
            let start = u32::try_from(self.clock - self.start).unwrap_or(u32::MAX);
            let path = self.kept.begin();
            let (steps, whole) = (0, false);
            lane.callbacks.push(Callback { method, start, took, steps, path, whole });
        }
    }

    fn end_callback(&mut self) {
        if !std::mem::take(&mut self.running) {
            return;
        }
        let steps = self.steps - self.began;
        if let Some(callback) = self.lanes.last_mut().and_then(|l| l.callbacks.last_mut()) {
            callback.steps = steps;
            callback.whole = self.kept.end(&mut callback.path);
        }
    }

    #[inline]
    fn push(&mut self, event: Event) {
        self.ring.push(event);
        self.kept.push(event);
    }

    fn remark(&mut self, remark: Remark) {
        if let Some(lane) = self.lanes.last_mut() {
            if lane.remarks.len() < REMARKS {
                lane.remarks.push((lane.count, remark));
            } else {
                lane.more_remarks += 1;
            }
        }
    }

    /// An exception ends frames. The handler, if it is in the app, is in the next one.
    fn threw(&mut self, dropped: usize, from: &[BlockNo], to: Option<BlockNo>) {
        let stack = self.counts.stack();
        let left = stack.len().saturating_sub(dropped);
        let key = (from.first().copied(), from.len(), to);
        let known = self.by_place.get(&key).copied();
        let at = match known {
            Some(at) => at,
            None if self.thrown.len() >= EXCEPTIONS => {
                self.more_thrown += 1;
                self.last_thrown = None;
                return;
            }
            None => {
                let window = (self.windows < WINDOWS).then(|| self.ring.window(left));
                self.windows += 1;
                let ended = stack[left..].iter().rev().map(|f| f.method);
                self.thrown.push(Thrown {
                    from: from.to_vec(),
                    to,
                    count: 0,
                    first: self.here,
                    ended: ended.take(CHAIN).collect(),
                    dropped,
                    window,
                });
                self.by_place.insert(key, self.thrown.len() - 1);
                self.thrown.len() - 1
            }
        };
        self.thrown[at].count += 1;
        self.last_thrown = Some(at);
    }

    /// A method is called: how many line entries of the caller's block come before the call.
    #[inline]
    fn call(&mut self, method: MethodId, via: Via) -> u32 {
        match (self.counts.call(method, via), self.counts.stack().last()) {
            (Some(call), _) => self.lines[call],
            (None, Some(caller)) => lines_before_next(self.program, &caller.progress),
            (None, None) => 0,
        }
    }

    fn took(way: &mut Way, here: At) {
        if way.count == 0 {
            way.first = here;
        }
        way.count += 1;
    }

    /// A way of a branch is taken.
    #[inline]
    fn goes(&mut self, block: BlockNo, alternative: usize) {
        let way = self.counts.way(block, alternative);
        if self.counts.ways()[way] == 0 {
            self.firsts[way] = self.here;
        }
    }
}

/// The same for a callback: it came somewhere before the next call that is recorded.
#[cold]
fn lines_before_next(program: &Program<'_>, progress: &Progress) -> u32 {
    let lines = progress.block(program).map_or(&[][..], |b| &b.lines);
    let next = progress.next_call(program);
    next.map_or(lines.len(), |pc| lines.partition_point(|l| l.0 < pc)) as u32
}

impl PathSink for Facts<'_, '_> {
    fn times(&mut self, times: Times) {
        self.times = Some(times);
        self.track.times(times);
        if times.end_us.is_some() {
            self.tick_us = times.tick_us;
        }
    }

    #[inline]
    fn enter(&mut self, method: MethodId, via: Via) {
        if let Via::TopLevel(ms) = via {
            self.begin_callback(method, ms);
        }
        let lines = self.call(method, via);
        let outside = matches!(via, Via::Callback | Via::TopLevel(_));
        self.push(Event::enter(method.0, outside, lines));
        self.counts.push(method);
    }

    #[inline]
    fn leaf(&mut self, method: MethodId, block: BlockNo) {
        if self.counts.stack().is_empty() {
            self.enter(method, Via::Call);
            self.block(block);
            return self.leave();
        }
        let lines = self.call(method, Via::Call);
        self.counts.leaf_block(block);
        self.steps += 1;
        self.push(Event::enter(method.0, false, lines));
        self.push(Event::block(block.0));
        self.push(Event::leave());
    }

    #[inline]
    fn block(&mut self, block: BlockNo) {
        self.counts.block(block);
        self.steps += 1;
        self.push(Event::block(block.0));
    }

    #[inline]
    fn decision(&mut self, what: Decision, alternative: usize) {
        let here = self.here;
        match what {
            Decision::Branch(block) => self.goes(block, alternative),
            Decision::Slot(slot) => {
                Self::took(&mut self.slots[slot.0 as usize][alternative], here);
            }
            Decision::NextCallback(SlotId(slot)) => {
                // It stands before the callback that it announces.
                let here = At { callback: here.callback + 1, ..here };
                Self::took(&mut self.next_callbacks[slot as usize][alternative], here);
            }
        }
        self.counts.decision(what, alternative);
    }

    fn rounds(&mut self, branch: BlockNo, stay: usize, cycle: &[BlockNo], times: u32) {
        self.goes(branch, stay);
        self.counts.rounds(branch, stay, cycle, times);
        let steps = u64::from(times).saturating_mul(cycle.len() as u64);
        self.steps = self.steps.saturating_add(steps);
        cycle.iter().for_each(|block| self.push(Event::block(block.0)));
        if times > 1 {
            self.push(Event::again(cycle.len() as u32, times - 1));
        }
    }

    #[inline]
    fn leave(&mut self) {
        self.push(Event::leave());
        self.counts.leave();
        if self.counts.stack().is_empty() {
            self.end_callback();
        }
    }

    fn caught(&mut self, dropped: usize, _handler: HandlerId, block: BlockNo, from: &[BlockNo]) {
        self.push(Event::caught(dropped as u32, block.0));
        self.threw(dropped, from, Some(block));
        self.counts.threw(dropped, true);
        self.block(block);
    }

    fn unwound(&mut self, dropped: usize, from: &[BlockNo]) {
        self.push(Event::unwound(dropped as u32));
        self.threw(dropped, from, None);
        self.counts.threw(dropped, false);
        if self.counts.stack().is_empty() {
            self.track.left();
            self.end_callback();
        }
    }

    fn doubtful(&mut self, method: MethodId, _depth: usize) {
        *self.doubtful.entry(method).or_default() += 1;
        self.push(Event::doubtful(method.0));
        let map = self.program.map;
        let name = map.method_key(&map.methods[method.0 as usize - 1]);
        let text = format!("{} may have ended earlier than shown", visible(&name));
        self.remark(Remark::Doubt(text));
    }
}

impl ThreadSink for Facts<'_, '_> {
    fn note(&mut self, note: Note) {
        let remark = match note {
            Note::Late => Remark::Missing("the thread ran before, unrecorded".into()),
            Note::Gap { from, to } if from >= to => Remark::Missing("the log breaks off".into()),
            Note::Gap { from, to } => Remark::Missing(format!("{} slabs are missing", to - from)),
            Note::Skipped { bytes: 0 } => return,
            Note::Skipped { bytes } => Remark::Missing(format!("{bytes} bytes cannot be decoded")),
            Note::Faulty(fault) => Remark::Refused(visible(&fault.to_string()).into_owned()),
            Note::Resumed { time_ms } => {
                self.end_callback();
                self.counts.drop_all();
                self.clock = self.start.saturating_add(time_ms.into());
                Remark::Missing("decoding goes on here".into())
            }
            Note::Inside { at, .. } => Remark::Missing(inside(self.program, at)),
            Note::Below => Remark::Missing(BELOW.into()),
            Note::Unproven => Remark::Doubt("no check has proven what follows".into()),
            Note::Ended(ended) => {
                if let Some(lane) = self.lanes.last_mut() {
                    lane.ended = Some(ended);
                }
                return;
            }
        };
        self.remark(remark);
    }
}

impl Facts<'_, '_> {
    /// Decisions of all kinds.
    pub(super) fn decisions(&self) -> u64 {
        let others = self.slots.iter().chain(&self.next_callbacks).flatten().map(|way| way.count);
        self.counts.ways().iter().copied().chain(others).fold(0, u64::saturating_add)
    }
}
