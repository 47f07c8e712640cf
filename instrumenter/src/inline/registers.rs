//! Assigns registers of the caller to the registers of an inlined callee.

use dex::MoveKind;
use dex::{Args, Insn, Item, Op, Reg, RegList};

use crate::plan::by_subject::SubjectId;
use crate::plan::inlining::InlinedCall;
use crate::plan::subject::Subject;
use crate::rewrite::registers::RegisterLayout;

/// Position of a callee's register before the caller's registers are laid out.
#[derive(Debug, Clone, Copy)]
pub(super) enum DraftRegister {
    /// A register of the caller.
    Own(u16),
    /// An additional register of the caller.
    Spare(u16),
}

/// A call before the caller's registers are laid out.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    // The first fields are those of `InlinedCall`.
    pub node: usize,
    pub callee: SubjectId,
    pub places: Vec<DraftRegister>,
    pub copies: Vec<(MoveKind, DraftRegister, DraftRegister)>,
    pub result: Option<(usize, MoveKind, DraftRegister)>,
    pub inner: Vec<Draft>,
    /// Number of additional registers of the caller.
    pub spare: u16,
    /// Estimated growth of the caller, in instructions of ART's compiler.
    pub weight: usize,
}

/// Returns true if an instruction that uses the register has no form for one above `v15`.
pub(super) fn is_narrow(s: &Subject, register: u16) -> bool {
    s.code.nodes.iter().any(|node| {
        let Item::Insn(insn) = &node.item else { return false };
        placed(insn, &|r| if r.0 == register { Reg(u8::MAX.into()) } else { Reg(0) }).is_none()
    })
}

/// Registers of a callee that must stay adjacent, because an instruction or the call uses them as a
/// wide value.
pub(super) struct RegisterRuns {
    /// By register: true if the next one must follow it.
    glued: Vec<bool>,
    written: Vec<bool>,
}

impl RegisterRuns {
    /// Finds the runs of a callee.
    pub fn of(s: &Subject) -> RegisterRuns {
        let n = usize::from(s.code.registers);
        let mut runs = RegisterRuns { glued: vec![false; n], written: vec![false; n] };
        for node in &s.code.nodes {
            let Item::Insn(insn) = &node.item else { continue };
            insn.visit_regs(|r, role| {
                let high = role.is_wide().then(|| r.0.checked_add(1)).flatten();
                if let (Some(_), Some(glued)) = (high, runs.glued.get_mut(usize::from(r.0))) {
                    *glued = true;
                }
                for r in std::iter::once(r.0).chain(high) {
                    if let Some(written) = runs.written.get_mut(usize::from(r)) {
                        *written |= role.access.writes();
                    }
                }
            });
            if let Args::Range(first, count, _) = insn.args {
                // Malformed code uses registers that the method does not have.
                let glued = runs
                    .glued
                    .iter_mut()
                    .skip(first.0.into())
                    .take(usize::from(count).saturating_sub(1));
                glued.for_each(|g| *g = true);
            }
        }
        // A wide argument is passed as one value, whether or not anything reads it as one.
        let mut at = usize::from(s.code.registers - s.code.ins);
        for &kind in &s.parameters {
            if kind == MoveKind::Wide
                && let Some(glued) = runs.glued.get_mut(at)
            {
                *glued = true;
            }
            at += if kind == MoveKind::Wide { 2 } else { 1 };
        }
        runs
    }

    /// Returns true if one of `count` registers from `first` is written.
    pub fn writes(&self, first: u16, count: usize) -> bool {
        self.written[usize::from(first)..].iter().take(count).any(|&w| w)
    }

    /// Returns true if no wide value crosses the borders of `count` registers from `first`.
    pub fn stands_alone(&self, first: u16, count: usize) -> bool {
        let first = usize::from(first);
        let before = first.checked_sub(1).is_some_and(|r| self.glued[r]);
        !before && !self.glued[first + count - 1]
    }

    /// Returns the runs of all registers without a position.
    pub fn of_the_others(&self, places: &[Option<DraftRegister>]) -> Vec<std::ops::Range<u16>> {
        let mut runs = Vec::new();
        let mut start = 0;
        for r in 0..places.len() {
            if !self.glued[r] || r + 1 == places.len() {
                // Neighbours of a register with a position are not glued to it: a run has positions
                // for all of its registers or for none.
                if places[start].is_none() {
                    runs.push(start as u16..r as u16 + 1);
                }
                start = r + 1;
            }
        }
        runs
    }
}

