//! On which edges of a region the register grows: on the chords of a maximum spanning tree, so that
//! the hottest edges carry nothing.
//!
//! A path's number does not care how it came about: any increments do that give the same sums
//! wherever someone looks. Someone looks on every edge that leaves a region, and in every block
//! inside that may throw; in between the register may hold anything. So the region becomes a graph
//! with one vertex for the head and all places where the sum is looked at (there the register is
//! exact). Along the edges of a spanning tree of that graph nothing is added, which defines for
//! every block by how much the register is off there; the other edges, the chords, add their value
//! and what their ends differ by. With the tree of the greatest expected frequency that of the
//! chords is the least that can be, and never more than with the plain values: the edges with value
//! 0 form such a tree, too.
//!
//! Sources: D. E. Knuth and F. R. Stevenson, "Optimal measurement points for program frequency
//! counts" (1973), for counting on the complement of a spanning tree; T. Ball, "Efficiently
//! counting program events with support for on-line queries" (1994), for the increments of chords;
//! T. Ball and J. R. Larus, "Efficient path profiling" (1996), §3.2, for both on path numbers.
//!
//! The decoder knows nothing of this: map and streams are those of the plain values
//! (`docs/PROTOCOL.md` §4).

use model::map::BlockId;
use model::region::Numbering;

/// The largest literal that fits `add-int/lit8`: where edges must carry more, they carry the plain
/// values. (Edges out of the head set the register with a constant.)
const LITERAL: i32 = i8::MAX as i32;
/// The frequency of the head. Six decisions of the smallest probability still leave something of
/// it; behind more of them ways count as equally rare.
const ONE: u128 = 1 << 100;

/// What each edge of a region adds to the register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Increments {
    /// Block and increments of its edges, in symbol order; head first.
    edges: Vec<(BlockId, Vec<i32>)>,
}

/// An edge that could do without.
struct Edge {
    weight: u128,
    /// Members it leads from and to; 0 is where the register is exact.
    from: usize,
    to: usize,
    value: i32,
}

impl Increments {
    /// Increments for the numbers of a region. `freqs` are a branch block's frequencies, in symbol
    /// order.
    pub(crate) fn new<'f>(
        numbering: &Numbering,
        freqs: impl Fn(BlockId) -> Option<&'f [u16]>,
    ) -> Increments {
        Increments::within(numbering, freqs, LITERAL)
    }

    /// As [`Increments::new`]; if one (but of the head's) would be beyond the limit, they are the
    /// plain values.
    fn within<'f>(
        numbering: &Numbering,
        freqs: impl Fn(BlockId) -> Option<&'f [u16]>,
        limit: i32,
    ) -> Increments {
        let mut edges = edges(numbering, freqs);
        // The sort is stable: of equal ones the first.
        edges.sort_by_key(|e| std::cmp::Reverse(e.weight));
        let mut trees = Trees::new(numbering.members().len());
        for e in &edges {
            trees.join(e.from, e.to, e.value);
        }
        let increments = plain(numbering, |from, to| trees.excess(to) - trees.excess(from));
        let fits = increments.edges[1..].iter().flat_map(|(_, of)| of).all(|i| i.abs() <= limit);
        if fits { increments } else { plain(numbering, |_, _| 0) }
    }

    /// What the edge from `block` to its successor number `alternative` adds; for the head's, to
    /// what the region begins with.
    pub(crate) fn of(&self, block: BlockId, alternative: usize) -> Option<i32> {
        self.edges.iter().find(|e| e.0 == block)?.1.get(alternative).copied()
    }
}

/// The plain values, changed by `change` for an edge between two members (0: the head, or outside).
fn plain(numbering: &Numbering, change: impl Fn(usize, usize) -> i32) -> Increments {
    let edges = numbering.members().iter().enumerate().map(|(from, m)| {
        let of = m.successors.iter().enumerate().map(|(i, &to)| {
            let value = numbering.value(m.block, i).expect("an edge of the region");
            value as i32 + change(from, place(numbering, to))
        });
        (m.block, of.collect())
    });
    Increments { edges: edges.collect() }
}

/// The member that a block is inside the region; 0 for the head and all blocks outside.
fn place(numbering: &Numbering, block: BlockId) -> usize {
    numbering.members().iter().position(|m| m.block == block).unwrap_or(0)
}

