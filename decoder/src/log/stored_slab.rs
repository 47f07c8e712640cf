//! A slab of a thread: the location of its payload, and its header.

use model::trace::Sync;

use super::store::{InputError, StoreId, Stored, Stores};

/// A slab's place, and its header.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredSlab {
    pub sync: Option<Sync>,
    pub clock: u64,
    pub closed: bool,
    pub late: bool,
    pub ring: bool,
    /// The payload's first byte.
    pub first: u8,
    pub payload: Stored,
}

impl StoredSlab {
    /// Bytes that [`StoredSlab::pack`] writes, with the sequence.
    pub(super) const PACKED: usize = 60;

    /// Returns true if both can be the same slab: equal, or one of them copied while the app wrote
    /// to it, so that the other continues where it stops.
    pub(super) fn agrees(&self, other: &Self, stores: &mut Stores) -> Result<bool, InputError> {
        let mut goes_on = |from: &Self, to: &Self| {
            Ok(!from.closed && stores.starts_with(&to.payload, &from.payload)?)
        };
        let equal = self.payload.equals(&other.payload)
            && (self.sync == other.sync || self.closed != other.closed);
        Ok(equal || goes_on(self, other)? || goes_on(other, self)?)
    }

    /// Writes it with its sequence.
    pub(super) fn pack(&self, sequence: u32, out: &mut Vec<u8>) {
        let sync = self.sync.unwrap_or(Sync { offset: 0, progress: 0, last_top: 0, time: 0 });
        let Stored { store, at, len, digest } = self.payload;
        for n in [sequence, sync.progress, sync.last_top, sync.time, store.0, len] {
            out.extend_from_slice(&n.to_le_bytes());
        }
        out.extend_from_slice(&at.to_le_bytes());
        out.extend_from_slice(&sync.offset.to_le_bytes());
        let flags = u8::from(self.closed)
            | u8::from(self.late) << 1
            | u8::from(self.sync.is_some()) << 2
            | u8::from(self.ring) << 3;
        out.extend_from_slice(&[flags, self.first]);
        out.extend_from_slice(&digest);
        out.extend_from_slice(&self.clock.to_le_bytes());
    }

    /// The inverse of [`StoredSlab::pack`].
    pub(super) fn unpack(bytes: &[u8]) -> (u32, Self) {
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
            ring: flags & 8 != 0,
            first: bytes[35],
            clock: u64::from(number(52)) | u64::from(number(56)) << 32,
            payload,
        };
        (number(0), piece)
    }
}
