//! Runs of consecutive slabs, and the windows in which they are read.

use model::protocol::RestartPlace;
use model::trace::{self, Sync};

use super::slab_list::SlabList;
use super::store::{InputError, Stores};
use super::stored_slab::StoredSlab;
use super::{Gap, RestartPoint, Segment, SegmentStart, SlabClock, SyncPoint};

/// Number of bytes that are read with a place where decoding can begin: a proof of the records
/// before the place looks no further.
pub(crate) const SLACK: usize = 4096;

/// A thread's first slabs are small and lie together with those of other threads, so a ring may
/// keep them longer than larger ones that were written later (docs/PROTOCOL.md §7).
const SMALL_SLABS: u64 = 4;

/// A maximal run of consecutive slabs, without their payloads.
#[derive(Debug)]
pub(crate) struct SlabRun {
    /// Sequence of the first slab.
    pub first: u32,
    /// Number of slabs.
    pub slabs: u32,
    /// Bytes of them all.
    pub bytes: u64,
    /// Point at which decoding can begin.
    pub start: SegmentStart,
    /// True if the last slab is closed.
    pub complete: bool,
    /// Its first slab: chunk, and number there.
    at: (usize, usize),
}

/// All runs of a thread.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    pub all: Vec<SlabRun>,
    /// Gaps between them.
    pub gaps: Vec<Gap>,
}

/// Point at which decoding can begin in a slab that begins at this byte.
enum Point {
    Sync(SyncPoint),
    Restart(RestartPoint),
}

fn point(sync: Sync, begin: usize) -> Point {
    let Sync { progress, last_top, time, .. } = sync;
    let offset = begin + usize::from(sync.offset);
    match RestartPlace::of_number(last_top) {
        None => Point::Sync(SyncPoint { offset, progress, last_top, time }),
        Some(place) => Point::Restart(RestartPoint { offset, progress, place, time }),
    }
}

impl Runs {
    /// Those of a stream; `first` is the sequence with which it should begin.
    pub(super) fn of(
        pieces: &SlabList,
        first: u32,
        stores: &mut Stores,
    ) -> Result<Self, InputError> {
        let mut runs = Runs::default();
        // Sequence that would continue the last run, and whether it may.
        let mut next = u64::from(first);
        let mut open = false;
        let mut firsts = (None, None);
        for chunk in 0..pieces.chunks() {
            for (i, (sequence, piece)) in pieces.chunk(chunk, stores)?.iter().enumerate() {
                let apart = u64::from(*sequence) != next || open;
                if apart {
                    let by_design = next == 0 || piece.ring && next <= SMALL_SLABS;
                    runs.gaps.push(Gap { from: next as u32, to: *sequence, by_design });
                }
                if apart || runs.all.is_empty() {
                    runs.start_last(&mut firsts);
                    let (start, at) = (SegmentStart::Nowhere, (chunk, i));
                    let first = *sequence;
                    runs.all.push(SlabRun {
                        first,
                        slabs: 0,
                        bytes: 0,
                        start,
                        complete: false,
                        at,
                    });
                }
                (next, open) = (u64::from(*sequence) + 1, !piece.closed);
                let Some(run) = runs.all.last_mut() else { continue };
                match piece.sync.map(|s| point(s, run.bytes as usize)) {
                    Some(Point::Sync(p)) => firsts.0 = firsts.0.or(Some(p)),
                    Some(Point::Restart(p)) => firsts.1 = firsts.1.or(Some(p)),
                    None => {}
                }
                run.slabs += 1;
                run.bytes += u64::from(piece.payload.len);
                run.complete = piece.closed;
            }
        }
        runs.start_last(&mut firsts);
        Ok(runs)
    }

    /// Gives the last run its begin.
    fn start_last(&mut self, firsts: &mut (Option<SyncPoint>, Option<RestartPoint>)) {
        let firsts = std::mem::take(firsts);
        let Some(run) = self.all.last_mut() else { return };
        run.start = match firsts {
            (Some(s), restart) if restart.is_none_or(|r| s.offset < r.offset) => {
                SegmentStart::Sync(s)
            }
            (_, Some(r)) => SegmentStart::Restart(r),
            (_, None) => SegmentStart::Nowhere,
        };
    }

    /// The thread's first record begins at this byte of the first run.
    pub fn begin_at(&mut self, offset: usize) {
        if let Some(run) = self.all.first_mut() {
            run.start = SegmentStart::Beginning { offset };
        }
    }

