//! Code items: renumbered or lowered, then encoded, in parallel.

use std::borrow::Cow;
use std::collections::HashMap;

use super::BodySize;
use super::classes::Members;
use super::order::Order;
use super::sink::Sink;
use crate::bodies::lower::lower;
use crate::code::debug;
use crate::code::error::CodeError;
use crate::code::opcode::Op;
use crate::code::raw::{RawKind, raw_insns};
use crate::file::error::WriteError;
use crate::file::index_map::IndexMap;
use crate::file::{Body, CodeItem, Dex};
use crate::ids::*;
use crate::parallel::try_map;
use crate::renumber::reindex::remap_raw;

type Result<T> = std::result::Result<T, WriteError>;

/// Makes bodies while a file is written ([`Dex::write_with`]).
pub type MakeBody<'a> =
    dyn Fn(CodeId, &IndexMap) -> Option<std::result::Result<CodeItem, CodeError>> + Sync + 'a;

/// A body in bytes.
pub(super) struct EncodedBody {
    /// `code_item`, its `debug_info_off` zero.
    pub code: Vec<u8>,
    /// Its debug info.
    pub debug: WantedDebug,
    /// Bytes of the body and of its debug info.
    pub size: BodySize,
}

/// The debug info that a body wants.
pub(super) struct WantedDebug {
    /// `debug_info_item`.
    pub bytes: Option<Box<[u8]>>,
    /// The code unit after the last instruction to which a position can matter: tables and what
    /// aligns them lie after it.
    pub instructions_end: u32,
}

/// Position of `debug_info_off` in a `code_item`.
pub(super) const DEBUG_OFF: usize = 8;

/// The bodies that classes use, by first use in class order, with the method that errors name.
pub(super) fn used(
    dex: &Dex,
    order: &Order<'_>,
    members: &[Members<'_>],
) -> Result<Vec<(CodeId, MethodIdx)>> {
    let mut seen = vec![false; dex.codes.len()];
    let mut used = Vec::with_capacity(dex.codes.len());
    for &class in &order.classes {
        for method in members[class as usize].methods() {
            let Some(code) = method.code else { continue };
            let count = seen.len();
            let seen = seen.get_mut(code.0 as usize);
            let seen = seen.ok_or(WriteError::Index { what: "body", index: code.0, count })?;
            if !std::mem::replace(seen, true) {
                used.push((code, method.method));
            }
        }
    }
    Ok(used)
}

/// Encodes bodies, result in the order of `used`.
pub(super) fn encode(
    dex: &Dex,
    order: &Order<'_>,
    make: &MakeBody<'_>,
    used: &[(CodeId, MethodIdx)],
) -> Result<Vec<EncodedBody>> {
    try_map(used, 32, |&(code, method)| {
        let made = make(code, &order.map);
        let own = || item(&dex.codes[code.0 as usize], order);
        let encoded = made.map_or_else(own, |made| made.map(Cow::Owned));
        encoded.and_then(|item| encode_item(&item)).map_err(|problem| WriteError::Body {
            body: code,
            method: dex.method_name(method),
            problem,
        })
    })
}

/// The body with final indices.
fn item<'b>(
    body: &'b Body,
    order: &Order<'_>,
) -> std::result::Result<Cow<'b, CodeItem>, CodeError> {
    Ok(match body {
        // Nothing to renumber: copied as it is, even if its code makes no sense.
        Body::Raw(item) if order.identity => Cow::Borrowed(&**item),
        Body::Raw(item) => Cow::Owned(remap_raw(item, &order.map)?),
        Body::Stored(body) if order.identity => Cow::Owned(body.item()),
        Body::Stored(body) => Cow::Owned(remap_raw(&body.item(), &order.map)?),
        Body::Edited(code) => Cow::Owned(lower(code, &order.map)?),
    })
}

