//! XML as an app bundle has it: messages of Protocol Buffers.
//!
//! Source: AOSP `tools/aapt2/Resources.proto`, messages `XmlNode`, `XmlElement`, `XmlAttribute`,
//! `Item`, `Primitive`. Fields that a manifest does not need are passed over.

use super::error::Fault;
use super::xml::{Attr, AttributeValue, Xml};

/// Android gives up on deeper trees too.
const MAX_DEPTH: usize = 256;

#[derive(Debug, Default)]
struct Attribute {
    namespace: String,
    name: String,
    id: u32,
    value: AttributeValue,
}

#[derive(Debug, Default)]
struct XmlElement {
    depth: usize,
    name: String,
    attributes: Vec<Attribute>,
}

/// The elements in document order.
#[derive(Debug, Default)]
pub(super) struct ProtoXml(Vec<XmlElement>);

impl ProtoXml {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut all = Vec::new();
        node(Message::new(bytes), 0, &mut all)?;
        if all.is_empty() {
            return Err(bad(0, "no elements"));
        }
        Ok(ProtoXml(all))
    }
}

impl Xml for ProtoXml {
    fn depths(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|e| e.depth)
    }

    fn name(&self, element: usize) -> Result<String, Fault> {
        Ok(self.0[element].name.clone())
    }

    fn plain(&self, element: usize, name: &str) -> Result<Option<String>, Fault> {
        let mut attributes = self.0[element].attributes.iter();
        let found = attributes.find(|a| a.namespace.is_empty() && a.name == name);
        Ok(found.and_then(|a| match &a.value {
            AttributeValue::Text(text) => Some(text.clone()),
            AttributeValue::Int(_) | AttributeValue::Bool(_) | AttributeValue::Other => None,
        }))
    }

    fn android(&self, element: usize, (id, name): Attr) -> Result<Option<AttributeValue>, Fault> {
        let is =
            |a: &&Attribute| a.id == id || a.id == 0 && !a.namespace.is_empty() && a.name == name;
        Ok(self.0[element].attributes.iter().find(is).map(|a| a.value.clone()))
    }
}

fn bad(offset: usize, reason: &'static str) -> Fault {
    Fault::Manifest { offset, reason }
}

/// `XmlNode`: an element (1) or a text.
fn node(message: Message<'_>, depth: usize, all: &mut Vec<XmlElement>) -> Result<(), Fault> {
    let mut rest = message;
    while let Some((field, value)) = rest.field()? {
        if let (1, Wire::Bytes(content)) = (field, value) {
            if depth >= MAX_DEPTH {
                return Err(bad(content.at, "elements nested too deeply"));
            }
            element(content, depth, all)?;
        }
    }
    Ok(())
}

/// `XmlElement`: name (3), attributes (4), children (5). A parent stands before its children,
/// whatever the order of the fields.
fn element(message: Message<'_>, depth: usize, all: &mut Vec<XmlElement>) -> Result<(), Fault> {
    let mut element = XmlElement { depth, ..XmlElement::default() };
    let mut rest = message;
    while let Some((field, value)) = rest.field()? {
        match (field, value) {
            (3, Wire::Bytes(name)) => element.name = name.text()?,
            (4, Wire::Bytes(content)) => element.attributes.push(attribute(content)?),
            _ => {}
        }
    }
    all.push(element);
    let mut rest = message;
    while let Some((field, value)) = rest.field()? {
        if let (5, Wire::Bytes(child)) = (field, value) {
            node(child, depth + 1, all)?;
        }
    }
    Ok(())
}

/// `XmlAttribute`: namespace (1), name (2), text (3), resource id (5), compiled value (6).
fn attribute(message: Message<'_>) -> Result<Attribute, Fault> {
    let mut found = Attribute::default();
    let (mut text, mut compiled) = (String::new(), None);
    let mut rest = message;
    while let Some((field, value)) = rest.field()? {
        match (field, value) {
            (1, Wire::Bytes(namespace)) => found.namespace = namespace.text()?,
            (2, Wire::Bytes(name)) => found.name = name.text()?,
            (3, Wire::Bytes(value)) => text = value.text()?,
            (5, Wire::Number(id)) => found.id = id as u32,
            (6, Wire::Bytes(item)) => compiled = item_value(item)?,
            _ => {}
        }
    }
    found.value = compiled.unwrap_or(AttributeValue::Text(text));
    Ok(found)
}

