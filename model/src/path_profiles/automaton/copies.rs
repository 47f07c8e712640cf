//! The automaton without its number: a copy of each block for each state that it is in.
//!
//! The copy that runs stands for the number, so nothing is kept and nothing is compared. A copy in
//! which no path has begun is the original block. Where a block has one state only, there is one
//! copy of it. Arnold and Ryder (PLDI 2001) also copy code, to sample.

use std::collections::{BTreeMap, HashMap};

use super::{Automaton, NOTHING, PathStep, StateId, Symbol};
use crate::graph::ids::BlockId;

/// A copy: position in [`Copies::all`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CopyId(pub u32);

/// The copies of a method's blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copies {
    /// The first one is where the method begins. All can be reached from it.
    pub all: Vec<BlockCopy>,
    /// Paths that are complete where the method begins.
    pub begin: Vec<u32>,
}

/// A block in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockCopy {
    /// The block.
    pub block: BlockId,
    /// True if no path has begun that can still be taken.
    pub is_clean: bool,
    /// Paths that are complete when an exception comes to it.
    pub caught: Vec<u32>,
    /// Edges out of it, in the order of the block's successors.
    pub next: Vec<CopyEdge>,
    /// Copies of the block's handlers, in their order.
    pub handlers: Vec<CopyId>,
    /// Paths that are complete where it returns.
    pub exit: Vec<u32>,
}

/// A way out of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyEdge {
    /// Target of the edge.
    pub to: CopyId,
    /// Positions of the paths that it completes, ascending.
    pub completes: Vec<u32>,
}

/// Identity of a copy: the block, its state, and the paths that an exception on its way there has
/// completed.
type Key = (BlockId, StateId, Vec<u32>);

impl Automaton {
    /// The copies; `None` when there would be more than `most`.
    pub fn copies(&self, most: usize) -> Option<Copies> {
        let entry = self.trie.step(NOTHING, Symbol::Entry);
        let first = self.trie.step(entry, Symbol::Step(PathStep::Block(BlockId(0))));
        let mut keys: Vec<Key> = vec![(BlockId(0), self.trie.settle(first), Vec::new())];
        let mut known: HashMap<Key, CopyId> = HashMap::from([(keys[0].clone(), CopyId(0))]);
        let mut copies = Copies { all: Vec::new(), begin: self.trie.completes(first) };
        while let Some((block, state, caught)) = keys.get(copies.all.len()).cloned() {
            let at = block.0 as usize;
            let mut to = |step: PathStep| {
                let state = self.trie.step(state, Symbol::Step(step));
                let completes = self.trie.completes(state);
                let before = match step {
                    PathStep::Block(_) => Vec::new(),
                    PathStep::Caught(_) => completes.clone(),
                };
                let key = (step.block(), self.trie.settle(state), before);
                let id = *known.entry(key.clone()).or_insert_with(|| {
                    keys.push(key);
                    CopyId(keys.len() as u32 - 1)
                });
                CopyEdge { to: id, completes }
            };
            let next = self.shape.successors[at].iter().map(|&b| to(PathStep::Block(b))).collect();
            let handlers = self.shape.handlers[at].iter();
            let handlers = handlers.map(|&h| to(PathStep::Caught(h)).to).collect();
            let exit = match self.shape.returns[at] {
                true => self.trie.completes(self.trie.step(state, Symbol::Return)),
                false => Vec::new(),
            };
            let is_clean = state == NOTHING;
            copies.all.push(BlockCopy { block, is_clean, caught, next, handlers, exit });
            if keys.len() > most {
                return None;
            }
        }
        Some(copies)
    }
}

impl Copies {
    /// A copy.
    pub fn copy(&self, id: CopyId) -> &BlockCopy {
        &self.all[id.0 as usize]
    }

    /// The copies of each block.
    pub fn of_blocks(&self) -> BTreeMap<BlockId, Vec<CopyId>> {
        let mut of: BTreeMap<BlockId, Vec<CopyId>> = BTreeMap::new();
        for (i, copy) in (0..).zip(&self.all) {
            of.entry(copy.block).or_default().push(CopyId(i));
        }
        of
    }

    /// Returns true if each loop is entered at one copy only. A path that is left inside a loop
    /// enters the loop there as well, and compilers that know only reducible loops do less for
    /// others.
    pub fn is_reducible(&self) -> bool {
        let ways = |c: &BlockCopy| {
            let next = c.next.iter().map(|way| way.to);
            next.chain(c.handlers.iter().copied()).map(|to| to.0 as usize).collect()
        };
        is_reducible(&self.all.iter().map(ways).collect::<Vec<_>>())
    }
}

