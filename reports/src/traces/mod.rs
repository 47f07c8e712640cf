//! Paths as files for viewers of traces and flame graphs.
//!
//! One decoding pass writes all of them: [`Traces`] makes frames of path events, and each file is a
//! [`FrameSink`]. Their unit is the *step*, a basic block that ran: the log has no clock but the
//! starts of top-level callbacks.

mod folded;
mod limit;
mod perfetto;
mod proto;
mod speedscope;
#[cfg(test)]
mod tests;

pub use folded::Folded;
pub use perfetto::{HEAD as PERFETTO_HEAD, Perfetto};
pub use speedscope::{HEAD as SPEEDSCOPE_HEAD, Speedscope};

use std::io;

use decoder::log::{Process, ThreadLog};
use decoder::replay::{BlockNo, PathSink, Program, Via};
use decoder::session::{Note, ThreadSink};
use model::map::{HandlerId, MethodId};

use super::{dotted, visible};

/// Bytes after which a trace shows no more calls, only top-level callbacks: viewers that hold all
/// slices in memory become slow there.
pub const CALLS_LIMIT: u64 = 100_000_000;

/// What a frame runs: position in [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Frame(u32);

/// Names of frames.
#[derive(Debug, Clone, Copy)]
pub struct Names<'p, 'm>(pub &'p Program<'m>);

impl Names<'_, '_> {
    /// How many frames there are.
    fn len(&self) -> usize {
        self.0.map.methods.len()
    }

    /// `com.example.Cls.name`, without control characters.
    fn name(&self, frame: Frame) -> String {
        let map = self.0.map;
        visible(&dotted(map, &map.methods[frame.0 as usize])).into_owned()
    }

    /// The source file, where it is known.
    fn file(&self, frame: Frame) -> Option<&str> {
        let map = self.0.map;
        map.methods[frame.0 as usize].source_file.map(|f| map.name(f))
    }
}

/// How a frame began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opened {
    /// Called by the app.
    Call,
    /// Called from outside the app.
    Callback,
}

/// How a frame ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// It returned.
    Return,
    /// By an exception.
    Exception,
    /// Nothing is known of its end: the log breaks off.
    Unknown,
}

/// Takes the frames of one thread after the other.
pub trait FrameSink {
    /// A process begins; its threads follow.
    fn process(&mut self, _process: &Process) {}
    /// A thread begins. No frame is open.
    fn thread(&mut self, process: &Process, thread: &ThreadLog);
    /// The next frame is a top-level callback; it began at this time (ms since 1970).
    fn top_level(&mut self, _at_ms: u64) {}
    /// A frame begins in the innermost one.
    fn open(&mut self, frame: Frame, how: Opened);
    /// The innermost frame ran so many blocks.
    fn steps(&mut self, steps: u64);
    /// The innermost frame ends.
    fn close(&mut self, how: Closed);
    /// Something about the log at this place.
    fn note(&mut self, _text: &str) {}
    /// The thread ends. No frame is open.
    fn thread_ends(&mut self) {}
    /// Writes the rest. Tells what people should know of the file.
    ///
    /// # Errors
    /// The first error of the output.
    fn finish(&mut self) -> io::Result<Option<String>>;
}

/// What went into the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Threads with at least one event.
    pub threads: u64,
    /// Top-level callbacks.
    pub callbacks: u64,
    /// All frames, with those of top-level callbacks.
    pub frames: u64,
    /// Frames that ended by an exception.
    pub exceptions: u64,
    /// Blocks that ran.
    pub steps: u64,
    /// Frames that may have ended earlier than shown.
    pub doubtful: u64,
}

/// Makes frames of the path events of one thread after the other, and passes them on to every file.
pub struct Traces<'a> {
    sinks: Vec<Box<dyn FrameSink + 'a>>,
    totals: Totals,
    open: usize,
    /// Of the innermost frame, not yet passed on.
    steps: u64,
    /// Wall clock, ms since 1970, of the thread's last callback.
    clock: u64,
    /// The same when the process began.
    start: u64,
    seen: bool,
}

impl<'a> Traces<'a> {
    /// Writes these files.
    pub fn new(sinks: Vec<Box<dyn FrameSink + 'a>>) -> Self {
        let totals = Totals::default();
        Traces { sinks, totals, open: 0, steps: 0, clock: 0, start: 0, seen: false }
    }

