//! Why no build could be written.

use std::ops::Range;

use dex::WriteError;

use crate::cost::forecast::Unreachable;
use crate::nouns::counted;
use crate::plan::selected::Unselectable;

/// Why nothing could be written.
#[derive(Debug, thiserror::Error)]
pub enum InstrumentError {
    /// A dex file that cannot be read.
    #[error("{file}: {problem}")]
    Read {
        /// Which.
        file: String,
        /// What is wrong.
        #[source]
        problem: dex::ReadError,
    },
    /// Bytes that would be lost ([`Unmapped`](crate::Unmapped)).
    #[error(
        "{file}: {bytes} between {:#x} and {:#x} belong to no section of the DEX file and would be \
         lost; an app is instrumented before it is packed", within.start, within.end,
        bytes = counted(*bytes, "byte")
    )]
    Unmapped {
        /// Which file.
        file: String,
        /// How many bytes.
        bytes: usize,
        /// The range of the file that holds all of them.
        within: Range<usize>,
    },
    /// A dex file that cannot be written.
    #[error("{file}: {problem}")]
    Write {
        /// Which.
        file: String,
        /// What is wrong.
        #[source]
        problem: WriteError,
    },
    /// Classes cannot be moved to make room for the runtime's references.
    #[error("{file}: no room for the runtime: {problem}")]
    Split {
        /// Which.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// The input already carries probes.
    #[error("{file} is already instrumented by Pathlight")]
    AlreadyInstrumented {
        /// Which.
        file: String,
    },
    /// A trained model that does not fit.
    #[error("the model: {0}")]
    Model(String),
    /// A mapping of another build.
    #[error(
        "--mapping is of build {mapping}, but the classes are of build {app} (r8-map-id): take the mapping.txt of this build"
    )]
    Mapping {
        /// The id in the mapping (`pg_map_hash`).
        mapping: String,
        /// The id that classes name as their source file.
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
