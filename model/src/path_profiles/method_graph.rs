//! The graph of a method whose paths are counted, as Ball and Larus have it: a path begins at the
//! entry, at a handler or where a loop goes round, and ends where the method is left or where a
//! loop goes round.

use crate::graph::ids::BlockId;
use crate::map::{Block, Terminator};
use crate::path_profiles::flow_graph::{FlowError, FlowGraph};

/// Source of the graph.
const SOURCE: usize = 0;
/// Its sink.
const SINK: usize = 1;

/// The graph of a method, and which of its edges each way out of a block is.
///
/// ```
/// use model::path_profiles::method_graph::MethodGraph;
/// # use model::map::{Block, BlockId, BranchIdentity, Terminator};
/// # let block = |to: &[u32]| Block {
/// #     pc: 0, end: 0, lines: vec![], calls: vec![], throws: false, mark: false,
/// #     terminator: match to {
/// #         [] => Terminator::Return,
/// #         [to] => Terminator::Goto(BlockId(*to)),
/// #         _ => Terminator::Branch {
/// #             alternatives: to.iter().map(|&to| (BlockId(to), 1)).collect(),
/// #             identity: BranchIdentity { fingerprint: 0 },
/// #         },
/// #     },
/// # };
/// // A loop whose head decides whether it goes on: 0 → 1; 1 → 2 or 3; 2 → 1.
/// let blocks = [block(&[1]), block(&[2, 3]), block(&[1]), block(&[])];
/// let method = MethodGraph::new(&blocks, &[])?;
/// // From the entry or the head, to the round's end or out.
/// assert_eq!((method.graph.paths(), method.graph.fixes_paths()), (4, false));
/// assert!(method.way(2, 0).unwrap().goes_back);
/// # Ok::<(), model::path_profiles::flow_graph::FlowError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodGraph {
    /// Vertex 0 is the source, vertex 1 the sink; blocks that nothing reaches are left out.
    pub graph: FlowGraph,
    /// Of each block, its ways out in the order of the alternatives. One that ends its method has
    /// one way.
    ways: Vec<Vec<OutEdge>>,
    /// Of each block, the edge on which paths begin there.
    begins: Vec<Option<usize>>,
}

/// A way out of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutEdge {
    /// The position of its edge in the graph.
    pub edge: usize,
    /// Target of the edge; `None`: out of the method.
    pub to: Option<BlockId>,
    /// It goes round a loop: a path ends here, and the next one begins at `to`.
    pub goes_back: bool,
}

impl MethodGraph {
    /// The graph of a method with these blocks, of which `handlers` are entered by exceptions.
    ///
    /// # Errors
    /// [`FlowError::Vertex`] where a block leads to one that is not there.
    pub fn new(blocks: &[Block], handlers: &[BlockId]) -> Result<MethodGraph, FlowError> {
        let mut walk = Walk {
            blocks,
            vertices: vec![None; blocks.len()],
            open: vec![false; blocks.len()],
            count: 2,
            edges: Vec::new(),
            ways: vec![Vec::new(); blocks.len()],
            begins: vec![false; blocks.len()],
        };
        let entries = (!blocks.is_empty()).then_some(BlockId(0)).into_iter();
        for entry in entries.chain(handlers.iter().copied()) {
            let at = entry.0 as usize;
            *walk.begins.get_mut(at).ok_or(FlowError::Vertex { edge: walk.edges.len() })? = true;
            if walk.vertices[at].is_none() {
                walk.from(at)?;
            }
        }
        let Walk { vertices, count, mut edges, ways, begins, .. } = walk;
        let begins = begins.iter().zip(&vertices).map(|(begins, vertex)| {
            let vertex = vertex.filter(|_| *begins)?;
            edges.push((SOURCE, vertex));
            Some(edges.len() - 1)
        });
        let begins = begins.collect();
        Ok(MethodGraph { graph: FlowGraph::new(count, edges)?, ways, begins })
    }

    /// The edge on which paths begin at a block, if any do.
    pub fn begin(&self, block: usize) -> Option<usize> {
        self.begins.get(block).copied().flatten()
    }

    /// A way out of a block, by the number of its alternative; the only way is number 0.
    pub fn way(&self, block: usize, alternative: usize) -> Option<OutEdge> {
        self.ways(block).get(alternative).copied()
    }

    /// All ways out of a block.
    pub fn ways(&self, block: usize) -> &[OutEdge] {
        self.ways.get(block).map_or(&[], Vec::as_slice)
    }
}

/// A walk that numbers the blocks that it reaches, and adds their edges.
struct Walk<'b> {
    blocks: &'b [Block],
    vertices: Vec<Option<usize>>,
    /// Blocks that the walk is in: an edge to one of them goes back.
    open: Vec<bool>,
    count: usize,
    edges: Vec<(usize, usize)>,
    ways: Vec<Vec<OutEdge>>,
    begins: Vec<bool>,
}