    /// A process begins: the threads that follow are its own.
    pub fn process(&mut self, process: &Process) {
        self.thread_ends();
        self.sinks.iter_mut().for_each(|s| s.process(process));
    }

    /// A thread begins: the events that follow are its own.
    pub fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.thread_ends();
        (self.clock, self.start) = (process.start_ms, process.start_ms);
        self.sinks.iter_mut().for_each(|s| s.thread(process, thread));
    }

    /// Writes the rest. Gives what went into the files, and what each has to say.
    ///
    /// # Errors
    /// The first error of an output.
    pub fn finish(mut self) -> io::Result<(Totals, Vec<Option<String>>)> {
        self.thread_ends();
        let said = self.sinks.iter_mut().map(|s| s.finish()).collect::<io::Result<_>>()?;
        Ok((self.totals, said))
    }

    fn thread_ends(&mut self) {
        self.close(self.open, Closed::Unknown);
        self.totals.threads += u64::from(std::mem::take(&mut self.seen));
        self.sinks.iter_mut().for_each(|s| s.thread_ends());
    }

    fn pass_steps(&mut self) {
        let steps = std::mem::take(&mut self.steps);
        if steps > 0 && self.open > 0 {
            self.totals.steps = self.totals.steps.saturating_add(steps);
            self.sinks.iter_mut().for_each(|s| s.steps(steps));
        }
    }

    /// The innermost frames end.
    fn close(&mut self, frames: usize, how: Closed) {
        self.pass_steps();
        let frames = frames.min(self.open);
        self.open -= frames;
        for _ in 0..frames {
            self.totals.exceptions += u64::from(how == Closed::Exception);
            self.sinks.iter_mut().for_each(|s| s.close(how));
        }
    }
}

impl PathSink for Traces<'_> {
    fn enter(&mut self, method: MethodId, via: Via) {
        self.seen = true;
        if let Via::TopLevel(ms) = via {
            self.close(self.open, Closed::Unknown);
            self.clock = self.clock.saturating_add(ms.into());
            self.totals.callbacks += 1;
            self.sinks.iter_mut().for_each(|s| s.top_level(self.clock));
        }
        self.pass_steps();
        let how = match via {
            Via::Call | Via::Slot(_) => Opened::Call,
            Via::Callback | Via::TopLevel(_) => Opened::Callback,
        };
        self.totals.frames += 1;
        self.open += 1;
        self.sinks.iter_mut().for_each(|s| s.open(Frame(method.0 - 1), how));
    }

    fn block(&mut self, _block: BlockNo) {
        self.steps += 1;
    }

    fn rounds(&mut self, _branch: BlockNo, _stay: usize, cycle: &[BlockNo], times: u32) {
        let steps = (cycle.len() as u64).saturating_mul(times.into());
        self.steps = self.steps.saturating_add(steps);
    }

    fn leave(&mut self) {
        self.close(1, Closed::Return);
    }

    fn caught(&mut self, dropped: usize, _handler: HandlerId, block: BlockNo, _from: &[BlockNo]) {
        self.close(dropped, Closed::Exception);
        self.block(block);
    }

    fn doubtful(&mut self, _method: MethodId) {
        self.totals.doubtful += 1;
    }

    fn unwound(&mut self, dropped: usize, _from: &[BlockNo]) {
        self.close(dropped, Closed::Exception);
    }
}

impl ThreadSink for Traces<'_> {
    fn note(&mut self, note: Note) {
        let text = match note {
            Note::Late => "the thread ran before, unrecorded".into(),
            Note::Gap { from, to } if from == to => "the log breaks off here".into(),
            Note::Gap { from, to } => format!("{} slabs are missing", to.saturating_sub(from)),
            Note::Skipped { bytes: 0 } | Note::Ended(_) => return,
            Note::Skipped { bytes } => format!("{bytes} bytes cannot be decoded"),
            Note::Faulty(fault) => fault.to_string(),
            Note::Resumed { time_ms } => {
                self.close(self.open, Closed::Unknown);
                self.clock = self.start.saturating_add(time_ms.into());
                "decoding goes on here".into()
            }
            Note::Unproven => "no check has proven what follows".into(),
        };
        self.sinks.iter_mut().for_each(|s| s.note(&text));
    }
}
