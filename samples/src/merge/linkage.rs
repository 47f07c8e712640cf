//! The published merge without its blow-up: which parts are merged next is decided by their
//! original members, in which order by [`super::shuffle`].

use std::cmp::Reverse;

use super::{Costs, shuffle, similarity};
use crate::{Level, Token};

/// The order in which the parts give the trace: numbers from 0. Two groups are as similar as their
/// most similar members (single linkage), because merged parts compared index by index compare
/// unlike times.
pub fn linked(level: Level, parts: &[Vec<Token>]) -> Vec<usize> {
    let costs = Costs::new(level, parts);
    let mut groups: Vec<Vec<usize>> = (0..parts.len()).map(|i| vec![i]).collect();
    each_pair(level, parts, &mut |a, b| {
        let other = std::mem::take(&mut groups[b]);
        groups[a] = shuffle(&costs, &groups[a], &other);
    });
    groups.into_iter().next().unwrap_or_default()
}

/// Merges groups, the most similar first, until one is left: `merge` receives two groups, of which
/// the first stays. The last one that stays is 0.
pub(super) fn each_pair(level: Level, parts: &[Vec<Token>], merge: &mut dyn FnMut(usize, usize)) {
    let n = parts.len();
    let mut pairs = Vec::with_capacity(n * n.saturating_sub(1) / 2);
    for (i, a) in (0_u32..).zip(parts) {
        for (j, b) in (0_u32..).zip(parts).skip(i as usize + 1) {
            let similar = similarity(level, a, b);
            pairs.push((Reverse(similar), a.len().abs_diff(b.len()) as u32, i, j));
        }
    }
    pairs.sort_unstable();
    let mut group: Vec<usize> = (0..n).collect();
    let mut left = n;
    for (_, _, i, j) in pairs {
        let (a, b) = (root(&mut group, i as usize), root(&mut group, j as usize));
        if a == b {
            continue;
        }
        let (stays, goes) = (a.min(b), a.max(b));
        merge(stays, goes);
        group[goes] = stays;
        left -= 1;
        if left == 1 {
            return;
        }
    }
}

fn root(group: &mut [usize], mut i: usize) -> usize {
    while group[i] != i {
        group[i] = group[group[i]];
        i = group[i];
    }
    i
}