/// All edges but the head's, which carry a constant in any case.
fn edges<'f>(numbering: &Numbering, freqs: impl Fn(BlockId) -> Option<&'f [u16]>) -> Vec<Edge> {
    let members = numbering.members();
    // A member that may throw is looked at: its register is as exact as outside.
    let vertex = |i: usize| if members[i].throws { 0 } else { i };
    let mut entered = vec![0u128; members.len()];
    entered[0] = ONE;
    let mut edges = Vec::new();
    for (from, m) in members.iter().enumerate() {
        let of = freqs(m.block);
        for (i, &to) in m.successors.iter().enumerate() {
            let share = of.and_then(|f| f.get(i)).map_or(65_535, |&f| u128::from(f));
            let weight = entered[from] * share / 65_535;
            let to = place(numbering, to);
            if to > 0 {
                entered[to] += weight;
            }
            if from > 0 {
                let value = numbering.value(m.block, i).expect("an edge of the region") as i32;
                edges.push(Edge { weight, from: vertex(from), to: vertex(to), value });
            }
        }
    }
    edges
}

/// Trees of members: in each, by how much the register exceeds the plain sum is known relative to
/// its root.
struct Trees {
    /// Root, and the excess there less the excess here.
    above: Vec<(usize, i32)>,
}

impl Trees {
    fn new(members: usize) -> Trees {
        Trees { above: (0..members).map(|i| (i, 0)).collect() }
    }

    /// Makes the edge one of a tree, if its ends are in two: it carries nothing, so by its value
    /// there is less too much behind it.
    fn join(&mut self, from: usize, to: usize, value: i32) {
        let ((a, up_a), (b, up_b)) = (self.above[from], self.above[to]);
        if a == b {
            return;
        }
        // excess(to) = excess(from) − value, in which excess(x) = excess(root of x) − up(x).
        // The exact vertex, 0, stays a root.
        let b_over_a = up_b - up_a - value;
        let (gone, root, up) = if b == 0 { (a, b, b_over_a) } else { (b, a, -b_over_a) };
        for above in self.above.iter_mut().filter(|above| above.0 == gone) {
            *above = (root, above.1 + up);
        }
    }

