//! Transfer function of one instruction: the contents that it needs and those that it leaves.

use super::kind::{Declared, Fits, ObjectClass, RegisterKind};
use super::line::{Before, RegisterLine};
use super::{TypeFlow, TypeProblem};
use crate::code::insn::{Args, Insn, Ref};
use crate::code::opcode::Op;
use crate::file::EncodedValue;
use crate::ids::*;

type Checked<T = ()> = Result<T, TypeProblem>;

/// A kind of value with two registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wide {
    Any,
    Long,
    Double,
}

/// A kind of operand of arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Int,
    Long,
    Float,
    Double,
}

const LONG: (RegisterKind, RegisterKind) = (RegisterKind::LongLow, RegisterKind::LongHigh);
const DOUBLE: (RegisterKind, RegisterKind) = (RegisterKind::DoubleLow, RegisterKind::DoubleHigh);
const INT: RegisterKind = RegisterKind::Int(Fits::INT);

/// Takes one instruction; whether a register holds something else afterwards, or a monitor was
/// taken or freed.
pub(super) fn step(
    flow: &TypeFlow<'_>,
    line: &mut RegisterLine,
    node: usize,
    insn: &Insn,
) -> Checked<bool> {
    let mut highest = 0;
    insn.visit_regs(|r, role| {
        highest = highest.max(u32::from(r.0) + u32::from(role.is_wide()) + 1)
    });
    let registers = flow.code.registers;
    if highest > registers.into() {
        return Err(TypeProblem::Register { op: insn.op, reg: highest - 1, registers });
    }
    let mut step = Transfer { flow, line, op: insn.op, wrote: false };
    step.insn(node, insn)?;
    let wrote = step.wrote;
    if !insn.op.sets_result() {
        line.result = None;
    }
    line.before = match (insn.op, insn.args, line.before) {
        (Op::MoveObject | Op::MoveObjectFrom16 | Op::MoveObject16, Args::AB(to, from), _) => {
            Before::Moved(to.0, from.0)
        }
        (Op::ConstClass, Args::ARef(to, Ref::Type(ty)), before) => {
            let first = match before {
                Before::Class(first, same, _) if same == ty => Some(first),
                _ => None,
            };
            Before::Class(to.0, ty, first)
        }
        _ => Before::Other,
    };
    Ok(wrote)
}

struct Transfer<'a, 'b> {
    flow: &'a TypeFlow<'a>,
    line: &'b mut RegisterLine,
    op: Op,
    wrote: bool,
}

impl Transfer<'_, '_> {
    fn kind(&self, r: Reg) -> RegisterKind {
        self.line.regs.get(usize::from(r.0)).copied().unwrap_or(RegisterKind::Conflict)
    }

    fn wants<T>(&self, r: Reg, wanted: &'static str, found: Option<T>) -> Checked<T> {
        found.ok_or(TypeProblem::Kind { op: self.op, reg: r.0, wanted, found: self.kind(r).name() })
    }

    fn wants_that(&self, r: Reg, wanted: &'static str, holds: bool) -> Checked {
        self.wants(r, wanted, holds.then_some(()))
    }

    fn int(&self, r: Reg) -> Checked<Fits> {
        self.wants(r, "an int", self.kind(r).as_int())
    }

    fn float(&self, r: Reg) -> Checked {
        self.wants_that(r, "a float", self.kind(r).is_float())
    }

    /// An object whose constructor ran, or null.
    fn object(&self, r: Reg) -> Checked {
        self.wants_that(r, "an object", self.kind(r).is_object())
    }

    /// An object where one of a class is wanted; `is_class`: no interface.
    fn instance(&self, r: Reg, wanted: TypeIdx, is_class: bool) -> Checked {
        self.object(r)?;
        match self.kind(r) {
            RegisterKind::Ref(held) if self.flow.types.classes.excludes(held, wanted, is_class) => {
                let wanted = self.flow.types.dex.type_name(wanted).into_owned();
                Err(TypeProblem::Class { op: self.op, reg: r.0, wanted })
            }
            _ => Ok(()),
        }
    }

    /// An array, or null.
    fn array(&self, r: Reg) -> Checked<ObjectClass> {
        self.object(r)?;
        let class =
            if let RegisterKind::Ref(class) = self.kind(r) { class } else { ObjectClass::Unknown };
        self.wants_that(r, "an array", class != ObjectClass::Object)?;
        Ok(class)
    }

