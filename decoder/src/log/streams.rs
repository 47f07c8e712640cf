//! The slabs of one thread, put in order.

use std::collections::BTreeMap;

use model::trace::SlabHeader;

use super::{Gap, Segment, SegmentStart, SyncPoint, ThreadLog};

/// What became of a slab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Added {
    New,
    Duplicate,
    Conflict,
}

#[derive(Debug)]
struct Piece {
    sync: Option<SyncPoint>,
    closed: bool,
    late: bool,
    payload: Box<[u8]>,
}

impl Piece {
    /// Whether both can be the same slab: equal, or one of them copied while the app wrote to it, so that the other goes on where it stops.
    fn agrees(&self, other: &Self) -> bool {
        let goes_on = |from: &Self, to: &Self| !from.closed && to.payload.starts_with(&from.payload);
        let equal = self.payload == other.payload && (self.sync == other.sync || self.closed != other.closed);
        equal || goes_on(self, other) || goes_on(other, self)
    }
}

/// The slabs of one thread by sequence.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pieces: BTreeMap<u32, Piece>,
}

impl Stream {
    pub(super) fn add(&mut self, header: &SlabHeader, payload: &[u8]) -> Added {
        let sync = header.sync.map(|s| SyncPoint {
            offset: usize::from(s.offset),
            progress: s.progress,
            last_top: s.last_top,
            time_ms: s.time_ms,
        });
        self.put(header.sequence, Piece { sync, closed: header.closed, late: header.late, payload: payload.into() })
    }

    fn put(&mut self, sequence: u32, piece: Piece) -> Added {
        let Some(old) = self.pieces.get_mut(&sequence) else {
            self.pieces.insert(sequence, piece);
            return Added::New;
        };
        let agree = old.agrees(&piece);
        // The one that holds more; and a checksum is worth more than having come first.
        if agree && piece.closed || !old.closed && (piece.closed || agree && piece.payload.len() > old.payload.len()) {
            *old = piece;
        }
        if agree { Added::Duplicate } else { Added::Conflict }
    }

    /// Whether no slab that both have differs.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        other.pieces.iter().all(|(n, theirs)| self.pieces.get(n).is_none_or(|ours| ours.agrees(theirs)))
    }

    /// Takes in another part of the same stream; tells how many slabs both had.
    pub(super) fn merge(&mut self, other: Self) -> u64 {
        let pieces = other.pieces.into_iter();
        pieces.map(|(sequence, piece)| u64::from(self.put(sequence, piece) != Added::New)).sum()
    }

    /// The thread, and whether its name is sound (as far as it should be there).
    pub(super) fn finish(self, number: u32) -> (ThreadLog, bool) {
        let late = self.pieces.get(&0).is_some_and(|p| p.late);
        let mut segments: Vec<Segment> = vec![];
        let mut gaps = vec![];
        // Sequence that would continue the last segment, and whether it may.
        let mut next = 0u64;
        let mut open = false;
        let mut run: Vec<(u32, Piece)> = vec![];
        for (sequence, piece) in self.pieces {
            if u64::from(sequence) != next || open {
                segments.extend(join(std::mem::take(&mut run)));
                gaps.push(Gap { from: next as u32, to: sequence });
            }
            next = u64::from(sequence) + 1;
            open = !piece.closed;
            run.push((sequence, piece));
        }
        segments.extend(join(run));
        let mut name = None;
        let mut sound = true;
        if let Some(first) = segments.first_mut().filter(|s| s.first == 0) {
            // A process that was killed between beginning its first slab and committing anything to it.
            let nothing_yet = first.bytes.is_empty() && !first.complete;
            let length = first.bytes.first().map(|n| usize::from(*n));
            match length.and_then(|n| first.bytes.get(1..1 + n)) {
                Some(bytes) => {
                    name = Some(String::from_utf8_lossy(bytes).into_owned());
                    first.start = SegmentStart::Beginning { offset: 1 + bytes.len() };
                }
                None => {
                    sound = nothing_yet;
                    first.start = SegmentStart::Beginning { offset: first.bytes.len() };
                }
            }
        }
        (ThreadLog { number, name, late, segments, gaps }, sound)
    }
}

fn join(run: Vec<(u32, Piece)>) -> Option<Segment> {
    let first = run.first()?.0;
    let slabs = run.len() as u32;
    let complete = run.last().is_some_and(|(_, p)| p.closed);
    let mut bytes = Vec::with_capacity(run.iter().map(|(_, p)| p.payload.len()).sum());
    let mut syncs = vec![];
    for (_, piece) in run {
        syncs.extend(piece.sync.map(|s| SyncPoint { offset: bytes.len() + s.offset, ..s }));
        bytes.extend_from_slice(&piece.payload);
    }
    let start = syncs.first().map_or(SegmentStart::Nowhere, |s| SegmentStart::Sync(*s));
    Some(Segment { bytes, start, syncs, first, slabs, complete })
}
