//! Alignment of two sessions by their callbacks: which callbacks only one of them has.
//!
//! Threads are paired by name. Threads whose names have digits (`pool-1-thread-2`) are workers: the
//! app does not decide which of them runs a task. So all threads whose names differ only in digits
//! are compared as one set of callbacks, without order. All other threads are compared in order:
//! the k-th thread of a name with the k-th of the other session.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::Range;

use decoder::log::Process;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::paths::{Callback, Thread};

/// Number of callbacks compared at once. The time for a window grows with its square.
const WINDOW: usize = 1 << 10;
/// Maximum number of differences that are searched for.
pub const DIFFERENCES: usize = 1000;

/// A callback of a session: index of its thread in the session, and of the callback in the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallbackIndex {
    /// Index of the thread.
    pub thread: usize,
    /// Index of the callback.
    pub callback: usize,
}

/// A callback in which two sessions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The callback of the good session.
    pub good: Option<CallbackIndex>,
    /// The callback of the bad session.
    pub bad: Option<CallbackIndex>,
    /// Number of equal callbacks before it in this thread.
    pub same: u64,
    /// Start in ms since the process began; in the bad session if the callback is there.
    pub ms: u64,
    /// Index of the thread.
    thread: usize,
}

/// Result of the comparison of two sessions.
#[derive(Debug, Clone, Default)]
pub struct Aligned {
    /// The differences, by time, then by thread.
    pub differences: Vec<Difference>,
    /// True if there are more differences.
    pub more: bool,
    /// Number of callbacks that both have.
    pub same: u64,
}

/// A session and its callbacks.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The session.
    pub process: &'a Process,
    /// Its threads.
    pub threads: &'a [Thread],
}

impl Side<'_> {
    fn callback(&self, at: CallbackIndex) -> &Callback {
        &self.threads[at.thread].callbacks[at.callback]
    }

    /// Returns the threads by the name under which they are compared.
    fn groups(&self) -> BTreeMap<String, Vec<usize>> {
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (i, thread) in self.threads.iter().enumerate() {
            let name = self.process.threads[thread.at].name.as_deref().unwrap_or_default();
            groups.entry(plain(name)).or_default().push(i);
        }
        groups
    }
}

/// Replaces each number in a thread's name by `#`.
fn plain(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c.is_ascii_digit() {
            true if out.ends_with('#') => {}
            true => out.push('#'),
            false => out.push(c),
        }
    }
    out
}

/// Compares two sessions.
pub fn align(good: Side<'_>, bad: Side<'_>) -> Aligned {
    let mut out = Aligned::default();
    let (of_good, of_bad) = (good.groups(), bad.groups());
    let names: BTreeSet<&String> = of_good.keys().chain(of_bad.keys()).collect();
    for name in names {
        let none = Vec::new();
        let (a, b) = (of_good.get(name).unwrap_or(&none), of_bad.get(name).unwrap_or(&none));
        if name.contains('#') {
            sets(good, a, bad, b, &mut out);
            continue;
        }
        for k in 0..a.len().max(b.len()) {
            lists(good, a.get(k).copied(), bad, b.get(k).copied(), &mut out);
        }
    }
    out.differences.sort_by_key(|d| (d.ms, d.thread));
    out
}

/// Collects the differences of a pair of threads.
struct Pairs<'a> {
    good: Side<'a>,
    bad: Side<'a>,
    /// Indices of the pair's threads.
    threads: (Option<usize>, Option<usize>),
    same: u64,
}

impl Pairs<'_> {
    /// Adds a difference for each callback that only one side has. Callbacks of the same method are
    /// paired, in order: such a callback took another path.
    fn pair(
        &self,
        good: &[CallbackIndex],
        bad: &[CallbackIndex],
        next_ms: Option<u64>,
        out: &mut Vec<Difference>,
    ) {
        let mut left: HashMap<u64, VecDeque<CallbackIndex>> = HashMap::new();
        for &at in good {
            left.entry(self.good.callback(at).key).or_default().push_back(at);
        }
        let thread = self.threads.1.or(self.threads.0).unwrap_or_default();
        let (same, mut paired) = (self.same, HashSet::new());
        for &at in bad {
            let callback = self.bad.callback(at);
            let partner = left.get_mut(&callback.key).and_then(VecDeque::pop_front);
            paired.extend(partner);
            let ms = callback.ms;
            out.push(Difference { good: partner, bad: Some(at), same, ms, thread });
        }
        for &at in good.iter().filter(|at| !paired.contains(at)) {
            // It would have run before the next callback of the bad session.
            let ms = next_ms.unwrap_or(self.good.callback(at).ms);
            out.push(Difference { good: Some(at), bad: None, same, ms, thread });
        }
    }
}

