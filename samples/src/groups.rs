//! Groups of passes that did the same.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::passes::{Pass, Stop};
use crate::read::CallId;

/// Passes that did much the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Number of passes.
    pub passes: u64,
    /// Their samples.
    pub samples: u64,
    /// From the first sample of a pass to its last, summed over all, in ns.
    pub ns: u64,
    /// The pass that has most in common with the others.
    pub typical: Pass,
    /// Of each stop of that pass: in how many passes it was seen in this order.
    pub support: Vec<u64>,
    /// All of them.
    pub members: Vec<Pass>,
}

/// Properties that passes of one group share, besides their callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// Stacks with their lines, in order: at most 30 % differ.
    Stacks,
    /// Chains of methods, each about as often: lines and the phase of the samples do not count.
    Calls,
    /// Nothing more.
    Callback,
}

/// Passes of one callback that are compared with one another; further ones are left out.
pub const MOST: usize = 200;
/// Groups are joined up to this distance: 1 minus the share in common.
const CUT: f64 = 0.3;
/// Stops of a pass that are compared; what follows is not.
const COMPARED: usize = 1000;

/// Groups the passes of each callback, the largest group first, by average linkage. Also returns
/// how many passes were left out.
pub fn groups(passes: &[Pass], grouping: Grouping) -> (Vec<Group>, usize) {
    let mut by_callback: HashMap<CallId, Vec<&Pass>> = HashMap::new();
    for pass in passes {
        by_callback.entry(pass.callback).or_default().push(pass);
    }
    let mut left_out = 0;
    let mut all = Vec::new();
    for mut passes in by_callback.into_values() {
        left_out += passes.len().saturating_sub(MOST);
        passes.truncate(MOST);
        all.extend(grouped(&passes, grouping));
    }
    let key = |g: &Group| (std::cmp::Reverse(g.samples), g.typical.ns.0, g.typical.thread);
    all.sort_by_key(key);
    (all, left_out)
}

/// Returns the distances of all pairs, in rows.
fn distances(passes: &[&Pass], grouping: Grouping) -> Vec<f64> {
    let n = passes.len();
    let mut far = vec![0.0; n * n];
    let counts: Vec<ChainCounts> = match grouping {
        Grouping::Calls => passes.iter().map(|p| ChainCounts::new(p)).collect(),
        Grouping::Stacks | Grouping::Callback => Vec::new(),
    };
    for i in 0..n {
        for j in i + 1..n {
            let d = match grouping {
                Grouping::Stacks => by_stacks(stops(passes[i]), stops(passes[j])),
                Grouping::Calls => counts[i].distance(&counts[j]),
                Grouping::Callback => 0.0,
            };
            (far[i * n + j], far[j * n + i]) = (d, d);
        }
    }
    far
}

fn grouped(passes: &[&Pass], grouping: Grouping) -> Vec<Group> {
    let n = passes.len();
    let far = distances(passes, grouping);
    let mut groups: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
    // Distances between groups, kept up to date (Lance and Williams).
    let mut between = far.clone();
    let mut active: Vec<usize> = (0..n).collect();
    while active.len() > 1 {
        let mut best = (CUT, usize::MAX, usize::MAX);
        for (x, &i) in active.iter().enumerate() {
            for &j in &active[x + 1..] {
                if between[i * n + j] < best.0 {
                    best = (between[i * n + j], i, j);
                }
            }
        }
        let (_, i, j) = best;
        if i == usize::MAX {
            break;
        }
        let (a, b) = (groups[i].len() as f64, groups[j].len() as f64);
        for &k in active.iter().filter(|&&k| k != i && k != j) {
            let d = (a * between[i * n + k] + b * between[j * n + k]) / (a + b);
            (between[i * n + k], between[k * n + i]) = (d, d);
        }
        let joined = std::mem::take(&mut groups[j]);
        groups[i].extend(joined);
        active.retain(|&k| k != j);
    }
    active
        .iter()
        .filter_map(|&i| {
            groups[i].sort_unstable();
            let members = &groups[i];
            let off = |&i: &usize| members.iter().map(|&j| far[i * n + j]).sum::<f64>();
            let typical = members.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b)))?;
            Some(group(passes, members, typical))
        })
        .collect()
}

fn group(passes: &[&Pass], members: &[usize], typical: usize) -> Group {
    let mut support = vec![0; passes[typical].stops.len()];
    for &j in members {
        let kept = common(stops(passes[typical]), stops(passes[j])).1;
        support.iter_mut().zip(kept).for_each(|(s, kept)| *s += u64::from(kept));
    }
    let sum = |f: &dyn Fn(&Pass) -> u64| members.iter().map(|&j| f(passes[j])).sum();
    Group {
        passes: members.len() as u64,
        samples: sum(&Pass::samples),
        ns: sum(&|p| p.ns.1.saturating_sub(p.ns.0)),
        typical: passes[typical].clone(),
        support,
        members: members.iter().map(|&j| passes[j].clone()).collect(),
    }
}

