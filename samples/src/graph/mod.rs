//! The blocks of all methods of a map as one graph with prices: possible successors, and how likely
//! they are.
//!
//! A step enters a block. Calls are followed; code outside the app takes no step.

mod bounds;
mod contexts;
pub(crate) mod prices;

pub(crate) use bounds::sum;
pub use bounds::{Bounds, Metric};
pub(crate) use contexts::Key;
pub use contexts::{Branches, ContextId, Contexts};

use model::map::{BlockId, CallKind, Map, MethodId, Terminator};
use model::profile::Profile;

/// A block of the map: those of all methods are numbered through, in the order of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// Prices are in 256ths of a bit.
pub const BIT: u32 = 256;
/// Price of a surprise: an exception, a call that no call site predicts.
pub const SURPRISE: u32 = 16 * BIT;
/// Price of an impossible edge.
pub const NEVER: u32 = u32::MAX / 4;

/// A call site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Site {
    /// One callee.
    Method(MethodId),
    /// One of several: a range of [`Graph::callees`].
    Slot(u32, u32),
}

/// End of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockExit {
    Return,
    Throw,
    /// A range of [`Graph::edges`].
    Edges(u32, u32),
}

/// A block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flat {
    /// A range of [`Graph::sites`].
    pub calls: (u32, u32),
    pub end: BlockExit,
    pub throws: bool,
    pub owner: MethodId,
}

/// The graph.
#[derive(Debug)]
pub struct Graph {
    pub(crate) blocks: Vec<Flat>,
    pub(crate) sites: Vec<Site>,
    /// Targets of calls through slots: 0 for none of the app's methods; with prices.
    pub(crate) callees: Vec<(u32, u32)>,
    /// Successors of blocks, with prices.
    pub(crate) edges: Vec<(NodeId, u32)>,
    /// First block of each method, and one more at the end.
    pub(crate) first: Vec<u32>,
    /// First blocks of each method's handlers.
    pub(crate) handlers: Vec<Vec<NodeId>>,
    /// Of each of the map's slots: a range of [`Graph::callees`].
    pub(crate) slots: Vec<(u32, u32)>,
}

impl Graph {
    /// The graph of a map; prices are those of the model, where one is given, else of the map.
    pub fn new(map: &Map, model: Option<&Profile>) -> Graph {
        let mut graph = Graph {
            blocks: Vec::new(),
            sites: Vec::new(),
            callees: Vec::new(),
            edges: Vec::new(),
            first: Vec::with_capacity(map.methods.len() + 1),
            handlers: vec![Vec::new(); map.methods.len()],
            slots: Vec::new(),
        };
        let slots: Vec<(u32, u32)> = prices::slots(map, model)
            .into_iter()
            .zip(&map.slots)
            .map(|(prices, slot)| {
                let from = graph.callees.len() as u32;
                let ids = std::iter::once(0).chain(slot.callees.iter().map(|m| m.0));
                graph.callees.extend(ids.zip(prices));
                (from, graph.callees.len() as u32)
            })
            .collect();
        let branches = prices::branches(map, model);
        let mut prices = branches.iter();
        for (owner, method) in (1..).map(MethodId).zip(&map.methods) {
            let first = graph.blocks.len() as u32;
            graph.first.push(first);
            for block in &method.blocks {
                let from = graph.sites.len() as u32;
                graph.sites.extend(block.calls.iter().map(|site| match site.call {
                    CallKind::Predicted(m) | CallKind::Implied(m) => Site::Method(m),
                    CallKind::Slot(s) => {
                        let (from, to) = slots[s.0 as usize];
                        Site::Slot(from, to)
                    }
                }));
                let calls = (from, graph.sites.len() as u32);
                let begin = graph.edges.len() as u32;
                let node = |b: BlockId| NodeId(first + b.0);
                let end = match &block.terminator {
                    Terminator::Return => BlockExit::Return,
                    Terminator::Throw => BlockExit::Throw,
                    Terminator::Goto(to) => {
                        graph.edges.push((node(*to), 0));
                        BlockExit::Edges(begin, begin + 1)
                    }
                    Terminator::Branch { alternatives, .. } => {
                        let prices = prices.next().expect("prices of each branch");
                        let ways = alternatives.iter().zip(prices).map(|(a, p)| (node(a.0), *p));
                        graph.edges.extend(ways);
                        BlockExit::Edges(begin, graph.edges.len() as u32)
                    }
                };
                graph.blocks.push(Flat { calls, end, throws: block.throws, owner });
            }
        }
        graph.first.push(graph.blocks.len() as u32);
        graph.slots = slots;
        for handler in &map.handlers {
            let node = graph.node(handler.method, handler.block);
            let all = &mut graph.handlers[handler.method.0 as usize - 1];
            if !all.contains(&node) {
                all.push(node);
            }
        }
        graph
    }

