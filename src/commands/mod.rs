//! One file per command.

pub mod analyse;
pub mod compare;
pub mod completions;
pub mod counts;
pub mod crash;
pub mod decode;
pub mod device;
pub mod doctor;
pub mod explain;
pub mod filters;
#[cfg(feature = "tables")]
pub mod fleet;
pub mod graphs;
pub mod hits;
pub mod inspect;
pub mod instrument;
pub mod jobs;
pub mod logs;
#[cfg(feature = "tables")]
pub mod merge;
pub mod paths;
pub mod report;
pub mod samples;
pub mod select;
pub mod sinks;
#[cfg(feature = "tables")]
pub mod tables;
pub mod times;
pub mod timetree;
pub mod train;
pub mod why;

/// Options that do not go together or cannot be used: exit code 2, as for those that the parser
/// refuses.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub &'static str);

/// The result of a command. Its error is one line that names the file and the place. A command's
/// `run` gives the [`decoder::Damage`] in what it read: `main` makes the exit code of it.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;
