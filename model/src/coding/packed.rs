//! The packed wire of protocol §8: the reference encoder and the decoder.
//!
//! Symbols are code words, appended to one another. They leave in *words* of 63 bits; an escape,
//! and a record's end, puts out what there is in a *flagged* word of its own. So a reader knows at
//! every symbol boundary whether an escape comes next, and no code needs a word for it.
//!
//! * A byte that was published never changes.
//! * A record ends at a byte that the reader computes; any bytes may follow it.
//! * From a stream that was cut anywhere, the reader hands out exactly those symbols whose bits are
//!   all there.

use crate::coding::code;
use crate::coding::coder::CoderError;

/// Bits of a full word.
const FULL: u32 = 63;
/// Bytes of a full word.
const BYTES: usize = 8;
/// Bits before a flagged word's own bits: the flag and the number of own bits.
const HEAD: u32 = 7;

/// The reference encoder. The device runtime does the same in Java.
#[derive(Debug, Clone, Default)]
pub struct PackedEncoder {
    /// Bits that wait, right-aligned: fewer than 63.
    bits: u64,
    count: u32,
    /// Something was coded since the record began.
    open: bool,
    words: u64,
    out: Vec<u8>,
}

impl PackedEncoder {
    /// An encoder at the beginning of a record, with nothing published.
    pub fn new() -> Self {
        Self::default()
    }

    /// Codes a code word packed by [`code::pack`].
    pub fn symbol(&mut self, code: u32) {
        self.append(code::bits(code), code::length(code));
    }

    /// Codes the `n` low bits of `v`; for n > 16 the low 16 of them first.
    ///
    /// # Panics
    /// If `n` is not in 1 … 32 or `v` has more than `n` bits.
    pub fn bits(&mut self, v: u32, n: u32) {
        assert!((1..=32).contains(&n) && (n == 32 || v >> n == 0), "{v} does not fit {n} bits");
        if n > 16 {
            self.append(v & 0xFFFF, 16);
            self.append(v >> 16, n - 16);
        } else {
            self.append(v, n);
        }
    }

    /// Codes any 32-bit value; small ones cost less.
    pub fn gamma(&mut self, v: u32) {
        let length = 32 - v.leading_zeros();
        self.bits(length, 6);
        if length > 1 {
            self.bits(v & !(1 << (length - 1)), length - 1);
        }
    }

    /// Codes an escape: what waits leaves in a flagged word.
    pub fn escape(&mut self) {
        self.open = true;
        // 1, m, the bits, padding.
        let bytes = (HEAD + self.count).div_ceil(8);
        let value = (u128::from(64 | self.count) << self.count | u128::from(self.bits))
            << (8 * bytes - HEAD - self.count);
        self.out.extend_from_slice(&value.to_be_bytes()[16 - bytes as usize..]);
        (self.bits, self.count) = (0, 0);
    }

    /// Closes the record; the next symbol begins a new one.
    pub fn flush(&mut self) {
        if self.open {
            self.escape();
        }
        (self.open, self.words) = (false, 0);
    }

    /// Returns the number of full words that the record has put out.
    pub fn words(&self) -> u64 {
        self.words
    }

    /// Returns true if nothing was coded since the record began.
    pub fn is_fresh(&self) -> bool {
        !self.open
    }

    /// The bytes published so far. They are final.
    pub fn published(&self) -> &[u8] {
        &self.out
    }

    /// Appends bytes that are no part of a record (the thread's name).
    ///
    /// # Panics
    /// If a record is open.
    pub fn raw(&mut self, bytes: &[u8]) {
        assert!(self.is_fresh(), "a record is open");
        self.out.extend_from_slice(bytes);
    }

    /// Closes the record and hands out all bytes.
    pub fn finish(mut self) -> Vec<u8> {
        self.flush();
        self.out
    }

    fn append(&mut self, bits: u32, length: u32) {
        self.open = true;
        let room = FULL - self.count;
        if length < room {
            self.bits = self.bits << length | u64::from(bits);
            self.count += length;
            return;
        }
        let rest = length - room;
        self.out.extend_from_slice(&(self.bits << room | u64::from(bits >> rest)).to_be_bytes());
        self.words += 1;
        self.bits = u64::from(bits & ((1 << rest) - 1));
        self.count = rest;
    }
}

/// Content after the bits of the current word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    /// Another word, and symbols continue.
    Word,
    /// An escape, or the record's end.
    Flag,
    /// Nothing: the data ends.
    Cut,
    /// Something that no encoder writes.
    Corrupt,
}

