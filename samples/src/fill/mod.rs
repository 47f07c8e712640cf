//! What lies between samples of one pass: the likeliest blocks, and how sure they are.

mod adapted;
mod choice;
mod forced;
mod goal;
mod posterior;
pub(crate) mod sample;
mod search;
mod stacks;

pub use sample::{Follower, Places, Sample, Spot, blurred};
pub use search::Length;

pub(crate) use choice::common;
pub(crate) use posterior::Posterior;
pub(crate) use search::Lattice;
pub(crate) use stacks::{EMPTY, StackId, Stacks};

use adapted::{Prices, Taken, taken};
pub use choice::Expected;
use choice::{Choice, Told};
use hashbrown::HashMap;
use search::Search;

use crate::graph::{Bounds, Graph, Metric, NodeId};

/// How a block of a trace is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// A sample was there.
    Observed,
    /// No way between the samples around it avoids it.
    Forced,
    /// It lies on the likeliest way.
    Likely,
    /// Something ran; what is not known.
    Unknown,
}

/// A step of a trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The block, if one is known.
    pub node: Option<NodeId>,
    /// How.
    pub how: How,
    /// How likely it is at this step.
    pub p: f64,
}

/// What lies behind a sample, up to the next one, which is the last step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gap {
    /// The steps.
    pub steps: Vec<Step>,
    /// Some ways were not looked at: likelier ones may be among them.
    pub unproven: bool,
    /// No way without an exception or a call past its callee was found.
    pub surprise: bool,
    /// No way at all was found.
    pub missing: bool,
    /// What the steps are expected to come to.
    pub expected: Expected,
}

/// Ways that are kept in a layer by default.
pub const BEAM: usize = 1024;
/// Ways that are kept from one gap to the next.
const KEPT: usize = 16;
/// Stacks that a sample may stand for.
const STACKS: usize = 256;

/// Fills gaps of one graph.
pub struct Filler<'a> {
    graph: &'a Graph,
    /// Without and with surprises.
    likely: Search<'a>,
    any: Search<'a>,
    prices: Prices,
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
    /// One that looks at so many ways at a time.
    pub fn new(graph: &'a Graph, bounds: &'a AllBounds, beam: usize) -> Filler<'a> {
        let [bits, steps] = &bounds.likely;
        let likely = Search::new(graph, bits, steps, beam);
        let [bits, steps] = &bounds.any;
        let any = Search::new(graph, bits, steps, beam);
        Filler { graph, likely, any, prices: Prices::of(graph) }
    }

    /// The ways between two samples.
    pub(crate) fn lattice(
        &mut self,
        starts: Starts,
        to: &Sample,
        length: Length,
    ) -> (Lattice, bool) {
        let Starts { stacks, at } = starts;
        let again: Vec<(StackId, u32)> = at.clone();
        let lattice = self.likely.run(&self.prices.all, Lattice::begin(stacks, at), to, length);
        if !lattice.ends.is_empty() {
            return (lattice, false);
        }
        (self.any.run(&self.prices.all, Lattice::begin(lattice.stacks, again), to, length), true)
    }

    /// What the cheapest way of so many steps costs, in bits, if there is one without surprises.
    pub fn cost(&mut self, from: &Sample, to: &Sample, steps: u32) -> Option<f64> {
        let Starts { stacks, at } = Starts::of(from);
        let lattice =
            self.likely.run(&self.prices.all, Lattice::begin(stacks, at), to, Length::Known(steps));
        let least = lattice.ends.iter().map(|e| e.2).min()?;
        Some(f64::from(least) / f64::from(crate::graph::BIT))
    }

    /// Fills the gaps of a pass, or of a part of one: each sample after the first comes so many
    /// steps behind the one before it. Gives one gap for each of these.
    pub fn pass(&mut self, first: &Sample, rest: &[(Sample, Length)]) -> Vec<Gap> {
        let own = self.taken(first, rest);
        let mut all: HashMap<NodeId, Taken> = HashMap::new();
        for (node, taken) in own.iter().flatten() {
            let sums = all.entry(*node).or_default();
            taken.iter().for_each(|(edge, n)| *sums.entry(*edge).or_default() += n);
        }
        let mut gaps: Vec<Ends> = Vec::with_capacity(rest.len());
        let mut starts = Starts::of(first);
        let mut before = first;
        for ((to, length), own) in rest.iter().zip(&own) {
            self.prices.fit(self.graph, &all, own);
            let (lattice, surprise) = self.lattice(starts, to, *length);
            let ends = self.ends(&lattice, before, to, *length, surprise);
            starts = match lattice.ends.is_empty() {
                true => Starts::of(to),
                false => Starts::behind(&lattice),
            };
            gaps.push(ends);
            before = to;
        }
        self.prices.reset(self.graph);
        // Backwards: each gap ends where the next one begins.
        let mut end = 0;
        let mut filled = Vec::with_capacity(gaps.len());
        for gap in gaps.into_iter().rev() {
            let Ends { mut all, unproven, surprise, missing } = gap;
            let (steps, from, expected) = match all.is_empty() {
                true => (Vec::new(), 0, Expected::default()),
                false => all.swap_remove((end as usize).min(all.len() - 1)),
            };
            end = from;
            filled.push(Gap { steps, unproven, surprise, missing, expected });
        }
        filled.reverse();
        filled
    }

    /// What each gap is expected to have taken, as the graph's prices have it.
    fn taken(&mut self, first: &Sample, rest: &[(Sample, Length)]) -> Vec<Vec<(NodeId, Taken)>> {
        let mut starts = Starts::of(first);
        let mut all = Vec::with_capacity(rest.len());
        for (to, length) in rest {
            let (lattice, _) = self.lattice(starts, to, *length);
            let posterior = Posterior::new(&lattice);
            all.push(posterior.map_or_else(Vec::new, |p| taken(self.graph, &lattice, &p)));
            starts = match lattice.ends.is_empty() {
                true => Starts::of(to),
                false => Starts::behind(&lattice),
            };
        }
        all
    }

    /// The cheapest ways to the states that are the sample.
    fn ends(
        &self,
        lattice: &Lattice,
        from: &Sample,
        to: &Sample,
        length: Length,
        surprise: bool,
    ) -> Ends {
        let missing = lattice.ends.is_empty();
        let mut ends = Ends { all: Vec::new(), unproven: lattice.cut, surprise, missing };
        if missing {
            let unknown = Step { node: None, how: How::Unknown, p: 0.0 };
            let count = match length {
                Length::Known(k) => k,
                Length::About(k, _) => k.round().max(1.0) as u32,
            };
            let mut steps = vec![unknown; count as usize];
            if let Some(last) = steps.last_mut() {
                *last = seen(to);
            }
            ends.unproven = true;
            ends.all.clear();
            let dropped = f64::from(count.saturating_sub(1));
            ends.all.push((steps, 0, Expected { dropped, ..Expected::default() }));
            return ends;
        }
        let posterior = Posterior::new(lattice);
        let mut choice = posterior.as_ref().map(|p| Choice::new(lattice, p));
        for &(layer, state) in &best_ends(lattice) {
            let (told, start, expected) = match &mut choice {
                Some(choice) => choice.best(layer, state),
                None => {
                    let (nodes, start) = lattice.path(layer, state);
                    let told = |node| Told { node, p: 0.0, open: false };
                    let told: Vec<Told> = nodes.into_iter().map(told).collect();
                    (told, start, Expected::default())
                }
            };
            let mut seen_before: Vec<NodeId> = Vec::new();
            let last = told.len();
            let step = |(i, &Told { node, p, open }): (usize, &Told)| {
                if i + 1 == last {
                    return Step { node: Some(node), ..seen(to) };
                }
                let again = seen_before.contains(&node);
                seen_before.push(node);
                let forced = !again && forced::is_forced(self.graph, from, to, node);
                match (forced, open) {
                    (true, _) => Step { node: Some(node), how: How::Forced, p: 1.0 },
                    (false, false) => Step { node: Some(node), how: How::Likely, p },
                    (false, true) => Step { node: None, how: How::Unknown, p },
                }
            };
            let steps = told.iter().enumerate().map(step).collect();
            ends.all.push((steps, start, expected));
        }
        ends
    }
}

