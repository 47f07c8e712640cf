//! Two runs of one callback, step by step: where their ways part.
//!
//! A callback can have billions of steps. So the first decoding keeps hashes of some thousand
//! prefixes; the second keeps the steps between the last equal prefix and the first other one; the
//! third remembers what ran there.

use std::collections::VecDeque;

use decoder::log::ThreadLog;
use decoder::session::decode_thread_on;
use model::map::MethodId;

use super::common::{Build, mix};
use super::steps::{End, Frame, Step, StepSink, Steps};

/// Prefixes that are kept; beyond, every second one is dropped.
const KEPT: usize = 1 << 12;
/// Steps before the parting that are told.
const BEFORE: usize = 8;

/// A callback of a thread, by its number.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a, 'm> {
    /// The build that ran.
    pub build: &'a Build<'m>,
    /// The thread's log.
    pub thread: &'a ThreadLog,
    /// Position of the callback among those of the thread.
    pub callback: usize,
}

/// A step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// The step.
    pub step: Step,
    /// How often it came in a row.
    pub times: u64,
    hash: u64,
}

/// What a run does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// A step.
    Step(Step),
    /// The callback ends.
    End(End),
}

/// Where one run goes on alone.
#[derive(Debug, Clone)]
pub struct Way {
    /// What it does there.
    pub next: Next,
    /// Frames that are running there, the outermost first.
    pub frames: Vec<Frame>,
    /// Before that it took the last common branch so many times more than the other run.
    pub more: u64,
}

/// Where two runs part.
#[derive(Debug, Clone)]
pub struct Parting {
    /// Steps that both took before.
    pub common: u64,
    /// The last of them, as the first run has them.
    pub before: Vec<Taken>,
    /// The ways of both.
    pub ways: [Way; 2],
}

/// Finds where two runs part; `None` if they take the same steps to the same end.
pub fn part(a: Run<'_, '_>, b: Run<'_, '_>) -> Option<Parting> {
    let (p, q) = (a.read(Prefixes::default()), b.read(Prefixes::default()));
    let from = last_common(&p, &q);
    let every = p.every.max(q.every);
    let segment = |run: Run<'_, '_>| run.read(Segment::new(from, every.saturating_mul(2).max(2)));
    let (s, t) = (segment(a), segment(b));
    let same = s.steps.iter().zip(&t.steps).take_while(|(x, y)| x.same(y)).count();
    let at = from + same as u64;
    let (x, y) = (s.steps.get(same), t.steps.get(same));
    if x.is_none() && y.is_none() && s.end == t.end {
        return None;
    }
    // One step is the same, but one run took it more often: the other goes on with its next step.
    let (mut more, mut skip) = ([0; 2], [0u64; 2]);
    if let (Some(x), Some(y)) = (x, y)
        && x.hash == y.hash
    {
        let fewer = usize::from(x.times > y.times);
        (skip[fewer], more[1 - fewer]) = (1, x.times.abs_diff(y.times));
    }
    let way = |run: Run<'_, '_>, i: usize, segment: &Segment| {
        let place = run.read(Place::new(at + skip[i]));
        let step = segment.steps.get(same + skip[i] as usize).map(|t| Next::Step(t.step));
        let next = step.unwrap_or(Next::End(segment.end.unwrap_or(End::Cut)));
        (Way { next, frames: place.frames, more: more[i] }, place.before)
    };
    let (first, before) = way(a, 0, &s);
    let (second, _) = way(b, 1, &t);
    Some(Parting {
        common: at + u64::from(skip != [0, 0]),
        before: before.into(),
        ways: [first, second],
    })
}

/// How many steps both begin with, or fewer.
fn last_common(p: &Prefixes, q: &Prefixes) -> u64 {
    let every = p.every.max(q.every);
    let of = |x: &Prefixes| -> Vec<u64> {
        let stride = (every / x.every) as usize;
        x.hashes.iter().skip(stride - 1).step_by(stride).copied().collect()
    };
    let common = of(p).iter().zip(&of(q)).take_while(|(a, b)| a == b).count();
    common as u64 * every
}

impl Taken {
    fn same(&self, other: &Taken) -> bool {
        self.hash == other.hash && self.times == other.times
    }
}

impl Run<'_, '_> {
    fn read<S: StepSink>(&self, sink: S) -> S {
        let only = Only { sink, callback: self.callback, seen: 0, open: false };
        let mut steps = Steps::new(self.build, only);
        decode_thread_on(&self.build.cores, &self.build.program, self.thread, &mut steps);
        steps.finish().sink
    }
}

/// One callback of a thread.
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

    fn next(&mut self, step: Step, frames: &mut dyn Iterator<Item = Frame>) {
        if self.open {
            self.sink.next(step, frames);
        }
    }

    fn step(&mut self, hash: u64, step: Step, times: u64) {
        if self.open {
            self.sink.step(hash, step, times);
        }
    }

    fn end(&mut self, end: End) {
        if std::mem::take(&mut self.open) {
            self.sink.end(end);
        }
    }
}

/// Hashes of the first `every`, 2 × `every`, … steps.
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

    fn step(&mut self, hash: u64, _: Step, times: u64) {
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

    fn end(&mut self, _: End) {}
}

/// Some steps, and the end if it comes right behind them.
struct Segment {
    from: u64,
    len: u64,
    at: u64,
    steps: Vec<Taken>,
    end: Option<End>,
}

impl Segment {
    fn new(from: u64, len: u64) -> Self {
        Segment { from, len, at: 0, steps: Vec::new(), end: None }
    }
}

impl StepSink for Segment {
    fn callback(&mut self, _: u64, _: Option<MethodId>, _: u64) {}

    fn step(&mut self, hash: u64, step: Step, times: u64) {
        if (self.from..self.from.saturating_add(self.len)).contains(&self.at) {
            self.steps.push(Taken { step, times, hash });
        }
        self.at += 1;
    }

    fn end(&mut self, end: End) {
        self.end = Some(end);
    }
}

/// What is running at one step, and the steps before it.
struct Place {
    target: u64,
    at: u64,
    begun: u64,
    before: VecDeque<Taken>,
    frames: Vec<Frame>,
}

impl Place {
    fn new(target: u64) -> Self {
        Place { target, at: 0, begun: 0, before: VecDeque::new(), frames: Vec::new() }
    }
}

impl StepSink for Place {
    fn callback(&mut self, _: u64, _: Option<MethodId>, _: u64) {}

    fn next(&mut self, _: Step, frames: &mut dyn Iterator<Item = Frame>) {
        if self.begun == self.target {
            self.frames = frames.collect();
        }
        self.begun += 1;
    }

    fn step(&mut self, hash: u64, step: Step, times: u64) {
        if self.at < self.target {
            if self.before.len() == BEFORE {
                self.before.pop_front();
            }
            self.before.push_back(Taken { step, times, hash });
        }
        self.at += 1;
    }

    fn end(&mut self, _: End) {}
}
