//! Escapes, and the walk to the places that they name.

use model::map::{CallKind, HandlerId, OriginId};
use model::protocol::{Escape, Position, progress_check};
use model::symbols::Symbols;

use super::block::{BlockEnd, BlockNo};
use super::fault::FaultKind;
use super::walk::{MAX_STRETCH, Result, Turn, Walker, pass};
use super::{PathSink, SendEvents, Via};

impl Walker<'_> {
    pub(super) fn escape(
        &mut self,
        decoder: &mut impl Symbols,
        sink: &mut impl PathSink,
    ) -> Result<Turn> {
        decoder.escape()?;
        let number = decoder.bits(Escape::BITS)?;
        let kind = Escape::from_number(number).ok_or(FaultKind::UnknownEscape(number))?;
        if !kind.has_position() {
            return Ok(Turn::Stopped);
        }
        let bits = Position::of_class(decoder.bits(Position::CLASS_BITS)?).bits();
        let low = decoder.bits(bits)?;
        // Everything is read before anything is walked: a cut event leaves no trace.
        let id_bits = u32::from(self.program.map.id_bits);
        match kind {
            Escape::Entry => {
                let id = decoder.bits(id_bits)?;
                if id == 0 {
                    return self.restart(low, bits, decoder, sink);
                }
                let m = self.method(id)?;
                self.walk_to(low, bits, sink)?;
                if !self.program.is_guarded(m) {
                    return Err(FaultKind::UnknownId(m.0));
                }
                self.possible(self.frames.len().saturating_sub(1), sink);
                self.push(m, true, Via::Callback, sink)?;
            }
            Escape::EntryUnguarded => {
                let id = decoder.bits(id_bits)?;
                if let Some(origin) = self.program.map.origin_of(id) {
                    if decoder.bits(1)? == 1 {
                        return Err(FaultKind::UnknownId(id));
                    }
                    return self.origin(origin, low, bits, sink);
                }
                let m = self.method(id)?;
                let void = decoder.bits(1)? == 1;
                self.walk_to(low, bits, sink)?;
                self.unguarded |= self.guards == 0;
                if void {
                    self.void_call(sink)?;
                } else {
                    self.possible(self.frames.len().saturating_sub(1), sink);
                }
                self.push(m, false, Via::Callback, sink)?;
                if self.program.can_throw(m) {
                    self.doubts.unguarded(self.frames.len(), m);
                }
            }
            Escape::Handler => {
                let id = decoder.bits(id_bits)?;
                let back = decoder.gamma()?;
                let block =
                    *self.program.handlers.get(id as usize).ok_or(FaultKind::UnknownId(id))?;
                self.walk_to(low, bits, sink)?;
                let at = self.frame(self.progress.wrapping_sub(back))?;
                let owner = |b: BlockNo| self.program.frame_of(b);
                if owner(block) != owner(self.frames[at].block) {
                    return Err(FaultKind::UnknownFrame);
                }
                let from = self.shown_ahead();
                self.possible(at, sink);
                self.doubts.exception(at, sink);
                // Of this frame, what it is within ends.
                let dropped = self.drop_to(at + 1) + self.inlined_around(at);
                let p = self.program;
                let f = &mut self.frames[at];
                f.block = block;
                f.call = p.blocks[block.0 as usize].calls.0;
                f.void = false;
                f.entering = false;
                f.stopped = false;
                sink.caught(dropped, HandlerId(id), p.blocks[block.0 as usize].reported, &from);
            }
            Escape::Unwound => {
                let back = decoder.gamma()?;
                self.walk_to(low, bits, sink)?;
                let at = self.frame(self.progress.wrapping_sub(back))?;
                if !self.frames[at].guard {
                    return Err(FaultKind::UnknownFrame);
                }
                let from = self.shown_ahead();
                self.possible(at, sink);
                self.doubts.exception(at, sink);
                let dropped = self.drop_to(at);
                sink.unwound(dropped, &from);
                if self.guards == 0 {
                    return self.close(decoder, sink);
                }
            }
            Escape::Broken | Escape::Lap => {
                let register = decoder.gamma()?;
                self.walk_to(low, bits, sink)?;
                self.walk_to_path_end(sink)?;
                self.broken(register, kind == Escape::Lap, sink)?;
            }
            Escape::Flush => {
                let h = decoder.bits(16)?;
                self.walk_to(low, bits, sink)?;
                if h != progress_check(self.progress) {
                    return Err(FaultKind::Check);
                }
                decoder.flush()?;
                sink.checked();
                return Ok(Turn::Closed);
            }
            Escape::End => return Ok(Turn::Stopped),
        }
        Ok(Turn::On)
    }

    /// Passes the origin of the innermost frame on, which has just begun. It counts as a method of
    /// one block that was entered and returned.
    fn origin(
        &mut self,
        origin: OriginId,
        low: u32,
        bits: u32,
        sink: &mut impl PathSink,
    ) -> Result<Turn> {
        self.count_to(low, bits, sink)?;
        let begun = self.frames.last().is_some_and(|f| f.number == self.progress);
        if !begun && self.after_origin != Some(self.progress) {
            return Err(FaultKind::Unreachable);
        }
        self.progress = self.progress.wrapping_add(2);
        self.after_origin = Some(self.progress);
        sink.origin(origin);
        Ok(Turn::On)
    }

    /// Goes on, without symbols and without counting, to where path numbers are due.
    fn walk_to_path_end(&mut self, sink: &mut impl PathSink) -> Result<()> {
        let p = self.program;
        for _ in 0..MAX_STRETCH {
            self.pass_void_and_implied(sink)?;
            let Some(frame) = self.frames.last_mut() else { return Err(FaultKind::Unreachable) };
            let block = &p.blocks[frame.block.0 as usize];
            let waits = frame.entering || frame.stopped || frame.call < block.calls.1;
            match block.step {
                _ if waits => break,
                BlockEnd::Region(_) | BlockEnd::Loop(_) => return Ok(()),
                _ if !pass(frame, block, p, sink) => break,
                _ => {}
            }
        }
        Err(FaultKind::Unreachable)
    }

    /// Handles a register of the innermost frame that an exception interrupted, or (`lap`) that
    /// overflowed.
    fn broken(&mut self, register: u32, lap: bool, sink: &mut impl PathSink) -> Result<()> {
        let p = self.program;
        let Some(frame) = self.frames.last() else { return Err(FaultKind::Unreachable) };
        let passed = match p.blocks[frame.block.0 as usize].step {
            BlockEnd::Region(r) => p.regions[r as usize].most_hops(),
            BlockEnd::Loop(l) => p.loops[l as usize].listed_blocks(register),
            _ => 0,
        };
        let Some(left) = self.steps.checked_sub(passed) else { return Err(self.too_far()) };
        self.steps = left;
        let Some(frame) = self.frames.last_mut() else { return Err(FaultKind::Unreachable) };
        let stop = match p.blocks[frame.block.0 as usize].step {
            BlockEnd::Region(r) if !lap => p.regions[r as usize].pass_broken(register, sink),
            BlockEnd::Loop(l) if lap => p.loops[l as usize].pass_lap(register, sink),
            BlockEnd::Loop(l) => Some(p.loops[l as usize].pass_broken(register, sink)),
            _ => None,
        };
        let stop = stop.ok_or(FaultKind::UnknownId(register))?;
        frame.block = stop.at;
        frame.call = p.blocks[stop.at.0 as usize].calls.1;
        frame.stopped = !stop.goes_on;
        Ok(())
    }

    /// The call site at which the innermost frame stands is void. If it was already, then that one
    /// is over and the next of the block is: one in another block would have the block's mark
    /// counted before. Implied calls before it are over.
    fn void_call(&mut self, sink: &mut impl PathSink) -> Result<()> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.call += u32::from(std::mem::take(&mut frame.void));
        self.pass_all_implied(sink)?;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.void = true;
        let waits = frame.call < self.program.blocks[frame.block.0 as usize].calls.1;
        if waits && !frame.entering { Ok(()) } else { Err(FaultKind::Unreachable) }
    }

    /// Position of the frame with this number.
    fn frame(&self, number: u32) -> Result<usize> {
        let unknown = if self.floor { FaultKind::Below } else { FaultKind::UnknownFrame };
        self.frames.iter().rposition(|f| f.number == number).ok_or(unknown)
    }

    /// Drops all but the outermost `len` frames. Returns the number of frames dropped, as
    /// sinks count them.
    fn drop_to(&mut self, len: usize) -> usize {
        let inlined: usize = (len..self.frames.len()).map(|at| self.inlined_around(at)).sum();
        let dropped = self.frames.len() - len + inlined;
        self.guards -= self.frames[len..].iter().filter(|f| f.guard).count();
        self.frames.truncate(len);
        dropped
    }

    /// Returns the number of inlined callees around a frame.
    pub(super) fn inlined_around(&self, at: usize) -> usize {
        usize::from(self.program.blocks[self.frames[at].block.0 as usize].depth)
    }

    /// Returns [`Self::ahead`] as blocks of sinks.
    fn shown_ahead(&self) -> Vec<BlockNo> {
        self.ahead().iter().map(|b| self.program.blocks[b.0 as usize].reported).collect()
    }

    /// Walks, without symbols, until the counter ends in these bits, and on to where something can
    /// have happened.
    fn walk_to<P: PathSink>(&mut self, low: u32, bits: u32, sink: &mut P) -> Result<()> {
        self.count_to(low, bits, sink)?;
        self.settle(sink);
        Ok(())
    }

    /// Walks, without symbols, until the counter ends in these bits.
    pub(super) fn count_to<P: PathSink>(
        &mut self,
        low: u32,
        bits: u32,
        sink: &mut P,
    ) -> Result<()> {
        let mask = if bits == 32 { u32::MAX } else { (1 << bits) - 1 };
        let mut missing = low.wrapping_sub(self.progress) & mask;
        let p = self.program;
        // Steps in a row that count nothing: more than there are blocks is a circle.
        let mut uncounted = 0;
        let mut counted = missing;
        while missing > 0 {
            uncounted = if counted == missing { uncounted + 1 } else { 0 };
            counted = missing;
            if uncounted > p.blocks.len() + p.calls.len() + 2 {
                return Err(FaultKind::Circle);
            }
            let Some(left) = self.steps.checked_sub(1) else { return Err(self.too_far()) };
            self.steps = left;
            let unreachable = if self.floor { FaultKind::Below } else { FaultKind::Unreachable };
            let Some(frame) = self.frames.last_mut() else { return Err(unreachable) };
            let block = p.blocks[frame.block.0 as usize];
            if frame.entering {
                self.progress = self.progress.wrapping_add(1);
                missing -= 1;
                frame.entering = false;
                if block.begins {
                    sink.block(block.reported);
                }
                continue;
            }
            if frame.call < block.calls.1 {
                let call = p.calls[frame.call as usize];
                if let CallKind::Implied(m) = call {
                    frame.call += 1;
                    self.pay(self.implied_steps(m))?;
                    self.pass_implied(m, sink)?;
                    continue;
                }
                let CallKind::Predicted(m) = call else {
                    if !std::mem::take(&mut frame.void) {
                        return Err(FaultKind::Unreachable);
                    }
                    frame.call += 1;
                    continue;
                };
                frame.call += 1;
                if std::mem::take(&mut frame.void) {
                    continue;
                }
                match self.skips::<P>(m).filter(|s| s.counts <= u64::from(missing)) {
                    Some(s) => {
                        let Some(left) = self.steps.checked_sub(s.steps) else {
                            return Err(self.too_far());
                        };
                        self.steps = left;
                        self.progress = self.progress.wrapping_add(s.counts as u32);
                        missing -= s.counts as u32;
                    }
                    None => {
                        self.push(m, false, Via::Call, sink)?;
                        missing -= 1;
                    }
                }
                continue;
            }
            match block.step {
                _ if frame.stopped => return Err(FaultKind::Unreachable),
                _ if pass(frame, &block, p, sink) => {}
                BlockEnd::Return if frame.guard && self.guards == 1 => {
                    return Err(FaultKind::Unreachable);
                }
                BlockEnd::Return => {
                    self.pop_returned(sink);
                    missing -= 1;
                }
                _ => return Err(FaultKind::Unreachable),
            }
        }
        Ok(())
    }

    /// Goes on to the block in which something can have happened. Between here and the next symbol,
    /// entry, exit or mark there is one at most: marks see to that.
    fn settle(&mut self, sink: &mut impl PathSink) {
        let from = self.ahead();
        let p = self.program;
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(&to) = from.first() else { return };
        while frame.block != to {
            if !pass(frame, &p.blocks[frame.block.0 as usize], p, sink) {
                return;
            }
        }
    }

    /// The blocks in which the innermost frame can be now, if something can happen in them: the one
    /// it is in, and those that follow without an entry, an exit, a mark or a symbol. If
    /// nothing can happen in any (a probe itself ran out of stack), the one it is in.
    fn ahead(&self) -> Vec<BlockNo> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        if frame.stopped {
            return vec![frame.block];
        }
        let mut passed = vec![frame.block];
        // A void call may be over.
        let mut call = frame.call + u32::from(frame.void);
        while !frame.entering && passed.len() < MAX_STRETCH {
            let block = self.program.blocks[passed[passed.len() - 1].0 as usize];
            let Some(t) = block.next() else { break };
            let next = self.program.blocks[t.0 as usize];
            if call < block.calls.1 || next.mark || passed.contains(&t) {
                break;
            }
            passed.push(t);
            call = next.calls.0;
        }
        let all: Vec<BlockNo> =
            passed.iter().copied().filter(|b| self.program.blocks[b.0 as usize].throws).collect();
        if all.is_empty() { vec![frame.block] } else { all }
    }
}
