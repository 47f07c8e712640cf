//! Errors of a job. An unusable log is no error: it is a row of `errors`.

use std::io;
use std::path::PathBuf;

use model::map::{BuildId, MapError};
use model::profile::ProfileError;
use model::profile::releases::FoldError;
use parquet::errors::ParquetError;
use thiserror::Error;

/// Reasons why a job fails.
#[derive(Debug, Error)]
pub enum Error {
    /// A map, list, model or folder cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// An output cannot be written.
    #[error("{}: cannot write: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// An output cannot be written.
    #[error("{}: cannot write: {source}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The library's error.
        source: ParquetError,
    },
    /// A file of the catalogue is no map.
    #[error("{}: {source}", path.display())]
    Map {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: MapError,
    },
    /// A file of the catalogue is the map of another build than its name names.
    #[error(
        "{}: this is the map of build {build}: its name must be b{build}.plmap",
        path.display()
    )]
    MapName {
        /// The file.
        path: PathBuf,
        /// The build that it is of.
        build: BuildId,
    },
    /// The description of a release in the catalogue is not readable.
    #[error("{}: {what}", path.display())]
    Release {
        /// The file.
        path: PathBuf,
        /// The broken rule.
        what: String,
    },
    /// A file is no model.
    #[error("{}: {source}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: ProfileError,
    },
    /// A model cannot be added.
    #[error("{}: {source}", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: FoldError,
    },
    /// Models cannot be folded.
    #[error("{0}")]
    Fold(#[from] FoldError),
    /// Two builds of the catalogue, and no file gives their order.
    #[error(
        "the order of the releases is unknown: {what}; give each b<id>.json of the catalogue its \
         own version_code, or give the order"
    )]
    Order {
        /// The builds.
        what: String,
    },
    /// Inputs and outputs would mix.
    #[error(
        "{}: the folder of outputs ({}) and this input contain each other: a repetition would read \
         what was written; \
         choose a folder beside it",
        input.display(), out.display()
    )]
    OwnOutput {
        /// The input.
        input: PathBuf,
        /// The folder of outputs.
        out: PathBuf,
    },
    /// A temporary file cannot be made, written or read.
    #[error("temporary file (in {}): {why}", std::env::temp_dir().display())]
    Temporary {
        /// The system's error.
        why: String,
    },
}
