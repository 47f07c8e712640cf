//! Heuristic of the search: a lower bound of the distance from a stack to the next sample, out of
//! calls to a frame that both have, on in that frame, and down into the calls that the sample
//! shows.

use std::rc::Rc;

use hashbrown::HashMap;
use model::map::MethodId;

use super::sample::Sample;
use super::stacks::{EMPTY, StackFrame, StackId, Stacks};
use crate::graph::{Bounds, Graph, Metric, NEVER, NodeId, SURPRISE, sum};

/// Per block of a method: the distance from just entering it, and from the end of its calls.
type Distances = Vec<(u32, u32)>;

/// Ways to a single block, of all goals so far.
#[derive(Debug, Default)]
pub(crate) struct DistanceMemo {
    ways: HashMap<NodeId, Rc<Distances>>,
    entries: usize,
}

/// Entries of [`DistanceMemo`] at most: 64 MiB.
const MOST: usize = 8 << 20;

impl DistanceMemo {
    fn toward(
        &mut self,
        graph: &Graph,
        bounds: &Bounds,
        method: MethodId,
        to: NodeId,
    ) -> Rc<Distances> {
        if let Some(known) = self.ways.get(&to) {
            return Rc::clone(known);
        }
        let ways = Rc::new(bounds.toward(graph, method, &[(to, 0)], &[]));
        if self.entries + ways.len() > MOST {
            self.ways.clear();
            self.entries = 0;
        }
        self.entries += ways.len();
        self.ways.insert(to, Rc::clone(&ways));
        ways
    }
}

/// Distances in a frame of the sample, at one depth.
#[derive(Debug)]
struct Level {
    ways: Rc<Distances>,
    /// Added to each distance.
    more: u32,
    /// Calls that lead on: block, calls begun before, distance from the call.
    calls: Vec<(NodeId, u16, u32)>,
}

impl Level {
    /// From just entering a block.
    fn entered(&self, graph: &Graph, node: NodeId) -> u32 {
        let first = graph.entry(graph.owner(node)).0;
        sum(self.ways[(node.0 - first) as usize].0, self.more)
    }

    /// From the end of a block's calls.
    fn behind(&self, graph: &Graph, node: NodeId) -> u32 {
        let first = graph.entry(graph.owner(node)).0;
        sum(self.ways[(node.0 - first) as usize].1, self.more)
    }
}

/// The bounds to one sample, in one measure.
pub(crate) struct Heuristic<'a> {
    graph: &'a Graph,
    bounds: &'a Bounds,
    sample: &'a Sample,
    levels: Vec<Option<Level>>,
    /// Per stack: the distance, once it is known.
    far: Vec<Option<u32>>,
    thrown: Vec<Option<u32>>,
}

