//! Rewrites a method with copies of its blocks.
//!
//! Copies keep the order of the method if possible; the others follow at its end. A copy's
//! exceptions lead to copies of its handlers.

use std::collections::{BTreeSet, HashMap};

use dex::debug::DebugEvent;
use dex::{Args, Code, Handlers, Insn, Item, Label, Node, Payload, Reg, TryId};
use model::map::BlockId;
use model::path_profiles::automaton::copies::{BlockCopy, Copies, CopyId};

use crate::analysis::cfg::{Cfg, may_throw};
use crate::analysis::protection::Monitors;
use crate::plan::subject::Subject;
use crate::rewrite::registers::RegisterLayout;

/// A block of the new code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopiedBlock {
    /// A copy.
    Copy(CopyId),
    /// Jump to the copy that follows a branch that is not taken.
    Onward(CopyId),
}

/// A method whose blocks are copied.
pub(crate) struct Copied {
    /// Subject with the new code; it has one register for probes, and no facts about monitors: no
    /// probe runs with a held monitor.
    pub subject: Subject,
    /// Origin of each block of its graph.
    pub parts: Vec<CopiedBlock>,
}

/// Copies the blocks.
pub(crate) fn copied(subject: &Subject, copies: &Copies) -> Copied {
    let mut writer = CopyWriter::new(subject, copies);
    let (order, main) = writer.order();
    for (i, &id) in order.iter().enumerate() {
        if i == main {
            writer.end_locals();
        }
        let before = i.checked_sub(1).map(|i| copies.copy(order[i]).block.0 + 1);
        let follows = before.unwrap_or(0) == copies.copy(id).block.0;
        writer.copy(id, order.get(i + 1).copied(), i < main, follows);
    }
    let CopyWriter { out, addresses, parts, .. } = writer;
    let mut cfg = Cfg::build(&out).expect("the entry's copy has instructions");
    cfg.blocks.iter_mut().for_each(|b| b.mark = false);
    debug_assert_eq!(cfg.blocks.len(), parts.len());
    let handlers = (0..).zip(&cfg.blocks).filter(|(_, b)| b.is_handler);
    let handlers = handlers.map(|(b, _)| BlockId(b)).collect();
    let layout = RegisterLayout::find(&out, 1);
    let subject = Subject {
        counted: Some(layout.map_or(subject.scratch_count(), |_| 1)),
        layout: layout.unwrap_or(subject.layout),
        addresses,
        cfg,
        handlers,
        monitors: Monitors::default(),
        branches: Vec::new(),
        code: out,
        ..subject.clone()
    };
    Copied { subject, parts }
}

struct CopyWriter<'a> {
    subject: &'a Subject,
    copies: &'a Copies,
    /// Label at the beginning of each copy.
    labels: Vec<Label>,
    /// Line that is valid before each node.
    lines: Vec<Option<u32>>,
    out: Code,
    addresses: Vec<u32>,
    parts: Vec<CopiedBlock>,
    /// Try ranges of copies, by the original range and the labels of its handlers.
    tries: HashMap<(TryId, Vec<Label>), TryId>,
    locals: BTreeSet<Reg>,
}

