//! The whole job on one file: open the package, rewrite its dex files, pack and sign.

use std::collections::BTreeSet;
use std::path::Path;

use apk::{Apk, ApkError, Container, Manifest, Signer};
use model::map::Codec;
use model::packed_map::PackedMap;
use serde::Serialize;

use crate::error::InstrumentError;
use crate::instrument::instrument_with;
use crate::options::{Options, RuntimeHome, X86Safe};
use crate::report::Report;

/// Android version from which every dex file of a package is loaded without help.
const NATIVE_MULTIDEX: u32 = 21;

/// Why a file could not be instrumented.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The package.
    #[error(transparent)]
    Package(#[from] ApkError),
    /// The key.
    #[error(transparent)]
    Key(#[from] apk::SignError),
    /// Its code.
    #[error("{file}: {problem}")]
    Code {
        /// The package.
        file: String,
        /// What is wrong.
        problem: InstrumentError,
    },
    /// Splits must carry the same signature as their base, and installing one needs the others.
    #[error(
        "{file}: this is the split APK `{split}` of {package}, which Android installs together \
         with its base only. Sets of \
         splits are not supported yet: instrument one APK that holds everything \
         (`bundletool build-apks --mode=universal`)"
    )]
    Split {
        /// The split.
        file: String,
        /// What its manifest calls it.
        split: String,
        /// The app.
        package: String,
    },
    /// No method carries probes: a build that records nothing.
    #[error("{file}: nothing to instrument: {why}")]
    Nothing {
        /// The package.
        file: String,
        /// Why.
        why: Nothing,
    },
    /// A bare dex file has no room for a second one.
    #[error(
        "{file}: its classes do not fit one dex file together with the runtime; give it in a .zip"
    )]
    SingleFile {
        /// The dex file.
        file: String,
    },
}

/// Why no method carries probes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Nothing {
    /// There is no code.
    #[error("no method has code")]
    NoCode,
    /// The user's globs.
    #[error("--include and --exclude leave none of the {0} methods with code")]
    Excluded(usize),
    /// The user's limits.
    #[error("the limits leave none of the {0} methods with code")]
    Limits(usize),
    /// Each was left for a reason of its own.
    #[error("all {methods} methods with code are left as they are, the first because: {reason}")]
    Refused {
        /// Methods with code.
        methods: usize,
        /// The first one's reason.
        reason: String,
    },
}

impl Nothing {
    /// `None` when methods carry probes.
    fn of(report: &Report) -> Option<Nothing> {
        let methods = report.dex.iter().map(|d| d.methods).sum();
        if report.dex.iter().any(|d| d.instrumented > 0) {
            return None;
        }
        let left = || report.skipped.iter().filter(|s| !s.by_user);
        Some(match left().find(|s| !s.by_limit) {
            _ if methods == 0 => Nothing::NoCode,
            Some(first) => Nothing::Refused { methods, reason: first.reason.clone() },
            None if left().next().is_some() => Nothing::Limits(methods),
            None => Nothing::Excluded(methods),
        })
    }
}

/// What happened to a package.
#[derive(Debug, Serialize)]
pub struct AppReport {
    /// apk, jar or dex.
    pub kind: Container,
    /// Package name, empty without a manifest.
    pub package: String,
    /// Build id (empty for codec none).
    pub build: String,
    /// The code.
    #[serde(flatten)]
    pub code: Report,
    /// Dex files added behind the others: their sizes.
    pub added: Vec<usize>,
    /// Dex-like entries that Android does not load by itself; left as they were.
    pub ignored_dex: Vec<String>,
    /// Android installs this app together with its splits only, and they must be signed with the
    /// same key.
    pub needs_splits: bool,
    /// Entries left out, with reasons.
    pub dropped: Vec<apk::Dropped>,
    /// Size of the input file in bytes.
    pub bytes_in: usize,
    /// Size of the output file in bytes.
    pub bytes_out: usize,
    /// Signature schemes, `v1+v2+v3`; empty when unsigned.
    pub signed: String,
}

/// The result.
#[derive(Debug)]
pub struct AppOutput {
    /// The package.
    pub bytes: Vec<u8>,
    /// The map, unless the codec is none.
    pub map: Option<PackedMap>,
    /// What happened.
    pub report: AppReport,
}

/// Texts longer than this name no classes.
const TEXT_LIMIT: u64 = 256 << 10;
/// So many bytes of texts are looked at.
const TEXTS_LIMIT: u64 = 8 << 20;

/// What could be class names in the texts of a package: services, properties, configuration.
fn class_names(app: &Apk) -> Vec<String> {
    let is_text = |name: &str| {
        let suffixes = [".properties", ".xml", ".json", ".txt", ".cfg", ".factories"];
        name.starts_with("META-INF/services/") || suffixes.iter().any(|s| name.ends_with(s))
    };
    let is_part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$');
    let mut names = BTreeSet::new();
    for text in app.small_entries(TEXT_LIMIT, TEXTS_LIMIT, is_text) {
        let words = text.split(|&b| !is_part(b)).filter(|word| word.contains(&b'.'));
        names.extend(words.filter_map(|word| String::from_utf8(word.to_vec()).ok()));
    }
    names.into_iter().collect()
}

