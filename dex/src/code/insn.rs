//! One Dalvik instruction, decoded: opcode plus operands, with labels instead of distances.

use crate::code::opcode::{Access, InsnFormat, Op, OperandRole, RefKind, RegKind};
use crate::ids::*;

/// The up to five registers of formats 35c and 45cc, each `v0`…`v15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RegList {
    len: u8,
    regs: [u8; 5],
}

impl RegList {
    /// A list of the given registers; `None` when there are more than five or one is above `v15`.
    pub fn new(regs: &[Reg]) -> Option<RegList> {
        let mut list =
            RegList { len: u8::try_from(regs.len()).ok().filter(|&n| n <= 5)?, regs: [0; 5] };
        for (slot, reg) in list.regs.iter_mut().zip(regs) {
            *slot = u8::try_from(reg.0).ok().filter(|&r| r < 16)?;
        }
        Some(list)
    }

    /// The registers in argument order.
    pub fn iter(&self) -> impl Iterator<Item = Reg> + '_ {
        self.regs[..self.len as usize].iter().map(|&r| Reg(r.into()))
    }

    /// Number of registers that the list names (a wide argument counts twice).
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// True if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Pool item that an instruction refers to. The opcode determines the legal variant.
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

/// The kinds of value a `move*` copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A 32-bit primitive: `move`.
    Single,
    /// A `long` or `double`: `move-wide`.
    Wide,
    /// A reference: `move-object`.
    Object,
}

impl Insn {
    /// `goto`, widened when lowered as its distance needs.
    pub fn goto(target: Label) -> Insn {
        Insn { op: Op::Goto, args: Args::Jump(target) }
    }

    /// The shortest `const*` that loads a 32-bit value (an `int`, the bits of a `float`, or null).
    /// `None` if the register is above `v255`.
    pub fn const_int(reg: Reg, value: i32) -> Option<Insn> {
        Insn::shortest(
            &[Op::Const4, Op::Const16, Op::ConstHigh16, Op::Const],
            Args::ALit(reg, value.into()),
        )
    }

    /// The shortest `const-wide*` that loads a 64-bit value. `None` when the register is above
    /// `v255`.
    pub fn const_wide(reg: Reg, value: i64) -> Option<Insn> {
        let ops = [Op::ConstWide16, Op::ConstWideHigh16, Op::ConstWide32, Op::ConstWide];
        Insn::shortest(&ops, Args::ALit(reg, value))
    }

    /// The shortest move that reaches both registers.
    pub fn copy(kind: MoveKind, to: Reg, from: Reg) -> Insn {
        let ops = match kind {
            MoveKind::Single => [Op::Move, Op::MoveFrom16, Op::Move16],
            MoveKind::Wide => [Op::MoveWide, Op::MoveWideFrom16, Op::MoveWide16],
            MoveKind::Object => [Op::MoveObject, Op::MoveObjectFrom16, Op::MoveObject16],
        };
        let args = Args::AB(to, from);
        Insn::shortest(&ops, args).unwrap_or(Insn { op: ops[2], args })
    }

    /// The first of `ops` that the operands fit.
    pub fn shortest(ops: &[Op], args: Args) -> Option<Insn> {
        ops.iter().map(|&op| Insn { op, args }).find(Insn::fits)
    }

    /// The label of a `goto` or `if-*`.
    pub fn label(&self) -> Option<Label> {
        match self.args {
            Args::Jump(label) | Args::AJump(_, label) | Args::ABJump(_, _, label) => Some(label),
            _ => None,
        }
    }

    /// The table of a 31t instruction.
    pub fn payload(&self) -> Option<PayloadId> {
        match self.args {
            Args::APayload(_, payload) => Some(payload),
            _ => None,
        }
    }

    /// The reference, for all instructions that have one; the method for `invoke-polymorphic`.
    pub fn reference(&self) -> Option<Ref> {
        match self.args {
            Args::ARef(_, r) | Args::ABRef(_, _, r) | Args::List(_, r) | Args::Range(_, _, r) => {
                Some(r)
            }
            Args::PolyList(_, method, _) | Args::PolyRange(_, _, method, _) => {
                Some(Ref::Method(method))
            }
            _ => None,
        }
    }

