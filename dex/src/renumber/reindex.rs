//! Bodies with the indices of the written file.

use crate::bodies::decode::decode;
use crate::bodies::lower::lower;
use crate::code::debug::DebugInfo;
use crate::code::error::CodeError;
use crate::code::raw::raw_insns;
use crate::file::index_map::IndexMap;
use crate::file::{CodeItem, RawHandlers};
use crate::renumber::dangling::nothing;

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
        Ok(RawHandlers {
            catches: catches.collect::<Result<_, CodeError>>()?,
            catch_all: list.catch_all,
        })
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
    Ok(DebugInfo {
        header: map.header(&debug.header)?,
        events: events.collect::<Result<_, CodeError>>()?,
    })
}

/// The code with the indices of the written file; `None` when one is unknown or does not fit. What
/// is cut off stays as it is, and an index that [`Dex::pin_dangling`](crate::Dex::pin_dangling) has
/// pinned goes on naming nothing.
fn patched(insns: &[u16], map: &IndexMap) -> Option<Vec<u16>> {
    let mut out = insns.to_vec();
    for insn in raw_insns(insns) {
        for (pool, offset, wide) in insn.indices() {
            let at = insn.at + offset;
            if at + usize::from(wide) >= insns.len() {
                continue;
            }
            let high = if wide { u32::from(insns[at + 1]) << 16 } else { 0 };
            let (old, known) = (u32::from(insns[at]) | high, map.pool(pool));
            let new = match known.get(old as usize) {
                Some(&new) => new,
                None if old == nothing(wide) => old,
                None => return None,
            };
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