    /// A graph of one method, whose blocks lead to these blocks, all equally likely.
    #[cfg(test)]
    pub(crate) fn of_method(blocks: &[&[u32]]) -> Graph {
        let mut graph = Graph {
            blocks: Vec::new(),
            sites: Vec::new(),
            callees: Vec::new(),
            edges: Vec::new(),
            first: vec![0, blocks.len() as u32],
            handlers: vec![Vec::new()],
            slots: Vec::new(),
        };
        for ways in blocks {
            let from = graph.edges.len() as u32;
            graph.edges.extend(ways.iter().map(|&to| (NodeId(to), BIT * (ways.len() as u32 - 1))));
            let end = match ways.len() {
                0 => BlockExit::Return,
                _ => BlockExit::Edges(from, graph.edges.len() as u32),
            };
            graph.blocks.push(Flat { calls: (0, 0), end, throws: false, owner: MethodId(1) });
        }
        graph
    }

    /// The node of a method's block.
    pub fn node(&self, method: MethodId, block: BlockId) -> NodeId {
        NodeId(self.first[method.0 as usize - 1] + block.0)
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Returns true if the map has no block.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Returns the number of methods.
    pub fn methods(&self) -> usize {
        self.handlers.len()
    }

    /// The method and block of a node.
    pub fn locate(&self, node: NodeId) -> (MethodId, BlockId) {
        let method = self.owner(node);
        (method, BlockId(node.0 - self.first[method.0 as usize - 1]))
    }

    /// The method of a node.
    pub fn owner(&self, node: NodeId) -> MethodId {
        self.blocks[node.0 as usize].owner
    }

    /// Returns the first block of a method.
    pub fn entry(&self, method: MethodId) -> NodeId {
        NodeId(self.first[method.0 as usize - 1])
    }

    /// The nodes of a method.
    pub fn nodes(&self, method: MethodId) -> impl Iterator<Item = NodeId> + use<> {
        let at = method.0 as usize;
        (self.first[at - 1]..self.first[at]).map(NodeId)
    }

    pub(crate) fn block(&self, node: NodeId) -> &Flat {
        &self.blocks[node.0 as usize]
    }

    pub(crate) fn calls(&self, node: NodeId) -> &[Site] {
        let (from, to) = self.block(node).calls;
        &self.sites[from as usize..to as usize]
    }

    pub(crate) fn ways(&self, node: NodeId) -> &[(NodeId, u32)] {
        match self.block(node).end {
            BlockExit::Edges(from, to) => &self.edges[from as usize..to as usize],
            BlockExit::Return | BlockExit::Throw => &[],
        }
    }

    pub(crate) fn slot(&self, from: u32, to: u32) -> &[(u32, u32)] {
        &self.callees[from as usize..to as usize]
    }

    pub(crate) fn handlers(&self, method: MethodId) -> &[NodeId] {
        &self.handlers[method.0 as usize - 1]
    }

    /// Returns the price of a call that leads to this method; `None` if it cannot.
    pub(crate) fn price_of(&self, site: Site, callee: MethodId) -> Option<u32> {
        match site {
            Site::Method(m) => (m == callee).then_some(0),
            Site::Slot(from, to) => {
                self.slot(from, to).iter().find(|c| c.0 == callee.0).map(|c| c.1)
            }
        }
    }

    /// The calls of a block that can lead to a method: how many calls of it have begun then.
    pub fn calls_to(&self, node: NodeId, callee: MethodId) -> impl Iterator<Item = u16> + '_ {
        let calls = (1_u16..).zip(self.calls(node));
        calls.filter(move |(_, site)| self.price_of(**site, callee).is_some()).map(|c| c.0)
    }
}
