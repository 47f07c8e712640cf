//! Control-flow graphs of functions: basic blocks of one method's edit list, and their successors.
//!
//! A block begins at the method's start, at every label, and after every instruction that transfers
//! control; it ends with such an instruction or where the next block begins. Exceptions do not end
//! blocks: their edges run from every throwing instruction of a block to the handlers of its try
//! range, and are kept per block.

use dex::{Args, Code, Insn, Item, Label, Op, Payload};
use model::map::BlockId;

/// End of a block: its successors, distinct and in symbol order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockEnd {
    /// `return*`.
    Return,
    /// `throw`, or an instruction without a successor.
    Throw,
    /// One successor.
    Goto(BlockId),
    /// `if-*` or a switch with at least two distinct successors: the fallthrough first, then the
    /// others in the order in which the instruction names them.
    Branch(Vec<BlockId>),
}

impl BlockEnd {
    /// Returns the successors.
    pub fn successors(&self) -> &[BlockId] {
        match self {
            BlockEnd::Return | BlockEnd::Throw => &[],
            BlockEnd::Goto(b) => std::slice::from_ref(b),
            BlockEnd::Branch(all) => all,
        }
    }
}

/// A basic block.
#[derive(Debug, Clone)]
pub struct BasicBlock {
    /// Node of its first instruction.
    pub first: usize,
    /// Node of its last instruction.
    pub last: usize,
    /// End of the block.
    pub end: BlockEnd,
    /// Handler blocks that an exception inside can reach, ascending.
    pub handlers: Vec<BlockId>,
    /// In-edges: distinct alternatives of branches and gotos, the method's entry, exceptions.
    pub in_edges: u32,
    /// True if a try range names the block as a handler.
    pub is_handler: bool,
    /// True if an instruction inside may throw; such an instruction may also call a method, load a
    /// class or run a static initialiser.
    pub throws: bool,
    /// True if entering the block counts as progress: exceptions and calls in the block then differ
    /// from those in the blocks before it.
    pub mark: bool,
}

/// Control-flow graph of one method.
#[derive(Debug, Clone)]
pub struct Cfg {
    /// Blocks in list order; block 0 is the entry block.
    pub blocks: Vec<BasicBlock>,
    /// Block of each label.
    labels: Vec<Option<BlockId>>,
}

impl Cfg {
    /// Builds the graph, or returns `None` if the list has no instruction.
    pub fn build(code: &Code) -> Option<Cfg> {
        let mut blocks: Vec<BasicBlock> = Vec::new();
        let mut labels = vec![None; code.next_label as usize];
        let mut waiting: Vec<Label> = Vec::new();
        let mut open = false;
        for (n, node) in code.nodes.iter().enumerate() {
            match &node.item {
                Item::Label(l) => {
                    waiting.push(*l);
                    open = false;
                }
                Item::Debug(_) => {}
                Item::Insn(insn) => {
                    if !open {
                        let id = BlockId(blocks.len() as u32);
                        for l in waiting.drain(..) {
                            labels[l.0 as usize] = Some(id);
                        }
                        blocks.push(BasicBlock {
                            first: n,
                            last: n,
                            end: BlockEnd::Throw,
                            handlers: Vec::new(),
                            in_edges: 0,
                            is_handler: false,
                            throws: false,
                            mark: false,
                        });
                    }
                    let block = blocks.last_mut().expect("a block is open");
                    block.last = n;
                    block.throws |= may_throw(insn);
                    open = !ends_block(insn);
                }
            }
        }
        if blocks.is_empty() {
            return None;
        }
        let mut cfg = Cfg { blocks, labels };
        cfg.connect(code);
        cfg.place_marks(&|_| false);
        Some(cfg)
    }

    /// Marks blocks so that the decoder can place an exception or call: between two symbols,
    /// entries or exits, the decoder knows only the sequence of blocks that ran. A block that may
    /// throw gets a mark if it can follow another block that may throw without a symbol between
    /// them. `covered` blocks need no mark: the path register places what they throw, and a symbol
    /// follows them. A handler block is marked like any other: its mark counts if control reaches
    /// it by a plain edge.
    pub fn place_marks(&mut self, covered: &dyn Fn(BlockId) -> bool) {
        let covered: Vec<bool> =
            (0..self.blocks.len()).map(|b| covered(BlockId(b as u32))).collect();
        // By block: true if an instruction may have thrown since the last symbol when the block is
        // entered by gotos.
        let mut dirty = vec![false; self.blocks.len()];
        let mut work: Vec<usize> =
            (0..self.blocks.len()).filter(|&b| self.blocks[b].throws && !covered[b]).collect();
        while let Some(b) = work.pop() {
            if let BlockEnd::Goto(t) = self.blocks[b].end {
                let t = t.0 as usize;
                if !std::mem::replace(&mut dirty[t], true) && !self.blocks[t].throws {
                    work.push(t);
                }
            }
        }
        for ((block, dirty), covered) in self.blocks.iter_mut().zip(dirty).zip(covered) {
            block.mark = dirty && block.throws && !covered;
        }
    }

