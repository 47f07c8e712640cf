//! The point where two runs of one callback diverge.
//!
//! A callback can have billions of decisions. So the first decoding keeps hashes of some thousand
//! prefixes. The second keeps the decisions between the last equal prefix and the first different
//! one. The third records what ran there.

use std::collections::VecDeque;

use decoder::log::ThreadLog;
use decoder::session::decode_thread_on;
use model::map::MethodId;

use super::common::{ComparedBuild, mix};
use super::steps::{ActiveFrame, CallbackEnd, PathDecision, StepSink, Steps};

/// Number of kept prefixes; when it is reached, every second one is dropped.
const KEPT: usize = 1 << 12;
/// Number of decisions reported before the divergence.
const BEFORE: usize = 8;

/// A callback of a thread, by its index.
#[derive(Debug, Clone, Copy)]
pub struct CallbackRun<'a, 'm> {
    /// The build that ran.
    pub build: &'a ComparedBuild<'m>,
    /// The thread's log.
    pub thread: &'a ThreadLog,
    /// Index of the callback in the thread.
    pub callback: usize,
}

/// A decision of a run and its repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepeatedDecision {
    /// The decision.
    pub step: PathDecision,
    /// Number of times that it came in a row.
    pub times: u64,
    hash: u64,
}

/// The continuation of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// A decision.
    Step(PathDecision),
    /// The callback ends.
    End(CallbackEnd),
}

/// The continuation of one run after the divergence.
#[derive(Debug, Clone)]
pub struct Continuation {
    /// Its next decision, or its end.
    pub next: Next,
    /// Frames that are active there, outermost first.
    pub frames: Vec<ActiveFrame>,
    /// Number of times that this run took the last common branch more often than the other run.
    pub more: u64,
}

/// The divergence of two runs.
#[derive(Debug, Clone)]
pub struct Parting {
    /// Number of decisions that both took before.
    pub common: u64,
    /// The last common decisions, as the first run has them.
    pub before: Vec<RepeatedDecision>,
    /// The continuations of both runs.
    pub ways: [Continuation; 2],
}

/// Finds the divergence of two runs; `None` if both took the same decisions to the same end.
pub fn part(a: CallbackRun<'_, '_>, b: CallbackRun<'_, '_>) -> Option<Parting> {
    let (p, q) = (a.read(Prefixes::default()), b.read(Prefixes::default()));
    let from = last_common(&p, &q);
    let every = p.every.max(q.every);
    let segment = |run: CallbackRun<'_, '_>| {
        run.read(DecisionRange::new(from, every.saturating_mul(2).max(2)))
    };
    let (s, t) = (segment(a), segment(b));
    let same = s.steps.iter().zip(&t.steps).take_while(|(x, y)| x.same(y)).count();
    let at = from + same as u64;
    let (x, y) = (s.steps.get(same), t.steps.get(same));
    if x.is_none() && y.is_none() && s.end == t.end {
        return None;
    }
    // Both took the same decision, but one run more often: the other run goes on with its next one.
    let (mut more, mut skip) = ([0; 2], [0u64; 2]);
    if let (Some(x), Some(y)) = (x, y)
        && x.hash == y.hash
    {
        let fewer = usize::from(x.times > y.times);
        (skip[fewer], more[1 - fewer]) = (1, x.times.abs_diff(y.times));
    }
    let way = |run: CallbackRun<'_, '_>, i: usize, segment: &DecisionRange| {
        let place = run.read(DivergencePoint::new(at + skip[i]));
        let step = segment.steps.get(same + skip[i] as usize).map(|t| Next::Step(t.step));
        let next = step.unwrap_or(Next::End(segment.end.unwrap_or(CallbackEnd::Cut)));
        (Continuation { next, frames: place.frames, more: more[i] }, place.before)
    };
    let (first, before) = way(a, 0, &s);
    let (second, _) = way(b, 1, &t);
    Some(Parting {
        common: at + u64::from(skip != [0, 0]),
        before: before.into(),
        ways: [first, second],
    })
}

/// Returns a lower bound of the number of common first decisions.
fn last_common(p: &Prefixes, q: &Prefixes) -> u64 {
    let every = p.every.max(q.every);
    let of = |x: &Prefixes| -> Vec<u64> {
        let stride = (every / x.every) as usize;
        x.hashes.iter().skip(stride - 1).step_by(stride).copied().collect()
    };
    let common = of(p).iter().zip(&of(q)).take_while(|(a, b)| a == b).count();
    common as u64 * every
}

