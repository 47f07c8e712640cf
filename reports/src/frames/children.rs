//! Which node of a tree of calls a callee is: asked at each call.

use std::collections::HashMap;
use std::hash::Hash;

/// No node.
const NONE: u32 = u32::MAX;
/// Children that are looked through one by one before the index is asked.
const NEAR: usize = 8;

/// The nodes of a tree, by what they stand for. Numbers are given in order.
#[derive(Debug)]
pub(crate) struct Children<P> {
    links: Vec<Link<P>>,
    index: HashMap<(u32, P), u32>,
}

#[derive(Debug)]
struct Link<P> {
    part: P,
    /// The child that came last, and the sibling that came before.
    first: u32,
    next: u32,
}

impl<P> Default for Children<P> {
    fn default() -> Self {
        Children { links: Vec::new(), index: HashMap::new() }
    }
}

impl<P: Copy + Eq + Hash> Children<P> {
    /// What a node stands for.
    #[inline]
    pub fn part(&self, node: u32) -> P {
        self.links[node as usize].part
    }

    /// The child of a node that stands for this.
    #[inline]
    pub fn get(&self, parent: Option<u32>, part: P) -> Option<u32> {
        let mut at = parent.map_or(NONE, |p| self.links[p as usize].first);
        for _ in 0..NEAR {
            let Some(link) = self.links.get(at as usize) else { break };
            if link.part == part {
                return Some(at);
            }
            at = link.next;
        }
        if at == NONE && parent.is_some() {
            return None;
        }
        self.index.get(&(parent.unwrap_or(NONE), part)).copied()
    }

    /// One node more.
    pub fn add(&mut self, parent: Option<u32>, part: P) -> u32 {
        let node = self.links.len() as u32;
        let first = parent.map(|p| &mut self.links[p as usize].first);
        let next = first.map_or(NONE, |first| std::mem::replace(first, node));
        self.links.push(Link { part, first: NONE, next });
        self.index.insert((parent.unwrap_or(NONE), part), node);
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_however_many_there_are() {
        let mut tree = Children::default();
        let roots = [tree.add(None, 0), tree.add(None, 1)];
        let all: Vec<u32> = (0..100).map(|part| tree.add(Some(roots[part % 2]), part)).collect();
        for (part, &node) in all.iter().enumerate() {
            assert_eq!(tree.get(Some(roots[part % 2]), part), Some(node));
            assert_eq!(tree.get(Some(roots[1 - part % 2]), part), None);
            assert_eq!((tree.get(Some(node), part), tree.part(node)), (None, part));
        }
        assert_eq!((tree.get(None, 1), tree.get(None, 2)), (Some(1), None));
    }
}
