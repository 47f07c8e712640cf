//! Progress of a frame in its block: the call that led to a callee, the lines that ran for certain,
//! and those on which an exception can have been thrown.

use decoder::replay::{BlockNo, Program, Via};
use model::map::{Block, CallKind, CodeOrigin, MethodId, SlotId};
use model::throwing::{ThrowingStretches, has_lead, stretch_at};

use super::names::block_of;

/// The frame above a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Above {
    /// None, or one whose return proves nothing: code outside the app may stand between a slot and
    /// its callee, or had called back.
    #[default]
    Other,
    /// The callee of the last call. The call has returned once this frame has.
    Callee,
}

/// Progress of a frame in its block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Progress {
    block: Option<BlockNo>,
    /// Index of its next call.
    call: u32,
    above: Above,
    /// True if the call before the next one returned.
    returned: bool,
    /// True if code outside the app called back from this block. Calls after that may have ended
    /// without a trace (void call sites, `docs/PROTOCOL.md` §5).
    called_back: bool,
}

/// Lines on which an exception can have been thrown.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CandidateLines {
    /// Indices of line entries of the block, ascending.
    pub entries: Vec<usize>,
    /// True if code without a line entry is a candidate also.
    pub without_line: bool,
    /// True if the map has which lines can throw: the other lines of the block did not.
    pub is_exact: bool,
}

impl Progress {
    /// Enters a block.
    pub fn enter(&mut self, block: BlockNo) {
        *self = Progress { block: Some(block), ..Progress::default() };
    }

    /// Returns the number of the block, if one has begun.
    pub fn number(&self) -> Option<BlockNo> {
        self.block
    }

    /// Returns the block, if one has begun.
    pub fn block<'m>(&self, program: &Program<'m>) -> Option<&'m Block> {
        Some(block_of(program, self.block?).1)
    }

    /// Returns the address of the call that led to this method.
    pub fn called(&mut self, program: &Program<'_>, method: MethodId, via: Via) -> Option<u32> {
        let call = self.call_to(program, method, via)?;
        let first = program.calls_of(self.block?).0;
        self.block(program)?.calls.get(call - first).map(|c| c.pc)
    }

    /// Returns the index, among the calls of all blocks, of the call that led to this method.
    #[inline]
    pub fn call_to(&mut self, program: &Program<'_>, method: MethodId, via: Via) -> Option<usize> {
        let (call, above) = match via {
            Via::Call => (CallKind::Predicted(method), Above::Callee),
            Via::Slot(slot) => (CallKind::Slot(slot), Above::Other),
            Via::Implied => (CallKind::Implied(method), Above::Callee),
            Via::Callback | Via::TopLevel(_) => {
                (self.above, self.called_back) = (Above::Other, true);
                return None;
            }
        };
        self.above = above;
        self.pass(program, call)
    }

    /// Records that a call went to none of the slot's methods, and returned.
    pub fn passed(&mut self, program: &Program<'_>, slot: SlotId) {
        self.returned |= self.pass(program, CallKind::Slot(slot)).is_some();
    }

    /// Records that the frame above returned.
    #[inline]
    pub fn came_back(&mut self) {
        self.returned |= std::mem::take(&mut self.above) == Above::Callee;
    }

    /// Returns the address of the next call, if there is one.
    pub fn next_call(&self, program: &Program<'_>) -> Option<u32> {
        self.block(program)?.calls.get(self.call as usize).map(|c| c.pc)
    }

    /// Returns the address up to which the block ran for certain: that of the last call that began,
    /// or the block's own.
    pub fn reached(&self, program: &Program<'_>) -> Option<u32> {
        let block = self.block(program)?;
        let last = self.call.checked_sub(1).and_then(|last| block.calls.get(last as usize));
        Some(last.map_or(block.pc, |call| call.pc))
    }

    /// Returns the number of line entries that the block reached for certain.
    pub fn certain_lines(&self, program: &Program<'_>) -> usize {
        let lines = self.block(program).map_or(&[][..], |b| &b.lines);
        self.reached(program).map_or(0, |pc| lines.partition_point(|l| l.0 <= pc))
    }

    /// Returns the number of line entries that the block reached for certain, as it threw or was
    /// called back: those up to the first one that can have.
    pub fn certain_lines_at_event(&self, program: &Program<'_>) -> usize {
        let first =
            self.block.and_then(|number| self.stretches(program, number)?.first_candidate());
        let certain = self.certain_lines(program);
        first.map_or(certain, |entries| entries.max(certain))
    }

    /// Returns the address up to which the block ran for certain, as it threw or was called back.
    pub fn reached_at_event(&self, program: &Program<'_>) -> Option<u32> {
        let block = self.block(program)?;
        let last = self.certain_lines_at_event(program).checked_sub(1);
        let line = last.and_then(|last| block.lines.get(last)).map(|l| l.0);
        self.reached(program).max(line)
    }

    /// Returns true if the map has which lines of the block can throw.
    pub fn is_exact(&self, program: &Program<'_>) -> bool {
        self.block.is_some_and(|number| program.throwing(number).is_some())
    }

    /// Returns the lines of a block on which an exception can have been thrown. The block is that
    /// of the frame, or a later one.
    pub fn candidate_lines(&self, program: &Program<'_>, number: BlockNo) -> CandidateLines {
        let found = self.stretches(program, number).map(|s| s.candidates());
        found.filter(|found| found.without_line || !found.entries.is_empty()).unwrap_or_else(|| {
            // Without bits, or if a probe threw: all lines that are not over.
            let block = block_of(program, number).1;
            let done = match self.block == Some(number) {
                true => self.certain_lines(program).max(1) - 1,
                false => 0,
            };
            let entries = (done..block.lines.len()).collect();
            CandidateLines { entries, ..CandidateLines::default() }
        })
    }

    fn stretches<'m>(&self, program: &Program<'m>, number: BlockNo) -> Option<Stretches<'m>> {
        let (block, bits) = (block_of(program, number).1, program.throwing(number)?);
        let (call, returned) = match self.block == Some(number) {
            true => (self.call as usize, self.returned),
            false => (0, false),
        };
        Some(Stretches { block, bits, call, returned, called_back: self.called_back })
    }

    #[inline]
    fn pass(&mut self, program: &Program<'_>, call: CallKind) -> Option<usize> {
        let (first, calls) = program.calls_of(self.block?);
        let next = self.call as usize;
        let found = next + calls.get(next..)?.iter().position(|&c| c == call)?;
        self.call = found as u32 + 1;
        self.returned = false;
        Some(first + found)
    }
}

