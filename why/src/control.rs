//! Control dependence among the blocks of a method.

use model::map::{Block, Terminator};

/// Blocks of methods whose dependence is computed; larger methods have none.
const MAX_BLOCKS: usize = 4_096;

/// The branches on which each block is control dependent: a branch of which one alternative always
/// leads to the block and another one may not (Ferrante, Ottenstein and Warren 1987). Exception
/// edges are left out.
pub struct ControlDependence {
    /// Immediate post-dominator of each block; the number of blocks stands for the exit.
    post_dominators: Vec<usize>,
}

impl ControlDependence {
    /// Computes the post-dominators of a method's blocks.
    pub fn new(blocks: &[Block]) -> ControlDependence {
        if blocks.len() > MAX_BLOCKS {
            return ControlDependence { post_dominators: Vec::new() };
        }
        ControlDependence { post_dominators: post_dominators(blocks) }
    }

    /// True if the block runs because the branch went to its alternative `to`.
    pub fn depends(&self, block: usize, branch: usize, to: usize) -> bool {
        let Some(&end) = self.post_dominators.get(branch) else { return false };
        // All post-dominators of the alternative below the branch's own one.
        let mut now = to;
        while now != end && now < self.post_dominators.len() {
            if now == block {
                return true;
            }
            now = self.post_dominators[now];
        }
        false
    }
}

/// The successors of a block; none of those that leave the method.
pub(crate) fn successors(block: &Block) -> Vec<usize> {
    match &block.terminator {
        Terminator::Return | Terminator::Throw => Vec::new(),
        Terminator::Goto(to) => vec![to.0 as usize],
        Terminator::Branch { alternatives, .. } => {
            alternatives.iter().map(|a| a.0.0 as usize).collect()
        }
    }
}

/// Cooper, Harvey and Kennedy's algorithm (*A simple, fast dominance algorithm*, 2001) on the
/// reversed graph, whose entry is the method's exit. Blocks that never reach the exit (endless
/// loops) hang on it.
fn post_dominators(blocks: &[Block]) -> Vec<usize> {
    let exit = blocks.len();
    let mut forward: Vec<Vec<usize>> = blocks.iter().map(successors).collect();
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); exit + 1];
    for (b, next) in forward.iter_mut().enumerate() {
        next.retain(|&to| to < exit);
        if next.is_empty() {
            next.push(exit);
        }
        next.iter().for_each(|&to| back[to].push(b));
    }
    let mut order = reversed_postorder(&back, exit);
    let mut number = vec![usize::MAX; exit + 1];
    order.iter().enumerate().for_each(|(n, &b)| number[b] = n);
    for b in (0..exit).rev() {
        if number[b] == usize::MAX {
            number[b] = order.len();
            order.push(b);
            forward[b].push(exit);
        }
    }
    let mut dominators = vec![usize::MAX; exit + 1];
    dominators[exit] = exit;
    let mut changed = true;
    while changed {
        changed = false;
        for &b in order.iter().filter(|&&b| b != exit) {
            let known = forward[b].iter().copied().filter(|&to| dominators[to] != usize::MAX);
            let Some(new) = known.reduce(|a, b| common(&dominators, &number, a, b)) else {
                continue;
            };
            changed |= std::mem::replace(&mut dominators[b], new) != new;
        }
    }
    dominators.truncate(exit);
    dominators
}

/// The nearest common post-dominator of two blocks.
fn common(dominators: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] > number[b] {
            a = dominators[a];
        }
        while number[b] > number[a] {
            b = dominators[b];
        }
    }
    a
}

fn reversed_postorder(edges: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((at, next)) = stack.last_mut() {
        if let Some(&to) = edges[*at].get(*next) {
            *next += 1;
            if !std::mem::replace(&mut seen[to], true) {
                stack.push((to, 0));
            }
        } else {
            order.push(*at);
            stack.pop();
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use model::map::{BlockId, BranchIdentity};

    use super::*;

    fn block(terminator: Terminator) -> Block {
        let (lines, calls) = (Vec::new(), Vec::new());
        Block { pc: 0, end: 0, lines, calls, throws: false, mark: false, terminator }
    }

    fn branch(to: &[u32]) -> Block {
        let alternatives = to.iter().map(|&b| (BlockId(b), 1)).collect();
        block(Terminator::Branch { alternatives, identity: BranchIdentity { fingerprint: 0 } })
    }

    fn goto(to: u32) -> Block {
        block(Terminator::Goto(BlockId(to)))
    }

    #[test]
    fn arms_depend_on_their_branch_and_the_join_does_not() {
        // 0 → 1 | 2, both → 3.
        let blocks = [branch(&[1, 2]), goto(3), goto(3), block(Terminator::Return)];
        let control = ControlDependence::new(&blocks);
        assert!(control.depends(1, 0, 1) && control.depends(2, 0, 2));
        assert!(!control.depends(2, 0, 1) && !control.depends(3, 0, 1));
    }

    #[test]
    fn a_loop_depends_on_itself_and_what_follows_does_not() {
        // 0 → 1 | 3; 1 → 2; 2 → 0.
        let blocks = [branch(&[1, 3]), goto(2), goto(0), block(Terminator::Return)];
        let control = ControlDependence::new(&blocks);
        assert!(control.depends(0, 0, 1) && control.depends(2, 0, 1));
        assert!(!control.depends(3, 0, 3));
    }

    #[test]
    fn an_early_return_makes_the_rest_depend_on_its_branch() {
        // 0 → 1 | 2; 1 returns; 2 → 3; 3 throws.
        let blocks =
            [branch(&[1, 2]), block(Terminator::Return), goto(3), block(Terminator::Throw)];
        let control = ControlDependence::new(&blocks);
        assert!(control.depends(3, 0, 2) && control.depends(1, 0, 1));
    }

    #[test]
    fn an_endless_loop_ends_the_computation() {
        // 0 → 1 | 2; 1 → 1; 2 returns.
        let blocks = [branch(&[1, 2]), goto(1), block(Terminator::Return)];
        let control = ControlDependence::new(&blocks);
        assert!(control.depends(1, 0, 1));
    }
}
