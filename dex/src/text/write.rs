//! Code to text.

use std::fmt;

use crate::code::debug::DebugEvent;
use crate::code::insn::{Args, Insn, Ref, RegList};
use crate::code::{Code, Handlers, Item, Node, Payload};
use crate::file::Dex;
use crate::ids::*;

use super::show::PoolNames;

/// A body as text, its references by name; see the [module](self::super) for the form.
pub fn code<'a>(dex: &'a Dex, code: &'a Code) -> impl fmt::Display + 'a {
    CodeText { names: PoolNames(Some(dex)), code }
}

/// As [`code`], with the positions of references instead of their names.
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        CodeText { names: PoolNames(None), code: self }.fmt(f)
    }
}

struct CodeText<'a> {
    names: PoolNames<'a>,
    code: &'a Code,
}

impl fmt::Display for CodeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CodeText { names, code } = *self;
        writeln!(f, ".code registers={} ins={} outs={}", code.registers, code.ins, code.outs)?;
        if let Some(header) = &code.debug {
            write!(f, ".debug line {} parameters", header.line_start)?;
            header
                .parameter_names
                .iter()
                .try_for_each(|name| write!(f, " {}", optional(names, *name)))?;
            writeln!(f)?;
        }
        let mut open = None;
        for (node, next) in code.nodes.iter().zip(next_tries(&code.nodes)) {
            // A range ends before the labels and lines of the first instruction outside.
            if open.is_some() && open != next {
                writeln!(f, "    .end try")?;
                open = None;
            }
            match &node.item {
                Item::Label(label) => writeln!(f, ":L{}", label.0)?,
                Item::Debug(event) => writeln!(f, "    {}", EventText { names, event })?,
                Item::Insn(insn) => {
                    if let Some(TryId(id)) = node.try_id.filter(|_| open != node.try_id) {
                        writeln!(f, "    .try {id}")?;
                        open = node.try_id;
                    }
                    writeln!(f, "    {}", InsnText { names, insn })?;
                }
            }
        }
        if open.is_some() {
            writeln!(f, "    .end try")?;
        }
        for (id, handlers) in code.tries.iter().enumerate() {
            writeln!(f, ".catch {id}{}", HandlersText { names, handlers })?;
        }
        for (id, payload) in code.payloads.iter().enumerate() {
            writeln!(f, ".payload {id} {payload}")?;
        }
        Ok(())
    }
}

/// For each node the try range of the first instruction from there on.
fn next_tries(nodes: &[Node]) -> Vec<Option<TryId>> {
    let mut next = None;
    let from_behind = nodes.iter().rev().map(|node| {
        if matches!(node.item, Item::Insn(_)) {
            next = node.try_id;
        }
        next
    });
    let mut tries: Vec<_> = from_behind.collect();
    tries.reverse();
    tries
}

fn optional(names: PoolNames<'_>, string: Option<StringIdx>) -> String {
    string.map_or_else(|| "-".into(), |string| names.string(string))
}

struct HandlersText<'a> {
    names: PoolNames<'a>,
    handlers: &'a Handlers,
}

impl fmt::Display for HandlersText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (ty, label) in &self.handlers.catches {
            write!(f, "{separator} {} :L{}", self.names.ty(*ty), label.0)?;
            separator = ",";
        }
        match self.handlers.catch_all {
            Some(label) => write!(f, "{separator} all :L{}", label.0),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Payload::PackedSwitch { first_key, targets } => {
                write!(f, "packed-switch {first_key}")?;
                targets.iter().try_for_each(|target| write!(f, " :L{}", target.0))
            }
            Payload::SparseSwitch { cases } => {
                write!(f, "sparse-switch")?;
                cases.iter().try_for_each(|(key, target)| write!(f, " {key}->:L{}", target.0))
            }
            Payload::FillArray { width, data } => {
                write!(f, "array-data {width}")?;
                data.iter().try_for_each(|byte| write!(f, " {byte:02x}"))
            }
        }
    }
}

