//! Smaller forms of a method, tried before the method is left because probes make it larger than
//! ART compiles.
//!
//! Probabilities cost space: the probes of a branch with two alternatives need constants if the
//! model has counts of the branch; without counts, one probe without a constant may do. So a model
//! can push a method over a limit that it would hold without the model.

use std::collections::BTreeSet;

use model::map::BlockId;
use model::price::bits_of;

use crate::plan::by_subject::SubjectId;
use crate::plan::comparisons::Comparisons;
use crate::plan::distributions::quantised;
use crate::probes::probe::Probes;
use crate::rewrite::BuildContext;

/// A smaller form of a method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SmallerForm {
    /// True if its calls are not inlined.
    pub calls_stay: bool,
    /// Branches whose history is left out of the build.
    pub left_out: BTreeSet<BlockId>,
    /// Number of decisions of the model at these branches.
    pub decisions: u128,
}

/// Changes that would make a method smaller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Offer {
    /// True if callees are inlined in it.
    pub has_inlined: bool,
    /// Branches whose probes are smaller without history.
    pub branches: Vec<Saving>,
}

/// Saving and cost of leaving out a branch's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Saving {
    pub block: BlockId,
    /// Saved code units.
    pub units: u32,
    /// Additional bits of log by the model's counts, in 1/65,536ths of a bit.
    pub bits: u128,
    /// Number of decisions in the model.
    pub decisions: u128,
}

impl Offer {
    /// Returns the changes that the method offers in its planned form.
    pub fn of(inputs: &BuildContext<'_>, id: SubjectId) -> Offer {
        let subject = inputs.selection.open(inputs.program, id);
        let refs = &inputs.refs[inputs.program.class(inputs.program.method(subject.no).class).dex];
        let probes = Probes { refs, scratch: subject.layout.scratch, in_place: false };
        let numbers = &inputs.numbers[id];
        let codec = inputs.recording;
        let comparisons = Comparisons::new(&subject);
        let saving = |&(block, _): &(BlockId, u64)| {
            let known = numbers.known.get(block).copied().flatten()?;
            let freqs = numbers.freqs.of(block);
            let even = quantised(&vec![0; freqs.len()]);
            let ways = subject.cfg.block(block).end.successors();
            let comparison = comparisons.at(block);
            let units = |freqs: &[u16]| -> u32 {
                let constants = codec.edges(freqs, ways);
                let compared = comparison.and_then(|c| probes.compared(&constants, c));
                let both = || constants.iter().flat_map(|&c| probes.symbol(c)).collect();
                compared.unwrap_or_else(both).iter().map(|insn| insn.op.units()).sum()
            };
            let taken = known.counts();
            Some(Saving {
                block,
                units: units(freqs).checked_sub(units(&even)).filter(|&units| units > 0)?,
                bits: bits_of(codec, &taken, &even).saturating_sub(bits_of(codec, &taken, freqs)),
                decisions: taken.iter().map(|&n| u128::from(n)).sum(),
            })
        };
        let branches = subject.branches.iter().filter_map(saving).collect();
        Offer { has_inlined: inputs.selection.inlining[id].is_some(), branches }
    }
}

impl SmallerForm {
    /// Returns the next form of a method whose current form is `over` code units too large, or
    /// `None` if there is none. Calls come first, because ART can inline some of them by itself;
    /// then the history of branches, by the saved bits per unit of space, ascending.
    pub fn next(&self, offer: &Offer, over: u32) -> Option<SmallerForm> {
        let mut next = self.clone();
        if offer.has_inlined && !self.calls_stay {
            next.calls_stay = true;
            return Some(next);
        }
        let mut branches: Vec<&Saving> = offer.branches.iter().collect();
        branches.sort_by(|a, b| {
            let per = |x: &Saving, y: &Saving| x.bits.saturating_mul(y.units.into());
            per(a, b).cmp(&per(b, a)).then(a.block.0.cmp(&b.block.0))
        });
        // Some jumps get shorter or longer as well.
        let mut rest = u64::from(over) + u64::from(over) / 8;
        for saving in branches {
            next.left_out.insert(saving.block);
            next.decisions = next.decisions.saturating_add(saving.decisions);
            rest = rest.saturating_sub(saving.units.into());
            if rest == 0 {
                break;
            }
        }
        (next != *self).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saving(block: u32, units: u32, bits: u128) -> Saving {
        Saving { block: BlockId(block), units, bits, decisions: 10 }
    }

    fn left_out(form: Option<SmallerForm>) -> Vec<u32> {
        form.map_or(Vec::new(), |f| f.left_out.iter().map(|b| b.0).collect())
    }

    #[test]
    fn calls_stay_first() {
        let offer = Offer { has_inlined: true, branches: vec![saving(1, 4, 0)] };
        let first = SmallerForm::default().next(&offer, 4).expect("a form");
        assert!(first.calls_stay && first.left_out.is_empty());
        assert_eq!(left_out(first.next(&offer, 4)), [1], "if keeping calls was not enough");
    }

    #[test]
    fn history_that_saves_few_bits_for_its_space_goes_first_and_no_more_than_needed() {
        let branches = vec![saving(1, 4, 400), saving(2, 4, 8), saving(3, 2, 2), saving(4, 4, 401)];
        let offer = Offer { has_inlined: false, branches };
        assert_eq!(left_out(SmallerForm::default().next(&offer, 2)), [3]);
        assert_eq!(left_out(SmallerForm::default().next(&offer, 5)), [2, 3]);
        let all = SmallerForm::default().next(&offer, 100).expect("a form");
        assert_eq!(all.left_out.len(), 4);
        assert_eq!(all.decisions, 40);
    }

    #[test]
    fn a_method_that_offers_nothing_has_no_other_form() {
        assert_eq!(SmallerForm::default().next(&Offer::default(), 1), None);
        let form = SmallerForm { calls_stay: true, ..SmallerForm::default() };
        assert_eq!(form.next(&Offer { has_inlined: true, branches: Vec::new() }, 1), None);
    }
}
