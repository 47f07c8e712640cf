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

/// The graph of a method with these blocks, of which `handlers` are entered by exceptions. Vertex 0
/// is the source, vertex 1 the sink; blocks that nothing reaches are left out.
///
/// ```
/// use model::path_profiles::method_graph::method_graph;
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
/// let graph = method_graph(&[block(&[1]), block(&[2, 3]), block(&[1]), block(&[])], &[])?;
/// // From the entry or the head, to the round's end or out.
/// assert_eq!((graph.paths(), graph.fixes_paths()), (4, false));
/// # Ok::<(), model::path_profiles::flow_graph::FlowError>(())
/// ```
///
/// # Errors
/// [`FlowError::Vertex`] where a block leads to one that is not there.
pub fn method_graph(blocks: &[Block], handlers: &[BlockId]) -> Result<FlowGraph, FlowError> {
    let mut vertices: Vec<Option<usize>> = vec![None; blocks.len()];
    // Blocks that the walk is in: an edge to one of them goes back.
    let mut open = vec![false; blocks.len()];
    let (mut edges, mut count, mut begins) = (Vec::new(), 2, vec![false; blocks.len()]);
    let entries = (!blocks.is_empty()).then_some(BlockId(0)).into_iter();
    for entry in entries.chain(handlers.iter().copied()) {
        let at = entry.0 as usize;
        *begins.get_mut(at).ok_or(FlowError::Vertex { edge: edges.len() })? = true;
        if vertices[at].is_none() {
            walk(blocks, at, &mut vertices, &mut open, &mut count, &mut edges, &mut begins)?;
        }
    }
    for (begins, vertex) in begins.iter().zip(&vertices) {
        if let (true, Some(vertex)) = (begins, vertex) {
            edges.push((SOURCE, *vertex));
        }
    }
    FlowGraph::new(count, edges)
}

/// Numbers what a block reaches, and adds its edges.
fn walk(
    blocks: &[Block],
    from: usize,
    vertices: &mut [Option<usize>],
    open: &mut [bool],
    count: &mut usize,
    edges: &mut Vec<(usize, usize)>,
    begins: &mut [bool],
) -> Result<(), FlowError> {
    let mut number = |block: usize, vertices: &mut [Option<usize>]| {
        vertices[block] = Some(*count);
        *count += 1;
        *count - 1
    };
    // Block, and how many of its edges have been followed.
    let mut stack = vec![(from, 0)];
    number(from, vertices);
    open[from] = true;
    while let Some((block, followed)) = stack.last_mut() {
        let (at, next) = (*block, *followed);
        *followed += 1;
        let here = vertices[at].unwrap_or(SINK);
        let targets = targets(&blocks[at].terminator);
        let Some(&to) = targets.get(next) else {
            if targets.is_empty() {
                edges.push((here, SINK));
            }
            open[at] = false;
            stack.pop();
            continue;
        };
        let to = to.0 as usize;
        match vertices.get(to).copied() {
            None => return Err(FlowError::Vertex { edge: edges.len() }),
            Some(_) if open[to] => {
                begins[to] = true;
                edges.push((here, SINK));
            }
            Some(Some(known)) => edges.push((here, known)),
            Some(None) => {
                let made = number(to, vertices);
                edges.push((here, made));
                open[to] = true;
                stack.push((to, 0));
            }
        }
    }
    Ok(())
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
        method_graph(&blocks(to), &handlers).expect("a graph").paths()
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
            method_graph(&blocks(to), handlers).expect_err("refused")
        };
        assert_eq!(refused(&[&[1]], &[]), FlowError::Vertex { edge: 0 });
        assert_eq!(refused(&[&[]], &[BlockId(9)]), FlowError::Vertex { edge: 1 });
        assert_eq!(refused(&[], &[]), FlowError::Ends { sources: 2, sinks: 2 });
    }
}
