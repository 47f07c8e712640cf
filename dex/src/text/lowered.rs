//! Lowered code as text, code unit by code unit.

use std::collections::HashMap;
use std::fmt;

use crate::bodies::decode::decode_with_addresses;
use crate::code::Code;
use crate::code::error::CodeError;
use crate::code::opcode::InsnFormat;
use crate::code::raw::{RawInsn, RawKind, raw_insns};
use crate::file::{CodeItem, Dex};
use crate::ids::*;

use super::show::PoolNames;
use super::write::{EventText, InsnText};

/// A body that is not under edit as text, one instruction or table per line: its first code unit,
/// its units in hexadecimal digits, and what they mean. Labels are numbered by code units. Try
/// ranges, handlers and debug events follow with their code units. Four or more equal instructions
/// in a row are one line.
///
/// This form cannot be read back.
///
/// # Errors
/// Fails if the body cannot be decoded.
pub fn lowered<'a>(dex: &'a Dex, item: &'a CodeItem) -> Result<impl fmt::Display + 'a, CodeError> {
    let (mut code, addresses) = decode_with_addresses(item)?;
    let labels: HashMap<Label, u32> =
        code.label_positions().into_iter().map(|(label, node)| (label, addresses[node])).collect();
    code.visit_labels_mut(|label| label.0 = labels.get(label).copied().unwrap_or(u32::MAX));
    Ok(LoweredText { names: PoolNames(Some(dex)), item, code, addresses })
}

struct LoweredText<'a> {
    names: PoolNames<'a>,
    item: &'a CodeItem,
    /// The body decoded, each label with the number of its code unit.
    code: Code,
    addresses: Vec<u32>,
}

impl LoweredText<'_> {
    /// Meaning of each instruction and table, by its code unit.
    fn meanings(&self) -> HashMap<usize, String> {
        let mut meanings = HashMap::new();
        for (node, insn) in self.code.insns() {
            let at = self.addresses[node] as usize;
            meanings.insert(at, InsnText { names: self.names, insn }.to_string());
            if let Some(payload) = insn.payload() {
                debug_assert_eq!(insn.op.format(), InsnFormat::F31t);
                let unit = |i: usize| self.item.insns.get(at + i).copied().unwrap_or(0);
                let distance = (u32::from(unit(1)) | u32::from(unit(2)) << 16) as i32;
                let table = at as i64 + i64::from(distance);
                let meaning = format!(":P{} {}", payload.0, self.code.payloads[payload.0 as usize]);
                meanings.insert(table as usize, meaning);
            }
        }
        meanings
    }
}

impl fmt::Display for LoweredText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let item = self.item;
        writeln!(f, ".code registers={} ins={} outs={}", item.registers, item.ins, item.outs)?;
        let meanings = self.meanings();
        let mut insns = raw_insns(&item.insns).peekable();
        while let Some(insn) = insns.next() {
            let mut count = 1;
            if insn.kind != RawKind::Table {
                let same =
                    |next: &RawInsn| item.insns[next.at..next.end] == item.insns[insn.at..insn.end];
                let mut ahead = insns.clone();
                while ahead.next_if(same).is_some() {
                    count += 1;
                }
                if count >= 4 {
                    insns = ahead;
                } else {
                    count = 1;
                }
            }
            let shown: Vec<String> = item.insns[insn.at..insn.end]
                .iter()
                .take(16)
                .map(|unit| format!("{unit:04x}"))
                .collect();
            let more = if insn.end - insn.at > 16 { " …" } else { "" };
            let meaning = meanings.get(&insn.at).map_or("nop", String::as_str);
            write!(f, "{:>6}: {:<24}{more} {meaning}", insn.at, shown.join(" "))?;
            if count > 1 { writeln!(f, " ({count} times)")? } else { writeln!(f)? }
        }
        for range in &item.tries {
            let end = range.start + u32::from(range.len);
            writeln!(f, ".try {} .. {end} handlers {}", range.start, range.handlers)?;
        }
        for (i, list) in item.handlers.iter().enumerate() {
            let typed =
                list.catches.iter().map(|&(ty, at)| format!("{} :L{at}", self.names.ty(ty)));
            let all = typed.chain(list.catch_all.map(|at| format!("all :L{at}")));
            writeln!(f, ".handlers {i} {}", all.collect::<Vec<_>>().join(", "))?;
        }
        if let Some(debug) = &item.debug {
            writeln!(f, ".debug line {}", debug.header.line_start)?;
            for (at, event) in &debug.events {
                writeln!(f, "{at:>6}: {}", EventText { names: self.names, event })?;
            }
        }
        Ok(())
    }
}