    /// By how much the register exceeds the plain sum in a member. All trees have become one, whose
    /// root is exact: every member leads on until the region is left.
    fn excess(&self, member: usize) -> i32 {
        -self.above[member].1
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use model::region::{End, Member};
    use proptest::prelude::*;

    use super::*;

    type Freqs = HashMap<BlockId, Vec<u16>>;

    fn member(block: u32, throws: bool, successors: &[u32]) -> Member {
        Member {
            block: BlockId(block),
            throws,
            successors: successors.iter().map(|&b| BlockId(b)).collect(),
        }
    }

    fn increments(numbering: &Numbering, freqs: &Freqs) -> Increments {
        Increments::new(numbering, |b| freqs.get(&b).map(Vec::as_slice))
    }

    /// Any region: blocks 0, 1, … lead forward, to the head or out (1,000 and up), by ways with
    /// any counts. Seldom too many paths.
    fn region() -> impl Strategy<Value = (Numbering, Freqs)> {
        let way = (0u32..6, prop_oneof![Just(0u64), 0u64..1_000_000]);
        let block = (any::<bool>(), proptest::collection::vec(way, 1..4));
        proptest::collection::vec(block, 2..14).prop_filter_map("no region", |blocks| {
            let n = blocks.len() as u32;
            let mut members = Vec::new();
            let mut freqs = Freqs::new();
            for (i, (throws, ways)) in (0u32..).zip(blocks) {
                // The nearest block ahead first, so that each can be reached.
                let to = |far: u32| {
                    if far == 5 {
                        0
                    } else if i + 1 + far < n {
                        i + 1 + far
                    } else {
                        1_000 + far
                    }
                };
                let mut successors = vec![to(0)];
                let mut counts = vec![1];
                for (far, count) in ways {
                    if !successors.contains(&to(far)) {
                        successors.push(to(far));
                        counts.push(count);
                    }
                }
                if counts.len() > 1 {
                    freqs.insert(BlockId(i), model::table::quantise(&counts).unwrap());
                }
                members.push(member(i, throws, &successors));
            }
            // As many of the first ones as have few enough paths.
            (2..=members.len())
                .rev()
                .find_map(|k| Numbering::new(members[..k].to_vec()).ok())
                .map(|n| (n, freqs))
        })
    }

    /// Expected frequency of going along an edge that carries something, in shares of the head's.
    /// Edges of the head do in any case.
    fn carried(
        numbering: &Numbering,
        freqs: &Freqs,
        increment: impl Fn(BlockId, usize) -> i32,
    ) -> f64 {
        let members = numbering.members();
        let mut entered = vec![0.0; members.len()];
        entered[0] = 1.0;
        let mut sum = 0.0;
        for (i, m) in members.iter().enumerate() {
            for (j, to) in m.successors.iter().enumerate() {
                let weight =
                    entered[i] * freqs.get(&m.block).map_or(1.0, |f| f64::from(f[j]) / 65_535.0);
                if let Some(p) = members.iter().position(|o| o.block == *to).filter(|&p| p > 0) {
                    entered[p] += weight;
                }
                if i > 0 && increment(m.block, j) != 0 {
                    sum += weight;
                }
            }
        }
        sum
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        /// Every path is some number's, those that stop in a throwing block, too: so all places
        /// where someone looks are seen.
        #[test]
        fn the_register_is_the_number_wherever_someone_looks((numbering, freqs) in region()) {
            let increments = increments(&numbering, &freqs);
            for number in 0..numbering.total() {
                let path = numbering.path(number).unwrap();
                let increment = |&(b, i): &(_, _)| increments.of(b, i).unwrap();
                let register: i32 = path.hops.iter().map(increment).sum();
                prop_assert_eq!(register, number as i32, "{:?}", path.end);
            }
        }

        #[test]
        fn no_more_is_carried_than_by_plain_values((numbering, freqs) in region()) {
            let increments = increments(&numbering, &freqs);
            let with = carried(&numbering, &freqs, |b, i| increments.of(b, i).unwrap());
            let plain = carried(&numbering, &freqs, |b, i| numbering.value(b, i).unwrap() as i32);
            prop_assert!(with <= plain + 1e-9, "{} instead of {}", with, plain);
        }
    }

    /// `if (a) x(); if (b) y(); return` with every rare way first, so that the plain values lie on
    /// the hot ones.
    fn diamonds(throws: bool) -> (Numbering, Freqs) {
        let members =
            vec![member(0, false, &[1, 2]), member(1, throws, &[2]), member(2, false, &[8, 9])];
        let rare_first = vec![655, 64_880];
        (
            Numbering::new(members).unwrap(),
            [(BlockId(0), rare_first.clone()), (BlockId(2), rare_first)].into(),
        )
    }

    #[test]
    fn the_hot_way_carries_nothing() {
        let (numbering, freqs) = diamonds(false);
        let increments = increments(&numbering, &freqs);
        assert_eq!(numbering.value(BlockId(2), 1), Some(1), "the plain value lies on the hot edge");
        assert_eq!(increments.of(BlockId(2), 1), Some(0));
        assert_eq!(increments.of(BlockId(2), 0), Some(-1));
        assert_eq!(increments.of(BlockId(1), 0), Some(0));
    }

    /// Leaving a throwing block the register is exact, so its hot edge must carry what it needs.
    #[test]
    fn a_throwing_block_is_looked_at() {
        let (numbering, freqs) = diamonds(true);
        let increments = increments(&numbering, &freqs);
        let stop = (0..numbering.total())
            .find(|&n| matches!(numbering.path(n).unwrap().end, End::Stopped(_)))
            .unwrap();
        assert_eq!(increments.of(BlockId(0), 0), Some(stop as i32));
        assert_eq!(increments.of(BlockId(2), 1), Some(0));
        assert_eq!(
            increments.of(BlockId(1), 0),
            Some(2),
            "one for the stop, one more for the hot way behind it"
        );
    }

    #[test]
    fn what_fits_no_literal_is_left_plain() {
        let (numbering, freqs) = diamonds(true);
        let of = |b: BlockId| freqs.get(&b).map(Vec::as_slice);
        let tight = Increments::within(&numbering, of, 1);
        for m in numbering.members() {
            for i in 0..m.successors.len() {
                assert_eq!(tight.of(m.block, i), numbering.value(m.block, i).map(|v| v as i32));
            }
        }
        assert_ne!(tight, Increments::within(&numbering, of, 2));
    }
}
