//! Binary XML as `aapt` writes it: chunks, string pool, resource map, elements.
//!
//! Source: AOSP `androidfw/ResourceTypes.h`. As in Android's own parser an attribute is known by
//! its resource id, because obfuscators blank the names; unknown chunks are skipped. Text is
//! decoded on demand and out of a budget, so that many references to one long string cannot grow
//! into gigabytes.

use std::cell::Cell;

use super::error::Fault;
use super::xml::{Attr, Value, Xml};
use super::zip_read::{u16_at, u32_at};

const STRING_POOL: u16 = 0x0001;
const START_ELEMENT: u16 = 0x0102;
const END_ELEMENT: u16 = 0x0103;
const RESOURCE_MAP: u16 = 0x0180;
const UTF8_FLAG: u32 = 1 << 8;
const NO_INDEX: u32 = u32::MAX;
/// Android gives up on deeper trees too; a manifest is four deep.
const MAX_DEPTH: usize = 256;

/// A typed attribute value (`Res_value`), as far as a manifest needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Raw {
    /// Index into the string pool.
    Text(u32),
    /// Decimal or hexadecimal integer.
    Int(i32),
    Bool(bool),
    /// A reference into `resources.arsc` or another type; its value is not known here.
    Other,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    namespace: u32,
    name: u32,
    value: Raw,
}

#[derive(Clone, Debug)]
struct Element {
    /// 0 for the root.
    depth: usize,
    name: u32,
    attributes: std::ops::Range<usize>,
}

/// A parsed binary XML file: its elements in document order.
pub(super) struct Document<'a> {
    pool: Pool<'a>,
    resource_ids: &'a [u8],
    elements: Vec<Element>,
    attributes: Vec<Attribute>,
    budget: Cell<usize>,
}

fn bad(offset: usize, reason: &'static str) -> Fault {
    Fault::Manifest { offset, reason }
}

impl<'a> Document<'a> {
    pub(super) fn parse(b: &'a [u8]) -> Result<Self, Fault> {
        if b.first() == Some(&b'<') {
            return Err(bad(0, "text XML where binary XML is expected"));
        }
        let (_, header, size) = chunk(b, 0, b.len())?;
        let mut doc = Document {
            pool: Pool::default(),
            resource_ids: &[],
            elements: Vec::new(),
            attributes: Vec::new(),
            budget: Cell::new(b.len().saturating_mul(16).saturating_add(1 << 16)),
        };
        let (mut at, mut depth) = (header, 0usize);
        while size - at >= 8 {
            let (kind, header, len) = chunk(b, at, size)?;
            match kind {
                STRING_POOL if doc.pool.count == 0 => {
                    doc.pool = Pool::parse(&b[at..at + len], header, at)?
                }
                RESOURCE_MAP => doc.resource_ids = &b[at + header..at + len],
                START_ELEMENT => {
                    if depth >= MAX_DEPTH {
                        return Err(bad(at, "elements nested too deeply"));
                    }
                    doc.element(&b[at..at + len], header, at, depth)?;
                    depth += 1;
                }
                END_ELEMENT => {
                    depth = depth
                        .checked_sub(1)
                        .ok_or(bad(at, "an element ends that did not begin"))?;
                }
                _ => {}
            }
            at += len;
        }
        if doc.elements.is_empty() {
            return Err(bad(0, "no elements"));
        }
        Ok(doc)
    }

    /// `ResXMLTree_attrExt` and its attributes.
    fn element(&mut self, c: &[u8], header: usize, base: usize, depth: usize) -> Result<(), Fault> {
        let short = bad(base, "element does not fit its chunk");
        let first = self.attributes.len();
        let (Some(name), Some(start), Some(each), Some(count)) = (
            u32_at(c, header + 4),
            u16_at(c, header + 8),
            u16_at(c, header + 10),
            u16_at(c, header + 12),
        ) else {
            return Err(short);
        };
        let (start, each, count) =
            (header + usize::from(start), usize::from(each), usize::from(count));
        if count > 0 && each < 20 || start + each * count > c.len() {
            return Err(short);
        }
        for at in (0..count).map(|i| start + i * each) {
            let word = |o| u32_at(c, at + o).unwrap_or(NO_INDEX);
            let (raw, kind, data) = (word(8), c[at + 15], word(16));
            let value = match kind {
                0x03 => Raw::Text(data),
                0x10 | 0x11 => Raw::Int(data as i32),
                0x12 => Raw::Bool(data != 0),
                _ if raw != NO_INDEX => Raw::Text(raw),
                _ => Raw::Other,
            };
            self.attributes.push(Attribute { namespace: word(0), name: word(4), value });
        }
        self.elements.push(Element { depth, name, attributes: first..self.attributes.len() });
        Ok(())
    }

    fn attributes(&self, element: usize) -> &[Attribute] {
        &self.attributes[self.elements[element].attributes.clone()]
    }

    /// Decodes one string, charging it to the budget.
    fn text(&self, index: u32) -> Result<String, Fault> {
        let (text, units) = self.pool.get(index)?;
        let left = self
            .budget
            .get()
            .checked_sub(units)
            .ok_or(bad(0, "more text than the file can reasonably hold"))?;
        self.budget.set(left);
        Ok(text)
    }
}

impl Xml for Document<'_> {
    fn depths(&self) -> impl Iterator<Item = usize> {
        self.elements.iter().map(|e| e.depth)
    }

    fn name(&self, element: usize) -> Result<String, Fault> {
        self.text(self.elements[element].name)
    }

    fn plain(&self, element: usize, name: &str) -> Result<Option<String>, Fault> {
        let found = self
            .attributes(element)
            .iter()
            .find(|a| a.namespace == NO_INDEX && self.pool.same(a.name, name));
        match found.map(|a| a.value) {
            Some(Raw::Text(index)) => self.text(index).map(Some),
            _ => Ok(None),
        }
    }

    fn android(&self, element: usize, (id, name): Attr) -> Result<Option<Value>, Fault> {
        for a in self.attributes(element) {
            let own = u32_at(self.resource_ids, (a.name as usize).saturating_mul(4)).unwrap_or(0);
            if own == id || own == 0 && a.namespace != NO_INDEX && self.pool.same(a.name, name) {
                return Ok(Some(match a.value {
                    Raw::Text(index) => Value::Text(self.text(index)?),
                    Raw::Int(n) => Value::Int(n),
                    Raw::Bool(b) => Value::Bool(b),
                    Raw::Other => Value::Other,
                }));
            }
        }
        Ok(None)
    }
}

/// Type, header size and size of the chunk at `at`, which must end at or before `end`.
fn chunk(b: &[u8], at: usize, end: usize) -> Result<(u16, usize, usize), Fault> {
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
struct Pool<'a> {
    bytes: &'a [u8],
    offsets: usize,
    count: u32,
    strings: usize,
    utf8: bool,
    base: usize,
}

impl<'a> Pool<'a> {
    fn parse(c: &'a [u8], header: usize, base: usize) -> Result<Self, Fault> {
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
    fn same(&self, index: u32, wanted: &str) -> bool {
        self.find(index).is_ok_and(|(_, len)| len == wanted.len())
            && self.get(index).is_ok_and(|(text, _)| text == wanted)
    }

    /// Where the string begins, and its length in code units (bytes, or 16-bit units).
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
    fn get(&self, index: u32) -> Result<(String, usize), Fault> {
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
