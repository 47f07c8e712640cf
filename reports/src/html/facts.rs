//! Results of a pass besides the call tree: counters per block and per alternative of each
//! decision, callbacks, exceptions, and remarks on gaps and damage.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use decoder::log::{Process, ThreadLog};
use decoder::replay::{
    BlockNo, Decision, Ended, LoopRounds, PathEvent, PathSink, Program, SendEvents, Times, Via,
};
use decoder::session::{Note, ThreadTotals};
use decoder::uncaught::{Callers, ExceptionOutcome, LastThrow, ProcessTrack, ThreadTrack};
use model::exit_note::ProcessExit;
use model::map::{MethodId, OriginId, SlotId};

use super::PageOptions;
use super::events::{Event, LastEvents, Ring};
use super::paths::KeptPaths;
use crate::base::counts::Counts;
use crate::base::escape::visible;
use crate::base::exit::settled;
use crate::base::progress::Progress;
use crate::base::remarks::{BELOW, inside};
use model::nouns::{counted, there_are};

/// Callbacks that are listed one by one; the others are only in the tree and in the counts.
const CALLBACKS: usize = 1_000_000;
/// Maximum number of distinct exceptions.
const EXCEPTIONS: usize = 10_000;
/// Maximum number of kept event windows: for exceptions, and for ends of threads.
const WINDOWS: usize = 200;
/// Maximum number of remarks kept per thread.
const REMARKS: usize = 200;
/// Maximum number of method names kept of the frames that an exception ended.
const CHAIN: usize = 64;

/// A top-level callback.
#[derive(Debug, Clone, Copy)]
pub(super) struct Callback {
    pub method: MethodId,
    /// Start, in ms since the start of the process.
    pub start: u32,
    took: Took,
    pub steps: u64,
}

impl Callback {
    /// Duration in µs, at most 71 minutes; `None` if the log does not contain it.
    pub fn took_us(&self) -> Option<u32> {
        self.took.0.map(|us| us.get() - 1)
    }
}

/// Microseconds plus one, or `None` if unknown: packed into four bytes, as there are many.
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
    /// Origins of callbacks, by index in `callbacks`.
    pub origins: Vec<(u32, OriginId)>,
    /// Number of all callbacks, also of those not listed.
    pub count: u64,
    pub totals: ThreadTotals,
    pub ended: Option<Ended>,
    /// Remarks on the log, each with the number of callbacks before the remark.
    pub remarks: Vec<(u64, Remark)>,
    pub more_remarks: u64,
    /// The last events, if the path of the last callback was not kept completely.
    pub tail: Option<LastEvents>,
}

/// Remark on the log of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Remark {
    /// A range of the log is missing.
    Missing(String),
    /// A range of the log is present and was not decoded.
    Refused(String),
    /// From here on decoding is less certain.
    Doubt(String),
}

/// A callback: its lane, and its number in the lane from 1 (0: before the first callback).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CallbackRef {
    pub lane: u32,
    pub callback: u64,
}

/// Exceptions thrown in the same blocks and caught in the same block.
#[derive(Debug)]
pub(super) struct Thrown {
    pub from: Vec<BlockNo>,
    /// For each of `from`, line entries that can have thrown, ascending; `None` if the map has no
    /// bits for the block.
    pub entries: Vec<Option<Vec<usize>>>,
    /// The handler; `None` if the exception left the app's code.
    pub to: Option<BlockNo>,
    pub count: u64,
    /// Per process that it was thrown in: the process, how often, and the last time.
    pub by_process: Vec<(u32, u64, CallbackRef)>,
    pub first: CallbackRef,
    /// Methods that the exception ended the first time, innermost first; `dropped` is their number.
    pub ended: Vec<MethodId>,
    pub dropped: usize,
    pub window: Option<LastEvents>,
}

/// An exception that is the last event of a thread's log.
#[derive(Debug)]
struct Ending {
    /// Index of the process; `thrown` is the index of the exception's kind.
    process: usize,
    thrown: usize,
    at: CallbackRef,
    /// The last events before the exception.
    window: Option<LastEvents>,
    last: LastThrow,
}

/// An exception that ended its thread, or may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crash<'f> {
    pub outcome: ExceptionOutcome,
    pub at: CallbackRef,
    pub window: Option<&'f LastEvents>,
}

/// Use of one alternative of a decision.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AlternativeUse {
    pub count: u64,
    pub first: CallbackRef,
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
    /// Its end.
    pub exit: Option<ProcessExit>,
}

