//! Index of a thread: places where decoding can begin in the middle of it, by time.
//!
//! A row contains the state before its place, so that decoding goes on as if it had come from the
//! beginning: the number of callbacks, the times of the last one. A place is kept only if no report
//! about the log before it is due after it: no gap, no fault, no end.

use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

use crate::log::{Cut, InputError, Midway, SlabCursor, StreamedThread};
use crate::replay::{LoopRounds, Note, PathEvent, PathSink, Start, Times, Via};
use model::map::MethodId;

/// Bytes of a row.
pub const PLACE_ROW: usize = 80;

/// Distance in bytes of stream that three consecutive places cover: few more slabs are read than an
/// interval has.
const APART: usize = 2048;

/// A place, and the bounds of the times before and after it.
#[derive(Debug, Clone, Copy, Default)]
struct IndexRow {
    segment: u32,
    midway: Midway,
    /// No callback before ends later, and none begins later.
    before: u64,
    /// No callback from the last one before on, up to the next row, begins earlier.
    behind: u64,
}

/// Rows in a block; those of older blocks wait in a temporary file.
const BLOCK: usize = 1 << 10;

/// Takes down the places of a thread while it is decoded.
#[derive(Debug)]
pub struct IndexRecorder {
    /// The last rows.
    rows: Vec<IndexRow>,
    /// Older ones, [`PLACE_ROW`] bytes each, [`BLOCK`] of them in a block.
    older: SpooledTempFile,
    blocks: u64,
    /// The first error of the file.
    failed: Option<io::Error>,
    callbacks: u64,
    clock_ms: u64,
    last: (u64, Option<u64>),
    before: u64,
    next: Option<Times>,
    /// A note came since the last callback.
    noted: bool,
}

impl Default for IndexRecorder {
    fn default() -> Self {
        IndexRecorder {
            rows: vec![],
            older: SpooledTempFile::new(BLOCK * PLACE_ROW),
            blocks: 0,
            failed: None,
            callbacks: 0,
            clock_ms: 0,
            last: (0, None),
            before: 0,
            next: None,
            noted: false,
        }
    }
}

impl PathSink for IndexRecorder {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.next = Some(times),
            PathEvent::Enter { via, .. } => self.enter(via),
            PathEvent::Note(note) => {
                self.noted = true;
                if let Note::Resumed { time_ms } = note {
                    self.clock_ms = time_ms.into();
                }
            }
            PathEvent::CanBegin { segment, offset, start } => {
                self.can_begin(segment, offset, start);
            }
            _ => {}
        }
    }

    fn rounds(&mut self, _: LoopRounds<'_>) {}
}

impl IndexRecorder {
    fn enter(&mut self, via: Via) {
        let (Via::TopLevel(ms), Some(times)) = (via, self.next.take()) else { return };
        self.callbacks += 1;
        self.clock_ms = self.clock_ms.saturating_add(ms.into());
        self.last = (times.begin_us, times.end_us);
        self.before = self.before.max(times.begin_us).max(times.end_us.unwrap_or(0));
        self.noted = false;
        if let Some(row) = self.rows.last_mut() {
            row.behind = row.behind.min(times.begin_us);
        }
    }

    fn can_begin(&mut self, segment: u32, offset: usize, start: Start) {
        if self.noted || self.callbacks == 0 {
            return;
        }
        // Between two places that are near each other none is needed. Before a long record, the
        // last one is kept.
        if let [.., before, _] = &self.rows[..]
            && before.segment == segment
            && (offset as u64) < before.midway.segment_offset + APART as u64
        {
            let behind = self.rows.pop().map_or(u64::MAX, |row| row.behind);
            if let Some(last) = self.rows.last_mut() {
                last.behind = last.behind.min(behind);
            }
        }
        if self.rows.len() >= 2 * BLOCK {
            self.put();
        }
        let IndexRecorder { callbacks, clock_ms, last, before, .. } = *self;
        let midway =
            Midway { offset: 0, segment_offset: offset as u64, start, callbacks, clock_ms, last };
        self.rows.push(IndexRow { segment, midway, before, behind: last.0 });
    }
}

