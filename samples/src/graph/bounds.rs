//! The cheapest paths through methods, including their callees: Dijkstra's algorithm, generalised
//! to calls (Knuth 1977). A call costs the cheapest path of its callee; a method without a path to
//! its return has no cost.
//!
//! Two measures, each minimal by itself: bits and steps. Both are lower bounds of the cost of any
//! path.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use model::map::MethodId;

use super::{BlockExit, Graph, NEVER, NodeId, SURPRISE, Site};

/// Quantity that is minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Metric {
    /// 256ths of bits.
    Bits,
    /// Blocks that are entered.
    Steps,
}

impl Metric {
    /// Both.
    pub const ALL: [Metric; 2] = [Metric::Bits, Metric::Steps];

    /// Entering a block at this price.
    #[inline]
    pub(crate) fn step(self, price: u32) -> u32 {
        match self {
            Metric::Bits => price,
            Metric::Steps => 1,
        }
    }

    /// Going on at this price without entering a block.
    #[inline]
    pub(crate) fn pass(self, price: u32) -> u32 {
        match self {
            Metric::Bits => price,
            Metric::Steps => 0,
        }
    }
}

#[inline]
pub(crate) fn sum(a: u32, b: u32) -> u32 {
    a.saturating_add(b).min(NEVER)
}

/// The cheapest paths, in one measure. With `surprises`, exceptions are also paths.
#[derive(Debug)]
pub struct Bounds {
    pub(crate) metric: Metric,
    pub(crate) surprises: bool,
    /// From a method's call to its return, the step into it included.
    through: Vec<u32>,
    /// From a block just entered to its method's return.
    back: Vec<u32>,
    /// From the end of a block's calls to its method's return.
    behind: Vec<u32>,
    /// Per block: the blocks of its method that lead to it, with prices.
    before: Vec<Vec<(NodeId, u32)>>,
}

impl Bounds {
    /// Those of a graph.
    pub fn new(graph: &Graph, metric: Metric, surprises: bool) -> Bounds {
        let mut before = vec![Vec::new(); graph.len()];
        for at in (0..graph.len() as u32).map(NodeId) {
            for &(to, price) in graph.ways(at) {
                before[to.0 as usize].push((at, price));
            }
        }
        let mut bounds = Bounds {
            metric,
            surprises,
            through: vec![NEVER; graph.methods()],
            back: vec![NEVER; graph.len()],
            behind: vec![NEVER; graph.len()],
            before,
        };
        bounds.settle(graph);
        bounds
    }

