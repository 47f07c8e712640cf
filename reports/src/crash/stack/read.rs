//! Reads files with stack traces.

use super::elements::{MAX_BYTES, Stack, StackError};
use super::{lines, sentry};

impl Stack {
    /// All stack traces in a file, in their order: logcat text in any format (lines of other tags
    /// are passed over), what Play Console and Crashlytics show, events of Sentry (JSON), thread
    /// dumps of ANRs, tombstones, and what `printStackTrace` writes. Bytes that are no UTF-8 are
    /// replaced.
    ///
    /// # Errors
    /// A file without any, or one that is too large.
    pub fn read(bytes: &[u8]) -> Result<Vec<Stack>, StackError> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(StackError::TooLarge);
        }
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let stacks = match sentry::read(text)? {
            Some(stacks) => stacks,
            None => lines::read(text)?,
        };
        if stacks.is_empty() { Err(StackError::None) } else { Ok(stacks) }
    }
}
