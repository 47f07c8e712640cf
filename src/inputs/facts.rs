//! Facts about files of any kind.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use decoder::Damage;
use decoder::log::Collector;
use instrumenter::graphs::app_facts;
use model::counts::CountFile;
use model::exit_note::{self, ExitNote};
use model::hits::HitFile;
use model::map::BuildId;
use model::paths_file::PathsFile;
use model::start_table::{self, StartTable};
use model::{counts, hits};
use serde::Serialize;

use super::{read_map, read_model};
use crate::error::{PathContext, Result};
use crate::outputs::Kind;
use crate::outputs::print::counted;

/// Facts about a file.
#[derive(Debug, Serialize)]
pub struct FileFacts {
    pub file: PathBuf,
    pub kind: &'static str,
    /// Builds that it is of.
    pub builds: Vec<String>,
    pub summary: String,
    pub problem: Option<String>,
    /// Damage in a file that can be used.
    #[serde(skip)]
    pub damage: Damage,
}

/// Returns the kind of a file and facts about it.
pub fn look(path: &Path) -> FileFacts {
    let facts = |kind, builds, summary| FileFacts {
        file: path.to_owned(),
        kind,
        builds,
        summary,
        problem: None,
        damage: Damage::NONE,
    };
    let of_file = || -> Result<FileFacts> {
        let mut head = Vec::new();
        let file = disk::open(path).at(path)?;
        // A model names its format in its first lines.
        let read = file.take(1 << 12).read_to_end(&mut head);
        read.at(path)?;
        Ok(match Kind::of(&head) {
            Some(Kind::Map) => {
                let map = read_map(path)?;
                let package = if map.package.is_empty() { "no package" } else { &map.package };
                let summary = format!("{package}, codec {}", map.recording);
                facts("map", vec![map.build.to_string()], summary)
            }
            Some(Kind::Package) => {
                let app = app_facts(path)?;
                let name = if app.package.is_empty() { "no package" } else { &app.package };
                let state = if app.build.is_some() { "instrumented" } else { "not instrumented" };
                facts("package", app.build.into_iter().collect(), format!("{name}, {state}"))
            }
            Some(Kind::Model) => {
                let model = read_model(path)?;
                let noun = if model.sessions == 1 { "session" } else { "sessions" };
                facts("model", vec![], format!("{} {noun}", model.sessions))
            }
            Some(Kind::TimeTree) => {
                let tree = timetree::Index::open(path)?;
                let build = tree.head().build_id.as_slice().try_into().map(BuildId);
                let summary = if build.is_ok() { "of logs" } else { "of samples" };
                facts("time tree", build.iter().map(BuildId::to_string).collect(), summary.into())
            }
            Some(Kind::Paths) => {
                let bytes = disk::read(path, disk::MOST)?;
                let file = PathsFile::from_bytes(&bytes).at(path)?;
                let summary =
                    format!("{}, {}", file.package, count(file.paths.len(), "path", "paths"));
                facts("selected paths", vec![], summary)
            }
            Some(kind) => {
                return Err(format!("{}: an output ({})", path.display(), kind.name()).into());
            }
            None if counts::is_count_file(&head) => {
                let bytes = disk::read(path, disk::MOST)?;
                let file = CountFile::parse(&bytes).at(path)?;
                let mut summary = counted(file.pages.len(), "page");
                let damage = Damage::problems(file.damage.len() as u64);
                if !damage.is_none() {
                    summary += &format!(", {damage} (`paths analyse` reports each)");
                }
                let builds = vec![file.identity.build.to_string()];
                FileFacts { damage, ..facts("counts", builds, summary) }
            }
            None if hits::is_hit_file(&head) => {
                let bytes = disk::read(path, disk::MOST)?;
                let file = HitFile::parse(&bytes).at(path)?;
                let mut summary = count(file.paths as usize, "counted path", "counted paths");
                let damage = Damage::problems(file.damage.len() as u64);
                if !damage.is_none() {
                    summary += &format!(", {damage} (`decode` reports each)");
                }
                let builds = vec![file.identity.build.to_string()];
                FileFacts { damage, ..facts("hits", builds, summary) }
            }
            None if start_table::is_table(&head) => {
                let file = disk::open(path)?;
                let mut bytes = vec![];
                file.take(start_table::MAX_FILE + 1).read_to_end(&mut bytes)?;
                let table = StartTable::parse(&bytes).at(path)?;
                let (changed, all) = (table.changes.len(), table.cells);
                let summary = format!("{}, {changed} of {all} cells learnt", table.id());
                facts("start table", vec![table.build.to_string()], summary)
            }
            None if exit_note::is_exit_note(&head) => {
                let mut bytes = vec![];
                disk::open(path)?.take(exit_note::SIZE as u64 + 1).read_to_end(&mut bytes)?;
                let note =
                    ExitNote::parse(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
                let ended = reports::exit_words(&note.exit);
                facts("exit note", vec![], format!("process {} ended: {ended}", note.pid))
            }
            None => {
                let mut collector = Collector::new(None);
                collector.add_file(&path.display().to_string(), path)?;
                let (set, processes) = collector.finish_each();
                let builds: BTreeSet<String> = processes.builds().map(|b| b.to_string()).collect();
                if builds.is_empty() {
                    let why = "no file of Pathlight: not a map, package, log, count file, hit \
                               file, model, time tree or selection of paths";
                    return Err(format!("{}: {why}", path.display()).into());
                }
                let (count, slabs) = (processes.len(), set.slabs);
                let mut damage = Damage::of_set(&set);
                for process in processes {
                    damage += Damage::of_process(&process?);
                }
                let mut summary =
                    format!("{}, {}", counted(count, "process"), counted(slabs, "slab"));
                if !damage.is_none() {
                    summary += &format!(", {damage} (`inspect` lists all)");
                }
                FileFacts { damage, ..facts("log", builds.into_iter().collect(), summary) }
            }
        })
    };
    of_file().unwrap_or_else(|e| FileFacts {
        problem: Some(e.to_string()),
        ..facts("unknown", vec![], String::new())
    })
}

/// A number with its noun.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
