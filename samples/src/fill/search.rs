//! Beam search between two samples: the paths of the given number of steps, the likely ones first.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::heuristic::{DistanceMemo, Heuristic};
use super::prices::Prices;
use super::sample::Sample;
use super::stacks::{EMPTY, StackFrame, StackId, Stacks};
use crate::graph::{
    BIT, BlockExit, Bounds, ContextId, Graph, Metric, NEVER, NodeId, SURPRISE, Site, sum,
};

/// Number of steps of a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Length {
    /// Exactly this number.
    Known(u32),
    /// About this number; then the standard deviation of its logarithm.
    About(f64, f64),
}

impl Length {
    /// The most steps that are looked at.
    fn most(self) -> u32 {
        match self {
            Length::Known(k) => k,
            Length::About(k, sigma) => (k * (2.5 * sigma).exp()).ceil().min(4096.0) as u32 + 1,
        }
    }

    /// Price of a path that has `steps` steps.
    fn price(self, steps: u32) -> u32 {
        match self {
            Length::Known(k) => {
                if k == steps {
                    0
                } else {
                    NEVER
                }
            }
            Length::About(k, sigma) => {
                let off = (f64::from(steps) / k.max(0.5)).ln();
                let bits = std::f64::consts::LOG2_E * off * off / (2.0 * sigma * sigma);
                (bits * f64::from(BIT)).min(f64::from(NEVER)) as u32
            }
        }
    }
}

/// A state of a layer: a stack that has just entered a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchState {
    pub stack: StackId,
    /// The branches before.
    pub context: ContextId,
    pub cost: u32,
    /// The cheapest state before it, in the layer before.
    pub from: u32,
}

/// Initial state of a gap: a stack, the branches before, and its cost.
pub(crate) type InitialState = (StackId, ContextId, u32);

/// A transition from a state to one of the next layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transition {
    pub from: u32,
    pub to: u32,
    pub cost: u32,
}

/// All that was looked at in a gap.
#[derive(Debug, Default)]
pub(crate) struct Lattice {
    pub stacks: Stacks,
    pub layers: Vec<Vec<SearchState>>,
    /// Ways into the layer of the same number.
    pub ways: Vec<Vec<Transition>>,
    /// States that are the sample: layer, state, cost with that of the length.
    pub ends: Vec<(u32, u32, u32)>,
    /// States were left out.
    pub cut: bool,
}

/// Searches gaps of one graph.
pub(crate) struct Search<'a> {
    pub graph: &'a Graph,
    pub beam: usize,
    bits: [&'a Bounds; 2],
    known: [DistanceMemo; 2],
    reached: HashMap<(StackId, ContextId), u32>,
}

