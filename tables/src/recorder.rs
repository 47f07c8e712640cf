//! The sink of a session: one pass over its paths counts for all tables and for the model.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use decoder::log::ThreadLog;
use decoder::replay::{BlockNo, Decision, Ended, LoopRounds, PathEvent, PathSink, Times, Via};
use decoder::session::Note;
use decoder::uncaught::{Callers, ExceptionOutcome, LastThrow, ProcessTrack, ThreadTrack};
use model::identities::mix;
use model::map::{MethodId, SlotId};

use crate::build::TableBuild;
use crate::calls::Calls;
use crate::counts::DenseCounts;
use crate::rows::{CallbackRow, Thrown, ThrownAt};

/// Decisions between two looks at the clock.
const TICK: u64 = 1 << 18;

/// Limits on the cost of a session.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Branches decided.
    pub decisions: u64,
    /// Time to decode it.
    pub time: Duration,
}

/// A top-level callback that is running.
#[derive(Debug, Clone, Copy)]
struct OpenCallback {
    method: MethodId,
    times: Option<Times>,
}

/// Counts what a session does. Empty between two sessions ([`Recorder::begin`]).
#[derive(Debug)]
pub(crate) struct Recorder<'b, 'm> {
    pub(crate) build: &'b TableBuild<'m>,
    limits: Limits,
    began: Instant,
    /// True if each callback is a row.
    pub(crate) lists_callbacks: bool,
    pub(crate) thread: u32,
    frames: Vec<MethodId>,
    open: Option<OpenCallback>,
    times: Option<Times>,
    /// Edges of this callback, and of those before.
    now: DenseCounts,
    pub(crate) edges: DenseCounts,
    steps: u64,
    next_tick: u64,
    pub(crate) decisions: u64,
    full: bool,
    pub(crate) slots: DenseCounts,
    pub(crate) announced: DenseCounts,
    pub(crate) trips: HashMap<(u32, u32), u64>,
    pub(crate) tops: HashMap<(Option<MethodId>, MethodId), u64>,
    /// (slot of a next-callback distribution, alternative)
    pub(crate) next_callbacks: HashMap<(u32, u32), u64>,
    /// Frequencies under distributions that adapt.
    pub(crate) adapted: HashMap<u16, u64>,
    last_top: Option<MethodId>,
    pub(crate) calls: Calls,
    pub(crate) exceptions: HashMap<Thrown, u64>,
    pub(crate) paths: HashMap<(u32, u64), (u64, u64)>,
    pub(crate) callbacks: Vec<CallbackRow>,
    pub(crate) callbacks_begun: u64,
    callers: Arc<Callers>,
    track: ThreadTrack,
    threads: ProcessTrack,
    /// Of this thread: where the last exception that left the app was thrown.
    left: Option<ThrownAt>,
    /// Of the threads before: exceptions with which their logs end.
    lasts: Vec<(ThrownAt, LastThrow)>,
    pub(crate) skipped: u64,
    pub(crate) is_stopped: bool,
    pub(crate) is_cut: bool,
    pub(crate) is_unknown: bool,
}

impl<'b, 'm> Recorder<'b, 'm> {
    pub(crate) fn new(build: &'b TableBuild<'m>, limits: Limits, lists_callbacks: bool) -> Self {
        let callers = Callers::new(build.program.map);
        Recorder {
            build,
            limits,
            began: Instant::now(),
            lists_callbacks,
            thread: 0,
            frames: Vec::new(),
            open: None,
            times: None,
            now: DenseCounts::new(build.edges.len()),
            edges: DenseCounts::new(build.edges.len()),
            steps: 0,
            next_tick: TICK,
            decisions: 0,
            full: false,
            slots: DenseCounts::new(build.cells.len()),
            announced: DenseCounts::new(build.program.map.methods.len()),
            trips: HashMap::new(),
            tops: HashMap::new(),
            next_callbacks: HashMap::new(),
            adapted: HashMap::new(),
            last_top: None,
            calls: Calls::new(),
            exceptions: HashMap::new(),
            paths: HashMap::new(),
            callbacks: Vec::new(),
            callbacks_begun: 0,
            track: ThreadTrack::new(callers.clone()),
            callers,
            threads: ProcessTrack::default(),
            left: None,
            lasts: Vec::new(),
            skipped: 0,
            is_stopped: false,
            is_cut: false,
            is_unknown: false,
        }
    }

