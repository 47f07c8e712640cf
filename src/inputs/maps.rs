//! Maps: found by the build that wrote the logs.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use model::heads;
use model::map::{BuildId, Map};
use model::recording::Recording;
use model::text::to_utf8;
use model::trace;

use super::logs::LogFiles;
use crate::error::Result;
use crate::outputs::Kind;

/// Bytes that name a map's build.
const HEAD: u64 = 1 << 12;
/// The ending of maps, which counts in folders alone.
const ENDING: &str = "plmap";
/// Maps that a message lists.
const LISTED: usize = 5;

/// A map and its file.
#[derive(Debug)]
pub struct FoundMap {
    /// The file.
    pub path: PathBuf,
    /// Its content.
    pub map: Map,
}

/// Reads a map.
///
/// # Errors
/// It cannot be read, or is another kind of file; the error names the file.
pub fn read_map(path: &Path) -> Result<Map> {
    let name = path.display();
    let bytes = disk::read(path, disk::MOST).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => format!("{name}: there is no such map"),
        _ => format!("{name}: {e}"),
    })?;
    if !bytes.starts_with(model::map::MAGIC) {
        let head = &bytes[..bytes.len().min(HEAD as usize)];
        if heads::build_of_log(head).is_some() || trace::is_trace(head) {
            return Err(format!("{name} is a log, not a map: pass it as LOGS").into());
        }
        if let Some(kind) = Kind::of(&to_utf8(head)) {
            let hint = match kind {
                Kind::Package => "; `instrument` wrote the map beside it",
                _ => "",
            };
            return Err(format!("{name} is {}, not a map{hint}", kind.name()).into());
        }
    }
    Ok(Map::from_bytes(&bytes).map_err(|e| format!("{name}: {e}"))?)
}

/// Finds the map of the one build that wrote these logs. A map that is given alone is taken as it
/// is; of several, and of folders, the one whose build is that of the logs. Where none is given,
/// maps beside the logs and in the current folder are looked at. Count files and hit files beside
/// logs do not count as logs of another build.
///
/// # Errors
/// No map is of the build, or the logs are of several builds whose maps are there.
pub fn map_of(given: &[PathBuf], logs: &[&LogFiles]) -> Result<FoundMap> {
    if let [path] = given
        && !path.is_dir()
    {
        return Ok(FoundMap { path: path.clone(), map: read_map(path)? });
    }
    let mut found = maps_of(given, logs)?;
    let is_traced = |found: &FoundMap| matches!(found.map.recording, Recording::Trace(_));
    if found.iter().any(is_traced) {
        found.retain(is_traced);
    }
    if found.len() > 1 {
        return Err(several(&found).into());
    }
    Ok(found.remove(0))
}

/// Describes that logs are of several builds where a command takes one.
pub fn several(found: &[FoundMap]) -> String {
    let list: Vec<String> =
        found.iter().map(|f| format!("{} ({})", f.path.display(), f.map.build.short())).collect();
    format!(
        "the logs are of {} builds, and this works on one build at a time; pass one of their maps \
         as --map: {}",
        found.len(),
        list.join(", ")
    )
}

/// Finds the map of a build that an index of logs names, as [`map_of`] does: beside the index and
/// in the current folder where none is given.
///
/// # Errors
/// No map is of the build.
pub fn map_of_build(given: &[PathBuf], index: &Path, build: BuildId) -> Result<FoundMap> {
    if let [path] = given
        && !path.is_dir()
    {
        return Ok(FoundMap { path: path.clone(), map: read_map(path)? });
    }
    let (mut searched, mut there): (Vec<PathBuf>, Vec<(PathBuf, BuildId)>) = Default::default();
    for path in given {
        match path.is_dir() {
            true => searched.push(path.clone()),
            false => there.push((path.clone(), read_map(path)?.build)),
        }
    }
    if given.is_empty() {
        let beside = index.parent().filter(|folder| !folder.as_os_str().is_empty());
        searched.extend(beside.map(Path::to_owned));
        searched.push(".".into());
    }
    there.extend(maps_in(&searched));
    match there.iter().find(|(_, of)| *of == build) {
        Some((path, _)) => Ok(FoundMap { path: path.clone(), map: read_map(path)? }),
        None => {
            let named = [(build, index.display().to_string())];
            Err(missing(&named, &searched, &there).into())
        }
    }
}

