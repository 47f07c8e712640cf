//! Counts of paths and of edges, of the logs and count files of up to two builds.

use std::path::PathBuf;

use decoder::Damage;
use decoder::crew::Cores;
use decoder::replay::Program;
use model::map::Map;
use model::recording::Recording;
use reports::analyse::{EdgeCounts, Evidence, PathCounts};

use super::counts;
use super::decoded::decoded;
use super::{FoundMap, LogFile, LogFiles};
use crate::error::Result;

/// Logs and count files, and the maps of the builds that wrote them.
pub struct EvidenceFiles {
    /// The map whose methods are analysed: that of the logs, if there are any.
    pub map: Map,
    pub logs: Vec<LogFile>,
    files: Vec<LogFile>,
    /// Holds their temporary copies.
    _found: LogFiles,
    /// The map of the count files, if it is another one.
    counting: Option<Map>,
}

/// Counts of the paths in logs, and of edges in count files.
pub struct EvidenceCounts<'p, 'm> {
    logs: Option<PathCounts<'p, 'm>>,
    counts: Option<EdgeCounts<'m>>,
}

impl EvidenceFiles {
    /// Reads the maps, and separates logs from count files.
    pub fn read(maps: &[PathBuf], arguments: &[PathBuf]) -> Result<EvidenceFiles> {
        let found = LogFiles::find(arguments)?;
        let (logs, files) = found.split_counts();
        let mut maps = super::maps_of(maps, &[&found])?;
        let counts = |found: &FoundMap| found.map.recording == Recording::Edges;
        let (map, counting) = match &maps[..] {
            [_] => (maps.remove(0).map, None),
            [first, second] if counts(first) != counts(second) => {
                maps.sort_by_key(counts);
                let (counting, logging) = (maps.remove(1).map, maps.remove(0).map);
                match (logs.is_empty(), files.is_empty()) {
                    (true, _) => (counting, None),
                    (false, true) => (logging, None),
                    (false, false) => (logging, Some(counting)),
                }
            }
            several => return Err(super::several(several).into()),
        };
        Ok(EvidenceFiles { map, logs, files, counting, _found: found })
    }

    /// Decodes and adds up. Also gives the damage in the inputs.
    pub fn counted<'m, 'p>(
        &'m self,
        program: &'p Program<'m>,
        cores: &Cores,
    ) -> Result<(EvidenceCounts<'p, 'm>, Damage)> {
        let counting = self.counting.as_ref().map(Program::new);
        let of = counting.as_ref().unwrap_or(program);
        let mut damage = Damage::NONE;
        let mut count = || -> Result<_> {
            let (tally, found) = counts::tally(of, &self.files)?;
            damage += found;
            Ok(EdgeCounts::new(of.map, &tally)?)
        };
        let counts = (!self.files.is_empty()).then(&mut count).transpose()?;
        if self.logs.is_empty() {
            return Ok((EvidenceCounts { logs: None, counts }, damage));
        }
        let add = |all: &mut PathCounts<'p, 'm>, one: &mut PathCounts<'p, 'm>| all.merge(one);
        let new = || PathCounts::new(program);
        let (logs, found) = decoded(&self.map, program, &self.logs, cores, new, add)?;
        damage += found;
        Ok((EvidenceCounts { logs: Some(logs), counts }, damage))
    }
}

impl<'p, 'm> EvidenceCounts<'p, 'm> {
    /// The same, to look at.
    pub fn evidence(&self, map: &'m Map) -> Evidence<'_, 'p, 'm> {
        Evidence { map, logs: self.logs.as_ref(), counts: self.counts.as_ref() }
    }
}
