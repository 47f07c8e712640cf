//! A thread's path as its decisions. Paths with the same decisions are equal, whatever codec
//! recorded them.
//!
//! A decision is a branch, a call through a slot, a method that code outside the app called, or an
//! exception. Everything between decisions follows from the program. The same alternative of a
//! branch several times in a row is one decision with a number, because a counted loop is coded
//! that way.

use decoder::replay::{BlockNo, Decision, LoopRounds, PathEvent, PathSink, Via};
use decoder::session::Note;
use model::map::{HandlerId, MethodId};

use super::common::{ComparedBuild, mix};
use crate::base::progress::Progress;

/// A decision of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathDecision {
    /// A branch, or a call through a slot, took this alternative.
    Alternative(Decision, usize),
    /// Code outside the app called a method.
    Called(MethodId),
    /// An exception, thrown here, arrived at this handler.
    Caught(Option<BlockNo>, HandlerId),
    /// An exception, thrown here, left the app's code.
    Left(Option<BlockNo>),
}

/// An active frame.
#[derive(Debug, Clone, Copy)]
pub struct ActiveFrame {
    /// The method.
    pub method: MethodId,
    /// Its block, if one has begun.
    pub block: Option<BlockNo>,
    /// The address of its last call in this block.
    pub call: Option<u32>,
}

/// The end of a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallbackEnd {
    /// It returned, or an exception ended it.
    Whole,
    /// The log ends or breaks off.
    Cut,
}

/// Receives the decisions of a thread.
pub(crate) trait StepSink {
    /// Begins a top-level callback: its number in the thread, from 1, and its start in ms since the
    /// process began. Number 0 is the time before the first callback.
    fn callback(&mut self, number: u64, method: Option<MethodId>, ms: u64);
    /// Announces the next decision and the active frames.
    fn next(&mut self, _step: PathDecision, _frames: &mut dyn Iterator<Item = ActiveFrame>) {}
    /// Records a decision taken `times` times. Equal hashes are equal decisions in all builds.
    fn step(&mut self, hash: u64, step: PathDecision, times: u64);
    /// Ends the callback.
    fn end(&mut self, end: CallbackEnd);
}

/// Passes on the decisions of one thread.
pub(crate) struct Steps<'b, 'm, S> {
    build: &'b ComparedBuild<'m>,
    /// The receiver.
    pub sink: S,
    frames: Vec<(MethodId, Progress, Option<u32>)>,
    /// The last decision, which may be repeated.
    run: Option<(u64, PathDecision, u64)>,
    open: bool,
    number: u64,
    ms: u64,
    /// Blocks since the last decision: the trace of a loop without decisions.
    blocks: u64,
}

impl<'b, 'm, S: StepSink> Steps<'b, 'm, S> {
    pub fn new(build: &'b ComparedBuild<'m>, sink: S) -> Self {
        Steps {
            build,
            sink,
            frames: Vec::new(),
            run: None,
            open: false,
            number: 0,
            ms: 0,
            blocks: 0,
        }
    }

    /// Ends the thread.
    pub fn finish(mut self) -> S {
        self.close();
        self.sink
    }

    fn close(&mut self) {
        self.flush();
        if std::mem::take(&mut self.open) {
            self.sink.end(if self.frames.is_empty() {
                CallbackEnd::Whole
            } else {
                CallbackEnd::Cut
            });
        }
        self.frames.clear();
    }

    fn flush(&mut self) {
        if let Some((hash, step, times)) = self.run.take() {
            self.sink.step(hash, step, times);
        }
    }

    fn step(&mut self, hash: u64, step: PathDecision, times: u64) {
        if !self.open {
            self.open = true;
            self.sink.callback(0, None, self.ms);
        }
        self.blocks = 0;
        match &mut self.run {
            Some((last, _, n))
                if *last == hash && matches!(step, PathDecision::Alternative(..)) =>
            {
                *n = n.saturating_add(times);
            }
            _ => {
                self.flush();
                self.run = Some((hash, step, times));
                let frame = |f: &(MethodId, Progress, Option<u32>)| ActiveFrame {
                    method: f.0,
                    block: f.1.number(),
                    call: f.2,
                };
                self.sink.next(step, &mut self.frames.iter().map(frame));
            }
        }
    }

