//! The walk itself.

use model::coder::CoderError;
use model::map::{CallKind, MethodId, SlotId};
use model::protocol::{Protocol, RestartPlace, Span, progress_check};
use model::region::{trip_bits, trip_count};
use model::symbols::Symbols;

use super::adapt::Tables;
use super::block::{BlockEnd, BlockNo, FlatBlock};
use super::doubt::Doubts;
use super::fault::{Fault, FaultKind, MAX_FRAMES};
use super::program::Program;
use super::silent::{Credit, MAX_DEPTH, STEPS_PER_SYMBOL, Silent};
use super::state::{Ended, Start};
use super::{Carried, Decision, PathSink, SendEvents, Timeline, Via};
use crate::log::SlabClock;

/// Blocks that a frame may pass without a symbol, entry, exit or mark and still be looked for: far
/// more than any method has in a row.
pub(super) const MAX_STRETCH: usize = 64;

#[derive(Debug, Clone, Copy)]
pub(super) struct ActiveFrame {
    pub block: BlockNo,
    /// Next call of the block: position in [`Program::calls`].
    pub call: u32,
    /// Frame number.
    pub number: u32,
    /// On the device's guard stack.
    pub guard: bool,
    /// The call site at which it stands is void: its callee announces itself.
    pub void: bool,
    /// It is about to enter `block`, whose mark has not been counted yet.
    pub entering: bool,
    /// An exception broke off here: it cannot continue.
    pub stopped: bool,
    /// Code outside the app called it.
    pub from_outside: bool,
}

/// The state of one thread's replay.
#[derive(Debug, Clone)]
pub struct Walker<'p> {
    pub(super) program: &'p Program<'p>,
    pub(super) frames: Vec<ActiveFrame>,
    pub(super) progress: u32,
    pub(super) guards: usize,
    pub(super) unguarded: bool,
    pub(super) last_top: Option<MethodId>,
    /// The record that comes begins with a restart at this place.
    pub(super) inside: Option<RestartPlace>,
    /// Decoding began inside a callback, and what called the outermost frame is not known.
    pub(super) floor: bool,
    /// The counter after the last origin of a callback: another one may follow there.
    pub(super) after_origin: Option<u32>,
    /// Distributions that adapt.
    pub(super) tables: Tables,
    /// Frames that may have ended without a word.
    pub(super) doubts: Doubts,
    /// Steps that are left: see [`super::silent`].
    pub(crate) steps: u64,
    /// Amount that [`Self::prove_record`] may overdraw.
    pub(crate) credit: Credit,
    /// Something is to be done when the walk has come beyond this byte of the stream: a slab's
    /// clock is passed on, or, on the first walk, a record goes no further.
    pub(crate) limit: usize,
    pub(crate) times: Timeline<'p>,
}

/// Result of one turn of the walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Symbols were read, the record continues.
    On,
    /// The record was closed.
    Closed,
    /// END.
    Stopped,
}

pub(super) type Result<T> = std::result::Result<T, FaultKind>;

/// Looks for a walk without symbols that never ends: what runs from a place on depends on nothing
/// but the place until the frame returns. So a walk that comes to the same place again, in this
/// frame or a deeper one, does so for ever.
#[derive(Debug, Default)]
struct Silence {
    steps: u64,
    /// Most steps.
    most: u64,
    /// Block, call, and the frame's flags.
    noted: Option<(u32, u32, bool, bool)>,
    /// Depth there.
    depth: usize,
}

impl Silence {
    /// Steps that are not looked at.
    const PATIENCE: u64 = 1 << 12;

    #[cold]
    fn circles(&mut self, frames: &[ActiveFrame]) -> bool {
        let Some(f) = frames.last() else { return false };
        let here = Some((f.block.0, f.call, f.entering, f.void));
        let returned = frames.len() < self.depth;
        if here == self.noted && !returned {
            return true;
        }
        if returned || self.steps.is_power_of_two() || self.noted.is_none() {
            self.noted = here;
            self.depth = frames.len();
        }
        false
    }
}