    /// From now on time counts.
    pub(crate) fn start_clock(&mut self) {
        self.began = Instant::now();
    }

    /// A session begins. Whatever is left of the last one is forgotten.
    pub(crate) fn begin(&mut self) {
        self.break_off();
        self.track = ThreadTrack::new(self.callers.clone());
        self.threads = ProcessTrack::default();
        self.lasts.clear();
        self.edges.drain(|_, _| {});
        self.slots.drain(|_, _| {});
        self.announced.drain(|_, _| {});
        self.calls.take();
        self.trips.clear();
        self.tops.clear();
        self.next_callbacks.clear();
        self.adapted.clear();
        self.exceptions.clear();
        self.paths.clear();
        self.callbacks.clear();
        (self.decisions, self.steps, self.next_tick, self.callbacks_begun) = (0, 0, TICK, 0);
        (self.left, self.skipped) = (None, 0);
        (self.is_stopped, self.is_cut, self.is_unknown) = (false, false, false);
        self.full = false;
    }

    /// The thread's log ends.
    pub(crate) fn end_thread(&mut self, log: &ThreadLog) {
        self.break_off();
        self.track.describe(log);
        let track = std::mem::replace(&mut self.track, ThreadTrack::new(self.callers.clone()));
        let last = self.threads.add(track);
        self.lasts.extend(self.left.take().zip(last));
    }

    /// Position of the exception that ended a thread or, if there is none, of one that may have
    /// ended a thread; of several, that of the first thread.
    pub(crate) fn thrown(&self) -> Option<ThrownAt> {
        let outcome = |last: &LastThrow| self.threads.outcome(&self.callers, last);
        let with = |wanted| self.lasts.iter().find(|(_, last)| outcome(last) == wanted);
        with(ExceptionOutcome::Ended).or_else(|| with(ExceptionOutcome::Open)).map(|(at, _)| *at)
    }

    /// Nothing is known of what follows, or nothing does.
    fn break_off(&mut self) {
        self.close(false);
        self.frames.clear();
        self.last_top = None;
        self.times = None;
    }

    /// The callback that is running ends, if there is one; or what follows is not known.
    fn close(&mut self, is_whole: bool) {
        let steps = std::mem::take(&mut self.steps);
        let (edges, all) = (&self.build.edges, &mut self.edges);
        let mut shape = 0_u64;
        self.now.drain(|edge, n| {
            shape = shape.wrapping_add(mix(edges[edge as usize].hash, n.ilog2().into()));
            all.add(edge, n);
        });
        self.decisions = self.decisions.saturating_add(steps);
        self.next_tick = TICK;
        let Some(OpenCallback { method, times }) = self.open.take() else { return };
        let shape = is_whole.then(|| shape.wrapping_add(mix(self.build.method(method), 6)));
        if let Some(shape) = shape {
            let path = self.paths.entry((method.0, shape)).or_default();
            path.0 += 1;
            path.1 = path.1.saturating_add(steps);
        }
        if self.lists_callbacks {
            let start_ms = times.map_or(0, |t| t.begin_us / 1000);
            let took_us = times.and_then(|t| t.took_us());
            let thread = self.thread;
            self.callbacks.push(CallbackRow { thread, method, start_ms, took_us, steps, shape });
        }
    }

    #[inline]
    fn step(&mut self, edge: u32, n: u64) {
        self.now.add(edge, n);
        self.steps = self.steps.saturating_add(n);
        if self.steps >= self.next_tick {
            self.tick();
        }
    }

    /// Checks the cost of the session.
    #[cold]
    fn tick(&mut self) {
        self.next_tick = self.steps.saturating_add(TICK);
        self.full |= self.decisions.saturating_add(self.steps) > self.limits.decisions
            || self.began.elapsed() > self.limits.time;
    }

