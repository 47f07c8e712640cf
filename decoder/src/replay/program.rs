//! The map, laid out for walking: flat arrays, no strings.

use std::collections::HashMap;

use model::map::{Block, Call, Map, MethodId, SlotId, Terminator};

use super::gather::{FlatLoop, FlatRegion};

/// A block of the whole program: position in [`Program::blocks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockNo(pub u32);

/// What the walk does at the end of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Return,
    Throw,
    Goto(BlockNo),
    /// Two alternatives: the first one's frequency, and where they lead.
    If(u16, BlockNo, BlockNo),
    /// Alternatives `start..start + len` in [`Program::alternatives`].
    Switch {
        start: u32,
        len: u32,
    },
    /// A fused region: position in [`Program::regions`].
    Region(u32),
    /// A counted loop: position in [`Program::loops`].
    Loop(u32),
}

/// A block: its calls (range of [`Program::calls`]) and its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatBlock {
    pub calls: (u32, u32),
    pub throws: bool,
    pub mark: bool,
    pub step: Step,
}

/// A slot's alternatives.
#[derive(Debug, Clone)]
pub(crate) struct FlatSlot {
    /// First value of each alternative, ascending; one more at the end: 65,535.
    pub cums: Vec<u16>,
    /// Callee of alternatives 1….
    pub callees: Vec<MethodId>,
}

/// The map, compiled.
#[derive(Debug)]
pub struct Program<'m> {
    /// What it was made from.
    pub map: &'m Map,
    pub(crate) blocks: Vec<FlatBlock>,
    pub(crate) calls: Vec<Call>,
    /// (first value, target); a switch's alternatives in order.
    pub(crate) alternatives: Vec<(u16, BlockNo)>,
    /// First block of each method (`id - 1`), and one more at the end.
    pub(crate) first_block: Vec<u32>,
    pub(crate) guarded: Vec<bool>,
    /// Per method: nothing can happen between its entry and its exit (one block, no calls, no mark).
    leaf: Vec<bool>,
    /// First block of each handler.
    pub(crate) handlers: Vec<BlockNo>,
    pub(crate) slots: Vec<FlatSlot>,
    pub(crate) idle: HashMap<MethodId, SlotId>,
    pub(crate) regions: Vec<FlatRegion>,
    pub(crate) loops: Vec<FlatLoop>,
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
            handlers: Vec::new(),
            slots: Vec::new(),
            idle: map.idle.iter().copied().collect(),
            regions: Vec::new(),
            loops: Vec::new(),
        };
        for m in &map.methods {
            let first = p.blocks.len() as u32;
            p.first_block.push(first);
            let at = |b: model::map::BlockId| BlockNo(first + b.0);
            for b in &m.blocks {
                let start = p.calls.len() as u32;
                p.calls.extend(b.calls.iter().map(|c| c.call));
                let step = match &b.terminator {
                    Terminator::Return => Step::Return,
                    Terminator::Throw => Step::Throw,
                    Terminator::Goto(t) => Step::Goto(at(*t)),
                    Terminator::Branch { alternatives, .. } => match alternatives[..] {
                        [(a, freq), (b, _)] => Step::If(freq, at(a), at(b)),
                        _ => {
                            let start = p.alternatives.len() as u32;
                            let mut cum = 0u16;
                            for &(t, freq) in alternatives {
                                p.alternatives.push((cum, at(t)));
                                cum += freq;
                            }
                            Step::Switch { start, len: alternatives.len() as u32 }
                        }
                    },
                };
                p.blocks.push(FlatBlock { calls: (start, p.calls.len() as u32), throws: b.throws, mark: b.mark, step });
            }
            for region in &m.regions {
                let flat = FlatRegion::new(m, region, first);
                p.blocks[flat.head.0 as usize].step = Step::Region(p.regions.len() as u32);
                p.regions.push(flat);
            }
            for l in &m.loops {
                let flat = FlatLoop::new(m, l, first);
                p.blocks[flat.branch().0 as usize].step = Step::Loop(p.loops.len() as u32);
                p.loops.push(flat);
            }
        }
        p.first_block.push(p.blocks.len() as u32);
        p.handlers = map.handlers.iter().map(|h| BlockNo(p.first_block[h.method.0 as usize - 1] + h.block.0)).collect();
        for s in &map.slots {
            let mut cums = vec![0];
            let mut sum = 0;
            for &f in &s.freqs {
                sum += f;
                cums.push(sum);
            }
            p.slots.push(FlatSlot { cums, callees: s.callees.clone() });
        }
        p
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
