//! Scratch registers for probes.
//!
//! A probe needs two registers (the thread's state and one for constants), a method with regions or
//! counted loops one more, a method with handlers or a guard another (its frame number). They are
//! consecutive, so that the range forms of `invoke` reach them if they are high:
//!
//! ```text
//! renumbered   v0 … locals | S X G F | parameters   if every instruction still fits its format
//! moved        v0 … locals | parameters | S X G F   else: a prologue moves the parameters down
//! ```

use dex::MoveKind;
use dex::{Args, Code, Insn, Item, Reg};

/// Registers that probes may use.
#[derive(Debug, Clone, Copy)]
pub struct Scratch {
    /// Holds the thread's state from the entry probe on.
    pub state: Reg,
    /// Holds constants; free between probes.
    pub temp: Reg,
    /// Holds decisions; meaningful only in methods with regions or counted loops.
    pub path: Reg,
    /// Holds the frame number, in the last of the registers; meaningful only in methods that need
    /// it.
    pub frame: Reg,
    /// True if all of them are below `v16`.
    pub low: bool,
}

impl Scratch {
    /// Returns the registers with the state in this one.
    pub fn with_state(self, state: Reg) -> Scratch {
        Scratch { state, low: self.low && state.0 < 16, ..self }
    }
}

/// Number of registers if selected paths are counted: the path register, and one for constants.
pub const SELECTED: u16 = 2;

/// Method by which registers were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placement {
    /// Registers from `from` on have numbers higher by `by`.
    Renumbered { from: u16, by: u16 },
    /// The prologue moves the parameters down by `by`.
    Moved { by: u16 },
}

/// Layout of the registers of a method and of its probes.
#[derive(Debug, Clone, Copy)]
pub struct RegisterLayout {
    /// Registers of the probes.
    pub scratch: Scratch,
    /// First register for inlined callees; they follow those of the probes.
    pub spare: Reg,
    placement: Placement,
}

/// The highest register that 8-bit operands reach.
const MAX_EIGHT_BIT: u16 = 255;

impl RegisterLayout {
    /// Lays out `count` registers: 1 is a temporary alone, 2 a state and a temporary, then the path
    /// register and the frame number, those of the two that are needed. Returns `None` if they
    /// would be above `v255`.
    pub fn find(code: &Code, count: u16) -> Option<RegisterLayout> {
        RegisterLayout::find_with_spare(code, count, 0)
    }

    /// Lays out `count` registers as [`RegisterLayout::find`] does, and `spare` more after them.
    pub fn find_with_spare(code: &Code, count: u16, spare: u16) -> Option<RegisterLayout> {
        let first_parameter = code.registers.checked_sub(code.ins)?;
        let by = count.checked_add(spare)?;
        code.registers.checked_add(by)?;
        let renumbered = can_renumber(code, first_parameter, by);
        let (base, placement) = if renumbered {
            (first_parameter, Placement::Renumbered { from: first_parameter, by })
        } else {
            (code.registers, Placement::Moved { by })
        };
        RegisterLayout::new(code, count, base, placement)
            .filter(|layout| layout.scratch.frame.0 <= MAX_EIGHT_BIT)
    }

    /// Lays out registers above all others, at any number: for methods whose probes use free
    /// registers ([`crate::rewrite::scavenge`]).
    pub fn find_high(code: &Code, count: u16) -> Option<RegisterLayout> {
        code.registers.checked_sub(code.ins)?;
        RegisterLayout::new(code, count, code.registers, Placement::Moved { by: count })
    }

    fn new(code: &Code, count: u16, base: u16, placement: Placement) -> Option<RegisterLayout> {
        let top = base.checked_add(count - 1)?;
        code.registers.checked_add(count)?;
        let scratch = Scratch {
            state: Reg(base),
            temp: Reg(top.min(base + 1)),
            path: Reg(top.min(base + 2)),
            frame: Reg(top),
            low: top < 16,
        };
        Some(RegisterLayout { scratch, spare: Reg(top.saturating_add(1)), placement })
    }

    /// Returns the instruction with its new registers.
    pub fn place(&self, insn: &Insn) -> Insn {
        match self.placement {
            Placement::Renumbered { from, by } => insn
                .map_regs(|r| if r.0 >= from { Reg(r.0 + by) } else { r })
                .expect("checked when the layout was found"),
            Placement::Moved { .. } => *insn,
        }
    }

    /// Returns the new register of an original one.
    pub fn place_reg(&self, r: Reg) -> Reg {
        match self.placement {
            Placement::Renumbered { from, by } if r.0 >= from => Reg(r.0 + by),
            _ => r,
        }
    }

    /// Returns moves of the parameters to the registers that the method's code expects.
    pub fn prologue(&self, code: &Code, parameters: &[MoveKind]) -> Vec<Insn> {
        let Placement::Moved { by } = self.placement else { return Vec::new() };
        let mut to = code.registers - code.ins;
        let mut moves = Vec::new();
        for &kind in parameters {
            // Downward moves in ascending order read a word before it is overwritten.
            moves.push(Insn::copy(kind, Reg(to), Reg(to + by)));
            to += if kind == MoveKind::Wide { 2 } else { 1 };
        }
        moves
    }
}

/// Returns true if all registers from `from` on can have numbers higher by `by`.
pub(super) fn can_renumber(code: &Code, from: u16, by: u16) -> bool {
    let mut ok = code.registers.checked_add(by).is_some();
    for node in &code.nodes {
        let Item::Insn(insn) = &node.item else { continue };
        insn.visit_regs(|r, role| {
            // A pair that crosses the border would be split.
            ok &= !(role.is_wide() && r.0.checked_add(1) == Some(from));
        });
        if let Args::Range(first, n, _) | Args::PolyRange(first, n, ..) = insn.args {
            ok &= first.0 >= from || u32::from(first.0) + u32::from(n) <= u32::from(from);
        }
        if !ok
            || insn
                .map_regs(|r| if r.0 >= from { Reg(r.0.saturating_add(by)) } else { r })
                .is_none()
        {
            return false;
        }
    }
    ok
}
