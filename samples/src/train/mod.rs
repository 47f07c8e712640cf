//! Estimates of how often each alternative was taken, from samples of programs in production:
//! production trains the model.
//!
//! Real samplers see one block in thousands, so the code between two samples does not show which
//! alternative was taken; the frequency of sampled blocks does. A sample falls into a block as
//! often as the block runs; the flow into a block is the flow out of it. So the flows through each
//! method's blocks under which its samples are likeliest estimate how often each alternative was
//! taken. If a sample may stand in several blocks, it is shared among them by the flows, and the
//! flows are computed again, until the samples hardly become likelier (expectation and
//! maximisation).

mod contexts;
mod counts;
mod method;
mod network;
mod sampler;
#[cfg(test)]
mod tests;

pub use contexts::Learner;
pub use counts::DecisionCounts;
pub use sampler::Sampler;

use std::collections::BTreeMap;

use model::map::MethodId;

use crate::fill::Sample;
use crate::graph::{BlockExit, Graph, NodeId, Site};
use method::{MethodFlow, flow};

/// Rounds at most.
pub const ROUNDS: u32 = 10;
/// A round that makes the samples likelier by a smaller share is the last one.
const LEAST: f64 = 1e-3;

/// Number of samples in each block.
#[derive(Debug)]
pub struct Evidence {
    /// Samples of each block, where one block is possible.
    blocks: Vec<u64>,
    /// Those where several are.
    several: BTreeMap<Vec<NodeId>, u64>,
    /// Calls in progress: block, number of the call, callee; in samples.
    calls: BTreeMap<(NodeId, u16, MethodId), f64>,
    /// Frames of each method.
    frames: Vec<u64>,
    samples: u64,
}

impl Evidence {
    /// No sample yet.
    pub fn new(graph: &Graph) -> Evidence {
        Evidence {
            blocks: vec![0; graph.len()],
            several: BTreeMap::new(),
            calls: BTreeMap::new(),
            frames: vec![0; graph.methods()],
            samples: 0,
        }
    }

    /// Returns the number of samples.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Adds a sample that was seen so often.
    pub fn add(&mut self, graph: &Graph, sample: &Sample, times: u64) {
        let Some(inner) = sample.stack.last() else { return };
        let mut nodes: Vec<NodeId> = inner.at.iter().map(|a| a.0).collect();
        nodes.sort_unstable();
        nodes.dedup();
        match nodes[..] {
            [] => return,
            [node] => self.blocks[node.0 as usize] += times,
            _ => *self.several.entry(nodes).or_default() += times,
        }
        self.samples += times;
        for spot in &sample.stack {
            self.frames[spot.method.0 as usize - 1] += times;
        }
        for pair in sample.stack.windows(2) {
            let [caller, inner] = pair else { continue };
            if inner.outside {
                continue;
            }
            let slot = |&&(node, calls): &&(NodeId, u16)| {
                let site = usize::from(calls).checked_sub(1).and_then(|c| graph.calls(node).get(c));
                matches!(site, Some(Site::Slot(..)))
            };
            let sites = || caller.at.iter().filter(slot);
            let share = times as f64 / caller.at.len() as f64;
            for &(node, calls) in sites() {
                *self.calls.entry((node, calls - 1, inner.method)).or_default() += share;
            }
        }
    }
}

/// Estimates from samples.
#[derive(Debug)]
pub struct Trained {
    /// Number of times that each decision took each alternative.
    pub counts: DecisionCounts,
    /// Rounds it took.
    pub rounds: u32,
    /// Bits that a sample costs on average, given the flows: less from round to round.
    pub bits: f64,
    /// Methods with samples whose graph was too large.
    pub left_out: u32,
}

/// Estimates counts: each sample stands for `blocks_a_sample` blocks that ran. The graph's prices
/// are the prior; they decide where samples do not.
pub fn train(graph: &Graph, evidence: &Evidence, blocks_a_sample: f64) -> Trained {
    let mut shared = Shared::new(graph, evidence);
    let mut flows;
    let mut rounds = 0;
    let mut bits = f64::INFINITY;
    loop {
        rounds += 1;
        flows = shared.flows(graph);
        let now = shared.bits(graph, evidence, &flows.0);
        let gain = bits - now;
        bits = now;
        if evidence.several.is_empty() || rounds >= ROUNDS || gain < LEAST * bits {
            break;
        }
        shared.share(graph, evidence, &flows.0);
    }
    let (flows, left_out) = flows;
    let counts = counted(graph, evidence, &flows, blocks_a_sample);
    Trained { counts, rounds, bits, left_out }
}

/// Samples of each block; those that may stand in several are shared among these.
struct Shared {
    blocks: Vec<f64>,
}

impl Shared {
    fn new(graph: &Graph, evidence: &Evidence) -> Shared {
        let blocks = evidence.blocks.iter().map(|&n| n as f64).collect();
        let mut shared = Shared { blocks };
        let even = BTreeMap::new();
        shared.share(graph, evidence, &even);
        shared
    }

