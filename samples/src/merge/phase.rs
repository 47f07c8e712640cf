//! Order by arithmetic, where the target's length and the interval are known exactly.

use crate::Token;

/// Returns the samples in the order of the trace: sample `k` lies `k · interval` tokens after the
/// first, and the target begins again after `target` tokens.
pub fn phase(samples: &[Token], target: u64, interval: u64) -> Vec<Token> {
    let target = u128::from(target.max(1));
    let place = |k: usize| (k as u128 * u128::from(interval)) % target;
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by_key(|&k| place(k));
    order.into_iter().map(|k| samples[k]).collect()
}

/// Returns how many of the target's tokens can ever be sampled at this interval: a common divisor
/// hides the rest.
pub fn coverage(target: u64, interval: u64) -> u64 {
    let (mut a, mut b) = (target, interval);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    target / a.max(1)
}
