//! Predicted properties of a build, and the methods that limits cost it.

use serde::Serialize;

#[cfg(doc)]
use crate::art::{COMPILE_UNITS, INLINE_UNITS};

/// A method that passes [`COMPILE_UNITS`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Crossing {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Code units without probes.
    pub before: u32,
    /// Code units with probes.
    pub after: u32,
    /// True if it was therefore left without probes.
    pub left: bool,
    /// Its share of the executed branches of the model; 0 without a model.
    pub share: f64,
    /// Bits per 1,000 executed branches that its calls add to the log if it has no probes and each
    /// of them is announced; `None` if the model has no counts of it.
    pub announced_rate: Option<f64>,
}

/// A method whose probes were made smaller so that it does not pass [`COMPILE_UNITS`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Simplified {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Code units without probes.
    pub before: u32,
    /// Code units with probes.
    pub after: u32,
    /// True if calls were kept that would have been inlined.
    pub calls_stay: bool,
    /// Number of branches that are coded without their history.
    pub branches: usize,
    /// Share of these branches among the executed branches of the model.
    pub share: f64,
}

/// A limit for which methods are left without probes. Reports name it by its option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum LimitKind {
    /// The largest method that ART compiles.
    #[serde(rename = "--huge-methods")]
    HugeMethods,
    /// The size of the dex files.
    #[serde(rename = "--max-size-growth")]
    SizeGrowth,
    /// The log rate.
    #[serde(rename = "--max-log-rate")]
    LogRate,
    /// The run time.
    #[serde(rename = "--max-slowdown")]
    Slowdown,
}

/// Methods left without probes for one limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GivenUp {
    /// The limit.
    #[serde(rename = "option")]
    pub limit: LimitKind,
    /// Number of methods.
    pub methods: usize,
    /// Number of their branches.
    pub branches: usize,
    /// Share of these branches among the executed branches of the model; without a model, among all
    /// branches.
    pub share: f64,
}

/// Predicted properties of a build.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Forecast {
    /// True if the model's counts weigh the branches; otherwise all branches have equal weight.
    pub by_model: bool,
    /// Number of executed branches in the model; 0 without a model.
    pub executed: u64,
    /// Bits of log per 1,000 branches that the app executes: the sum of the following four.
    pub log_rate: f64,
    /// `log_rate` of the same sessions if the build had no model; 0 without a model.
    pub rate_without_model: f64,
    /// Share of branches, regions and counted loops in `log_rate`.
    pub branch_rate: f64,
    /// Share of calls through slots in `log_rate` (0 without a model).
    pub call_rate: f64,
    /// Share of announced calls in `log_rate`: those in the model, and those from methods that
    /// limits leave without probes (0 without a model).
    pub announced_rate: f64,
    /// Share of callbacks in `log_rate`: their numbers, times, checks and ends, and exceptions (0
    /// without a model).
    pub callback_rate: f64,
    /// Number of bits of one announced call.
    pub announcement: u32,
    /// Code units of all methods with code, before instrumentation.
    pub units_before: u64,
    /// Code units of the same methods after instrumentation; excludes the runtime's own methods.
    pub units_after: u64,
    /// Size of the dex files in bytes, before instrumentation.
    pub dex_before: u64,
    /// Size of the dex files in bytes after instrumentation, including the runtime.
    pub dex_after: u64,
    /// Predicted run time by the model's counts and a table of prices; `None` without a model of
    /// this app, and for codecs that have no prices.
    pub run_time: Option<RunTime>,
    /// Number of methods that ART would have inlined by size and now does not ([`INLINE_UNITS`]).
    pub beyond_inlining: usize,
    /// Methods that pass or would have passed [`COMPILE_UNITS`].
    pub beyond_compiling: Vec<Crossing>,
    /// Methods that would have passed [`COMPILE_UNITS`] and do not because of smaller probes.
    pub simplified: Vec<Simplified>,
    /// Methods left, by option.
    pub given_up: Vec<GivenUp>,
}

/// Run time of the app's own code in the sessions of the model. Code outside the app is a guess for
/// each call; waiting time is excluded.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunTime {
    /// Time with probes per time without, compiled by ART's JIT.
    pub compiled: f64,
    /// Time with probes per time without, on ART's interpreter.
    pub interpreted: f64,
    /// Methods whose probes cost the most time when compiled; at most ten.
    pub most_expensive: Vec<ExpensiveMethod>,
    /// True if every call that can be inlined is inlined to hold a limit.
    pub inlined_more: bool,
}

/// A method whose probes cost much time.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ExpensiveMethod {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Number of its calls that were not inlined.
    pub entries: u64,
    /// Time of its probes, per time of the whole app without any.
    pub added: f64,
    /// Time with probes per time without, compiled; 0 if it has no work without probes.
    pub compiled: f64,
}

/// Part of the runtime in a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuntimeShare {
    /// It is in one of the app's own dex files.
    Merged,
    /// It is in added dex files of this many bytes.
    Added(u64),
}

impl std::fmt::Display for RuntimeShare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RuntimeShare::Merged => f.write_str("with the runtime"),
            RuntimeShare::Added(bytes) => write!(f, "{bytes} bytes for the runtime"),
        }
    }
}

/// A limit that no choice of methods holds.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{} {limit}: {shortfall}", .shortfall.quantity())]
pub struct Unreachable {
    /// The limit.
    pub limit: f64,
    /// The reason.
    pub shortfall: Shortfall,
}

/// The least that a build can reach of a limited quantity.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Shortfall {
    /// Of the growth of the dex files.
    #[error("cannot be reached; with as few probes as possible it is {least:.3} ({runtime})")]
    Size {
        /// Smallest value that can be reached.
        least: f64,
        /// The runtime's part in it.
        runtime: RuntimeShare,
    },
    /// Of the log rate.
    #[error("cannot be reached; the least is {least:.1} bits per 1,000 branches")]
    Rate {
        /// Smallest value that can be reached.
        least: f64,
    },
    /// Of the run time.
    #[error("cannot be reached; the least is {least:.3}")]
    Slowdown {
        /// Smallest value that can be reached.
        least: f64,
    },
    /// Of the run time, without counts that would predict it.
    #[error("no prediction of the run time: no model has counts of this app")]
    Unknown,
}

impl Shortfall {
    /// Returns the limit that is not held.
    pub fn kind(&self) -> LimitKind {
        match self {
            Self::Size { .. } => LimitKind::SizeGrowth,
            Self::Rate { .. } => LimitKind::LogRate,
            Self::Slowdown { .. } | Self::Unknown => LimitKind::Slowdown,
        }
    }

    fn quantity(&self) -> &'static str {
        match self {
            Self::Size { .. } => "size growth",
            Self::Rate { .. } => "log rate",
            Self::Slowdown { .. } | Self::Unknown => "slowdown",
        }
    }
}
