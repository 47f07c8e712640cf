//! What a pass leaves behind beside the call tree: counters per block and per way of each decision,
//! callbacks, exceptions, and what is known of gaps and damage.

use std::collections::HashMap;
use std::num::NonZeroU32;

use decoder::log::{Process, ThreadLog};
use decoder::replay::{BlockNo, Decision, Ended, PathSink, Program, Times, Via};
use decoder::session::{Note, ThreadSink, ThreadTotals};
use model::map::{HandlerId, MethodId, SlotId, Terminator};

use super::events::{Event, Kept, Ring, Stretch, Window};
use crate::calls::Progress;
use crate::{block_of, visible};

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
    /// Its thread ended with it.
    pub last_of_thread: bool,
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

#[derive(Debug)]
struct Frame {
    method: MethodId,
    progress: Progress,
}

/// Counts what runs.
#[derive(Debug)]
pub struct Facts<'p, 'm> {
    program: &'p Program<'m>,
    /// How often each block began.
    pub(super) blocks: Vec<u64>,
    /// Blocks that an exception or the end of the log cut short, by the address up to which they
    /// ran for certain.
    cuts: HashMap<BlockNo, HashMap<u32, u64>>,
    /// First way of each branch block; `u32::MAX` for other blocks.
    pub(super) first_way: Vec<u32>,
    pub(super) ways: Vec<Way>,
    pub(super) slots: Vec<Vec<Way>>,
    pub(super) next_callbacks: Vec<Vec<Way>>,
    pub(super) calls: Vec<u64>,
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
    stack: Vec<Frame>,
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
}

impl<'p, 'm> Facts<'p, 'm> {
    pub(super) fn new(program: &'p Program<'m>) -> Self {
        let map = program.map;
        let (mut first_way, mut len) = (Vec::new(), 0_u32);
        for b in map.methods.iter().flat_map(|m| &m.blocks) {
            match &b.terminator {
                Terminator::Branch { alternatives, .. } => {
                    first_way.push(len);
                    len += alternatives.len() as u32;
                }
                Terminator::Return | Terminator::Throw | Terminator::Goto(_) => {
                    first_way.push(u32::MAX);
                }
            }
        }
        let blocks = map.methods.iter().flat_map(|m| &m.blocks);
        let lines = blocks
            .flat_map(|b| b.calls.iter().map(|c| b.lines.partition_point(|l| l.0 <= c.pc) as u32));
        let slots = || map.slots.iter().map(|s| vec![Way::default(); s.freqs.len()]).collect();
        Facts {
            program,
            blocks: vec![0; first_way.len()],
            cuts: HashMap::new(),
            first_way,
            ways: vec![Way::default(); len as usize],
            slots: slots(),
            next_callbacks: slots(),
            calls: vec![0; map.methods.len()],
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
            stack: Vec::new(),
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
        }
    }

    /// A process begins: the threads that follow are its own.
    pub fn process(&mut self, process: &Process) {
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
        self.stack.clear();
        self.ring.clear();
        self.last_thrown = None;
    }

    /// The thread ends.
    pub fn thread_ends(&mut self, totals: ThreadTotals) {
        let (window, depth) = (&self.ring, self.stack.len());
        if let (Some(last), true) = (self.last_thrown, self.stack.is_empty())
            && self.ring.last().is_some_and(Event::is_unwound)
        {
            let thrown = &mut self.thrown[last];
            thrown.last_of_thread = true;
            // What led to a crash is wanted more than what led to the same exception before.
            if thrown.window.is_some() {
                thrown.window = Some(window.window(depth));
                thrown.first = self.here;
            }
        }
        let lane = self.lanes.last_mut().expect("a thread began");
        lane.totals = totals;
        let whole = !self.running && lane.callbacks.last().is_none_or(|c| c.whole);
        if !whole && self.tails < WINDOWS {
            self.tails += 1;
            lane.tail = Some(window.window(depth));
        }
        self.end_callback();
        self.cut(0);
        self.stack.clear();
    }

