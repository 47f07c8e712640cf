//! The numbers of every branch, region, loop and switch: the model's history, rounded to integers.

use std::collections::HashSet;
use std::ops::Index;

use model::adaptive::{Layout, Rule};
use model::map::{BlockId, Codec};
use model::profile::{Branch, BranchShape, Profile};
use model::table;
use serde::Serialize;

use crate::analysis::program::{MethodNo, Program};
use crate::options::Options;
use crate::plan::by_block::{ByBlock, Freqs};
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::history::{Known, source_key};
use crate::plan::regions::MIN_WAYS;
use crate::plan::subject::{Selection, Summary};
use crate::plan::tables::{PathTables, Table};

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
    /// Decisions that the model saw, but for those in methods that are left as they were.
    pub decisions: u64,
    /// Of these, those at branches that were recognised.
    pub found: u64,
    /// Of these, those in unchanged methods, of the same name or another one.
    pub found_exact: u64,
}

impl History {
    /// The share of the model's decisions that was recognised: 0 to 1.
    pub fn coverage(&self) -> f64 {
        self.found as f64 / self.decisions.max(1) as f64
    }
}

/// The numbers of one subject.
#[derive(Debug, Default)]
pub(crate) struct Numbers<'p> {
    /// Frequencies of each branch block's alternatives.
    pub freqs: Freqs,
    /// Where the device finds the symbols of regions, loops and large switches.
    pub tables: PathTables,
    /// Cells of the branch blocks that adapt.
    pub cells: ByBlock<u32>,
    /// The model's history of each branch.
    pub known: Known<'p>,
}

/// The numbers of all subjects. Most have no branches, and take no memory here.
#[derive(Debug)]
pub(crate) struct AllNumbers<'p> {
    of: BySubject<Option<Box<Numbers<'p>>>>,
    /// Of subjects without branches.
    none: Numbers<'p>,
}

impl<'p> AllNumbers<'p> {
    /// Of the subjects with branches.
    pub fn iter(&self) -> impl Iterator<Item = &Numbers<'p>> {
        self.of.iter().flatten().map(|numbers| &**numbers)
    }
}

impl<'p> Index<SubjectId> for AllNumbers<'p> {
    type Output = Numbers<'p>;

    fn index(&self, subject: SubjectId) -> &Numbers<'p> {
        self.of[subject].as_deref().unwrap_or(&self.none)
    }
}

/// The numbers of a build.
pub(crate) struct Distributions<'p> {
    /// Of each subject.
    pub numbers: AllNumbers<'p>,
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
    let known: BySubject<Option<Box<Known<'p>>>> = selection.subjects.map(|_, s| {
        let matcher = matcher.as_mut().filter(|_| !s.branches.is_empty())?;
        let shapes = s
            .branches
            .iter()
            .map(|b| BranchShape { fingerprint: b.fingerprint, alternatives: b.ways });
        let shapes: Vec<BranchShape> = shapes.collect();
        let key = source_key(program, s.no, options);
        let found = matcher.match_branches(&key, s.fingerprint, &shapes);
        Some(Box::new(s.branches.iter().map(|b| b.block).zip(found).collect()))
    });
    let prepared = selection.subjects.par_map(|i, s| {
        if s.branches.is_empty() {
            return None;
        }
        let history = |b: BlockId| known[i].as_ref()?.get(b).copied().flatten();
        let counts = |b: BlockId| history(b).map_or(Vec::new(), Branch::counts);
        let trips = |b: BlockId| history(b).map_or(Vec::new(), Branch::trips);
        let freqs = s.branches.iter().map(|b| {
            let counts = history(b.block).map_or_else(|| vec![0; b.ways as usize], Branch::counts);
            (b.block, quantised(&counts))
        });
        let freqs: Freqs = freqs.collect();
        let looks_up = s.branches.iter().any(|b| b.ways as usize >= MIN_WAYS);
        let (tables, stretches) = if s.has_paths() || looks_up {
            let subject = selection.open(program, i);
            PathTables::of(options.codec, &subject, &freqs, &counts, &trips)
        } else {
            Default::default()
        };
        Some(Box::new((freqs, tables, stretches)))
    });
    let mut table = Table::new();
    let mut layout = Layout::default();
    let subjects = selection.subjects.iter().zip(prepared).zip(known);
    let numbers = subjects.map(|((s, prepared), known)| {
        let (freqs, mut tables, stretches) = *prepared?;
        table.place(&mut tables, stretches);
        let cells = cells(s, options.codec, &mut layout);
        let known = known.map_or_else(Known::default, |known| *known);
        Some(Box::new(Numbers { freqs, tables, cells, known }))
    });
    let numbers = AllNumbers { of: numbers.collect(), none: Numbers::default() };
    let history = matcher.map(|m| {
        let s = m.stats();
        History {
            exact: s.exact,
            by_fingerprint: s.by_fingerprint,
            moved: s.moved,
            none: s.none,
            decisions: options
                .model
                .as_ref()
                .map_or(0, |m| decisions(m, program, selection, options)),
            found: s.decisions,
            found_exact: s.exact_decisions,
        }
    });
    Distributions { numbers, table, history }
}

/// How many decisions the model saw, but for those in methods of the app that take no part.
fn decisions(model: &Profile, program: &Program, selection: &Selection, options: &Options) -> u64 {
    let part: HashSet<MethodNo> = selection.subjects.iter().map(|s| s.no).collect();
    let left = (0..).map(MethodNo).take(program.methods.len()).filter(|no| !part.contains(no));
    let left = left
        .filter_map(|no| model.methods.get(&source_key(program, no, options)))
        .flat_map(|m| &m.branches)
        .fold(0, |sum: u64, b| sum.saturating_add(b.decisions()));
    model.decisions().saturating_sub(left)
}

/// The cell of every branch that adapts.
fn cells(s: &Summary, codec: Codec, layout: &mut Layout) -> ByBlock<u32> {
    if Rule::of(codec).is_none() {
        return ByBlock::default();
    }
    s.branches.iter().filter_map(|b| Some((b.block, layout.place(b.ways as usize)?))).collect()
}

/// Frequencies that sum to 65,535 ([`table::quantise`]).
pub(crate) fn quantised(counts: &[u64]) -> Vec<u16> {
    table::quantise(counts).expect("selection admits only branches that fit a table")
}
