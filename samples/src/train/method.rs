//! The flow through a method's blocks that its samples imply.

use model::map::MethodId;

use super::network::{Arc, least};
use crate::graph::{BIT, BlockExit, Graph, NodeId};

/// Prior of a branch: half a sample for each alternative, shared as the prices have it (Krichevsky
/// and Trofimov's estimator, as in `model::table`).
const BEFORE: f64 = 0.5;
/// Weight of edges that no decision is about.
const SLIGHT: f64 = 0.02;
/// Cost of flow out of or into the middle of a method, in samples: exceptions, and edges that the
/// graph does not have.
const LEAK: f64 = 5.0;
/// The same where a block throws, or is a handler's first.
const THROWN: f64 = 2.0;

/// Flows of a method, in samples.
#[derive(Debug)]
pub(crate) struct MethodFlow {
    /// Into the method.
    pub entered: f64,
    /// Into each block.
    pub blocks: Vec<f64>,
    /// Flow along each edge, as [`Graph::edges`], from the method's first on.
    pub edges: Vec<f64>,
}

/// Estimates the flow of a method from the number of samples in its blocks.
pub(crate) fn flow(graph: &Graph, method: MethodId, counts: &[f64]) -> Option<MethodFlow> {
    let first = graph.entry(method).0;
    let nodes: Vec<NodeId> = graph.nodes(method).collect();
    // A sampled block is an arc with its count from one vertex to another; others are one vertex.
    let mut potentials = vec![0.0];
    let mut ends = Vec::with_capacity(nodes.len());
    for &count in counts {
        let into = potentials.len() as u32;
        if count > 0.0 {
            potentials.extend([0.1, 0.2]);
            ends.push((into, into + 1));
        } else {
            potentials.push(0.15);
            ends.push((into, into));
        }
    }
    // Each sample costs 1 in all on its path: half into a sampled block, half through it.
    let price = |at: usize| if counts[at] > 0.0 { 0.5 } else { 1.0 };
    let mut arcs = vec![Arc { from: 0, to: ends[0].0, cost: price(0), weight: BEFORE }];
    let mut edges = Vec::new();
    for (at, &node) in nodes.iter().enumerate() {
        let (into, out) = ends[at];
        if into != out {
            arcs.push(Arc { from: into, to: out, cost: 0.5, weight: counts[at] });
        }
        let block = graph.block(node);
        let ways = graph.ways(node);
        for &(to, cost) in ways {
            let to = (to.0 - first) as usize;
            let weight = match ways.len() {
                1 => SLIGHT,
                n => (BEFORE * n as f64 * (-f64::from(cost) / f64::from(BIT)).exp2()).max(1e-3),
            };
            edges.push(arcs.len());
            arcs.push(Arc { from: out, to: ends[to].0, cost: price(to), weight });
        }
        if matches!(block.end, BlockExit::Return | BlockExit::Throw) {
            arcs.push(Arc { from: out, to: 0, cost: 0.0, weight: SLIGHT });
        }
        let leak = if block.throws { THROWN } else { LEAK };
        arcs.push(Arc { from: out, to: 0, cost: leak, weight: 1e-3 });
        let leak = if graph.handlers(method).contains(&node) { THROWN } else { LEAK };
        arcs.push(Arc { from: 0, to: into, cost: leak + price(at), weight: 1e-3 });
    }
    let flows = least(&arcs, potentials)?;
    let mut blocks = vec![0.0; nodes.len()];
    let blocks_of: std::collections::BTreeMap<u32, usize> =
        ends.iter().enumerate().map(|(at, e)| (e.0, at)).collect();
    for (arc, flow) in arcs.iter().zip(&flows) {
        if let Some(&at) = blocks_of.get(&arc.to) {
            blocks[at] += flow;
        }
    }
    Some(MethodFlow { entered: flows[0], blocks, edges: edges.iter().map(|&e| flows[e]).collect() })
}
