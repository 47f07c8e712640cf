//! Calls through types from outside the app that lead back into it, according to a model.
//!
//! Example: the app calls `List.add`, and the list is one of its own. Nothing in the app shows that
//! its class is a `List` (it extends `ArrayList`), so the method announces itself with an escape
//! each time. Methods that announced themselves under the signature of such a call become callees
//! of a slot there. A callee that is never reached this way costs next to nothing (`plan::slots`),
//! so equal signatures suffice.

use std::collections::{HashMap, HashSet};

use dex::AccessFlags;

use model::profile::{NONE, Profile, Tally};

use crate::analysis::program::{CalledBack, CalledBackMethods, MethodNo, Program, Sym};
use crate::options::Options;
use crate::plan::history::{slot_key, source_key};

/// Largest number of decisions per announcement for which a signature gets slots: an announcement
/// costs about 25 bits, a decision about one.
const RARE: u64 = 4096;

/// Largest number of calls of a slot per call that leads back into the app. Calls that do not lead
/// back pay for the slot's probes: 1 to 2 ns each, compiled, where an announcement costs 25.
const FEW: u64 = 64;

/// A method that was entered from outside, or through a slot.
struct Entered {
    no: MethodNo,
    key: String,
    announced: u64,
}

/// Returns the methods that calls through each reference to an outside type lead to.
pub(crate) fn called_back(program: &Program, options: &Options) -> CalledBack {
    // With `pap`, a slot costs a byte for each call, including those that end outside.
    let Some(model) = options.model.as_ref().filter(|_| !options.recording().numbers_paths())
    else {
        return CalledBack::default();
    };
    let by_signature = entered(program, model, options);
    let least = (decisions(model) / RARE).max(1);
    let mut found = CalledBack::default();
    for reference in program.references_outside() {
        let Some(methods) = by_signature.get(&reference.1) else { continue };
        let (class, sig) = (program.text(reference.0), program.text(reference.1));
        let tally = model.slots.get(&slot_key(&format!("{class}->{sig}"), options));
        let ran = |m: &&Entered| m.announced > 0 || tally.is_some_and(|t| has(t, &m.key));
        let methods: Vec<&Entered> = methods.iter().filter(ran).collect();
        if pays(tally, &methods, least) {
            let had_slot = tally.is_some_and(|tally| tally.values().any(|&n| n > 0));
            let methods = methods.iter().map(|m| m.no).collect();
            found.insert(reference, CalledBackMethods { methods, had_slot });
        }
    }
    found
}

/// Returns true if a slot is worth its probes.
fn pays(tally: Option<&Tally>, methods: &[&Entered], least: u64) -> bool {
    let known = tally.map(|t| (t.get(NONE).copied().unwrap_or(0), sum(t.values())));
    match known.filter(|&(_, all)| all > 0) {
        Some((none, all)) => (all - none).saturating_mul(FEW) >= all && all > none,
        None => sum(methods.iter().map(|m| &m.announced)) >= least,
    }
}

fn has(tally: &Tally, key: &str) -> bool {
    tally.get(key).is_some_and(|&n| n > 0)
}

fn sum<'n>(numbers: impl Iterator<Item = &'n u64>) -> u64 {
    numbers.fold(0, |sum, &n| sum.saturating_add(n))
}

/// Returns the number of decisions at branches in the model.
fn decisions(model: &Profile) -> u64 {
    let branches = model.methods.values().flat_map(|m| &m.branches);
    branches.fold(0, |sum: u64, b| sum.saturating_add(b.decisions()))
}

/// Returns the methods that were entered according to the model, by signature; only those that a
/// virtual call can reach.
fn entered(program: &Program, model: &Profile, options: &Options) -> HashMap<Sym, Vec<Entered>> {
    let ran = |t: &&Tally| t.values().any(|&n| n > 0);
    let through: HashSet<&str> =
        model.slots.values().filter(ran).flat_map(|t| t.keys()).map(String::as_str).collect();
    let mut found = HashMap::<Sym, Vec<Entered>>::new();
    if model.announced.is_empty() && through.is_empty() {
        return found;
    }
    for (i, method) in program.methods.iter().enumerate() {
        let fixed = AccessFlags::STATIC | AccessFlags::PRIVATE | AccessFlags::CONSTRUCTOR;
        if method.code.is_none() || method.access.intersects(fixed) {
            continue;
        }
        let no = MethodNo(i as u32);
        let key = source_key(program, no, options);
        let announced = model.announced.get(&key).copied().unwrap_or(0);
        if announced > 0 || through.contains(&*key) {
            found.entry(method.sig).or_default().push(Entered { no, key, announced });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pays_for(announced: &[u64], least: u64) -> bool {
        let method = |&announced| Entered { no: MethodNo(0), key: String::new(), announced };
        let methods: Vec<Entered> = announced.iter().map(method).collect();
        pays(None, &methods.iter().collect::<Vec<_>>(), least)
    }

    #[test]
    fn few_announcements_among_many_decisions_get_no_slot() {
        assert!(pays_for(&[60, 40], 100));
        assert!(!pays_for(&[60, 39], 100));
    }

    #[test]
    fn counts_as_large_as_a_model_holds_do_not_overflow() {
        assert!(pays_for(&[u64::MAX, u64::MAX], u64::MAX));
        let tally = Tally::from([(NONE.to_owned(), u64::MAX), ("a".to_owned(), u64::MAX)]);
        assert!(!pays(Some(&tally), &[], 1));
    }
}
