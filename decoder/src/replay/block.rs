//! Blocks as the walk has them: numbers, calls and ends.

/// A block of the whole program: position in `Program::blocks`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockNo(pub u32);

/// What the walk does at the end of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Return,
    Throw,
    Goto(BlockNo),
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
    pub step: Step,
}
