//! An index of a thread: places where decoding can begin in its midst, by time.
//!
//! A row says what was told before its place, so that decoding goes on as if it had come there: the
//! number of callbacks, the times of the last one. Only places are kept behind which nothing has to
//! be said of what came before: no gap, no fault, no end.

use crate::log::{Cut, InputError, Midway, SlabRows};
use crate::notes::{Note, ThreadSink};
use crate::replay::{PathSink, Start, Times, Via};
use model::map::MethodId;

/// Bytes of a row.
pub const PLACE_ROW: usize = 80;

/// Three places in a row take so many bytes of stream: few more slabs are read than an interval
/// has.
const APART: usize = 2048;

/// A place, and what times are before and behind it.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    segment: u32,
    midway: Midway,
    /// No callback before ends later, and none begins later.
    before: u64,
    /// No callback from the last one before on begins earlier.
    behind: u64,
}

/// Takes down the places of a thread while it is decoded.
#[derive(Debug, Default)]
pub struct Places {
    rows: Vec<Row>,
    /// Earliest begin behind each row, up to the next one.
    begins: Vec<u64>,
    callbacks: u64,
    clock_ms: u64,
    last: (u64, Option<u64>),
    before: u64,
    next: Option<Times>,
    /// Something was said since the last callback.
    said: bool,
}

impl PathSink for Places {
    fn times(&mut self, times: Times) {
        self.next = Some(times);
    }

    fn enter(&mut self, _: MethodId, via: Via) {
        let (Via::TopLevel(ms), Some(times)) = (via, self.next.take()) else { return };
        self.callbacks += 1;
        self.clock_ms = self.clock_ms.saturating_add(ms.into());
        self.last = (times.begin_us, times.end_us);
        self.before = self.before.max(times.begin_us).max(times.end_us.unwrap_or(0));
        self.said = false;
        if let Some(begin) = self.begins.last_mut() {
            *begin = times.begin_us.min(*begin);
        }
    }

    fn rounds(
        &mut self,
        _: crate::replay::BlockNo,
        _: usize,
        _: &[crate::replay::BlockNo],
        _: u32,
    ) {
    }
}

impl ThreadSink for Places {
    fn note(&mut self, note: Note) {
        self.said = true;
        if let Note::Resumed { time_ms } = note {
            self.clock_ms = time_ms.into();
        }
    }

    fn can_begin(&mut self, segment: u32, offset: usize, start: Start) {
        if self.said || self.callbacks == 0 {
            return;
        }
        // Between two places that are near each other none is needed. Before a long record, the
        // last one is kept.
        if let [.., before, _] = &self.rows[..]
            && before.segment == segment
            && (offset as u64) < before.midway.told + APART as u64
        {
            self.rows.pop();
            let begin = self.begins.pop().unwrap_or(u64::MAX);
            if let Some(last) = self.begins.last_mut() {
                *last = begin.min(*last);
            }
        }
        let Places { callbacks, clock_ms, last, before, .. } = *self;
        let midway = Midway { offset: 0, told: offset as u64, start, callbacks, clock_ms, last };
        self.rows.push(Row { segment, midway, before, behind: last.0 });
        self.begins.push(u64::MAX);
    }
}

impl Places {
    /// The rows of the thread's places, of [`PLACE_ROW`] bytes each.
    pub fn rows(mut self, slabs: &SlabRows, thread: u32) -> Vec<u8> {
        let mut later = u64::MAX;
        for (row, begin) in self.rows.iter_mut().zip(&self.begins).rev() {
            later = later.min(*begin);
            row.behind = row.behind.min(later);
            later = later.min(row.behind);
        }
        let lengths = slabs.lengths(thread);
        let (mut at, mut begin, mut segment) = (0, 0u64, lengths.first().map_or(0, |l| l.0));
        let mut out = Vec::with_capacity(self.rows.len() * PLACE_ROW);
        for row in &self.rows {
            // To the slab in which the place is; at the end of a segment, its last one.
            while let (Some(&(_, bytes, _)), Some(next)) = (lengths.get(at), lengths.get(at + 1)) {
                let inside = segment == row.segment && row.midway.told < begin + bytes;
                if inside || segment == row.segment && next.2 {
                    break;
                }
                (begin, segment) = if next.2 { (0, next.0) } else { (begin + bytes, segment) };
                at += 1;
            }
            let offset = row.midway.told.saturating_sub(begin);
            let Midway { told, start, callbacks, clock_ms, last, .. } = row.midway;
            let top = start.last_top.map_or(0, |m| m.0);
            let short = [at as u32, offset as u32, start.progress, top];
            let (last, end) = (last.0, last.1.unwrap_or(u64::MAX));
            let long = [start.time, told, callbacks, clock_ms, last, end, row.before, row.behind];
            short.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
            long.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        }
        out
    }
}

/// Rows of a table that is read by place.
pub trait Table {
    /// Why it cannot be read.
    type Error: From<InputError>;

    /// How many rows it has.
    fn count(&self) -> u64;

    /// A row.
    ///
    /// # Errors
    /// It cannot be read.
    fn row(&mut self, number: u64) -> Result<Vec<u8>, Self::Error>;
}

/// The part of a thread that an interval needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Where decoding begins; `None`: where the thread does.
    pub from: Option<Midway>,
    /// Where reading ends; `None`: where the thread does.
    pub until: Option<Cut>,
    /// The first slab to read, and the last one (`None`: of the thread).
    pub slabs: (u64, Option<u64>),
}

struct Found {
    slab: u64,
    midway: Midway,
    before: u64,
    behind: u64,
}

fn found<T: Table>(table: &mut T, number: u64) -> Result<Found, T::Error> {
    let row = table.row(number)?;
    if row.len() != PLACE_ROW {
        return Err(InputError::Index { what: "its places" }.into());
    }
    let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| row[4 * at + i]));
    let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| row[16 + 8 * at + i]));
    let last_top = (short(3) != 0).then_some(MethodId(short(3)));
    let start = Start { progress: short(2), last_top, time: long(0), inside: None };
    let last = (long(4), (long(5) != u64::MAX).then_some(long(5)));
    let (callbacks, clock_ms) = (long(2), long(3));
    let midway =
        Midway { offset: short(1) as usize, told: long(1), start, callbacks, clock_ms, last };
    Ok(Found { slab: short(0).into(), midway, before: long(6), behind: long(7) })
}

/// The first row for which something holds that holds for all behind it, too.
fn first<T: Table>(table: &mut T, holds: impl Fn(&Found) -> bool) -> Result<u64, T::Error> {
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
pub fn part<T: Table>(table: &mut T, from: u64, to: u64) -> Result<Part, T::Error> {
    let begin = first(table, |row| row.before >= from)?;
    let begin = begin.checked_sub(1).map(|at| found(table, at)).transpose()?;
    let end = first(table, |row| row.behind >= to)?;
    let end = if end < table.count() { Some(found(table, end)?) } else { None };
    let after = begin.as_ref().map_or(0, |b| b.slab);
    Ok(Part {
        from: begin.map(|b| b.midway),
        until: end.as_ref().map(|e| Cut { offset: e.midway.offset }),
        slabs: (after, end.map(|e| e.slab)),
    })
}
