//! Inputs of commands: logs however they are packed, the maps that decode them, and the other files
//! that commands read.

mod archives;
pub mod counts;
mod decoded;
mod evidence;
pub mod facts;
pub mod hits;
mod logs;
mod mapping;
mod maps;
mod models;
pub mod packages;
mod passwords;
mod processes;
mod sources;
mod stacks;

pub use decoded::decoded;
pub use evidence::EvidenceFiles;
pub use logs::{Content, LogFile, LogFiles};
pub use mapping::retrace_maps;
pub use maps::{FoundMap, build_of_index, map_of, map_of_build, maps_of, read_map, several};
pub use models::{read_mapping, read_model, read_paths};
pub use passwords::password;
pub use processes::Logs;
pub use sources::read_sources;
pub use stacks::{read_stacks, retrace};
