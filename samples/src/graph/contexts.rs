//! Contexts of branches: the branches that the thread took before.
//!
//! The alternatives taken after the last branches are counted, for one branch up to
//! [`Contexts::ORDER`]. A context that never occurred is replaced by the longest one of its last
//! branches that did, so there are no more contexts than occurred (a prediction suffix tree; Ron,
//! Singer and Tishby 1996).

use hashbrown::HashMap;

use super::{BlockExit, Graph, NodeId};

/// The last branches of a thread, as far as they matter: an index of [`Contexts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContextId(u32);

impl ContextId {
    /// Nothing is known of the branches before.
    pub const UNKNOWN: ContextId = ContextId(0);
}

/// The last branches, the last one first: positions in the graph's edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Branches {
    edges: [u32; Contexts::ORDER],
    count: u8,
}

impl Branches {
    /// None is known.
    pub const NONE: Branches = Branches { edges: [0; Contexts::ORDER], count: 0 };

    /// With one more, which leads along this edge.
    #[must_use]
    pub fn then(self, edge: u32) -> Branches {
        let mut edges = [0; Contexts::ORDER];
        edges[0] = edge;
        edges[1..].copy_from_slice(&self.edges[..Contexts::ORDER - 1]);
        Branches { edges, count: self.count.saturating_add(1).min(Contexts::ORDER as u8) }
    }

    /// Returns the last `count` of them.
    fn last(self, count: u8) -> Branches {
        let mut edges = self.edges;
        edges[usize::from(count)..].fill(0);
        Branches { edges, count }
    }
}

/// A branch, by the position of its first edge, and what came before.
pub(crate) type Key = (u32, ContextId);

/// Number of times that each alternative was taken, by the branches before.
#[derive(Debug, Clone)]
pub struct Contexts {
    /// Per context: the branches, and the context with one less.
    known: Vec<(Branches, ContextId)>,
    ids: HashMap<Branches, ContextId>,
    /// Edges that were taken: position in the graph's edges, and how often.
    counts: HashMap<Key, Vec<(u32, u32)>>,
    /// Number of contexts that are kept at most, and twice as many branches in contexts: a log of
    /// few bytes may contain any number.
    most: usize,
}

impl Default for Contexts {
    fn default() -> Contexts {
        let known = vec![(Branches::NONE, ContextId::UNKNOWN)];
        let ids = HashMap::from_iter([(Branches::NONE, ContextId::UNKNOWN)]);
        Contexts { known, ids, counts: HashMap::new(), most: 4 << 20 }
    }
}

impl Contexts {
    /// Branches that are remembered.
    pub const ORDER: usize = 4;

    /// Counts that a branch, whose edges begin at `first`, took an edge after these branches.
    pub fn count(&mut self, first: u32, edge: u32, before: Branches) {
        let mut shorter = ContextId::UNKNOWN;
        for count in 1..=before.count {
            let new = ContextId(self.known.len() as u32);
            let branches = before.last(count);
            let known = self.ids.get(&branches).copied();
            if known.is_none() && self.known.len() >= self.most {
                return;
            }
            let id = known.unwrap_or(new);
            if id == new {
                self.ids.insert(branches, id);
                self.known.push((branches, shorter));
            }
            shorter = id;
            let full = self.counts.len() >= 2 * self.most;
            if full && !self.counts.contains_key(&(first, id)) {
                return;
            }
            let taken = self.counts.entry((first, id)).or_default();
            match taken.iter_mut().find(|t| t.0 == edge) {
                Some((_, count)) => *count = count.saturating_add(1),
                None => taken.push((edge, 1)),
            }
        }
    }

    /// Returns the context after one more branch.
    pub(crate) fn then(&self, context: ContextId, edge: u32) -> ContextId {
        let branches = self.known[context.0 as usize].0.then(edge);
        let mut known = (1..=branches.count).rev();
        let longest = known.find_map(|count| self.ids.get(&branches.last(count)));
        longest.copied().unwrap_or(ContextId::UNKNOWN)
    }

    /// A context, and those with fewer branches, down to none.
    pub(crate) fn shorter(&self, context: ContextId) -> impl Iterator<Item = ContextId> {
        let shorter =
            |at: &ContextId| (*at != ContextId::UNKNOWN).then(|| self.known[at.0 as usize].1);
        std::iter::successors(Some(context), shorter)
    }

    /// Returns how often a branch's edges were taken.
    pub(crate) fn taken(&self, key: Key) -> &[(u32, u32)] {
        self.counts.get(&key).map_or(&[], |taken| taken)
    }
}

impl Graph {
    /// Returns the branch that leads from a block to another: its first edge, and the first of its
    /// edges that go there. `None` if the block has one edge out, or none that leads there.
    pub(crate) fn branch(&self, from: NodeId, to: NodeId) -> Option<(u32, u32)> {
        let BlockExit::Edges(first, last) = self.block(from).end else { return None };
        if last - first < 2 {
            return None;
        }
        (first..last).find(|e| self.edges[*e as usize].0 == to).map(|e| (first, e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_that_was_never_seen_is_its_longest_end_that_was() {
        let mut contexts = Contexts::default();
        let before = Branches::NONE.then(7).then(8);
        contexts.count(30, 31, Branches::NONE.then(7));
        contexts.count(20, 21, before);
        let eight = contexts.then(ContextId::UNKNOWN, 8);
        let both = contexts.then(contexts.then(ContextId::UNKNOWN, 7), 8);
        assert_eq!(contexts.taken((20, eight)), [(21, 1)]);
        assert_eq!(contexts.taken((20, both)), [(21, 1)]);
        assert_ne!(eight, both);
        // 9 was never seen.
        assert_eq!(contexts.then(contexts.then(ContextId::UNKNOWN, 9), 8), eight);
        assert_eq!(contexts.then(both, 9), ContextId::UNKNOWN);
        assert_eq!(contexts.shorter(both).collect::<Vec<_>>(), [both, eight, ContextId::UNKNOWN]);
    }

    #[test]
    fn there_are_no_more_contexts_than_fit() {
        let mut contexts = Contexts { most: 10, ..Contexts::default() };
        let mut before = Branches::NONE;
        for edge in 0..1000 {
            contexts.count(edge, edge, before);
            before = before.then(edge);
        }
        assert_eq!((contexts.known.len(), contexts.ids.len()), (10, 10));
        assert!(contexts.counts.len() <= 20);
        // Those that there are still count.
        contexts.count(1, 1, Branches::NONE.then(0));
        let zero = contexts.then(ContextId::UNKNOWN, 0);
        assert_eq!(contexts.taken((1, zero)), [(1, 2)]);
    }

    #[test]
    fn no_more_branches_are_remembered_than_the_order() {
        let all = (0..10).fold(Branches::NONE, Branches::then);
        assert_eq!(all.edges, [9, 8, 7, 6]);
        assert_eq!(usize::from(all.count), Contexts::ORDER);
    }
}
