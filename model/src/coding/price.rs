//! Prices of symbols, in integers: the same on any machine.

use super::code;
use crate::recording::{Recording, Wire};

/// Price of one bit.
pub const BIT: u128 = 1 << 16;

/// Returns the price of decisions under a branch's frequencies.
pub fn bits_of(recording: Recording, taken: &[u64], freqs: &[u16]) -> u128 {
    total(taken, &recording.symbols(freqs), recording.wire())
}

/// Returns the price of the decisions of these counts.
pub fn total(counts: &[u64], symbols: &[u32], wire: Wire) -> u128 {
    counts
        .iter()
        .zip(symbols)
        .filter(|(n, _)| **n > 0)
        .map(|(&n, &s)| u128::from(n) * price(s, wire))
        .sum()
}

/// Returns the price of a symbol.
pub fn price(symbol: u32, wire: Wire) -> u128 {
    match wire {
        Wire::Range => cost(symbol & 0xffff),
        Wire::Packed => words(code::length(symbol)),
    }
}

/// Returns the price of bits on the packed wire, where a word of 64 bits carries 63.
pub fn words(bits: u32) -> u128 {
    u128::from(bits) * BIT * 64 / 63
}

/// Returns −log₂ of a frequency in 1/65,536ths.
pub fn cost(freq: u32) -> u128 {
    16 * BIT - log2(freq.max(1))
}

/// Returns log₂ in 1/65,536ths, rounded down; log₂ 0 counts as log₂ 1. Integer arithmetic gives
/// the same result on every machine.
pub fn log2(x: u32) -> u128 {
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

#[cfg(test)]
mod tests {
    use super::super::code::pack;
    use super::*;

    #[test]
    fn logarithms_are_exact_to_a_65536th() {
        for x in [1u32, 2, 3, 7, 1000, 32_767, 32_768, 65_534, 65_535, 1 << 20, u32::MAX] {
            let exact = f64::from(x).log2() * 65_536.0;
            assert!((log2(x) as f64 - exact).abs() <= 1.0, "{x}");
        }
    }

    #[test]
    fn a_word_costs_its_bits_and_a_slice_its_logarithm() {
        assert_eq!(price(pack(0, 3), Wire::Packed), 3 * BIT * 64 / 63);
        assert_eq!(price(5 << 16 | 16_384, Wire::Range), 2 * BIT);
    }
}
