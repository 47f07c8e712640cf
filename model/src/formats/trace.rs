//! The containers of protocol §7: slabs, the trace file, logcat lines. Only this module knows their
//! layout.
//!
//! Nothing read here is trusted: a slab that does not fit is reported with its offset and left out;
//! a slab that is returned has a payload inside the input, and, if it is closed, a checksum that
//! matches.

use thiserror::Error;

use crate::formats::start_table::TableId;
use crate::protocol::{slab_flags, slab_mark};

mod base64;
mod finder;
pub(in crate::formats) mod identity;
mod logcat;
#[cfg(test)]
mod tests;
mod used;

pub use finder::SlabFinder;
pub use identity::{Identity, MAX_NAME};
pub use logcat::{
    LogcatSlab, encode_logcat, has_slab, holds_slab, is_base64, parse_logcat, runtime_note,
};
pub use used::{last_used, used_len};

/// Bytes of a slab's header.
pub const SLAB_HEADER: usize = 44;
/// The same in version 2.
const OLD_SLAB_HEADER: usize = 40;
/// Bits of a slab's clock: it begins again after 38 hours.
pub const CLOCK_BITS: u32 = 37;
/// Bytes of a trace file's header before the identity of its process.
pub(super) const FILE_HEADER: usize = 28;
/// The most bytes that a trace file's header can have.
pub const MAX_FILE_HEADER: usize = FILE_HEADER + identity::FIXED + MAX_NAME + TABLE;
/// Bytes after the identity in versions 4 and 6: the id of the table that the process began with.
const TABLE: usize = 8;
/// The smallest size of a slab.
pub const MIN_SLAB: usize = 64;
/// The largest size of a slab.
pub const MAX_SLAB: u64 = 65536;
/// A slab has the file's slab size, or that halved up to this many times.
pub const MAX_SHIFT: i8 = 3;
/// A slab has the file's slab size doubled up to this many times, since version 5.
pub const MAX_DOUBLED: i8 = 2;
/// First bytes of a trace file.
pub const FILE_MAGIC: [u8; 4] = *b"PLTR";
/// First bytes of a slab in use.
pub const SLAB_MAGIC: [u8; 4] = *b"SLAB";
/// The version of the trace format that is written where no start table is kept.
pub const VERSION: u16 = 5;
/// The newest version that is read: as version 5, but the file's header names a start table.
pub const NEWEST: u16 = 6;
/// The version of logcat lines, whose slabs are closed.
pub const LINES: u16 = 3;
/// As version 3, but the file's header names a start table.
const OLD_TABLE: u16 = 4;
/// The oldest version that is read: its slabs have no clock, its threads no system id.
pub const OLDEST: u16 = 2;

/// Reasons why bytes are no trace file at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TraceError {
    /// The first bytes are others.
    #[error("not a trace file (it does not begin with PLTR)")]
    NotATrace,
    /// Shorter than its header.
    #[error("the file ends inside its header, after {0} bytes")]
    ShortHeader(usize),
    /// The checksum of the header is wrong: which process wrote the file is unknown.
    #[error("the file header's checksum does not match")]
    Checksum,
    /// Another version of the format.
    #[error("trace format version {0}; this program knows versions {OLDEST} to {NEWEST}")]
    Version(u16),
    /// A slab size that cannot hold a slab.
    #[error("slab size {0} in the file header (smallest: {MIN_SLAB})")]
    SlabSize(u32),
}

/// Damage of one slab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SlabDamage {
    /// The bytes end inside the slab's header.
    #[error("the input ends inside the slab's header")]
    ShortHeader,
    /// Other bytes stand where a slab's mark should be.
    #[error("no slab begins here")]
    NoMagic,
    /// A committed length that no slab of this size can have.
    #[error("the slab claims {claimed} payload bytes, there is capacity for {capacity}")]
    Length {
        /// Length in the header.
        claimed: u32,
        /// Largest payload that fits.
        capacity: u32,
    },
    /// The input ends inside the payload; for an open slab the bytes that are there still count.
    #[error("the input ends after {have} of {claimed} payload bytes")]
    Cut {
        /// Length in the header.
        claimed: u32,
        /// Number of bytes in the input.
        have: u32,
    },
    /// The checksum of a closed slab is wrong.
    #[error("the checksum does not match")]
    Checksum,
    /// Thread numbers begin at 1.
    #[error("thread number 0")]
    Thread,
    /// A logcat line of another version of the format.
    #[error("a line of trace format version {0}; this program knows versions {OLDEST} to {LINES}")]
    Version(u16),
    /// A logcat line has a slab, but not the mark before it.
    #[error("the mark before it is damaged")]
    Mark,
}

