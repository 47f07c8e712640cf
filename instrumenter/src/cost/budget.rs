//! Limits that a build must hold, and the choice of methods that are left without probes for them.
//!
//! A round instruments all methods that are not left yet, measures them, and names the methods to
//! leave next; the choice is deterministic. Sizes are measured in the written bytes; only the
//! *future* saving of leaving a method is an estimate, and the next round measures it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use dex::IndexMap;
use model::price::BIT;
use rayon::prelude::*;

use crate::analysis::program::{MethodNo, Program};
use crate::art::{COMPILE_UNITS, INLINE_UNITS};
use crate::cost::forecast::{
    Crossing, Forecast, GivenUp, LimitKind, RuntimeShare, Shortfall, Simplified, Unreachable,
};
use crate::cost::measured::{MeasuredMethod, Round};
use crate::cost::order::per;
use crate::cost::quieter::PredictedLog;
use crate::cost::size_search::{SearchStep, SizeSearch};
use crate::cost::slowdown::InstrumentedMethods;
use crate::cost::smaller_form::{Offer, SmallerForm};
use crate::options::{HugeMethods, Limits};
use crate::plan::by_subject::SubjectId;
use crate::plan::subject::SkipReason;
use crate::rewrite::{BuildContext, weave};

/// Number of rounds before all methods that still help are left at once.
const PATIENT_ROUNDS: u32 = 8;

/// Number of branches per call in the app up to which a huge method without counts keeps its
/// probes: an announced call costs about 38 bits, a branch of even odds one.
const BRANCHES_PER_CALL: u32 = 16;

/// Largest acceptable slowdown of the app's own code by interpreting a huge method, relative to
/// leaving the method without probes.
const AFFORDABLE: f64 = 2.0;

/// Treatment of a method that passes [`COMPILE_UNITS`] and cannot be made smaller.
enum Verdict {
    Leave,
    Keep,
    /// The whole build has to be measured before the decision.
    Measure,
}

/// Consequence of a round's measurements.
pub(crate) enum Review {
    Holds(Box<Forecast>),
    /// Leave the first methods, and instrument the second, which were left before.
    GiveUp(Vec<(MethodNo, SkipReason)>, Vec<MethodNo>),
    /// Make these methods smaller.
    Simplify(Forms),
    /// Inline every call that can be inlined.
    InlineMore,
    Fails(Unreachable),
}

/// Decisions on methods that pass [`COMPILE_UNITS`].
#[derive(Debug, Default)]
pub(crate) struct HugeOverrides {
    /// Methods to leave without probes.
    pub leave: BTreeMap<MethodNo, SkipReason>,
    /// Smaller forms to try.
    pub forms: Forms,
    /// Methods that may exceed the size: they keep their probes, or the whole build has to be
    /// measured first.
    pub oversized: Vec<MethodNo>,
}

/// Smaller forms of methods.
type Forms = BTreeMap<MethodNo, SmallerForm>;

/// State of all rounds of a job.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    rounds: u32,
    /// True if the model matched any of the code, in any round.
    by_model: bool,
    /// All methods that a round instrumented, as measured by the last such round.
    entries: BTreeMap<MethodNo, MeasuredMethod>,
    /// Methods left without probes.
    left: BTreeMap<MethodNo, SkipReason>,
    /// Methods that pass [`COMPILE_UNITS`] and keep their probes because of their costs.
    kept_huge: BTreeSet<MethodNo>,
    /// Keys and forms of the methods that were made smaller.
    plainer: BTreeMap<MethodNo, (Box<str>, SmallerForm)>,
    /// Search for a size, and the number of methods that this round leaves for it.
    search: Option<(SizeSearch, usize)>,
    /// True if all calls that can be inlined are inlined by now, to reduce the run time.
    inlined_more: bool,
}

