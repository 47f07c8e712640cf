//! Protocol buffers, as far as traces need them: fields of a message, one by one.
//!
//! Reference: the encoding guide of Protocol Buffers.

/// A field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldValue<'b> {
    /// A varint, or a fixed number.
    Number(u64),
    /// Bytes, text, a message, packed numbers.
    Bytes(&'b [u8]),
}

impl<'b> FieldValue<'b> {
    pub(super) fn number(self) -> u64 {
        match self {
            FieldValue::Number(n) => n,
            FieldValue::Bytes(_) => 0,
        }
    }

    pub(super) fn bytes(self) -> &'b [u8] {
        match self {
            FieldValue::Bytes(b) => b,
            FieldValue::Number(_) => &[],
        }
    }

    pub(super) fn text(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    /// The numbers of a repeated field: packed, or one of them.
    pub(super) fn each(self, mut take: impl FnMut(u64)) {
        match self {
            FieldValue::Number(n) => take(n),
            FieldValue::Bytes(bytes) => {
                let mut at = 0;
                while let Some(n) = varint(bytes, &mut at) {
                    take(n);
                }
            }
        }
    }
}

/// A number of at most ten bytes.
fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..70).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7F).checked_shl(shift).unwrap_or(0);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// The fields of a message: number and value. Ends where the bytes end, or where they are no
/// message.
#[derive(Debug, Clone)]
pub(super) struct Fields<'b> {
    bytes: &'b [u8],
    at: usize,
    /// It did not end where the bytes do.
    pub broken: bool,
}

impl<'b> Fields<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Fields<'b> {
        Fields { bytes, at: 0, broken: false }
    }

    fn field(&mut self) -> Option<(u64, FieldValue<'b>)> {
        let key = varint(self.bytes, &mut self.at)?;
        let rest = |at: usize, n: usize| self.bytes.get(at..at.checked_add(n)?);
        let value = match key & 7 {
            0 => FieldValue::Number(varint(self.bytes, &mut self.at)?),
            1 => {
                let bytes = rest(self.at, 8)?;
                self.at += 8;
                FieldValue::Number(u64::from_le_bytes(bytes.try_into().ok()?))
            }
            2 => {
                let length = usize::try_from(varint(self.bytes, &mut self.at)?).ok()?;
                let bytes = self.bytes.get(self.at..self.at.checked_add(length)?)?;
                self.at += length;
                FieldValue::Bytes(bytes)
            }
            5 => {
                let bytes = rest(self.at, 4)?;
                self.at += 4;
                FieldValue::Number(u32::from_le_bytes(bytes.try_into().ok()?).into())
            }
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = (u64, FieldValue<'b>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.bytes.len() || self.broken {
            return None;
        }
        let field = self.field();
        self.broken = field.is_none();
        field
    }
}
