//! Edge identities, probability tables, reference coder, formats.

pub mod coder;
pub mod table;
