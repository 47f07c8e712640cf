//! Lines on which an instruction can throw.
//!
//! The line entries of a block divide its code into *stretches*, and what stands before the first
//! entry is a stretch of its own. A call of the map can always throw. For the other instructions
//! the map has one bit for each stretch: true if one that can throw stands after the last call of
//! the stretch. What stands between two calls needs no bit: a frame that has not begun the second
//! one is in the stretch anyway.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::block::Block;

/// The bits of all blocks that are listed (see [`stretches`]), in the order of the map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThrowingLines {
    /// Eight bits each, the lowest first. Empty if nothing is known.
    bytes: Vec<u8>,
}

/// Returns the number of stretches of a block that the map has bits for: none if a bit would
/// distinguish nothing.
pub fn stretches(block: &Block) -> usize {
    let count = block.lines.len() + usize::from(has_lead(block));
    if block.throws && count > 1 { count } else { 0 }
}

/// Returns true if code stands before the first line entry of a block.
pub fn has_lead(block: &Block) -> bool {
    block.lines.first().is_some_and(|l| l.0 > block.pc)
}

/// Returns the stretch of a block that contains an address.
pub fn stretch_at(block: &Block, pc: u32) -> usize {
    let entries = block.lines.partition_point(|l| l.0 <= pc);
    if has_lead(block) { entries } else { entries.saturating_sub(1) }
}

impl ThrowingLines {
    /// Returns true if nothing is known: maps before version 11, and maps without lines.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the position of the first bit of each block; `None` if the bits are not those of
    /// the blocks.
    pub(crate) fn first_bits<'b>(
        &self,
        blocks: impl Iterator<Item = &'b Block>,
    ) -> Option<Vec<u32>> {
        let mut bits = 0_usize;
        let mut first = Vec::new();
        for block in blocks {
            first.push(u32::try_from(bits).ok()?);
            bits += stretches(block);
        }
        (bits.div_ceil(8) == self.bytes.len()).then_some(first)
    }

    /// Returns the bits of a block whose first one has this position.
    pub fn of_block(&self, block: &Block, first: u32) -> Option<ThrowingStretches<'_>> {
        let first = first as usize;
        let range = first..first + stretches(block);
        let is_known = !range.is_empty() && range.end.div_ceil(8) <= self.bytes.len();
        is_known.then_some(ThrowingStretches { lines: self, range })
    }
}

/// The bits of one block.
#[derive(Debug, Clone)]
pub struct ThrowingStretches<'m> {
    lines: &'m ThrowingLines,
    range: Range<usize>,
}

impl ThrowingStretches<'_> {
    /// Returns true if an instruction after the last call of a stretch can throw.
    pub fn throws(&self, stretch: usize) -> bool {
        let at = self.range.start + stretch;
        self.range.contains(&at) && self.lines.bytes[at / 8] >> (at % 8) & 1 == 1
    }

    /// Returns the number of stretches.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Returns true if the block has no stretch: never the case.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }
}

/// Collects the bits of blocks, in the order of the map.
#[derive(Debug, Clone, Default)]
pub struct ThrowingLinesBuilder {
    bytes: Vec<u8>,
    bits: usize,
}

impl ThrowingLinesBuilder {
    /// Adds a block with its lines and calls, and the addresses of its instructions that can throw
    /// (calls may be among them).
    pub fn push(&mut self, block: &Block, throwing: &[u32]) {
        let count = stretches(block);
        let mut last_call = vec![None; count];
        for call in &block.calls {
            if let Some(last) = last_call.get_mut(stretch_at(block, call.pc)) {
                *last = (*last).max(Some(call.pc));
            }
        }
        let mut bits = vec![false; count];
        for &pc in throwing {
            let stretch = stretch_at(block, pc);
            if let (Some(bit), Some(last)) = (bits.get_mut(stretch), last_call.get(stretch)) {
                *bit |= last.is_none_or(|last| pc > last);
            }
        }
        self.extend(&bits);
    }

    /// Adds a block whose lines were replaced: `old` is the block before, with its bits. Each new
    /// entry must begin where an old one did; without bits, any instruction may throw.
    pub fn replace(&mut self, block: &Block, old: &Block, bits: Option<&ThrowingStretches<'_>>) {
        let Some(bits) = bits else {
            return self.extend(&vec![true; stretches(block)]);
        };
        // An instruction after the last call of its old stretch is represented by the stretch's
        // last address.
        let ends = old.lines.iter().skip(usize::from(!has_lead(old))).map(|l| l.0);
        let ends = ends.chain([old.end]).enumerate();
        let throwing = ends.filter(|(stretch, _)| bits.throws(*stretch));
        let throwing: Vec<u32> = throwing.map(|(_, end)| end.saturating_sub(1)).collect();
        self.push(block, &throwing);
    }

