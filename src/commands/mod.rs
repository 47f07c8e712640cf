//! One file per command.

pub mod cfg;
pub mod decode;
pub mod inspect;
pub mod instrument;
pub mod train;

/// What a command reports when it fails: one line that names the file and the place.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;
