//! Input of a time tree: blocks run by call path and time.
//!
//! A weight is a number of blocks that ran, its context the open calls. Its time is the last clock
//! reading before them: the start of their callback, or the clock of a slab of the log that began
//! since. No time in between is interpolated. Times count from the start of the process, in µs.

use std::collections::HashMap;
use std::io::{self, Write};

use decoder::log::{Process, ProcessFacts, SLAB_ROW, StreamedProcess, StreamedThread, ThreadLog};
use decoder::places::{IndexRecorder, PLACE_ROW};
use decoder::session::ThreadTotals;
use timetree::ThreadNo;
use timetree::{
    Builder, ContextId, Error, Head, ROOT, Sample, ThreadOrigin, ThreadOutcome, TreeOptions,
    WeightUnit,
};

use crate::export::session_index::{FACTS, PLACES, SLABS};
use crate::frames::{Closed, Frame, FrameNames, FrameSink, Opened, WallTime};
use model::nouns::counted;

/// Writes a time tree.
pub struct Weights<'p, 'm, W> {
    names: FrameNames<'p, 'm>,
    builder: Option<Builder<W>>,
    /// For each frame the first one of the same name: overloads count as one.
    first: Vec<u32>,
    thread: ThreadNo,
    outcome: ThreadOutcome,
    /// Start of its process, in µs since 1970.
    start: u64,
    /// The last clock reading.
    time: u64,
    /// The contexts of the open frames.
    stack: Vec<ContextId>,
    /// Blocks since the last clock reading, by context; `touched` are the contexts that have some.
    blocks: Vec<u64>,
    touched: Vec<u32>,
    /// Number of weights passed on.
    passed: u64,
    processes: Vec<ProcessFacts>,
    files: Vec<String>,
    /// The first error; nothing is written after it.
    error: Option<Error>,
    /// Figures of the finished tree, in words.
    summary: Option<String>,
}

impl<'p, 'm, W: Write> Weights<'p, 'm, W> {
    /// Returns figures of the tree in words, once it is finished.
    pub fn summary(&self) -> Option<&str> {
        self.summary.as_deref()
    }

    /// Begins a tree of sessions of this build.
    ///
    /// # Errors
    /// See [`Builder::new`].
    pub fn new(names: FrameNames<'p, 'm>, out: W, options: TreeOptions) -> Result<Self, Error> {
        let build_id = names.0.map.build.0.to_vec();
        let builder = Builder::new(out, &Head { kind: WeightUnit::Paths, build_id }, options)?;
        let mut numbers = HashMap::new();
        let number = |n: u32| *numbers.entry(names.name(Frame(n))).or_insert(n);
        let first = (0..names.len() as u32).map(number).collect();
        Ok(Weights {
            names,
            builder: Some(builder),
            first,
            thread: 0,
            outcome: ThreadOutcome::default(),
            start: 0,
            time: 0,
            stack: Vec::new(),
            blocks: Vec::new(),
            touched: Vec::new(),
            passed: 0,
            processes: Vec::new(),
            files: Vec::new(),
            error: None,
            summary: None,
        })
    }

    /// Ends the thread; `doubtful` is the number of its doubtful calls.
    pub fn ended(&mut self, totals: &ThreadTotals, doubtful: u64) {
        let ThreadTotals { unproven, faulty, missing_slabs, .. } = *totals;
        let known = self.outcome;
        self.outcome =
            ThreadOutcome { refused: faulty, unproven, missing: missing_slabs, doubtful, ..known };
    }

    /// Begins a process: its threads follow.
    pub fn process_of(&mut self, process: &StreamedProcess<'_>) {
        self.processes.push(ProcessFacts::of(process.process(), process.version()));
        self.files = process.files();
    }

    /// Records the byte ranges of the decoded thread's slabs, and the points where decoding can
    /// begin. Logs that are not in files cannot be found again.
    pub fn keep(&mut self, thread: &mut StreamedThread<'_>, places: IndexRecorder) {
        let (Some(builder), None) = (&mut self.builder, &self.error) else { return };
        let of = Some(self.thread);
        builder.table(of, SLABS, SLAB_ROW);
        let slabs = thread.slabs(|rows| builder.rows(rows).map_err(as_io));
        let kept = slabs.and_then(|()| {
            builder.table(of, PLACES, PLACE_ROW);
            places.rows(thread, |rows| builder.rows(rows).map_err(as_io))
        });
        self.error = kept.err().map(Error::Io);
    }