    /// Shares as the flows have it; without any, evenly.
    fn share(
        &mut self,
        graph: &Graph,
        evidence: &Evidence,
        flows: &BTreeMap<MethodId, MethodFlow>,
    ) {
        for (block, &n) in self.blocks.iter_mut().zip(&evidence.blocks) {
            *block = n as f64;
        }
        for (nodes, &n) in &evidence.several {
            let weights: Vec<f64> =
                nodes.iter().map(|&at| through(graph, flows, at).unwrap_or(1.0)).collect();
            let sum: f64 = weights.iter().sum();
            for (node, weight) in nodes.iter().zip(weights) {
                self.blocks[node.0 as usize] += n as f64 * weight / sum;
            }
        }
    }

    /// The flows of all methods with samples, and how many have none that can be found.
    fn flows(&self, graph: &Graph) -> (BTreeMap<MethodId, MethodFlow>, u32) {
        let (mut flows, mut left_out) = (BTreeMap::new(), 0);
        for method in (1..=graph.methods() as u32).map(MethodId) {
            let from = graph.entry(method).0 as usize;
            let counts = &self.blocks[from..from + graph.nodes(method).count()];
            if counts.iter().all(|n| *n <= 0.0) {
                continue;
            }
            match flow(graph, method, counts) {
                Some(flow) => drop(flows.insert(method, flow)),
                None => left_out += 1,
            }
        }
        (flows, left_out)
    }

    /// Bits that a sample costs: the likelihood of where they fell.
    fn bits(
        &self,
        graph: &Graph,
        evidence: &Evidence,
        flows: &BTreeMap<MethodId, MethodFlow>,
    ) -> f64 {
        let all: f64 = flows.values().flat_map(|f| &f.blocks).sum();
        let p = |node: NodeId| through(graph, flows, node).unwrap_or(1.0) / all.max(1.0);
        let singles = (0..).map(NodeId).zip(&evidence.blocks).filter(|b| *b.1 > 0);
        let mut bits: f64 = singles.map(|(node, &n)| -(n as f64) * p(node).log2()).sum();
        for (nodes, &n) in &evidence.several {
            bits -= n as f64 * nodes.iter().map(|&node| p(node)).sum::<f64>().log2();
        }
        bits / evidence.samples.max(1) as f64
    }
}

/// The flow through a block, if its method has one.
fn through(graph: &Graph, flows: &BTreeMap<MethodId, MethodFlow>, node: NodeId) -> Option<f64> {
    let method = graph.owner(node);
    let at = (node.0 - graph.entry(method).0) as usize;
    flows.get(&method).map(|flow| flow.blocks[at])
}

fn counted(
    graph: &Graph,
    evidence: &Evidence,
    flows: &BTreeMap<MethodId, MethodFlow>,
    scale: f64,
) -> DecisionCounts {
    let mut counts = DecisionCounts::new(graph);
    let whole = |flow: f64| (flow * scale).round() as u64;
    for (&method, flow) in flows {
        let mut along = flow.edges.iter();
        for node in graph.nodes(method) {
            if let BlockExit::Edges(from, to) = graph.block(node).end {
                let counts = &mut counts.edges[from as usize..to as usize];
                counts.iter_mut().zip(&mut along).for_each(|(n, &flow)| *n = whole(flow));
            }
        }
    }
    // A call in progress is sampled as long as its callee takes; that is its frames over its
    // entries.
    let entered = |callee: MethodId| flows.get(&callee).map_or(0.5, |f| f.entered);
    let took = |callee: MethodId| {
        let frames = evidence.frames[callee.0 as usize - 1] as f64;
        (frames / entered(callee)).max(1e-9)
    };
    let mut called: BTreeMap<(NodeId, u16), f64> = BTreeMap::new();
    let mut slots: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for (&(node, call, callee), &samples) in &evidence.calls {
        let Some(&Site::Slot(from, to)) = graph.calls(node).get(usize::from(call)) else {
            continue;
        };
        let alternatives = graph.slot(from, to).iter();
        let Some(at) = (from..to).zip(alternatives).find(|(_, c)| c.0 == callee.0) else {
            continue;
        };
        let calls = samples / took(callee);
        *slots.entry((from, at.0)).or_default() += calls;
        *called.entry((node, call)).or_default() += calls;
    }
    // What came to a call and is in none of the app's methods went to none.
    for node in (0..graph.len() as u32).map(NodeId) {
        let Some(through) = through(graph, flows, node) else { continue };
        for (call, site) in (0..).zip(graph.calls(node)) {
            if let Site::Slot(from, _) = *site {
                let calls = called.get(&(node, call)).copied().unwrap_or(0.0);
                *slots.entry((from, from)).or_default() += (through - calls).max(0.0);
            }
        }
    }
    for ((_, at), calls) in slots {
        counts.callees[at as usize] = whole(calls);
    }
    counts
}
