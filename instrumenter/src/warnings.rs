//! Options that fit nothing in the app: usually a mistyped name, or a file of another app.

use serde::Serialize;

use crate::analysis::program::DexFile;
use crate::error::InstrumentError;
use crate::options::Options;
use crate::plan::distributions::History;

/// An option that changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "kebab-case", tag = "what")]
#[non_exhaustive]
pub enum Warning {
    /// A glob of `include`.
    #[error("--include {glob:?} matches no class of the app")]
    Include {
        /// The glob.
        glob: String,
    },
    /// A glob of `exclude`.
    #[error("--exclude {glob:?} matches no class of the app")]
    Exclude {
        /// The glob.
        glob: String,
    },
    /// The mapping.
    #[error("--mapping names no class of the app: is it the mapping.txt of this build?")]
    Mapping,
    /// A mapping of a later R8.
    #[error("--mapping has version {major}.{minor}; this program knows 2.2, and reads it as such")]
    MappingVersion {
        /// Its version.
        major: u32,
        /// The part behind the dot.
        minor: u32,
    },
    /// The model.
    #[error(
        "--model knows no branch of the app: was it trained with this app, \
         and with the same --mapping?"
    )]
    Model,
    /// The model covers less than half of what it saw.
    #[error(
        "--model fits badly: only {percent} % of the decisions that it saw were at branches of this \
         app; was it trained with another compiler, or without the same --mapping?"
    )]
    ModelFitsBadly {
        /// Rounded down.
        percent: u64,
    },
}

/// Globs and a mapping that fit no class.
pub(crate) fn of_names(files: &[DexFile], options: &Options) -> Vec<Warning> {
    let classes: Vec<_> =
        files.iter().flat_map(|f| f.dex.classes.iter().map(|c| f.dex.type_name(c.ty))).collect();
    let dotted: Vec<String> = classes
        .iter()
        .map(|c| c.trim_start_matches('L').trim_end_matches(';').replace('/', "."))
        .collect();
    let unused = |glob: &&String| !dotted.iter().any(|c| glob_match::glob_match(glob, c));
    let include =
        options.include.iter().filter(unused).map(|g| Warning::Include { glob: g.clone() });
    let exclude =
        options.exclude.iter().filter(unused).map(|g| Warning::Exclude { glob: g.clone() });
    let knows = |m: &model::mapping::Mapping| classes.iter().any(|c| m.has_class(c));
    let mapping = options.mapping.as_ref().filter(|m| !knows(m)).map(|_| Warning::Mapping);
    let newer = options.mapping.as_ref().and_then(|m| m.newer_version());
    let newer = newer.map(|(major, minor)| Warning::MappingVersion { major, minor });
    include.chain(exclude).chain(mapping).chain(newer).collect()
}

/// Refuses a mapping of another build. R8 gives classes the mapping's id as their source file.
pub(crate) fn check_mapping(files: &[DexFile], options: &Options) -> Result<(), InstrumentError> {
    let Some(mapping) = options.mapping.as_ref().and_then(|m| m.id()) else { return Ok(()) };
    let mut other = None;
    for file in files {
        for class in file.dex.classes.iter().filter_map(|c| c.source_file) {
            let name = file.dex.string(class);
            let Some(id) = name.strip_prefix("r8-map-id-") else { continue };
            if id == mapping {
                return Ok(());
            }
            other.get_or_insert_with(|| id.to_owned());
        }
    }
    match other {
        Some(app) => Err(InstrumentError::Mapping { mapping: mapping.to_owned(), app }),
        None => Ok(()),
    }
}

/// The share of a model's decisions below which it fits badly.
const FITS: f64 = 0.5;

/// A model that fits no branch, or few that matter.
pub(crate) fn of_model(history: Option<History>) -> Option<Warning> {
    let h = history?;
    if h.exact + h.by_fingerprint + h.similar + h.moved == 0 && h.none > 0 {
        return Some(Warning::Model);
    }
    let badly = h.decisions > 0 && h.coverage() < FITS;
    badly.then(|| Warning::ModelFitsBadly { percent: (100.0 * h.coverage()) as u64 })
}
