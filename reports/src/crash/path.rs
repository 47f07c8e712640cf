//! Paths up to the moment when an exception leaves the app, or when the log of the thread ends.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use decoder::log::ThreadLog;
use decoder::replay::{BlockNo, Decision, Ended, LoopRounds, PathEvent, PathSink, Program, Via};
use decoder::session::Note;
use decoder::uncaught::{Callers, ThreadTrack};
use model::map::{CodeOrigin, MethodId, OriginId};

use crate::base::progress::{Progress, place_at};

/// Maximum number of frames of earlier exceptions that are kept for a thread.
const MAX_EARLIER: usize = 1 << 16;
/// Maximum number of points kept for a frame: it may have thrown again.
const MAX_SPOTS: usize = 8;
/// Maximum number of callbacks kept.
const MAX_STEPS: usize = 200;

/// The point at which a frame is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FramePoint {
    /// An instruction in one of these blocks threw.
    Threw(Rc<[BlockNo]>),
    /// At the call at this address of a block.
    Call(BlockNo, u32),
    /// In a call of code outside the app, somewhere in this block before this address.
    Outside(BlockNo, Option<u32>),
}

impl FramePoint {
    /// Returns the possible source positions of the frame in its method.
    pub fn places(&self, program: &Program<'_>) -> Vec<CodeOrigin> {
        let all = |b: BlockNo, before: Option<u32>| -> Vec<CodeOrigin> {
            let block = crate::base::names::block_of(program, b).1;
            let inside = |l: &&(u32, CodeOrigin)| before.is_none_or(|pc| l.0 <= pc);
            block.lines.iter().take_while(inside).map(|l| l.1).collect()
        };
        match self {
            FramePoint::Threw(blocks) => blocks.iter().flat_map(|&b| all(b, None)).collect(),
            FramePoint::Call(b, pc) => {
                place_at(crate::base::names::block_of(program, *b).1, *pc).into_iter().collect()
            }
            FramePoint::Outside(b, before) => all(*b, *before),
        }
    }
}

/// An active method.
#[derive(Debug, Clone)]
pub(super) struct Active {
    pub method: MethodId,
    progress: Progress,
    /// Address of its call of the frame above.
    call: Option<u32>,
    /// Its points when exceptions came to it or left it, in this order.
    threw: Vec<FramePoint>,
    /// The frames above that the last such exception ended.
    earlier: Option<Rc<Earlier>>,
}

/// Frames that an exception ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Earlier {
    /// The frames, innermost first.
    frames: Vec<Active>,
    /// Indices in `frames` where stack traces may begin: 0, and after frames where the exception,
    /// or another one, was thrown again.
    begins: Vec<usize>,
}

impl Active {
    /// Returns its possible points when an exception was thrown in it or above it.
    pub fn spots(&self, program: &Program<'_>) -> Vec<FramePoint> {
        let mut spots = self.threw.clone();
        spots.extend(self.now(program));
        spots
    }

    fn now(&self, program: &Program<'_>) -> Option<FramePoint> {
        let block = self.progress.number()?;
        Some(match self.call {
            Some(pc) => FramePoint::Call(block, pc),
            None => FramePoint::Outside(block, self.progress.next_call(program)),
        })
    }

    fn threw(&mut self, spot: FramePoint) {
        if self.threw.last() == Some(&spot) {
            return;
        }
        if self.threw.len() == MAX_SPOTS {
            self.threw.remove(0);
        }
        self.threw.push(spot);
    }
}

/// A branch that ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// Its block.
    pub block: BlockNo,
    /// The alternative that it took.
    pub alternative: usize,
    /// Number of times, one after the other.
    pub times: u64,
    /// Number of the callback in the thread, from 1.
    pub callback: u64,
}

/// Largest number of origins of a callback that are kept.
pub const ORIGINS: usize = 2;

/// A top-level callback, or several of the same method and origin, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallbackStep {
    /// The method.
    pub method: MethodId,
    /// Number of the first one in its thread, from 1.
    pub number: u64,
    /// Number of callbacks.
    pub times: u64,
    /// Start of the first one, in ms since the process began.
    pub from_ms: u64,
    /// Start of the last one, in ms since the process began.
    pub to_ms: u64,
    /// Its origins.
    pub origins: [Option<OriginId>; ORIGINS],
}

