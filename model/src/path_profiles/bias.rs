//! Error of figures that were recorded up to a limit, or by probes that take time.

/// Returns the expected number of recorded rounds of a loop which is left with probability `leave`
/// in each round, runs `rounds` times at most, and of which `recorded` rounds are recorded at most.
///
/// ```
/// use model::path_profiles::bias::expected_rounds;
///
/// let near = |a: f64, b: f64| (a - b).abs() < 0.0005 * b;
/// assert!(near(expected_rounds(0.1, 50, 20), 8.784) && near(expected_rounds(0.1, 50, 50), 9.948));
/// assert!(near(expected_rounds(0.5, 10, 3), 1.75));
/// assert!(near(expected_rounds(0.01, 1000, 64), 47.44));
/// assert!(near(expected_rounds(0.01, 1000, 1000), 99.996));
/// // A loop that nothing leaves runs to its limit.
/// assert_eq!(expected_rounds(0.0, 1000, 64), 64.0);
/// ```
pub fn expected_rounds(leave: f64, rounds: u32, recorded: u32) -> f64 {
    let most = f64::from(rounds.min(recorded));
    if leave <= 0.0 {
        return most;
    }
    (1.0 - (1.0 - leave).powf(most)) / leave
}

/// The share that is estimated of calls of a recursion which have a property, if only those up to a
/// depth are recorded: `levels` gives, from the outermost, how many calls there are and which share
/// of them has it. `None` if there are none.
///
/// ```
/// use model::path_profiles::bias::recursion_share;
///
/// // Half as many at each level, and more and more of them: ⅔ in all, but a sixth less if only the
/// // first level is recorded, and half as far off with each level more.
/// let levels: Vec<(f64, f64)> = (1..40).map(|d| 0.5f64.powi(d)).map(|w| (w, 1.0 - w)).collect();
/// let bias = |depth: usize| recursion_share(&levels[..depth]).unwrap() - 2.0 / 3.0;
/// for (depth, want) in [(1, -0.1667), (2, -0.0833), (3, -0.0417)] {
///     assert!((bias(depth) - want).abs() < 0.0001);
/// }
/// ```
pub fn recursion_share(levels: &[(f64, f64)]) -> Option<f64> {
    let calls: f64 = levels.iter().map(|(calls, _)| calls).sum();
    let having: f64 = levels.iter().map(|(calls, share)| calls * share).sum();
    (calls > 0.0).then(|| having / calls)
}

/// A path that is taken if something has happened by a time, and probes on the way to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observed {
    /// Share of passes that take it with the probes.
    pub share: f64,
    /// Difference to the share without probes.
    pub missing: f64,
    /// By how much the share is to be multiplied; infinite if it is never taken with the probes.
    pub weight: f64,
}

/// Returns how often a path is observed that is taken if X ≤ `deadline`, where the probes before it
/// take `delay`. `distribution` gives P(X ≤ t).
///
/// ```
/// use model::path_profiles::bias::observed;
///
/// let uniform = observed(|t| (t / 100.0).clamp(0.0, 1.0), 60.0, 6.0);
/// assert!((uniform.share - 0.54).abs() < 1e-9 && (uniform.weight - 1.111).abs() < 0.0005);
/// let exponential = observed(|t| 1.0 - (-t / 50.0f64).exp(), 60.0, 6.0);
/// assert!((exponential.share - 0.6604).abs() < 0.00005);
/// assert!((exponential.share + exponential.missing - 0.6988).abs() < 0.00005);
/// assert!((exponential.weight - 1.058).abs() < 0.0005);
/// ```
pub fn observed(distribution: impl Fn(f64) -> f64, deadline: f64, delay: f64) -> Observed {
    let (share, without) = (distribution(deadline - delay), distribution(deadline));
    Observed { share, missing: without - share, weight: without / share }
}

/// Returns how often it is taken without probes, from two builds with fewer and with more of them,
/// if the share falls by the same amount with each probe: `(probes, share)` of both. `None` if both
/// have the same number of probes.
///
/// ```
/// use model::path_profiles::bias::without_probes;
///
/// // Uniform on 0 to 100, a deadline of 60: 3 and 6 probes of one each.
/// assert_eq!(without_probes((3, 0.57), (6, 0.54)).map(|p| (p * 100.0).round()), Some(60.0));
/// ```
pub fn without_probes(fewer: (u32, f64), more: (u32, f64)) -> Option<f64> {
    let step = f64::from(more.0) - f64::from(fewer.0);
    (step != 0.0).then(|| fewer.1 + (fewer.1 - more.1) * f64::from(fewer.0) / step)
}

/// The price of counting a branch's arms: each passage of a counted edge costs `each`. Where the
/// block's own count is known, one arm follows from the others, so the most frequent one need not
/// be counted. `(all arms counted, all but that one)`.
///
/// ```
/// use model::path_profiles::bias::counting_cost;
///
/// assert_eq!(counting_cost(2, &[1_300_000, 14_000]), (2_628_000, 28_000));
/// ```
pub fn counting_cost(each: u64, arms: &[u64]) -> (u128, u128) {
    let all: u128 = arms.iter().map(|&n| u128::from(n)).sum();
    let hot = arms.iter().copied().max().map_or(0, u128::from);
    let price = |n: u128| n.saturating_mul(u128::from(each));
    (price(all), price(all - hot))
}

/// Returns the standard error of the share of `samples` samples that have a property, if each of
/// them has it with this probability independently. Counts of one sample in r are r times the
/// samples' counts.
///
/// ```
/// use model::path_profiles::bias::sampling_error;
///
/// // Of 400 samples, a tenth: 10 ± 1.5 %. A hundred times as many have a tenth of that error.
/// assert!((sampling_error(0.1, 400) - 0.015).abs() < 1e-12);
/// assert!((sampling_error(0.1, 40_000) - 0.0015).abs() < 1e-12);
/// ```
pub fn sampling_error(share: f64, samples: u64) -> f64 {
    (share * (1.0 - share) / samples.max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expectation_is_that_of_the_rounds_one_by_one() {
        for (leave, rounds, recorded) in [(0.1f64, 50, 20), (0.3, 4, 9), (1.0, 5, 5), (0.9, 1, 1)] {
            let most = rounds.min(recorded);
            // Round i + 1 begins if the first i did not leave.
            let sum: f64 = (0..most).map(|i| (1.0 - leave).powi(i as i32)).sum();
            assert!((expected_rounds(leave, rounds, recorded) - sum).abs() < 1e-12);
        }
        assert_eq!(expected_rounds(0.5, 0, 7), 0.0);
    }

    #[test]
    fn nothing_recorded_gives_no_share() {
        assert_eq!(recursion_share(&[]), None);
        assert_eq!(recursion_share(&[(0.0, 0.5)]), None);
        assert_eq!(without_probes((2, 0.5), (2, 0.4)), None);
    }

    #[test]
    fn a_path_that_probes_hide_has_no_finite_weight() {
        let hidden = observed(|t| if t >= 10.0 { 1.0 } else { 0.0 }, 10.0, 1.0);
        assert_eq!((hidden.share, hidden.missing), (0.0, 1.0));
        assert!(hidden.weight.is_infinite());
    }

    #[test]
    fn costs_do_not_overflow() {
        let most = u128::from(u64::MAX);
        let want = (u128::MAX, most * most);
        assert_eq!(counting_cost(u64::MAX, &[u64::MAX, u64::MAX]), want);
        assert_eq!(counting_cost(3, &[]), (0, 0));
    }
}
