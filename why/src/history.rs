//! The end of a thread's path: activations of methods and visits of their blocks.

use std::collections::{HashSet, VecDeque};

use decoder::replay::{BlockNo, LoopRounds, PathEvent, PathSink, Program, Via};
use decoder::session::Note;
use model::map::MethodId;

use crate::words;

/// Visits that are kept: about 50 bytes each.
const MAX_VISITS: usize = 1 << 20;
/// Exceptions that are kept.
const MAX_EXCEPTIONS: usize = 1 << 12;
/// Rounds of a loop that are kept of those that the decoder reports at once.
const KEPT_ROUNDS: u32 = 2;

/// An activation of a method, numbered from the beginning of the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ActivationNo(pub u64);

/// A visit of a block, numbered from the beginning of the thread: visits are in the order in which
/// the blocks began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct VisitNo(pub u64);

/// Begin of an activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// By a call in the app's code.
    Call,
    /// Code outside the app called it.
    FromOutside,
    /// As a top-level callback.
    TopLevel,
}

/// One activation of a method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Activation {
    pub method: MethodId,
    pub entry: Entry,
    /// The visit of the caller in which it was entered.
    pub caller: Option<VisitNo>,
    /// The activation that was entered before it in that visit.
    pub earlier: Option<ActivationNo>,
    /// Its last visit so far.
    pub last: Option<VisitNo>,
    /// True if an exception ended it.
    pub threw: bool,
}

/// One visit of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    pub activation: ActivationNo,
    pub block: BlockNo,
    /// The visit before it in the same activation.
    pub previous: Option<VisitNo>,
    /// The last activation that was entered in it.
    pub last_callee: Option<ActivationNo>,
    /// The exception that was caught here.
    pub caught: Option<u64>,
}

/// An exception.
#[derive(Debug, Clone)]
pub(crate) struct Exception {
    /// Its number in the thread, from 1.
    pub number: u64,
    /// The last visit of the activation in which it was thrown.
    pub visit: VisitNo,
    /// The exception that it is again: code outside the app let that one pass, and nothing of the
    /// app ran in between. Its own number if there is none.
    pub origin: u64,
    /// True if it left the app's code.
    pub left: bool,
    /// True if it was thrown in the block of the visit, and in no block after it.
    pub in_visit: bool,
    /// The number of the top-level callback, from 1.
    pub callback: u64,
    /// Time of the callback's begin, or of a later clock, in µs since the trace began.
    pub clock_us: u64,
    /// End of the callback in µs since the trace began, if it is known: the exception is not later.
    pub end_us: Option<u64>,
    /// True if no check covers it: the last record of the log is not closed.
    pub unproven: bool,
    /// True if code outside the app may have swallowed an earlier exception of the callback: then
    /// the path since then may belong to other frames.
    pub doubtful: bool,
}

/// The last visit of a block that was looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoundVisit {
    /// The visit.
    pub visit: VisitNo,
    /// The number of the top-level callback, from 1.
    pub callback: u64,
    /// Time of the callback's begin, or of a later clock, in µs since the trace began.
    pub clock_us: u64,
    /// True if no check covers it.
    pub unproven: bool,
    /// True if it may belong to another frame.
    pub doubtful: bool,
}

/// A sink that keeps the last visits of a thread.
pub struct History<'p, 'm> {
    program: &'p Program<'m>,
    /// Blocks to look for.
    wanted: Option<HashSet<BlockNo>>,
    /// The last visit of a wanted block.
    pub(crate) found: Option<FoundVisit>,
    visits: VecDeque<Visit>,
    first_visit: u64,
    activations: VecDeque<Activation>,
    first_activation: u64,
    frames: Vec<ActivationNo>,
    exceptions: VecDeque<Exception>,
    exception_count: u64,
    /// The exception that has left frames of the app, if nothing ran since.
    unwinding: Option<u64>,
    callbacks: u64,
    clock_us: u64,
    end_us: Option<u64>,
    /// Visits before which something of the thread is missing, ascending.
    breaks: Vec<VisitNo>,
    unproven: bool,
    doubtful: bool,
    limit: usize,
}

