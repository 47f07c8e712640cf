//! Search for the number of methods that the size limit costs, over one fixed order of them.
//!
//! The saving of leaving a method is known only when the files are written: its callers lose their
//! tokens, its callees may get guards. So each round leaves the first `k` methods of the order and
//! measures; the next `k` comes from a line through the measurements around the goal.

use crate::analysis::program::MethodNo;

/// Distance below the limit, as a share of it, that is near enough.
const NEAR: f64 = 0.01;
/// Distance below the limit, as a share of it, that a round aims at.
const AIM: f64 = 0.003;
/// Number of rounds after which the best result is taken.
const ROUNDS: u32 = 9;

/// Next step after a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchStep {
    /// The round holds the limit and is the result.
    Done,
    /// Leave the first `n` methods in the next round.
    Leave(usize),
    /// Not even leaving all methods is enough.
    Unreachable,
}

/// Result of a round: the number of methods left and the number of bytes written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Point {
    left: usize,
    bytes: u64,
}

/// State of the search.
#[derive(Debug, Clone)]
pub(crate) struct SizeSearch {
    order: Vec<MethodNo>,
    /// Estimated saving of the first `k` methods in bytes, for each `k`.
    saved: Vec<u64>,
    /// Number of bytes allowed.
    allowed: u64,
    /// Round with the most methods left that exceeds the limit.
    over: Point,
    /// Round with the fewest methods left that holds the limit.
    holds: Option<Point>,
    rounds: u32,
}

impl SizeSearch {
    /// Begins a search after a round that left none of these methods and wrote `bytes`, more than
    /// `allowed`. Each method comes with the estimated saving of leaving it, in bytes.
    pub fn new(order: Vec<(MethodNo, u64)>, allowed: u64, bytes: u64) -> SizeSearch {
        let mut saved = vec![0_u64];
        for (_, bytes) in &order {
            saved.push(saved[saved.len() - 1].saturating_add(*bytes));
        }
        SizeSearch {
            order: order.into_iter().map(|(no, _)| no).collect(),
            saved,
            allowed,
            over: Point { left: 0, bytes },
            holds: None,
            rounds: 0,
        }
    }

    /// Returns the first step.
    pub fn begin(&self) -> SearchStep {
        if self.order.is_empty() { SearchStep::Unreachable } else { SearchStep::Leave(self.next()) }
    }

    /// Returns the methods that are left if the first `count` are.
    pub fn left(&self, count: usize) -> &[MethodNo] {
        &self.order[..count]
    }

    /// Returns the methods after the first `count`.
    pub fn behind(&self, count: usize) -> &[MethodNo] {
        &self.order[count..]
    }

    /// Returns the step after a round that left `left` methods and wrote `bytes`.
    pub fn measured(&mut self, left: usize, bytes: u64) -> SearchStep {
        self.rounds += 1;
        let point = Point { left, bytes };
        if bytes > self.allowed {
            if left >= self.order.len() {
                return SearchStep::Unreachable;
            }
            self.over = point;
            // This round left more methods than the one that held the limit: sizes are not quite
            // monotonous.
            self.holds = self.holds.filter(|h| h.left > left);
        } else {
            // With all methods left nothing is recorded: such a build is never near enough.
            let near =
                bytes as f64 >= self.allowed as f64 * (1.0 - NEAR) && left < self.order.len();
            let again = self.holds.is_some_and(|h| h.left == left);
            if near || again || left <= self.over.left + 1 {
                return SearchStep::Done;
            }
            self.holds = Some(point);
        }
        match self.holds {
            Some(h) if self.rounds >= ROUNDS || h.left <= self.over.left + 1 => {
                if h == point {
                    SearchStep::Done
                } else {
                    SearchStep::Leave(h.left)
                }
            }
            None if self.rounds >= ROUNDS => SearchStep::Leave(self.order.len()),
            _ => SearchStep::Leave(self.next()),
        }
    }

