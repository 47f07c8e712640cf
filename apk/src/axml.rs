//! Binary XML as `aapt` writes it: chunks, string pool, resource map, elements.
//!
//! Source: AOSP `androidfw/ResourceTypes.h`. As in Android's own parser an attribute is known by
//! its resource id, because obfuscators blank the names; unknown chunks are skipped. Text is
//! decoded on demand and out of a budget, so that many references to one long string cannot grow
//! into gigabytes.

use std::cell::Cell;

use super::error::Fault;
use super::string_pool::{Pool, STRING_POOL, chunk};
use super::xml::{Attr, AttributeValue, Xml};
use super::zip_read::{u16_at, u32_at};

const START_ELEMENT: u16 = 0x0102;
const END_ELEMENT: u16 = 0x0103;
const RESOURCE_MAP: u16 = 0x0180;
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
struct XmlElement {
    /// 0 for the root.
    depth: usize,
    name: u32,
    attributes: std::ops::Range<usize>,
}

/// A parsed binary XML file: its elements in document order.
pub(super) struct Document<'a> {
    pool: Pool<'a>,
    resource_ids: &'a [u8],
    elements: Vec<XmlElement>,
    attributes: Vec<Attribute>,
    budget: Cell<usize>,
}

fn bad(offset: usize, reason: &'static str) -> Fault {
    Fault::Manifest { offset, reason }
}

impl<'a> Document<'a> {
    /// Reads to the end of the root element. Bytes that follow are not looked at, as in Android's
    /// own parser.
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
                    if depth == 0 {
                        break;
                    }
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
        self.elements.push(XmlElement { depth, name, attributes: first..self.attributes.len() });
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

    fn android(&self, element: usize, (id, name): Attr) -> Result<Option<AttributeValue>, Fault> {
        for a in self.attributes(element) {
            let own = u32_at(self.resource_ids, (a.name as usize).saturating_mul(4)).unwrap_or(0);
            if own == id || own == 0 && a.namespace != NO_INDEX && self.pool.same(a.name, name) {
                return Ok(Some(match a.value {
                    Raw::Text(index) => AttributeValue::Text(self.text(index)?),
                    Raw::Int(n) => AttributeValue::Int(n),
                    Raw::Bool(b) => AttributeValue::Bool(b),
                    Raw::Other => AttributeValue::Other,
                }));
            }
        }
        Ok(None)
    }
}