    fn wide(&self, r: Reg, wanted: Wide) -> Checked<(RegisterKind, RegisterKind)> {
        let low = self.kind(r);
        let (fits, name) = match wanted {
            Wide::Any => (true, "a long or a double"),
            Wide::Long => (!matches!(low, RegisterKind::DoubleLow), "a long"),
            Wide::Double => (!matches!(low, RegisterKind::LongLow), "a double"),
        };
        let is_low = matches!(
            low,
            RegisterKind::ConstLow
                | RegisterKind::LongLow
                | RegisterKind::DoubleLow
                | RegisterKind::WideLow
        );
        self.wants_that(r, name, fits && is_low)?;
        let pair = TypeProblem::Pair { op: self.op, reg: r.0 };
        let high = r.0.checked_add(1).map(|h| self.kind(Reg(h)));
        high.filter(|&high| low.pairs_with(high)).map(|high| (low, high)).ok_or(pair)
    }

    fn number(&self, r: Reg, kind: Number) -> Checked {
        match kind {
            Number::Int => self.int(r).map(|_| ()),
            Number::Long => self.wide(r, Wide::Long).map(|_| ()),
            Number::Float => self.float(r),
            Number::Double => self.wide(r, Wide::Double).map(|_| ()),
        }
    }

    fn put(&mut self, r: Reg, kind: RegisterKind) {
        if self.kind(r) != kind || self.flow.has_monitors {
            self.wrote = true;
        }
        self.line.set(r.0, kind);
    }

    fn put_wide(&mut self, r: Reg, (low, high): (RegisterKind, RegisterKind)) {
        self.put(r, low);
        if let Some(second) = r.0.checked_add(1) {
            self.put(Reg(second), high);
        }
    }

    fn put_number(&mut self, r: Reg, kind: Number) {
        match kind {
            Number::Int => self.put(r, INT),
            Number::Long => self.put_wide(r, LONG),
            Number::Float => self.put(r, RegisterKind::Float),
            Number::Double => self.put_wide(r, DOUBLE),
        }
    }

    fn put_declared(&mut self, r: Reg, ty: Declared) {
        match ty.kinds() {
            (low, Some(high)) => self.put_wide(r, (low, high)),
            (kind, None) => self.put(r, kind),
        }
    }

    /// A value that goes where a declared type is expected; ART is lenient among integers.
    fn value(&self, r: Reg, ty: TypeIdx) -> Checked {
        match self.flow.types.declared(ty) {
            Declared::Void => Ok(()),
            Declared::Int(_) => self.int(r).map(|_| ()),
            Declared::Float => self.float(r),
            Declared::Long => self.wide(r, Wide::Long).map(|_| ()),
            Declared::Double => self.wide(r, Wide::Double).map(|_| ()),
            Declared::Ref(_) => self.instance(r, ty, false),
        }
    }

    fn ty(&self, insn: &Insn) -> Declared {
        match insn.reference() {
            Some(Ref::Type(ty)) => self.flow.types.declared(ty),
            _ => Declared::Ref(ObjectClass::Unknown),
        }
    }

    fn class_of(&self, insn: &Insn) -> ObjectClass {
        if let Declared::Ref(class) = self.ty(insn) { class } else { ObjectClass::Unknown }
    }

