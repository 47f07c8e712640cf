//! The range coder of protocol §3: the reference encoder and the decoder.
//!
//! # What a distribution guarantees
//!
//! Every symbol is coded with a *slice* `[cum, cum + freq)` of `0 .. 65536`. A distribution is a
//! partition of that line:
//!
//! * every alternative has a slice with `freq ≥ 1` (nothing that can happen has probability
//!   zero);
//! * the slices follow each other without gaps in the order of the map, beginning at 0;
//! * the last slice, `[65535, 65536)`, always belongs to ESC; hence no alternative has probability
//!   one, and the question "is the next symbol ESC?" has an answer that does not depend on the
//!   distribution.
//!
//! # What the coder guarantees
//!
//! * A record is a function of the sequence of slices alone: encoder and decoder do the same
//!   integer arithmetic.
//! * A byte that was published never changes.
//! * A record ends at a byte that the decoder computes; any bytes may follow it.
//! * From a stream that was cut anywhere, the decoder hands out exactly those symbols that every
//!   continuation of the stream would give, and then reports [`CoderError::Truncated`].

use thiserror::Error;

/// Total of every distribution.
pub const TOTAL: u32 = 1 << 16;
/// Begin of ESC's slice, whose frequency is 1.
pub const ESC_CUM: u32 = TOTAL - 1;

const RESET_RANGE: u64 = (1 << 63) - 1;
const MIN_RANGE: u64 = 1 << 31;
const LOW_63: u64 = (1 << 63) - 1;

/// Reasons why a symbol cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CoderError {
    /// The bytes end before the next symbol (or the end of the record) is certain.
    #[error("the stream ends at byte {at} before the next symbol is certain")]
    Truncated {
        /// Position where the bytes end.
        at: usize,
    },
    /// No encoder that follows the protocol could have written these bytes, or the reader asked for
    /// something else than was written.
    #[error("the bytes at {at} are not what an encoder writes here")]
    Corrupt {
        /// Position of the decoder's window.
        at: usize,
    },
}

/// The end of a record: the smallest `k` in 1 … 7 and the value `V` (64 bits, bit 63 is a carry)
/// whose top `k` bytes (of 63 bits) close it.
fn closing(low: u64, range: u64) -> (usize, u64) {
    let end = u128::from(low) + u128::from(range);
    for k in 1..7 {
        let step = 1u128 << (63 - 8 * k);
        let value = (u128::from(low) + step - 1) & !(step - 1);
        if value + step <= end {
            return (k, value as u64);
        }
    }
    // The range never falls below 2¹⁵, so two multiples of 2⁷ always fit.
    (7, low.wrapping_add(0x7F) & !0x7F)
}

/// The reference encoder (protocol §3). The device runtime does the same in Java.
#[derive(Debug, Clone)]
pub struct Encoder {
    low: u64,
    range: u64,
    cache: Option<u32>,
    pending: u64,
    words: u64,
    out: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// An encoder at the beginning of a record, with nothing published.
    pub fn new() -> Self {
        Self { low: 0, range: RESET_RANGE, cache: None, pending: 0, words: 0, out: Vec::new() }
    }

    /// Codes the slice `[cum, cum + freq)` of 65,536.
    ///
    /// # Panics
    /// If `freq` is 0 or the slice exceeds the total: such a slice belongs to no distribution.
    pub fn narrow(&mut self, cum: u32, freq: u32) {
        assert!(freq >= 1 && cum <= TOTAL && freq <= TOTAL - cum, "no slice: {cum} + {freq}");
        if self.range < MIN_RANGE {
            self.renormalise();
        }
        let r = self.range >> 16;
        self.low += r * u64::from(cum);
        self.range = r * u64::from(freq);
    }

    /// Codes ESC.
    pub fn escape(&mut self) {
        self.narrow(ESC_CUM, 1);
    }

    /// Codes a slice packed by [`crate::table::pack`].
    pub fn step(&mut self, slice: u32) {
        self.narrow(slice >> 16, slice & 0xFFFF);
    }