impl<'a> CopyWriter<'a> {
    fn new(subject: &'a Subject, copies: &'a Copies) -> CopyWriter<'a> {
        let code = &subject.code;
        let mut line = None;
        let lines = code.nodes.iter().map(|node| {
            let before = line;
            if let Item::Debug(DebugEvent::Line(n)) = node.item {
                line = Some(n);
            }
            before
        });
        let lines = lines.collect();
        let mut out = Code {
            registers: code.registers,
            ins: code.ins,
            outs: code.outs,
            debug: code.debug.clone(),
            next_label: code.next_label,
            ..Code::default()
        };
        let labels = copies.all.iter().map(|_| out.new_label()).collect();
        CopyWriter {
            subject,
            copies,
            labels,
            lines,
            out,
            addresses: Vec::new(),
            parts: Vec::new(),
            tries: HashMap::new(),
            locals: BTreeSet::new(),
        }
    }

    fn label(&self, id: CopyId) -> Label {
        self.labels[id.0 as usize]
    }

    /// Returns the copies in the order in which they are written, and the number of those at the
    /// position of their block.
    fn order(&self) -> (Vec<CopyId>, usize) {
        let of = self.copies.of_blocks();
        let mut order = vec![CopyId(0)];
        for block in 1..self.subject.cfg.blocks.len() as u32 {
            let block = BlockId(block);
            let Some(all) = of.get(&block) else { continue };
            let last = order.last().copied();
            let falls = last.and_then(|id| self.onward(id)).filter(|to| all.contains(to));
            let clean = all.iter().copied().find(|&id| self.copies.copy(id).is_clean);
            order.extend(falls.or(clean).or(all.first().copied()));
        }
        let main = order.len();
        let mut written: BTreeSet<CopyId> = order.iter().copied().collect();
        for id in (0..self.copies.all.len() as u32).map(CopyId) {
            let mut next = Some(id);
            while let Some(id) = next.filter(|&id| written.insert(id)) {
                order.push(id);
                next = self.onward(id);
            }
        }
        (order, main)
    }

    /// Returns the copy that follows without a jump.
    fn onward(&self, id: CopyId) -> Option<CopyId> {
        let copy = self.copies.copy(id);
        let last = self.subject.code.insn(self.subject.cfg.block(copy.block).last)?;
        let to = BlockId(copy.block.0 + 1);
        last.op.can_continue().then(|| self.way(copy, to)).flatten()
    }

    /// Returns the copy of a successor that a copy leads to.
    fn way(&self, copy: &BlockCopy, to: BlockId) -> Option<CopyId> {
        let all = self.subject.cfg.block(copy.block).end.successors();
        Some(copy.next[all.iter().position(|&b| b == to)?].to)
    }

    fn push(&mut self, item: Item, try_id: Option<TryId>, address: u32) {
        self.out.nodes.push(Node { item, try_id });
        self.addresses.push(address);
    }

    /// Writes a copy and, if `next` does not follow it, a jump there. `follows` is true if the
    /// previous copy is one of the previous block.
    fn copy(&mut self, id: CopyId, next: Option<CopyId>, in_place: bool, follows: bool) {
        let copy = self.copies.copy(id);
        let bounds = self.subject.cfg.block(copy.block);
        let before = copy.block.0.checked_sub(1);
        let begin = before.map_or(0, |b| self.subject.cfg.block(BlockId(b)).last + 1);
        let address = self.subject.addresses[bounds.first];
        self.push(Item::Label(self.label(id)), None, address);
        if let Some(line) = self.lines[begin].filter(|_| !follows) {
            self.push(Item::Debug(DebugEvent::Line(line)), None, address);
        }
        for n in begin..=bounds.last {
            let node = &self.subject.code.nodes[n];
            let address = self.subject.addresses[n];
            match &node.item {
                Item::Label(_) => {}
                Item::Debug(event) => {
                    let is_line = matches!(event, DebugEvent::Line(_));
                    if in_place {
                        self.note_local(event);
                    }
                    if in_place || is_line {
                        self.push(Item::Debug(event.clone()), None, address);
                    }
                }
                Item::Insn(insn) => {
                    let try_id = node.try_id.and_then(|t| self.range(copy, t, may_throw(insn)));
                    let insn = self.lead(copy, insn);
                    self.push(Item::Insn(insn), try_id, address);
                }
            }
        }
        self.parts.push(CopiedBlock::Copy(id));
        let Some(to) = self.onward(id).filter(|to| Some(*to) != next) else { return };
        let jump = Insn::goto(self.label(to));
        let last = self.subject.code.insn(bounds.last);
        if last.is_some_and(|i| i.op.is_branch() || i.op.is_switch()) {
            self.parts.push(CopiedBlock::Onward(to));
        }
        self.push(Item::Insn(jump), None, self.subject.addresses[bounds.last]);
    }

    /// Returns an instruction with its targets among the copies.
    fn lead(&mut self, copy: &BlockCopy, insn: &Insn) -> Insn {
        let to = |w: &Self, l: Label| {
            let block = w.subject.cfg.block_of(l);
            block.and_then(|b| w.way(copy, b)).map_or(l, |id| w.label(id))
        };
        let args = match insn.args {
            Args::Jump(l) => Args::Jump(to(self, l)),
            Args::AJump(a, l) => Args::AJump(a, to(self, l)),
            Args::ABJump(a, b, l) => Args::ABJump(a, b, to(self, l)),
            Args::APayload(a, p) => {
                let mut payload = self.subject.code.payloads[p.0 as usize].clone();
                match &mut payload {
                    Payload::PackedSwitch { targets, .. } => {
                        targets.iter_mut().for_each(|l| *l = to(self, *l));
                    }
                    Payload::SparseSwitch { cases } => {
                        cases.iter_mut().for_each(|c| c.1 = to(self, c.1));
                    }
                    Payload::FillArray { .. } => {}
                }
                self.out.payloads.push(payload);
                Args::APayload(a, dex::PayloadId(self.out.payloads.len() as u32 - 1))
            }
            args => args,
        };
        Insn { op: insn.op, args }
    }

    /// Returns the try range of a copy's instruction, or none if its handlers are unreachable.
    fn range(&mut self, copy: &BlockCopy, t: TryId, throws: bool) -> Option<TryId> {
        let subject = self.subject;
        let known = &subject.cfg.block(copy.block).handlers;
        let to = |l: Label| {
            let block = subject.cfg.block_of(l)?;
            let at = known.iter().position(|&h| h == block)?;
            Some(self.labels[copy.handlers[at].0 as usize])
        };
        let old = &subject.code.tries[t.0 as usize];
        let catches: Option<Vec<_>> =
            old.catches.iter().map(|&(ty, l)| Some((ty, to(l)?))).collect();
        let catch_all = old.catch_all.map(to);
        let (Some(catches), false) = (catches, catch_all == Some(None)) else {
            debug_assert!(!throws, "a throwing instruction's handlers are its block's");
            return None;
        };
        let handlers = Handlers { catches, catch_all: catch_all.flatten() };
        let labels = handlers.labels().collect();
        let out = &mut self.out;
        Some(*self.tries.entry((t, labels)).or_insert_with(|| {
            out.tries.push(handlers);
            TryId(out.tries.len() as u32 - 1)
        }))
    }

    fn note_local(&mut self, event: &DebugEvent) {
        match event {
            DebugEvent::StartLocal { reg, .. } | DebugEvent::RestartLocal(reg) => {
                self.locals.insert(*reg);
            }
            DebugEvent::EndLocal(reg) => {
                self.locals.remove(reg);
            }
            _ => {}
        }
    }

    /// After the method's own order the variables are unknown.
    fn end_locals(&mut self) {
        for reg in std::mem::take(&mut self.locals) {
            self.push(Item::Debug(DebugEvent::EndLocal(reg)), None, 0);
        }
    }
}
