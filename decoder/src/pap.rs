//! Codec `pap` (`docs/PROTOCOL.md` §10): items are decoded first, then each activation's numbers
//! are read backwards to its path, and the walk goes along the paths. Memory grows with the longest
//! record (16 bytes for each number) and the longest path of an activation.

mod items;

use model::map::{CallKind, HandlerId, Map, MethodId, SlotId, Terminator};
use model::pap::Joins;
use model::protocol::progress_check;

use self::items::{Close, Event, Record};
use crate::log::Segment;
use crate::reader::{Decoding, RecordReader};
use crate::replay::{
    BlockNo, Decision, Ended, Fault, FaultKind, NoSink, Note, PathSink, Program, SendEvents, Start,
    Timeline, Via,
};

/// Frames a stack may have.
const MAX_FRAMES: usize = 1 << 20;
/// Blocks that an activation may pass before it leaves or throws.
const MAX_PATH: u64 = 1 << 27;
/// Steps that each step of `replay::silent` stands for: a number of eight bytes may hold a hundred
/// decisions of a build without history.
const STEPS: u64 = 4;

/// The methods of a map as `pap` needs them.
pub(crate) struct Graphs<'p, 'm> {
    program: &'p Program<'m>,
    joins: Vec<Joins>,
}

impl<'p, 'm> Graphs<'p, 'm> {
    pub(crate) fn new(program: &'p Program<'m>) -> Self {
        let map = program.map;
        let mut handlers: Vec<Vec<u32>> = vec![vec![]; map.methods.len()];
        for h in &map.handlers {
            handlers[h.method.0 as usize - 1].push(h.block.0);
        }
        let joins = map
            .methods
            .iter()
            .zip(&handlers)
            .map(|(m, h)| Joins::new(m.blocks.iter().map(|b| successors(&b.terminator)), h.iter()))
            .collect();
        Graphs { program, joins }
    }

    fn map(&self) -> &'m Map {
        self.program.map
    }
}

fn successors(t: &Terminator) -> Vec<u32> {
    match t {
        Terminator::Return | Terminator::Throw => vec![],
        Terminator::Goto(b) => vec![b.0],
        Terminator::Branch { alternatives, .. } => alternatives.iter().map(|a| a.0.0).collect(),
    }
}

struct PapFrame {
    method: MethodId,
    number: u32,
    guard: bool,
    /// Block the stretch began in.
    start: u32,
    /// The stretch's path from here on, and how it closes; `None`: a stretch whose end is not known
    /// continues without joins.
    path: Vec<u32>,
    at: usize,
    close: Option<Close>,
    /// Offset of the end in the bytes; 0: none.
    ends_at: usize,
    /// The path follows from recorded numbers.
    recorded: bool,
    /// Index of this frame's next stretch in the record's places.
    next: usize,
    /// Next call of the block.
    call: usize,
    /// The block's mark was counted.
    marked: bool,
}

/// One thread's walk along the numbers.
pub(crate) struct Walk<'g> {
    graphs: &'g Graphs<'g, 'g>,
    frames: Vec<PapFrame>,
    progress: u32,
    last_top: Option<MethodId>,
    /// Something ran.
    began: bool,
    /// Active frames whose path is known to its end.
    recorded: usize,
    /// Index in the record's places at which the last frame's begin.
    cursor: usize,
    /// Steps that are left: see `replay::silent`.
    steps: u64,
    times: Timeline<'g>,
}

type Walked<T> = Result<T, FaultKind>;

/// An exception on its way up the stack.
#[derive(Default)]
struct Exception {
    /// Frames that it has ended.
    dropped: usize,
    /// The block that it was thrown in.
    from: Option<BlockNo>,
}

impl<'g> Walk<'g> {
    pub(crate) fn new(graphs: &'g Graphs<'g, 'g>, start: Start, steps: u64) -> Self {
        let Start { progress, last_top, time, .. } = start;
        let times = Timeline::new(graphs.map().protocol(), time);
        Walk {
            graphs,
            frames: vec![],
            progress,
            last_top,
            began: false,
            recorded: 0,
            cursor: 0,
            steps,
            times,
        }
    }