    /// Passes on the blocks since the last clock reading, and sets the time (in µs since 1970).
    fn clock_at(&mut self, us: u64) {
        self.pass_on();
        // Clocks of different kinds are rounded differently; the later reading is equally exact.
        self.time = self.time.max(us.saturating_sub(self.start));
        self.outcome.end = self.outcome.end.max(self.time);
    }

    fn pass_on(&mut self) {
        self.touched.sort_unstable();
        for context in self.touched.drain(..) {
            let weight = std::mem::take(&mut self.blocks[context as usize]);
            let sample = Sample { time: self.time, context: ContextId(context), weight };
            if let (Some(builder), None) = (&mut self.builder, &self.error) {
                self.error = builder.sample(self.thread, sample).err();
                self.passed += 1;
            }
        }
    }

    #[inline]
    fn context_of(&mut self, frame: Frame) -> ContextId {
        let above = self.stack.last().copied().unwrap_or(ROOT);
        match &mut self.builder {
            Some(builder) => builder.contexts().enter(above, self.first[frame.0 as usize]),
            None => ROOT,
        }
    }

    #[inline]
    fn add(&mut self, context: ContextId, steps: u64) {
        let at = context.0 as usize;
        if at >= self.blocks.len() {
            self.blocks.resize(at + 1, 0);
        }
        let sum = &mut self.blocks[at];
        if *sum == 0 && steps > 0 {
            self.touched.push(context.0);
        }
        *sum = sum.saturating_add(steps);
    }
}

impl<W: Write> FrameSink for Weights<'_, '_, W> {
    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        let origin = ThreadOrigin {
            name: thread.name.clone().unwrap_or_default(),
            number: thread.number,
            process: process.name.clone(),
            pid: process.pid,
            start_ms: process.start_ms,
        };
        if let Some(builder) = &mut self.builder {
            self.thread = builder.thread(origin);
        }
        self.start = process.start_ms.saturating_mul(1000);
        self.time = 0;
        self.outcome = ThreadOutcome::default();
        self.stack.clear();
    }

    fn top_level(&mut self, at: WallTime) {
        self.clock_at(at.begin_us);
        let end = at.end_us.map_or(0, |us| us.saturating_sub(self.start));
        self.outcome.end = self.outcome.end.max(end);
    }

    fn clock(&mut self, us: u64) {
        self.clock_at(us);
    }

    #[inline]
    fn open(&mut self, frame: Frame, _how: Opened) {
        let context = self.context_of(frame);
        self.stack.push(context);
    }

    #[inline]
    fn steps(&mut self, steps: u64) {
        if let Some(&context) = self.stack.last() {
            self.add(context, steps);
        }
    }

    fn close(&mut self, _how: Closed) {
        self.stack.pop();
    }

    #[inline]
    fn leaf(&mut self, frame: Frame) {
        let context = self.context_of(frame);
        self.add(context, 1);
    }

    fn thread_ends(&mut self) {
        self.pass_on();
        let (thread, outcome) = (self.thread, std::mem::take(&mut self.outcome));
        if let (Some(builder), true) = (&mut self.builder, outcome != ThreadOutcome::default()) {
            self.error = self.error.take().or(builder.ended(thread, outcome).err());
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        let Some(mut builder) = self.builder.take() else { return Ok(()) };
        if let Some(error) = self.error.take() {
            return Err(as_io(error));
        }
        let (contexts, folded) = (builder.contexts().len(), builder.contexts().folded());
        let facts = ProcessFacts::pack(&self.processes, &self.files);
        builder.table(None, FACTS, 1);
        builder.rows(&facts).map_err(as_io)?;
        let names: Vec<String> =
            (0..self.names.len() as u32).map(|n| self.names.name(Frame(n))).collect();
        builder.finish(&names).map_err(as_io)?;
        let deep = match folded {
            0 => String::new(),
            n => format!("; {} counted for others, nested too deep", counted(n, "call")),
        };
        let weights = counted(self.passed, "weight");
        self.summary = Some(format!("{weights} of {}{deep}", counted(contexts, "call path")));
        Ok(())
    }
}

fn as_io(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        other => io::Error::other(other),
    }
}
