//! Numbers of blocks.

/// A block of the whole program: position in `Program::blocks`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockNo(pub u32);