/// The decoder.
///
/// ```
/// use model::code::pack;
/// use model::packed::{PackedDecoder, PackedEncoder};
/// let mut e = PackedEncoder::new();
/// e.symbol(pack(1, 1));
/// e.escape();
/// e.gamma(77);
/// let bytes = e.finish();
/// let mut d = PackedDecoder::new(&bytes, 0);
/// assert!(!d.is_escape().unwrap());
/// assert_eq!(d.bits(1), Ok(1));
/// assert!(d.is_escape().unwrap());
/// d.escape().unwrap();
/// use model::symbols::Symbols;
/// assert_eq!(d.gamma(), Ok(77));
/// d.flush().unwrap();
/// assert!(d.at_end());
/// ```
#[derive(Debug, Clone)]
pub struct PackedDecoder<'a> {
    /// Bits of the current word that have not been taken, left-aligned, followed by zeros.
    bits: u64,
    /// Number of these bits. 0 only if no word with bits follows: the next word is fetched as soon
    /// as one is used up.
    left: u32,
    after: After,
    /// Position after the current word.
    next: usize,
    data: &'a [u8],
    record: usize,
}

impl<'a> PackedDecoder<'a> {
    /// Makes a decoder whose record begins at byte `start` of `data` (at the end, if `start` lies
    /// after the end).
    pub fn new(data: &'a [u8], start: usize) -> Self {
        let mut d = Self { bits: 0, left: 0, after: After::Cut, next: 0, data, record: 0 };
        d.reset(start);
        d
    }

    /// Begins a record at byte `start`.
    pub fn reset(&mut self, start: usize) {
        self.record = start.min(self.data.len());
        self.fetch(self.record);
    }

    /// Takes the word at `at`.
    #[inline]
    fn fetch(&mut self, at: usize) {
        match self.data.get(at..).and_then(<[u8]>::first_chunk::<BYTES>) {
            Some(bytes) if bytes[0] < 0x80 => {
                self.bits = u64::from_be_bytes(*bytes) << 1;
                self.left = FULL;
                self.after = After::Word;
                self.next = at + BYTES;
            }
            _ => self.fetch_rare(at),
        }
    }

    #[cold]
    fn fetch_rare(&mut self, at: usize) {
        let rest = self.data.get(at..).unwrap_or_default();
        let mut bytes = [0; 16];
        let have = rest.len().min(bytes.len());
        bytes[..have].copy_from_slice(&rest[..have]);
        let value = u128::from_be_bytes(bytes);
        (self.bits, self.left, self.after) = (0, 0, After::Cut);
        self.next = self.data.len().max(at);
        if have == 0 {
            return;
        }
        if value >> 127 == 0 {
            // Fewer than eight bytes, or `fetch` had taken it.
            self.bits = (value >> 63) as u64;
            self.left = 8 * have as u32 - 1;
            return;
        }
        let count = (value >> 121) as u32 & 0x3F;
        let size = (HEAD + count).div_ceil(8);
        let own = value << HEAD;
        let padding = 8 * size - HEAD - count;
        if count >= FULL {
            self.after = After::Corrupt;
        } else if have < size as usize {
            self.bits = (own >> 64) as u64;
            self.left = 8 * have as u32 - HEAD;
        } else if padding > 0 && own << count >> (128 - padding) != 0 {
            // Padding that is not zero.
            self.after = After::Corrupt;
        } else {
            self.bits = (own >> 64) as u64 & !(u64::MAX >> count);
            self.left = count;
            self.after = After::Flag;
            self.next = at + size as usize;
        }
    }

    #[cold]
    pub(crate) fn corrupt(&self) -> CoderError {
        CoderError::Corrupt { at: self.position() }
    }

    /// Returns the reason why a field of `n` bits is missing or is not valid.
    #[cold]
    pub(crate) fn refusal(&self, n: u32) -> CoderError {
        let (mut left, mut after, mut ahead) = (self.left, self.after, self.clone());
        if left < n && after == After::Word {
            ahead.fetch(self.next);
            (left, after) = (left + ahead.left, ahead.after);
        }
        if left < n && after == After::Cut {
            CoderError::Truncated { at: self.data.len() }
        } else {
            self.corrupt()
        }
    }

    /// Returns true if an escape (or the record's end) is next.
    ///
    /// # Errors
    /// [`CoderError::Truncated`] when the data ends here, [`CoderError::Corrupt`] when the bytes
    /// that follow are no word.
    #[inline(always)]
    pub fn is_escape(&self) -> Result<bool, CoderError> {
        if self.left > 0 { Ok(false) } else { self.is_escape_rare() }
    }

