//! The questions that a walker asks a stream of symbols, on either wire.

use crate::coding::code;
use crate::coding::coder::{CoderError, Decoder, ESC_CUM};
use crate::coding::packed::PackedDecoder;
use crate::formats::map::BlockId;
use crate::protocol::Span;
use crate::recording::{Recording, Wire};

/// An alternative of a distribution, for looking it up. See [`alternatives`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternative {
    /// The range wire: where its slice begins. The packed wire: its code word, in the high bits of
    /// 32.
    pub first: u32,
    /// The range wire: its slice's width. The packed wire: its code word's length in bits.
    pub width: u32,
    /// Its number in the distribution.
    pub index: u32,
    /// The target that the caller assigned to the alternative.
    pub to: u32,
}

/// The alternatives of a distribution with these constants ([`Recording::symbols`]), ascending by
/// `first`.
pub fn alternatives(
    recording: Recording,
    constants: &[u32],
    to: impl Fn(usize) -> u32,
) -> Vec<Alternative> {
    let mut all: Vec<Alternative> = constants
        .iter()
        .enumerate()
        .map(|(i, &c)| {
            let (first, width) = match recording.wire() {
                Wire::Range => (c >> 16, c & 0xFFFF),
                Wire::Packed => (code::bits(c) << (32 - code::length(c)), code::length(c)),
            };
            Alternative { first, width, index: i as u32, to: to(i) }
        })
        .collect();
    all.sort_by_key(|a| a.first);
    all
}

/// The same for the edges of a block.
pub fn edges(
    recording: Recording,
    freqs: &[u16],
    targets: &[BlockId],
    to: impl Fn(usize) -> u32,
) -> Vec<Alternative> {
    alternatives(recording, &recording.edges(freqs, targets), to)
}

/// A stream of symbols. An error changes nothing, so a caller may state exactly which symbols were
/// still certain.
pub trait Symbols: Clone {
    /// Records shorter than this many bytes end in a single check symbol, which fits once in 255
    /// times by chance.
    const WEAK_BELOW: usize;

    /// Returns true if an escape is next.
    ///
    /// # Errors
    /// [`CoderError::Truncated`] when that is not certain, [`CoderError::Corrupt`] when no encoder
    /// can have written the bytes.
    fn is_escape(&self) -> Result<bool, CoderError>;

    /// Takes the escape.
    ///
    /// # Errors
    /// As [`is_escape`](Self::is_escape); [`CoderError::Corrupt`] when it is another symbol.
    fn escape(&mut self) -> Result<(), CoderError>;

    /// Takes a symbol among two alternatives in the order of the map, of which the first has the
    /// frequency `first` and the words `0` and `1`. `None`: it is an escape, which is not taken.
    ///
    /// # Errors
    /// As [`is_escape`](Self::is_escape).
    fn two(&mut self, first: u32) -> Result<Option<usize>, CoderError>;

    /// Takes a symbol under a distribution: its place in the list, which [`alternatives`] made. To
    /// be asked only when no escape is next.
    ///
    /// # Errors
    /// As [`is_escape`](Self::is_escape).
    fn among(&mut self, all: &[Alternative]) -> Result<usize, CoderError>;

    /// Takes `n` bits (1 … 32; for 0 nothing is taken).
    ///
    /// # Errors
    /// As [`is_escape`](Self::is_escape).
    fn bits(&mut self, n: u32) -> Result<u32, CoderError>;

    /// Takes an unsigned number: its length in 6 bits, then what follows its first 1.
    ///
    /// # Errors
    /// As [`is_escape`](Self::is_escape).
    fn gamma(&mut self) -> Result<u32, CoderError> {
        let before = self.clone();
        let value = match self.bits(6)? {
            length @ 0..=1 => Ok(length),
            length @ 2..=32 => self.bits(length - 1).map(|rest| rest | 1 << (length - 1)),
            _ => Err(CoderError::Corrupt { at: self.position() }),
        };
        if value.is_err() {
            *self = before;
        }
        value
    }

    /// Takes a span, in ticks (`docs/PROTOCOL.md` §6).
    ///
    /// # Errors
    /// As [`is_escape`](Self::is_escape). On an error nothing is taken.
    fn span(&mut self, kind: Span) -> Result<u32, CoderError>;

    /// Bytes of a word: the bytes that the device has put out lag its coder by up to a word, and
    /// [`position`](Self::position) is ahead by one.
    const WORD: usize;

    /// Takes the check at a record's end. Whether it is that of `hash` (16 bits).
    ///
    /// # Errors
    /// As [`is_escape`](Self::is_escape).
    fn check(&mut self, hash: u32) -> Result<bool, CoderError>;

    /// Ends the record and begins the next one, whose position it gives.
    ///
    /// # Errors
    /// As [`is_escape`](Self::is_escape).
    fn flush(&mut self) -> Result<usize, CoderError>;

    /// Returns the position at which the current record begins.
    fn record_start(&self) -> usize;

    /// Returns the number of bytes that are used up.
    fn position(&self) -> usize;

    /// Returns true if the data ends exactly here, between two records.
    fn at_end(&self) -> bool;
}

