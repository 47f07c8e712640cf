//! Recognising branches of an earlier release.

use std::collections::{BTreeMap, BTreeSet};

use super::renamed::Renamed;
use super::{Branch, BranchShape, Grade, MethodHistory, Profile};

/// Cells of the comparison table beyond which only unmistakable branches are matched.
const MAX_CELLS: usize = 4 << 20;

/// Number of branches that were recognised, by kind of evidence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MatchStats {
    /// Method of the same name and unchanged.
    pub exact: u64,
    /// Method of the same name but changed, branch with the same surroundings.
    pub by_fingerprint: u64,
    /// Branch that only resembles the one in the model ([`Grade`]): its history counts less.
    pub similar: u64,
    /// Method of another name with the same body, the only such one.
    pub moved: u64,
    /// No history.
    pub none: u64,
    /// Decisions that the model saw at recognised branches, each branch once.
    pub decisions: u64,
    /// Those of unchanged methods, of the same name or another one.
    pub exact_decisions: u64,
}

/// Evidence by which a method's branches were recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recognition {
    Exact,
    Fingerprint,
    /// The body of a method of another name.
    Moved,
}

/// A branch of the model.
#[derive(Debug, Clone, Copy)]
struct OldBranch<'p> {
    /// Key of its method.
    old: &'p str,
    /// Its position there.
    at: usize,
    grade: Grade,
}

/// A method of the model that a method continues.
struct Matched<'p> {
    old: &'p str,
    pairs: Pairs,
    how: Recognition,
}

/// The history of a branch, and how far it is trusted.
#[derive(Debug, Clone, Copy)]
pub struct BranchHistory<'p> {
    branch: &'p Branch,
    grade: Grade,
    /// True if its probabilities are left out of the build.
    is_left_out: bool,
}

impl BranchHistory<'_> {
    /// The same history, from which no probabilities are derived.
    #[must_use]
    pub fn left_out(self) -> Self {
        Self { is_left_out: true, ..self }
    }

    /// Returns the count of each alternative, however little the match is trusted.
    pub fn counts(&self) -> Vec<u64> {
        self.branch.counts()
    }

    /// The counts that probabilities are derived from: those of a branch that only resembles this
    /// one are scaled down to what such a resemblance is worth.
    pub fn trusted(&self) -> Vec<u64> {
        capped(self.branch.counts(), self.cap())
    }

    /// The history of iteration counts, as [`Self::trusted`].
    pub fn trips(&self) -> Vec<u64> {
        capped(self.branch.trips(), self.cap())
    }

    fn cap(&self) -> Option<u32> {
        if self.is_left_out { Some(0) } else { self.grade.cap() }
    }
}

/// Counts with at most this sum, about; shares stay what they are as far as whole numbers can.
pub(super) fn capped(mut counts: Vec<u64>, cap: Option<u32>) -> Vec<u64> {
    let sum: u128 = counts.iter().map(|&n| u128::from(n)).sum();
    if let Some(cap) = cap.map(u128::from).filter(|&cap| sum > cap) {
        for n in &mut counts {
            *n = ((2 * u128::from(*n) * cap + sum) / (2 * sum)) as u64;
        }
    }
    counts
}

/// Pairs of branches: for each new one the position of the old one, and how alike they are.
pub(super) type Pairs = Vec<Option<(usize, Grade)>>;

/// A method of the model: its key and its history.
type Body<'p> = (&'p str, &'p MethodHistory);

/// Looks up histories for the methods of a build.
#[derive(Debug, Clone)]
pub struct Matcher<'p> {
    profile: &'p Profile,
    /// Methods with branches by body; `None` when several have the same.
    bodies: BTreeMap<u64, Option<Body<'p>>>,
    stats: MatchStats,
    /// Branches whose decisions are counted: several methods may continue one of another name.
    counted: BTreeMap<&'p str, BTreeSet<usize>>,
    /// Methods of the model whose name was looked up.
    named: BTreeSet<&'p str>,
    /// Methods that the build has no more.
    renamed: Renamed<'p>,
}

/// History that no branch of the build continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost<'p> {
    /// Key of its method.
    pub method: &'p str,
    /// Position of the branch in the method.
    pub branch: usize,
    /// Decisions that the model saw there.
    pub decisions: u64,
    /// The reason.
    pub why: Why,
}

