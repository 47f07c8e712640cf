//! Collecting logs: any mix of trace files and logcat text becomes ordered streams of bytes per
//! build, process and thread.
//!
//! Inputs overlap, miss parts, come in any order and are damaged; what can be used is used once,
//! everything else is listed in [`LogSet::problems`] with its place. Slabs of another build are
//! never mixed in: they are counted and reported by build id.
//!
//! Inputs are looked through one by one, and only an index of their slabs is kept: place and digest
//! of each payload. The payloads stay in their files; those of streams and of text wait in a
//! temporary file. They are read again, process by process, at the end
//! ([`Collector::finish_each`]): memory holds one process's log at a time, however many inputs
//! there are; or a few MiB of it ([`Processes::next_streamed`]). Most of a long index waits in the
//! temporary file, too.

mod collector;
mod exits;
mod index;
mod live;
mod parts;
mod processes;
mod runs;
mod scanner;
mod slab_list;
mod store;
mod stored_slab;
mod streamed;
mod streams;
mod tables;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_disk;
mod wall;

use std::sync::Arc;

use model::exit_note::{ExitNoteError, ProcessExit};
use model::map::BuildId;
use model::nouns::there_are;
use model::protocol::RestartPlace;
use model::start_table::{StartTable, StartTableError};
use model::trace::{self, DamagedSlab, Refused, TraceError};

pub use collector::Collector;
pub use live::{LiveLine, LiveLog, ThreadKey};
pub use parts::{Cut, Midway, Parts, ProcessFacts, SLAB_ROW, ThreadFacts};
pub use processes::Processes;
pub(crate) use runs::{SLACK, SlabRun};
pub use store::InputError;
pub(crate) use streamed::SlabCursor;
pub use streamed::{StreamedProcess, StreamedThread};
pub use wall::{wall_clock, wall_time};

/// Damaged lines or slabs that are listed one by one; beyond that they are only counted.
const MAX_PROBLEMS: usize = 10_000;

/// Everything that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogSet {
    /// The processes, by build, start and process id.
    pub processes: Vec<Process>,
    /// Inputs that could not be used, with reasons.
    pub problems: Vec<Problem>,
    /// Problems beyond the ten thousand that are listed.
    pub more_problems: u64,
    /// Problems that are damage ([`ProblemKind::is_damage`]), listed or not.
    pub damage: u64,
    /// Lines of logcat text read.
    pub lines: u64,
    /// Slabs used.
    pub slabs: u64,
    /// Slabs that came again with the same content.
    pub duplicates: u64,
}

impl LogSet {
    /// Lists a problem, or counts it where too many are listed.
    fn add(&mut self, problem: Problem) {
        self.damage += u64::from(problem.kind.is_damage());
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.more_problems += 1;
        }
    }
}

/// One run of the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// The build that ran.
    pub build_id: BuildId,
    /// Process id on the device.
    pub pid: u32,
    /// Process name, empty if the device did not give one.
    pub name: String,
    /// Wall clock at the start, ms since 1970.
    pub start_ms: u64,
    /// The device's clocks at the start, to join a trace of the system; `None` in version 2 of the
    /// format.
    pub clocks: Option<StartClocks>,
    /// The inputs that had something of it, in the order in which they were added.
    pub sources: Vec<String>,
    /// Threads that its log had no room for.
    pub refused: Refused,
    /// Its end, if the device noted one.
    pub exit: Option<ProcessExit>,
    /// The threads, by number.
    pub threads: Vec<ThreadLog>,
}

/// The device's clocks when a trace began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartClocks {
    /// `CLOCK_MONOTONIC` in ns: stands still while the device sleeps.
    pub monotonic_ns: u64,
    /// `CLOCK_BOOTTIME` in ns, if the device has it. Times of the log are measured with it then,
    /// otherwise with the other one.
    pub boot_ns: Option<u64>,
}

