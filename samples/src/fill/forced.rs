//! What ran between two samples for certain: a block is *forced* if no way at all, exceptions and
//! calls from outside included, leads from one to the other without entering it.
//!
//! The ways are those of each method by itself: a callee may do anything but enter a frame that is
//! running. So fewer blocks are found than are forced, and none that is not.

use super::sample::{Sample, Spot};
use crate::graph::{End, Graph, NodeId};

/// Whether the block was entered between the samples, whatever ran. Both are of one pass.
pub(crate) fn is_forced(graph: &Graph, from: &Sample, to: &Sample, block: NodeId) -> bool {
    let owner = graph.owner(block);
    // A block of a method that no frame is in is entered by callees alone.
    if !from.stack.iter().chain(&to.stack).any(|s| s.method == owner) {
        return false;
    }
    !Avoiding { graph, block }.leads(from, to)
}

/// Ways that do not enter a block.
struct Avoiding<'a> {
    graph: &'a Graph,
    block: NodeId,
}

/// How a frame may have ended.
#[derive(Debug, Clone, Copy)]
struct Exit {
    returned: bool,
    thrown: bool,
}

impl Avoiding<'_> {
    fn leads(&self, from: &Sample, to: &Sample) -> bool {
        let shared = shared(from, to);
        let mut exit: Option<Exit> = None;
        for depth in (0..from.stack.len()).rev() {
            let spot = &from.stack[depth];
            let starts = self.starts(spot, exit);
            if depth < shared && self.goes_on(spot, &starts, exit, to, depth) {
                return true;
            }
            let reached = self.reached(spot, &starts);
            let block = |n: &NodeId| self.graph.block(*n);
            exit = Some(Exit {
                returned: reached.iter().any(|n| block(n).end == End::Return),
                thrown: exit.is_some_and(|e| e.thrown) || reached.iter().any(|n| block(n).throws),
            });
        }
        false
    }

    /// Blocks of a frame in which control may be, given how the frame above it ended.
    fn starts(&self, spot: &Spot, exit: Option<Exit>) -> Vec<NodeId> {
        // Code outside may stand between any two frames, and swallow what is thrown.
        let mut starts: Vec<NodeId> = match exit.is_none_or(|e| e.returned || e.thrown) {
            true => spot.at.iter().map(|a| a.0).collect(),
            false => Vec::new(),
        };
        if exit.is_some_and(|e| e.thrown) {
            let handlers = self.graph.handlers(spot.method).iter();
            starts.extend(handlers.copied().filter(|h| *h != self.block));
        }
        starts
    }

    /// All blocks of the frame's method that can be reached, the starts included.
    fn reached(&self, spot: &Spot, starts: &[NodeId]) -> Vec<NodeId> {
        let first = self.graph.entry(spot.method).0;
        let mut seen = vec![false; self.graph.nodes(spot.method).count()];
        let mut all: Vec<NodeId> = Vec::new();
        let note = |n: NodeId, seen: &mut Vec<bool>, all: &mut Vec<NodeId>| {
            if !std::mem::replace(&mut seen[(n.0 - first) as usize], true) {
                all.push(n);
            }
        };
        starts.iter().for_each(|&n| note(n, &mut seen, &mut all));
        let mut handlers = self.graph.handlers(spot.method);
        let mut at = 0;
        while let Some(&node) = all.get(at) {
            at += 1;
            let ways = self.graph.ways(node).iter().map(|w| w.0);
            // The first block that throws leads to all of them.
            let thrown =
                if self.graph.block(node).throws { std::mem::take(&mut handlers) } else { &[] };
            for next in ways.chain(thrown.iter().copied()).filter(|n| *n != self.block) {
                note(next, &mut seen, &mut all);
            }
        }
        all
    }

    /// Whether control may go on in this frame to where it is in the later sample, and down from
    /// there.
    fn goes_on(
        &self,
        spot: &Spot,
        starts: &[NodeId],
        exit: Option<Exit>,
        to: &Sample,
        depth: usize,
    ) -> bool {
        let target = &to.stack[depth];
        let calls = to.stack.len() > depth + 1;
        // On to a later call of the same block.
        let stays = calls
            && exit.is_none_or(|e| e.returned || e.thrown)
            && spot.at.iter().any(|a| target.at.iter().any(|b| a.0 == b.0 && b.1 >= a.1));
        if !stays {
            let reached = self.reached(spot, starts);
            let entered = |n: &NodeId| {
                *n != self.block && (self.is_entered(&reached, *n) || is_handler(starts, spot, *n))
            };
            if !target.at.iter().any(|a| entered(&a.0)) {
                return false;
            }
        }
        to.stack[depth + 1..].iter().all(|spot| self.descends(spot))
    }

    /// Whether one of these blocks leads to that one.
    fn is_entered(&self, from: &[NodeId], to: NodeId) -> bool {
        let thrown = self.graph.handlers(self.graph.owner(to)).contains(&to);
        from.iter().any(|&n| {
            self.graph.ways(n).iter().any(|w| w.0 == to) || (thrown && self.graph.block(n).throws)
        })
    }

    /// Whether a method can come from its entry to where the sample is.
    fn descends(&self, spot: &Spot) -> bool {
        let entry = self.graph.entry(spot.method);
        if entry == self.block {
            return false;
        }
        let reached = self.reached(spot, &[entry]);
        spot.at.iter().any(|a| reached.contains(&a.0))
    }
}

/// A handler that a frame above has thrown to was entered.
fn is_handler(starts: &[NodeId], spot: &Spot, node: NodeId) -> bool {
    starts.contains(&node) && !spot.at.iter().any(|a| a.0 == node)
}

/// How many frames may be the same in both: each but the last stands at the same call.
fn shared(from: &Sample, to: &Sample) -> usize {
    let mut shared = 0;
    for (a, b) in from.stack.iter().zip(&to.stack) {
        if a.method != b.method {
            break;
        }
        shared += 1;
        if !a.at.iter().any(|x| b.at.contains(x)) {
            break;
        }
    }
    shared
}
