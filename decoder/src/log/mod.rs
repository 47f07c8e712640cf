//! Collecting logs: any mix of trace files and logcat text becomes ordered streams of bytes per build, process and thread.
//!
//! Inputs overlap, miss parts, come in any order and are damaged; what can be used is used once, everything else is listed in
//! [`LogSet::problems`] with its place. Slabs of another build are never mixed in: they are counted and reported by build id.
//!
//! Trace files are read from a slice (which may be memory-mapped), logcat text line by line. Payloads are copied once, into the collector, and
//! joined per segment at the end; nothing else of the inputs is kept.

mod lines;
mod streams;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

use model::map::BuildId;
use model::trace::{self, DamagedSlab, FileHeader, SlabHeader, TraceError, TraceFile};

use streams::Stream;

/// Damaged lines or slabs that are listed one by one; beyond that they are only counted.
const MAX_PROBLEMS: usize = 10_000;

/// Everything that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogSet {
    /// The processes, by build, start and process id.
    pub processes: Vec<Process>,
    /// What could not be used, and why.
    pub problems: Vec<Problem>,
    /// Problems beyond the ten thousand that are listed.
    pub more_problems: u64,
    /// Lines of logcat text read.
    pub lines: u64,
    /// Slabs used.
    pub slabs: u64,
    /// Slabs that came again with the same content.
    pub duplicates: u64,
}

/// One run of the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// The build that ran.
    pub build_id: BuildId,
    /// Process id on the device.
    pub pid: u32,
    /// Process name, empty if no trace file tells.
    pub name: String,
    /// Wall clock at the start, ms since 1970; logcat does not tell.
    pub start_ms: Option<u64>,
    /// The threads, by number.
    pub threads: Vec<ThreadLog>,
}

/// What there is of one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadLog {
    /// Thread number, from 1.
    pub number: u32,
    /// The thread's name, if its beginning is there.
    pub name: Option<String>,
    /// Whether it ran before its first record, unrecorded.
    pub late: bool,
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
    /// Where decoding can begin.
    pub start: SegmentStart,
    /// Every place where decoding can begin again, ascending by offset in `bytes`.
    pub syncs: Vec<SyncPoint>,
    /// Sequence of the first slab.
    pub first: u32,
    /// Number of slabs.
    pub slabs: u32,
    /// Whether the last slab is closed. If not, the process was still writing to it.
    pub complete: bool,
}

/// Where a segment can be decoded from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentStart {
    /// The thread's stream begins here; its first record begins at this offset of the segment, behind the thread's name.
    Beginning {
        /// Where the first record begins.
        offset: usize,
    },
    /// Older slabs are missing; decoding begins at the first place that needs nothing of them.
    Sync(SyncPoint),
    /// Older slabs are missing, and no callback begins in these.
    Nowhere,
}

/// A place where decoding can begin without older bytes: at top level, between two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncPoint {
    /// Offset in the segment's bytes.
    pub offset: usize,
    /// Progress counter there.
    pub cnt: u32,
    /// Method id of the last top-level callback, 0 for none.
    pub last_top: u32,
    /// When that callback began, in ms since the trace began.
    pub time_ms: u32,
}

/// Missing slabs of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Sequence of the first missing slab.
    pub from: u32,
    /// Sequence of the next slab that is there. Equal to `from` when no slab is missing but the one before was never completed.
    pub to: u32,
}

/// Something that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The input's name.
    pub source: String,
    /// Where in it.
    pub place: Place,
    /// What.
    pub kind: ProblemKind,
}