    fn insn(&mut self, node: usize, insn: &Insn) -> Checked {
        use Op::*;
        let op = insn.op;
        match (op, insn.args) {
            (Nop | Goto | Goto16 | Goto32, _) => {}
            (Move | MoveFrom16 | Move16, Args::AB(to, from)) => {
                let kind = self.kind(from);
                self.wants_that(from, "an int or a float", kind.is_single())?;
                self.put(to, kind);
            }
            (MoveWide | MoveWideFrom16 | MoveWide16, Args::AB(to, from)) => {
                let pair = self.wide(from, Wide::Any)?;
                self.put_wide(to, pair);
            }
            (MoveObject | MoveObjectFrom16 | MoveObject16, Args::AB(to, from)) => {
                let kind = self.kind(from);
                self.wants_that(from, "a reference", kind.is_reference())?;
                if to != from {
                    // The copy is as good for a monitor as the original.
                    let locks = self.line.locks_of(from.0);
                    self.put(to, kind);
                    self.line.set_locks(to.0, locks);
                }
            }
            (MoveResult | MoveResultWide | MoveResultObject, Args::A(to)) => {
                self.move_result(to)?
            }
            (MoveException, Args::A(to)) => self.put(to, RegisterKind::REFERENCE),
            (ReturnVoid | Return | ReturnWide | ReturnObject, _) => self.leave(insn)?,
            (Const4 | Const16 | Const | ConstHigh16, Args::ALit(to, value)) => {
                self.put(to, RegisterKind::constant(value))
            }
            (ConstWide16 | ConstWide32 | ConstWide | ConstWideHigh16, Args::ALit(to, _)) => {
                self.put_wide(to, (RegisterKind::ConstLow, RegisterKind::ConstHigh));
            }
            (
                ConstString | ConstStringJumbo | ConstClass | ConstMethodHandle | ConstMethodType,
                Args::ARef(to, _),
            ) => {
                self.put(to, RegisterKind::REFERENCE);
            }
            (MonitorEnter | MonitorExit, Args::A(r)) => self.monitor(r)?,
            (CheckCast, Args::ARef(r, _)) => {
                self.object(r)?;
                let locks = self.line.locks_of(r.0);
                self.put(r, RegisterKind::Ref(self.class_of(insn)));
                self.line.set_locks(r.0, locks);
            }
            (InstanceOf, Args::ABRef(to, from, _)) => {
                self.object(from)?;
                self.put(to, RegisterKind::Int(Fits::BOOLEANS));
            }
            (ArrayLength, Args::AB(to, from)) => {
                self.array(from)?;
                self.put(to, INT);
            }
            (NewInstance, Args::ARef(to, _)) => {
                let fresh = RegisterKind::Fresh(node as u32);
                // What this instruction made the last time round is out of reach of any constructor
                // now.
                self.line.construct(fresh, RegisterKind::Conflict);
                self.wrote = true;
                self.put(to, fresh);
            }
            (NewArray, Args::ABRef(to, size, _)) => {
                self.int(size)?;
                self.put(to, RegisterKind::Ref(self.class_of(insn)));
            }
            (FilledNewArray | FilledNewArrayRange, _) => self.filled_new_array(insn)?,
            (FillArrayData, Args::APayload(r, _)) => self.array(r).map(|_| ())?,
            (Throw, Args::A(r)) => self.object(r)?,
            (PackedSwitch | SparseSwitch, Args::APayload(r, _)) => self.int(r).map(|_| ())?,
            (IfEq | IfNe, Args::ABJump(a, b, _)) => self.comparable(a, b)?,
            (IfLt | IfGe | IfGt | IfLe, Args::ABJump(a, b, _)) => {
                self.int(a)?;
                self.int(b)?;
            }
            (IfEqz | IfNez, Args::AJump(r, _)) => {
                let kind = self.kind(r);
                self.wants_that(
                    r,
                    "an int or a reference",
                    kind.as_int().is_some() || kind.is_reference(),
                )?;
            }
            (IfLtz | IfGez | IfGtz | IfLez, Args::AJump(r, _)) => self.int(r).map(|_| ())?,
            (_, Args::ABC(value, array, index))
                if (Aget.value()..=AputShort.value()).contains(&op.value()) =>
            {
                self.element(value, array, index)?;
            }
            (_, Args::ABRef(value, object, Ref::Field(f))) => {
                // A constructor may fill its own fields before the superclass's runs.
                if self.kind(object) != RegisterKind::This {
                    self.object(object)?;
                    let field = self.flow.types.dex.fields.items().get(f.index());
                    field.map_or(Ok(()), |f| self.instance(object, f.class, true))?;
                }
                self.field(value, f)?;
            }
            (_, Args::ARef(value, Ref::Field(f))) => self.field(value, f)?,
            _ if op.is_invoke() => self.invoke(insn)?,
            _ => self.arithmetic(insn)?,
        }
        Ok(())
    }

