//! The numbers of every branch, region, loop and switch: the model's history, rounded to integers.

use std::collections::HashMap;

use model::map::BlockId;
use model::profile::{Branch, BranchShape};
use model::table;
use rayon::prelude::*;
use serde::Serialize;

use crate::analysis::program::Program;
use crate::options::Options;
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

/// The numbers of all subjects.
pub(crate) struct Distributions<'p> {
    pub freqs: Vec<Freqs>,
    pub tables: Vec<PathTables>,
    /// What the device looks symbols up in.
    pub table: Table,
    pub history: Option<History>,
    /// What the model knows of each branch.
    pub known: Vec<Known<'p>>,
}

pub(crate) fn distributions<'p>(program: &Program, selection: &Selection, options: &'p Options) -> Distributions<'p> {
    let mut matcher = options.model.as_ref().map(model::profile::Matcher::new);
    let mut all = Vec::with_capacity(selection.subjects.len());
    for s in &selection.subjects {
        let shapes: Vec<BranchShape> = s
            .branches
            .iter()
            .map(|&(b, fingerprint)| BranchShape {
                fingerprint,
                alternatives: s.cfg.block(b).end.successors().len() as u32,
            })
            .collect();
        let known = match &mut matcher {
            Some(m) if !shapes.is_empty() => {
                m.match_branches(&source_key(program, s.no, options), s.fingerprint, &shapes)
            }
            _ => vec![None; shapes.len()],
        };
        all.push(s.branches.iter().map(|b| b.0).zip(known).collect::<HashMap<_, _>>());
    }
    let counted = |b: &BlockId, s: &Subject, known: &Option<&Branch>| {
        known.map_or_else(|| vec![0; s.cfg.block(*b).end.successors().len()], Branch::counts)
    };
    let freqs: Vec<Freqs> = all
        .par_iter()
        .zip(&selection.subjects)
        .map(|(m, s)| m.iter().map(|(b, known)| (*b, quantised(&counted(b, s, known)))).collect())
        .collect();
    let mut table = Table::new();
    let tables = selection
        .subjects
        .iter()
        .zip(&freqs)
        .zip(&all)
        .map(|((s, freqs), known)| {
            let history = |b: BlockId| known.get(&b).copied().flatten();
            let counts = |b: BlockId| history(b).map_or(Vec::new(), Branch::counts);
            table.subject(options.codec, s, freqs, &counts, &|b| history(b).map_or(Vec::new(), Branch::trips))
        })
        .collect();
    let history = matcher.map(|m| {
        let s = m.stats();
        History { exact: s.exact, by_fingerprint: s.by_fingerprint, moved: s.moved, none: s.none }
    });
    Distributions { freqs, tables, table, history, known: all }
}

/// Frequencies that sum to 65,535 ([`table::quantise`]).
pub(crate) fn quantised(counts: &[u64]) -> Vec<u16> {
    table::quantise(counts).expect("selection admits only branches that fit a table")
}
