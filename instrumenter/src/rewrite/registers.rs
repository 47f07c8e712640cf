//! Scratch registers for probes.
//!
//! A probe needs two registers (the thread's state and one for constants), a method with regions or
//! counted loops one more, a method with handlers or a guard another (its frame number). They are
//! consecutive, so that the range forms of `invoke` reach them when they lie high:
//!
//! ```text
//! renumbered   v0 … locals | S X G F | parameters     when every instruction still fits its format
//! moved        v0 … locals | parameters | S X G F     else: a prologue moves the parameters down again
//! ```

use dex::MoveKind;
use dex::{Args, Code, Insn, Item, Reg};

/// The registers that probes may use.
#[derive(Debug, Clone, Copy)]
pub struct Scratch {
    /// Holds the thread's state from the entry probe on.
    pub state: Reg,
    /// For constants; free between probes.
    pub temp: Reg,
    /// PathTables decisions; meaningful only in methods that do.
    pub path: Reg,
    /// Holds the frame number, in the last of the registers; meaningful only in methods that need
    /// it.
    pub frame: Reg,
    /// Whether all of them are below `v16`.
    pub low: bool,
}

impl Scratch {
    /// With the state in this register.
    pub fn with_state(self, state: Reg) -> Scratch {
        Scratch { state, low: self.low && state.0 < 16, ..self }
    }
}

/// Registers where selected paths are counted: the path register, and one for constants.
pub const SELECTED: u16 = 2;

/// How space was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placement {
    /// Registers from here on became higher by this much.
    Renumbered { from: u16, by: u16 },
    /// The prologue moves parameters down.
    Moved { by: u16 },
}

/// Where the registers of the method and of its probes lie.
#[derive(Debug, Clone, Copy)]
pub struct RegisterLayout {
    /// The registers.
    pub scratch: Scratch,
    /// The first of those that inlined callees may use; they lie behind those of the probes.
    pub spare: Reg,
    placement: Placement,
}

/// The highest register that 8-bit operands reach.
const MAX_EIGHT_BIT: u16 = 255;

impl RegisterLayout {
    /// Lays out `count` registers: 1 is a temporary alone, 2 a state and a temporary, then the path
    /// register and the frame number, those of the two that are needed. `None` when they would lie
    /// above `v255`.
    pub fn find(code: &Code, count: u16) -> Option<RegisterLayout> {
        RegisterLayout::find_with_spare(code, count, 0)
    }

    /// Lays out `count` registers as [`RegisterLayout::find`] does, and for `spare` more behind
    /// them.
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

    /// A layout above all registers, wherever that is: for methods whose probes go through free
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

    /// The instruction with its registers where they are now.
    pub fn place(&self, insn: &Insn) -> Insn {
        match self.placement {
            Placement::Renumbered { from, by } => insn
                .map_regs(|r| if r.0 >= from { Reg(r.0 + by) } else { r })
                .expect("checked when the layout was found"),
            Placement::Moved { .. } => *insn,
        }
    }

    /// A register of the original method.
    pub fn place_reg(&self, r: Reg) -> Reg {
        match self.placement {
            Placement::Renumbered { from, by } if r.0 >= from => Reg(r.0 + by),
            _ => r,
        }
    }

    /// Moves that bring the parameters to where the method's code looks for them.
    pub fn prologue(&self, code: &Code, parameters: &[MoveKind]) -> Vec<Insn> {
        let Placement::Moved { by } = self.placement else { return Vec::new() };
        let mut to = code.registers - code.ins;
        let mut moves = Vec::new();
        for &kind in parameters {
            // Downwards in ascending order: a word is read before it is overwritten.
            moves.push(Insn::copy(kind, Reg(to), Reg(to + by)));
            to += if kind == MoveKind::Wide { 2 } else { 1 };
        }
        moves
    }
}

/// Whether all registers from here on can be so much higher.
pub(super) fn can_renumber(code: &Code, from: u16, by: u16) -> bool {
    let mut ok = code.registers.checked_add(by).is_some();
    for node in &code.nodes {
        let Item::Insn(insn) = &node.item else { continue };
        insn.visit_regs(|r, role| {
            // A pair that lies half below and half above would be torn apart.
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
