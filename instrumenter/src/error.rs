//! Errors that prevent a build from being written.

use std::ops::Range;

use dex::WriteError;

use crate::cost::forecast::Unreachable;
use crate::plan::selected::Unselectable;
use model::nouns::counted;

/// Errors that prevent a build from being written.
#[derive(Debug, thiserror::Error)]
pub enum InstrumentError {
    /// A dex file that cannot be read.
    #[error("{file}: {problem}")]
    Read {
        /// Name of the dex file.
        file: String,
        /// Cause.
        #[source]
        problem: dex::ReadError,
    },
    /// Bytes that a rewritten file would lose ([`Unmapped`](crate::Unmapped)).
    #[error(
        "{file}: {bytes} between {:#x} and {:#x} belong to no section of the DEX file and would be \
         lost; an app is instrumented before it is packed", within.start, within.end,
        bytes = counted(*bytes, "byte")
    )]
    Unmapped {
        /// Name of the dex file.
        file: String,
        /// Number of bytes.
        bytes: usize,
        /// Range of the file that contains all of them.
        within: Range<usize>,
    },
    /// A dex file that cannot be written.
    #[error("{file}: {problem}")]
    Write {
        /// Name of the dex file.
        file: String,
        /// Cause.
        #[source]
        problem: WriteError,
    },
    /// No classes can be moved to make room for the runtime's references.
    #[error("{file}: no room for the runtime: {problem}")]
    Split {
        /// Name of the dex file.
        file: String,
        /// Cause.
        problem: String,
    },
    /// The input already carries probes.
    #[error("{file} is already instrumented by Pathlight")]
    AlreadyInstrumented {
        /// Name of the dex file.
        file: String,
    },
    /// A trained model that does not fit.
    #[error("the model: {0}")]
    Model(String),
    /// A mapping of another build than the classes.
    #[error(
        "the mapping is of build {mapping}, but the classes are of build {app} (r8-map-id): use \
         the mapping.txt of this build"
    )]
    Mapping {
        /// Id of the mapping (`pg_map_hash`).
        mapping: String,
        /// Id that the classes give as their source file.
        app: String,
    },
    /// A limit that cannot be held.
    #[error(transparent)]
    Limit(#[from] Unreachable),
    /// A path that cannot be counted.
    #[error(transparent)]
    Path(#[from] Box<Unselectable>),
    /// The embedded runtime is damaged.
    #[error("the embedded runtime: {0}")]
    Runtime(String),
}
