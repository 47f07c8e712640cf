//! Items of a call, as the text shows them.

use std::rc::Rc;

use model::map::OriginId;

use super::style::Style;
use crate::base::fold::{Foldable, FoldedPart, mix};
use crate::base::method_names::MethodRef;

/// Origin of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallOrigin {
    /// A top-level callback: its number, its start in ms since the process began, and its duration,
    /// if known: µs, and the resolution of the measurement.
    TopLevel {
        number: u64,
        clock: u64,
        took: Option<(u64, u32)>,
    },
    Callback,
    Call,
    /// Inlined into its caller.
    Inlined,
}

/// The heading of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Heading {
    pub what: MethodRef,
    pub origin: CallOrigin,
    /// True if it has the package.
    pub package: bool,
    /// True if the compiler made the method.
    pub made: bool,
    /// Origins of the callback.
    pub from: [Option<OriginId>; FROM],
}

/// Largest number of origins of a callback that are shown.
pub(crate) const FROM: usize = 2;

impl Heading {
    pub fn key(&self) -> u64 {
        let what = match self.what {
            MethodRef::Method(m) => mix(1, u64::from(m.0)),
            MethodRef::Source(at) => mix(2, u64::from(at)),
        };
        let how = match self.origin {
            CallOrigin::TopLevel { number, .. } => mix(3, number),
            CallOrigin::Callback => 4,
            CallOrigin::Call => 5,
            CallOrigin::Inlined => 6,
        };
        self.from.iter().flatten().fold(mix(what, how), |key, from| mix(key, from.0.into()))
    }
}

/// A call that has ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EndedCall {
    pub key: u64,
    pub weight: usize,
    pub height: u32,
    pub heading: Heading,
    pub body: Box<[FoldedPart<Item>]>,
}

/// An item of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    Line(u32),
    Message(Style, Rc<str>),
    Call(Rc<EndedCall>),
}

impl Foldable for Item {
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

/// Returns the depth of nested calls in these parts.
pub(crate) fn height(parts: &[FoldedPart<Item>]) -> u32 {
    let of = |part: &FoldedPart<Item>| match part {
        FoldedPart::One(Item::Call(call)) => call.height,
        FoldedPart::One(_) => 0,
        FoldedPart::Times(body, _) => 1 + height(body),
    };
    parts.iter().map(of).max().unwrap_or(0)
}
