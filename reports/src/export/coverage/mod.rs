//! Coverage of the source, in the formats that coverage tools exchange.
//!
//! Lines, branches and methods are counted once (`Coverage`), and every format writes the same
//! counters. Code that the compiler made and methods without lines are left out. Methods that were
//! not instrumented are absent, and listed.

mod app;
mod cobertura;
mod counters;
pub(crate) mod generated;
mod jacoco;
mod lcov;
pub(crate) mod lines;
mod merge;
mod paths;
mod sessions;
mod source;
#[cfg(test)]
mod tests;
mod xml;

pub use app::{Coverage, CoverageOrigin, unmatched_class};
pub use cobertura::HEAD as COBERTURA_HEAD;
pub use jacoco::HEAD as JACOCO_HEAD;
pub use lcov::HEAD as LCOV_HEAD;
pub use paths::Root;
pub use sessions::Session;
pub(crate) use source::{CoveredFile, Fork, file, is_made};
