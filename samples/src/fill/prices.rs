//! Prices of edges: those of the graph, fitted to the current pass, or dependent on the branches
//! before.
//!
//! A model describes the usual path; a session may behave differently for a while: repeat the same
//! loop, or never take a branch. The other gaps of the pass show that: their expected decisions are
//! counted, and the model is a prior of a few decisions. A gap's own counts are left out, so that
//! it does not confirm itself.
//!
//! If contexts of branches are known, they predict more, and prices stay as they are.

use std::sync::LazyLock;

use hashbrown::HashMap;

use crate::graph::{BIT, BlockExit, ContextId, Contexts, Graph, Key, NEVER, NodeId};

/// Weight of the model, in decisions.
const MODEL: f64 = 4.0;
/// Weight of the context with one branch less, in decisions, beside the counts of a context
/// (interpolation; Chen and Goodman 1996).
const SHORTER: f64 = 6.0;
/// Ways that are hardly taken are not counted.
pub(super) const LEAST: f64 = 1e-3;

/// Expected decisions of a gap: positions in the graph's edges, with expected counts.
pub(crate) type ExpectedCounts = HashMap<u32, f64>;

/// Prices of all edges: fitted ones, or such as depend on the branches before.
pub(crate) struct Prices<'a> {
    all: Vec<u32>,
    changed: Vec<u32>,
    contexts: Option<&'a Contexts>,
    /// Prices in contexts, and the contexts after edges, as far as they were asked for.
    known: HashMap<Key, Box<[u32]>>,
    behind: HashMap<(ContextId, u32), ContextId>,
}

/// Returns the likelihood of a path of this price.
pub(crate) fn weight(cost: u32) -> f64 {
    /// Of each part of a bit.
    static PARTS: LazyLock<[f64; BIT as usize]> =
        LazyLock::new(|| std::array::from_fn(|n| (-(n as f64) / f64::from(BIT)).exp2()));
    let (bits, part) = (cost / BIT, (cost % BIT) as usize);
    // 2 to the power of minus `bits`, by its exponent; smaller ones are no normal numbers.
    let whole = if bits < 1023 { f64::from_bits(u64::from(1023 - bits) << 52) } else { 0.0 };
    PARTS[part] * whole
}

fn price(p: f64) -> u32 {
    let price = (-p.log2() * f64::from(BIT)).round().max(0.0);
    (price as u32).min(NEVER - 1)
}

impl<'a> Prices<'a> {
    pub(crate) fn of(graph: &Graph, contexts: Option<&'a Contexts>) -> Prices<'a> {
        let all = graph.edges.iter().map(|e| e.1).collect();
        let (known, behind) = (HashMap::new(), HashMap::new());
        Prices { all, changed: Vec::new(), contexts, known, behind }
    }

    /// Those of a block's edges. Of edges that lead to the same block the first one stands for all,
    /// where branches depend on those before: the others cost [`NEVER`].
    pub(crate) fn ways(&mut self, graph: &Graph, edges: (u32, u32), context: ContextId) -> &[u32] {
        let (first, last) = edges;
        let Some(contexts) = self.contexts.filter(|_| last - first > 1) else {
            return &self.all[first as usize..last as usize];
        };
        let key = (first, context);
        self.known.entry(key).or_insert_with(|| in_context(graph, contexts, edges, context))
    }

    /// Returns the context after an edge.
    pub(crate) fn then(&mut self, context: ContextId, edges: (u32, u32), edge: u32) -> ContextId {
        let Some(contexts) = self.contexts.filter(|_| edges.1 - edges.0 > 1) else {
            return context;
        };
        *self.behind.entry((context, edge)).or_insert_with(|| contexts.then(context, edge))
    }

    /// Returns true if prices are to be fitted.
    pub(crate) fn fit_passes(&self) -> bool {
        self.contexts.is_none()
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
        all: &HashMap<NodeId, ExpectedCounts>,
        own: &[(NodeId, ExpectedCounts)],
    ) {
        self.reset(graph);
        let own: HashMap<NodeId, &ExpectedCounts> = own.iter().map(|(n, t)| (*n, t)).collect();
        for (node, taken) in all {
            let BlockExit::Edges(from, to) = graph.block(*node).end else { continue };
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
                self.all[edge as usize] = price(p);
                self.changed.push(edge);
            }
        }
    }
}

/// Returns the prices of a branch in a context: the counts of each alternative in it, shrunk
/// towards the context with one branch less, and so on down to the model.
fn in_context(
    graph: &Graph,
    contexts: &Contexts,
    (first, last): (u32, u32),
    context: ContextId,
) -> Box<[u32]> {
    let to = |edge: u32| graph.edges[edge as usize].0;
    let mut likely = vec![0.0; (last - first) as usize];
    for edge in first..last {
        let one = (first..last).find(|e| to(*e) == to(edge)).unwrap_or(edge);
        likely[(one - first) as usize] += weight(graph.edges[edge as usize].1);
    }
    let longer: Vec<ContextId> = contexts.shorter(context).collect();
    for context in longer.into_iter().rev() {
        let taken = contexts.taken((first, context));
        let all = SHORTER + taken.iter().map(|t| f64::from(t.1)).sum::<f64>();
        likely.iter_mut().for_each(|p| *p *= SHORTER / all);
        taken.iter().for_each(|t| likely[(t.0 - first) as usize] += f64::from(t.1) / all);
    }
    likely.into_iter().map(|p| if p > 0.0 { price(p) } else { NEVER }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_powers_of_two() {
        for cost in (0..2000 * BIT).step_by(37).chain(0..2 * BIT) {
            let exact = (-f64::from(cost) / f64::from(BIT)).exp2();
            let off = (weight(cost) - exact).abs();
            // Values below the smallest normal number are 0.
            assert!(off <= exact * 4.0 * f64::EPSILON || exact < 2.0 * f64::MIN_POSITIVE, "{cost}");
        }
        assert_eq!((weight(0), weight(BIT), weight(NEVER)), (1.0, 0.5, 0.0));
    }
}