    #[cold]
    fn is_escape_rare(&self) -> Result<bool, CoderError> {
        match self.after {
            After::Flag => Ok(true),
            After::Cut => Err(CoderError::Truncated { at: self.data.len() }),
            After::Word | After::Corrupt => Err(self.corrupt()),
        }
    }

    /// Takes the escape.
    ///
    /// # Errors
    /// As [`is_escape`](Self::is_escape); [`CoderError::Corrupt`] when bits come first.
    pub fn escape(&mut self) -> Result<(), CoderError> {
        if !self.is_escape()? {
            return Err(self.corrupt());
        }
        self.fetch(self.next);
        Ok(())
    }

    /// Takes one bit; `None` when an escape is next.
    ///
    /// # Errors
    /// As [`is_escape`](Self::is_escape).
    #[inline(always)]
    pub fn bit(&mut self) -> Result<Option<usize>, CoderError> {
        if self.left == 0 {
            return self.is_escape_rare().map(|_| None);
        }
        let bit = (self.bits >> 63) as usize;
        self.bits <<= 1;
        self.left -= 1;
        if self.left == 0 && self.after == After::Word {
            self.fetch(self.next);
        }
        Ok(Some(bit))
    }

    /// Returns the next 32 bits; bits that are missing or lie after an escape are 0.
    #[inline]
    pub fn peek(&self) -> u32 {
        let value = (self.bits >> 32) as u32;
        if self.left >= 32 || self.after != After::Word {
            return value;
        }
        let mut ahead = self.clone();
        ahead.fetch(self.next);
        value | ((ahead.bits >> 32) >> self.left) as u32
    }

    /// Takes `n` bits (1 … 32) that [`peek`](Self::peek) has shown.
    ///
    /// # Errors
    /// [`CoderError::Truncated`] when some of them are not there, [`CoderError::Corrupt`] when an
    /// escape comes before their end.
    #[inline]
    pub fn take(&mut self, n: u32) -> Result<(), CoderError> {
        if n < self.left {
            self.bits <<= n;
            self.left -= n;
            return Ok(());
        }
        self.take_rare(n)
    }

    fn take_rare(&mut self, n: u32) -> Result<(), CoderError> {
        let before = self.clone();
        let mut missing = n;
        while missing > 0 {
            let part = missing.min(self.left);
            if part == 0 {
                *self = before;
                return Err(self.refusal(n));
            }
            // A whole word has 63 bits, so a shift by 64 cannot come up.
            self.bits <<= part;
            self.left -= part;
            missing -= part;
            if self.left == 0 && self.after == After::Word {
                self.fetch(self.next);
            }
        }
        Ok(())
    }

    /// Takes `n` bits (1 … 32; for 0 nothing is taken), written by [`PackedEncoder::bits`].
    ///
    /// # Errors
    /// As [`take`](Self::take). On an error nothing is taken.
    pub fn bits(&mut self, n: u32) -> Result<u32, CoderError> {
        if n == 0 {
            return Ok(0);
        }
        let n = n.min(32);
        let value = self.peek() >> (32 - n);
        self.take(n)?;
        // The low 16 bits came first.
        Ok(if n > 16 { (value & ((1 << (n - 16)) - 1)) << 16 | value >> (n - 16) } else { value })
    }

    /// Ends the record, which must be used up, and begins the next one. Returns the position of the
    /// new record.
    ///
    /// # Errors
    /// [`CoderError::Truncated`] when the record's last bytes are missing, [`CoderError::Corrupt`]
    /// when the record does not end here. The decoder does not move then.
    pub fn flush(&mut self) -> Result<usize, CoderError> {
        if !self.is_fresh() {
            if !self.is_escape()? {
                return Err(self.corrupt());
            }
            self.reset(self.next);
        }
        Ok(self.record)
    }

    /// Returns true if nothing was taken since the record began.
    pub fn is_fresh(&self) -> bool {
        let fresh = Self::new(self.data, self.record);
        (fresh.next, fresh.left, fresh.after) == (self.next, self.left, self.after)
    }

    /// Returns the position at which the current record begins.
    pub fn record_start(&self) -> usize {
        self.record
    }

    /// Returns the position after the word that has the next bit.
    pub fn position(&self) -> usize {
        self.next.min(self.data.len())
    }

    /// Returns true if the data ends exactly here, between two records.
    pub fn at_end(&self) -> bool {
        self.record == self.data.len()
    }
}

#[cfg(test)]
mod tests;
