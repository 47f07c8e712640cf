//! `pathlight doctor`.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use apk::Signer;
use decoder::Damage;
use decoder::log::Collector;
use device::Adb;
use instrumenter::graphs::app_facts;
use model::counts::CountFile;
use model::hits::HitFile;
use model::map::BuildId;
use model::paths_file::PathsFile;
use model::start_table::{self, StartTable};
use model::{counts, hits, map, profile, trace};
use serde::Serialize;

use super::Result;
use super::instrument::read_model;
use crate::inputs::read_map;
use crate::outputs::Kind;
use crate::print::{Printer, plain, show};

/// Show what is missing (adb, key), what files are, and if they belong together.
#[derive(clap::Args)]
#[command(after_long_help = "\
Nothing is changed, and no key is made. Exit code 1: a file cannot be used, is damaged, or belongs to
another build than the maps that were given.

Examples:
  pathlight doctor
  pathlight doctor app.plmap beta.apk pathlight-*.plt model.json
  pathlight doctor app.plmap session.plt --json")]
pub struct Args {
    /// Maps, packages, trace files, logcat text, count files and models: what each is, and whether
    /// they belong together.
    files: Vec<PathBuf>,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

/// Everything that was found.
#[derive(Debug, Serialize)]
struct Findings {
    /// Version of this program.
    version: &'static str,
    formats: [Format; 4],
    adb: AdbFacts,
    key: KeyFacts,
    files: Vec<FileFacts>,
}

/// Versions of a format that this program reads; it writes the newest.
#[derive(Debug, Serialize)]
struct Format {
    name: &'static str,
    oldest: u64,
    newest: u64,
}

#[derive(Debug, Default, Serialize)]
struct AdbFacts {
    program: Option<PathBuf>,
    version: Option<String>,
    devices: Vec<String>,
    problem: Option<String>,
}

#[derive(Debug, Serialize)]
struct KeyFacts {
    file: Option<PathBuf>,
    made: bool,
    problem: Option<String>,
}

#[derive(Debug, Serialize)]
struct FileFacts {
    file: PathBuf,
    kind: &'static str,
    /// Builds that it is of.
    builds: Vec<String>,
    #[serde(rename = "told")]
    summary: String,
    problem: Option<String>,
    /// Damage in a file that can be used.
    #[serde(skip)]
    damage: Damage,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let mut files: Vec<FileFacts> = args.files.iter().map(|path| look(path)).collect();
    belong(&mut files);
    let unusable = files.iter().filter(|f| f.problem.is_some()).count();
    let found = Findings {
        version: env!("CARGO_PKG_VERSION"),
        formats: [
            Format { name: "maps", oldest: map::OLDEST.into(), newest: map::VERSION.into() },
            Format { name: "logs", oldest: trace::OLDEST.into(), newest: trace::NEWEST.into() },
            Format { name: "models", oldest: profile::VERSION, newest: profile::VERSION },
            Format {
                name: "count files",
                oldest: counts::VERSION.into(),
                newest: counts::VERSION.into(),
            },
        ],
        adb: adb(),
        key: key(),
        files,
    };
    if args.json {
        out.json(&found)?;
    } else {
        show(&found, out)?;
    }
    if unusable > 0 {
        return Err(format!("{unusable} of {} files cannot be used", args.files.len()).into());
    }
    let mut damage = Damage::NONE;
    found.files.iter().for_each(|file| damage += file.damage);
    Ok(damage)
}

fn adb() -> AdbFacts {
    let adb = match Adb::find() {
        Ok(adb) => adb,
        Err(e) => return AdbFacts { problem: Some(e.to_string()), ..AdbFacts::default() },
    };
    let program = Some(adb.program().to_owned());
    let asked = adb.version().and_then(|version| Ok((version, adb.devices()?)));
    match asked {
        Ok((version, devices)) => AdbFacts {
            program,
            version: Some(version),
            devices: devices.iter().map(ToString::to_string).collect(),
            problem: None,
        },
        Err(e) => AdbFacts { program, problem: Some(e.to_string()), ..AdbFacts::default() },
    }
}

fn key() -> KeyFacts {
    match Signer::debug_file() {
        Ok(file) if file.exists() => {
            let problem = file.parent().and_then(|f| Signer::debug_in(f).err());
            KeyFacts { file: Some(file), made: true, problem: problem.map(|e| e.to_string()) }
        }
        Ok(file) => KeyFacts { file: Some(file), made: false, problem: None },
        Err(e) => KeyFacts { file: None, made: false, problem: Some(e.to_string()) },
    }
}

/// Returns the kind of a file and facts about it.
fn look(path: &Path) -> FileFacts {
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
        let file = disk::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
        // A model names its format in its first lines.
        let read = file.take(1 << 12).read_to_end(&mut head);
        read.map_err(|e| format!("{}: {e}", path.display()))?;
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
                let file = PathsFile::from_bytes(&bytes)
                    .map_err(|e| format!("{}: {e}", path.display()))?;
                let summary =
                    format!("{}, {}", file.package, count(file.paths.len(), "path", "paths"));
                facts("selected paths", vec![], summary)
            }
            Some(kind) => {
                return Err(format!("{}: an output ({})", path.display(), kind.name()).into());
            }
            None if counts::is_count_file(&head) => {
                let bytes = disk::read(path, disk::MOST)?;
                let file =
                    CountFile::parse(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
                let mut summary = format!("{} pages", file.pages.len());
                let damage = Damage::problems(file.damage.len() as u64);
                if !damage.is_none() {
                    summary += &format!(", {damage} (`paths analyse` reports each)");
                }
                let builds = vec![file.identity.build.to_string()];
                FileFacts { damage, ..facts("counts", builds, summary) }
            }
            None if hits::is_hit_file(&head) => {
                let bytes = disk::read(path, disk::MOST)?;
                let file =
                    HitFile::parse(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
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
                let table =
                    StartTable::parse(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
                let (changed, all) = (table.changes.len(), table.cells);
                let summary = format!("{}, {changed} of {all} cells learnt", table.id());
                facts("start table", vec![table.build.to_string()], summary)
            }
            None => {
                let mut collector = Collector::new(None);
                collector.add_file(&path.display().to_string(), path)?;
                let (set, processes) = collector.finish_each();
                let builds: BTreeSet<String> = processes.builds().map(|b| b.to_string()).collect();
                if builds.is_empty() {
                    let why = "no file of Pathlight: not a map, package, log, count file, hit file, \
                               model, time tree or selection of paths";
                    return Err(format!("{}: {why}", path.display()).into());
                }
                let (count, slabs) = (processes.len(), set.slabs);
                let mut damage = Damage::of_set(&set);
                for process in processes {
                    damage += Damage::of_process(&process?);
                }
                let noun = if count == 1 { "process" } else { "processes" };
                let mut summary = format!("{count} {noun}, {slabs} slabs");
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

/// Shows what one file is.
///
/// # Errors
/// It is no file of Pathlight, or cannot be used.
pub fn show_file(path: &Path, as_json: bool, out: &mut Printer) -> Result<Damage> {
    let file = look(path);
    if let Some(problem) = file.problem {
        return Err(problem.into());
    }
    if as_json {
        out.json(&file)?;
    } else {
        show!(out, "{}: {}", file.kind, file.summary)?;
        file.builds.iter().try_for_each(|build| show!(out, "build {build}"))?;
    }
    Ok(file.damage)
}

/// A number with its noun.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Looks whether each file is of a build that one of the maps is of.
fn belong(files: &mut [FileFacts]) {
    let of_maps = files.iter().filter(|f| f.kind == "map").flat_map(|f| f.builds.clone());
    let known: BTreeSet<String> = of_maps.collect();
    if known.is_empty() {
        return;
    }
    for file in files.iter_mut().filter(|f| f.problem.is_none() && !f.builds.is_empty()) {
        if !file.builds.iter().any(|b| known.contains(b)) {
            let path = file.file.display();
            file.problem = Some(format!(
                "{path}: of build {}: none of these maps is of it",
                file.builds.join(", ")
            ));
        }
    }
}

fn show(found: &Findings, out: &mut Printer) -> Result {
    let formats: Vec<String> = found
        .formats
        .iter()
        .map(|f| match f.oldest == f.newest {
            true => format!("{} of version {}", f.name, f.newest),
            false => format!("{} of versions {} to {}", f.name, f.oldest, f.newest),
        })
        .collect();
    show!(out, "pathlight {}: reads {}", found.version, formats.join(", "))?;
    let adb = &found.adb;
    if let (Some(program), Some(version)) = (&adb.program, &adb.version) {
        show!(out, "adb: {}, version {version}", program.display())?;
        match &adb.devices[..] {
            [] => show!(out, "no device connected")?,
            devices => show!(out, "devices: {}", devices.join("; "))?,
        }
    }
    if let Some(problem) = &adb.problem {
        show!(out, "adb: {problem}")?;
    }
    let key = &found.key;
    match (&key.file, &key.problem) {
        (_, Some(problem)) => show!(out, "debug key: {problem}")?,
        (Some(file), None) if key.made => show!(out, "debug key: {}", file.display())?,
        (Some(file), None) => {
            show!(out, "debug key: none yet; the first build makes {}", file.display())?;
        }
        (None, None) => {}
    }
    for file in &found.files {
        let builds = match &file.builds[..] {
            [] => String::new(),
            builds => format!(", build {}", builds.join(", ")),
        };
        match &file.problem {
            Some(problem) => show!(out, "✗ {}", plain(problem))?,
            None => {
                let sign = if file.damage.is_none() { "✓" } else { "✗" };
                let (path, kind, summary) = (file.file.display(), file.kind, &file.summary);
                show!(out, "{sign} {path}: {kind}, {summary}{builds}")?;
            }
        }
    }
    Ok(())
}
