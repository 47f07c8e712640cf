//! Writes Protocol Buffers by hand: numbers, texts and messages in messages.
//!
//! Source: protobuf.dev, "Encoding". A field is its number and wire type, then its value.

/// A message that is being written.
#[derive(Debug, Default)]
pub(super) struct Message(Vec<u8>);

fn number_to(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

impl Message {
    /// Appends a whole number.
    pub fn number(mut self, field: u32, value: u64) -> Self {
        number_to(&mut self.0, u64::from(field << 3));
        number_to(&mut self.0, value);
        self
    }

    /// Appends a text.
    pub fn text(self, field: u32, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// Appends a message.
    pub fn message(self, field: u32, message: &Message) -> Self {
        self.bytes(field, &message.0)
    }

    fn bytes(mut self, field: u32, bytes: &[u8]) -> Self {
        number_to(&mut self.0, u64::from(field << 3 | 2));
        number_to(&mut self.0, bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// What was written.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A number as in a field, for buffers of our own.
pub(super) fn write_number(out: &mut impl std::io::Write, n: u64) -> std::io::Result<()> {
    let (mut bytes, mut len, mut rest) = ([0; 10], 0, n);
    while rest >= 0x80 {
        bytes[len] = rest as u8 | 0x80;
        (len, rest) = (len + 1, rest >> 7);
    }
    bytes[len] = rest as u8;
    out.write_all(&bytes[..=len])
}

/// Reads what [`write_number`] wrote.
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