/// Counts what runs, and records where.
#[derive(Debug)]
pub struct Facts<'p, 'm> {
    pub(super) program: &'p Program<'m>,
    pub(super) counts: Counts<'p, 'm>,
    /// First use of each alternative of a branch.
    pub(super) firsts: Vec<CallbackRef>,
    pub(super) slots: Vec<Vec<AlternativeUse>>,
    pub(super) next_callbacks: Vec<Vec<AlternativeUse>>,
    /// For each call site, numbered as by [`Program::calls_of`]: line entries of its block before
    /// it.
    lines: Vec<u32>,
    pub(super) doubtful: HashMap<MethodId, u64>,
    pub(super) thrown: Vec<Thrown>,
    by_place: HashMap<(Option<BlockNo>, usize, Option<BlockNo>), usize>,
    pub(super) more_thrown: u64,
    windows: usize,
    pub(super) processes: Vec<ProcessFacts>,
    pub(super) lanes: Vec<Lane>,
    pub(super) kept: KeptPaths,
    listed: usize,
    tails: usize,
    ring: Ring,
    here: CallbackRef,
    /// Number of blocks of the thread so far; `began` is the number when its callback began.
    steps: u64,
    began: u64,
    /// True if the running callback is in the list.
    running: bool,
    /// True if the path of the last listed callback was kept whole.
    last_is_whole: bool,
    clock: u64,
    start: u64,
    /// Times of the next callback.
    times: Option<Times>,
    /// Resolution of all measured times in µs; 0 if none was measured.
    pub(super) tick_us: u32,
    last_thrown: Option<usize>,
    callers: Arc<Callers>,
    track: ThreadTrack,
    /// One track per process.
    tracks: Vec<ProcessTrack>,
    endings: Vec<Ending>,
}

impl<'p, 'm> Facts<'p, 'm> {
    pub(super) fn new(program: &'p Program<'m>, options: &PageOptions) -> Self {
        let map = program.map;
        let blocks = map.methods.iter().flat_map(|m| &m.blocks);
        let lines = blocks
            .flat_map(|b| b.calls.iter().map(|c| b.lines.partition_point(|l| l.0 <= c.pc) as u32));
        let callers = Callers::new(map);
        let slots =
            || map.slots.iter().map(|s| vec![AlternativeUse::default(); s.freqs.len()]).collect();
        let counts = Counts::new(program);
        Facts {
            program,
            firsts: vec![CallbackRef::default(); counts.ways().len()],
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
            kept: KeptPaths::new(options.size, options.sessions),
            listed: 0,
            tails: 0,
            ring: Ring::new(),
            here: CallbackRef::default(),
            steps: 0,
            began: 0,
            running: false,
            last_is_whole: true,
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

    /// Begins a process: the threads that follow belong to it.
    pub fn process(&mut self, process: &Process) {
        self.kept.process();
        self.tracks.push(ProcessTrack::default());
        self.processes.push(ProcessFacts {
            name: process.name.clone(),
            pid: process.pid,
            start_ms: process.start_ms,
            files: process.sources.clone(),
            refused: process.refused.threads.into(),
            cut: process.refused.cut.into(),
            exit: process.exit,
        });
    }

    /// Begins a thread: the events that follow belong to it.
    pub fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.here = CallbackRef { lane: self.lanes.len() as u32, callback: 0 };
        self.lanes.push(Lane {
            process: self.processes.len().saturating_sub(1) as u32,
            number: thread.number,
            name: thread.name.clone(),
            origins: Vec::new(),
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
        self.last_is_whole = true;
        self.last_thrown = None;
        self.track = ThreadTrack::new(self.callers.clone());
        self.track.describe(thread);
    }

    /// Ends the current thread.
    pub fn thread_ends(&mut self, totals: ThreadTotals) {
        let (window, depth) = (&self.ring, self.counts.stack().len());
        let track = std::mem::replace(&mut self.track, ThreadTrack::new(self.callers.clone()));
        let endings = self.endings.len();
        if let Some(process) = self.tracks.len().checked_sub(1)
            && let Some(last) = self.tracks[process].add(track)
            && let Some(thrown) = self.last_thrown
            && depth == 0
            && self.endings.len() < EXCEPTIONS
        {
            // The window of a crash is worth more than that of an earlier equal exception.
            let is_kept = self.thrown[thrown].window.is_some() && self.endings.len() < WINDOWS;
            let window = is_kept.then(|| window.window(depth));
            self.endings.push(Ending { process, thrown, at: self.here, window, last });
        }
        let threw = self.endings.len() > endings;
        let lane = self.lanes.last_mut().expect("a thread began");
        lane.totals = totals;
        let whole = !self.running && self.last_is_whole;
        if !whole && self.tails < WINDOWS {
            self.tails += 1;
            lane.tail = Some(window.window(depth));
        }
        self.end_callback();
        self.kept.thread_ends(self.here.lane, threw);
        self.counts.thread_ends(&totals);
    }

    /// Returns, by index in `thrown`, the exceptions that ended their threads or may have. Of
    /// several equal exceptions the most certain crash is returned, and the last of equally certain
    /// ones.
    pub(super) fn crashes(&self) -> HashMap<usize, Crash<'_>> {
        let mut found: HashMap<usize, Crash<'_>> = HashMap::new();
        for ending in &self.endings {
            let outcome = self.outcome(ending);
            let known = found.get(&ending.thrown).map_or(ExceptionOutcome::Open, |c| c.outcome);
            if outcome >= known {
                let window = ending.window.as_ref();
                found.insert(ending.thrown, Crash { outcome, at: ending.at, window });
            }
        }
        found
    }

    /// Returns every exception that ended its thread, or may have: the process, the index in
    /// `thrown`, the callback, and true if it ended the thread for certain.
    pub(super) fn ended_threads(&self) -> Vec<(usize, usize, CallbackRef, bool)> {
        let all = self.endings.iter().map(|e| (e, self.outcome(e)));
        all.filter(|(_, outcome)| *outcome != ExceptionOutcome::Kept)
            .map(|(e, outcome)| (e.process, e.thrown, e.at, outcome == ExceptionOutcome::Ended))
            .collect()
    }

    /// Returns the fate of an exception.
    fn outcome(&self, ending: &Ending) -> ExceptionOutcome {
        let outcome = self.tracks[ending.process].outcome(&self.callers, &ending.last);
        settled(outcome, self.processes[ending.process].exit.as_ref())
    }

    /// Begins a top-level callback.
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
            self.kept.begin(lane.count, start);
            lane.callbacks.push(Callback { method, start, took, steps: 0 });
        }
    }

