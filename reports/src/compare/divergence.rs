//! The first divergence of two sessions, as a report.

use decoder::log::Process;
use serde::Serialize;

use super::align::{CallbackIndex, Difference, Side, align};
use super::common::Common;
use super::diverge::{CallbackRun, Continuation, Next, RepeatedDecision, part};
use super::error::CompareError;
use super::paths::{Thread, threads};
use super::steps::{ActiveFrame, CallbackEnd};
use super::view::{Happened, Session, SourcePosition, ThreadName, frame_position, method, step};

/// Maximum number of reported frames, innermost first.
const FRAMES: usize = 32;
/// Maximum number of reported differences.
const LISTED: usize = 100;

/// Comparison of a good and a bad session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Divergence {
    /// `divergence`.
    pub kind: &'static str,
    /// The good session.
    pub good: Session,
    /// The bad one.
    pub bad: Session,
    /// Number of callbacks that both ran, with the same path.
    pub same_callbacks: u64,
    /// Records that could not be decoded.
    pub faulty_records: u64,
    /// The first difference, if there is one.
    pub first: Option<First>,
    /// All differences, by time, the first one included.
    pub differences: Vec<Differing>,
    /// Number of all differences, also of those that are not listed.
    pub count: u64,
    /// True if there are more differences than were searched for.
    pub more: bool,
}

/// A callback of one of the sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ran {
    /// The thread that ran it.
    pub thread: ThreadName,
    /// Its number in its thread, from 1; 0 for the time before the first callback.
    pub number: u64,
    /// Its method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub m: Option<String>,
    /// Start, in ms since the process began.
    pub ms: u64,
    /// Start on the wall clock, in ms since 1970.
    pub wall_ms: u64,
    /// The method in source notation.
    #[serde(skip)]
    pub title: String,
}

/// A callback that differs, or that only one session has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Differing {
    /// In the good session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub good: Option<Ran>,
    /// In the bad one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bad: Option<Ran>,
}

/// The first difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct First {
    /// The callback.
    #[serde(flatten)]
    pub callback: Differing,
    /// Number of callbacks before it in its thread that both ran with the same path.
    pub same_before: u64,
    /// The divergence of the two callbacks; none if only one session has the callback.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parting: Option<Parted>,
}

/// The divergence of two callbacks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parted {
    /// Number of common decisions before it: branches, calls with several targets, calls from
    /// outside, exceptions. Equal decisions in a row count once.
    pub same_steps: u64,
    /// The last of these decisions.
    pub before: Vec<Repeated>,
    /// Continuation of the good session.
    pub good: Alone,
    /// Continuation of the bad session.
    pub bad: Alone,
}

/// A decision and its repetitions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repeated {
    /// The decision.
    #[serde(flatten)]
    pub step: Happened,
    /// Number of repetitions in a row.
    pub times: u64,
}

/// Continuation of one session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alone {
    /// Its next decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Happened>,
    /// Without a next decision: `whole` if the callback ended there, `cut` if the log ends there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<&'static str>,
    /// Number of times that it took the last common branch more often than the other session.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: u64,
    /// Active frames, innermost first.
    pub frames: Vec<SourcePosition>,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// A session and its decoded threads.
struct Read<'c, 'm> {
    common: &'c Common<'m>,
    build: usize,
    process: &'c Process,
    threads: Vec<Thread>,
}

impl<'c, 'm> Read<'c, 'm> {
    fn new(common: &'c Common<'m>, process: &'c Process) -> Result<Self, CompareError> {
        let build = common.of(process.build_id).ok_or(CompareError::Build(process.build_id))?;
        let pid = process.pid;
        let threads =
            threads(&common.builds[build], process).ok_or(CompareError::Callbacks(pid))?;
        Ok(Read { common, build, process, threads })
    }

    fn side(&self) -> Side<'_> {
        Side { process: self.process, threads: &self.threads }
    }

    fn ran(&self, at: CallbackIndex) -> Ran {
        let thread = &self.threads[at.thread];
        let callback = &thread.callbacks[at.callback];
        let map = self.common.builds[self.build].program.map;
        let named = callback.method.map(|m| method(map, m));
        let (m, title) = named.map_or((None, String::new()), |(m, title)| (Some(m), title));
        Ran {
            thread: (&self.process.threads[thread.at]).into(),
            number: callback.number,
            m,
            ms: callback.ms,
            wall_ms: self.process.start_ms.saturating_add(callback.ms),
            title,
        }
    }

    fn run(&self, at: CallbackIndex) -> CallbackRun<'c, 'm> {
        let thread = &self.process.threads[self.threads[at.thread].at];
        CallbackRun { build: &self.common.builds[self.build], thread, callback: at.callback }
    }

    fn repeated(&self, taken: &RepeatedDecision) -> Repeated {
        let program = &self.common.builds[self.build].program;
        Repeated { step: step(program, taken.step, &[]), times: taken.times }
    }

    fn alone(&self, way: &Continuation) -> Alone {
        let program = &self.common.builds[self.build].program;
        let spot = |f: &ActiveFrame| frame_position(program, f);
        let (step, end) = match way.next {
            Next::Step(next) => (Some(step(program, next, &way.frames)), None),
            Next::End(CallbackEnd::Whole) => (None, Some("whole")),
            Next::End(CallbackEnd::Cut) => (None, Some("cut")),
        };
        let frames = way.frames.iter().rev().take(FRAMES).map(spot).collect();
        Alone { step, end, more: way.more, frames }
    }
}

/// Compares a good and a bad session.
///
/// # Errors
/// Fails if the map of a session's build is missing, or if a session has too many callbacks.
pub fn first_divergence(
    common: &Common<'_>,
    good: &Process,
    bad: &Process,
) -> Result<Divergence, CompareError> {
    let (good, bad) = (Read::new(common, good)?, Read::new(common, bad)?);
    let aligned = align(good.side(), bad.side());
    let differing = |d: &Difference| Differing {
        good: d.good.map(|at| good.ran(at)),
        bad: d.bad.map(|at| bad.ran(at)),
    };
    let first = aligned.differences.first().map(|d| {
        let both = d.good.zip(d.bad);
        let parting = both.and_then(|(a, b)| part(good.run(a), bad.run(b)));
        let parting = parting.map(|p| Parted {
            same_steps: p.common,
            before: p.before.iter().map(|t| good.repeated(t)).collect(),
            good: good.alone(&p.ways[0]),
            bad: bad.alone(&p.ways[1]),
        });
        First { callback: differing(d), same_before: d.same, parting }
    });
    let faulty = |read: &Read<'_, '_>| read.threads.iter().map(|t| t.faulty).sum::<u64>();
    Ok(Divergence {
        kind: "divergence",
        good: good.process.into(),
        bad: bad.process.into(),
        same_callbacks: aligned.same,
        faulty_records: faulty(&good) + faulty(&bad),
        first,
        differences: aligned.differences.iter().take(LISTED).map(differing).collect(),
        count: aligned.differences.len() as u64,
        more: aligned.more,
    })
}