impl<'p> Walker<'p> {
    /// A walker at the beginning of a record with an empty stack.
    pub fn new(program: &'p Program<'p>, start: Start) -> Self {
        Walker {
            program,
            frames: Vec::new(),
            progress: start.progress,
            guards: 0,
            unguarded: false,
            last_top: start.last_top,
            inside: start.inside,
            floor: false,
            tables: Tables::new(program),
            after_origin: None,
            doubts: Doubts::default(),
            steps: u64::MAX / 2,
            credit: Credit::NONE,
            limit: usize::MAX,
            times: Timeline::new(program.map.protocol(), start.time),
        }
    }

    /// Returns the number of active frames.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Returns true if the device could begin a record here that a reader can begin at.
    pub fn at_top(&self) -> bool {
        self.frames.is_empty() && !self.unguarded && !self.floor && self.inside.is_none()
    }

    /// Returns true if it took distributions from the map that older records may have changed.
    pub(crate) fn needs_older(&self) -> bool {
        self.tables.need_older()
    }

    /// The stream ends here: reports active frames that may have ended earlier.
    pub fn end(&mut self, sink: &mut impl PathSink) {
        self.doubts.remain(sink);
    }

    /// Returns the state with which a reader can begin here, except the time.
    pub fn state(&self) -> Start {
        Start { progress: self.progress, last_top: self.last_top, time: 0, inside: self.inside }
    }

    /// Returns the state with which a reader can begin here; `None` where none can.
    pub(crate) fn place(&self) -> Option<Start> {
        let time = self.times.ticks();
        self.at_top().then_some(Start { time, ..self.state() })
    }

    /// Takes over another walker's state, keeping its own memory, budget and limit.
    pub fn copy_from(&mut self, other: &Self) {
        self.frames.clone_from(&other.frames);
        self.tables.copy_from(&other.tables);
        self.doubts.clone_from(&other.doubts);
        let (frames, tables) = (std::mem::take(&mut self.frames), std::mem::take(&mut self.tables));
        let doubts = std::mem::take(&mut self.doubts);
        let (steps, credit, limit) = (self.steps, self.credit, self.limit);
        let mut times = std::mem::take(&mut self.times);
        times.copy_from(&other.times);
        *self = Walker { frames, tables, doubts, steps, credit, limit, times, ..*other };
    }

    /// Walks one record (or what there is of it). `Ok(None)`: the record was closed by a check,
    /// another may follow.
    ///
    /// # Errors
    /// A fault; what was passed to the sink before it was read for certain, though not yet proven
    /// by a check.
    pub fn record(
        &mut self,
        decoder: &mut impl Symbols,
        sink: &mut impl PathSink,
    ) -> std::result::Result<Option<Ended>, Fault> {
        if decoder.at_end() {
            let clean = self.frames.is_empty() && self.inside.is_none();
            return Ok(Some(if clean { Ended::Clean } else { Ended::Cut }));
        }
        if self.times.next_slab().is_some_and(|offset| offset < decoder.record_start()) {
            self.times.come_to(decoder.record_start(), sink);
            self.limit_to_clock(decoder);
        }
        loop {
            if sink.is_full() {
                return Ok(Some(Ended::Stopped));
            }
            match self.turn(decoder, sink) {
                Ok(Turn::On) => {}
                Ok(Turn::Closed) => return Ok(None),
                Ok(Turn::Stopped) => return Ok(Some(Ended::Stopped)),
                Err(FaultKind::Coder(CoderError::Truncated { .. })) => return Ok(Some(Ended::Cut)),
                Err(kind) => {
                    return Err(Fault {
                        at: decoder.position(),
                        record: decoder.record_start(),
                        kind,
                    });
                }
            }
        }
    }

    /// Walks one record that is not proven yet: it may overdraw the budget.
    ///
    /// # Errors
    /// As [`Self::record`].
    pub(crate) fn prove_record(
        &mut self,
        decoder: &mut impl Symbols,
        sink: &mut impl PathSink,
    ) -> std::result::Result<Option<Ended>, Fault> {
        self.steps = self.steps.saturating_add(self.credit.offer());
        let outcome = self.record(decoder, sink);
        self.steps = self.credit.settle(self.steps, outcome.is_ok());
        outcome
    }

