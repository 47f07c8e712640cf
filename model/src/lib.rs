//! Edge identities, probability tables, reference coder, formats.

pub mod coder;
pub mod map;
pub mod table;
pub mod trace;