    /// Marks blocks for codec `pap`, whose branches are no symbols: a block gets a mark if it may
    /// run other code and can follow another such block on any path. `throws` then means that a
    /// block may run other code; exceptions name their blocks.
    pub fn place_marks_for_code(&mut self, runs: &dyn Fn(&BasicBlock) -> bool) {
        let runs: Vec<bool> = self.blocks.iter().map(runs).collect();
        let mut dirty = vec![false; self.blocks.len()];
        let mut work: Vec<usize> = (0..self.blocks.len()).filter(|&b| runs[b]).collect();
        while let Some(b) = work.pop() {
            for t in self.blocks[b].end.successors() {
                let t = t.0 as usize;
                if !std::mem::replace(&mut dirty[t], true) && !runs[t] {
                    work.push(t);
                }
            }
        }
        for ((block, dirty), runs) in self.blocks.iter_mut().zip(dirty).zip(runs) {
            block.throws = runs;
            block.mark = dirty && runs;
        }
    }

    /// Returns the block that a label begins, if an instruction follows the label.
    pub fn block_of(&self, label: Label) -> Option<BlockId> {
        self.labels.get(label.0 as usize).copied().flatten()
    }

    /// Returns the block with an id.
    pub fn block(&self, id: BlockId) -> &BasicBlock {
        &self.blocks[id.0 as usize]
    }

    fn connect(&mut self, code: &Code) {
        let count = self.blocks.len();
        let mut seen_try = vec![false; code.tries.len()];
        for b in 0..count {
            let block = &self.blocks[b];
            let next = (b + 1 < count).then(|| BlockId(b as u32 + 1));
            let end = self.end_of(code, block, next);
            let mut handlers = Vec::new();
            for node in &code.nodes[block.first..=block.last] {
                if let (Item::Insn(insn), Some(t)) = (&node.item, node.try_id)
                    && insn.op.can_throw()
                {
                    let h = &code.tries[t.0 as usize];
                    seen_try[t.0 as usize] = true;
                    handlers.extend(h.labels().filter_map(|l| self.block_of(l)));
                }
            }
            handlers.sort_unstable();
            handlers.dedup();
            for &s in end.successors().iter().chain(&handlers) {
                self.blocks[s.0 as usize].in_edges += 1;
            }
            self.blocks[b].end = end;
            self.blocks[b].handlers = handlers;
        }
        self.blocks[0].in_edges += 1;
        for h in &code.tries {
            for l in h.labels() {
                if let Some(b) = self.block_of(l) {
                    self.blocks[b.0 as usize].is_handler = true;
                }
            }
        }
    }

    fn end_of(&self, code: &Code, block: &BasicBlock, next: Option<BlockId>) -> BlockEnd {
        let Item::Insn(insn) = &code.nodes[block.last].item else { return BlockEnd::Throw };
        if insn.op.is_return() {
            return BlockEnd::Return;
        }
        if insn.op == Op::Throw {
            return BlockEnd::Throw;
        }
        let mut all: Vec<BlockId> = Vec::new();
        let mut add = |b: Option<BlockId>| {
            if let Some(b) = b.filter(|b| !all.contains(b)) {
                all.push(b);
            }
        };
        if insn.op.can_continue() {
            add(next);
        }
        match insn.args {
            Args::Jump(l) | Args::AJump(_, l) | Args::ABJump(_, _, l) => add(self.block_of(l)),
            Args::APayload(_, p) => {
                // A set keeps a switch with a thousand cases from costing a million comparisons.
                let mut known: std::collections::HashSet<BlockId> = all.iter().copied().collect();
                for b in
                    switch_targets(&code.payloads[p.0 as usize]).filter_map(|l| self.block_of(l))
                {
                    if known.insert(b) {
                        all.push(b);
                    }
                }
            }
            _ => {}
        }
        match all.len() {
            0 => BlockEnd::Throw,
            1 => BlockEnd::Goto(all[0]),
            _ => BlockEnd::Branch(all),
        }
    }
}

/// Returns the targets of a switch table in case order; array data has none.
pub fn switch_targets(payload: &Payload) -> impl Iterator<Item = Label> + '_ {
    let (packed, sparse): (&[Label], &[(i32, Label)]) = match payload {
        Payload::PackedSwitch { targets, .. } => (targets, &[]),
        Payload::SparseSwitch { cases } => (&[], cases),
        Payload::FillArray { .. } => (&[], &[]),
    };
    packed.iter().copied().chain(sparse.iter().map(|c| c.1))
}

/// Returns true if ART's verifier assumes that an instruction can throw: `monitor-exit` of a held
/// monitor throws nothing, and compilers let its try range lead anywhere.
pub fn may_throw(insn: &Insn) -> bool {
    insn.op.can_throw() && insn.op != Op::MonitorExit
}

fn ends_block(insn: &Insn) -> bool {
    !insn.op.can_continue() || insn.op.is_branch() || insn.op.is_switch()
}
