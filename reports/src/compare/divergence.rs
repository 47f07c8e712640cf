//! Two sessions: where their paths part first.

use decoder::log::Process;
use serde::Serialize;

use super::align::{At, Difference, Side, align};
use super::common::Common;
use super::diverge::{Next, Run, Taken, Way, part};
use super::error::CompareError;
use super::paths::{Thread, threads};
use super::steps::{End, Frame};
use super::view::{Happened, Session, Spot, ThreadName, frame_spot, method, step};

/// Frames of a place that are told, the innermost ones.
const FRAMES: usize = 32;
/// Differences that are told.
const TOLD: usize = 100;

/// How a good and a bad session compare.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Divergence {
    /// `divergence`.
    pub kind: &'static str,
    /// The good session.
    pub good: Session,
    /// The bad one.
    pub bad: Session,
    /// Callbacks that both ran, with the same path.
    pub same_callbacks: u64,
    /// Records that could not be decoded.
    pub faulty_records: u64,
    /// The first difference; none if there is none.
    pub first: Option<First>,
    /// All differences, by time, the first one included.
    pub differences: Vec<Differing>,
    /// How many there are; more than the list has if that is long.
    pub count: u64,
    /// Whether there are more than this program looked for.
    pub more: bool,
}

/// A callback of one of the sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ran {
    /// The thread that ran it.
    pub thread: ThreadName,
    /// Its number in its thread, from 1; 0: what ran before the first one.
    pub number: u64,
    /// Its method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub m: Option<String>,
    /// When it began, ms since the process did.
    pub ms: u64,
    /// The same on the wall clock, ms since 1970.
    pub wall_ms: u64,
    /// The method as people write it.
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
    /// Callbacks before it in its thread that both ran with the same path.
    pub same_before: u64,
    /// Where the paths of the two callbacks part; none if only one session has the callback.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parting: Option<Parted>,
}

/// Where two paths part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parted {
    /// Steps before it that both took: branches, calls with several targets, calls from outside,
    /// exceptions; the same branch several times in a row is one.
    pub same_steps: u64,
    /// The last of them.
    pub before: Vec<Repeated>,
    /// How the good session went on.
    pub good: Alone,
    /// How the bad one did.
    pub bad: Alone,
}

/// A step, so many times.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repeated {
    /// The step.
    #[serde(flatten)]
    pub step: Happened,
    /// How often in a row.
    pub times: u64,
}

/// How one session went on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alone {
    /// Its next step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Happened>,
    /// If it has none: `whole` if the callback ended there, `cut` if the log ends or breaks off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<&'static str>,
    /// So many times more than the other session it took the last branch before.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: u64,
    /// What was running, innermost first.
    pub frames: Vec<Spot>,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// A session and what there is of it.
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

    fn ran(&self, at: At) -> Ran {
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

    fn run(&self, at: At) -> Run<'c, 'm> {
        let thread = &self.process.threads[self.threads[at.thread].at];
        Run { build: &self.common.builds[self.build], thread, callback: at.callback }
    }

    fn repeated(&self, taken: &Taken) -> Repeated {
        let program = &self.common.builds[self.build].program;
        Repeated { step: step(program, taken.step, &[]), times: taken.times }
    }

    fn alone(&self, way: &Way) -> Alone {
        let program = &self.common.builds[self.build].program;
        let spot = |f: &Frame| frame_spot(program, f);
        let (step, end) = match way.next {
            Next::Step(next) => (Some(step(program, next, &way.frames)), None),
            Next::End(End::Whole) => (None, Some("whole")),
            Next::End(End::Cut) => (None, Some("cut")),
        };
        let frames = way.frames.iter().rev().take(FRAMES).map(spot).collect();
        Alone { step, end, more: way.more, frames }
    }
}

/// Compares a good and a bad session.
///
/// # Errors
/// A session of a build whose map is not there, or with too many callbacks.
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
        differences: aligned.differences.iter().take(TOLD).map(differing).collect(),
        count: aligned.differences.len() as u64,
        more: aligned.more,
    })
}
