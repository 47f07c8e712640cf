//! Hit files on the command line.

use decoder::Damage;
use model::hits::{HitFile, HitsError};
use model::map::Map;
use reports::select::PathCountTable;

use super::Result;
use crate::inputs::LogFile;
use crate::print::{Printer, note};

/// Prints what these files have counted, as a table or as JSON.
pub fn run(map: &Map, files: &[LogFile], as_json: bool, out: &mut Printer) -> Result<Damage> {
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
    match as_json {
        true => out.json(&counted)?,
        false => counted.write(out.raw())?,
    }
    Ok(damage)
}
