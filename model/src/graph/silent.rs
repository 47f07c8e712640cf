//! Silent branches: the likely alternative leaves no trace, the other ones write a deviation
//! (`docs/PROTOCOL.md` §4).

use serde::{Deserialize, Serialize};

use super::ids::{BlockId, MethodId};

/// A branch whose likely alternative leaves no trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SilentBranch {
    /// Method that the branch runs in.
    pub method: MethodId,
    /// Node ([`crate::inlined`]) of the method that ends in the branch.
    pub node: BlockId,
    /// Index of the likely alternative.
    pub likely: u16,
}

/// Returns the bits of a deviation's number: `most` is the largest number of deviations that a
/// method of the build can write.
pub fn deviation_bits(most: usize) -> u32 {
    let largest = u32::try_from(most.saturating_sub(1)).unwrap_or(u32::MAX);
    (u32::BITS - largest.leading_zeros()).max(1)
}

#[cfg(test)]
mod tests {
    use super::deviation_bits;

    #[test]
    fn a_deviation_has_the_bits_of_the_largest_number() {
        assert_eq!([0, 1, 2, 3, 4, 5, 256, 257].map(deviation_bits), [1, 1, 1, 2, 2, 3, 8, 9]);
    }
}
