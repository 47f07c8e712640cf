//! The report of a crash.

use decoder::replay::{BlockNo, Decision, Program};
use decoder::uncaught::ExceptionOutcome;
use model::exit_note::ProcessExit;
use model::map::{CodeOrigin, Map, Method, SourceMethod, Terminator};

use super::frames::{FrameForm, Index, Key, Space, ways};
use super::join::{Fit, Join};
use super::path::{Active, Branch, Frames, Moment, PathEnd, variants};
use super::stack::{Stack, Throwable};
use crate::base::names::block_of;
use crate::base::price::{Chance, chance, has_model};

/// A crash in the log, or its absence.
pub struct Report<'p, 'm> {
    pub(super) program: &'p Program<'m>,
    pub(super) index: Index<'m>,
    /// True if a stack trace was given.
    pub(super) asked: bool,
    /// The stack trace that fits best, or the last one.
    pub(super) stack: Option<Stack>,
    /// Number of stack traces given.
    pub(super) stacks: usize,
    /// Number of the stack trace's frames of the app.
    pub(super) frames: usize,
    pub(super) found: Option<CrashMoment>,
    /// Number of moments in the logs that fit as well.
    pub(super) equals: u64,
    /// Number of threads whose last exception was caught by the code that had called the app.
    pub(super) kept: u64,
    /// Processes of which the device noted an end that a log of exceptions does not show, the last
    /// ones.
    pub(super) exits: Vec<EndedProcess>,
}

/// A process, and its end as the device noted it.
#[derive(Debug)]
pub(super) struct EndedProcess {
    pub pid: u32,
    pub process: String,
    pub exit: ProcessExit,
}

/// A moment of a thread of a process.
#[derive(Debug)]
pub(super) struct CrashMoment {
    pub pid: u32,
    pub process: String,
    /// Start of the process, in ms since 1970.
    pub start_ms: u64,
    pub number: u32,
    pub thread: Option<String>,
    /// True if the stack trace is of a process with this id, or of a thread with this name.
    pub same_process: bool,
    pub same_thread: bool,
    pub moment: Moment,
    /// Index of the stack trace, and its join.
    pub join: Option<(usize, Join)>,
    /// Without a stack trace: the fate of the exception.
    pub outcome: Option<ExceptionOutcome>,
    /// End of the process, if the device noted one.
    pub exit: Option<ProcessExit>,
}

impl CrashMoment {
    /// Returns the rank among crashes that fit as well: the greatest is shown.
    pub fn rank(&self) -> (bool, bool, bool, bool, u64) {
        let left = self.moment.end == PathEnd::Left;
        (self.same_process, self.same_thread, left, self.moment.is_last(), self.clock())
    }

    /// Returns the start of the last callback, in ms since 1970.
    pub fn clock(&self) -> u64 {
        self.start_ms.saturating_add(self.moment.steps.back().map_or(0, |s| s.to_ms))
    }
}

/// Position of a crash in the logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrashPoint {
    /// Process id.
    pub pid: u32,
    /// Start of the process, in ms since 1970.
    pub start_ms: u64,
    /// Number of the thread.
    pub thread: u32,
    /// Number of the last callback before the crash in its thread, from 1.
    pub callback: u64,
    /// End of the path.
    pub end: PathEnd,
}

impl CrashMoment {
    /// Returns the position of the moment.
    pub fn point(&self) -> CrashPoint {
        CrashPoint {
            pid: self.pid,
            start_ms: self.start_ms,
            thread: self.number,
            callback: self.moment.callbacks,
            end: self.moment.end,
        }
    }
}

/// A frame for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShownFrame {
    pub method: SourceMethod,
    /// Lines that it may be at.
    pub lines: Vec<u32>,
    /// True if the compiler inlined it into the next one.
    pub inlined: bool,
}

/// A branch for display.
#[derive(Debug, Clone)]
pub(super) struct Decided {
    pub branch: Branch,
    pub from: CrashPosition,
    /// The alternatives, in order.
    pub ways: Vec<CrashPosition>,
    pub chance: Option<Chance>,
}

impl Decided {
    /// Returns callback and method: branches of equal ones are shown together.
    pub fn around(&self) -> (u64, SourceMethod) {
        (self.branch.callback, self.from.method)
    }

    /// Returns a hash of the branch and the alternative taken.
    pub fn key(&self) -> u64 {
        u64::from(self.branch.block.0) << 32 | (self.branch.alternative as u64 & 0xFFFF_FFFF)
    }
}

/// A source position in a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CrashPosition {
    pub method: SourceMethod,
    /// Its line, if known.
    pub line: Option<u32>,
    /// Address in the method of the app.
    pub pc: u32,
}

impl Report<'_, '_> {
    /// Returns the position of the crash, if one was found.
    pub fn point(&self) -> Option<CrashPoint> {
        self.found.as_ref().map(CrashMoment::point)
    }

    /// Returns the stack trace that was joined, if one was.
    pub fn joined_stack(&self) -> Option<&Stack> {
        self.stack.as_ref().filter(|_| self.found.as_ref().is_some_and(|f| f.join.is_some()))
    }

