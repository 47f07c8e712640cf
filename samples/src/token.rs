//! Observed places, and how near two of them are.

use model::map::{BlockId, MethodId};

/// An observed place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// The method.
    pub method: MethodId,
    /// The block; 0 where blocks are not known.
    pub block: BlockId,
    /// Offset in the block; where blocks are not known, in the method.
    pub offset: u32,
}

impl Token {
    /// A place in a method whose blocks are not known.
    pub fn at(method: MethodId, offset: u32) -> Token {
        Token { method, block: BlockId(0), offset }
    }
}

/// Precision of places, and so of their comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Method and offset.
    Instructions,
    /// Method, block and offset in the block. Blocks are numbered as the code lies.
    Blocks,
    /// Method and offset, of samples taken by time: equal places are nearest.
    Time,
    /// Method and offset; places farther apart are neighbours, too. For sequences that are put
    /// together token by token ([`crate::merge::free`]).
    Wide,
}

impl Level {
    /// Returns how likely two places are neighbours in a trace, in either order.
    #[inline]
    pub fn near(self, a: Token, b: Token) -> u64 {
        if a.method != b.method {
            return 0;
        }
        match self {
            Level::Blocks if a.block != b.block => 5 + apart(a.block.0.abs_diff(b.block.0)),
            Level::Blocks => 10 + self.peak(a.offset.abs_diff(b.offset)),
            _ => 10 + self.peak(a.offset.abs_diff(b.offset)),
        }
    }

    /// Returns how likely the second place follows the first.
    #[inline]
    pub fn follows(self, a: Token, b: Token) -> u64 {
        if a.method != b.method {
            return 0;
        }
        let ahead = |d: Option<u32>| d.map_or(0, |d| self.peak(d));
        match self {
            Level::Blocks if a.block != b.block => self.near(a, b),
            _ => 10 + ahead(b.offset.checked_sub(a.offset)),
        }
    }

    /// Value of a distance.
    fn peak(self, distance: u32) -> u64 {
        let table: &[u64] = match self {
            Level::Instructions | Level::Blocks => &[3, 10, 5, 2, 1],
            Level::Time => &[10, 8, 5, 2, 1],
            Level::Wide => &[12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
        };
        table.get(distance as usize).copied().unwrap_or(0)
    }
}

/// Value of a distance in blocks.
fn apart(blocks: u32) -> u64 {
    [0, 2, 1].get(blocks as usize).copied().unwrap_or(0)
}