    /// True if the session cost too much.
    pub(crate) fn is_over(&self) -> bool {
        self.full
            || self.decisions > self.limits.decisions
            || self.began.elapsed() > self.limits.time
    }

    /// An exception ended the innermost frames.
    fn thrown_in(&mut self, dropped: usize, from: &[BlockNo], is_unwound: bool) {
        self.frames.truncate(self.frames.len().saturating_sub(dropped));
        let Some(&block) = from.first() else { return };
        let (method, at) = self.build.program.locate(block);
        let of = &self.build.program.map.methods[method.0 as usize - 1];
        let line = of.blocks[at].place().and_then(|place| place.own_line());
        let left = is_unwound && self.frames.is_empty();
        *self.exceptions.entry((method.0, line, left)).or_default() += 1;
        if left {
            self.left = Some((method, line));
            self.track.left();
        }
    }
}

impl PathSink for Recorder<'_, '_> {
    #[inline(always)]
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => {
                self.times = Some(times);
                // The faster of two passes does not know the ends; both decide the same.
                self.track.times(Times { end_us: None, ..times });
            }
            PathEvent::Enter { method, via } => self.enter(method, via),
            PathEvent::Decision { what, alternative } => {
                match what {
                    Decision::Branch(block) => self.step(self.build.edge(block, alternative), 1),
                    Decision::Slot(slot) => self.slots.add(self.build.cell(slot, alternative), 1),
                    // The tables have callbacks by pairs.
                    Decision::NextCallback(SlotId(slot)) => {
                        *self.next_callbacks.entry((slot, alternative as u32)).or_default() += 1;
                    }
                }
            }
            PathEvent::Adapted(freq) => *self.adapted.entry(freq).or_default() += 1,
            PathEvent::Trips { branch: BlockNo(branch), symbol } => {
                *self.trips.entry((branch, symbol as u32)).or_default() += 1;
            }
            PathEvent::Leave => {
                self.frames.pop();
                if self.frames.is_empty() {
                    self.close(true);
                }
            }
            PathEvent::Caught { dropped, from, .. } => self.thrown_in(dropped, from, false),
            PathEvent::Unwound { dropped, from } => {
                self.thrown_in(dropped, from, true);
                if self.frames.is_empty() {
                    self.close(true);
                }
            }
            PathEvent::Note(note) => self.note(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { branch, stay, times, .. } = rounds;
        if times > 0 {
            self.step(self.build.edge(branch, stay), times.into());
        }
    }

    #[inline]
    fn leaf(&mut self, method: MethodId, _block: BlockNo) {
        self.calls.add(self.frames.last().map_or(0, |m| m.0), method.0);
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.full
    }
}

impl Recorder<'_, '_> {
    fn enter(&mut self, method: MethodId, via: Via) {
        let mut caller = self.frames.last().map_or(0, |m| m.0);
        match via {
            Via::TopLevel(_) => {
                self.close(false);
                self.frames.clear();
                self.track.callback(method);
                caller = 0;
                self.open = Some(OpenCallback { method, times: self.times.take() });
                self.callbacks_begun += 1;
                *self.tops.entry((self.last_top, method)).or_default() += 1;
                self.last_top = Some(method);
                self.full |= self.decisions > self.limits.decisions;
            }
            Via::Callback => {
                caller = 0;
                self.announced.add(method.0 - 1, 1);
            }
            Via::Call | Via::Implied | Via::Slot(_) => {}
        }
        self.calls.add(caller, method.0);
        self.frames.push(method);
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::Skipped { bytes } => self.skipped = self.skipped.saturating_add(bytes as u64),
            Note::Resumed { .. } | Note::Faulty(_) | Note::Below => self.break_off(),
            Note::Ended(ended) => {
                self.break_off();
                self.is_stopped |= ended == Ended::Stopped;
                self.is_cut |= ended == Ended::Cut;
                self.is_unknown |= ended == Ended::Unknown;
            }
            Note::Late | Note::Gap { .. } | Note::Unproven | Note::Inside { .. } => {}
        }
    }
}
