//! Text for people: nested calls, and under each the source lines in the order in which they ran.

mod item;
mod layout;
mod options;
mod rows;
mod style;
#[cfg(test)]
mod tests;
mod writer;

pub use options::TextOptions;
pub use writer::{TextPaths, process_heading};
