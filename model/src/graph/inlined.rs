//! The graph of a method in which calls are replaced by their callees' code.
//!
//! Such a call writes no token, and neither entry nor exit of the callee is counted: the callee is
//! a part of the caller's graph, and regions may reach from one into the other. The blocks of that
//! graph are *nodes*, numbered as the code lies: a block with such calls is cut in pieces, and
//! between two pieces are the nodes of the callee. Without such calls nodes are blocks.

use serde::{Deserialize, Serialize};

use super::block::{Block, CallKind, Terminator};
use super::ids::{BlockId, MethodId};
use super::region::{Member, Numbering, RegionError, TripCount, cycle};

/// Inlined calls in one another.
pub const MAX_DEPTH: u8 = 3;
/// Blocks that an inlined callee may have.
pub const MAX_CALLEE_BLOCKS: usize = 64;
/// Nodes of all methods of a map that have inlined calls.
pub const MAX_NODES: usize = 1 << 20;

/// A call whose callee's code stands in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct InlinedCall {
    /// 0 in the method itself, 1 in a callee of its, and so on.
    pub depth: u8,
    /// The block that calls.
    pub block: BlockId,
    /// Index of the call in that block.
    pub call: u32,
}

/// Properties of a fragment of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockFragment {
    /// As [`Block::throws`].
    pub throws: bool,
    /// As [`Block::mark`].
    pub mark: bool,
}

/// The inlined calls of one method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inlined {
    /// The method.
    pub method: MethodId,
    /// The calls as the code lies; those of a callee follow the call of it.
    pub calls: Vec<InlinedCall>,
    /// The pieces of the method's own blocks that have such calls, one more than calls in each.
    pub pieces: Vec<BlockFragment>,
}

/// Ways in which a node passes control on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeEnd {
    /// As its block.
    Block,
    /// Into this callee.
    Enter(MethodId),
    /// Out of the callee that it is in.
    Leave,
}

/// A node of the graph: a block, or a fragment of one between inlined calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphNode {
    /// The method that its block is of.
    pub method: MethodId,
    /// The block.
    pub block: BlockId,
    /// Inlined calls around it.
    pub depth: u8,
    /// True if it begins the block.
    pub begins: bool,
    /// The block's calls that it has.
    pub calls: (u32, u32),
    /// As [`Block::throws`].
    pub throws: bool,
    /// As [`Block::mark`].
    pub mark: bool,
    /// Successors of the node.
    pub end: NodeEnd,
    /// The nodes it leads to, in symbol order.
    pub successors: Vec<BlockId>,
}

/// Reasons why a map's inlined calls are not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InlineError {
    /// No such method.
    #[error("there is no method {0}")]
    Method(u32),
    /// A call that is listed out of order, that the block does not have, or of a callee that is
    /// not known.
    #[error("call {call} of block {block} cannot be inlined")]
    Call {
        /// The block.
        block: u32,
        /// The call.
        call: u32,
    },
    /// A callee with too many blocks, with other calls, or that throws.
    #[error("method {0} cannot be inlined")]
    Callee(u32),
    /// More or fewer pieces than the calls make.
    #[error("blocks with inlined calls are not in {0} pieces")]
    Pieces(usize),
    /// Too many nodes.
    #[error("inlined calls make more than {MAX_NODES} blocks")]
    Nodes,
}

/// Successor of a node, before all nodes are created.
enum Ahead {
    /// To these blocks of this activation.
    Blocks(usize, Vec<BlockId>),
    /// The node after it.
    Next,
    /// To where this activation returns.
    Return(usize),
}

/// A method or callee that is laid out.
struct Activation {
    /// First node of each block.
    first: Vec<u32>,
    /// The node that it returns to.
    back: u32,
}

struct GraphBuilder<'f, 'm> {
    blocks: &'f dyn Fn(MethodId) -> Option<&'m [Block]>,
    calls: &'f [InlinedCall],
    pieces: std::slice::Iter<'f, BlockFragment>,
    at: usize,
    nodes: Vec<GraphNode>,
    ahead: Vec<Ahead>,
    activations: Vec<Activation>,
}

