//! Count files on the command line.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use decoder::Damage;
use decoder::replay::Program;
use decoder::tally::Tally;
use model::counts::{CountFile, CountsError, MAGIC, is_count_file};

use super::Result;
use crate::print::note;

/// Whether this is a count file, by its first bytes; one that was not begun, by its name. A pipe is
/// none: it can be opened only once.
fn is_counts(path: &Path) -> bool {
    let mut head = Vec::new();
    let is_file = std::fs::metadata(path).is_ok_and(|m| m.is_file());
    let file = is_file.then(|| File::open(path).ok()).flatten();
    let read = file.and_then(|f| f.take(MAGIC.len() as u64).read_to_end(&mut head).ok());
    let not_begun = || path.extension().is_some_and(|e| e == "plc") && head.iter().all(|b| *b == 0);
    read.is_some() && (is_count_file(&head) || not_begun())
}

/// Inputs of both kinds: logs, and count files.
pub fn split(inputs: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    inputs.iter().cloned().partition(|path| path.as_os_str() == "-" || !is_counts(path))
}

/// Reads a count file; what is wrong with single pages is told. `None` if it was not begun.
fn read(path: &Path, most_bytes: u64) -> Result<Option<CountFile>> {
    let name = path.display();
    let mut bytes = Vec::new();
    disk::open(path)
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
fn add(tally: &mut Tally<'_, '_>, file: &CountFile, path: &Path) -> Result<Damage> {
    let name = path.display();
    tally.add(file).map_err(|e| format!("{name}: {e}"))?;
    file.damage.iter().for_each(|damage| note(format_args!("{name}: {damage}")));
    if file.torn > 0 {
        note(format_args!(
            "{name}: {} pages were being written when the process ended; their counts are \
             those written before",
            file.torn
        ));
    }
    Ok(Damage::problems(file.damage.len() as u64))
}

/// Adds up count files. Damaged pages are reported and left out.
pub fn tally<'p, 'm>(
    program: &'p Program<'m>,
    files: &[PathBuf],
) -> Result<(Tally<'p, 'm>, Damage)> {
    let mut tally = Tally::new(program)?;
    let mut damage = Damage::NONE;
    for path in files {
        if let Some(file) = read(path, tally.most_bytes())? {
            damage += add(&mut tally, &file, path)?;
        }
    }
    if tally.unpaired() > 0 {
        note(format_args!(
            "{} callbacks are in no pair: the file had no room for more pairs",
            tally.unpaired()
        ));
    }
    Ok((tally, damage))
}

/// The same of several builds; what is of another one is reported and left out.
pub fn tallies<'p, 'm>(
    programs: &'p [Program<'m>],
    files: &[PathBuf],
) -> Result<(Vec<Tally<'p, 'm>>, Damage)> {
    let mut damage = Damage::NONE;
    let mut all = programs.iter().map(Tally::new).collect::<std::result::Result<Vec<_>, _>>()?;
    let most_bytes = all.iter().map(Tally::most_bytes).max().unwrap_or(0);
    for path in files {
        let Some(file) = read(path, most_bytes)? else { continue };
        let build = file.identity.build;
        match programs.iter().position(|program| program.map.build == build) {
            Some(at) => damage += add(&mut all[at], &file, path)?,
            None => {
                note(format_args!("{}: of build {build}, whose map is not given", path.display()));
                damage += Damage::problems(1);
            }
        }
    }
    Ok((all, damage))
}
