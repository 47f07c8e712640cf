//! The slabs of one thread, put in order.

use std::collections::BTreeMap;

use model::trace::{self, SlabHeader};

use super::ThreadLog;
use super::runs::{RunWindow, Runs};
use super::slab_list::SlabList;
use super::store::{InputError, Stored, Stores};
use super::stored_slab::StoredSlab;

/// Result of adding a slab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Added {
    New,
    Duplicate,
    Conflict,
}

/// The slabs of one thread by sequence.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pieces: SlabList,
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
        let piece = StoredSlab {
            sync: header.sync,
            clock: header.clock,
            closed: header.closed,
            late: header.late,
            ring: header.ring,
            first: first.unwrap_or(0),
            payload,
        };
        self.put_piece(header.sequence, piece, stores)
    }

    fn put_piece(
        &mut self,
        sequence: u32,
        piece: StoredSlab,
        stores: &mut Stores,
    ) -> Result<Added, InputError> {
        let Some(old) = self.pieces.get(sequence, stores)? else {
            self.pieces.insert(sequence, piece, stores)?;
            return Ok(Added::New);
        };
        let agree = old.agrees(&piece, stores)?;
        // The one that holds more; and a checksum is worth more than having come first.
        let longer = piece.payload.len > old.payload.len;
        if agree && piece.closed || !old.closed && (piece.closed || agree && longer) {
            self.pieces.insert(sequence, piece, stores)?;
        }
        Ok(if agree { Added::Duplicate } else { Added::Conflict })
    }

    /// Returns the number of slabs.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Returns how many slabs' places memory holds.
    pub(super) fn held(&self) -> usize {
        self.pieces.held()
    }

    /// Returns true if memory may hold the places of all of them.
    pub(super) fn is_short(&self) -> bool {
        self.pieces.are_few()
    }

    /// Leaves in memory what does not grow with the stream.
    pub(super) fn put(&mut self, stores: &mut Stores) -> Result<(), InputError> {
        self.pieces.put(stores)
    }

    /// Visits each slab, in order.
    pub(super) fn each(
        &self,
        stores: &mut Stores,
        mut visit: impl FnMut(u32, &StoredSlab),
    ) -> Result<(), InputError> {
        for chunk in 0..self.pieces.chunks() {
            self.pieces.chunk(chunk, stores)?.iter().for_each(|(n, piece)| visit(*n, piece));
        }
        Ok(())
    }

    /// Writes all pieces, [`StoredSlab::PACKED`] bytes each.
    pub(super) fn pack(&self, stores: &mut Stores, out: &mut Vec<u8>) -> Result<(), InputError> {
        self.each(stores, |sequence, piece| piece.pack(sequence, out))
    }

    /// The inverse of [`Stream::pack`]. Rows in another order come into this one.
    pub(super) fn unpack(bytes: &[u8]) -> Self {
        let rows: BTreeMap<_, _> =
            bytes.chunks_exact(StoredSlab::PACKED).map(StoredSlab::unpack).collect();
        Self { pieces: rows.into_iter().collect() }
    }

    /// Returns true if no slab that both have differs.
    pub(super) fn agrees(&mut self, other: &Self, stores: &mut Stores) -> Result<bool, InputError> {
        for chunk in 0..other.pieces.chunks() {
            for (n, theirs) in other.pieces.chunk(chunk, stores)?.iter() {
                if let Some(ours) = self.pieces.get(*n, stores)?
                    && !ours.agrees(theirs, stores)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Takes in another part of the same stream; returns how many slabs both had.
    pub(super) fn merge(&mut self, other: Self, stores: &mut Stores) -> Result<u64, InputError> {
        if self.pieces.len() == 0 {
            self.pieces = other.pieces;
            return Ok(0);
        }
        let mut both = 0;
        for chunk in 0..other.pieces.chunks() {
            for (sequence, piece) in other.pieces.chunk(chunk, stores)?.iter() {
                both += u64::from(self.put_piece(*sequence, *piece, stores)? != Added::New);
            }
        }
        Ok(both)
    }

    /// Returns true if the thread's name is sound, as far as it should be in the slabs. (Only the
    /// first of some hundred slabs is searched; names have at most 255 bytes.)
    pub(super) fn named(&self) -> bool {
        let (mut length, mut first, mut open) = (0, None, false);
        let pieces = self.pieces.first();
        for ((sequence, piece), next) in pieces.iter().zip(0..) {
            if *sequence != next || open {
                break;
            }
            first = first.or((piece.payload.len > 0).then_some(piece.first));
            length += u64::from(piece.payload.len);
            open = !piece.closed;
        }
        // A process that was killed between beginning its first slab and committing anything to it.
        let nothing_yet = length == 0 && open;
        pieces.first().is_none_or(|p| p.0 != 0)
            || first.map_or(nothing_yet, |n| length > u64::from(n))
    }

    /// The sequence of the first slab, the bytes of it and of the last one.
    pub(super) fn ends(&self, stores: &mut Stores) -> Result<Option<(u32, u64, u64)>, InputError> {
        let (first, last) = (self.pieces.first().first(), self.pieces.last(stores)?);
        let bytes = |piece: &StoredSlab| u64::from(piece.payload.len);
        Ok(first.zip(last).map(|((n, first), (_, last))| (*n, bytes(first), bytes(&last))))
    }

    /// Returns true if all payloads lie in the first `files` files and are no longer than slabs.
    pub(super) fn lies_in(&self, files: usize, stores: &mut Stores) -> Result<bool, InputError> {
        let mut all = true;
        self.each(stores, |_, p| {
            let Stored { store, len, .. } = p.payload;
            let sync = p.sync.is_none_or(|s| u32::from(s.offset) <= len);
            all &= (1..=files).contains(&(store.0 as usize)) && len <= 1 << 16 && sync;
        })?;
        Ok(all)
    }

    /// The pieces.
    pub(super) fn pieces(&self) -> &SlabList {
        &self.pieces
    }

    /// The thread, without its payloads, and the runs of its slabs. `version` is that of the trace
    /// format.
    pub(super) fn begin(
        &self,
        number: u32,
        version: u16,
        stores: &mut Stores,
    ) -> Result<(ThreadLog, Runs), InputError> {
        let late = self.pieces.first().first().is_some_and(|(n, p)| *n == 0 && p.late);
        let mut runs = Runs::of(&self.pieces, 0, stores)?;
        let (mut name, mut tid) = (None, 0);
        if runs.all.first().is_some_and(|run| run.first == 0) {
            let mut window = RunWindow::default();
            window.load(&self.pieces, (&runs, 0, version), (0, NAME), stores)?;
            let bytes = &window.segment.bytes;
            let length = bytes.first().map(|n| usize::from(*n));
            let offset = match length.and_then(|n| bytes.get(1..1 + n)) {
                Some(text) => {
                    name = Some(String::from_utf8_lossy(text).into_owned());
                    let offset = 1 + text.len();
                    match system_id(&bytes[offset..]) {
                        _ if version == trace::OLDEST => offset,
                        Some((id, length)) => {
                            tid = id;
                            offset + length
                        }
                        None => bytes.len(),
                    }
                }
                None => bytes.len(),
            };
            runs.begin_at(offset);
        }
        let gaps = std::mem::take(&mut runs.gaps);
        Ok((ThreadLog { number, name, tid, late, table: None, segments: vec![], gaps }, runs))
    }

    /// The thread, with its payloads.
    pub(super) fn finish(
        self,
        number: u32,
        version: u16,
        stores: &mut Stores,
    ) -> Result<ThreadLog, InputError> {
        let (mut log, runs) = self.begin(number, version, stores)?;
        log.segments = runs.segments(&self.pieces, version, stores)?;
        Ok(log)
    }
}

/// Bytes at a stream's begin that have the thread's name and id, if they are whole.
const NAME: usize = 1 + 255 + 5;

/// Returns the system's thread id after a thread's name, and its length: groups of 7 bits, the
/// lowest first.
fn system_id(bytes: &[u8]) -> Option<(u32, usize)> {
    let length = 1 + bytes.iter().take(5).position(|b| *b < 0x80)?;
    let id = bytes[..length].iter().rev().fold(0, |id, b| id << 7 | u64::from(b & 0x7F));
    Some((u32::try_from(id).ok()?, length))
}
