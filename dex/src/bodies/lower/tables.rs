//! Try items, handler lists and debug addresses.

use std::collections::HashMap;

use crate::code::debug::{DebugEvent, DebugInfo};
use crate::code::error::CodeError;
use crate::code::{Code, Item};
use crate::file::index_map::IndexMap;
use crate::file::{RawHandlers, RawTry};
use crate::ids::TryId;

use super::relax::CodeLayout;

/// The try items and the handler lists that they name.
pub(super) fn tries(
    code: &Code,
    map: &IndexMap,
    layout: &CodeLayout,
) -> Result<(Vec<RawTry>, Vec<RawHandlers>), CodeError> {
    let mut lists = Lists::default();
    let mut tries: Vec<RawTry> = Vec::new();
    let mut current: Option<TryId> = None;
    for slot in &layout.slots {
        let node = slot.node as usize;
        let try_id = code.nodes[node].try_id;
        let Some(id) = try_id else {
            current = None;
            continue;
        };
        let units = slot.units() as u16; // at most 5
        match tries.last_mut() {
            Some(last) if current == try_id && last.len.checked_add(units).is_some() => {
                last.len += units
            }
            _ => {
                let handlers = lists.get(code, map, layout, node, id)?;
                tries.push(RawTry { start: slot.at, len: units, handlers });
            }
        }
        current = try_id;
    }
    if tries.len() > 0xffff {
        return Err(CodeError::TooManyTries { count: tries.len() });
    }
    check_offsets(&lists.lists)?;
    Ok((tries, lists.lists))
}

/// Handler lists in order of first use, equal ones once.
#[derive(Default)]
struct Lists {
    lists: Vec<RawHandlers>,
    by_value: HashMap<RawHandlers, u32>,
    by_id: HashMap<TryId, u32>,
}

impl Lists {
    fn get(
        &mut self,
        code: &Code,
        map: &IndexMap,
        layout: &CodeLayout,
        node: usize,
        id: TryId,
    ) -> Result<u32, CodeError> {
        if let Some(&list) = self.by_id.get(&id) {
            return Ok(list);
        }
        let handlers =
            code.tries.get(id.0 as usize).ok_or(CodeError::NoSuchTry { node, try_id: id })?;
        if handlers.catches.is_empty() && handlers.catch_all.is_none() {
            return Err(CodeError::NoHandler { try_id: id });
        }
        let catches =
            handlers.catches.iter().map(|&(ty, label)| Ok((map.ty(ty)?, layout.address(label)?)));
        let raw = RawHandlers {
            catches: catches.collect::<Result<_, CodeError>>()?,
            catch_all: handlers.catch_all.map(|label| layout.address(label)).transpose()?,
        };
        let next = self.lists.len() as u32;
        let list = *self.by_value.entry(raw).or_insert_with_key(|raw| {
            self.lists.push(raw.clone());
            next
        });
        self.by_id.insert(id, list);
        Ok(list)
    }
}

/// A try item names its handler list by a 16-bit byte offset into `encoded_catch_handler_list`.
fn check_offsets(lists: &[RawHandlers]) -> Result<(), CodeError> {
    let uleb = |value: u32| u64::from((32 - (value | 1).leading_zeros()).div_ceil(7));
    let sleb = |value: i64| {
        u64::from((65 - (if value < 0 { !value } else { value }).leading_zeros()).div_ceil(7))
    };
    let mut offset = uleb(lists.len() as u32);
    for list in lists {
        if offset > 0xffff {
            return Err(CodeError::HandlersTooLong { offset });
        }
        let count = list.catches.len() as i64;
        offset += sleb(if list.catch_all.is_some() { -count } else { count });
        offset += list.catches.iter().map(|&(ty, at)| uleb(ty.0) + uleb(at)).sum::<u64>();
        offset += list.catch_all.map_or(0, uleb);
    }
    Ok(())
}

/// The debug events with their addresses.
pub(super) fn debug(
    code: &Code,
    map: &IndexMap,
    layout: &CodeLayout,
) -> Result<Option<DebugInfo>, CodeError> {
    let Some(header) = &code.debug else { return Ok(None) };
    let mut events = Vec::new();
    let mut slots = layout.slots.iter().peekable();
    for (node, item) in code.nodes.iter().enumerate() {
        match &item.item {
            Item::Insn(_) => drop(slots.next()),
            Item::Label(_) => {}
            Item::Debug(event) => {
                let at = slots.peek().map_or(layout.end, |slot| slot.at);
                debug_assert!(slots.peek().is_none_or(|slot| slot.node as usize > node));
                events.push((at, map.event(event)?));
            }
        }
    }
    let first = header.line_start;
    if first <= 1 && is_address_table(&events, first, layout) {
        events = (0..layout.end).map(|at| (at, DebugEvent::Line(first + at))).collect();
    }
    Ok(Some(DebugInfo { header: map.header(header)?, events }))
}

/// True if each instruction has its own address, counted from `first`, as line, and there are no
/// other events. R8 writes such tables for methods without lines, one entry for each code unit from
/// line 1 on, so that all methods share one. Written in full, a short table is a prefix of each
/// longer one.
fn is_address_table(events: &[(u32, DebugEvent)], first: u32, layout: &CodeLayout) -> bool {
    let each = events.iter().zip(&layout.slots);
    events.len() == layout.slots.len()
        && each.into_iter().all(|((at, event), slot)| {
            *at == slot.at && *event == DebugEvent::Line(first.wrapping_add(*at))
        })
}
