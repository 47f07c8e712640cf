//! Sessions that a time tree indexes: of an interval, only its own part of the logs is read.
//!
//! Beside the tree, the file keeps what is known of the processes (as [`ProcessFacts`]), and for
//! each thread two tables: the places of its slabs, and the places where decoding can begin.

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use decoder::log::{InputError, Parts, Process, ProcessFacts, SLAB_ROW};
use decoder::places::{IndexTable, PLACE_ROW, part};
use model::map::BuildId;
use timetree::{Index, ThreadNo, WeightUnit};

use crate::base::filter::{Filter, Interval};

/// Facts of processes and names of files, of the whole file.
pub(crate) const FACTS: u8 = 1;
/// Slabs of a thread.
pub(crate) const SLABS: u8 = 2;
/// Places where decoding can begin.
pub(crate) const PLACES: u8 = 3;

/// Why sessions cannot be read with an index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The index cannot be read.
    #[error(transparent)]
    Tree(#[from] timetree::Error),
    /// The logs cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It is of another build.
    #[error("it indexes sessions of build {found}, not of build {expected}")]
    OtherBuild {
        /// Its build.
        found: BuildId,
        /// The map's.
        expected: BuildId,
    },
    /// It has no sessions that can be read again.
    #[error("it indexes no logs")]
    NoLogs,
    /// A log that it cannot find again.
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
    /// The number in the tree of each process's first thread, and of the one behind the last.
    first: Vec<ThreadNo>,
    parts: Parts,
}

/// A table of the index.
struct Rows<'i>(&'i mut Index<File>, timetree::RowTable);

impl IndexTable for Rows<'_> {
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

    /// How many processes there are.
    pub fn count(&self) -> usize {
        self.processes.len()
    }

    /// The threads of a process, by their numbers in the tree.
    fn threads(&self, process: usize) -> Range<ThreadNo> {
        self.first[process]..self.first[process + 1]
    }

    /// When a process began (wall clock, ms since 1970), and how long something is known of it, in
    /// µs.
    ///
    /// # Panics
    /// When there are not so many processes.
    pub fn times(&self, process: usize) -> (u64, u64) {
        let threads = self.index.threads().get(self.threads(process)).unwrap_or_default();
        let end = threads.iter().map(|t| t.outcome.end).max().unwrap_or(0);
        (self.processes[process].start_ms(), end)
    }

    /// A process with as much of its log as an interval needs. Threads that the filter leaves out
    /// have none.
    ///
    /// # Errors
    /// The index or the log cannot be read, or the log has changed since it was indexed.
    ///
    /// # Panics
    /// When there are not so many processes.
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
            let part = part(&mut Rows(&mut self.index, places), interval.from, interval.to)?;
            let last = part.slabs.1.map_or(u64::MAX, |last| last.saturating_add(1));
            let rows = self.index.table_rows(&slabs, part.slabs.0, last)?;
            self.parts.read(thread, version, &rows, part.from, part.until)?;
        }
        Ok(read)
    }
}
