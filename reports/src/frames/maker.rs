//! Conversion of path events to frames.

use std::io;

use decoder::log::{Process, ThreadLog};
use decoder::replay::{BlockNo, Decision, LoopRounds, PathEvent, PathSink, Program, Times, Via};
use decoder::session::Note;
use model::map::{CodeOrigin, MethodId, MethodKind, Position, PositionId};

use super::names::{Frame, FrameNames};
use super::sink::{Closed, FrameSink, Opened, WallTime};
use crate::base::progress::{Progress, place_at};
use crate::base::remarks::{BELOW, inside};
use model::nouns::{counted, there_are};

/// Totals over all frames.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of threads with at least one event.
    pub threads: u64,
    /// Number of top-level callbacks.
    pub callbacks: u64,
    /// Number of calls of the app's methods, with top-level callbacks.
    pub calls: u64,
    /// Number of inlined calls that are also frames.
    pub inlined: u64,
    /// Number of calls that ended by an exception.
    pub exceptions: u64,
    /// Number of blocks that ran.
    pub steps: u64,
    /// Number of calls that may have ended earlier than shown.
    pub doubtful: u64,
}

/// Converts the path events of one thread after the other to frames, and passes them to every sink.
///
/// Inlined code is a frame where a block begins in it or calls from it.
pub struct Traces<'p, 'm, S> {
    program: &'p Program<'m>,
    sinks: S,
    totals: Totals,
    /// For each block: the inlined code in which it begins. Empty if the build has none.
    inlined: Vec<Option<PositionId>>,
    open: Vec<Call>,
    /// Open frames of inlined code, outermost first: method and caller, as in their positions.
    within: Vec<(u32, u32)>,
    /// Times of the next callback.
    times: Option<Times>,
    /// Blocks of the innermost frame that are not passed on yet.
    steps: u64,
    /// Wall clock of the thread's last callback, in ms since 1970.
    clock: u64,
    /// Wall clock at the start of the process.
    start: u64,
    seen: bool,
}

/// An active method of the app.
#[derive(Debug, Clone, Copy)]
struct Call {
    method: MethodId,
    progress: Progress,
    /// Number of [`Traces::within`] that were open when it began.
    below: u32,
}

impl<'p, 'm, S: FrameSink> Traces<'p, 'm, S> {
    /// Creates a converter for these sinks.
    pub fn new(program: &'p Program<'m>, sinks: S) -> Self {
        let mut inlined = Vec::new();
        let places = !program.map.places.positions.is_empty();
        for m in program.map.methods.iter().filter(|_| places) {
            inlined.extend(m.blocks.iter().map(|b| match b.place() {
                // Its lines are not source positions.
                _ if m.kind == MethodKind::Outline => None,
                Some(CodeOrigin::At(id)) => Some(id),
                Some(CodeOrigin::Line(_)) | None => None,
            }));
        }
        Traces {
            program,
            sinks,
            totals: Totals::default(),
            inlined,
            open: Vec::new(),
            within: Vec::new(),
            times: None,
            steps: 0,
            clock: 0,
            start: 0,
            seen: false,
        }
    }

    /// Begins a process: the threads that follow belong to it.
    pub fn process(&mut self, process: &Process) {
        self.thread_ends();
        self.sinks.process(process);
    }

