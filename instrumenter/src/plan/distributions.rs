//! Probabilities of every branch, region, loop and switch: the model's history, rounded to
//! integers.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Index;

use model::adaptive::{CellAllocator, Rule};
use model::map::BlockId;
use model::profile::{BranchHistory, BranchShape, Matcher, Profile, Why};
use model::recording::Recording;
use model::table;
use serde::Serialize;

use crate::analysis::program::{MethodNo, Program};
use crate::options::Options;
use crate::plan::by_block::{ByBlock, Freqs};
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::history::{Known, source_key};
use crate::plan::regions::MIN_WAYS;
use crate::plan::subject::{Selection, Summary};
use crate::plan::tables::{PathTables, SymbolTable};

/// Numbers of branches by the match of their history in the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct History {
    /// Branches of unchanged methods of the same name.
    pub exact: u64,
    /// Branches of changed methods, recognised by their surroundings.
    pub by_fingerprint: u64,
    /// Branches that only resemble one in the model; its history has a lower weight.
    pub similar: u64,
    /// Branches of methods with the same body under another name.
    pub moved: u64,
    /// Branches without history: all alternatives are equally likely.
    pub none: u64,
    /// Decisions in the model, except those in methods that are left unchanged.
    pub decisions: u64,
    /// Decisions at recognised branches, included in `decisions`.
    pub found: u64,
    /// Decisions in unchanged methods, of the same name or another one, included in `found`.
    pub found_exact: u64,
}

impl History {
    /// Returns the recognised share of the model's decisions, from 0 to 1.
    pub fn coverage(&self) -> f64 {
        self.found as f64 / self.decisions.max(1) as f64
    }
}

/// A branch of the model without a match in the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LostHistory {
    /// Key of its method in the model, `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Number of the branch in its method, from 0.
    pub branch: usize,
    /// Number of its decisions in the model.
    pub decisions: u64,
    /// True if the app has the method, under its name or another one.
    pub has_method: bool,
}

/// Largest number of reported branches without a match.
const LOST: usize = 10;

/// The model's history of the branches of all subjects.
pub(crate) struct Histories<'p> {
    known: BySubject<Option<Box<Known<'p>>>>,
    /// History of subjects without branches, and of all subjects without a model.
    none: Known<'p>,
    /// Numbers of matches; `None` without a model.
    pub found: Option<History>,
    /// Branches without a match, most decisions first.
    pub lost: Vec<LostHistory>,
}

impl<'p> Histories<'p> {
    /// Returns the history of one subject.
    pub fn of(&self, subject: SubjectId) -> &Known<'p> {
        self.known[subject].as_deref().unwrap_or(&self.none)
    }
}

/// Probabilities and tables of one subject.
#[derive(Debug, Default)]
pub(crate) struct Numbers<'p> {
    /// Frequencies of each branch block's alternatives.
    pub freqs: Freqs,
    /// Tables with the symbols of regions, loops and large switches, including those of inlined
    /// callees.
    pub tables: PathTables,
    /// Cells of the branch blocks with adaptive distributions.
    pub cells: ByBlock<u32>,
    /// The model's history of each branch.
    pub known: Known<'p>,
    /// Frequencies and cells by block of the graph with inlined callees.
    host: Option<Box<(Freqs, ByBlock<u32>)>>,
}

impl Numbers<'_> {
    /// Returns the frequencies by block of the graph that probes are woven into.
    pub fn woven_freqs(&self) -> &Freqs {
        self.host.as_deref().map_or(&self.freqs, |host| &host.0)
    }

    /// Returns the cells by block of the graph that probes are woven into.
    pub fn woven_cells(&self) -> &ByBlock<u32> {
        self.host.as_deref().map_or(&self.cells, |host| &host.1)
    }
}

/// Numbers of all subjects. Most subjects have no branches, and need no memory here.
#[derive(Debug)]
pub(crate) struct AllNumbers<'p> {
    of: BySubject<Option<Box<Numbers<'p>>>>,
    /// Numbers of subjects without branches.
    none: Numbers<'p>,
}

