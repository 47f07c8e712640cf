//! Passes of callbacks, or of a chosen target, in samples.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::places::MethodResolver;
use crate::read::{CallId, NO_CALL, Name, Samples, StackSample};

/// A stack of the app's frames, seen several times in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The innermost frame of the app.
    pub call: CallId,
    /// Methods of the stack, without lines: a number that equal chains of methods share.
    pub chain: u32,
    /// Samples in a row.
    pub samples: u64,
    /// Position of the first of them in its pass: ns since the pass began, or, with a
    /// [`PassLength`], the unit of that length.
    pub at: u64,
}

/// A run of a target, as far as it was sampled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// System's id of the thread.
    pub thread: u32,
    /// The outermost frame of the target. Passes of one method share it, at any line.
    pub callback: CallId,
    /// First and last sample, in ns.
    pub ns: (u64, u64),
    /// Samples of the pass, in order.
    pub stops: Vec<Stop>,
}

impl Pass {
    /// Samples of the pass.
    pub fn samples(&self) -> u64 {
        self.stops.iter().map(|s| s.samples).sum()
    }
}

/// Name of a method, as a user writes it: `method`, `Cls.method` or `pkg.Cls.method`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodPattern(pub String);

impl MethodPattern {
    /// Returns true for frames of such a method.
    pub fn matches(&self, name: &Name) -> bool {
        let Some(class) = name_before(&self.0, &name.method) else { return false };
        match class {
            "" => true,
            class => {
                let rest = name.class.strip_suffix(class);
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
        }
    }
}

/// Returns the class before a method in a pattern; an empty one if the pattern has none.
fn name_before<'p>(pattern: &'p str, method: &str) -> Option<&'p str> {
    let rest = pattern.strip_suffix(method)?;
    if rest.is_empty() {
        Some("")
    } else {
        rest.strip_suffix('.').filter(|class| !class.is_empty())
    }
}

/// Length of a target that runs the same places each time, and the distance of its samples, both
/// in one unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassLength {
    /// Length of a pass.
    pub target: u64,
    /// From one sample to the next; at most `target`.
    pub interval: u64,
}

/// Borders of passes. A pass always ends where the outermost frame of the target is another one,
/// and, without a length, where a sample has no frame of it.
#[derive(Debug, Clone, Default)]
pub struct PassCuts {
    /// The target: the outermost frame of this method and all that it calls. Without one, the
    /// outermost frame of the app.
    pub target: Option<MethodPattern>,
    /// The method that a pass begins with: a pass begins where a stack has it and the stack before
    /// has not.
    pub first: Option<MethodPattern>,
    /// Methods that run between passes. Samples of them end a pass and belong to none.
    pub markers: Vec<MethodPattern>,
    /// Cuts by length, counted in samples of the target from the begin that `first` and `markers`
    /// give.
    pub length: Option<PassLength>,
}

/// A stack as passes see it.
#[derive(Debug, Clone, Copy)]
struct StackView {
    inner: CallId,
    callback: CallId,
    chain: u32,
    is_first: bool,
    is_marker: bool,
}

const OUTSIDE: StackView =
    StackView { inner: NO_CALL, callback: NO_CALL, chain: 0, is_first: false, is_marker: false };

/// Returns the views of all stacks, by number of the call.
fn views(samples: &Samples, places: &MethodResolver<'_>, cuts: &PassCuts) -> Vec<StackView> {
    let is_app: Vec<bool> = samples.names.iter().map(|n| places.is_app(n)).collect();
    // Names of one method at several lines are one.
    let mut numbers: HashMap<(&str, &str, Option<&str>), u32> = HashMap::new();
    let method = |n| -> u32 {
        let name: &Name = n;
        let next = numbers.len() as u32;
        *numbers.entry((&name.class, &name.method, name.descriptor.as_deref())).or_insert(next)
    };
    let methods: Vec<u32> = samples.names.iter().map(method).collect();
    let mut callbacks: HashMap<u32, CallId> = HashMap::new();
    let mut chains: HashMap<(u32, u32), u32> = HashMap::new();
    let mut all = vec![OUTSIDE];
    // Callers come first.
    for (caller, call, number) in samples.tree() {
        let mut view = all[caller.0 as usize];
        let name = &samples.names[number as usize];
        view.is_first |= cuts.first.as_ref().is_some_and(|m| m.matches(name));
        view.is_marker |= cuts.markers.iter().any(|m| m.matches(name));
        let method = methods[number as usize];
        let begins = match &cuts.target {
            Some(target) => target.matches(name),
            None => is_app[number as usize],
        };
        if is_app[number as usize] && (view.callback != NO_CALL || begins) {
            if view.callback == NO_CALL {
                view.callback = *callbacks.entry(method).or_insert(call);
            }
            let next = chains.len() as u32 + 1;
            view.chain = *chains.entry((view.chain, method)).or_insert(next);
            view.inner = call;
        }
        all.push(view);
    }
    all
}

/// A pass that goes on.
struct OpenPass {
    pass: Pass,
    /// Samples since the border before, over all passes that were cut by length.
    taken: u64,
    in_first: bool,
}

/// Passes that one stack, seen many times in a row, is cut into at most.
const CUTS_OF_A_RUN: u64 = 1000;

