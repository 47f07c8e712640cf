//! Count files.

use std::io::Read;

use decoder::Damage;
use decoder::replay::Program;
use decoder::tally::Tally;
use model::counts::{CountFile, CountsError};
use model::nouns::there_were;

use super::LogFile;
use crate::error::Result;
use crate::outputs::print::{counted, note};

/// Reads a count file; damage of single pages is reported. `None` if it was not begun.
fn read(file: &LogFile, most_bytes: u64) -> Result<Option<CountFile>> {
    let name = &file.name;
    let mut bytes = Vec::new();
    disk::open(&file.path)
        .and_then(|f| f.take(most_bytes).read_to_end(&mut bytes))
        .map_err(|e| format!("{name}: {e}"))?;
    match CountFile::parse(&bytes) {
        Err(CountsError::NotBegun) => {
            note(format_args!("{name}: {}", CountsError::NotBegun));
            Ok(None)
        }
        read => Ok(Some(read.map_err(|e| format!("{name}: {e}"))?)),
    }
}

/// Adds a file to the counts of its build, and reports what of it is damaged.
fn add(tally: &mut Tally<'_, '_>, file: &CountFile, name: &str) -> Result<Damage> {
    tally.add(file).map_err(|e| format!("{name}: {e}"))?;
    file.damage.iter().for_each(|damage| note(format_args!("{name}: {damage}")));
    if file.torn > 0 {
        note(format_args!(
            "{name}: {} being written when the process ended; counts there are those written \
             before",
            there_were(file.torn, "page")
        ));
    }
    Ok(Damage::problems(file.damage.len() as u64))
}

/// Adds up count files. Damaged pages are reported and left out.
pub fn tally<'p, 'm>(
    program: &'p Program<'m>,
    files: &[LogFile],
) -> Result<(Tally<'p, 'm>, Damage)> {
    let mut tally = Tally::new(program)?;
    let mut damage = Damage::NONE;
    for file in files {
        if let Some(counts) = read(file, tally.most_bytes())? {
            damage += add(&mut tally, &counts, &file.name)?;
        }
    }
    if tally.unpaired() > 0 {
        note(format_args!(
            "in no pair, because the file had no room for more: {}",
            counted(tally.unpaired(), "callback")
        ));
    }
    Ok((tally, damage))
}

/// The same of several builds; what is of another one is reported and left out.
pub fn tallies<'p, 'm>(
    programs: &'p [Program<'m>],
    files: &[LogFile],
) -> Result<(Vec<Tally<'p, 'm>>, Damage)> {
    let mut damage = Damage::NONE;
    let mut all = programs.iter().map(Tally::new).collect::<std::result::Result<Vec<_>, _>>()?;
    let most_bytes = all.iter().map(Tally::most_bytes).max().unwrap_or(0);
    for file in files {
        let Some(counts) = read(file, most_bytes)? else { continue };
        let build = counts.identity.build;
        match programs.iter().position(|program| program.map.build == build) {
            Some(at) => damage += add(&mut all[at], &counts, &file.name)?,
            None => {
                note(format_args!("{}: of build {build}, whose map is not given", file.name));
                damage += Damage::problems(1);
            }
        }
    }
    Ok((all, damage))
}