/// Damage at an offset of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("slab at byte {offset}: {damage}")]
pub struct DamagedSlab {
    /// Offset of the slab.
    pub offset: usize,
    /// The damage.
    #[source]
    pub damage: SlabDamage,
}

/// A state from which a decoder can begin without older slabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sync {
    /// Offset of a record's first byte in the payload.
    pub offset: u16,
    /// Progress counter there.
    pub progress: u32,
    /// Method id of the last top-level callback, 0 for none.
    pub last_top: u32,
    /// Last time that the thread recorded: in version 2 the begin of that callback, in ms since the
    /// trace began; since version 3 its end, in ticks of 250 µs.
    pub time: u32,
}

/// A slab's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlabHeader {
    /// Thread number, from 1.
    pub thread: u32,
    /// Sequence of the slab within its thread, from 0.
    pub sequence: u32,
    /// Allocation order within the file (for logcat: within the process).
    pub order: u32,
    /// The slab has the file's slab size, halved this many times, up to [`MAX_SHIFT`]; doubled,
    /// where it is negative, up to [`MAX_DOUBLED`] times.
    pub shift: i8,
    /// State from which decoding can begin at this slab, if it can.
    pub sync: Option<Sync>,
    /// Time at which the slab was begun, in µs since the trace began, modulo 2^[`CLOCK_BITS`]. At
    /// that time all bytes of its thread's stream before it were out, and none of its own. 0 in
    /// version 2.
    pub clock: u64,
    /// True if the slab is complete; its checksum has been verified then.
    pub closed: bool,
    /// In the first slab of a thread: whether it ran before, unrecorded.
    pub late: bool,
    /// True if, when this slab was begun, threads had run unrecorded that had no record yet.
    pub unrecorded: bool,
    /// True if the file is a ring, in which newer slabs take the place of the oldest ones.
    pub ring: bool,
}

impl SlabHeader {
    /// The slab as bytes, with length and (if closed) checksum.
    ///
    /// # Panics
    /// If the payload is longer than a slab can be (65,492 bytes), the sync offset is 0xFFFF, or
    /// `shift` not in −[`MAX_DOUBLED`] … [`MAX_SHIFT`].
    pub fn to_bytes(&self, identity: &Identity, payload: &[u8]) -> Vec<u8> {
        assert!((-MAX_DOUBLED..=MAX_SHIFT).contains(&self.shift), "shift {}", self.shift);
        assert!(payload.len() <= 65536 - SLAB_HEADER, "{} payload bytes", payload.len());
        let sync = self.sync.unwrap_or(Sync { offset: 0xFFFF, progress: 0, last_top: 0, time: 0 });
        assert!(self.sync.is_none() || sync.offset != 0xFFFF, "0xFFFF means: no sync offset");
        let mut out = Vec::with_capacity(SLAB_HEADER + payload.len());
        out.extend_from_slice(&SLAB_MAGIC);
        out.extend_from_slice(&self.thread.to_be_bytes());
        out.extend_from_slice(&self.sequence.to_be_bytes());
        out.extend_from_slice(&self.order.to_be_bytes());
        out.extend_from_slice(&sync.offset.to_be_bytes());
        let flag = |set: bool, flag: u16| if set { flag } else { 0 };
        let flags = flag(self.closed, slab_flags::CLOSED)
            | flag(self.late, slab_flags::LATE)
            | flag(self.unrecorded, slab_flags::UNRECORDED)
            | flag(self.ring, slab_flags::RING)
            | (self.shift as u16 & slab_flags::SHIFT_MASK) << slab_flags::SHIFT_AT
            | ((self.clock >> 32) as u16) << slab_flags::CLOCK_AT;
        out.extend_from_slice(&flags.to_be_bytes());
        out.extend_from_slice(&sync.progress.to_be_bytes());
        out.extend_from_slice(&sync.last_top.to_be_bytes());
        out.extend_from_slice(&sync.time.to_be_bytes());
        out.extend_from_slice(&(self.clock as u32).to_be_bytes());
        out.extend_from_slice(&(payload.len() as u32).to_be_bytes());
        let crc = if self.closed { checksum(identity.digest(), &out, payload) } else { 0 };
        out.extend_from_slice(&crc.to_be_bytes());
        out.extend_from_slice(payload);
        out
    }
}

