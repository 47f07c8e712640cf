//! Models of one build are summed, sums of several builds are folded in the order of release.
//!
//! The models of one build are a commutative monoid under [`Sums::add`]: whatever the order and
//! the grouping, the sum is the same. Across builds that is not so, because the newer build's code
//! decides what is kept: so [`Sums::fold`] wants the order.

use std::collections::{BTreeMap, HashSet};

use thiserror::Error;

use super::Profile;
use crate::formats::map::BuildId;

/// Reasons why models cannot be added.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FoldError {
    /// A model that counts no build's sessions, or an older program's.
    #[error("the model does not name its build: only the base may be such a model")]
    NoBuild,
    /// A model of several builds cannot be taken apart.
    #[error("the model has sessions of {0} builds: only the base may have several")]
    Several(usize),
    /// Two builds whose order of release is unknown.
    #[error("the order of the releases is unknown: build {0} is not in it")]
    Order(BuildId),
}

/// Sums of models, one per build.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sums(BTreeMap<BuildId, Profile>);

/// The known releases.
pub struct Releases<'a> {
    /// The builds, from the oldest to the newest. Empty: those of the base are in order.
    pub order: &'a [BuildId],
    /// The methods of a build by their keys, if they are known: then a method that was renamed
    /// loses its old name.
    pub methods: &'a dyn Fn(BuildId) -> Option<HashSet<String>>,
}

impl Sums {
    /// Adds a model of one build.
    ///
    /// # Errors
    /// It is not of one build.
    pub fn add(&mut self, model: &Profile) -> Result<(), FoldError> {
        let build = match model.builds[..] {
            [build] => build,
            [] => return Err(FoldError::NoBuild),
            _ => return Err(FoldError::Several(model.builds.len())),
        };
        self.0.entry(build).or_default().add(model);
        Ok(())
    }

    /// The builds, by their ids.
    pub fn builds(&self) -> impl Iterator<Item = BuildId> {
        self.0.keys().copied()
    }

