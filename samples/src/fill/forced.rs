//! Blocks that certainly ran between two samples: a block is *forced* if no path, including
//! exceptions and calls from outside, leads from one sample to the other without entering it.
//!
//! Paths are those of each method by itself: a callee may do anything but enter a frame that is
//! running. So fewer blocks are found than are forced, and none that is not.

use std::cell::OnceCell;

use hashbrown::HashMap;
use model::map::MethodId;

use super::sample::{Sample, SampledFrame};
use crate::graph::{BlockExit, Graph, NodeId};

/// Blocks of one gap that [`forced_blocks`] asks about at most.
const ASKED: usize = 4096;

/// Returns blocks that certainly ran between two samples, however many ran: those of the methods in
/// both stacks, by method and position. The block of the later sample is not among them.
pub fn forced_blocks(graph: &Graph, from: &Sample, to: &Sample) -> Vec<NodeId> {
    let mut forced = Forced::new(graph, from, to);
    let spots = from.stack.iter().chain(&to.stack);
    let methods: std::collections::BTreeSet<MethodId> = spots.map(|s| s.method).collect();
    let seen = to.block();
    let nodes = methods.into_iter().flat_map(|m| graph.nodes(m)).filter(|n| Some(*n) != seen);
    nodes.take(ASKED).filter(|n| forced.is_forced(*n)).collect()
}

/// Asks which blocks are forced between two samples of one pass.
pub(crate) struct Forced<'a> {
    graph: &'a Graph,
    from: &'a Sample,
    to: &'a Sample,
    /// Number of frames that may be the same in both.
    shared: usize,
    /// By depth, and how the frame above ended: what a frame can do, wherever it may go.
    frames: HashMap<(usize, Option<Exit>), FrameReach>,
    /// By depth in the later sample: whether the frame's method leads there, wherever it may go.
    descents: Vec<OnceCell<bool>>,
}

/// Possible ends of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Exit {
    returned: bool,
    thrown: bool,
}

/// Possible continuations of a frame of the earlier sample.
#[derive(Debug, Clone, Copy)]
struct FrameReach {
    /// It comes to where it is in the later sample, if it is one of those that both have.
    goes_on: bool,
    exit: Exit,
}

impl<'a> Forced<'a> {
    /// Nothing was asked yet.
    pub fn new(graph: &'a Graph, from: &'a Sample, to: &'a Sample) -> Forced<'a> {
        let descents = vec![OnceCell::new(); to.stack.len()];
        Forced { graph, from, to, shared: shared(from, to), frames: HashMap::new(), descents }
    }

    /// Returns true if the block was entered between the samples, whatever ran.
    pub fn is_forced(&mut self, block: NodeId) -> bool {
        let owner = self.graph.owner(block);
        let is_owners = |spot: &SampledFrame| spot.method == owner;
        // A block of a method that no frame is in is entered by callees alone.
        if !self.from.stack.iter().chain(&self.to.stack).any(is_owners) {
            return false;
        }
        let avoiding = AvoidingPaths { graph: self.graph, avoided: Some(block) };
        let any = AvoidingPaths { avoided: None, ..avoiding };
        let mut exit = None;
        for depth in (0..self.from.stack.len()).rev() {
            let spot = &self.from.stack[depth];
            let target = self.to.stack.get(depth).filter(|_| depth < self.shared);
            let calls = self.to.stack.len() > depth + 1;
            // Only frames of the block's own method can enter it.
            let frame = match is_owners(spot) {
                true => avoiding.frame(spot, exit, target, calls),
                false => *(self.frames.entry((depth, exit)))
                    .or_insert_with(|| any.frame(spot, exit, target, calls)),
            };
            let descends = |(at, spot): (usize, &SampledFrame)| match is_owners(spot) {
                true => avoiding.descends(spot),
                false => *self.descents[at].get_or_init(|| any.descends(spot)),
            };
            if frame.goes_on && self.to.stack.iter().enumerate().skip(depth + 1).all(descends) {
                return false;
            }
            exit = Some(frame.exit);
        }
        true
    }
}

/// Ways that do not enter a block, if one is to be avoided.
#[derive(Clone, Copy)]
struct AvoidingPaths<'a> {
    graph: &'a Graph,
    avoided: Option<NodeId>,
}

