//! Initial and final states of gaps, weighted by the samples before and after.

use hashbrown::HashMap;

use super::posterior::Posterior;
use super::prices::weight;
use super::sample::Sample;
use super::search::{InitialState, Lattice, Search};
use super::stacks::{EMPTY, StackFrame, StackId, Stacks};
use crate::graph::{BIT, ContextId, NEVER};

/// Stacks that a gap may begin with, each with the branches before.
const KEPT: usize = 64;
/// Stacks that a sample may stand for.
const STACKS: usize = 256;

/// The ends with the likeliest stack.
pub(super) fn likeliest(lattice: &Lattice, posterior: &Posterior) -> Vec<usize> {
    let stack = |end: &(u32, u32, u32)| lattice.layers[end.0 as usize][end.1 as usize].stack;
    let mut sums: HashMap<StackId, f64> = HashMap::new();
    for (end, p) in lattice.ends.iter().zip(&posterior.ends) {
        *sums.entry(stack(end)).or_default() += p;
    }
    let most = sums.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
    let Some((most, _)) = most else { return Vec::new() };
    (0..lattice.ends.len()).filter(|e| stack(&lattice.ends[*e]) == *most).collect()
}

/// Effect of a filled gap on the one before.
pub(super) struct FilledGap {
    /// Initial state of the chosen path.
    pub start: u32,
    /// Of each start: how likely all that follows is.
    pub starts: Option<Vec<f64>>,
}

/// Knowledge about the ends of a gap from the gaps after it.
#[derive(Default)]
pub(super) struct EndPrior {
    /// Likelihood of the samples after each end, up to a factor.
    pub likely: Option<Vec<f64>>,
    /// The ends that what follows begins with.
    pub ends: Option<Vec<usize>>,
}

impl FilledGap {
    /// Returns the knowledge about the `count` ends of the gap before `lattice`; `behind` has the
    /// ends that each of its initial states stands for.
    pub fn before(self, lattice: &Lattice, behind: &[Vec<usize>], count: usize) -> EndPrior {
        if behind.is_empty() {
            return EndPrior::default();
        }
        let stack = |start: usize| lattice.layers[0][start].stack;
        let chosen = stack(self.start as usize);
        let starts = 0..behind.len();
        let ends = starts.filter(|s| stack(*s) == chosen).flat_map(|s| behind[s].clone()).collect();
        let likely = self.starts.map(|starts| {
            let most = starts.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            let mut likely = vec![0.0; count];
            for (p, ends) in starts.iter().zip(behind) {
                ends.iter().for_each(|e| likely[*e] = p / most);
            }
            likely
        });
        EndPrior { likely, ends: Some(ends) }
    }
}

/// Initial states of a gap, with the cost of each.
pub(crate) struct InitialStates {
    pub stacks: Stacks,
    pub at: Vec<InitialState>,
    /// The ends of the gap before that each of them stands for.
    pub behind: Vec<Vec<usize>>,
}

impl InitialStates {
    /// All stacks of a sample.
    pub(crate) fn of(sample: &Sample) -> InitialStates {
        let mut stacks = Stacks::default();
        let (at, _) = Search::begin(&mut stacks, sample, STACKS);
        let at = at.into_iter().map(|s| (s, ContextId::UNKNOWN, 0)).collect();
        InitialStates { stacks, at, behind: Vec::new() }
    }

    /// Returns the ends of the gap before as initial states, if it has any, each as likely as all
    /// paths to it together. `before` is the posterior up to them.
    pub(crate) fn behind(lattice: &Lattice, before: Option<Posterior>) -> Option<InitialStates> {
        let ends = match before {
            Some(posterior) => posterior.ends,
            None if lattice.ends.is_empty() => return None,
            None => {
                let best = lattice.ends.iter().map(|e| e.2).min().unwrap_or(0);
                lattice.ends.iter().map(|e| weight(e.2 - best)).collect()
            }
        };
        let mut groups: HashMap<(StackId, ContextId), (f64, Vec<usize>)> = HashMap::new();
        for (at, (&(layer, state, _), p)) in lattice.ends.iter().zip(ends).enumerate() {
            let state = lattice.layers[layer as usize][state as usize];
            let group = groups.entry((state.stack, state.context)).or_default();
            group.0 += p;
            group.1.push(at);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then(a.1.1.cmp(&b.1.1)));
        groups.truncate(KEPT);
        let most = groups.first().map_or(1.0, |g| g.1.0).max(f64::MIN_POSITIVE);
        let mut stacks = Stacks::default();
        let mut at = Vec::new();
        let mut behind = Vec::new();
        for ((mut stack, context), (p, ends)) in groups {
            let mut frames = Vec::new();
            while stack != EMPTY {
                let frame = lattice.stacks.get(stack);
                frames.push(frame);
                stack = frame.parent;
            }
            let mut stack = EMPTY;
            for frame in frames.into_iter().rev() {
                stack = stacks.add(StackFrame { parent: stack, ..frame });
            }
            let cost = -(p / most).log2() * f64::from(BIT);
            at.push((stack, context, cost.min(f64::from(NEVER / 4)) as u32));
            behind.push(ends);
        }
        Some(InitialStates { stacks, at, behind })
    }
}
