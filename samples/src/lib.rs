//! Likely traces from sparse samples.
//!
//! ```text
//! parts of a reproducible target ──merge──▶ one trace of tokens
//! samples of a pass, map, model ──graph──▶ prices, bounds ──fill──▶ likely blocks between them
//! samples of a pass ──filled──▶ blocks of its gaps; merged trace, exact runs ──exact──▶ F1
//! exact paths ──score──▶ samples of them, filled again, compared
//! files of samplers ──read──▶ stacks ──places, passes──▶ groups of passes of a callback
//! samples ──train──▶ counts of decisions: a model
//! files of samplers ──weights──▶ a time tree
//! ```

pub mod exact;
pub mod fill;
pub mod filled;
pub mod firefox;
pub mod graph;
pub mod groups;
pub mod merge;
pub mod merged;
pub mod passes;
pub mod placed;
pub mod places;
mod random;
pub mod read;
pub mod score;
mod token;
pub mod train;
pub mod weights;

pub use token::{Level, Token};