/// The end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathEnd {
    /// An exception left the app's code.
    Left,
    /// The log of the thread ends here.
    Log(Ended),
}

/// A moment of a thread.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    pub end: PathEnd,
    /// Active frames, outermost first.
    pub frames: Vec<Active>,
    /// The last top-level callbacks; `callbacks` is the number of all.
    pub steps: VecDeque<CallbackStep>,
    pub callbacks: u64,
    /// The last branches, oldest first.
    pub branches: VecDeque<Branch>,
    /// Methods of the last callback that may have ended earlier than shown.
    pub doubtful: Vec<MethodId>,
    /// True if no check has proven the record in which it ends.
    pub unproven: bool,
    /// Number of top-level callbacks that began in the thread afterwards, without handlers of
    /// uncaught exceptions.
    pub after: u64,
    /// True if its last callback went on.
    pub went_on: bool,
}

impl Moment {
    /// Returns true if nothing happened in the thread afterwards.
    pub fn is_last(&self) -> bool {
        self.after == 0 && !self.went_on
    }
}

/// The frames of a moment as a stack trace may have them: innermost first.
pub(super) type Frames<'a> = Vec<&'a Active>;

/// Maximum number of stack traces per moment; frames that threw again lead to several.
const MAX_VARIANTS: usize = 64;

/// Returns the possible stack traces of exceptions of this moment, that of the last one first.
pub(super) fn variants(frames: &[Active]) -> Vec<Frames<'_>> {
    let mut found = vec![frames.iter().rev().collect::<Vec<_>>()];
    for (at, frame) in frames.iter().enumerate().rev() {
        let Some(earlier) = &frame.earlier else { continue };
        // The point of the first throw, and of the last throw of the same exception.
        let (begins, half) = (&earlier.begins, MAX_VARIANTS / 2);
        let late = begins.len().saturating_sub(half / 2).max(half);
        for &begin in begins.iter().take(half).chain(begins.iter().skip(late)) {
            if found.len() >= MAX_VARIANTS {
                return found;
            }
            let above = earlier.frames[begin..].iter();
            found.push(above.chain(frames[..=at].iter().rev()).collect());
        }
    }
    found
}

/// Selects the moments of a path to keep.
pub(super) trait Judge {
    /// Returns true if this moment replaces the one kept before.
    fn keeps(&mut self, frames: &[Active], end: PathEnd) -> bool;
}

/// Follows a thread's path.
pub(super) struct Watch<'p, 'm, J> {
    program: &'p Program<'m>,
    judge: J,
    /// The last moment that was kept.
    kept: Option<Moment>,
    callers: Arc<Callers>,
    /// Determines if an exception ended the thread.
    track: ThreadTrack,
    /// True if a frame of this kind is the top-level callback.
    handling: bool,
    /// Active frames, outermost first.
    frames: Vec<Active>,
    /// Number of frames of [`Earlier`] that the active frames hold.
    stored: usize,
    /// Set if an exception left the app and nothing happened since. If no frame is left: the frames
    /// that it ended, outermost first.
    leaving: Option<Vec<Active>>,
    last: usize,
    branches: VecDeque<Branch>,
    steps: VecDeque<CallbackStep>,
    callbacks: u64,
    clock: u64,
    doubtful: Vec<MethodId>,
    unproven: bool,
}

impl<'p, 'm, J: Judge> Watch<'p, 'm, J> {
    /// Creates a watch that records `last` branches.
    pub fn new(program: &'p Program<'m>, callers: Arc<Callers>, judge: J, last: usize) -> Self {
        Watch {
            program,
            judge,
            kept: None,
            track: ThreadTrack::new(callers.clone()),
            callers,
            handling: false,
            frames: Vec::new(),
            stored: 0,
            leaving: None,
            last,
            branches: VecDeque::new(),
            steps: VecDeque::new(),
            callbacks: 0,
            clock: 0,
            doubtful: Vec::new(),
            unproven: false,
        }
    }

    /// Ends the thread.
    pub fn finish(mut self, thread: &ThreadLog) -> (J, ThreadTrack, Option<Moment>) {
        self.settle();
        self.track.describe(thread);
        let behind = thread.segments.last().map_or(0, |s| s.first);
        if let Some(kept) = &mut self.kept {
            kept.went_on |= thread.gaps.iter().any(|g| g.from > behind && g.to > g.from);
        }
        (self.judge, self.track, self.kept)
    }