impl Budget {
    pub fn new(limits: Limits) -> Budget {
        Budget {
            limits,
            rounds: 0,
            by_model: false,
            entries: BTreeMap::new(),
            left: BTreeMap::new(),
            kept_huge: BTreeSet::new(),
            plainer: BTreeMap::new(),
            search: None,
            inlined_more: false,
        }
    }

    /// Decides on a round's measurements.
    pub fn review(&mut self, mut round: Round) -> Review {
        self.rounds += 1;
        self.by_model |= round.has_model;
        for (no, entry) in std::mem::take(&mut round.entries) {
            self.entries.insert(no, entry);
        }
        let HugeOverrides { mut leave, forms, .. } =
            self.beyond_compiling(Some(round.announcement));
        if !forms.is_empty() {
            // The next round measures the methods that would be left now again.
            return Review::Simplify(forms);
        }
        // Limits are handled one at a time: methods left for one limit change the need of the
        // other.
        if leave.is_empty()
            && let Some(limit) = self.limits.size_growth
        {
            let allowed = (round.dex_before as f64 * limit) as u64;
            match self.search_size(allowed, round.dex_after) {
                SearchStep::Done => {}
                SearchStep::Leave(count) => return self.leave_first(count),
                SearchStep::Unreachable => {
                    let least = round.dex_after as f64 / round.dex_before.max(1) as f64;
                    let runtime = match round.runtime {
                        0 => RuntimeShare::Merged,
                        bytes => RuntimeShare::Added(bytes),
                    };
                    let shortfall = Shortfall::Size { least, runtime };
                    return Review::Fails(Unreachable { limit, shortfall });
                }
            }
        }
        if leave.is_empty()
            && let Some(limit) = self.limits.log_rate
        {
            let allowed = (self.executed() as f64 * limit / 1000.0 * BIT as f64) as u128;
            let bits = self.log(&round).bits().sum();
            if bits > allowed {
                leave = self.log(&round).quieter(allowed, self.patient());
                if leave.is_empty() {
                    let shortfall = Shortfall::Rate { least: self.rate(bits) };
                    return Review::Fails(Unreachable { limit, shortfall });
                }
            }
        }
        if leave.is_empty()
            && let Some(limit) = self.limits.slowdown
        {
            let seen = self.seen();
            let Some(over) = seen.over(limit) else {
                return Review::Fails(Unreachable { limit, shortfall: Shortfall::Unknown });
            };
            if over > 0 && !self.inlined_more {
                self.inlined_more = true;
                return Review::InlineMore;
            }
            if over > 0 {
                leave = seen.faster(over, self.patient());
                if leave.is_empty() {
                    let least = seen.run_time(self.inlined_more).map_or(1.0, |t| t.compiled);
                    let shortfall = Shortfall::Slowdown { least };
                    return Review::Fails(Unreachable { limit, shortfall });
                }
            }
        }
        if leave.is_empty() {
            return Review::Holds(Box::new(self.forecast(&round)));
        }
        self.left.extend(leave.iter().map(|(no, reason)| (*no, reason.clone())));
        Review::GiveUp(leave.into_iter().collect(), Vec::new())
    }

    /// Decides on the measurements of methods that are [too large](too_large): makes them smaller,
    /// leaves them, or accepts their size.
    pub fn too_large(&mut self, round: Round) -> HugeOverrides {
        self.by_model |= round.has_model;
        // An earlier round's measurements of the other methods may be outdated.
        self.entries.retain(|no, _| self.left.contains_key(no));
        self.entries.extend(round.entries);
        let overrides = self.beyond_compiling(None);
        self.left.extend(overrides.leave.iter().map(|(no, reason)| (*no, reason.clone())));
        overrides
    }

