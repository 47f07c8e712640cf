//! Weights by context, and the fold of rare contexts into their callers.

use std::collections::BTreeMap;

use crate::contexts::{ContextId, Contexts, ROOT};

/// Weights by context, ascending, each context once.
pub type Pairs = Vec<(u32, u64)>;

/// Weights of a node.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Contexts whose own weight is kept.
    pub own: Pairs,
    /// Rest of the weight of a context's subtree.
    pub other: Pairs,
}

/// Sorts, and adds up the weights of equal keys. The sum of all weights fits 64 bits.
///
/// Most pairs come in ascending runs, which a stable sort merges.
pub fn sum<K: Ord + Copy>(pairs: &mut Vec<(K, u64)>) {
    pairs.sort_by_key(|p| p.0);
    pairs.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}

/// Keeps the heaviest contexts that make up `keep` / 10,000 of the weight. The weight of the others
/// goes to the rest of their callers, until the rest is at least as heavy as the lightest context
/// kept.
pub fn fold(mut pairs: Pairs, contexts: &Contexts, keep: u32) -> Histogram {
    if keep >= 10_000 {
        return Histogram { own: pairs, other: Vec::new() };
    }
    let total: u128 = pairs.iter().map(|p| u128::from(p.1)).sum();
    pairs.sort_unstable_by_key(|&(id, weight)| (std::cmp::Reverse(weight), id));
    let (mut kept, mut at, mut lightest) = (0u128, 0, 0);
    while kept * 10_000 < total * u128::from(keep) {
        lightest = pairs[at].1;
        kept += u128::from(lightest);
        at += 1;
    }
    let mut rest: BTreeMap<u32, u64> = pairs.split_off(at).into_iter().collect();
    let mut other = Vec::new();
    // Callers have lower numbers, so each rest is complete when it is taken.
    while let Some((id, weight)) = rest.pop_last() {
        match contexts.get(ContextId(id)) {
            Some(row) if weight < lightest => *rest.entry(row.parent.0).or_default() += weight,
            _ if weight > 0 => other.push((id, weight)),
            _ => {}
        }
    }
    debug_assert!(other.iter().all(|o| o.1 >= lightest || o.0 == ROOT.0));
    other.reverse();
    pairs.sort_unstable_by_key(|p| p.0);
    Histogram { own: pairs, other }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_goes_to_the_first_caller_that_is_heavy_enough() {
        // 1 calls 2 and 3; 3 calls 4 and 5.
        let mut table = Contexts::default();
        let a = table.enter(ROOT, 1);
        table.enter(a, 2);
        let c = table.enter(a, 3);
        table.enter(c, 4);
        table.enter(c, 5);
        let pairs = vec![(1, 50), (2, 5), (3, 10), (4, 6), (5, 7)];
        // 60 of 78 parts: 1 and 3 are kept; 4 and 5 together reach the 10 of context 3, 2 does not.
        let folded = fold(pairs.clone(), &table, 7_600);
        assert_eq!(folded.own, [(1, 50), (3, 10)]);
        assert_eq!(folded.other, [(0, 5), (3, 13)]);
        assert_eq!(fold(pairs.clone(), &table, 10_000).own, pairs);
    }

    #[test]
    fn sums_are_by_context() {
        let mut pairs = vec![(3, 1), (1, 2), (3, 4), (3, 8)];
        sum(&mut pairs);
        assert_eq!(pairs, [(1, 2), (3, 13)]);
    }
}
