//! Appends the format's primitive types to a buffer.

/// Bytes under construction.
#[derive(Default)]
pub(crate) struct Sink {
    pub bytes: Vec<u8>,
}

impl Sink {
    /// The offset of what is appended next. Wraps above 4 GiB; the writer checks the size at the
    /// end.
    pub fn pos(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Pads with zeros.
    pub fn align(&mut self, to: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(to), 0);
    }

    pub fn u8(&mut self, v: u8) {
        self.bytes.push(v);
    }

    pub fn u16(&mut self, v: u16) {
        self.bytes.extend(v.to_le_bytes());
    }

    pub fn u32(&mut self, v: u32) {
        self.bytes.extend(v.to_le_bytes());
    }

    pub fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Unsigned LEB128, shortest form.
    pub fn uleb(&mut self, mut v: u32) {
        while v >= 0x80 {
            self.u8(v as u8 | 0x80);
            v >>= 7;
        }
        self.u8(v as u8);
    }

    /// Signed LEB128, shortest form.
    pub fn sleb(&mut self, mut v: i32) {
        while !(-0x40..0x40).contains(&v) {
            self.u8(v as u8 | 0x80);
            v >>= 7;
        }
        self.u8(v as u8 & 0x7F);
    }

    /// Overwrites four bytes that were appended before.
    pub fn patch_u32(&mut self, at: usize, v: u32) {
        self.bytes[at..at + 4].copy_from_slice(&v.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::error::Section;
    use crate::read::cursor::Cursor;

    proptest::proptest! {
        #[test]
        fn leb128_survives(u: u32, s: i32, shift in 0u32..32) {
            let (u, s) = (u >> shift, s >> shift);
            let mut sink = Sink::default();
            sink.uleb(u);
            sink.sleb(s);
            let mut c = Cursor::new(&sink.bytes, 0, Section::Header);
            proptest::prop_assert_eq!(c.uleb(), Ok(u));
            proptest::prop_assert_eq!(c.sleb(), Ok(s));
            proptest::prop_assert_eq!(c.pos(), sink.bytes.len());
        }
    }
}