    fn move_result(&mut self, to: Reg) -> Checked {
        let wrong = TypeProblem::Result(self.op);
        match (self.op, self.line.result) {
            (Op::MoveResult, Some((kind, None))) if kind.is_single() => self.put(to, kind),
            (Op::MoveResultObject, Some((kind, None))) if kind.is_object() => self.put(to, kind),
            (Op::MoveResultWide, Some((low, Some(high)))) => self.put_wide(to, (low, high)),
            _ => return Err(wrong),
        }
        Ok(())
    }

    fn leave(&mut self, insn: &Insn) -> Checked {
        let wrong = TypeProblem::Return(self.op);
        match (self.op, self.flow.returns, insn.args) {
            (Op::ReturnVoid, Declared::Void, _) => {}
            (Op::Return, Declared::Float, Args::A(r)) => self.float(r)?,
            (Op::Return, Declared::Int(wanted), Args::A(r)) => {
                let kind = self.kind(r);
                let fits = self.int(r)?;
                // ART takes any `int` for a smaller type, and a `byte` for a `boolean`, but no
                // other smaller type.
                let fits = fits.within(wanted)
                    || matches!(kind, RegisterKind::Single)
                    || kind == INT
                    || (wanted == Fits::BOOLEANS && kind == RegisterKind::Int(Fits::BYTES));
                self.wants_that(r, "an int of the method's type", fits)?;
            }
            (Op::ReturnWide, Declared::Long, Args::A(r)) => self.number(r, Number::Long)?,
            (Op::ReturnWide, Declared::Double, Args::A(r)) => self.number(r, Number::Double)?,
            (Op::ReturnObject, Declared::Ref(_), Args::A(r)) => {
                self.instance(r, self.flow.return_type, false)?;
            }
            _ => return Err(wrong),
        }
        if self.flow.constructs && !self.line.constructed {
            return Err(TypeProblem::Unconstructed);
        }
        if self.line.depth > 0 {
            return Err(TypeProblem::Monitors { op: self.op, what: "a monitor is still held" });
        }
        Ok(())
    }

    fn monitor(&mut self, r: Reg) -> Checked {
        self.wants_that(r, "a reference", self.kind(r).is_reference())?;
        self.wrote = true;
        let (done, what) = match self.op {
            Op::MonitorEnter => (self.line.lock(r.0), "more monitors are held than ART counts"),
            _ => (
                self.line.unlock(r.0),
                "its register does not hold the object that was locked last",
            ),
        };
        if done { Ok(()) } else { Err(TypeProblem::Monitors { op: self.op, what }) }
    }

    fn filled_new_array(&mut self, insn: &Insn) -> Checked {
        let array = self.class_of(insn);
        for r in arguments(insn) {
            let kind = self.kind(r);
            let fits = match array.primitives() {
                Some(b'F') => kind.is_float(),
                Some(_) => kind.as_int().is_some(),
                None => kind.is_object(),
            };
            self.wants_that(r, "an element of the array", fits)?;
        }
        self.line.result = Some((RegisterKind::Ref(array), None));
        Ok(())
    }

    /// The operands of `if-eq` and `if-ne`.
    fn comparable(&self, a: Reg, b: Reg) -> Checked {
        let (first, second) = (self.kind(a), self.kind(b));
        let is_number = second.as_int().is_some();
        let fits = if first.is_zero() {
            is_number || second.is_reference()
        } else if first.is_reference() {
            second.is_reference()
        } else {
            self.int(a)?;
            is_number
        };
        self.wants_that(b, "something like the other operand", fits)
    }

    /// `aget*` and `aput*`.
    fn element(&mut self, value: Reg, array: Reg, index: Reg) -> Checked {
        use Op::*;
        self.int(index)?;
        let array = self.array(array)?;
        let element = array.primitives();
        match self.op {
            Aget => self.put(
                value,
                match element {
                    Some(b'I') => INT,
                    Some(b'F') => RegisterKind::Float,
                    _ => RegisterKind::Single,
                },
            ),
            AgetWide => self.put_wide(
                value,
                match element {
                    Some(b'J') => LONG,
                    Some(b'D') => DOUBLE,
                    _ => (RegisterKind::WideLow, RegisterKind::WideHigh),
                },
            ),
            AgetObject => {
                self.put(value, RegisterKind::Ref(self.flow.types.classes.element(array)));
            }
            AgetBoolean => self.put(value, RegisterKind::Int(Fits::BOOLEANS)),
            AgetByte => self.put(value, RegisterKind::Int(Fits::BYTES)),
            AgetChar => self.put(value, RegisterKind::Int(Fits::CHARS)),
            AgetShort => self.put(value, RegisterKind::Int(Fits::SHORTS)),
            Aput => match element {
                Some(b'I') => self.int(value).map(|_| ())?,
                Some(b'F') => self.float(value)?,
                _ => self.wants_that(value, "an int or a float", self.kind(value).is_single())?,
            },
            AputWide => {
                let wanted = match element {
                    Some(b'J') => Wide::Long,
                    Some(b'D') => Wide::Double,
                    _ => Wide::Any,
                };
                self.wide(value, wanted)?;
            }
            AputObject => self.object(value)?,
            _ => self.int(value).map(|_| ())?,
        }
        Ok(())
    }

