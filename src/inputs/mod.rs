//! Inputs of commands: logs however they are packed, and the maps that decode them.

mod archives;
mod logs;
mod maps;

pub use logs::{Content, LogFile, LogFiles};
pub use maps::{FoundMap, map_of, map_of_build, maps_of, read_map, several};
