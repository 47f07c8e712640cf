//! The instructions of each probe, and the runtime's classes that they call.

pub mod adaptive;
pub(crate) mod emitter;
pub mod pap;
pub mod probe;
pub mod runtime;
pub(crate) mod runtime_config;
pub(crate) mod symbols;
