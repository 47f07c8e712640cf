//! References as they move: other indices for the same items, from one file to another.

pub mod dangling;
pub mod merge;
pub mod refs;
pub mod reindex;