    /// Methods by method, until no call becomes cheaper.
    fn settle(&mut self, graph: &Graph) {
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); graph.methods()];
        for at in (0..graph.len() as u32).map(NodeId) {
            let owner = graph.owner(at).0 - 1;
            let mut note = |callee: u32| {
                let all: &mut Vec<u32> = &mut callers[callee as usize - 1];
                if all.last() != Some(&owner) {
                    all.push(owner);
                }
            };
            for &site in graph.calls(at) {
                match site {
                    Site::Method(m) => note(m.0),
                    Site::Slot(from, to) => {
                        graph.slot(from, to).iter().filter(|c| c.0 > 0).for_each(|c| note(c.0));
                    }
                }
            }
        }
        let mut waiting = vec![true; graph.methods()];
        let mut queue: std::collections::VecDeque<u32> = (0..graph.methods() as u32).collect();
        while let Some(m) = queue.pop_front() {
            waiting[m as usize] = false;
            let method = MethodId(m + 1);
            let ends = graph.nodes(method).filter_map(|at| {
                let ends = graph.block(at).end == BlockExit::Return;
                ends.then_some((at, 0))
            });
            let ends: Vec<(NodeId, u32)> = ends.collect();
            let ways = self.toward(graph, method, &[], &ends);
            let first = graph.entry(method);
            for (at, way) in (first.0 as usize..).zip(&ways) {
                (self.back[at], self.behind[at]) = *way;
            }
            let through = sum(self.back[first.0 as usize], self.metric.step(0));
            if through < self.through[m as usize] {
                self.through[m as usize] = through;
                for &caller in &callers[m as usize] {
                    if !std::mem::replace(&mut waiting[caller as usize], true) {
                        queue.push_back(caller);
                    }
                }
            }
        }
    }

    /// Returns the cost of a call, including its return.
    #[inline]
    pub(crate) fn call(&self, graph: &Graph, site: Site) -> u32 {
        match site {
            Site::Method(m) => {
                let passed = if self.surprises { self.metric.pass(SURPRISE) } else { NEVER };
                self.through[m.0 as usize - 1].min(passed)
            }
            Site::Slot(from, to) => {
                let cost = |&(callee, price): &(u32, u32)| match callee {
                    0 => self.metric.pass(price),
                    m => sum(self.metric.pass(price), self.through[m as usize - 1]),
                };
                graph.slot(from, to).iter().map(cost).min().unwrap_or(NEVER)
            }
        }
    }

    /// Returns the cost of a block's calls from one to another.
    pub(crate) fn between(&self, graph: &Graph, at: NodeId, from: u16, to: u16) -> u32 {
        let calls = graph.calls(at);
        let to = usize::from(to).min(calls.len());
        let calls = calls.get(usize::from(from)..to).unwrap_or_default();
        calls.iter().fold(0, |cost, site| sum(cost, self.call(graph, *site)))
    }

    /// Returns the cost from a block, of which `next` calls have begun, to the method's return.
    #[inline]
    pub(crate) fn back(&self, graph: &Graph, at: NodeId, next: u16) -> u32 {
        if next == 0 {
            return self.back[at.0 as usize];
        }
        let calls = sum(self.between(graph, at, next, u16::MAX), self.behind[at.0 as usize]);
        calls.min(self.surprise(graph, at, |h| self.back[h.0 as usize]))
    }

    /// Returns the cheapest path over a handler of the block's method.
    fn surprise(&self, graph: &Graph, at: NodeId, cost: impl Fn(NodeId) -> u32) -> u32 {
        if !self.surprises || !graph.block(at).throws {
            return NEVER;
        }
        let handlers = graph.handlers(graph.owner(at)).iter();
        let cost = |&h: &NodeId| sum(self.metric.step(SURPRISE), cost(h));
        handlers.map(cost).min().unwrap_or(NEVER)
    }

    /// Returns for each block of a method the distance from just entering it, and from the end of
    /// its calls, to a goal. Goals are blocks just entered, with the distance from there; and ends
    /// of a block's calls.
    pub(crate) fn toward(
        &self,
        graph: &Graph,
        method: MethodId,
        goals: &[(NodeId, u32)],
        ends: &[(NodeId, u32)],
    ) -> Vec<(u32, u32)> {
        let first = graph.entry(method).0;
        let count = graph.nodes(method).count();
        let mut ways = vec![(NEVER, NEVER); count];
        let mut heap: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        let calls: Vec<u32> =
            graph.nodes(method).map(|at| self.between(graph, at, 0, u16::MAX)).collect();
        for &(at, cost) in goals {
            let i = (at.0 - first) as usize;
            if cost < ways[i].0 {
                ways[i].0 = cost;
                heap.push(Reverse((cost, at.0)));
            }
        }
        for &(at, cost) in ends {
            let i = (at.0 - first) as usize;
            ways[i].1 = ways[i].1.min(cost);
            let cost = sum(cost, calls[i]);
            if cost < ways[i].0 {
                ways[i].0 = cost;
                heap.push(Reverse((cost, at.0)));
            }
        }
        let handlers = if self.surprises { graph.handlers(method) } else { &[] };
        let mut thrown = NEVER;
        while let Some(Reverse((cost, at))) = heap.pop() {
            if cost > ways[(at - first) as usize].0 || cost >= NEVER {
                continue;
            }
            for &(from, price) in &self.before[at as usize] {
                let i = (from.0 - first) as usize;
                let way = sum(cost, self.metric.step(price));
                ways[i].1 = ways[i].1.min(way);
                let way = sum(way, calls[i]);
                if way < ways[i].0 {
                    ways[i].0 = way;
                    heap.push(Reverse((way, from.0)));
                }
            }
            let surprise = sum(cost, self.metric.step(SURPRISE));
            if surprise < thrown && handlers.contains(&NodeId(at)) {
                thrown = surprise;
                for from in graph.nodes(method).filter(|n| graph.block(*n).throws) {
                    let i = (from.0 - first) as usize;
                    ways[i].1 = ways[i].1.min(surprise);
                    if surprise < ways[i].0 {
                        ways[i].0 = surprise;
                        heap.push(Reverse((surprise, from.0)));
                    }
                }
            }
        }
        ways
    }
}
