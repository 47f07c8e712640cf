//! Fused regions and counted loops: several decisions, one symbol.
//!
//! A *region* is an acyclic piece of a method with one entry, the *head* (a branch block), in which
//! no other code can run: no call, no class initialisation. Each edge has a value (Ball and Larus,
//! "Efficient path profiling", 1996, §3.1), the device sums them up in a register and codes the
//! sum, once, where the path leaves the region. Numbers also exist for paths that *stop* inside, in
//! a block that may throw: a sum that an exception finds in the register identifies the block and
//! the path to it.
//!
//! A *counted loop* is a cycle of blocks with a single branch, in which no other code can run: the
//! device counts its iterations in the same register and codes the count where the loop is left.
//!
//! Both ends derive everything from here: the instrumenter the constants, the decoder the paths.

use std::collections::{HashMap, HashSet};

use crate::coding::table::{TableError, quantise};
use crate::graph::ids::BlockId;

/// The most numbers a region may have.
pub const MAX_NUMBERS: u32 = 256;
/// Iteration counts with a symbol of their own: `0 … EXACT - 1`. Above, a symbol gives the bit
/// length.
pub const EXACT: u32 = 8;
/// Symbols of a counted loop's distribution: the exact counts, then bit lengths 4 to 32.
pub const TRIP_SYMBOLS: usize = EXACT as usize + 29;

/// Reasons why a region is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RegionError {
    /// A block that the method does not have, that is listed twice, or that ends in nothing that
    /// leads on.
    #[error("block {0} cannot be part of a region")]
    Block(u32),
    /// An edge leads to this block from a later member, or from no member.
    #[error("block {0} is out of order in its region")]
    Order(u32),
    /// Too many paths.
    #[error("a region with more than {MAX_NUMBERS} numbers")]
    Numbers,
}

/// A block of a region, as [`Numbering::new`] asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The block of the method.
    pub block: BlockId,
    /// True if an exception can come from it (the head's do not count: they come before its
    /// decision).
    pub throws: bool,
    /// Successors in symbol order.
    pub successors: Vec<BlockId>,
}

/// End of a path through a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathEnd {
    /// In this block, which threw.
    Stopped(BlockId),
    /// It left for this block.
    Left(BlockId),
}

/// A path through a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// Blocks from the head on, each with the successor taken (an index into its successors).
    pub hops: Vec<(BlockId, usize)>,
    /// The end.
    pub end: PathEnd,
}

/// The numbers of a region's paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbering {
    members: Vec<Member>,
    /// Per member and successor: what the edge adds to the number.
    values: Vec<Vec<u32>>,
    total: u32,
    /// Position of each block in `members`.
    places: HashMap<BlockId, usize>,
}

impl Numbering {
    /// Numbers a region. The head comes first, and every edge inside leads forward in the list.
    ///
    /// # Errors
    /// See [`RegionError`].
    pub fn new(members: Vec<Member>) -> Result<Numbering, RegionError> {
        let mut places = HashMap::new();
        for (i, m) in members.iter().enumerate() {
            places.entry(m.block).or_insert(i);
        }
        let place = |b: BlockId| places.get(&b).copied();
        let mut reached = HashSet::new();
        for (i, m) in members.iter().enumerate() {
            if place(m.block) != Some(i) || m.successors.is_empty() {
                return Err(RegionError::Block(m.block.0));
            }
            // Leading back to the head leaves the region; to any other member before it would be a
            // circle.
            if m.successors.iter().any(|&s| place(s).is_some_and(|p| p != 0 && p <= i)) {
                return Err(RegionError::Order(m.block.0));
            }
            if i > 0 && !reached.contains(&m.block) {
                return Err(RegionError::Order(m.block.0));
            }
            reached.extend(m.successors.iter().copied());
        }
        let mut ways = vec![0u32; members.len()];
        let mut values = vec![Vec::new(); members.len()];
        for (i, m) in members.iter().enumerate().rev() {
            let mut sum = u32::from(i > 0 && m.throws);
            for &s in &m.successors {
                values[i].push(sum);
                sum += place(s).filter(|&p| p > 0).map_or(1, |p| ways[p]);
                if sum > MAX_NUMBERS {
                    return Err(RegionError::Numbers);
                }
            }
            ways[i] = sum;
        }
        let total = ways.first().copied().unwrap_or(0);
        Ok(Numbering { members, values, total, places })
    }

