//! Function control-flow graphs: basic blocks of one method's edit list, and where each can go.
//!
//! A block begins at the method's start, at every label, and behind every instruction that moves
//! control; it ends with such an instruction or where the next block begins. Exceptions do not end
//! blocks: their edges run from every throwing instruction of a block to the handlers of its try
//! range, and are kept per block.

use dex::{Args, Code, Insn, Item, Label, Op, Payload};
use model::map::BlockId;

/// How a block hands on control, alternatives distinct and in symbol order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// `return*`.
    Return,
    /// `throw`, or nowhere to go.
    Throw,
    /// One successor.
    Goto(BlockId),
    /// `if-*` or a switch with at least two distinct successors: fallthrough first, then in order
    /// of first mention.
    Branch(Vec<BlockId>),
}

impl End {
    /// The successors.
    pub fn successors(&self) -> &[BlockId] {
        match self {
            End::Return | End::Throw => &[],
            End::Goto(b) => std::slice::from_ref(b),
            End::Branch(all) => all,
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
    /// How it ends.
    pub end: End,
    /// Handler blocks that an exception inside can reach, ascending.
    pub handlers: Vec<BlockId>,
    /// In-edges: distinct alternatives of branches and gotos, the method's entry, exceptions.
    pub in_edges: u32,
    /// Whether some try range names it as a handler.
    pub is_handler: bool,
    /// Whether some instruction inside may throw (and so also: call, load a class, run a static
    /// initialiser).
    pub throws: bool,
    /// Whether its entry counts as progress, so that what is thrown or called from it is
    /// distinguished from what is thrown or called from the blocks before it.
    pub mark: bool,
}

/// The graph of one method.
#[derive(Debug, Clone)]
pub struct Cfg {
    /// Blocks in list order; block 0 is the entry block.
    pub blocks: Vec<BasicBlock>,
    /// Block of each label.
    labels: Vec<Option<BlockId>>,
}

impl Cfg {
    /// Builds the graph. `None` when the list holds no instruction.
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
                            end: End::Throw,
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

    /// Between two symbols, entries or exits the decoder knows only the stretch of blocks that ran.
    /// A block that may throw and can follow, without a symbol, another one that may throw gets a
    /// mark. `covered` blocks need none: what is thrown in them is placed by the path register, and
    /// a symbol follows them. A handler block is marked like any other: its mark counts when
    /// control comes to it by plain succession.
    pub fn place_marks(&mut self, covered: &dyn Fn(BlockId) -> bool) {
        let covered: Vec<bool> =
            (0..self.blocks.len()).map(|b| covered(BlockId(b as u32))).collect();
        // Whether something may have thrown since the last symbol, at each block's entry by gotos.
        let mut dirty = vec![false; self.blocks.len()];
        let mut work: Vec<usize> =
            (0..self.blocks.len()).filter(|&b| self.blocks[b].throws && !covered[b]).collect();
        while let Some(b) = work.pop() {
            if let End::Goto(t) = self.blocks[b].end {
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

    /// Marks for codec `pap`, where branches are no symbols: blocks that may run other code, and
    /// can follow another such block on any path. That is what `throws` means then: exceptions name
    /// their blocks.
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

    /// The block that a label begins, if an instruction follows it.
    pub fn block_of(&self, label: Label) -> Option<BlockId> {
        self.labels.get(label.0 as usize).copied().flatten()
    }

    /// The block.
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
                    handlers.extend(
                        h.catches
                            .iter()
                            .map(|c| c.1)
                            .chain(h.catch_all)
                            .filter_map(|l| self.block_of(l)),
                    );
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
            for l in h.catches.iter().map(|c| c.1).chain(h.catch_all) {
                if let Some(b) = self.block_of(l) {
                    self.blocks[b.0 as usize].is_handler = true;
                }
            }
        }
    }

    fn end_of(&self, code: &Code, block: &BasicBlock, next: Option<BlockId>) -> End {
        let Item::Insn(insn) = &code.nodes[block.last].item else { return End::Throw };
        if insn.op.is_return() {
            return End::Return;
        }
        if insn.op == Op::Throw {
            return End::Throw;
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
                // A switch with a thousand cases must not cost a million comparisons.
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
            0 => End::Throw,
            1 => End::Goto(all[0]),
            _ => End::Branch(all),
        }
    }
}

/// The targets of a switch table in case order; nothing for array data.
pub fn switch_targets(payload: &Payload) -> impl Iterator<Item = Label> + '_ {
    let (packed, sparse): (&[Label], &[(i32, Label)]) = match payload {
        Payload::PackedSwitch { targets, .. } => (targets, &[]),
        Payload::SparseSwitch { cases } => (&[], cases),
        Payload::FillArray { .. } => (&[], &[]),
    };
    packed.iter().copied().chain(sparse.iter().map(|c| c.1))
}

/// Whether an exception can come from an instruction, as ART's verifier sees it: `monitor-exit` of
/// a held monitor throws nothing, and compilers let its try range lead anywhere.
pub fn may_throw(insn: &Insn) -> bool {
    insn.op.can_throw() && insn.op != Op::MonitorExit
}

fn ends_block(insn: &Insn) -> bool {
    !insn.op.can_continue() || insn.op.is_branch() || insn.op.is_switch()
}
