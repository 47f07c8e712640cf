//! Passwords of keys.

use std::path::Path;

use crate::error::{Result, Usage};

/// Bytes of a file whose first line is a password.
const LONGEST_PASSWORD_FILE: u64 = 1 << 16;

/// Reads a password; no error shows one.
pub fn password(spec: &str) -> Result<String> {
    match spec.split_once(':') {
        Some(("pass", text)) => Ok(text.to_owned()),
        Some(("env", name)) => {
            Ok(std::env::var(name).map_err(|e| format!("--ks-pass env:{name}: {e}"))?)
        }
        Some(("file", path)) => {
            let bytes = disk::read(Path::new(path), LONGEST_PASSWORD_FILE)
                .map_err(|e| format!("--ks-pass file:{path}: {e}"))?;
            let text = String::from_utf8(model::text::to_utf8(&bytes).into_owned())
                .map_err(|_| format!("--ks-pass file:{path}: not text"))?;
            let line = text
                .lines()
                .next()
                .ok_or_else(|| format!("--ks-pass file:{path}: the file is empty"))?;
            Ok(line.to_owned())
        }
        _ => Err(Usage("--ks-pass must be pass:TEXT, env:VARIABLE or file:PATH").into()),
    }
}