    fn turn(&mut self, decoder: &mut impl Symbols, sink: &mut impl PathSink) -> Result<Turn> {
        if let Some(place) = self.inside {
            return self.restarted(place, decoder, sink);
        }
        if self.at_top() {
            return self.next_callback(decoder, sink);
        }
        loop {
            if self.floor && self.frames.is_empty() {
                return Err(FaultKind::Below);
            }
            if decoder.is_escape()? {
                return self.escape(decoder, sink);
            }
            let mut silent =
                Silence { most: self.steps.saturating_add(STEPS_PER_SYMBOL), ..Silence::default() };
            let turn = self.walk_to_symbol(decoder, &mut silent, sink);
            self.steps = silent.most.saturating_sub(silent.steps);
            if turn? == Turn::Closed {
                return Ok(Turn::Closed);
            }
            if silent.steps > silent.most {
                return Err(self.too_far());
            }
            if decoder.position() > self.limit {
                self.beyond_limit(decoder, sink)?;
            }
        }
    }

    /// Passes the clocks of these slabs on as the walk comes to them.
    pub(crate) fn expect<S: Symbols>(&mut self, clocks: &'p [SlabClock], decoder: &S) {
        self.times.expect(clocks, decoder.record_start());
        self.limit_to_clock(decoder);
    }

    /// The same where another walk has come to.
    pub(crate) fn expect_from<S: Symbols>(
        &mut self,
        clocks: &'p [SlabClock],
        decoder: &S,
        from: &Carried,
    ) {
        self.times.go_on(from);
        self.times.expect(clocks, from.clocks);
        self.limit_to_clock(decoder);
    }

    /// The device begins a slab when it puts a word out, which lags its coder by one word.
    fn limit_to_clock<S: Symbols>(&mut self, _decoder: &S) {
        let next = self.times.next_slab();
        self.limit = next.map_or(usize::MAX, |offset| offset.saturating_add(S::WORD));
    }

    #[cold]
    fn beyond_limit<S: Symbols>(&mut self, decoder: &S, sink: &mut impl PathSink) -> Result<()> {
        if !self.times.come_to(decoder.position().saturating_sub(S::WORD), sink) {
            return Err(FaultKind::Sync);
        }
        self.limit_to_clock(decoder);
        Ok(())
    }

