//! Likely traces from sparse samples.
//!
//! ```text
//! parts of a reproducible target ──merge──▶ one trace of tokens
//! ```

pub mod merge;
mod token;

pub use token::{Level, Token};
