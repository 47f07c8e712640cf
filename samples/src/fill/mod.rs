//! Reconstruction of the blocks between samples of one pass: the likeliest blocks, with
//! probabilities.

mod adapted;
mod forced;
mod heuristic;
mod initial_states;
mod mbr_choice;
mod posterior;
mod prices;
pub(crate) mod sample;
mod search;
mod stacks;
#[cfg(test)]
mod tests;

pub use sample::{DEEPEST, Follower, FramePrecision, Sample, SampledFrame, blurred};
pub use search::Length;

pub(crate) use mbr_choice::common;
pub(crate) use posterior::Posterior;
pub(crate) use search::Lattice;

use adapted::taken;
use forced::Forced;
pub use forced::forced_blocks;
use hashbrown::HashMap;
pub use mbr_choice::Expected;
use mbr_choice::{ChosenStep, MbrChoice};

use initial_states::{EndPrior, FilledGap, InitialStates, likeliest};
use prices::{ExpectedCounts, Prices};
use search::{InitialState, Search};

use crate::graph::{Bounds, Contexts, Graph, Metric, NodeId};

/// Evidence for a block of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockEvidence {
    /// A sample was there.
    Observed,
    /// Every path between the samples around it enters it.
    Forced,
    /// It lies on the likeliest path.
    Likely,
    /// An unknown block ran.
    Unknown,
}

/// A step of a trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TraceStep {
    /// The block, if one is known.
    pub node: Option<NodeId>,
    /// Evidence for the block.
    pub how: BlockEvidence,
    /// Probability of the block at this step.
    pub p: f64,
}

/// Steps after a sample, up to the next one, which is the last step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gap {
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// Some paths were not examined: likelier ones may be among them.
    pub unproven: bool,
    /// No path without an exception or a call past its callee was found.
    pub surprise: bool,
    /// No path at all was found.
    pub missing: bool,
    /// Expected agreement of the steps with the true path.
    pub expected: Expected,
}

/// Ways that are kept in a layer by default.
pub const BEAM: usize = 1024;
/// Fills gaps of one graph.
pub struct Filler<'a> {
    graph: &'a Graph,
    /// Without and with surprises.
    likely: Search<'a>,
    any: Search<'a>,
    prices: Prices<'a>,
}

/// The bounds that a [`Filler`] needs.
#[derive(Debug)]
pub struct AllBounds {
    likely: [Bounds; 2],
    any: [Bounds; 2],
}

impl AllBounds {
    /// Those of a graph.
    pub fn new(graph: &Graph) -> AllBounds {
        let both = |surprises| Metric::ALL.map(|m| Bounds::new(graph, m, surprises));
        AllBounds { likely: both(false), any: both(true) }
    }
}

