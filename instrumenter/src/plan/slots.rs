//! Frequencies of call slots: the model's counts, and shares for callees without counts.

use std::borrow::Cow;

use model::profile::{NONE, Profile, Tally};

use crate::plan::distributions::quantised;

/// Weight of one count of the model.
const ONE: u128 = 1 << 20;
/// All callees that never ran through a slot together have the weight of one in this number of its
/// calls. If none of them ever runs, that costs 0.0014 bits per call; if one does, it saves several
/// bits each time, because a frequency of 1 costs 16.
const UNSEEN: u128 = 1024;
/// Weight of each callee in a slot without history. Nothing shows beforehand that a call ends
/// outside the app, so that alternative begins at 1.
const UNKNOWN: u64 = 8;

/// Returns the model's counts for a slot with these callees. Without counts of the slot, the
/// announcements of its callees replace them; the count of calls without any callee is then
/// unknown, and is assumed to equal their sum.
pub(crate) fn tally<'m>(
    model: &'m Profile,
    site: &str,
    callees: &[String],
) -> Option<Cow<'m, Tally>> {
    if let Some(tally) = model.slots.get(site) {
        return Some(Cow::Borrowed(tally));
    }
    let announced = |name: &String| Some((name.clone(), *model.announced.get(name)?));
    let mut tally: Tally = callees.iter().filter_map(announced).collect();
    let sum = tally.values().fold(0, |sum: u64, &n| sum.saturating_add(n));
    tally.insert(NONE.into(), sum);
    (sum > 0).then_some(Cow::Owned(tally))
}

/// Returns frequencies of a slot with these callees: *none* first, as [`model::map::Slot`] has
/// them.
///
/// A release renames, moves and adds methods: counts of callees that no longer exist are divided
/// equally among callees without counts.
pub(crate) fn freqs(tally: Option<&Tally>, callees: &[String]) -> Vec<u16> {
    let Some(tally) = tally.filter(|t| t.values().any(|&n| n > 0)) else {
        let mut counts = vec![UNKNOWN; callees.len() + 1];
        counts[0] = u64::from(callees.is_empty());
        return quantised(&counts);
    };
    let count = |name: &str| tally.get(name).copied().unwrap_or(0);
    let counts: Vec<u64> =
        [NONE].into_iter().chain(callees.iter().map(String::as_str)).map(count).collect();
    let sum = |counts: &mut dyn Iterator<Item = u64>| counts.map(u128::from).sum::<u128>();
    let all = sum(&mut tally.values().copied());
    let vanished = all - sum(&mut counts.iter().copied());
    let unseen = counts.iter().filter(|&&n| n == 0).count() as u128;
    let new = counts[1..].iter().filter(|&&n| n == 0).count() as u128;
    // Half a count if the slot ran only a few times.
    let least = (all * ONE / UNSEEN).max(ONE / 2) / unseen.max(1);
    let share = |i: usize| if i == 0 { 0 } else { vanished * ONE / new.max(1) };
    let weights = counts.iter().enumerate().map(|(i, &n)| match n {
        0 => least.max(share(i)),
        n => u128::from(n) * ONE,
    });
    let weights: Vec<u128> = weights.collect();
    // Each weight, and their sum, must fit 64 bits.
    let shift = (weights.iter().sum::<u128>() >> 62).checked_ilog2().map_or(0, |bits| bits + 1);
    let weights: Vec<u64> =
        weights.iter().map(|&n| u64::try_from(n >> shift).unwrap_or(u64::MAX)).collect();
    quantised(&weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(freqs: &[u16], at: usize) -> f64 {
        (65_535.0 / f64::from(freqs[at])).log2()
    }

    fn tally(counts: &[(&str, u64)]) -> Tally {
        counts.iter().map(|&(name, n)| (name.to_owned(), n)).collect()
    }

    fn callees(names: &[&str]) -> Vec<String> {
        names.iter().map(|&n| n.to_owned()).collect()
    }

    #[test]
    fn a_new_callee_inherits_the_counts_of_a_vanished_one() {
        // `Leaf.size` was pulled up into `Node.size`.
        let old = tally(&[("Element.size", 1000), ("Leaf.size", 3000)]);
        let freqs = freqs(Some(&old), &callees(&["Element.size", "Node.size"]));
        assert!((bits(&freqs, 1) - 2.0).abs() < 0.01, "{freqs:?}");
        assert!((bits(&freqs, 2) - 0.415).abs() < 0.01, "{freqs:?}");
    }

    #[test]
    fn two_new_callees_share_vanished_counts_and_the_platform_gets_none() {
        let old = tally(&[("a", 100), ("gone", 100)]);
        let freqs = freqs(Some(&old), &callees(&["a", "b", "c"]));
        assert!((bits(&freqs, 2) - 2.0).abs() < 0.01 && freqs[2] == freqs[3], "{freqs:?}");
        assert!(bits(&freqs, 0) > 8.0, "{freqs:?}");
    }

    #[test]
    fn a_callee_that_never_ran_is_inexpensive_and_hardly_affects_the_others() {
        let old = tally(&[("a", 1 << 40), ("b", 1 << 40)]);
        let freqs = freqs(Some(&old), &callees(&["a", "b", "c"]));
        // *none* and `c` share one in 1,024.
        assert!((10.9..11.1).contains(&bits(&freqs, 3)), "{freqs:?}");
        assert!(bits(&freqs, 1) < 1.002, "{freqs:?}");
    }

    #[test]
    fn a_slot_that_ran_once_leaves_half_a_count_to_all_others_together() {
        let many: Vec<String> = (0..100).map(|i| format!("m{i}")).collect();
        let freqs = freqs(Some(&tally(&[("m7", 1)])), &many);
        assert!((bits(&freqs, 8) - 1.5_f64.log2()).abs() < 0.02, "{freqs:?}");
    }

    #[test]
    fn without_history_all_callees_are_alike() {
        let known = freqs(None, &callees(&["a", "b"]));
        // Equal up to rounding, so that they sum to 65,535.
        assert!(known[1].abs_diff(known[2]) <= 1, "{known:?}");
        assert!(known[0] < known[1]);
        assert_eq!(known, freqs(Some(&Tally::new()), &callees(&["a", "b"])));
        assert_eq!(freqs(None, &[]), [65_535]);
    }

    #[test]
    fn counts_as_large_as_a_model_holds_do_not_overflow() {
        let old = tally(&[("a", u64::MAX), ("b", u64::MAX), ("gone", u64::MAX)]);
        let freqs = freqs(Some(&old), &callees(&["a", "b", "c"]));
        assert!(freqs[1..].iter().all(|f| f.abs_diff(21_834) < 60), "{freqs:?}");
    }
}
