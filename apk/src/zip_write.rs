//! The zip container, written: entries in their old order, stored ones moved to their alignment.

use super::error::Fault;
use super::zip_read::{
    CENTRAL_LEN, CENTRAL_SIG, END_LEN, END_SIG, EXTRA_ALIGN, FLAG_DESCRIPTOR, LOCAL_LEN, LOCAL_SIG,
    STORED, ZipEntry,
};

/// Stored entries are mapped into memory by the platform.
const ALIGN: usize = 4;
/// Stored libraries are mapped as code; devices have pages of 4 or 16 KiB.
const ALIGN_LIBRARY: usize = 16 << 10;

/// An entry of the result: header fields, and the raw (compressed) bytes.
pub(super) struct Out<'a> {
    pub entry: ZipEntry,
    pub raw: std::borrow::Cow<'a, [u8]>,
}

/// A finished zip and the places that a signing block must know.
pub(super) struct Zip {
    pub bytes: Vec<u8>,
    /// Start of the central directory; the signing block goes before it.
    pub central_at: usize,
    /// Start of the end record.
    pub end_at: usize,
}

struct Sink(Vec<u8>);

impl Sink {
    fn u16(&mut self, v: u16) {
        self.0.extend_from_slice(&v.to_le_bytes());
    }

    fn u32(&mut self, v: u32) {
        self.0.extend_from_slice(&v.to_le_bytes());
    }

    /// Version needed to sizes: the fields that both headers share.
    fn shared(&mut self, e: &ZipEntry, raw: &[u8]) {
        self.u16(e.version_needed);
        self.u16(e.flags & !FLAG_DESCRIPTOR);
        self.u16(e.method);
        self.u16(e.time);
        self.u16(e.date);
        self.u32(e.crc);
        self.u32(raw.len() as u32);
        self.u32(e.size);
    }
}

/// Local extra fields that bring the data after them to a multiple of `align`: the kept ones, then
/// padding in the form that apksigner writes (0xd935: alignment, zeros).
fn padded_extra(entry: &ZipEntry, header_at: usize) -> Result<Vec<u8>, Fault> {
    let mut extra = entry.local_extra.clone();
    let align = match entry.method {
        STORED if entry.name.ends_with(b".so") => ALIGN_LIBRARY,
        STORED => ALIGN,
        _ => 1,
    };
    let data_at = header_at + LOCAL_LEN + entry.name.len() + extra.len();
    if !data_at.is_multiple_of(align) {
        let zeros = (align - (data_at + 6) % align) % align;
        extra.extend_from_slice(&EXTRA_ALIGN.to_le_bytes());
        extra.extend_from_slice(&((2 + zeros) as u16).to_le_bytes());
        extra.extend_from_slice(&(align as u16).to_le_bytes());
        extra.resize(extra.len() + zeros, 0);
    }
    if extra.len() > usize::from(u16::MAX) {
        return Err(Fault::TooBig { what: "extra field of one entry" });
    }
    Ok(extra)
}

/// Writes the entries. `entries` are in central directory order; physically they follow
/// `local_at`.
pub(super) fn write(entries: &[Out<'_>], comment: &[u8]) -> Result<Zip, Fault> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&i| entries[i].entry.local_at);
    let names: usize =
        entries.iter().map(|o| 2 * o.entry.name.len() + LOCAL_LEN + CENTRAL_LEN + 64).sum();
    let data: usize = entries.iter().map(|o| o.raw.len()).sum();
    let mut sink = Sink(Vec::with_capacity(names + data + END_LEN));
    let mut offsets = vec![0usize; entries.len()];
    for i in order {
        let Out { entry, raw } = &entries[i];
        offsets[i] = sink.0.len();
        let extra = padded_extra(entry, sink.0.len())?;
        sink.u32(LOCAL_SIG);
        sink.shared(entry, raw);
        sink.u16(entry.name.len() as u16);
        sink.u16(extra.len() as u16);
        sink.0.extend_from_slice(&entry.name);
        sink.0.extend_from_slice(&extra);
        sink.0.extend_from_slice(raw);
    }
    let central_at = sink.0.len();
    for (Out { entry, raw }, &offset) in entries.iter().zip(&offsets) {
        sink.u32(CENTRAL_SIG);
        sink.u16(entry.version_made);
        sink.shared(entry, raw);
        sink.u16(entry.name.len() as u16);
        sink.u16(entry.central_extra.len() as u16);
        sink.u16(entry.comment.len() as u16);
        sink.u16(0);
        sink.u16(entry.internal);
        sink.u32(entry.external);
        sink.u32(offset as u32);
        sink.0.extend_from_slice(&entry.name);
        sink.0.extend_from_slice(&entry.central_extra);
        sink.0.extend_from_slice(&entry.comment);
    }
    let end_at = sink.0.len();
    let count = u16::try_from(entries.len()).ok().filter(|&n| n != u16::MAX);
    let count = count.ok_or(Fault::TooBig { what: "65,534 entries" })?;
    // A signing block of some kilobytes still comes between entries and central directory.
    if end_at > (u32::MAX - (1 << 20)) as usize {
        return Err(Fault::TooBig { what: "4 GiB" });
    }
    sink.u32(END_SIG);
    sink.u32(0);
    sink.u16(count);
    sink.u16(count);
    sink.u32((end_at - central_at) as u32);
    sink.u32(central_at as u32);
    sink.u16(comment.len() as u16);
    sink.0.extend_from_slice(comment);
    Ok(Zip { bytes: sink.0, central_at, end_at })
}
