//! Blocks as the walk has them: numbers, calls and ends.

use model::map::MethodId;

/// Reason why the contents of a map are valid.
pub(super) const CHECKED: &str = "maps are checked when they are read";

/// A block of the whole program: position in `Program::blocks`. Sinks receive the blocks of
/// methods; after them come the nodes of methods with inlined calls (`model::inlined`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockNo(pub u32);

/// Action of the walk at the end of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BlockEnd {
    Return,
    Throw,
    Goto(BlockNo),
    /// Into an inlined callee.
    Enter(MethodId, BlockNo),
    /// Out of the inlined callee that it is in.
    Leave(BlockNo),
    /// Two alternatives that adapt: their cell, and where they lead.
    AdaptiveIf(u32, BlockNo, BlockNo),
    /// Alternatives `start..start + len` in [`super::Program::alternatives`], with frequencies from
    /// this cell on.
    AdaptiveSwitch {
        cell: u32,
        start: u32,
        len: u32,
    },
    /// Two alternatives: the first one's frequency, and where they lead.
    If(u16, BlockNo, BlockNo),
    /// Alternatives `start..start + len` in [`super::Program::alternatives`]. A single one is a
    /// goto that the codec codes.
    Switch {
        start: u32,
        len: u32,
    },
    /// A fused region: position in [`super::Program::regions`].
    Region(u32),
    /// A counted loop: position in [`super::Program::loops`].
    Loop(u32),
}

/// A block: its calls (range of [`super::Program::calls`]) and its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatBlock {
    pub calls: (u32, u32),
    pub throws: bool,
    pub mark: bool,
    /// True if it begins the block that sinks receive; else it continues that block.
    pub begins: bool,
    /// Inlined calls around it.
    pub depth: u8,
    /// The block that sinks receive.
    pub reported: BlockNo,
    pub step: BlockEnd,
}

impl FlatBlock {
    /// Returns the successor if nothing is decided at its end.
    pub fn next(&self) -> Option<BlockNo> {
        match self.step {
            BlockEnd::Goto(to) | BlockEnd::Enter(_, to) | BlockEnd::Leave(to) => Some(to),
            _ => None,
        }
    }
}
