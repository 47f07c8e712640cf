//! Sessions indexed by a time tree: for an interval, only the part of the logs with it is read.
//!
//! Besides the tree, the file has the facts of the processes (as [`ProcessFacts`]), and for each
//! thread two tables: the byte ranges of its slabs, and the points where decoding can begin.

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use decoder::log::{InputError, Parts, Process, ProcessFacts, SLAB_ROW};
use decoder::places::{IndexTable, PLACE_ROW, part};
use model::map::BuildId;
use timetree::{Index, ThreadNo, WeightUnit};

use crate::base::filter::{Filter, Interval};

/// Table of the facts of processes and the names of files, for the whole file.
pub(crate) const FACTS: u8 = 1;
/// Table of a thread's slabs.
pub(crate) const SLABS: u8 = 2;
/// Table of the points where decoding can begin.
pub(crate) const PLACES: u8 = 3;

/// Reason why sessions cannot be read with an index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The index cannot be read.
    #[error(transparent)]
    Tree(#[from] timetree::Error),
    /// The logs cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// An index of another build.
    #[error("it indexes sessions of build {found}, not of build {expected}")]
    OtherBuild {
        /// Build of the index.
        found: BuildId,
        /// Build of the map.
        expected: BuildId,
    },
    /// An index without sessions that can be read again.
    #[error("it indexes no logs")]
    NoLogs,
    /// A log that was not found again.
    #[error(
        "process {pid} came from text or through a pipe, or began with a start table, where an \
         index finds nothing again; decode its log without the index"
    )]
    Text {
        /// The process id.
        pid: u32,
    },
}

/// Indexed sessions.
pub struct SessionIndex {
    index: Index<File>,
    processes: Vec<ProcessFacts>,
    /// The number in the tree of each process's first thread, and the number after the last thread.
    first: Vec<ThreadNo>,
    parts: Parts,
}

/// A table of the index.
struct TableRows<'i>(&'i mut Index<File>, timetree::RowTable);

impl IndexTable for TableRows<'_> {
    type Error = IndexError;

    fn count(&self) -> u64 {
        self.1.rows()
    }

    fn row(&mut self, number: u64) -> Result<Vec<u8>, IndexError> {
        Ok(self.0.table_rows(&self.1, number, number.saturating_add(1))?)
    }
}

impl SessionIndex {
    /// Opens the index of sessions of this build.
    ///
    /// # Errors
    /// A file that cannot be read or is damaged; one of another build, or without logs.
    pub fn open(path: &Path, build: BuildId) -> Result<Self, IndexError> {
        let mut index = Index::open(path)?;
        let head = index.head();
        let mut found = BuildId::default();
        if head.kind == WeightUnit::Paths && head.build_id.len() == found.0.len() {
            found.0.copy_from_slice(&head.build_id);
        }
        if found != build {
            return Err(IndexError::OtherBuild { found, expected: build });
        }
        let facts = index.table(None, FACTS).ok_or(IndexError::NoLogs)?;
        let (processes, files) =
            ProcessFacts::unpack(&index.table_rows(&facts, 0, facts.rows())?)?;
        let (mut first, mut next) = (vec![0], 0);
        for process in &processes {
            next += process.threads();
            first.push(next);
        }
        Ok(SessionIndex { index, processes, first, parts: Parts::new(files) })
    }

    /// Returns the number of processes.
    pub fn count(&self) -> usize {
        self.processes.len()
    }

    /// Returns the threads of a process, by their numbers in the tree.
    fn threads(&self, process: usize) -> Range<ThreadNo> {
        self.first[process]..self.first[process + 1]
    }

    /// Returns the start of a process (wall clock, ms since 1970), and its known duration in µs.
    ///
    /// # Panics
    /// Panics if there is no such process.
    pub fn times(&self, process: usize) -> (u64, u64) {
        let threads = self.index.threads().get(self.threads(process)).unwrap_or_default();
        let end = threads.iter().map(|t| t.outcome.end).max().unwrap_or(0);
        (self.processes[process].start_ms(), end)
    }

    /// Reads a process with the part of its log that an interval needs. Threads that the filter
    /// leaves out have no log.
    ///
    /// # Errors
    /// The index or the log cannot be read, or the log has changed since it was indexed.
    ///
    /// # Panics
    /// Panics if there is no such process.
    pub fn process(
        &mut self,
        process: usize,
        filter: &Filter,
        interval: Interval,
    ) -> Result<Process, IndexError> {
        let facts = &self.processes[process];
        let (mut read, version) = (facts.process(), facts.version());
        let pid = read.pid;
        for (number, thread) in self.threads(process).zip(&mut read.threads) {
            if !filter.has_thread(thread) {
                continue;
            }
            let table = |kind, row| {
                let found = self.index.table(Some(number), kind);
                found.filter(|t| t.row() == row as u64).ok_or(IndexError::Text { pid })
            };
            let (slabs, places) = (table(SLABS, SLAB_ROW)?, table(PLACES, PLACE_ROW)?);
            let part = part(&mut TableRows(&mut self.index, places), interval.from, interval.to)?;
            let last = part.slabs.1.map_or(u64::MAX, |last| last.saturating_add(1));
            let rows = self.index.table_rows(&slabs, part.slabs.0, last)?;
            self.parts.read(thread, version, &rows, part.from, part.until)?;
        }
        Ok(read)
    }
}