    pub(crate) fn state(&self) -> Start {
        Start { progress: self.progress, last_top: self.last_top, ..Start::default() }
    }

    /// Walks the record at `from`; gives where it ends and, unless it was closed by its check, how.
    pub(crate) fn record(
        &mut self,
        bytes: &[u8],
        from: usize,
        sink: &mut impl PathSink,
    ) -> Result<(usize, Option<Ended>), Fault> {
        let fault = |at, kind| Fault { at, record: from, kind };
        let record = Record::read(bytes, from, self.progress, self.times.protocol());
        let record = record.map_err(|k| fault(from, k))?;
        let Some(mut record) = record else {
            return Ok((from, Some(if from >= bytes.len() { Ended::Clean } else { Ended::Cut })));
        };
        let ended = self.walk(&mut record, sink).map_err(|k| fault(record.end, k))?;
        Ok((record.end, ended))
    }

    fn walk(&mut self, record: &mut Record<'_>, sink: &mut impl PathSink) -> Walked<Option<Ended>> {
        if let Some(Event::End) = record.events.front() {
            return Ok(Some(Ended::Stopped));
        }
        self.begin(record, sink)?;
        let first = self.progress;
        let mut exception = Exception::default();
        loop {
            if self.frames.is_empty() {
                return self.close(record, sink);
            }
            let Some(left) = self.steps.checked_sub(1) else { return Err(self.too_far()) };
            self.steps = left;
            if self.enter_from_outside(record, sink)? {
                continue;
            }
            if !self.is_certain(record, first) {
                return Ok(Some(self.cut(record)?));
            }
            let depth = self.frames.len() - 1;
            let f = &self.frames[depth];
            let Some(&block) = f.path.get(f.at) else {
                return Ok(Some(self.cut(record)?));
            };
            let data = &self.graphs.map().methods[f.method.0 as usize - 1].blocks[block as usize];
            let last = f.at + 1 == f.path.len();
            if last && let Some(close) = self.ends_by_exception(f, record) {
                record.events.pop_front();
                self.thrown(close, &mut exception, record, sink)?;
                continue;
            }
            if data.mark && !f.marked {
                self.frames[depth].marked = true;
                self.progress = self.progress.wrapping_add(1);
                continue;
            }
            if exception.dropped > 0 {
                return Err(FaultKind::Unreachable);
            }
            if let Some(site) = data.calls.get(f.call) {
                if !self.call(site.call, record, sink)? {
                    return Ok(Some(self.cut(record)?));
                }
                continue;
            }
            if !last {
                let to = f.path[f.at + 1];
                if let Terminator::Branch { alternatives, .. } = &data.terminator {
                    let i =
                        alternatives.iter().position(|a| a.0.0 == to).ok_or(FaultKind::DeadEnd)?;
                    sink.decision(Decision::Branch(self.number(f.method, block)), i);
                }
                sink.block(self.number(f.method, to));
                let f = &mut self.frames[depth];
                f.at += 1;
                (f.call, f.marked) = (0, false);
                continue;
            }
            match (f.close, &data.terminator) {
                (Some(Close::Left), Terminator::Return) => {
                    self.times.come_to(self.frames[depth].ends_at, sink);
                    self.recorded -= usize::from(f.recorded);
                    self.frames.pop();
                    self.progress = self.progress.wrapping_add(1);
                    sink.leave();
                }
                (None, _) => return Ok(Some(self.cut(record)?)),
                _ => return Err(FaultKind::DeadEnd),
            }
        }
    }

    /// Enters the record's top-level method.
    fn begin(&mut self, record: &mut Record<'_>, sink: &mut impl PathSink) -> Walked<()> {
        self.frames.clear();
        self.cursor = 0;
        self.began = true;
        let top = self.method(record.id)?;
        let slot = self
            .last_top
            .and_then(|m| self.graphs.program.next_callbacks.get(&m).copied())
            .unwrap_or(SlotId(0));
        if let Some(distribution) = self.graphs.map().slots.get(slot.0 as usize) {
            let i = distribution.callees.binary_search(&top).map_or(0, |i| i + 1);
            sink.decision(Decision::NextCallback(slot), i);
        }
        self.last_top = Some(top);
        let ms = self.times.begin(record.time, sink);
        self.push(top, true, Via::TopLevel(ms), record, sink)
    }

