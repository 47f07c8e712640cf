//! Path counts, and the part of them that follows from counts of edges.
//!
//! Logs contain each path whole. They give both the count of each path of each method, and the part
//! of it that follows from the counts of edges ([`model::path_profiles`]). Count files have only
//! edges and the paths of regions: there, these bounds are all that is known.

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
