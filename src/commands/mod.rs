//! One file per command; `causes` is shared by two.

pub mod advise;
pub mod analyse;
mod causes;
pub mod compare;
pub mod completions;
pub mod crash;
pub mod decode;
pub mod device;
pub mod doctor;
pub mod explain;
#[cfg(feature = "tables")]
pub mod fleet;
pub mod inspect;
pub mod instrument;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "tables")]
pub mod merge;
pub mod paths;
pub mod report;
pub mod samples;
pub mod select;
#[cfg(feature = "tables")]
pub mod tables;
pub mod timetree;
pub mod train;
pub mod why;

pub use crate::error::{Result, Usage};
