//! Which call of a block a frame came from.

use decoder::replay::{BlockNo, Program, Via};
use model::map::{Block, CallKind, CodeOrigin, MethodId, SlotId};

use super::names::block_of;

/// How far a frame has come in its block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Progress {
    block: Option<BlockNo>,
    /// Next of its calls.
    call: u32,
}

impl Progress {
    /// The frame goes on in this block.
    pub fn enter(&mut self, block: BlockNo) {
        *self = Progress { block: Some(block), call: 0 };
    }

    /// Number of the block, if one has begun.
    pub fn number(&self) -> Option<BlockNo> {
        self.block
    }

    /// The block, if one has begun.
    pub fn block<'m>(&self, program: &Program<'m>) -> Option<&'m Block> {
        Some(block_of(program, self.block?).1)
    }

    /// The address of the call that led to this method.
    pub fn called(&mut self, program: &Program<'_>, method: MethodId, via: Via) -> Option<u32> {
        let call = self.call_to(program, method, via)?;
        let first = program.calls_of(self.block?).0;
        self.block(program)?.calls.get(call - first).map(|c| c.pc)
    }

    /// The call that led to this method: its position among those of all blocks.
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

    /// A call went to none of the known methods.
    pub fn passed(&mut self, program: &Program<'_>, slot: SlotId) {
        self.pass(program, CallKind::Slot(slot));
    }

    /// The address of the next call, if there is one more.
    pub fn next_call(&self, program: &Program<'_>) -> Option<u32> {
        self.block(program)?.calls.get(self.call as usize).map(|c| c.pc)
    }

    /// The address up to which the block ran for certain: that of the last call that began, or its
    /// own.
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

/// The place in force at an address of a block.
pub(crate) fn place_at(block: &Block, pc: u32) -> Option<CodeOrigin> {
    let behind = block.lines.partition_point(|l| l.0 <= pc);
    block.lines.get(behind.checked_sub(1)?).map(|l| l.1)
}
