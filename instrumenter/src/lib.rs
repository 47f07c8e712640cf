//! From a finished app to its instrumented build.
//!
//! ```text
//! dex files ──analysis──▶ classes, calls, graphs ──plan──▶ ids, call sites, numbers
//!                                                  │
//!                                                  └── lifecycle: which callback comes next
//! ids, call sites, numbers ──inline, rewrite──▶ probes in place
//!                                    └── probes: their instructions
//! cost: what it takes, and what to leave; map_builder: what the decoder gets; graphs: for `cfg`
//! ```

pub mod analysis;
pub mod app;
pub mod art;
mod attempt;
mod baseline;
pub mod code_ranges;
pub mod cost;
mod dex_output;
mod error;
pub mod graphs;
pub mod inline;
pub mod instrument;
pub mod lifecycle;
mod map_builder;
mod map_names;
mod options;
mod packages;
pub mod plan;
pub mod probes;
mod progress;
mod rebuild;
mod report;
mod retraced_map;
pub mod rewrite;
mod source_maps;
mod source_positions;
mod warnings;

pub use baseline::BaselineReport;
pub use cost::forecast::{Crossing, Forecast, LimitKind, RunTime};
pub use cost::growth::{Growth, Purpose};
pub use error::InstrumentError;
pub use instrument::instrument;
pub use options::{
    Adaptation, Baseline, Clones, CountStorage, HugeMethods, Inline, InlineCoder, Limits,
    NamesInTexts, Options, PathOptions, PathTracking, RecordingOptions, RuntimeHome, Sink,
    TraceOptions, Unmapped, X86Safe,
};
pub use progress::BuildProgress;
pub use report::{DexReport, Output, Report};
pub use retraced_map::{RetraceError, retrace_map};
pub use warnings::Warning;
