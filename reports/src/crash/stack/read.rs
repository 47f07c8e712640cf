//! Reads files with stack traces.

use model::text::to_text;

use super::elements::{MAX_BYTES, Stack, StackError};
use super::{json, lines};

impl Stack {
    /// All stack traces in a file, in their order: logcat text in any format (lines of other tags
    /// are passed over), what Play Console and Crashlytics show, thread dumps of ANRs, tombstones,
    /// what `printStackTrace` writes, and all of these in JSON, which may also have events of
    /// Sentry. The text is UTF-8 or UTF-16; bytes that are neither are replaced.
    ///
    /// # Errors
    /// A file without any, or one that is too large.
    pub fn read(bytes: &[u8]) -> Result<Vec<Stack>, StackError> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(StackError::TooLarge);
        }
        let text = to_text(bytes);
        let stacks = match json::read(&text)? {
            Some(stacks) => stacks,
            None => lines::read(&text)?,
        };
        if stacks.is_empty() { Err(StackError::None) } else { Ok(stacks) }
    }
}
