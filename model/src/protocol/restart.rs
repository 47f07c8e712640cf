//! Restarts inside a callback (`docs/PROTOCOL.md` §6): where a ring's reader can begin in a thread
//! that is one endless callback.

use super::progress_check;
use crate::map::{BlockId, MethodId};

/// The head of a loop: what a restart names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartPlace {
    /// Whose loop it is.
    pub method: MethodId,
    /// Its first block, as a node of the graph that probes are woven into.
    pub block: BlockId,
}

impl RestartPlace {
    /// Bits of a block's number.
    const BLOCK_BITS: u32 = 11;
    /// Set in each place's number, and in no method's.
    const INSIDE: u32 = 1 << 31;

    /// As one number; `None`: it has too many blocks, or there are too many methods.
    pub fn number(self) -> Option<u32> {
        let fits =
            self.method.0 < 1 << (31 - Self::BLOCK_BITS) && self.block.0 < 1 << Self::BLOCK_BITS;
        fits.then_some(Self::INSIDE | self.method.0 << Self::BLOCK_BITS | self.block.0)
    }

    /// Returns the check in the stream, with which a reader verifies the place and the progress
    /// that it begins with: 16 bits.
    pub fn check(self, progress: u32) -> Option<u32> {
        let place = self.number()?;
        Some(progress_check(progress.wrapping_add(place.wrapping_mul(31))))
    }

    /// The place with this number, which may not exist; `None`: it is the number of a method.
    pub fn of_number(number: u32) -> Option<RestartPlace> {
        let place = number & !Self::INSIDE;
        (place != number).then_some(RestartPlace {
            method: MethodId(place >> Self::BLOCK_BITS),
            block: BlockId(place & ((1 << Self::BLOCK_BITS) - 1)),
        })
    }
}

/// Position of a restart's frame on the guard stack, as the device knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestartMode {
    /// It is not on the guard stack.
    Plain,
    /// It is the last entry of the guard stack.
    Guarded,
    /// It is the top-level callback: the only entry.
    Outermost,
}

impl RestartMode {
    /// Bits of the number.
    pub const BITS: u32 = 2;

    /// The number in the stream.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// The mode with this number.
    pub fn of_number(number: u32) -> Option<RestartMode> {
        [RestartMode::Plain, RestartMode::Guarded, RestartMode::Outermost]
            .get(number as usize)
            .copied()
    }
}
