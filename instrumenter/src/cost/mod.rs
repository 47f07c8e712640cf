//! Costs of a build: the expected log, the sizes and the run time, and the choice of methods to
//! leave so that limits hold.

pub mod budget;
pub mod forecast;
pub mod growth;
pub(crate) mod measured;
pub(crate) mod order;
pub(crate) mod predict;
pub(crate) mod prices;
pub(crate) mod quieter;
pub(crate) mod run_time;
pub(crate) mod size_search;
pub(crate) mod slowdown;
pub(crate) mod smaller_form;
pub(crate) mod symbols;