    fn end_callback(&mut self) {
        if !std::mem::take(&mut self.running) {
            return;
        }
        let steps = self.steps - self.began;
        if let Some(callback) = self.lanes.last_mut().and_then(|l| l.callbacks.last_mut()) {
            callback.steps = steps;
            self.last_is_whole = self.kept.end();
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

    /// Records how far the block that threw came for certain, where the page cannot infer it from
    /// the calls.
    fn reached(&mut self) {
        let innermost = self.counts.stack().last().map(|frame| frame.progress);
        if let Some(progress) = innermost.filter(|progress| progress.is_exact(self.program)) {
            self.push(Event::reached(certain_lines(self.program, &progress)));
        }
    }

    /// Records an exception that ends frames. The event after it names the handler, if there is one
    /// in the app.
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
                    entries: vec![None; from.len()],
                    to,
                    count: 0,
                    by_process: Vec::new(),
                    first: self.here,
                    ended: ended.take(CHAIN).collect(),
                    dropped,
                    window,
                });
                self.by_place.insert(key, self.thrown.len() - 1);
                self.thrown.len() - 1
            }
        };
        let process = self.processes.len().saturating_sub(1) as u32;
        let thrown = &mut self.thrown[at];
        thrown.count += 1;
        for (&block, entries) in thrown.from.iter().zip(&mut thrown.entries) {
            let here = stack.last().map(|frame| frame.progress).unwrap_or_default();
            let found = here.candidate_lines(self.program, block);
            if found.is_exact {
                let all = entries.get_or_insert_default();
                all.extend(found.entries);
                all.sort_unstable();
                all.dedup();
            }
        }
        match thrown.by_process.last_mut().filter(|last| last.0 == process) {
            Some((_, count, last)) => (*count, *last) = (*count + 1, self.here),
            None => thrown.by_process.push((process, 1, self.here)),
        }
        self.last_thrown = Some(at);
    }

    /// Records a call, and returns the number of line entries in the caller's block before it.
    #[inline]
    fn call(&mut self, method: MethodId, via: Via) -> u32 {
        match (self.counts.call(method, via), self.counts.stack().last()) {
            (Some(call), _) => self.lines[call],
            (None, Some(caller)) => certain_lines(self.program, &caller.progress),
            (None, None) => 0,
        }
    }

    fn took(way: &mut AlternativeUse, here: CallbackRef) {
        if way.count == 0 {
            way.first = here;
        }
        way.count += 1;
    }

    /// Records that a branch takes an alternative.
    #[inline]
    fn goes(&mut self, block: BlockNo, alternative: usize) {
        let way = self.counts.way(block, alternative);
        if self.counts.ways()[way] == 0 {
            self.firsts[way] = self.here;
        }
    }
}

