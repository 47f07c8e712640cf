//! Files that outlive a run: maps, models, selected paths, time trees. An existing one is replaced
//! by its own successor alone, as a lost map makes every log of its build unreadable.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use decoder::log::wall_clock;
use model::map::{BuildId, Map};
use model::paths_file::PathsFile;
use model::profile::Profile;
use timetree::Index;

/// The subject of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A map of a build.
    Map {
        /// The build.
        build: BuildId,
        /// The app's package; may be empty.
        package: String,
    },
    /// A model of the sessions of these builds.
    Model(Vec<BuildId>),
    /// Selected paths of the app with this package.
    Paths(String),
    /// A time tree of sessions of this build; of samples, empty.
    TimeTree(Vec<u8>),
}

impl Subject {
    /// Returns what the model is about.
    pub fn of_model(model: &Profile) -> Subject {
        Subject::Model(model.builds.clone())
    }

    /// Reads what a file of the same kind is about; `None` if it is damaged.
    fn of_file(&self, path: &Path) -> Option<Subject> {
        let bytes = || disk::read(path, disk::MOST).ok();
        match self {
            Subject::Map { .. } => {
                let map = Map::from_bytes(&bytes()?).ok()?;
                Some(Subject::Map { build: map.build, package: map.package })
            }
            Subject::Model(_) => Profile::from_bytes(&bytes()?).ok().map(|m| Self::of_model(&m)),
            Subject::Paths(_) => {
                PathsFile::from_bytes(&bytes()?).ok().map(|f| Subject::Paths(f.package))
            }
            Subject::TimeTree(_) => {
                Index::open(path).ok().map(|tree| Subject::TimeTree(tree.head().build_id.clone()))
            }
        }
    }

    /// Returns whether nothing is lost that the new file does not have.
    fn is_continued_by(&self, new: &Subject) -> bool {
        match (self, new) {
            (Subject::Map { build: old, .. }, Subject::Map { build: new, .. }) => old == new,
            (Subject::Model(old), Subject::Model(new)) => {
                !old.is_empty() && old.iter().all(|build| new.contains(build))
            }
            (old, new) => old == new,
        }
    }

    /// Returns what is lost with the file.
    fn loss(&self) -> &'static str {
        match self {
            Subject::Map { .. } => "no log of a build can be decoded without its map",
            Subject::Model(_) => "--model takes the sessions of an older model into the new one",
            Subject::Paths(_) | Subject::TimeTree(_) => "it may be in use",
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Map { build, package } if package.is_empty() => {
                write!(f, "the map of build {build}")
            }
            Subject::Map { build, package } => write!(f, "the map of build {build} of {package}"),
            Subject::Model(builds) => match &builds[..] {
                [] => write!(f, "a model of unknown builds"),
                [build] => write!(f, "the model of build {build}"),
                [.., last] => write!(f, "the model of {} builds up to {last}", builds.len()),
            },
            Subject::Paths(package) if package.is_empty() => {
                write!(f, "selected paths of an app without a package")
            }
            Subject::Paths(package) => write!(f, "selected paths of {package}"),
            Subject::TimeTree(build) if build.is_empty() => {
                write!(f, "a time tree of samples")
            }
            Subject::TimeTree(build) => {
                let id: String = build.iter().map(|b| format!("{b:02x}")).collect();
                write!(f, "a time tree of build {id}")
            }
        }
    }
}

/// A file that would be lost.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: {option} would replace {old}{written} by {new}; {loss}; choose another name, or give \
     --force",
    path.display()
)]
pub struct ReplaceError {
    path: PathBuf,
    option: &'static str,
    old: Box<str>,
    written: Box<str>,
    new: Box<str>,
    loss: &'static str,
}

/// Refuses to replace a file that the new one does not continue.
///
/// # Errors
/// A file that is about something else, or is damaged.
pub fn check(option: &'static str, path: &Path, new: &Subject) -> Result<(), ReplaceError> {
    let Ok(facts) = std::fs::metadata(path) else { return Ok(()) };
    if !facts.is_file() || facts.len() == 0 || disk::is_open_file(path) {
        return Ok(());
    }
    let old = new.of_file(path);
    if old.as_ref().is_some_and(|old| old.is_continued_by(new)) {
        return Ok(());
    }
    let modified = facts.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let written = modified.map_or_else(String::new, |at| {
        let (day, time) = wall_clock(at.as_secs() * 1000);
        let time = time.split('.').next().unwrap_or_default();
        format!(" (written {day} {time} UTC)")
    });
    Err(ReplaceError {
        path: path.to_owned(),
        option,
        old: old.map_or_else(|| "a damaged file".into(), |old| old.to_string().into()),
        written: written.into(),
        new: new.to_string().into(),
        loss: new.loss(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(builds: &[u8]) -> Subject {
        Subject::Model(builds.iter().map(|&n| BuildId([n; 16])).collect())
    }

    #[test]
    fn a_model_is_continued_by_one_that_has_its_builds() {
        assert!(model(&[1]).is_continued_by(&model(&[1])));
        assert!(model(&[1, 2]).is_continued_by(&model(&[1, 2, 3])));
        assert!(!model(&[1, 2]).is_continued_by(&model(&[2])));
        assert!(!model(&[]).is_continued_by(&model(&[1])), "whose sessions it has is unknown");
    }

    #[test]
    fn a_map_is_continued_by_that_of_its_build() {
        let map = |n| Subject::Map { build: BuildId([n; 16]), package: "org.example".into() };
        assert!(map(1).is_continued_by(&map(1)));
        assert!(!map(1).is_continued_by(&map(2)));
    }
}