impl<'p, 'm> History<'p, 'm> {
    /// Keeps the end of one thread's path.
    pub fn new(program: &'p Program<'m>) -> Self {
        History {
            program,
            wanted: None,
            found: None,
            visits: VecDeque::new(),
            first_visit: 0,
            activations: VecDeque::new(),
            first_activation: 0,
            frames: Vec::new(),
            exceptions: VecDeque::new(),
            exception_count: 0,
            unwinding: None,
            callbacks: 0,
            clock_us: 0,
            end_us: None,
            breaks: Vec::new(),
            unproven: false,
            doubtful: false,
            limit: MAX_VISITS,
        }
    }

    /// Also remembers the last visit of a block that has instructions of a line of a source file.
    pub fn looking_for_line(self, file: &str, line: u32) -> Self {
        History { wanted: Some(words::blocks_of_line(self.program, file, line)), ..self }
    }

    /// Returns the number of the last exception that left the app's code in a top-level callback,
    /// if it is kept.
    pub fn last_to_leave(&self, callback: u64) -> Option<u64> {
        let is_asked = |e: &&Exception| e.left && e.callback == callback;
        self.exceptions.iter().rev().find(is_asked).map(|exception| exception.number)
    }

    /// True if an exception is the last event of the thread: no callback and no other exception
    /// followed.
    pub fn ends_with(&self, exception: u64, callback: u64) -> bool {
        exception == self.exception_count && callback == self.callbacks
    }

    /// True if nothing of the thread is missing between two visits.
    pub(crate) fn is_unbroken(&self, from: VisitNo, to: VisitNo) -> bool {
        let after = self.breaks.partition_point(|&gap| gap <= from);
        self.breaks.get(after).is_none_or(|&gap| gap > to)
    }

    /// The program that the path is of.
    pub(crate) fn program(&self) -> &'p Program<'m> {
        self.program
    }

    /// A visit, if it is still kept.
    pub(crate) fn visit(&self, no: VisitNo) -> Option<&Visit> {
        self.visits.get(usize::try_from(no.0.checked_sub(self.first_visit)?).ok()?)
    }

    /// An activation, if it is still kept.
    pub(crate) fn activation(&self, no: ActivationNo) -> Option<&Activation> {
        self.activations.get(usize::try_from(no.0.checked_sub(self.first_activation)?).ok()?)
    }

    /// The last top-level activation before one.
    pub(crate) fn top_level_before(&self, no: ActivationNo) -> Option<ActivationNo> {
        let end = usize::try_from(no.0.checked_sub(self.first_activation)?).ok()?;
        let all = self.activations.range(..end.min(self.activations.len()));
        let at = all.clone().rposition(|a| a.entry == Entry::TopLevel)?;
        Some(ActivationNo(self.first_activation + at as u64))
    }

    /// Activations that were entered in a visit, in order.
    pub(crate) fn callees(&self, visit: &Visit) -> Vec<ActivationNo> {
        let mut all = Vec::new();
        let mut now = visit.last_callee;
        while let Some(no) = now {
            all.push(no);
            now = self.activation(no).and_then(|a| a.earlier);
        }
        all.reverse();
        all
    }

    /// The exceptions that are kept, in order.
    pub(crate) fn exceptions(&self) -> impl DoubleEndedIterator<Item = &Exception> {
        self.exceptions.iter()
    }

    /// The exception that was thrown last, if it is kept.
    pub(crate) fn last_exception(&self) -> Option<&Exception> {
        self.exceptions.back().filter(|exception| exception.number == self.exception_count)
    }

    /// The exception with a number.
    pub(crate) fn exception(&self, number: u64) -> Option<&Exception> {
        self.exceptions.iter().rev().find(|e| e.number == number)
    }

    /// Something of the thread is missing before the next visit.
    fn mark_break(&mut self) {
        let next = VisitNo(self.first_visit + self.visits.len() as u64);
        if self.breaks.last() != Some(&next) {
            self.breaks.push(next);
        }
    }

    fn activation_mut(&mut self, no: ActivationNo) -> Option<&mut Activation> {
        let at = no.0.checked_sub(self.first_activation)?;
        self.activations.get_mut(usize::try_from(at).ok()?)
    }

    fn visit_mut(&mut self, no: VisitNo) -> Option<&mut Visit> {
        let at = no.0.checked_sub(self.first_visit)?;
        self.visits.get_mut(usize::try_from(at).ok()?)
    }