    /// A top-level callback begins.
    fn begin_callback(&mut self, method: MethodId, ms: u32) {
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

    /// Frames from this depth on go no further: their blocks may not have run to the end.
    fn cut(&mut self, from: usize) {
        for frame in self.stack.get(from..).unwrap_or_default() {
            if let (Some(block), Some(pc)) =
                (frame.progress.number(), frame.progress.reached(self.program))
            {
                *self.cuts.entry(block).or_default().entry(pc).or_default() += 1;
            }
        }
    }

    /// An exception ends frames. The handler, if it is in the app, is in the next one.
    fn threw(&mut self, dropped: usize, from: &[BlockNo], to: Option<BlockNo>) {
        let left = self.stack.len().saturating_sub(dropped);
        self.cut(left.saturating_sub(usize::from(to.is_some())));
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
                let ended = self.stack[left..].iter().rev().map(|f| f.method);
                self.thrown.push(Thrown {
                    from: from.to_vec(),
                    to,
                    count: 0,
                    first: self.here,
                    ended: ended.take(CHAIN).collect(),
                    dropped,
                    window,
                    last_of_thread: false,
                });
                self.by_place.insert(key, self.thrown.len() - 1);
                self.thrown.len() - 1
            }
        };
        self.thrown[at].count += 1;
        self.last_thrown = Some(at);
    }

    /// How many line entries of the caller's block come before this call.
    #[inline]
    fn lines_before(&mut self, method: MethodId, via: Via) -> u32 {
        let Some(caller) = self.stack.last_mut() else { return 0 };
        match caller.progress.call_to(self.program, method, via) {
            Some(call) => self.lines[call],
            None => lines_before_next(self.program, &caller.progress),
        }
    }

    fn ran(&mut self, block: BlockNo, times: u64) {
        let count = &mut self.blocks[block.0 as usize];
        *count = count.saturating_add(times);
        self.steps = self.steps.saturating_add(times);
    }

    fn took(way: &mut Way, here: At, times: u64) {
        if way.count == 0 {
            way.first = here;
        }
        way.count = way.count.saturating_add(times);
    }

    fn way(&mut self, BlockNo(block): BlockNo, alternative: usize) -> &mut Way {
        &mut self.ways[self.first_way[block as usize] as usize + alternative]
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
        if times.end_us.is_some() {
            self.tick_us = times.tick_us;
        }
    }

    #[inline]
    fn enter(&mut self, method: MethodId, via: Via) {
        self.calls[method.0 as usize - 1] += 1;
        if let Via::TopLevel(ms) = via {
            self.begin_callback(method, ms);
        }
        let lines = self.lines_before(method, via);
        let outside = matches!(via, Via::Callback | Via::TopLevel(_));
        self.push(Event::enter(method.0, outside, lines));
        self.stack.push(Frame { method, progress: Progress::default() });
    }

    #[inline]
    fn leaf(&mut self, method: MethodId, block: BlockNo) {
        if self.stack.is_empty() {
            self.enter(method, Via::Call);
            self.block(block);
            return self.leave();
        }
        self.calls[method.0 as usize - 1] += 1;
        self.blocks[block.0 as usize] += 1;
        self.steps += 1;
        let lines = self.lines_before(method, Via::Call);
        self.push(Event::enter(method.0, false, lines));
        self.push(Event::block(block.0));
        self.push(Event::leave());
    }

    #[inline]
    fn block(&mut self, block: BlockNo) {
        self.blocks[block.0 as usize] += 1;
        self.steps += 1;
        if let Some(frame) = self.stack.last_mut() {
            frame.progress.enter(block);
        }
        self.push(Event::block(block.0));
    }

    #[inline]
    fn decision(&mut self, what: Decision, alternative: usize) {
        let here = self.here;
        match what {
            Decision::Branch(block) => Self::took(self.way(block, alternative), here, 1),
            Decision::Slot(slot) => {
                Self::took(&mut self.slots[slot.0 as usize][alternative], here, 1);
                if let (0, Some(frame)) = (alternative, self.stack.last_mut()) {
                    frame.progress.passed(self.program, slot);
                }
            }
            Decision::NextCallback(SlotId(slot)) => {
                // It stands before the callback that it announces.
                let here = At { callback: here.callback + 1, ..here };
                Self::took(&mut self.next_callbacks[slot as usize][alternative], here, 1);
            }
        }
    }

    fn rounds(&mut self, branch: BlockNo, stay: usize, cycle: &[BlockNo], times: u32) {
        let here = self.here;
        Self::took(self.way(branch, stay), here, times.into());
        for &block in cycle {
            self.ran(block, times.into());
            self.push(Event::block(block.0));
        }
        if let (Some(frame), Some(&last)) = (self.stack.last_mut(), cycle.last()) {
            frame.progress.enter(last);
        }
        if times > 1 {
            self.push(Event::again(cycle.len() as u32, times - 1));
        }
    }

    #[inline]
    fn leave(&mut self) {
        self.push(Event::leave());
        self.stack.pop();
        if self.stack.is_empty() {
            self.end_callback();
        }
    }

    fn caught(&mut self, dropped: usize, _handler: HandlerId, block: BlockNo, from: &[BlockNo]) {
        self.push(Event::caught(dropped as u32, block.0));
        self.threw(dropped, from, Some(block));
        self.stack.truncate(self.stack.len().saturating_sub(dropped));
        self.block(block);
    }

    fn unwound(&mut self, dropped: usize, from: &[BlockNo]) {
        self.push(Event::unwound(dropped as u32));
        self.threw(dropped, from, None);
        self.stack.truncate(self.stack.len().saturating_sub(dropped));
        if self.stack.is_empty() {
            self.end_callback();
        }
    }

    fn doubtful(&mut self, method: MethodId) {
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
                self.cut(0);
                self.stack.clear();
                self.clock = self.start.saturating_add(time_ms.into());
                Remark::Missing("decoding goes on here".into())
            }
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
        let others = self.slots.iter().chain(&self.next_callbacks).flatten();
        self.ways.iter().chain(others).fold(0, |sum, way| sum.saturating_add(way.count))
    }

    /// How often a line entry at this address of a block was reached for certain.
    pub(super) fn reached(&self, block: BlockNo, pc: u32) -> u64 {
        let begins = block_of(self.program, block).1.pc;
        let cuts = self.cuts.get(&block).filter(|_| pc > begins);
        let cut: u64 = cuts.map_or(0, |cuts| {
            cuts.iter().filter(|(reached, _)| **reached < pc).map(|(_, n)| n).sum()
        });
        self.blocks[block.0 as usize].saturating_sub(cut)
    }
}
