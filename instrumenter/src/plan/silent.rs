//! Choice of silent branches: branches whose likely alternative leaves no trace. The other
//! alternatives write a deviation, which costs far more than a symbol.
//!
//! A deviation has no place of its own: the decoder walks to the progress that it names, and on
//! along likely alternatives until the branch comes. So between two counts of progress a walk may
//! meet each block once only. [`unproven`] sees to that.

use std::collections::{BTreeMap, BTreeSet};

use model::map::BlockId;
use model::recording::Recording;
use model::silent::deviation_bits;

use crate::analysis::program::Program;
use crate::cost::price::{BIT, bits_of};
use crate::options::{Options, SilentLikely};
use crate::plan::by_subject::SubjectId;
use crate::plan::distributions::{Histories, quantised};
use crate::plan::regions::{BlockRole, MIN_WAYS};
use crate::plan::subject::{Selection, Subject, Summary, scratch_count};
use crate::rewrite::registers::RegisterLayout;

/// Bits of a deviation in the log: the escape, its kind, its position and its number.
pub(crate) const PRICE: u128 = 27;
/// Largest number of blocks that a walk may pass without a symbol or a count of progress: the
/// decoder looks 64 blocks ahead, and inlined callees lengthen the walk.
const MAX_STRETCH: usize = 24;
/// Millionths in a share.
const MILLION: u128 = 1_000_000;

/// A branch that could be silent.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    subject: SubjectId,
    block: BlockId,
    likely: u16,
    /// Decisions in the model, and those for other alternatives than the likely one.
    decisions: u128,
    deviations: u128,
}

/// Chooses the silent branches of a build, if its options ask for them.
pub(crate) fn mark(
    program: &Program,
    selection: &mut Selection,
    histories: &Histories<'_>,
    options: &Options,
) {
    let Some(wanted) = options.silent_likely() else { return };
    if selection.recording != Recording::ARITH {
        return;
    }
    let found = selection.subjects.map(|i, s| candidates(i, s, histories, wanted));
    let log = found.iter().fold(0, |sum: u128, (bits, _)| sum.saturating_add(*bits));
    let mut all: Vec<Candidate> = found.iter().flat_map(|(_, all)| all.iter().copied()).collect();
    // The rarest deviations first; the order of the app among equals.
    all.sort_by(|a, b| {
        (a.deviations.saturating_mul(b.decisions)).cmp(&b.deviations.saturating_mul(a.decisions))
    });
    let limit = log.saturating_mul(wanted.share.into()) / MILLION;
    let mut spent: u128 = 0;
    all.retain(|c| {
        let more = spent.saturating_add(c.deviations.saturating_mul(PRICE * BIT));
        let fits = more <= limit;
        spent = if fits { more } else { spent };
        fits
    });
    let mut chosen: BTreeMap<SubjectId, Vec<(BlockId, u16)>> = BTreeMap::new();
    for c in all {
        chosen.entry(c.subject).or_default().push((c.block, c.likely));
    }
    chosen.values_mut().for_each(|of| of.sort_unstable());
    let planned =
        selection.subjects.par_map(|i, s| silenced(program, selection, i, s, chosen.get(&i)?));
    let mut most = 0;
    for (summary, planned) in selection.subjects.iter_mut().zip(planned) {
        let Some(planned) = planned else { continue };
        most = most.max(planned.deviations);
        summary.silent = planned.silent.into();
        summary.regions = planned.regions;
        summary.loops = planned.loops;
        summary.layout = planned.layout;
    }
    selection.deviation_bits = if most > 0 { deviation_bits(most) } else { 0 };
}

/// Returns the expected bits of a method's branches, and its branches that could be silent.
fn candidates(
    subject: SubjectId,
    s: &Summary,
    histories: &Histories<'_>,
    wanted: SilentLikely,
) -> (u128, Vec<Candidate>) {
    let mut bits: u128 = 0;
    let mut found = Vec::new();
    // Field instructions, which a deviation needs, reach only low registers.
    let fits = s.layout.scratch.low && !s.needs_free && !s.leaf && !s.implied;
    for b in &s.branches {
        let Some(known) = histories.of(subject).get(b.block).copied().flatten() else { continue };
        let counts = known.trusted();
        let (all, most) = (sum(&counts), counts.iter().copied().max().unwrap_or(0));
        if all == 0 {
            continue;
        }
        bits = bits.saturating_add(bits_of(Recording::ARITH, &counts, &quantised(&counts)));
        let likely = counts.iter().position(|&n| n == most).and_then(|i| u16::try_from(i).ok());
        let share = u128::from(most).saturating_mul(MILLION);
        let is_likely = share >= all.saturating_mul(wanted.likely.into());
        let (Some(likely), true) = (likely, fits && is_likely) else { continue };
        if all >= wanted.decisions.into() && (b.ways as usize) < MIN_WAYS {
            let deviations = all - u128::from(most);
            found.push(Candidate { subject, block: b.block, likely, decisions: all, deviations });
        }
    }
    (bits, found)
}

fn sum(counts: &[u64]) -> u128 {
    counts.iter().map(|&n| u128::from(n)).sum()
}

/// Changes to a method by its silent branches.
struct Silenced {
    silent: Vec<(BlockId, u16)>,
    deviations: usize,
    regions: u32,
    loops: u32,
    layout: RegisterLayout,
}

/// Returns the silent branches of a method, of those that are wanted; `None` if none is left.
fn silenced(
    program: &Program,
    selection: &Selection,
    subject: SubjectId,
    s: &Summary,
    wanted: &[(BlockId, u16)],
) -> Option<Silenced> {
    let plain = selection.open(program, subject);
    let is_counted =
        |b: BlockId| matches!(plain.paths.role(b), BlockRole::Branch(_) | BlockRole::Cycle(..));
    let mut silent: Vec<_> = wanted.iter().copied().filter(|w| !is_counted(w.0)).collect();
    let opened = loop {
        if silent.is_empty() {
            return None;
        }
        let opened = selection.open_with(program, subject, &silent);
        match unproven(&opened) {
            None => break opened,
            Some(coded) => silent.retain(|(block, _)| !coded.contains(block)),
        }
    };
    let layout = match s.has_paths() && opened.paths.is_empty() {
        false => s.layout,
        true => {
            // The path register goes.
            let count = scratch_count(opened.leaf, opened.framed(), false);
            RegisterLayout::find(&opened.code, count).filter(|layout| layout.scratch.low)?
        }
    };
    let deviations = opened.cfg.blocks.iter().map(|b| b.deviations().count()).sum();
    Some(Silenced {
        silent,
        deviations,
        regions: opened.paths.regions.len() as u32,
        loops: opened.paths.loops.len() as u32,
        layout,
    })
}

/// Returns silent branches that must be coded, so that no walk along likely alternatives passes
/// too many blocks, or one block twice, without a symbol or a count; `None` if there are none.
fn unproven(s: &Subject) -> Option<BTreeSet<BlockId>> {
    let mut coded = BTreeSet::new();
    for start in (0..s.cfg.blocks.len()).map(|b| BlockId(b as u32)) {
        let mut at = start;
        let mut last_silent = None;
        for passed in 0.. {
            let block = s.cfg.block(at);
            let Some(next) = block.onward().filter(|_| !coded.contains(&at)) else { break };
            if block.silent.is_some() {
                last_silent = Some(at);
            }
            if s.cfg.block(next).mark {
                break;
            }
            at = next;
            if passed == MAX_STRETCH || at == start {
                coded.extend(last_silent);
                break;
            }
        }
    }
    (!coded.is_empty()).then_some(coded)
}