    /// The highest register that the instruction names; of a wide operand the second one. More than
    /// `u16::MAX` if that register has no number.
    pub fn highest_reg(&self) -> Option<u32> {
        let mut highest = None;
        self.visit_regs(|reg, role| {
            highest = highest.max(Some(u32::from(reg.0) + u32::from(role.is_wide())))
        });
        highest
    }

    /// Calls `f` with each register operand in order. A wide operand is named once, by its first
    /// register; the words of an argument list or range come one by one.
    pub fn visit_regs(&self, mut f: impl FnMut(Reg, OperandRole)) {
        const WORD: OperandRole = OperandRole { access: Access::Read, kind: RegKind::Word };
        let mut roles = self.op.roles().iter().copied();
        let mut operand = |reg| f(reg, roles.next().unwrap_or(WORD));
        match self.args {
            Args::None | Args::Jump(_) => {}
            Args::A(a)
            | Args::ALit(a, _)
            | Args::AJump(a, _)
            | Args::APayload(a, _)
            | Args::ARef(a, _) => operand(a),
            Args::AB(a, b)
            | Args::ABLit(a, b, _)
            | Args::ABJump(a, b, _)
            | Args::ABRef(a, b, _) => {
                operand(a);
                operand(b);
            }
            Args::ABC(a, b, c) => {
                operand(a);
                operand(b);
                operand(c);
            }
            Args::List(regs, _) | Args::PolyList(regs, ..) => regs.iter().for_each(operand),
            Args::Range(first, count, _) | Args::PolyRange(first, count, ..) => {
                (0..count).filter_map(|i| first.0.checked_add(i)).map(Reg).for_each(operand);
            }
        }
    }

    /// The register that the instruction writes, and the kind of the value.
    pub fn def(&self) -> Option<(Reg, RegKind)> {
        let mut def = None;
        self.visit_regs(|reg, role| {
            if role.access.writes() {
                def = Some((reg, role.kind));
            }
        });
        def
    }

    /// The registers that the instruction reads, and the kinds of value that it expects there.
    pub fn uses(&self) -> Vec<(Reg, RegKind)> {
        let mut uses = Vec::new();
        self.visit_regs(|reg, role| {
            if role.access.reads() {
                uses.push((reg, role.kind));
            }
        });
        uses
    }

    /// The instruction with its registers renumbered. A wide operand maps by its first register, a
    /// range by its first register alone (the caller makes sure that the others follow). `None`
    /// when the result does not fit the format.
    pub fn map_regs(&self, mut f: impl FnMut(Reg) -> Reg) -> Option<Insn> {
        let mut list = |regs: &RegList| {
            let mapped: Vec<Reg> = regs.iter().map(&mut f).collect();
            RegList::new(&mapped)
        };
        let args = match self.args {
            Args::None => Args::None,
            Args::Jump(label) => Args::Jump(label),
            Args::List(regs, r) => Args::List(list(&regs)?, r),
            Args::PolyList(regs, method, proto) => Args::PolyList(list(&regs)?, method, proto),
            Args::A(a) => Args::A(f(a)),
            Args::AB(a, b) => Args::AB(f(a), f(b)),
            Args::ABC(a, b, c) => Args::ABC(f(a), f(b), f(c)),
            Args::ALit(a, value) => Args::ALit(f(a), value),
            Args::ABLit(a, b, value) => Args::ABLit(f(a), f(b), value),
            Args::AJump(a, label) => Args::AJump(f(a), label),
            Args::ABJump(a, b, label) => Args::ABJump(f(a), f(b), label),
            Args::APayload(a, payload) => Args::APayload(f(a), payload),
            Args::ARef(a, r) => Args::ARef(f(a), r),
            Args::ABRef(a, b, r) => Args::ABRef(f(a), f(b), r),
            Args::Range(first, count, r) => Args::Range(f(first), count, r),
            Args::PolyRange(first, count, method, proto) => {
                Args::PolyRange(f(first), count, method, proto)
            }
        };
        Some(Insn { op: self.op, args }).filter(Insn::fits)
    }

    /// True if the operands have the shape of the opcode's format and their values fit it.
    /// Distances and indices are not checked: they are known when the list is lowered.
    pub fn fits(&self) -> bool {
        self.misfit().is_none()
    }

