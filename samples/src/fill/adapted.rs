//! Prices that fit the pass at hand.
//!
//! A model tells what is usual; a session may do something else for a while: go round the same way,
//! or never take a branch. The other gaps of the pass tell that: what they are expected to have
//! taken is counted, and the model weighs as much as a few decisions more. A gap's own counts are
//! left out, so that it is not told what it said itself.

use hashbrown::HashMap;

use super::posterior::{Posterior, weight};
use super::search::Lattice;
use super::stacks::StackId;
use crate::graph::{BIT, End, Graph, NEVER, NodeId};

/// How many decisions the model weighs.
const MODEL: f64 = 4.0;
/// Ways that are hardly taken are not counted.
const LEAST: f64 = 1e-3;

/// What a gap is expected to have taken: positions in the graph's edges, and how often.
pub(crate) type Taken = HashMap<u32, f64>;

/// Prices of all edges, some of them changed.
pub(crate) struct Prices {
    pub all: Vec<u32>,
    changed: Vec<u32>,
}

impl Prices {
    pub(crate) fn of(graph: &Graph) -> Prices {
        Prices { all: graph.edges.iter().map(|e| e.1).collect(), changed: Vec::new() }
    }

    /// Those of the graph again.
    pub(crate) fn reset(&mut self, graph: &Graph) {
        for edge in self.changed.drain(..) {
            self.all[edge as usize] = graph.edges[edge as usize].1;
        }
    }

    /// Fits them to what was taken in all, but for what was taken here.
    pub(crate) fn fit(
        &mut self,
        graph: &Graph,
        all: &HashMap<NodeId, Taken>,
        own: &[(NodeId, Taken)],
    ) {
        self.reset(graph);
        let own: HashMap<NodeId, &Taken> = own.iter().map(|(n, t)| (*n, t)).collect();
        for (node, taken) in all {
            let End::Edges(from, to) = graph.block(*node).end else { continue };
            let others = |edge: u32| {
                let here = own.get(node).and_then(|t| t.get(&edge)).copied().unwrap_or(0.0);
                (taken.get(&edge).copied().unwrap_or(0.0) - here).max(0.0)
            };
            let sum: f64 = (from..to).map(others).sum();
            if sum < LEAST {
                continue;
            }
            for edge in from..to {
                let before = weight(graph.edges[edge as usize].1);
                let p = (MODEL * before + others(edge)) / (MODEL + sum);
                let price = (-p.log2() * f64::from(BIT)).round().max(0.0);
                self.all[edge as usize] = (price as u32).min(NEVER - 1);
                self.changed.push(edge);
            }
        }
    }
}

/// What a gap is expected to have taken, by branch.
pub(crate) fn taken(
    graph: &Graph,
    lattice: &Lattice,
    posterior: &Posterior,
) -> Vec<(NodeId, Taken)> {
    let mut all: HashMap<NodeId, Taken> = HashMap::new();
    for layer in 1..lattice.layers.len() {
        let forward = &posterior.forward[layer - 1];
        let ways = &lattice.ways[layer];
        let mut into = vec![0.0; lattice.layers[layer].len()];
        for way in ways {
            into[way.to as usize] += forward[way.from as usize] * weight(way.cost);
        }
        for way in ways {
            let through = posterior.states[layer][way.to as usize];
            let all_in = into[way.to as usize];
            if through < LEAST || all_in <= 0.0 {
                continue;
            }
            let p = through * forward[way.from as usize] * weight(way.cost) / all_in;
            let from = lattice.layers[layer - 1][way.from as usize].stack;
            let to = lattice.layers[layer][way.to as usize].stack;
            if p >= LEAST
                && let Some((node, edge)) = edge(graph, lattice, from, to)
            {
                *all.entry(node).or_default().entry(edge).or_default() += p;
            }
        }
    }
    all.into_iter().collect()
}

/// The edge that a way takes, if a branch decides it.
fn edge(graph: &Graph, lattice: &Lattice, from: StackId, to: StackId) -> Option<(NodeId, u32)> {
    let stacks = &lattice.stacks;
    let inner = stacks.get(to);
    let up = stacks.depth(from).checked_sub(stacks.depth(to))?;
    let mut at = stacks.get(from);
    for _ in 0..up {
        at = stacks.get(at.parent);
    }
    let End::Edges(first, last) = graph.block(at.node).end else { return None };
    if at.parent != inner.parent || last - first < 2 {
        return None;
    }
    (first..last).find(|e| graph.edges[*e as usize].0 == inner.node).map(|e| (at.node, e))
}
