//! The hit file (`.plh`): the number of times that one process took each selected path. Only this
//! module knows the layout. All numbers but the words are big-endian.
//!
//! | bytes | header |
//! |---:|---|
//! | 4 | `PLHT` |
//! | 2 | version, 2 |
//! | 2 | 1: counts were published from time to time; 0: each hit is there |
//! | 4 | CRC-32 of the eight bytes before, of the next four, and of the identity |
//! | 4 | number of paths |
//! | 4 | hits that were lost for want of stack or memory, as far as the process could record them |
//! | 4 | the complement of that, once there are any |
//! | 45 … 300 | identity of the process, as in a trace file |
//!
//! From byte 384 on the file has *slabs*, one for each thread that has taken a selected path; the
//! first slab is for all threads that found no free slab. A slab has the number of its thread (4;
//! 0: all others), its name in UTF-8 (36, cut, padded with zeros), 4 zeros, a CRC-32 of these, then
//! 8 bytes for each path: its [`word`], little-endian, as devices are. 0 is a path never taken.
//!
//! The device counts by one aligned store of 8 bytes into a mapped file: a process that is killed
//! has lost nothing, and no count is ever half written. A hit adds the same number to any word, so
//! that the device has no check to work out.

use thiserror::Error;

use super::fields::{checksum, u32_at};
use super::trace::Identity;

/// First bytes of a hit file.
pub const MAGIC: [u8; 4] = *b"PLHT";
/// The version of the format.
pub const VERSION: u16 = 2;
/// Bytes of the header before the identity.
pub(super) const HEADER: usize = 24;
/// Offset of the first slab.
const FIRST: usize = 384;
/// Bytes of a slab before its counts.
const SLAB: usize = 48;
/// Bytes of a thread's name.
const NAME: usize = 36;
/// The most paths of a file.
const MOST_PATHS: u32 = 1 << 16;

/// Reasons why bytes are no hit file at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HitsError {
    /// The first bytes are others.
    #[error("not a hit file (it does not begin with PLHT)")]
    NotHits,
    /// Nothing has been written yet: the process ended before.
    #[error("the file was made, but not begun: its process ended before")]
    NotBegun,
    /// Shorter than its header.
    #[error("the file ends inside its header, after {0} bytes")]
    ShortHeader(usize),
    /// Another version of the format.
    #[error("hit file version {0}; this program knows version {VERSION}")]
    Version(u16),
    /// The checksum of the header is wrong: which process wrote the file is unknown.
    #[error("the file header's checksum does not match")]
    Checksum,
    /// More paths than any build has.
    #[error("the file counts {0} paths, more than any build selects")]
    Paths(u32),
}

/// Damage after the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum HitDamage {
    /// Neither a slab nor the end: nothing after it can be found.
    #[error("no thread begins at byte {0}; what follows is not read")]
    NoSlab(usize),
    /// The file ends inside a slab.
    #[error("the file ends inside a thread's counts, at byte {0}")]
    Cut(usize),
    /// A count does not match its check.
    #[error("the count of path {path} at byte {at} is damaged, and left out")]
    Count {
        /// Position of the path.
        path: u32,
        /// Offset of the count.
        at: usize,
    },
    /// The number of lost hits is damaged.
    #[error("how many hits were lost is damaged")]
    Lost,
}

/// The counts of one thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThreadHits {
    /// Its number in the process, from 1; 0: all threads for which there was no room.
    pub thread: u32,
    /// Its name, perhaps cut.
    pub name: String,
    /// Of each path. A damaged count is 0 here.
    pub counts: Vec<u64>,
}

/// The counts of one process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HitFile {
    /// The process.
    pub identity: Identity,
    /// True if counts were published from time to time, so that the last hits may be missing.
    pub published: bool,
    /// Number of selected paths.
    pub paths: u32,
    /// Hits that were lost for want of stack or memory, as far as the process could record them.
    pub lost: u32,
    /// Threads that have counted something, in the order of the file.
    pub threads: Vec<ThreadHits>,
    /// Slabs and counts that could not be read.
    pub damage: Vec<HitDamage>,
}

/// Returns true if these are the first bytes of a hit file.
pub fn is_hit_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Returns the size of a thread's counts of this many paths in a file, in bytes.
pub const fn bytes_of_thread(paths: usize) -> usize {
    SLAB + 8 * paths
}

/// Number that a hit adds to a word.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
/// Inverse of [`STEP`] modulo 2⁶⁴: each round of Newton's method doubles the number of correct
/// bits.
const UNDO: u64 = {
    let (mut undo, mut round) = (STEP, 0);
    while round < 6 {
        undo = undo.wrapping_mul(2_u64.wrapping_sub(STEP.wrapping_mul(undo)));
        round += 1;
    }
    undo
};
/// Bits of a count.
const COUNT_BITS: u32 = 48;

