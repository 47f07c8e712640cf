//! Finds the paths that a build counts in its methods.

use std::collections::{BTreeMap, HashMap, HashSet};

use dex::Item;
use model::map::BlockId;
use model::path_profiles::automaton::copies::Copies;
use model::path_profiles::automaton::{Automaton, AutomatonError, MethodShape};
use model::path_profiles::selected::{PathKind, PathStep, SelectedPath};
use model::paths_file::PathEntry;
use thiserror::Error;

use crate::analysis::program::{MethodNo, Program};
use crate::options::{Options, PathOptions, PathTracking};
use crate::plan::by_subject::SubjectId;
use crate::plan::copies::copies;
use crate::plan::encoded::{EncodedMethod, EncodingProblem};
use crate::plan::subject::{Selection, SkipReason, Subject};

/// Error: a path that cannot be counted.
#[derive(Debug, Error)]
#[error("path {id} of {method}: {problem}")]
pub struct Unselectable {
    /// Id of the path.
    pub id: String,
    /// Key of its method.
    pub method: String,
    /// Cause.
    pub problem: Problem,
}

/// Reasons why a path cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The app has no such method.
    #[error("the app has no such method with code")]
    NoMethod,
    /// The method cannot get probes.
    #[error("its method is left as it was: {0}")]
    Left(SkipReason),
    /// The method has changed since the path was selected.
    #[error(
        "it is of another release: the method's shape was {was:016x} and is {is:016x}; \
         select paths from logs of this release"
    )]
    Shape {
        /// Shape in the file.
        was: u64,
        /// Shape in the app.
        is: u64,
    },
    /// No block begins at this address.
    #[error("no block begins at address {0}")]
    Block(u32),
    /// The method cannot track the path, or there are too many paths.
    #[error("{0}")]
    Graph(AutomatonError),
    /// The published encoding cannot count the path.
    #[error("{0}")]
    Encoding(EncodingProblem),
    /// The path depends on the block that threw, which is not tracked.
    #[error(
        "it passes a handler, its method uses arrays, and the build must run on ART 10 for x86"
    )]
    X86,
}

/// Selected paths of one method.
#[derive(Debug)]
pub(crate) struct SelectedMethod {
    /// Index among the build's paths of each of its paths.
    pub cells: Vec<u32>,
    pub tracker: PathTracker,
}

/// The way in which a method tracks the paths of its activations.
#[derive(Debug)]
pub(crate) enum PathTracker {
    /// A register holds the automaton's state.
    Register(Automaton),
    /// Copies of blocks stand for the states.
    Copies(Copies),
    /// A register pair holds a published number.
    Encoding(Box<EncodedMethod>),
}

impl SelectedMethod {
    /// Returns the copies of its blocks, if these track its paths.
    pub fn copies(&self) -> Option<&Copies> {
        match &self.tracker {
            PathTracker::Copies(copies) => Some(copies),
            PathTracker::Register(_) | PathTracker::Encoding(_) => None,
        }
    }
}

/// All selected paths of a build.
#[derive(Debug, Default)]
pub(crate) struct SelectedPaths {
    /// Paths in the order of their cells.
    pub paths: Vec<SelectedPath>,
    methods: HashMap<SubjectId, SelectedMethod>,
}

impl SelectedPaths {
    /// Finds the paths of a build's options; other codecs have none. Blocks of `uncopied` methods
    /// are not copied.
    ///
    /// # Errors
    /// Returns [`Unselectable`] for the first path that cannot be counted.
    pub fn find(
        program: &Program,
        selection: &Selection,
        options: &Options,
        uncopied: &HashSet<MethodNo>,
    ) -> Result<SelectedPaths, Box<Unselectable>> {
        let Some(PathOptions { paths: file, tracking, .. }) = options.paths() else {
            return Ok(SelectedPaths::default());
        };
        let methods: HashMap<String, SubjectId> =
            selection.subjects.enumerate().map(|(i, s)| (program.method_key(s.no), i)).collect();
        let mut by_method: BTreeMap<SubjectId, Vec<u32>> = BTreeMap::new();
        for (cell, entry) in (0..).zip(&file.paths) {
            let subject = methods
                .get(&entry.method)
                .ok_or_else(|| unselectable(entry, left(program, selection, &entry.method)))?;
            by_method.entry(*subject).or_default().push(cell);
        }
        let mut found = SelectedPaths::default();
        let mut paths: Vec<Option<SelectedPath>> = vec![None; file.paths.len()];
        for (subject, cells) in by_method {
            let entries: Vec<&PathEntry> = cells.iter().map(|&c| &file.paths[c as usize]).collect();
            let opened = selection.open(program, subject);
            let steps = steps_of(&opened, &entries)?;
            let in_register = uncopied.contains(&opened.no);
            let tracker = tracker(&opened, &entries, &steps, *tracking, in_register)?;
            for ((cell, entry), (kind, steps)) in cells.iter().zip(&entries).zip(steps) {
                let method = subject.method_id();
                let id = entry.id.clone();
                paths[*cell as usize] = Some(SelectedPath { id, method, kind, steps });
            }
            found.methods.insert(subject, SelectedMethod { cells, tracker });
        }
        found.paths = paths.into_iter().flatten().collect();
        Ok(found)
    }

