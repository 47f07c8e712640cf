//! The file of a start table (`.plk`): what distributions that adapt had become in earlier
//! processes of a build, and another one begins with (`docs/PROTOCOL.md` §9).
//!
//! Nothing read here is trusted: the id is a hash of all the rest, no count is allocated by before
//! the bytes are there, and [`crate::adaptive::begin_with`] checks every frequency.

use std::fmt;

use thiserror::Error;

use super::map::BuildId;
use crate::adaptive::{MAX_PAGES, PAGE};

/// First bytes of the file.
pub const MAGIC: [u8; 4] = *b"PLKT";
/// The version of the format.
pub const VERSION: u16 = 1;
/// Bytes before the changes.
pub const HEADER: usize = 44;
/// Offset of the build id.
pub(super) const BUILD_AT: usize = 16;
/// The most bytes that a file can have: each cell alone, with two numbers of four bytes before it.
pub const MAX_FILE: u64 = HEADER as u64 + 10 * (PAGE * MAX_PAGES) as u64;

/// Identifier of a table, a hash of its content; a log names the table that its process began with
/// by this id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(
    /// The hash, never 0.
    pub u64,
);

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Reasons why bytes are no start table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StartTableError {
    /// The first bytes are others.
    #[error("not a start table (it does not begin with PLKT)")]
    NotATable,
    /// Another version of the format.
    #[error("start table version {0}; this program knows version {VERSION}")]
    Version(u16),
    /// The file ends before its end.
    #[error("the file ends after {0} bytes")]
    Short(usize),
    /// The changes do not end where the file ends, or contain bytes that no change has.
    #[error("the changes are not {0} cells")]
    Cells(u32),
    /// The id is not that of the contents.
    #[error("the id is not that of the contents: the file is damaged")]
    Id,
}

/// A start table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartTable {
    /// The build whose branches these are.
    pub build: BuildId,
    /// One more than that of the table that it was made from, or of others that were there.
    pub generation: u32,
    /// Number of cells of a thread of the build.
    pub cells: u32,
    /// The cells that are not as the map has them, ascending by number.
    pub changes: Vec<(u32, u16)>,
}

impl StartTable {
    /// The table whose cells are these, of a build that begins with those of the map.
    ///
    /// # Panics
    /// If both are not as many.
    pub fn of(build: BuildId, generation: u32, map: &[u16], cells: &[u16]) -> Self {
        assert_eq!(map.len(), cells.len());
        let both = (0..).zip(map.iter().zip(cells));
        let changes = both.filter(|(_, (old, new))| old != new).map(|(i, (_, new))| (i, *new));
        Self { build, generation, cells: cells.len() as u32, changes: changes.collect() }
    }

    /// The id.
    pub fn id(&self) -> TableId {
        TableId(u64::from_be_bytes(std::array::from_fn(|i| self.to_bytes()[8 + i])))
    }

    /// As a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = vec![];
        let (mut at, mut left) = (0, &self.changes[..]);
        while let Some(&(first, _)) = left.first() {
            let run = (first..).zip(left).take_while(|(i, change)| *i == change.0).count();
            number(&mut body, first - at);
            number(&mut body, run as u32);
            left[..run].iter().for_each(|c| body.extend_from_slice(&c.1.to_be_bytes()));
            at = first + run as u32;
            left = &left[run..];
        }
        let mut out = Vec::with_capacity(HEADER + body.len());
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_be_bytes());
        out.extend_from_slice(&[0; 10]);
        out.extend_from_slice(&self.build.0);
        out.extend_from_slice(&self.generation.to_be_bytes());
        out.extend_from_slice(&self.cells.to_be_bytes());
        out.extend_from_slice(&(body.len() as u32).to_be_bytes());
        out.extend_from_slice(&body);
        let id = hash(&out);
        out[8..16].copy_from_slice(&id.0.to_be_bytes());
        out
    }

    /// Reads a file.
    ///
    /// # Errors
    /// See [`StartTableError`].
    pub fn parse(bytes: &[u8]) -> Result<Self, StartTableError> {
        if !is_table(bytes) {
            return Err(StartTableError::NotATable);
        }
        let Some((head, body)) = bytes.split_at_checked(HEADER) else {
            return Err(StartTableError::Short(bytes.len()));
        };
        let u32_at = |at: usize| u32::from_be_bytes(std::array::from_fn(|i| head[at + i]));
        let version = (u32_at(4) >> 16) as u16;
        if version != VERSION {
            return Err(StartTableError::Version(version));
        }
        let (generation, cells, length) = (u32_at(32), u32_at(36), u32_at(40) as usize);
        if body.len() < length {
            return Err(StartTableError::Short(bytes.len()));
        }
        if hash(bytes).0 != u64::from(u32_at(8)) << 32 | u64::from(u32_at(12)) {
            return Err(StartTableError::Id);
        }
        let bad = StartTableError::Cells(cells);
        let changes = (body.len() == length && cells <= PAGE * MAX_PAGES)
            .then(|| changes(body, cells))
            .flatten()
            .ok_or(bad)?;
        let build = BuildId(std::array::from_fn(|i| head[BUILD_AT + i]));
        Ok(Self { build, generation, cells, changes })
    }
}

