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
mod writer;

pub use files::Files;
pub use kinds::Kind;
pub use writer::Writer;
