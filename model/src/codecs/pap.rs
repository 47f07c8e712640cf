//! Path numbers of codec `pap` (profiling all paths): one number per activation, changed on every
//! edge into a block that has several predecessors, read backwards.
//!
//! A block's *ways in* are the edges from its predecessors, one for the method's entry, one for
//! exceptions if it is a handler. A block with two or more is a *join* when one of them is an edge.
//! An activation's number begins at 1; on edge i into a join with s ways in, r = r·s + i. An edge
//! that would make r outgrow 63 bits first writes r (a *break*) and begins again at 1. So r = 1
//! means: no join since the path began.

/// A number that no join has changed.
pub const START: u64 = 1;

/// Number of frames that an exception may leave, one after the other, without enough stack to
/// record it: until a frame has enough, the thread keeps the path numbers of the others
/// (`State.LOST` in the runtime has four longs for each).
pub const LOST_FRAMES: u32 = 256;

/// A number that gives no path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a path number leads nowhere")]
pub struct NoPath;

/// The joins of one method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joins {
    /// Sources of the edges into each block, ascending.
    sources: Vec<Vec<u32>>,
    /// Ways into each block.
    ways: Vec<u64>,
    branches: bool,
}

impl Joins {
    /// From each block's distinct successors, and the blocks that are handlers.
    pub fn new<'a>(
        successors: impl Iterator<Item = Vec<u32>>,
        handlers: impl Iterator<Item = &'a u32>,
    ) -> Joins {
        let all: Vec<Vec<u32>> = successors.collect();
        let mut sources = vec![Vec::new(); all.len()];
        for (from, to) in
            all.iter().enumerate().flat_map(|(b, s)| s.iter().map(move |t| (b, *t as usize)))
        {
            sources[to].push(from as u32);
        }
        let mut ways: Vec<u64> = sources.iter().map(|s| s.len() as u64).collect();
        ways[0] += 1;
        handlers.for_each(|h| ways[*h as usize] += 1);
        let branches = all.iter().any(|s| s.len() > 1);
        Joins { sources, ways, branches }
    }

    /// Returns true if the block is a join.
    pub fn is_join(&self, block: u32) -> bool {
        self.ways[block as usize] >= 2 && !self.sources[block as usize].is_empty()
    }

    /// Returns true if a block has several successors: the end of an activation is written then.
    pub fn has_branches(&self) -> bool {
        self.branches
    }

    /// Returns the operation of an edge as (s, i); `None` if the edge leads into no join.
    pub fn edge(&self, from: u32, to: u32) -> Option<(u64, u64)> {
        let i = self.sources[to as usize].iter().position(|f| *f == from)? as u64;
        self.is_join(to).then(|| (self.ways[to as usize], i))
    }

    /// The largest number that still may be multiplied by s and increased, rounded down to a
    /// multiple of 2⁴⁸ (a short constant).
    pub fn limit(s: u64) -> u64 {
        ((i64::MAX as u64 - s) / s) >> 48 << 48
    }

    /// The path from block `start` to block `end`, both included, that the number and the breaks
    /// before it (the last one last) encode.
    ///
    /// # Errors
    /// [`NoPath`] when there is none, or none of at most `most` blocks: the numbers are not what
    /// the device writes.
    pub fn path(
        &self,
        start: u32,
        end: u32,
        mut r: u64,
        breaks: &[u64],
        most: usize,
    ) -> Result<Vec<u32>, NoPath> {
        let mut breaks = breaks.iter().rev();
        let mut block = end;
        let mut path = Vec::new();
        let mut straight = 0;
        loop {
            if path.len() >= most {
                return Err(NoPath);
            }
            path.push(block);
            let sources = self.sources.get(block as usize).ok_or(NoPath)?;
            if self.is_join(block) {
                if r == START {
                    break;
                }
                let s = self.ways[block as usize];
                let from = *sources.get((r % s) as usize).ok_or(NoPath)?;
                r /= s;
                if r == 0 {
                    return Err(NoPath);
                }
                if r == START
                    && let Some(before) = breaks.next()
                {
                    r = *before;
                }
                block = from;
                straight = 0;
            } else {
                let [from] = sources[..] else { break };
                straight += 1;
                if straight > self.sources.len() {
                    return Err(NoPath);
                }
                block = from;
            }
        }
        if block != start || r != START || breaks.next().is_some() {
            return Err(NoPath);
        }
        path.reverse();
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Random graphs, random walks, exceptions into handlers: the numbers give the walk back.
        #[test]
        fn numbers_give_the_walk_back(
            graph in prop::collection::vec(prop::collection::btree_set(0u32..12, 0..4), 12),
            handlers in prop::collection::btree_set(0u32..12, 0..3),
            at_handler in any::<bool>(),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..400),
        ) {
            let graph: Vec<Vec<u32>> = graph.into_iter().map(|s| s.into_iter().collect()).collect();
            let joins = Joins::new(graph.iter().cloned(), handlers.iter());
            let start = if at_handler { handlers.first().copied().unwrap_or(0) } else { 0 };
            let (mut r, mut breaks, mut walk) = (START, vec![], vec![start]);
            for c in choices {
                let from = walk[walk.len() - 1];
                let to = &graph[from as usize];
                if to.is_empty() {
                    break;
                }
                let to = to[c.index(to.len())];
                if let Some((s, i)) = joins.edge(from, to) {
                    if r > Joins::limit(s) {
                        breaks.push(r);
                        r = START;
                    }
                    r = r * s + i;
                    prop_assert!(r <= i64::MAX as u64);
                }
                walk.push(to);
            }
            prop_assert_eq!(joins.path(start, walk[walk.len() - 1], r, &breaks, 1000), Ok(walk));
        }

        #[test]
        fn any_numbers_are_read_without_panic(
            graph in prop::collection::vec(prop::collection::btree_set(0u32..6, 0..4), 6),
            start in 0u32..8, end in 0u32..8, r in any::<u64>(),
            breaks in prop::collection::vec(any::<u64>(), 0..4),
        ) {
            let successors = graph.into_iter().map(|s| s.into_iter().collect());
            let joins = Joins::new(successors, [3u32].iter());
            let _ = joins.path(start, end, r, &breaks, 1000);
        }
    }
}
