//! Warnings: options that fit nothing in the app (usually a mistyped name, or a file of another
//! app), and what a build leaves out or may fail by.

use std::collections::HashSet;
use std::sync::Arc;

use apk::{EndReason, ListEnd, Manifest, Signer};
use rayon::prelude::*;
use serde::Serialize;

use crate::analysis::program::DexFile;
use crate::error::InstrumentError;
use crate::nouns::counted;
use crate::options::{Options, Unmapped};
use crate::plan::distributions::History;

/// An option that changes nothing, or something of the app that its user should know.
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
    /// Source maps of Kotlin.
    #[error(
        "the source maps (SourceDebugExtension) of {classes} {} cannot be read, the first is that \
         of {class}: lines of code that was inlined there stay numbers after the end of its file",
        if *classes == 1 { "class" } else { "classes" }
    )]
    SourceMaps {
        /// How many.
        classes: usize,
        /// The first by name.
        class: String,
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
    /// Bytes that belong to no section of a DEX file.
    #[error(
        "{file}: {} that belong to no section of the DEX file are left out; code that reads them \
         (a packer's) will fail",
        counted(*bytes, "byte")
    )]
    Unmapped {
        /// The DEX file.
        file: String,
        /// How many.
        bytes: usize,
    },
    /// Numbered DEX files that Android does not load.
    #[error(
        "{name} {}: ART's list of DEX files ends there, so {} copied without probes{}",
        match reason { EndReason::Missing => "is missing", EndReason::NoDex => "is no DEX file" },
        listed(rest, "is", "are"),
        match reason {
            EndReason::Missing => "",
            EndReason::NoDex => " (later versions of ART refuse such an app)",
        }
    )]
    DexListEnd {
        /// The first file that is not loaded.
        name: String,
        /// Why the list ends before it.
        reason: EndReason,
        /// The numbered files that are not loaded.
        rest: Vec<String>,
    },
    /// Classes that moved out of the first DEX file of an app that Dalvik may run.
    #[error(
        "classes.dex has no room for the runtime: {} moved to another DEX file ({}). Android 4.4 and \
         earlier load classes.dex alone, and the rest only when the app calls MultiDex.install: a \
         class that is needed before that is not found there; test on such a device, or raise \
         minSdkVersion to 21",
        counted(*classes, "class"),
        first.join(", ") + if *classes > first.len() { ", …" } else { "" }
    )]
    MovedClasses {
        /// How many.
        classes: usize,
        /// Names of some, those of the manifest first.
        first: Vec<String>,
    },
    /// An app that shares its user id.
    #[error(
        "the app shares the user id {name}: Android installs it only beside apps of that id with \
         the same signature; sign with their key (--ks), or sign them all with this one \
         (--sign-also) and install them anew"
    )]
    SharedUser {
        /// The user id.
        name: String,
    },
    /// A key that is too short to be safe.
    #[error(
        "the RSA key has {bits} bits: keys below 2,048 bits can be broken, and whoever does can sign \
         updates of the app"
    )]
    ShortKey {
        /// Its bits.
        bits: usize,
    },
    /// Debug info that cannot be read.
    #[error(
        "the debug info of {} is malformed and left out: stack traces have no lines there",
        counted(*methods, "method")
    )]
    DebugInfo {
        /// How many methods had it.
        methods: usize,
    },
}

impl Warning {
    /// Numbered DEX files that are not loaded.
    pub(crate) fn of_list_end(ListEnd { name, reason, rest }: ListEnd) -> Warning {
        Warning::DexListEnd { name, reason, rest }
    }

    /// A shared user id in the manifest.
    pub(crate) fn of_shared_user(manifest: &Manifest) -> Option<Warning> {
        manifest.shared_user_id.clone().map(|name| Warning::SharedUser { name })
    }

    /// A key that is too short.
    pub(crate) fn of_key(signer: &Signer) -> Option<Warning> {
        const SAFE_BITS: usize = 2048;
        let bits = signer.rsa_bits().filter(|&bits| bits < SAFE_BITS)?;
        Some(Warning::ShortKey { bits })
    }

    /// Classes that moved out of the first file, as descriptors.
    pub(crate) fn of_moved(moved: &[String], manifest: Option<&Manifest>) -> Option<Warning> {
        const NAMED: usize = 5;
        if moved.is_empty() {
            return None;
        }
        let mut names: Vec<String> = moved.iter().map(|class| dotted(class)).collect();
        let started: HashSet<&str> = manifest.into_iter().flat_map(Manifest::classes).collect();
        names.sort_by_key(|name| !started.contains(&**name));
        names.truncate(NAMED);
        Some(Warning::MovedClasses { classes: moved.len(), first: names })
    }
}

/// `com.example.Foo` of `Lcom/example/Foo;`.
fn dotted(class: &str) -> String {
    class.trim_start_matches('L').trim_end_matches(';').replace('/', ".")
}

/// Names, and the verb that fits their number.
fn listed(names: &[String], one: &str, several: &str) -> String {
    format!("{} {}", names.join(", "), if names.len() == 1 { one } else { several })
}

/// Refuses DEX files with content outside every section, or reports what is left out of them.
pub(crate) fn of_unmapped(
    inputs: &[(String, Arc<Vec<u8>>)],
    options: &Options,
) -> Result<Vec<Warning>, InstrumentError> {
    let found = inputs.par_iter().map(|(name, bytes)| {
        let read = |problem| InstrumentError::Read { file: name.clone(), problem };
        let ranges = dex::unmapped_bytes(bytes).map_err(read)?;
        let (Some(first), Some(last)) = (ranges.first(), ranges.last()) else { return Ok(None) };
        let (file, within) = (name.clone(), first.start..last.end);
        let bytes = ranges.iter().map(ExactSizeIterator::len).sum();
        match options.unmapped {
            Unmapped::Refuse => Err(InstrumentError::Unmapped { file, bytes, within }),
            Unmapped::Drop => Ok(Some(Warning::Unmapped { file, bytes })),
        }
    });
    // Collected in order first, so that of several files always the first is reported.
    let found: Vec<Result<Option<Warning>, InstrumentError>> = found.collect();
    found.into_iter().filter_map(Result::transpose).collect()
}

/// Debug info that was left out of methods, if there are any.
pub(crate) fn of_debug_info(methods: usize) -> Option<Warning> {
    (methods > 0).then_some(Warning::DebugInfo { methods })
}

/// Globs and a mapping that fit no class.
pub(crate) fn of_names(files: &[DexFile], options: &Options) -> Vec<Warning> {
    let classes: Vec<_> =
        files.iter().flat_map(|f| f.dex.classes.iter().map(|c| f.dex.type_name(c.ty))).collect();
    let names: Vec<String> = classes.iter().map(|class| dotted(class)).collect();
    let unused = |glob: &&String| !names.iter().any(|c| glob_match::glob_match(glob, c));
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