/// Instruments a package. `signer` is asked for only when the package is an APK; without one the
/// result is unsigned.
///
/// # Errors
/// A package or code that cannot be used; a key that cannot be used.
pub fn instrument_app(
    path: &Path,
    options: &Options,
    write: apk::WriteOptions,
    signer: impl FnOnce() -> Result<Option<Signer>, apk::SignError>,
) -> Result<AppOutput, AppError> {
    let app = Apk::read(path)?;
    if let Some(manifest) = app.manifest() {
        refuse_split(app.file(), manifest)?;
    }
    let bytes_in = std::fs::metadata(path).map_or(0, |m| m.len() as usize);
    let dex = app.dex_files()?;
    let package = app.manifest().map_or(String::new(), |m| m.package.clone());
    let home = match app.container() {
        Container::Dex => RuntimeHome::FirstFile,
        Container::Jar => RuntimeHome::OwnFile,
        Container::Apk
            if app.manifest().is_some_and(|m| m.min_sdk_or_default() < NATIVE_MULTIDEX) =>
        {
            RuntimeHome::FirstFile
        }
        Container::Apk => RuntimeHome::OwnFile,
    };
    let count = dex.loaded.len();
    let safe = options.x86_safe == X86Safe::Auto && is_for_x86_alone(app.entry_names());
    let mut options = options.clone();
    if safe {
        options.x86_safe = X86Safe::Always;
    }
    if options.model.is_none() {
        options.class_names = class_names(&app);
    }
    let options = &options;
    let inputs = dex.loaded.into_iter().map(|f| (f.name, f.bytes)).collect();
    let out = instrument_with(inputs, home, &package, app.manifest(), options)
        .map_err(|problem| AppError::Code { file: app.file().to_owned(), problem })?;
    if options.codec != Codec::None
        && let Some(why) = Nothing::of(&out.report)
    {
        return Err(AppError::Nothing { file: app.file().to_owned(), why });
    }
    if app.container() == Container::Dex && !out.added.is_empty() {
        return Err(AppError::SingleFile { file: app.file().to_owned() });
    }
    let replaced: Vec<apk::NewEntry> =
        out.files.into_iter().map(|(name, bytes)| apk::NewEntry { name, bytes }).collect();
    let added_sizes = out.added.iter().map(Vec::len).collect();
    let added: Vec<apk::NewEntry> = out
        .added
        .into_iter()
        .enumerate()
        .map(|(i, bytes)| apk::NewEntry { name: apk::dex_name(count + i + 1), bytes })
        .collect();
    let signer = if app.container() == Container::Apk { signer()? } else { None };
    let written = app.write(&replaced, &added, &[], signer.as_ref(), write)?;
    let signed = written.signed.map_or(String::new(), |s| {
        let names = [(s.v1, "v1"), (s.v2, "v2"), (s.v3, "v3")];
        names.iter().filter(|n| n.0).map(|n| n.1).collect::<Vec<_>>().join("+")
    });
    let build = match (&out.map, options.codec) {
        (Some(map), codec) if codec != Codec::None => map.build().to_string(),
        _ => String::new(),
    };
    let report = AppReport {
        kind: app.container(),
        package,
        build,
        code: out.report,
        added: added_sizes,
        ignored_dex: dex.ignored,
        needs_splits: app.manifest().is_some_and(|m| m.needs_splits),
        dropped: written.dropped,
        bytes_in,
        bytes_out: written.bytes.len(),
        signed,
    };
    Ok(AppOutput { bytes: written.bytes, map: out.map, report })
}

/// A split's code runs with its base's only, and both must be signed alike.
fn refuse_split(file: &str, manifest: &Manifest) -> Result<(), AppError> {
    let Some(split) = manifest.split_name() else { return Ok(()) };
    let (split, package) = (split.to_owned(), manifest.package.clone());
    Err(AppError::Split { file: file.to_owned(), split, package })
}

/// Whether a package with these entries has native libraries, all of them for x86: then it runs on
/// emulators, or not at all.
fn is_for_x86_alone(entries: impl Iterator<Item = String>) -> bool {
    let mut found = false;
    for name in entries {
        let Some((abi, file)) = name.strip_prefix("lib/").and_then(|rest| rest.split_once('/'))
        else {
            continue;
        };
        if file.ends_with(".so") {
            if !matches!(abi, "x86" | "x86_64") {
                return false;
            }
            found = true;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_by_itself_is_refused_with_a_word_on_what_to_do() {
        let base = Manifest { package: "a.b".into(), needs_splits: true, ..Manifest::default() };
        assert!(refuse_split("base.apk", &base).is_ok());
        let feature = Manifest { split: Some("maps".into()), ..base.clone() };
        let config = Manifest { config_for_split: Some(String::new()), ..base };
        for (manifest, name) in [(feature, "`maps` of a.b"), (config, "`configuration` of a.b")] {
            let error = refuse_split("split.apk", &manifest).expect_err("a split").to_string();
            assert!(error.contains(name) && error.contains("--mode=universal"), "{error}");
        }
    }

    #[test]
    fn an_app_is_for_x86_alone_when_all_its_libraries_are() {
        let is = |names: &[&str]| is_for_x86_alone(names.iter().map(|n| (*n).to_owned()));
        assert!(is(&["classes.dex", "lib/x86_64/liba.so", "lib/x86/liba.so"]));
        assert!(!is(&["lib/x86_64/liba.so", "lib/arm64-v8a/liba.so"]));
        assert!(!is(&["lib/x86/readme.txt", "assets/lib/x86/liba.so"]));
        assert!(!is(&["classes.dex"]));
    }
}
