//! Outputs of commands: files, standard output, messages and progress.

mod files;
pub mod formats;
pub mod instrument;
mod kinds;
pub mod messages;
pub mod pager;
pub mod print;
pub mod progress;
pub mod replace;
pub mod timetree;

pub use files::{Files, Writer};
pub use kinds::Kind;
