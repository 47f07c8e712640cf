//! Search for the slabs of a trace file.

use super::{
    DamagedSlab, SLAB_MAGIC, Slab, SlabDamage, most_doubled, most_halved, read_slab, shifted,
    slab_header, u32_at,
};
use crate::protocol::slab_flags;

/// Finds the slabs of a trace file, piece by piece. For the whole file at once there is
/// [`TraceFile::slabs`](super::TraceFile::slabs).
#[derive(Debug, Clone)]
pub struct SlabFinder {
    version: u16,
    size: usize,
    /// No slab is larger.
    most: usize,
    /// Slabs begin at multiples of this.
    step: usize,
    at: usize,
    /// The size of the slabs in this stretch of the slab size.
    part: usize,
    /// The bytes that come next belong to no slab, which was reported.
    is_astray: bool,
    cut: Option<DamagedSlab>,
    crc: crc32fast::Hasher,
}

impl SlabFinder {
    /// Finds the slabs of a file of this version and slab size, the first one at `first`. `crc` is
    /// the checksum of a slab, as it begins.
    pub(super) fn new(version: u16, size: usize, first: usize, crc: crc32fast::Hasher) -> Self {
        Self {
            version,
            size,
            most: size << most_doubled(size, version),
            step: size >> most_halved(size),
            at: first,
            part: size,
            is_astray: false,
            cut: None,
            crc,
        }
    }

    /// Offset in the file at which the next slab may begin.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Bytes that a piece must have from [`at`](Self::at) on, unless the file ends before.
    pub fn wanted(&self) -> usize {
        self.most
    }

    /// The next slab in a piece that begins at byte `from` of the file, at [`at`](Self::at) or
    /// before; `last`: the file ends where the piece does. `None`: what comes next is not (wholly)
    /// in this piece.
    pub fn next_in<'a>(
        &mut self,
        piece: &'a [u8],
        from: usize,
        last: bool,
    ) -> Option<Result<Slab<'a>, DamagedSlab>> {
        if let Some(cut) = self.cut.take() {
            return Some(Err(cut));
        }
        let end = from + piece.len();
        while self.at < end && (last || self.at + self.most <= end) {
            let offset = self.at;
            let slab = &piece[offset - from..piece.len().min(offset - from + self.most)];
            if offset.is_multiple_of(self.size) {
                self.part = self.size;
            }
            // Where none begins, or only a damaged one, a smaller one may begin a step later.
            self.at += self.step;
            match read_slab(&self.crc, slab, offset, (self.version, self.size)) {
                // Not in its place: bytes of something else.
                Ok((slab, _)) if !offset.is_multiple_of(shifted(self.size, slab.header.shift)) => {}
                Ok((slab, damage)) => {
                    let size = shifted(self.size, slab.header.shift);
                    self.at = offset + size;
                    self.part = size.min(self.size);
                    self.is_astray = false;
                    self.cut = damage.map(|damage| DamagedSlab { offset, damage });
                    return Some(Ok(slab));
                }
                Err(SlabDamage::NoMagic | SlabDamage::ShortHeader)
                    if !slab.starts_with(&SLAB_MAGIC) =>
                {
                    if offset.is_multiple_of(self.part) && self.goes_astray(slab) {
                        return Some(Err(DamagedSlab { offset, damage: SlabDamage::NoMagic }));
                    }
                }
                Err(damage) => {
                    self.is_astray = true;
                    return Some(Err(DamagedSlab { offset, damage }));
                }
            }
        }
        None
    }

    /// Returns true if bytes that should be a slab, or a place for one, are neither. Of many in a
    /// row only the first is reported.
    fn goes_astray(&mut self, bytes: &[u8]) -> bool {
        let was_astray = self.is_astray;
        self.is_astray = !self.is_unused(bytes);
        self.is_astray && !was_astray
    }

    /// Returns true if a place for a slab is free. A device writes a slab's mark last, and takes it
    /// away first; in a ring, the contents of an older slab still follow it. But a free place is
    /// never marked as closed.
    fn is_unused(&self, bytes: &[u8]) -> bool {
        let is_closed = bytes.get(19).is_some_and(|flags| flags & slab_flags::CLOSED as u8 != 0);
        let has_bytes = u32_at(bytes, slab_header(self.version) - 8) > 0;
        bytes.iter().take(SLAB_MAGIC.len()).all(|b| *b == 0) && !(is_closed && has_bytes)
    }
}
