//! The file `.pltt`.
//!
//! It begins with `PLTT` and its version. Its contents lie in pages of 16 KiB; the last one may be
//! shorter. A page is deflated (RFC 1951) if that makes it shorter. After the pages, a table has
//! for each its bytes in the file and the CRC-32 of its contents (u32 each). Last are 24 bytes: the
//! positions of the directory and of the end of the contents (u64 each), the CRC-32 of the table
//! and both, `PLTT`. All positions are positions in the contents. Numbers are little-endian, `v`
//! are LEB128.
//!
//! | part | form |
//! |---|---|
//! | head | kind, length of the build id, it, leaf, fanout, keep (u32 each) |
//! | data | histograms and samples, as entries name them |
//! | contexts | caller, method (u32 each), from number 1 |
//! | names | of methods: v bytes, bytes |
//! | entries | of a thread's level: [`crate::entry`], 40 bytes each |
//! | directory | position and number of contexts, names, threads (v); each thread; all tables (v) |
//!
//! A thread: its name and its process's (v bytes, bytes); number, process id, wall clock, end,
//! lost, refused, unproven, missing, doubtful, samples, total, last time, levels (v); each level's
//! position and number of entries (v), leaves first. A table of the caller's: thread + 1 or 0,
//! kind, bytes of a row, position, rows (v). A histogram has, ascending, v of twice the context + 1
//! if it is a rest, as the difference from the one before, and v weight. Samples are the times of
//! all, then their contexts, then their weights (v); times and contexts as differences from the one
//! before (the first time from that of the entry, the first context from 0), of which the sign is
//! the lowest bit: 0, -1, 1, -2 are 0, 1, 2, 3.

pub mod pages;
pub mod positional;
pub mod read;

/// First and last bytes of a file.
pub const MAGIC: [u8; 4] = *b"PLTT";

/// The version of the format.
pub const VERSION: u8 = 3;

/// Bytes before the first page.
pub const BEGIN: [u8; 5] = [MAGIC[0], MAGIC[1], MAGIC[2], MAGIC[3], VERSION];

/// Bytes after the table of pages.
pub const TRAILER: usize = 24;

/// Unit of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightUnit {
    /// Sampled stacks.
    Samples,
    /// Blocks of exact paths.
    Paths,
    /// Time that calls took, in µs.
    Times,
}

impl WeightUnit {
    /// Number of the kind in files.
    pub(crate) fn byte(self) -> u8 {
        match self {
            WeightUnit::Samples => 0,
            WeightUnit::Paths => 1,
            WeightUnit::Times => 2,
        }
    }

    /// The kind with this number.
    pub(crate) fn of(byte: u8) -> Option<WeightUnit> {
        [WeightUnit::Samples, WeightUnit::Paths, WeightUnit::Times]
            .into_iter()
            .find(|kind| kind.byte() == byte)
    }
}

/// Head of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Unit of its weights.
    pub kind: WeightUnit,
    /// The build that the session is of; empty when unknown. At most 255 bytes are kept.
    pub build_id: Vec<u8>,
}

/// Appends a number in LEB128.
pub fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A difference with its sign in the lowest bit, so that small ones are short.
pub fn zigzag(difference: u64) -> u64 {
    difference << 1 ^ (difference as i64 >> 63) as u64
}

/// The difference that [`zigzag`] wrote.
pub fn unzigzag(number: u64) -> u64 {
    number >> 1 ^ 0u64.wrapping_sub(number & 1)
}

/// Appends the length of a text and the text.
pub fn text(out: &mut Vec<u8>, text: &str) {
    varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}
