//! Bodies with the indices of the written file.

use crate::code_error::CodeError;
use crate::debug::DebugInfo;
use crate::decode::decode;
use crate::file::{CodeItem, RawHandlers};
use crate::index_map::IndexMap;
use crate::lower::lower;
use crate::raw::{RawKind, raw_insns};

/// A copy of a body that is not under edit with the indices of the written file.
///
/// One linear pass patches the indices where they stand. Where that cannot work because a
/// `const-string` now needs a jumbo index, the body is decoded and lowered instead.
///
/// # Errors
/// An index outside its pool, or one that no longer fits its instruction.
pub fn remap_raw(item: &CodeItem, map: &IndexMap) -> Result<CodeItem, CodeError> {
    let Some(insns) = patched(&item.insns, map) else {
        return lower(&decode(item)?, map);
    };
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

/// The code with the indices of the written file; `None` when one is unknown or does not fit, or an
/// instruction that has one is cut off.
fn patched(insns: &[u16], map: &IndexMap) -> Option<Vec<u16>> {
    let mut out = insns.to_vec();
    for insn in raw_insns(insns) {
        if insn.kind == RawKind::Table && !insn.whole {
            return None;
        }
        for (pool, offset, wide) in insn.indices() {
            if !insn.whole {
                return None;
            }
            let at = insn.at + offset;
            let high = if wide { u32::from(insns[at + 1]) << 16 } else { 0 };
            let new = *map.pool(pool).get((u32::from(insns[at]) | high) as usize)?;
            out[at] = new as u16;
            if wide {
                out[at + 1] = (new >> 16) as u16;
            } else if new > 0xffff {
                return None;
            }
        }
    }
    Some(out)
}
