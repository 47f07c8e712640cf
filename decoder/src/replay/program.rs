//! The map, laid out for walking: flat arrays, no strings.

use std::collections::HashMap;

use model::adaptive::{Layout, Rule, initial};
use model::map::{Block, BlockId, Call, Codec, Map, MethodId, SlotId, Terminator};
use model::symbols::{Alternative, alternatives, edges};

use super::block::{BlockNo, FlatBlock, Step};
use super::regions::{FlatLoop, FlatRegion};
use super::silent::{Silent, silent};

/// The map, compiled.
#[derive(Debug)]
pub struct Program<'m> {
    /// What it was made from.
    pub map: &'m Map,
    pub(crate) blocks: Vec<FlatBlock>,
    pub(crate) calls: Vec<Call>,
    /// Where they lead: blocks.
    pub(crate) alternatives: Vec<Alternative>,
    /// First block of each method (`id - 1`), and one more at the end.
    pub(crate) first_block: Vec<u32>,
    pub(crate) guarded: Vec<bool>,
    /// Per method: nothing can happen between its entry and its exit (one block, no calls, no
    /// mark).
    leaf: Vec<bool>,
    /// Per method: what a call of it costs that meets no symbol.
    pub(crate) silent: Vec<Option<Silent>>,
    /// First block of each handler.
    pub(crate) handlers: Vec<BlockNo>,
    /// Where a slot's alternatives lead: method ids, 0 for *none* and *other*.
    pub(crate) slots: Vec<Vec<Alternative>>,
    pub(crate) next_callbacks: HashMap<MethodId, SlotId>,
    pub(crate) regions: Vec<FlatRegion>,
    pub(crate) loops: Vec<FlatLoop>,
    /// How distributions adapt, if they do.
    pub(crate) rule: Option<Rule>,
    /// Their cells at the beginning.
    pub(crate) cells: Vec<u16>,
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
        };
        // A build in which no branch adapts is one whose codec does not.
        p.rule = Rule::of(map.codec).filter(|_| !p.cells.is_empty());
        let mut layout = Layout::default();
        for m in &map.methods {
            let first = p.blocks.len() as u32;
            p.first_block.push(first);
            let at = |b: BlockId| BlockNo(first + b.0);
            for b in &m.blocks {
                let start = p.calls.len() as u32;
                p.calls.extend(b.calls.iter().map(|c| c.call));
                let step = match &b.terminator {
                    Terminator::Return => Step::Return,
                    Terminator::Throw => Step::Throw,
                    Terminator::Goto(t) if map.codec.records_gotos() => p.switch(&[], &[*t], at),
                    Terminator::Goto(t) => Step::Goto(at(*t)),
                    Terminator::Branch { alternatives, .. } => {
                        let cell = p.rule.and_then(|_| layout.place(alternatives.len()));
                        match (&alternatives[..], cell) {
                            (&[(a, _), (b, _)], Some(cell)) => Step::AdaptiveIf(cell, at(a), at(b)),
                            (&[(a, freq), (b, _)], None) if map.codec != Codec::Blocks => {
                                Step::If(freq, at(a), at(b))
                            }
                            _ => {
                                let (targets, freqs): (Vec<_>, Vec<_>) =
                                    alternatives.iter().copied().unzip();
                                match (cell, p.switch(&freqs, &targets, at)) {
                                    (Some(cell), Step::Switch { start, len }) => {
                                        Step::AdaptiveSwitch { cell: cell + 1, start, len }
                                    }
                                    (_, step) => step,
                                }
                            }
                        }
                    }
                };
                p.blocks.push(FlatBlock {
                    calls: (start, p.calls.len() as u32),
                    throws: b.throws,
                    mark: b.mark,
                    step,
                });
            }
            for region in &m.regions {
                let flat = FlatRegion::new(map.codec, m, region, first);
                p.blocks[flat.head.0 as usize].step = Step::Region(p.regions.len() as u32);
                p.regions.push(flat);
            }
            for l in &m.loops {
                let flat = FlatLoop::new(map.codec, m, l, first);
                p.blocks[flat.branch().0 as usize].step = Step::Loop(p.loops.len() as u32);
                p.loops.push(flat);
            }
        }
        p.first_block.push(p.blocks.len() as u32);
        p.silent = silent(&p.blocks, &p.calls, &p.first_block, &p.leaf);
        p.handlers = map
            .handlers
            .iter()
            .map(|h| BlockNo(p.first_block[h.method.0 as usize - 1] + h.block.0))
            .collect();
        for s in &map.slots {
            let callee = |i: usize| i.checked_sub(1).map_or(0, |i| s.callees[i].0);
            p.slots.push(alternatives(map.codec, &map.codec.symbols(&s.freqs), callee));
        }
        p
    }

    fn switch(
        &mut self,
        freqs: &[u16],
        targets: &[BlockId],
        at: impl Fn(BlockId) -> BlockNo,
    ) -> Step {
        let start = self.alternatives.len() as u32;
        self.alternatives.extend(edges(self.map.codec, freqs, targets, |i| at(targets[i]).0));
        Step::Switch { start, len: targets.len() as u32 }
    }

    /// First block of a method.
    #[inline]
    pub(crate) fn entry(&self, m: MethodId) -> BlockNo {
        BlockNo(self.first_block[m.0 as usize - 1])
    }

    #[inline]
    pub(crate) fn is_leaf(&self, m: MethodId) -> bool {
        self.leaf[m.0 as usize - 1]
    }

    /// The number of a method's block.
    pub(crate) fn number(&self, m: MethodId, block: u32) -> BlockNo {
        BlockNo(self.first_block[m.0 as usize - 1] + block)
    }

    /// Whether a block ends in a branch whose distribution adapts.
    pub(crate) fn adapts(&self, b: BlockNo) -> bool {
        matches!(self.blocks[b.0 as usize].step, Step::AdaptiveIf(..) | Step::AdaptiveSwitch { .. })
    }

    pub(crate) fn is_guarded(&self, m: MethodId) -> bool {
        self.guarded[m.0 as usize - 1]
    }

    /// The method that a block belongs to, and the block's number within it.
    pub fn locate(&self, b: BlockNo) -> (MethodId, usize) {
        let i = self.first_block.partition_point(|&f| f <= b.0);
        (MethodId(i as u32), (b.0 - self.first_block[i - 1]) as usize)
    }
}

fn is_leaf(entry: &Block) -> bool {
    entry.calls.is_empty() && !entry.mark && entry.terminator == Terminator::Return
}
