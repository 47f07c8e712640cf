//! The map, laid out for walking: flat arrays, no strings.

use std::collections::HashMap;
use std::sync::OnceLock;

use model::adaptive::{CellAllocator, Rule, WrongTable, begin_with, initial};
use model::inlined::{Graph, NodeEnd};
use model::map::{Block, BlockId, CallKind, Map, MethodId, SlotId, Terminator};
use model::start_table::StartTable;
use model::symbols::{Alternative, alternatives, edges};
use model::throwing::ThrowingStretches;

use super::block::{BlockEnd, BlockNo, CHECKED, FlatBlock};
use super::regions::{FlatLoop, FlatRegion};
use super::silent::{Silent, silent};

/// The map, compiled.
#[derive(Debug, Clone)]
pub struct Program<'m> {
    /// The map that the program was made from.
    pub map: &'m Map,
    pub(crate) blocks: Vec<FlatBlock>,
    pub(crate) calls: Vec<CallKind>,
    /// Alternatives of branches; their targets are blocks.
    pub(crate) alternatives: Vec<Alternative>,
    /// First block of each method (`id - 1`), and one more at the end.
    pub(crate) first_block: Vec<u32>,
    /// First block of each method, or the first node of a method with inlined calls.
    entries: Vec<BlockNo>,
    /// Per block of a method: the method.
    owners: Vec<MethodId>,
    pub(crate) guarded: Vec<bool>,
    /// Per method: nothing can happen between its entry and its exit (one block, no calls, no
    /// mark).
    leaf: Vec<bool>,
    /// Per method: what a call of it costs that meets no symbol.
    pub(crate) silent: Vec<Option<Silent>>,
    /// First block of each handler.
    pub(crate) handlers: Vec<BlockNo>,
    /// Alternatives of slots; their targets are method ids, 0 for *none* and *other*.
    pub(crate) slots: Vec<Vec<Alternative>>,
    pub(crate) next_callbacks: HashMap<MethodId, SlotId>,
    pub(crate) regions: Vec<FlatRegion>,
    pub(crate) loops: Vec<FlatLoop>,
    /// Rule by which distributions adapt, if they do.
    pub(crate) rule: Option<Rule>,
    /// Their cells at the beginning.
    pub(crate) cells: Vec<u16>,
    /// Position of each block's first bit in the map's lines that can throw, once one was needed.
    throwing: OnceLock<Vec<u32>>,
}

impl<'m> Program<'m> {
    /// Compiles a map (which [`Map::from_bytes`] has checked).
    pub fn new(map: &'m Map) -> Program<'m> {
        let mut p = Program {
            map,
            blocks: Vec::new(),
            calls: Vec::new(),
            alternatives: Vec::new(),
            first_block: Vec::with_capacity(map.methods.len() + 1),
            entries: Vec::new(),
            owners: Vec::new(),
            guarded: map.methods.iter().map(|m| m.guarded).collect(),
            leaf: map.methods.iter().map(|m| is_leaf(&m.blocks[0])).collect(),
            silent: Vec::new(),
            handlers: Vec::new(),
            slots: Vec::new(),
            next_callbacks: map.next_callbacks.iter().copied().collect(),
            regions: Vec::new(),
            loops: Vec::new(),
            rule: None,
            cells: initial(map),
            throwing: OnceLock::new(),
        };
        // A build in which no branch adapts is one whose codec does not.
        p.rule = Rule::of(map.recording).filter(|_| !p.cells.is_empty());
        let mut layout = CellAllocator::default();
        let mut cells = Vec::new();
        for (id, m) in (1..).map(MethodId).zip(&map.methods) {
            let first = p.blocks.len() as u32;
            p.first_block.push(first);
            p.owners.extend(m.blocks.iter().map(|_| id));
            let at = |b: BlockId| BlockNo(first + b.0);
            for b in &m.blocks {
                let start = p.calls.len() as u32;
                p.calls.extend(b.calls.iter().map(|c| c.call));
                let cell = match &b.terminator {
                    Terminator::Branch { alternatives, .. } => {
                        p.rule.and_then(|_| layout.place(alternatives.len()))
                    }
                    _ => None,
                };
                cells.push(cell);
                let step = p.step(&b.terminator, cell, &at);
                p.blocks.push(FlatBlock {
                    calls: (start, p.calls.len() as u32),
                    throws: b.throws,
                    mark: b.mark,
                    begins: true,
                    depth: 0,
                    reported: BlockNo(p.blocks.len() as u32),
                    step,
                });
            }
        }
        p.first_block.push(p.blocks.len() as u32);
        p.entries = p.first_block[..map.methods.len()].iter().copied().map(BlockNo).collect();
        for inlined in &map.inlined {
            p.lay_out(inlined.method, &cells);
        }
        for (id, m) in (1..).map(MethodId).zip(&map.methods) {
            if m.regions.is_empty() && m.loops.is_empty() {
                continue;
            }
            let first = p.entry(id).0;
            let graph = map.graph(id).expect(CHECKED);
            for region in &m.regions {
                let flat = FlatRegion::new(map.recording, &graph, region, &p.blocks, first);
                p.blocks[flat.head.0 as usize].step = BlockEnd::Region(p.regions.len() as u32);
                p.regions.push(flat);
            }
            for l in &m.loops {
                let flat = FlatLoop::new(map.recording, &graph, l, &p.blocks, first);
                p.blocks[flat.node().0 as usize].step = BlockEnd::Loop(p.loops.len() as u32);
                p.loops.push(flat);
            }
        }
        let inlined = |m: usize| p.entries[m].0 != p.first_block[m];
        p.silent = silent(&p.blocks, &p.calls, &p.first_block, &p.leaf, &inlined);
        p.handlers = map.handlers.iter().map(|h| p.node(h.method, h.block)).collect();
        for s in &map.slots {
            let callee = |i: usize| i.checked_sub(1).map_or(0, |i| s.callees[i].0);
            p.slots.push(alternatives(map.recording, &map.recording.symbols(&s.freqs), callee));
        }
        p
    }

    /// The same for a process that began with this table.
    ///
    /// # Errors
    /// It is none of this build.
    pub fn begin_with(&self, table: &StartTable) -> Result<Program<'m>, WrongTable> {
        Ok(Program { cells: begin_with(self.map, table)?, ..self.clone() })
    }

