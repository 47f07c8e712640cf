//! What a build costs: the expected log and the sizes, and which methods to leave so that limits
//! hold.

pub mod budget;
pub(crate) mod measured;
pub mod parts;
pub(crate) mod plainer;
pub(crate) mod predict;
pub(crate) mod price;
pub(crate) mod size_search;
