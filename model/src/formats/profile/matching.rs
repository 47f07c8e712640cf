//! Recognising branches of an earlier release.

use std::collections::{BTreeMap, BTreeSet};

use super::{Branch, BranchShape, MethodHistory, Profile};

/// Cells of the comparison table beyond which only unmistakable branches are matched.
const MAX_CELLS: usize = 4 << 20;

/// How many branches were recognised, and by what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MatchStats {
    /// Method of the same name and unchanged.
    pub exact: u64,
    /// Method of the same name but changed, branch with the same surroundings.
    pub by_fingerprint: u64,
    /// Method of another name with the same body, the only such one.
    pub moved: u64,
    /// No history.
    pub none: u64,
    /// Decisions that the model saw at recognised branches, each branch once.
    pub decisions: u64,
    /// Those of unchanged methods, of the same name or another one.
    pub exact_decisions: u64,
}

/// How the branches of a method were recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Exact,
    Fingerprint,
}

/// A method of the model: its key and its history.
type Known<'p> = (&'p str, &'p MethodHistory);

/// Looks up histories for the methods of a build.
#[derive(Debug, Clone)]
pub struct Matcher<'p> {
    profile: &'p Profile,
    /// Methods with branches by body; `None` when several have the same.
    bodies: BTreeMap<u64, Option<Known<'p>>>,
    stats: MatchStats,
    /// Branches whose decisions are counted: several methods may continue one of another name.
    counted: BTreeMap<&'p str, BTreeSet<usize>>,
}

impl<'p> Matcher<'p> {
    /// A matcher with empty statistics.
    pub fn new(profile: &'p Profile) -> Self {
        let mut bodies = BTreeMap::new();
        for (key, method) in profile.methods.iter().filter(|m| !m.1.branches.is_empty()) {
            let known = Some((key.as_str(), method));
            bodies.entry(method.shape).and_modify(|m| *m = None).or_insert(known);
        }
        Self { profile, bodies, stats: MatchStats::default(), counted: BTreeMap::new() }
    }

    /// The history of each branch of a method, given all its branches in the order of the map: one
    /// count per alternative, `None` for a branch that was not recognised. A method of the same
    /// name comes first: by position if its body has not changed, else by the longest sequence of
    /// branches that look the same; then a method of another name whose body is the same, if there
    /// is only one.
    pub fn match_method(
        &mut self,
        key: &str,
        shape: u64,
        branches: &[BranchShape],
    ) -> Vec<Option<Vec<u64>>> {
        self.match_branches(key, shape, branches)
            .into_iter()
            .map(|b| b.map(Branch::counts))
            .collect()
    }

    /// As [`Self::match_method`], with all that is known of each branch.
    pub fn match_branches(
        &mut self,
        key: &str,
        shape: u64,
        branches: &[BranchShape],
    ) -> Vec<Option<&'p Branch>> {
        match self.pair_method(key, shape, branches) {
            Some((old, pairs)) => {
                let old = &self.profile.methods[old].branches;
                pairs.into_iter().map(|i| i.map(|i| &old[i])).collect()
            }
            None => vec![None; branches.len()],
        }
    }

    /// As [`Self::match_method`]: the key of the model's method, and for each branch the position
    /// of the branch there that it continues. `None`: the model has no such method.
    pub fn pair_method(
        &mut self,
        key: &str,
        shape: u64,
        branches: &[BranchShape],
    ) -> Option<(&'p str, Vec<Option<usize>>)> {
        let named = self.profile.methods.get_key_value(key).map(|(k, m)| (k.as_str(), m));
        let moved = || self.bodies.get(&shape).copied().flatten();
        let found = match (named, moved()) {
            (Some((old, history)), _) => {
                let (pairs, how) = pair(history, shape, branches);
                let exact = how == How::Exact;
                let counter = match how {
                    How::Exact => &mut self.stats.exact,
                    How::Fingerprint => &mut self.stats.by_fingerprint,
                };
                Some((old, pairs, counter, exact))
            }
            (None, Some((old, history))) => match pair(history, shape, branches) {
                (pairs, How::Exact) => Some((old, pairs, &mut self.stats.moved, true)),
                // Another body after all: the hashes collided.
                _ => None,
            },
            (None, None) => None,
        };
        let Some((old, pairs, counter, exact)) = found else {
            self.stats.none += branches.len() as u64;
            return None;
        };
        let known = pairs.iter().flatten().count() as u64;
        *counter += known;
        self.stats.none += pairs.len() as u64 - known;
        let counted = self.counted.entry(old).or_default();
        let history = &self.profile.methods[old].branches;
        for &at in pairs.iter().flatten().filter(|&&at| counted.insert(at)) {
            let n = history[at].decisions();
            self.stats.decisions = self.stats.decisions.saturating_add(n);
            if exact {
                self.stats.exact_decisions = self.stats.exact_decisions.saturating_add(n);
            }
        }
        Some((old, pairs))
    }

    /// What was recognised so far.
    pub fn stats(&self) -> MatchStats {
        self.stats
    }
}

