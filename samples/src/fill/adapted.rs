//! Expected decisions in a gap, which prices are fitted to.

use hashbrown::HashMap;

use super::posterior::Posterior;
use super::prices::{ExpectedCounts, LEAST, weight};
use super::search::Lattice;
use super::stacks::StackId;
use crate::graph::{Graph, NodeId};

/// Expected decisions of a gap, by branch.
pub(crate) fn taken(
    graph: &Graph,
    lattice: &Lattice,
    posterior: &Posterior,
) -> Vec<(NodeId, ExpectedCounts)> {
    let mut all: HashMap<NodeId, ExpectedCounts> = HashMap::new();
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

/// The edge that a transition takes, if a branch decides it.
fn edge(graph: &Graph, lattice: &Lattice, from: StackId, to: StackId) -> Option<(NodeId, u32)> {
    let stacks = &lattice.stacks;
    let inner = stacks.get(to);
    let up = stacks.depth(from).checked_sub(stacks.depth(to))?;
    let mut at = stacks.get(from);
    for _ in 0..up {
        at = stacks.get(at.parent);
    }
    if at.parent != inner.parent {
        return None;
    }
    graph.branch(at.node, inner.node).map(|(_, edge)| (at.node, edge))
}
