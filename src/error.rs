//! The error of commands, and of wrong usage.

/// Options that do not go together or cannot be used: exit code 2, as for those that the parser
/// refuses.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub &'static str);

/// The result of a command. Its error is one line that names the file and the place. A command's
/// `run` gives the [`decoder::Damage`] in what it read: `main` makes the exit code of it.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;