/// The nodes of a method with inlined calls. `blocks` gives the blocks of each method.
///
/// # Errors
/// See [`InlineError`].
pub fn nodes<'m>(
    inlined: &Inlined,
    blocks: &dyn Fn(MethodId) -> Option<&'m [Block]>,
) -> Result<Vec<GraphNode>, InlineError> {
    let mut layout = GraphBuilder {
        blocks,
        calls: &inlined.calls,
        pieces: inlined.pieces.iter(),
        at: 0,
        nodes: Vec::new(),
        ahead: Vec::new(),
        activations: Vec::new(),
    };
    layout.method(inlined.method, 0)?;
    if let Some(call) = layout.calls.get(layout.at) {
        return Err(InlineError::Call { block: call.block.0, call: call.call });
    }
    if layout.pieces.next().is_some() {
        return Err(InlineError::Pieces(inlined.pieces.len()));
    }
    let GraphBuilder { mut nodes, ahead, activations, .. } = layout;
    for (n, (node, ahead)) in (0..).zip(nodes.iter_mut().zip(ahead)) {
        node.successors = match ahead {
            Ahead::Next => vec![BlockId(n + 1)],
            Ahead::Return(of) => vec![BlockId(activations[of].back)],
            Ahead::Blocks(of, blocks) => {
                let first = |b: &BlockId| activations[of].first.get(b.0 as usize).copied();
                let to: Option<Vec<u32>> = blocks.iter().map(first).collect();
                let to = to.ok_or(InlineError::Method(node.method.0))?;
                to.into_iter().map(BlockId).collect()
            }
        };
    }
    Ok(nodes)
}

impl GraphBuilder<'_, '_> {
    /// Lays a method out; those of its calls that are replaced, too.
    fn method(&mut self, method: MethodId, depth: u8) -> Result<usize, InlineError> {
        let blocks = (self.blocks)(method).ok_or(InlineError::Method(method.0))?;
        let fits = |b: &Block| depth == 0 || b.terminator != Terminator::Throw;
        if depth > 0 && blocks.len() > MAX_CALLEE_BLOCKS || !blocks.iter().all(fits) {
            return Err(InlineError::Callee(method.0));
        }
        let number = self.activations.len();
        self.activations.push(Activation { first: Vec::new(), back: 0 });
        for (id, block) in (0..).map(BlockId).zip(blocks) {
            self.activations[number].first.push(self.nodes.len() as u32);
            let mut done = 0;
            loop {
                let next = self.calls.get(self.at).filter(|c| c.depth == depth && c.block == id);
                let begins =
                    self.nodes.len() as u32 == self.activations[number].first[id.0 as usize];
                let piece = match depth {
                    0 if begins && next.is_none() => {
                        BlockFragment { throws: block.throws, mark: block.mark }
                    }
                    0 => *self.pieces.next().ok_or(InlineError::Pieces(self.pieces.len()))?,
                    _ => BlockFragment { throws: false, mark: false },
                };
                let calls = (done, next.map_or(block.calls.len() as u32, |c| c.call));
                let mut node = GraphNode {
                    method,
                    block: id,
                    depth,
                    begins,
                    calls,
                    throws: piece.throws,
                    mark: piece.mark,
                    end: NodeEnd::Block,
                    successors: Vec::new(),
                };
                if depth > 0 && calls.0 != calls.1 {
                    return Err(InlineError::Callee(method.0));
                }
                let Some(&InlinedCall { call, .. }) = next else {
                    let ahead = match &block.terminator {
                        Terminator::Return if depth > 0 => {
                            node.end = NodeEnd::Leave;
                            Ahead::Return(number)
                        }
                        Terminator::Return | Terminator::Throw => Ahead::Blocks(number, Vec::new()),
                        Terminator::Goto(to) => Ahead::Blocks(number, vec![*to]),
                        Terminator::Branch { alternatives, .. } => {
                            Ahead::Blocks(number, alternatives.iter().map(|a| a.0).collect())
                        }
                    };
                    self.push(node, ahead)?;
                    break;
                };
                let wrong = InlineError::Call { block: id.0, call };
                let site = block.calls.get(call as usize).filter(|_| call >= done);
                let Some(CallKind::Predicted(callee)) = site.map(|s| s.call) else {
                    return Err(wrong);
                };
                if depth >= MAX_DEPTH {
                    return Err(wrong);
                }
                self.at += 1;
                node.end = NodeEnd::Enter(callee);
                self.push(node, Ahead::Next)?;
                let inner = self.method(callee, depth + 1)?;
                self.activations[inner].back = self.nodes.len() as u32;
                done = call + 1;
            }
        }
        Ok(number)
    }