    /// Returns true if this crash fits better than that of another build: by the stack trace, then
    /// as several moments of one build are ranked.
    pub fn beats(&self, other: &Report<'_, '_>) -> bool {
        let (Some(own), Some(others)) = (&self.found, &other.found) else {
            return self.fit() > other.fit();
        };
        match (own.join, others.join) {
            (Some((_, own)), Some((_, others))) if !own.equals(&others) => own.beats(&others),
            _ => own.rank() > others.rank(),
        }
    }

    /// Returns the quality of the match; without a stack trace, `Exact` if a crash was found.
    pub fn fit(&self) -> Fit {
        match &self.found {
            None => Fit::None,
            Some(found) => found.join.map_or(Fit::Exact, |j| j.1.fit),
        }
    }

    /// Returns the exception that was joined, or the first one.
    pub(super) fn throwable(&self) -> Option<&Throwable> {
        let at = self.found.as_ref().and_then(|f| f.join).map_or(0, |j| j.1.throwable);
        self.stack.as_ref()?.throwables.get(at)
    }

    /// Returns true if the build had a model.
    pub(super) fn has_model(&self) -> bool {
        has_model(self.program.map)
    }

    /// Returns the frames, innermost first.
    pub(super) fn shown_frames(&self, found: &CrashMoment) -> Vec<ShownFrame> {
        let all = variants(&found.moment.frames);
        let variant = found.join.map_or(0, |j| j.1.variant);
        let Some(frames) = all.get(variant).or(all.first()) else { return Vec::new() };
        let elements = self.throwable().map(|t| t.frames.as_slice()).unwrap_or_default();
        let named: Vec<_> = elements.iter().map(|e| (self.index.names(e), e.line)).collect();
        (0..frames.len()).flat_map(|at| self.shown_frame(frames, at, &named)).collect()
    }

    /// Returns the frames for one frame of the path. `named`: frames of the stack trace and their
    /// lines.
    fn shown_frame(
        &self,
        frames: &Frames<'_>,
        at: usize,
        named: &[(Option<Key>, Option<u32>)],
    ) -> Vec<ShownFrame> {
        let map = self.program.map;
        let frame: &Active = frames[at];
        let above = at.checked_sub(1).map(|a| frames[a]);
        let m = &map.methods[frame.method.0 as usize - 1];
        let own = m.source();
        // Prefers the form in the stack trace; else takes the only one.
        let all = ways(self.program, &self.index, frame, above, Space::Source);
        let fits = |way: &&FrameForm| {
            !way.is_empty()
                && named.windows(way.len()).any(|elements| {
                    elements.iter().zip(way.iter()).all(|((name, line), (key, lines))| {
                        *name == Some(*key)
                            && line.is_none_or(|l| lines.is_empty() || lines.contains(&l))
                    })
                })
        };
        let filled = || all.iter().filter(|w| !w.is_empty());
        let only = || filled().next().filter(|_| filled().count() == 1);
        let Some(way) = all.iter().find(fits).or_else(only) else {
            return vec![ShownFrame { method: own, lines: vec![], inlined: false }];
        };
        let depth = way.len();
        let mut shown: Vec<ShownFrame> = Vec::new();
        for (i, (key, lines)) in way.iter().enumerate() {
            let method = self.index.source(*key).filter(|_| depth > 1).unwrap_or(own);
            let of_key = named.iter().filter(|n| n.0 == Some(*key));
            let named = of_key.filter_map(|n| n.1).find(|l| lines.contains(l));
            let lines = named.map_or_else(|| lines.clone(), |l| vec![l]);
            shown.push(ShownFrame { method, lines, inlined: i + 1 < depth });
        }
        shown
    }

    /// Returns a branch, its alternatives and the probability of the one taken.
    pub(super) fn decided(&self, branch: Branch) -> Option<Decided> {
        let (m, block) = block_of(self.program, branch.block);
        let (method, _) = self.program.locate(branch.block);
        let Terminator::Branch { alternatives, .. } = &block.terminator else { return None };
        let last = block.lines.last().map(|l| l.1);
        let ways = alternatives.iter().map(|&(to, _)| {
            let block = &self.program.map.methods[method.0 as usize - 1].blocks[to.0 as usize];
            spot(self.program.map, m, block.place(), block.pc)
        });
        let chance = chance(self.program, Decision::Branch(branch.block), branch.alternative);
        let from = spot(self.program.map, m, last, block.pc);
        Some(Decided { branch, from, ways: ways.collect(), chance })
    }
}

/// Returns a source position.
fn spot(map: &Map, m: &Method, place: Option<CodeOrigin>, pc: u32) -> CrashPosition {
    let own = m.source();
    let (method, line) = match place {
        None => (own, 0),
        Some(CodeOrigin::Line(line)) => (own, line),
        Some(CodeOrigin::At(id)) => match map.places.frames(id).next() {
            Some(p) => (map.places.sources[p.method as usize], p.line),
            None => (own, 0),
        },
    };
    CrashPosition { method, line: Some(line).filter(|l| *l > 0), pc }
}

/// Returns the block's address in its method, for programs.
pub(super) fn address(program: &Program<'_>, block: BlockNo) -> u32 {
    block_of(program, block).1.pc
}
