//! The slabs of one thread, put in order.

use std::collections::BTreeMap;

use model::protocol::RestartPlace;
use model::trace::{self, SlabHeader, Sync};

use super::store::{InputError, StoreId, Stored, Stores};
use super::{Gap, RestartPoint, Segment, SegmentStart, SlabClock, SyncPoint, ThreadLog};

/// What became of a slab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Added {
    New,
    Duplicate,
    Conflict,
}

/// A slab's place, and its header.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    sync: Option<Sync>,
    clock: u64,
    closed: bool,
    late: bool,
    /// The payload's first byte.
    first: u8,
    payload: Stored,
}

impl Piece {
    /// Bytes that [`Piece::pack`] writes, with the sequence.
    pub(super) const PACKED: usize = 60;

    /// Whether both can be the same slab: equal, or one of them copied while the app wrote to it,
    /// so that the other continues where it stops.
    fn agrees(&self, other: &Self, stores: &mut Stores) -> Result<bool, InputError> {
        let mut goes_on = |from: &Self, to: &Self| {
            Ok(!from.closed && stores.starts_with(&to.payload, &from.payload)?)
        };
        let equal = self.payload.equals(&other.payload)
            && (self.sync == other.sync || self.closed != other.closed);
        Ok(equal || goes_on(self, other)? || goes_on(other, self)?)
    }

    fn pack(&self, sequence: u32, out: &mut Vec<u8>) {
        let sync = self.sync.unwrap_or(Sync { offset: 0, progress: 0, last_top: 0, time: 0 });
        let Stored { store, at, len, digest } = self.payload;
        for n in [sequence, sync.progress, sync.last_top, sync.time, store.0, len] {
            out.extend_from_slice(&n.to_le_bytes());
        }
        out.extend_from_slice(&at.to_le_bytes());
        out.extend_from_slice(&sync.offset.to_le_bytes());
        let flags =
            u8::from(self.closed) | u8::from(self.late) << 1 | u8::from(self.sync.is_some()) << 2;
        out.extend_from_slice(&[flags, self.first]);
        out.extend_from_slice(&digest);
        out.extend_from_slice(&self.clock.to_le_bytes());
    }

    fn unpack(bytes: &[u8]) -> (u32, Self) {
        let number = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let (offset, flags) = (u16::from_le_bytes([bytes[32], bytes[33]]), bytes[34]);
        let sync = Sync { offset, progress: number(4), last_top: number(8), time: number(12) };
        let payload = Stored {
            store: StoreId(number(16)),
            at: u64::from(number(24)) | u64::from(number(28)) << 32,
            len: number(20),
            digest: std::array::from_fn(|i| bytes[36 + i]),
        };
        let piece = Self {
            sync: (flags & 4 != 0).then_some(sync),
            closed: flags & 1 != 0,
            late: flags & 2 != 0,
            first: bytes[35],
            clock: u64::from(number(52)) | u64::from(number(56)) << 32,
            payload,
        };
        (number(0), piece)
    }
}

/// The slabs of one thread by sequence.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pieces: BTreeMap<u32, Piece>,
}

impl Stream {
    /// Adds a slab; `first` is its payload's first byte.
    pub(super) fn add(
        &mut self,
        header: &SlabHeader,
        payload: Stored,
        first: Option<u8>,
        stores: &mut Stores,
    ) -> Result<Added, InputError> {
        let piece = Piece {
            sync: header.sync,
            clock: header.clock,
            closed: header.closed,
            late: header.late,
            first: first.unwrap_or(0),
            payload,
        };
        self.put(header.sequence, piece, stores)
    }

    fn put(
        &mut self,
        sequence: u32,
        piece: Piece,
        stores: &mut Stores,
    ) -> Result<Added, InputError> {
        let Some(old) = self.pieces.get_mut(&sequence) else {
            self.pieces.insert(sequence, piece);
            return Ok(Added::New);
        };
        let agree = old.agrees(&piece, stores)?;
        // The one that holds more; and a checksum is worth more than having come first.
        let longer = piece.payload.len > old.payload.len;
        if agree && piece.closed || !old.closed && (piece.closed || agree && longer) {
            *old = piece;
        }
        Ok(if agree { Added::Duplicate } else { Added::Conflict })
    }

    /// How many slabs.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Writes all pieces, [`Piece::PACKED`] bytes each.
    pub(super) fn pack(&self, out: &mut Vec<u8>) {
        self.pieces.iter().for_each(|(sequence, piece)| piece.pack(*sequence, out));
    }

    /// The inverse of [`Stream::pack`].
    pub(super) fn unpack(bytes: &[u8]) -> Self {
        Self { pieces: bytes.chunks_exact(Piece::PACKED).map(Piece::unpack).collect() }
    }

