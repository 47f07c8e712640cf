//! One number for a path: a polynomial in a point that nobody could foresee, modulo a prime.

/// 2⁶¹ − 1, a prime.
pub const MERSENNE_61: u64 = (1 << 61) - 1;

/// The number of the path so far: `H ← (point · H + code) mod prime` for each step, from 0. Codes
/// are different for different edges and from 1 to `prime − 1`, so that paths of different lengths
/// also differ as polynomials.
///
/// ```
/// use model::path_profiles::identity::PathHash;
///
/// let of = |codes: [u64; 3], point| {
///     codes.iter().fold(PathHash::new(point, 101), |h, &c| h.step(c)).value()
/// };
/// assert_eq!((of([3, 1, 4], 7), of([3, 4, 1], 7)), (57, 75));
/// // They are equal at one point of 101 only.
/// assert_eq!((0..101).filter(|&a| of([3, 1, 4], a) == of([3, 4, 1], a)).collect::<Vec<_>>(), [1]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathHash {
    point: u64,
    prime: u64,
    value: u64,
}

impl PathHash {
    /// Returns the number of the empty path.
    ///
    /// # Panics
    /// `prime` is 0.
    pub fn new(point: u64, prime: u64) -> PathHash {
        PathHash { point: point % prime, prime, value: 0 }
    }

    /// With one more edge.
    #[must_use]
    pub fn step(self, code: u64) -> PathHash {
        let next = u128::from(self.value) * u128::from(self.point) + u128::from(code);
        PathHash { value: (next % u128::from(self.prime)) as u64, ..self }
    }

    /// Appends these edges `times` times. Takes time in the number of the edges and in the
    /// logarithm of `times`.
    #[must_use]
    pub fn repeated(self, codes: impl IntoIterator<Item = u64>, times: u32) -> PathHash {
        let prime = u128::from(self.prime);
        let after = |(by, add): (u128, u128), (then_by, then_add): (u128, u128)| {
            (by * then_by % prime, (add * then_by + then_add) % prime)
        };
        let one = |code| (u128::from(self.point), u128::from(code) % prime);
        // H ← by · H + add; first of one round, then of 2, 4, 8 … rounds.
        let mut round = codes.into_iter().map(one).fold((1 % prime, 0), after);
        let mut value = u128::from(self.value);
        let mut left = times;
        while left > 0 {
            if left & 1 == 1 {
                value = (value * round.0 + round.1) % prime;
            }
            round = after(round, round);
            left >>= 1;
        }
        PathHash { value: value as u64, ..self }
    }

    /// The number.
    pub fn value(self) -> u64 {
        self.value
    }
}

/// Returns an upper bound of the probability that two given paths of at most `edges` edges have the
/// same number: their difference is a polynomial with at most `edges − 1` zeros.
///
/// ```
/// use model::path_profiles::identity::{MERSENNE_61, collision_bound};
///
/// let bound = collision_bound(1_000_000, MERSENNE_61);
/// assert!((bound - 4.3e-13).abs() < 0.05e-13);
/// ```
pub fn collision_bound(edges: u64, prime: u64) -> f64 {
    (edges.saturating_sub(1) as f64 / prime as f64).min(1.0)
}

/// Returns the same bound for any two of `paths` paths.
pub fn any_collision_bound(paths: u64, edges: u64, prime: u64) -> f64 {
    let pairs = paths as f64 * paths.saturating_sub(1) as f64 / 2.0;
    (pairs * collision_bound(edges, prime)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_collide_no_more_often_than_the_bound() {
        // All points of a small prime, all pairs of paths of up to three of four edges.
        const P: u64 = 31;
        let codes = [1, 7, 12, 30];
        let mut paths: Vec<Vec<u64>> = vec![Vec::new()];
        for length in 0..3 {
            let longer = paths.iter().filter(|p| p.len() == length).cloned();
            let longer = longer.collect::<Vec<_>>().into_iter();
            let longer = longer.flat_map(|p| codes.map(|c| [&p[..], &[c]].concat()));
            paths.extend(longer.collect::<Vec<_>>());
        }
        let of = |path: &[u64], a| path.iter().fold(PathHash::new(a, P), |h, &c| h.step(c)).value();
        let mut worst = 0;
        for (i, one) in paths.iter().enumerate() {
            for other in &paths[..i] {
                worst = worst.max((0..P).filter(|&a| of(one, a) == of(other, a)).count());
            }
        }
        assert_eq!(worst as f64 / P as f64, collision_bound(3, P), "attained, and not passed");
    }

    #[test]
    fn repeated_edges_are_those_edges_again_and_again() {
        let codes = [3, MERSENNE_61 - 1, 77];
        let begin = PathHash::new(1 << 60, MERSENNE_61).step(5);
        for times in [0, 1, 2, 7, 300] {
            let all = codes.repeat(times as usize);
            let one_by_one = all.into_iter().fold(begin, PathHash::step);
            assert_eq!(begin.repeated(codes, times), one_by_one, "{times}");
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let h = PathHash::new(MERSENNE_61 - 1, MERSENNE_61).step(MERSENNE_61 - 1);
        // (−1)·(−1) + (−1) = 0.
        assert_eq!(h.step(MERSENNE_61 - 1).value(), 0);
        assert_eq!(any_collision_bound(u64::MAX, u64::MAX, 101), 1.0);
        assert_eq!(any_collision_bound(3, 2, 101), 3.0 / 101.0);
    }
}
