//! What the weaver asks of a codec. Entries, marks and call tokens are the same for all codecs
//! (`Probes`); everything else comes from an [`Emitter`].

use dex::{Insn, Item, Label};
use model::map::BlockId;

use crate::rewrite::in_line::Marked;

/// The probes that a codec puts into one method.
pub(crate) trait Emitter {
    /// Argument words of its longest call.
    fn outs(&self) -> u16;

    /// Behind the probe at the method's entry.
    fn begin(&self) -> Vec<Insn>;

    /// At the head of a block that may throw or that returns.
    fn block(&self, block: BlockId) -> Option<Insn>;

    /// At the head of a block, behind what the edges to it carry.
    fn gathers(&self, _: BlockId) -> Vec<Insn> {
        Vec::new()
    }

    /// What each edge out of a block carries, in the order of its successors; nothing at all where
    /// no edge carries anything.
    fn edges(&self, from: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<EdgeProbe>;

    /// Before the branch of a block, for all its edges together.
    fn branch(&self, block: BlockId) -> Vec<Insn>;

    /// On the way out of a block with one successor: before its jump, or behind its last
    /// instruction.
    fn onward(&self, block: BlockId) -> Vec<Insn>;

    /// At a handler, behind its `move-exception`.
    fn caught(
        &self,
        handler: u32,
        block: BlockId,
        new_label: &mut dyn FnMut() -> Label,
    ) -> Vec<Item>;

    /// Before the `return` of a block.
    fn exit(&self, block: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<Item>;

    /// Whether [`Self::exit`] is the same for all blocks, so that returns may share it.
    fn shares_exits(&self) -> bool {
        true
    }

    /// In the catch-all at the method's boundary.
    fn boundary(&self) -> Boundary;
}

/// What one edge carries.
#[derive(Debug, Default)]
pub(crate) struct EdgeProbe {
    /// On the edge itself; empty: the edge is left alone.
    pub items: Vec<Item>,
    /// Code aside that the edge may jump to, and that jumps back.
    pub detour: Option<Detour>,
    /// A symbol of it that is to be coded in line.
    pub in_line: Option<Marked>,
}

impl EdgeProbe {
    /// An edge with these instructions and no more.
    pub fn of(insns: Vec<Insn>) -> EdgeProbe {
        EdgeProbe { items: items(insns), ..EdgeProbe::default() }
    }
}

/// Instructions as parts of a probe.
pub(crate) fn items(insns: Vec<Insn>) -> Vec<Item> {
    insns.into_iter().map(Item::Insn).collect()
}

/// Code aside of an edge.
#[derive(Debug)]
pub(crate) struct Detour {
    /// Where it begins.
    pub entry: Label,
    /// What it does.
    pub insns: Vec<Insn>,
    /// Where it continues, on the edge.
    pub back: Label,
    /// The try range that it is in.
    pub range: DetourRange,
}

/// A try range for a [`Detour`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DetourRange {
    /// That of a probe before the edge's target.
    Target,
    /// That of a new instruction where the edge begins.
    Branch,
}

/// The catch-all at a method's boundary.
#[derive(Debug, Default)]
pub(crate) struct Boundary {
    /// Its instructions, up to what `full_stack` protects.
    pub begin: Vec<Insn>,
    /// What may find no stack for its call.
    pub protected: Vec<Insn>,
    /// The rest, which rethrows.
    pub end: Vec<Insn>,
    /// The handler of `protected`; empty: there is none.
    pub full_stack: Vec<Insn>,
}
