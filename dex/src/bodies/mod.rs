//! Bodies between their two forms: code units and edit lists.

pub mod decode;
pub mod lower;