/// The checksum of a slab; `crc` has the identity of its process already.
fn checksum(mut crc: crc32fast::Hasher, header: &[u8], payload: &[u8]) -> u32 {
    crc.update(header);
    crc.update(payload);
    crc.finalize()
}

/// Returns the number of valid bytes of a slab that claims `committed` bytes. The device appends
/// words after these one by one, each in one store with a mark after it, which the next word
/// overwrites. So all bytes up to the first mark are words. A word can be missing only if its bytes
/// happen to look like a mark, in one of some millions of open slabs; no word is invented: without
/// a word there is a zero.
fn with_words(order: u32, payload: &[u8], committed: usize) -> usize {
    let word = |at| payload.get(at..at + 4).map_or(0, |_| u32_at(payload, at));
    if word(committed) == 0 {
        return committed;
    }
    let mark = (order.wrapping_mul(slab_mark::FACTOR) >> 16 | slab_mark::BIT) << 16;
    let mut ends = (committed + 4..payload.len()).step_by(4);
    ends.find(|&at| word(at) == mark | at as u32).unwrap_or(committed)
}

/// A slab that passed all checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slab<'a> {
    /// Offset of the slab in the input.
    pub offset: usize,
    /// Offset of its payload in the input.
    pub payload_at: usize,
    /// Its header.
    pub header: SlabHeader,
    /// The committed bytes.
    pub payload: &'a [u8],
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).map_or(0, |b| u16::from_be_bytes([b[0], b[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
}

/// Returns how often a slab of a file with this slab size is halved at most.
fn most_halved(size: usize) -> i8 {
    (0..=MAX_SHIFT)
        .rev()
        .find(|s| size.is_multiple_of(1 << s) && size >> s >= MIN_SLAB)
        .unwrap_or(0)
}

/// Returns how often a slab is doubled at most.
fn most_doubled(size: usize, version: u16) -> i8 {
    let most = if version > OLD_TABLE { MAX_DOUBLED } else { 0 };
    (0..=most).rev().find(|d| size << d <= MAX_SLAB as usize).unwrap_or(0)
}

/// The size of a slab in a file with this slab size.
fn shifted(size: usize, shift: i8) -> usize {
    if shift < 0 { size << -shift } else { size >> shift }
}

/// Bytes of a slab's header in this version.
fn slab_header(version: u16) -> usize {
    if version == OLDEST { OLD_SLAB_HEADER } else { SLAB_HEADER }
}

/// Reads the slab at the beginning of `bytes`, of the process whose digest is `crc`, in a file (or
/// line) of this version and slab size. The second element of the result is set if an open slab was
/// cut: its remaining bytes count, and the cut is reported.
fn read_slab<'a>(
    crc: &crc32fast::Hasher,
    bytes: &'a [u8],
    offset: usize,
    (version, size): (u16, usize),
) -> Result<(Slab<'a>, Option<SlabDamage>), SlabDamage> {
    let length = slab_header(version);
    // The committed length and the checksum are the last two fields.
    let (committed_at, crc_at) = (length - 8, length - 4);
    let Some((head, rest)) = bytes.split_at_checked(length) else {
        return Err(SlabDamage::ShortHeader);
    };
    if head[..4] != SLAB_MAGIC {
        return Err(SlabDamage::NoMagic);
    }
    let shift = (u16_at(head, 18) >> slab_flags::SHIFT_AT & slab_flags::SHIFT_MASK) as i8;
    // Three bits with a sign.
    let shift = if shift > MAX_SHIFT { shift - 8 } else { shift };
    if !(-most_doubled(size, version)..=most_halved(size)).contains(&shift) {
        return Err(SlabDamage::Checksum);
    }
    let capacity = (shifted(size, shift) - length) as u32;
    let claimed = u32_at(head, committed_at);
    if claimed > capacity {
        return Err(SlabDamage::Length { claimed, capacity });
    }
    let flag = |bit: u16| u16_at(head, 18) & bit != 0;
    let closed = flag(slab_flags::CLOSED);
    let mut length = (claimed as usize).min(rest.len());
    let cut =
        (length < claimed as usize).then_some(SlabDamage::Cut { claimed, have: length as u32 });
    // The device zeroes the checksum when it begins a slab and writes it before the flag: a
    // checksum without the flag is either a process that ended in between, or a damaged flag.
    let stamp = u32_at(head, crc_at);
    let sealed = closed || stamp != 0;
    if version > OLD_TABLE && !sealed {
        let all = &rest[..rest.len().min(capacity as usize)];
        length = with_words(u32_at(head, 12), all, length);
    }
    let payload = &rest[..length];
    match cut {
        Some(cut) if sealed => return Err(cut),
        None if sealed => {
            let mut as_closed = [0; SLAB_HEADER];
            as_closed[..crc_at].copy_from_slice(&head[..crc_at]);
            as_closed[19] |= slab_flags::CLOSED as u8;
            if checksum(crc.clone(), &as_closed[..crc_at], payload) != stamp {
                return Err(SlabDamage::Checksum);
            }
        }
        _ => {}
    }
    let thread = u32_at(head, 4);
    if thread == 0 {
        return Err(SlabDamage::Thread);
    }
    let at = u16_at(head, 16);
    // In an open slab the sync point may have been noted before its bytes were committed.
    let sync = (at != 0xFFFF && usize::from(at) <= length).then(|| Sync {
        offset: at,
        progress: u32_at(head, 20),
        last_top: u32_at(head, 24),
        time: u32_at(head, 28),
    });
    let clock = match version {
        OLDEST => 0,
        _ => {
            u64::from(u32_at(head, 32)) | u64::from(u16_at(head, 18) >> slab_flags::CLOCK_AT) << 32
        }
    };
    let header = SlabHeader {
        thread,
        sequence: u32_at(head, 8),
        order: u32_at(head, 12),
        shift,
        sync,
        clock,
        closed,
        late: flag(slab_flags::LATE),
        unrecorded: flag(slab_flags::UNRECORDED),
        ring: flag(slab_flags::RING),
    };
    Ok((Slab { offset, payload_at: offset + slab_header(version), header, payload }, cut))
}

/// Threads that a full log had no room for, by the file's header.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Refused {
    /// Threads of which nothing is in the log.
    pub threads: u32,
    /// Threads whose stream stops before their end.
    pub cut: u32,
}

/// A trace file's header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHeader {
    /// Slab size in bytes, 64 … 65,536.
    pub slab_size: u32,
    /// Data that the log had no room for; `None` if the numbers are damaged.
    pub refused: Option<Refused>,
    /// The process that wrote the file.
    pub identity: Identity,
    /// The table that distributions which adapt began with; `None`: that of the map.
    pub table: Option<TableId>,
}

