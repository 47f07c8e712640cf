//! Slabs in logcat lines.

use super::{
    DamagedSlab, Identity, LINES, OLDEST, SlabDamage, SlabHeader, base64, read_slab, slab_header,
};

/// What a message that carries a slab begins with; [`LINES`] has its number.
const MARK: &[u8] = b"PL3 ";
/// What it began with in version 2 of the format.
const MARK_2: &[u8] = b"PL2 ";
/// What it began with in version 1 of the format.
const OLD_MARK: &[u8] = b"PL1 ";
/// As much as a slab can have.
const SIZE: usize = 65536;

/// A slab that came in a logcat line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogcatSlab {
    /// Who wrote it.
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

/// Where in a line a slab's digits may begin: behind a message's mark. With it the version of the
/// format.
pub fn logcat_mark(line: &[u8]) -> Option<(usize, u16)> {
    let mut windows = line.windows(MARK.len()).enumerate();
    windows.find_map(|(at, w)| match w {
        _ if w == MARK => Some((at + MARK.len(), LINES)),
        _ if w == MARK_2 => Some((at + MARK_2.len(), OLDEST)),
        _ => None,
    })
}

/// What the runtime says to people in a line of its tag (`Pathlight: PL0 …`): where it records, or
/// why it does not.
///
/// ```
/// let line = b"11-21 01:02:03.004  9  10 I Pathlight: PL0 recording to /data/x.plt\r\n";
/// assert_eq!(model::trace::runtime_note(line).as_deref(), Some("recording to /data/x.plt"));
/// assert_eq!(model::trace::runtime_note(b"I Other: PL0 x"), None);
/// ```
pub fn runtime_note(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let (before, told) = text.split_once("PL0 ")?;
    before.contains("Pathlight").then(|| told.trim_end().to_owned())
}

/// Reads a message of this version from behind its mark ([`logcat_mark`]) up to the first character
/// that is not base64. Also returns how many bytes that was.
///
/// # Errors
/// What is wrong with the slab; its offset counts from the decoded beginning. A line that was cut
/// has [`SlabDamage::Cut`] or [`SlabDamage::ShortHeader`]. Only closed slabs are sent, so one that
/// is not has a wrong checksum.
pub fn parse_logcat(text: &[u8], version: u16) -> (usize, Result<LogcatSlab, DamagedSlab>) {
    let length = base64::digits(text);
    // One digit behind a group of four holds no byte: a line cut there has lost the rest of it.
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

/// Whether a line carries a slab of version 1 of the format: its mark, 20 bytes, then a slab.
pub fn is_old_logcat(line: &[u8]) -> bool {
    let mut messages = line.windows(OLD_MARK.len()).enumerate().filter(|(_, w)| *w == OLD_MARK);
    messages.any(|(at, _)| {
        let text = line.get(at + OLD_MARK.len()..at + OLD_MARK.len() + 32);
        text.and_then(base64::decode).is_some_and(|b| b[20..] == super::SLAB_MAGIC)
    })
}
