//! A tree of calls: one node for each call path, with a value of the report that builds it.

use std::collections::HashMap;

use super::names::Frame;

/// No node.
const NONE: u32 = u32::MAX;
/// Number of children to compare one by one before the index is asked.
const NEAR: usize = 8;

/// The callee that a node represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Callee {
    /// A process or thread, by the number that the report gave to its name.
    Named(u32),
    Frame(Frame),
    /// All callees beyond the limits of the report.
    Other,
}

/// A node of a call tree.
#[derive(Debug)]
pub(crate) struct CallNode<T> {
    /// `None` for a root.
    pub parent: Option<u32>,
    /// Number of ancestors.
    pub depth: u32,
    pub value: T,
}

/// The nodes of call paths, numbered in the order in which they were added: parents come before
/// their children.
#[derive(Debug)]
pub(crate) struct CallTree<T> {
    nodes: Vec<CallNode<T>>,
    /// Callee and links of each node. They are apart from the values because each call reads them.
    links: Vec<Link>,
    index: HashMap<(u32, Callee), u32>,
}

#[derive(Debug)]
struct Link {
    callee: Callee,
    /// The child that was added last.
    first: u32,
    /// The sibling that was added before this node.
    next: u32,
}

impl<T> Default for CallTree<T> {
    fn default() -> Self {
        CallTree { nodes: Vec::new(), links: Vec::new(), index: HashMap::new() }
    }
}

impl<T> CallTree<T> {
    /// Returns all nodes by number.
    pub fn nodes(&self) -> &[CallNode<T>] {
        &self.nodes
    }

    /// Returns the callee of a node.
    #[inline]
    pub fn callee(&self, node: u32) -> Callee {
        self.links[node as usize].callee
    }

    /// Returns the value of a node.
    #[inline]
    pub fn value(&self, node: u32) -> &T {
        &self.nodes[node as usize].value
    }

    /// Returns the value of a node, to change it.
    #[inline]
    pub fn value_mut(&mut self, node: u32) -> &mut T {
        &mut self.nodes[node as usize].value
    }

    /// Returns the child of a node, or a root, with this callee.
    #[inline]
    pub fn child(&self, parent: Option<u32>, callee: Callee) -> Option<u32> {
        let mut at = parent.map_or(NONE, |p| self.links[p as usize].first);
        for _ in 0..NEAR {
            let Some(link) = self.links.get(at as usize) else { break };
            if link.callee == callee {
                return Some(at);
            }
            at = link.next;
        }
        if at == NONE && parent.is_some() {
            return None;
        }
        self.index.get(&(parent.unwrap_or(NONE), callee)).copied()
    }

    /// Adds a child to a node, or a root, and returns its number.
    pub fn add(&mut self, parent: Option<u32>, callee: Callee, value: T) -> u32 {
        let node = self.nodes.len() as u32;
        let first = parent.map(|p| &mut self.links[p as usize].first);
        let next = first.map_or(NONE, |first| std::mem::replace(first, node));
        self.links.push(Link { callee, first: NONE, next });
        self.nodes.push(CallNode { parent, depth: self.depth_below(parent), value });
        self.index.insert((parent.unwrap_or(NONE), callee), node);
        node
    }

    /// Returns the child of a node, or a root, with this callee. Adds it if it is new: `create`
    /// returns the value for a callee, and whether the tree may still have such a node at the given
    /// depth. A callee that may not be added is counted under [`Callee::Other`], as are all calls
    /// below that.
    #[inline]
    pub fn enter(
        &mut self,
        parent: Option<u32>,
        callee: Callee,
        create: impl Fn(&Self, Callee, u32) -> (T, bool),
    ) -> u32 {
        if let Some(p) = parent.filter(|&p| self.callee(p) == Callee::Other) {
            return p;
        }
        match self.child(parent, callee) {
            Some(known) => known,
            None => self.enter_new(parent, callee, create),
        }
    }

    #[cold]
    fn enter_new(
        &mut self,
        parent: Option<u32>,
        callee: Callee,
        create: impl Fn(&Self, Callee, u32) -> (T, bool),
    ) -> u32 {
        let depth = self.depth_below(parent);
        let (value, fits) = create(self, callee, depth);
        if fits {
            return self.add(parent, callee, value);
        }
        let other = self.child(parent, Callee::Other);
        other.unwrap_or_else(|| {
            let (value, _) = create(self, Callee::Other, depth);
            self.add(parent, Callee::Other, value)
        })
    }

    fn depth_below(&self, parent: Option<u32>) -> u32 {
        parent.map_or(0, |p| self.nodes[p as usize].depth + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_however_many_there_are() {
        let mut tree = CallTree::default();
        let roots = [0, 1].map(|n| tree.add(None, Callee::Named(n), ()));
        let callee = |n: usize| Callee::Frame(Frame(n as u32));
        let all: Vec<u32> = (0..100).map(|n| tree.add(Some(roots[n % 2]), callee(n), ())).collect();
        for (n, &node) in all.iter().enumerate() {
            assert_eq!(tree.child(Some(roots[n % 2]), callee(n)), Some(node));
            assert_eq!(tree.child(Some(roots[1 - n % 2]), callee(n)), None);
            assert_eq!((tree.child(Some(node), callee(n)), tree.callee(node)), (None, callee(n)));
        }
        assert_eq!(tree.child(None, Callee::Named(1)), Some(1));
        assert_eq!(tree.child(None, Callee::Named(2)), None);
    }

    #[test]
    fn callees_beyond_a_limit_share_one_node_for_all_calls_below() {
        let mut tree = CallTree::default();
        let root = tree.add(None, Callee::Named(0), ());
        let frame = |n| Callee::Frame(Frame(n));
        let limit = |tree: &CallTree<()>, _, depth| ((), tree.nodes().len() < 3 && depth < 2);
        let first = tree.enter(Some(root), frame(1), limit);
        let second = tree.enter(Some(root), frame(2), limit);
        let other = tree.enter(Some(root), frame(3), limit);
        assert_eq!(tree.callee(other), Callee::Other);
        assert_eq!(tree.enter(Some(root), frame(4), limit), other);
        assert_eq!(tree.enter(Some(other), frame(1), limit), other, "below it");
        assert_eq!(tree.enter(Some(root), frame(1), limit), first, "a known callee stays");
        let deep = tree.enter(Some(second), frame(1), limit);
        assert_eq!(tree.callee(deep), Callee::Other);
        assert_eq!(tree.nodes()[deep as usize].depth, 2);
    }
}
