//! Branches without history that get one probe: it comes before the branch and compares the same
//! registers. Probes on both edges would be more than twice as long.

use std::collections::{BTreeMap, BTreeSet};

use dex::verify::types::{Narrowing, narrowings};
use dex::{Args, Insn, Item, MoveKind, Op, Reg, RegKind};
use model::map::BlockId;

use crate::analysis::cfg::BlockEnd;
use crate::plan::regions::BlockRole;
use crate::plan::subject::Subject;

/// Comparison of a probe; registers are those of the woven code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compared {
    /// An `int` with 0.
    Zero(Reg),
    /// A reference with null.
    Null(Reg),
    /// An `int` below 0.
    Negative(Reg),
    /// An `int` above 0.
    Positive(Reg),
    /// Two equal `int`s.
    Same(Reg, Reg),
    /// Two equal references.
    SameObject(Reg, Reg),
    /// An `int` less than another.
    Less(Reg, Reg),
}

/// Comparison of a branch with two alternatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// The comparison.
    pub compared: Compared,
    /// Alternative (its position among the block's successors) that is taken if the comparison
    /// holds.
    pub holds: usize,
}

/// Finds the comparisons of a method that a probe can make before the branch.
pub(crate) struct Comparisons<'a> {
    subject: &'a Subject,
    kinds: RegisterKinds,
    /// Branches that ART's verifier examines together with the instruction before them: nothing may
    /// separate the two.
    narrowings: BTreeMap<usize, Narrowing>,
}

impl<'a> Comparisons<'a> {
    /// Analyses the whole method.
    pub fn new(subject: &'a Subject) -> Comparisons<'a> {
        let kinds = RegisterKinds::of(subject);
        Comparisons { subject, kinds, narrowings: narrowings(&subject.code) }
    }

    /// Returns the comparison at the end of a block, if a probe can make it as well.
    pub fn at(&self, block: BlockId) -> Option<Comparison> {
        let Comparisons { subject, kinds, narrowings } = self;
        let cfg = &subject.cfg;
        let bounds = cfg.block(block);
        let BlockEnd::Branch(ways) = &bounds.end else { return None };
        let plain = subject.paths.role(block) == BlockRole::Plain && subject.free.is_none();
        if !plain || ways.len() != 2 || narrowings.contains_key(&bounds.last) {
            return None;
        }
        let Item::Insn(insn) = &subject.code.nodes[bounds.last].item else { return None };
        let taken = cfg.block_of(insn.label()?)?;
        let taken = ways.iter().position(|&way| way == taken)?;
        let placed = |r: Reg| subject.placed(bounds.last, r);
        let kind = |r: Reg| kinds.before(subject, block, placed(r));
        let (compared, is_taken) = match insn.args {
            Args::AJump(a, _) if matches!(insn.op, Op::IfEqz | Op::IfNez) => {
                let compared = match kind(a)? {
                    ValueKind::Int => Compared::Zero(placed(a)),
                    ValueKind::Reference => Compared::Null(placed(a)),
                };
                (compared, insn.op == Op::IfEqz)
            }
            Args::AJump(a, _) => match insn.op {
                Op::IfLtz => (Compared::Negative(placed(a)), true),
                Op::IfGez => (Compared::Negative(placed(a)), false),
                Op::IfGtz => (Compared::Positive(placed(a)), true),
                Op::IfLez => (Compared::Positive(placed(a)), false),
                _ => return None,
            },
            Args::ABJump(a, b, _) => {
                let (at_a, at_b) = (placed(a), placed(b));
                match insn.op {
                    Op::IfLt => (Compared::Less(at_a, at_b), true),
                    Op::IfGe => (Compared::Less(at_a, at_b), false),
                    Op::IfGt => (Compared::Less(at_b, at_a), true),
                    Op::IfLe => (Compared::Less(at_b, at_a), false),
                    Op::IfEq | Op::IfNe => {
                        let compared = match (kind(a)?, kind(b)?) {
                            (ValueKind::Int, ValueKind::Int) => Compared::Same(at_a, at_b),
                            (ValueKind::Reference, ValueKind::Reference) => {
                                Compared::SameObject(at_a, at_b)
                            }
                            _ => return None,
                        };
                        (compared, insn.op == Op::IfEq)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Comparison { compared, holds: if is_taken { taken } else { 1 - taken } })
    }
}

/// Kind of the values that a register holds where it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    Int,
    Reference,
}

/// Kinds of the values that each register of a method holds, by all instructions that write it;
/// registers are those of the woven code.
#[derive(Debug, Default)]
struct RegisterKinds {
    ints: BTreeSet<Reg>,
    references: BTreeSet<Reg>,
}

impl RegisterKinds {
    /// Analyses all writes, and the parameters.
    fn of(subject: &Subject) -> RegisterKinds {
        let code = &subject.code;
        let mut kinds = RegisterKinds::default();
        let mut word = code.registers - code.ins;
        for kind in &subject.parameters {
            match kind {
                MoveKind::Single => kinds.ints.insert(subject.layout.place_reg(Reg(word))),
                MoveKind::Object => kinds.references.insert(subject.layout.place_reg(Reg(word))),
                MoveKind::Wide => false,
            };
            word += if *kind == MoveKind::Wide { 2 } else { 1 };
        }
        for (node, insn) in code.insns() {
            let Some((reg, kind)) = written(insn) else { continue };
            let reg = subject.placed(node, reg);
            match kind {
                WrittenValue::Kind(ValueKind::Int) => kinds.ints.insert(reg),
                WrittenValue::Kind(ValueKind::Reference) => kinds.references.insert(reg),
                // Zero is of both kinds, and no branch compares a wide value.
                WrittenValue::Zero | WrittenValue::Wide => false,
            };
        }
        kinds
    }

    /// Returns the kind of a register's value at the end of a block, or `None` if it is uncertain.
    fn before(&self, subject: &Subject, block: BlockId, reg: Reg) -> Option<ValueKind> {
        let bounds = subject.cfg.block(block);
        let last = (bounds.first..bounds.last).rev().find_map(|node| {
            let (to, what) = written(subject.code.insn(node)?)?;
            (subject.placed(node, to) == reg).then_some(what)
        });
        match last {
            Some(WrittenValue::Kind(kind)) => return Some(kind),
            Some(WrittenValue::Zero) => return Some(ValueKind::Int),
            Some(WrittenValue::Wide) => return None,
            None => {}
        }
        let this = subject.layout.place_reg(Reg(subject.code.registers - subject.code.ins));
        if subject.parameters.len() > subject.declared_parameters && reg == this {
            // In a constructor `this` may not be initialised yet.
            return None;
        }
        match (self.ints.contains(&reg), self.references.contains(&reg)) {
            (true, true) => None,
            (_, false) => Some(ValueKind::Int),
            (false, true) => Some(ValueKind::Reference),
        }
    }
}

/// Value that an instruction writes.
enum WrittenValue {
    Kind(ValueKind),
    /// `const 0`, which is also null.
    Zero,
    Wide,
}

fn written(insn: &Insn) -> Option<(Reg, WrittenValue)> {
    let (reg, kind) = insn.def()?;
    let what = match (kind, insn.args) {
        (RegKind::Any, Args::ALit(_, 0)) => WrittenValue::Zero,
        (RegKind::Object, _) => WrittenValue::Kind(ValueKind::Reference),
        (RegKind::Wide, _) => WrittenValue::Wide,
        _ => WrittenValue::Kind(ValueKind::Int),
    };
    Some((reg, what))
}
