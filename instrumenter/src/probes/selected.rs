//! Probes of builds that count selected paths: the path register holds a state of the automaton
//! ([`model::path_profiles::automaton`]), edges change the state, and an edge that completes a path
//! counts it. No other part of the protocol is used: no state of the thread, no tokens, no frames.

use dex::{Args, Insn, Item, Label, Op};
use model::map::BlockId;
use model::path_profiles::automaton::Automaton;
use model::path_profiles::operation::{Change, Leaf, Operation};

use crate::plan::subject::Subject;
use crate::probes::emitter::{Boundary, EdgeProbe, Emitter, items};
use crate::probes::probe::Probes;

/// Emitter of such a method.
pub(crate) struct SelectedProbes<'a> {
    pub probes: Probes<'a>,
    pub subject: &'a Subject,
    pub automaton: &'a Automaton,
    /// Index among the build's paths of each of the automaton's paths.
    pub cells: &'a [u32],
}

impl SelectedProbes<'_> {
    fn hits(&self, completes: &[u32]) -> Vec<Insn> {
        completes.iter().flat_map(|&p| self.probes.path_hit(self.cells[p as usize])).collect()
    }

    fn leaf(&self, leaf: &Leaf) -> Vec<Insn> {
        let mut out = self.hits(&leaf.completes);
        match leaf.change {
            Change::Set(number) => out.push(self.probes.set_path(number as i32)),
            Change::Add(more) => out.extend(self.probes.add(more as i32)),
        }
        out
    }

    /// Returns the code of an operation, with jumps only inside it.
    fn code(&self, operation: &Operation, new_label: &mut dyn FnMut() -> Label) -> Vec<Item> {
        let mut out = Vec::new();
        let mut end = None;
        self.write(operation, true, &mut end, new_label, &mut out);
        out.extend(end.map(Item::Label));
        out
    }

    /// Writes an operation. `last` is true if nothing follows it.
    fn write(
        &self,
        operation: &Operation,
        last: bool,
        end: &mut Option<Label>,
        new_label: &mut dyn FnMut() -> Label,
        out: &mut Vec<Item>,
    ) {
        match operation {
            Operation::Leaf(leaf) => {
                out.extend(items(self.leaf(leaf)));
                if !last {
                    let end = *end.get_or_insert_with(&mut *new_label);
                    out.push(Item::Insn(Insn::goto(end)));
                }
            }
            Operation::Split { below, less, rest } if less.is_nothing() => {
                let end_label = *end.get_or_insert_with(&mut *new_label);
                out.extend(items(self.probes.if_path(true, *below as i32, end_label)));
                self.write(rest, last, end, new_label, out);
            }
            Operation::Split { below, less, rest } if rest.is_nothing() => {
                let end_label = *end.get_or_insert_with(&mut *new_label);
                out.extend(items(self.probes.if_path(false, *below as i32, end_label)));
                self.write(less, last, end, new_label, out);
            }
            Operation::Split { below, less, rest } => {
                let others = new_label();
                out.extend(items(self.probes.if_path(false, *below as i32, others)));
                self.write(less, false, end, new_label, out);
                out.push(Item::Label(others));
                self.write(rest, last, end, new_label, out);
            }
        }
    }

    /// Returns the operation on the only edge out of a block, if it only changes the register.
    fn simple(&self, from: BlockId) -> Option<Leaf> {
        let [to] = self.subject.cfg.block(from).end.successors() else { return None };
        match Operation::new(&self.automaton.edge(from, *to)) {
            Operation::Leaf(leaf) if leaf.completes.is_empty() => Some(leaf),
            _ => None,
        }
    }
}

impl Emitter for SelectedProbes<'_> {
    fn outs(&self) -> u16 {
        1
    }

    fn begin(&self) -> Vec<Insn> {
        let begin = self.automaton.begin();
        let mut out = self.hits(&begin.completes);
        out.push(self.probes.set_path(begin.number as i32));
        out
    }

    fn block(&self, _: BlockId) -> Option<Insn> {
        None
    }

    fn edges(&self, from: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<EdgeProbe> {
        if self.simple(from).is_some() {
            return Vec::new();
        }
        let all = self.subject.cfg.block(from).end.successors();
        let edge = |&to: &BlockId| {
            let operation = Operation::new(&self.automaton.edge(from, to));
            let nothing = operation.is_nothing();
            let items = if nothing { Vec::new() } else { self.code(&operation, new_label) };
            EdgeProbe { items, ..EdgeProbe::default() }
        };
        all.iter().map(edge).collect()
    }

    fn branch(&self, _: BlockId) -> Vec<Insn> {
        Vec::new()
    }

    fn onward(&self, block: BlockId) -> Vec<Insn> {
        self.simple(block).map_or(Vec::new(), |leaf| self.leaf(&leaf))
    }

    fn caught(&self, _: u32, block: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<Item> {
        self.code(&Operation::new(&self.automaton.caught(block)), new_label)
    }

    fn exit(&self, block: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<Item> {
        self.code(&Operation::completions(self.automaton.exit(block)), new_label)
    }

    fn shares_exits(&self) -> bool {
        false
    }

    fn boundary(&self) -> Boundary {
        Boundary { begin: vec![], ..Boundary::default() }
    }
}

impl Probes<'_> {
    /// Jumps to a label if the path register is below a number from 1 on (or is not).
    fn if_path(&self, is_below: bool, number: i32, label: Label) -> Vec<Insn> {
        let s = self.scratch;
        let zero = |op, register| Insn { op, args: Args::AJump(register, label) };
        if number == 1 {
            return vec![zero(if is_below { Op::IfEqz } else { Op::IfNez }, s.path)];
        }
        if s.low {
            let op = if is_below { Op::IfLt } else { Op::IfGe };
            return vec![
                self.konst(number),
                Insn { op, args: Args::ABJump(s.path, s.temp, label) },
            ];
        }
        // Comparisons of two registers only reach v15.
        vec![
            self.konst(-number),
            Insn { op: Op::AddInt, args: Args::ABC(s.temp, s.temp, s.path) },
            zero(if is_below { Op::IfLtz } else { Op::IfGez }, s.temp),
        ]
    }
}
