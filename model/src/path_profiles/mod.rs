//! What counts of edges say about paths, and what recording changes about what is recorded.
//!
//! - [`flow_graph`]: whether the counts of a method's edges fix the counts of its paths, and the
//!   bounds of each path's count where they do not.
//! - [`method_graph`]: the graph of a method, made acyclic as Ball and Larus do it.
//! - [`bounds`]: the same for what a device counts, where calls and exceptions are not counted.
//! - [`information`]: what is lost about two branches that depend on each other when each is
//!   counted by itself.
//! - [`identity`]: one number for the path of a callback, and how likely two paths share one.
//! - [`selected`], [`automaton`], [`operation`]: paths that somebody chose, which of them an
//!   activation takes, and what has to be done on each edge to know.
//! - [`encodings`]: published ways to count paths, to compare with.
//! - [`placement`]: which edges have to be counted so that the others' counts follow.
//! - [`bias`]: loops and recursion that are recorded to a limit only, and probes that make what
//!   they observe slower.

pub mod automaton;
pub mod bias;
pub mod bounds;
pub mod encodings;
pub mod flow_graph;
pub mod identity;
pub mod information;
pub mod method_graph;
pub mod operation;
pub mod placement;
pub mod selected;
