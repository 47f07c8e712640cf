//! The tables of strings, types, prototypes, fields and methods.

use super::DexReader;
use super::cursor::{Cursor, Result};
use super::header::TableExtent;
use crate::file::error::{ReadErrorKind, Section};
use crate::file::mutf8;
use crate::file::{DexString, FieldRef, MethodRef, Proto};
use crate::ids::*;
use crate::parallel::try_map;

/// "No such item" where an index may be absent.
pub(crate) const NO_INDEX: u32 = u32::MAX;

impl<'a> DexReader<'a> {
    fn table(&self, table: TableExtent, section: Section) -> Cursor<'a> {
        self.at(table.offset, section)
    }

    pub fn read_strings(&self) -> Result<Vec<DexString>> {
        let count = self.sizes.strings;
        let mut c = self.table(self.header.strings, Section::StringIds);
        let ids = c.bytes(count * 4)?;
        let offsets = ids.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let offsets: Vec<u32> = offsets.collect();
        try_map(&offsets, 4096, |&offset| self.read_string(offset))
    }

    fn read_string(&self, offset: u32) -> Result<DexString> {
        let mut c = self.at(offset, Section::StringData);
        let stated = c.uleb()?;
        let start = c.pos();
        match mutf8::scan(c.rest()) {
            Ok((len, units)) if units == stated as usize => {
                // Strings may share bytes by overlapping, but not endlessly.
                self.budget.spend(&c, len + 1)?;
                Ok(DexString(c.bytes(len)?.into()))
            }
            Ok(_) => c.error_at(offset as usize, ReadErrorKind::Utf8),
            Err(at) => c.error_at(start + at, ReadErrorKind::Utf8),
        }
    }

    fn string(&self, c: &Cursor<'_>, index: u32) -> Result<StringIdx> {
        c.index("string", index, self.sizes.strings).map(StringIdx::from)
    }

    pub(super) fn optional_string(&self, c: &Cursor<'_>, index: u32) -> Result<Option<StringIdx>> {
        if index == NO_INDEX { Ok(None) } else { self.string(c, index).map(Some) }
    }

    pub(super) fn ty(&self, c: &Cursor<'_>, index: u32) -> Result<TypeIdx> {
        c.index("type", index, self.sizes.types).map(TypeIdx::from)
    }

    pub fn read_types(&self) -> Result<Vec<StringIdx>> {
        let mut c = self.table(self.header.types, Section::TypeIds);
        (0..self.sizes.types)
            .map(|_| {
                let index = c.u32()?;
                self.string(&c, index)
            })
            .collect()
    }

    /// `type_list`; offset 0 is the empty list.
    pub(super) fn type_list(&self, offset: u32) -> Result<Vec<TypeIdx>> {
        if offset == 0 {
            return Ok(Vec::new());
        }
        let mut c = self.at(offset, Section::TypeList);
        let count = c.count_u32(2)?;
        self.budget.spend(&c, count)?;
        (0..count)
            .map(|_| {
                let index = c.u16()?;
                self.ty(&c, index.into())
            })
            .collect()
    }

    pub fn read_protos(&self) -> Result<Vec<Proto>> {
        let mut c = self.table(self.header.protos, Section::ProtoIds);
        (0..self.sizes.protos)
            .map(|_| {
                let shorty = c.u32()?;
                self.string(&c, shorty)?;
                let return_type = c.u32()?;
                let return_type = self.ty(&c, return_type)?;
                Ok(Proto { return_type, parameters: self.type_list(c.u32()?)? })
            })
            .collect()
    }

    pub fn read_fields(&self) -> Result<Vec<FieldRef>> {
        let mut c = self.table(self.header.fields, Section::FieldIds);
        (0..self.sizes.fields)
            .map(|_| {
                let (class, ty, name) = (c.u16()?, c.u16()?, c.u32()?);
                Ok(FieldRef {
                    class: self.ty(&c, class.into())?,
                    ty: self.ty(&c, ty.into())?,
                    name: self.string(&c, name)?,
                })
            })
            .collect()
    }

    pub fn read_methods(&self) -> Result<Vec<MethodRef>> {
        let mut c = self.table(self.header.methods, Section::MethodIds);
        (0..self.sizes.methods)
            .map(|_| {
                let (class, proto, name) = (c.u16()?, c.u16()?, c.u32()?);
                Ok(MethodRef {
                    class: self.ty(&c, class.into())?,
                    proto: c.index("proto", proto, self.sizes.protos).map(ProtoIdx::from)?,
                    name: self.string(&c, name)?,
                })
            })
            .collect()
    }
}
