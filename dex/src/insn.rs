//! One Dalvik instruction, decoded: opcode plus operands, with labels instead of distances.

use crate::code::{Label, PayloadId};
use crate::index::*;
use crate::opcode::Op;

/// A register number, `v0`…`v65535`. Wide values live in `Reg(n)` and `Reg(n + 1)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub u16);

/// The up to five registers of formats 35c and 45cc, each `v0`…`v15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RegList {
    len: u8,
    regs: [u8; 5],
}

impl RegList {
    /// A list of the given registers; `None` when there are more than five or one is above `v15`.
    pub fn new(regs: &[Reg]) -> Option<RegList> {
        let mut list = RegList { len: u8::try_from(regs.len()).ok().filter(|&n| n <= 5)?, regs: [0; 5] };
        for (slot, reg) in list.regs.iter_mut().zip(regs) {
            *slot = u8::try_from(reg.0).ok().filter(|&r| r < 16)?;
        }
        Some(list)
    }

    /// The registers in argument order.
    pub fn iter(&self) -> impl Iterator<Item = Reg> + '_ {
        self.regs[..self.len as usize].iter().map(|&r| Reg(r.into()))
    }

    /// How many registers the list names (a wide argument counts twice).
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// What an instruction refers to in the pools. Which variant is legal follows from the opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ref {
    /// A string (`const-string`).
    String(StringIdx),
    /// A type (`new-instance`, `check-cast`, …).
    Type(TypeIdx),
    /// A field (`iget`, `sput`, …).
    Field(FieldIdx),
    /// A method (`invoke-*`).
    Method(MethodIdx),
    /// A prototype (`const-method-type`).
    Proto(ProtoIdx),
    /// A call site (`invoke-custom`).
    CallSite(CallSiteIdx),
    /// A method handle (`const-method-handle`).
    MethodHandle(MethodHandleIdx),
}

/// The operands of an instruction, by shape. The exact format (and so the widths that the values
/// must fit) follows from the opcode: see [`Op::format`](crate::Op::format).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Args {
    /// 10x.
    None,
    /// 11x.
    A(Reg),
    /// 12x, 22x, 32x.
    AB(Reg, Reg),
    /// 23x.
    ABC(Reg, Reg, Reg),
    /// 11n, 21s, 21h, 31i, 51l. For 21h the value is the whole constant (low bits zero).
    ALit(Reg, i64),
    /// 22b, 22s.
    ABLit(Reg, Reg, i32),
    /// 10t, 20t, 30t.
    Jump(Label),
    /// 21t.
    AJump(Reg, Label),
    /// 22t.
    ABJump(Reg, Reg, Label),
    /// 31t: `packed-switch`, `sparse-switch`, `fill-array-data`.
    APayload(Reg, PayloadId),
    /// 21c, 31c.
    ARef(Reg, Ref),
    /// 22c.
    ABRef(Reg, Reg, Ref),
    /// 35c.
    List(RegList, Ref),
    /// 3rc: first register and count.
    Range(Reg, u16, Ref),
    /// 45cc: `invoke-polymorphic`.
    PolyList(RegList, MethodIdx, ProtoIdx),
    /// 4rcc: `invoke-polymorphic/range`: first register and count.
    PolyRange(Reg, u16, MethodIdx, ProtoIdx),
}

/// One instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Insn {
    /// The opcode.
    pub op: Op,
    /// Its operands; their shape agrees with `op.format()`.
    pub args: Args,
}
