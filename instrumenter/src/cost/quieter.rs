//! Choice of the methods that are left without probes so that the predicted log becomes small
//! enough: as few executed branches as possible for the bits.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::analysis::program::MethodNo;
use crate::cost::measured::{MeasuredMethod, Round};
use crate::cost::order::per;
use crate::plan::subject::SkipReason;

/// Bits of a predicted log, by kind, in 1/65,536ths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LogBits {
    pub branches: u128,
    pub slots: u128,
    pub announced: u128,
    pub callbacks: u128,
}

impl LogBits {
    pub fn sum(self) -> u128 {
        self.branches + self.slots + self.announced + self.callbacks
    }
}

/// A predicted log, for any choice of methods without probes.
pub(crate) struct PredictedLog<'a> {
    entries: &'a BTreeMap<MethodNo, MeasuredMethod>,
    left: BTreeSet<MethodNo>,
    /// Price of an announced call and of a callback.
    announcement: u128,
    callback: u128,
    slots: u128,
}

impl<'a> PredictedLog<'a> {
    pub fn new(
        entries: &'a BTreeMap<MethodNo, MeasuredMethod>,
        left: &BTreeMap<MethodNo, SkipReason>,
        round: &Round,
    ) -> PredictedLog<'a> {
        let left = left.keys().copied().collect();
        let Round { announcement, callback, slot_bits: slots, .. } = *round;
        PredictedLog { entries, left, announcement, callback, slots }
    }

    /// Returns the log's bits.
    pub fn bits(&self) -> LogBits {
        let mut bits = LogBits { slots: self.slots, ..LogBits::default() };
        for (no, e) in self.entries {
            if self.left.contains(no) {
                bits.announced += self.announced(*no, e);
            } else {
                bits.branches += e.cost().bits;
                bits.announced += u128::from(e.announced) * self.announcement;
                bits.callbacks += u128::from(e.callbacks) * self.callback;
            }
        }
        bits
    }

    /// Returns the cost of announcing a method's calls if the method has no probes and its callees
    /// have some.
    pub fn announced(&self, no: MethodNo, e: &MeasuredMethod) -> u128 {
        let has_probes =
            |m: &MethodNo| *m != no && self.entries.contains_key(m) && !self.left.contains(m);
        let calls = e.cost().calls.iter().filter(|(targets, _)| targets.iter().any(has_probes));
        calls.map(|(_, n)| u128::from(*n) * self.announcement).sum()
    }

    /// Returns the cost of announcing the calls of all methods without probes.
    pub fn left_announced(&self) -> u128 {
        let left = self.left.iter().filter_map(|no| Some((*no, self.entries.get(no)?)));
        left.map(|(no, e)| self.announced(no, e)).sum()
    }

    /// Returns the bits of a method with probes, less those of its calls without. Callers without
    /// probes announce its calls no more; that saving is not included.
    fn saved(&self, no: MethodNo, e: &MeasuredMethod) -> u128 {
        let own = e.cost().bits
            + u128::from(e.announced) * self.announcement
            + u128::from(e.callbacks) * self.callback;
        own.saturating_sub(self.announced(no, e))
    }

    /// Returns methods with probes that save bits, by the number of executed branches per bit,
    /// ascending.
    fn candidates(&self) -> Vec<MethodNo> {
        let kept = self.entries.iter().filter(|(no, _)| !self.left.contains(no));
        let saving = kept.map(|(no, e)| (*no, e.cost().decisions, self.saved(*no, e)));
        let mut all: Vec<_> = saving.filter(|(_, _, saved)| *saved > 0).collect();
        all.sort_by(|(a_no, a, sa), (b_no, b, sb)| {
            per(*a, *sa, *b, *sb).then(sb.cmp(sa)).then(a_no.cmp(b_no))
        });
        all.into_iter().map(|(no, ..)| no).collect()
    }

    /// Returns the methods to leave so that the log has `allowed` bits at most; without patience,
    /// all that save any. Each choice changes what others save: so the order is made anew after a
    /// quarter of it. At last, methods are taken back that need not be left, those with most
    /// executed branches first.
    pub fn quieter(mut self, allowed: u128, patient: bool) -> BTreeMap<MethodNo, SkipReason> {
        let entries = self.entries;
        let callers = self.callers();
        let mut bits = self.bits().sum();
        let mut chosen: Vec<MethodNo> = Vec::new();
        while bits > allowed || !patient {
            let candidates = self.candidates();
            if candidates.is_empty() {
                break;
            }
            for &no in &candidates[..candidates.len().div_ceil(4)] {
                if bits <= allowed && patient {
                    break;
                }
                bits = self.with(no, bits, &callers);
                chosen.push(no);
            }
        }
        if patient && bits <= allowed {
            let decisions = |no: &MethodNo| entries.get(no).map_or(0, |e| e.cost().decisions);
            chosen.sort_by_key(|no| (std::cmp::Reverse(decisions(no)), *no));
            chosen.retain(|no| {
                let back = self.without(*no, bits, &callers);
                if back > allowed {
                    self.left.insert(*no);
                    return true;
                }
                bits = back;
                false
            });
        }
        chosen.into_iter().map(|no| (no, SkipReason::Rate)).collect()
    }

    /// Returns the methods that call a method, by method.
    fn callers(&self) -> HashMap<MethodNo, Vec<MethodNo>> {
        let mut callers: HashMap<MethodNo, Vec<MethodNo>> = HashMap::new();
        for (no, e) in self.entries {
            let targets: BTreeSet<_> = e.cost().calls.iter().flat_map(|(to, _)| to).collect();
            targets.into_iter().for_each(|to| callers.entry(*to).or_default().push(*no));
        }
        callers
    }

    /// Leaves a method. Returns the bits of the log after that, given those before.
    fn with(
        &mut self,
        no: MethodNo,
        bits: u128,
        callers: &HashMap<MethodNo, Vec<MethodNo>>,
    ) -> u128 {
        let before = self.around(no, callers);
        self.left.insert(no);
        bits + self.around(no, callers) - before
    }

    /// Takes a method back. Returns the bits of the log after that, given those before.
    fn without(
        &mut self,
        no: MethodNo,
        bits: u128,
        callers: &HashMap<MethodNo, Vec<MethodNo>>,
    ) -> u128 {
        let before = self.around(no, callers);
        self.left.remove(&no);
        bits + self.around(no, callers) - before
    }

    /// Returns the bits that depend on a method's probes: its own, and those of its callers without
    /// probes.
    fn around(&self, no: MethodNo, callers: &HashMap<MethodNo, Vec<MethodNo>>) -> u128 {
        let Some(e) = self.entries.get(&no) else { return 0 };
        let own = match self.left.contains(&no) {
            true => self.announced(no, e),
            false => {
                e.cost().bits
                    + u128::from(e.announced) * self.announcement
                    + u128::from(e.callbacks) * self.callback
            }
        };
        let callers = callers.get(&no).into_iter().flatten();
        let callers = callers.filter(|caller| **caller != no && self.left.contains(caller));
        let announced =
            |caller: &MethodNo| self.entries.get(caller).map_or(0, |e| self.announced(*caller, e));
        own + callers.map(announced).sum::<u128>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::measured::MethodCost;

    fn method(decisions: u128, bits: u128, calls: &[(usize, u64)]) -> MeasuredMethod {
        let calls = calls.iter().map(|&(to, n)| (vec![MethodNo(to as u32)], n)).collect();
        MeasuredMethod {
            cost: Some(Box::new(MethodCost {
                decisions,
                bits,
                even_bits: bits,
                calls,
                ..MethodCost::default()
            })),
            key: None,
            offer: None,
            before: dex::BodySize::default(),
            after: dex::BodySize::default(),
            branches: 1,
            calls: 0,
            initialiser: false,
            announced: 0,
            callbacks: 0,
            time: None,
        }
    }

    fn left(methods: Vec<MeasuredMethod>, allowed: u128) -> (Vec<u32>, u128) {
        let entries: BTreeMap<MethodNo, MeasuredMethod> =
            (0..).map(MethodNo).zip(methods).collect();
        let round = Round { announcement: 40, callback: 30, ..Round::default() };
        let log = PredictedLog::new(&entries, &BTreeMap::new(), &round);
        let chosen = log.quieter(allowed, true);
        let log = PredictedLog::new(&entries, &chosen, &round);
        (chosen.keys().map(|no| no.0).collect(), log.bits().sum())
    }

    /// The first choice saves most per branch, but the second one alone saves enough.
    #[test]
    fn methods_that_need_not_be_left_are_taken_back() {
        // 100 bits for 10 branches, 900 for 100, 1 for 1,000: 1,001 in all, 150 are allowed.
        let methods = vec![method(10, 100, &[]), method(100, 900, &[]), method(1_000, 1, &[])];
        assert_eq!(left(methods, 150), (vec![1], 101));
    }

    /// Without probes alone, each of the two makes the other one's calls cost announcements.
    #[test]
    fn what_only_announcements_would_cost_is_left_with_its_callees() {
        let methods = vec![method(10, 90, &[(1, 5)]), method(10, 80, &[])];
        // The callee first: then the caller announces nothing.
        assert_eq!(left(methods, 0), (vec![0, 1], 0));
    }

    /// Callbacks and announced calls are part of the log: without them nothing would be over.
    #[test]
    fn callbacks_count_for_the_limit() {
        let busy = MeasuredMethod { callbacks: 10, announced: 2, ..method(1, 1, &[]) };
        let methods = || vec![busy.clone(), method(100, 50, &[])];
        assert_eq!(left(methods(), 500), (vec![], 431));
        assert_eq!(left(methods(), 400), (vec![0], 50));
    }
}
