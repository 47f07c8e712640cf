//! What a call does, as the text shows it.

use std::rc::Rc;

use super::style::Style;
use crate::base::fold::{Element, Part, mix};
use crate::base::method_names::MethodRef;

/// How a call came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// A top-level callback: its number, ms since the process began, and how long it took, if that
    /// is known: µs, and what they are rounded down to.
    TopLevel {
        number: u64,
        clock: u64,
        took: Option<(u64, u32)>,
    },
    Callback,
    Call,
    /// In the place of its caller's code.
    Inlined,
}

/// The heading of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Heading {
    pub what: MethodRef,
    pub how: How,
    /// Whether it names the package.
    pub package: bool,
    /// Whether the compiler made the method.
    pub made: bool,
}

impl Heading {
    pub fn key(&self) -> u64 {
        let what = match self.what {
            MethodRef::Method(m) => mix(1, u64::from(m.0)),
            MethodRef::Source(at) => mix(2, u64::from(at)),
        };
        let how = match self.how {
            How::TopLevel { number, .. } => mix(3, number),
            How::Callback => 4,
            How::Call => 5,
            How::Inlined => 6,
        };
        mix(what, how)
    }
}

/// A call that has ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub key: u64,
    pub weight: usize,
    pub height: u32,
    pub heading: Heading,
    pub body: Box<[Part<Item>]>,
}

/// What a call does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    Line(u32),
    Message(Style, Rc<str>),
    Call(Rc<Call>),
}

impl Element for Item {
    fn key(&self) -> u64 {
        match self {
            Item::Line(line) => mix(7, u64::from(*line)),
            Item::Message(_, text) => text.bytes().fold(8, |key, b| mix(key, u64::from(b))),
            Item::Call(call) => call.key,
        }
    }

    fn weight(&self) -> usize {
        match self {
            Item::Line(_) => 1,
            Item::Message(_, text) => 1 + text.len() / 32,
            Item::Call(call) => call.weight,
        }
    }
}

/// How deep calls are nested in these parts.
pub(crate) fn height(parts: &[Part<Item>]) -> u32 {
    let of = |part: &Part<Item>| match part {
        Part::One(Item::Call(call)) => call.height,
        Part::One(_) => 0,
        Part::Times(body, _) => 1 + height(body),
    };
    parts.iter().map(of).max().unwrap_or(0)
}
