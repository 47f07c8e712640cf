//! Ids of builds.

use model::map::BuildId;

/// A build id: 32 hexadecimal digits, with or without `b` before them.
pub fn build(text: &str) -> Result<BuildId, String> {
    let id = text.strip_prefix('b').filter(|id| id.len() == 32).unwrap_or(text);
    id.parse().map_err(|()| "32 hex digits are a build id".into())
}