/// Returns the number of line entries that the frame's block came to for certain: a callback came
/// somewhere between there and the next recorded call.
#[cold]
fn certain_lines(program: &Program<'_>, progress: &Progress) -> u32 {
    progress.certain_lines_at_event(program) as u32
}

impl PathSink for Facts<'_, '_> {
    #[inline(always)]
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => {
                self.times = Some(times);
                self.track.times(times);
                if times.end_us.is_some() {
                    self.tick_us = times.tick_us;
                }
            }
            PathEvent::Enter { method, via } => self.enter(method, via),
            PathEvent::Origin(origin) if self.running && self.counts.stack().len() == 1 => {
                let lane = self.lanes.last_mut().expect("a thread began");
                lane.origins.push((lane.callbacks.len() as u32 - 1, origin));
            }
            PathEvent::Block(block) => self.block(block),
            PathEvent::Decision { what, alternative } => self.decision(what, alternative),
            PathEvent::Leave => self.leave(),
            PathEvent::Caught { dropped, block, from, .. } => {
                self.reached();
                self.push(Event::caught(dropped as u32, block.0));
                self.threw(dropped, from, Some(block));
                self.counts.threw(dropped, true);
                self.block(block);
            }
            PathEvent::Unwound { dropped, from } => {
                self.reached();
                self.push(Event::unwound(dropped as u32));
                self.threw(dropped, from, None);
                self.counts.threw(dropped, false);
                if self.counts.stack().is_empty() {
                    self.track.left();
                    self.end_callback();
                }
            }
            PathEvent::Doubtful { method, .. } => {
                *self.doubtful.entry(method).or_default() += 1;
                self.push(Event::doubtful(method.0));
                let map = self.program.map;
                let name = map.method_key(&map.methods[method.0 as usize - 1]);
                let text = format!("{} may have ended earlier than shown", visible(&name));
                self.remark(Remark::Doubt(text));
            }
            PathEvent::Note(note) => self.note(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { branch, stay, cycle, times } = rounds;
        self.goes(branch, stay);
        self.counts.rounds(rounds);
        let steps = u64::from(times).saturating_mul(cycle.len() as u64);
        self.steps = self.steps.saturating_add(steps);
        cycle.iter().for_each(|block| self.push(Event::block(block.0)));
        if times > 1 {
            self.push(Event::again(cycle.len() as u32, times - 1));
        }
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
}

impl Facts<'_, '_> {
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
                // The decision precedes the callback that it announces.
                let here = CallbackRef { callback: here.callback + 1, ..here };
                Self::took(&mut self.next_callbacks[slot as usize][alternative], here);
            }
        }
        self.counts.decision(what, alternative);
    }

    #[inline]
    fn leave(&mut self) {
        self.push(Event::leave());
        self.counts.leave();
        if self.counts.stack().is_empty() {
            self.end_callback();
        }
    }

    fn note(&mut self, note: Note) {
        let remark = match note {
            Note::Late => Remark::Missing("the thread ran before, unrecorded".into()),
            Note::Gap { from, to } if from >= to => Remark::Missing("the log breaks off".into()),
            Note::Gap { from, to } => {
                Remark::Missing(format!("{} missing", there_are(to - from, "slab")))
            }
            Note::Skipped { bytes: 0 } => return,
            Note::Skipped { bytes } => {
                Remark::Missing(format!("{} cannot be decoded", counted(bytes, "byte")))
            }
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
    /// Returns the number of decisions of all kinds.
    pub(super) fn decisions(&self) -> u64 {
        let others = self.slots.iter().chain(&self.next_callbacks).flatten().map(|way| way.count);
        self.counts.ways().iter().copied().chain(others).fold(0, u64::saturating_add)
    }
}
