//! Slabs in logcat lines.

use super::identity::FIXED;
use super::{
    DamagedSlab, Identity, MAX_NAME, SLAB_MAGIC, SlabDamage, SlabHeader, base64, read_slab,
    slab_header,
};

/// As much as a slab can have.
const SIZE: usize = 65536;

/// A slab that came in a logcat line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogcatSlab {
    /// The process that wrote it.
    pub identity: Identity,
    /// The version of the format.
    pub version: u16,
    /// Its header.
    pub header: SlabHeader,
    /// Its payload.
    pub payload: Vec<u8>,
}

/// The message (without tag) for a slab.
///
/// # Panics
/// As [`SlabHeader::to_bytes`].
pub fn encode_logcat(identity: &Identity, header: &SlabHeader, payload: &[u8]) -> String {
    let mut bytes = identity.to_bytes();
    bytes.extend_from_slice(&header.to_bytes(identity, payload));
    format!("PL3 {}", base64::encode(&bytes))
}

/// Returns the runtime's message to people in a line of its tag (`Pathlight: PL0 …`): the file that
/// it records to, or the reason why it does not record.
///
/// ```
/// let line = b"11-21 01:02:03.004  9  10 I Pathlight: PL0 recording to /data/x.plt\r\n";
/// assert_eq!(model::trace::runtime_note(line).as_deref(), Some("recording to /data/x.plt"));
/// assert_eq!(model::trace::runtime_note(b"I Other: PL0 x"), None);
/// ```
pub fn runtime_note(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let (before, note) = text.split_once("PL0 ")?;
    before.contains("Pathlight").then(|| note.trim_end().to_owned())
}

/// Reads a message of this version ([`LINES`](super::LINES), [`OLDEST`](super::OLDEST)) from the
/// end of its mark (`PL3 `, `PL2 `) up to the first character that is not base64. Also returns the
/// number of bytes read.
///
/// # Errors
/// The damage of the slab; its offset counts from the decoded beginning. A line that was cut has
/// [`SlabDamage::Cut`] or [`SlabDamage::ShortHeader`]. Only closed slabs are sent, so one that is
/// not has a wrong checksum.
pub fn parse_logcat(text: &[u8], version: u16) -> (usize, Result<LogcatSlab, DamagedSlab>) {
    let length = base64::digits(text);
    // One digit after a group of four holds no byte: a line cut at it has lost the rest of the
    // byte.
    let usable = if length % 4 == 1 { length - 1 } else { length };
    let parsed = || {
        let damaged = |offset, damage| Err(DamagedSlab { offset, damage });
        let bytes = base64::decode(&text[..usable]).unwrap_or_default();
        let Some((identity, at)) = Identity::parse(&bytes, version) else {
            return damaged(0, SlabDamage::ShortHeader);
        };
        let rest = &bytes[at..];
        // From the bytes, not from the name as it was understood: that need not give the same
        // bytes.
        let mut crc = crc32fast::Hasher::new();
        crc.update(&bytes[..at]);
        let slab = match read_slab(&crc, rest, at, (version, SIZE)) {
            Ok((slab, None)) => slab,
            Ok((_, Some(damage))) | Err(damage) => return damaged(at, damage),
        };
        let whole = slab_header(version) + slab.payload.len() == rest.len() && usable == length;
        let whole = whole && base64::clean_end(&text[..usable]);
        if !slab.header.closed || slab.header.shift != 0 || !whole {
            return damaged(at, SlabDamage::Checksum);
        }
        Ok(LogcatSlab { identity, version, header: slab.header, payload: slab.payload.to_vec() })
    };
    (length, parsed())
}

/// Returns true if base64 digits begin with a process's identity of this version of the format and
/// a slab, sound or not. Version 1 has 20 bytes before its slabs; later ones are taken to be alike.
pub fn holds_slab(digits: &[u8], version: u16) -> bool {
    let most = (FIXED + MAX_NAME + SLAB_MAGIC.len()).div_ceil(3) * 4;
    let Some(bytes) = base64::decode(&digits[..digits.len().min(most) / 4 * 4]) else {
        return false;
    };
    let at = match version {
        1 => Some(20),
        _ => Identity::parse(&bytes, version).map(|(_, at)| at),
    };
    at.and_then(|at| bytes.get(at..at + SLAB_MAGIC.len())).is_some_and(|mark| *mark == SLAB_MAGIC)
}

/// Returns true if a slab begins somewhere in base64 digits, at any offset of their groups of four:
/// its mark, and the number of a thread below 65,536.
pub fn has_slab(digits: &[u8]) -> bool {
    let most = 2 * (FIXED + MAX_NAME).div_ceil(3) * 4;
    (0..4.min(digits.len())).any(|skip| {
        let digits = &digits[skip..];
        let bytes = base64::decode(&digits[..digits.len().min(most) / 4 * 4]).unwrap_or_default();
        bytes.windows(6).any(|w| w[..4] == SLAB_MAGIC && w[4..] == [0, 0])
    })
}

/// Returns whether a byte is a digit of base64.
pub fn is_base64(byte: u8) -> bool {
    base64::value(byte).is_some()
}