/// `Item`: a primitive (7); of the others, strings (2, 3) are the attribute's text, and what a
/// reference names is not known here.
fn item_value(message: Message<'_>) -> Result<Option<AttributeValue>, Fault> {
    let mut rest = message;
    let mut found = None;
    while let Some((field, value)) = rest.field()? {
        found = match (field, value) {
            (2 | 3, _) => None,
            (7, Wire::Bytes(primitive)) => Some(primitive_value(primitive)?),
            (1..=6, _) => Some(AttributeValue::Other),
            _ => found,
        };
    }
    Ok(found)
}

/// `Primitive`: decimal (6), hexadecimal (7), boolean (8).
fn primitive_value(message: Message<'_>) -> Result<AttributeValue, Fault> {
    let mut rest = message;
    let mut found = AttributeValue::Other;
    while let Some((field, value)) = rest.field()? {
        found = match (field, value) {
            (6 | 7, Wire::Number(n)) => AttributeValue::Int(n as i32),
            (8, Wire::Number(n)) => AttributeValue::Bool(n != 0),
            _ => found,
        };
    }
    Ok(found)
}

/// A message, or what is left of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Message<'a> {
    bytes: &'a [u8],
    /// Offset of its first byte in the file.
    at: usize,
}

/// Contents of a field.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wire<'a> {
    Number(u64),
    Bytes(Message<'a>),
    Fixed,
}

impl<'a> Message<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Message { bytes, at: 0 }
    }

    fn take(&mut self, count: usize) -> Result<Message<'a>, Fault> {
        if count > self.bytes.len() {
            return Err(bad(self.at, "a field does not fit its message"));
        }
        let (bytes, rest) = self.bytes.split_at(count);
        let taken = Message { bytes, at: self.at };
        *self = Message { bytes: rest, at: self.at + count };
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, Fault> {
        let at = self.at;
        let mut value = 0_u64;
        for shift in (0..70).step_by(7) {
            let byte = self.take(1)?.bytes[0];
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(bad(at, "a number is too long"))
    }

    /// The next field; `None` at the end.
    pub(super) fn field(&mut self) -> Result<Option<(u64, Wire<'a>)>, Fault> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let at = self.at;
        let key = self.number()?;
        let value = match key & 7 {
            0 => Wire::Number(self.number()?),
            1 => self.take(8).map(|_| Wire::Fixed)?,
            2 => {
                let length = self.number()?;
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                Wire::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| Wire::Fixed)?,
            _ => return Err(bad(at, "a field of an unknown type")),
        };
        Ok(Some((key >> 3, value)))
    }

    pub(super) fn text(self) -> Result<String, Fault> {
        let text = std::str::from_utf8(self.bytes).map_err(|_| bad(self.at, "no UTF-8"))?;
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field of bytes.
    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let (low, high) = (bytes.len() as u8 & 127, (bytes.len() >> 7) as u8);
        assert!(high < 128);
        [&[number << 3 | 2, low | 128, high], bytes].concat()
    }

    #[test]
    fn elements_come_before_their_children_with_their_attributes() {
        let prim = field(7, &[8 << 3, 1]);
        let flag = [field(1, b"ns"), field(2, b"debuggable"), vec![5 << 3, 0x0f], field(6, &prim)];
        let label = [field(2, b"label"), field(3, b"@string/app"), field(6, &field(1, b"x"))];
        let child = [field(3, b"b"), field(4, &flag.concat()), field(4, &label.concat())];
        // The name comes after the child.
        let root = [field(5, &field(1, &child.concat())), field(3, b"a")].concat();
        let xml = ProtoXml::parse(&field(1, &root)).unwrap();
        assert_eq!(xml.depths().collect::<Vec<_>>(), [0, 1]);
        assert_eq!((xml.name(0).unwrap(), xml.name(1).unwrap()), ("a".into(), "b".into()));
        assert_eq!(xml.android(1, (0x0f, "debuggable")).unwrap(), Some(AttributeValue::Bool(true)));
        assert_eq!(xml.android(1, (0x10, "debuggable")).unwrap(), None);
        assert_eq!(xml.plain(1, "label").unwrap(), None, "a reference is no text");
    }

    #[test]
    fn damage_is_told_with_its_place() {
        let error = |bytes: &[u8]| ProtoXml::parse(bytes).unwrap_err().to_string();
        let short = error(&[0x0a, 5, 1]);
        assert!(short.contains("0x2: a field does not fit"), "{short}");
        assert!(error(&[0x0b]).contains("unknown type"));
        assert!(error(&[0xff; 12]).contains("too long"));
        assert!(error(&[]).contains("no elements"));
        assert!(error(&field(1, &field(3, &[0xff]))).contains("UTF-8"));
        let deep = (0..300).fold(Vec::new(), |inner, _| field(5, &field(1, &inner)));
        assert!(error(&field(1, &deep)).contains("too deeply"));
    }
}
