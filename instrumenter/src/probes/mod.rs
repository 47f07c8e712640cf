//! Instructions of all probes, and the runtime's classes that they call.

pub mod adaptive;
pub(crate) mod codecs;
pub(crate) mod compared;
pub(crate) mod copied;
pub mod counts;
pub(crate) mod emitter;
pub(crate) mod encoded;
pub(crate) mod pap;
pub mod pap_refs;
pub mod probe;
pub(crate) mod prune;
pub mod runtime;
pub(crate) mod runtime_config;
pub(crate) mod runtime_tables;
pub(crate) mod selected;
pub(crate) mod short_symbols;
pub(crate) mod symbols;
