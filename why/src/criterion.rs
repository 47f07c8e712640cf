//! The event that is explained, and the instructions that may have thrown an exception.

use dex::{Insn, Op, Ref, Reg};

/// The event to explain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Criterion {
    /// An exception of a thread.
    Exception {
        /// Its number in the thread, from 1; none: the last one that left the app's code, or the
        /// last one of all.
        number: Option<u64>,
        /// Facts about it from elsewhere, such as a stack trace.
        thrown: Thrown,
    },
    /// The last time that a line ran.
    Line {
        /// Name of the source file, `Network.java`.
        file: String,
        /// The line.
        line: u32,
    },
}

/// Facts about an exception that the log does not have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Thrown {
    /// Its class, `java.lang.NullPointerException`.
    pub class: Option<String>,
    /// Its message.
    pub message: Option<String>,
    /// The frames of its stack trace, innermost first.
    pub frames: Vec<ThrownFrame>,
}

/// A frame of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThrownFrame {
    /// `com.example.Network.up`.
    pub method: String,
    /// The line, if the trace has it.
    pub line: Option<u32>,
}

/// A cause of an exception that an instruction throws by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RuntimeFault {
    Null,
    Index,
    Size,
    Cast,
    Divide,
    Store,
}

impl RuntimeFault {
    /// The cause that the runtime's exceptions have; none for those that code throws.
    fn of_class(class: &str) -> Option<RuntimeFault> {
        Some(match class {
            "java.lang.NullPointerException" => RuntimeFault::Null,
            "java.lang.ArrayIndexOutOfBoundsException" => RuntimeFault::Index,
            "java.lang.NegativeArraySizeException" => RuntimeFault::Size,
            "java.lang.ClassCastException" => RuntimeFault::Cast,
            "java.lang.ArithmeticException" => RuntimeFault::Divide,
            "java.lang.ArrayStoreException" => RuntimeFault::Store,
            _ => return None,
        })
    }
}

/// True if instructions throw exceptions of this class by themselves.
pub(crate) fn is_of_instructions(class: &str) -> bool {
    RuntimeFault::of_class(class).is_some()
}

/// Registers whose values make an instruction throw an exception of this class, with the role of
/// each in words; none if it throws no such exception.
pub(crate) fn blamed(insn: &Insn, class: Option<&str>) -> Option<Vec<(Reg, &'static str)>> {
    let uses: Vec<Reg> = insn.uses().into_iter().map(|u| u.0).collect();
    let Some(fault) = class.and_then(RuntimeFault::of_class) else { return any(insn, &uses) };
    let name = insn.op.name();
    let array = name.starts_with("aget") || name.starts_with("aput");
    // `aget v, array, index`; `aput value, array, index`.
    let operands = if name.starts_with("aput") { uses.get(1..) } else { uses.get(..) };
    let operands = operands.unwrap_or_default();
    Some(match fault {
        RuntimeFault::Null => match object(insn, &uses) {
            Some(object) => vec![(object, "the object is null")],
            None => return thrown(insn, &uses),
        },
        RuntimeFault::Index if array => {
            let [array, index] = operands else { return None };
            vec![(*index, "the index"), (*array, "the array")]
        }
        RuntimeFault::Size if insn.op == Op::NewArray => vec![(*uses.first()?, "the size")],
        RuntimeFault::Cast if insn.op == Op::CheckCast => vec![(*uses.first()?, "the object")],
        RuntimeFault::Divide if name.starts_with("div-") || name.starts_with("rem-") => {
            vec![(*uses.last()?, "the divisor is 0")]
        }
        RuntimeFault::Store if insn.op == Op::AputObject => {
            vec![(*uses.first()?, "the element"), (*operands.first()?, "the array")]
        }
        _ => return thrown(insn, &uses),
    })
}

/// Of an exception that code throws: `throw`, or a call that threw.
fn thrown(insn: &Insn, uses: &[Reg]) -> Option<Vec<(Reg, &'static str)>> {
    (insn.op == Op::Throw).then(|| vec![(uses[0], "the exception")])
}

/// Of an exception of an unknown class.
fn any(insn: &Insn, uses: &[Reg]) -> Option<Vec<(Reg, &'static str)>> {
    if insn.op.is_invoke() {
        return Some(uses.iter().map(|&reg| (reg, "an argument")).collect());
    }
    thrown(insn, uses).or_else(|| {
        insn.op.can_throw().then(|| uses.iter().map(|&reg| (reg, "an operand")).collect())
    })
}

/// The register of the object that an instruction needs, if null makes it throw.
fn object(insn: &Insn, uses: &[Reg]) -> Option<Reg> {
    let name = insn.op.name();
    let first = uses.first().copied();
    match insn.reference() {
        Some(Ref::Method(_)) if !name.starts_with("invoke-static") => first,
        Some(Ref::Field(_)) if name.starts_with("iget") => first,
        Some(Ref::Field(_)) if name.starts_with("iput") => uses.last().copied(),
        _ if name.starts_with("aget") => first,
        _ if name.starts_with("aput") => uses.get(1).copied(),
        _ => matches!(insn.op, Op::ArrayLength | Op::MonitorEnter | Op::FillArrayData)
            .then_some(first)
            .flatten(),
    }
}

#[cfg(test)]
mod tests {
    use dex::Args;

    use super::*;

    const NULL: Option<&str> = Some("java.lang.NullPointerException");

    #[test]
    fn a_null_object_is_blamed_and_not_the_value_that_is_stored() {
        let field = Ref::Field(dex::FieldIdx(0));
        let put = Insn { op: Op::Iput, args: Args::ABRef(Reg(1), Reg(2), field) };
        assert_eq!(blamed(&put, NULL).unwrap()[0].0, Reg(2));
        let get = Insn { op: Op::Iget, args: Args::ABRef(Reg(1), Reg(2), field) };
        assert_eq!(blamed(&get, NULL).unwrap()[0].0, Reg(2));
        let store = Insn { op: Op::Aput, args: Args::ABC(Reg(1), Reg(2), Reg(3)) };
        assert_eq!(blamed(&store, NULL).unwrap()[0].0, Reg(2));
    }

    #[test]
    fn an_index_is_blamed_before_its_array() {
        let get = Insn { op: Op::Aget, args: Args::ABC(Reg(1), Reg(2), Reg(3)) };
        let class = Some("java.lang.ArrayIndexOutOfBoundsException");
        let registers: Vec<Reg> = blamed(&get, class).unwrap().iter().map(|b| b.0).collect();
        assert_eq!(registers, [Reg(3), Reg(2)]);
    }

    #[test]
    fn static_calls_and_additions_throw_no_null_pointer() {
        let add = Insn { op: Op::AddInt, args: Args::ABC(Reg(0), Reg(1), Reg(2)) };
        assert_eq!(blamed(&add, NULL), None);
        let regs = dex::RegList::new(&[Reg(1)]).unwrap();
        let method = Ref::Method(dex::MethodIdx(0));
        let call = Insn { op: Op::InvokeStatic, args: Args::List(regs, method) };
        assert_eq!(blamed(&call, NULL), None);
    }
}
