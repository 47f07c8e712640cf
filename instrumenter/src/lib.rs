//! From a finished app to its instrumented build.
//!
//! ```text
//! dex files ──analysis──▶ classes, calls, graphs ──plan──▶ ids, call sites, numbers ──inline, rewrite──▶ probes in place
//!                                                            │                          └── probes: their instructions
//!                                                            └── lifecycle: which callback comes next
//! cost: what it takes, and what to leave; map_builder: what the decoder gets; graphs: what `cfg` writes
//! ```

pub mod analysis;
pub mod app;
pub mod cost;
pub mod graphs;
pub mod inline;
pub mod instrument;
pub mod lifecycle;
mod map_builder;
pub mod plan;
pub mod probes;
pub mod rewrite;
mod warnings;

pub use cost::budget::{Forecast, HugeMethods, Limits};
pub use inline::Inline;
pub use instrument::{InstrumentError, Options, Output, Report, RuntimeHome, Sink, X86Safe, instrument};