impl<'a> Filler<'a> {
    /// Makes a filler that keeps at most `beam` states in a layer.
    pub fn new(graph: &'a Graph, bounds: &'a AllBounds, beam: usize) -> Filler<'a> {
        Filler::with(graph, bounds, None, beam)
    }

    /// One that also knows what branches depend on.
    pub fn with(
        graph: &'a Graph,
        bounds: &'a AllBounds,
        contexts: Option<&'a Contexts>,
        beam: usize,
    ) -> Filler<'a> {
        let [bits, steps] = &bounds.likely;
        let likely = Search::new(graph, bits, steps, beam);
        let [bits, steps] = &bounds.any;
        let any = Search::new(graph, bits, steps, beam);
        Filler { graph, likely, any, prices: Prices::of(graph, contexts) }
    }

    /// Returns the paths between two samples.
    pub(crate) fn lattice(
        &mut self,
        starts: InitialStates,
        to: &Sample,
        length: Length,
    ) -> (Lattice, bool) {
        let InitialStates { stacks, at, .. } = starts;
        let again: Vec<InitialState> = at.clone();
        let lattice = self.likely.run(&mut self.prices, Lattice::begin(stacks, at), to, length);
        if !lattice.ends.is_empty() {
            return (lattice, false);
        }
        let begun = Lattice::begin(lattice.stacks, again);
        (self.any.run(&mut self.prices, begun, to, length), true)
    }

    /// Returns the cost of the cheapest path of `steps` steps, in bits, if there is one without
    /// surprises.
    pub fn cost(&mut self, from: &Sample, to: &Sample, steps: u32) -> Option<f64> {
        let InitialStates { stacks, at, .. } = InitialStates::of(from);
        let begun = Lattice::begin(stacks, at);
        let lattice = self.likely.run(&mut self.prices, begun, to, Length::Known(steps));
        let least = lattice.ends.iter().map(|e| e.2).min()?;
        Some(f64::from(least) / f64::from(crate::graph::BIT))
    }

    /// Fills the gaps of a pass, or of a part of one: `rest` has each later sample with the number
    /// of steps after the one before it. Returns one gap for each of these.
    pub fn pass(&mut self, first: &Sample, rest: &[(Sample, Length)]) -> Vec<Gap> {
        let own = if self.prices.fit_passes() { self.taken(first, rest) } else { Vec::new() };
        let mut all: HashMap<NodeId, ExpectedCounts> = HashMap::new();
        for (node, taken) in own.iter().flatten() {
            let sums = all.entry(*node).or_default();
            taken.iter().for_each(|(edge, n)| *sums.entry(*edge).or_default() += n);
        }
        // Forwards: each gap begins as likely as the one before ends.
        let mut open: Vec<(Lattice, bool, Vec<Vec<usize>>)> = Vec::with_capacity(rest.len());
        let mut starts = InitialStates::of(first);
        for (at, (to, length)) in rest.iter().enumerate() {
            if let Some(own) = own.get(at) {
                self.prices.fit(self.graph, &all, own);
            }
            let behind = std::mem::take(&mut starts.behind);
            let (lattice, surprise) = self.lattice(starts, to, *length);
            let before = Posterior::of_ways(&lattice);
            starts =
                InitialStates::behind(&lattice, before).unwrap_or_else(|| InitialStates::of(to));
            open.push((lattice, surprise, behind));
        }
        self.prices.reset(self.graph);
        // Backwards: the gaps after a gap determine how likely each of its ends is, and which one
        // is chosen.
        let mut filled = Vec::with_capacity(open.len());
        let mut next = EndPrior::default();
        while let Some((lattice, surprise, behind)) = open.pop() {
            let at = open.len();
            let before = if at == 0 { first } else { &rest[at - 1].0 };
            let (to, length) = &rest[at];
            let (gap, filled_gap) = self.gap(&lattice, (before, to), *length, next);
            filled.push(Gap { surprise, ..gap });
            let count = open.last().map_or(0, |before| before.0.ends.len());
            next = filled_gap
                .map_or_else(EndPrior::default, |gap| gap.before(&lattice, &behind, count));
        }
        filled.reverse();
        filled
    }

    /// Returns the expected decisions of each gap under the graph's prices.
    fn taken(
        &mut self,
        first: &Sample,
        rest: &[(Sample, Length)],
    ) -> Vec<Vec<(NodeId, ExpectedCounts)>> {
        let mut starts = InitialStates::of(first);
        let mut all = Vec::with_capacity(rest.len());
        for (to, length) in rest {
            let (lattice, _) = self.lattice(starts, to, *length);
            let posterior = Posterior::of_ways(&lattice);
            let own = posterior.as_ref().map(|p| taken(self.graph, &lattice, p));
            all.push(own.unwrap_or_default());
            starts =
                InitialStates::behind(&lattice, posterior).unwrap_or_else(|| InitialStates::of(to));
        }
        all
    }

    /// Returns the gap with its chosen path.
    fn gap(
        &self,
        lattice: &Lattice,
        (from, to): (&Sample, &Sample),
        length: Length,
        next: EndPrior,
    ) -> (Gap, Option<FilledGap>) {
        let missing = lattice.ends.is_empty();
        let mut gap = Gap { unproven: lattice.cut, missing, ..Gap::default() };
        if missing {
            let unknown = TraceStep { node: None, how: BlockEvidence::Unknown, p: 0.0 };
            let count = match length {
                Length::Known(k) => k,
                Length::About(k, _) => k.round().max(1.0) as u32,
            };
            gap.steps = vec![unknown; count as usize];
            if let Some(last) = gap.steps.last_mut() {
                *last = seen(to);
            }
            gap.unproven = true;
            gap.expected.dropped = f64::from(count.saturating_sub(1));
            return (gap, None);
        }
        let after = next.likely.unwrap_or_else(|| vec![1.0; lattice.ends.len()]);
        let posterior = Posterior::new(lattice, &after);
        let (chosen, start) = match &posterior {
            Some(posterior) => {
                let ends = next.ends.unwrap_or_else(|| likeliest(lattice, posterior));
                let (chosen, start, expected) = MbrChoice::new(lattice, posterior).best(&ends);
                gap.expected = expected;
                (chosen, start)
            }
            None => {
                let end = lattice.ends.iter().min_by_key(|e| (e.2, e.0, e.1));
                let (nodes, start) = end.map(|e| lattice.path(e.0, e.1)).unwrap_or_default();
                let chosen = |node| ChosenStep { node, p: 0.0, open: false };
                (nodes.into_iter().map(chosen).collect(), start)
            }
        };
        let visits = posterior.as_ref().map(|p| p.visits(lattice, chosen.iter().map(|t| t.node)));
        let everywhere =
            |node| visits.as_ref().is_none_or(|v| v.get(&node).is_some_and(|v| *v > 0.99));
        let mut seen_before: Vec<NodeId> = Vec::new();
        let last = chosen.len();
        let mut forced = Forced::new(self.graph, from, to);
        let step = |(i, &ChosenStep { node, p, open }): (usize, &ChosenStep)| {
            if i + 1 == last {
                return TraceStep { node: Some(node), ..seen(to) };
            }
            let again = seen_before.contains(&node);
            seen_before.push(node);
            let forced = !again && everywhere(node) && forced.is_forced(node);
            match (forced, open) {
                (true, _) => TraceStep { node: Some(node), how: BlockEvidence::Forced, p: 1.0 },
                (false, false) => TraceStep { node: Some(node), how: BlockEvidence::Likely, p },
                (false, true) => TraceStep { node: None, how: BlockEvidence::Unknown, p },
            }
        };
        gap.steps = chosen.iter().enumerate().map(step).collect();
        (gap, Some(FilledGap { start, starts: posterior.map(|p| p.starts) }))
    }
}

/// A sample as a step.
fn seen(sample: &Sample) -> TraceStep {
    match sample.block() {
        Some(node) => TraceStep { node: Some(node), how: BlockEvidence::Observed, p: 1.0 },
        None => TraceStep { node: None, how: BlockEvidence::Likely, p: 0.0 },
    }
}
