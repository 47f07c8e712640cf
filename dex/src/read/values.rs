//! Encoded values, call sites and method handles.

use super::DexReader;
use super::cursor::{Cursor, Result};
use crate::file::error::{ReadErrorKind, Section};
use crate::file::{EncodedAnnotation, EncodedValue, HandleTarget, MethodHandle};
use crate::ids::*;

/// Arrays and annotations inside each other; javac and kotlinc stay below ten.
pub(super) const MAX_NESTING: u32 = 64;

/// `VALUE_*` codes of `encoded_value`.
pub(crate) mod kind {
    pub const BYTE: u8 = 0x00;
    pub const SHORT: u8 = 0x02;
    pub const CHAR: u8 = 0x03;
    pub const INT: u8 = 0x04;
    pub const LONG: u8 = 0x06;
    pub const FLOAT: u8 = 0x10;
    pub const DOUBLE: u8 = 0x11;
    pub const METHOD_TYPE: u8 = 0x15;
    pub const METHOD_HANDLE: u8 = 0x16;
    pub const STRING: u8 = 0x17;
    pub const TYPE: u8 = 0x18;
    pub const FIELD: u8 = 0x19;
    pub const METHOD: u8 = 0x1A;
    pub const ENUM: u8 = 0x1B;
    pub const ARRAY: u8 = 0x1C;
    pub const ANNOTATION: u8 = 0x1D;
    pub const NULL: u8 = 0x1E;
    pub const BOOLEAN: u8 = 0x1F;
}

impl DexReader<'_> {
    /// `encoded_array_item` at an offset that is not 0.
    pub(super) fn array_item(&self, offset: u32) -> Result<Vec<EncodedValue>> {
        self.array(&mut self.at(offset, Section::EncodedArray), 0)
    }

    fn array(&self, c: &mut Cursor<'_>, depth: u32) -> Result<Vec<EncodedValue>> {
        let count = c.count_uleb(1)?;
        self.budget.spend(c, count)?;
        let mut values = (0..count).map(|_| self.value(c, depth)).collect::<Result<Vec<_>>>()?;
        // There are many short ones, and this stays as long as the model does.
        values.shrink_to_fit();
        Ok(values)
    }

    /// `encoded_annotation`.
    pub(super) fn annotation(&self, c: &mut Cursor<'_>, depth: u32) -> Result<EncodedAnnotation> {
        let ty = c.uleb()?;
        let ty = self.ty(c, ty)?;
        let count = c.count_uleb(2)?;
        self.budget.spend(c, count + 1)?;
        let mut elements = (0..count)
            .map(|_| {
                let name = c.uleb()?;
                let name = c.index("string", name, self.sizes.strings)?;
                Ok((StringIdx::from(name), self.value(c, depth)?))
            })
            .collect::<Result<Vec<_>>>()?;
        elements.shrink_to_fit();
        Ok(EncodedAnnotation { ty, elements })
    }

    fn value(&self, c: &mut Cursor<'_>, depth: u32) -> Result<EncodedValue> {
        let start = c.pos();
        let head = c.u8()?;
        let (kind, arg) = (head & 0x1F, head >> 5);
        if depth > MAX_NESTING {
            return c.error_at(start, ReadErrorKind::Nesting(MAX_NESTING));
        }
        // Payload bytes that a kind may have at most; for the last four the argument is no length.
        let max = match kind {
            kind::BYTE => 1,
            kind::SHORT | kind::CHAR => 2,
            kind::INT | kind::FLOAT => 4,
            kind::METHOD_TYPE..=kind::ENUM => 4,
            kind::LONG | kind::DOUBLE => 8,
            kind::ARRAY | kind::ANNOTATION | kind::NULL => 1,
            kind::BOOLEAN => 2,
            _ => {
                return c.error_at(
                    start,
                    ReadErrorKind::Invalid { what: "value type", value: kind.into() },
                );
            }
        };
        if arg >= max {
            return c.error_at(
                start,
                ReadErrorKind::Invalid { what: "value argument", value: arg.into() },
            );
        }
        let unsigned = |c: &mut Cursor<'_>| -> Result<u64> {
            let mut bytes = [0; 8];
            let given = c.bytes(arg as usize + 1)?;
            bytes[..given.len()].copy_from_slice(given);
            Ok(u64::from_le_bytes(bytes))
        };
        let unused = 64 - 8 * (u32::from(arg) + 1);
        let signed =
            |c: &mut Cursor<'_>| -> Result<i64> { Ok((unsigned(c)? << unused) as i64 >> unused) };
        let index = |c: &mut Cursor<'_>, what, count| -> Result<usize> {
            let index = unsigned(c)?;
            c.index(what, index, count)
        };
        let sizes = self.sizes;
        Ok(match kind {
            kind::BYTE => EncodedValue::Byte(signed(c)? as i8),
            kind::SHORT => EncodedValue::Short(signed(c)? as i16),
            kind::CHAR => EncodedValue::Char(unsigned(c)? as u16),
            kind::INT => EncodedValue::Int(signed(c)? as i32),
            kind::LONG => EncodedValue::Long(signed(c)?),
            // Floating-point values leave out low-order zero bytes.
            kind::FLOAT => EncodedValue::Float((unsigned(c)? << unused >> 32) as u32),
            kind::DOUBLE => EncodedValue::Double(unsigned(c)? << unused),
            kind::METHOD_TYPE => EncodedValue::MethodType(index(c, "proto", sizes.protos)?.into()),
            kind::METHOD_HANDLE => {
                EncodedValue::MethodHandle(index(c, "method handle", sizes.method_handles)?.into())
            }
            kind::STRING => EncodedValue::String(index(c, "string", sizes.strings)?.into()),
            kind::TYPE => EncodedValue::Type(index(c, "type", sizes.types)?.into()),
            kind::FIELD => EncodedValue::Field(index(c, "field", sizes.fields)?.into()),
            kind::METHOD => EncodedValue::Method(index(c, "method", sizes.methods)?.into()),
            kind::ENUM => EncodedValue::Enum(index(c, "field", sizes.fields)?.into()),
            kind::ARRAY => EncodedValue::Array(Box::new(self.array(c, depth + 1)?)),
            kind::ANNOTATION => EncodedValue::Annotation(Box::new(self.annotation(c, depth + 1)?)),
            kind::NULL => EncodedValue::Null,
            _ => EncodedValue::Boolean(arg != 0),
        })
    }

    pub fn read_method_handles(&self) -> Result<Vec<MethodHandle>> {
        let mut c = self.at(self.header.method_handles.offset, Section::MethodHandles);
        (0..self.sizes.method_handles)
            .map(|_| {
                let kind = c.u16()?;
                c.skip(2)?;
                let target = c.u16()?;
                c.skip(2)?;
                let target = match kind {
                    0..=3 => {
                        HandleTarget::Field(c.index("field", target, self.sizes.fields)?.into())
                    }
                    4..=8 => {
                        HandleTarget::Method(c.index("method", target, self.sizes.methods)?.into())
                    }
                    _ => {
                        let kind = ReadErrorKind::Invalid {
                            what: "method handle type",
                            value: kind.into(),
                        };
                        return c.error_at(c.pos() - 8, kind);
                    }
                };
                Ok(MethodHandle { kind, target })
            })
            .collect()
    }

    pub fn read_call_sites(&self) -> Result<Vec<Vec<EncodedValue>>> {
        let mut c = self.at(self.header.call_sites.offset, Section::CallSiteIds);
        (0..self.header.call_sites.count).map(|_| self.array_item(c.u32()?)).collect()
    }
}