/// For each branch the index of the old branch that it continues.
pub(super) fn pair(
    old: &MethodHistory,
    shape: u64,
    branches: &[BranchShape],
) -> (Vec<Option<usize>>, How) {
    let old_shapes: Vec<BranchShape> = old.branches.iter().map(|b| b.shape).collect();
    let fits = |(a, b): (&BranchShape, &BranchShape)| a.alternatives == b.alternatives;
    if old.shape == shape
        && old_shapes.len() == branches.len()
        && old_shapes.iter().zip(branches).all(fits)
    {
        return ((0..branches.len()).map(Some).collect(), How::Exact);
    }
    (common(&old_shapes, branches), How::Fingerprint)
}

/// The longest common subsequence: for each of `new` its partner in `old`.
fn common(old: &[BranchShape], new: &[BranchShape]) -> Vec<Option<usize>> {
    let mut partner = vec![None; new.len()];
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let back = old[front..]
        .iter()
        .rev()
        .zip(new[front..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    partner.iter_mut().take(front).enumerate().for_each(|(i, p)| *p = Some(i));
    for i in 0..back {
        partner[new.len() - 1 - i] = Some(old.len() - 1 - i);
    }
    let (a, b) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    let pairs = if a.len().saturating_mul(b.len()) <= MAX_CELLS {
        longest(a, b)
    } else {
        unmistakable(a, b)
    };
    for (i, j) in pairs {
        partner[front + j] = Some(front + i);
    }
    partner
}

fn longest(a: &[BranchShape], b: &[BranchShape]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut length = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            length[i * width + j] = if a[i] == b[j] {
                length[(i + 1) * width + j + 1] + 1
            } else {
                length[(i + 1) * width + j].max(length[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, vec![]);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// For methods with thousands of branches: those that occur once on either side, as long as they
/// keep their order.
fn unmistakable(a: &[BranchShape], b: &[BranchShape]) -> Vec<(usize, usize)> {
    let once = |shapes: &[BranchShape]| {
        let mut found: BTreeMap<(u64, u32), Option<usize>> = BTreeMap::new();
        for (i, s) in shapes.iter().enumerate() {
            found
                .entry((s.fingerprint, s.alternatives))
                .and_modify(|i| *i = None)
                .or_insert(Some(i));
        }
        found
    };
    let (a, b) = (once(a), once(b));
    let mut pairs: Vec<(usize, usize)> =
        a.iter().filter_map(|(shape, i)| Some(((*i)?, (*b.get(shape)?)?))).collect();
    pairs.sort_unstable();
    let mut last = None;
    pairs.retain(|(_, j)| {
        let forward = last.is_none_or(|l| *j > l);
        if forward {
            last = Some(*j);
        }
        forward
    });
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(text: &str) -> Vec<BranchShape> {
        text.bytes().map(|b| BranchShape { fingerprint: b.into(), alternatives: 2 }).collect()
    }

    fn partners(old: &str, new: &str) -> String {
        let show = |p: Option<usize>| p.map_or('-', |i| char::from(old.as_bytes()[i]));
        common(&shapes(old), &shapes(new)).into_iter().map(show).collect()
    }

    #[test]
    fn inserted_removed_and_changed_branches_leave_the_others_matched() {
        assert_eq!(partners("abcdef", "abXcdef"), "ab-cdef");
        assert_eq!(partners("abcdef", "abdef"), "abdef");
        assert_eq!(partners("abcdef", "aXcYef"), "a-c-ef");
        assert_eq!(partners("abcde", "Xdcab"), "---ab");
        assert_eq!(partners("", "ab"), "--");
        assert_eq!(partners("aaaa", "aaa"), "aaa");
    }

    #[test]
    fn unmistakable_branches_match_in_order_only() {
        assert_eq!(unmistakable(&shapes("abbcd"), &shapes("dabc")), [(0, 1), (3, 3)]);
    }

    #[test]
    fn another_number_of_alternatives_is_another_branch() {
        let three = BranchShape { fingerprint: b'a'.into(), alternatives: 3 };
        assert_eq!(common(&shapes("a"), &[three]), [None]);
    }
}