/// The stretches of a block (`model::throwing`), and how far a frame came in them.
struct Stretches<'m> {
    block: &'m Block,
    bits: ThrowingStretches<'m>,
    /// Index of the next call.
    call: usize,
    returned: bool,
    called_back: bool,
}

impl Stretches<'_> {
    fn stretch_of(&self, call: usize) -> Option<usize> {
        Some(stretch_at(self.block, self.block.calls.get(call)?.pc))
    }

    /// Returns the stretch that the frame is in or has left, and true if its last call may have
    /// thrown.
    fn last(&self) -> (usize, bool) {
        let last = self.call.checked_sub(1).and_then(|last| self.stretch_of(last));
        (last.unwrap_or(0), last.is_some() && !self.returned)
    }

    /// Returns the number of line entries up to the first stretch with a candidate; `None` if no
    /// stretch has one.
    fn first_candidate(&self) -> Option<usize> {
        let (from, may_throw) = self.last();
        let own = (from..self.bits.len()).find(|&stretch| self.bits.throws(stretch));
        let next = self.stretch_of(self.call);
        let first = may_throw.then_some(from).into_iter().chain(own).chain(next).min()?;
        Some(first + 1 - usize::from(has_lead(self.block)))
    }

    fn candidates(&self) -> CandidateLines {
        let (from, may_throw) = self.last();
        // A call that has not begun ends what ran. An implied one leaves no trace.
        let rest = self.block.calls.get(self.call..).unwrap_or_default();
        let announced = |call: &model::map::CallSite| !matches!(call.call, CallKind::Implied(_));
        let limit = rest.iter().position(announced).filter(|_| !self.called_back);
        let calls = match limit {
            Some(limit) => &rest[..=limit],
            None => rest,
        };
        let end = limit.map_or(self.bits.len(), |limit| stretch_at(self.block, rest[limit].pc));
        let mut found: Vec<usize> =
            (from..end.min(self.bits.len())).filter(|&stretch| self.bits.throws(stretch)).collect();
        found.extend(may_throw.then_some(from));
        found.extend(calls.iter().map(|call| stretch_at(self.block, call.pc)));
        found.sort_unstable();
        found.dedup();
        let lead = usize::from(has_lead(self.block));
        let entries = found.iter().filter_map(|stretch| stretch.checked_sub(lead)).collect();
        let without_line = lead > 0 && found.first() == Some(&0);
        CandidateLines { entries, without_line, is_exact: true }
    }
}

/// Returns the source position in force at an address of a block.
pub(crate) fn place_at(block: &Block, pc: u32) -> Option<CodeOrigin> {
    let behind = block.lines.partition_point(|l| l.0 <= pc);
    block.lines.get(behind.checked_sub(1)?).map(|l| l.1)
}