    fn field(&mut self, value: Reg, f: FieldIdx) -> Checked {
        let field = self.flow.types.dex.fields.items().get(f.index());
        let ty = field.map(|f| f.ty).ok_or(TypeProblem::Malformed("a field is in no pool"))?;
        let op = self.op.value();
        let gets = (Op::Iget.value()..=Op::IgetShort.value()).contains(&op)
            || (Op::Sget.value()..=Op::SgetShort.value()).contains(&op);
        if !gets {
            return self.value(value, ty);
        }
        let ty = self.flow.types.declared(ty);
        // A body that reads a wide field with a narrow instruction would write a register that it
        // may not have.
        let is_wide = matches!(self.op, Op::IgetWide | Op::SgetWide);
        if is_wide != (ty.words() == 2) {
            return Err(TypeProblem::Malformed("an instruction for another kind of field"));
        }
        self.put_declared(value, ty);
        Ok(())
    }

    fn invoke(&mut self, insn: &Insn) -> Checked {
        let dex = self.flow.types.dex;
        let wrong = TypeProblem::Arguments(self.op);
        let malformed = TypeProblem::Malformed("a call of something that is in no pool");
        let is_static = matches!(self.op, Op::InvokeStatic | Op::InvokeStaticRange);
        let is_direct = matches!(self.op, Op::InvokeDirect | Op::InvokeDirectRange);
        let mut class = None;
        let (proto, receiver, constructs) = match (insn.args, insn.reference()) {
            (Args::PolyList(.., proto) | Args::PolyRange(.., proto), _) => (proto, true, false),
            (_, Some(Ref::Method(m))) => {
                let method = dex.methods.items().get(m.index()).ok_or(malformed.clone())?;
                // A call by an interface takes any object.
                class = matches!(self.op, Op::InvokeVirtual | Op::InvokeVirtualRange)
                    .then_some(method.class);
                (method.proto, !is_static, is_direct && self.flow.types.is_constructor(m))
            }
            (_, Some(Ref::CallSite(i))) => {
                match dex.call_sites.items().get(i.index()).and_then(|site| site.get(2)) {
                    Some(&EncodedValue::MethodType(proto)) => (proto, false, false),
                    _ => return Err(malformed),
                }
            }
            _ => return Err(malformed),
        };
        let proto = dex.protos.items().get(proto.index()).ok_or(malformed)?;
        let mut given = arguments(insn);
        if receiver {
            let this = given.next().ok_or(wrong.clone())?;
            match class {
                _ if constructs => self.constructor(this)?,
                Some(class) => self.instance(this, class, true)?,
                None => self.object(this)?,
            }
        }
        for &ty in &proto.parameters {
            let r = given.next().ok_or(wrong.clone())?;
            self.value(r, ty)?;
            if self.flow.types.declared(ty).words() == 2
                && given.next().map(|h| h.0) != r.0.checked_add(1)
            {
                return Err(TypeProblem::Pair { op: self.op, reg: r.0 });
            }
        }
        if given.next().is_some() {
            return Err(wrong);
        }
        let returns = self.flow.types.declared(proto.return_type);
        self.line.result = (returns != Declared::Void).then(|| returns.kinds());
        Ok(())
    }

    /// `this` of a constructor that is called.
    fn constructor(&mut self, this: Reg) -> Checked {
        let kind = self.kind(this);
        let fresh = matches!(kind, RegisterKind::Fresh(_) | RegisterKind::This);
        self.wants_that(this, "an object whose constructor has not run", fresh)?;
        self.line.construct(kind, RegisterKind::REFERENCE);
        self.line.constructed |= kind == RegisterKind::This;
        self.wrote = true;
        Ok(())
    }

