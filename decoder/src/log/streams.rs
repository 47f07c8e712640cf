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

/// The slabs of one thread by sequence.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pieces: BTreeMap<u32, Piece>,
}

impl Stream {
    pub(super) fn add(&mut self, header: &SlabHeader, payload: &[u8]) -> Added {
        let sync = header.sync.map(|s| SyncPoint {
            offset: usize::from(s.offset),
            cnt: s.cnt,
            last_top: s.last_top,
            time_ms: s.time_ms,
        });
        let piece = Piece { sync, closed: header.closed, late: header.late, payload: payload.into() };
        let Some(old) = self.pieces.get_mut(&header.sequence) else {
            self.pieces.insert(header.sequence, piece);
            return Added::New;
        };
        if old.payload == piece.payload && (old.sync == piece.sync || old.closed != piece.closed) {
            if piece.closed {
                *old = piece;
            }
            return Added::Duplicate;
        }
        // A file that was copied while the app wrote to it: the later copy goes on where the earlier one stops.
        if !old.closed && piece.payload.starts_with(&old.payload) {
            *old = piece;
            Added::Duplicate
        } else if !piece.closed && old.payload.starts_with(&piece.payload) {
            Added::Duplicate
        } else {
            // A checksum is worth more than having come first.
            if !old.closed && piece.closed {
                *old = piece;
            }
            Added::Conflict
        }
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
