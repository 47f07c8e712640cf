//! Models as training makes them, without sessions: every branch of a program has a history.

use model::map::{Map, Terminator};
use model::profile::{BranchShape, NONE, Profile};
use mutation::Rng;

/// A model of random, mostly skewed counts over all branches, loops, slots and callbacks of a map.
/// One method in four was never run.
pub fn random_history(map: &Map, rng: &mut Rng) -> Profile {
    let mut profile = Profile { sessions: 3, ..Profile::default() };
    let count = |rng: &mut Rng| if rng.one_in(3) { 0 } else { 1u64 << rng.below(20) };
    let callee = |id: model::map::MethodId| map.method_key(&map.methods[id.0 as usize - 1]);
    for method in &map.methods {
        let cold = rng.one_in(4);
        let mut branches: Vec<(BranchShape, Vec<u64>, Vec<u64>)> = Vec::new();
        for (i, block) in method.blocks.iter().enumerate() {
            if let Terminator::Branch { alternatives, identity } = &block.terminator {
                let shape = BranchShape {
                    fingerprint: identity.fingerprint,
                    alternatives: alternatives.len() as u32,
                };
                let counts =
                    alternatives.iter().map(|_| if cold { 0 } else { count(rng) }).collect();
                let counted = method.loops.iter().any(|l| l.branch.0 as usize == i);
                let trips = if counted && !cold {
                    (0..12).map(|_| count(rng)).collect()
                } else {
                    Vec::new()
                };
                branches.push((shape, counts, trips));
            }
        }
        let branches =
            branches.iter().map(|(shape, counts, trips)| (*shape, &counts[..], &trips[..]));
        profile.record_loops(&map.method_key(method), method.fingerprint, branches);
        if rng.one_in(8) {
            profile.record_announced(&map.method_key(method), count(rng));
        }
    }
    for slot in &map.slots {
        profile.record_slot(map.name(slot.site), NONE, count(rng));
        slot.callees
            .iter()
            .for_each(|&c| profile.record_slot(map.name(slot.site), &callee(c), count(rng)));
    }
    for &(last, slot) in &map.next_callbacks {
        let next = &map.slots[slot.0 as usize].callees;
        next.iter()
            .for_each(|&n| profile.record_next_callback(&callee(last), &callee(n), count(rng)));
    }
    profile
}
