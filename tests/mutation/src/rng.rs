/// A small generator of random numbers (SplitMix64): the same seed gives the same numbers
/// everywhere.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n` (0 for `n` = 0).
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True once in `n` times; never for 0.
    pub fn one_in(&mut self, n: usize) -> bool {
        n > 0 && self.below(n) == 0
    }

    /// One of these.
    ///
    /// # Panics
    /// If `all` is empty.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// An index, drawn by weight.
    pub fn weighted(&mut self, weights: &[u16]) -> usize {
        let sum: usize = weights.iter().map(|w| usize::from(*w)).sum();
        let mut at = self.below(sum);
        for (i, w) in weights.iter().enumerate() {
            match at.checked_sub(usize::from(*w)) {
                Some(rest) => at = rest,
                None => return i,
            }
        }
        0
    }
}
