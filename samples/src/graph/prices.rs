//! Prices of edges: −log2 of their frequencies.

use model::map::{Map, Terminator};
use model::profile::{BranchShape, Matcher, NONE, Profile};
use model::table::quantise;

use super::BIT;

fn price(freq: u16) -> u32 {
    ((16.0 - f64::from(freq.max(1)).log2()) * f64::from(BIT)).round() as u32
}

/// Of each branch in the order of the map: what its alternatives cost.
pub(super) fn branches(map: &Map, model: Option<&Profile>) -> Vec<Vec<u32>> {
    priced(branch_tables(map, model))
}

/// Of each slot: what its alternatives cost.
pub(super) fn slots(map: &Map, model: Option<&Profile>) -> Vec<Vec<u32>> {
    priced(slot_tables(map, model))
}

fn priced(tables: Vec<Vec<u16>>) -> Vec<Vec<u32>> {
    tables.into_iter().map(|t| t.into_iter().map(price).collect()).collect()
}

/// Of each branch in the order of the map: the frequencies of its alternatives, of 65,536.
pub(crate) fn branch_tables(map: &Map, model: Option<&Profile>) -> Vec<Vec<u16>> {
    let mut matcher = model.map(Matcher::new);
    let mut all = Vec::new();
    for method in &map.methods {
        let mut shapes = Vec::new();
        let mut freqs: Vec<Vec<u16>> = Vec::new();
        for block in &method.blocks {
            if let Terminator::Branch { alternatives, identity } = &block.terminator {
                shapes.push(BranchShape {
                    fingerprint: identity.fingerprint,
                    alternatives: alternatives.len() as u32,
                });
                freqs.push(alternatives.iter().map(|a| a.1).collect());
            }
        }
        if let Some(matcher) = &mut matcher {
            let found =
                matcher.match_branches(&map.method_key(method), method.fingerprint, &shapes, &[]);
            for (freqs, found) in freqs.iter_mut().zip(found) {
                let counts = match found {
                    Some(found) => found.trusted(),
                    None => vec![0; freqs.len()],
                };
                *freqs = quantise(&counts).unwrap_or_else(|_| freqs.clone());
            }
        }
        all.extend(freqs);
    }
    all
}

/// Of each slot: the frequencies of its alternatives, of 65,536.
pub(crate) fn slot_tables(map: &Map, model: Option<&Profile>) -> Vec<Vec<u16>> {
    let of = |slot: &model::map::Slot| -> Vec<u16> {
        let known = model.map(|m| m.slots.get(map.name(slot.site)));
        match known {
            None => slot.freqs.clone(),
            Some(tally) => {
                let count = |key: &str| tally.and_then(|t| t.get(key)).copied().unwrap_or(0);
                let callee = |m: &model::map::MethodId| {
                    map.method(*m).map_or(0, |m| count(&map.method_key(m)))
                };
                let counts: Vec<u64> =
                    std::iter::once(count(NONE)).chain(slot.callees.iter().map(callee)).collect();
                quantise(&counts).unwrap_or_else(|_| slot.freqs.clone())
            }
        }
    };
    map.slots.iter().map(of).collect()
}
