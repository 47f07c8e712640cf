//! Options that fit nothing in the app: usually a mistyped name, or a file of another app.

use serde::Serialize;

use crate::analysis::program::DexFile;
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
    /// The model.
    #[error(
        "--model knows no branch of the app: was it trained with this app, \
         and with the same --mapping?"
    )]
    Model,
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
    include.chain(exclude).chain(mapping).collect()
}

/// A model that fits no branch.
pub(crate) fn of_model(history: Option<History>) -> Option<Warning> {
    let h = history?;
    (h.exact + h.by_fingerprint + h.moved == 0 && h.none > 0).then_some(Warning::Model)
}
