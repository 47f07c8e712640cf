//! Probability tables: the one place where counts become integers.
//!
//! A table is a list of frequencies, one per alternative in the order of the map, each ≥ 1, that
//! sum to exactly 65,535. The remaining 1 of 65,536 is ESC's. No floating point takes part, so the
//! same counts give the same table on any machine.
//!
//! # Smoothing
//!
//! Each alternative counts half a time more than it was seen (Krichevsky and Trofimov's estimator):
//! without history all are equal, after a few observations the table leans without being sure, and
//! after many the half no longer shows. Whatever was never seen keeps at least 1 of 65,536.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use thiserror::Error;

use crate::coding::coder::{ESC_CUM, TOTAL};

/// Sum of a table's frequencies.
pub const SHARE: u32 = ESC_CUM;
/// The most alternatives a table can have.
pub const MAX_ALTERNATIVES: usize = SHARE as usize;

/// Reasons why counts do not make a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TableError {
    /// A distribution needs something to choose from.
    #[error("a distribution without alternatives")]
    Empty,
    /// More alternatives than slices.
    #[error("{0} alternatives; a distribution has room for 65,535")]
    TooMany(usize),
}

/// Frequencies (each ≥ 1, sum 65,535) for alternatives that were seen `counts` times: the
/// smoothed counts' shares, rounded so that the expected code length is (very nearly) the least
/// possible. Ties go to the lower index.
///
/// # Errors
/// No alternatives, or more than 65,535.
///
/// ```
/// use model::table::quantise;
/// assert_eq!(quantise(&[0, 0]).unwrap(), [32768, 32767]);
/// assert_eq!(quantise(&[1_000_000, 0]).unwrap(), [65534, 1]);
/// ```
pub fn quantise(counts: &[u64]) -> Result<Vec<u16>, TableError> {
    if counts.is_empty() {
        return Err(TableError::Empty);
    }
    if counts.len() > MAX_ALTERNATIVES {
        return Err(TableError::TooMany(counts.len()));
    }
    // In halves. 2⁴⁸ observations are as precise as 2⁶⁴, and keep every product below
    // inside 128 bits.
    let cut = counts.iter().max().map_or(0, |max| 16u32.saturating_sub(max.leading_zeros()));
    let weights: Vec<u64> = counts.iter().map(|c| 2 * (c >> cut) + 1).collect();
    let sum: u128 = weights.iter().map(|w| u128::from(*w)).sum();
    let mut freqs: Vec<u32> = weights
        .iter()
        .map(|w| ((u128::from(*w) * u128::from(SHARE) / sum) as u32).max(1))
        .collect();
    settle(&weights, &mut freqs);
    Ok(freqs.into_iter().map(|f| f as u16).collect())
}

/// Value of one more unit on top of `freq` to alternative `index`: weight · ln(1 + 1/freq), in a
/// rational form that is exact to a thousandth at freq 1 and far better above.
#[derive(Clone, Copy)]
struct Worth {
    index: usize,
    freq: u32,
    weight: u64,
}

impl Worth {
    fn fraction(&self) -> (u128, u128) {
        let f = u128::from(self.freq);
        (u128::from(self.weight) * (6 * f + 3), 6 * f * f + 6 * f + 1)
    }
}

