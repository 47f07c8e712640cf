//! Follows exact paths and learns what branches depend on.

use model::map::MethodId;

use crate::graph::{Branches, Contexts, Graph, NodeId};
use crate::score::PathObserver;

/// Counts which branches follow which.
#[derive(Debug)]
pub struct Learner<'g> {
    graph: &'g Graph,
    /// The block of each frame.
    frames: Vec<Option<NodeId>>,
    before: Branches,
    /// Counts of contexts.
    pub contexts: Contexts,
}

impl<'g> Learner<'g> {
    /// Nothing followed yet.
    pub fn new(graph: &'g Graph) -> Learner<'g> {
        let contexts = Contexts::default();
        Learner { graph, frames: Vec::new(), before: Branches::NONE, contexts }
    }
}

impl PathObserver for Learner<'_> {
    fn pass(&mut self) {
        self.frames.clear();
        self.before = Branches::NONE;
    }

    fn enter(&mut self, _: MethodId, _: bool) {
        self.frames.push(None);
    }

    fn leave(&mut self, frames: usize) {
        self.frames.truncate(self.frames.len().saturating_sub(frames));
    }

    #[inline]
    fn block(&mut self, node: NodeId) {
        let Some(frame) = self.frames.last_mut() else { return };
        let taken = frame.replace(node).and_then(|at| self.graph.branch(at, node));
        if let Some((first, edge)) = taken {
            self.contexts.count(first, edge, self.before);
            self.before = self.before.then(edge);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::ContextId;

    /// 0 → 1 or 2 → 3 → 4 or 5.
    fn graph() -> Graph {
        Graph::of_method(&[&[1, 2], &[3], &[3], &[4, 5], &[], &[]])
    }

    fn follow(learner: &mut Learner<'_>, nodes: &[u32]) {
        nodes.iter().for_each(|n| learner.block(NodeId(*n)));
    }

    #[test]
    fn branches_are_told_by_those_before_them_in_any_frame() {
        let graph = graph();
        let mut learner = Learner::new(&graph);
        let edge = |from, to| graph.branch(NodeId(from), NodeId(to)).unwrap();
        learner.enter(MethodId(1), false);
        follow(&mut learner, &[0, 1]);
        learner.enter(MethodId(1), false);
        follow(&mut learner, &[0, 2, 3, 5]);
        learner.leave(1);
        follow(&mut learner, &[3, 4]);
        let contexts = &learner.contexts;
        let behind =
            |edges: &[u32]| edges.iter().fold(ContextId::UNKNOWN, |at, e| contexts.then(at, *e));
        let (first, outer) = edge(0, 1);
        let inner = edge(0, 2).1;
        assert_eq!(contexts.taken((first, behind(&[outer]))), [(inner, 1)]);
        let (last, left) = edge(3, 4);
        let right = edge(3, 5).1;
        assert_eq!(contexts.taken((last, behind(&[outer, inner]))), [(right, 1)]);
        assert_eq!(contexts.taken((last, behind(&[outer, inner, right]))), [(left, 1)]);
    }

    #[test]
    fn a_pass_begins_without_a_context() {
        let graph = graph();
        let mut learner = Learner::new(&graph);
        for _ in 0..2 {
            learner.pass();
            learner.enter(MethodId(1), false);
            follow(&mut learner, &[0, 1]);
        }
        let (first, edge) = graph.branch(NodeId(0), NodeId(1)).unwrap();
        let behind = learner.contexts.then(ContextId::UNKNOWN, edge);
        assert_eq!(
            (behind, learner.contexts.taken((first, behind))),
            (ContextId::UNKNOWN, &[][..])
        );
    }
}
