//! Warnings: options that match nothing in the app (usually a mistyped name or a file of another
//! app), and content that a build omits or may fail by.

use std::collections::HashSet;
use std::sync::Arc;

use apk::{EndReason, ListEnd, Manifest, Signer};
use model::descriptors::dotted_name;
use rayon::prelude::*;
use serde::Serialize;

use crate::analysis::program::DexFile;
use crate::error::InstrumentError;
use crate::options::{Options, Unmapped};
use crate::plan::distributions::History;
use model::nouns::counted;

/// A problem that does not prevent the build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "kebab-case", tag = "what")]
#[non_exhaustive]
pub enum Warning {
    /// A glob of `include` matches no class.
    #[error("the include glob {glob:?} matches no class of the app")]
    Include {
        /// The glob.
        glob: String,
    },
    /// A glob of `exclude` matches no class.
    #[error("the exclude glob {glob:?} matches no class of the app")]
    Exclude {
        /// The glob.
        glob: String,
    },
    /// The mapping names no class of the app.
    #[error("the mapping names no class of the app: is it the mapping.txt of this build?")]
    Mapping,
    /// The mapping was written by a later R8.
    #[error("the mapping has version {major}.{minor}, newer than 2.2: it is read as version 2.2")]
    MappingVersion {
        /// Major number of the mapping's version.
        major: u32,
        /// Minor number of the mapping's version.
        minor: u32,
    },
    /// Source maps of Kotlin cannot be read.
    #[error(
        "the source maps (SourceDebugExtension) of {classes} {} cannot be read, the first is that \
         of {class}: lines of code that was inlined there stay numbers after the end of its file",
        if *classes == 1 { "class" } else { "classes" }
    )]
    SourceMaps {
        /// Number of classes.
        classes: usize,
        /// First class by name.
        class: String,
    },
    /// The model has no branch of the app.
    #[error(
        "the model has no branch of the app: was it trained with this app, and with the same \
         mapping?"
    )]
    Model,
    /// The model covers less than half of its recorded decisions.
    #[error(
        "the model fits badly: only {percent} % of its decisions are at branches of this app; was \
         it trained with another compiler, or without the same mapping?"
    )]
    ModelFitsBadly {
        /// Share of the model's decisions at branches of this app, in percent, rounded down.
        percent: u64,
    },
    /// Bytes that belong to no section of a DEX file are dropped.
    #[error(
        "{file}: {} that belong to no section of the DEX file are left out; code that reads them \
         (a packer's) will fail",
        counted(*bytes, "byte")
    )]
    Unmapped {
        /// Name of the DEX file.
        file: String,
        /// Number of bytes.
        bytes: usize,
    },
    /// Android does not load some numbered DEX files.
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
        /// The first name that is missing or no DEX file.
        name: String,
        /// Reason why the list ends there.
        reason: EndReason,
        /// Numbered files that are not loaded.
        rest: Vec<String>,
    },
    /// Classes moved out of the first DEX file of an app that may run on Dalvik.
    #[error(
        "classes.dex has no room for the runtime: {} moved to another DEX file ({}). Android 4.4 \
         and earlier load only classes.dex until the app calls MultiDex.install: a class that is \
         needed earlier is not found there; test on such a device, or raise minSdkVersion to 21",
        counted(*classes, "class"),
        first.join(", ") + if *classes > first.len() { ", …" } else { "" }
    )]
    MovedClasses {
        /// Number of classes.
        classes: usize,
        /// Names of some classes, those of the manifest first.
        first: Vec<String>,
    },
    /// Menu items may compute their ids.
    #[error(
        "the app has menu items whose getItemId is more than a getter: menu items are not asked \
         for their ids"
    )]
    MenuIds,
    /// Views may compute their ids.
    #[error(
        "{classes} classes of the app have a getId that is more than a getter: views are not asked \
         for their ids"
    )]
    ViewIds {
        /// Number of classes.
        classes: usize,
    },
    /// The app shares its user id with other apps.
    #[error(
        "the app shares the user id {name}: Android installs it only beside apps of that id with \
         the same signature"
    )]
    SharedUser {
        /// Name of the user id.
        name: String,
    },
    /// The key is too short to be safe.
    #[error(
        "the RSA key has {bits} bits: keys below 2,048 bits can be broken, and then used to sign \
         updates of the app"
    )]
    ShortKey {
        /// Size of the key in bits.
        bits: usize,
    },
    /// A baseline profile cannot be carried over.
    #[error("{file} is left out, so devices compile less of the app ahead of time: {problem}")]
    BaselineProfile {
        /// Name of the profile.
        file: String,
        /// The problem.
        problem: String,
    },
    /// Debug info cannot be read.
    #[error(
        "the debug info of {} is malformed and left out: stack traces have no lines there",
        counted(*methods, "method")
    )]
    DebugInfo {
        /// Number of methods with malformed debug info.
        methods: usize,
    },
}

