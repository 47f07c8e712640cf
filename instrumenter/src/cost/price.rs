//! Prices of symbols, in integers: the same on any machine.

use model::code;
use model::codec::Wire;
use model::map::Codec;

/// One bit.
pub(crate) const BIT: u128 = 1 << 16;

/// What decisions cost under a branch's frequencies.
pub(crate) fn bits_of(codec: Codec, taken: &[u64], freqs: &[u16]) -> u128 {
    total(taken, &codec.symbols(freqs), codec.wire())
}

pub(crate) fn total(counts: &[u64], symbols: &[u32], wire: Wire) -> u128 {
    counts
        .iter()
        .zip(symbols)
        .filter(|(n, _)| **n > 0)
        .map(|(&n, &s)| u128::from(n) * price(s, wire))
        .sum()
}

/// What a symbol takes.
pub(crate) fn price(symbol: u32, wire: Wire) -> u128 {
    match wire {
        Wire::Range => cost(symbol & 0xffff),
        Wire::Packed => words(code::length(symbol)),
    }
}

/// Bits on the packed wire, 63 of them in a word of 64.
pub(crate) fn words(bits: u32) -> u128 {
    u128::from(bits) * BIT * 64 / 63
}

/// −log₂ of a frequency in 65,536.
pub(crate) fn cost(freq: u32) -> u128 {
    16 * BIT - log2(freq.max(1))
}

/// log₂ in 1/65,536ths, rounded down; of 0 as of 1. Without floating point: it is the same
/// everywhere.
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
