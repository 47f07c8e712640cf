//! Errors of building and querying a time tree.

use std::io;
use std::path::PathBuf;

/// Reasons why a time tree cannot be built or queried.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An error of a file.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error.
        source: Box<Error>,
    },
    /// No time tree, or one that was not written to its end.
    #[error("no time tree, or one that was not written to its end")]
    NoTree,
    /// A version of the format that this program does not know.
    #[error("version {0} of the format is not known")]
    Version(u8),
    /// A page whose check sum is wrong.
    #[error("page {0} is damaged: its check sum is wrong")]
    Page(u64),
    /// A record that breaks a rule of the format.
    #[error("byte {place} of the contents: {what}")]
    Damaged {
        /// Position in the contents, without check sums.
        place: u64,
        /// The broken rule.
        what: &'static str,
    },
    /// Options outside their ranges.
    #[error("a leaf needs 1 sample, a node 2 children, and 1 to 10,000 of 10,000 parts are kept")]
    Options,
    /// A sample that is earlier than the one before it.
    #[error("a sample at {time} follows one at {last}")]
    TimeRunsBack {
        /// Its time.
        time: u64,
        /// The time of the sample before it.
        last: u64,
    },
    /// The weights of a thread exceed 64 bits.
    #[error("the weights of a thread exceed 64 bits")]
    TooHeavy,
    /// A context that is not in the table.
    #[error("there is no context {0}")]
    NoContext(u32),
    /// A thread that is not there.
    #[error("there is no thread {0}")]
    NoThread(usize),
    /// Rows that no table takes.
    #[error("no table was begun that these rows could follow")]
    NoTable,
    /// An interval without length cannot be compared.
    #[error("an interval without length has nothing to compare")]
    NoLength,
    /// A table with more rows than the format can name.
    #[error("too many {0}")]
    TooMany(&'static str),
}
