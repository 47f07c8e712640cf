//! The report of a build.

use model::packed_map::PackedMap;
use serde::Serialize;

use crate::cost::forecast::Forecast;
use crate::cost::parts::Growth;
#[cfg(doc)]
use crate::options::Limits;
use crate::plan::distributions::{History, LostHistory};
use crate::warnings::Warning;

/// Counts of one dex file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DexReport {
    /// File name.
    pub name: String,
    /// Classes.
    pub classes: usize,
    /// Methods with code.
    pub methods: usize,
    /// Methods that take part, also those without probes (with codec `none`: that were reassembled).
    pub instrumented: usize,
    /// Instructions of the original.
    pub instructions: usize,
    /// Bytes before.
    pub bytes_in: usize,
    /// Bytes after.
    pub bytes_out: usize,
}

/// A method left as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedMethod {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Why.
    pub reason: String,
    /// Whether it is because of a limit ([`Limits`]): given up, not refused.
    pub by_limit: bool,
    /// Whether it is because of `include` or `exclude`.
    pub by_user: bool,
}

/// The report of a build.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// Per dex file.
    pub dex: Vec<DexReport>,
    /// Methods left as they were.
    pub skipped: Vec<SkippedMethod>,
    /// Branch blocks, slots, handlers.
    pub branches: usize,
    /// Call slots.
    pub slots: usize,
    /// Callbacks of the platform with a distribution of what comes next.
    pub next_callbacks: usize,
    /// Handlers.
    pub handlers: usize,
    /// Fused regions.
    pub regions: usize,
    /// Counted loops.
    pub loops: usize,
    /// Calls replaced by their callees' code.
    pub inlined: usize,
    /// Methods that take part without probes, because their calls tell all that they do.
    pub implied: usize,
    /// Methods with a clone that takes the thread's state as a parameter.
    pub clones: usize,
    /// Methods whose selected paths copies of their blocks tell apart.
    pub copied: usize,
    /// Methods whose calls stayed calls because ART's verifier would have refused the code, each
    /// with its objection.
    pub uninlined: Vec<String>,
    /// What was asked for and fits nothing.
    pub warnings: Vec<Warning>,
    /// How the model's history was found.
    pub history: Option<History>,
    /// What of the model's history was not found, the most decisions first; at most ten branches.
    pub lost_history: Vec<LostHistory>,
    /// What the added bytes of the dex files are for, largest first; empty for codec `none`.
    pub growth: Vec<Growth>,
    /// What is to be expected of the build; `None` for codec `none`.
    pub forecast: Option<Forecast>,
}

/// Rewritten dex files.
#[derive(Debug)]
pub struct Output {
    /// By name: the originals in their order.
    pub files: Vec<(String, Vec<u8>)>,
    /// New files to add behind them.
    pub added: Vec<Vec<u8>>,
    /// The map; `None` for codec `none`.
    pub map: Option<PackedMap>,
    /// The report of a build.
    pub report: Report,
}
