//! Instruction widths: jumbo strings, then branches widened to a fixpoint.

use crate::code::error::CodeError;
use crate::code::insn::{Args, Insn, Ref};
use crate::code::opcode::Op;
use crate::code::{Code, Item};
use crate::file::index_map::IndexMap;
use crate::ids::{Label, PoolKind};

/// Encoding that an instruction gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As one instruction with this opcode.
    Plain(Op),
    /// An `if-*` out of reach: this opcode over a `goto/32`.
    InvertedIf(Op),
}

impl Form {
    fn units(self) -> u32 {
        match self {
            Form::Plain(op) => op.units(),
            Form::InvertedIf(op) => op.units() + Op::Goto32.units(),
        }
    }

    /// The form at least as wide that reaches `distance`; the same when it does already. A branch
    /// to itself needs `goto/32`: the distance 0 is not allowed in the narrower ones.
    fn reaching(self, distance: i64) -> Form {
        let byte = i8::try_from(distance).is_ok() && distance != 0;
        let short = i16::try_from(distance).is_ok() && distance != 0;
        match self {
            Form::Plain(Op::Goto) if byte => self,
            Form::Plain(Op::Goto | Op::Goto16) if short => Form::Plain(Op::Goto16),
            Form::Plain(Op::Goto | Op::Goto16) => Form::Plain(Op::Goto32),
            Form::Plain(op) if !short => op.inverted().map_or(self, Form::InvertedIf),
            _ => self,
        }
    }
}

/// One instruction of the list with its address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// Position in [`Code::nodes`].
    pub node: u32,
    /// Address in code units.
    pub at: u32,
    /// Encoding of the instruction.
    pub form: Form,
    /// The label that it jumps to.
    pub label: Option<Label>,
    /// The slot after that label.
    pub target: Option<u32>,
}

impl Slot {
    pub(super) fn units(&self) -> u32 {
        self.form.units()
    }
}

/// Addresses of all instructions and labels.
#[derive(Debug)]
pub(super) struct CodeLayout {
    /// Every instruction, in order.
    pub slots: Vec<Slot>,
    /// End of the instructions; tables come after.
    pub end: u32,
    /// Labels and the slot that follows each, sorted by label.
    labels: Vec<(Label, u32)>,
}

impl CodeLayout {
    pub(super) fn new(code: &Code, map: &IndexMap) -> Result<CodeLayout, CodeError> {
        let mut slots = Vec::with_capacity(code.nodes.len());
        let mut labels = Vec::new();
        for (node, item) in code.nodes.iter().enumerate() {
            match &item.item {
                Item::Debug(_) => {}
                Item::Label(label) => labels.push((*label, slots.len() as u32)),
                Item::Insn(insn) => {
                    if let Some(what) = insn.misfit() {
                        return Err(CodeError::Operand { node, op: insn.op, what });
                    }
                    let form = Form::Plain(final_op(insn, map)?);
                    slots.push(Slot {
                        node: node as u32,
                        at: 0,
                        form,
                        label: insn.label(),
                        target: None,
                    });
                }
            }
        }
        labels.sort_unstable();
        if let Some(pair) = labels.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(CodeError::DuplicateLabel { label: pair[0].0 });
        }
        let mut layout = CodeLayout { slots, end: 0, labels };
        layout.relax()?;
        Ok(layout)
    }

    fn relax(&mut self) -> Result<(), CodeError> {
        let mut branches = Vec::new();
        for i in 0..self.slots.len() {
            if let Some(label) = self.slots[i].label {
                self.slots[i].target = Some(self.slot(label)?);
                branches.push(i);
            }
        }
        // Forms only ever widen, so this ends.
        loop {
            self.place()?;
            let mut changed = false;
            for &i in &branches {
                let slot = self.slots[i];
                let target = slot.target.map_or(slot.at, |target| self.slots[target as usize].at);
                let form = slot.form.reaching(i64::from(target) - i64::from(slot.at));
                changed |= form != slot.form;
                self.slots[i].form = form;
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Assigns addresses.
    fn place(&mut self) -> Result<(), CodeError> {
        let mut at: u64 = 0;
        for slot in &mut self.slots {
            slot.at = at as u32;
            at += u64::from(slot.units());
            if at > i32::MAX as u64 {
                return Err(CodeError::TooLong { units: at });
            }
        }
        // An inverted branch skips over its goto: at the very end it needs something to skip to.
        // Such code cannot run (it would run off the end), but its targets are verified all the
        // same.
        let skips_out =
            self.slots.last().is_some_and(|slot| matches!(slot.form, Form::InvertedIf(_)));
        self.end = at as u32 + u32::from(skips_out);
        Ok(())
    }

    /// The slot after a label.
    pub(super) fn slot(&self, label: Label) -> Result<u32, CodeError> {
        let found = self.labels.binary_search_by_key(&label, |&(label, _)| label);
        let slot =
            found.ok().map(|i| self.labels[i].1).filter(|&slot| (slot as usize) < self.slots.len());
        slot.ok_or(CodeError::UnboundLabel { label })
    }

    /// The address of a label.
    pub(super) fn address(&self, label: Label) -> Result<u32, CodeError> {
        self.slot(label).map(|slot| self.slots[slot as usize].at)
    }
}

/// The opcode, upgraded when the final string index needs 32 bits.
fn final_op(insn: &Insn, map: &IndexMap) -> Result<Op, CodeError> {
    match (insn.op, insn.args) {
        (Op::ConstString, Args::ARef(_, Ref::String(string))) => {
            let wide = map.get(PoolKind::String, string.0)? > 0xffff;
            Ok(if wide { Op::ConstStringJumbo } else { Op::ConstString })
        }
        (op, _) => Ok(op),
    }
}
