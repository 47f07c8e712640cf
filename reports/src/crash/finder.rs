//! Search for a crash in the logs.

use std::sync::Arc;

use decoder::crew::Cores;
use decoder::log::{Process, ThreadLog};
use decoder::replay::Program;
use decoder::session::decode_thread_on;
use decoder::uncaught::{Callers, ExceptionOutcome, LastThrow, ProcessTrack};

use super::frames::Index;
use super::join::{Fit, Join, Target};
use super::path::{Active, Judge, Moment, PathEnd, Watch};
use super::report::{CrashMoment, CrashPoint, EndedProcess, Report};
use super::stack::{Stack, StackKind};
use crate::base::exit::{ExitGrade, settled};

/// Maximum number of stack traces of a file that are searched for, counted from the last one.
const MAX_TARGETS: usize = 64;

/// Maximum number of threads of a process that may have ended by an exception and whose paths are
/// kept.
const MAX_SUSPECTS: usize = 256;

/// Maximum number of processes whose ends are kept.
const MAX_ENDED: usize = 20;

/// Searches for a stack trace, or for the exception that ended a thread, in one process after the
/// other.
pub struct Finder<'p, 'm> {
    program: &'p Program<'m>,
    callers: Arc<Callers>,
    index: Index<'m>,
    stacks: Vec<Stack>,
    targets: Vec<(usize, Target)>,
    /// True if a stack trace was given.
    asked: bool,
    last: usize,
    cores: Cores,
    best: Option<CrashMoment>,
    /// Number of moments that fit as well as the best one.
    equals: u64,
    /// Number of threads whose last exception was caught by the code that had called the app.
    kept: u64,
    exits: Vec<EndedProcess>,
}

/// The last exception of a thread, and the path to it.
struct Suspect {
    last: LastThrow,
    found: CrashMoment,
}

/// Targets to compare the moments of a thread with.
struct Wants<'a, 'p, 'm> {
    program: &'p Program<'m>,
    index: &'a Index<'m>,
    stacks: &'a [Stack],
    targets: &'a [(usize, Target)],
    asked: bool,
    /// The best join so far, and the index of its stack trace.
    best: Option<(usize, Join)>,
    /// True if the best join is at an exception.
    left: bool,
    equals: u64,
}

impl Judge for Wants<'_, '_, '_> {
    fn keeps(&mut self, frames: &[Active], end: PathEnd) -> bool {
        if !self.asked {
            return end == PathEnd::Left;
        }
        let mut kept = false;
        for (at, target) in self.targets {
            if self.stacks[*at].kind == StackKind::Moment && end == PathEnd::Left {
                continue;
            }
            let Some(join) = target.join(self.program, self.index, frames) else { continue };
            if join.fit == Fit::None {
                continue;
            }
            let (beats, equals) = match &self.best {
                None => (true, false),
                // An exception beats the end of a log, and the last exception beats all others.
                Some((_, best)) => {
                    (join.beats(best), join.equals(best) && (end == PathEnd::Left) >= self.left)
                }
            };
            if beats || equals {
                let again = equals && !kept && (end == PathEnd::Left) == self.left;
                self.equals = if again { self.equals + 1 } else { 1 };
                self.best = Some((*at, join));
                self.left = end == PathEnd::Left;
                kept = true;
            }
        }
        kept
    }
}

impl<'p, 'm> Finder<'p, 'm> {
    /// Creates a finder for these stack traces; without any, for the exception that ended a thread.
    /// It records `last` branches before it. Exceptions take precedence over stack traces of
    /// threads, and `main` over other threads.
    pub fn new(program: &'p Program<'m>, stacks: Vec<Stack>, last: usize) -> Self {
        let index = Index::new(program.map);
        let asked = !stacks.is_empty();
        let all = stacks.iter().enumerate();
        let mut targets: Vec<(usize, Target)> =
            all.map(|(at, stack)| (at, Target::new(&index, stack))).collect();
        targets.retain(|t| t.1.has_frames());
        let thrown = |t: &(usize, Target)| stacks[t.0].kind == StackKind::Exception;
        let main = |t: &(usize, Target)| stacks[t.0].thread.as_deref() == Some("main");
        if targets.iter().any(thrown) {
            targets.retain(thrown);
        } else if targets.iter().any(main) {
            targets.retain(main);
        }
        targets.drain(..targets.len().saturating_sub(MAX_TARGETS));
        let cores = Cores::new(1);
        Finder {
            program,
            callers: Callers::new(program.map),
            index,
            stacks,
            targets,
            asked,
            last,
            cores,
            best: None,
            equals: 0,
            kept: 0,
            exits: Vec::new(),
        }
    }

    /// Sets the cores that decode.
    pub fn on(self, cores: Cores) -> Self {
        Finder { cores, ..self }
    }

    /// Decodes a process. Returns the number of undecodable records.
    pub fn process(&mut self, process: &Process) -> u64 {
        let mut track = ProcessTrack::default();
        let mut suspects = Vec::new();
        let threads = process.threads.iter();
        let faulty =
            threads.map(|thread| self.thread(process, thread, &mut track, &mut suspects)).sum();
        self.judge(&track, suspects);
        if let Some(exit) = process.exit
            && ExitGrade::of(exit.reason) != ExitGrade::Wanted
        {
            let (pid, process) = (process.pid, process.name.clone());
            self.exits.push(EndedProcess { pid, process, exit });
            if self.exits.len() >= 2 * MAX_ENDED {
                self.keep_last_exits();
            }
        }
        faulty
    }

