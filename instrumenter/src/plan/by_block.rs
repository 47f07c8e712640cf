//! Compact values for some blocks of a method: an app has hundreds of thousands of branches, and a
//! hash table or a vector for each would need more memory than its content.

use model::map::BlockId;

/// One value for each of some blocks, ascending by block.
#[derive(Debug, Clone)]
pub struct ByBlock<T>(Box<[(BlockId, T)]>);

impl<T> Default for ByBlock<T> {
    fn default() -> Self {
        ByBlock(Box::default())
    }
}

impl<T> ByBlock<T> {
    /// Returns the value of a block.
    pub fn get(&self, block: BlockId) -> Option<&T> {
        let at = self.0.binary_search_by_key(&block, |(b, _)| *b).ok()?;
        Some(&self.0[at].1)
    }

    /// Returns the values, in the order of their blocks.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Returns the values for modification.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().map(|(_, value)| value)
    }
}

impl<T> FromIterator<(BlockId, T)> for ByBlock<T> {
    /// Collects values of blocks in any order; each block may occur once.
    fn from_iter<I: IntoIterator<Item = (BlockId, T)>>(values: I) -> Self {
        let mut values: Vec<(BlockId, T)> = values.into_iter().collect();
        values.sort_by_key(|(block, _)| *block);
        ByBlock(values.into())
    }
}

/// Frequencies of some blocks' alternatives, in symbol order.
#[derive(Debug, Clone, Default)]
pub struct Freqs {
    /// End index of each block's frequencies.
    ends: ByBlock<u32>,
    all: Box<[u16]>,
}

impl Freqs {
    /// Returns the frequencies of a block; empty for a block without a decision.
    pub fn of(&self, block: BlockId) -> &[u16] {
        self.get(block).unwrap_or_default()
    }

    /// Returns the frequencies of a block with a decision.
    pub fn get(&self, block: BlockId) -> Option<&[u16]> {
        let at = self.ends.0.binary_search_by_key(&block, |(b, _)| *b).ok()?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends.0[before].1);
        Some(&self.all[start as usize..self.ends.0[at].1 as usize])
    }

    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        self.ends.0.len()
    }
}

impl FromIterator<(BlockId, Vec<u16>)> for Freqs {
    /// Collects frequencies of blocks in any order; each block may occur once.
    fn from_iter<I: IntoIterator<Item = (BlockId, Vec<u16>)>>(freqs: I) -> Self {
        let freqs: ByBlock<Vec<u16>> = freqs.into_iter().collect();
        let mut all = Vec::with_capacity(freqs.values().map(Vec::len).sum());
        let ends = freqs.0.into_iter().map(|(block, of)| {
            all.extend(of);
            (block, all.len() as u32)
        });
        let ends = ends.collect();
        Freqs { ends, all: all.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_finds_its_own_frequencies() {
        let of = [(9, vec![7, 8, 9]), (2, vec![1, 2]), (4, vec![])];
        let freqs: Freqs = of.clone().into_iter().map(|(b, of)| (BlockId(b), of)).collect();
        assert_eq!(freqs.len(), 3);
        for (block, of) in of {
            assert_eq!(freqs.get(BlockId(block)), Some(&of[..]));
        }
        assert_eq!(freqs.get(BlockId(3)), None);
        assert!(freqs.of(BlockId(10)).is_empty());
    }
}