    /// Decides on methods that pass [`COMPILE_UNITS`]. `announcement` is the price of an announced
    /// call, available once the whole build has been measured.
    fn beyond_compiling(&mut self, announcement: Option<u128>) -> HugeOverrides {
        let mut overrides = HugeOverrides::default();
        let is_open = |(no, e): &(MethodNo, &MeasuredMethod)| {
            crosses(e, COMPILE_UNITS) && !self.kept_huge.contains(no)
        };
        if self.limits.huge == HugeMethods::Keep {
            return overrides;
        }
        let (mut smaller, mut kept) = (Vec::new(), Vec::new());
        for (no, e) in self.kept().filter(is_open) {
            let now = self.plainer.get(&no).map(|(_, form)| form.clone()).unwrap_or_default();
            let over = e.after.units.saturating_sub(COMPILE_UNITS);
            if let Some(form) = e.offer.as_ref().and_then(|offer| now.next(offer, over)) {
                smaller.push((no, (e.key.clone().unwrap_or_default(), form.clone())));
                overrides.forms.insert(no, form);
                continue;
            }
            match self.verdict(no, e, announcement) {
                Verdict::Leave => {
                    let (before, after) = (e.before.units, e.after.units);
                    overrides.leave.insert(no, SkipReason::Huge { before, after });
                }
                Verdict::Keep => kept.push(no),
                Verdict::Measure => overrides.oversized.push(no),
            }
        }
        self.plainer.extend(smaller);
        for no in kept {
            self.kept_huge.insert(no);
            overrides.oversized.push(no);
            // The method gets back the history that its smaller form omitted.
            if let Some((_, form)) = self.plainer.remove(&no) {
                overrides.forms.insert(no, SmallerForm { left_out: BTreeSet::new(), ..form });
            }
        }
        overrides
    }

    /// Compares the costs of leaving and of keeping a method that passes [`COMPILE_UNITS`].
    fn verdict(&self, no: MethodNo, e: &MeasuredMethod, announcement: Option<u128>) -> Verdict {
        if self.limits.huge == HugeMethods::Leave {
            return Verdict::Leave;
        }
        if !e.has_counts() || !self.by_model {
            // Without counts the decision rests on the code alone.
            return match e.calls.saturating_mul(BRANCHES_PER_CALL) >= e.branches {
                true => Verdict::Keep,
                false => Verdict::Leave,
            };
        }
        let Some(announcement) = announcement else { return Verdict::Measure };
        let is_affordable = |slower: f64| slower <= AFFORDABLE;
        let round = Round { announcement, ..Round::default() };
        let grows = self.log(&round).announced(no, e) > e.cost().bits;
        match grows && self.seen().interpreted_per_left(no).is_none_or(is_affordable) {
            true => Verdict::Keep,
            false => Verdict::Leave,
        }
    }