    /// Returns the next number of methods to try: above `over`, below `holds`.
    fn next(&self) -> usize {
        let goal = (self.allowed as f64 * (1.0 - AIM)) as u64;
        let need = self.over.bytes.saturating_sub(goal) as f64;
        let base = self.saved[self.over.left] as f64;
        let last = self.order.len();
        let (most, rate) = match self.holds {
            // Every other round tries the middle, for sizes that are far from a line.
            Some(h) if self.rounds.is_multiple_of(2) => {
                return (self.over.left + h.left).div_ceil(2);
            }
            Some(h) => {
                let estimated = self.saved[h.left] as f64 - base;
                (h.left - 1, estimated / (self.over.bytes - h.bytes) as f64)
            }
            // Without a round that holds the limit, the estimate decides, with a margin that grows
            // with each round.
            None => (last, 1.0 + f64::from(self.rounds) * 0.25),
        };
        let wanted = base + need * rate;
        let count = self.saved.partition_point(|&saved| (saved as f64) < wanted);
        count.clamp((self.over.left + 1).min(most), most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a search over methods with these estimated savings, where leaving the first `k` gives
    /// `size(k)` bytes. Returns the result and the number of rounds.
    fn search(saved: &[u64], allowed: u64, size: impl Fn(usize) -> u64) -> (Option<usize>, u32) {
        let order = saved.iter().zip(0..).map(|(&bytes, i)| (MethodNo(i), bytes)).collect();
        let mut search = SizeSearch::new(order, allowed, size(0));
        let mut step = search.begin();
        let mut rounds = 0;
        loop {
            let SearchStep::Leave(count) = step else { return (None, rounds) };
            rounds += 1;
            assert!(rounds <= ROUNDS + 2, "the search ends");
            step = search.measured(count, size(count));
            if step == SearchStep::Done {
                return (Some(count), rounds);
            }
        }
    }

    #[test]
    fn a_limit_accepts_a_size_near_it() {
        // Each method saves half of its estimate.
        let size = |k: usize| 200_000 - 50 * k as u64;
        let (left, rounds) = search(&[100; 2000], 150_000, size);
        let bytes = size(left.expect("it can be held"));
        assert!((147_000..=150_000).contains(&bytes), "{bytes}");
        assert!(rounds <= 5, "{rounds} rounds");
    }

    #[test]
    fn a_few_methods_that_save_nearly_all_do_not_take_the_others_along() {
        // The first ten methods save thirty times as much as estimated.
        let size = |k: usize| 200_000 - 6_000 * k.min(10) as u64 - k as u64;
        let (left, _) = search(&[200; 1000], 150_000, size);
        let left = left.expect("it can be held");
        assert!((9..=40).contains(&left), "{left}");
    }

    #[test]
    fn methods_whose_leaving_costs_bytes_do_not_mislead() {
        // Every third method that is left adds guards to others.
        let size = |k: usize| 200_000 - 100 * k as u64 + 40 * (k as u64 / 3) + 300 * (k as u64 % 2);
        let (left, _) = search(&[100; 1500], 120_000, size);
        let bytes = size(left.expect("it can be held"));
        assert!((116_400..=120_000).contains(&bytes), "{bytes}");
    }

    #[test]
    fn a_limit_that_no_number_of_methods_holds_is_unreachable() {
        assert_eq!(search(&[10; 50], 1_000, |k| 5_000 - k as u64).0, None);
        assert_eq!(search(&[], 1_000, |_| 5_000).0, None);
    }

    #[test]
    fn a_limit_at_the_edge_is_found() {
        let size = |k: usize| 100_000 - 37 * k as u64;
        for allowed in [99_999, 99_963, 99_962, 81_500, 81_501] {
            let (left, _) = search(&[40; 500], allowed, size);
            assert!(size(left.expect("it can be held")) <= allowed, "{allowed}");
        }
    }
}