impl<'a> Search<'a> {
    /// `bits` and `steps` are the bounds in these measures.
    pub fn new(graph: &'a Graph, bits: &'a Bounds, steps: &'a Bounds, beam: usize) -> Search<'a> {
        debug_assert!(bits.metric == Metric::Bits && steps.metric == Metric::Steps);
        Search {
            graph,
            beam,
            bits: [bits, steps],
            known: Default::default(),
            reached: HashMap::new(),
        }
    }

    /// Returns at most `most` stacks of a sample, and true if some were left out.
    pub fn begin(stacks: &mut Stacks, sample: &Sample, most: usize) -> (Vec<StackId>, bool) {
        let mut all = vec![EMPTY];
        let mut cut = false;
        for spot in &sample.stack {
            let mut next = Vec::new();
            for &parent in &all {
                for &(node, calls) in &spot.at {
                    if next.len() >= most {
                        cut = true;
                        break;
                    }
                    let outside = spot.outside;
                    next.push(stacks.add(StackFrame { parent, node, next: calls, outside }));
                }
            }
            all = next;
        }
        (all, cut)
    }

    /// Searches paths from these stacks, with their costs, to a sample.
    pub fn run(
        &mut self,
        prices: &mut Prices<'_>,
        mut lattice: Lattice,
        to: &Sample,
        length: Length,
    ) -> Lattice {
        let graph = self.graph;
        let most = length.most();
        let surprises = self.bits[0].surprises;
        let mut bits = Heuristic::new(graph, self.bits[0], to);
        let mut steps = Heuristic::new(graph, self.bits[1], to);
        let mut found = Vec::new();
        let mut best_end = NEVER;
        for step in 1..=most {
            let mut layer: Vec<SearchState> = Vec::new();
            let mut ways: Vec<Transition> = Vec::new();
            self.reached.clear();
            let before = std::mem::take(&mut lattice.layers[step as usize - 1]);
            for (from, state) in (0_u32..).zip(&before) {
                found.clear();
                expand(
                    graph,
                    prices,
                    &mut lattice.stacks,
                    (state.stack, state.context),
                    &bits,
                    surprises,
                    &mut found,
                );
                for &(stack, context, price) in &found {
                    let cost = sum(state.cost, price);
                    let state = SearchState { stack, context, cost, from };
                    let to = match self.reached.entry((stack, context)) {
                        Entry::Occupied(known) => {
                            let to = *known.get();
                            if to == u32::MAX {
                                continue;
                            }
                            if cost < layer[to as usize].cost {
                                layer[to as usize] = state;
                            }
                            to
                        }
                        Entry::Vacant(new) => {
                            let left = steps.far(&mut self.known[1], &lattice.stacks, stack);
                            if sum(left, step) > most {
                                new.insert(u32::MAX);
                                continue;
                            }
                            let to = layer.len() as u32;
                            new.insert(to);
                            layer.push(state);
                            to
                        }
                    };
                    ways.push(Transition { from, to, cost: price });
                }
            }
            lattice.layers[step as usize - 1] = before;
            if layer.len() > self.beam {
                lattice.cut = true;
                let known = &mut self.known[0];
                let mut ranked: Vec<(u32, u32)> = (0_u32..)
                    .zip(&layer)
                    .map(|(i, s)| (sum(s.cost, bits.far(known, &lattice.stacks, s.stack)), i))
                    .collect();
                ranked.select_nth_unstable(self.beam - 1);
                ranked.truncate(self.beam);
                ranked.sort_unstable_by_key(|r| r.1);
                let mut kept = vec![u32::MAX; layer.len()];
                for (new, &(_, old)) in (0_u32..).zip(&ranked) {
                    kept[old as usize] = new;
                }
                layer = ranked.iter().map(|&(_, i)| layer[i as usize]).collect();
                ways.retain_mut(|w| {
                    w.to = kept[w.to as usize];
                    w.to != u32::MAX
                });
            }
            let price = length.price(step);
            if price < NEVER {
                for (i, state) in (0_u32..).zip(&layer) {
                    if bits.is_reached(&lattice.stacks, state.stack) {
                        let cost = sum(state.cost, price);
                        best_end = best_end.min(cost);
                        lattice.ends.push((step, i, cost));
                    }
                }
            }
            let empty = layer.is_empty();
            let cheapest = layer.iter().map(|s| s.cost).min().unwrap_or(NEVER);
            lattice.layers.push(layer);
            lattice.ways.push(ways);
            // Longer paths cost ever more, once they are longer than they should be.
            let longer = matches!(length, Length::About(k, _) if f64::from(step) > k);
            if empty || (longer && sum(cheapest, price) > sum(best_end, 12 * BIT)) {
                break;
            }
        }
        lattice
    }
}

/// All stacks that have just entered a block, one step from this one, with prices.
fn expand(
    graph: &Graph,
    prices: &mut Prices<'_>,
    stacks: &mut Stacks,
    (from, context): (StackId, ContextId),
    goal: &Heuristic<'_>,
    surprises: bool,
    found: &mut Vec<(StackId, ContextId, u32)>,
) {
    let enter = |stacks: &mut Stacks, parent, method, outside| {
        stacks.add(StackFrame { parent, node: graph.entry(method), next: 0, outside })
    };
    let mut cost = 0;
    let mut at = from;
    let mut throws = false;
    loop {
        let frame = stacks.get(at);
        throws |= graph.block(frame.node).throws;
        if let Some(method) = goal.outside(stacks, at) {
            let inner = enter(stacks, at, method, true);
            found.push((inner, context, sum(cost, SURPRISE)));
        }
        if let Some(&site) = graph.calls(frame.node).get(usize::from(frame.next)) {
            let caller = stacks.add(StackFrame { next: frame.next + 1, ..frame });
            match site {
                Site::Method(m) => {
                    let inner = enter(stacks, caller, m, false);
                    found.push((inner, context, cost));
                    if !surprises {
                        break;
                    }
                    cost = sum(cost, SURPRISE);
                }
                Site::Slot(first, last) => {
                    let mut none = NEVER;
                    for &(callee, price) in graph.slot(first, last) {
                        if callee == 0 {
                            none = price;
                        } else {
                            let callee = model::map::MethodId(callee);
                            let inner = enter(stacks, caller, callee, false);
                            found.push((inner, context, sum(cost, price)));
                        }
                    }
                    cost = sum(cost, none);
                }
            }
            at = caller;
            continue;
        }
        match graph.block(frame.node).end {
            BlockExit::Edges(first, last) => {
                let edges = (first, last);
                let ways = (first..).zip(graph.ways(frame.node));
                let mut then = |edge| prices.then(context, edges, edge);
                let begun = found.len();
                found.extend(ways.map(|(edge, &(node, _))| {
                    let next = stacks.add(StackFrame { node, next: 0, ..frame });
                    (next, then(edge), cost)
                }));
                let priced = prices.ways(graph, edges, context);
                for (way, price) in found[begun..].iter_mut().zip(priced) {
                    way.2 = sum(way.2, *price);
                }
                // Edges that another one stands for.
                let mut at = 0;
                found.retain(|way| {
                    at += 1;
                    at <= begun || way.2 < NEVER
                });
                break;
            }
            BlockExit::Throw => break,
            BlockExit::Return if frame.parent == EMPTY => break,
            BlockExit::Return => at = frame.parent,
        }
    }
    if surprises && throws {
        let mut at = from;
        while at != EMPTY {
            let frame = stacks.get(at);
            for &handler in graph.handlers(graph.owner(frame.node)) {
                let next = stacks.add(StackFrame { node: handler, next: 0, ..frame });
                found.push((next, context, SURPRISE));
            }
            at = frame.parent;
        }
    }
}

impl Lattice {
    /// A lattice that begins with these stacks.
    pub fn begin(stacks: Stacks, starts: impl IntoIterator<Item = InitialState>) -> Lattice {
        let state = |(stack, context, cost)| SearchState { stack, context, cost, from: 0 };
        let first = starts.into_iter().map(state).collect();
        Lattice { stacks, layers: vec![first], ways: vec![Vec::new()], ..Lattice::default() }
    }

    /// Returns the blocks on the cheapest path to a state, and the path's initial state.
    pub fn path(&self, layer: u32, state: u32) -> (Vec<NodeId>, u32) {
        let mut nodes = Vec::with_capacity(layer as usize);
        let mut at = state;
        for layer in self.layers[1..=layer as usize].iter().rev() {
            let state = layer[at as usize];
            nodes.push(self.stacks.get(state.stack).node);
            at = state.from;
        }
        nodes.reverse();
        (nodes, at)
    }
}
