//! `code_item`: method bodies, with their try ranges, handlers and debug info.

use std::sync::Arc;

use super::cursor::{Cursor, Result};
use super::header::Header;
use super::{Budget, DexReader};
use crate::code::debug::{self, DebugEvent, DebugInfo};
use crate::file::error::{ReadErrorKind, Section};
use crate::file::{Annotations, Body, CodeItem, RawHandlers, RawTry, StoredItems};
use crate::ids::{CodeId, StringIdx};
use crate::parallel::try_map;

/// A file that decodes bodies and annotations on demand.
#[derive(Debug)]
pub(super) struct StoredFile {
    pub bytes: Arc<Vec<u8>>,
    pub header: Header,
}

impl StoredFile {
    pub fn new(bytes: Arc<Vec<u8>>) -> Result<Arc<StoredFile>> {
        let header = Header::read(&bytes, true)?;
        Ok(Arc::new(StoredFile { bytes, header }))
    }
}

impl StoredItems for StoredFile {
    fn item(&self, offset: u32) -> CodeItem {
        let budget = Budget::new(self.header.file_size);
        let read = DexReader::new(&self.bytes, &self.header, &budget).code_item(offset);
        read.expect("it was read when the file was").item
    }

    fn insns(&self, offset: u32) -> Vec<u16> {
        let at = offset as usize + INSNS;
        units(&self.bytes[at..][..2 * self.units(offset)])
    }

    fn units(&self, offset: u32) -> usize {
        let at = offset as usize + UNITS;
        let count = self.bytes[at..].first_chunk().map(|b| u32::from_le_bytes(*b));
        count.expect("it was read when the file was") as usize
    }

    fn annotations(&self, offset: u32) -> Annotations {
        let budget = Budget::new(self.header.file_size);
        let values = DexReader::new(&self.bytes, &self.header, &budget).annotations(offset);
        values.expect("it was read when the file was")
    }
}

/// Position of `insns_size` in a `code_item`.
const UNITS: usize = 12;
/// Position of the code units in a `code_item`.
const INSNS: usize = 16;

fn units(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect()
}

/// A body as it was read.
struct ReadItem {
    item: CodeItem,
    /// Its debug info lies in the file and is malformed, so the body has none.
    has_bad_debug: bool,
}

/// The numbers of the bodies with malformed debug info.
fn with_bad_debug(flags: impl Iterator<Item = bool>) -> Vec<CodeId> {
    (0..).map(CodeId).zip(flags).filter_map(|(id, is_bad)| is_bad.then_some(id)).collect()
}

