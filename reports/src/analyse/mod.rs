//! What counts of edges would tell of the paths that ran.
//!
//! Logs have each path whole, so both can be had: how often each path of each method ran, and what
//! of that follows from how often each edge did ([`model::path_profiles`]). Count files have edges
//! and the paths of regions alone: there, what follows is all that is known.

mod counts;
mod explain;
mod figures;
mod graph;
mod known;
mod observer;
mod text;
mod truncation;

pub use counts::PathCounts;
pub use explain::{Asked, AskedError, Explained, ExplainedPath};
pub use figures::{Analysis, Figures};
pub(crate) use graph::graph_of;
pub use known::{EdgeCounts, Evidence};
pub use observer::{Observed, ObservedMethod, Observer};
pub use truncation::Truncation;
