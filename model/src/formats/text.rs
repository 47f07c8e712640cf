//! Text as shells, editors and tools write it, read as UTF-8.
//!
//! PowerShell's `>` writes UTF-16 with a byte order mark, other tools leave the mark out, and some
//! put one before UTF-8. All text of users is read through this module. Logs are not text: slabs
//! are found among any bytes.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// Bytes that decide about the encoding.
const HEAD: usize = 8;

/// Encoding of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// UTF-8, or bytes that are no text.
    Utf8,
    Utf16Little,
    Utf16Big,
}

impl Encoding {
    /// Encoding of a text that begins with these bytes, and the length of its byte order mark.
    /// Without a mark, UTF-16 is recognised by its first characters, which are ASCII.
    fn detect(head: &[u8]) -> (Encoding, usize) {
        let printable = |b: &u8| b.is_ascii_graphic() || b.is_ascii_whitespace();
        let every = |from: usize| head.iter().take(HEAD).skip(from).step_by(2);
        let is_ascii = |low: usize, high: usize| {
            head.len() >= HEAD && every(low).all(printable) && every(high).all(|b| *b == 0)
        };
        match head {
            [0xEF, 0xBB, 0xBF, ..] => (Encoding::Utf8, 3),
            [0xFF, 0xFE, ..] => (Encoding::Utf16Little, 2),
            [0xFE, 0xFF, ..] => (Encoding::Utf16Big, 2),
            _ if is_ascii(0, 1) => (Encoding::Utf16Little, 0),
            _ if is_ascii(1, 0) => (Encoding::Utf16Big, 0),
            _ => (Encoding::Utf8, 0),
        }
    }
}

/// Decoder of UTF-16 that comes in pieces. Unpaired halves of surrogate pairs become U+FFFD.
#[derive(Debug, Default)]
struct Utf16 {
    is_big: bool,
    /// First byte of a unit whose second one has not come.
    odd: Option<u8>,
    /// First half of a surrogate pair.
    high: Option<u16>,
}

impl Utf16 {
    fn push(&mut self, bytes: &[u8], out: &mut String) {
        for &byte in bytes {
            match self.odd.take() {
                None => self.odd = Some(byte),
                Some(first) if self.is_big => self.unit(u16::from_be_bytes([first, byte]), out),
                Some(first) => self.unit(u16::from_le_bytes([first, byte]), out),
            }
        }
    }

    fn unit(&mut self, unit: u16, out: &mut String) {
        let is_low = matches!(unit, 0xDC00..=0xDFFF);
        let high = match self.high.take() {
            // Its other half is missing.
            Some(_) if !is_low => {
                out.push(char::REPLACEMENT_CHARACTER);
                None
            }
            high => high,
        };
        if matches!(unit, 0xD800..=0xDBFF) {
            self.high = Some(unit);
            return;
        }
        let units = high.into_iter().chain([unit]);
        let decoded = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
        out.extend(decoded);
    }

    /// Ends the text.
    fn finish(&mut self, out: &mut String) {
        if self.odd.take().is_some() | self.high.take().is_some() {
            out.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

/// Reads a text of any of these encodings as UTF-8, without its byte order mark. Bytes of other
/// encodings pass unchanged.
#[derive(Debug)]
pub struct TextReader<R> {
    input: R,
    encoding: Option<Encoding>,
    utf16: Utf16,
    /// Bytes before the rest of the input: the bytes that decided the encoding, or a decoded chunk.
    ready: Vec<u8>,
    /// Number of bytes of `ready` that have been taken.
    taken: usize,
}

impl<R: BufRead> TextReader<R> {
    /// Reads this input from its begin on.
    pub fn new(input: R) -> Self {
        TextReader { input, encoding: None, utf16: Utf16::default(), ready: Vec::new(), taken: 0 }
    }

    /// Finds out the encoding.
    fn begin(&mut self) -> io::Result<Encoding> {
        if let Some(encoding) = self.encoding {
            return Ok(encoding);
        }
        self.input.by_ref().take(HEAD as u64).read_to_end(&mut self.ready)?;
        let (encoding, mark) = Encoding::detect(&self.ready);
        self.ready.drain(..mark);
        if encoding != Encoding::Utf8 {
            self.utf16.is_big = encoding == Encoding::Utf16Big;
            let mut text = String::new();
            self.utf16.push(&self.ready, &mut text);
            self.ready = text.into_bytes();
        }
        self.encoding = Some(encoding);
        Ok(encoding)
    }

    /// Decodes pieces of the input until one has a character.
    fn decode(&mut self) -> io::Result<()> {
        let mut text = String::from_utf8(std::mem::take(&mut self.ready)).unwrap_or_default();
        text.clear();
        self.taken = 0;
        while text.is_empty() {
            let piece = match self.input.fill_buf() {
                Ok(piece) => piece,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            let length = piece.len();
            if length == 0 {
                self.utf16.finish(&mut text);
                break;
            }
            self.utf16.push(piece, &mut text);
            self.input.consume(length);
        }
        self.ready = text.into_bytes();
        Ok(())
    }
}

impl<R: BufRead> BufRead for TextReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let encoding = self.begin()?;
        if self.taken < self.ready.len() {
            return Ok(&self.ready[self.taken..]);
        }
        if encoding == Encoding::Utf8 {
            return self.input.fill_buf();
        }
        self.decode()?;
        Ok(&self.ready)
    }

    fn consume(&mut self, amount: usize) {
        if self.taken < self.ready.len() {
            self.taken = (self.taken + amount).min(self.ready.len());
        } else {
            self.input.consume(amount);
        }
    }
}

impl<R: BufRead> Read for TextReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut piece = self.fill_buf()?;
        let length = piece.read(out)?;
        self.consume(length);
        Ok(length)
    }
}