    /// Follows an entry from outside, which happens at the progress that it names; whether there
    /// was one.
    #[inline]
    fn enter_from_outside(
        &mut self,
        record: &mut Record<'_>,
        sink: &mut impl PathSink,
    ) -> Walked<bool> {
        let Some(&(Event::Thrown { progress, .. } | Event::Entry { progress, .. })) =
            record.events.front()
        else {
            return Ok(false);
        };
        // Walked past the place of the next event: an exception whose items a full stack has
        // swallowed.
        if (progress.wrapping_sub(self.progress) as i32) < 0 {
            return Err(FaultKind::Unreachable);
        }
        if let Some(&Event::Entry { id, progress }) = record.events.front()
            && progress == self.progress
            && let Some(origin) = self.graphs.map().origin_of(id)
        {
            record.events.pop_front();
            self.progress = self.progress.wrapping_add(2);
            sink.origin(origin);
            return Ok(true);
        }
        if let Some(&Event::Entry { id, progress }) = record.events.front()
            && progress == self.progress
            && self.stands()
        {
            record.events.pop_front();
            let m = self.method(id)?;
            self.push(m, true, Via::Callback, record, sink)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Returns true if the record proves that the walk came as far as here; `first` is the progress
    /// with which it began.
    #[inline]
    fn is_certain(&self, record: &Record<'_>, first: u32) -> bool {
        let (walked, horizon) =
            (self.progress.wrapping_sub(first), record.horizon.wrapping_sub(first));
        record.whole
            || self.recorded > 0
            || !record.events.is_empty() && walked <= horizon
            || walked < horizon
    }

    /// Returns how an exception ends the stretch of the innermost frame `f`, once everything that
    /// came before it has been walked. The exception may be the block's mark on a full stack: it is
    /// not counted then.
    #[inline]
    fn ends_by_exception(&self, f: &PapFrame, record: &Record<'_>) -> Option<Close> {
        match (f.close, record.events.front()) {
            (Some(Close::Left), _) => None,
            (Some(close), Some(&Event::Thrown { frame, progress }))
                if frame == f.number && progress == self.progress =>
            {
                Some(close)
            }
            _ => None,
        }
    }

    /// An exception in the innermost frame: caught there, or the frame ends by it.
    fn thrown(
        &mut self,
        close: Close,
        exception: &mut Exception,
        record: &mut Record<'_>,
        sink: &mut impl PathSink,
    ) -> Walked<()> {
        let f = self.frames.last().ok_or(FaultKind::UnknownFrame)?;
        let block = f.path.get(f.at).copied().unwrap_or(f.start);
        let thrown = *exception.from.get_or_insert(self.number(f.method, block));
        if let Close::Caught(h) = close {
            self.caught(h, exception.dropped, thrown, record, sink)?;
            *exception = Exception::default();
            return Ok(());
        }
        let guard = f.guard;
        self.recorded -= usize::from(f.recorded);
        self.frames.pop();
        exception.dropped += 1;
        if guard {
            sink.unwound(exception.dropped, &[thrown]);
            *exception = Exception::default();
        }
        Ok(())
    }

    /// Follows a call of the innermost frame; `false`: the record does not hold its target.
    fn call(
        &mut self,
        call: CallKind,
        record: &mut Record<'_>,
        sink: &mut impl PathSink,
    ) -> Walked<bool> {
        let Some(f) = self.frames.last_mut() else { return Err(FaultKind::UnknownFrame) };
        match call {
            CallKind::Predicted(m) => {
                f.call += 1;
                self.push(m, false, Via::Call, record, sink)?;
            }
            // `pap` numbers every activation, so it has none.
            CallKind::Implied(m) => return Err(FaultKind::UnknownId(m.0)),
            CallKind::Slot(s) => {
                let Some(&Event::Slot { id }) = record.events.front() else { return Ok(false) };
                record.events.pop_front();
                f.call += 1;
                if id == 0 {
                    sink.decision(Decision::Slot(s), 0);
                } else {
                    let callees = &self.graphs.map().slots[s.0 as usize].callees;
                    let i = callees
                        .binary_search(&MethodId(id))
                        .map_err(|_| FaultKind::UnknownId(id))?;
                    sink.decision(Decision::Slot(s), i + 1);
                    self.push(MethodId(id), true, Via::Slot(s), record, sink)?;
                }
            }
        }
        Ok(true)
    }

    fn too_far(&self) -> FaultKind {
        let Some(f) = self.frames.last() else { return FaultKind::DeadEnd };
        let block = f.path.get(f.at).copied().unwrap_or(f.start);
        let pc = self.graphs.map().methods[f.method.0 as usize - 1].blocks[block as usize].pc;
        FaultKind::Steps { method: f.method.0, pc }
    }

    /// Returns true if code outside can call the innermost frame here: its block's mark has been
    /// counted.
    fn stands(&self) -> bool {
        let Some(f) = self.frames.last() else { return false };
        let Some(&b) = f.path.get(f.at) else { return false };
        let data = &self.graphs.map().methods[f.method.0 as usize - 1].blocks[b as usize];
        (f.marked || !data.mark) && data.throws
    }

    /// The path is not known any further: only where the bytes end, too.
    fn cut(&self, record: &Record<'_>) -> Walked<Ended> {
        match record.events.back() {
            Some(Event::End) => Ok(Ended::Stopped),
            _ if record.whole => Err(FaultKind::Unreachable),
            _ => Ok(Ended::Cut),
        }
    }

    fn close(
        &mut self,
        record: &mut Record<'_>,
        sink: &mut impl PathSink,
    ) -> Walked<Option<Ended>> {
        match record.events.pop_front() {
            None => Ok(Some(Ended::Cut)),
            Some(Event::End) => Ok(Some(Ended::Stopped)),
            Some(Event::Close { hash, time })
                if u32::from(hash) == progress_check(self.progress) =>
            {
                if !record.all_taken() {
                    return Err(FaultKind::Check);
                }
                self.times.end(time);
                sink.checked();
                Ok(None)
            }
            Some(_) => Err(FaultKind::Check),
        }
    }

    fn method(&self, id: u32) -> Walked<MethodId> {
        self.graphs.map().method(MethodId(id)).map(|_| MethodId(id)).ok_or(FaultKind::UnknownId(id))
    }

    fn number(&self, m: MethodId, block: u32) -> BlockNo {
        self.graphs.program.number(m, block)
    }

    fn push(
        &mut self,
        m: MethodId,
        guard: bool,
        via: Via,
        record: &mut Record<'_>,
        sink: &mut impl PathSink,
    ) -> Walked<()> {
        if self.frames.len() >= MAX_FRAMES {
            return Err(FaultKind::Depth);
        }
        self.progress = self.progress.wrapping_add(1);
        let mut frame = PapFrame {
            method: m,
            number: self.progress,
            guard,
            start: 0,
            path: vec![],
            at: 0,
            close: None,
            ends_at: 0,
            recorded: false,
            next: record.places_of(self.progress, self.cursor),
            call: 0,
            marked: false,
        };
        self.cursor = frame.next;
        self.lead(&mut frame, record)?;
        self.recorded += usize::from(frame.recorded);
        sink.enter(m, via);
        sink.block(self.number(m, 0));
        self.frames.push(frame);
        Ok(())
    }

    /// The stretch of a frame's path that begins at its `start`.
    fn lead(&mut self, f: &mut PapFrame, record: &mut Record<'_>) -> Walked<()> {
        let joins = &self.graphs.joins[f.method.0 as usize - 1];
        let blocks = &self.graphs.map().methods[f.method.0 as usize - 1].blocks;
        if let Some(piece) = record.take(f.number, &mut f.next) {
            f.path = joins
                .path(
                    f.start,
                    piece.block,
                    piece.r,
                    &piece.breaks,
                    self.steps.min(MAX_PATH) as usize,
                )
                .map_err(|_| FaultKind::Unreachable)?;
            self.steps -= f.path.len() as u64;
            f.close = Some(piece.close);
            f.ends_at = piece.at;
            f.recorded = true;
            return Ok(());
        }
        // Without numbers: as far as there is one way only.
        f.path = vec![f.start];
        f.close = None;
        let mut b = f.start as usize;
        loop {
            match &blocks[b].terminator {
                Terminator::Goto(t) if f.path.len() <= blocks.len() => {
                    f.path.push(t.0);
                    b = t.0 as usize;
                }
                Terminator::Return => {
                    f.close = (!joins.has_branches()).then_some(Close::Left);
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
    }

    fn caught(
        &mut self,
        h: u32,
        dropped: usize,
        thrown: BlockNo,
        record: &mut Record<'_>,
        sink: &mut impl PathSink,
    ) -> Walked<()> {
        let map = self.graphs.map();
        let handler = map.handlers.get(h as usize).ok_or(FaultKind::UnknownId(h))?;
        let Some(mut f) = self.frames.pop() else { return Err(FaultKind::UnknownFrame) };
        if handler.method != f.method {
            return Err(FaultKind::UnknownFrame);
        }
        f.start = handler.block.0;
        (f.at, f.call, f.marked) = (0, 0, true);
        self.recorded -= usize::from(std::mem::take(&mut f.recorded));
        self.lead(&mut f, record)?;
        self.recorded += usize::from(f.recorded);
        let block = self.number(f.method, handler.block.0);
        self.frames.push(f);
        sink.caught(dropped, HandlerId(h), block, &[thrown]);
        Ok(())
    }
}

/// Reads path numbers: each record is walked to prove it, then walked again to pass it on.
pub(crate) struct PapReader;

impl RecordReader for PapReader {
    fn read(
        &self,
        decoding: &mut Decoding<'_>,
        segment: &Segment,
        (offset, start): (usize, Start),
        sink: &mut impl PathSink,
    ) -> Result<Ended, Fault> {
        let program = decoding.program;
        let graphs = Graphs::new(program);
        let mut state = start;
        let mut times = Timeline::new(program.map.protocol(), start.time);
        times.expect(&segment.clocks, offset);
        let mut at = offset;
        loop {
            sink.can_begin(segment.first, at, Start { time: times.ticks(), ..state });
            // Records up to the next sync point are whole.
            let next = segment.syncs.get(segment.syncs.partition_point(|p| p.offset <= at));
            let bytes = &segment.bytes[..next.map_or(segment.bytes.len(), |p| p.offset)];
            let steps =
                decoding.steps.saturating_mul(STEPS).saturating_add(decoding.credit.offer());
            let mut trial = Walk::new(&graphs, state, steps);
            trial.times.copy_from(&times);
            trial.times.be_first();
            let tried = trial.record(bytes, at, &mut NoSink);
            decoding.steps = decoding.credit.settle(trial.steps, tried.is_ok()) / STEPS;
            let (end, ended) = tried?;
            if let Some(p) = next.filter(|p| p.offset == end || ended == Some(Ended::Cut)) {
                let there = trial.state();
                let same =
                    p.progress == there.progress && p.last_top == there.last_top.map_or(0, |m| m.0);
                if ended == Some(Ended::Cut) || ended.is_none() && !same {
                    return Err(Fault { at: end, record: at, kind: FaultKind::Sync });
                }
            }
            let mut again = Walk::new(&graphs, state, u64::MAX);
            times.take_ends(trial.times.ends());
            again.times = std::mem::take(&mut times);
            match ended {
                Some(ended) => {
                    if trial.began {
                        decoding.totals.unproven += 1;
                        sink.note(Note::Unproven);
                        again.record(bytes, at, sink)?;
                    }
                    return Ok(ended);
                }
                None => {
                    // The same bytes and the same state give the same path.
                    again.record(bytes, at, sink)?;
                    if sink.is_full() {
                        return Ok(Ended::Stopped);
                    }
                    decoding.totals.proven += 1;
                    (state, at) = (trial.state(), end);
                    times = again.times;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