impl Symbols for Decoder<'_> {
    /// A second check symbol comes with the first whole word.
    const WEAK_BELOW: usize = 8;

    const WORD: usize = 4;

    #[inline(always)]
    fn is_escape(&self) -> Result<bool, CoderError> {
        Decoder::is_escape(self)
    }

    fn escape(&mut self) -> Result<(), CoderError> {
        Decoder::escape(self)
    }

    #[inline(always)]
    fn two(&mut self, first: u32) -> Result<Option<usize>, CoderError> {
        self.choose(&[first, first << 16 | (ESC_CUM - first)])
    }

    #[inline]
    fn among(&mut self, all: &[Alternative]) -> Result<usize, CoderError> {
        let at = if all.len() <= 8 {
            self.reached(all.iter().skip(1).map(|a| a.first))
        } else {
            let value = self.peek_slice()?;
            all.partition_point(|a| a.first <= value).saturating_sub(1)
        };
        let Some(a) = all.get(at) else { return Err(CoderError::Corrupt { at: self.position() }) };
        self.consume(a.first, a.width)?;
        Ok(at)
    }

    fn bits(&mut self, n: u32) -> Result<u32, CoderError> {
        Decoder::bits(self, n)
    }

    fn gamma(&mut self) -> Result<u32, CoderError> {
        Decoder::gamma(self)
    }

    /// The bit length under the distribution of its kind, then what follows the first 1.
    fn span(&mut self, kind: Span) -> Result<u32, CoderError> {
        let before = self.clone();
        let slices = const { [Span::Gap.slices(), Span::Duration.slices()] };
        let value = match self.choose(&slices[kind as usize])? {
            None => Err(CoderError::Corrupt { at: self.position() }),
            Some(length @ 0..=1) => Ok(length as u32),
            Some(length) => {
                let rest = length as u32 - 1;
                Decoder::bits(self, rest).map(|low| low | 1 << rest)
            }
        };
        if value.is_err() {
            *self = before;
        }
        value
    }

    /// One symbol of 255 values, 257 wide each (which leaves the escape slice alone); a second one
    /// if the encoder had renormalised.
    fn check(&mut self, hash: u32) -> Result<bool, CoderError> {
        let long = self.renormalisations() > 0;
        let mut one = |expected: u32| {
            self.peek_slice()?;
            // On a cut stream the missing bits may be the cause: the coder checks that.
            match self.consume(expected * 257, 257) {
                Err(CoderError::Corrupt { .. }) => Ok(false),
                other => other.map(|()| true),
            }
        };
        Ok(one(hash % 255)? && (!long || one(hash / 255 % 255)?))
    }

    fn flush(&mut self) -> Result<usize, CoderError> {
        Decoder::flush(self)
    }

    fn record_start(&self) -> usize {
        Decoder::record_start(self)
    }

    fn position(&self) -> usize {
        Decoder::position(self)
    }

    fn at_end(&self) -> bool {
        Decoder::at_end(self)
    }
}

impl Symbols for PackedDecoder<'_> {
    /// The check has 16 bits always.
    const WEAK_BELOW: usize = 0;

    const WORD: usize = 8;

    #[inline(always)]
    fn is_escape(&self) -> Result<bool, CoderError> {
        PackedDecoder::is_escape(self)
    }

    fn escape(&mut self) -> Result<(), CoderError> {
        PackedDecoder::escape(self)
    }

    #[inline(always)]
    fn two(&mut self, _first: u32) -> Result<Option<usize>, CoderError> {
        self.bit()
    }

    #[inline]
    fn among(&mut self, all: &[Alternative]) -> Result<usize, CoderError> {
        let value = self.peek();
        let at = all.partition_point(|a| a.first <= value).saturating_sub(1);
        let Some(a) = all.get(at) else { return Err(self.corrupt()) };
        // A code of a single alternative is not complete.
        if (value ^ a.first) >> (32 - a.width) != 0 {
            return Err(self.refusal(a.width));
        }
        self.take(a.width)?;
        Ok(at)
    }

    fn bits(&mut self, n: u32) -> Result<u32, CoderError> {
        PackedDecoder::bits(self, n)
    }

    /// A bit, whether it is more than 0; if it is, its bit length less 1 in 5 bits, then what
    /// follows the first 1.
    fn span(&mut self, _kind: Span) -> Result<u32, CoderError> {
        let before = self.clone();
        let mut read = || {
            if PackedDecoder::bits(self, 1)? == 0 {
                return Ok(0);
            }
            let rest = PackedDecoder::bits(self, 5)?;
            PackedDecoder::bits(self, rest).map(|low| low | 1 << rest)
        };
        let value = read();
        if value.is_err() {
            *self = before;
        }
        value
    }

    fn check(&mut self, hash: u32) -> Result<bool, CoderError> {
        Ok(PackedDecoder::bits(self, 16)? == hash)
    }

    fn flush(&mut self) -> Result<usize, CoderError> {
        PackedDecoder::flush(self)
    }

    fn record_start(&self) -> usize {
        PackedDecoder::record_start(self)
    }

    fn position(&self) -> usize {
        PackedDecoder::position(self)
    }

    fn at_end(&self) -> bool {
        PackedDecoder::at_end(self)
    }
}
