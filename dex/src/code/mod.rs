//! Code under edit: a list in which instructions, labels and debug positions are nodes.
//!
//! Insert a node anywhere; offsets, widths and tables follow when the list is lowered. Branches
//! name [`Label`]s, switch and array tables are [`Payload`]s of their own (one per user), and every
//! node knows the try range it lies in, so a probe put next to an instruction can share its
//! handlers.

pub mod debug;
pub mod error;
pub mod insn;
pub mod opcode;
pub mod raw;

use std::collections::HashMap;

use crate::code::debug::{DebugEvent, DebugHeader};
use crate::code::insn::{Args, Insn};
use crate::ids::*;

/// The handlers of a try range, tried in order (`encoded_catch_handler`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Handlers {
    /// Typed handlers.
    pub catches: Vec<(TypeIdx, Label)>,
    /// The handler for everything else.
    pub catch_all: Option<Label>,
}

impl Handlers {
    /// The labels of all handlers, in the order in which they are tried.
    pub fn labels(&self) -> impl Iterator<Item = Label> + '_ {
        self.catches.iter().map(|&(_, label)| label).chain(self.catch_all)
    }
}

/// The data of a 31t instruction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Payload {
    /// `packed-switch-payload`: consecutive keys from `first_key`.
    PackedSwitch {
        /// Key of the first target.
        first_key: i32,
        /// One target per key.
        targets: Vec<Label>,
    },
    /// `sparse-switch-payload`: keys ascending.
    SparseSwitch {
        /// Key and its target.
        cases: Vec<(i32, Label)>,
    },
    /// `fill-array-data-payload`.
    FillArray {
        /// Bytes per element: 1, 2, 4 or 8.
        width: u16,
        /// Little-endian elements; a whole number of them.
        data: Vec<u8>,
    },
}

/// Contents of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// An instruction.
    Insn(Insn),
    /// A target of branches and handlers.
    Label(Label),
    /// A source line or a change of local variables, effective from the next instruction on.
    Debug(DebugEvent),
}

/// One node of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Contents.
    pub item: Item,
    /// The try range an instruction lies in; `None` outside. Ignored on labels and debug events.
    pub try_id: Option<TryId>,
}

/// One method body under edit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Code {
    /// Registers used, parameters included.
    pub registers: u16,
    /// Words of incoming parameters; they arrive in the highest registers.
    pub ins: u16,
    /// Words of outgoing argument space.
    pub outs: u16,
    /// The list.
    pub nodes: Vec<Node>,
    /// Handlers by [`TryId`].
    pub tries: Vec<Handlers>,
    /// Tables by [`PayloadId`], written in this order. An instruction that shares its table with
    /// another gets a copy when the list is lowered.
    pub payloads: Vec<Payload>,
    /// Debug header: first line and parameter names; `None` when the method had no debug info, and
    /// then none is written, whatever events are in the list.
    pub debug: Option<DebugHeader>,
    /// The next unused label number.
    pub next_label: u32,
}

impl Code {
    /// A label that nothing uses yet.
    pub fn new_label(&mut self) -> Label {
        let label = Label(self.next_label);
        self.next_label += 1;
        label
    }

    /// The instruction of a node; `None` for labels and debug events.
    pub fn insn(&self, node: usize) -> Option<&Insn> {
        match &self.nodes.get(node)?.item {
            Item::Insn(insn) => Some(insn),
            _ => None,
        }
    }

    /// Positions and instructions in list order.
    pub fn insns(&self) -> impl Iterator<Item = (usize, &Insn)> {
        self.nodes.iter().enumerate().filter_map(|(at, node)| match &node.item {
            Item::Insn(insn) => Some((at, insn)),
            _ => None,
        })
    }

    /// True if the code has line numbers.
    pub fn has_lines(&self) -> bool {
        self.nodes.iter().any(|n| matches!(n.item, Item::Debug(DebugEvent::Line(_))))
    }

    /// Position of each label in [`nodes`](Code::nodes). Valid until the list changes.
    pub fn label_positions(&self) -> HashMap<Label, usize> {
        let labels = self.nodes.iter().enumerate().filter_map(|(at, node)| match node.item {
            Item::Label(label) => Some((label, at)),
            _ => None,
        });
        labels.collect()
    }

    /// Every label that an instruction may jump to, in order: the target of a `goto` or `if-*`, the
    /// cases of a switch (repeated ones repeatedly). Falling through is not among them.
    pub fn targets(&self, insn: &Insn) -> Vec<Label> {
        if let Some(label) = insn.label() {
            return vec![label];
        }
        match insn.payload().and_then(|id| self.payloads.get(id.0 as usize)) {
            Some(Payload::PackedSwitch { targets, .. }) => targets.clone(),
            Some(Payload::SparseSwitch { cases }) => {
                cases.iter().map(|&(_, label)| label).collect()
            }
            Some(Payload::FillArray { .. }) | None => Vec::new(),
        }
    }

    /// Calls `f` with every occurrence of a label: label nodes, jumps, tables, handlers.
    pub fn visit_labels_mut(&mut self, mut f: impl FnMut(&mut Label)) {
        for node in &mut self.nodes {
            match &mut node.item {
                Item::Label(label) => f(label),
                Item::Insn(insn) => match &mut insn.args {
                    Args::Jump(label) | Args::AJump(_, label) | Args::ABJump(_, _, label) => {
                        f(label)
                    }
                    _ => {}
                },
                Item::Debug(_) => {}
            }
        }
        for payload in &mut self.payloads {
            match payload {
                Payload::PackedSwitch { targets, .. } => targets.iter_mut().for_each(&mut f),
                Payload::SparseSwitch { cases } => cases.iter_mut().for_each(|(_, label)| f(label)),
                Payload::FillArray { .. } => {}
            }
        }
        for handlers in &mut self.tries {
            handlers.catches.iter_mut().for_each(|(_, label)| f(label));
            handlers.catch_all.iter_mut().for_each(&mut f);
        }
    }
}
