//! Choice of a region's edges that increment the register: the chords of a maximum spanning tree,
//! so that the hottest edges need no code.
//!
//! Any increments are right that give the same sums wherever the register is read. It is read on
//! every edge that leaves a region, and in every block inside that may throw; between these it may
//! hold any value. So the region becomes a graph with one vertex for the head and all program
//! points where the register is read (where it must be exact). The edges of a spanning tree of that
//! graph add nothing, which defines an offset of the register for every block; the other edges, the
//! chords, add their value plus the difference of the offsets of their ends. A tree of maximum
//! expected frequency minimises the frequency of the chords, and never exceeds that of the plain
//! values: the edges with value 0 form such a tree as well.
//!
//! Sources: D. E. Knuth and F. R. Stevenson, "Optimal measurement points for program frequency
//! counts" (1973), for counting on the complement of a spanning tree; T. Ball, "Efficiently
//! counting program events with support for on-line queries" (1994), for the increments of chords;
//! T. Ball and J. R. Larus, "Efficient path profiling" (1996), §3.2, for both on path numbers.
//!
//! The decoder does not depend on this: map and streams contain the plain values
//! (`docs/PROTOCOL.md` §4).

use model::map::BlockId;
use model::region::Numbering;

/// Largest literal of `add-int/lit8`: if an edge needed a larger one, all edges carry the plain
/// values. (Edges from the head set the register with a constant.)
const LITERAL: i32 = i8::MAX as i32;
/// Frequency of the head. Six decisions of the smallest probability still leave a positive
/// frequency; edges after more of them count as equally rare.
const ONE: u128 = 1 << 100;

/// Increments of a region's edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Increments {
    /// Blocks with the increments of their edges, in symbol order; the head first.
    edges: Vec<(BlockId, Vec<i32>)>,
}

/// An edge that may join the spanning tree.
struct TreeEdge {
    weight: u128,
    /// Members at its ends; 0 is the vertex where the register is exact.
    from: usize,
    to: usize,
    value: i32,
}

impl Increments {
    /// Computes increments for a region. `freqs` returns a branch block's frequencies, in symbol
    /// order.
    pub(crate) fn new<'f>(
        numbering: &Numbering,
        freqs: impl Fn(BlockId) -> Option<&'f [u16]>,
    ) -> Increments {
        Increments::within(numbering, freqs, LITERAL)
    }

    /// Computes increments as [`Increments::new`] does; falls back to the plain values if an
    /// increment (not on the head's edges) would exceed the limit.
    fn within<'f>(
        numbering: &Numbering,
        freqs: impl Fn(BlockId) -> Option<&'f [u16]>,
        limit: i32,
    ) -> Increments {
        let mut edges = edges(numbering, freqs);
        // The sort is stable: among equal edges the first wins.
        edges.sort_by_key(|e| std::cmp::Reverse(e.weight));
        let mut trees = Trees::new(numbering.members().len());
        for e in &edges {
            trees.join(e.from, e.to, e.value);
        }
        let increments = plain(numbering, |from, to| trees.excess(to) - trees.excess(from));
        let fits = increments.edges[1..].iter().flat_map(|(_, of)| of).all(|i| i.abs() <= limit);
        if fits { increments } else { plain(numbering, |_, _| 0) }
    }

    /// Returns the increment of the edge from `block` to its successor number `alternative`; for
    /// the head's edges, the initial value.
    pub(crate) fn of(&self, block: BlockId, alternative: usize) -> Option<i32> {
        self.edges.iter().find(|e| e.0 == block)?.1.get(alternative).copied()
    }
}

/// Returns the plain values, changed by `change` for an edge between two members (0: the head, or
/// outside).
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

/// Returns the number of a block among the members inside the region; 0 for the head and all blocks
/// outside.
fn place(numbering: &Numbering, block: BlockId) -> usize {
    numbering.members().iter().position(|m| m.block == block).unwrap_or(0)
}

/// Returns all edges but the head's, which carry a constant in any case.
fn edges<'f>(numbering: &Numbering, freqs: impl Fn(BlockId) -> Option<&'f [u16]>) -> Vec<TreeEdge> {
    let members = numbering.members();
    // The register is read in a member that may throw: there it must be as exact as outside.
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
                edges.push(TreeEdge { weight, from: vertex(from), to: vertex(to), value });
            }
        }
    }
    edges
}

