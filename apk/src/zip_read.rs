//! The zip container, read exactly: every header field and the range of the raw bytes of every
//! entry.
//!
//! Source: PKWARE APPNOTE 4.3–4.5; the strictness follows Android's `libziparchive` and the APK
//! signature schemes, which demand that entries, central directory and end record follow one
//! another without zip64.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::ops::Range;

use super::error::Fault;

pub(super) const LOCAL_SIG: u32 = 0x0403_4b50;
pub(super) const CENTRAL_SIG: u32 = 0x0201_4b50;
pub(super) const END_SIG: u32 = 0x0605_4b50;
const ZIP64_LOCATOR_SIG: u32 = 0x0706_4b50;
pub(super) const LOCAL_LEN: usize = 30;
pub(super) const CENTRAL_LEN: usize = 46;
pub(super) const END_LEN: usize = 22;
/// Compression methods that this program can open; others are only copied.
pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;
/// General purpose flags (APPNOTE 4.4.4).
const FLAG_ENCRYPTED: u16 = 1;
pub(super) const FLAG_DESCRIPTOR: u16 = 1 << 3;
/// Extra field ids: zip64 sizes, and the padding that zipalign and apksigner put into local
/// headers.
const EXTRA_ZIP64: u16 = 0x0001;
pub(super) const EXTRA_ALIGN: u16 = 0xd935;
/// Entries marked as encrypted may together inflate to this many bytes.
const PLAIN_LIMIT: u64 = 1 << 30;
/// Deflate cannot shrink data by more than this (258 bytes out of 2 bits).
const MAX_RATIO: u64 = 1032;

/// One entry: its central directory record, and where its raw bytes lie in the file.
#[derive(Clone, Debug)]
pub(super) struct ZipEntry {
    pub name: Vec<u8>,
    pub version_made: u16,
    pub version_needed: u16,
    pub flags: u16,
    pub method: u16,
    pub time: u16,
    pub date: u16,
    pub crc: u32,
    pub compressed: u32,
    pub size: u32,
    pub internal: u16,
    pub external: u32,
    pub local_extra: Vec<u8>,
    pub central_extra: Vec<u8>,
    pub comment: Vec<u8>,
    /// Start of the local header; gives the physical order, which may differ from the central one.
    pub local_at: usize,
    pub data: Range<usize>,
}

impl ZipEntry {
    /// The name for people and for look-ups; bytes that are not UTF-8 show as replacement
    /// characters.
    pub fn display(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }
}

/// A decoded zip file. Entries are in central directory order.
#[derive(Debug)]
pub(super) struct Archive {
    pub entries: Vec<ZipEntry>,
    pub comment: Vec<u8>,
    /// Ids of the pairs in the APK signing block, if there is one.
    pub signing_ids: Vec<u32>,
}

