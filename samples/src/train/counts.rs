//! Counts of decisions, and what they would cost under a model.

use model::map::{Map, SlotId};
use model::profile::Profile;

use crate::graph::prices::{branch_tables, slot_tables};
use crate::graph::{BlockExit, Graph, NodeId};

/// Number of times that each alternative of a branch and each callee of a slot was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionCounts {
    /// As [`Graph::edges`].
    pub(crate) edges: Vec<u64>,
    /// As [`Graph::callees`].
    pub(crate) callees: Vec<u64>,
}

fn add(count: Option<&mut u64>, n: u64) {
    if let Some(count) = count {
        *count = count.saturating_add(n);
    }
}

impl DecisionCounts {
    /// All zero.
    pub fn new(graph: &Graph) -> DecisionCounts {
        DecisionCounts { edges: vec![0; graph.edges.len()], callees: vec![0; graph.callees.len()] }
    }

    /// Counts an alternative of the branch that ends a block.
    #[inline]
    pub fn count_branch(&mut self, graph: &Graph, node: NodeId, alternative: usize, n: u64) {
        if let BlockExit::Edges(from, _) = graph.block(node).end {
            add(self.edges.get_mut(from as usize + alternative), n);
        }
    }

    /// Counts an alternative of a slot.
    #[inline]
    pub fn count_slot(&mut self, graph: &Graph, SlotId(slot): SlotId, alternative: usize, n: u64) {
        if let Some(&(from, _)) = graph.slots.get(slot as usize) {
            add(self.callees.get_mut(from as usize + alternative), n);
        }
    }

    /// Of the branch that ends a block: how often each alternative was taken. Empty where the block
    /// does not end in a branch.
    pub fn branch(&self, graph: &Graph, node: NodeId) -> &[u64] {
        match graph.block(node).end {
            BlockExit::Edges(from, to) if to - from > 1 => &self.edges[from as usize..to as usize],
            _ => &[],
        }
    }

    /// Of a slot: how often each alternative was taken.
    pub fn slot(&self, graph: &Graph, SlotId(slot): SlotId) -> &[u64] {
        let (from, to) = graph.slots.get(slot as usize).copied().unwrap_or((0, 0));
        &self.callees[from as usize..to as usize]
    }

    /// Returns the overlap of two counts: each alternative's share of all decisions of branches,
    /// the lower one of both, summed up. 1 where the shares are the same.
    pub fn overlap(&self, other: &DecisionCounts, graph: &Graph) -> f64 {
        let nodes = || (0..graph.len() as u32).map(NodeId);
        let sum = |c: &DecisionCounts| -> f64 {
            nodes().flat_map(|n| c.branch(graph, n)).map(|&n| n as f64).sum::<f64>().max(1.0)
        };
        let (a, b) = (sum(self), sum(other));
        let shared = |n: NodeId| -> f64 {
            let pairs = self.branch(graph, n).iter().zip(other.branch(graph, n));
            pairs.map(|(&x, &y)| (x as f64 / a).min(y as f64 / b)).sum()
        };
        nodes().map(shared).sum()
    }

    /// Returns the number of decisions, and their cost in bits under a model's tables.
    pub fn bits(&self, map: &Map, graph: &Graph, model: &Profile) -> (u64, f64) {
        let (mut decisions, mut bits) = (0_u64, 0.0);
        let mut add = |counts: &[u64], freqs: &[u16]| {
            for (&n, &freq) in counts.iter().zip(freqs).filter(|(n, _)| **n > 0) {
                decisions = decisions.saturating_add(n);
                bits += n as f64 * (16.0 - f64::from(freq.max(1)).log2());
            }
        };
        let branches = (0..graph.len() as u32).map(|n| self.branch(graph, NodeId(n)));
        // A map's branches have two alternatives at least.
        for (counts, freqs) in
            branches.filter(|b| !b.is_empty()).zip(branch_tables(map, Some(model)))
        {
            add(counts, &freqs);
        }
        for (slot, freqs) in (0..).map(SlotId).zip(slot_tables(map, Some(model))) {
            add(self.slot(graph, slot), &freqs);
        }
        (decisions, bits)
    }
}
