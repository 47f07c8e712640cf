//! Facts about the app's code before anything is planned: classes and calls, and for each method
//! its graph, live registers, held monitors, and the handlers that free them.

pub(crate) mod by_convention;
pub mod cfg;
pub(crate) mod effects;
pub mod fingerprint;
pub(crate) mod generated;
pub mod inlined_branches;
pub mod liveness;
pub(crate) mod members;
pub mod monitors;
pub mod program;
pub mod protection;
pub mod source_names;
pub(crate) mod tested;
