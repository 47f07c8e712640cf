//! Java stack traces as logcat, consoles and crash services print them.

mod elements;
mod frame;
mod json;
mod lines;
mod logcat;
mod read;
mod retrace;
mod segments;
mod sentry;
#[cfg(test)]
mod tests;

pub use elements::{
    MAX_BYTES, Stack, StackElement, StackError, StackKind, Throwable, ThrowableRole,
};
pub use retrace::RetracedStacks;