    /// Lays out the nodes of a method with inlined calls. `cells` are those of all blocks.
    fn lay_out(&mut self, id: MethodId, cells: &[Option<u32>]) {
        let map = self.map;
        let Graph::Nodes(nodes) = map.graph(id).expect(CHECKED) else { return };
        let first = self.blocks.len() as u32;
        self.entries[id.0 as usize - 1] = BlockNo(first);
        for node in &nodes {
            let reported = self.number(node.method, node.block.0);
            let block = &map.methods[node.method.0 as usize - 1].blocks[node.block.0 as usize];
            let start = self.blocks[reported.0 as usize].calls.0;
            let to = |i: usize| BlockNo(first + node.successors[i].0);
            let step = match node.end {
                NodeEnd::Enter(callee) => BlockEnd::Enter(callee, to(0)),
                NodeEnd::Leave => BlockEnd::Leave(to(0)),
                NodeEnd::Block => {
                    // The successors are those of the terminator, in its order.
                    let targets: Vec<BlockId> = match &block.terminator {
                        Terminator::Goto(to) => vec![*to],
                        Terminator::Branch { alternatives, .. } => {
                            alternatives.iter().map(|a| a.0).collect()
                        }
                        Terminator::Return | Terminator::Throw => Vec::new(),
                    };
                    let at = |b: BlockId| {
                        targets.iter().position(|&t| t == b).map_or(BlockNo(first), to)
                    };
                    self.step(&block.terminator, cells[reported.0 as usize], &at)
                }
            };
            self.blocks.push(FlatBlock {
                calls: (start + node.calls.0, start + node.calls.1),
                throws: node.throws,
                mark: node.mark,
                begins: node.begins,
                depth: node.depth,
                reported,
                step,
            });
        }
    }

    /// Returns the action of the walk at the end of a block.
    fn step(
        &mut self,
        terminator: &Terminator,
        cell: Option<u32>,
        at: &dyn Fn(BlockId) -> BlockNo,
    ) -> BlockEnd {
        let recording = self.map.recording;
        match terminator {
            Terminator::Return => BlockEnd::Return,
            Terminator::Throw => BlockEnd::Throw,
            Terminator::Goto(t) if recording.records_gotos() => self.switch(&[], &[*t], at),
            Terminator::Goto(t) => BlockEnd::Goto(at(*t)),
            Terminator::Branch { alternatives, .. } => match (&alternatives[..], cell) {
                (&[(a, _), (b, _)], Some(cell)) => BlockEnd::AdaptiveIf(cell, at(a), at(b)),
                (&[(a, freq), (b, _)], None) if !recording.numbers_blocks() => {
                    BlockEnd::If(freq, at(a), at(b))
                }
                _ => {
                    let (targets, freqs): (Vec<_>, Vec<_>) = alternatives.iter().copied().unzip();
                    match (cell, self.switch(&freqs, &targets, at)) {
                        (Some(cell), BlockEnd::Switch { start, len }) => {
                            BlockEnd::AdaptiveSwitch { cell: cell + 1, start, len }
                        }
                        (_, step) => step,
                    }
                }
            },
        }
    }

