//! From a finished app to its instrumented build.
//!
//! ```text
//! APK ──apk──▶ dex files ──program──▶ classes, calls ──plan──▶ ids, call sites ──rewrite──▶ probes in place ──apk──▶ signed APK
//!                                       └── cfg, monitors, registers, fingerprint: one method at a time
//! ```

pub mod adaptive;
pub mod app;
pub mod budget;
pub mod cfg;
mod chords;
mod configure;
pub mod cover;
mod explain;
pub mod fingerprint;
mod flow;
pub mod gather;
pub mod graphs;
pub mod high;
pub mod instrument;
pub mod lifecycle;
pub mod live;
pub mod monitors;
pub mod pap;
pub mod pick;
pub mod plan;
mod predict;
pub mod probe;
pub mod program;
pub mod registers;
pub mod rewrite;
mod room;
pub mod runtime;
pub mod splice;
mod tables;

pub use budget::{Forecast, HugeMethods, Limits};
pub use instrument::{InstrumentError, Options, Output, Report, RuntimeHome, Sink, instrument};
pub use splice::Inline;