    fn arithmetic(&mut self, insn: &Insn) -> Checked {
        use Number::*;
        use Op::*;
        let all = [Int, Long, Float, Double];
        match (insn.op, insn.args) {
            (CmplFloat | CmpgFloat | CmplDouble | CmpgDouble | CmpLong, Args::ABC(to, a, b)) => {
                let kind = match insn.op {
                    CmplFloat | CmpgFloat => Float,
                    CmpLong => Long,
                    _ => Double,
                };
                self.number(a, kind)?;
                self.number(b, kind)?;
                self.put(to, INT);
            }
            (NegInt | NotInt | NegLong | NotLong | NegFloat | NegDouble, Args::AB(to, from)) => {
                let kind = match insn.op {
                    NegInt | NotInt => Int,
                    NegLong | NotLong => Long,
                    NegFloat => Float,
                    _ => Double,
                };
                self.number(from, kind)?;
                self.put_number(to, kind);
            }
            (IntToByte | IntToChar | IntToShort, Args::AB(to, from)) => {
                self.int(from)?;
                let fits = match insn.op {
                    IntToByte => Fits::BYTES,
                    IntToChar => Fits::CHARS,
                    _ => Fits::SHORTS,
                };
                self.put(to, RegisterKind::Int(fits));
            }
            (op, Args::AB(to, from))
                if (IntToLong.value()..=DoubleToFloat.value()).contains(&op.value()) =>
            {
                // From each kind to the three others, in the order of the opcodes.
                let n = usize::from(op.value() - IntToLong.value());
                let source = all[n / 3];
                let target = all.into_iter().filter(|&k| k != source).nth(n % 3).unwrap_or(source);
                self.number(from, source)?;
                self.put_number(to, target);
            }
            (op, Args::ABC(to, a, b))
                if (AddInt.value()..=RemDouble.value()).contains(&op.value()) =>
            {
                self.binary(op.value() - AddInt.value(), to, a, b)?;
            }
            (op, Args::AB(a, b))
                if (AddInt2Addr.value()..=RemDouble2Addr.value()).contains(&op.value()) =>
            {
                self.binary(op.value() - AddInt2Addr.value(), a, a, b)?;
            }
            (op, Args::ABLit(to, from, value)) => {
                let fits = self.int(from)?;
                let logical = matches!(
                    op,
                    AndIntLit16 | OrIntLit16 | XorIntLit16 | AndIntLit8 | OrIntLit8 | XorIntLit8
                );
                let boolean = logical && fits.within(Fits::BOOLEANS) && (0..2).contains(&value);
                self.put(to, RegisterKind::Int(if boolean { Fits::BOOLEANS } else { Fits::INT }));
            }
            _ => return Err(TypeProblem::Malformed("operands of another format")),
        }
        Ok(())
    }

    /// Arithmetic by its number behind `add-int`.
    fn binary(&mut self, n: u8, to: Reg, a: Reg, b: Reg) -> Checked {
        let (kind, second) = match n {
            0..=10 => (Number::Int, Number::Int),
            19..=21 => (Number::Long, Number::Int),
            11..=18 => (Number::Long, Number::Long),
            22..=26 => (Number::Float, Number::Float),
            _ => (Number::Double, Number::Double),
        };
        self.number(a, kind)?;
        self.number(b, second)?;
        let boolean = |r| self.kind(r).as_int().is_some_and(|fits| fits.within(Fits::BOOLEANS));
        // and, or, xor
        if (5..=7).contains(&n) && boolean(a) && boolean(b) {
            self.put(to, RegisterKind::Int(Fits::BOOLEANS));
        } else {
            self.put_number(to, kind);
        }
        Ok(())
    }
}

/// The registers that a call names.
fn arguments(insn: &Insn) -> impl Iterator<Item = Reg> {
    let args = insn.args;
    (0..=u16::MAX).map_while(move |i| match args {
        Args::List(list, _) | Args::PolyList(list, ..) => list.iter().nth(i.into()),
        Args::Range(first, count, _) | Args::PolyRange(first, count, ..) if i < count => {
            first.0.checked_add(i).map(Reg)
        }
        _ => None,
    })
}