pub(super) fn u16_at(b: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(b.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

pub(super) fn u32_at(b: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(b.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

pub(super) fn u64_at(b: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(b.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn slice<'a>(b: &'a [u8], at: usize, len: usize, what: &'static str) -> Result<&'a [u8], Fault> {
    at.checked_add(len).and_then(|end| b.get(at..end)).ok_or(Fault::Truncated { what, offset: at })
}

/// Offset of the end record that closes the file exactly, comment included.
pub(super) fn find_end(b: &[u8]) -> Option<usize> {
    let last = b.len().checked_sub(END_LEN)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last).rev().find(|&at| {
        u32_at(b, at) == Some(END_SIG)
            && u16_at(b, at + 20).is_some_and(|c| at + END_LEN + usize::from(c) == b.len())
    })
}

/// Reads a whole zip file.
pub(super) fn read(b: &[u8]) -> Result<Archive, Fault> {
    let first = u32_at(b, 0);
    let Some(end) = find_end(b) else {
        return Err(if first == Some(LOCAL_SIG) { Fault::NoEndRecord } else { Fault::NotAPackage });
    };
    if b.starts_with(b"dex\n") {
        return Err(Fault::Janus);
    }
    if first != Some(LOCAL_SIG) && end != 0 {
        return Err(Fault::Prefix);
    }
    if end >= 20 && u32_at(b, end - 20) == Some(ZIP64_LOCATOR_SIG) {
        return Err(Fault::Zip64);
    }
    let short = |at| Fault::Truncated { what: "end of central directory", offset: at };
    let e16 = |at: usize| u16_at(b, end + at).ok_or(short(end));
    let e32 = |at: usize| u32_at(b, end + at).ok_or(short(end));
    let (count, total) = (e16(8)?, e16(10)?);
    if e16(4)? != 0 || e16(6)? != 0 || count != total {
        return Err(Fault::MultiDisk);
    }
    let (cd_len, cd_at) = (e32(12)? as usize, e32(16)? as usize);
    if count == u16::MAX || cd_at == u32::MAX as usize {
        return Err(Fault::Zip64);
    }
    if cd_at.checked_add(cd_len) != Some(end) {
        return Err(Fault::Damaged {
            what: "central directory does not end where its end record begins",
            offset: end,
        });
    }
    let central = slice(b, cd_at, cd_len, "central directory")?;
    if usize::from(count) * CENTRAL_LEN > cd_len {
        return Err(Fault::Truncated { what: "central directory", offset: cd_at });
    }
    let (entries_end, signing_ids) = signing_block(b, cd_at)?;

    let mut entries = Vec::with_capacity(usize::from(count));
    let mut at = 0;
    for _ in 0..count {
        let (entry, next) = central_record(central, at, cd_at)?;
        at = next;
        entries.push(local_record(b, entry, entries_end)?);
    }
    if at != cd_len {
        return Err(Fault::Damaged {
            what: "bytes after the last central directory record",
            offset: cd_at + at,
        });
    }
    check_names(&entries)?;
    check_overlap(&entries)?;
    check_encryption(b, &mut entries)?;
    Ok(Archive { entries, comment: b[end + END_LEN..].to_vec(), signing_ids })
}

fn central_record(central: &[u8], at: usize, base: usize) -> Result<(ZipEntry, usize), Fault> {
    let head = slice(central, at, CENTRAL_LEN, "central directory record")?;
    let g16 = |o: usize| u16::from_le_bytes([head[o], head[o + 1]]);
    let g32 = |o: usize| u32::from_le_bytes([head[o], head[o + 1], head[o + 2], head[o + 3]]);
    if g32(0) != CENTRAL_SIG {
        return Err(Fault::Damaged { what: "no central directory record", offset: base + at });
    }
    let (name_len, extra_len, comment_len) =
        (usize::from(g16(28)), usize::from(g16(30)), usize::from(g16(32)));
    let rest = slice(
        central,
        at + CENTRAL_LEN,
        name_len + extra_len + comment_len,
        "central directory record",
    )?;
    let name = rest[..name_len].to_vec();
    let (compressed, size, local_at) = (g32(20), g32(24), g32(42));
    if compressed == u32::MAX || size == u32::MAX || local_at == u32::MAX {
        return Err(Fault::Zip64);
    }
    if g16(34) != 0 {
        return Err(Fault::MultiDisk);
    }
    let entry = ZipEntry {
        name,
        version_made: g16(4),
        version_needed: g16(6),
        flags: g16(8),
        method: g16(10),
        time: g16(12),
        date: g16(14),
        crc: g32(16),
        compressed,
        size,
        internal: g16(36),
        external: g32(38),
        local_extra: Vec::new(),
        central_extra: kept_extra(&rest[name_len..name_len + extra_len]),
        comment: rest[name_len + extra_len..].to_vec(),
        local_at: local_at as usize,
        data: 0..0,
    };
    Ok((entry, at + CENTRAL_LEN + rest.len()))
}

/// Checks the local header against the central record and finds the raw bytes.
fn local_record(b: &[u8], mut entry: ZipEntry, entries_end: usize) -> Result<ZipEntry, Fault> {
    let at = entry.local_at;
    let disagree = |field| Fault::Disagree { name: entry.display(), field };
    let area = b.get(..entries_end).unwrap_or(b);
    let head = slice(area, at, LOCAL_LEN, "local header")?;
    let g16 = |o: usize| u16::from_le_bytes([head[o], head[o + 1]]);
    let g32 = |o: usize| u32::from_le_bytes([head[o], head[o + 1], head[o + 2], head[o + 3]]);
    if g32(0) != LOCAL_SIG {
        return Err(Fault::Damaged { what: "no local header", offset: at });
    }
    let (name_len, extra_len) = (usize::from(g16(26)), usize::from(g16(28)));
    let rest = slice(area, at + LOCAL_LEN, name_len + extra_len, "local header")?;
    if rest[..name_len] != entry.name {
        return Err(disagree("name"));
    }
    if g16(8) != entry.method {
        return Err(disagree("compression method"));
    }
    let extra = &rest[name_len..];
    let (mut compressed, mut size) = (u64::from(g32(18)), u64::from(g32(22)));
    // Streaming writers put the sizes into a zip64 field of the local header only; the central
    // record has them plain.
    if let Some(field) =
        field(extra, EXTRA_ZIP64).filter(|_| g32(18) == u32::MAX && g32(22) == u32::MAX)
    {
        (size, compressed) =
            (u64_at(field, 0).unwrap_or(size), u64_at(field, 8).unwrap_or(compressed));
    }
    // With a data descriptor the three fields are zero here and follow the data; the central record
    // has them.
    let open = g16(6) & FLAG_DESCRIPTOR != 0;
    let differs = |local: u64, central: u32| local != u64::from(central) && !(open && local == 0);
    if differs(compressed, entry.compressed) {
        return Err(disagree("compressed size"));
    }
    if differs(size, entry.size) {
        return Err(disagree("size"));
    }
    if differs(u64::from(g32(14)), entry.crc) {
        return Err(disagree("checksum"));
    }
    if entry.method == STORED && entry.compressed != entry.size {
        return Err(disagree("size of a stored entry"));
    }
    let data_at = at + LOCAL_LEN + rest.len();
    slice(area, data_at, entry.compressed as usize, "entry data")?;
    entry.flags |= g16(6) & FLAG_ENCRYPTED;
    entry.local_extra = kept_extra(extra);
    entry.data = data_at..data_at + entry.compressed as usize;
    Ok(entry)
}

/// The extra fields that mean something in a copy: not zip64 sizes (resolved), not alignment
/// padding (rewritten), and no trailing bytes that form no field (older zipalign pads with plain
/// zeros).
fn kept_extra(extra: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut at = 0;
    while let (Some(id), Some(len)) = (u16_at(extra, at), u16_at(extra, at + 2)) {
        let Some(whole) = extra.get(at..at + 4 + usize::from(len)) else { break };
        if id != EXTRA_ZIP64 && id != EXTRA_ALIGN && (id, len) != (0, 0) {
            kept.extend_from_slice(whole);
        }
        at += whole.len();
    }
    kept
}

fn field(extra: &[u8], wanted: u16) -> Option<&[u8]> {
    let mut at = 0;
    loop {
        let (id, len) = (u16_at(extra, at)?, usize::from(u16_at(extra, at + 2)?));
        let body = extra.get(at + 4..at + 4 + len)?;
        if id == wanted {
            return Some(body);
        }
        at += 4 + len;
    }
}

/// End of the entries and the ids inside the APK signing block that may lie between them and the
/// central directory (source.android.com, "APK Signing Block").
fn signing_block(b: &[u8], cd_at: usize) -> Result<(usize, Vec<u32>), Fault> {
    let Some(foot) =
        cd_at.checked_sub(24).filter(|&f| b.get(f + 8..cd_at) == Some(b"APK Sig Block 42"))
    else {
        return Ok((cd_at, Vec::new()));
    };
    let bad = Fault::Damaged { what: "APK signing block", offset: foot };
    let size = u64_at(b, foot).and_then(|s| usize::try_from(s).ok());
    let start = size.and_then(|s| cd_at.checked_sub(s)?.checked_sub(8));
    let (Some(size), Some(start)) = (size, start) else { return Err(bad) };
    if size < 24 || u64_at(b, start) != Some(size as u64) {
        return Err(bad);
    }
    let (mut at, mut ids) = (start + 8, Vec::new());
    while at < foot {
        let len = u64_at(b, at).and_then(|l| usize::try_from(l).ok());
        match len.and_then(|len| at.checked_add(8)?.checked_add(len).map(|end| (len, end))) {
            Some((len, end)) if len >= 4 && end <= foot => {
                ids.extend(u32_at(b, at + 8));
                at = end;
            }
            _ => return Err(bad),
        }
    }
    Ok((start, ids))
}

fn check_names(entries: &[ZipEntry]) -> Result<(), Fault> {
    let mut seen = HashSet::with_capacity(entries.len());
    for entry in entries {
        if entry.name.is_empty() || entry.name.contains(&0) {
            return Err(Fault::BadName { name: entry.display() });
        }
        if !seen.insert(&entry.name) {
            return Err(Fault::Duplicate { name: entry.display() });
        }
    }
    Ok(())
}

fn check_overlap(entries: &[ZipEntry]) -> Result<(), Fault> {
    let mut by_place: Vec<&ZipEntry> = entries.iter().collect();
    by_place.sort_by_key(|e| e.local_at);
    match by_place.windows(2).find(|pair| pair[1].local_at < pair[0].data.end) {
        Some(pair) => Err(Fault::Overlap { name: pair[1].display() }),
        None => Ok(()),
    }
}

/// Clears the bit for encryption where the data are plain: Android does not look at it, so
/// obfuscators set it. Data that inflate to what the entry declares are plain.
fn check_encryption(b: &[u8], entries: &mut [ZipEntry]) -> Result<(), Fault> {
    let mut sum = 0;
    for entry in entries.iter_mut().filter(|e| e.flags & FLAG_ENCRYPTED != 0) {
        sum += u64::from(entry.size);
        if sum > PLAIN_LIMIT {
            return Err(Fault::TooLarge { name: entry.display(), size: sum, limit: PLAIN_LIMIT });
        }
        inflate_into(b, entry, &mut std::io::sink())
            .map_err(|_| Fault::Encrypted { name: entry.display() })?;
        entry.flags &= !FLAG_ENCRYPTED;
    }
    Ok(())
}

/// The first bytes of an entry's content, at most `len`; `None` if they cannot be inflated.
pub(super) fn head(b: &[u8], entry: &ZipEntry, len: usize) -> Option<Vec<u8>> {
    let raw = b.get(entry.data.clone())?;
    let mut head = Vec::new();
    match entry.method {
        STORED => head.extend(raw.iter().take(len)),
        DEFLATED => {
            let decoder = flate2::read::DeflateDecoder::new(raw);
            decoder.take(len as u64).read_to_end(&mut head).ok()?;
        }
        _ => return None,
    }
    Some(head)
}

/// The uncompressed bytes of an entry, at most `limit`, checked against declared size and CRC-32.
pub(super) fn inflate(b: &[u8], entry: &ZipEntry, limit: u64) -> Result<Vec<u8>, Fault> {
    let size = u64::from(entry.size);
    if size > limit {
        return Err(Fault::TooLarge { name: entry.display(), size, limit });
    }
    // The declared size is a promise: reserve a part, let the rest grow with what really comes.
    let mut out = Vec::with_capacity((entry.size as usize).min(entry.data.len().saturating_mul(4)));
    inflate_into(b, entry, &mut out)?;
    Ok(out)
}

/// Passes the uncompressed bytes of an entry on piece by piece, with the same checks; the sink sees
/// at most one byte more than the entry declares.
pub(super) fn inflate_into(b: &[u8], entry: &ZipEntry, sink: &mut impl Write) -> Result<(), Fault> {
    let content = |reason| Fault::Content { name: entry.display(), reason };
    let raw = b.get(entry.data.clone()).ok_or(content("data outside the file"))?;
    let size = u64::from(entry.size);
    let mut checked = Checked { sink, crc: crc32fast::Hasher::new() };
    let passed = match entry.method {
        STORED => {
            checked.write_all(raw)?;
            raw.len() as u64
        }
        DEFLATED => {
            if size > (raw.len() as u64).saturating_mul(MAX_RATIO) {
                return Err(content("declares more bytes than its data can inflate to"));
            }
            let mut decoder = flate2::read::DeflateDecoder::new(raw).take(size + 1);
            std::io::copy(&mut decoder, &mut checked)
                .map_err(|_| content("damaged deflate data"))?
        }
        method => return Err(Fault::Method { name: entry.display(), method }),
    };
    if passed != size {
        return Err(content("inflates to another size than declared"));
    }
    if checked.crc.finalize() != entry.crc {
        return Err(content("checksum (CRC-32) does not match"));
    }
    Ok(())
}

/// Takes the checksum of what passes through.
struct Checked<'a, W> {
    sink: &'a mut W,
    crc: crc32fast::Hasher,
}

impl<W: Write> Write for Checked<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let taken = self.sink.write(bytes)?;
        self.crc.update(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.sink.flush()
    }
}
