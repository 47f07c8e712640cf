//! The limit of the run time: the time of a build's probes, and the methods to leave.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::analysis::program::MethodNo;
use crate::cost::forecast::{ExpensiveMethod, RunTime};
use crate::cost::measured::MeasuredMethod;
use crate::cost::order::{per, take};
use crate::cost::prices::{ProbeComponent, Time};
use crate::plan::subject::SkipReason;

/// Largest number of methods that are listed.
const MOST_EXPENSIVE: usize = 10;

/// All methods that a round instrumented, and those that are left.
#[derive(Clone, Copy)]
pub(crate) struct InstrumentedMethods<'a> {
    pub entries: &'a BTreeMap<MethodNo, MeasuredMethod>,
    pub left: &'a BTreeMap<MethodNo, SkipReason>,
}

impl InstrumentedMethods<'_> {
    /// Returns the time without probes; zero if no run is known.
    fn work(&self) -> Time {
        self.entries.values().filter_map(|e| Some(e.time.as_ref()?.work)).sum()
    }

    /// Returns the time of the probes, and of the announcements by methods without probes.
    fn probes(&self) -> Time {
        let each = self.entries.iter().map(|(no, e)| match (self.left.contains_key(no), &e.time) {
            (false, Some(time)) => time.probes.time(),
            (true, _) => self.announced(*no, e),
            (false, None) => Time::default(),
        });
        each.sum()
    }

    /// Returns the time for announcing a method's calls if the method has no probes and its callees
    /// have some.
    fn announced(&self, no: MethodNo, e: &MeasuredMethod) -> Time {
        let Some(time) = &e.time else { return Time::default() };
        let has_probes =
            |m: &MethodNo| *m != no && self.entries.contains_key(m) && !self.left.contains_key(m);
        let calls = time.calls.iter().filter(|(targets, _)| targets.iter().any(has_probes));
        calls.map(|(_, n)| ProbeComponent::Announced.price().times(*n)).sum()
    }

    /// Returns the time of the app's own code if ART compiles all of it but `no`, which it
    /// interprets with its probes, per time with `no` compiled and without probes. Returns `None`
    /// without counts.
    pub fn interpreted_per_left(&self, no: MethodNo) -> Option<f64> {
        let e = self.entries.get(&no)?;
        let (work, probes) = e.time.as_ref().map(|t| (t.work, t.probes.time()))?;
        let all = self.work().compiled + self.probes().compiled;
        let others = all.saturating_sub(work.compiled + probes.compiled);
        let kept = others + work.interpreted + probes.interpreted;
        let left = others + work.compiled + self.announced(no, e).compiled;
        (left > 0).then(|| kept as f64 / left as f64)
    }

    /// Returns the time above a limit in picoseconds of compiled code, or `None` without counts.
    pub fn over(&self, limit: f64) -> Option<u128> {
        let work = self.work().compiled;
        let allowed = (work as f64 * limit) as u128;
        (work > 0).then(|| work.saturating_add(self.probes().compiled).saturating_sub(allowed))
    }

    /// Chooses methods to leave so that `over` picoseconds are saved: by the number of executed
    /// branches per picosecond, ascending.
    pub fn faster(&self, over: u128, patient: bool) -> BTreeMap<MethodNo, SkipReason> {
        let saved = |no: MethodNo, e: &MeasuredMethod| {
            let probes = e.time.as_ref().map_or(0, |t| t.probes.time().compiled);
            probes.saturating_sub(self.announced(no, e).compiled)
        };
        let kept = self.entries.iter().filter(|(no, _)| !self.left.contains_key(no));
        let mut candidates: Vec<(MethodNo, &MeasuredMethod, u128)> =
            kept.map(|(no, e)| (*no, e, saved(*no, e))).filter(|c| c.2 > 0).collect();
        candidates.sort_by(|(a_no, a, sa), (b_no, b, sb)| {
            per(a.cost().decisions, *sa, b.cost().decisions, *sb)
                .then(sb.cmp(sa))
                .then(a_no.cmp(b_no))
        });
        let candidates = candidates.into_iter().map(|(no, e, _)| (no, e)).collect();
        take(candidates, SkipReason::Slow, over, patient, saved)
    }

    /// Returns the prediction to report, or `None` without counts.
    pub fn run_time(&self, inlined_more: bool) -> Option<RunTime> {
        let (work, probes) = (self.work(), self.probes());
        let ratio = |added: u128, work: u128| match work {
            0 => 0.0,
            _ => 1.0 + added as f64 / work as f64,
        };
        let kept = self.entries.iter().filter(|(no, _)| !self.left.contains_key(no));
        let mut methods: Vec<_> =
            kept.filter_map(|(no, e)| Some((*no, e.key.as_deref()?, e.time.as_deref()?))).collect();
        methods.sort_by_key(|(no, _, time)| (Reverse(time.probes.time().compiled), *no));
        let most_expensive =
            methods.into_iter().take(MOST_EXPENSIVE).map(|(_, method, time)| ExpensiveMethod {
                method: method.to_owned(),
                entries: time.entries,
                added: time.probes.time().compiled as f64 / work.compiled.max(1) as f64,
                compiled: ratio(time.probes.time().compiled, time.work.compiled),
            });
        (work.compiled > 0).then(|| RunTime {
            compiled: ratio(probes.compiled, work.compiled),
            interpreted: ratio(probes.interpreted, work.interpreted),
            most_expensive: most_expensive.collect(),
            inlined_more,
        })
    }
}