/// A place in an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The input as a whole.
    Whole,
    /// Byte offset in a trace file.
    Byte(u64),
    /// Line of a text, from 1.
    Line(u64),
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    /// The trace file cannot be read at all.
    #[error("{0}")]
    Trace(TraceError),
    /// A slab cannot be used, or not wholly.
    #[error("{0}")]
    Slab(DamagedSlab),
    /// A logcat line holds a damaged slab (often: it was cut).
    #[error("damaged slab in the line: {0}")]
    Line(DamagedSlab),
    /// Slabs of another build than the one asked for.
    #[error("{slabs} slabs of build {build}, not of build {expected}")]
    ForeignBuild {
        /// The build that wrote them.
        build: BuildId,
        /// The build asked for.
        expected: BuildId,
        /// How many.
        slabs: u64,
    },
    /// Two different slabs with the same place; the first one that has a checksum is kept.
    #[error("process {pid}, thread {thread}: slab {sequence} is here with another content than before")]
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
        "process {pid}: at least one thread ran without being recorded, as there was not enough stack or memory for that"
    )]
    Unrecorded {
        /// Process id.
        pid: u32,
    },
    /// Nothing of this program was found in the input; or the process of a trace file ended before anything was committed.
    #[error("no slab found")]
    NothingFound,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place {
            Place::Whole => write!(f, "{}: {}", self.source, self.kind),
            Place::Byte(at) => write!(f, "{}, byte {at}: {}", self.source, self.kind),
            Place::Line(line) => write!(f, "{}, line {line}: {}", self.source, self.kind),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ProcessKey {
    build: BuildId,
    start_ms: Option<u64>,
    pid: u32,
}

#[derive(Debug, Default)]
struct ProcessSlabs {
    name: String,
    threads: BTreeMap<u32, Stream>,
    /// Of the slab that was begun last: its order, and whether threads had no record then.
    last: (u32, bool),
}

/// Where in a trace file another one begins, because somebody joined them: at a slab's place, or (when the first one was cut) anywhere, if the
/// header names the same build or the expected one. So twenty bytes must agree, and payloads are not mistaken for headers.
fn next_header(bytes: &[u8], expected: Option<BuildId>) -> Option<usize> {
    let first = TraceFile::parse(bytes).ok()?.header;
    let candidates = bytes.windows(4).enumerate().skip(1).filter(|(_, w)| trace::is_trace(w)).map(|(at, _)| at);
    candidates.into_iter().find(|at| {
        TraceFile::parse(&bytes[*at..]).is_ok_and(|f| {
            at.is_multiple_of(first.slab_size as usize)
                || f.header.build == first.build
                || Some(f.header.build) == expected
        })
    })
}

/// Takes inputs one by one and puts them together.
///
/// ```
/// use decoder::log::Collector;
/// let mut collector = Collector::new(None);
/// collector.add_text("empty.txt", &b"I/Other( 1): nothing of ours\n"[..]).unwrap();
/// let set = collector.finish();
/// assert!(set.processes.is_empty());
/// assert_eq!(set.problems[0].to_string(), "empty.txt: no slab found");
/// ```
#[derive(Debug)]
pub struct Collector {
    expected: Option<BuildId>,
    processes: BTreeMap<ProcessKey, ProcessSlabs>,
    foreign: BTreeMap<(usize, BuildId), u64>,
    sources: Vec<String>,
    set: LogSet,
}

impl Collector {
    /// A collector for one build (slabs of others are reported and dropped), or for any.
    pub fn new(expected: Option<BuildId>) -> Self {
        Self { expected, processes: BTreeMap::new(), foreign: BTreeMap::new(), sources: vec![], set: LogSet::default() }
    }

    /// Adds an input of either kind: a trace file if it begins like one, otherwise text. A trace file is read into memory;
    /// to map it instead, use [`add_trace`](Self::add_trace).
    ///
    /// # Errors
    /// When reading fails; what was read before counts.
    pub fn add(&mut self, name: &str, mut input: impl BufRead) -> io::Result<()> {
        // A pipe may hand out less than the four bytes at first.
        let mut start = Vec::new();
        input.by_ref().take(4).read_to_end(&mut start)?;
        if trace::is_trace(&start) {
            input.read_to_end(&mut start)?;
            self.add_trace(name, &start);
            Ok(())
        } else {
            self.add_text(name, (&start[..]).chain(input))
        }
    }

    /// Adds a trace file, or several that were joined by `cat`, whole or cut.
    pub fn add_trace(&mut self, name: &str, bytes: &[u8]) {
        self.sources.push(name.into());
        let mut base = 0;
        while base < bytes.len() {
            let end = next_header(&bytes[base..], self.expected).map_or(bytes.len(), |n| base + n);
            self.one_trace(&bytes[base..end], base);
            base = end;
        }
    }

    /// Adds the trace file that stands at `base` of the input.
    fn one_trace(&mut self, bytes: &[u8], base: usize) {
        let file = match TraceFile::parse(bytes) {
            Ok(file) => file,
            Err(e) => return self.problem(Place::Whole, ProblemKind::Trace(e)),
        };
        let FileHeader { build, pid, start_ms, .. } = file.header;
        let key = ProcessKey { build, start_ms: Some(start_ms), pid };
        if self.expected.is_none_or(|b| b == build) {
            // Also when it holds nothing: a process that ended at once is no foreign one.
            self.process(&key, &file.header.process);
        }
        let mut any = false;
        for slab in file.slabs() {
            any = true;
            match slab {
                Ok(slab) => {
                    let place = Place::Byte((base + slab.offset) as u64);
                    self.slab(&key, &file.header.process, slab.header, slab.payload, place);
                }
                Err(e) => {
                    let e = DamagedSlab { offset: base + e.offset, ..e };
                    self.problem(Place::Byte(e.offset as u64), ProblemKind::Slab(e));
                }
            }
        }
        if !any {
            let place = if base == 0 { Place::Whole } else { Place::Byte(base as u64) };
            self.problem(place, ProblemKind::NothingFound);
        }
    }

    /// Adds logcat text in any format.
    ///
    /// # Errors
    /// When reading fails; what was read before counts.
    pub fn add_text(&mut self, name: &str, input: impl BufRead) -> io::Result<()> {
        self.sources.push(name.into());
        let mut any = false;
        let mut lines = lines::Lines::new(input);
        let result = loop {
            let line = match lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(e) => break Err(e),
            };
            self.set.lines += 1;
            let Some(found) = lines::find_slab(line) else { continue };
            any = true;
            let place = Place::Line(lines.number());
            match found {
                Ok(slab) => {
                    let key = ProcessKey { build: slab.build, start_ms: None, pid: slab.pid };
                    self.slab(&key, "", slab.header, &slab.payload, place);
                }
                Err(e) => self.problem(place, ProblemKind::Line(e)),
            }
        };
        if !any && result.is_ok() {
            self.problem(Place::Whole, ProblemKind::NothingFound);
        }
        result
    }

    fn source(&self) -> String {
        self.sources.last().cloned().unwrap_or_default()
    }

    fn problem(&mut self, place: Place, kind: ProblemKind) {
        if self.set.problems.len() < MAX_PROBLEMS {
            self.set.problems.push(Problem { source: self.source(), place, kind });
        } else {
            self.set.more_problems += 1;
        }
    }

    fn process(&mut self, key: &ProcessKey, name: &str) -> &mut ProcessSlabs {
        let process = self.processes.entry(key.clone()).or_default();
        if process.name.is_empty() {
            process.name = name.into();
        }
        process
    }

    fn slab(&mut self, key: &ProcessKey, name: &str, header: SlabHeader, payload: &[u8], place: Place) {
        if self.expected.is_some_and(|b| b != key.build) {
            *self.foreign.entry((self.sources.len() - 1, key.build)).or_default() += 1;
            return;
        }
        let process = self.process(key, name);
        process.last = process.last.max((header.order, header.unrecorded));
        match process.threads.entry(header.thread).or_default().add(&header, payload) {
            streams::Added::New => self.set.slabs += 1,
            streams::Added::Duplicate => self.set.duplicates += 1,
            streams::Added::Conflict => {
                let (thread, sequence) = (header.thread, header.sequence);
                self.problem(place, ProblemKind::Conflict { pid: key.pid, thread, sequence });
            }
        }
    }

    /// Puts everything together.
    pub fn finish(mut self) -> LogSet {
        let mut problems = vec![];
        for ((source, build), slabs) in std::mem::take(&mut self.foreign) {
            let expected = self.expected.unwrap_or_default();
            let kind = ProblemKind::ForeignBuild { build, expected, slabs };
            problems.push(Problem { source: self.sources[source].clone(), place: Place::Whole, kind });
        }
        for (key, process) in std::mem::take(&mut self.processes) {
            let mut threads = vec![];
            for (number, stream) in process.threads {
                let (thread, named) = stream.finish(number);
                if !named && threads.len() < MAX_PROBLEMS {
                    let kind = ProblemKind::ThreadName { pid: key.pid, thread: number };
                    problems.push(Problem { source: process.name.clone(), place: Place::Whole, kind });
                }
                threads.push(thread);
            }
            let ProcessKey { build, start_ms, pid } = key;
            if process.last.1 {
                problems.push(Problem {
                    source: process.name.clone(),
                    place: Place::Whole,
                    kind: ProblemKind::Unrecorded { pid },
                });
            }
            self.set.processes.push(Process { build_id: build, pid, name: process.name, start_ms, threads });
        }
        self.set.problems.extend(problems);
        self.set
    }
}