/// The passes of all threads, by time. Two runs of one callback without a border between them look
/// like one.
pub fn passes(samples: &Samples, places: &MethodResolver<'_>, cuts: &PassCuts) -> Vec<Pass> {
    let views = views(samples, places, cuts);
    let mut open: BTreeMap<u32, OpenPass> = BTreeMap::new();
    let mut all = Vec::new();
    for seen in samples.seen.by_time() {
        let view = views[seen.call.0 as usize];
        if cuts.length.is_some() && view.inner == NO_CALL && !view.is_marker {
            // Positions go on: the sampler counts what the target runs.
            if let Some(open) = open.get_mut(&seen.thread) {
                open.in_first = false;
            }
            continue;
        }
        let goes_on = open.get(&seen.thread).is_some_and(|o| {
            view.callback == o.pass.callback && !view.is_marker && (o.in_first || !view.is_first)
        });
        if !goes_on {
            all.extend(open.remove(&seen.thread).map(|o| o.pass));
        }
        if view.inner == NO_CALL || view.is_marker {
            continue;
        }
        let o = open.entry(seen.thread).or_insert_with(|| OpenPass {
            pass: begin(&seen, view),
            taken: 0,
            in_first: false,
        });
        o.in_first = view.is_first;
        match cuts.length {
            None => {
                let at = seen.ns.saturating_sub(o.pass.ns.0);
                push(&mut o.pass, &seen, view, (seen.times, at));
            }
            Some(length) => cut_by_length(o, &seen, view, length, &mut all),
        }
    }
    all.extend(open.into_values().map(|o| o.pass));
    all.sort_by_key(|p| (p.ns.0, p.thread));
    all
}

fn begin(seen: &StackSample, view: StackView) -> Pass {
    let ns = (seen.ns, seen.ns);
    Pass { thread: seen.thread, callback: view.callback, ns, stops: Vec::new() }
}

fn push(pass: &mut Pass, seen: &StackSample, view: StackView, (samples, at): (u64, u64)) {
    pass.ns.1 = seen.ns;
    match pass.stops.last_mut() {
        Some(last) if last.call == view.inner => last.samples += samples,
        _ => pass.stops.push(Stop { call: view.inner, chain: view.chain, samples, at }),
    }
}

/// Adds a stack to a pass, and cuts the pass where its length is reached: sample `k` after the
/// border lies `k · interval` after it.
fn cut_by_length(
    open: &mut OpenPass,
    seen: &StackSample,
    view: StackView,
    length: PassLength,
    all: &mut Vec<Pass>,
) {
    let target = u128::from(length.target.max(1));
    let interval = u128::from(length.interval.max(1));
    let mut left = seen.times.min(CUTS_OF_A_RUN * (target / interval).max(1) as u64);
    while left > 0 {
        let position = u128::from(open.taken) * interval;
        let (number, at) = (position / target, (position % target) as u64);
        let is_new = number > 0 && at < length.interval.max(1);
        if is_new && !open.pass.stops.is_empty() {
            all.push(std::mem::replace(&mut open.pass, begin(seen, view)));
        }
        let border = ((number + 1) * target).div_ceil(interval);
        let here = border.saturating_sub(open.taken.into()).clamp(1, left.into()) as u64;
        push(&mut open.pass, seen, view, (here, at));
        open.taken += here;
        left -= here;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(class: &str, method: &str) -> Name {
        Name { class: class.into(), method: method.into(), ..Name::default() }
    }

    #[test]
    fn patterns_name_methods_with_or_without_their_class() {
        let matches = |pattern: &str, n: &Name| MethodPattern(pattern.to_owned()).matches(n);
        let run = name("pkg.Cls$1", "run");
        for pattern in ["run", "Cls$1.run", "pkg.Cls$1.run"] {
            assert!(matches(pattern, &run), "{pattern}");
        }
        for pattern in ["un", ".run", "s$1.run", "$1.run", "kg.Cls$1.run", "pkg.Cls$1", ""] {
            assert!(!matches(pattern, &run), "{pattern}");
        }
    }

    /// A pass that is cut from samples of one stack each, all of one target.
    fn cut(times: &[u64], target: u64, interval: u64) -> Vec<Vec<(u64, u64)>> {
        let view = StackView { inner: CallId(1), callback: CallId(1), chain: 1, ..OUTSIDE };
        let sample = |times| StackSample { ns: 0, thread: 1, call: CallId(1), times };
        let mut open = OpenPass { pass: begin(&sample(1), view), taken: 0, in_first: false };
        let mut all = Vec::new();
        for (number, &times) in (1..).zip(times) {
            let view = StackView { inner: CallId(number), ..view };
            cut_by_length(
                &mut open,
                &sample(times),
                view,
                PassLength { target, interval },
                &mut all,
            );
        }
        all.push(open.pass);
        let stops = |p: &Pass| p.stops.iter().map(|s| (s.samples, s.at)).collect();
        all.iter().map(stops).collect()
    }

    /// Of a target of 50, samples at 0, 7 … 49 are of the first pass, 56 is 6 in the second.
    #[test]
    fn sample_k_lies_k_intervals_after_the_border() {
        let passes = cut(&[1; 50], 50, 7);
        assert_eq!(passes.iter().map(Vec::len).collect::<Vec<_>>(), [8, 7, 7, 7, 7, 7, 7]);
        let begins: Vec<u64> = passes.iter().map(|p| p[0].1).collect();
        assert_eq!(begins, [0, 6, 5, 4, 3, 2, 1]);
        assert_eq!(passes[1][1], (1, 13));
    }

    #[test]
    fn a_stack_seen_many_times_is_cut_as_single_samples_are() {
        assert_eq!(
            cut(&[50], 50, 7),
            [
                vec![(8, 0)],
                vec![(7, 6)],
                vec![(7, 5)],
                vec![(7, 4)],
                vec![(7, 3)],
                vec![(7, 2)],
                vec![(7, 1)]
            ]
        );
        assert_eq!(cut(&[u64::MAX], 2, 1).len(), 1000);
    }
}
