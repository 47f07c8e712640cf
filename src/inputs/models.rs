//! Models, selected paths and mappings.

use std::path::Path;

use model::mapping::Mapping;
use model::paths_file::PathsFile;
use model::profile::Profile;

use crate::error::Result;

/// Reads a model; errors name the file.
pub fn read_model(path: &Path) -> Result<Profile> {
    let bytes = disk::read(path, disk::MOST).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Profile::from_bytes(&bytes).map_err(|e| format!("{}: {e}", path.display()))?)
}

/// Reads selected paths; errors name the file.
pub fn read_paths(path: &Path) -> Result<PathsFile> {
    let bytes = disk::read(path, disk::MOST).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(PathsFile::from_bytes(&bytes).map_err(|e| format!("{}: {e}", path.display()))?)
}

/// Reads an R8 mapping; errors name the file.
pub fn read_mapping(path: &Path) -> Result<Mapping> {
    let file = disk::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let read = Mapping::read(std::io::BufReader::new(file));
    Ok(read.map_err(|e| format!("{}: {e}", path.display()))?)
}