impl<'p> AllNumbers<'p> {
    /// Returns the numbers of subjects with branches.
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

/// Numbers of a build.
pub(crate) struct Distributions<'p> {
    /// Numbers of each subject.
    pub numbers: AllNumbers<'p>,
    /// Symbol table of the device.
    pub table: SymbolTable,
}

impl Distributions<'_> {
    /// Returns true if the model has a count of any branch.
    pub fn has_counts(&self) -> bool {
        let known = self.numbers.iter().flat_map(|n| n.known.values()).flatten();
        known.flat_map(|b| b.counts()).any(|n| n > 0)
    }
}

/// Looks up the model's history. No probabilities are derived from the history of the branches in
/// `left_out`.
pub(crate) fn histories<'p>(
    program: &Program,
    selection: &Selection,
    left_out: &BTreeMap<MethodNo, BTreeSet<BlockId>>,
    options: &'p Options,
) -> Histories<'p> {
    let mut matcher = options.model.as_ref().map(|model| {
        let all = (0..).map(MethodNo).take(program.methods.len());
        let build: HashSet<String> = all.map(|no| source_key(program, no, options)).collect();
        Matcher::of_build(model, &|key| build.contains(key))
    });
    let known: BySubject<Option<Box<Known<'p>>>> = selection.subjects.map(|_, s| {
        let matcher = matcher.as_mut().filter(|_| !s.branches.is_empty())?;
        let shapes = s
            .branches
            .iter()
            .map(|b| BranchShape { fingerprint: b.fingerprint, alternatives: b.ways });
        let shapes: Vec<BranchShape> = shapes.collect();
        let key = source_key(program, s.no, options);
        let inlined = s.inlined.iter();
        let inlined: Vec<_> = inlined.map(|call| (&*call.key, &*call.branches)).collect();
        let found = matcher.match_branches(&key, s.fingerprint, &shapes, &inlined);
        let blocks = s.branches.iter().map(|b| b.block);
        let Some(left_out) = left_out.get(&s.no) else {
            return Some(Box::new(blocks.zip(found).collect()));
        };
        let weighed = blocks.zip(found).map(|(block, found)| {
            (
                block,
                if left_out.contains(&block) { found.map(BranchHistory::left_out) } else { found },
            )
        });
        Some(Box::new(weighed.collect()))
    });
    let Some((matcher, model)) = matcher.zip(options.model.as_ref()) else {
        return Histories { known, none: Known::default(), found: None, lost: Vec::new() };
    };
    let left = left_alone(program, selection, options);
    let s = matcher.stats();
    let history = History {
        exact: s.exact,
        by_fingerprint: s.by_fingerprint,
        similar: s.similar,
        moved: s.moved,
        none: s.none,
        decisions: decisions(model, &left),
        found: s.decisions,
        found_exact: s.exact_decisions,
    };
    let lost = matcher.lost(&|key| left.contains(key), LOST);
    let lost = lost.into_iter().map(|lost| LostHistory {
        method: lost.method.into(),
        branch: lost.branch,
        decisions: lost.decisions,
        has_method: lost.why == Why::NoBranch,
    });
    let (none, lost) = (Known::default(), lost.collect());
    Histories { known, none, found: Some(history), lost }
}

