//! Report of a build.

use model::packed_map::PackedMap;
use serde::Serialize;

use crate::baseline::RanMethod;
use crate::cost::forecast::Forecast;
use crate::cost::growth::Growth;
#[cfg(doc)]
use crate::options::Limits;
use crate::plan::distributions::{History, LostHistory};
use crate::warnings::Warning;

/// Counts of one dex file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DexReport {
    /// File name.
    pub name: String,
    /// Number of classes.
    pub classes: usize,
    /// Number of methods with code.
    pub methods: usize,
    /// Number of methods that take part, including those without probes; with codec `none`, of
    /// methods that were reassembled.
    pub instrumented: usize,
    /// Number of instructions in the original.
    pub instructions: usize,
    /// Size of the original in bytes.
    pub bytes_in: usize,
    /// Size of the rewritten file in bytes.
    pub bytes_out: usize,
}

/// A method left unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedMethod {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Reason why it is unchanged.
    pub reason: String,
    /// True if the reason is a limit ([`Limits`]): given up, not refused.
    pub by_limit: bool,
    /// True if the reason is an include or exclude glob.
    pub by_user: bool,
}

/// Report of a build.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// Counts per dex file.
    pub dex: Vec<DexReport>,
    /// Methods left unchanged.
    pub skipped: Vec<SkippedMethod>,
    /// Number of branch blocks.
    pub branches: usize,
    /// Number of call slots.
    pub slots: usize,
    /// Number of platform callbacks with a distribution of the next callback.
    pub next_callbacks: usize,
    /// Number of handlers.
    pub handlers: usize,
    /// Number of fused regions.
    pub regions: usize,
    /// Number of counted loops.
    pub loops: usize,
    /// Number of calls replaced by their callees' code.
    pub inlined: usize,
    /// Number of methods that take part without probes because their calls already determine their
    /// path.
    pub implied: usize,
    /// Number of methods with a clone that takes the thread's state as a parameter.
    pub clones: usize,
    /// Number of methods whose selected paths are tracked by copies of their blocks.
    pub copied: usize,
    /// Methods whose calls were not inlined because ART's verifier would have rejected the code,
    /// each with the verifier's objection.
    pub uninlined: Vec<String>,
    /// Problems that did not prevent the build.
    pub warnings: Vec<Warning>,
    /// Match of the model's history with the app.
    pub history: Option<History>,
    /// Branches of the model's history without a match in the app, most decisions first; at most
    /// ten.
    pub lost_history: Vec<LostHistory>,
    /// Purposes of the added bytes of the dex files, largest first; empty for codec `none`.
    pub growth: Vec<Growth>,
    /// Predicted size, log rate and run time of the build; `None` for codec `none`.
    pub forecast: Option<Forecast>,
}

/// Rewritten dex files.
#[derive(Debug)]
pub struct Output {
    /// Rewritten files by name, in the order of the originals.
    pub files: Vec<(String, Vec<u8>)>,
    /// New files to add after them.
    pub added: Vec<Vec<u8>>,
    /// The map; `None` for codec `none`.
    pub map: Option<PackedMap>,
    /// Report of the build.
    pub report: Report,
    /// Methods that ran in the model's sessions; empty without a model, and for other codecs than
    /// `arith`.
    pub(crate) ran: Vec<RanMethod>,
}