    /// The operand that [`fits`](Insn::fits) objects to.
    pub(crate) fn misfit(&self) -> Option<&'static str> {
        use InsnFormat::*;
        let below = |limit: u16, regs: &[Reg]| {
            if regs.iter().all(|reg| reg.0 < limit) { None } else { Some("a register is too high") }
        };
        let literal = |fits: bool| if fits { None } else { Some("the literal is too big") };
        let kind = |r: Ref| {
            if r.kind() == self.op.ref_kind() {
                None
            } else {
                Some("the reference is of another kind")
            }
        };
        let range = |first: Reg, count: u16| {
            if count > 255 {
                Some("more than 255 registers")
            } else if u32::from(first.0) + u32::from(count) > 1 << 16 {
                Some("the range ends above v65535")
            } else {
                None
            }
        };
        match (self.op.format(), self.args) {
            (F10x, Args::None) | (F10t | F20t | F30t, Args::Jump(_)) | (F32x, Args::AB(..)) => None,
            (F11x, Args::A(a)) | (F21t, Args::AJump(a, _)) | (F31t, Args::APayload(a, _)) => {
                below(256, &[a])
            }
            (F12x, Args::AB(a, b)) | (F22t, Args::ABJump(a, b, _)) => below(16, &[a, b]),
            (F22x, Args::AB(a, _)) => below(256, &[a]),
            (F23x, Args::ABC(a, b, c)) => below(256, &[a, b, c]),
            (F11n, Args::ALit(a, value)) => below(16, &[a]).or(literal((-8..8).contains(&value))),
            (F21s, Args::ALit(a, value)) => {
                below(256, &[a]).or(literal(i16::try_from(value).is_ok()))
            }
            (F31i, Args::ALit(a, value)) => {
                below(256, &[a]).or(literal(i32::try_from(value).is_ok()))
            }
            (F51l, Args::ALit(a, _)) => below(256, &[a]),
            (F21h, Args::ALit(a, value)) => {
                let shift = if self.op == Op::ConstHigh16 { 16 } else { 48 };
                below(256, &[a]).or(literal(i64::from((value >> shift) as i16) << shift == value))
            }
            (F22b, Args::ABLit(a, b, value)) => {
                below(256, &[a, b]).or(literal(i8::try_from(value).is_ok()))
            }
            (F22s, Args::ABLit(a, b, value)) => {
                below(16, &[a, b]).or(literal(i16::try_from(value).is_ok()))
            }
            (F21c | F31c, Args::ARef(a, r)) => below(256, &[a]).or(kind(r)),
            (F22c, Args::ABRef(a, b, r)) => below(16, &[a, b]).or(kind(r)),
            (F35c, Args::List(_, r)) => kind(r),
            (F3rc, Args::Range(first, count, r)) => range(first, count).or(kind(r)),
            (F45cc, Args::PolyList(..)) => None,
            (F4rcc, Args::PolyRange(first, count, ..)) => range(first, count),
            _ => Some("the operands are of another format"),
        }
    }
}

impl Ref {
    /// The kind of the reference.
    pub fn kind(self) -> RefKind {
        match self {
            Ref::String(_) => RefKind::String,
            Ref::Type(_) => RefKind::Type,
            Ref::Field(_) => RefKind::Field,
            Ref::Method(_) => RefKind::Method,
            Ref::Proto(_) => RefKind::Proto,
            Ref::CallSite(_) => RefKind::CallSite,
            Ref::MethodHandle(_) => RefKind::MethodHandle,
        }
    }

    /// The pool and the position in it.
    pub(crate) fn pool_index(self) -> (PoolKind, u32) {
        match self {
            Ref::String(i) => (PoolKind::String, i.0),
            Ref::Type(i) => (PoolKind::Type, i.0),
            Ref::Field(i) => (PoolKind::Field, i.0),
            Ref::Method(i) => (PoolKind::Method, i.0),
            Ref::Proto(i) => (PoolKind::Proto, i.0),
            Ref::CallSite(i) => (PoolKind::CallSite, i.0),
            Ref::MethodHandle(i) => (PoolKind::MethodHandle, i.0),
        }
    }
}