    /// Whether no slab that both have differs.
    pub(super) fn agrees(&self, other: &Self, stores: &mut Stores) -> Result<bool, InputError> {
        for (n, theirs) in &other.pieces {
            if let Some(ours) = self.pieces.get(n)
                && !ours.agrees(theirs, stores)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes in another part of the same stream; returns how many slabs both had.
    pub(super) fn merge(&mut self, other: Self, stores: &mut Stores) -> Result<u64, InputError> {
        if self.pieces.is_empty() {
            // Rebuilt, which takes half the memory of one that grew.
            self.pieces = other.pieces.into_iter().collect();
            return Ok(0);
        }
        let mut both = 0;
        for (sequence, piece) in other.pieces {
            both += u64::from(self.put(sequence, piece, stores)? != Added::New);
        }
        Ok(both)
    }

    /// Whether the thread's name is sound, as far as it should be there.
    pub(super) fn named(&self) -> bool {
        let (mut length, mut first, mut open) = (0, None, false);
        for ((sequence, piece), next) in self.pieces.iter().zip(0..) {
            if *sequence != next || open {
                break;
            }
            first = first.or((piece.payload.len > 0).then_some(piece.first));
            length += u64::from(piece.payload.len);
            open = !piece.closed;
        }
        // A process that was killed between beginning its first slab and committing anything to it.
        let nothing_yet = length == 0 && open;
        !self.pieces.contains_key(&0) || first.map_or(nothing_yet, |n| length > u64::from(n))
    }

    /// Runs of consecutive slabs with their payloads, and what is missing between them, from a slab
    /// on.
    pub(super) fn segments(
        self,
        first: u32,
        version: u16,
        stores: &mut Stores,
    ) -> Result<(Vec<Segment>, Vec<Gap>), InputError> {
        let (mut segments, mut gaps) = (vec![], vec![]);
        // Sequence that would continue the last segment, and whether it may.
        let mut next = u64::from(first);
        let mut open = false;
        let mut run: Vec<(u32, Piece)> = vec![];
        for (sequence, piece) in self.pieces {
            if u64::from(sequence) != next || open {
                segments.extend(join(&run, version, stores)?);
                run.clear();
                gaps.push(Gap { from: next as u32, to: sequence });
            }
            next = u64::from(sequence) + 1;
            open = !piece.closed;
            run.push((sequence, piece));
        }
        segments.extend(join(&run, version, stores)?);
        Ok((segments, gaps))
    }

    /// Each slab: sequence, bytes, and whether it begins a segment.
    pub(super) fn lengths(&self) -> Vec<(u32, u64, bool)> {
        let (mut next, mut open) = (0, false);
        let mut all = Vec::with_capacity(self.pieces.len());
        for (&sequence, piece) in &self.pieces {
            let begins = all.is_empty() || u64::from(sequence) != next || open;
            (next, open) = (u64::from(sequence) + 1, !piece.closed);
            all.push((sequence, u64::from(piece.payload.len), begins));
        }
        all
    }

    /// Whether all payloads lie in files, of which there are so many, and are no longer than slabs.
    pub(super) fn lies_in(&self, files: usize) -> bool {
        self.pieces.values().all(|p| {
            let Stored { store, len, .. } = p.payload;
            let sync = p.sync.is_none_or(|s| u32::from(s.offset) <= len);
            (1..=files).contains(&(store.0 as usize)) && len <= 1 << 16 && sync
        })
    }

    /// The thread, with its payloads. `version` is that of the trace format.
    pub(super) fn finish(
        self,
        number: u32,
        version: u16,
        stores: &mut Stores,
    ) -> Result<ThreadLog, InputError> {
        let late = self.pieces.get(&0).is_some_and(|p| p.late);
        let (mut segments, gaps) = self.segments(0, version, stores)?;
        let (mut name, mut tid) = (None, 0);
        if let Some(first) = segments.first_mut().filter(|s| s.first == 0) {
            let length = first.bytes.first().map(|n| usize::from(*n));
            let offset = match length.and_then(|n| first.bytes.get(1..1 + n)) {
                Some(bytes) => {
                    name = Some(String::from_utf8_lossy(bytes).into_owned());
                    let offset = 1 + bytes.len();
                    match system_id(&first.bytes[offset..]) {
                        _ if version == trace::OLDEST => offset,
                        Some((id, length)) => {
                            tid = id;
                            offset + length
                        }
                        None => first.bytes.len(),
                    }
                }
                None => first.bytes.len(),
            };
            first.start = SegmentStart::Beginning { offset };
        }
        Ok(ThreadLog { number, name, tid, late, table: None, segments, gaps })
    }
}

/// The system's thread id behind a thread's name, and its length: groups of 7 bits, the lowest
/// first.
fn system_id(bytes: &[u8]) -> Option<(u32, usize)> {
    let length = 1 + bytes.iter().take(5).position(|b| *b < 0x80)?;
    let id = bytes[..length].iter().rev().fold(0, |id, b| id << 7 | u64::from(b & 0x7F));
    Some((u32::try_from(id).ok()?, length))
}

fn join(
    run: &[(u32, Piece)],
    version: u16,
    stores: &mut Stores,
) -> Result<Option<Segment>, InputError> {
    let Some((&(first, _), (_, last))) = run.first().zip(run.last()) else { return Ok(None) };
    let mut bytes = Vec::with_capacity(run.iter().map(|(_, p)| p.payload.len as usize).sum());
    let (mut syncs, mut restarts, mut clocks) = (vec![], vec![], vec![]);
    for (_, piece) in run {
        if version > trace::OLDEST {
            clocks.push(SlabClock { offset: bytes.len(), us: piece.clock });
        }
        if let Some(s) = piece.sync {
            let offset = bytes.len() + usize::from(s.offset);
            let Sync { progress, last_top, time, .. } = s;
            match RestartPlace::of_number(last_top) {
                None => syncs.push(SyncPoint { offset, progress, last_top, time }),
                Some(place) => restarts.push(RestartPoint { offset, progress, place, time }),
            }
        }
        stores.read(&piece.payload, &mut bytes)?;
    }
    let start = match (syncs.first(), restarts.first()) {
        (Some(s), restart) if restart.is_none_or(|r| s.offset < r.offset) => SegmentStart::Sync(*s),
        (_, Some(r)) => SegmentStart::Restart(*r),
        (_, None) => SegmentStart::Nowhere,
    };
    Ok(Some(Segment {
        bytes,
        start,
        syncs,
        restarts,
        clocks,
        first,
        slabs: run.len() as u32,
        complete: last.closed,
    }))
}
