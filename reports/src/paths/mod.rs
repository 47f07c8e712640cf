//! Paths as lists of events: as text for people, as JSON lines, and as one id per callback.

mod ids;
mod json;
mod live;
mod ordered;
mod processes;
mod text;

pub use ids::PathIds;
pub use json::{JsonPaths, process_line};
pub use live::{Live, LiveError, LiveForm};
pub use processes::{Printed, write_json, write_path_ids, write_text};
pub use text::{TextOptions, TextPaths, process_heading};
