//! Contents of all registers at one program point (ART's `register_line.cc`).

use super::TypeProblem;
use super::kind::RegisterKind;
use crate::ids::TypeIdx;

/// Monitors that ART lets a method hold at once.
pub(super) const MAX_MONITORS: u32 = 32;

/// The registers at one place, and what else the verifier knows there.
#[derive(Debug, Clone)]
pub(super) struct RegisterLine {
    pub regs: Vec<RegisterKind>,
    /// By register: of which held monitors it has the object, as bits. Empty in methods without
    /// monitors.
    locks: Vec<u32>,
    /// Monitors held.
    pub depth: u32,
    /// In a constructor: whether the superclass's has run.
    pub constructed: bool,
    /// Result of the instruction before, for `move-result*`.
    pub result: Option<(RegisterKind, Option<RegisterKind>)>,
    /// The instruction before, as far as `monitor-enter` looks at it.
    pub before: Before,
}

/// The instructions before, if they show `monitor-enter` another register that holds the same
/// object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing.
    Other,
    /// A `move-object`: to and from.
    Moved(u16, u16),
    /// A `const-class`: to, and the class; and the register of one of that class right before.
    Class(u16, TypeIdx, Option<u16>),
}

impl Before {
    /// The other register that holds what one holds.
    fn alias(self, r: u16) -> Option<u16> {
        match self {
            Before::Moved(to, from) if from == r => Some(to),
            Before::Class(to, _, Some(first)) if to == r => Some(first),
            Before::Class(to, _, Some(first)) if first == r => Some(to),
            _ => None,
        }
    }
}

impl RegisterLine {
    pub fn new(registers: u16, monitors: bool) -> RegisterLine {
        RegisterLine {
            regs: vec![RegisterKind::Conflict; registers.into()],
            locks: vec![0; if monitors { registers.into() } else { 0 }],
            depth: 0,
            constructed: true,
            result: None,
            before: Before::Other,
        }
    }

    /// The same where a label stands: what only the next instruction could use is gone.
    pub fn at_label(&self) -> RegisterLine {
        RegisterLine { result: None, before: Before::Other, ..self.clone() }
    }

    pub fn set(&mut self, r: u16, kind: RegisterKind) {
        if let Some(to) = self.regs.get_mut(usize::from(r)) {
            *to = kind;
        }
        if let Some(to) = self.locks.get_mut(usize::from(r)) {
            *to = 0;
        }
    }

    /// A register holds what it held, but more is known of it.
    pub fn retype(&mut self, r: u16, kind: RegisterKind) {
        if let Some(to) = self.regs.get_mut(usize::from(r)) {
            *to = kind;
        }
    }

    /// Of which held monitors a register has the object, as bits.
    pub fn locks_of(&self, r: u16) -> u32 {
        self.locks.get(usize::from(r)).copied().unwrap_or(0)
    }

    pub fn set_locks(&mut self, r: u16, bits: u32) {
        if let Some(to) = self.locks.get_mut(usize::from(r)) {
            *to = bits;
        }
    }

    /// Takes the monitor of the object in a register; `false` when that is one too many.
    pub fn lock(&mut self, r: u16) -> bool {
        if self.depth >= MAX_MONITORS {
            return false;
        }
        for r in self.before.alias(r).into_iter().chain([r]) {
            if let Some(bits) = self.locks.get_mut(usize::from(r)) {
                *bits |= 1 << self.depth;
            }
        }
        self.depth += 1;
        true
    }

    /// Frees the monitor that was taken last; `false` when the register does not hold its object.
    pub fn unlock(&mut self, r: u16) -> bool {
        let Some(depth) = self.depth.checked_sub(1) else { return false };
        let holds = self.locks.get(usize::from(r)).is_some_and(|bits| bits >> depth & 1 == 1);
        // ART cannot follow null either.
        let holds = holds || self.regs.get(usize::from(r)).is_some_and(|k| k.is_zero());
        self.depth = depth;
        self.locks.iter_mut().for_each(|bits| *bits &= !(1 << depth));
        holds
    }

    /// An object's constructor ran: all registers that held it know.
    pub fn construct(&mut self, from: RegisterKind, to: RegisterKind) {
        self.regs.iter_mut().filter(|k| **k == from).for_each(|k| *k = to);
    }

    /// Merges the state of another path that arrives here; whether that changed anything.
    pub fn join(&mut self, other: &RegisterLine) -> Result<bool, TypeProblem> {
        if self.depth != other.depth {
            return Err(TypeProblem::MonitorsMeet);
        }
        let mut changed = self.constructed && !other.constructed;
        self.constructed &= other.constructed;
        for (mine, &theirs) in self.regs.iter_mut().zip(&other.regs) {
            if *mine != theirs {
                let joined = mine.join(theirs);
                changed |= joined != *mine;
                *mine = joined;
            }
        }
        for (mine, &theirs) in self.locks.iter_mut().zip(&other.locks) {
            let joined = *mine & theirs;
            changed |= joined != *mine;
            *mine = joined;
        }
        Ok(changed)
    }
}
