//! What ways cost: as the graph has it, as it fits the pass at hand, or as it depends on the
//! branches before.
//!
//! A model tells what is usual; a session may do something else for a while: go round the same way,
//! or never take a branch. The other gaps of the pass tell that: what they are expected to have
//! taken is counted, and the model weighs as much as a few decisions more. A gap's own counts are
//! left out, so that it is not told what it said itself.
//!
//! Where it is known what branches depend on, that tells more, and prices stay as they are.

use std::sync::LazyLock;

use hashbrown::HashMap;

use crate::graph::{BIT, ContextId, Contexts, End, Graph, Key, NEVER, NodeId};

/// How many decisions the model weighs.
const MODEL: f64 = 4.0;
/// How many decisions what is known with a branch less weighs beside what was seen in a context
/// (interpolation; Chen and Goodman 1996).
const SHORTER: f64 = 6.0;
/// Ways that are hardly taken are not counted.
pub(super) const LEAST: f64 = 1e-3;

/// What a gap is expected to have taken: positions in the graph's edges, and how often.
pub(crate) type Taken = HashMap<u32, f64>;

/// Prices of all edges: fitted ones, or such as depend on the branches before.
pub(crate) struct Prices<'a> {
    all: Vec<u32>,
    changed: Vec<u32>,
    contexts: Option<&'a Contexts>,
    /// Prices in contexts, and the contexts behind edges, as far as they were asked for.
    known: HashMap<Key, Box<[u32]>>,
    behind: HashMap<(ContextId, u32), ContextId>,
}

/// How likely a way of this price is.
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

    /// What is known behind an edge.
    pub(crate) fn then(&mut self, context: ContextId, edges: (u32, u32), edge: u32) -> ContextId {
        let Some(contexts) = self.contexts.filter(|_| edges.1 - edges.0 > 1) else {
            return context;
        };
        *self.behind.entry((context, edge)).or_insert_with(|| contexts.then(context, edge))
    }

    /// Whether they are to be fitted.
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
                self.all[edge as usize] = price(p);
                self.changed.push(edge);
            }
        }
    }
}

/// Prices of a branch in a context: how often each way was taken there, shrunk towards what is
/// known with a branch less, and that in turn, down to the model.
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
            // What is no normal number any more is 0.
            assert!(off <= exact * 4.0 * f64::EPSILON || exact < 2.0 * f64::MIN_POSITIVE, "{cost}");
        }
        assert_eq!((weight(0), weight(BIT), weight(NEVER)), (1.0, 0.5, 0.0));
    }
}