    fn seen(&self) -> InstrumentedMethods<'_> {
        InstrumentedMethods { entries: &self.entries, left: &self.left }
    }

    fn kept(&self) -> impl Iterator<Item = (MethodNo, &MeasuredMethod)> {
        self.entries.iter().filter(|(no, _)| !self.left.contains_key(no)).map(|(no, e)| (*no, e))
    }

    /// Returns the number of branches that the app executes, according to the counts.
    fn executed(&self) -> u128 {
        self.entries.values().map(|e| e.cost().decisions).sum()
    }

    /// Returns the next step of the search for the size limit, after a round that wrote `bytes`.
    fn search_size(&mut self, allowed: u64, bytes: u64) -> SearchStep {
        let step = match &mut self.search {
            Some((search, left)) => search.measured(*left, bytes),
            None if bytes <= allowed => SearchStep::Done,
            None => {
                let search = SizeSearch::new(self.by_worth(), allowed, bytes);
                let step = search.begin();
                self.search = Some((search, 0));
                step
            }
        };
        match (&mut self.search, step) {
            (Some((_, left)), SearchStep::Leave(count)) => *left = count,
            // Another limit may still change the need of this one.
            _ => self.search = None,
        }
        step
    }

    /// Leaves the first methods of the search's order, and no others because of the size.
    fn leave_first(&mut self, count: usize) -> Review {
        let Some((search, _)) = &self.search else { return Review::GiveUp(Vec::new(), Vec::new()) };
        let leave = search.left(count).iter().filter(|no| !self.left.contains_key(no)).copied();
        let leave: Vec<_> = leave.map(|no| (no, SkipReason::Size)).collect();
        // Methods that another limit has meanwhile left stay left.
        let by_size = |no: &MethodNo| self.left.get(no) == Some(&SkipReason::Size);
        let back: Vec<_> = search.behind(count).iter().copied().filter(by_size).collect();
        back.iter().for_each(|no| drop(self.left.remove(no)));
        self.left.extend(leave.iter().cloned());
        Review::GiveUp(leave, back)
    }

    /// Returns methods in the order in which they are left for the size, with their estimated
    /// saving in bytes: by the number of executed branches per byte, ascending. Methods that never
    /// ran (and all methods without a model) are ordered by the number of branches and calls per
    /// byte.
    fn by_worth(&self) -> Vec<(MethodNo, u64)> {
        let mut candidates: Vec<(MethodNo, &MeasuredMethod)> =
            self.kept().filter(|(_, e)| e.saved() > 0).collect();
        candidates.sort_by(|(a_no, a), (b_no, b)| {
            let (sa, sb) = (u128::from(a.saved()), u128::from(b.saved()));
            let seen = per(a.cost().decisions, sa, b.cost().decisions, sb);
            let events = |e: &MeasuredMethod| u128::from(e.branches + e.calls);
            seen.then(per(events(a), sa, events(b), sb)).then(sb.cmp(&sa)).then(a_no.cmp(b_no))
        });
        candidates.into_iter().map(|(no, e)| (no, e.saved())).collect()
    }

    fn patient(&self) -> bool {
        self.rounds < PATIENT_ROUNDS
    }

    /// Returns the predicted log of the methods that have probes now.
    fn log(&self, round: &Round) -> PredictedLog<'_> {
        PredictedLog::new(&self.entries, &self.left, round)
    }

    /// Returns the bits of the log without a model, for the sessions of the model.
    fn even_bits(&self, round: &Round) -> u128 {
        let kept = self.kept().map(|(_, e)| {
            e.cost().even_bits
                + u128::from(e.announced) * round.announcement
                + u128::from(e.callbacks) * round.even_callback
        });
        let left = self.log(round).left_announced();
        kept.sum::<u128>() + round.even_slot_bits + left
    }

    /// Converts to bits per 1,000 executed branches.
    fn rate(&self, bits: u128) -> f64 {
        bits as f64 / BIT as f64 * 1000.0 / self.executed().max(1) as f64
    }

    /// Converts to a share of all executed branches.
    fn share(&self, decisions: u128) -> f64 {
        decisions as f64 / self.executed().max(1) as f64
    }

    fn forecast(&self, round: &Round) -> Forecast {
        let log = self.log(round);
        let bits = log.bits();
        let kept = || self.kept().map(|(_, e)| e);
        let grown: u64 = kept().map(|e| u64::from(e.after.units)).sum();
        let small: u64 = kept().map(|e| u64::from(e.before.units)).sum();
        let crossing = |(no, e): (&MethodNo, &MeasuredMethod)| Crossing {
            method: e.key.as_deref().unwrap_or_default().to_owned(),
            before: e.before.units,
            after: e.after.units,
            left: self.left.contains_key(no),
            share: if self.by_model { self.share(e.cost().decisions) } else { 0.0 },
            announced_rate: (self.by_model && e.has_counts())
                .then(|| self.rate(log.announced(*no, e))),
        };
        let simplified = |(no, (method, form)): (&MethodNo, &(Box<str>, SmallerForm))| {
            let e = self.entries.get(no).filter(|_| !self.left.contains_key(no))?;
            Some(Simplified {
                method: method.as_ref().into(),
                before: e.before.units,
                after: e.after.units,
                calls_stay: form.calls_stay,
                branches: form.left_out.len(),
                share: self.share(form.decisions),
            })
        };
        let limit_of = |reason: &SkipReason| match reason {
            SkipReason::Huge { .. } => LimitKind::HugeMethods,
            SkipReason::Size => LimitKind::SizeGrowth,
            SkipReason::Slow => LimitKind::Slowdown,
            _ => LimitKind::LogRate,
        };
        let limits = [
            LimitKind::HugeMethods,
            LimitKind::SizeGrowth,
            LimitKind::LogRate,
            LimitKind::Slowdown,
        ];
        let given_up = limits.into_iter().map(|limit| {
            let left = || {
                self.left
                    .iter()
                    .filter(|(_, reason)| limit_of(reason) == limit)
                    .filter_map(|(no, _)| self.entries.get(no))
            };
            let lost: u128 = left().map(|e| e.cost().decisions).sum();
            GivenUp {
                limit,
                methods: left().count(),
                branches: left().map(|e| e.branches as usize).sum(),
                share: self.share(lost),
            }
        });
        Forecast {
            by_model: self.by_model,
            executed: if self.by_model {
                self.executed().try_into().unwrap_or(u64::MAX)
            } else {
                0
            },
            log_rate: self.rate(bits.sum()),
            rate_without_model: if self.by_model { self.rate(self.even_bits(round)) } else { 0.0 },
            branch_rate: self.rate(bits.branches),
            call_rate: self.rate(bits.slots),
            announced_rate: self.rate(bits.announced),
            callback_rate: self.rate(bits.callbacks),
            announcement: (round.announcement / BIT) as u32,
            units_before: round.units_before,
            units_after: round.units_before + grown - small.min(round.units_before + grown),
            dex_before: round.dex_before,
            dex_after: round.dex_after,
            run_time: self.seen().run_time(self.inlined_more),
            beyond_inlining: kept().filter(|e| crosses(e, INLINE_UNITS)).count(),
            beyond_compiling: self
                .entries
                .iter()
                .filter(|(_, e)| crosses(e, COMPILE_UNITS))
                .map(crossing)
                .collect(),
            simplified: self.plainer.iter().filter_map(simplified).collect(),
            given_up: given_up.filter(|g| g.methods > 0).collect(),
        }
    }
}

