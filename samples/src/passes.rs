//! Passes of callbacks in samples, grouped by what they did.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::places::MethodResolver;
use crate::read::{CallId, NO_CALL, Samples};

/// A stack of the app's frames, seen several times in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The innermost frame of the app.
    pub call: CallId,
    /// Samples in a row.
    pub samples: u64,
    /// Time of the first of them, in ns since its pass began.
    pub at: u64,
}

/// A run of a top-level callback, as far as it was sampled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// System's id of the thread.
    pub thread: u32,
    /// The outermost frame of the app.
    pub callback: CallId,
    /// First and last sample, in ns.
    pub ns: (u64, u64),
    /// Samples of the pass, in order.
    pub stops: Vec<Stop>,
}

impl Pass {
    /// Samples of the pass.
    pub fn samples(&self) -> u64 {
        self.stops.iter().map(|s| s.samples).sum()
    }
}

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

/// Passes of one callback that are compared with one another; further ones are left out.
pub const MOST: usize = 200;
/// Groups are joined up to this distance: 1 minus the share in common.
const CUT: f64 = 0.3;

/// The passes of all threads, by time. A pass ends where the outermost frame of the app changes,
/// and where a sample has none of the app's frames. Two runs of one callback without such a sample
/// between them look like one.
pub fn passes(samples: &Samples, places: &MethodResolver<'_>) -> Vec<Pass> {
    let is_app: Vec<bool> = samples.names.iter().map(|n| places.is_app(n)).collect();
    // Per stack: the innermost and the outermost frame of the app. Callers come first.
    let mut app: Vec<(CallId, CallId)> = vec![(NO_CALL, NO_CALL)];
    for (caller, call, name) in samples.tree() {
        let (inner, outer) = app[caller.0 as usize];
        app.push(match is_app[name as usize] {
            true => (call, if outer == NO_CALL { call } else { outer }),
            false => (inner, outer),
        });
    }
    let mut open: BTreeMap<u32, Pass> = BTreeMap::new();
    let mut all = Vec::new();
    for seen in samples.seen.by_time() {
        let (call, callback) = app[seen.call.0 as usize];
        if let Some(pass) = open.get_mut(&seen.thread) {
            if pass.callback == callback && call != NO_CALL {
                pass.ns.1 = seen.ns;
                match pass.stops.last_mut() {
                    Some(last) if last.call == call => last.samples += seen.times,
                    _ => {
                        let at = seen.ns - pass.ns.0;
                        pass.stops.push(Stop { call, samples: seen.times, at });
                    }
                }
                continue;
            }
            all.extend(open.remove(&seen.thread));
        }
        if call != NO_CALL {
            let stops = vec![Stop { call, samples: seen.times, at: 0 }];
            let ns = (seen.ns, seen.ns);
            open.insert(seen.thread, Pass { thread: seen.thread, callback, ns, stops });
        }
    }
    all.extend(open.into_values());
    all.sort_by_key(|p| (p.ns.0, p.thread));
    all
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

/// Stops of a pass that are compared; what follows is not.
const COMPARED: usize = 1000;

fn stops(pass: &Pass) -> &[Stop] {
    &pass.stops[..pass.stops.len().min(COMPARED)]
}

/// Groups the passes of each callback, the largest group first: average linkage on what passes have
/// in common. Also returns how many passes were left out.
pub fn groups(passes: &[Pass]) -> (Vec<Group>, usize) {
    let mut by_callback: HashMap<CallId, Vec<&Pass>> = HashMap::new();
    for pass in passes {
        by_callback.entry(pass.callback).or_default().push(pass);
    }
    let mut left_out = 0;
    let mut all = Vec::new();
    for mut passes in by_callback.into_values() {
        left_out += passes.len().saturating_sub(MOST);
        passes.truncate(MOST);
        all.extend(grouped(&passes));
    }
    let key = |g: &Group| (std::cmp::Reverse(g.samples), g.typical.ns.0, g.typical.thread);
    all.sort_by_key(key);
    (all, left_out)
}

fn grouped(passes: &[&Pass]) -> Vec<Group> {
    let n = passes.len();
    let mut far = vec![0.0; n * n];
    for i in 0..n {
        for j in i + 1..n {
            let (a, b) = (stops(passes[i]), stops(passes[j]));
            let longest = a.len().max(b.len()).max(1);
            let d = 1.0 - common(a, b).0 as f64 / longest as f64;
            (far[i * n + j], far[j * n + i]) = (d, d);
        }
    }
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
    let group = |members: &Vec<usize>| {
        let off = |&i: &usize| members.iter().map(|&j| far[i * n + j]).sum::<f64>();
        let typical = members.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b)))?;
        let mut support = vec![0; passes[typical].stops.len()];
        for &j in members {
            let kept = common(stops(passes[typical]), stops(passes[j])).1;
            support.iter_mut().zip(kept).for_each(|(s, kept)| *s += u64::from(kept));
        }
        let of = |f: &dyn Fn(&Pass) -> u64| members.iter().map(|&j| f(passes[j])).sum();
        Some(Group {
            passes: members.len() as u64,
            samples: of(&Pass::samples),
            ns: of(&|p| p.ns.1 - p.ns.0),
            typical: passes[typical].clone(),
            support,
            members: members.iter().map(|&j| passes[j].clone()).collect(),
        })
    };
    active.iter().filter_map(|&i| group(&groups[i])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(calls: &[u32]) -> Pass {
        let stops = calls.iter().map(|&c| Stop { call: CallId(c), samples: 2, at: 0 }).collect();
        Pass { thread: 1, callback: CallId(1), ns: (0, 5), stops }
    }

    #[test]
    fn passes_with_much_in_common_are_one_group_and_others_are_not() {
        let passes = [
            pass(&[1, 2, 3, 4, 5]),
            pass(&[1, 2, 3, 9, 5]),
            pass(&[1, 2, 3, 4, 5]),
            pass(&[7, 8, 7, 8, 7]),
        ];
        let (groups, left_out) = groups(&passes);
        let sizes: Vec<(u64, u64)> = groups.iter().map(|g| (g.passes, g.samples)).collect();
        assert_eq!((sizes, left_out), (vec![(3, 30), (1, 10)], 0));
        assert_eq!(groups[0].typical.stops, passes[0].stops);
        assert_eq!(groups[0].support, [3, 3, 3, 2, 3]);
    }
}
