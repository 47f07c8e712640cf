//! String pools of binary resources (AOSP `androidfw/ResourceTypes.h`).

use super::error::Fault;
use super::zip_read::{u16_at, u32_at};

pub(super) const STRING_POOL: u16 = 0x0001;
const UTF8_FLAG: u32 = 1 << 8;

fn bad(offset: usize, reason: &'static str) -> Fault {
    Fault::Manifest { offset, reason }
}

/// Type, header size and size of the chunk at `at`, which must end at or before `end`.
pub(super) fn chunk(b: &[u8], at: usize, end: usize) -> Result<(u16, usize, usize), Fault> {
    let (Some(kind), Some(header), Some(size)) =
        (u16_at(b, at), u16_at(b, at + 2), u32_at(b, at + 4))
    else {
        return Err(bad(at, "chunk header does not fit"));
    };
    let (header, size) = (usize::from(header), size as usize);
    if header < 8 || size < header || size > end - at {
        return Err(bad(at, "chunk does not fit"));
    }
    Ok((kind, header, size))
}

/// A string pool; strings are looked up by index and decoded each time.
#[derive(Default)]
pub(super) struct Pool<'a> {
    bytes: &'a [u8],
    offsets: usize,
    pub count: u32,
    strings: usize,
    utf8: bool,
    base: usize,
}

impl<'a> Pool<'a> {
    pub fn parse(c: &'a [u8], header: usize, base: usize) -> Result<Self, Fault> {
        let (Some(count), Some(flags), Some(strings)) =
            (u32_at(c, 8), u32_at(c, 16), u32_at(c, 20))
        else {
            return Err(bad(base, "string pool header does not fit"));
        };
        let table = (count as usize).checked_mul(4).and_then(|n| n.checked_add(header));
        if header < 28 || table.is_none_or(|end| end > c.len()) || strings as usize > c.len() {
            return Err(bad(base, "string pool does not fit its chunk"));
        }
        let utf8 = flags & UTF8_FLAG != 0;
        Ok(Pool { bytes: c, offsets: header, count, strings: strings as usize, utf8, base })
    }

    /// Compares without decoding longer strings than the (ASCII) one that is wanted.
    pub fn same(&self, index: u32, wanted: &str) -> bool {
        self.find(index).is_ok_and(|(_, len)| len == wanted.len())
            && self.get(index).is_ok_and(|(text, _)| text == wanted)
    }

    /// Position of the string, and its length in code units (bytes, or 16-bit units).
    fn find(&self, index: u32) -> Result<(usize, usize), Fault> {
        let fault = || bad(self.base, "string outside its pool");
        if index >= self.count {
            return Err(fault());
        }
        let offset =
            u32_at(self.bytes, self.offsets + index as usize * 4).ok_or_else(fault)? as usize;
        let mut at = self.strings.checked_add(offset).ok_or_else(fault)?;
        let byte = |at: usize| self.bytes.get(at).map(|&v| usize::from(v)).ok_or_else(fault);
        let unit = |at: usize| u16_at(self.bytes, at).map(usize::from).ok_or_else(fault);
        let mut len;
        if self.utf8 {
            // Length in UTF-16 units, then in bytes; each takes two bytes when its top bit is set.
            at += if byte(at)? & 0x80 != 0 { 2 } else { 1 };
            len = byte(at)?;
            at += 1;
            if len & 0x80 != 0 {
                len = (len & 0x7f) << 8 | byte(at)?;
                at += 1;
            }
        } else {
            len = unit(at)?;
            at += 2;
            if len & 0x8000 != 0 {
                len = (len & 0x7fff) << 16 | unit(at)?;
                at += 2;
            }
        }
        Ok((at, len))
    }

    /// The string and its length in code units.
    pub fn get(&self, index: u32) -> Result<(String, usize), Fault> {
        let (at, len) = self.find(index)?;
        let size = if self.utf8 { Some(len) } else { len.checked_mul(2) };
        let raw = size.and_then(|size| self.bytes.get(at..at.checked_add(size)?));
        let raw = raw.ok_or(bad(self.base, "string outside its pool"))?;
        if self.utf8 {
            return Ok((String::from_utf8_lossy(raw).into_owned(), len));
        }
        let units: Vec<u16> =
            raw.chunks_exact(2).map(|p| u16::from_le_bytes([p[0], p[1]])).collect();
        Ok((String::from_utf16_lossy(&units), len))
    }
}

/// The strings of a binary XML file or a resource table, as far as they can be read: none of
/// anything else. They are decoded out of a budget, so that many references to one long string
/// cannot grow into gigabytes.
pub fn binary_strings(bytes: &[u8]) -> Vec<String> {
    let mut out = Vec::new();
    let Ok((_, header, end)) = chunk(bytes, 0, bytes.len()) else { return out };
    let mut budget = bytes.len().saturating_mul(4);
    let mut at = header;
    while let Ok((kind, header, len)) = chunk(bytes, at, end) {
        if kind == STRING_POOL {
            let Ok(pool) = Pool::parse(&bytes[at..at + len], header, at) else { return out };
            for (text, units) in (0..pool.count).filter_map(|i| pool.get(i).ok()) {
                let Some(left) = budget.checked_sub(units + 1) else { return out };
                budget = left;
                out.push(text);
            }
            return out;
        }
        at += len;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of one pool, as `aapt2` lays it out.
    fn file(utf8: bool, strings: &[&str]) -> Vec<u8> {
        let (mut data, mut offsets) = (Vec::new(), Vec::new());
        for s in strings {
            offsets.push(data.len() as u32);
            if utf8 {
                data.extend([s.chars().count() as u8, s.len() as u8]);
                data.extend(s.bytes().chain([0]));
            } else {
                let units: Vec<u16> = s.encode_utf16().collect();
                data.extend((units.len() as u16).to_le_bytes());
                data.extend(units.iter().flat_map(|u| u.to_le_bytes()));
                data.extend([0, 0]);
            }
        }
        data.resize(data.len().next_multiple_of(4), 0);
        let start = 28 + 4 * strings.len() as u32;
        let size = start + data.len() as u32;
        let mut pool = Vec::new();
        pool.extend([1u16.to_le_bytes(), 28u16.to_le_bytes()].concat());
        let flags = if utf8 { UTF8_FLAG } else { 0 };
        for word in [size, strings.len() as u32, 0, flags, start, 0] {
            pool.extend(word.to_le_bytes());
        }
        pool.extend(offsets.iter().flat_map(|o| o.to_le_bytes()));
        pool.extend(data);
        let mut out = [3u16.to_le_bytes(), 8u16.to_le_bytes()].concat();
        out.extend((8 + pool.len() as u32).to_le_bytes());
        out.extend(pool);
        out
    }

    #[test]
    fn strings_of_both_kinds_of_pools_are_read() {
        let strings = ["p.q.MyView", "onBuy", "größe"];
        for utf8 in [false, true] {
            assert_eq!(binary_strings(&file(utf8, &strings)), strings, "utf8: {utf8}");
        }
    }

    #[test]
    fn damaged_pools_give_less_and_never_more_than_their_budget() {
        let whole = file(true, &["p.q.MyView"; 40]);
        for end in 0..whole.len() {
            assert!(binary_strings(&whole[..end]).is_empty());
        }
        for at in 8..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] = 0xff;
            let sum: usize = binary_strings(&damaged).iter().map(String::len).sum();
            assert!(sum <= 3 * 4 * whole.len(), "at {at}: {sum}");
        }
    }
}