    /// Walks to where a symbol is due and takes it.
    #[inline]
    fn walk_to_symbol<P: PathSink>(
        &mut self,
        decoder: &mut impl Symbols,
        silent: &mut Silence,
        sink: &mut P,
    ) -> Result<Turn> {
        let p = self.program;
        loop {
            let Some(frame) = self.frames.last_mut() else { return Err(FaultKind::DeadEnd) };
            let block = &p.blocks[frame.block.0 as usize];
            if frame.entering {
                self.progress = self.progress.wrapping_add(1);
                frame.entering = false;
                if block.begins {
                    sink.block(block.reported);
                }
            }
            if frame.call < block.calls.1 {
                let call = p.calls[frame.call as usize];
                frame.call += 1;
                if std::mem::take(&mut frame.void) {
                    continue;
                }
                match call {
                    CallKind::Predicted(m) if p.is_leaf(m) => {
                        self.progress = self.progress.wrapping_add(2);
                        sink.leaf(m, p.entry(m));
                    }
                    CallKind::Predicted(m) => match self.skips::<P>(m) {
                        Some(s) => {
                            self.progress = self.progress.wrapping_add(s.counts as u32);
                            silent.steps += s.steps;
                        }
                        None => self.push(m, false, Via::Call, sink)?,
                    },
                    CallKind::Implied(m) => {
                        silent.steps = silent.steps.saturating_add(self.implied_steps(m));
                        if silent.steps > silent.most {
                            return Err(self.too_far());
                        }
                        self.pass_implied(m, sink)?;
                    }
                    CallKind::Slot(s) => {
                        // Should the symbol turn out to be missing, the frame still stands before
                        // the call.
                        frame.call -= 1;
                        self.slot(s, decoder, sink)?;
                        return Ok(Turn::On);
                    }
                }
            } else {
                match block.step {
                    BlockEnd::Goto(t) if !frame.stopped => go(frame, t, p, sink),
                    BlockEnd::Enter(..) | BlockEnd::Leave(_) if !frame.stopped => {
                        pass(frame, block, p, sink);
                    }
                    BlockEnd::If(freq, a, b) if !frame.stopped => {
                        let Some(i) = decoder.two(freq.into())? else {
                            return Err(FaultKind::DeadEnd);
                        };
                        sink.decision(Decision::Branch(block.reported), i);
                        go(frame, if i == 0 { a } else { b }, p, sink);
                        return Ok(Turn::On);
                    }
                    BlockEnd::Switch { start, len } if !frame.stopped => {
                        let all = &p.alternatives[start as usize..(start + len) as usize];
                        let taken = all[decoder.among(all)?];
                        if len > 1 {
                            sink.decision(Decision::Branch(block.reported), taken.index as usize);
                        }
                        go(frame, BlockNo(taken.to), p, sink);
                        return Ok(Turn::On);
                    }
                    _ if frame.stopped => return Err(FaultKind::DeadEnd),
                    BlockEnd::Region(r) => {
                        let region = &p.regions[r as usize];
                        let taken = region.alternatives[decoder.among(&region.alternatives)?];
                        let to = region.pass(taken.index as usize, sink);
                        silent.steps += region.hops_of(taken.index as usize);
                        go(frame, to, p, sink);
                        return Ok(Turn::On);
                    }
                    BlockEnd::Loop(l) => {
                        let l = &p.loops[l as usize];
                        let symbol = l.alternatives[decoder.among(&l.alternatives)?].index as usize;
                        let low = match trip_bits(symbol) {
                            0 => 0,
                            n => decoder.bits(n)?,
                        };
                        let trips = trip_count(symbol, low);
                        l.pass(trips, sink);
                        silent.steps += l.listed_blocks(trips);
                        l.leave(sink);
                        sink.trips(l.branch(), symbol);
                        go(frame, l.exit, p, sink);
                        return Ok(Turn::On);
                    }
                    BlockEnd::AdaptiveIf(cell, a, b) => {
                        let (i, freq) = self.tables.pair(p, cell, decoder)?;
                        sink.decision(Decision::Branch(block.reported), i);
                        sink.adapted(freq);
                        go(frame, if i == 0 { a } else { b }, p, sink);
                        return Ok(Turn::On);
                    }
                    BlockEnd::AdaptiveSwitch { cell, start, len } => {
                        let (i, freq) = self.tables.many(p, cell, len, decoder)?;
                        sink.decision(Decision::Branch(block.reported), i);
                        sink.adapted(freq);
                        go(frame, BlockNo(p.alternatives[start as usize + i].to), p, sink);
                        return Ok(Turn::On);
                    }
                    BlockEnd::Return => {
                        if self.pop_returned(sink) {
                            return self.close(decoder, sink);
                        }
                        if self.frames.is_empty() {
                            return Ok(Turn::On);
                        }
                    }
                    _ => return Err(FaultKind::DeadEnd),
                }
            }
            silent.steps += 1;
            if silent.steps > Silence::PATIENCE {
                if silent.steps > silent.most {
                    return Err(self.too_far());
                }
                if silent.circles(&self.frames) {
                    return Err(FaultKind::Circle);
                }
            }
        }
    }

    /// Returns the cost of a call of this method, if the sink does not ask for its blocks and it
    /// returns without a symbol.
    #[inline]
    pub(super) fn skips<P: PathSink>(&self, m: MethodId) -> Option<Silent> {
        let skips = P::DECISIONS_ONLY && self.frames.len() + MAX_DEPTH < MAX_FRAMES;
        self.program.silent[m.0 as usize - 1].filter(|_| skips)
    }

    /// The budget is used up here.
    #[cold]
    pub(super) fn too_far(&self) -> FaultKind {
        let Some(frame) = self.frames.last() else { return FaultKind::DeadEnd };
        let (method, block) = self.program.locate(frame.block);
        let pc = self.program.map.methods[method.0 as usize - 1].blocks[block].pc;
        FaultKind::Steps { method: method.0, pc }
    }

