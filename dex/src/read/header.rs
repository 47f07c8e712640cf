//! `header_item` and `map_list`.

use super::PoolSizes;
use super::cursor::{Cursor, Result};
use crate::file::error::{ReadError, ReadErrorKind, Section};

/// Count and offset of a table.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TableExtent {
    pub count: u32,
    pub offset: u32,
}

/// The contents of header and map.
#[derive(Debug)]
pub(super) struct Header {
    pub version: u16,
    pub file_size: usize,
    pub strings: TableExtent,
    pub types: TableExtent,
    pub protos: TableExtent,
    pub fields: TableExtent,
    pub methods: TableExtent,
    pub classes: TableExtent,
    pub call_sites: TableExtent,
    pub method_handles: TableExtent,
    /// Offset of `hiddenapi_class_data_item`.
    pub hiddenapi: Option<u32>,
}

/// Bytes per entry of each table.
pub(crate) mod entry {
    pub const STRING: usize = 4;
    pub const TYPE: usize = 4;
    pub const PROTO: usize = 12;
    pub const FIELD: usize = 8;
    pub const METHOD: usize = 8;
    pub const CLASS: usize = 32;
    pub const CALL_SITE: usize = 4;
    pub const METHOD_HANDLE: usize = 8;
}

/// `header_size` of versions 035 to 040.
pub(crate) const HEADER_SIZE: u32 = 0x70;
/// `endian_tag` of a little-endian file.
pub(crate) const ENDIAN: u32 = 0x1234_5678;

impl Header {
    pub fn read(bytes: &[u8], check_sums: bool) -> Result<Header> {
        let version = version(bytes)?;
        let mut c = Cursor::new(bytes, 8, Section::Header);
        if bytes.len() < HEADER_SIZE as usize {
            let (need, left) = (HEADER_SIZE.into(), bytes.len() as u64);
            return c.error_at(0, ReadErrorKind::Truncated { need, left });
        }
        let stored = c.u32()?;
        c.skip(20)?; // SHA-1
        let stated = c.u32()?;
        let header_size = c.u32()?;
        let endian = c.u32()?;
        match endian {
            ENDIAN => {}
            0x7856_3412 => return c.error_at(40, ReadErrorKind::BigEndian),
            _ => return c.error_at(40, ReadErrorKind::EndianTag(endian)),
        }
        if header_size != HEADER_SIZE {
            return c.error_at(36, ReadErrorKind::HeaderSize(header_size));
        }
        // Bytes after the stated end are not part of the file (some tools append to it).
        let file_size = stated as usize;
        if file_size < HEADER_SIZE as usize || file_size > bytes.len() {
            let kind =
                ReadErrorKind::FileSize { stated: stated.into(), actual: bytes.len() as u64 };
            return c.error_at(32, kind);
        }
        let data = &bytes[..file_size];
        if check_sums {
            let computed = adler2::adler32_slice(&data[12..]);
            if stored != computed {
                return c.error_at(8, ReadErrorKind::Checksum { stored, computed });
            }
        }
        let mut c = Cursor::new(data, 44, Section::Header);
        c.skip(8)?; // link data: static linking was never used
        let map_off = c.u32()?;
        let mut table = |section, size| -> Result<TableExtent> {
            let table = TableExtent { count: c.u32()?, offset: c.u32()? };
            Cursor::new(data, table.offset as usize, section).check_count(table.count, size)?;
            Ok(table)
        };
        let mut header = Header {
            version,
            file_size,
            strings: table(Section::StringIds, entry::STRING)?,
            types: table(Section::TypeIds, entry::TYPE)?,
            protos: table(Section::ProtoIds, entry::PROTO)?,
            fields: table(Section::FieldIds, entry::FIELD)?,
            methods: table(Section::MethodIds, entry::METHOD)?,
            classes: table(Section::ClassDefs, entry::CLASS)?,
            call_sites: TableExtent::default(),
            method_handles: TableExtent::default(),
            hiddenapi: None,
        };
        header.read_map(data, map_off)?;
        Ok(header)
    }

    /// Takes from the map what the header has no room for.
    fn read_map(&mut self, data: &[u8], map_off: u32) -> Result<()> {
        let mut c = Cursor::new(data, map_off as usize, Section::Map);
        for _ in 0..c.count_u32(12)? {
            let start = c.pos();
            let kind = c.u16()?;
            c.skip(2)?;
            let table = TableExtent { count: c.u32()?, offset: c.u32()? };
            let at = |section| Cursor::new(data, table.offset as usize, section);
            match kind {
                crate::write::map::CALL_SITE_ID => {
                    at(Section::CallSiteIds).check_count(table.count, entry::CALL_SITE)?;
                    self.call_sites = table;
                }
                crate::write::map::METHOD_HANDLE => {
                    at(Section::MethodHandles).check_count(table.count, entry::METHOD_HANDLE)?;
                    self.method_handles = table;
                }
                crate::write::map::HIDDENAPI_CLASS_DATA if table.count != 0 => {
                    if table.count != 1 {
                        let kind = ReadErrorKind::Invalid {
                            what: "number of hiddenapi items",
                            value: table.count.into(),
                        };
                        return c.error_at(start, kind);
                    }
                    self.hiddenapi = Some(table.offset);
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub fn sizes(&self) -> PoolSizes {
        PoolSizes {
            strings: self.strings.count as usize,
            types: self.types.count as usize,
            protos: self.protos.count as usize,
            fields: self.fields.count as usize,
            methods: self.methods.count as usize,
            method_handles: self.method_handles.count as usize,
        }
    }
}

fn version(bytes: &[u8]) -> Result<u16> {
    let error = |offset, kind| Err(ReadError { section: Section::Header, offset, kind });
    if bytes.starts_with(b"cdex") {
        return error(0, ReadErrorKind::CompactDex);
    }
    match bytes {
        [b'd', b'e', b'x', b'\n', a @ b'0'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', 0, ..] => {
            let version = [a, b, c].iter().fold(0, |n, digit| n * 10 + u16::from(**digit - b'0'));
            if (35..=40).contains(&version) {
                Ok(version)
            } else {
                error(4, ReadErrorKind::Version(version))
            }
        }
        _ => error(0, ReadErrorKind::NotDex),
    }
}
