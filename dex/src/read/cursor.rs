//! A position in the file; everything that reads bytes goes through here.

use crate::file::error::{ReadError, ReadErrorKind, Section};

/// Reads forward through `data`, whose positions are file offsets.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    data: &'a [u8],
    pos: usize,
    section: Section,
}

pub(crate) type Result<T> = std::result::Result<T, ReadError>;

impl<'a> Cursor<'a> {
    pub fn new(data: &'a [u8], pos: usize, section: Section) -> Self {
        Cursor { data, pos, section }
    }

    pub fn pos(&self) -> usize {
        self.pos
    }

    /// The rest of the file. Empty when the position lies outside.
    pub fn rest(&self) -> &'a [u8] {
        self.data.get(self.pos..).unwrap_or(&[])
    }

    pub fn skip(&mut self, n: usize) -> Result<()> {
        self.bytes(n).map(|_| ())
    }

    pub fn error<T>(&self, kind: ReadErrorKind) -> Result<T> {
        self.error_at(self.pos, kind)
    }

    pub fn error_at<T>(&self, offset: usize, kind: ReadErrorKind) -> Result<T> {
        Err(ReadError { section: self.section, offset, kind })
    }

    pub fn bytes(&mut self, n: usize) -> Result<&'a [u8]> {
        match self.rest().get(..n) {
            Some(bytes) => {
                self.pos += n;
                Ok(bytes)
            }
            None => self
                .error(ReadErrorKind::Truncated { need: n as u64, left: self.rest().len() as u64 }),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.bytes(N)?.try_into().expect("N bytes were taken"))
    }

    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// An unsigned LEB128 number. Like ART, ignores bits above the 32nd of a fifth byte.
    pub fn uleb(&mut self) -> Result<u32> {
        let start = self.pos;
        let mut value = 0u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.u8()?;
            value |= u32::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        self.error_at(start, ReadErrorKind::Leb128)
    }

    /// A signed LEB128 number.
    pub fn sleb(&mut self) -> Result<i32> {
        let start = self.pos;
        let mut value = 0i64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.u8()?;
            value |= i64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                let unused = 64 - 7 - shift;
                return Ok((value << unused >> unused) as i32);
            }
        }
        self.error_at(start, ReadErrorKind::Leb128)
    }

    /// A count of items that take at least `min_size` bytes each, checked against what is left.
    pub fn check_count(&self, count: u32, min_size: usize) -> Result<usize> {
        let need = u64::from(count) * min_size as u64;
        let left = self.rest().len() as u64;
        if need > left {
            return self.error(ReadErrorKind::Truncated { need, left });
        }
        Ok(count as usize)
    }

    pub fn count_u32(&mut self, min_size: usize) -> Result<usize> {
        let count = self.u32()?;
        self.check_count(count, min_size)
    }

    pub fn count_uleb(&mut self, min_size: usize) -> Result<usize> {
        let count = self.uleb()?;
        self.check_count(count, min_size)
    }

    /// Checks an index that was just read (and so ends at the present position).
    pub fn index(&self, what: &'static str, index: impl Into<u64>, count: usize) -> Result<usize> {
        let index = index.into();
        if index < count as u64 {
            Ok(index as usize)
        } else {
            self.error(ReadErrorKind::Index { what, index, count })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes, 0, Section::Header)
    }

    #[test]
    fn leb128_examples_of_the_format_document() {
        // The table under "LEB128" in the format document.
        for (bytes, signed, unsigned) in
            [(&[0x00][..], 0, 0), (&[0x01], 1, 1), (&[0x7F], -1, 127), (&[0x80, 0x7F], -128, 16256)]
        {
            assert_eq!(cursor(bytes).sleb(), Ok(signed));
            assert_eq!(cursor(bytes).uleb(), Ok(unsigned));
        }
        assert_eq!(cursor(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]).uleb(), Ok(u32::MAX));
        assert_eq!(cursor(&[0x80, 0x80, 0x80, 0x80, 0x78]).sleb(), Ok(i32::MIN));
        assert_eq!(cursor(&[0x80; 6]).uleb().unwrap_err().kind, ReadErrorKind::Leb128);
    }
}