pub(super) struct EventText<'a> {
    pub names: PoolNames<'a>,
    pub event: &'a DebugEvent,
}

impl fmt::Display for EventText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names;
        match self.event {
            DebugEvent::Line(line) => write!(f, ".line {line}"),
            DebugEvent::StartLocal { reg, name, ty, signature, extended } => {
                let ty = ty.map_or_else(|| "-".into(), |ty| names.ty(ty));
                write!(f, ".local {reg} {} {ty}", optional(names, *name))?;
                if *extended || signature.is_some() {
                    write!(f, " {}", optional(names, *signature))?;
                }
                Ok(())
            }
            DebugEvent::EndLocal(reg) => write!(f, ".end local {reg}"),
            DebugEvent::RestartLocal(reg) => write!(f, ".restart local {reg}"),
            DebugEvent::PrologueEnd => write!(f, ".prologue"),
            DebugEvent::EpilogueBegin => write!(f, ".epilogue"),
            DebugEvent::SetFile(name) => write!(f, ".file {}", optional(names, *name)),
        }
    }
}

/// The event as a line of [`code`], with positions instead of names.
impl fmt::Display for DebugEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        EventText { names: PoolNames(None), event: self }.fmt(f)
    }
}

impl fmt::Display for RegList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, reg) in self.iter().enumerate() {
            write!(f, "{}{reg}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str("}")
    }
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&PoolNames(None).reference(*self))
    }
}

/// The instruction as a line of [`code`], with positions instead of names.
impl fmt::Display for Insn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        InsnText { names: PoolNames(None), insn: self }.fmt(f)
    }
}

pub(super) struct InsnText<'a> {
    pub names: PoolNames<'a>,
    pub insn: &'a Insn,
}

impl fmt::Display for InsnText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names;
        let name = |r: Ref| names.reference(r);
        let (method, proto) = (|m| names.method(m), |p| names.proto(p));
        write!(f, "{}", self.insn.op)?;
        match self.insn.args {
            Args::None => Ok(()),
            Args::A(a) => write!(f, " {a}"),
            Args::AB(a, b) => write!(f, " {a}, {b}"),
            Args::ABC(a, b, c) => write!(f, " {a}, {b}, {c}"),
            Args::ALit(a, value) => write!(f, " {a}, {}", Literal(value)),
            Args::ABLit(a, b, value) => write!(f, " {a}, {b}, {value}"),
            Args::Jump(label) => write!(f, " :L{}", label.0),
            Args::AJump(a, label) => write!(f, " {a}, :L{}", label.0),
            Args::ABJump(a, b, label) => write!(f, " {a}, {b}, :L{}", label.0),
            Args::APayload(a, payload) => write!(f, " {a}, :P{}", payload.0),
            Args::ARef(a, r) => write!(f, " {a}, {}", name(r)),
            Args::ABRef(a, b, r) => write!(f, " {a}, {b}, {}", name(r)),
            Args::List(regs, r) => write!(f, " {regs}, {}", name(r)),
            Args::Range(first, count, r) => write!(f, " {}, {}", Range(first, count), name(r)),
            Args::PolyList(regs, m, p) => write!(f, " {regs}, {}, {}", method(m), proto(p)),
            Args::PolyRange(first, count, m, p) => {
                write!(f, " {}, {}, {}", Range(first, count), method(m), proto(p))
            }
        }
    }
}

/// A constant; larger ones in hexadecimal digits.
struct Literal(i64);

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            value @ -0xffff..=0xffff => write!(f, "{value}"),
            value if value < 0 => write!(f, "-{:#x}", value.unsigned_abs()),
            value => write!(f, "{value:#x}"),
        }
    }
}

/// First register and count: `{v3 .. v7}`; without registers, `{v3 ..}` keeps the first.
struct Range(Reg, u16);

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range(first, count) = *self;
        match count {
            0 => write!(f, "{{{first} ..}}"),
            1 => write!(f, "{{{first}}}"),
            _ => write!(f, "{{{first} .. v{}}}", u32::from(first.0) + u32::from(count) - 1),
        }
    }
}
