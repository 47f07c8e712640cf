//! Hit files.

use decoder::Damage;
use model::hits::{HitFile, HitsError};
use model::map::Map;
use reports::select::PathCountTable;

use super::LogFile;
use crate::error::Result;
use crate::outputs::print::note;

/// Adds up hit files of a build. Also returns the damage in them, which is reported.
///
/// # Errors
/// A file cannot be read, or is of another build.
pub fn path_counts(map: &Map, files: &[LogFile]) -> Result<(PathCountTable, Damage)> {
    let mut counted = PathCountTable::new(map)?;
    let mut damage = Damage::NONE;
    for file in files {
        let name = &file.name;
        let bytes = disk::read(&file.path, disk::MOST).map_err(|e| format!("{name}: {e}"))?;
        let file = match HitFile::parse(&bytes) {
            // Its process ended before it counted anything.
            Err(HitsError::NotBegun) => {
                note(format_args!("{name}: {}", HitsError::NotBegun));
                continue;
            }
            read => read.map_err(|e| format!("{name}: {e}"))?,
        };
        counted.add(&file).map_err(|e| format!("{name}: {e}"))?;
        file.damage.iter().for_each(|damage| note(format_args!("{name}: {damage}")));
        damage += Damage::problems(file.damage.len() as u64);
    }
    Ok((counted, damage))
}