    fn way(&mut self, what: Decision, alternative: usize, times: u64) {
        let hash = match what {
            Decision::Branch(b) => self.build.branch(b),
            Decision::Slot(s) => Some(self.build.call(s, alternative)),
            Decision::NextCallback(_) => None,
        };
        // A branch that not all builds have does not count for what they have in common.
        if let Some(hash) = hash {
            self.step(
                mix(hash, alternative as u64),
                PathDecision::Alternative(what, alternative),
                times,
            );
        }
    }

    /// Returns the hash of the innermost frame's position.
    fn place(&self) -> u64 {
        let block = self.frames.last().and_then(|f| f.1.number());
        mix(self.frames.len() as u64, block.map_or(0, |b| self.build.block(b)))
    }

    fn cut(&mut self, dropped: usize) {
        self.frames.truncate(self.frames.len().saturating_sub(dropped));
    }

    fn thrown(&self, from: &[BlockNo]) -> (Option<BlockNo>, u64) {
        let at = from.first().copied();
        let place = |b| match self.build.is_same(b) {
            true => mix(self.build.block(b), self.blocks),
            false => self.build.block(b),
        };
        (at, at.map_or(0, place))
    }
}

impl<S: StepSink> PathSink for Steps<'_, '_, S> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, via } => self.enter(method, via),
            PathEvent::Block(block) => self.block(block),
            PathEvent::Decision { what, alternative } => {
                if let (Decision::Slot(slot), 0, Some(frame)) =
                    (what, alternative, self.frames.last_mut())
                {
                    frame.1.passed(&self.build.program, slot);
                }
                self.way(what, alternative, 1);
            }
            PathEvent::Leave => self.cut(1),
            PathEvent::Caught { dropped, handler, block, from } => {
                let (at, place) = self.thrown(from);
                let hash = mix(mix(place, self.build.handler(handler)), dropped as u64);
                self.step(mix(hash, 4), PathDecision::Caught(at, handler), 1);
                self.cut(dropped);
                self.block(block);
            }
            PathEvent::Unwound { dropped, from } => {
                let (at, place) = self.thrown(from);
                self.step(mix(mix(place, dropped as u64), 5), PathDecision::Left(at), 1);
                self.cut(dropped);
            }
            PathEvent::Note(note) => self.note(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { branch, stay, cycle, times } = rounds;
        if times > 0 {
            self.way(Decision::Branch(branch), stay, times.into());
            cycle.last().into_iter().for_each(|&b| self.block(b));
        }
    }
}

impl<S: StepSink> Steps<'_, '_, S> {
    fn enter(&mut self, method: MethodId, via: Via) {
        match via {
            Via::TopLevel(ms) => {
                self.close();
                self.number += 1;
                self.ms = self.ms.saturating_add(ms.into());
                self.open = true;
                self.blocks = 0;
                self.sink.callback(self.number, Some(method), self.ms);
            }
            Via::Callback => {
                let hash = mix(self.place(), self.build.method(method));
                self.step(mix(hash, 2), PathDecision::Called(method), 1);
            }
            Via::Call | Via::Implied | Via::Slot(_) => {
                if let Some((_, progress, call)) = self.frames.last_mut() {
                    *call = progress.called(&self.build.program, method, via);
                }
            }
        }
        self.frames.push((method, Progress::default(), None));
    }

    fn block(&mut self, block: BlockNo) {
        self.blocks += 1;
        if let Some((_, progress, call)) = self.frames.last_mut() {
            progress.enter(block);
            *call = None;
        }
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::Gap { .. } | Note::Skipped { bytes: 1.. } | Note::Faulty(_) | Note::Below => {
                // Events after it do not belong to it.
                if self.open {
                    self.flush();
                    self.open = false;
                    self.sink.end(CallbackEnd::Cut);
                }
                self.frames.clear();
            }
            Note::Resumed { time_ms } => {
                self.close();
                self.ms = time_ms.into();
            }
            Note::Ended(_) | Note::Late | Note::Skipped { .. } => {}
            Note::Unproven | Note::Inside { .. } => {}
        }
    }
}