    /// Returns how many numbers there are: `0 … total - 1`.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The blocks, head first.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns true if a block lies inside (the head does not: an edge to it leaves the region).
    pub fn is_inside(&self, block: BlockId) -> bool {
        self.places.get(&block).is_some_and(|&p| p > 0)
    }

    /// Returns true if a path through the region to the end of this block passes an inner block
    /// that may throw.
    pub fn throws_before(&self, block: BlockId) -> bool {
        let Some(&end) = self.places.get(&block) else { return false };
        let mut passed = vec![false; end + 1];
        for (i, m) in self.members.iter().enumerate().take(end + 1) {
            passed[i] |= i > 0 && m.throws;
            for p in m.successors.iter().filter_map(|s| self.places.get(s)) {
                if passed[i] && *p > i && *p <= end {
                    passed[*p] = true;
                }
            }
        }
        passed[end]
    }

    /// Returns the number of edges out of a member; 0 for other blocks.
    pub fn ways(&self, block: BlockId) -> usize {
        self.places.get(&block).map_or(0, |&p| self.members[p].successors.len())
    }

    /// Returns the increment of the path number on the edge from `block` to its successor number
    /// `alternative`.
    pub fn value(&self, block: BlockId, alternative: usize) -> Option<u32> {
        self.values[*self.places.get(&block)?].get(alternative).copied()
    }

    /// The path with this number, if there is one.
    pub fn path(&self, number: u32) -> Option<Path> {
        if number >= self.total {
            return None;
        }
        let mut rest = number;
        let mut hops = Vec::new();
        let mut at = 0;
        loop {
            let m = &self.members[at];
            if at > 0 && m.throws && rest == 0 {
                return Some(Path { hops, end: PathEnd::Stopped(m.block) });
            }
            let alternative = self.values[at].partition_point(|&v| v <= rest) - 1;
            rest -= self.values[at][alternative];
            hops.push((m.block, alternative));
            let to = m.successors[alternative];
            match self.places.get(&to).filter(|&&p| p > 0) {
                Some(&p) => at = p,
                None => return Some(Path { hops, end: PathEnd::Left(to) }),
            }
        }
    }

    /// The numbers of the paths that leave, ascending: the alternatives of the region's symbol.
    pub fn full_paths(&self) -> Vec<(u32, Path)> {
        (0..self.total)
            .filter_map(|n| self.path(n).map(|p| (n, p)))
            .filter(|(_, p)| matches!(p.end, PathEnd::Left(_)))
            .collect()
    }

    /// Frequencies of the full paths: products of their edges' (`freqs` of a branch block, in
    /// symbol order).
    ///
    /// # Errors
    /// Never with [`MAX_NUMBERS`] paths and at least one.
    pub fn frequencies<'f>(
        &self,
        freqs: impl Fn(BlockId) -> Option<&'f [u16]>,
    ) -> Result<Vec<u16>, TableError> {
        // Large enough that the estimator's half a count does not show, small enough for its 48
        // bits.
        const ONE: u64 = 1 << 46;
        let weigh = |p: &Path| {
            p.hops.iter().fold(ONE, |w, &(b, i)| {
                let f = freqs(b).map_or(65_535, |f| u64::from(f[i]));
                (u128::from(w) * u128::from(f) / 65_535) as u64
            })
        };
        let weights: Vec<u64> = self.full_paths().iter().map(|(_, p)| weigh(p)).collect();
        quantise(&weights)
    }
}

/// Encoding of the positions of a counted loop in a register.
///
/// The register grows by `1 << shift` in every full iteration: by [`Self::first`] on the edge that
/// stays in the loop, and by 1 at the entry of every block of the cycle that may throw, except the
/// first one. (The head's increment is on the edge back to it.) So the register identifies the
/// iteration and, when an exception comes, the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TripCount {
    /// Blocks of the cycle after the edge that stays, in order; the branch block itself comes last.
    pub cycle: Vec<BlockId>,
    /// Those blocks of the cycle that may throw, as positions in it.
    pub throwing: Vec<usize>,
    /// log₂ of an iteration's increment.
    pub shift: u32,
}