/// Reasons why no branch continues one of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// No method of the build has its method's name or body.
    NoMethod,
    /// No branch of the method is like it.
    NoBranch,
}

impl<'p> Matcher<'p> {
    /// A matcher with empty statistics.
    pub fn new(profile: &'p Profile) -> Self {
        let mut bodies = BTreeMap::new();
        for (key, method) in profile.methods.iter().filter(|m| !m.1.branches.is_empty()) {
            let known = Some((key.as_str(), method));
            bodies.entry(method.shape).and_modify(|m| *m = None).or_insert(known);
        }
        Self {
            profile,
            bodies,
            stats: MatchStats::default(),
            counted: BTreeMap::new(),
            named: BTreeSet::new(),
            renamed: Renamed::default(),
        }
    }

    /// A matcher that knows which methods the build has, by their keys: so it can recognise others
    /// that were renamed.
    pub fn of_build(profile: &'p Profile, is_there: &dyn Fn(&str) -> bool) -> Self {
        Self { renamed: Renamed::new(profile, is_there), ..Self::new(profile) }
    }

    /// The history of each branch of a method, given all its branches in the order of the map;
    /// `None` for a branch that was not recognised. A method of the same name comes first: by
    /// position if its body has not changed, else by the alignment of its branches that has most in
    /// common ([`Grade`]); then a method of another name whose body is the same, if there is only
    /// one; then a method that the build has no more, of the same name with other parameters or
    /// with most of its branches. `inlined`: which branches come from an inlined call of which
    /// method (positions, ascending). If the method changed, such a branch may continue one of that
    /// method.
    pub fn match_branches(
        &mut self,
        key: &str,
        shape: u64,
        branches: &[BranchShape],
        inlined: &[(&str, &[u32])],
    ) -> Vec<Option<BranchHistory<'p>>> {
        let own = self.find(key, shape, branches, true);
        self.named.extend(own.iter().map(|found| found.old));
        let how = own.as_ref().map_or(Recognition::Fingerprint, |found| found.how);
        let mut all: Vec<Option<OldBranch<'p>>> = match own {
            Some(Matched { old, pairs, .. }) => pairs
                .into_iter()
                .map(|p| p.map(|(at, grade)| OldBranch { old, at, grade }))
                .collect(),
            None => vec![None; branches.len()],
        };
        if how == Recognition::Fingerprint {
            for (callee, positions) in inlined {
                self.match_inlined(callee, branches, positions, &mut all);
            }
        }
        self.count(how, &all);
        let found = |k: OldBranch<'p>| BranchHistory {
            branch: &self.profile.methods[k.old].branches[k.at],
            grade: k.grade,
            is_left_out: false,
        };
        all.into_iter().map(|known| known.map(found)).collect()
    }

    /// Gives branches of an inlined call what the model knows of the callee, where that is more
    /// alike than what was found before.
    fn match_inlined(
        &self,
        callee: &str,
        branches: &[BranchShape],
        positions: &[u32],
        all: &mut [Option<OldBranch<'p>>],
    ) {
        let Some((old, history)) = self.profile.methods.get_key_value(callee) else { return };
        let shapes = |of: &[Branch]| of.iter().map(|b| b.shape).collect::<Vec<BranchShape>>();
        let here = positions.iter().filter_map(|&i| branches.get(i as usize).copied());
        let here: Vec<BranchShape> = here.collect();
        let pairs = common(&shapes(&history.branches), &here, Grade::Instruction);
        for (&position, pair) in positions.iter().zip(pairs) {
            let (Some(known), Some((at, grade))) = (all.get_mut(position as usize), pair) else {
                continue;
            };
            if known.is_none_or(|known| known.grade <= grade) {
                *known = Some(OldBranch { old, at, grade });
            }
        }
    }

    /// As [`Self::match_branches`], of branches that look the same only: the key of the model's
    /// method, and for each branch the position of the branch there that it continues. `None`: the
    /// model has no such method.
    pub fn pair_method(
        &self,
        key: &str,
        shape: u64,
        branches: &[BranchShape],
    ) -> Option<(&'p str, Vec<Option<usize>>)> {
        let Matched { old, pairs, .. } = self.find(key, shape, branches, false)?;
        Some((old, pairs.into_iter().map(|p| p.map(|(i, _)| i)).collect()))
    }

    fn find(
        &self,
        key: &str,
        shape: u64,
        branches: &[BranchShape],
        similar: bool,
    ) -> Option<Matched<'p>> {
        if let Some((old, history)) = self.profile.methods.get_key_value(key) {
            let (pairs, how) = pair(history, shape, branches, similar);
            return Some(Matched { old, pairs, how });
        }
        if let Some((old, history)) = self.bodies.get(&shape).copied().flatten()
            && let (pairs, Recognition::Exact) = pair(history, shape, branches, similar)
        {
            // Another one would be another body: the hashes collide.
            return Some(Matched { old, pairs, how: Recognition::Moved });
        }
        let old = self.renamed.find(key, branches)?;
        let (pairs, how) = pair(&self.profile.methods[old], shape, branches, similar);
        Some(Matched { old, pairs, how })
    }

    /// Counts what was found of a method.
    fn count(&mut self, how: Recognition, all: &[Option<OldBranch<'p>>]) {
        let stats = &mut self.stats;
        let known = all.iter().flatten().count() as u64;
        let same = all.iter().flatten().filter(|k| k.grade == Grade::Same).count() as u64;
        *match how {
            Recognition::Exact => &mut stats.exact,
            Recognition::Fingerprint => &mut stats.by_fingerprint,
            Recognition::Moved => &mut stats.moved,
        } += same;
        stats.similar += known - same;
        stats.none += all.len() as u64 - known;
        for k in all.iter().flatten() {
            if !self.counted.entry(k.old).or_default().insert(k.at) {
                continue;
            }
            let n = self.profile.methods[k.old].branches[k.at].decisions();
            stats.decisions = stats.decisions.saturating_add(n);
            if how != Recognition::Fingerprint {
                stats.exact_decisions = stats.exact_decisions.saturating_add(n);
            }
        }
    }

    /// The history that mattered most and that nothing continues, once all methods have been looked
    /// up; at most so much, the most decisions first. Methods that are `left` alone do not count.
    pub fn lost(&self, left: &dyn Fn(&str) -> bool, most: usize) -> Vec<Lost<'p>> {
        let mut all: Vec<Lost<'p>> = Vec::new();
        for (method, history) in self.profile.methods.iter().filter(|m| !left(m.0)) {
            let found = self.counted.get(method.as_str());
            let why = match self.named.contains(method.as_str()) {
                true => Why::NoBranch,
                false => Why::NoMethod,
            };
            for (branch, b) in history.branches.iter().enumerate() {
                let decisions = b.decisions();
                if decisions > 0 && found.is_none_or(|found| !found.contains(&branch)) {
                    all.push(Lost { method, branch, decisions, why });
                }
            }
        }
        all.sort_by_key(|lost| std::cmp::Reverse(lost.decisions));
        all.truncate(most);
        all
    }

    /// Returns the statistics of recognised branches so far.
    pub fn stats(&self) -> MatchStats {
        self.stats
    }
}