/// A sample as a step.
fn seen(sample: &Sample) -> Step {
    match sample.block() {
        Some(node) => Step { node: Some(node), how: How::Observed, p: 1.0 },
        None => Step { node: None, how: How::Likely, p: 0.0 },
    }
}

/// The cheapest states that are the sample, a few.
fn best_ends(lattice: &Lattice) -> Vec<(u32, u32)> {
    let mut ends = lattice.ends.clone();
    ends.sort_by_key(|e| (e.2, e.0, e.1));
    ends.truncate(KEPT);
    ends.into_iter().map(|e| (e.0, e.1)).collect()
}

/// Ends of a gap: the steps to each, and where they begin.
struct Ends {
    all: Vec<(Vec<Step>, u32, Expected)>,
    unproven: bool,
    surprise: bool,
    missing: bool,
}

/// Where a gap may begin, and what each start has cost.
pub(crate) struct Starts {
    stacks: Stacks,
    at: Vec<(StackId, u32)>,
}

impl Starts {
    /// All stacks of a sample.
    pub(crate) fn of(sample: &Sample) -> Starts {
        let mut stacks = Stacks::default();
        let (at, _) = Search::begin(&mut stacks, sample, STACKS);
        Starts { stacks, at: at.into_iter().map(|s| (s, 0)).collect() }
    }

    /// The ends of the gap before.
    pub(crate) fn behind(lattice: &Lattice) -> Starts {
        let ends = best_ends(lattice);
        let cost = |e: &(u32, u32)| {
            let end = lattice.ends.iter().find(|x| (x.0, x.1) == *e);
            end.map_or(0, |x| x.2)
        };
        let least = ends.iter().map(cost).min().unwrap_or(0);
        let mut stacks = Stacks::default();
        let mut at = Vec::new();
        for end in &ends {
            let state = lattice.layers[end.0 as usize][end.1 as usize];
            let mut frames = Vec::new();
            let mut stack = state.stack;
            while stack != EMPTY {
                let frame = lattice.stacks.get(stack);
                frames.push(frame);
                stack = frame.parent;
            }
            let mut stack = EMPTY;
            for frame in frames.into_iter().rev() {
                stack = stacks.add(stacks::Frame { parent: stack, ..frame });
            }
            at.push((stack, cost(end) - least));
        }
        Starts { stacks, at }
    }
}