impl Draft {
    /// Returns the call in a caller with this layout, or `None` if it needs too many registers.
    pub fn place(&self, layout: &RegisterLayout) -> Option<InlinedCall> {
        let at = |p: &DraftRegister| match *p {
            DraftRegister::Own(r) => Some(layout.place_reg(Reg(r))),
            DraftRegister::Spare(i) => layout.spare.0.checked_add(i).map(Reg),
        };
        Some(InlinedCall {
            node: self.node,
            callee: self.callee,
            places: self.places.iter().map(at).collect::<Option<_>>()?,
            copies: self
                .copies
                .iter()
                .map(|(kind, to, from)| Some(Insn::copy(*kind, at(to)?, at(from)?)))
                .collect::<Option<_>>()?,
            result: match &self.result {
                Some((n, kind, to)) => Some((*n, *kind, at(to)?)),
                None => None,
            },
            inner: self.inner.iter().map(|d| d.place(layout)).collect::<Option<_>>()?,
        })
    }
}

impl InlinedCall {
    /// Returns the callee with its registers renumbered for the caller, or `None` if an instruction
    /// cannot encode them.
    pub(super) fn apply(&self, callee: Subject) -> Option<Subject> {
        let mut s = callee;
        let replaced = |n: usize| {
            self.inner
                .iter()
                .any(|i| i.node == n || i.result.is_some_and(|(result, ..)| result == n))
        };
        for (n, node) in s.code.nodes.iter_mut().enumerate() {
            if let (Item::Insn(insn), false) = (&mut node.item, replaced(n)) {
                *insn = placed(insn, &|r| self.places.get(usize::from(r.0)).copied().unwrap_or(r))?;
            }
        }
        Some(s)
    }
}

/// Renumbers an instruction's registers, in a form that can encode them.
fn placed(insn: &Insn, place: &dyn Fn(Reg) -> Reg) -> Option<Insn> {
    if let Some(insn) = insn.map_regs(place) {
        return Some(insn);
    }
    match insn.args {
        Args::AB(a, b) => {
            let (to, from) = (place(a), place(b));
            let kind = match insn.op {
                Op::Move | Op::MoveFrom16 => MoveKind::Single,
                Op::MoveWide | Op::MoveWideFrom16 => MoveKind::Wide,
                Op::MoveObject | Op::MoveObjectFrom16 => MoveKind::Object,
                op => {
                    // `a op= b` becomes `a = a op b`: the same operations in the same order, 32
                    // opcodes before.
                    let is_short = (Op::AddInt2Addr.value()..=Op::RemDouble2Addr.value())
                        .contains(&op.value());
                    let op = Op::from_u8(op.value().checked_sub(0x20)?).filter(|_| is_short)?;
                    return Some(Insn { op, args: Args::ABC(to, to, from) }).filter(Insn::fits);
                }
            };
            Some(Insn::copy(kind, to, from))
        }
        Args::ALit(a, value) if insn.op == Op::Const4 => {
            Insn::const_int(place(a), i32::try_from(value).ok()?)
        }
        Args::ABLit(a, b, value) => {
            let (first, last) = (Op::AddIntLit16.value(), Op::XorIntLit16.value());
            let op = Op::from_u8(insn.op.value().checked_add(8)?)
                .filter(|_| (first..=last).contains(&insn.op.value()))?;
            Some(Insn { op, args: Args::ABLit(place(a), place(b), value) }).filter(Insn::fits)
        }
        Args::List(list, reference) => {
            let placed: Vec<Reg> = list.iter().map(place).collect();
            let first = *placed.first()?;
            let op = (insn.op == Op::InvokeStatic
                && placed.windows(2).all(|w| w[1].0 == w[0].0 + 1))
            .then_some(Op::InvokeStaticRange)?;
            debug_assert!(RegList::new(&placed).is_none());
            Some(Insn { op, args: Args::Range(first, placed.len() as u16, reference) })
                .filter(Insn::fits)
        }
        _ => None,
    }
}
