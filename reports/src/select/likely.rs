//! Paths that are likely by a model: estimates that treat branches as independent.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use model::map::{BlockId, Map, Method, MethodId, Terminator};
use model::path_profiles::selected::{MAX_STEPS, PathStep};
use model::profile::{BranchShape, MethodHistory, Profile};

use super::{Choice, PathFindings};

/// Maximum number of steps, over all beginnings of paths, that are tried per method.
const TRIED: usize = 2_000_000;

/// Returns whole paths without exceptions: for each method of the choice the most likely ones by
/// the counts of its branches, at most [`Choice::top`]. Counts are estimates: activations times the
/// shares of the alternatives.
///
/// Only methods whose code is unchanged since the model are searched.
pub fn likely(map: &Map, profile: &Profile, choice: &Choice) -> PathFindings {
    let mut found = PathFindings::default();
    for (id, m) in (1..).map(MethodId).zip(&map.methods) {
        let history = profile.methods.get(&map.method_key(m));
        if let Some(ways) = history.and_then(|history| ways(m, history)) {
            let chosen = |path: &[PathStep]| choice.takes(map, id, path);
            of_method(id, &ways, choice.top, &chosen, &mut found);
        }
    }
    found
}

/// Counts of the edges out of each block.
struct Ways(Vec<Vec<(usize, u64)>>);

/// Returns the counts of a method's branches if the model's method has the same branches.
fn ways(m: &Method, history: &MethodHistory) -> Option<Ways> {
    let mut branches = history.branches.iter();
    let mut known = history.shape == m.fingerprint;
    let ways = m.blocks.iter().map(|block| match &block.terminator {
        Terminator::Goto(to) => vec![(to.0 as usize, 1)],
        Terminator::Return | Terminator::Throw => Vec::new(),
        Terminator::Branch { alternatives, identity } => {
            let shape = BranchShape {
                fingerprint: identity.fingerprint,
                alternatives: alternatives.len() as u32,
            };
            let branch = branches.next().filter(|branch| branch.shape == shape);
            known &= branch.is_some();
            let counts = branch.map(|b| b.counts()).unwrap_or_default();
            alternatives.iter().map(|a| a.0.0 as usize).zip(counts).collect()
        }
    });
    let ways = Ways(ways.collect());
    known.then_some(ways)
}

impl Ways {
    /// Returns the number of exits: one per activation, if no exception ended it.
    fn activations(&self) -> u64 {
        // Blocks that lead out without a branch.
        let leads_out = |mut block: usize| {
            for _ in 0..self.0.len() {
                match self.0[block][..] {
                    [] => return true,
                    [(to, 1)] => block = to,
                    _ => return false,
                }
            }
            false
        };
        let branches = self.0.iter().filter(|ways| ways.len() > 1).flatten();
        branches.filter(|(to, _)| leads_out(*to)).fold(0, |sum, (_, n)| sum.saturating_add(*n))
    }
}

/// A beginning of a path.
struct Begin {
    /// Its share of the activations.
    share: f64,
    path: Vec<u32>,
}

impl PartialEq for Begin {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Begin {}

impl PartialOrd for Begin {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Begin {
    fn cmp(&self, other: &Self) -> Ordering {
        self.share.total_cmp(&other.share).then_with(|| other.path.cmp(&self.path))
    }
}

fn of_method(
    id: MethodId,
    ways: &Ways,
    most: usize,
    chosen: &dyn Fn(&[PathStep]) -> bool,
    found: &mut PathFindings,
) {
    let activations = ways.activations();
    let mut begins = BinaryHeap::from([Begin { share: 1.0, path: vec![0] }]);
    let (mut left, mut tried) = (most, 0);
    while tried < TRIED {
        // The likeliest beginning of all: its continuations are not likelier.
        let Some(Begin { share, path }) = begins.pop() else { return };
        let times = (activations as f64 * share).round() as u64;
        let Some(&last) = path.last().filter(|_| times > 0 && left > 0) else { return };
        let out = &ways.0[last as usize];
        if out.is_empty() {
            let steps: Vec<PathStep> = path.iter().map(|&b| PathStep::Block(BlockId(b))).collect();
            if chosen(&steps) {
                found.add(id, &steps, times);
                left -= 1;
            }
            continue;
        }
        let sum = out.iter().fold(0_u64, |sum, (_, n)| sum.saturating_add(*n));
        for &(to, n) in out.iter().filter(|(_, n)| *n > 0 && path.len() < MAX_STEPS) {
            let share = share * n as f64 / sum as f64;
            tried += path.len();
            begins.push(Begin { share, path: [&path[..], &[to as u32]].concat() });
        }
    }
}

#[cfg(test)]
mod tests;
