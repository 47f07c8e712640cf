//! Edge identities, probability tables, reference coder, formats.

pub mod coder;
pub mod map;
pub mod mapping;
pub mod profile;
pub mod table;
pub mod trace;