    fn extend(&mut self, bits: &[bool]) {
        for &bit in bits {
            if self.bits.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.len() - 1;
            self.bytes[last] |= u8::from(bit) << (self.bits % 8);
            self.bits += 1;
        }
    }

    /// Returns the bits of all blocks.
    pub fn finish(self) -> ThrowingLines {
        ThrowingLines { bytes: self.bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::block::{CallKind, CallSite, Terminator};
    use crate::graph::ids::MethodId;
    use crate::graph::position::CodeOrigin;

    fn block(lines: &[u32], calls: &[u32]) -> Block {
        let call = |&pc: &u32| CallSite { pc, call: CallKind::Predicted(MethodId(1)) };
        Block {
            pc: 10,
            end: 30,
            lines: lines.iter().map(|&pc| (pc, CodeOrigin::Line(pc))).collect(),
            calls: calls.iter().map(call).collect(),
            throws: true,
            mark: false,
            terminator: Terminator::Return,
        }
    }

    /// The bits of a block after those of another one.
    fn bits(block: &Block, throwing: &[u32]) -> Vec<bool> {
        let before = self::block(&[10, 11, 12], &[]);
        let mut builder = ThrowingLinesBuilder::default();
        builder.push(&before, &[11]);
        builder.push(block, throwing);
        let lines = builder.finish();
        let first = lines.first_bits([&before, block].into_iter()).unwrap();
        assert_eq!(first, [0, 3]);
        let of_before = lines.of_block(&before, 0).unwrap();
        assert_eq!([0, 1, 2, 3].map(|n| of_before.throws(n)), [false, true, false, false]);
        let found = lines.of_block(block, 3);
        found.map_or(Vec::new(), |found| (0..found.len()).map(|n| found.throws(n)).collect())
    }

    #[test]
    fn each_stretch_has_a_bit_for_what_can_throw_after_its_calls() {
        let block = block(&[10, 14, 20, 25], &[12, 21]);
        assert_eq!(bits(&block, &[11, 12, 21, 24, 29]), [false, false, true, true]);
        assert_eq!(bits(&block, &[13]), [true, false, false, false]);
    }

    #[test]
    fn code_before_the_first_entry_has_a_bit_too() {
        let block = block(&[14], &[]);
        assert_eq!(bits(&block, &[13]), [true, false]);
        assert_eq!(bits(&block, &[14]), [false, true]);
    }

    #[test]
    fn blocks_of_one_stretch_and_blocks_that_do_not_throw_have_none() {
        let quiet = Block { throws: false, ..block(&[10, 14], &[]) };
        for block in [block(&[10], &[]), block(&[], &[]), quiet] {
            assert!(bits(&block, &[12]).is_empty(), "{block:?}");
        }
    }

    #[test]
    fn replaced_lines_keep_what_is_known() {
        let old = block(&[10, 14, 20, 25], &[12, 21]);
        let replaced = |lines: &[u32], throwing: Option<&[u32]>| {
            let mut builder = ThrowingLinesBuilder::default();
            builder.push(&old, throwing.unwrap_or_default());
            let known = builder.finish();
            let known = throwing.and_then(|_| known.of_block(&old, 0));
            let new = block(lines, &[12, 21]);
            let mut builder = ThrowingLinesBuilder::default();
            builder.replace(&new, &old, known.as_ref());
            let made = builder.finish();
            let made = made.of_block(&new, 0).unwrap();
            (0..made.len()).map(|n| made.throws(n)).collect::<Vec<_>>()
        };
        let throwing = Some(&[13, 15, 24][..]);
        assert_eq!(replaced(&[10, 14, 20, 25], throwing), [true, true, true, false]);
        // Entry 14 merged with the one before, whose call comes first; then with the one after,
        // whose call comes last.
        assert_eq!(replaced(&[10, 20, 25], throwing), [true, true, false]);
        assert_eq!(replaced(&[10, 14, 25], Some(&[15])), [false, false, false]);
        assert_eq!(replaced(&[14, 25], Some(&[13])), [true, false, false]);
        assert_eq!(replaced(&[10, 14], None), [true, true]);
    }

    #[test]
    fn bits_of_other_blocks_are_refused() {
        let nine = block(&[10, 11, 12, 13, 14, 15, 16, 17, 18], &[]);
        let mut builder = ThrowingLinesBuilder::default();
        builder.push(&nine, &[]);
        let lines = builder.finish();
        assert!(lines.first_bits([&nine].into_iter()).is_some());
        assert_eq!(lines.first_bits([&block(&[10, 11], &[])].into_iter()), None);
        assert_eq!(lines.first_bits([&nine, &nine].into_iter()), None);
        assert!(lines.of_block(&nine, 8).is_none());
    }
}
