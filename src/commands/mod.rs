//! One file per command.

use std::path::Path;

pub mod cfg;
pub mod decode;
pub mod inspect;
pub mod instrument;
pub mod train;

/// What a command reports when it fails: one line that names the file and the place.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Writes a file whole or not at all; errors name it.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result {
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        // A pipe, or /dev/null: written to, never replaced by a file.
        return std::fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()).into());
    }
    let mut name = path.file_name().ok_or_else(|| format!("{}: no file name", path.display()))?.to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|e| {
        let _ = std::fs::remove_file(&temporary);
        format!("{}: {e}", path.display()).into()
    })
}
