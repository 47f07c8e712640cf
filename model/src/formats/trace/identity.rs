//! Identity of the process that wrote a log: in a trace file's header, and in each logcat line.

use crate::formats::map::BuildId;

/// The longest name of a process, in bytes of UTF-8.
pub const MAX_NAME: usize = 255;
/// Bytes before the name.
pub(in crate::formats) const FIXED: usize = 45;
/// The same in version 2, which has no `boot_ns`.
const OLD_FIXED: usize = 37;

/// One recording: a process of one build, from its start on. The checksums of all its slabs cover
/// this, so that no slab passes for another process's.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// The build that ran.
    pub build: BuildId,
    /// Wall clock at the start, ms since 1970.
    pub start_ms: u64,
    /// Process id.
    pub pid: u32,
    /// A number that distinguishes recordings with the same other fields. Since version 3: the
    /// clock that stands still while the device sleeps (`CLOCK_MONOTONIC`), at the start, in ns.
    pub instance: u64,
    /// The clock that goes on while the device sleeps (`CLOCK_BOOTTIME`), at the start, in ns; 0
    /// where there is none, or in version 2.
    pub boot_ns: u64,
    /// Process name, at most [`MAX_NAME`] bytes.
    pub process: String,
}

impl Identity {
    /// As bytes; a longer name is cut at a character's boundary.
    pub(in crate::formats) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(FIXED + self.process.len().min(MAX_NAME));
        out.extend_from_slice(&self.build.0);
        out.extend_from_slice(&self.pid.to_be_bytes());
        out.extend_from_slice(&self.start_ms.to_be_bytes());
        out.extend_from_slice(&self.instance.to_be_bytes());
        out.extend_from_slice(&self.boot_ns.to_be_bytes());
        let name = &self.process;
        let length =
            (0..=MAX_NAME.min(name.len())).rev().find(|n| name.is_char_boundary(*n)).unwrap_or(0);
        out.push(length as u8);
        out.extend_from_slice(&name.as_bytes()[..length]);
        out
    }

    /// The identity at the beginning of `bytes`, in this version of the format, and how many bytes
    /// it takes; `None` if they end before.
    pub(in crate::formats) fn parse(bytes: &[u8], version: u16) -> Option<(Self, usize)> {
        let fixed = if version == super::OLDEST { OLD_FIXED } else { FIXED };
        let length = fixed + usize::from(*bytes.get(fixed - 1)?);
        let name = bytes.get(fixed..length)?;
        let u64_at = |at: usize| bytes[at..at + 8].iter().fold(0, |n, b| n << 8 | u64::from(*b));
        let mut build = [0; 16];
        build.copy_from_slice(&bytes[..16]);
        let identity = Self {
            build: BuildId(build),
            pid: super::u32_at(bytes, 16),
            start_ms: u64_at(20),
            instance: u64_at(28),
            boot_ns: if version == super::OLDEST { 0 } else { u64_at(36) },
            process: String::from_utf8_lossy(name).into_owned(),
        };
        Some((identity, length))
    }

    /// The beginning of a slab's checksum.
    pub(super) fn digest(&self) -> crc32fast::Hasher {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&self.to_bytes());
        crc
    }
}