    /// Begins a thread: the events that follow belong to it.
    pub fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.thread_ends();
        (self.clock, self.start) = (process.start_ms, process.start_ms);
        self.sinks.thread(process, thread);
    }

    /// Returns the sinks, for use between two threads.
    pub fn sinks(&mut self) -> &mut S {
        &mut self.sinks
    }

    /// Returns the totals so far.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Ends all files. Returns the totals, and the sinks for their remarks.
    ///
    /// # Errors
    /// The first error of an output.
    pub fn finish(mut self) -> io::Result<(Totals, S)> {
        self.thread_ends();
        self.sinks.finish()?;
        Ok((self.totals, self.sinks))
    }

    fn thread_ends(&mut self) {
        self.close(usize::MAX, Closed::Unknown);
        self.totals.threads += u64::from(std::mem::take(&mut self.seen));
        self.sinks.thread_ends();
    }

    #[inline]
    fn pass_steps(&mut self) {
        let steps = std::mem::take(&mut self.steps);
        if steps > 0 && !self.open.is_empty() {
            self.totals.steps = self.totals.steps.saturating_add(steps);
            self.sinks.steps(steps);
        }
    }

    /// Ends the innermost calls.
    fn close(&mut self, calls: usize, how: Closed) {
        self.pass_steps();
        for _ in 0..calls.min(self.open.len()) {
            self.totals.exceptions += u64::from(how == Closed::Exception);
            self.close_one(how);
        }
    }

    /// Ends the innermost call; its blocks are passed on.
    #[inline]
    fn close_one(&mut self, how: Closed) {
        let Some(call) = self.open.pop() else { return };
        for _ in call.below as usize..self.within.len() {
            self.sinks.close(how);
        }
        self.within.truncate(call.below as usize);
        self.sinks.close(how);
    }

    /// Begins a top-level callback.
    fn top_level(&mut self, ms: u32) {
        self.close(usize::MAX, Closed::Unknown);
        self.clock = self.clock.saturating_add(ms.into());
        self.totals.callbacks += 1;
        let wall = |us: u64| self.start.saturating_mul(1000).saturating_add(us);
        let at = match self.times.take() {
            Some(t) => WallTime { begin_us: wall(t.begin_us), end_us: t.end_us.map(wall) },
            None => WallTime { begin_us: self.clock.saturating_mul(1000), end_us: None },
        };
        self.sinks.top_level(at);
    }

    /// Moves the innermost call to this inlined code.
    fn go_to(&mut self, position: Option<PositionId>) {
        let Some(call) = self.open.last() else { return };
        let below = call.below as usize;
        if position.is_none() && self.within.len() == below {
            return;
        }
        let map = self.program.map;
        let of = |p: &Position| (p.method, p.caller);
        let mut now: Vec<_> =
            position.map(|p| map.places.frames(p).map(of).collect()).unwrap_or_default();
        let m = &map.methods[call.method.0 as usize - 1];
        // The outermost position is the method itself, except where methods were merged.
        let own = now.last().is_some_and(|&(source, _)| {
            let s = &map.places.sources[source as usize];
            (s.class, s.name, s.descriptor) == (m.class, m.name, m.descriptor)
        });
        now.truncate(now.len() - usize::from(own));
        now.reverse();
        let inlined = &self.within[below..];
        let kept = inlined.iter().zip(&now).take_while(|(a, b)| a == b).count();
        if kept == inlined.len() && kept == now.len() {
            return;
        }
        self.pass_steps();
        for _ in below + kept..self.within.len() {
            self.sinks.close(Closed::Return);
        }
        self.within.truncate(below + kept);
        self.totals.inlined += (now.len() - kept) as u64;
        for &(source, _) in &now[kept..] {
            let frame = FrameNames(self.program).inlined(source);
            self.sinks.open(frame, Opened::Inlined);
        }
        self.within.extend(&now[kept..]);
    }

    /// Moves the innermost call to its call of this method.
    fn go_to_call(&mut self, method: MethodId, via: Via) {
        let caller = self.open.last_mut();
        let from = caller.and_then(|c| {
            let pc = c.progress.called(self.program, method, via)?;
            let kind = self.program.map.methods[c.method.0 as usize - 1].kind;
            let place = place_at(c.progress.block(self.program)?, pc)?;
            (kind != MethodKind::Outline).then_some(place)
        });
        match from {
            Some(CodeOrigin::At(id)) => self.go_to(Some(id)),
            Some(CodeOrigin::Line(_)) => self.go_to(None),
            // Code outside the app called: the position of the call that led there is unknown.
            None => {}
        }
    }

    /// Records that the innermost call ran this block.
    fn ran(&mut self, block: BlockNo, times: u64) {
        if let Some(&position) = self.inlined.get(block.0 as usize) {
            self.go_to(position);
            if let Some(call) = self.open.last_mut() {
                call.progress.enter(block);
            }
        }
        self.steps = self.steps.saturating_add(times);
    }
}

