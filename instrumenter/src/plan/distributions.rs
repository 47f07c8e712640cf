//! The numbers of every branch, region, loop and switch: the model's history, rounded to integers.

use std::collections::HashMap;

use model::adaptive::{Layout, Rule};
use model::map::{BlockId, Codec};
use model::profile::{Branch, BranchShape};
use model::table;
use serde::Serialize;

use crate::analysis::program::Program;
use crate::options::Options;
use crate::plan::by_subject::BySubject;
use crate::plan::history::{Known, source_key};
use crate::plan::subject::{Selection, Subject};
use crate::plan::tables::{Freqs, PathTables, Table};

/// How many branches found their history in the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct History {
    /// Method of the same name, unchanged.
    pub exact: u64,
    /// Changed method, branch recognised by its surroundings.
    pub by_fingerprint: u64,
    /// Method of another name with the same body.
    pub moved: u64,
    /// Without history: all alternatives equally likely.
    pub none: u64,
}

/// The numbers of one subject.
#[derive(Debug)]
pub(crate) struct Numbers<'p> {
    /// Frequencies of each branch block's alternatives.
    pub freqs: Freqs,
    /// Where the device finds the symbols of regions, loops and large switches.
    pub tables: PathTables,
    /// Cells of the branch blocks that adapt.
    pub cells: HashMap<BlockId, u32>,
    /// The model's history of each branch.
    pub known: Known<'p>,
}

/// The numbers of all subjects.
pub(crate) struct Distributions<'p> {
    /// Of each one.
    pub numbers: BySubject<Numbers<'p>>,
    /// What the device looks symbols up in.
    pub table: Table,
    /// How the model's history was found; `None` without a model.
    pub history: Option<History>,
}

impl Distributions<'_> {
    /// Whether the model knows a count of any branch.
    pub fn has_counts(&self) -> bool {
        let known = self.numbers.iter().flat_map(|n| n.known.values()).flatten();
        known.flat_map(|b| b.counts()).any(|n| n > 0)
    }
}

/// Makes all numbers of a build.
pub(crate) fn distributions<'p>(
    program: &Program,
    selection: &Selection,
    options: &'p Options,
) -> Distributions<'p> {
    let mut matcher = options.model.as_ref().map(model::profile::Matcher::new);
    let known: BySubject<Known<'p>> = selection.subjects.map(|_, s| {
        let shapes = s
            .branches
            .iter()
            .map(|&(b, fingerprint)| BranchShape { fingerprint, alternatives: ways(s, b) as u32 });
        let shapes: Vec<BranchShape> = shapes.collect();
        let found = match &mut matcher {
            Some(m) if !shapes.is_empty() => {
                m.match_branches(&source_key(program, s.no, options), s.fingerprint, &shapes)
            }
            _ => vec![None; shapes.len()],
        };
        s.branches.iter().map(|b| b.0).zip(found).collect()
    });
    let freqs: BySubject<Freqs> = selection.subjects.par_map(|i, s| {
        let counts =
            |b, known: &Option<&Branch>| known.map_or_else(|| vec![0; ways(s, b)], Branch::counts);
        known[i].iter().map(|(b, known)| (*b, quantised(&counts(*b, known)))).collect()
    });
    let mut table = Table::new();
    let mut layout = Layout::default();
    let subjects = selection.subjects.iter().zip(freqs).zip(known);
    let numbers = subjects.map(|((s, freqs), known)| {
        let history = |b: BlockId| known.get(&b).copied().flatten();
        let counts = |b: BlockId| history(b).map_or(Vec::new(), Branch::counts);
        let trips = |b: BlockId| history(b).map_or(Vec::new(), Branch::trips);
        let tables = table.subject(options.codec, s, &freqs, &counts, &trips);
        let cells = cells(s, options.codec, &mut layout);
        Numbers { freqs, tables, cells, known }
    });
    let numbers = numbers.collect();
    let history = matcher.map(|m| {
        let s = m.stats();
        History { exact: s.exact, by_fingerprint: s.by_fingerprint, moved: s.moved, none: s.none }
    });
    Distributions { numbers, table, history }
}

/// How many alternatives a branch has.
fn ways(s: &Subject, branch: BlockId) -> usize {
    s.cfg.block(branch).end.successors().len()
}

/// The cell of every branch that adapts.
fn cells(s: &Subject, codec: Codec, layout: &mut Layout) -> HashMap<BlockId, u32> {
    if Rule::of(codec).is_none() {
        return HashMap::new();
    }
    s.branches.iter().filter_map(|&(b, _)| Some((b, layout.place(ways(s, b))?))).collect()
}

/// Frequencies that sum to 65,535 ([`table::quantise`]).
pub(crate) fn quantised(counts: &[u64]) -> Vec<u16> {
    table::quantise(counts).expect("selection admits only branches that fit a table")
}