    /// Handles another event: an exception that was leaving the app has left it. Returns true if a
    /// moment was kept.
    fn settle(&mut self) -> bool {
        let Some(ended) = self.leaving.take() else { return false };
        if self.handling {
            return false;
        }
        let frames = if ended.is_empty() { &self.frames } else { &ended };
        let keeps = self.judge.keeps(frames, PathEnd::Left);
        if keeps {
            let frames = frames.clone();
            self.keep(frames, PathEnd::Left);
        }
        keeps
    }

    /// Records that the active frames go on.
    fn goes_on(&mut self) {
        if self.leaving.is_some() && !self.frames.is_empty() {
            self.track.go_on();
        }
        if self.leaving.is_some()
            && self.settle()
            && let Some(kept) = self.kept.as_mut().filter(|_| !self.frames.is_empty())
        {
            kept.went_on = true;
        }
    }

    /// Counts the last callback with the one before if both are the same step.
    fn count_step(&mut self) {
        if let [.., before, last] = self.steps.make_contiguous()
            && (before.method, before.origins) == (last.method, last.origins)
        {
            (before.times, before.to_ms) = (before.times + last.times, last.to_ms);
            self.steps.pop_back();
        }
        if self.steps.len() > MAX_STEPS {
            self.steps.pop_front();
        }
    }

    fn keep(&mut self, frames: Vec<Active>, end: PathEnd) {
        self.count_step();
        self.kept = Some(Moment {
            end,
            frames,
            steps: self.steps.clone(),
            callbacks: self.callbacks,
            branches: self.branches.clone(),
            doubtful: self.doubtful.clone(),
            unproven: self.unproven,
            after: 0,
            went_on: false,
        });
    }

    fn forget(&mut self, earlier: Option<Rc<Earlier>>) {
        self.stored -= earlier.map_or(0, |e| e.frames.len());
    }

    /// Ends `dropped` frames by an exception that was thrown in one of these blocks. Returns them,
    /// outermost first.
    fn end(&mut self, dropped: usize, from: &[BlockNo]) -> Vec<Active> {
        let left = self.frames.len().saturating_sub(dropped);
        if let Some(frame) = self.frames.last_mut() {
            frame.threw(FramePoint::Threw(from.into()));
            frame.progress = Progress::default();
        }
        let ended = self.frames.split_off(left);
        if let Some(frame) = self.frames.last_mut().filter(|_| !ended.is_empty())
            && let Some(now) = frame.now(self.program)
        {
            frame.threw(now);
        }
        ended
    }

    /// Records in the innermost frame the frames above it that an exception has ended.
    fn remember(&mut self, mut ended: Vec<Active>) {
        if ended.is_empty() {
            return;
        }
        ended.reverse();
        let mut earlier = Earlier::default();
        for (at, frame) in ended.iter_mut().enumerate() {
            let of_frame = frame.earlier.take();
            self.forget(of_frame.clone());
            if let Some(e) = of_frame.filter(|_| at == 0) {
                earlier = Rc::unwrap_or_clone(e);
            }
        }
        let replaced = self.frames.last_mut().and_then(|f| f.earlier.take());
        self.forget(replaced);
        if self.stored + earlier.frames.len() + ended.len() > MAX_EARLIER {
            return;
        }
        earlier.begins.push(earlier.frames.len());
        earlier.frames.append(&mut ended);
        self.stored += earlier.frames.len();
        if let Some(frame) = self.frames.last_mut() {
            frame.earlier = Some(Rc::new(earlier));
        }
    }

    fn branch(&mut self, block: BlockNo, alternative: usize, times: u64) {
        let callback = self.callbacks;
        if let Some(last) = self.branches.back_mut()
            && (last.block, last.alternative, last.callback) == (block, alternative, callback)
        {
            last.times = last.times.saturating_add(times);
        } else if self.last > 0 {
            if self.branches.len() >= self.last {
                self.branches.pop_front();
            }
            self.branches.push_back(Branch { block, alternative, times, callback });
        }
    }