fn temporary(error: io::Error) -> InputError {
    InputError::Temporary { error }
}

impl IndexRecorder {
    /// Puts the older rows away.
    fn put(&mut self) {
        let bytes: Vec<u8> = self.rows.drain(..BLOCK).flat_map(|row| row.to_bytes()).collect();
        let end = self.blocks * bytes.len() as u64;
        let put = self.older.seek(SeekFrom::Start(end)).and_then(|_| self.older.write_all(&bytes));
        self.blocks += 1;
        self.failed = self.failed.take().or(put.err());
    }

    fn block(&mut self, number: u64) -> Result<Vec<u8>, InputError> {
        let mut bytes = vec![0; BLOCK * PLACE_ROW];
        let at = SeekFrom::Start(number * bytes.len() as u64);
        self.older.seek(at).and_then(|_| self.older.read_exact(&mut bytes)).map_err(temporary)?;
        Ok(bytes)
    }

    /// Passes on the rows of the thread's places, of [`PLACE_ROW`] bytes each, many at a time.
    ///
    /// # Errors
    /// A temporary file cannot be used; what `write` fails with.
    pub fn rows<E: From<InputError>>(
        mut self,
        thread: &mut StreamedThread<'_>,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(error) = self.failed.take() {
            return Err(temporary(error).into());
        }
        // For each block, the earliest begin after it.
        let mut later = u64::MAX;
        let mut behind = vec![later];
        self.rows.iter().for_each(|row| later = later.min(row.behind));
        for number in (0..self.blocks).rev() {
            behind.push(later);
            let block = self.block(number)?;
            block.chunks_exact(PLACE_ROW).for_each(|row| later = later.min(behind_of(row)));
        }
        let mut slabs = Slabs::of(thread)?;
        for number in 0..=self.blocks {
            let last = std::mem::take(&mut self.rows);
            let mut bytes = if number < self.blocks {
                self.rows = last;
                self.block(number)?
            } else {
                last.iter().flat_map(|row| row.to_bytes()).collect()
            };
            let mut later = behind.pop().unwrap_or(u64::MAX);
            for row in bytes.chunks_exact_mut(PLACE_ROW).rev() {
                later = later.min(behind_of(row));
                row[PLACE_ROW - 8..].copy_from_slice(&later.to_le_bytes());
            }
            for row in bytes.chunks_exact_mut(PLACE_ROW) {
                slabs.place(row, thread)?;
            }
            write(&bytes)?;
        }
        Ok(())
    }
}

impl IndexRow {
    /// As in the index, but for the slab and the offset in it: the segment stands there.
    fn to_bytes(self) -> [u8; PLACE_ROW] {
        let Midway { segment_offset, start, callbacks, clock_ms, last, .. } = self.midway;
        let top = start.last_top.map_or(0, |m| m.0);
        let short = [self.segment, 0, start.progress, top];
        let (last, end) = (last.0, last.1.unwrap_or(u64::MAX));
        let long =
            [start.time, segment_offset, callbacks, clock_ms, last, end, self.before, self.behind];
        let (mut out, mut at) = ([0; PLACE_ROW], 0);
        let mut add = |bytes: &[u8]| {
            out[at..at + bytes.len()].copy_from_slice(bytes);
            at += bytes.len();
        };
        short.iter().for_each(|n| add(&n.to_le_bytes()));
        long.iter().for_each(|n| add(&n.to_le_bytes()));
        out
    }
}

fn short(row: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| row[4 * at + i]))
}

fn long(row: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| row[16 + 8 * at + i]))
}

fn behind_of(row: &[u8]) -> u64 {
    long(row, 7)
}

/// A walk over the slabs of a thread: where in them a place is.
struct Slabs {
    cursor: SlabCursor,
    number: u32,
    /// Bytes of the segment before the slab; the segment, and the bytes of the slab.
    begin: u64,
    segment: u32,
    bytes: u64,
    next: Option<(u64, Option<u32>)>,
}

impl Slabs {
    fn of(thread: &mut StreamedThread<'_>) -> Result<Self, InputError> {
        let mut cursor = SlabCursor::default();
        let (bytes, first) = cursor.next(thread)?.unwrap_or_default();
        let next = cursor.next(thread)?;
        let segment = first.unwrap_or(0);
        Ok(Slabs { cursor, number: 0, begin: 0, segment, bytes, next })
    }

