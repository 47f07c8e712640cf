//! Progress of a frame in its block, to find the call that led to a callee.

use decoder::replay::{BlockNo, Program, Via};
use model::map::{Block, CallKind, CodeOrigin, MethodId, SlotId};

use super::names::block_of;

/// Progress of a frame in its block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Progress {
    block: Option<BlockNo>,
    /// Index of its next call.
    call: u32,
}

impl Progress {
    /// Enters a block.
    pub fn enter(&mut self, block: BlockNo) {
        *self = Progress { block: Some(block), call: 0 };
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
        let call = match via {
            Via::Call => CallKind::Predicted(method),
            Via::Slot(slot) => CallKind::Slot(slot),
            Via::Implied => CallKind::Implied(method),
            Via::Callback | Via::TopLevel(_) => return None,
        };
        self.pass(program, call)
    }

    /// Records that a call went to none of the slot's methods.
    pub fn passed(&mut self, program: &Program<'_>, slot: SlotId) {
        self.pass(program, CallKind::Slot(slot));
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

    #[inline]
    fn pass(&mut self, program: &Program<'_>, call: CallKind) -> Option<usize> {
        let (first, calls) = program.calls_of(self.block?);
        let next = self.call as usize;
        let found = next + calls.get(next..)?.iter().position(|&c| c == call)?;
        self.call = found as u32 + 1;
        Some(first + found)
    }
}

/// Returns the source position in force at an address of a block.
pub(crate) fn place_at(block: &Block, pc: u32) -> Option<CodeOrigin> {
    let behind = block.lines.partition_point(|l| l.0 <= pc);
    block.lines.get(behind.checked_sub(1)?).map(|l| l.1)
}