/// Returns true if probes push a method over a size limit of ART's compiler. A class initialiser
/// runs once and is interpreted whatever its size.
fn crosses(e: &MeasuredMethod, limit: u32) -> bool {
    e.before.units <= limit && e.after.units > limit && !e.initialiser
}

/// Adds keys and offers of smaller forms to the entries of methods that pass [`COMPILE_UNITS`].
pub(crate) fn describe_crossing(round: &mut Round, inputs: &BuildContext<'_>) {
    for (no, e) in round.entries.iter_mut().filter(|(_, e)| crosses(e, COMPILE_UNITS)) {
        e.key = Some(inputs.program.method_key(*no).into());
        e.offer = Some(Box::new(Offer::of(inputs, SubjectId::of(inputs.plan.ids[no]))));
    }
}

/// Finds methods that must be left because of [`COMPILE_UNITS`]; `Err` contains their measurements
/// alone. Only methods that were large before are searched, by their woven code: finding them by
/// building the map and writing all files would take as long again. (A smaller method may still
/// become too large, and a string's index, known only when the file is written, may have this
/// effect: those are found after writing.)
pub(crate) fn too_large(
    mut round: Round,
    limits: Limits,
    oversized: &BTreeSet<MethodNo>,
    inputs: &BuildContext<'_>,
) -> Result<Round, Box<Round>> {
    // Probes never make a method eight times as large.
    const UNITS: u32 = COMPILE_UNITS / 8;
    if limits.huge == HugeMethods::Keep {
        return Ok(round);
    }
    let indices = OnceLock::new();
    let is_open = |no: &MethodNo| !oversized.contains(no);
    let large = |(no, e): &&mut (MethodNo, MeasuredMethod)| e.before.units >= UNITS && is_open(no);
    round.entries.par_iter_mut().filter(large).for_each(|(no, e)| {
        let i = SubjectId::of(inputs.plan.ids[no]);
        let code = weave(&inputs.selection.open_woven(inputs.program, i), &inputs.of(i));
        let indices = indices.get_or_init(|| provisional_indices(inputs.program));
        let size = dex::lower(&code, indices).and_then(|item| item.size());
        e.after = size.unwrap_or_default();
    });
    let is_too_large =
        |(no, e): &(MethodNo, MeasuredMethod)| crosses(e, COMPILE_UNITS) && is_open(no);
    if !round.entries.iter().any(is_too_large) {
        return Ok(round);
    }
    round.entries.retain(is_too_large);
    Err(Box::new(round))
}