/// Decodes a text that is in memory to UTF-8. Text that is not UTF-16 stays as it is, except that a
/// byte order mark is dropped.
pub fn to_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let (encoding, mark) = Encoding::detect(bytes);
    let rest = &bytes[mark..];
    if encoding == Encoding::Utf8 {
        return Cow::Borrowed(rest);
    }
    let mut utf16 = Utf16 { is_big: encoding == Encoding::Utf16Big, ..Utf16::default() };
    let mut text = String::with_capacity(rest.len() / 2);
    utf16.push(rest, &mut text);
    utf16.finish(&mut text);
    Cow::Owned(text.into_bytes())
}

/// Decodes a text that is in memory; bytes that are no text become U+FFFD.
pub fn to_text(bytes: &[u8]) -> Cow<'_, str> {
    match to_utf8(bytes) {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Tests if a file that begins with these bytes is text.
pub fn is_text(head: &[u8]) -> bool {
    let text = to_utf8(head);
    // The head may end within a character.
    match std::str::from_utf8(&text) {
        Ok(_) => true,
        Err(e) => e.error_len().is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "at a.B.c(D.java:1) \u{1F600} é\r\n";

    fn bytes(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    /// Gives one byte at a time: no character comes whole.
    struct Slow<'b>(&'b [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let length = out.len().min(1);
            self.0.read(&mut out[..length])
        }
    }

    fn read(bytes: &[u8]) -> String {
        let slow = io::BufReader::with_capacity(1, Slow(bytes));
        let mut text = String::new();
        TextReader::new(slow).read_to_string(&mut text).unwrap();
        assert_eq!(to_text(bytes), text, "both readers agree");
        text
    }

    #[test]
    fn the_mark_decides_and_is_no_part_of_the_text() {
        let marked = format!("\u{feff}{TEXT}");
        for bytes in [
            marked.clone().into_bytes(),
            bytes(&marked, u16::to_le_bytes),
            bytes(&marked, u16::to_be_bytes),
        ] {
            assert_eq!(read(&bytes), TEXT);
            assert!(is_text(&bytes[..13]));
        }
    }

    #[test]
    fn utf16_without_a_mark_is_recognised_by_its_ascii() {
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            assert_eq!(read(&bytes(TEXT, unit)), TEXT);
        }
        assert_eq!(read(TEXT.as_bytes()), TEXT);
    }

    /// `logcat -B` begins each entry with its length and that of its header, both 16 bits.
    #[test]
    fn binary_numbers_of_16_bits_are_no_text() {
        let entry = [0x50, 0, 0x1C, 0, 0x39, 0x05, 0, 0];
        assert_eq!(to_utf8(&entry), &entry[..]);
        assert!(!is_text(&[0x80, 0xFF, 1, 2]));
    }

    #[test]
    fn halves_of_pairs_are_replaced() {
        let units = [0xFEFF, 0x41, 0xD83D, 0x42, 0xDE00, 0x43, 0xD83D, 0xD83D, 0xDE00, 0xD83D];
        let bytes: Vec<u8> = units.iter().flat_map(|u: &u16| u.to_le_bytes()).collect();
        assert_eq!(read(&bytes), "A\u{fffd}B\u{fffd}C\u{fffd}\u{1F600}\u{fffd}");
        assert_eq!(read(&bytes[..5]), "A\u{fffd}");
    }
}
