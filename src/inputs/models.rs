//! Models, selected paths and mappings.

use std::path::Path;

use model::mapping::Mapping;
use model::paths_file::PathsFile;
use model::profile::Profile;

use crate::error::{PathContext, Result};

/// Reads a model; errors name the file.
pub fn read_model(path: &Path) -> Result<Profile> {
    let bytes = disk::read(path, disk::MOST).at(path)?;
    Ok(Profile::from_bytes(&bytes).at(path)?)
}

/// Reads selected paths; errors name the file.
pub fn read_paths(path: &Path) -> Result<PathsFile> {
    let bytes = disk::read(path, disk::MOST).at(path)?;
    Ok(PathsFile::from_bytes(&bytes).at(path)?)
}

/// Reads an R8 mapping; errors name the file.
pub fn read_mapping(path: &Path) -> Result<Mapping> {
    let file = disk::open(path).at(path)?;
    let read = Mapping::read(std::io::BufReader::new(file));
    Ok(read.at(path)?)
}