/// Blocks of a method that can be reached.
struct Reached {
    /// All of them: first the starts, then the blocks that paths enter.
    all: Vec<NodeId>,
    /// The method's first block.
    first: NodeId,
    /// Per block of the method: true if it was found, and true if a path enters it.
    marks: Vec<(bool, bool)>,
}

impl Reached {
    fn note(&mut self, node: NodeId, entered: bool) {
        let mark = &mut self.marks[(node.0 - self.first.0) as usize];
        mark.1 |= entered;
        if !std::mem::replace(&mut mark.0, true) {
            self.all.push(node);
        }
    }

    /// Returns two flags of a block: true if it was found, true if a path enters it.
    fn mark(&self, node: NodeId) -> (bool, bool) {
        self.marks.get((node.0 - self.first.0) as usize).copied().unwrap_or_default()
    }
}

impl AvoidingPaths<'_> {
    /// Returns the continuations of a frame, given how the frame above it ended. `target` is the
    /// frame in the later sample, if it is there; `calls`: other frames are above it there.
    fn frame(
        self,
        spot: &SampledFrame,
        above: Option<Exit>,
        target: Option<&SampledFrame>,
        calls: bool,
    ) -> FrameReach {
        // Code outside may stand between any two frames, and swallow an exception.
        let at_call = above.is_none_or(|e| e.returned || e.thrown);
        let at = spot.at.iter().map(|a| a.0).filter(|_| at_call);
        let thrown = above.is_some_and(|e| e.thrown);
        let handlers = self.graph.handlers(spot.method).iter().copied().filter(|_| thrown);
        let handlers = handlers.filter(|h| Some(*h) != self.avoided);
        let starts: Vec<NodeId> = at.chain(handlers).collect();
        let reached = self.reached(spot.method, &starts);
        let goes_on = target.is_some_and(|target| {
            // On to a later call of the same block.
            let stays = || {
                let later = |a: &(NodeId, u16)| target.at.iter().any(|b| a.0 == b.0 && b.1 >= a.1);
                calls && at_call && spot.at.iter().any(later)
            };
            // A handler that a frame above has thrown to was entered.
            let is_handler = |n: NodeId| starts.contains(&n) && !spot.at.iter().any(|a| a.0 == n);
            let entered =
                |n: NodeId| Some(n) != self.avoided && (reached.mark(n).1 || is_handler(n));
            stays() || target.at.iter().any(|a| entered(a.0))
        });
        let any = |is: &dyn Fn(NodeId) -> bool| reached.all.iter().any(|n| is(*n));
        let returned = any(&|n| self.graph.block(n).end == BlockExit::Return);
        let thrown = thrown || any(&|n| self.graph.block(n).throws);
        FrameReach { goes_on, exit: Exit { returned, thrown } }
    }

    /// All blocks of a method that can be reached, the starts included.
    fn reached(self, method: MethodId, starts: &[NodeId]) -> Reached {
        let first = self.graph.entry(method);
        let mut reached = Reached { all: Vec::new(), first, marks: Vec::new() };
        if starts.is_empty() {
            return reached;
        }
        reached.marks = vec![(false, false); self.graph.nodes(method).count()];
        starts.iter().for_each(|n| reached.note(*n, false));
        let mut handlers = self.graph.handlers(method);
        let mut at = 0;
        while let Some(&node) = reached.all.get(at) {
            at += 1;
            let ways = self.graph.ways(node).iter().map(|w| w.0);
            // The first block that throws leads to all of them.
            let thrown =
                if self.graph.block(node).throws { std::mem::take(&mut handlers) } else { &[] };
            let nexts = ways.chain(thrown.iter().copied());
            nexts.filter(|n| Some(*n) != self.avoided).for_each(|n| reached.note(n, true));
        }
        reached
    }

    /// Returns true if a method can come from its entry to the sampled block.
    fn descends(self, spot: &SampledFrame) -> bool {
        let entry = self.graph.entry(spot.method);
        if Some(entry) == self.avoided {
            return false;
        }
        let reached = self.reached(spot.method, &[entry]);
        spot.at.iter().any(|a| reached.mark(a.0).0)
    }
}

/// Returns the number of frames that may be the same in both: each but the last stands at the same
/// call.
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