/// The log of one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadLog {
    /// Thread number, from 1.
    pub number: u32,
    /// The thread's name, if its beginning is there.
    pub name: Option<String>,
    /// The system's id of it; 0 if that is not known.
    pub tid: u32,
    /// True if it ran unrecorded before its first record.
    pub late: bool,
    /// The table that distributions which adapt began with; `None`: that of the map.
    pub table: Option<Arc<StartTable>>,
    /// Runs of consecutive slabs, in order.
    pub segments: Vec<Segment>,
    /// Slabs that are missing, in order.
    pub gaps: Vec<Gap>,
}

/// A maximal run of consecutive slabs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The payloads, joined.
    pub bytes: Vec<u8>,
    /// Point at which decoding can begin.
    pub start: SegmentStart,
    /// Every place where decoding can begin again, ascending by offset in `bytes`.
    pub syncs: Vec<SyncPoint>,
    /// Every place inside a callback where decoding can begin again, ascending by offset.
    pub restarts: Vec<RestartPoint>,
    /// Times at which its slabs were begun, in order; none in version 2 of the format.
    pub clocks: Vec<SlabClock>,
    /// Sequence of the first slab.
    pub first: u32,
    /// Number of slabs.
    pub slabs: u32,
    /// True if the last slab is closed, as every line of logcat is: later records of the device are
    /// unknown. If not, the device was still writing to it, or the log was cut there on purpose.
    pub complete: bool,
}

/// Points from which a segment can be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentStart {
    /// The thread's stream begins here; its first record begins at this offset of the segment,
    /// after the thread's name.
    Beginning {
        /// Begin of the first record.
        offset: usize,
    },
    /// Older slabs are missing; decoding begins at the first place that needs nothing of them.
    Sync(SyncPoint),
    /// Older slabs are missing; decoding begins inside a callback.
    Restart(RestartPoint),
    /// Older slabs are missing, and no callback begins in these.
    Nowhere,
    /// Older slabs were not read: an index names a place in the thread's midst.
    Midway(Midway),
}

/// A place where decoding can begin without older bytes: at top level, between two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncPoint {
    /// Offset in the segment's bytes.
    pub offset: usize,
    /// Progress counter there.
    pub progress: u32,
    /// Method id of the last top-level callback, 0 for none.
    pub last_top: u32,
    /// Last time that the thread recorded, in ticks of the build's protocol since the trace began:
    /// the begin of that callback (protocol 2), its end (3).
    pub time: u32,
}

/// A place inside a callback where decoding can begin without older bytes: at the head of a loop.
/// The callers of the loop's method may be unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartPoint {
    /// Offset in the segment's bytes.
    pub offset: usize,
    /// Progress counter there.
    pub progress: u32,
    /// The loop.
    pub place: RestartPlace,
    /// Begin of the callback, in ticks of the build's protocol since the trace began.
    pub time: u32,
}

/// Time at which a slab was begun. Bytes before it were out then, and none of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlabClock {
    /// Offset of its payload in the segment's bytes.
    pub offset: usize,
    /// µs since the trace began, modulo 2^[`trace::CLOCK_BITS`].
    pub us: u64,
}

/// Missing slabs of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Sequence of the first missing slab.
    pub from: u32,
    /// Sequence of the next slab that is there. Equal to `from` when no slab is missing but the one
    /// before was never completed.
    pub to: u32,
    /// True if logs have such gaps without damage: logcat and a ring drop a thread's oldest part. A
    /// ring may keep some of the small slabs before it.
    pub by_design: bool,
}

/// Something that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The input's name.
    pub source: String,
    /// Position in the input.
    pub place: InputPlace,
    /// Kind of the problem.
    pub kind: ProblemKind,
}

/// A place in an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputPlace {
    /// The input as a whole.
    Whole,
    /// Byte offset in a trace file, or in text without lines.
    Byte(u64),
    /// Line of a text, from 1.
    Line(u64),
}