    fn top_level(&mut self, method: MethodId, ms: u32) {
        self.clock = self.clock.saturating_add(ms.into());
        self.callbacks += 1;
        self.doubtful.clear();
        self.handling = self.callers.is_handler(method);
        self.track.callback(method);
        if let Some(kept) = self.kept.as_mut().filter(|_| !self.handling) {
            kept.after += 1;
        }
        self.count_step();
        let (number, clock) = (self.callbacks, self.clock);
        self.steps.push_back(CallbackStep {
            method,
            number,
            times: 1,
            from_ms: clock,
            to_ms: clock,
            origins: [None; ORIGINS],
        });
    }
}

impl<J: Judge> PathSink for Watch<'_, '_, J> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.track.times(times),
            PathEvent::Enter { method, via } => self.enter(method, via),
            PathEvent::Origin(origin) => {
                if self.frames.len() == 1
                    && let Some(step) = self.steps.back_mut()
                    && let Some(free) = step.origins.iter_mut().find(|origin| origin.is_none())
                {
                    *free = Some(origin);
                }
            }
            PathEvent::Block(block) => self.block(block),
            PathEvent::Decision { what, alternative } => self.decision(what, alternative),
            PathEvent::Leave => {
                self.goes_on();
                if let Some(frame) = self.frames.pop() {
                    self.forget(frame.earlier);
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.call = None;
                }
            }
            PathEvent::Caught { dropped, block, from, .. } => {
                let ended = self.end(dropped, from);
                self.remember(ended);
                self.leaving = None;
                self.track.caught();
                self.block(block);
            }
            PathEvent::Unwound { dropped, from } => {
                self.track.left();
                let ended = self.end(dropped, from);
                if self.frames.is_empty() {
                    self.stored = 0;
                    self.leaving = Some(ended);
                } else {
                    self.remember(ended);
                    self.leaving = Some(Vec::new());
                }
            }
            PathEvent::Doubtful { method, .. }
                if self.doubtful.len() < MAX_SPOTS && !self.doubtful.contains(&method) =>
            {
                self.doubtful.push(method);
            }
            PathEvent::Note(note) => self.note(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { branch, stay, times, .. } = rounds;
        if times > 0 {
            self.goes_on();
            self.branch(branch, stay, times.into());
            self.block(branch);
        }
    }
}

impl<J: Judge> Watch<'_, '_, J> {
    fn enter(&mut self, method: MethodId, via: Via) {
        self.goes_on();
        if let Via::TopLevel(ms) = via {
            self.top_level(method, ms);
        }
        if let Some(caller) = self.frames.last_mut() {
            caller.call = caller.progress.called(self.program, method, via);
        }
        self.frames.push(Active {
            method,
            progress: Progress::default(),
            call: None,
            threw: Vec::new(),
            earlier: None,
        });
    }

    fn block(&mut self, block: BlockNo) {
        self.goes_on();
        if let Some(frame) = self.frames.last_mut() {
            frame.progress.enter(block);
            frame.call = None;
        }
    }

    fn decision(&mut self, what: Decision, alternative: usize) {
        match what {
            Decision::Branch(block) => {
                self.goes_on();
                self.branch(block, alternative, 1);
            }
            Decision::Slot(slot) if alternative == 0 => {
                self.goes_on();
                if let Some(frame) = self.frames.last_mut() {
                    frame.progress.passed(self.program, slot);
                }
            }
            Decision::Slot(_) | Decision::NextCallback(_) => {}
        }
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::Unproven => self.unproven = true,
            Note::Resumed { time_ms } => {
                self.settle();
                self.frames.clear();
                self.stored = 0;
                self.clock = time_ms.into();
                self.unproven = false;
            }
            Note::Ended(ended) => {
                self.settle();
                let end = PathEnd::Log(ended);
                if !self.frames.is_empty() && self.judge.keeps(&self.frames, end) {
                    let frames = self.frames.clone();
                    self.keep(frames, end);
                }
                self.frames.clear();
                self.stored = 0;
                self.unproven = false;
            }
            Note::Faulty(_) | Note::Below => {
                self.settle();
                self.frames.clear();
                self.stored = 0;
            }
            Note::Late | Note::Gap { .. } | Note::Skipped { .. } | Note::Inside { .. } => {}
        }
    }
}