/// For each branch the old branch that it continues; `similar`: also one that only resembles it.
pub(super) fn pair(
    old: &MethodHistory,
    shape: u64,
    branches: &[BranchShape],
    similar: bool,
) -> (Pairs, Recognition) {
    let old_shapes: Vec<BranchShape> = old.branches.iter().map(|b| b.shape).collect();
    let fits = |(a, b): (&BranchShape, &BranchShape)| a.alternatives == b.alternatives;
    if old.shape == shape
        && old_shapes.len() == branches.len()
        && old_shapes.iter().zip(branches).all(fits)
    {
        return ((0..branches.len()).map(|i| Some((i, Grade::Same))).collect(), Recognition::Exact);
    }
    let least = if similar { Grade::Instruction } else { Grade::Same };
    (common(&old_shapes, branches, least), Recognition::Fingerprint)
}

/// Returns the grade of the resemblance of two branches, if it is at least `least`.
fn alike(a: &BranchShape, b: &BranchShape, least: Grade) -> Option<Grade> {
    let grade = Grade::of(a.fingerprint, b.fingerprint)?;
    (a.alternatives == b.alternatives && grade >= least).then_some(grade)
}

/// The alignment with most in common: for each of `new` its partner in `old`.
fn common(old: &[BranchShape], new: &[BranchShape], least: Grade) -> Pairs {
    let mut partner = vec![None; new.len()];
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let back = old[front..]
        .iter()
        .rev()
        .zip(new[front..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    for (i, p) in partner.iter_mut().take(front).enumerate() {
        *p = Some((i, Grade::Same));
    }
    for i in 0..back {
        partner[new.len() - 1 - i] = Some((old.len() - 1 - i, Grade::Same));
    }
    let (a, b) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    if a.len().saturating_mul(b.len()) <= MAX_CELLS {
        for (i, j, grade) in align(a, b, least) {
            partner[front + j] = Some((front + i, grade));
        }
    } else {
        for (i, j) in unmistakable(a, b) {
            partner[front + j] = Some((front + i, Grade::Same));
        }
    }
    partner
}

/// The pairs, in order on both sides, that are worth most together.
fn align(a: &[BranchShape], b: &[BranchShape], least: Grade) -> Vec<(usize, usize, Grade)> {
    let width = b.len() + 1;
    let mut best = vec![0u32; (a.len() + 1) * width];
    let of = |best: &[u32], i: usize, j: usize| {
        let grade = alike(&a[i], &b[j], least)?;
        Some((best[(i + 1) * width + j + 1] + grade.worth(), grade))
    };
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let skipped = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            best[i * width + j] = of(&best, i, j).map_or(skipped, |(n, _)| n.max(skipped));
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, vec![]);
    while i < a.len() && j < b.len() {
        let here = best[i * width + j];
        if let Some((_, grade)) = of(&best, i, j).filter(|(n, _)| *n == here) {
            pairs.push((i, j, grade));
            (i, j) = (i + 1, j + 1);
        } else if best[(i + 1) * width + j] == here {
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
    use super::super::grade;
    use super::*;

    fn shapes(text: &str) -> Vec<BranchShape> {
        text.bytes().map(|b| BranchShape { fingerprint: b.into(), alternatives: 2 }).collect()
    }

    fn partners(old: &str, new: &str) -> String {
        let show = |p: Option<(usize, Grade)>| p.map_or('-', |p| char::from(old.as_bytes()[p.0]));
        common(&shapes(old), &shapes(new), Grade::Same).into_iter().map(show).collect()
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
        assert_eq!(common(&shapes("a"), &[three], Grade::Instruction), [None]);
    }

    /// A branch of which only the loosest hashes, up to this grade, are those of `of`.
    fn resembles(of: u64, grade: Grade) -> BranchShape {
        let hashes = |n: u64| Grade::ALL.map(|g| if g <= grade { of << 56 } else { n << 60 });
        BranchShape { fingerprint: grade::fingerprint(hashes(15)), alternatives: 2 }
    }

    fn whole(of: u64) -> BranchShape {
        resembles(of, Grade::Same)
    }

    #[test]
    fn the_closest_branch_wins_and_order_is_kept() {
        let old = [whole(0x10), whole(0x20), whole(0x30)];
        // The first resembles 0x20 a little, but what follows needs that one.
        let new = [resembles(0x20, Grade::Tail), whole(0x20), resembles(0x30, Grade::Block)];
        let want = [None, Some((1, Grade::Same)), Some((2, Grade::Block))];
        assert_eq!(common(&old, &new, Grade::Instruction), want);
        assert_eq!(common(&old, &new, Grade::Same), [None, Some((1, Grade::Same)), None]);
    }

    #[test]
    fn what_only_resembles_counts_less_and_keeps_its_shares() {
        assert_eq!(capped(vec![3000, 1000], Some(24)), [18, 6]);
        assert_eq!(capped(vec![u64::MAX, u64::MAX], Some(6)), [3, 3]);
        assert_eq!(capped(vec![u64::MAX, u64::MAX], None), [u64::MAX, u64::MAX]);
        assert_eq!(capped(vec![9, 1], Some(24)), [9, 1]);
        assert!(capped(vec![], Some(2)).is_empty());
    }
}
