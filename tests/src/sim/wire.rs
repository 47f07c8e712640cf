//! The two wires of a simulated device.

use model::coder::Encoder;
use model::recording::{Recording, Wire};

use model::packed::PackedEncoder;
use model::protocol::Span;

/// The encoder that a device writes to.
#[derive(Debug)]
pub enum Out {
    /// The range coder.
    Range(Encoder),
    /// Code words.
    Words(PackedEncoder),
}

/// One call for both.
macro_rules! both {
    ($out:expr, $e:ident => $do:expr) => {
        match $out {
            Out::Range($e) => $do,
            Out::Words($e) => $do,
        }
    };
}

impl Out {
    /// Nothing written yet.
    pub fn new(recording: Recording) -> Self {
        match recording.wire() {
            Wire::Range => Out::Range(Encoder::new()),
            Wire::Packed => Out::Words(PackedEncoder::new()),
        }
    }

    /// Bytes that belong to no record.
    pub fn raw(&mut self, bytes: &[u8]) {
        both!(self, e => e.raw(bytes));
    }

    /// Bytes that can no longer change.
    pub fn published(&self) -> &[u8] {
        both!(self, e => e.published())
    }

    /// A symbol's constant. What it costs an ideal coder, in bits.
    pub fn symbol(&mut self, constant: u32) -> f64 {
        match self {
            Out::Range(e) => {
                e.step(constant);
                16.0 - f64::from(constant & 0xFFFF).log2()
            }
            Out::Words(e) => {
                e.symbol(constant);
                f64::from(constant & 31)
            }
        }
    }

    /// Bits in plain.
    pub fn bits(&mut self, v: u32, n: u32) {
        both!(self, e => e.bits(v, n));
    }

    /// Any number.
    pub fn gamma(&mut self, v: u32) {
        both!(self, e => e.gamma(v));
    }

    /// Writes the ticks since the last time in the stream; returns the cost in bits.
    pub fn span(&mut self, v: u32, kind: Span) -> f64 {
        let length = 32 - v.leading_zeros();
        let low = v & !(1u64 << length >> 1) as u32;
        match self {
            Out::Range(_) => {
                let cost = self.symbol(kind.slice(length));
                let rest = length.max(1) - 1;
                if rest > 0 {
                    self.bits(low, rest);
                }
                cost + f64::from(rest)
            }
            Out::Words(_) if length == 0 => {
                self.bits(0, 1);
                1.0
            }
            Out::Words(_) => {
                self.bits(1, 1);
                self.bits(length - 1, 5);
                if length > 1 {
                    self.bits(low, length - 1);
                }
                f64::from(5 + length)
            }
        }
    }

    /// An escape. What it costs.
    pub fn escape(&mut self) -> f64 {
        both!(self, e => e.escape());
        if matches!(self, Out::Range(_)) { 16.0 } else { 7.0 }
    }

    /// The check at a record's end. What it costs.
    pub fn check(&mut self, h: u32) -> f64 {
        match self {
            Out::Range(e) => {
                let one = 16.0 - 257f64.log2();
                let two = e.renormalisations() > 0;
                e.narrow(257 * (h % 255), 257);
                if !two {
                    return one;
                }
                e.narrow(257 * (h / 255 % 255), 257);
                2.0 * one
            }
            Out::Words(e) => {
                e.bits(h, 16);
                16.0
            }
        }
    }

    /// Ends the record.
    pub fn flush(&mut self) {
        both!(self, e => e.flush());
    }

    /// Returns true if nothing was written since the record began.
    pub fn is_fresh(&self) -> bool {
        both!(self, e => e.is_fresh())
    }

    /// Words put out in this record.
    pub fn words(&self) -> u64 {
        match self {
            Out::Range(e) => e.renormalisations(),
            Out::Words(e) => e.words(),
        }
    }
}
