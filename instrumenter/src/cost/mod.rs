//! Costs of a build: the expected log, the sizes and the run time, and the choice of methods to
//! leave so that limits hold.

pub mod budget;
pub mod forecast;
pub(crate) mod measured;
pub(crate) mod order;
pub mod parts;
pub(crate) mod plainer;
pub(crate) mod predict;
pub(crate) mod price;
pub(crate) mod prices;
pub(crate) mod run_time;
pub(crate) mod size_search;
pub(crate) mod slowdown;
pub(crate) mod symbols;