/// Position in a counted loop at which an exception came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TripPlace {
    /// Iterations that ran to their end.
    pub full: u32,
    /// The block of the cycle that threw in the next one; `None`: none was begun, the branch block
    /// is where it stands.
    pub within: Option<usize>,
}

impl TripCount {
    /// The cycle from `stay` back to `branch`; `throws`: whether a block may throw.
    pub fn new(cycle: Vec<BlockId>, throws: impl Fn(BlockId) -> bool) -> TripCount {
        let throwing: Vec<usize> = (0..cycle.len()).filter(|&i| throws(cycle[i])).collect();
        let shift = throwing.len().max(1).next_power_of_two().trailing_zeros();
        TripCount { cycle, throwing, shift }
    }

    /// Returns the increment on the edge that stays.
    pub fn first(&self) -> u32 {
        (1 << self.shift) - self.throwing.len().saturating_sub(1) as u32
    }

    /// Returns true if entering this block of the cycle adds 1.
    pub fn adds(&self, position: usize) -> bool {
        self.throwing.iter().skip(1).any(|&t| t == position)
    }

    /// Returns the position that a value of the register means.
    pub fn place(&self, register: u32) -> TripPlace {
        let each = 1 << self.shift;
        let (full, rest) = (register / each, register % each);
        if rest == 0 {
            // The last block that may throw makes the iteration full: it, or the branch block, is
            // where things stand.
            let last =
                self.throwing.last().copied().filter(|&t| full > 0 && t + 1 < self.cycle.len());
            return TripPlace { full: full - u32::from(last.is_some()), within: last };
        }
        // Between two values that the increments give lies nothing.
        let nth = rest.saturating_sub(self.first()) as usize;
        TripPlace { full, within: self.throwing.get(nth).copied() }
    }
}

/// Returns the cycle of blocks that leaves `branch` by its alternative `stay` and comes back to it
/// by gotos alone, in a graph of `blocks` blocks; it ends with `branch`. `None` if there is none.
pub fn cycle(
    successors: &dyn Fn(BlockId) -> Option<Vec<BlockId>>,
    blocks: usize,
    branch: BlockId,
    stay: usize,
) -> Option<Vec<BlockId>> {
    let mut at = *successors(branch).filter(|all| all.len() > 1)?.get(stay)?;
    let mut cycle = Vec::new();
    while at != branch {
        if cycle.len() > blocks {
            return None;
        }
        cycle.push(at);
        let [next] = successors(at)?[..] else { return None };
        at = next;
    }
    cycle.push(branch);
    Some(cycle)
}

/// The symbol of an iteration count, and how many of its low bits follow as they are.
pub fn trip_symbol(count: u32) -> (usize, u32) {
    if count < EXACT {
        return (count as usize, 0);
    }
    let length = 32 - count.leading_zeros();
    ((EXACT + length - 4) as usize, length - 1)
}

/// The count that a symbol above the exact ones and its low bits give.
pub fn trip_count(symbol: usize, low: u32) -> u32 {
    match (symbol as u32).checked_sub(EXACT) {
        None => symbol as u32,
        Some(above) => 1 << (above + 3) | low,
    }
}

/// Returns the number of low bits that follow a symbol.
pub fn trip_bits(symbol: usize) -> u32 {
    (symbol as u32).checked_sub(EXACT).map_or(0, |above| above + 3)
}

/// The distribution of a counted loop's symbols: the counts of whole loops, if there are any, mixed
/// with the frequencies of the branch (as if each iteration were decided independently):
/// lengths not seen yet may come. Without any history long loops are as likely as short ones.
///
/// # Errors
/// Never: the number of symbols is fixed.
pub fn trip_frequencies(history: &[u64], stay: u64, leave: u64) -> Result<Vec<u16>, TableError> {
    // One part in `MIXED` is left to the branch's frequencies: a thirtieth of a bit per loop.
    const MIXED: u128 = 48;
    let prior = trip_weights(stay, leave);
    let seen: u128 = history.iter().map(|&n| u128::from(n)).sum();
    if seen == 0 {
        return quantise(&prior);
    }
    // A loop that was never left, as the rest of old counts can claim, has none at all.
    let all = prior.iter().map(|&w| u128::from(w)).sum::<u128>().max(1);
    // In 2⁻⁴⁰.
    let mixed = prior.iter().enumerate().map(|(i, &w)| {
        let n = u128::from(history.get(i).copied().unwrap_or(0));
        (((n << 40) / seen * (MIXED - 1) + (u128::from(w) << 40) / all) / MIXED) as u64
    });
    quantise(&mixed.collect::<Vec<_>>())
}