impl FileHeader {
    /// The header as bytes.
    ///
    /// # Panics
    /// If the slab size is not in 64 … 65,536.
    pub fn to_bytes(&self) -> Vec<u8> {
        assert!(
            (MIN_SLAB as u32..=65536).contains(&self.slab_size),
            "slab size {}",
            self.slab_size
        );
        let mut out = Vec::with_capacity(MAX_FILE_HEADER);
        out.extend_from_slice(&FILE_MAGIC);
        let version = if self.table.is_some() { NEWEST } else { VERSION };
        out.extend_from_slice(&version.to_be_bytes());
        out.extend_from_slice(&(self.slab_size as u16).to_be_bytes());
        let mut identity = self.identity.to_bytes();
        if let Some(table) = self.table {
            identity.extend_from_slice(&table.0.to_be_bytes());
        }
        let crc = checksum(crc32fast::Hasher::new(), &out, &identity);
        let refused = self.refused.unwrap_or_default();
        for n in [refused.threads, refused.cut] {
            out.extend_from_slice(&n.to_be_bytes());
            out.extend_from_slice(&(!n).to_be_bytes());
        }
        out.extend_from_slice(&crc.to_be_bytes());
        out.extend_from_slice(&identity);
        out
    }

    /// The header at the beginning of `bytes`, where its identity ends, its length and version.
    fn parse(bytes: &[u8]) -> Result<(Self, (usize, usize), u16), TraceError> {
        if !is_trace(bytes) {
            return Err(TraceError::NotATrace);
        }
        let short = || TraceError::ShortHeader(bytes.len());
        let version = u16_at(bytes.get(..6).ok_or_else(short)?, 4);
        if !(OLDEST..=NEWEST).contains(&version) {
            return Err(TraceError::Version(version));
        }
        let (head, rest) = bytes.split_at_checked(FILE_HEADER).ok_or_else(short)?;
        let (identity, identity_end) = Identity::parse(rest, version).ok_or_else(short)?;
        let length =
            if matches!(version, OLD_TABLE | NEWEST) { identity_end + TABLE } else { identity_end };
        let all = rest.get(..length).ok_or_else(short)?;
        let table = all[identity_end..].iter().fold(0, |n, b| n << 8 | u64::from(*b));
        let table = (table != 0).then_some(TableId(table));
        if checksum(crc32fast::Hasher::new(), &head[..8], all) != u32_at(head, 24) {
            return Err(TraceError::Checksum);
        }
        let slab_size = match u16_at(head, 6) {
            0 => 65536,
            n => u32::from(n),
        };
        if (slab_size as usize) < MIN_SLAB {
            return Err(TraceError::SlabSize(slab_size));
        }
        // Each number stands beside its complement; zeros: nothing was counted yet.
        let number = |at| match (u32_at(head, at), u32_at(head, at + 4)) {
            (0, 0) => Some(0),
            (n, check) => (check == !n).then_some(n),
        };
        let refused = number(8).zip(number(16)).map(|(threads, cut)| Refused { threads, cut });
        let ends = (FILE_HEADER + identity_end, FILE_HEADER + length);
        Ok((Self { slab_size, refused, identity, table }, ends, version))
    }
}