    /// Codes the `n` low bits of `v`, all values alike.
    ///
    /// # Panics
    /// If `n` is not in 1 … 32 or `v` has more than `n` bits.
    pub fn bits(&mut self, v: u32, n: u32) {
        assert!((1..=32).contains(&n) && (n == 32 || v >> n == 0), "{v} does not fit {n} bits");
        if n > 16 {
            self.bits(v & 0xFFFF, 16);
            self.bits(v >> 16, n - 16);
        } else {
            self.narrow(v << (16 - n), 1 << (16 - n));
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

    /// Closes the record; the next symbol begins a new one.
    pub fn flush(&mut self) {
        if self.range != RESET_RANGE {
            let (k, value) = closing(self.low, self.range);
            self.put_settled((value >> 63) as u32);
            self.out.extend_from_slice(&(value << 1).to_be_bytes()[..k]);
        }
        self.low = 0;
        self.range = RESET_RANGE;
        self.words = 0;
    }

    /// Returns the number of renormalisations since the record began.
    pub fn renormalisations(&self) -> u64 {
        self.words
    }

    /// Returns true if nothing was coded since the record began.
    pub fn is_fresh(&self) -> bool {
        self.range == RESET_RANGE
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

    /// The interval: `low` (bit 63 is a carry that has not been applied yet) and `range`.
    pub fn interval(&self) -> (u64, u64) {
        (self.low, self.range)
    }

    /// Returns the number of words 0xFFFFFFFF that wait for a possible carry.
    pub fn pending(&self) -> u64 {
        self.pending
    }

    fn renormalise(&mut self) {
        let carry = (self.low >> 63) as u32;
        let word = (self.low >> 31) as u32;
        if carry == 1 || word != u32::MAX {
            self.put_settled(carry);
            self.cache = Some(word);
        } else {
            self.pending += 1;
        }
        self.low = (self.low & (MIN_RANGE - 1)) << 32;
        self.range <<= 32;
        self.words += 1;
    }

    /// Publishes the cache and the pending words, `carry` added.
    fn put_settled(&mut self, carry: u32) {
        if let Some(cache) = self.cache.take() {
            // A word that a carry could overflow is never cached but counted in `pending`; one
            // whose carry came is below 2³² − 1 again.
            self.out.extend_from_slice(&cache.wrapping_add(carry).to_be_bytes());
        }
        for _ in 0..self.pending {
            self.out.extend_from_slice(&u32::MAX.wrapping_add(carry).to_be_bytes());
        }
        self.pending = 0;
    }
}

/// The decoder: follows the encoder's interval over a byte slice.
///
/// Questions ([`peek_slice`](Self::peek_slice), [`is_escape`](Self::is_escape)) change nothing;
/// [`consume`](Self::consume) and what builds on it moves on. An error changes nothing either, so a
/// caller may state exactly which symbols were still certain.
///
/// ```
/// use model::coder::{Decoder, Encoder};
/// let mut e = Encoder::new();
/// e.narrow(0, 60000);
/// e.escape();
/// e.gamma(77);
/// let bytes = e.finish();
/// let mut d = Decoder::new(&bytes, 0);
/// assert!(!d.is_escape().unwrap());
/// assert!(d.peek_slice().unwrap() < 60000);
/// d.consume(0, 60000).unwrap();
/// assert!(d.is_escape().unwrap());
/// d.escape().unwrap();
/// assert_eq!(d.gamma().unwrap(), 77);
/// d.flush().unwrap();
/// assert!(d.at_end());
/// ```
#[derive(Debug, Clone)]
pub struct Decoder<'a> {
    /// Code value minus `low`, the unknown bits taken as zeros.
    diff: u64,
    range: u64,
    /// 2^u − 1, where u is the number of bits in the window that lie after the end of the data.
    slack: u64,
    /// The 63-bit window of the code begins at this byte.
    at: usize,
    data: &'a [u8],
    record: usize,
    /// `range` right after the last renormalisation. The decoder renormalises as soon as it can,
    /// the encoder when it must: while this equals `range`, the encoder has not done that step yet.
    /// (A slice always makes the range smaller, so equality is enough.)
    fresh_range: u64,
}

impl<'a> Decoder<'a> {
    /// Makes a decoder whose record begins at byte `start` of `data` (at the end, if `start` lies
    /// after the end).
    pub fn new(data: &'a [u8], start: usize) -> Self {
        let start = start.min(data.len());
        let mut d =
            Self { diff: 0, range: 0, slack: 0, at: start, data, record: start, fresh_range: 0 };
        d.reset(start);
        d
    }

    /// Begins a record at byte `start`.
    pub fn reset(&mut self, start: usize) {
        self.at = start.min(self.data.len());
        self.record = self.at;
        self.range = RESET_RANGE;
        self.fresh_range = 0;
        let (code, slack) = self.window(self.at);
        self.diff = code;
        self.slack = slack;
    }

    /// Returns the 63 code bits at byte `at`, with zeros for the n bits that lie after the end of
    /// the data, and 2ⁿ − 1.
    #[inline]
    fn window(&self, at: usize) -> (u64, u64) {
        match self.data.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            Some(bytes) => (u64::from_be_bytes(*bytes) >> 1, 0),
            None => self.window_at_end(at),
        }
    }

    #[cold]
    fn window_at_end(&self, at: usize) -> (u64, u64) {
        let rest = self.data.get(at..).unwrap_or_default();
        let mut bytes = [0; 8];
        bytes[..rest.len()].copy_from_slice(rest);
        (u64::from_be_bytes(bytes) >> 1, LOW_63 >> (8 * rest.len()))
    }

    #[cold]
    fn truncated(&self) -> CoderError {
        CoderError::Truncated { at: self.data.len() }
    }

    #[cold]
    fn corrupt(&self) -> CoderError {
        CoderError::Corrupt { at: self.at.min(self.data.len()) }
    }

    /// The value in `0 .. 65536` whose slice is the next symbol. On a stream that was cut, the
    /// smallest that is possible: [`consume`](Self::consume) checks whether the slice found is
    /// certain.
    ///
    /// # Errors
    /// [`CoderError::Corrupt`] when the code lies in the rounding remainder, which no slice owns.
    #[inline]
    pub fn peek_slice(&self) -> Result<u32, CoderError> {
        let v = self.diff / (self.range >> 16);
        if v < u64::from(TOTAL) { Ok(v as u32) } else { Err(self.corrupt()) }
    }

    /// Returns true if the next symbol is ESC, under any distribution.
    ///
    /// # Errors
    /// [`CoderError::Truncated`] when that is not certain, [`CoderError::Corrupt`] as for
    /// [`peek_slice`](Self::peek_slice).
    #[inline]
    pub fn is_escape(&self) -> Result<bool, CoderError> {
        let r = self.range >> 16;
        let esc = r * u64::from(ESC_CUM);
        if self.diff + self.slack < esc {
            return Ok(false);
        }
        self.is_escape_rare(r, esc)
    }

    #[cold]
    fn is_escape_rare(&self, r: u64, esc: u64) -> Result<bool, CoderError> {
        if self.diff >= r << 16 {
            Err(self.corrupt())
        } else if self.diff >= esc && self.diff + self.slack < r << 16 {
            Ok(true)
        } else {
            Err(self.truncated())
        }
    }

    /// Takes the next symbol, whose slice is `[cum, cum + freq)`.
    ///
    /// # Errors
    /// [`CoderError::Truncated`] when a continuation of the data exists for which it would be
    /// another symbol, [`CoderError::Corrupt`] when it is another symbol in any case (also for an
    /// invalid slice).
    #[inline]
    pub fn consume(&mut self, cum: u32, freq: u32) -> Result<(), CoderError> {
        let r = self.range >> 16;
        // Both factors come from outside: 47 + 16 bits, more could overflow.
        if cum > TOTAL || freq > TOTAL {
            return Err(self.corrupt());
        }
        let diff = self.diff.wrapping_sub(r * u64::from(cum));
        let range = r * u64::from(freq);
        if diff >= range || range - diff <= self.slack {
            return Err(self.refusal(diff, range));
        }
        self.diff = diff;
        self.range = range;
        if range < MIN_RANGE {
            self.renormalise();
        }
        Ok(())
    }

    #[cold]
    fn refusal(&self, diff: u64, range: u64) -> CoderError {
        // Below the slice, but some continuation reaches it; or inside, but some continuation
        // leaves it.
        let reaches = diff > u64::MAX / 2 && diff.checked_add(self.slack).is_none();
        if reaches || diff < range { self.truncated() } else { self.corrupt() }
    }

    #[inline]
    fn renormalise(&mut self) {
        // After a symbol that was certain, fewer than 32 bits of the window are unknown: `at` stays
        // inside the data.
        self.at += 4;
        let (code, slack) = self.window(self.at);
        self.diff = self.diff << 32 | u64::from(code as u32);
        self.slack = slack;
        self.range <<= 32;
        self.fresh_range = self.range;
    }

    /// Takes ESC.
    ///
    /// # Errors
    /// As [`consume`](Self::consume).
    pub fn escape(&mut self) -> Result<(), CoderError> {
        self.consume(ESC_CUM, 1)
    }

    /// Takes the next symbol under the distribution given by packed slices (see
    /// [`crate::table::pack`]) in order: the index of the alternative, or `None` when the next
    /// symbol is ESC, which is not taken.
    ///
    /// # Errors
    /// As [`consume`](Self::consume) and [`is_escape`](Self::is_escape).
    #[inline(always)]
    pub fn choose(&mut self, slices: &[u32]) -> Result<Option<usize>, CoderError> {
        if self.is_escape()? {
            return Ok(None);
        }
        let r = self.range >> 16;
        // A product per alternative is cheaper than a division as long as there are few.
        let index = if slices.len() <= 8 {
            slices.iter().skip(1).take_while(|s| r * u64::from(**s >> 16) <= self.diff).count()
        } else {
            let value = self.peek_slice()?;
            slices.partition_point(|s| s >> 16 <= value).saturating_sub(1)
        };
        let slice = *slices.get(index).ok_or_else(|| self.corrupt())?;
        self.consume(slice >> 16, slice & 0xFFFF)?;
        Ok(Some(index))
    }

    /// Returns how many of the ascending values `firsts` the code has reached; each value begins a
    /// slice. Takes at most eight values, for which a product each is cheaper than a division.
    #[inline(always)]
    pub(crate) fn reached(&self, firsts: impl Iterator<Item = u32>) -> usize {
        let r = self.range >> 16;
        firsts.take_while(|f| r * u64::from(*f) <= self.diff).count()
    }

    /// Takes `n` bits (1 … 32; for 0 nothing is taken).
    ///
    /// # Errors
    /// As [`consume`](Self::consume). On an error inside a long field nothing is taken.
    pub fn bits(&mut self, n: u32) -> Result<u32, CoderError> {
        if n > 16 {
            let before = self.clone();
            let low = self.bits(16)?;
            return match self.bits((n - 16).min(16)) {
                Ok(high) => Ok(high << 16 | low),
                Err(e) => {
                    *self = before;
                    Err(e)
                }
            };
        }
        if n == 0 {
            return Ok(0);
        }
        let v = self.peek_slice()? >> (16 - n);
        self.consume(v << (16 - n), 1 << (16 - n))?;
        Ok(v)
    }

    /// Takes a number written by [`Encoder::gamma`].
    ///
    /// # Errors
    /// As [`consume`](Self::consume); [`CoderError::Corrupt`] for a length above 32. On an error
    /// nothing is taken.
    pub fn gamma(&mut self) -> Result<u32, CoderError> {
        let before = self.clone();
        let value = match self.bits(6)? {
            length @ 0..=1 => Ok(length),
            length @ 2..=32 => self.bits(length - 1).map(|rest| rest | 1 << (length - 1)),
            _ => Err(self.corrupt()),
        };
        if value.is_err() {
            *self = before;
        }
        value
    }

    /// Ends the record as the encoder did: checks the record's last bytes, moves past them and
    /// begins the next record there. Returns the position of the new record.
    ///
    /// # Errors
    /// [`CoderError::Truncated`] when the record's last bytes are missing, [`CoderError::Corrupt`]
    /// when the encoder would have written other bytes. The decoder does not move then.
    pub fn flush(&mut self) -> Result<usize, CoderError> {
        let end = self.record_end()?;
        self.reset(end);
        Ok(end)
    }

    fn record_end(&self) -> Result<usize, CoderError> {
        if self.range == RESET_RANGE {
            return Ok(self.record);
        }
        let ahead = self.is_ahead();
        let (at, diff, range) = if ahead {
            (self.at - 4, self.diff >> 32, self.range >> 32)
        } else {
            (self.at, self.diff, self.range)
        };
        let (code, _) = self.window(at);
        // Known modulo 2⁶³; the carry is a multiple of every step that `closing` tries, so it
        // plays no part.
        let low = code.wrapping_sub(diff) & LOW_63;
        let (k, value) = closing(low, range);
        if self.data.len() - at < k {
            return Err(self.truncated());
        }
        if (code ^ value) & LOW_63 & !((1 << (63 - 8 * k)) - 1) != 0 {
            return Err(self.corrupt());
        }
        Ok(at + k)
    }

    fn is_ahead(&self) -> bool {
        self.range == self.fresh_range
    }

    /// Returns how often the *encoder* had renormalised in this record when it had written the last
    /// symbol taken.
    pub fn renormalisations(&self) -> usize {
        (self.at - self.record) / 4 - usize::from(self.is_ahead())
    }

    /// Returns true if nothing was taken since the record began.
    pub fn is_fresh(&self) -> bool {
        self.range == RESET_RANGE
    }

    /// Returns the position at which the current record begins.
    pub fn record_start(&self) -> usize {
        self.record
    }

    /// Returns the position of the decoder's window: bytes before it are used up.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Bytes from the window's beginning to the end of the data.
    pub fn bytes_available(&self) -> usize {
        self.data.len() - self.at
    }

    /// Returns true if the data ends exactly here, between two records.
    pub fn at_end(&self) -> bool {
        self.is_fresh() && self.at == self.data.len()
    }

    /// The interval's width, as the encoder had it after the last symbol taken.
    pub fn range(&self) -> u64 {
        if self.is_ahead() { self.range >> 32 } else { self.range }
    }
}

#[cfg(test)]
mod tests;