    fn push_visit(&mut self, block: BlockNo, caught: Option<u64>) {
        let Some(&activation) = self.frames.last() else { return };
        let no = VisitNo(self.first_visit + self.visits.len() as u64);
        let previous = self.activation_mut(activation).and_then(|a| a.last.replace(no));
        self.visits.push_back(Visit { activation, block, previous, last_callee: None, caught });
        if self.visits.len() > self.limit {
            self.visits.pop_front();
            self.first_visit += 1;
        }
        if self.wanted.as_ref().is_some_and(|wanted| wanted.contains(&block)) {
            self.found = Some(FoundVisit {
                visit: no,
                callback: self.callbacks,
                clock_us: self.clock_us,
                unproven: self.unproven,
                doubtful: self.doubtful,
            });
        }
    }

    /// Ends the innermost frames by an exception.
    fn throw(&mut self, dropped: usize, left: bool, from: &[BlockNo]) -> u64 {
        self.exception_count += 1;
        let number = self.exception_count;
        let origin = self.unwinding.unwrap_or(number);
        self.unwinding = left.then_some(origin);
        let thrower = self.frames.last().copied();
        let visit = thrower.and_then(|no| self.activation(no)).and_then(|a| a.last);
        let kept = self.frames.len().saturating_sub(dropped);
        for no in self.frames.split_off(kept) {
            if let Some(activation) = self.activation_mut(no) {
                activation.threw = true;
            }
        }
        if let Some(visit) = visit {
            let (callback, clock_us, end_us) = (self.callbacks, self.clock_us, self.end_us);
            self.exceptions.push_back(Exception {
                number,
                visit,
                origin,
                left,
                in_visit: from.len() <= 1,
                callback,
                clock_us,
                end_us,
                unproven: self.unproven,
                doubtful: self.doubtful,
            });
            if self.exceptions.len() > MAX_EXCEPTIONS {
                self.exceptions.pop_front();
            }
        }
        number
    }
}

impl PathSink for History<'_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => {
                self.clock_us = self.clock_us.max(times.begin_us);
                self.end_us = times.end_us;
            }
            PathEvent::Clock(us) => self.clock_us = self.clock_us.max(us),
            PathEvent::Enter { method, via } => self.enter(method, via),
            PathEvent::Block(block) => self.block(block),
            PathEvent::Leave => {
                self.unwinding = None;
                self.frames.pop();
            }
            PathEvent::Caught { dropped, block, from, .. } => {
                let number = self.throw(dropped, false, from);
                self.push_visit(block, Some(number));
            }
            PathEvent::Unwound { dropped, from } => {
                self.throw(dropped, true, from);
            }
            PathEvent::Doubtful { .. } => self.doubtful = true,
            PathEvent::Note(note) => self.note(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        LoopRounds { times: rounds.times.min(KEPT_ROUNDS), ..rounds }.pass_each(self);
    }
}

impl History<'_, '_> {
    fn enter(&mut self, method: MethodId, via: Via) {
        self.unwinding = None;
        let entry = match via {
            Via::Call | Via::Implied | Via::Slot(_) => Entry::Call,
            Via::Callback => Entry::FromOutside,
            Via::TopLevel(_) => Entry::TopLevel,
        };
        if entry == Entry::TopLevel {
            self.callbacks += 1;
            self.doubtful = false;
        }
        let no = ActivationNo(self.first_activation + self.activations.len() as u64);
        let caller = self.frames.last().and_then(|&f| self.activation(f)?.last);
        let earlier = caller.and_then(|v| self.visit_mut(v)?.last_callee.replace(no));
        let (last, threw) = (None, false);
        self.activations.push_back(Activation { method, entry, caller, earlier, last, threw });
        if self.activations.len() > self.limit {
            self.activations.pop_front();
            self.first_activation += 1;
        }
        self.frames.push(no);
    }

    fn block(&mut self, block: BlockNo) {
        self.unwinding = None;
        self.push_visit(block, None);
    }

    fn note(&mut self, note: Note) {
        match note {
            // An empty stack follows, and something of the path is missing.
            Note::Resumed { .. } | Note::Faulty(_) | Note::Below => {
                self.frames.clear();
                self.mark_break();
            }
            Note::Gap { .. } | Note::Skipped { .. } => self.mark_break(),
            Note::Unproven => self.unproven = true,
            Note::Ended(_) => {
                self.frames.clear();
                self.unproven = false;
            }
            Note::Late | Note::Inside { .. } => {}
        }
    }
}
