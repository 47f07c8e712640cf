//! Encoding of Protocol Buffers: numbers, texts and nested messages.
//!
//! Source: protobuf.dev, "Encoding". A field is its number and wire type, then its value.

/// Bytes of a message that need no heap memory: most messages are short.
const SHORT: usize = 64;

/// A message that is being written.
#[derive(Debug)]
pub(super) struct Message {
    short: [u8; SHORT],
    len: usize,
    /// The whole message, if it is longer.
    long: Vec<u8>,
}

impl Default for Message {
    #[inline]
    fn default() -> Self {
        Message { short: [0; SHORT], len: 0, long: Vec::new() }
    }
}

impl Message {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        if end <= SHORT {
            self.short[self.len..end].copy_from_slice(bytes);
        } else {
            if self.len <= SHORT {
                self.long.extend_from_slice(&self.short[..self.len]);
            }
            self.long.extend_from_slice(bytes);
        }
        self.len = end;
    }

    #[inline]
    fn put_number(&mut self, n: u64) {
        if n < 0x80 {
            return self.put(&[n as u8]);
        }
        let (bytes, len) = digits(n);
        self.put(&bytes[..len]);
    }

    /// Appends an integer.
    #[inline]
    pub fn number(mut self, field: u32, value: u64) -> Self {
        self.put_number(u64::from(field << 3));
        self.put_number(value);
        self
    }

    /// Appends a text.
    pub fn text(self, field: u32, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// Appends a message.
    pub fn message(self, field: u32, message: &Message) -> Self {
        self.bytes(field, message.as_bytes())
    }

    fn bytes(mut self, field: u32, bytes: &[u8]) -> Self {
        self.put_number(u64::from(field << 3 | 2));
        self.put_number(bytes.len() as u64);
        self.put(bytes);
        self
    }

    /// Returns the encoded message.
    pub fn as_bytes(&self) -> &[u8] {
        if self.len <= SHORT { &self.short[..self.len] } else { &self.long }
    }
}

/// Returns an encoded number, and the number of bytes used.
fn digits(n: u64) -> ([u8; 10], usize) {
    let (mut bytes, mut len, mut rest) = ([0; 10], 0, n);
    while rest >= 0x80 {
        bytes[len] = rest as u8 | 0x80;
        (len, rest) = (len + 1, rest >> 7);
    }
    bytes[len] = rest as u8;
    (bytes, len + 1)
}

/// Writes a number as in a field, for buffers of this crate.
pub(super) fn write_number(out: &mut impl std::io::Write, n: u64) -> std::io::Result<()> {
    let (bytes, len) = digits(n);
    out.write_all(&bytes[..len])
}

/// Reads a number that [`write_number`] wrote.
pub(super) fn read_number(from: &mut impl std::io::Read) -> std::io::Result<u64> {
    let (mut n, mut shift) = (0, 0);
    loop {
        let mut byte = [0];
        from.read_exact(&mut byte)?;
        n |= u64::from(byte[0] & 0x7f) << shift;
        shift += 7;
        if byte[0] & 0x80 == 0 || shift > 63 {
            return Ok(n);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// According to Protocol Buffers: the tag (field 15, bytes), the length, the bytes.
    #[test]
    fn messages_of_all_lengths_are_whole() {
        for len in [0, 1, 61, 62, 63, 64, 100, 127] {
            let text = "x".repeat(len);
            let message = Message::default().text(15, &text).number(1, 300);
            let expected = [&[15 << 3 | 2, len as u8], text.as_bytes(), &[8, 0xac, 2]].concat();
            assert_eq!(message.as_bytes(), expected, "{len}");
        }
    }
}
