//! Samples in terms of the graph, and the stacks from which they are taken.

use model::map::MethodId;

use crate::graph::{Graph, NodeId};

/// A frame of a sampled stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledFrame {
    /// Its method.
    pub method: MethodId,
    /// Possible positions: a block, and the number of its calls that have begun. The innermost
    /// frame has just entered its block.
    pub at: Vec<(NodeId, u16)>,
    /// Code outside the app called it.
    pub outside: bool,
}

/// A sampled stack, outermost frame first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sample {
    /// Its frames.
    pub stack: Vec<SampledFrame>,
}

impl Sample {
    /// The block that the innermost frame is in, if that is known.
    pub fn block(&self) -> Option<NodeId> {
        match self.stack.last()?.at[..] {
            [(node, _)] => Some(node),
            _ => None,
        }
    }
}

/// Precision of a sampler's frames, the most precise first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FramePrecision {
    /// The block of each frame.
    Stack,
    /// The line of each frame.
    Line,
    /// The method of each frame.
    Method,
}

/// Number of frames of the deepest stack that is sampled. A sample costs its depth in time and
/// memory, so the samples of an endless recursion would cost its square; samplers of devices stop
/// earlier.
pub const DEEPEST: usize = 1024;

/// Follows an exact path, and takes samples as a sampler would.
#[derive(Debug, Default)]
pub struct Follower {
    frames: Vec<FollowedFrame>,
    too_deep: u64,
}

#[derive(Debug)]
struct FollowedFrame {
    method: MethodId,
    node: Option<NodeId>,
    /// Number of calls of the block that have begun at least.
    next: u16,
    /// Number of calls that have begun where the frame stands: several values, where several calls
    /// may have led on.
    calls: Vec<u16>,
    outside: bool,
}

impl Follower {
    /// A method begins; `outside`: no call of the app's code led to it.
    pub fn enter(&mut self, graph: &Graph, method: MethodId, outside: bool) {
        if let Some(FollowedFrame { node: Some(node), next, calls, .. }) = self.frames.last_mut() {
            *calls = match outside {
                true => (*next..=graph.calls(*node).len() as u16).collect(),
                false => graph.calls_to(*node, method).filter(|c| c > next).collect(),
            };
            match calls.first() {
                Some(first) => *next = *first,
                None => calls.push(*next),
            }
        }
        let frame = FollowedFrame { method, node: None, next: 0, calls: vec![0], outside };
        self.frames.push(frame);
    }

    /// The innermost frame goes on in a block.
    pub fn block(&mut self, node: NodeId) {
        if let Some(frame) = self.frames.last_mut() {
            (frame.node, frame.next) = (Some(node), 0);
            frame.calls.clear();
            frame.calls.push(0);
        }
    }

    /// The innermost `frames` frames end.
    pub fn leave(&mut self, frames: usize) {
        self.frames.truncate(self.frames.len().saturating_sub(frames));
    }

    /// Forgets all frames.
    pub fn clear(&mut self) {
        self.frames.clear();
    }

    /// Returns the number of frames that are running.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Samples that were left out, as their stacks had more than [`DEEPEST`] frames.
    pub fn too_deep(&self) -> u64 {
        self.too_deep
    }

    /// Returns the sample that a sampler takes now; `None` where a frame is in no block yet, or the
    /// stack is too deep.
    pub fn sample(&mut self) -> Option<Sample> {
        if self.frames.len() > DEEPEST {
            self.too_deep += 1;
            return None;
        }
        let spot = |f: &FollowedFrame| {
            let node = f.node?;
            let at = f.calls.iter().map(|&c| (node, c)).collect();
            Some(SampledFrame { method: f.method, at, outside: f.outside })
        };
        let stack: Option<Vec<SampledFrame>> = self.frames.iter().map(spot).collect();
        stack.filter(|s| !s.is_empty()).map(|stack| Sample { stack })
    }
}

/// Reduces a sample to the precision of a sampler. `lines` gives the lines that begin or are in
/// force in a block.
pub fn blurred(
    graph: &Graph,
    sample: &Sample,
    places: FramePrecision,
    lines: &dyn Fn(NodeId) -> Vec<u32>,
) -> Sample {
    if places == FramePrecision::Stack {
        return sample.clone();
    }
    let mut stack: Vec<SampledFrame> = Vec::with_capacity(sample.stack.len());
    for (i, spot) in sample.stack.iter().enumerate() {
        let seen: Vec<u32> = match places {
            // A call's line is one of its block's; which one is not kept.
            FramePrecision::Line => spot.at.first().map_or_else(Vec::new, |a| lines(a.0)),
            FramePrecision::Stack | FramePrecision::Method => Vec::new(),
        };
        let fits = |node: &NodeId| {
            spot.at.iter().any(|a| a.0 == *node)
                || seen.is_empty()
                || lines(*node).iter().any(|l| seen.contains(l))
        };
        let nodes = graph.nodes(spot.method).filter(fits);
        let at = match sample.stack.get(i + 1) {
            None => nodes.map(|n| (n, 0)).collect(),
            Some(next) if next.outside => {
                let all = |n: NodeId| (0..=graph.calls(n).len() as u16).map(move |c| (n, c));
                nodes.filter(|n| graph.block(*n).throws).flat_map(all).collect()
            }
            Some(next) => {
                let all = |n: NodeId| graph.calls_to(n, next.method).map(move |c| (n, c));
                nodes.flat_map(all).collect()
            }
        };
        stack.push(SampledFrame { at, ..spot.clone() });
    }
    // What the graph cannot explain stays as it was seen.
    for (blurred, exact) in stack.iter_mut().zip(&sample.stack) {
        if blurred.at.is_empty() {
            blurred.at.clone_from(&exact.at);
        }
    }
    Sample { stack }
}