fn stops(pass: &Pass) -> &[Stop] {
    &pass.stops[..pass.stops.len().min(COMPARED)]
}

fn by_stacks(a: &[Stop], b: &[Stop]) -> f64 {
    let longest = a.len().max(b.len()).max(1);
    1.0 - common(a, b).0 as f64 / longest as f64
}

/// Length of the longest common subsequence of two passes, and which stops of the first are in it.
fn common(a: &[Stop], b: &[Stop]) -> (usize, Vec<bool>) {
    let width = b.len() + 1;
    let mut table = vec![0_u32; (a.len() + 1) * width];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let at = (i + 1) * width + j + 1;
            table[at] = match x.call == y.call {
                true => table[i * width + j] + 1,
                false => table[at - 1].max(table[at - width]),
            };
        }
    }
    let (mut i, mut j) = (a.len(), b.len());
    let mut kept = vec![false; a.len()];
    while i > 0 && j > 0 {
        let at = i * width + j;
        if a[i - 1].call == b[j - 1].call {
            (i, j) = (i - 1, j - 1);
            kept[i] = true;
        } else if table[at - 1] >= table[at - width] {
            j -= 1;
        } else {
            i -= 1;
        }
    }
    (table[a.len() * width + b.len()] as usize, kept)
}

/// Samples of a pass in each chain of methods.
struct ChainCounts {
    samples: u64,
    /// Samples, and runs of samples without another chain between.
    chains: BTreeMap<u32, (u64, u64)>,
}

impl ChainCounts {
    fn new(pass: &Pass) -> ChainCounts {
        let mut chains: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        let mut last = None;
        for stop in &pass.stops {
            let count = chains.entry(stop.chain).or_default();
            count.0 += stop.samples;
            count.1 += u64::from(last != Some(stop.chain));
            last = Some(stop.chain);
        }
        ChainCounts { samples: pass.samples(), chains }
    }

    /// Share of the samples that phase does not explain. A run of a method has one sample more or
    /// less, depending on the phase; so has a whole pass.
    fn distance(&self, other: &ChainCounts) -> f64 {
        let most = self.samples.max(other.samples).max(1) as f64;
        let keys =
            self.chains.keys().chain(other.chains.keys().filter(|k| !self.chains.contains_key(*k)));
        let count = |c: &ChainCounts, key| c.chains.get(key).copied().unwrap_or_default();
        let excess = |key| {
            let (a, b) = (count(self, key), count(other, key));
            a.0.abs_diff(b.0).saturating_sub(a.1.max(b.1))
        };
        let differ: u64 = keys.map(excess).sum();
        let longer = self.samples.abs_diff(other.samples).saturating_sub(1);
        differ.max(longer) as f64 / most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(calls: &[u32]) -> Pass {
        let stop = |&c: &u32| Stop { call: CallId(c), chain: c / 10, samples: 2, at: 0 };
        let stops = calls.iter().map(stop).collect();
        Pass { thread: 1, callback: CallId(1), ns: (0, 5), stops }
    }

    fn sizes(passes: &[Pass], grouping: Grouping) -> Vec<u64> {
        groups(passes, grouping).0.iter().map(|g| g.passes).collect()
    }

    #[test]
    fn passes_with_much_in_common_are_one_group_and_others_are_not() {
        let passes = [
            pass(&[1, 2, 3, 4, 5]),
            pass(&[1, 2, 3, 9, 5]),
            pass(&[1, 2, 3, 4, 5]),
            pass(&[7, 8, 7, 8, 7]),
        ];
        let (groups, left_out) = groups(&passes, Grouping::Stacks);
        let sizes: Vec<(u64, u64)> = groups.iter().map(|g| (g.passes, g.samples)).collect();
        assert_eq!((sizes, left_out), (vec![(3, 30), (1, 10)], 0));
        assert_eq!(groups[0].typical.stops, passes[0].stops);
        assert_eq!(groups[0].support, [3, 3, 3, 2, 3]);
    }

    /// Chains 1, 2, 2 and 3: passes of other phases see other lines, or one sample more of a
    /// method.
    #[test]
    fn passes_of_different_phases_are_one_group_of_calls() {
        let passes =
            [pass(&[10, 20, 22, 30]), pass(&[11, 21, 23, 31]), pass(&[12, 13, 24, 25, 32])];
        assert_eq!(sizes(&passes, Grouping::Stacks), [1, 1, 1]);
        assert_eq!(sizes(&passes, Grouping::Calls), [3]);
    }

    #[test]
    fn passes_that_call_something_else_or_run_longer_are_groups_of_their_own() {
        let passes = [pass(&[10, 20, 22, 24, 30]), pass(&[10, 40, 42, 44, 30])];
        assert_eq!(sizes(&passes, Grouping::Calls), [1, 1]);
        assert_eq!(sizes(&passes, Grouping::Callback), [2]);
        let longer = [pass(&[10, 20, 30]), pass(&[10, 20, 30, 11, 21, 31])];
        assert_eq!(sizes(&longer, Grouping::Calls), [1, 1]);
    }
}