/// The weights of the symbols that the frequencies of the branch alone give.
fn trip_weights(stay: u64, leave: u64) -> Vec<u64> {
    let mut weights = Vec::with_capacity(TRIP_SYMBOLS);
    if stay == 0 && leave == 0 {
        // Nothing is known: each doubling three quarters as likely as the one before.
        let mut w = 1u64 << 40;
        for symbol in 0..TRIP_SYMBOLS {
            weights.push(w);
            if symbol >= EXACT as usize || (symbol + 1).is_power_of_two() {
                w = w / 4 * 3;
            }
        }
        return weights;
    }
    // q = stay / (stay + leave) in 2⁻⁴⁰; at least k iterations happen with probability q^k.
    const ONE: u128 = 1 << 40;
    let q = u128::from(stay) * ONE / (u128::from(stay) + u128::from(leave));
    let times = |a: u128, b: u128| (a * b) >> 40;
    let mut at_least = ONE;
    for _ in 0..EXACT {
        let next = times(at_least, q);
        weights.push((at_least - next) as u64);
        at_least = next;
    }
    for _ in EXACT as usize..TRIP_SYMBOLS {
        let doubled = times(at_least, at_least);
        weights.push((at_least - doubled) as u64);
        at_least = doubled;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(block: u32, throws: bool, successors: &[u32]) -> Member {
        Member {
            block: BlockId(block),
            throws,
            successors: successors.iter().map(|&b| BlockId(b)).collect(),
        }
    }

    /// if (a) { x[i] } ; if (b) {…} — a diamond whose arm may throw, then a second branch.
    fn diamond() -> Numbering {
        Numbering::new(vec![
            member(1, true, &[2, 3]),
            member(2, true, &[3]),
            member(3, false, &[8, 9]),
        ])
        .unwrap()
    }

    #[test]
    fn every_path_and_every_stop_has_its_own_number() {
        let n = diamond();
        assert_eq!(n.total(), 5);
        let mut seen = std::collections::HashSet::new();
        for number in 0..n.total() {
            let p = n.path(number).unwrap();
            let sum: u32 = p.hops.iter().map(|&(b, i)| n.value(b, i).unwrap()).sum();
            assert_eq!(sum, number, "the edges of a path add up to its number");
            assert!(seen.insert(format!("{p:?}")));
        }
        let stopped =
            (0..5).filter(|&i| matches!(n.path(i).unwrap().end, PathEnd::Stopped(_))).count();
        assert_eq!((stopped, n.full_paths().len()), (1, 4));
        assert_eq!(n.path(5), None);
    }

    /// Member 2 may throw, the head's own throw comes before the region.
    #[test]
    fn only_ways_through_a_throwing_member_pass_one() {
        let n = Numbering::new(vec![
            member(1, true, &[2, 3]),
            member(2, true, &[4, 8]),
            member(3, false, &[5, 8]),
            member(4, false, &[8, 9]),
            member(5, false, &[8, 9]),
        ])
        .unwrap();
        let passes = |b| n.throws_before(BlockId(b));
        assert_eq!([1, 2, 3, 4, 5, 8].map(passes), [false, true, false, true, false, false]);
    }

    #[test]
    fn a_region_with_a_circle_is_refused() {
        let e = Numbering::new(vec![
            member(1, false, &[2, 9]),
            member(2, false, &[3, 9]),
            member(3, false, &[2, 9]),
        ]);
        assert_eq!(e.unwrap_err(), RegionError::Order(3));
    }

    #[test]
    fn too_many_paths_are_refused() {
        let members = (0..9).map(|i| member(i, false, &[i + 1, i + 1])).collect();
        assert_eq!(Numbering::new(members).unwrap_err(), RegionError::Numbers);
    }

    #[test]
    fn a_path_is_as_likely_as_its_edges_together() {
        let n = diamond();
        let f = n.frequencies(|b| (b.0 != 2).then_some(&[49_151u16, 16_384][..])).unwrap();
        assert_eq!(f.iter().map(|&f| u32::from(f)).sum::<u32>(), 65_535);
        // ¾·¾, ¾·¼, ¼·¾, ¼·¼ of 65,535.
        for (f, share) in f.iter().zip([9.0, 3.0, 3.0, 1.0]) {
            assert!((f64::from(*f) - share / 16.0 * 65_535.0).abs() < 3.0, "{f} for {share}/16");
        }
    }

    #[test]
    fn trip_registers_name_iteration_and_block() {
        // Cycle of three: the first does not throw, the second and the branch block do.
        let t = TripCount::new(vec![BlockId(5), BlockId(6), BlockId(4)], |b| b.0 != 5);
        assert_eq!((t.shift, t.first()), (1, 1));
        let mut register = 0;
        for iteration in 0..5 {
            assert_eq!(t.place(register).full, iteration);
            register += t.first();
            assert_eq!(t.place(register), TripPlace { full: iteration, within: Some(1) });
            assert!(!t.adds(1) && t.adds(2));
            register += 1;
            assert_eq!(t.place(register), TripPlace { full: iteration + 1, within: None });
        }
    }

    #[test]
    fn three_throwing_blocks_take_four_steps() {
        let t = TripCount::new(vec![BlockId(1), BlockId(2), BlockId(3)], |_| true);
        assert_eq!((t.shift, t.first()), (2, 2));
        assert_eq!(t.place(4 * 7 + 2), TripPlace { full: 7, within: Some(0) });
        assert_eq!(t.place(4 * 7 + 3), TripPlace { full: 7, within: Some(1) });
        assert_eq!(t.place(4 * 8), TripPlace { full: 8, within: None });
    }

    #[test]
    fn a_single_block_that_throws_does_so_in_the_iteration_just_begun() {
        let t = TripCount::new(vec![BlockId(1), BlockId(4)], |b| b.0 == 1);
        assert_eq!((t.shift, t.first()), (0, 1));
        assert_eq!(t.place(0), TripPlace { full: 0, within: None });
        assert_eq!(t.place(3), TripPlace { full: 2, within: Some(0) });
    }

    #[test]
    fn counts_come_back_from_their_symbols() {
        for count in (0..5_000).chain([65_535, 65_536, 1 << 31, u32::MAX]) {
            let (symbol, bits) = trip_symbol(count);
            assert!(symbol < TRIP_SYMBOLS);
            assert_eq!(bits, trip_bits(symbol));
            let low = count & ((1u64 << bits) - 1) as u32;
            assert_eq!(trip_count(symbol, low), count);
        }
    }

    #[test]
    fn a_length_that_never_came_stays_possible() {
        // Always 200 iterations so far, and the branch's counts to match: 400 are unlikely, not out
        // of the question.
        let mut history = vec![0; TRIP_SYMBOLS];
        history[trip_symbol(200).0] = 1_000_000;
        let f = trip_frequencies(&history, 200_000_000, 1_000_000).unwrap();
        let bits = |count| (65_536.0 / f64::from(f[trip_symbol(count).0])).log2();
        assert!(bits(200) < 0.035, "{}", bits(200));
        assert!(bits(400) < 9.0, "{}", bits(400));
    }

    /// Decay forgets the one time that a loop was left before it forgets its rounds.
    #[test]
    fn a_loop_that_was_never_left_has_a_distribution() {
        let f = trip_frequencies(&[0, 0, 5], 10, 0).unwrap();
        assert_eq!(f.iter().map(|&f| u32::from(f)).sum::<u32>(), 65_535);
        assert!(f[2] > 50_000 && f.iter().all(|&f| f > 0), "{f:?}");
    }

    #[test]
    fn loops_without_history_of_their_own_cost_what_their_branch_tells() {
        // A fair branch: half the loops end at once, a quarter after one iteration, …
        let f = trip_frequencies(&[], 1_000, 1_000).unwrap();
        assert_eq!(f.len(), TRIP_SYMBOLS);
        assert_eq!(f.iter().map(|&f| u32::from(f)).sum::<u32>(), 65_535);
        for (k, share) in [(0, 2.0), (1, 4.0), (2, 8.0)] {
            assert!((f64::from(f[k]) - 65_536.0 / share).abs() < 40.0, "{k}: {}", f[k]);
        }
    }
}
