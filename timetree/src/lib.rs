//! Time trees: weights of any interval, without reading the whole session.
//!
//! Samples (time, context, weight) come in order of time. [`Builder`] cuts them by number: a leaf
//! has a fixed number of consecutive samples, a node a fixed number of neighbours of the level
//! below. Each node has the sum of its weights by context. [`Index::query`] merges the few nodes
//! that lie whole in an interval, and scans the at most two leaves that lie partly in it. The file
//! (`.pltt`) is read by position.
//!
//! Time is a number whose unit the caller knows. Intervals are half-open. This crate knows no other
//! crate of the workspace.

mod build;
pub mod cascade;
mod compare;
mod contexts;
mod entry;
mod error;
mod file;
mod histogram;
mod methods;
mod query;
mod strip;
mod tables;
#[cfg(test)]
mod tests;
mod threads;

pub use build::{Builder, Sample, TreeOptions};
pub use compare::{Difference, MethodDifference, compare, compare_methods};
pub use contexts::{Context, ContextId, Contexts, DEEP, ROOT};
pub use error::Error;
pub use file::pages::{PAGE, with_other_contents};
pub use file::positional::Bytes;
pub use file::read::{Index, Thread};
pub use file::{Head, MAGIC, WeightUnit};
pub use methods::{MethodRow, methods};
pub use query::{Answer, ContextRow, Interval, Stats, Weight};
pub use strip::{Strip, TimeSlice};
pub use tables::RowTable;
pub use threads::{ThreadNo, ThreadOrigin, ThreadOutcome};
