//! Distributions that adapt while the app runs: where they lie, how they begin, how an edge changes
//! them.
//!
//! The device keeps one table of 16-bit *cells* per thread, the decoder mirrors it. A branch with
//! two alternatives has one cell, the frequency of the first (the second has the rest of 65,535).
//! One with up to [`MAX_WAYS`] alternatives has a cell for their number and one for each frequency.
//! Larger ones keep the fixed distribution of the map. Cells lie in pages of [`PAGE`], which the
//! device fills when it first needs them; no branch lies across a page's end.
//!
//! [`Rule`] is the one definition of the change; `runtime/src/pathlight/Adapt.java` does the same,
//! and a test plays both.

use crate::coding::table::SHARE;
use crate::formats::map::{BuildId, Map, Terminator};
use crate::formats::start_table::StartTable;
use crate::recording::{Recording, TraceCodec};

/// Cells of a page.
pub const PAGE: u32 = 512;
/// The most alternatives of a branch that adapts: the change costs a step for each.
pub const MAX_WAYS: usize = 255;
/// The most pages: numbers of cells must leave room for an alternative in 32 bits.
pub const MAX_PAGES: u32 = 1 << 15;
/// Both sides restart at the first top-level record that starts at least this many bytes of stream
/// after the last such start.
pub const RESET_BYTES: u32 = 16_384;
/// Slice of the symbol that begins every top-level record, when the tables stay as they are: (first
/// value, width).
pub const KEPT: (u32, u32) = (0, SHARE - 256);
/// The same, when both sides restart.
pub const RESET: (u32, u32) = (SHARE - 256, 256);

/// Rule that changes a distribution after one of its edges was taken. Frequencies stay at least 1
/// and keep their sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The published rule: the edge taken gains `inc`, each of its n − 1 siblings loses `inc / (n −
    /// 1)` (rounded down, but at least 1), though none falls below `floor` by it. The edge taken
    /// gains exactly the amount that its siblings lost.
    Inc {
        /// Gain of the edge taken, in 1/65,535.
        inc: u16,
        /// Lowest frequency that a sibling can fall to, at least 1.
        floor: u16,
    },
    /// Each sibling loses a 2^shift-th of its frequency (rounded down); the edge taken gains what
    /// they lost.
    Shift(u8),
}

impl Rule {
    /// The rule of a codec; `None` for those that do not adapt.
    pub fn of(recording: Recording) -> Option<Rule> {
        match recording.codec()? {
            TraceCodec::ArithAdaptive => Some(Rule::Inc { inc: 4096, floor: 4096 }),
            TraceCodec::ArithAdaptiveShift => Some(Rule::Shift(5)),
            _ => None,
        }
    }

    #[inline]
    fn loss(self, freq: u16, siblings: u16) -> u16 {
        match self {
            Rule::Inc { inc, floor } => (inc / siblings).max(1).min(freq.saturating_sub(floor)),
            Rule::Shift(k) => freq >> k,
        }
    }

    /// The first frequency of a branch with two alternatives, after this one (0 or 1) was taken.
    #[inline]
    pub fn pair(self, first: u16, taken: usize) -> u16 {
        if taken == 0 {
            first + self.loss(SHARE as u16 - first, 1)
        } else {
            first - self.loss(first, 1)
        }
    }

    /// Changes the frequencies (two or more, sum 65,535) after one of them was taken.
    pub fn update(self, freqs: &mut [u16], taken: usize) {
        let siblings = freqs.len() as u16 - 1;
        let mut gain = 0;
        for (i, f) in freqs.iter_mut().enumerate() {
            if i != taken {
                let loss = self.loss(*f, siblings);
                *f -= loss;
                gain += loss;
            }
        }
        freqs[taken] += gain;
    }
}

/// Hands out cells, branch by branch, in the order of the map.
#[derive(Debug, Clone, Copy, Default)]
pub struct CellAllocator {
    next: u32,
}

impl CellAllocator {
    /// Returns the (first) cell of the next branch, which has this many alternatives; `None` if it
    /// does not adapt.
    pub fn place(&mut self, ways: usize) -> Option<u32> {
        let len = if ways == 2 { 1 } else { ways as u32 + 1 };
        let mut at = self.next;
        if at % PAGE + len > PAGE {
            at = at.next_multiple_of(PAGE);
        }
        if !(2..=MAX_WAYS).contains(&ways) || at / PAGE >= MAX_PAGES {
            return None;
        }
        self.next = at + len;
        Some(at)
    }
}

/// The cells of a map as they are at the beginning; empty when its codec does not adapt.
pub fn initial(map: &Map) -> Vec<u16> {
    let mut cells = Vec::new();
    if Rule::of(map.recording).is_none() {
        return cells;
    }
    let mut layout = CellAllocator::default();
    for block in map.methods.iter().flat_map(|m| &m.blocks) {
        let Terminator::Branch { alternatives, .. } = &block.terminator else { continue };
        let Some(at) = layout.place(alternatives.len()) else { continue };
        cells.resize(at as usize, 0);
        if alternatives.len() > 2 {
            cells.push(alternatives.len() as u16);
            cells.extend(alternatives.iter().map(|a| a.1));
        } else {
            cells.push(alternatives[0].1);
        }
    }
    cells
}