/// Finds the maps of all builds that wrote these logs, in the order of the maps given; those of
/// no log are left out, unless they were given by name.
///
/// # Errors
/// No map is of a build of these logs; two maps of one build were given by name.
pub fn maps_of(given: &[PathBuf], logs: &[&LogFiles]) -> Result<Vec<FoundMap>> {
    let (named, folders): (Vec<&PathBuf>, Vec<&PathBuf>) =
        given.iter().partition(|path| !path.is_dir());
    let mut found = Vec::new();
    for path in named {
        let map = read_map(path)?;
        if found.iter().any(|f: &FoundMap| f.map.build == map.build) {
            return Err(format!("{}: a map of this build is given twice", path.display()).into());
        }
        found.push(FoundMap { path: path.clone(), map });
    }
    if given.is_empty() || !folders.is_empty() {
        let mut builds: Vec<(BuildId, String)> = Vec::new();
        for logs in logs {
            for (build, name) in logs.builds()? {
                if !builds.iter().any(|(known, _)| *known == build) {
                    builds.push((build, name));
                }
            }
        }
        builds.retain(|(build, _)| found.iter().all(|f| f.map.build != *build));
        let mut searched: Vec<PathBuf> = folders.into_iter().cloned().collect();
        if given.is_empty() {
            searched = logs.iter().flat_map(|logs| logs.folders().to_vec()).collect();
            if searched.iter().all(|folder| folder.as_os_str() != ".") {
                searched.push(".".into());
            }
        }
        let there = maps_in(&searched);
        for (build, _) in &builds {
            if let Some((path, _)) = there.iter().find(|(_, of)| of == build) {
                found.push(FoundMap { path: path.clone(), map: read_map(path)? });
            }
        }
        if found.is_empty() {
            return Err(missing(&builds, &searched, &there).into());
        }
    }
    Ok(found)
}

/// Describes that there is no map, and where it was looked for.
fn missing(
    builds: &[(BuildId, String)],
    searched: &[PathBuf],
    there: &[(PathBuf, BuildId)],
) -> String {
    let folders: Vec<String> = searched.iter().map(|f| f.display().to_string()).collect();
    let folders = folders.join(", ");
    let Some((build, log)) = builds.first() else {
        return format!(
            "no build is known of these logs before they are read, or they have no record: pass \
             the map as --map (maps were looked for in {folders})"
        );
    };
    let mut others: Vec<String> = there
        .iter()
        .take(LISTED)
        .map(|(path, of)| format!("{} is of build {}", path.display(), of.short()))
        .collect();
    if there.len() > LISTED {
        others.push(format!("{} more", there.len() - LISTED));
    }
    let others = match &others[..] {
        [] => "no map is there".into(),
        others => others.join(", "),
    };
    format!(
        "{log} is of build {build}, and no map of it is in {folders} ({others}); pass the map that \
         `instrument` wrote with this build, or its folder, as --map"
    )
}

/// The maps in these folders, by name, with their builds.
fn maps_in(folders: &[PathBuf]) -> Vec<(PathBuf, BuildId)> {
    let mut found = Vec::new();
    for folder in folders {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
            .map(|path| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path))
            .collect();
        paths.sort();
        for path in paths {
            let mut head = Vec::new();
            let read = disk::open(&path).and_then(|f| f.take(HEAD).read_to_end(&mut head));
            if let (Ok(_), Some(build)) = (read, heads::build_of_map(&head)) {
                found.push((path, build));
            }
        }
    }
    found
}

/// Reads which build an index of logs is of.
pub fn build_of_index(path: &Path) -> Result<BuildId> {
    let index = timetree::Index::open(path)?;
    let id = index.head().build_id.as_slice().try_into();
    id.map(BuildId)
        .map_err(|_| format!("{}: an index of samples, not of logs", path.display()).into())
}
