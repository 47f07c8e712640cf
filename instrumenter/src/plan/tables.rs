//! Distributions of regions and counted loops, and the table from which the device looks up their
//! constants.

use std::collections::HashMap;

use model::map::BlockId;
use model::recording::Recording;
use model::region;

use crate::plan::by_block::{ByBlock, Freqs};
use crate::plan::chords::Increments;
use crate::plan::subject::Subject;
use crate::plan::switch_lookup::SwitchLookup;

/// Distribution of a counted loop, and its position in the device's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LoopTable {
    /// Position of symbol 0 in the table; at least 1.
    pub base: u32,
    /// Frequencies as the map carries them.
    pub freqs: Vec<u16>,
}

/// Distribution of a region, the position of its symbols and the increments of its path numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RegionTable {
    /// Position of number 0 in the table; at least 1.
    pub base: u32,
    /// Frequencies as the map carries them.
    pub freqs: Vec<u16>,
    /// True if all its branches have even odds, as branches without history have.
    pub is_even: bool,
    /// Increments of the register on its edges.
    pub increments: Increments,
}

/// Distributions of one subject's regions and loops, in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct PathTables {
    pub regions: Vec<RegionTable>,
    pub loops: Vec<LoopTable>,
    /// Lookups of large switches, with the positions of their tables.
    pub switch_lookups: ByBlock<(SwitchLookup, u32)>,
}

/// Builds the device's table. Equal sequences are stored once: without history most are equal.
#[derive(Debug)]
pub(crate) struct SymbolTable {
    /// Constants as probes carry them ([`Codec::symbols`]); 0 where there is no symbol.
    pub slices: Vec<u32>,
    known: HashMap<Vec<u32>, u32>,
}

impl SymbolTable {
    pub(crate) fn new() -> SymbolTable {
        // Position 0 means "no path".
        SymbolTable { slices: vec![0], known: HashMap::new() }
    }

    fn add(&mut self, stretch: Vec<u32>) -> u32 {
        if let Some(&base) = self.known.get(&stretch) {
            return base;
        }
        let base = self.slices.len() as u32;
        self.slices.extend(&stretch);
        self.known.insert(stretch, base);
        base
    }

    /// Stores the distributions of one subject, and sets their positions.
    pub(crate) fn place(&mut self, tables: &mut PathTables, stretches: SymbolSequences) {
        let mut all = stretches.0.into_iter();
        let mut place = |base: &mut u32| {
            if let Some(stretch) = all.next() {
                *base = self.add(stretch);
            }
        };
        tables.regions.iter_mut().for_each(|r| place(&mut r.base));
        tables.loops.iter_mut().for_each(|l| place(&mut l.base));
        tables.switch_lookups.values_mut().for_each(|(_, base)| place(base));
    }
}

/// Sequences that a subject stores in the [`SymbolTable`]: those of regions, of loops, of large
/// switches.
#[derive(Debug, Default)]
pub(crate) struct SymbolSequences(Vec<Vec<u32>>);

impl PathTables {
    /// Computes the distributions of one subject, without positions. `trips` returns the history of
    /// a loop's iteration counts, `counts` that of a branch.
    pub(crate) fn of(
        recording: Recording,
        s: &Subject,
        freqs: &Freqs,
        counts: &dyn Fn(BlockId) -> Vec<u64>,
        trips: &dyn Fn(BlockId) -> Vec<u64>,
    ) -> (PathTables, SymbolSequences) {
        let mut out = PathTables::default();
        let mut stretches = Vec::new();
        for numbering in &s.paths.regions {
            let known = |b: BlockId| freqs.get(b);
            let of = numbering
                .frequencies(known)
                .expect("a region has at least one path and few enough");
            let counts = recording == Recording::Edges;
            let mut stretch = vec![0; if counts { 0 } else { numbering.total() as usize }];
            for ((number, _), symbol) in numbering.full_paths().iter().zip(recording.symbols(&of)) {
                // Counting builds need no symbols.
                if let Some(at) = stretch.get_mut(*number as usize) {
                    *at = symbol;
                }
            }
            let increments = Increments::new(numbering, known);
            stretches.push(stretch);
            let is_even = numbering.members().iter().filter_map(|m| freqs.get(m.block)).all(even);
            out.regions.push(RegionTable { base: 0, freqs: of, is_even, increments });
        }
        for l in &s.paths.loops {
            let taken = counts(l.branch);
            let stay = taken.get(l.stay).copied().unwrap_or(0);
            let leave = taken.iter().sum::<u64>() - stay;
            let of = region::trip_frequencies(&trips(l.branch), stay, leave)
                .expect("the number of symbols is fixed");
            let counts = recording == Recording::Edges;
            stretches.push(if counts { Vec::new() } else { recording.symbols(&of) });
            out.loops.push(LoopTable { base: 0, freqs: of });
        }
        // In block order: the table assigns positions in the order of the sequences.
        let lookups = s.branches.iter().filter_map(|&(block, _)| {
            let (lookup, of) = SwitchLookup::of(s, recording, block).zip(freqs.get(block))?;
            stretches.push(lookup.table(&recording.symbols(of)));
            Some((block, (lookup, 0)))
        });
        out.switch_lookups = lookups.collect();
        (out, SymbolSequences(stretches))
    }
}

/// Returns true if frequencies differ only by rounding.
fn even(freqs: &[u16]) -> bool {
    let (least, most) = (freqs.iter().min(), freqs.iter().max());
    least.zip(most).is_none_or(|(least, most)| most - least <= 1)
}
