//! Shared parts of both XML formats.

use std::io::{self, Write};

use model::map::Skipped;
use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

use crate::base::escape::visible;
use model::nouns::counted;

/// Maximum number of uninstrumented methods that a comment lists.
const LISTED: usize = 20_000;

/// An attribute.
pub(super) type Attribute<'a> = (&'a str, &'a str);

/// Writes elements, one per line.
pub(super) struct Xml<W: Write>(Writer<W>);

impl<W: Write> Xml<W> {
    /// Begins with these lines.
    pub fn new(mut out: W, head: &str) -> io::Result<Self> {
        out.write_all(head.as_bytes())?;
        Ok(Xml(Writer::new_with_indent(out, b' ', 1)))
    }

    /// Begins an element.
    pub fn open(&mut self, name: &str, attributes: &[Attribute<'_>]) -> io::Result<()> {
        self.0.write_event(Event::Start(element(name, attributes)))
    }

    /// Writes an element without content.
    pub fn empty(&mut self, name: &str, attributes: &[Attribute<'_>]) -> io::Result<()> {
        self.0.write_event(Event::Empty(element(name, attributes)))
    }

    /// Ends the element.
    pub fn close(&mut self, name: &str) -> io::Result<()> {
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }

    /// Writes an element with text.
    pub fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        let text = characters(text);
        self.0.create_element(name).write_text_content(BytesText::new(&text)).map(drop)
    }

    /// Lists methods that were not instrumented, in a comment.
    pub fn left(&mut self, left: &[&Skipped]) -> io::Result<()> {
        if left.is_empty() {
            return Ok(());
        }
        let mut text = format!(" absent, left alone: {}\n", counted(left.len(), "method"));
        for Skipped { method, reason } in left.iter().take(LISTED) {
            text += &format!("{}: {}\n", visible(method), visible(reason));
        }
        // A comment must not have two hyphens in a row, whatever their origin.
        let text = characters(&text).replace('-', "\u{2010}");
        self.0.write_event(Event::Comment(BytesText::from_escaped(text)))
    }

    /// Ends the file.
    pub fn finish(self) -> io::Result<()> {
        let mut out = self.0.into_inner();
        writeln!(out)?;
        out.flush()
    }
}

fn element<'a>(name: &'a str, attributes: &[Attribute<'_>]) -> BytesStart<'a> {
    let mut element = BytesStart::new(name);
    for &(name, value) in attributes {
        element.push_attribute((name, characters(value).as_str()));
    }
    element
}

/// Returns a text without the two characters that neither `visible` nor XML can express.
fn characters(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
