//! Crashes: joins a Java stack trace to the path that led to it, and shows that path.
//!
//! [`Stack::read`] reads stack traces as logcat, consoles and crash services print them. [`Finder`]
//! examines each point of a log where an exception left the app, and the end of each thread. It
//! keeps the one whose active frames are those of the stack trace; [`Fit`] is the quality of the
//! match. Without a stack trace it keeps the last exception that ended a thread. [`Report`] is the
//! result, for people ([`Report::write_text`]) and for programs ([`Report::write_json`]).

mod finder;
mod frames;
mod join;
mod json;
mod path;
mod repeat;
mod report;
mod robot;
mod show;
pub mod stack;

pub use finder::Finder;
pub use join::{Fit, Join};
pub use path::{Branch, CallbackStep, PathEnd};
pub use report::{CrashPoint, Report};
pub use robot::{FLOW_HEAD, SCRIPT_HEAD};
pub use stack::{MAX_BYTES, Stack, StackElement, StackError, StackKind, Throwable};