/// Returns indices as they are before the files are sorted: as wide as the final ones, except that
/// all strings are within reach of the short form of `const-string`.
fn provisional_indices(program: &Program) -> IndexMap {
    let strings = program.files.iter().map(|f| f.dex.strings.len()).max().unwrap_or(0);
    let strings = (0..(strings as u32).max(1 << 16)).map(|i| i.min(0xffff)).collect();
    IndexMap { strings, ..IndexMap::identity_of_size(1 << 16) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use dex::{Dex, DexString, Version};

    use super::*;
    use crate::instrument::instrument_checked;
    use crate::options::{Options, RuntimeHome};
    use crate::rewrite::check::WovenMethod;

    /// Builds a method that probes make larger than ART compiles, in a file with more strings than
    /// 16-bit indices can address; the method refers to the last of them.
    fn huge_method_among_strings() -> Vec<u8> {
        let branches: String =
            (0..2_500).map(|i| format!("    if-nez p0, :l{i}\n    nop\n:l{i}\n")).collect();
        let text = format!(
            ".class public Lp/C;\n.super Ljava/lang/Object;\n.method static grows(I)V\n\
             .code registers=2 ins=1 outs=0\n    const-string v0, \"zzz\"\n{branches}\
             \x20   return-void\n.end method\n"
        );
        let mut dex = Dex::new(Version(35));
        dex::text::parse_classes(&text, &mut dex).expect("parses");
        for i in 0..70_000 {
            dex.strings.push(DexString(format!("s{i:05}").into_bytes().into()));
        }
        dex.write().expect("writes")
    }

    #[test]
    fn a_huge_method_is_found_before_it_is_written_for_any_number_of_strings() {
        static WRITTEN: AtomicUsize = AtomicUsize::new(0);
        let count = |_: &WovenMethod<'_>| {
            WRITTEN.fetch_add(1, Relaxed);
            None
        };
        let files = vec![("classes.dex".to_owned(), huge_method_among_strings())];
        let home = RuntimeHome::OwnFile;
        let out = instrument_checked(files, home, "", None, &Options::default(), &count);
        let report = out.expect("instruments").report;
        assert!(report.skipped[0].reason.starts_with("would grow from "), "{:?}", report.skipped);
        assert_eq!(WRITTEN.load(Relaxed), 0);
    }

    #[test]
    fn a_smaller_search_takes_back_only_methods_that_it_left_itself() {
        let mut budget = Budget::new(Limits::default());
        let order = (0..6).map(|i| (MethodNo(i), 100)).collect();
        budget.search = Some((SizeSearch::new(order, 1_000, 2_000), 0));
        let Review::GiveUp(leave, back) = budget.leave_first(4) else { panic!("it gives up") };
        assert_eq!((leave.len(), back.len()), (4, 0));
        // Another limit leaves a method that the search had left, and one that it had not.
        budget.left.insert(MethodNo(3), SkipReason::Rate);
        budget.left.insert(MethodNo(5), SkipReason::Rate);
        let Review::GiveUp(leave, back) = budget.leave_first(2) else { panic!("it gives up") };
        assert_eq!((leave.len(), back), (0, vec![MethodNo(2)]));
    }
}
