//! Processes whose logs are read as they are decoded, a few MiB at a time.

use super::runs::{RunWindow, Runs, SlabRun};
use super::store::{InputError, Stores};
use super::stored_slab::StoredSlab;
use super::streams::Stream;
use super::{Process, ThreadLog};

/// Bytes of a log that are read at a time.
const WINDOW: usize = 4 << 20;

/// Rows of slabs that are written at a time.
const ROWS: usize = 1 << 10;

/// A process whose threads are read piece by piece.
#[derive(Debug)]
pub struct StreamedProcess<'s> {
    process: Process,
    version: u16,
    threads: Vec<(Stream, Runs)>,
    stores: &'s mut Stores,
    lasting: bool,
    window: usize,
}

impl<'s> StreamedProcess<'s> {
    pub(super) fn new(
        process: Process,
        version: u16,
        threads: Vec<(Stream, Runs)>,
        stores: &'s mut Stores,
    ) -> Result<Self, InputError> {
        let files = stores.names().len();
        let mut lasting = process.threads.iter().all(|t| t.table.is_none());
        for (stream, _) in &threads {
            lasting = lasting && stream.lies_in(files, stores)?;
        }
        Ok(StreamedProcess { process, version, threads, stores, lasting, window: WINDOW })
    }

    /// Reads at least `window` bytes at a time, for tests; 4 MiB otherwise.
    #[must_use]
    pub fn with_window(self, window: usize) -> Self {
        StreamedProcess { window, ..self }
    }

    /// The process; its threads have no segments.
    pub fn process(&self) -> &Process {
        &self.process
    }

    /// Version of the trace format.
    pub fn version(&self) -> u16 {
        self.version
    }

    /// The inputs that are files, in the order in which rows of slabs number them, from 1.
    pub fn files(&self) -> Vec<String> {
        self.stores.names()
    }

    /// Returns true if all data that decoding needs can be found again: logcat text, start tables
    /// and data from a pipe cannot.
    pub fn lasting(&self) -> bool {
        self.lasting
    }

    /// A thread, by its place among the process's threads.
    pub fn thread(&mut self, number: usize) -> Option<StreamedThread<'_>> {
        let (stream, runs) = self.threads.get(number)?;
        let (log, version, least) = (self.process.threads.get(number)?, self.version, self.window);
        let window = RunWindow::default();
        Some(StreamedThread { log, version, stream, runs, stores: self.stores, window, least })
    }
}

/// A thread that is read piece by piece.
#[derive(Debug)]
pub struct StreamedThread<'s> {
    log: &'s ThreadLog,
    version: u16,
    stream: &'s Stream,
    runs: &'s Runs,
    stores: &'s mut Stores,
    window: RunWindow,
    least: usize,
}

impl StreamedThread<'_> {
    /// Returns the facts about the thread; it has no segments.
    pub fn log(&self) -> &ThreadLog {
        self.log
    }

    pub(crate) fn runs(&self) -> &[SlabRun] {
        &self.runs.all
    }

    /// Returns a part of a run that has `least` bytes from `from` on, or all that there are.
    pub(crate) fn window(
        &mut self,
        run: usize,
        from: usize,
        least: usize,
    ) -> Result<&RunWindow, InputError> {
        if !self.window.has(run, from, least) {
            let (part, least) = ((self.runs, run, self.version), least.max(self.least));
            self.window.load(self.stream.pieces(), part, (from, least), self.stores)?;
        }
        Ok(&self.window)
    }

    /// Returns the number of slabs.
    pub fn count(&self) -> usize {
        self.stream.len()
    }

    /// Passes on a row of [`super::SLAB_ROW`] bytes for each slab, in order, many at a time.
    ///
    /// # Errors
    /// The temporary file cannot be read; what `write` fails with.
    pub fn slabs<E: From<InputError>>(
        &mut self,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut bytes = Vec::with_capacity(ROWS * StoredSlab::PACKED);
        for chunk in 0..self.stream.pieces().chunks() {
            let rows = self.stream.pieces().chunk(chunk, self.stores)?;
            rows.iter().for_each(|(sequence, piece)| piece.pack(*sequence, &mut bytes));
            if bytes.len() >= ROWS * StoredSlab::PACKED {
                write(&bytes)?;
                bytes.clear();
            }
        }
        if bytes.is_empty() { Ok(()) } else { write(&bytes) }
    }
}

/// A walk over the slabs of a thread.
#[derive(Debug, Default)]
pub(crate) struct SlabCursor {
    chunk: usize,
    /// Bytes of the slabs of that chunk that are left, the next one at the end.
    lengths: Vec<u32>,
    run: usize,
    /// Slabs of the run that are left.
    left: u32,
}

impl SlabCursor {
    /// The next slab's bytes, and the first sequence of the run that it begins, if it does.
    pub fn next(
        &mut self,
        thread: &mut StreamedThread<'_>,
    ) -> Result<Option<(u64, Option<u32>)>, InputError> {
        let pieces = thread.stream.pieces();
        while self.lengths.is_empty() && self.chunk < pieces.chunks() {
            let rows = pieces.chunk(self.chunk, thread.stores)?;
            self.lengths.extend(rows.iter().rev().map(|(_, piece)| piece.payload.len));
            self.chunk += 1;
        }
        let Some(bytes) = self.lengths.pop() else { return Ok(None) };
        let mut begins = None;
        if self.left == 0
            && let Some(run) = thread.runs().get(self.run)
        {
            begins = Some(run.first);
            self.left = run.slabs;
            self.run += 1;
        }
        self.left = self.left.saturating_sub(1);
        Ok(Some((bytes.into(), begins)))
    }
}
