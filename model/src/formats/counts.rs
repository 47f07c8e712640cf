//! The count file (`.plc`): the counts of one process of a counting build so far. Only this module
//! knows the layout; [`crate::cells`] gives the cells their meaning. All numbers are big-endian.
//!
//! | bytes | header |
//! |---:|---|
//! | 4 | `PLCN` |
//! | 2 | version, 1 |
//! | 2 | 0 |
//! | 4 | CRC-32 of the bytes before and of the identity |
//! | 45 … 300 | identity of the process, as in a trace file |
//!
//! From byte 320 on the file has *slots*, one for each page that was touched, then zeros. A slot
//! has its page's number, the number of the page's cells, and a CRC-32 of both (4 bytes each), then
//! two copies. A copy has a generation (4 bytes; 0: never written), the CRC-32 of page, number of
//! cells, generation and cells, and 8 bytes for each cell.
//!
//! The device writes the older copy, its generation last. So a process that is killed meanwhile
//! leaves the other copy whole, and the reader takes the newest whole copy. A file grows with the
//! code that ran, not with time.

use std::collections::BTreeMap;

use thiserror::Error;

use super::fields::{checksum, u32_at};
use super::trace::Identity;
use super::trace::identity::FIXED;

#[cfg(test)]
mod tests;

/// First bytes of a count file.
pub const MAGIC: [u8; 4] = *b"PLCN";
/// The version of the format.
pub const VERSION: u16 = 1;
/// Bytes of the header before the identity.
pub(super) const HEADER: usize = 12;
/// Offset of the first slot.
const FIRST: usize = 320;
/// Bytes of a slot before its copies.
const SLOT: usize = 12;
/// Bytes of a copy before its cells.
const COPY: usize = 8;

/// Reasons why bytes are no count file at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CountsError {
    /// The first bytes are others.
    #[error("not a count file (it does not begin with PLCN)")]
    NotCounts,
    /// Nothing has been written yet: the process ended before.
    #[error("the file was made, but not begun: its process ended before")]
    NotBegun,
    /// Shorter than its header.
    #[error("the file ends inside its header, after {0} bytes")]
    ShortHeader(usize),
    /// Another version of the format.
    #[error("count file version {0}; this program knows version {VERSION}")]
    Version(u16),
    /// The checksum of the header is wrong: which process wrote the file is unknown.
    #[error("the file header's checksum does not match")]
    Checksum,
}

/// Damage of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Damage {
    /// Neither a slot nor the end: nothing after it can be found.
    #[error("no page begins at byte {0}; what follows is not read")]
    NoSlot(usize),
    /// The file ends inside the slot.
    #[error("the file ends inside page {0}")]
    Cut(u32),
    /// Both copies are damaged.
    #[error("no copy of page {0} is whole")]
    Copies(u32),
    /// The page came before.
    #[error("page {0} comes twice; the first one counts")]
    Twice(u32),
}

/// Returns the bytes of a slot for a page with this many cells; `None` if no page is that large.
fn slot_bytes(cells: u32) -> Option<usize> {
    (cells as usize).checked_mul(8)?.checked_add(COPY)?.checked_mul(2)?.checked_add(SLOT)
}

/// A slot and a page are refused where they have more cells than this.
const MOST_CELLS: u32 = 1 << 24;

/// Bytes of a file that has all these pages (by their numbers of cells).
pub fn file_bytes(pages: impl IntoIterator<Item = u32>) -> u64 {
    let slots = pages.into_iter().map(|cells| 2 * (8 * u64::from(cells) + COPY as u64));
    slots.fold(FIRST as u64, |sum, bytes| sum + SLOT as u64 + bytes)
}

/// The counts of one process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountFile {
    /// The process.
    pub identity: Identity,
    /// The cells of each page, of the newest copy that is whole.
    pub pages: BTreeMap<u32, Vec<u64>>,
    /// Pages whose newest copy was not whole: their counts are those published before.
    pub torn: u32,
    /// Slots that could not be read.
    pub damage: Vec<Damage>,
}

/// Returns true if these are the first bytes of a count file.
pub fn is_count_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