    fn push(&mut self, node: GraphNode, ahead: Ahead) -> Result<(), InlineError> {
        if self.nodes.len() >= MAX_NODES {
            return Err(InlineError::Nodes);
        }
        self.nodes.push(node);
        self.ahead.push(ahead);
        Ok(())
    }
}

/// The graph of a method as it was instrumented.
#[derive(Debug)]
pub enum Graph<'m> {
    /// Without inlined calls: its blocks.
    Blocks(&'m [Block]),
    /// With inlined calls.
    Nodes(Vec<GraphNode>),
}

impl Graph<'_> {
    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        match self {
            Graph::Blocks(blocks) => blocks.len(),
            Graph::Nodes(nodes) => nodes.len(),
        }
    }

    /// Returns true if the graph has no node: never the case in a map that was checked.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns true if an exception can come from a node.
    pub fn throws(&self, node: BlockId) -> bool {
        match self {
            Graph::Blocks(blocks) => blocks[node.0 as usize].throws,
            Graph::Nodes(nodes) => nodes[node.0 as usize].throws,
        }
    }

    /// Returns true if a node has calls that take part in the protocol.
    pub fn has_calls(&self, node: BlockId) -> bool {
        match self {
            Graph::Blocks(blocks) => !blocks[node.0 as usize].calls.is_empty(),
            Graph::Nodes(nodes) => nodes[node.0 as usize].calls.0 != nodes[node.0 as usize].calls.1,
        }
    }

    /// Returns true if a node is no place for an entry, an exit, a mark or other code.
    pub fn is_quiet(&self, node: BlockId) -> bool {
        let mark = match self {
            Graph::Blocks(blocks) => blocks[node.0 as usize].mark,
            Graph::Nodes(nodes) => nodes[node.0 as usize].mark,
        };
        !mark && !self.has_calls(node)
    }

    /// Returns true if a node is a whole block of the method itself.
    pub fn is_own_block(&self, node: BlockId) -> bool {
        match self {
            Graph::Blocks(_) => true,
            Graph::Nodes(nodes) => {
                let n = &nodes[node.0 as usize];
                n.depth == 0 && n.begins && n.end == NodeEnd::Block
            }
        }
    }

    /// Returns the successors of a node; `None` if there is no such node.
    pub fn successors(&self, node: BlockId) -> Option<Vec<BlockId>> {
        match self {
            Graph::Blocks(blocks) => Some(match &blocks.get(node.0 as usize)?.terminator {
                Terminator::Return | Terminator::Throw => Vec::new(),
                Terminator::Goto(to) => vec![*to],
                Terminator::Branch { alternatives, .. } => {
                    alternatives.iter().map(|a| a.0).collect()
                }
            }),
            Graph::Nodes(nodes) => Some(nodes.get(node.0 as usize)?.successors.clone()),
        }
    }

    /// The numbering of a region with this head and these nodes inside.
    ///
    /// # Errors
    /// Nodes that make no region.
    pub fn numbering(&self, head: BlockId, inside: &[BlockId]) -> Result<Numbering, RegionError> {
        let member = |&block: &BlockId| {
            let successors = self.successors(block).ok_or(RegionError::Block(block.0))?;
            Ok(Member { block, throws: self.throws(block), successors })
        };
        let members = std::iter::once(&head).chain(inside);
        Numbering::new(members.map(member).collect::<Result<_, _>>()?)
    }

    /// Returns how the loop of this branch is counted; `None` if there is no such loop.
    pub fn trip_count(&self, branch: BlockId, stay: usize) -> Option<TripCount> {
        let cycle = cycle(&|b| self.successors(b), self.len(), branch, stay)?;
        cycle.iter().all(|&b| self.is_own_block(b)).then_some(())?;
        Some(TripCount::new(cycle, |b| self.throws(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::block::{BranchIdentity, CallSite};

    fn block(calls: &[u32], terminator: Terminator) -> Block {
        let site = |&m: &u32| CallSite { pc: 0, call: CallKind::Predicted(MethodId(m)) };
        Block {
            pc: 0,
            end: 1,
            lines: Vec::new(),
            calls: calls.iter().map(site).collect(),
            throws: true,
            mark: false,
            terminator,
        }
    }

    fn branch(to: &[u32]) -> Terminator {
        Terminator::Branch {
            alternatives: to.iter().map(|&b| (BlockId(b), 32_768)).collect(),
            identity: BranchIdentity { fingerprint: 0 },
        }
    }

    const RETURN: Terminator = Terminator::Return;
    const PIECE: BlockFragment = BlockFragment { throws: true, mark: false };

    /// Method 1 calls 2, opens something, calls 2 again, and branches; 2 branches.
    fn program() -> Vec<Vec<Block>> {
        vec![
            vec![block(&[2, 9, 2], branch(&[1, 2])), block(&[], RETURN), block(&[], RETURN)],
            vec![block(&[], branch(&[1, 2])), block(&[], RETURN), block(&[], RETURN)],
        ]
    }

    fn laid_out(calls: &[(u8, u32, u32)], pieces: usize) -> Result<Vec<GraphNode>, InlineError> {
        let program = program();
        let blocks = |m: MethodId| program.get(m.0 as usize - 1).map(|b| &b[..]);
        let call = |&(depth, block, call): &(u8, u32, u32)| InlinedCall {
            depth,
            block: BlockId(block),
            call,
        };
        let inlined = Inlined {
            method: MethodId(1),
            calls: calls.iter().map(call).collect(),
            pieces: vec![PIECE; pieces],
        };
        nodes(&inlined, &blocks)
    }

    fn to(nodes: &[GraphNode], n: usize) -> Vec<u32> {
        nodes[n].successors.iter().map(|b| b.0).collect()
    }

    #[test]
    fn a_block_is_cut_where_a_callee_stands() {
        let nodes = laid_out(&[(0, 0, 0), (0, 0, 2)], 3).unwrap();
        // Fragment, three nodes of the callee, fragment with call 9, the callee again, fragment,
        // two
        // returns.
        let depths: Vec<u8> = nodes.iter().map(|n| n.depth).collect();
        assert_eq!(depths, [0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0]);
        assert_eq!(nodes[0].end, NodeEnd::Enter(MethodId(2)));
        assert_eq!((to(&nodes, 0), to(&nodes, 1)), (vec![1], vec![2, 3]));
        assert_eq!((to(&nodes, 2), to(&nodes, 3)), (vec![4], vec![4]));
        assert_eq!((nodes[4].calls, nodes[8].calls), ((1, 2), (3, 3)));
        assert_eq!(to(&nodes, 8), [9, 10]);
        assert_eq!((nodes[0].begins, nodes[4].begins), (true, false));
    }

    #[test]
    fn calls_that_are_not_there_are_refused() {
        for calls in [&[(0, 0, 1)][..], &[(0, 0, 3)], &[(0, 1, 0)], &[(0, 0, 2), (0, 0, 0)]] {
            let e = laid_out(calls, calls.len() + 1).unwrap_err();
            let refused = matches!(e, InlineError::Call { .. } | InlineError::Method(9));
            assert!(refused, "{calls:?}: {e}");
        }
        assert_eq!(laid_out(&[(0, 0, 0)], 3), Err(InlineError::Pieces(3)));
    }

    #[test]
    fn a_region_reaches_out_of_a_callee_into_its_caller() {
        let nodes = laid_out(&[(0, 0, 2)], 2).unwrap();
        // 0: piece; 1: the callee's branch; 2, 3: its returns; 4: piece with a branch; 5, 6.
        let mut nodes = nodes;
        nodes[4].throws = false;
        let graph = Graph::Nodes(nodes);
        let inside = [BlockId(2), BlockId(3), BlockId(4)];
        let numbering = graph.numbering(BlockId(1), &inside).unwrap();
        assert_eq!(numbering.total(), 4);
        assert!(graph.is_quiet(BlockId(4)) && !graph.is_quiet(BlockId(0)));
    }
}
