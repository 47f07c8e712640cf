//! Methods of the model that the build has under another name, recognised by their branches.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::grade::Grade;
use super::{BranchShape, Profile};

/// A method with fewer branches is like too many others.
const LEAST: usize = 3;
/// A branch that this many methods share is no evidence.
const COMMON: usize = 16;

/// Index of the methods that a build no longer has.
#[derive(Debug, Clone, Default)]
pub(super) struct Renamed<'p> {
    /// By class and name, without parameters; `None` when several have them.
    names: BTreeMap<&'p str, Option<&'p str>>,
    /// By what a branch and its surroundings are.
    branches: HashMap<(u64, u32), Vec<&'p str>>,
    /// Number of such branches by method.
    sizes: BTreeMap<&'p str, usize>,
}

impl<'p> Renamed<'p> {
    /// Of the methods of the model that are not `there`.
    pub fn new(profile: &'p Profile, is_there: &dyn Fn(&str) -> bool) -> Renamed<'p> {
        let mut out = Renamed::default();
        let gone = profile.methods.iter().filter(|(key, _)| !is_there(key));
        for (key, method) in gone.filter(|m| !m.1.branches.is_empty()) {
            out.names.entry(name(key)).and_modify(|key| *key = None).or_insert(Some(key));
            let kinds = kinds(method.branches.iter().map(|b| &b.shape));
            out.sizes.insert(key, kinds.len());
            for kind in kinds {
                out.branches.entry(kind).or_default().push(key);
            }
        }
        out.branches.retain(|_, methods| methods.len() <= COMMON);
        out
    }

    /// The method that one with this key and these branches continues: the only one of its class
    /// and name, whose parameters changed; or the one that is most like it, if they share three of
    /// five branches and no other shares as many.
    pub fn find(&self, key: &str, branches: &[BranchShape]) -> Option<&'p str> {
        if let Some(Some(old)) = self.names.get(name(key)) {
            return Some(old);
        }
        let here = kinds(branches);
        if here.len() < LEAST {
            return None;
        }
        let mut votes: BTreeMap<&'p str, usize> = BTreeMap::new();
        for kind in &here {
            for old in self.branches.get(kind).into_iter().flatten() {
                *votes.entry(old).or_default() += 1;
            }
        }
        let best = votes.values().copied().max()?;
        let mut first = votes.iter().filter(|(_, n)| **n == best).map(|(old, _)| *old);
        let old = first.next().filter(|_| first.next().is_none())?;
        let all = here.len().max(self.sizes[old]);
        (5 * best >= 3 * all).then_some(old)
    }
}

/// Class and name of a key.
fn name(key: &str) -> &str {
    key.split('(').next().unwrap_or(key)
}

/// The different branches, each with its surroundings, without constants and names of classes.
fn kinds<'b>(branches: impl IntoIterator<Item = &'b BranchShape>) -> BTreeSet<(u64, u32)> {
    let kind = |b: &BranchShape| (Grade::Surroundings.part(b.fingerprint), b.alternatives);
    branches.into_iter().map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(of: &[u64]) -> Vec<BranchShape> {
        of.iter().map(|&fingerprint| BranchShape { fingerprint, alternatives: 2 }).collect()
    }

    fn profile(methods: &[(&str, &[u64])]) -> Profile {
        let mut p = Profile::default();
        for (shape, (key, of)) in (1..).zip(methods) {
            p.record(key, shape, shapes(of).into_iter().map(|s| (s, &[1, 1][..])));
        }
        p
    }

    #[test]
    fn new_parameters_leave_a_method_what_it_is_unless_there_are_several() {
        let p = profile(&[("La;->m(I)V", &[1]), ("La;->n(I)V", &[1]), ("La;->n(J)V", &[1])]);
        let gone = Renamed::new(&p, &|_| false);
        assert_eq!(gone.find("La;->m(II)V", &shapes(&[9])), Some("La;->m(I)V"));
        assert_eq!(gone.find("La;->n(II)V", &shapes(&[9])), None);
        let there = Renamed::new(&p, &|key| key == "La;->n(J)V");
        assert_eq!(there.find("La;->n(II)V", &shapes(&[9])), Some("La;->n(I)V"));
    }

    #[test]
    fn a_method_is_recognised_by_three_of_five_branches() {
        let p = profile(&[("La;->m()V", &[1, 2, 3, 4, 5]), ("La;->n()V", &[1, 2, 8, 9, 10])]);
        let gone = Renamed::new(&p, &|_| false);
        let of = |branches: &[u64]| gone.find("Lb;->other()V", &shapes(branches));
        assert_eq!(of(&[1, 2, 3, 6, 7]), Some("La;->m()V"));
        assert_eq!(of(&[1, 2, 6, 7]), None, "as like the one as the other");
        assert_eq!(of(&[3, 4, 6, 7, 11]), None, "two of five");
        assert_eq!(of(&[1, 2, 3, 6, 7, 11]), None, "three of six");
        assert_eq!(of(&[3, 4]), None, "two branches are too few");
        let there = Renamed::new(&p, &|key| key == "La;->m()V");
        assert_eq!(there.find("Lb;->other()V", &shapes(&[1, 2, 3, 4, 5])), None, "it is there");
    }

    #[test]
    fn constants_do_not_count() {
        let p = profile(&[("La;->m()V", &[1, 2, 3])]);
        let gone = Renamed::new(&p, &|_| false);
        let changed = [1 | 1 << 50, 2 | 1 << 60, 3 | 1 << 40];
        assert_eq!(gone.find("Lb;->n()V", &shapes(&changed)), Some("La;->m()V"));
    }
}
