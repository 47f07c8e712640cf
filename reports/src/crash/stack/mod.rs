//! Java stack traces as logcat, consoles and crash services print them.

mod elements;
mod frame;
mod json;
mod lines;
mod logcat;
mod pieces;
mod read;
mod retrace;
mod sentry;
#[cfg(test)]
mod tests;

pub use elements::{Element, Kind, MAX_BYTES, Role, Stack, StackError, Throwable};
pub use retrace::RetracedStacks;