/// Computes all numbers of a build.
pub(crate) fn distributions<'p>(
    program: &Program,
    selection: &Selection,
    histories: Histories<'p>,
    options: &Options,
) -> Distributions<'p> {
    let freqs: BySubject<Freqs> = selection.subjects.map(|i, s| {
        let history = histories.of(i);
        let freqs = s.branches.iter().map(|b| {
            let known = history.get(b.block).copied().flatten();
            let counts = known.map_or_else(|| vec![0; b.ways as usize], |f| f.trusted());
            (b.block, quantised(&counts))
        });
        freqs.collect()
    });
    let mut layout = CellAllocator::default();
    let cells = selection.subjects.map(|_, s| cells(s, options.recording(), &mut layout));
    let prepared = selection.subjects.par_map(|i, s| {
        let looks_up = s.branches.iter().any(|b| b.ways as usize >= MIN_WAYS);
        let has_inlined = selection.inlining[i].is_some();
        if !has_inlined && !s.has_paths() && !looks_up {
            return None;
        }
        let subject = selection.open_woven(program, i);
        // Maps a block of the caller's graph to its original method and block.
        let origin = |b: BlockId| {
            let node_map = subject.node_map.as_ref();
            node_map.map_or((i, b), |s| {
                (s.origins[b.0 as usize].subject, s.origins[b.0 as usize].block)
            })
        };
        let history = |b: BlockId| {
            let (of, block) = origin(b);
            histories.of(of).get(block).copied().flatten()
        };
        let counts = |b: BlockId| history(b).map_or(Vec::new(), |f| f.trusted());
        let trips = |b: BlockId| history(b).map_or(Vec::new(), |f| f.trips());
        let host = has_inlined.then(|| {
            let branches = || subject.branches.iter().map(|&(b, _)| (b, origin(b)));
            let freqs: Freqs =
                branches().map(|(b, (of, block))| (b, freqs[of].of(block).to_vec())).collect();
            let cells: ByBlock<u32> = branches()
                .filter_map(|(b, (of, block))| Some((b, *cells[of].get(block)?)))
                .collect();
            Box::new((freqs, cells))
        });
        let freqs = host.as_deref().map_or(&freqs[i], |host| &host.0);
        let (tables, stretches) =
            PathTables::of(options.recording(), &subject, freqs, &counts, &trips);
        Some(Box::new((tables, stretches, host)))
    });
    let mut table = SymbolTable::new();
    let none = Known::default;
    let subjects = freqs.into_iter().zip(cells).zip(prepared).zip(histories.known);
    let numbers = subjects.map(|(((freqs, cells), prepared), known)| {
        let (mut tables, stretches, host) = prepared.map_or_else(Default::default, |p| *p);
        table.place(&mut tables, stretches);
        let known = known.map_or_else(none, |known| *known);
        let any = freqs.len() > 0 || host.is_some();
        any.then(|| Box::new(Numbers { freqs, tables, cells, known, host }))
    });
    let numbers = AllNumbers { of: numbers.collect(), none: Numbers::default() };
    Distributions { numbers, table }
}

/// Returns the keys of the app's methods that take no part.
fn left_alone(program: &Program, selection: &Selection, options: &Options) -> HashSet<String> {
    let part: HashSet<MethodNo> = selection.subjects.iter().map(|s| s.no).collect();
    let left = (0..).map(MethodNo).take(program.methods.len()).filter(|no| !part.contains(no));
    left.map(|no| source_key(program, no, options)).collect()
}

/// Returns the number of decisions in the model, except those in methods that are `left` unchanged.
fn decisions(model: &Profile, left: &HashSet<String>) -> u64 {
    let part = model.methods.iter().filter(|m| !left.contains(m.0));
    let branches = part.flat_map(|m| &m.1.branches);
    branches.fold(0, |sum: u64, b| sum.saturating_add(b.decisions()))
}

/// Assigns a cell to every branch with an adaptive distribution.
fn cells(s: &Summary, recording: Recording, layout: &mut CellAllocator) -> ByBlock<u32> {
    if Rule::of(recording).is_none() {
        return ByBlock::default();
    }
    s.branches.iter().filter_map(|b| Some((b.block, layout.place(b.ways as usize)?))).collect()
}

/// Returns frequencies that sum to 65,535 ([`table::quantise`]).
pub(crate) fn quantised(counts: &[u64]) -> Vec<u16> {
    table::quantise(counts).expect("selection admits only branches that fit a table")
}
