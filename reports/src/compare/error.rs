//! Errors of comparisons.

use model::map::BuildId;

use super::paths::CALLBACKS;

/// Reason why sessions cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// A session of a build whose map was not given.
    #[error("a session of build {0}, whose map is not given")]
    Build(BuildId),
    /// A session with more callbacks than memory is meant for.
    #[error("process {0} has more than {CALLBACKS} callbacks; two such sessions are not compared")]
    Callbacks(u32),
}