impl<S: FrameSink> PathSink for Traces<'_, '_, S> {
    #[inline(always)]
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.times = Some(times),
            PathEvent::Clock(us) => {
                self.pass_steps();
                let us = self.start.saturating_mul(1000).saturating_add(us);
                self.sinks.clock(us);
            }
            PathEvent::Enter { method, via } => self.enter(method, via),
            PathEvent::Block(block) => self.block(block),
            PathEvent::Decision { what: Decision::Slot(slot), alternative: 0 } => {
                if let Some(call) = self.open.last_mut() {
                    call.progress.passed(self.program, slot);
                }
            }
            PathEvent::Leave => self.leave(),
            PathEvent::Caught { dropped, block, .. } => {
                self.close(dropped, Closed::Exception);
                self.block(block);
            }
            PathEvent::Unwound { dropped, .. } => self.close(dropped, Closed::Exception),
            PathEvent::Doubtful { .. } => self.totals.doubtful += 1,
            PathEvent::Note(note) => self.note(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { cycle, times, .. } = rounds;
        // Inlined code in the cycle is one frame for all rounds.
        cycle.iter().for_each(|&b| self.ran(b, times.into()));
    }

    #[inline]
    fn leaf(&mut self, method: MethodId, block: BlockNo) {
        if !self.inlined.is_empty() || self.open.is_empty() {
            self.enter(method, Via::Call);
            self.block(block);
            return self.leave();
        }
        self.pass_steps();
        self.totals.calls += 1;
        self.totals.steps = self.totals.steps.saturating_add(1);
        self.sinks.leaf(Frame(method.0 - 1));
    }
}

impl<S: FrameSink> Traces<'_, '_, S> {
    #[inline]
    fn enter(&mut self, method: MethodId, via: Via) {
        self.seen = true;
        if let Via::TopLevel(ms) = via {
            self.top_level(ms);
        }
        if !self.inlined.is_empty() {
            self.go_to_call(method, via);
        }
        self.pass_steps();
        let how = match via {
            Via::Call | Via::Implied | Via::Slot(_) => Opened::Call,
            Via::Callback | Via::TopLevel(_) => Opened::Callback,
        };
        self.totals.calls += 1;
        let below = self.within.len() as u32;
        self.open.push(Call { method, progress: Progress::default(), below });
        self.sinks.open(Frame(method.0 - 1), how);
    }

    #[inline]
    fn block(&mut self, block: BlockNo) {
        self.ran(block, 1);
    }

    #[inline]
    fn leave(&mut self) {
        self.pass_steps();
        self.close_one(Closed::Return);
    }

    fn note(&mut self, note: Note) {
        let text = match note {
            Note::Late => "the thread ran before, unrecorded".into(),
            Note::Gap { from, to } if from == to => "the log breaks off here".into(),
            Note::Gap { from, to } => {
                format!("{} missing", there_are(to.saturating_sub(from), "slab"))
            }
            Note::Skipped { bytes: 0 } | Note::Ended(_) => return,
            Note::Skipped { bytes } => format!("{} cannot be decoded", counted(bytes, "byte")),
            Note::Faulty(fault) => fault.to_string(),
            Note::Resumed { time_ms } => {
                self.close(usize::MAX, Closed::Unknown);
                self.clock = self.start.saturating_add(time_ms.into());
                "decoding goes on here".into()
            }
            Note::Inside { at, .. } => inside(self.program, at),
            Note::Below => {
                self.close(usize::MAX, Closed::Unknown);
                BELOW.into()
            }
            Note::Unproven => "no check has proven what follows".into(),
        };
        self.sinks.note(&text);
    }
}
