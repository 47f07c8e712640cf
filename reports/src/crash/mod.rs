//! Crashes: joins a Java stack trace to the path that led there, and shows that path.
//!
//! [`Stack::read`] reads stack traces as logcat, consoles and crash services print them. [`Finder`]
//! looks at each place of a log where an exception left the app, and at the end of each thread, and
//! keeps the one whose active frames are those of the stack trace; [`Fit`] says how well they fit.
//! Without a stack trace it keeps the last exception that ended a thread. [`Report`] is what it
//! found, for people ([`Report::write_text`]) and for programs ([`Report::write_json`]).

mod finder;
mod frames;
mod join;
mod json;
mod path;
mod report;
mod show;
pub mod stack;

pub use finder::Finder;
pub use join::{Fit, Join};
pub use path::{Branch, End, Step};
pub use report::Report;
pub use stack::{
    Element as StackElement, Kind as StackKind, MAX_BYTES, Stack, StackError, Throwable,
};