    /// Folds the sums in the order of their releases. `base` comes after the sums of builds that
    /// are older than its newest one, and before the others.
    ///
    /// # Errors
    /// The order of two builds is not known.
    pub fn fold(self, base: Option<Profile>, of: &Releases<'_>) -> Result<Profile, FoldError> {
        let newest = base.as_ref().and_then(|b| b.builds.last().copied());
        let base_order = base.as_ref().map_or(&[][..], |b| &b.builds[..]).to_vec();
        let order = if of.order.is_empty() { &base_order } else { of.order };
        let one = self.0.keys().chain(&newest).collect::<HashSet<_>>().len() < 2;
        let place = |build: BuildId| match order.iter().position(|b| *b == build) {
            Some(place) => Ok(place),
            None if one => Ok(0),
            None => Err(FoldError::Order(build)),
        };
        // (place, whether it is a sum): the base comes before the sum of its newest build.
        let mut all = Vec::new();
        for (build, sum) in self.0 {
            all.push(((place(build)?, true), Some(build), sum));
        }
        if let Some(base) = base {
            // A base that names no build is older than all.
            let at = newest.map_or(Ok(0), place)?;
            all.push(((at, false), newest, base));
        }
        all.sort_by_key(|part| part.0);
        let mut folded = Profile::default();
        for (_, build, part) in all {
            match build {
                Some(build) if folded.builds.last() != Some(&build) => match (of.methods)(build) {
                    Some(keys) => folded.merge_build(&part, &|key| keys.contains(key)),
                    None => folded.merge(&part),
                },
                Some(_) => folded.add(&part),
                None => folded.merge(&part),
            }
        }
        Ok(folded)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::BranchShape;
    use super::*;

    const BUILD: BuildId = BuildId([1; 16]);
    const NEXT: BuildId = BuildId([2; 16]);

    /// Counts at the ends of their range as often as in its midst.
    fn count() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), 1..9_u64, Just(u64::MAX), any::<u64>()]
    }

    /// The models that a shard can hold of one build: two methods have one body, and each is in it
    /// or not.
    fn part() -> impl Strategy<Value = Profile> {
        let method = || prop::option::of(prop::collection::vec(count(), 4));
        let tally = prop::collection::vec((0..3_usize, 0..3_usize, count()), 0..4);
        (count(), [method(), method(), method()], tally).prop_map(|(sessions, methods, tally)| {
            let mut made = Profile { sessions, builds: vec![BUILD], ..Profile::default() };
            let names = ["La;->a()V", "La;->b()V", "La;->c()V"];
            for (i, counts) in methods.into_iter().enumerate() {
                let Some(counts) = counts else { continue };
                let shape = |n: u64| BranchShape { fingerprint: n, alternatives: 2 };
                // a and b have one body.
                let body = (i / 2) as u64;
                let branches = [
                    (shape(body), &counts[..2], &counts[..]),
                    (shape(body + 7), &counts[2..], &[][..]),
                ];
                made.record_loops(names[i], body, branches);
            }
            for (at, to, n) in tally {
                made.record_slot(names[at], names[to], n);
                made.record_next_callback(names[at], names[to], n);
                made.record_announced(names[to], n);
            }
            made
        })
    }

    fn sum<'p>(parts: impl IntoIterator<Item = &'p Profile>) -> Profile {
        let mut sums = Sums::default();
        parts.into_iter().for_each(|part| sums.add(part).expect("of one build"));
        let unknown = Releases { order: &[], methods: &|_| None };
        sums.fold(None, &unknown).expect("one build")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn models_of_a_build_are_a_commutative_monoid(
            parts in prop::collection::vec(part(), 1..6),
            cut in any::<prop::sample::Index>(),
        ) {
            let whole = sum(&parts).to_bytes();
            prop_assert_eq!(sum(parts.iter().rev()).to_bytes(), &whole[..]);
            let (left, right) = parts.split_at(cut.index(parts.len()));
            let halves: Vec<Profile> =
                [left, right].iter().filter(|h| !h.is_empty()).map(|h| sum(*h)).collect();
            prop_assert_eq!(sum(&halves).to_bytes(), &whole[..]);
            let nothing = Profile { builds: vec![BUILD], ..Profile::default() };
            prop_assert_eq!(sum(parts.iter().chain([&nothing])).to_bytes(), &whole[..]);
            let read = Profile::from_bytes(&whole).expect("a model");
            prop_assert_eq!(read.to_bytes(), whole);
        }
    }

    fn of(build: BuildId, method: &str, body: u64, n: u64) -> Profile {
        let mut made = Profile { sessions: 1, builds: vec![build], ..Profile::default() };
        let shape = BranchShape { fingerprint: body << 8, alternatives: 2 };
        made.record(method, body, [(shape, &[n, 0][..])]);
        made
    }

    fn fold(
        parts: &[Profile],
        base: Option<Profile>,
        order: &[BuildId],
    ) -> Result<Profile, FoldError> {
        let mut sums = Sums::default();
        parts.iter().try_for_each(|part| sums.add(part))?;
        let keys = |build| {
            let name = if build == BUILD { "La;->old()V" } else { "La;->new()V" };
            Some(HashSet::from([name.to_owned()]))
        };
        sums.fold(base, &Releases { order, methods: &keys })
    }

    #[test]
    fn releases_are_folded_in_their_order_whatever_the_order_of_the_models() {
        let (old, new) = (of(BUILD, "La;->old()V", 5, 3), of(NEXT, "La;->new()V", 5, 4));
        // What `train --model` does with the second build's counts.
        let mut want = old.clone();
        want.merge_build(&new, &|key| key == "La;->new()V");
        assert!(!want.methods.contains_key("La;->old()V"));
        assert_eq!(want.builds, [BUILD, NEXT]);
        let order = [BUILD, NEXT];
        assert_eq!(fold(&[old.clone(), new.clone()], None, &order), Ok(want.clone()));
        assert_eq!(fold(&[new.clone(), old.clone()], None, &order), Ok(want.clone()));
        assert_eq!(fold(std::slice::from_ref(&new), Some(old.clone()), &order), Ok(want.clone()));
        // Logs of the old release that come late do not bring its code back.
        let late = fold(std::slice::from_ref(&old), Some(want), &order).expect("known order");
        assert_eq!(late.builds, [BUILD, NEXT]);
        assert_eq!(late.methods["La;->new()V"].branches[0].decisions(), 10);
    }

    #[test]
    fn an_unknown_order_is_refused() {
        let (old, new) = (of(BUILD, "La;->old()V", 5, 3), of(NEXT, "La;->new()V", 5, 4));
        let unknown = |build| Err(FoldError::Order(build));
        assert_eq!(fold(&[old.clone(), new.clone()], None, &[]), unknown(BUILD));
        assert_eq!(fold(&[old.clone(), new.clone()], None, &[BUILD]), unknown(NEXT));
        assert_eq!(fold(std::slice::from_ref(&new), Some(old.clone()), &[]), unknown(NEXT));
        // One build needs none.
        assert!(fold(&[old.clone(), old.clone()], Some(old.clone()), &[]).is_ok());
        assert_eq!(fold(&[Profile::default()], None, &[]), Err(FoldError::NoBuild));
        let mut both = old;
        both.merge(&new);
        assert_eq!(fold(&[both], None, &[]), Err(FoldError::Several(2)));
    }
}
