//! Reading of files with stack traces.

use model::text::to_text;

use super::elements::{MAX_BYTES, Stack, StackError};
use super::{json, lines};

impl Stack {
    /// Returns all stack traces in a file, in order. Supported are logcat text in any format (lines
    /// of other tags are skipped), reports of Play Console and Crashlytics, thread dumps of ANRs,
    /// tombstones, output of `printStackTrace`, and all of these in JSON, which may also have
    /// events of Sentry. The text is UTF-8 or UTF-16; other bytes are replaced.
    ///
    /// # Errors
    /// A file without stack traces, or one that is too large.
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
