//! Restarts inside a callback (`docs/PROTOCOL.md` §6): at the head of a loop the device writes what
//! a reader must know to begin there.

use model::protocol::{RestartMode, RestartPlace, progress_check};
use model::symbols::Symbols;

use super::block::{BlockEnd, BlockNo};
use super::fault::FaultKind;
use super::program::Program;
use super::walk::{ActiveFrame, MAX_STRETCH, Result, Turn, Walker, pass};
use super::{PathSink, SendEvents, Via};

impl Walker<'_> {
    /// The escape: the coder restarts at the head of a loop of the innermost frame.
    pub(super) fn restart(
        &mut self,
        low: u32,
        bits: u32,
        decoder: &mut impl Symbols,
        sink: &mut impl PathSink,
    ) -> Result<Turn> {
        let number = decoder.bits(32)?;
        let place = RestartPlace::of_number(number).ok_or(FaultKind::UnknownId(number))?;
        let h = decoder.bits(16)?;
        self.count_to(low, bits, sink)?;
        let head = self.program.head(place).ok_or(FaultKind::UnknownId(place.method.0))?;
        self.go_to(head, sink)?;
        if h != progress_check(self.progress) {
            return Err(FaultKind::Check);
        }
        decoder.flush()?;
        sink.checked();
        self.inside = Some(place);
        Ok(Turn::Closed)
    }

    /// A record that begins at the head of a loop: the walk comes there, or begins there.
    pub(super) fn restarted(
        &mut self,
        place: RestartPlace,
        decoder: &mut impl Symbols,
        sink: &mut impl PathSink,
    ) -> Result<Turn> {
        let number = decoder.bits(RestartMode::BITS)?;
        let mode = RestartMode::of_number(number).ok_or(FaultKind::UnknownEscape(number))?;
        let back = decoder.gamma()?;
        let check = decoder.bits(16)?;
        let head = self.program.head(place).ok_or(FaultKind::UnknownId(place.method.0))?;
        if place.check(self.progress) != Some(check) {
            return Err(FaultKind::Check);
        }
        self.tables.begun(true, self.program)?;
        let cells = self.program.cells.len() as u64 / 8;
        self.steps = self.steps.checked_sub(cells).ok_or(FaultKind::Tables)?;
        self.inside = None;
        match self.frames.last() {
            Some(frame) => {
                let outermost = self.guards == 1 && !self.unguarded;
                let known = match mode {
                    RestartMode::Plain => !frame.guard,
                    RestartMode::Guarded => frame.guard && !outermost,
                    RestartMode::Outermost => frame.guard && outermost,
                };
                let numbered = frame.number == self.progress.wrapping_sub(back);
                let fits = known && numbered && frame.block == head;
                if fits { Ok(Turn::On) } else { Err(FaultKind::Sync) }
            }
            None => {
                self.begin_inside(place, head, mode, back, sink);
                Ok(Turn::On)
            }
        }
    }

    /// Nothing is known but this frame.
    fn begin_inside(
        &mut self,
        place: RestartPlace,
        head: BlockNo,
        mode: RestartMode,
        back: u32,
        sink: &mut impl PathSink,
    ) {
        let outermost = mode == RestartMode::Outermost;
        let p = self.program;
        // Below a frame that is not the callback itself there is at least that one.
        self.guards = match mode {
            RestartMode::Plain | RestartMode::Outermost => 1,
            RestartMode::Guarded => 2,
        };
        self.floor = !outermost;
        if outermost {
            self.last_top = Some(place.method);
        }
        self.times.resume(sink);
        sink.enter(place.method, Via::TopLevel(0));
        let block = &p.blocks[head.0 as usize];
        if block.begins {
            sink.block(block.reported);
        }
        self.frames.push(ActiveFrame {
            block: head,
            call: block.calls.0,
            // No younger frame has this number, nor one that is not known.
            number: self.progress.wrapping_sub(back),
            guard: mode != RestartMode::Plain,
            void: false,
            entering: false,
            stopped: false,
            from_outside: outermost,
        });
        // A method with a guard that is not on the guard stack was called by prediction.
        if mode == RestartMode::Plain && !p.is_guarded(place.method) && p.can_throw(place.method) {
            self.doubts.unguarded(1, place.method);
        }
    }

    /// Goes on, without symbols and without counting, to the begin of this node.
    fn go_to(&mut self, head: BlockNo, sink: &mut impl PathSink) -> Result<()> {
        let p = self.program;
        for _ in 0..MAX_STRETCH {
            let Some(frame) = self.frames.last() else { return Err(FaultKind::Unreachable) };
            let block = &p.blocks[frame.block.0 as usize];
            if frame.block == head && frame.call == block.calls.0 && !frame.entering {
                return Ok(());
            }
            self.pass_void_and_implied(sink)?;
            let Some(frame) = self.frames.last_mut() else { return Err(FaultKind::Unreachable) };
            let block = &p.blocks[frame.block.0 as usize];
            let waits = frame.entering || frame.stopped || frame.call < block.calls.1;
            if waits || !pass(frame, block, p, sink) {
                break;
            }
        }
        Err(FaultKind::Unreachable)
    }
}

impl Program<'_> {
    /// Returns the node of a place, which a device can name: it is the method's own, and no path
    /// register is open there.
    fn head(&self, place: RestartPlace) -> Option<BlockNo> {
        self.map.method(place.method)?;
        let entry = self.entry(place.method);
        let head = BlockNo(entry.0.checked_add(place.block.0)?);
        let block = self.blocks.get(head.0 as usize)?;
        let own = self.frame_of(head) == self.frame_of(entry);
        (own && block.depth == 0 && !matches!(block.step, BlockEnd::Loop(_))).then_some(head)
    }

    /// Returns the block of a place, as sinks receive it; `None`: the app has no such place.
    pub(crate) fn block_at(&self, place: RestartPlace) -> Option<BlockNo> {
        Some(self.blocks[self.head(place)?.0 as usize].reported)
    }
}
