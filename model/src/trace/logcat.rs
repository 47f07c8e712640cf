//! Slabs in logcat lines.

use super::{DamagedSlab, SLAB_HEADER, SlabDamage, SlabHeader, base64, read_slab};
use crate::map::BuildId;

/// What a message that carries a slab begins with.
pub const LOGCAT_MARK: &[u8] = b"PL1 ";
/// Build id and process id.
const PREFIX: usize = 20;

/// A slab that came in a logcat line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogcatSlab {
    /// The build that wrote it.
    pub build: BuildId,
    /// Process id.
    pub pid: u32,
    /// Its header.
    pub header: SlabHeader,
    /// Its payload.
    pub payload: Vec<u8>,
}

/// The message (without tag) for a slab.
///
/// # Panics
/// As [`SlabHeader::to_bytes`].
pub fn encode_logcat(build: BuildId, pid: u32, header: &SlabHeader, payload: &[u8]) -> String {
    let mut bytes = build.0.to_vec();
    bytes.extend_from_slice(&pid.to_be_bytes());
    bytes.extend_from_slice(&header.to_bytes(payload));
    format!("PL1 {}", base64::encode(&bytes))
}

/// Reads a message from behind [`LOGCAT_MARK`] up to the first character that is no base64. Also tells how many bytes that was.
///
/// # Errors
/// What is wrong with the slab; its offset counts from the decoded beginning. A line that was cut has [`SlabDamage::Cut`] or
/// [`SlabDamage::ShortHeader`]. Only closed slabs are sent, so one that is not has a wrong checksum.
pub fn parse_logcat(text: &[u8]) -> (usize, Result<LogcatSlab, DamagedSlab>) {
    let length = base64::digits(text);
    // One digit behind a group of four holds no byte: a line cut there has lost the rest of it.
    let usable = if length % 4 == 1 { length - 1 } else { length };
    let damaged = |damage| DamagedSlab { offset: PREFIX, damage };
    let parsed = || {
        let bytes = base64::decode(&text[..usable]).unwrap_or_default();
        let Some((prefix, rest)) = bytes.split_at_checked(PREFIX) else { return Err(damaged(SlabDamage::ShortHeader)) };
        let room = (65536 - SLAB_HEADER) as u32;
        let (slab, cut) = read_slab(rest, PREFIX, room).map_err(damaged)?;
        if let Some(cut) = cut {
            return Err(damaged(cut));
        }
        if !slab.header.closed || SLAB_HEADER + slab.payload.len() != rest.len() || usable != length {
            return Err(damaged(SlabDamage::Checksum));
        }
        let mut build = [0; 16];
        build.copy_from_slice(&prefix[..16]);
        let pid = u32::from_be_bytes([prefix[16], prefix[17], prefix[18], prefix[19]]);
        Ok(LogcatSlab { build: BuildId(build), pid, header: slab.header, payload: slab.payload.to_vec() })
    };
    (length, parsed())
}