impl Warning {
    /// Warns of numbered DEX files that are not loaded.
    pub(crate) fn of_list_end(ListEnd { name, reason, rest }: ListEnd) -> Warning {
        Warning::DexListEnd { name, reason, rest }
    }

    /// Warns of a shared user id in the manifest.
    pub(crate) fn of_shared_user(manifest: &Manifest) -> Option<Warning> {
        manifest.shared_user_id.clone().map(|name| Warning::SharedUser { name })
    }

    /// Warns of a key that is too short.
    pub(crate) fn of_key(signer: &Signer) -> Option<Warning> {
        const SAFE_BITS: usize = 2048;
        let bits = signer.rsa_bits().filter(|&bits| bits < SAFE_BITS)?;
        Some(Warning::ShortKey { bits })
    }

    /// Warns of classes, given as descriptors, that moved out of the first file.
    pub(crate) fn of_moved(moved: &[String], manifest: Option<&Manifest>) -> Option<Warning> {
        const NAMED: usize = 5;
        if moved.is_empty() {
            return None;
        }
        let mut names: Vec<String> = moved.iter().map(|class| dotted_name(class)).collect();
        let started: HashSet<&str> = manifest.into_iter().flat_map(Manifest::classes).collect();
        names.sort_by_key(|name| !started.contains(&**name));
        names.truncate(NAMED);
        Some(Warning::MovedClasses { classes: moved.len(), first: names })
    }
}

/// Lists names, followed by the verb that fits their number.
fn listed(names: &[String], one: &str, several: &str) -> String {
    format!("{} {}", names.join(", "), if names.len() == 1 { one } else { several })
}

/// Refuses DEX files with content outside every section, or warns of its loss.
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
    // Collecting in order makes the first of several failing files the reported one.
    let found: Vec<Result<Option<Warning>, InstrumentError>> = found.collect();
    found.into_iter().filter_map(Result::transpose).collect()
}

/// Warns of methods that lost malformed debug info.
pub(crate) fn of_debug_info(methods: usize) -> Option<Warning> {
    (methods > 0).then_some(Warning::DebugInfo { methods })
}

/// Warns of globs and of a mapping that match no class.
pub(crate) fn of_names(files: &[DexFile], options: &Options) -> Vec<Warning> {
    let classes: Vec<_> =
        files.iter().flat_map(|f| f.dex.classes.iter().map(|c| f.dex.type_name(c.ty))).collect();
    let names: Vec<String> = classes.iter().map(|class| dotted_name(class)).collect();
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

/// The begin of the source file that R8 gives classes: the id of the mapping follows.
pub(crate) const R8_ID: &str = "r8-map-id-";

/// Refuses a mapping of another build. R8 gives classes the mapping's id as their source file.
pub(crate) fn check_mapping(files: &[DexFile], options: &Options) -> Result<(), InstrumentError> {
    let Some(mapping) = options.mapping.as_ref().and_then(|m| m.id()) else { return Ok(()) };
    let mut other = None;
    for file in files {
        for class in file.dex.classes.iter().filter_map(|c| c.source_file) {
            let name = file.dex.string(class);
            let Some(id) = name.strip_prefix(R8_ID) else { continue };
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

/// Share of a model's decisions below which the model fits badly.
const FITS: f64 = 0.5;

/// Warns of a model that fits no branch, or few of those that were recorded.
pub(crate) fn of_model(history: Option<History>) -> Option<Warning> {
    let h = history?;
    if h.exact + h.by_fingerprint + h.similar + h.moved == 0 && h.none > 0 {
        return Some(Warning::Model);
    }
    let badly = h.decisions > 0 && h.coverage() < FITS;
    badly.then(|| Warning::ModelFitsBadly { percent: (100.0 * h.coverage()) as u64 })
}
