//! From in-memory pool positions to the indices of the written file.

use std::fmt;

use crate::code_error::CodeError;
use crate::debug::{DebugEvent, DebugHeader, DebugInfo};
use crate::decode::payload_units;
use crate::file::{CodeItem, Dex, RawHandlers};
use crate::index::*;
use crate::opcode::{INFO, Op, RefKind};

/// A pool of a DEX file that instructions index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named as in the specification")]
pub enum PoolKind {
    String,
    Type,
    Proto,
    Field,
    Method,
    CallSite,
    MethodHandle,
}

impl fmt::Display for PoolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PoolKind::String => "string",
            PoolKind::Type => "type",
            PoolKind::Proto => "proto",
            PoolKind::Field => "field",
            PoolKind::Method => "method",
            PoolKind::CallSite => "call site",
            PoolKind::MethodHandle => "method handle",
        })
    }
}

/// For each pool the final index of every in-memory position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexMap {
    /// Strings.
    pub strings: Vec<u32>,
    /// Types.
    pub types: Vec<u32>,
    /// Prototypes.
    pub protos: Vec<u32>,
    /// Fields.
    pub fields: Vec<u32>,
    /// Methods.
    pub methods: Vec<u32>,
    /// Call sites.
    pub call_sites: Vec<u32>,
    /// Method handles.
    pub method_handles: Vec<u32>,
}

impl IndexMap {
    /// The map that changes nothing, for the pools of `dex`.
    pub fn identity(dex: &Dex) -> IndexMap {
        let upto = |n: usize| (0..n as u32).collect();
        IndexMap {
            strings: upto(dex.strings.len()),
            types: upto(dex.types.len()),
            protos: upto(dex.protos.len()),
            fields: upto(dex.fields.len()),
            methods: upto(dex.methods.len()),
            call_sites: upto(dex.call_sites.len()),
            method_handles: upto(dex.method_handles.len()),
        }
    }

    /// The map that changes nothing, for pools of `n` items each.
    pub fn identity_of_size(n: u32) -> IndexMap {
        let all: Vec<u32> = (0..n).collect();
        IndexMap {
            strings: all.clone(),
            types: all.clone(),
            protos: all.clone(),
            fields: all.clone(),
            methods: all.clone(),
            call_sites: all.clone(),
            method_handles: all,
        }
    }

    /// The final indices of one pool.
    pub fn pool(&self, pool: PoolKind) -> &[u32] {
        match pool {
            PoolKind::String => &self.strings,
            PoolKind::Type => &self.types,
            PoolKind::Proto => &self.protos,
            PoolKind::Field => &self.fields,
            PoolKind::Method => &self.methods,
            PoolKind::CallSite => &self.call_sites,
            PoolKind::MethodHandle => &self.method_handles,
        }
    }

    /// The final index of position `index` of `pool`.
    pub fn get(&self, pool: PoolKind, index: u32) -> Result<u32, CodeError> {
        self.pool(pool).get(index as usize).copied().ok_or(CodeError::NotInPool { pool, index })
    }

    fn string(&self, index: Option<StringIdx>) -> Result<Option<StringIdx>, CodeError> {
        index.map(|s| self.get(PoolKind::String, s.0).map(StringIdx)).transpose()
    }

    /// A type in its final place.
    pub(crate) fn ty(&self, index: TypeIdx) -> Result<TypeIdx, CodeError> {
        self.get(PoolKind::Type, index.0).map(TypeIdx)
    }

    /// A debug header with final indices.
    pub(crate) fn header(&self, header: &DebugHeader) -> Result<DebugHeader, CodeError> {
        let names = header.parameter_names.iter().map(|&name| self.string(name));
        Ok(DebugHeader { line_start: header.line_start, parameter_names: names.collect::<Result<_, _>>()? })
    }

    /// A debug event with final indices.
    pub(crate) fn event(&self, event: &DebugEvent) -> Result<DebugEvent, CodeError> {
        Ok(match *event {
            DebugEvent::StartLocal { reg, name, ty, signature, extended } => DebugEvent::StartLocal {
                reg,
                name: self.string(name)?,
                ty: ty.map(|t| self.ty(t)).transpose()?,
                signature: self.string(signature)?,
                extended,
            },
            DebugEvent::SetFile(name) => DebugEvent::SetFile(self.string(name)?),
            ref other => other.clone(),
        })
    }
}

