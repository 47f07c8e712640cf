//! Code words of the packed wire, as constants: the bits above, their number (1 to 24) in the low
//! five bits.

/// The longest code word in bits.
pub const MAX_LENGTH: u32 = 24;

/// A code word of `length` bits as a probe's constant.
///
/// # Panics
/// If the length is not in 1 … 24 or the bits do not fit it.
pub const fn pack(bits: u32, length: u32) -> u32 {
    assert!(length >= 1 && length <= MAX_LENGTH && bits >> length == 0, "no code word");
    bits << 5 | length
}

/// The bits of a code word.
pub const fn bits(code: u32) -> u32 {
    code >> 5
}

/// Returns the number of bits of a code word.
pub const fn length(code: u32) -> u32 {
    code & 31
}

/// Code words of equal length for `n` alternatives: their numbers in as few bits as hold the
/// largest, but at least one.
///
/// # Panics
/// For more than 2²⁴ alternatives.
pub fn fixed(n: usize) -> Vec<u32> {
    let length = (usize::BITS - n.saturating_sub(1).leading_zeros()).max(1);
    (0..n as u32).map(|i| pack(i, length)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_few_bits_as_they_need() {
        let lengths = |n| fixed(n).into_iter().map(length).collect::<Vec<_>>();
        assert_eq!(lengths(1), [1]);
        assert_eq!(lengths(2), [1, 1]);
        assert_eq!(lengths(3), [2, 2, 2]);
        assert_eq!(lengths(4), [2; 4]);
        assert_eq!(lengths(257), [9; 257]);
        assert_eq!(bits(fixed(257)[256]), 256);
    }
}
