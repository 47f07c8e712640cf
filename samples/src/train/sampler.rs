//! Follows an exact path and takes samples of it, for training.

use model::map::MethodId;

use super::Evidence;
use crate::fill::Follower;
use crate::graph::{Graph, NodeId};
use crate::score::{Intervals, PathObserver};

/// Follows exact paths and notes where samples fall.
#[derive(Debug)]
pub struct Sampler<'g> {
    graph: &'g Graph,
    follower: Follower,
    intervals: Intervals,
    left: u32,
    /// The samples.
    pub evidence: Evidence,
}

impl<'g> Sampler<'g> {
    /// Nothing followed yet.
    pub fn new(graph: &'g Graph, mut intervals: Intervals) -> Sampler<'g> {
        let left = intervals.first();
        let follower = Follower::default();
        Sampler { graph, follower, intervals, left, evidence: Evidence::new(graph) }
    }
}

impl Sampler<'_> {
    /// Samples that were left out, as their stacks were too deep ([`crate::fill::DEEPEST`]).
    pub fn too_deep(&self) -> u64 {
        self.follower.too_deep()
    }
}

impl PathObserver for Sampler<'_> {
    fn pass(&mut self) {
        self.follower.clear();
    }

    fn enter(&mut self, method: MethodId, outside: bool) {
        self.follower.enter(self.graph, method, outside && self.follower.depth() > 0);
    }

    fn leave(&mut self, frames: usize) {
        self.follower.leave(frames);
    }

    #[inline]
    fn block(&mut self, node: NodeId) {
        self.follower.block(node);
        self.left -= 1;
        if self.left == 0 {
            self.left = self.intervals.step();
            if let Some(sample) = self.follower.sample() {
                self.evidence.add(self.graph, &sample, 1);
            }
        }
    }
}