/// A body whose indices are final ones.
pub(super) fn encode_item(item: &CodeItem) -> std::result::Result<EncodedBody, CodeError> {
    let debug = |info| {
        let mut bytes = Vec::new();
        debug::write(info, &mut bytes).map(|()| bytes.into_boxed_slice())
    };
    let code = code_item(item)?;
    let debug = item.debug.as_ref().map(debug).transpose()?;
    let bytes = code.len().next_multiple_of(4) + debug.as_ref().map_or(0, |bytes| bytes.len());
    let units = item.insns.len();
    // The header of a body takes 16 bytes.
    let protection = code.len() - 16 - 2 * units;
    let size = BodySize { units: units as u32, bytes: bytes as u32, protection: protection as u32 };
    let instructions_end = debug.as_ref().map_or(0, |_| instructions_end(&item.insns));
    Ok(EncodedBody { code, debug: WantedDebug { bytes: debug, instructions_end }, size })
}

/// See [`EncodedBody::instructions_end`].
fn instructions_end(insns: &[u16]) -> u32 {
    let is_instruction = |kind| !matches!(kind, RawKind::Table | RawKind::Insn(Op::Nop));
    raw_insns(insns).filter(|i| is_instruction(i.kind)).map(|i| i.end as u32).max().unwrap_or(0)
}

/// `code_item`. Indices are final ones.
fn code_item(item: &CodeItem) -> std::result::Result<Vec<u8>, CodeError> {
    let count = item.tries.len();
    let tries = u16::try_from(count).map_err(|_| CodeError::TooManyTries { count })?;
    let units = item.insns.len();
    let units = u32::try_from(units).map_err(|_| CodeError::TooLong { units: units as u64 })?;
    let mut out =
        Sink { bytes: Vec::with_capacity(16 + item.insns.len() * 2 + item.tries.len() * 16) };
    out.u16(item.registers);
    out.u16(item.ins);
    out.u16(item.outs);
    out.u16(tries);
    out.u32(0);
    out.u32(units);
    item.insns.iter().for_each(|&unit| out.u16(unit));
    if tries == 0 {
        return Ok(out.bytes);
    }
    out.align(4);
    let (lists, offsets) = handler_lists(item)?;
    for (index, range) in item.tries.iter().enumerate() {
        let offset = offsets.get(range.handlers as usize);
        let &offset =
            offset.ok_or(CodeError::BadTry { index, what: "its handlers are not there" })?;
        out.u32(range.start);
        out.u16(range.len);
        out.u16(
            u16::try_from(offset)
                .map_err(|_| CodeError::HandlersTooLong { offset: offset.into() })?,
        );
    }
    out.extend(&lists.bytes);
    Ok(out.bytes)
}

/// `encoded_catch_handler_list`, equal lists once, and where in it each list stands.
fn handler_lists(item: &CodeItem) -> std::result::Result<(Sink, Vec<u32>), CodeError> {
    let mut numbers = HashMap::new();
    let mut distinct = Vec::new();
    let mut number_of = Vec::with_capacity(item.handlers.len());
    for handlers in &item.handlers {
        number_of.push(*numbers.entry(handlers).or_insert_with(|| {
            distinct.push(handlers);
            distinct.len() - 1
        }));
    }
    let mut out = Sink::default();
    out.uleb(distinct.len() as u32);
    let mut offsets = Vec::with_capacity(distinct.len());
    for (index, handlers) in distinct.into_iter().enumerate() {
        offsets.push(out.pos());
        let size = handlers.catches.len() as i32;
        match handlers.catch_all {
            None if size == 0 => {
                return Err(CodeError::BadTry { index, what: "it has no handler" });
            }
            None => out.sleb(size),
            Some(_) => out.sleb(-size),
        }
        for &(ty, address) in &handlers.catches {
            out.uleb(ty.0);
            out.uleb(address);
        }
        if let Some(address) = handlers.catch_all {
            out.uleb(address);
        }
    }
    Ok((out, number_of.into_iter().map(|number| offsets[number]).collect()))
}
