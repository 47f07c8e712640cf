//! Price of sessions under tables that were trained on the other sessions: what a model promises
//! for sessions that it has not seen.

use std::collections::HashMap;

use model::map::{Loop, Terminator};
use model::region::trip_bits;
use model::table::quantise;
use serde::Serialize;

use super::Counter;

/// Bits of all sessions, each under tables of the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct HeldOut {
    /// Branches.
    pub branch: f64,
    /// Call slots.
    pub slot: f64,
    /// Next callbacks.
    pub next_callback: f64,
}

impl Counter<'_, '_> {
    /// Returns the price of each part's decisions under tables trained on everything else that this
    /// counter has counted. The counter holds the sum of the parts, and possibly more.
    pub fn held_out(&self, parts: &[Counter<'_, '_>]) -> HeldOut {
        let mut sum = HeldOut::default();
        for part in parts {
            sum.branch += self.branches_of(part);
            for (all, own) in self.slots.iter().zip(&part.slots) {
                sum.slot += bits(all, own);
            }
            for (all, own) in self.next_callbacks.iter().zip(&part.next_callbacks) {
                sum.next_callback += bits(all, own);
            }
        }
        sum
    }

    fn branches_of(&self, part: &Counter<'_, '_>) -> f64 {
        let (mut sum, mut block) = (0.0, 0_u32);
        for m in &self.program.map.methods {
            let loops: HashMap<usize, &Loop> =
                m.loops.iter().map(|l| (l.branch.0 as usize, l)).collect();
            for (b, of) in m.blocks.iter().enumerate() {
                if let Terminator::Branch { alternatives, .. } = &of.terminator {
                    let first = self.base[block as usize] as usize;
                    let cells = first..first + alternatives.len();
                    sum += match (loops.get(&b), self.trips.get(&block), part.trips.get(&block)) {
                        (Some(_), Some(_), None) => 0.0,
                        (Some(_), Some(all), Some(own)) => trips(all, own),
                        _ => bits(&self.branches[cells.clone()], &part.branches[cells]),
                    };
                }
                block += 1;
            }
        }
        sum
    }
}

/// Returns the bits of counts under the table of all others.
fn bits(all: &[u64], own: &[u64]) -> f64 {
    if own.iter().all(|n| *n == 0) {
        return 0.0;
    }
    let rest: Vec<u64> = all.iter().zip(own).map(|(all, own)| all.saturating_sub(*own)).collect();
    let table = quantise(&rest).unwrap_or_default();
    let price = |(n, freq): (&u64, &u16)| *n as f64 * (65_536.0 / f64::from(*freq)).log2();
    own.iter().zip(&table).filter(|(n, _)| **n > 0).map(price).sum()
}

/// Returns the bits of a counted loop's symbols under the table of all others.
fn trips(all: &[u64], own: &[u64]) -> f64 {
    let raw = own.iter().enumerate().map(|(symbol, n)| *n as f64 * f64::from(trip_bits(symbol)));
    bits(all, own) + raw.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One session took the first alternative 3 times, the other one the second: each is priced
    /// under the other's table, (3 + ½) / 4 and ½ / 4. In its own table it would cost .33 bits a
    /// decision (with all six 1 bit), here 3.
    #[test]
    fn sessions_that_differ_cost_what_the_other_one_promises() {
        let all = [3, 3];
        let cost = bits(&all, &[3, 0]) + bits(&all, &[0, 3]);
        assert!((cost - 6.0 * 3.0).abs() < 0.01, "{cost}");
        // A program point that the others never saw: all alternatives are equally likely.
        assert!((bits(&[5, 0], &[5, 0]) - 5.0).abs() < 0.01);
        assert_eq!(bits(&[5, 0], &[0, 0]), 0.0);
    }
}