    /// Puts the slab in the segment's place, and where in it the place is.
    fn place(&mut self, row: &mut [u8], thread: &mut StreamedThread<'_>) -> Result<(), InputError> {
        let (segment, offset) = (short(row, 0), long(row, 1));
        // To the slab in which the place is; at the end of a segment, its last one.
        while let Some((bytes, begins)) = self.next {
            let inside = self.segment == segment && offset < self.begin + self.bytes;
            if inside || self.segment == segment && begins.is_some() {
                break;
            }
            (self.begin, self.segment) = match begins {
                Some(first) => (0, first),
                None => (self.begin + self.bytes, self.segment),
            };
            self.number += 1;
            (self.bytes, self.next) = (bytes, self.cursor.next(thread)?);
        }
        row[..4].copy_from_slice(&self.number.to_le_bytes());
        row[4..8].copy_from_slice(&(offset.saturating_sub(self.begin) as u32).to_le_bytes());
        Ok(())
    }
}

/// Rows of a table that is read by place.
pub trait IndexTable {
    /// Reasons why it cannot be read.
    type Error: From<InputError>;

    /// Returns the number of rows.
    fn count(&self) -> u64;

    /// A row.
    ///
    /// # Errors
    /// It cannot be read.
    fn row(&mut self, number: u64) -> Result<Vec<u8>, Self::Error>;
}

/// The part of a thread that an interval needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntervalSlice {
    /// Point at which decoding begins; `None`: the thread's beginning.
    pub from: Option<Midway>,
    /// Point at which reading ends; `None`: the thread's end.
    pub until: Option<Cut>,
    /// The first slab to read, and the last one (`None`: of the thread).
    pub slabs: (u64, Option<u64>),
}

struct IndexEntry {
    slab: u64,
    midway: Midway,
    before: u64,
    behind: u64,
}

fn found<T: IndexTable>(table: &mut T, number: u64) -> Result<IndexEntry, T::Error> {
    let row = table.row(number)?;
    if row.len() != PLACE_ROW {
        return Err(InputError::Index { what: "its places" }.into());
    }
    let (short, long) = (|at| short(&row, at), |at| long(&row, at));
    let last_top = (short(3) != 0).then_some(MethodId(short(3)));
    let start = Start { progress: short(2), last_top, time: long(0), inside: None };
    let last = (long(4), (long(5) != u64::MAX).then_some(long(5)));
    let (callbacks, clock_ms) = (long(2), long(3));
    let midway = Midway {
        offset: short(1) as usize,
        segment_offset: long(1),
        start,
        callbacks,
        clock_ms,
        last,
    };
    Ok(IndexEntry { slab: short(0).into(), midway, before: long(6), behind: long(7) })
}

/// Returns the first row for which a predicate holds that also holds for all rows after it.
fn first<T: IndexTable>(
    table: &mut T,
    holds: impl Fn(&IndexEntry) -> bool,
) -> Result<u64, T::Error> {
    let (mut low, mut high) = (0, table.count());
    while low < high {
        let middle = low + (high - low) / 2;
        match holds(&found(table, middle)?) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    Ok(low)
}

/// The part of a thread with all callbacks that run in an interval, in µs since the trace began.
///
/// # Errors
/// The table cannot be read, or is none.
pub fn part<T: IndexTable>(table: &mut T, from: u64, to: u64) -> Result<IntervalSlice, T::Error> {
    let begin = first(table, |row| row.before >= from)?;
    let begin = begin.checked_sub(1).map(|at| found(table, at)).transpose()?;
    let end = first(table, |row| row.behind >= to)?;
    let end = if end < table.count() { Some(found(table, end)?) } else { None };
    let after = begin.as_ref().map_or(0, |b| b.slab);
    Ok(IntervalSlice {
        from: begin.map(|b| b.midway),
        until: end.as_ref().map(|e| Cut { offset: e.midway.offset }),
        slabs: (after, end.map(|e| e.slab)),
    })
}