/// Kinds of problems.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    /// The trace file cannot be read at all.
    #[error("{0}")]
    Trace(TraceError),
    /// The start table cannot be used.
    #[error("{0}")]
    Table(StartTableError),
    /// The note of how a process ended cannot be used.
    #[error("{0}")]
    Exit(ExitNoteError),
    /// A slab cannot be used, or not wholly.
    #[error("{0}")]
    Slab(DamagedSlab),
    /// Text holds a damaged slab (often: its line was cut).
    #[error("damaged slab in the text: {}", .0.damage)]
    Text(DamagedSlab),
    /// Slabs of another build than the one asked for.
    #[error("{slabs} {} of build {build}, not of build {expected}", noun(*slabs, "slab", "slabs"))]
    ForeignBuild {
        /// The build that wrote them.
        build: BuildId,
        /// The build asked for.
        expected: BuildId,
        /// Number of slabs.
        slabs: u64,
    },
    /// Lines of an older version of the format.
    #[error(
        "{lines} {} of trace format version 1; this program knows versions {} to {}",
        noun(*lines, "line", "lines"),
        trace::OLDEST,
        trace::LINES
    )]
    OldLines {
        /// Number of lines.
        lines: u64,
    },
    /// Two inputs differ about a process, although all that identifies it is the same: two
    /// processes.
    #[error(
        "process {pid} differs from the process of the same name, start and number in other inputs"
    )]
    Apart {
        /// Process id.
        pid: u32,
    },
    /// Two different slabs with the same place in one input; the first one that has a checksum is
    /// kept.
    #[error("process {pid}, thread {thread}: slab {sequence} occurs twice, with different content")]
    Conflict {
        /// Process id.
        pid: u32,
        /// Thread number.
        thread: u32,
        /// Sequence within the thread.
        sequence: u32,
    },
    /// The stream does not begin with a thread's name.
    #[error("process {pid}, thread {thread}: the stream ends inside the thread's name")]
    ThreadName {
        /// Process id.
        pid: u32,
        /// Thread number.
        thread: u32,
    },
    /// Threads ran, and could not be recorded.
    #[error(
        "process {pid}: at least one thread ran without being recorded, for lack of stack or memory"
    )]
    Unrecorded {
        /// Process id.
        pid: u32,
    },
    /// A log that was full.
    #[error(
        "process {pid}: the log was full; {} not in it at all, and {} cut short",
        there_are(refused.threads, "thread"), there_are(refused.cut, "thread")
    )]
    Full {
        /// Process id.
        pid: u32,
        /// Threads that were refused.
        refused: Refused,
    },
    /// A full log refused threads, but the numbers of refused data are damaged.
    #[error("process {pid}: the counts of a full log are damaged")]
    FullUnknown {
        /// Process id.
        pid: u32,
    },
    /// A process that is left out, because an input no longer holds what it held when it was added.
    #[error("process {pid} is left out: {why}")]
    Unreadable {
        /// Process id.
        pid: u32,
        /// The input, and its problem.
        why: String,
    },
    /// The process of a trace file ended before it committed anything.
    #[error("it has no record: its process ended before it wrote one")]
    NothingWritten,
    /// Nothing of an instrumented build was found in the input.
    #[error("not a Pathlight log: it has no record")]
    NoLog,
}

impl ProblemKind {
    /// Returns true if data cannot be used. It is no damage if a process was killed, its log was
    /// full, or it had no memory.
    pub fn is_damage(&self) -> bool {
        match self {
            ProblemKind::Trace(_)
            | ProblemKind::Table(_)
            | ProblemKind::Exit(_)
            | ProblemKind::Slab(_)
            | ProblemKind::Text(_)
            | ProblemKind::ForeignBuild { .. }
            | ProblemKind::OldLines { .. }
            | ProblemKind::Apart { .. }
            | ProblemKind::Conflict { .. }
            | ProblemKind::ThreadName { .. }
            | ProblemKind::FullUnknown { .. }
            | ProblemKind::Unreadable { .. }
            | ProblemKind::NoLog => true,
            ProblemKind::Unrecorded { .. }
            | ProblemKind::Full { .. }
            | ProblemKind::NothingWritten => false,
        }
    }
}

fn noun(number: u64, one: &'static str, many: &'static str) -> &'static str {
    if number == 1 { one } else { many }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place {
            InputPlace::Whole => write!(f, "{}: {}", self.source, self.kind),
            InputPlace::Byte(at) => write!(f, "{}, byte {at}: {}", self.source, self.kind),
            InputPlace::Line(line) => write!(f, "{}, line {line}: {}", self.source, self.kind),
        }
    }
}
