//! One instruction to code units: a single switch by format shape.

use crate::code::insn::{Args, Insn, RegList};
use crate::code::opcode::{InsnFormat, Op};
use crate::ids::Reg;

/// The operands that an [`Insn`] holds only by name, as numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Operands {
    /// Distance of a branch or table, in code units.
    pub distance: i32,
    /// Final index of the reference (of the method for `invoke-polymorphic`).
    pub index: u32,
    /// Final prototype index of `invoke-polymorphic`.
    pub proto: u32,
}

/// Appends the units of `insn`, whose values have been found to fit ([`Insn::misfit`]).
pub(super) fn encode(insn: &Insn, operands: Operands, out: &mut Vec<u16>) {
    use InsnFormat::*;
    let op = u16::from(insn.op.value());
    let Operands { distance, index, proto } = operands;
    let byte = |value: u16| op | value << 8;
    let nibbles = |a: Reg, b: u16| op | a.0 << 8 | b << 12;
    match insn.args {
        Args::None => out.push(op),
        Args::A(a) => out.push(byte(a.0)),
        Args::AB(a, b) => match insn.op.format() {
            F12x => out.push(nibbles(a, b.0)),
            F22x => out.extend([byte(a.0), b.0]),
            _ => out.extend([op, a.0, b.0]),
        },
        Args::ABC(a, b, c) => out.extend([byte(a.0), b.0 | c.0 << 8]),
        Args::ALit(a, value) => match insn.op.format() {
            F11n => out.push(nibbles(a, value as u16 & 15)),
            F21s => out.extend([byte(a.0), value as u16]),
            F21h if insn.op == Op::ConstHigh16 => out.extend([byte(a.0), (value >> 16) as u16]),
            F21h => out.extend([byte(a.0), (value >> 48) as u16]),
            F31i => out.extend([byte(a.0), value as u16, (value >> 16) as u16]),
            _ => {
                let [b, c, d, e] = [0, 16, 32, 48].map(|shift| (value >> shift) as u16);
                out.extend([byte(a.0), b, c, d, e]);
            }
        },
        Args::ABLit(a, b, value) => match insn.op.format() {
            F22b => out.extend([byte(a.0), b.0 | (value as u16) << 8]),
            _ => out.extend([nibbles(a, b.0), value as u16]),
        },
        Args::Jump(_) => match insn.op.format() {
            F10t => out.push(byte(distance as u16 & 0xff)),
            F20t => out.extend([op, distance as u16]),
            _ => out.extend([op, distance as u16, (distance >> 16) as u16]),
        },
        Args::AJump(a, _) => out.extend([byte(a.0), distance as u16]),
        Args::ABJump(a, b, _) => out.extend([nibbles(a, b.0), distance as u16]),
        Args::APayload(a, _) => out.extend([byte(a.0), distance as u16, (distance >> 16) as u16]),
        Args::ARef(a, _) => match insn.op.format() {
            F31c => out.extend([byte(a.0), index as u16, (index >> 16) as u16]),
            _ => out.extend([byte(a.0), index as u16]),
        },
        Args::ABRef(a, b, _) => out.extend([nibbles(a, b.0), index as u16]),
        Args::List(regs, _) => {
            let (first, third) = list(&regs);
            out.extend([op | first, index as u16, third]);
        }
        Args::Range(a, count, _) => out.extend([byte(count), index as u16, a.0]),
        Args::PolyList(regs, ..) => {
            let (first, third) = list(&regs);
            out.extend([op | first, index as u16, third, proto as u16]);
        }
        Args::PolyRange(a, count, ..) => out.extend([byte(count), index as u16, a.0, proto as u16]),
    }
}

/// Count and fifth register, and the first four registers.
fn list(regs: &RegList) -> (u16, u16) {
    let mut slots = [0; 5];
    for (slot, reg) in slots.iter_mut().zip(regs.iter()) {
        *slot = reg.0;
    }
    let [c, d, e, f, g] = slots;
    ((regs.len() as u16) << 12 | g << 8, c | d << 4 | e << 8 | f << 12)
}