/// The cells where branches with more than two alternatives begin, ascending; empty when the map's
/// codec does not adapt.
pub fn wide(map: &Map) -> Vec<u32> {
    let mut cells = Vec::new();
    if Rule::of(map.recording).is_none() {
        return cells;
    }
    let mut layout = CellAllocator::default();
    for block in map.methods.iter().flat_map(|m| &m.blocks) {
        let Terminator::Branch { alternatives, .. } = &block.terminator else { continue };
        let at = layout.place(alternatives.len());
        cells.extend(at.filter(|_| alternatives.len() > 2));
    }
    cells
}

/// Reasons why no process of a map's build can have begun with a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WrongTable {
    /// It is of another build.
    #[error("it is of build {0}")]
    Build(BuildId),
    /// The build has another number of cells.
    #[error("it has {0} cells, the build has {1}")]
    Cells(u32, u32),
    /// The frequencies of a branch are none.
    #[error("the frequencies of cell {0} are none")]
    Frequencies(u32),
}

/// The cells that a process begins with which has this table.
///
/// # Errors
/// The table is not one of this build.
pub fn begin_with(map: &Map, table: &StartTable) -> Result<Vec<u16>, WrongTable> {
    if table.build != map.build {
        return Err(WrongTable::Build(table.build));
    }
    let mut cells = initial(map);
    if cells.len() != table.cells as usize {
        return Err(WrongTable::Cells(table.cells, cells.len() as u32));
    }
    for &(at, value) in &table.changes {
        let none = WrongTable::Frequencies(at);
        *cells.get_mut(at as usize).ok_or(none)? = value;
    }
    let mut layout = CellAllocator::default();
    for block in map.methods.iter().flat_map(|m| &m.blocks) {
        let Terminator::Branch { alternatives, .. } = &block.terminator else { continue };
        let Some(at) = layout.place(alternatives.len()) else { continue };
        let (first, ways) = (at as usize, alternatives.len());
        let sound = if ways == 2 {
            (1..SHARE as u16).contains(&cells[first])
        } else {
            let freqs = &cells[first + 1..=first + ways];
            usize::from(cells[first]) == ways
                && freqs.iter().all(|&f| f > 0)
                && freqs.iter().map(|&f| u32::from(f)).sum::<u32>() == SHARE
        };
        if !sound {
            return Err(WrongTable::Frequencies(at));
        }
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rule() -> impl Strategy<Value = Rule> {
        prop_oneof![
            (1u16.., 1u16..2000).prop_map(|(inc, floor)| Rule::Inc { inc, floor }),
            (1u8..=15).prop_map(Rule::Shift),
        ]
    }

    proptest! {
        #[test]
        fn tables_stay_tables(
            rule in rule(),
            counts in prop::collection::vec(0u64..100_000, 2..40),
            taken in prop::collection::vec(any::<prop::sample::Index>(), 1..500),
        ) {
            let mut freqs = crate::coding::table::quantise(&counts).unwrap();
            for t in taken {
                let t = t.index(freqs.len());
                let before = freqs[t];
                rule.update(&mut freqs, t);
                prop_assert!(freqs.iter().all(|&f| f >= 1), "{:?}", freqs);
                prop_assert_eq!(freqs.iter().map(|&f| u32::from(f)).sum::<u32>(), SHARE);
                prop_assert!(freqs[t] >= before);
            }
        }

        #[test]
        fn a_pair_is_a_table_of_two(rule in rule(), first in 1u16..65_535, taken in 0usize..2) {
            let mut freqs = [first, 65_535 - first];
            rule.update(&mut freqs, taken);
            prop_assert_eq!(rule.pair(first, taken), freqs[0]);
        }
    }

    #[test]
    fn the_published_rule_in_numbers() {
        let rule = Rule::Inc { inc: 100, floor: 1 };
        let mut f = [20_000, 20_000, 25_535];
        rule.update(&mut f, 0);
        assert_eq!(f, [20_100, 19_950, 25_485]);
        let mut f = [10, 30, 65_495];
        rule.update(&mut f, 2);
        assert_eq!(f, [1, 1, 65_533]);
        assert_eq!(Rule::Shift(4).pair(32_768, 0), 32_768 + 32_767 / 16);
        assert_eq!(Rule::Shift(4).pair(15, 1), 15);
    }

    #[test]
    fn no_branch_lies_across_a_page() {
        let mut layout = CellAllocator::default();
        let places: Vec<_> =
            [2, 255, 255, 2, 256, 2].into_iter().map(|n| layout.place(n)).collect();
        assert_eq!(places, [Some(0), Some(1), Some(512), Some(768), None, Some(769)]);
    }
}