impl Ord for Worth {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((a, b), (c, d)) = (self.fraction(), other.fraction());
        (a * d).cmp(&(c * b)).then(other.index.cmp(&self.index))
    }
}
impl PartialOrd for Worth {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Worth {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Worth {}

/// Hands out or takes back units, always where it changes the expected code length for the better,
/// until the sum is right and no exchange of one unit is an improvement.
fn settle(weights: &[u64], freqs: &mut [u32]) {
    let worth = |index: usize, freq: u32| Worth { index, freq, weight: weights[index] };
    let mut sum: u32 = freqs.iter().sum();
    // Each heap may hold entries of the past; they are recognised by their frequency.
    let mut gains: BinaryHeap<Worth> =
        freqs.iter().enumerate().map(|(i, f)| worth(i, *f)).collect();
    let mut losses: BinaryHeap<Reverse<Worth>> = freqs
        .iter()
        .enumerate()
        .filter(|(_, f)| **f > 1)
        .map(|(i, f)| Reverse(worth(i, f - 1)))
        .collect();
    loop {
        while gains.peek().is_some_and(|w| freqs[w.index] != w.freq) {
            gains.pop();
        }
        while losses.peek().is_some_and(|w| freqs[w.0.index] != w.0.freq + 1) {
            losses.pop();
        }
        let (Some(gain), loss) = (gains.peek().copied(), losses.peek().map(|w| w.0)) else {
            return;
        };
        let (give, take) = match sum.cmp(&SHARE) {
            Ordering::Less => (true, false),
            Ordering::Greater => (false, true),
            Ordering::Equal => {
                let Some(loss) = loss else { return };
                let ((a, b), (c, d)) = (gain.fraction(), loss.fraction());
                if gain.index == loss.index || a * d <= c * b {
                    return;
                }
                (true, true)
            }
        };
        let mut change = |index: usize, freq: u32| {
            freqs[index] = freq;
            gains.push(worth(index, freq));
            if freq > 1 {
                losses.push(Reverse(worth(index, freq - 1)));
            }
        };
        if give {
            change(gain.index, gain.freq + 1);
            sum += 1;
        }
        if take {
            let Some(loss) = loss else { return };
            change(loss.index, loss.freq);
            sum -= 1;
        }
    }
}

/// The slice `(cum, freq)` of alternative `index`.
///
/// # Panics
/// If there is no such alternative.
pub fn slice(freqs: &[u16], index: usize) -> (u32, u32) {
    (freqs[..index].iter().map(|f| u32::from(*f)).sum(), u32::from(freqs[index]))
}

/// A slice in one word, `cum << 16 | freq`, as probes and tables carry it.
pub fn pack(cum: u32, freq: u32) -> u32 {
    debug_assert!(cum < TOTAL && (1..TOTAL).contains(&freq) && cum + freq <= TOTAL);
    cum << 16 | freq
}

/// All slices of a table, packed, in order.
pub fn pack_all(freqs: &[u16]) -> Vec<u32> {
    let mut cum = 0;
    freqs
        .iter()
        .map(|f| {
            let slice = pack(cum, u32::from(*f));
            cum += u32::from(*f);
            slice
        })
        .collect()
}

/// Returns true if the frequencies form a table: 1 … 65,535 of them, each ≥ 1, sum 65,535.
pub fn is_table(freqs: &[u16]) -> bool {
    freqs.len() <= MAX_ALTERNATIVES
        && freqs.iter().all(|f| *f >= 1)
        && freqs.iter().map(|f| u32::from(*f)).sum::<u32>() == SHARE
}

/// Order-0 entropy of the counts, in bits for all observations together: the floor for any static
/// table. For reports only.
pub fn ideal_bits(counts: &[u64]) -> f64 {
    let total = counts.iter().map(|c| *c as f64).sum::<f64>();
    counts.iter().filter(|c| **c > 0).map(|c| *c as f64 * (total / *c as f64).log2()).sum()
}

/// Returns the cost of the observations under a table, in bits. For reports only.
pub fn cost_bits(counts: &[u64], freqs: &[u16]) -> f64 {
    counts
        .iter()
        .zip(freqs)
        .map(|(c, f)| *c as f64 * (f64::from(TOTAL) / f64::from((*f).max(1))).log2())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_history_means_equal_shares_and_the_remainder_goes_to_the_first() {
        assert_eq!(quantise(&[0]).unwrap(), [65535]);
        assert_eq!(quantise(&[0; 4]).unwrap(), [16384, 16384, 16384, 16383]);
        assert_eq!(quantise(&[7; 4]).unwrap(), [16384, 16384, 16384, 16383]);
        assert!(quantise(&[0; 65535]).unwrap().iter().all(|f| *f == 1));
    }

    #[test]
    fn too_many_or_no_alternatives_are_refused() {
        assert_eq!(quantise(&[]), Err(TableError::Empty));
        assert_eq!(quantise(&[1; 65536]), Err(TableError::TooMany(65536)));
    }

    #[test]
    fn extreme_counts_do_not_overflow() {
        let mut counts = vec![u64::MAX; 60000];
        counts[7] = 0;
        assert!(is_table(&quantise(&counts).unwrap()));
        assert_eq!(quantise(&[u64::MAX, 0, u64::MAX]).unwrap(), [32767, 1, 32767]);
    }

    /// The best table of three alternatives by trying them all, against an independent measure.
    #[test]
    fn three_alternatives_cost_within_a_millionth_of_the_best_table() {
        for counts in
            [[5u64, 3, 1], [1000, 1, 0], [100_000, 3, 2], [40_000_000, 900, 17], [1, 1, 1_000_000]]
        {
            let weights = counts.map(|c| c as f64 + 0.5);
            let cost = |f: [f64; 3]| -> f64 {
                weights.iter().zip(f).map(|(w, f)| -w * (f / 65536.0).ln()).sum()
            };
            let ours = quantise(&counts).unwrap();
            let ours = cost([f64::from(ours[0]), f64::from(ours[1]), f64::from(ours[2])]);
            let mut best = f64::INFINITY;
            for a in 1..=65533u32 {
                // For a given first share the other two follow their ratio; look around it.
                let rest = f64::from(65535 - a);
                let b = (rest * weights[1] / (weights[1] + weights[2])).floor();
                for b in [b - 1.0, b, b + 1.0, b + 2.0] {
                    if b >= 1.0 && rest - b >= 1.0 {
                        best = best.min(cost([f64::from(a), b, rest - b]));
                    }
                }
            }
            assert!(ours <= best * (1.0 + 1e-6), "{counts:?}: {ours} against {best}");
        }
    }

    proptest! {
        #[test]
        fn every_table_is_one(
            counts in prop::collection::vec(any::<u64>().prop_map(|v| v >> (v % 64)), 1..40),
        ) {
            let freqs = quantise(&counts).unwrap();
            prop_assert!(is_table(&freqs));
            let (cum, freq) = slice(&freqs, freqs.len() - 1);
            prop_assert_eq!(cum + freq, 65535);
        }

        /// With much history, coding costs at most half a percent more than the entropy.
        #[test]
        fn much_history_costs_little(
            counts in prop::collection::vec(50_000u64..10_000_000, 2..12),
        ) {
            let freqs = quantise(&counts).unwrap();
            prop_assert!(cost_bits(&counts, &freqs) <= ideal_bits(&counts) * 1.005);
        }

        #[test]
        fn more_often_seen_is_never_less_likely(
            counts in prop::collection::vec(0u64..1000, 2..20),
        ) {
            let freqs = quantise(&counts).unwrap();
            for (i, j) in (0..counts.len()).flat_map(|i| (0..counts.len()).map(move |j| (i, j))) {
                if counts[i] > counts[j] {
                    prop_assert!(freqs[i] >= freqs[j], "{:?} {:?}", counts, freqs);
                }
            }
        }
    }
}
