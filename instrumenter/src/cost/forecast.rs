//! What is to be expected of a build, and what was given up for it.

use serde::Serialize;

#[cfg(doc)]
use crate::art::{COMPILE_UNITS, INLINE_UNITS};

/// A method that passes [`COMPILE_UNITS`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Crossing {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Code units before.
    pub before: u32,
    /// Code units with probes.
    pub after: u32,
    /// Whether it was left as it was because of that.
    pub left: bool,
    /// Its share of the branches that the model saw executed; 0 without a model.
    pub share: f64,
    /// Bits per 1,000 executed branches that the calls which it makes add to the log where it has
    /// no probes, as each is announced then; `None` if the model has no counts of it.
    pub announced_rate: Option<f64>,
}

/// A method whose probes were made smaller, so that it does not pass [`COMPILE_UNITS`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Simplified {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Code units before.
    pub before: u32,
    /// Code units with probes.
    pub after: u32,
    /// Whether calls were kept that would have been inlined.
    pub calls_stay: bool,
    /// Branches that are coded without their history.
    pub branches: usize,
    /// The share of the branches that the model saw executed which these are.
    pub share: f64,
}

/// What was left without probes to hold a limit.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct GivenUp {
    /// The option.
    pub option: &'static str,
    /// Methods.
    pub methods: usize,
    /// Branches in them.
    pub branches: usize,
    /// The share of the model's executed branches that they have; without a model of all branches.
    pub share: f64,
}

/// What is to be expected of a build.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Forecast {
    /// Whether the model's counts weigh the branches; otherwise each counts as often as any other.
    pub by_model: bool,
    /// Branches that the model saw executed (0 without a model).
    pub executed: u64,
    /// Bits of log per 1,000 branches that the app executes: all of the following.
    pub log_rate: f64,
    /// Of branches, regions and counted loops.
    pub branch_rate: f64,
    /// Of calls through slots (0 without a model).
    pub call_rate: f64,
    /// Of announced calls: those that the model saw, and those out of methods that limits leave
    /// without probes (0 without a model).
    pub announced_rate: f64,
    /// Bits of one announced call.
    pub announcement: u32,
    /// Code units of all methods with code, before.
    pub units_before: u64,
    /// The same after; the runtime's own are not in it.
    pub units_after: u64,
    /// Bytes of dex files before.
    pub dex_before: u64,
    /// The same after, with the runtime.
    pub dex_after: u64,
    /// What the probes take of the app's time, by the model's counts and a table of prices; `None`
    /// without a model of this app, and for codecs that have no prices.
    pub run_time: Option<RunTime>,
    /// Methods that ART would have inlined by size and now does not ([`INLINE_UNITS`]).
    pub beyond_inlining: usize,
    /// Methods that pass or would have passed [`COMPILE_UNITS`].
    pub beyond_compiling: Vec<Crossing>,
    /// Methods that would have passed [`COMPILE_UNITS`], and do not with smaller probes.
    pub simplified: Vec<Simplified>,
    /// What was given up, by option.
    pub given_up: Vec<GivenUp>,
}

/// What the probes take of the app's own time in the sessions of the model: code outside the app is
/// a guess for each call, and what threads wait is not in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunTime {
    /// With probes, per time without, compiled by ART's JIT.
    pub compiled: f64,
    /// The same on ART's interpreter.
    pub interpreted: f64,
    /// Methods whose probes take the most, compiled; at most ten.
    pub dearest: Vec<DearMethod>,
    /// Whether every call that can be inlined is, to hold a limit.
    pub inlined_more: bool,
}

/// A method whose probes take much time.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DearMethod {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// How often it was called and not inlined.
    pub entries: u64,
    /// What its probes add, per time of the whole app without any.
    pub added: f64,
    /// With probes, per time without, compiled; 0 if it does nothing without.
    pub compiled: f64,
}

/// A limit that nothing holds.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unreachable {
    /// The dex files.
    #[error(
        "--max-size-growth {limit}: cannot be reached; with as few probes as possible it is \
         {least:.3} ({runtime} bytes for the runtime)"
    )]
    Size {
        /// What was asked for.
        limit: f64,
        /// What is left.
        least: f64,
        /// Bytes of added dex files.
        runtime: u64,
    },
    /// The log.
    #[error(
        "--max-log-rate {limit}: cannot be reached; the least is {least:.1} bits per 1,000 branches"
    )]
    Rate {
        /// What was asked for.
        limit: f64,
        /// What is left.
        least: f64,
    },
    /// The run time.
    #[error("--max-slowdown {limit}: cannot be reached; the least is {least:.3}")]
    Slowdown {
        /// What was asked for.
        limit: f64,
        /// What is left.
        least: f64,
    },
    /// The run time, of which nothing is known.
    #[error(
        "--max-slowdown {limit}: nothing is known of the run time: --model has no counts of this app"
    )]
    Unknown {
        /// What was asked for.
        limit: f64,
    },
}
