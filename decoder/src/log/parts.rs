//! Parts of logs that an index names, read without looking through the rest.

use model::map::BuildId;
use model::trace::Refused;
use serde::{Deserialize, Serialize};

use super::runs::Runs;
use super::store::{InputError, Stores};
use super::stored_slab::StoredSlab;
use super::streams::Stream;
use super::{Process, SegmentStart, StartClocks, ThreadLog};
use crate::replay::Start;

/// Bytes of a row of a thread's slabs, as [`super::StreamedThread::slabs`] writes them.
pub const SLAB_ROW: usize = StoredSlab::PACKED;

/// Point in the middle of a thread from which decoding begins, with the state before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Midway {
    /// Offset in the bytes of the segment that is read.
    pub offset: usize,
    /// The same in the whole segment.
    pub segment_offset: u64,
    /// The state there.
    pub start: Start,
    /// Top-level callbacks before.
    pub callbacks: u64,
    /// Begin of the last of them, in ms as their gaps add up.
    pub clock_ms: u64,
    /// Begin and end of the last one, in µs since the trace began.
    pub last: (u64, Option<u64>),
}

/// Place at which reading ends and decoding could begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Offset in the payload of the last slab that is read.
    pub offset: usize,
}

/// Facts about a process in an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessFacts {
    build: [u8; 16],
    pid: u32,
    name: String,
    start_ms: u64,
    clocks: Option<(u64, Option<u64>)>,
    sources: Vec<String>,
    refused: (u32, u32),
    version: u16,
    threads: Vec<ThreadFacts>,
}

/// Facts about a thread in an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadFacts {
    number: u32,
    name: Option<String>,
    tid: u32,
    late: bool,
}

impl ProcessFacts {
    /// Those of a process, in this version of the trace format.
    pub fn of(process: &Process, version: u16) -> Self {
        let thread = |t: &ThreadLog| {
            let ThreadLog { number, name, tid, late, .. } = t.clone();
            ThreadFacts { number, name, tid, late }
        };
        ProcessFacts {
            build: process.build_id.0,
            pid: process.pid,
            name: process.name.clone(),
            start_ms: process.start_ms,
            clocks: process.clocks.map(|c| (c.monotonic_ns, c.boot_ns)),
            sources: process.sources.clone(),
            refused: (process.refused.threads, process.refused.cut),
            version,
            threads: process.threads.iter().map(thread).collect(),
        }
    }

    /// The process with its threads, nothing of whose logs is read.
    pub fn process(&self) -> Process {
        let thread = |t: &ThreadFacts| ThreadLog {
            number: t.number,
            name: t.name.clone(),
            tid: t.tid,
            late: t.late,
            table: None,
            segments: vec![],
            gaps: vec![],
        };
        let clocks = |(monotonic_ns, boot_ns)| StartClocks { monotonic_ns, boot_ns };
        Process {
            build_id: BuildId(self.build),
            pid: self.pid,
            name: self.name.clone(),
            start_ms: self.start_ms,
            clocks: self.clocks.map(clocks),
            sources: self.sources.clone(),
            refused: Refused { threads: self.refused.0, cut: self.refused.1 },
            exit: None,
            threads: self.threads.iter().map(thread).collect(),
        }
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Wall clock at its start, ms since 1970.
    pub fn start_ms(&self) -> u64 {
        self.start_ms
    }

    /// Version of the trace format.
    pub fn version(&self) -> u16 {
        self.version
    }

    /// All processes and files of an index, as bytes.
    pub fn pack(all: &[ProcessFacts], files: &[String]) -> Vec<u8> {
        postcard::to_allocvec(&(all, files)).unwrap_or_default()
    }

    /// The inverse of [`Self::pack`].
    ///
    /// # Errors
    /// Bytes that it did not write.
    pub fn unpack(bytes: &[u8]) -> Result<(Vec<ProcessFacts>, Vec<String>), InputError> {
        postcard::from_bytes(bytes).map_err(|_| InputError::Index { what: "its processes" })
    }
}

/// Reads parts of logs.
#[derive(Debug)]
pub struct Parts {
    stores: Stores,
    files: usize,
}

impl Parts {
    /// Of these files, which are opened when they are needed.
    pub fn new(files: Vec<String>) -> Self {
        Parts { files: files.len(), stores: Stores::of(files) }
    }

    /// Reads the slabs that these rows name into a thread. Without a place to begin at, they are
    /// the thread's first ones; `until` ends the last one.
    ///
    /// # Errors
    /// A file that cannot be read or does not match the index; rows that are not valid.
    pub fn read(
        &mut self,
        thread: &mut ThreadLog,
        version: u16,
        rows: &[u8],
        from: Option<Midway>,
        until: Option<Cut>,
    ) -> Result<(), InputError> {
        let stream = Stream::unpack(rows);
        if !stream.lies_in(self.files, &mut self.stores)? || stream.len() * SLAB_ROW != rows.len() {
            return Err(InputError::Index { what: "its slabs" });
        }
        let ends = stream.ends(&mut self.stores)?;
        match (from, ends) {
            (None, _) => {
                let whole = stream.finish(thread.number, version, &mut self.stores)?;
                (thread.segments, thread.gaps) = (whole.segments, whole.gaps);
            }
            (Some(from), Some((first, bytes, _))) => {
                if from.offset as u64 > bytes {
                    return Err(InputError::Index { what: "a place to begin at" });
                }
                let mut runs = Runs::of(stream.pieces(), first, &mut self.stores)?;
                thread.segments = runs.segments(stream.pieces(), version, &mut self.stores)?;
                thread.gaps = std::mem::take(&mut runs.gaps);
                thread.late = false;
                if let Some(segment) = thread.segments.first_mut() {
                    segment.start = SegmentStart::Midway(from);
                }
            }
            (Some(_), None) => {}
        }
        if let (Some(cut), Some(last), Some((_, _, bytes))) =
            (until, thread.segments.last_mut(), ends)
        {
            let end = (last.bytes.len() as u64).saturating_sub(bytes) as usize + cut.offset;
            let begins = matches!(last.start, SegmentStart::Midway(from) if from.offset > end);
            if end > last.bytes.len() || begins {
                return Err(InputError::Index { what: "a place to end at" });
            }
            last.bytes.truncate(end);
            last.syncs.retain(|p| p.offset < end);
            last.restarts.retain(|p| p.offset < end);
            last.clocks.retain(|c| c.offset < end);
            last.complete = false;
        }
        Ok(())
    }
}