    fn keep_last_exits(&mut self) {
        self.exits.sort_by_key(|ended| std::cmp::Reverse(ended.exit.at_ms));
        self.exits.truncate(MAX_ENDED);
    }

    fn thread(
        &mut self,
        process: &Process,
        thread: &ThreadLog,
        track: &mut ProcessTrack,
        suspects: &mut Vec<Suspect>,
    ) -> u64 {
        let mut watch = self.watch();
        let faulty = decode_thread_on(&self.cores, self.program, thread, &mut watch).faulty;
        let (wants, thread_track, moment) = watch.finish(thread);
        let fit = (wants.best, wants.equals.max(1));
        let last = track.add(thread_track);
        if let Some(moment) = moment {
            suspects.extend(self.ended(process, thread, fit, moment, last));
            if suspects.len() >= 2 * MAX_SUSPECTS {
                suspects.sort_by_key(|s| std::cmp::Reverse(s.found.clock()));
                suspects.truncate(MAX_SUSPECTS);
            }
        }
        faulty
    }

    /// Takes the result of a thread. Without a stack trace, the other threads of the process decide
    /// about an exception with which this one ends.
    fn ended(
        &mut self,
        process: &Process,
        thread: &ThreadLog,
        (join, equals): (Option<(usize, Join)>, u64),
        moment: Moment,
        last: Option<LastThrow>,
    ) -> Option<Suspect> {
        if self.asked {
            let found = self.found(process, thread, moment, join);
            self.offer(found, equals);
            return None;
        }
        let last = last.filter(|_| moment.is_last())?;
        Some(Suspect { last, found: self.found(process, thread, moment, None) })
    }

    /// Decides about the threads of a process after all were read.
    fn judge(&mut self, track: &ProcessTrack, suspects: Vec<Suspect>) {
        for Suspect { last, found } in suspects {
            match settled(track.outcome(&self.callers, &last), found.exit.as_ref()) {
                ExceptionOutcome::Kept => self.kept += 1,
                outcome => self.offer(CrashMoment { outcome: Some(outcome), ..found }, 1),
            }
        }
    }

    /// Returns a sink that follows the path of a thread.
    fn watch<'a>(&'a self) -> Watch<'p, 'm, Wants<'a, 'p, 'm>> {
        let wants = Wants {
            program: self.program,
            index: &self.index,
            stacks: &self.stacks,
            targets: &self.targets,
            asked: self.asked,
            best: None,
            left: false,
            equals: 0,
        };
        Watch::new(self.program, self.callers.clone(), wants, self.last)
    }

    fn found(
        &self,
        process: &Process,
        thread: &ThreadLog,
        moment: Moment,
        join: Option<(usize, Join)>,
    ) -> CrashMoment {
        let name = thread.name.clone();
        let stack = join.map(|(at, _)| &self.stacks[at]);
        let named = |of: Option<&String>, is: Option<&String>| of.is_some() && of == is;
        CrashMoment {
            pid: process.pid,
            process: process.name.clone(),
            start_ms: process.start_ms,
            number: thread.number,
            same_process: stack.is_some_and(|s| s.pid == Some(process.pid)),
            same_thread: stack.is_some_and(|s| named(s.thread.as_ref(), name.as_ref())),
            thread: name,
            moment,
            join,
            outcome: None,
            exit: process.exit,
        }
    }

    /// Takes the result of a thread if it is better than those of other threads.
    fn offer(&mut self, found: CrashMoment, equals: u64) {
        let Some(best) = &self.best else {
            (self.best, self.equals) = (Some(found), equals);
            return;
        };
        let (beats, as_good) = match (&found.join, &best.join) {
            (Some((_, new)), Some((_, old))) => (new.beats(old), new.equals(old)),
            _ => (found.outcome > best.outcome, found.outcome == best.outcome),
        };
        if beats {
            (self.best, self.equals) = (Some(found), equals);
        } else if as_good {
            self.equals = self.equals.saturating_add(equals);
            if found.rank() >= best.rank() {
                self.best = Some(found);
            }
        }
    }

    /// Returns the position of the best crash so far.
    pub fn point(&self) -> Option<CrashPoint> {
        self.best.as_ref().map(CrashMoment::point)
    }

    /// Returns the report.
    pub fn finish(mut self) -> Report<'p, 'm> {
        self.keep_last_exits();
        let Finder { program, index, stacks, targets, asked, best, equals, kept, exits, .. } = self;
        let stack = match best.as_ref().and_then(|f| f.join) {
            Some((at, _)) => Some(at),
            None => targets.last().map(|t| t.0).or_else(|| stacks.len().checked_sub(1)),
        };
        let frames = stack.map_or(0, |at| {
            targets.iter().find(|t| t.0 == at).map_or(0, |(_, target)| target.len())
        });
        let count = stacks.len();
        let stack = stack.and_then(|at| stacks.into_iter().nth(at));
        let stacks = count;
        Report { program, index, asked, stack, stacks, frames, found: best, equals, kept, exits }
    }
}

#[cfg(test)]
mod tests;