/// The word of a count from 1 to 2⁴⁸ − 1: `STEP` times a number whose lower 48 bits are the count
/// and whose upper 16 are a hash of the position of its path and the number of its slab.
pub fn word(count: u64, path: u32, slab: u32) -> u64 {
    (count | tag(path, slab) << COUNT_BITS).wrapping_mul(STEP)
}

/// The count of a word; `None`: it is no word of this path and slab.
pub fn count(word: u64, path: u32, slab: u32) -> Option<u64> {
    let number = word.wrapping_mul(UNDO);
    let count = number & ((1 << COUNT_BITS) - 1);
    (word == 0 || (number >> COUNT_BITS == tag(path, slab) && count > 0)).then_some(count)
}

fn tag(path: u32, slab: u32) -> u64 {
    let h = (path + 1).wrapping_mul(0x85EB_CA6B).wrapping_add((slab + 1).wrapping_mul(0xC2B2_AE35));
    u64::from((h ^ h >> 15).wrapping_mul(0x27D4_EB2F) >> 16)
}

impl HitFile {
    /// Reads a file. Memory is bounded by its size.
    ///
    /// # Errors
    /// See [`HitsError`]. Damage of single counts is in [`Self::damage`].
    pub fn parse(bytes: &[u8]) -> Result<HitFile, HitsError> {
        if !is_hit_file(bytes) {
            let begun = bytes.iter().any(|b| *b != 0);
            return Err(if begun { HitsError::NotHits } else { HitsError::NotBegun });
        }
        let short = || HitsError::ShortHeader(bytes.len());
        let head = bytes.get(..HEADER).ok_or_else(short)?;
        let version = u16::from_be_bytes([head[4], head[5]]);
        if version != VERSION {
            return Err(HitsError::Version(version));
        }
        let rest = bytes.get(HEADER..FIRST).ok_or_else(short)?;
        let (identity, length) = Identity::parse(rest, super::trace::VERSION).ok_or_else(short)?;
        if checksum(&[&head[..8], &head[12..16], &rest[..length]]) != u32_at(head, 8) {
            return Err(HitsError::Checksum);
        }
        let paths = u32_at(head, 12);
        if paths > MOST_PATHS {
            return Err(HitsError::Paths(paths));
        }
        let published = head[7] == 1;
        let mut file = HitFile { identity, published, paths, ..HitFile::default() };
        match (u32_at(head, 16), u32_at(head, 20)) {
            (0, 0) => {}
            (lost, complement) if lost == !complement => file.lost = lost,
            _ => file.damage.push(HitDamage::Lost),
        }
        file.read_slabs(bytes);
        Ok(file)
    }

    fn read_slabs(&mut self, bytes: &[u8]) {
        let size = bytes_of_thread(self.paths as usize);
        for slab in 0.. {
            let at = FIRST + slab * size;
            let Some(head) = bytes.get(at..at + SLAB) else {
                if bytes.get(at..).is_some_and(|rest| rest.iter().any(|b| *b != 0)) {
                    self.damage.push(HitDamage::Cut(at));
                }
                return;
            };
            if head.iter().all(|b| *b == 0) {
                if bytes[at..].iter().any(|b| *b != 0) {
                    self.damage.push(HitDamage::NoSlab(at));
                }
                return;
            }
            if checksum(&[&head[..SLAB - 4]]) != u32_at(head, SLAB - 4) {
                self.damage.push(HitDamage::NoSlab(at));
                return;
            }
            let Some(words) = bytes.get(at + SLAB..at + size) else {
                self.damage.push(HitDamage::Cut(at));
                return;
            };
            let name = &head[4..4 + NAME];
            let end = name.iter().position(|b| *b == 0).unwrap_or(NAME);
            let counts = (0..).zip(words.chunks_exact(8)).map(|(path, word)| {
                let word = word.iter().rev().fold(0_u64, |n, b| n << 8 | u64::from(*b));
                if let Some(count) = count(word, path, slab as u32) {
                    return count;
                }
                let at = at + SLAB + 8 * path as usize;
                self.damage.push(HitDamage::Count { path, at });
                0
            });
            let counts: Vec<u64> = counts.collect();
            if counts.iter().any(|&n| n > 0) {
                let name = String::from_utf8_lossy(&name[..end]).into_owned();
                self.threads.push(ThreadHits { thread: u32_at(head, 0), name, counts });
            }
        }
    }

    /// Of each path, what all threads have counted.
    pub fn sums(&self) -> Vec<u64> {
        let mut sums = vec![0_u64; self.paths as usize];
        for (sum, count) in self.threads.iter().flat_map(|t| sums_of(&t.counts)) {
            sums[sum] = sums[sum].saturating_add(count);
        }
        sums
    }

