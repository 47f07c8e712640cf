//! Likely traces from sparse samples.
//!
//! ```text
//! parts of a reproducible target ──merge──▶ one trace of tokens
//! samples of a pass, map, model ──graph──▶ prices, bounds ──fill──▶ likely blocks between them
//! ```

pub mod fill;
pub mod graph;
pub mod merge;
pub mod score;
mod token;

pub use token::{Level, Token};