impl Walk<'_> {
    fn from(&mut self, entry: usize) -> Result<(), FlowError> {
        // Block, and how many of its edges have been followed.
        let mut stack = vec![(entry, 0)];
        self.enter(entry);
        while let Some((block, followed)) = stack.last_mut() {
            let (at, next) = (*block, *followed);
            *followed += 1;
            let targets = targets(&self.blocks[at].terminator);
            let Some(&id) = targets.get(next) else {
                if targets.is_empty() {
                    self.add(at, SINK, None, false);
                }
                self.open[at] = false;
                stack.pop();
                continue;
            };
            let to = id.0 as usize;
            match self.vertices.get(to).copied() {
                None => return Err(FlowError::Vertex { edge: self.edges.len() }),
                Some(_) if self.open[to] => {
                    self.begins[to] = true;
                    self.add(at, SINK, Some(id), true);
                }
                Some(Some(known)) => self.add(at, known, Some(id), false),
                Some(None) => {
                    let made = self.enter(to);
                    self.add(at, made, Some(id), false);
                    stack.push((to, 0));
                }
            }
        }
        Ok(())
    }

    /// Numbers a block; the walk is in it.
    fn enter(&mut self, block: usize) -> usize {
        let vertex = self.count;
        self.vertices[block] = Some(vertex);
        self.open[block] = true;
        self.count += 1;
        vertex
    }

    fn add(&mut self, from: usize, vertex: usize, to: Option<BlockId>, goes_back: bool) {
        self.ways[from].push(OutEdge { edge: self.edges.len(), to, goes_back });
        self.edges.push((self.vertices[from].unwrap_or(SINK), vertex));
    }
}

fn targets(end: &Terminator) -> Vec<BlockId> {
    match end {
        Terminator::Return | Terminator::Throw => Vec::new(),
        Terminator::Goto(to) => vec![*to],
        Terminator::Branch { alternatives, .. } => alternatives.iter().map(|a| a.0).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::BranchIdentity;

    /// Blocks by where they lead.
    fn blocks(to: &[&[u32]]) -> Vec<Block> {
        let end = |to: &[u32]| match to {
            [] => Terminator::Return,
            [to] => Terminator::Goto(BlockId(*to)),
            _ => Terminator::Branch {
                alternatives: to.iter().map(|&to| (BlockId(to), 1)).collect(),
                identity: BranchIdentity { fingerprint: 0 },
            },
        };
        let block = |to: &&[u32]| Block {
            pc: 0,
            end: 0,
            lines: Vec::new(),
            calls: Vec::new(),
            throws: false,
            mark: false,
            terminator: end(to),
        };
        to.iter().map(block).collect()
    }

    fn paths(to: &[&[u32]], handlers: &[u32]) -> u128 {
        let handlers: Vec<BlockId> = handlers.iter().map(|&h| BlockId(h)).collect();
        MethodGraph::new(&blocks(to), &handlers).expect("a graph").graph.paths()
    }

    #[test]
    fn ways_to_one_block_are_several_edges() {
        assert_eq!(paths(&[&[1, 1, 1], &[]], &[]), 3);
    }

    #[test]
    fn a_handler_begins_paths_and_what_nothing_reaches_does_not() {
        let to: [&[u32]; 4] = [&[2], &[2], &[3, 3], &[]];
        assert_eq!((paths(&to, &[]), paths(&to, &[1])), (2, 4));
    }

    #[test]
    fn two_ways_round_to_one_head_begin_the_same_paths() {
        // 0 is the head; 1 and 2 go round, 3 leaves. From the entry as from the head.
        assert_eq!(paths(&[&[1, 2, 3], &[0], &[0], &[]], &[]), 3);
    }

    #[test]
    fn a_loop_that_nothing_leaves_ends_where_it_goes_round() {
        assert_eq!(paths(&[&[1], &[0]], &[]), 1);
        assert_eq!(paths(&[&[0]], &[]), 1);
    }

    #[test]
    fn blocks_that_are_not_there_are_refused() {
        let refused = |to: &[&[u32]], handlers: &[BlockId]| {
            MethodGraph::new(&blocks(to), handlers).expect_err("refused")
        };
        assert_eq!(refused(&[&[1]], &[]), FlowError::Vertex { edge: 0 });
        assert_eq!(refused(&[&[]], &[BlockId(9)]), FlowError::Vertex { edge: 1 });
        assert_eq!(refused(&[], &[]), FlowError::Ends { sources: 2, sinks: 2 });
    }
}