/// Compares two threads in order.
fn lists(good: Side<'_>, a: Option<usize>, bad: Side<'_>, b: Option<usize>, out: &mut Aligned) {
    let of = |side: Side<'_>, t: Option<usize>| -> Vec<u64> {
        let all = t.map_or(&[][..], |t| &side.threads[t].callbacks);
        all.iter().map(|c| c.hash).collect()
    };
    let (x, y) = (of(good, a), of(bad, b));
    let ats = |thread: Option<usize>, range: Range<usize>| -> Vec<CallbackIndex> {
        let thread = thread.unwrap_or_default();
        range.map(|callback| CallbackIndex { thread, callback }).collect()
    };
    let mut pairs = Pairs { good, bad, threads: (a, b), same: 0 };
    let before = out.differences.len();
    let (mut i, mut j) = (0, 0);
    loop {
        let equal = x[i..].iter().zip(&y[j..]).take_while(|(a, b)| a == b).count();
        (i, j, pairs.same) = (i + equal, j + equal, pairs.same + equal as u64);
        let (p, q) = (&x[i..x.len().min(i + WINDOW)], &y[j..y.len().min(j + WINDOW)]);
        if p.is_empty() && q.is_empty() {
            break;
        }
        if out.differences.len() - before >= DIFFERENCES {
            out.more = true;
            break;
        }
        // Reports the first place where the paths differ if both ran the same method there, rather
        // than the smallest set of changes.
        let here = (
            CallbackIndex { thread: a.unwrap_or_default(), callback: i },
            CallbackIndex { thread: b.unwrap_or_default(), callback: j },
        );
        if out.differences.len() == before
            && !p.is_empty()
            && !q.is_empty()
            && good.callback(here.0).key == bad.callback(here.1).key
        {
            pairs.pair(&[here.0], &[here.1], None, &mut out.differences);
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let mut ops = capture_diff_slices(Algorithm::Myers, p, q);
        // The partner of a callback after the last common one may be in the next window.
        if i + p.len() < x.len() || j + q.len() < y.len() {
            let common = ops.iter().rposition(|op| matches!(op, DiffOp::Equal { .. }));
            ops.truncate(common.map_or(ops.len(), |at| at + 1));
        }
        let mut ends = (0, 0);
        for op in &ops {
            let (old, new) = (op.old_range(), op.new_range());
            ends = (old.end, new.end);
            if let DiffOp::Equal { len, .. } = op {
                pairs.same += *len as u64;
                continue;
            }
            let next = b.and_then(|t| bad.threads[t].callbacks.get(j + new.end)).map(|c| c.ms);
            let mine = ats(a, i + old.start..i + old.end);
            let theirs = ats(b, j + new.start..j + new.end);
            pairs.pair(&mine, &theirs, next, &mut out.differences);
        }
        (i, j) = (i + ends.0, j + ends.1);
    }
    out.same += pairs.same;
}

/// Compares threads as sets of callbacks.
fn sets(good: Side<'_>, a: &[usize], bad: Side<'_>, b: &[usize], out: &mut Aligned) {
    let all = |side: Side<'_>, of: &[usize]| -> Vec<CallbackIndex> {
        let callbacks = |&thread: &usize| {
            (0..side.threads[thread].callbacks.len())
                .map(move |callback| CallbackIndex { thread, callback })
        };
        let mut all: Vec<CallbackIndex> = of.iter().flat_map(callbacks).collect();
        all.sort_by_key(|&at| (side.callback(at).ms, at.thread, at.callback));
        all
    };
    let (mine, theirs) = (all(good, a), all(bad, b));
    // Callbacks that the other side has equally often are no difference.
    let only = |side: Side<'_>,
                all: &[CallbackIndex],
                other: Side<'_>,
                others: &[CallbackIndex]|
     -> Vec<CallbackIndex> {
        let mut times: HashMap<u64, u64> = HashMap::new();
        others.iter().for_each(|&at| *times.entry(other.callback(at).hash).or_default() += 1);
        let missing = |at: &&CallbackIndex| match times.get_mut(&side.callback(**at).hash) {
            Some(n) if *n > 0 => {
                *n -= 1;
                false
            }
            _ => true,
        };
        all.iter().filter(missing).copied().collect()
    };
    let mut only_good = only(good, &mine, bad, &theirs);
    let mut only_bad = only(bad, &theirs, good, &mine);
    let same = (theirs.len() - only_bad.len()) as u64;
    out.same += same;
    out.more |= only_good.len() > DIFFERENCES || only_bad.len() > DIFFERENCES;
    only_good.truncate(DIFFERENCES);
    only_bad.truncate(DIFFERENCES);
    let pairs = Pairs { good, bad, threads: (a.first().copied(), b.first().copied()), same };
    pairs.pair(&only_good, &only_bad, None, &mut out.differences);
}
