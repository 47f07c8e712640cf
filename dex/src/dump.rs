//! Edit lists as text, for debugging and golden tests.

use std::fmt;

use crate::code::{Code, Handlers, Item, Payload};
use crate::debug::DebugEvent;

/// One line per node; tries and tables follow.
///
/// ```text
/// .code registers=3 ins=1 outs=0
/// :L0
///     .line 12
///     if-eqz v2, :L1            ; try 0
///     …
/// .try 0 catch type@7 :L2, catch-all :L3
/// .payload 0 packed-switch 10 :L4 :L5
/// ```
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, ".code registers={} ins={} outs={}", self.registers, self.ins, self.outs)?;
        if let Some(header) = &self.debug {
            write!(f, ".debug line {} parameters", header.line_start)?;
            for name in &header.parameter_names {
                match name {
                    Some(name) => write!(f, " string@{}", name.0)?,
                    None => write!(f, " -")?,
                }
            }
            writeln!(f)?;
        }
        for node in &self.nodes {
            match &node.item {
                Item::Label(label) => writeln!(f, ":L{}", label.0)?,
                Item::Debug(event) => writeln!(f, "    {event}")?,
                Item::Insn(insn) => match node.try_id {
                    Some(id) => writeln!(f, "    {:<40} ; try {}", insn.to_string(), id.0)?,
                    None => writeln!(f, "    {insn}")?,
                },
            }
        }
        for (id, handlers) in self.tries.iter().enumerate() {
            writeln!(f, ".try {id} {handlers}")?;
        }
        for (id, payload) in self.payloads.iter().enumerate() {
            writeln!(f, ".payload {id} {payload}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (ty, label) in &self.catches {
            write!(f, "{separator}catch type@{} :L{}", ty.0, label.0)?;
            separator = ", ";
        }
        match self.catch_all {
            Some(label) => write!(f, "{separator}catch-all :L{}", label.0),
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

impl fmt::Display for DebugEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DebugEvent::Line(line) => write!(f, ".line {line}"),
            DebugEvent::StartLocal { reg, name, ty, signature, .. } => {
                write!(f, ".local {reg}")?;
                if let Some(name) = name {
                    write!(f, ", string@{}", name.0)?;
                }
                if let Some(ty) = ty {
                    write!(f, " : type@{}", ty.0)?;
                }
                if let Some(signature) = signature {
                    write!(f, " signature string@{}", signature.0)?;
                }
                Ok(())
            }
            DebugEvent::EndLocal(reg) => write!(f, ".end local {reg}"),
            DebugEvent::RestartLocal(reg) => write!(f, ".restart local {reg}"),
            DebugEvent::PrologueEnd => write!(f, ".prologue"),
            DebugEvent::EpilogueBegin => write!(f, ".epilogue"),
            DebugEvent::SetFile(Some(name)) => write!(f, ".source string@{}", name.0),
            DebugEvent::SetFile(None) => write!(f, ".source"),
        }
    }
}
