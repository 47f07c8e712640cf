//! Prices of symbols, in integers: the same on any machine.

use model::code;
use model::recording::{Recording, Wire};

/// Price of one bit.
pub(crate) const BIT: u128 = 1 << 16;

/// Returns the price of decisions under a branch's frequencies.
pub(crate) fn bits_of(recording: Recording, taken: &[u64], freqs: &[u16]) -> u128 {
    total(taken, &recording.symbols(freqs), recording.wire())
}

pub(crate) fn total(counts: &[u64], symbols: &[u32], wire: Wire) -> u128 {
    counts
        .iter()
        .zip(symbols)
        .filter(|(n, _)| **n > 0)
        .map(|(&n, &s)| u128::from(n) * price(s, wire))
        .sum()
}

/// Returns the price of a symbol.
pub(crate) fn price(symbol: u32, wire: Wire) -> u128 {
    match wire {
        Wire::Range => cost(symbol & 0xffff),
        Wire::Packed => words(code::length(symbol)),
    }
}

/// Returns the price of bits on the packed wire, where a word of 64 bits carries 63.
pub(crate) fn words(bits: u32) -> u128 {
    u128::from(bits) * BIT * 64 / 63
}

/// Returns −log₂ of a frequency in 1/65,536ths.
pub(crate) fn cost(freq: u32) -> u128 {
    16 * BIT - log2(freq.max(1))
}

/// Returns log₂ in 1/65,536ths, rounded down; log₂ 0 counts as log₂ 1. Integer arithmetic gives the
/// same result on every machine.
pub(crate) fn log2(x: u32) -> u128 {
    let x = x.max(1);
    let whole = 31 - x.leading_zeros();
    let mut m = u64::from(x) << (31 - whole);
    let mut fraction = 0;
    for bit in (0..16).rev() {
        m = (m * m) >> 31;
        if m >> 32 != 0 {
            m >>= 1;
            fraction |= 1 << bit;
        }
    }
    u128::from(whole) * BIT + fraction
}
