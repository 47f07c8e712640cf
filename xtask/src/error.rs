//! Failures of a task.

use std::io;
use std::path::{Path, PathBuf};

/// The result of a task or of a step of one.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Reasons why a task failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A program could not be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// The program.
        program: String,
        /// The system's error.
        source: io::Error,
    },
    /// A program ended with a failure.
    #[error("{command}: {status}")]
    Failed {
        /// The command line.
        command: String,
        /// Its exit status, and the errors that it printed.
        status: String,
    },
    /// The task lacks something; the text explains how to get it.
    #[error("{0}")]
    Missing(String),
    /// The task ran, and what it checks does not hold.
    #[error("{0}")]
    Wrong(String),
}

/// Names the file in an I/O error.
pub trait PathContext<T> {
    /// Adds the path that the operation was about.
    fn at(self, path: &Path) -> Result<T>;
}

impl<T> PathContext<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|source| Error::Io { path: path.to_owned(), source })
    }
}