impl RefKind {
    /// The pool of the (first) index.
    pub fn pool(self) -> Option<PoolKind> {
        Some(match self {
            RefKind::None => return None,
            RefKind::String => PoolKind::String,
            RefKind::Type => PoolKind::Type,
            RefKind::Field => PoolKind::Field,
            RefKind::Method | RefKind::MethodAndProto => PoolKind::Method,
            RefKind::CallSite => PoolKind::CallSite,
            RefKind::MethodHandle => PoolKind::MethodHandle,
            RefKind::Proto => PoolKind::Proto,
        })
    }
}

/// Length and reference kind by opcode byte, packed for the linear pass. Unused opcodes count as
/// one unit without an index, as ART walks them.
static STEPS: [(u8, RefKind); 256] = {
    let mut steps = [(1, RefKind::None); 256];
    let mut i = 0;
    while i < 256 {
        if let Some(info) = &INFO[i] {
            steps[i] = (info.units, info.ref_kind);
        }
        i += 1;
    }
    steps
};

/// A copy of a body that is not under edit with the indices of the written file.
///
/// One linear pass patches the indices where they stand. Where that cannot work because a
/// `const-string` now needs a jumbo index, the body is decoded and lowered instead.
///
/// # Errors
/// An index outside its pool, or one that no longer fits its instruction.
pub fn remap_raw(item: &CodeItem, map: &IndexMap) -> Result<CodeItem, CodeError> {
    let mut insns = item.insns.clone();
    if !patch(&mut insns, map) {
        return crate::lower::lower(&crate::decode::decode(item)?, map);
    }
    let handlers = item.handlers.iter().map(|list| {
        let catches = list.catches.iter().map(|&(ty, target)| Ok((map.ty(ty)?, target)));
        Ok(RawHandlers { catches: catches.collect::<Result<_, CodeError>>()?, catch_all: list.catch_all })
    });
    let debug = item.debug.as_ref().map(|debug| remap_debug(debug, map)).transpose()?;
    Ok(CodeItem {
        registers: item.registers,
        ins: item.ins,
        outs: item.outs,
        insns,
        tries: item.tries.clone(),
        handlers: handlers.collect::<Result<_, CodeError>>()?,
        debug,
    })
}

/// Debug info with the indices of the written file.
pub fn remap_debug(debug: &DebugInfo, map: &IndexMap) -> Result<DebugInfo, CodeError> {
    let events = debug.events.iter().map(|(at, event)| Ok((*at, map.event(event)?)));
    Ok(DebugInfo { header: map.header(&debug.header)?, events: events.collect::<Result<_, CodeError>>()? })
}

/// Patches every index in place; `false` as soon as one is unknown or does not fit.
fn patch(insns: &mut [u16], map: &IndexMap) -> bool {
    let mut at = 0;
    while at < insns.len() {
        let unit = insns[at];
        let (units, kind) = STEPS[(unit & 0xff) as usize];
        if kind == RefKind::None {
            at += match unit {
                // A table among the instructions is not code.
                0x0100 | 0x0200 | 0x0300 => match payload_units(insns, at) {
                    Some(units) => units,
                    None => return false,
                },
                _ => units as usize,
            };
            continue;
        }
        if insns.len() - at < units as usize {
            return false;
        }
        let Some(pool) = kind.pool() else { return false };
        let table = map.pool(pool);
        if unit & 0xff == Op::ConstStringJumbo.value() as u16 {
            let old = insns[at + 1] as u32 | (insns[at + 2] as u32) << 16;
            let Some(&new) = table.get(old as usize) else { return false };
            insns[at + 1] = new as u16;
            insns[at + 2] = (new >> 16) as u16;
        } else {
            let Some(new) = patched(insns[at + 1], table) else { return false };
            insns[at + 1] = new;
            if kind == RefKind::MethodAndProto {
                let Some(new) = patched(insns[at + 3], &map.protos) else { return false };
                insns[at + 3] = new;
            }
        }
        at += units as usize;
    }
    true
}

fn patched(old: u16, table: &[u32]) -> Option<u16> {
    u16::try_from(*table.get(old as usize)?).ok()
}