impl DexReader<'_> {
    /// The bodies at these offsets, in this order, and those with malformed debug info.
    pub fn read_bodies(&self, offsets: &[u32]) -> Result<(Vec<Body>, Vec<CodeId>)> {
        let read = try_map(offsets, 256, |&offset| self.code_item(offset))?;
        let bad = with_bad_debug(read.iter().map(|read| read.has_bad_debug));
        Ok((read.into_iter().map(|read| read.item.into()).collect(), bad))
    }

    /// Checks that the bodies at these offsets can be read, and returns those with malformed debug
    /// info.
    pub fn check_bodies(&self, offsets: &[u32]) -> Result<Vec<CodeId>> {
        let check = |&offset: &u32| self.code_item(offset).map(|read| read.has_bad_debug);
        Ok(with_bad_debug(try_map(offsets, 256, check)?.into_iter()))
    }

    fn code_item(&self, offset: u32) -> Result<ReadItem> {
        let mut c = self.at(offset, Section::CodeItem);
        let (registers, ins, outs, tries) = (c.u16()?, c.u16()?, c.u16()?, c.u16()?);
        let debug_off = c.u32()?;
        let units = c.count_u32(2)?;
        self.budget.spend(&c, units + usize::from(tries))?;
        let bytes = c.bytes(units * 2)?;
        let insns = self::units(bytes);
        let mut item = CodeItem { registers, ins, outs, insns, ..CodeItem::default() };
        if tries > 0 {
            if units % 2 == 1 {
                c.skip(2)?;
            }
            self.tries(&mut c, &mut item, tries)?;
        }
        // Some compilers write 0xFFFFFFFF for none, and ART takes any offset outside the file as
        // such (`DexFile::GetDebugInfoStream`).
        if debug_off == 0 || debug_off as usize >= self.data.len() {
            return Ok(ReadItem { item, has_bad_debug: false });
        }
        item.debug = match self.debug_info(debug_off, units) {
            Ok(info) => Some(info),
            // Nothing runs by it, but it may not take any amount of memory.
            Err(e) if e.kind != ReadErrorKind::Expansion => None,
            Err(e) => return Err(e),
        };
        let has_bad_debug = item.debug.is_none();
        Ok(ReadItem { item, has_bad_debug })
    }

    fn tries(&self, c: &mut Cursor<'_>, item: &mut CodeItem, tries: u16) -> Result<()> {
        let tries = c.check_count(tries.into(), 8)?;
        let mut table = c.clone();
        c.skip(tries * 8)?;
        let units = item.insns.len() as u64;
        let lists_start = c.pos();
        let mut handlers = Cursor::new(self.data, lists_start, Section::Handlers);
        let count = handlers.count_uleb(1)?;
        self.budget.spend(&handlers, count)?;
        // Offsets of the lists from `lists_start`, ascending.
        let mut starts = Vec::with_capacity(count);
        item.handlers.reserve_exact(count);
        for _ in 0..count {
            starts.push(handlers.pos() - lists_start);
            item.handlers.push(self.handler_list(&mut handlers, units)?);
        }
        item.tries.reserve_exact(tries);
        let mut end = 0;
        for _ in 0..tries {
            let at = table.pos();
            let (start, len) = (table.u32()?, table.u16()?);
            let handler_off = usize::from(table.u16()?);
            if u64::from(start) < end || u64::from(start) + u64::from(len) > units {
                return table.error_at(
                    at,
                    ReadErrorKind::Invalid { what: "start of try range", value: start.into() },
                );
            }
            end = u64::from(start) + u64::from(len);
            let Ok(handlers) = starts.binary_search(&handler_off) else {
                let kind = ReadErrorKind::Invalid {
                    what: "offset of catch handlers",
                    value: handler_off as u64,
                };
                return table.error_at(at + 6, kind);
            };
            item.tries.push(RawTry { start, len, handlers: handlers as u32 });
        }
        Ok(())
    }

    /// `encoded_catch_handler`.
    fn handler_list(&self, c: &mut Cursor<'_>, units: u64) -> Result<RawHandlers> {
        let address = |c: &mut Cursor<'_>| -> Result<u32> {
            let address = c.uleb()?;
            if u64::from(address) >= units {
                let kind = ReadErrorKind::Invalid {
                    what: "address of catch handler",
                    value: address.into(),
                };
                return c.error(kind);
            }
            Ok(address)
        };
        let size = c.sleb()?;
        let count = c.check_count(size.unsigned_abs(), 2)?;
        self.budget.spend(c, count)?;
        let mut catches = Vec::with_capacity(count);
        for _ in 0..count {
            let ty = c.uleb()?;
            catches.push((self.ty(c, ty)?, address(c)?));
        }
        // Zero or a negative size announces a catch-all.
        let catch_all = if size <= 0 { Some(address(c)?) } else { None };
        Ok(RawHandlers { catches, catch_all })
    }

    /// `debug_info_item` of a body of `units` code units.
    fn debug_info(&self, offset: u32, units: usize) -> Result<DebugInfo> {
        let mut c = self.at(offset, Section::DebugInfo);
        let (info, end) = match debug::parse_within(self.data, offset as usize, units as u32) {
            Ok(parsed) => parsed,
            Err(e) => return c.error(ReadErrorKind::Debug(e)),
        };
        c.skip(end - offset as usize)?;
        // Compilers share debug info. A body is charged for the entries that its own code needs.
        self.budget.spend(&c, (end - offset as usize).saturating_sub(units))?;
        for &name in &info.header.parameter_names {
            self.debug_string(&c, name)?;
        }
        for (_, event) in &info.events {
            match *event {
                DebugEvent::StartLocal { name, ty, signature, .. } => {
                    self.debug_string(&c, name)?;
                    self.debug_string(&c, signature)?;
                    if let Some(ty) = ty {
                        self.ty(&c, ty.0)?;
                    }
                }
                DebugEvent::SetFile(name) => self.debug_string(&c, name)?,
                _ => {}
            }
        }
        Ok(info)
    }

    fn debug_string(&self, c: &Cursor<'_>, index: Option<StringIdx>) -> Result<()> {
        index.map_or(Ok(()), |i| c.index("string", i.0, self.sizes.strings).map(drop))
    }
}
