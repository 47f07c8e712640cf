//! Prefix codes of least expected length, no code word longer than a limit. Integers only and one
//! order of everything, so the same frequencies give the same code on any machine: the map carries
//! frequencies, and both ends derive the code.
//!
//! Lengths come from the package-merge algorithm (Larmore and Hirschberg, "A fast algorithm for
//! optimal length-limited Huffman codes", 1990), code words are canonical: ascending by length,
//! then by alternative.

use crate::coding::code;

/// Code word lengths of least expected length among those of at most `limit` bits. A single
/// alternative gets one bit: every symbol takes some, so that a reader sees whether one was there.
///
/// # Panics
/// If `limit` bits are too few for the alternatives.
pub fn lengths(freqs: &[u16], limit: u32) -> Vec<u8> {
    let n = freqs.len();
    if n <= 2 {
        return vec![1; n];
    }
    assert!(limit < 32 && n <= 1 << limit, "{n} alternatives in {limit} bits");
    // Ascending; of equal ones the earlier alternative comes later and gets the shorter word.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| (freqs[i], std::cmp::Reverse(i)));
    let leaves: Vec<u64> = order.iter().map(|&i| u64::from(freqs[i])).collect();
    // Each level: the leaves, merged with pairs of the level below. Only which entries are leaves
    // matters afterwards.
    let mut levels: Vec<Vec<bool>> = Vec::with_capacity(limit as usize);
    let mut last: Vec<u64> = Vec::new();
    for _ in 0..limit {
        let mut level = Vec::with_capacity(n + last.len() / 2);
        let mut is_leaf = Vec::with_capacity(n + last.len() / 2);
        let mut rest = leaves.iter().copied().peekable();
        for pair in last.chunks_exact(2) {
            let weight = pair[0] + pair[1];
            while let Some(leaf) = rest.next_if(|l| *l <= weight) {
                level.push(leaf);
                is_leaf.push(true);
            }
            level.push(weight);
            is_leaf.push(false);
        }
        is_leaf.extend(rest.clone().map(|_| true));
        level.extend(rest);
        let settled = is_leaf == *levels.last().unwrap_or(&Vec::new()) && level == last;
        levels.push(is_leaf);
        last = level;
        if settled {
            // All further levels are the same again.
            let same = levels[levels.len() - 1].clone();
            levels.resize(limit as usize, same);
            break;
        }
    }
    // The 2n − 2 lightest entries of the top level; each leaf among them, on each level, is one
    // bit of that leaf's word.
    let mut lengths = vec![0u8; n];
    let mut take = 2 * n - 2;
    for level in levels.iter().rev() {
        let leaves = level[..take].iter().filter(|l| **l).count();
        order[..leaves].iter().for_each(|&i| lengths[i] += 1);
        take = 2 * (take - leaves);
    }
    lengths
}

/// Canonical code words of these lengths.
///
/// # Panics
/// If the lengths belong to no prefix code, or one exceeds [`code::MAX_LENGTH`].
pub fn canonical(lengths: &[u8]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&i| lengths[i]);
    let mut codes = vec![0; lengths.len()];
    let (mut next, mut length) = (0u32, 0);
    for i in order {
        let l = u32::from(lengths[i]);
        next <<= l - length;
        length = l;
        codes[i] = code::pack(next, l);
        next += 1;
    }
    codes
}

/// The code for alternatives of these frequencies.
pub fn codes(freqs: &[u16]) -> Vec<u32> {
    canonical(&lengths(freqs, code::MAX_LENGTH))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cost(freqs: &[u16], lengths: &[u8]) -> u64 {
        freqs.iter().zip(lengths).map(|(f, l)| u64::from(*f) * u64::from(*l)).sum()
    }

    fn kraft(lengths: &[u8]) -> u64 {
        lengths.iter().map(|l| 1u64 << (32 - l)).sum()
    }

    /// The least cost of all assignments of lengths 1 … limit that satisfy Kraft's inequality.
    fn cheapest(freqs: &[u16], limit: u8) -> u64 {
        fn go(freqs: &[u16], limit: u8, room: u64) -> Option<u64> {
            let Some((first, rest)) = freqs.split_first() else { return Some(0) };
            (1..=limit)
                .filter_map(|l| {
                    let left = room.checked_sub(1 << (32 - l))?;
                    Some(go(rest, limit, left)? + u64::from(*first) * u64::from(l))
                })
                .min()
        }
        go(freqs, limit, 1 << 32).expect("the limit allows a code")
    }

    proptest! {
        #[test]
        fn no_limited_code_is_cheaper(
            freqs in prop::collection::vec(any::<u16>().prop_map(|f| (f >> (f % 15)).max(1)), 2..7),
            spare in 0u8..4,
        ) {
            let least = (usize::BITS - (freqs.len() - 1).leading_zeros()) as u8;
            let limit = least + spare;
            let lengths = lengths(&freqs, limit.into());
            prop_assert!(lengths.iter().all(|l| (1..=limit).contains(l)));
            prop_assert_eq!(kraft(&lengths), 1 << 32);
            prop_assert_eq!(cost(&freqs, &lengths), cheapest(&freqs, limit));
        }

        #[test]
        fn no_word_begins_another(freqs in prop::collection::vec(1u16.., 2..60)) {
            let codes = codes(&freqs);
            for (i, a) in codes.iter().enumerate() {
                for b in &codes[i + 1..] {
                    let l = code::length(*a).min(code::length(*b));
                    let head = |c: u32| code::bits(c) >> (code::length(c) - l);
                    prop_assert_ne!(head(*a), head(*b));
                }
            }
        }

        #[test]
        fn likelier_alternatives_have_no_longer_words(
            freqs in prop::collection::vec(1u16.., 2..40),
        ) {
            let lengths = lengths(&freqs, 24);
            for (i, j) in (0..freqs.len()).flat_map(|i| (0..freqs.len()).map(move |j| (i, j))) {
                if freqs[i] > freqs[j] || freqs[i] == freqs[j] && i < j {
                    prop_assert!(lengths[i] <= lengths[j]);
                }
            }
        }
    }

    /// Fibonacci's numbers give the deepest tree; with a sum of 65,535 it has 22 levels, so the
    /// limit costs nothing.
    #[test]
    fn no_table_needs_a_word_as_long_as_the_limit() {
        let mut freqs = vec![1u16, 1];
        while freqs.iter().map(|f| u32::from(*f)).sum::<u32>() < 40_000 {
            freqs.push(freqs[freqs.len() - 1] + freqs[freqs.len() - 2]);
        }
        let rest = 65_535 - freqs.iter().map(|f| u32::from(*f)).sum::<u32>();
        assert!(rest < 40_000);
        *freqs.last_mut().unwrap() += rest as u16;
        assert!(lengths(&freqs, 24).into_iter().max() < Some(24));
        assert_eq!(lengths(&freqs, 24), lengths(&freqs, 31));
    }

    #[test]
    fn large_alphabets_are_coded_too() {
        let mut freqs = vec![1u16; 60_000];
        freqs[0] = 5536;
        let lengths = lengths(&freqs, code::MAX_LENGTH);
        assert_eq!(kraft(&lengths), 1 << 32);
        assert_eq!(lengths[0], 4);
    }

    #[test]
    fn a_single_alternative_takes_a_bit() {
        assert_eq!(codes(&[65_535]), [code::pack(0, 1)]);
    }
}
