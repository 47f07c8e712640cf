//! Interface between the weaver and a codec's probes. Entries, marks and call tokens are the same
//! for all codecs (`Probes`); everything else comes from an [`Emitter`].

use dex::{Insn, Item, Label};
use model::map::BlockId;

use crate::rewrite::inline_coder::MarkedSymbol;

/// Emits the probes of a codec into one method.
pub(crate) trait Emitter {
    /// Returns the number of argument words of its longest call.
    fn outs(&self) -> u16;

    /// Returns the instructions after the probe at the method's entry.
    fn begin(&self) -> Vec<Insn>;

    /// Returns the probe at the head of a block that may throw or that returns.
    fn block(&self, block: BlockId) -> Option<Insn>;

    /// Returns the instructions at the head of a block, after the probes of the edges to it.
    fn gathers(&self, _: BlockId) -> Vec<Insn> {
        Vec::new()
    }

    /// Returns the probe of each edge out of a block, in the order of its successors; empty if no
    /// edge has a probe.
    fn edges(&self, from: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<EdgeProbe>;

    /// Returns the probe before the branch of a block, for all its edges together.
    fn branch(&self, block: BlockId) -> Vec<Insn>;

    /// Returns the probe at the end of a block with one successor: before its jump, or after its
    /// last instruction.
    fn onward(&self, block: BlockId) -> Vec<Insn>;

    /// Returns the probe at a handler, after its `move-exception`.
    fn caught(
        &self,
        handler: u32,
        block: BlockId,
        new_label: &mut dyn FnMut() -> Label,
    ) -> Vec<Item>;

    /// Returns the probe before the `return` of a block.
    fn exit(&self, block: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<Item>;

    /// Returns true if [`Self::exit`] is the same for all blocks, so that returns may share it.
    fn shares_exits(&self) -> bool {
        true
    }

    /// Returns the catch-all at the method's boundary.
    fn boundary(&self) -> Boundary;
}

/// Probe of one edge.
#[derive(Debug, Default)]
pub(crate) struct EdgeProbe {
    /// Instructions on the edge itself; empty if the edge stays unchanged.
    pub items: Vec<Item>,
    /// Out-of-line code that the edge may jump to, and that jumps back.
    pub detour: Option<Detour>,
    /// Symbol in the probe that is to be coded inline.
    pub in_line: Option<MarkedSymbol>,
}

impl EdgeProbe {
    /// Creates a probe with these instructions only.
    pub fn of(insns: Vec<Insn>) -> EdgeProbe {
        EdgeProbe { items: items(insns), ..EdgeProbe::default() }
    }
}

/// Converts instructions to items of a probe.
pub(crate) fn items(insns: Vec<Insn>) -> Vec<Item> {
    insns.into_iter().map(Item::Insn).collect()
}

/// Out-of-line code of an edge.
#[derive(Debug)]
pub(crate) struct Detour {
    /// Label at its beginning.
    pub entry: Label,
    /// Its instructions.
    pub insns: Vec<Insn>,
    /// Label on the edge where it continues.
    pub back: Label,
    /// Its try range.
    pub range: DetourRange,
}

/// Try range of a [`Detour`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DetourRange {
    /// Range of a probe before the edge's target.
    Target,
    /// Range of a new instruction where the edge begins.
    Branch,
}

/// Catch-all at a method's boundary.
#[derive(Debug, Default)]
pub(crate) struct Boundary {
    /// Its instructions, up to what `full_stack` protects.
    pub begin: Vec<Insn>,
    /// Instructions whose call may overflow the stack.
    pub protected: Vec<Insn>,
    /// The rest, which rethrows.
    pub end: Vec<Insn>,
    /// Handler of `protected`; empty if there is none.
    pub full_stack: Vec<Insn>,
}
