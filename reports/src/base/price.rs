//! Prices of decisions: bits under the map's distributions, which are those of the model of the
//! build. Without a model all alternatives are equally likely.

use decoder::replay::{Decision, Program};
use model::map::{Map, SlotId, Terminator};

use super::names::block_of;

/// Sum of a distribution's frequencies and the slice of ESC.
const TOTAL: f64 = 65_536.0;

/// Probability of one alternative of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chance {
    freq: u16,
    /// Further bits, all equally likely: the id of a callback that no distribution lists.
    bits: u8,
}

impl Chance {
    /// Returns the alternative's price: log₂ of 1 / probability. 0 is certain, 1 a coin toss; 16
    /// (and more for a callback that no distribution lists) is the maximum.
    pub fn bits(self) -> f64 {
        (TOTAL / f64::from(self.freq)).log2() + f64::from(self.bits)
    }

    /// Returns the number of decisions of which one takes this alternative, rounded.
    pub fn once_in(self) -> u64 {
        let times = (TOTAL / f64::from(self.freq)).round() as u64;
        times.saturating_mul(1u64.checked_shl(self.bits.into()).unwrap_or(u64::MAX))
    }
}

/// Returns the probability of the alternative that a decision took.
///
/// A branch has the distribution of its own block, also where a path register combines it with
/// others in a region, or where it is counted as a loop. Distributions that adapt count as they
/// begin. A top-level callback that its distribution does not list (alternative 0, *other*) is one
/// of all ids of the map. `None` if the map has no such decision or alternative.
pub fn chance(program: &Program<'_>, what: Decision, alternative: usize) -> Option<Chance> {
    let slot = |SlotId(s): SlotId| program.map.slots.get(s as usize)?.freqs.get(alternative);
    let (freq, bits) = match what {
        Decision::Branch(block) => match &block_of(program, block).1.terminator {
            Terminator::Branch { alternatives, .. } => (alternatives.get(alternative)?.1, 0),
            Terminator::Return | Terminator::Throw | Terminator::Goto(_) => return None,
        },
        Decision::Slot(s) => (*slot(s)?, 0),
        Decision::NextCallback(s) => {
            (*slot(s)?, if alternative == 0 { program.map.id_bits } else { 0 })
        }
    };
    (freq > 0).then_some(Chance { freq, bits })
}

/// Returns true if some branch has alternatives of different frequencies, which only a model makes.
/// Frequencies of a distribution without a model differ by 1 at most.
pub fn has_model(map: &Map) -> bool {
    map.methods.iter().flat_map(|m| &m.blocks).any(|b| match &b.terminator {
        Terminator::Branch { alternatives, .. } => {
            let all = alternatives.iter().map(|a| a.1);
            all.clone().max().zip(all.min()).is_some_and(|(max, min)| max - min > 1)
        }
        Terminator::Return | Terminator::Throw | Terminator::Goto(_) => false,
    })
}

/// Returns the price in bits of the alternative that a decision took, as [`chance`] and
/// [`Chance::bits`] do.
pub fn price(program: &Program<'_>, what: Decision, alternative: usize) -> Option<f64> {
    chance(program, what, alternative).map(Chance::bits)
}

#[cfg(test)]
mod tests {
    use decoder::replay::BlockNo;
    use model::map::{BlockId, BranchIdentity, MethodId, NameId, Slot};

    use super::*;

    /// Block 0 branches: a quarter, three quarters less ESC's slice. Slot 0: *none* or *other* once
    /// in 4,096 times, otherwise method 1. Ids have 2 bits.
    fn map() -> Map {
        let mut map = crate::tests::map();
        map.methods[0].blocks[0].terminator = Terminator::Branch {
            alternatives: vec![(BlockId(0), 1 << 14), (BlockId(1), 65_535 - (1 << 14))],
            identity: BranchIdentity { fingerprint: 0 },
        };
        let freqs = vec![16, 65_519];
        map.slots = vec![Slot { callees: vec![MethodId(1)], freqs, site: NameId(0) }];
        map
    }

    #[test]
    fn a_branch_costs_what_its_block_says() {
        let map = map();
        let program = Program::new(&map);
        let of = |i| price(&program, Decision::Branch(BlockNo(0)), i);
        assert_eq!(of(0), Some(2.0));
        // log₂(65,536 / 49,151)
        assert!((of(1).unwrap() - 0.415_067).abs() < 1e-6);
        assert_eq!(chance(&program, Decision::Branch(BlockNo(0)), 0).unwrap().once_in(), 4);
        assert_eq!(of(2), None, "no such alternative");
        assert_eq!(price(&program, Decision::Branch(BlockNo(1)), 0), None, "it returns");
    }

    #[test]
    fn none_of_a_slot_is_an_alternative_as_any() {
        let map = map();
        let program = Program::new(&map);
        let of = |i| price(&program, Decision::Slot(SlotId(0)), i);
        assert_eq!(of(0), Some(12.0));
        // log₂(65,536 / 65,519)
        assert!((of(1).unwrap() - 0.000_374).abs() < 1e-6);
        assert_eq!(price(&program, Decision::Slot(SlotId(1)), 0), None, "no such slot");
    }

    #[test]
    fn another_callback_than_those_listed_costs_its_id_too() {
        let map = map();
        let program = Program::new(&map);
        let of = |i| chance(&program, Decision::NextCallback(SlotId(0)), i).unwrap();
        assert_eq!((of(0).bits(), of(0).once_in()), (14.0, 16_384));
        assert_eq!(of(1).once_in(), 1);
    }

    #[test]
    fn a_region_leaves_its_branches_their_prices() {
        let mut map = map();
        let region = model::map::Region {
            head: BlockId(0),
            inside: vec![],
            base: 1,
            freqs: vec![1, 65_534],
        };
        map.methods[0].blocks[0].calls.clear();
        map.methods[0].regions.push(region);
        let program = Program::new(&map);
        assert_eq!(price(&program, Decision::Branch(BlockNo(0)), 0), Some(2.0));
    }
}