/// Returns true if the bytes begin like a trace file.
pub fn is_trace(bytes: &[u8]) -> bool {
    bytes.starts_with(&FILE_MAGIC)
}

/// A trace file: its header, and an iterator over its slabs.
#[derive(Debug, Clone)]
pub struct TraceFile<'a> {
    /// The header.
    pub header: FileHeader,
    /// The version of the format, [`OLDEST`] to [`NEWEST`].
    pub version: u16,
    bytes: &'a [u8],
    /// The checksum of a slab, as it begins.
    crc: crc32fast::Hasher,
    /// Lowest offset of a slab.
    first: usize,
}

impl<'a> TraceFile<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// See [`TraceError`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self, TraceError> {
        let (header, (identity_end, length), version) = FileHeader::parse(bytes)?;
        let first = length.next_multiple_of(header.slab_size as usize);
        // From the bytes, not from the name as it was understood: that need not give the same
        // bytes.
        let mut crc = crc32fast::Hasher::new();
        crc.update(&bytes[FILE_HEADER..identity_end]);
        Ok(Self { header, version, bytes, crc, first })
    }

    /// The slabs in use, in file order; damaged ones as errors. An open slab that the end of the
    /// file cuts comes with its bytes, followed by an error that reports the cut. Nothing is
    /// copied.
    pub fn slabs(&self) -> impl Iterator<Item = Result<Slab<'a>, DamagedSlab>> + use<'a> {
        let (mut finder, bytes) = (self.finder(), self.bytes);
        std::iter::from_fn(move || finder.next_in(bytes, 0, true))
    }

    /// Finds the slabs where the file is read piece by piece.
    pub fn finder(&self) -> SlabFinder {
        let size = self.header.slab_size as usize;
        SlabFinder::new(self.version, size, self.first, self.crc.clone())
    }
}

/// A whole trace file: header, then the slabs, each at the next multiple of its size.
///
/// # Panics
/// If a payload does not fit the slab's size, or as [`FileHeader::to_bytes`] and
/// [`SlabHeader::to_bytes`].
pub fn write_trace<'p>(
    header: &FileHeader,
    slabs: impl IntoIterator<Item = (SlabHeader, &'p [u8])>,
) -> Vec<u8> {
    let mut out = header.to_bytes();
    out.resize(out.len().next_multiple_of(header.slab_size as usize), 0);
    for (slab, payload) in slabs {
        let size = shifted(header.slab_size as usize, slab.shift);
        assert!(
            payload.len() <= size - SLAB_HEADER,
            "{} payload bytes in slabs of {size}",
            payload.len()
        );
        out.resize(out.len().next_multiple_of(size), 0);
        out.extend_from_slice(&slab.to_bytes(&header.identity, payload));
        out.resize(out.len().next_multiple_of(size), 0);
    }
    out
}
