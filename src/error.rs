//! The error of commands, and of wrong usage.

use std::fmt::Display;
use std::path::Path;

/// Options that do not go together or cannot be used: exit code 2, as for those that the parser
/// refuses.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub &'static str);

/// The result of a command. Its error is one line that names the file and the place. A command's
/// `run` gives the [`decoder::Damage`] in what it read: `main` makes the exit code of it.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Names the file that an error is about.
pub trait PathContext<T> {
    /// Puts the file's path before the error.
    ///
    /// # Errors
    /// Those of the result.
    fn at(self, path: &Path) -> std::result::Result<T, String>;
}

impl<T, E: Display> PathContext<T> for std::result::Result<T, E> {
    fn at(self, path: &Path) -> std::result::Result<T, String> {
        self.map_err(|error| format!("{}: {error}", path.display()))
    }
}
