//! One level of a tree, in memory, with a bound on its nodes: what a page can carry.

use crate::histogram::{Pairs, sum};

/// Consecutive moments of a thread, with the sums of their weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeSlice {
    /// The time of its first sample.
    pub first: u64,
    /// The time of its last sample.
    pub last: u64,
    /// Weights by context, ascending, each context once.
    pub weights: Vec<(u32, u64)>,
    /// Distinct times in it.
    moments: u64,
}

/// The slices of a thread, the earliest first. Samples of one time are in one slice, so sums of
/// whole slices are exact for the interval from the first time up to and including the last one.
///
/// All slices but the last one have the same number of moments. If there would be more slices than
/// allowed, each two neighbours become one.
#[derive(Clone, Debug)]
pub struct Strip {
    most: usize,
    /// Moments of a complete slice.
    moments: u64,
    stretches: Vec<TimeSlice>,
    /// Of the last slice, not yet summed up.
    open: Pairs,
    /// Pairs of the complete slices.
    pairs: usize,
}

impl Strip {
    /// A strip of at most `most` slices (one at least).
    pub fn new(most: usize) -> Self {
        let (stretches, open) = (Vec::new(), Vec::new());
        Strip { most: most.max(1), moments: 1, stretches, open, pairs: 0 }
    }

    /// Adds a sample. Times do not run back: one before the last counts for the last.
    pub fn sample(&mut self, time: u64, context: u32, weight: u64) {
        let is_new = self.stretches.last().is_none_or(|s| s.last < time);
        if is_new && self.stretches.last().is_none_or(|s| s.moments == self.moments) {
            self.close();
            self.stretches.push(TimeSlice { first: time, ..TimeSlice::default() });
        }
        if let (true, Some(last)) = (is_new, self.stretches.last_mut()) {
            last.last = time;
            last.moments += 1;
        }
        self.open.push((context, weight));
        if self.open.len() == self.open.capacity() {
            sum(&mut self.open);
        }
        if self.stretches.len() > self.most {
            self.halve();
        }
    }

    /// Allows `most` slices from now on (one at least).
    pub fn limit(&mut self, most: usize) {
        self.most = most.max(1);
        while self.stretches.len() > self.most {
            self.halve();
        }
    }

    /// Number of weights by context, without those of the last slice.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// The stretches.
    pub fn finish(mut self) -> Vec<TimeSlice> {
        self.close();
        self.stretches
    }

    /// Sums up the last stretch.
    fn close(&mut self) {
        let Some(last) = self.stretches.last_mut() else { return };
        let mut pairs = std::mem::take(&mut self.open);
        sum(&mut pairs);
        self.pairs += pairs.len();
        last.weights = pairs;
    }

    /// Makes one of each two neighbours.
    fn halve(&mut self) {
        self.close();
        self.moments *= 2;
        let mut all = std::mem::take(&mut self.stretches).into_iter();
        while let Some(mut stretch) = all.next() {
            if let Some(mut next) = all.next() {
                stretch.last = next.last;
                stretch.moments += next.moments;
                stretch.weights.append(&mut next.weights);
                sum(&mut stretch.weights);
            }
            self.stretches.push(stretch);
        }
        self.open =
            self.stretches.last_mut().map(|s| std::mem::take(&mut s.weights)).unwrap_or_default();
        self.pairs = self.stretches.iter().map(|s| s.weights.len()).sum();
    }
}

#[cfg(test)]
mod tests {
    use mutation::Rng;

    use super::*;

    /// Samples of 1 to 4 at one time, few contexts.
    fn samples(rng: &mut Rng, moments: usize) -> Vec<(u64, u32, u64)> {
        let (mut all, mut time) = (vec![], 0);
        for _ in 0..moments {
            time += 1 + rng.below(9) as u64;
            all.extend(
                (0..=rng.below(4)).map(|_| (time, rng.below(6) as u32, 1 + rng.below(9) as u64)),
            );
        }
        all
    }

    fn strip(most: usize, samples: &[(u64, u32, u64)]) -> Strip {
        let mut strip = Strip::new(most);
        samples.iter().for_each(|&(time, context, weight)| strip.sample(time, context, weight));
        strip
    }

    #[test]
    fn whole_stretches_are_the_sums_of_their_times() {
        let mut rng = Rng::new(1);
        for case in 0..300 {
            let moments = rng.below(200);
            let all = samples(&mut rng, moments);
            let most = 1 + rng.below(20);
            let mut made = strip(most, &all);
            if case % 3 == 0 {
                made.limit(most / 2);
            }
            let stretches = made.finish();
            assert!(stretches.len() <= most);
            for s in &stretches {
                let mut sums = std::collections::BTreeMap::<u32, u64>::new();
                for (_, context, weight) in all.iter().filter(|x| (s.first..=s.last).contains(&x.0))
                {
                    *sums.entry(*context).or_default() += weight;
                }
                assert_eq!(s.weights, sums.into_iter().collect::<Vec<_>>());
            }
            let sum: u64 = stretches.iter().flat_map(|s| &s.weights).map(|w| w.1).sum();
            let all: u64 = all.iter().map(|x| x.2).sum();
            assert_eq!(sum, all, "nothing is lost or counted twice");
        }
    }

    #[test]
    fn stretches_are_used_up_to_half_of_the_bound_at_least() {
        let mut rng = Rng::new(2);
        for moments in [8, 9, 64, 1000] {
            let n = strip(8, &samples(&mut rng, moments)).finish().len();
            assert!((4..=8).contains(&n), "{n} stretches of {moments} moments");
        }
    }

    #[test]
    fn a_time_that_runs_back_counts_for_the_last_one() {
        let stretches = strip(4, &[(5, 1, 1), (3, 1, 2), (9, 2, 4)]).finish();
        let slices: Vec<_> = stretches.iter().map(|s| (s.first, s.last, &s.weights[..])).collect();
        assert_eq!(slices, [(5, 5, &[(1, 3)][..]), (9, 9, &[(2, 4)][..])]);
    }
}