    fn slot(
        &mut self,
        s: SlotId,
        decoder: &mut impl Symbols,
        sink: &mut impl PathSink,
    ) -> Result<()> {
        let slot = &self.program.slots[s.0 as usize];
        let taken = slot[decoder.among(slot)?];
        sink.decision(Decision::Slot(s), taken.index as usize);
        if let Some(f) = self.frames.last_mut() {
            f.call += 1;
        }
        if taken.index > 0 {
            let m = MethodId(taken.to);
            self.push(m, self.program.is_guarded(m), Via::Slot(s), sink)?;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn push(
        &mut self,
        m: MethodId,
        guard: bool,
        via: Via,
        sink: &mut impl PathSink,
    ) -> Result<()> {
        if self.frames.len() >= MAX_FRAMES {
            return Err(FaultKind::Depth);
        }
        self.progress = self.progress.wrapping_add(1);
        self.guards += usize::from(guard);
        let block = self.program.entry(m);
        let mut frame = ActiveFrame {
            block,
            call: 0,
            number: self.progress,
            guard,
            void: false,
            entering: false,
            stopped: false,
            from_outside: matches!(via, Via::Callback | Via::TopLevel(_)),
        };
        sink.enter(m, via);
        go(&mut frame, block, self.program, sink);
        self.frames.push(frame);
        Ok(())
    }

    /// A normal return. Whether the guard stack became empty by it.
    #[inline]
    pub(super) fn pop_returned(&mut self, sink: &mut impl PathSink) -> bool {
        self.progress = self.progress.wrapping_add(1);
        sink.leave();
        let frame = self.frames.pop().expect("a frame returned");
        self.guards -= usize::from(frame.guard);
        let closes = frame.guard && self.guards == 0;
        if closes || (self.frames.is_empty() && !self.floor) {
            self.doubts.proven(self.frames.len());
        }
        closes
    }

    pub(super) fn close(
        &mut self,
        decoder: &mut impl Symbols,
        sink: &mut impl PathSink,
    ) -> Result<Turn> {
        let time = match self.times.protocol() {
            Protocol::Two => 0,
            Protocol::Three => decoder.span(Span::Duration)?,
        };
        if !decoder.check(progress_check(self.progress))? {
            return Err(FaultKind::Check);
        }
        decoder.flush()?;
        self.times.end(time);
        sink.checked();
        Ok(Turn::Closed)
    }

    fn next_callback(
        &mut self,
        decoder: &mut impl Symbols,
        sink: &mut impl PathSink,
    ) -> Result<Turn> {
        if decoder.is_escape()? {
            return self.escape(decoder, sink);
        }
        let p = self.program;
        let anew = self.tables.begin(decoder)?;
        let s = self.last_top.and_then(|m| p.next_callbacks.get(&m).copied()).unwrap_or(SlotId(0));
        // A map without probes has no slot at all.
        let Some(slot) = p.slots.get(s.0 as usize) else { return Err(FaultKind::DeadEnd) };
        let taken = slot[decoder.among(slot)?];
        let other = taken.index == 0;
        let m = if other {
            self.method(decoder.bits(p.map.id_bits.into())?)?
        } else {
            MethodId(taken.to)
        };
        let time = match self.times.protocol() {
            Protocol::Two => decoder.gamma()?,
            Protocol::Three => decoder.span(Span::Gap)?,
        };
        self.tables.begun(anew, p)?;
        if anew {
            // Their cells are copied.
            self.steps =
                self.steps.checked_sub(p.cells.len() as u64 / 8).ok_or(FaultKind::Tables)?;
        }
        sink.decision(Decision::NextCallback(s), taken.index as usize);
        self.last_top = Some(m);
        let ms = self.times.begin(time, sink);
        self.push(m, true, Via::TopLevel(ms), sink)?;
        Ok(Turn::On)
    }

    pub(super) fn method(&self, id: u32) -> Result<MethodId> {
        match self.program.map.method(MethodId(id)) {
            Some(_) => Ok(MethodId(id)),
            None => Err(FaultKind::UnknownId(id)),
        }
    }
}

#[inline]
pub(super) fn go(frame: &mut ActiveFrame, to: BlockNo, p: &Program<'_>, sink: &mut impl PathSink) {
    let block = &p.blocks[to.0 as usize];
    frame.block = to;
    frame.call = block.calls.0;
    frame.entering = block.mark;
    if !block.mark && block.begins {
        sink.block(block.reported);
    }
}

/// On from a block at whose end nothing is decided: into or out of an inlined callee, or to the
/// next block. Whether it is such a block.
#[inline]
pub(super) fn pass(
    frame: &mut ActiveFrame,
    block: &FlatBlock,
    p: &Program<'_>,
    sink: &mut impl PathSink,
) -> bool {
    let to = match block.step {
        BlockEnd::Goto(to) => to,
        BlockEnd::Enter(callee, to) => {
            sink.enter(callee, Via::Call);
            to
        }
        BlockEnd::Leave(to) => {
            sink.leave();
            to
        }
        _ => return false,
    };
    go(frame, to, p, sink);
    true
}
