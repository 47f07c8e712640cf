//! What counts of edges would tell of the paths that ran.
//!
//! Logs have each path whole, so both can be had: how often each path of each method ran, and what
//! of that follows from how often each edge did ([`model::path_profiles`]).

mod counts;
mod explain;
mod figures;
mod graph;
mod observer;
mod text;

pub use counts::PathCounts;
pub use explain::{Asked, AskedError, Explained, ExplainedPath};
pub use figures::{Analysis, Figures};
pub(crate) use graph::graph_of;
pub use observer::{Observed, ObservedMethod, Observer};
