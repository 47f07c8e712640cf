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
mod wall;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Read};

use model::map::BuildId;
use model::trace::{self, DamagedSlab, Identity, Refused, SlabDamage, SlabHeader, TraceError, TraceFile};

use streams::Stream;
pub use wall::wall_clock;

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
    /// Process name, empty if the device did not tell.
    pub name: String,
    /// Wall clock at the start, ms since 1970.
    pub start_ms: u64,
    /// The inputs that had something of it, in the order in which they were added.
    pub sources: Vec<String>,
    /// Threads that its log had no room for.
    pub refused: Refused,
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
    pub progress: u32,
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
    /// Lines of an older version of the format.
    #[error("{lines} lines of trace format version 1; this program knows version {}", trace::VERSION)]
    OldLines {
        /// How many.
        lines: u64,
    },
    /// What an input has of a process is not what another one has of it, although all that names them is the same: two processes.
    #[error("process {pid} differs from the process of the same name, start and number in other inputs")]
    Apart {
        /// Process id.
        pid: u32,
    },
    /// Two different slabs with the same place in one input; the first one that has a checksum is kept.
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
    #[error("process {pid}: at least one thread ran without being recorded, for lack of stack or memory")]
    Unrecorded {
        /// Process id.
        pid: u32,
    },
    /// A log that was full.
    #[error(
        "process {pid}: the log was full; {} threads are not in it at all, and {} are cut short",
        refused.threads, refused.cut
    )]
    Full {
        /// Process id.
        pid: u32,
        /// How many threads.
        refused: Refused,
    },
    /// The numbers of what a full log refused.
    #[error("process {pid}: the counts of a full log are damaged")]
    FullUnknown {
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

#[derive(Debug, Default)]
struct ProcessSlabs {
    threads: BTreeMap<u32, Stream>,
    /// Of the slab that was begun last: its order, and whether threads had no record then.
    last: (u32, bool),
    refused: Refused,
    /// The inputs that it came from, by number.
    sources: BTreeSet<usize>,
}

impl ProcessSlabs {
    /// Whether both can be of one process: no slab that both have differs.
    fn agrees(&self, other: &Self) -> bool {
        other.threads.iter().all(|(n, theirs)| self.threads.get(n).is_none_or(|ours| ours.agrees(theirs)))
    }

    /// Takes in another part of the same process; tells how many slabs both had.
    fn merge(&mut self, other: Self) -> u64 {
        self.last = self.last.max(other.last);
        self.refused.threads = self.refused.threads.max(other.refused.threads);
        self.refused.cut = self.refused.cut.max(other.refused.cut);
        self.sources.extend(other.sources);
        other.threads.into_iter().map(|(n, stream)| self.threads.entry(n).or_default().merge(stream)).sum()
    }
}

/// Where in a trace file another one begins, because somebody joined them: at a slab's place, or (when the first one was cut) anywhere, if the
/// header names the same build or the expected one. Its checksum keeps payloads from being mistaken for headers. A damaged header at a slab's
/// place ends the first file, too: what follows is not that process's.
fn next_header(bytes: &[u8], expected: Option<BuildId>) -> Option<usize> {
    let first = TraceFile::parse(bytes).ok().map(|f| f.header);
    let candidates = bytes.windows(4).enumerate().skip(1).filter(|(_, w)| trace::is_trace(w)).map(|(at, _)| at);
    candidates.into_iter().find(|at| {
        let in_place = first.as_ref().is_some_and(|f| at.is_multiple_of(f.slab_size as usize));
        match TraceFile::parse(&bytes[*at..]) {
            Ok(f) => {
                let build = f.header.identity.build;
                in_place || Some(build) == expected || first.as_ref().is_none_or(|f| f.identity.build == build)
            }
            Err(_) => in_place,
        }
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
    /// Several of one identity where inputs disagree.
    processes: BTreeMap<Identity, Vec<ProcessSlabs>>,
    /// What the input that is being read has.
    current: BTreeMap<Identity, ProcessSlabs>,
    foreign: BTreeMap<(usize, BuildId), u64>,
    sources: Vec<String>,
    set: LogSet,
}

impl Collector {
    /// A collector for one build (slabs of others are reported and dropped), or for any.
    pub fn new(expected: Option<BuildId>) -> Self {
        Self {
            expected,
            processes: BTreeMap::new(),
            current: BTreeMap::new(),
            foreign: BTreeMap::new(),
            sources: vec![],
            set: LogSet::default(),
        }
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
        let identity = &file.header.identity;
        if self.expected.is_none_or(|b| b == identity.build) {
            // Also when it holds nothing: a process that ended at once is no foreign one.
            self.process(identity).refused = file.header.refused.unwrap_or_default();
            if file.header.refused.is_none() {
                self.problem(Place::Whole, ProblemKind::FullUnknown { pid: identity.pid });
            }
        }
        let mut any = false;
        for slab in file.slabs() {
            any = true;
            match slab {
                Ok(slab) => {
                    let place = Place::Byte((base + slab.offset) as u64);
                    self.slab(identity, slab.header, slab.payload, place);
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
        self.commit();
    }

    /// Adds logcat text in any format.
    ///
    /// # Errors
    /// When reading fails; what was read before counts.
    pub fn add_text(&mut self, name: &str, input: impl BufRead) -> io::Result<()> {
        self.sources.push(name.into());
        let mut any = false;
        let mut old = 0;
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
                Ok(slab) => self.slab(&slab.identity, slab.header, &slab.payload, place),
                Err(DamagedSlab { damage: SlabDamage::Version(_), .. }) => old += 1,
                Err(e) => self.problem(place, ProblemKind::Line(e)),
            }
        };
        self.commit();
        if old > 0 {
            self.problem(Place::Whole, ProblemKind::OldLines { lines: old });
        }
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

    fn process(&mut self, identity: &Identity) -> &mut ProcessSlabs {
        if !self.current.contains_key(identity) {
            let sources = BTreeSet::from([self.sources.len().saturating_sub(1)]);
            self.current.insert(identity.clone(), ProcessSlabs { sources, ..ProcessSlabs::default() });
        }
        self.current.get_mut(identity).expect("just made")
    }

    fn slab(&mut self, identity: &Identity, header: SlabHeader, payload: &[u8], place: Place) {
        if self.expected.is_some_and(|b| b != identity.build) {
            *self.foreign.entry((self.sources.len() - 1, identity.build)).or_default() += 1;
            return;
        }
        let process = self.process(identity);
        process.last = process.last.max((header.order, header.unrecorded));
        match process.threads.entry(header.thread).or_default().add(&header, payload) {
            streams::Added::New => self.set.slabs += 1,
            streams::Added::Duplicate => self.set.duplicates += 1,
            streams::Added::Conflict => {
                let (thread, sequence) = (header.thread, header.sequence);
                self.problem(place, ProblemKind::Conflict { pid: identity.pid, thread, sequence });
            }
        }
    }

    /// The input has ended: what it had goes to the processes that it agrees with.
    fn commit(&mut self) {
        for (identity, process) in std::mem::take(&mut self.current) {
            let known = self.processes.entry(identity.clone()).or_default();
            match known.iter_mut().find(|p| p.agrees(&process)) {
                Some(same) => {
                    let both = same.merge(process);
                    self.set.slabs -= both;
                    self.set.duplicates += both;
                }
                None => {
                    let apart = !known.is_empty();
                    known.push(process);
                    if apart {
                        self.problem(Place::Whole, ProblemKind::Apart { pid: identity.pid });
                    }
                }
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
        let all = std::mem::take(&mut self.processes);
        for (identity, process) in all.into_iter().flat_map(|(i, all)| all.into_iter().map(move |p| (i.clone(), p))) {
            let Identity { build, start_ms, pid, process: name, .. } = identity;
            let sources: Vec<String> = process.sources.iter().map(|i| self.sources[*i].clone()).collect();
            let mut problem = |kind| {
                problems.push(Problem { source: sources.join(", "), place: Place::Whole, kind });
            };
            let mut threads = vec![];
            for (number, stream) in process.threads {
                let (thread, named) = stream.finish(number);
                if !named && threads.len() < MAX_PROBLEMS {
                    problem(ProblemKind::ThreadName { pid, thread: number });
                }
                threads.push(thread);
            }
            if process.last.1 {
                problem(ProblemKind::Unrecorded { pid });
            }
            let refused = process.refused;
            if refused != Refused::default() {
                problem(ProblemKind::Full { pid, refused });
            }
            self.set.processes.push(Process { build_id: build, pid, name, start_ms, sources, refused, threads });
        }
        self.set.problems.extend(problems);
        self.set
    }
}