impl<'a> Heuristic<'a> {
    pub(crate) fn new(graph: &'a Graph, bounds: &'a Bounds, sample: &'a Sample) -> Heuristic<'a> {
        let levels = sample.stack.iter().map(|_| None).collect();
        Heuristic { graph, bounds, sample, levels, far: Vec::new(), thrown: Vec::new() }
    }

    fn metric(&self) -> Metric {
        self.bounds.metric
    }

    /// Returns the distances at a depth.
    fn level(&mut self, known: &mut DistanceMemo, depth: usize) -> &Level {
        let mut missing = depth;
        while missing < self.levels.len() && self.levels[missing].is_none() {
            missing += 1;
        }
        for at in (depth..missing).rev() {
            let level = self.make(known, at);
            self.levels[at] = Some(level);
        }
        self.levels[depth].as_ref().expect("it was made")
    }

    fn make(&mut self, known: &mut DistanceMemo, depth: usize) -> Level {
        let (graph, bounds) = (self.graph, self.bounds);
        let spot = &self.sample.stack[depth];
        let (goals, calls) = match self.sample.stack.get(depth + 1) {
            None => (spot.at.iter().map(|a| (a.0, 0)).collect(), Vec::new()),
            Some(inner) => {
                let entry = graph.entry(inner.method);
                let below = self.levels[depth + 1].as_ref().expect("deeper ones come first");
                let rest = below.entered(graph, entry);
                let mut goals: Vec<(NodeId, u32)> = Vec::new();
                let mut calls = Vec::new();
                for &(node, next) in &spot.at {
                    let (before, price) = if inner.outside {
                        (next, Some(SURPRISE))
                    } else {
                        let before = next.saturating_sub(1);
                        let site = graph.calls(node).get(usize::from(before));
                        (before, site.and_then(|s| graph.price_of(*s, inner.method)))
                    };
                    let Some(price) = price else { continue };
                    let left = sum(bounds.metric.step(price), rest);
                    calls.push((node, before, left));
                    goals.push((node, sum(bounds.between(graph, node, 0, before), left)));
                }
                (goals, calls)
            }
        };
        match goals[..] {
            [(node, more)] => {
                let ways = known.toward(graph, bounds, spot.method, node);
                Level { ways, more, calls }
            }
            _ => {
                let ways = Rc::new(bounds.toward(graph, spot.method, &goals, &[]));
                Level { ways, more: 0, calls }
            }
        }
    }

    /// Returns true if a stack is the lower part of the sample's.
    pub(crate) fn is_prefix(&self, stacks: &Stacks, stack: StackId) -> bool {
        let mut at = stack;
        while at != EMPTY {
            let frame = stacks.get(at);
            let here = (frame.node, frame.next);
            let spot = self.sample.stack.get(stacks.depth(at));
            // Frames of code outside may be taken for others; the sample does not show which one
            // called.
            if !spot.is_some_and(|s| s.at.contains(&here)) {
                return false;
            }
            at = frame.parent;
        }
        true
    }

    /// Returns true if a stack that has just entered a block is the sample's.
    pub(crate) fn is_reached(&self, stacks: &Stacks, stack: StackId) -> bool {
        stacks.depth(stack) + 1 == self.sample.stack.len() && self.is_prefix(stacks, stack)
    }

    /// Returns the frame that is called from outside next on top of this stack, if the sample shows
    /// one.
    pub(crate) fn outside(&self, stacks: &Stacks, stack: StackId) -> Option<MethodId> {
        let next = self.sample.stack.get(stacks.depth(stack) + 1)?;
        (next.outside && self.is_prefix(stacks, stack)).then_some(next.method)
    }

    /// Returns the distance in a frame of the sample.
    fn direct(&mut self, known: &mut DistanceMemo, stacks: &Stacks, frame: StackFrame) -> u32 {
        let depth = if frame.parent == EMPTY { 0 } else { stacks.depth(frame.parent) + 1 };
        let (graph, bounds) = (self.graph, self.bounds);
        if self.sample.stack.get(depth).is_none_or(|s| s.method != graph.owner(frame.node))
            || !self.is_prefix(stacks, frame.parent)
        {
            return NEVER;
        }
        let level = self.level(known, depth);
        if frame.next == 0 {
            return level.entered(graph, frame.node);
        }
        let on = sum(
            bounds.between(graph, frame.node, frame.next, u16::MAX),
            level.behind(graph, frame.node),
        );
        let calls = level.calls.iter().filter(|c| c.0 == frame.node && c.1 >= frame.next);
        let call = calls
            .map(|c| sum(bounds.between(graph, frame.node, frame.next, c.1), c.2))
            .min()
            .unwrap_or(NEVER);
        let mut best = on.min(call);
        if bounds.surprises && graph.block(frame.node).throws {
            let handlers = graph.handlers(graph.owner(frame.node)).iter();
            let way = |&h: &NodeId| sum(bounds.metric.step(SURPRISE), level.entered(graph, h));
            best = best.min(handlers.map(way).min().unwrap_or(NEVER));
        }
        best
    }

    /// The least that lies between a stack and the sample.
    pub(crate) fn far(&mut self, known: &mut DistanceMemo, stacks: &Stacks, stack: StackId) -> u32 {
        if stack == EMPTY {
            return NEVER;
        }
        if self.far.len() < stacks.len() {
            self.far.resize(stacks.len() + 64, None);
        }
        // Down to a stack that is known, and up again.
        let mut chain = Vec::new();
        let mut at = stack;
        let mut below = loop {
            if at == EMPTY {
                break NEVER;
            }
            if let Some(far) = self.far[at.0 as usize] {
                break far;
            }
            chain.push(at);
            at = stacks.get(at).parent;
        };
        while let Some(at) = chain.pop() {
            let frame = stacks.get(at);
            let mut far = self.direct(known, stacks, frame);
            let back = self.bounds.back(self.graph, frame.node, frame.next);
            far = far.min(sum(back, below));
            if self.bounds.surprises {
                far = far.min(self.thrown(known, stacks, frame.parent));
                if frame.outside {
                    far = far.min(sum(self.metric().pass(SURPRISE), below));
                }
            }
            self.far[at.0 as usize] = Some(far);
            below = far;
        }
        below
    }

    /// Returns the distance over handlers of a stack's frames.
    fn thrown(&mut self, known: &mut DistanceMemo, stacks: &Stacks, stack: StackId) -> u32 {
        if self.thrown.len() < stacks.len() {
            self.thrown.resize(stacks.len() + 64, None);
        }
        let mut chain = Vec::new();
        let mut at = stack;
        let mut best = loop {
            if at == EMPTY {
                break NEVER;
            }
            if let Some(thrown) = self.thrown[at.0 as usize] {
                break thrown;
            }
            chain.push(at);
            at = stacks.get(at).parent;
        };
        while let Some(at) = chain.pop() {
            let frame = stacks.get(at);
            // Those below are known by now.
            let below = match frame.parent {
                EMPTY => NEVER,
                parent => self.far(known, stacks, parent),
            };
            for &handler in self.graph.handlers(self.graph.owner(frame.node)) {
                let there = StackFrame { node: handler, next: 0, ..frame };
                let direct = self.direct(known, stacks, there);
                let back = sum(self.bounds.back(self.graph, handler, 0), below);
                best = best.min(sum(self.metric().step(SURPRISE), direct.min(back)));
            }
            if frame.outside {
                best = best.min(sum(self.metric().pass(SURPRISE), below));
            }
            self.thrown[at.0 as usize] = Some(best);
        }
        best
    }
}