impl CountFile {
    /// Reads a file. Memory is bounded by its size.
    ///
    /// # Errors
    /// See [`CountsError`]. Damage of single pages is in [`Self::damage`].
    pub fn parse(bytes: &[u8]) -> Result<CountFile, CountsError> {
        if !is_count_file(bytes) {
            let begun = bytes.iter().any(|b| *b != 0);
            return Err(if begun { CountsError::NotCounts } else { CountsError::NotBegun });
        }
        let short = || CountsError::ShortHeader(bytes.len());
        let head = bytes.get(..HEADER).ok_or_else(short)?;
        let version = u16::from_be_bytes([head[4], head[5]]);
        if version != VERSION {
            return Err(CountsError::Version(version));
        }
        let rest = bytes.get(HEADER..FIRST).ok_or_else(short)?;
        let (identity, length) = Identity::parse(rest, super::trace::VERSION).ok_or_else(short)?;
        if checksum(&[&head[..8], &rest[..length]]) != u32_at(head, 8) {
            return Err(CountsError::Checksum);
        }
        let mut file = CountFile { identity, ..CountFile::default() };
        file.read_slots(bytes);
        Ok(file)
    }

    fn read_slots(&mut self, bytes: &[u8]) {
        let mut at = FIRST;
        while let Some(head) = bytes.get(at..at + SLOT) {
            if head.iter().all(|b| *b == 0) {
                return;
            }
            let (page, cells) = (u32_at(head, 0), u32_at(head, 4));
            let known = checksum(&[&head[..8]]) == u32_at(head, 8) && cells <= MOST_CELLS;
            let Some(size) = slot_bytes(cells).filter(|_| known) else {
                self.damage.push(Damage::NoSlot(at));
                return;
            };
            let Some(slot) = at.checked_add(size).and_then(|end| bytes.get(at..end)) else {
                self.damage.push(Damage::Cut(page));
                return;
            };
            self.read_slot(page, head, &slot[SLOT..]);
            at += size;
        }
        // The device makes whole chunks, in one go: a cut here loses a page.
        if bytes.get(at..).is_some_and(|rest| rest.iter().any(|b| *b != 0)) {
            self.damage.push(Damage::NoSlot(at));
        }
    }

    fn read_slot(&mut self, page: u32, head: &[u8], copies: &[u8]) {
        if self.pages.contains_key(&page) {
            self.damage.push(Damage::Twice(page));
            return;
        }
        let copies: Vec<&[u8]> = copies.chunks_exact(copies.len() / 2).collect();
        let whole = |copy: &&&[u8]| {
            let mut crc = crc32fast::Hasher::new();
            [&head[..8], &copy[..4], &copy[COPY..]].iter().for_each(|p| crc.update(p));
            u32_at(copy, 0) > 0 && crc.finalize() == u32_at(copy, 4)
        };
        let newest = copies.iter().filter(whole).max_by_key(|copy| u32_at(copy, 0));
        // Generations alternate: an older copy that is damaged is the one that was being replaced.
        let broken = copies.iter().filter(|c| u32_at(c, 0) > 0 && !whole(c)).count();
        let Some(newest) = newest else {
            if broken > 0 {
                self.damage.push(Damage::Copies(page));
            }
            return;
        };
        self.torn += u32::from(broken > 0);
        let cell = |b: &[u8]| b.iter().fold(0, |n, b| n << 8 | u64::from(*b));
        self.pages.insert(page, newest[COPY..].chunks_exact(8).map(cell).collect());
    }

    /// The file, with each page written once.
    ///
    /// # Panics
    /// If a page has more than 2²⁴ cells.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_be_bytes());
        out.extend_from_slice(&[0, 0]);
        let identity = self.identity.to_bytes();
        debug_assert!(identity.len() >= FIXED && HEADER + identity.len() <= FIRST);
        let crc = checksum(&[&out, &identity]);
        out.extend_from_slice(&crc.to_be_bytes());
        out.extend_from_slice(&identity);
        out.resize(FIRST, 0);
        for (page, cells) in &self.pages {
            assert!(cells.len() <= MOST_CELLS as usize, "{} cells", cells.len());
            let at = out.len();
            out.extend_from_slice(&page.to_be_bytes());
            out.extend_from_slice(&(cells.len() as u32).to_be_bytes());
            let head = out[at..].to_vec();
            out.extend_from_slice(&checksum(&[&head]).to_be_bytes());
            let generation = 1_u32.to_be_bytes();
            let content: Vec<u8> = cells.iter().flat_map(|n| n.to_be_bytes()).collect();
            let mut crc = crc32fast::Hasher::new();
            [&head[..], &generation, &content].iter().for_each(|p| crc.update(p));
            out.extend_from_slice(&generation);
            out.extend_from_slice(&crc.finalize().to_be_bytes());
            out.extend_from_slice(&content);
            out.resize(out.len() + COPY + content.len(), 0);
        }
        out
    }
}