/// Returns true if every retreating edge of a graph leads to a node that dominates its begin. Node
/// 0 is the entry (dominators after Cooper, Harvey and Kennedy 2001).
pub fn is_reducible(successors: &[Vec<usize>]) -> bool {
    let n = successors.len();
    let mut order = Vec::with_capacity(n);
    let mut place = vec![usize::MAX; n];
    // Depth first, with the position in each node's list.
    let mut seen = vec![false; n];
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((node, next)) = stack.last_mut() {
        match successors[*node].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    for (i, &node) in order.iter().enumerate() {
        place[node] = i;
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    for (i, &node) in order.iter().enumerate() {
        successors[node].iter().for_each(|&to| before[place[to]].push(i));
    }
    let mut dominator = vec![usize::MAX; order.len()];
    dominator[0] = 0;
    let meet = |dominator: &[usize], mut a: usize, mut b: usize| {
        while a != b {
            if a > b {
                a = dominator[a];
            } else {
                b = dominator[b];
            }
        }
        a
    };
    let mut changed = true;
    while changed {
        changed = false;
        for i in 1..order.len() {
            let known = before[i].iter().copied().filter(|&p| dominator[p] != usize::MAX);
            let Some(new) = known.reduce(|a, b| meet(&dominator, a, b)) else { continue };
            changed |= std::mem::replace(&mut dominator[i], new) != new;
        }
    }
    let dominates = |a: usize, mut b: usize| {
        while b > a {
            b = dominator[b];
        }
        a == b
    };
    (0..order.len()).all(|to| before[to].iter().all(|&from| from < to || dominates(to, from)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path_profiles::automaton::MethodShape;
    use crate::path_profiles::selected::PathKind;

    fn copies(successors: &[&[u32]], kind: PathKind, steps: &[u32]) -> Copies {
        let ids = |blocks: &[u32]| blocks.iter().map(|&b| BlockId(b)).collect();
        let shape = MethodShape {
            successors: successors.iter().map(|to| ids(to)).collect(),
            handlers: vec![Vec::new(); successors.len()],
            returns: successors.iter().map(|to| to.is_empty()).collect(),
        };
        let steps = steps.iter().map(|&b| PathStep::Block(BlockId(b))).collect();
        Automaton::new(shape, &[(kind, steps)]).unwrap().copies(1000).unwrap()
    }

    /// A tree of blocks is in one state in each: nothing is copied.
    #[test]
    fn blocks_with_one_state_have_one_copy() {
        let copies = copies(&[&[1, 2], &[], &[]], PathKind::Whole, &[0, 2]);
        assert_eq!(copies.all.len(), 3);
        assert_eq!(copies.all.iter().map(|c| c.exit.len()).sum::<usize>(), 1);
    }

    /// After a join the copy depends on the edge taken.
    #[test]
    fn a_join_is_copied() {
        let copies = copies(&[&[1, 2], &[3], &[3], &[]], PathKind::Whole, &[0, 1, 3]);
        assert_eq!(copies.of_blocks()[&BlockId(3)].len(), 2);
        assert_eq!(copies.all.len(), 5);
    }

    /// Left in the middle of a round, the loop has another entry.
    #[test]
    fn a_path_left_inside_a_loop_enters_it_there() {
        let graph: &[&[u32]] = &[&[1], &[2, 3], &[4], &[4], &[1, 5], &[]];
        assert!(!copies(graph, PathKind::Whole, &[0, 1, 2, 4, 1, 2, 4, 5]).is_reducible());
        assert!(copies(graph, PathKind::Piece, &[1, 2, 4]).is_reducible());
        let straight: &[&[u32]] = &[&[1], &[1, 2], &[]];
        assert!(copies(straight, PathKind::Whole, &[0, 1, 1, 1, 2]).is_reducible());
    }

    #[test]
    fn more_copies_than_asked_for_are_none() {
        let shape = MethodShape {
            successors: vec![vec![BlockId(0), BlockId(1)], vec![]],
            handlers: vec![vec![]; 2],
            returns: vec![false, true],
        };
        let mut steps = vec![PathStep::Block(BlockId(0)); 40];
        steps.push(PathStep::Block(BlockId(1)));
        let automaton = Automaton::new(shape, &[(PathKind::Whole, steps)]).unwrap();
        assert!(automaton.copies(40).is_none());
        // 40 rounds, the blocks after them; rounds without end, and their end.
        assert_eq!(automaton.copies(43).unwrap().all.len(), 43);
    }
}