/// Trees of members; within each, the excess of the register over the plain sum is known relative
/// to the root's.
struct Trees {
    /// Root of each member, and the root's excess minus the member's.
    above: Vec<(usize, i32)>,
}

impl Trees {
    fn new(members: usize) -> Trees {
        Trees { above: (0..members).map(|i| (i, 0)).collect() }
    }

    /// Adds the edge to the forest if it joins two trees. The edge then carries nothing, so its end
    /// lacks its value.
    fn join(&mut self, from: usize, to: usize, value: i32) {
        let ((a, up_a), (b, up_b)) = (self.above[from], self.above[to]);
        if a == b {
            return;
        }
        // excess(to) = excess(from) − value, where excess(x) = excess(root of x) − up(x). The exact
        // vertex, 0, stays a root.
        let b_over_a = up_b - up_a - value;
        let (gone, root, up) = if b == 0 { (a, b, b_over_a) } else { (b, a, -b_over_a) };
        for above in self.above.iter_mut().filter(|above| above.0 == gone) {
            *above = (root, above.1 + up);
        }
    }

    /// Returns the excess of the register over the plain sum in a member. All trees have become one
    /// with the exact vertex as root: every member leads on until the region is left.
    fn excess(&self, member: usize) -> i32 {
        -self.above[member].1
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use model::region::{Member, PathEnd};
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

    /// Generates any region: blocks 0, 1, … lead forward, to the head or out (1,000 and up), along
    /// edges with any counts. Few of them have too many paths.
    fn region() -> impl Strategy<Value = (Numbering, Freqs)> {
        let way = (0u32..6, prop_oneof![Just(0u64), 0u64..1_000_000]);
        let block = (any::<bool>(), proptest::collection::vec(way, 1..4));
        proptest::collection::vec(block, 2..14).prop_filter_map("no region", |blocks| {
            let n = blocks.len() as u32;
            let mut members = Vec::new();
            let mut freqs = Freqs::new();
            for (i, (throws, ways)) in (0u32..).zip(blocks) {
                // The nearest block ahead comes first, so that each can be reached.
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
            // Takes the longest prefix of members that has few enough paths.
            (2..=members.len())
                .rev()
                .find_map(|k| Numbering::new(members[..k].to_vec()).ok())
                .map(|n| (n, freqs))
        })
    }

    /// Returns the expected frequency of edges that carry an increment, relative to the head's
    /// frequency. Edges of the head always carry one.
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

        /// Every path has a number, including those that stop in a throwing block: so all reads of
        /// the register are tested.
        #[test]
        fn the_register_is_the_number_wherever_it_is_read((numbering, freqs) in region()) {
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

    /// `if (a) x(); if (b) y(); return` with every rare edge first, so that the plain values are on
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
    fn the_hot_path_carries_nothing() {
        let (numbering, freqs) = diamonds(false);
        let increments = increments(&numbering, &freqs);
        assert_eq!(numbering.value(BlockId(2), 1), Some(1), "the plain value is on the hot edge");
        assert_eq!(increments.of(BlockId(2), 1), Some(0));
        assert_eq!(increments.of(BlockId(2), 0), Some(-1));
        assert_eq!(increments.of(BlockId(1), 0), Some(0));
    }

    /// The register is exact in a throwing block, so its hot out-edge must carry its increment.
    #[test]
    fn the_register_is_exact_in_a_throwing_block() {
        let (numbering, freqs) = diamonds(true);
        let increments = increments(&numbering, &freqs);
        let stop = (0..numbering.total())
            .find(|&n| matches!(numbering.path(n).unwrap().end, PathEnd::Stopped(_)))
            .unwrap();
        assert_eq!(increments.of(BlockId(0), 0), Some(stop as i32));
        assert_eq!(increments.of(BlockId(2), 1), Some(0));
        assert_eq!(
            increments.of(BlockId(1), 0),
            Some(2),
            "one for the stop, one more for the hot edge after it"
        );
    }

    #[test]
    fn an_increment_beyond_a_literal_leaves_the_values_plain() {
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