/// Returns true if the bytes begin like a start table.
pub fn is_table(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The id of a file: FNV-1a of all bytes but those of the id. One changed byte always changes it.
fn hash(bytes: &[u8]) -> TableId {
    let all = bytes[..8].iter().chain(&bytes[16..]);
    let hash = all.fold(0xCBF2_9CE4_8422_2325_u64, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    TableId(hash.max(1))
}

/// Groups of 7 bits, the lowest first, all but the last with bit 7 set.
fn number(out: &mut Vec<u8>, mut n: u32) {
    while n > 0x7F {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// The inverse of [`number`], of at most four groups.
fn read_number(bytes: &mut &[u8]) -> Option<u32> {
    let length = 1 + bytes.iter().take(4).position(|b| *b < 0x80)?;
    let (number, rest) = bytes.split_at(length);
    *bytes = rest;
    Some(number.iter().rev().fold(0, |n, b| n << 7 | u32::from(b & 0x7F)))
}

fn changes(mut body: &[u8], cells: u32) -> Option<Vec<(u32, u16)>> {
    let (mut out, mut at) = (vec![], 0_u32);
    while !body.is_empty() {
        let from = at + read_number(&mut body)?;
        let count = read_number(&mut body)?;
        at = from + count;
        if count == 0 || at > cells {
            return None;
        }
        let (values, rest) = body.split_at_checked(2 * count as usize)?;
        let values = values.chunks_exact(2).map(|v| u16::from_be_bytes([v[0], v[1]]));
        out.extend((from..at).zip(values));
        body = rest;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table() -> StartTable {
        let changes = vec![(0, 0x0102), (1, 0xFFFE), (300, 7)];
        StartTable { build: BuildId([7; 16]), generation: 3, cells: 400, changes }
    }

    /// The layout byte by byte, from the table of protocol §9.
    #[test]
    fn layout_is_that_of_the_protocol() {
        let bytes = table().to_bytes();
        assert_eq!(bytes[..8], *b"PLKT\x00\x01\x00\x00");
        assert_eq!(bytes[16..32], [7; 16]);
        assert_eq!(bytes[32..44], *b"\0\0\0\x03\0\0\x01\x90\0\0\0\x0B");
        // 298 cells between.
        assert_eq!(bytes[44..], *b"\x00\x02\x01\x02\xFF\xFE\xAA\x02\x01\x00\x07");
        assert_eq!(bytes[8..16], table().id().0.to_be_bytes());
    }

    /// FNV-1a's published values of the empty text and of "a".
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(hash(&[0; 16]).0, {
            let mut h = 0xcbf2_9ce4_8422_2325_u64;
            (0..8).for_each(|_| h = h.wrapping_mul(0x100_0000_01b3));
            h
        });
        let of_a = (0xcbf2_9ce4_8422_2325_u64 ^ 0x61).wrapping_mul(0x100_0000_01b3);
        assert_eq!(of_a, 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn any_changed_bit_and_any_cut_is_noticed() {
        let bytes = table().to_bytes();
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(StartTable::parse(&bytes).is_err(), "bit {bit}");
        }
        for cut in 0..bytes.len() {
            assert!(StartTable::parse(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        assert!(StartTable::parse(&[&bytes[..], &[0]].concat()).is_err());
    }

    /// A forger can make the id fit.
    #[test]
    fn forged_changes_are_refused() {
        for body in [
            &[0][..],
            &[0, 0],
            &[0, 1, 5],
            &[0x90, 3, 1, 0, 7],
            &[0, 2, 0, 7],
            &[0x80, 0x80, 0x80, 0x80, 1, 1, 0, 7],
            &[0, 0xFF, 0xFF, 0xFF, 0x7F, 0, 7],
        ] {
            let mut bytes =
                [&table().to_bytes()[..40], &[0, 0, 0, body.len() as u8], body].concat();
            let id = hash(&bytes);
            bytes[8..16].copy_from_slice(&id.0.to_be_bytes());
            assert_eq!(StartTable::parse(&bytes), Err(StartTableError::Cells(400)), "{body:?}");
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            changes in prop::collection::btree_map(0u32..100_000, any::<u16>(), 0..200),
            generation in any::<u32>(),
        ) {
            let changes = changes.into_iter().collect();
            let table = StartTable { generation, cells: 100_000, changes, ..table() };
            prop_assert_eq!(StartTable::parse(&table.to_bytes()), Ok(table));
        }
    }
}