impl RepeatedDecision {
    fn same(&self, other: &RepeatedDecision) -> bool {
        self.hash == other.hash && self.times == other.times
    }
}

impl CallbackRun<'_, '_> {
    fn read<S: StepSink>(&self, sink: S) -> S {
        let only = Only { sink, callback: self.callback, seen: 0, open: false };
        let mut steps = Steps::new(self.build, only);
        decode_thread_on(&self.build.cores, &self.build.program, self.thread, &mut steps);
        steps.finish().sink
    }
}

/// Restricts a sink to one callback of a thread.
struct Only<S> {
    sink: S,
    callback: usize,
    seen: usize,
    open: bool,
}

impl<S: StepSink> StepSink for Only<S> {
    fn callback(&mut self, number: u64, method: Option<MethodId>, ms: u64) {
        self.open = self.seen == self.callback;
        self.seen += 1;
        if self.open {
            self.sink.callback(number, method, ms);
        }
    }

    fn next(&mut self, step: PathDecision, frames: &mut dyn Iterator<Item = ActiveFrame>) {
        if self.open {
            self.sink.next(step, frames);
        }
    }

    fn step(&mut self, hash: u64, step: PathDecision, times: u64) {
        if self.open {
            self.sink.step(hash, step, times);
        }
    }

    fn end(&mut self, end: CallbackEnd) {
        if std::mem::take(&mut self.open) {
            self.sink.end(end);
        }
    }
}

/// Hashes of the first `every`, 2 × `every`, … decisions.
struct Prefixes {
    hashes: Vec<u64>,
    every: u64,
    hash: u64,
    steps: u64,
}

impl Default for Prefixes {
    fn default() -> Self {
        Prefixes { hashes: Vec::new(), every: 1, hash: 0, steps: 0 }
    }
}

impl StepSink for Prefixes {
    fn callback(&mut self, _: u64, _: Option<MethodId>, _: u64) {}

    fn step(&mut self, hash: u64, _: PathDecision, times: u64) {
        self.hash = mix(mix(self.hash, hash), times);
        self.steps += 1;
        if self.steps.is_multiple_of(self.every) {
            self.hashes.push(self.hash);
        }
        if self.hashes.len() == KEPT {
            let mut keep = false;
            self.hashes.retain(|_| {
                keep = !keep;
                !keep
            });
            self.every *= 2;
        }
    }

    fn end(&mut self, _: CallbackEnd) {}
}

/// A range of decisions, and the callback's end if it follows the range.
struct DecisionRange {
    from: u64,
    len: u64,
    at: u64,
    steps: Vec<RepeatedDecision>,
    end: Option<CallbackEnd>,
}

impl DecisionRange {
    fn new(from: u64, len: u64) -> Self {
        DecisionRange { from, len, at: 0, steps: Vec::new(), end: None }
    }
}

impl StepSink for DecisionRange {
    fn callback(&mut self, _: u64, _: Option<MethodId>, _: u64) {}

    fn step(&mut self, hash: u64, step: PathDecision, times: u64) {
        if (self.from..self.from.saturating_add(self.len)).contains(&self.at) {
            self.steps.push(RepeatedDecision { step, times, hash });
        }
        self.at += 1;
    }

    fn end(&mut self, end: CallbackEnd) {
        self.end = Some(end);
    }
}

/// Active frames at one decision, and the decisions before it.
struct DivergencePoint {
    target: u64,
    at: u64,
    begun: u64,
    before: VecDeque<RepeatedDecision>,
    frames: Vec<ActiveFrame>,
}

impl DivergencePoint {
    fn new(target: u64) -> Self {
        DivergencePoint { target, at: 0, begun: 0, before: VecDeque::new(), frames: Vec::new() }
    }
}

impl StepSink for DivergencePoint {
    fn callback(&mut self, _: u64, _: Option<MethodId>, _: u64) {}

    fn next(&mut self, _: PathDecision, frames: &mut dyn Iterator<Item = ActiveFrame>) {
        if self.begun == self.target {
            self.frames = frames.collect();
        }
        self.begun += 1;
    }

    fn step(&mut self, hash: u64, step: PathDecision, times: u64) {
        if self.at < self.target {
            if self.before.len() == BEFORE {
                self.before.pop_front();
            }
            self.before.push_back(RepeatedDecision { step, times, hash });
        }
        self.at += 1;
    }

    fn end(&mut self, _: CallbackEnd) {}
}