    /// All runs with their payloads.
    pub(super) fn segments(
        &self,
        pieces: &SlabList,
        version: u16,
        stores: &mut Stores,
    ) -> Result<Vec<Segment>, InputError> {
        let whole = |number| {
            let mut window = RunWindow::default();
            window.load(pieces, (self, number, version), (0, usize::MAX), stores)?;
            Ok(window.segment)
        };
        (0..self.all.len()).map(whole).collect()
    }
}

/// A part of a run with its payloads.
#[derive(Debug)]
pub(crate) struct RunWindow {
    /// The part; its offsets are in its own bytes. If it is not the run's end, it has only those
    /// places that at least [`SLACK`] bytes follow.
    pub segment: Segment,
    /// The run, by number.
    pub run: usize,
    /// Bytes of the run before it.
    pub base: usize,
    /// True if more of the run follows.
    pub more: bool,
    /// The slab that it begins with, as in [`SlabRun::at`], and how many follow that one.
    at: (usize, usize),
    left: u32,
}

impl Default for RunWindow {
    fn default() -> Self {
        let segment = Segment {
            bytes: vec![],
            start: SegmentStart::Nowhere,
            syncs: vec![],
            restarts: vec![],
            clocks: vec![],
            first: 0,
            slabs: 0,
            complete: false,
        };
        RunWindow { segment, run: usize::MAX, base: 0, more: false, at: (0, 0), left: 0 }
    }
}

impl RunWindow {
    /// Returns true if it has `least` bytes of a run from `from` on, or all that there are.
    pub fn has(&self, run: usize, from: usize, least: usize) -> bool {
        let end = self.base + self.segment.bytes.len();
        let here = self.run == run && from >= self.base && from <= end;
        here && (!self.more || end - from >= least)
    }

    /// Reads whole slabs of a run: from the one that has byte `from`, until `least` bytes from
    /// there on are read or the run ends.
    pub(super) fn load(
        &mut self,
        pieces: &SlabList,
        (runs, number, version): (&Runs, usize, u16),
        (from, least): (usize, usize),
        stores: &mut Stores,
    ) -> Result<(), InputError> {
        let run = &runs.all[number];
        if self.run != number || from < self.base {
            (self.at, self.left, self.base) = (run.at, run.slabs, 0);
        }
        (self.run, self.more) = (number, false);
        let segment = &mut self.segment;
        (segment.first, segment.slabs, segment.complete) = (run.first, 0, run.complete);
        segment.start = run.start;
        segment.bytes.clear();
        segment.syncs.clear();
        segment.restarts.clear();
        segment.clocks.clear();
        // A whole run takes no more memory than it has bytes.
        let rest = (run.bytes as usize).saturating_sub(self.base);
        segment.bytes.reserve_exact(rest.min(least.saturating_add(1 << 16)));
        let mut left = self.left;
        let (mut chunk, mut skip) = self.at;
        while left > 0 && chunk < pieces.chunks() {
            for (_, piece) in &pieces.chunk(chunk, stores)?[skip..] {
                if left == 0 {
                    break;
                }
                let length = piece.payload.len as usize;
                if self.segment.slabs == 0 && self.base + length <= from && left > 1 {
                    self.base += length;
                    left -= 1;
                    skip += 1;
                    continue;
                }
                if self.segment.slabs == 0 {
                    (self.at, self.left) = ((chunk, skip), left);
                }
                let end = self.base + self.segment.bytes.len();
                if end.saturating_sub(from) >= least {
                    self.more = true;
                    self.keep_safe();
                    return Ok(());
                }
                self.add(piece, version, stores)?;
                left -= 1;
            }
            (chunk, skip) = (chunk + 1, 0);
        }
        Ok(())
    }

    fn add(
        &mut self,
        piece: &StoredSlab,
        version: u16,
        stores: &mut Stores,
    ) -> Result<(), InputError> {
        let segment = &mut self.segment;
        let begin = segment.bytes.len();
        if version > trace::OLDEST {
            segment.clocks.push(SlabClock { offset: begin, us: piece.clock });
        }
        match piece.sync.map(|s| point(s, begin)) {
            Some(Point::Sync(p)) => segment.syncs.push(p),
            Some(Point::Restart(p)) => segment.restarts.push(p),
            None => {}
        }
        segment.slabs += 1;
        stores.read(&piece.payload, &mut segment.bytes)
    }

    /// Drops places after which too little is read.
    fn keep_safe(&mut self) {
        let end = self.segment.bytes.len().saturating_sub(SLACK);
        self.segment.syncs.retain(|p| p.offset <= end);
        self.segment.restarts.retain(|p| p.offset <= end);
    }
}