    /// The file, a slab for each thread.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_be_bytes());
        out.extend_from_slice(&[0, self.published.into()]);
        let identity = self.identity.to_bytes();
        let paths = self.paths.to_be_bytes();
        let crc = checksum(&[&out, &paths, &identity]);
        out.extend_from_slice(&crc.to_be_bytes());
        out.extend_from_slice(&paths);
        let complement = if self.lost == 0 { 0 } else { !self.lost };
        out.extend_from_slice(&self.lost.to_be_bytes());
        out.extend_from_slice(&complement.to_be_bytes());
        out.extend_from_slice(&identity);
        out.resize(FIRST, 0);
        for (slab, thread) in (0..).zip(&self.threads) {
            let at = out.len();
            out.extend_from_slice(&thread.thread.to_be_bytes());
            let name = thread.name.as_bytes();
            out.extend_from_slice(&name[..name.len().min(NAME)]);
            out.resize(at + SLAB - 4, 0);
            let crc = checksum(&[&out[at..]]);
            out.extend_from_slice(&crc.to_be_bytes());
            for (path, &count) in (0..).zip(&thread.counts) {
                let word = if count == 0 { 0 } else { word(count, path, slab) };
                out.extend_from_slice(&word.to_le_bytes());
            }
        }
        out
    }
}

fn sums_of(counts: &[u64]) -> impl Iterator<Item = (usize, u64)> + '_ {
    counts.iter().copied().enumerate()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file() -> HitFile {
        let thread = |thread, name: &str, counts: &[u64]| ThreadHits {
            thread,
            name: name.into(),
            counts: counts.into(),
        };
        HitFile {
            paths: 3,
            threads: vec![
                thread(0, "", &[1, 0, 0]),
                thread(1, "main", &[0, 7, (1 << 48) - 1]),
                thread(2, "worker é", &[5, 0, 0]),
            ],
            ..HitFile::default()
        }
    }

    #[test]
    fn a_file_reads_as_it_was_written() {
        let whole = HitFile { lost: 4, published: true, ..file() };
        assert_eq!(HitFile::parse(&whole.to_bytes()), Ok(whole.clone()));
        assert_eq!(whole.sums(), [6, 7, (1 << 48) - 1]);
    }

    /// The device adds the step instead of multiplying.
    #[test]
    fn each_hit_adds_the_same() {
        let step = word(2, 7, 3).wrapping_sub(word(1, 7, 3));
        for n in [2, 3, 1 << 32, (1 << 48) - 2] {
            assert_eq!(word(n + 1, 7, 3).wrapping_sub(word(n, 7, 3)), step);
            assert_eq!(count(word(n, 7, 3), 7, 3), Some(n));
            assert_eq!(count(word(n, 7, 3), 6, 3), None, "of another path");
        }
        assert_eq!(count(word(1, 0, 0).wrapping_sub(step), 0, 0), None, "no hit is no word");
    }

    #[test]
    fn zeros_behind_the_last_thread_are_its_end() {
        let mut bytes = file().to_bytes();
        bytes.resize(bytes.len() + 65_536, 0);
        assert_eq!(HitFile::parse(&bytes), Ok(file()));
    }

    #[test]
    fn a_file_that_was_not_begun_says_so() {
        assert_eq!(HitFile::parse(&[0; 4096]), Err(HitsError::NotBegun));
        assert_eq!(HitFile::parse(&[]), Err(HitsError::NotBegun));
        assert_eq!(HitFile::parse(b"PLCN"), Err(HitsError::NotHits));
    }

    /// Each byte, damaged in each way. One wrong count in 65,536 fits its check by chance.
    #[test]
    fn damage_is_told() {
        let (whole, sums) = (file().to_bytes(), file().sums());
        let (mut words, mut untold) = (0, 0);
        for at in 0..whole.len() {
            for byte in (0..=255).filter(|&byte| byte != whole[at]) {
                let mut bytes = whole.clone();
                bytes[at] = byte;
                words += u32::from(at >= FIRST && (at - FIRST) % bytes_of_thread(3) >= SLAB);
                let silent = HitFile::parse(&bytes)
                    .is_ok_and(|read| read.damage.is_empty() && read.sums() != sums);
                untold += u32::from(silent);
            }
        }
        assert_eq!(words, 3 * 3 * 8 * 255, "damaged counts among them");
        assert!(untold <= 1, "{untold} of {words}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn cut_files_are_read_without_false_counts(length in 0_usize..600) {
            let bytes = file().to_bytes();
            let cut = &bytes[..length.min(bytes.len())];
            if let Ok(read) = HitFile::parse(cut) {
                let whole = file();
                prop_assert!(whole.threads.starts_with(&read.threads));
            }
        }
    }
}
