//! Folders of source files.

use std::path::PathBuf;

use reports::Sources;

use crate::error::{PathContext, Result};

/// Looks through the folders with sources, if there are any.
pub fn read_sources(folders: &[PathBuf]) -> Result<Option<Sources>> {
    if folders.is_empty() {
        return Ok(None);
    }
    for folder in folders {
        std::fs::read_dir(folder).at(folder)?;
    }
    Ok(Some(Sources::of(folders)))
}