    fn switch(
        &mut self,
        freqs: &[u16],
        targets: &[BlockId],
        at: &dyn Fn(BlockId) -> BlockNo,
    ) -> BlockEnd {
        let start = self.alternatives.len() as u32;
        self.alternatives.extend(edges(self.map.recording, freqs, targets, |i| at(targets[i]).0));
        BlockEnd::Switch { start, len: targets.len() as u32 }
    }

    /// Returns the first node of a method.
    #[inline]
    pub(crate) fn entry(&self, m: MethodId) -> BlockNo {
        self.entries[m.0 as usize - 1]
    }

    /// Returns the node at which a block of a method begins, if the method runs as itself.
    fn node(&self, m: MethodId, block: BlockId) -> BlockNo {
        let reported = self.number(m, block.0);
        let entry = self.entry(m);
        if entry.0 < self.methods_end() {
            return reported;
        }
        let nodes = &self.blocks[entry.0 as usize..];
        let own = |b: &FlatBlock| b.depth == 0 && b.begins && b.reported == reported;
        let at = nodes.iter().position(own).expect("each block of the method has a node");
        BlockNo(entry.0 + at as u32)
    }

    /// Returns the end of the methods' blocks, at which nodes begin.
    fn methods_end(&self) -> u32 {
        self.first_block[self.first_block.len() - 1]
    }

    #[inline]
    pub(crate) fn is_leaf(&self, m: MethodId) -> bool {
        self.leaf[m.0 as usize - 1]
    }

    /// Returns true if an exception can leave a frame of this method once it has begun. One block
    /// that throws nothing takes less stack than its entry did.
    pub(crate) fn can_throw(&self, m: MethodId) -> bool {
        let blocks = self.map.method(m).map_or(&[][..], |m| &m.blocks);
        !matches!(blocks, [only] if !only.throws && only.terminator == Terminator::Return)
    }

    /// The number of a method's block.
    pub(crate) fn number(&self, m: MethodId, block: u32) -> BlockNo {
        BlockNo(self.first_block[m.0 as usize - 1] + block)
    }

    /// Returns the block that sinks receive for a node of a method's graph.
    pub(crate) fn reported(&self, m: MethodId, node: BlockId) -> BlockNo {
        self.blocks[(self.entry(m).0 + node.0) as usize].reported
    }

    /// Returns true if a block ends in a branch whose distribution adapts.
    pub(crate) fn adapts(&self, b: BlockNo) -> bool {
        matches!(
            self.blocks[b.0 as usize].step,
            BlockEnd::AdaptiveIf(..) | BlockEnd::AdaptiveSwitch { .. }
        )
    }

    pub(crate) fn is_guarded(&self, m: MethodId) -> bool {
        self.guarded[m.0 as usize - 1]
    }

    /// The method whose frame is at a block: of a node of an inlined callee, its caller.
    pub(crate) fn frame_of(&self, b: BlockNo) -> MethodId {
        if b.0 < self.methods_end() {
            return self.locate(b).0;
        }
        let inlined = &self.map.inlined;
        let i = inlined.partition_point(|m| self.entry(m.method) <= b);
        inlined[i - 1].method
    }

    /// The method that a block belongs to, and the block's number within it.
    pub fn locate(&self, b: BlockNo) -> (MethodId, usize) {
        let b = self.blocks[b.0 as usize].reported;
        let m = self.owners[b.0 as usize];
        (m, (b.0 - self.first_block[m.0 as usize - 1]) as usize)
    }

    /// The block of a method by its position, as sinks receive it.
    pub fn block(&self, method: MethodId, position: usize) -> Option<BlockNo> {
        self.map.method(method)?.blocks.get(position)?;
        Some(self.number(method, position as u32))
    }

    /// Returns the lines of a block on which an instruction can throw, if the map has them.
    pub fn throwing(&self, b: BlockNo) -> Option<ThrowingStretches<'m>> {
        let map = self.map;
        let (method, position) = self.locate(b);
        let first = self.throwing.get_or_init(|| map.throwing_bits());
        let first = *first.get(self.number(method, position as u32).0 as usize)?;
        map.throwing.of_block(map.method(method)?.blocks.get(position)?, first)
    }

    /// The calls of a block, and the position of the first one among those of all blocks.
    #[inline]
    pub fn calls_of(&self, b: BlockNo) -> (usize, &[CallKind]) {
        let (from, to) = self.blocks[b.0 as usize].calls;
        (from as usize, &self.calls[from as usize..to as usize])
    }
}

fn is_leaf(entry: &Block) -> bool {
    entry.calls.is_empty() && !entry.mark && entry.terminator == Terminator::Return
}