    /// Returns the number of methods that are tracked by copies of their blocks.
    pub fn copied(&self) -> usize {
        self.methods.values().filter(|m| m.copies().is_some()).count()
    }

    /// Returns the selected paths of a method.
    pub fn of(&self, subject: SubjectId) -> Option<&SelectedMethod> {
        self.methods.get(&subject)
    }
}

fn unselectable(entry: &PathEntry, problem: Problem) -> Box<Unselectable> {
    let (id, method) = (entry.id.clone(), entry.method.clone());
    Box::new(Unselectable { id, method, problem })
}

/// Returns the reason why a method has no probes.
fn left(program: &Program, selection: &Selection, method: &str) -> Problem {
    let is_it = |no: MethodNo| program.method_key(no) == method;
    let skipped = selection.skipped.iter().find(|(no, _)| is_it(*no));
    skipped.map_or(Problem::NoMethod, |(_, reason)| Problem::Left(reason.clone()))
}

/// Returns the tracker of a method; `in_register`: not by copies of blocks.
fn tracker(
    subject: &Subject,
    entries: &[&PathEntry],
    steps: &[(PathKind, Vec<PathStep>)],
    tracking: PathTracking,
    in_register: bool,
) -> Result<PathTracker, Box<Unselectable>> {
    if let PathTracking::Encoding(kind) = tracking {
        let encoded = EncodedMethod::new(kind, subject, steps)
            .map_err(|(path, problem)| unselectable(entries[path], Problem::Encoding(problem)))?;
        return Ok(PathTracker::Encoding(Box::new(encoded)));
    }
    let automaton = automaton(subject, entries, steps)?;
    let copies = match in_register {
        true => None,
        false => copies(subject, &automaton, tracking),
    };
    Ok(copies.map_or(PathTracker::Register(automaton), PathTracker::Copies))
}

fn automaton(
    subject: &Subject,
    entries: &[&PathEntry],
    steps: &[(PathKind, Vec<PathStep>)],
) -> Result<Automaton, Box<Unselectable>> {
    let shape = MethodShape {
        successors: subject.cfg.blocks.iter().map(|b| b.end.successors().to_vec()).collect(),
        handlers: subject.cfg.blocks.iter().map(|b| b.handlers.clone()).collect(),
        returns: subject.cfg.blocks.iter().map(|b| returns(subject, b.last)).collect(),
    };
    let automaton = Automaton::new(shape, steps).map_err(|e| {
        let entry = entries[e.path().unwrap_or(0)];
        unselectable(entry, Problem::Graph(e))
    })?;
    let through_handler = |(_, steps): &(PathKind, Vec<PathStep>)| {
        steps.iter().skip(1).any(|step| matches!(step, PathStep::Caught(_)))
    };
    match steps.iter().position(through_handler).filter(|_| subject.x86_safe) {
        Some(path) => Err(unselectable(entries[path], Problem::X86)),
        None => Ok(automaton),
    }
}

fn returns(subject: &Subject, last: usize) -> bool {
    matches!(&subject.code.nodes[last].item, Item::Insn(insn) if insn.op.is_return())
}

/// Returns the paths as blocks.
fn steps_of(
    subject: &Subject,
    entries: &[&PathEntry],
) -> Result<Vec<(PathKind, Vec<PathStep>)>, Box<Unselectable>> {
    let blocks = (0..).zip(&subject.cfg.blocks);
    let blocks: HashMap<u32, BlockId> =
        blocks.map(|(i, block)| (subject.addresses[block.first], BlockId(i))).collect();
    let path = |entry: &&PathEntry| {
        let was = entry.fingerprint().unwrap_or_default();
        if was != subject.fingerprint {
            let is = subject.fingerprint;
            return Err(unselectable(entry, Problem::Shape { was, is }));
        }
        let step = |step: &model::paths_file::StepAt| {
            let (pc, caught) = step.parts().unwrap_or_default();
            let block = *blocks.get(&pc).ok_or_else(|| unselectable(entry, Problem::Block(pc)))?;
            Ok(if caught { PathStep::Caught(block) } else { PathStep::Block(block) })
        };
        let steps: Result<Vec<PathStep>, Box<Unselectable>> =
            entry.steps.iter().map(step).collect();
        Ok((entry.kind, steps?))
    };
    entries.iter().map(path).collect()
}
