//! The whole job on one app: rewrite the dex files of its packages, pack and sign them.

use std::collections::BTreeSet;

use apk::{Apk, ApkError, AppSet, Container, Manifest, SchemeSet, Signer};
use model::map::Codec;
use model::packed_map::PackedMap;
use serde::Serialize;

use crate::error::InstrumentError;
use crate::instrument::instrument_with;
use crate::options::{NamesInTexts, Options, RuntimeHome, X86Safe};
use crate::report::Report;
use crate::warnings::Warning;
use crate::whole::{AllDex, dex_files, split_name, whole_manifest};

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
         with its base only: give all APKs of the app together, or one that holds everything \
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
    /// Logs are to go to the app's folder, and there is no app.
    #[error(
        "{file}: --logs external needs an Android app, whose package name is that of its folder on \
         shared storage"
    )]
    NoFolder {
        /// The package.
        file: String,
    },
    /// No method carries probes: a build that records nothing.
    #[error("{file}: nothing to instrument: {why}")]
    Nothing {
        /// The package.
        file: String,
        /// Why.
        why: Nothing,
    },
    /// Classes need a further dex file, which ART would not load, or not alone.
    #[error(
        "{file}: its classes do not fit its dex files together with the runtime, and its list of \
         dex files ends before {name}, where a new one would go: remove {name} or renumber the files"
    )]
    ListEnds {
        /// The package.
        file: String,
        /// Where the list ends.
        name: String,
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

/// What happened to a package of a set.
#[derive(Debug, Serialize)]
pub struct PackageReport {
    /// Its file.
    pub file: String,
    /// The name of the split; none for the base.
    pub split: Option<String>,
    /// Dex files in it that were rewritten or added.
    pub dex: usize,
    /// Size in bytes before.
    pub bytes_in: usize,
    /// Size in bytes now.
    pub bytes_out: usize,
}

/// What happened to an app.
#[derive(Debug, Serialize)]
pub struct AppReport {
    /// apk, bundle, jar or dex.
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
    /// Entries that were compressed and had to be stored.
    pub unpacked: Vec<apk::Unpacked>,
    /// The packages of a set; empty for a single file.
    pub packages: Vec<PackageReport>,
    /// Size of all input files in bytes.
    pub bytes_in: usize,
    /// Size of all output files in bytes.
    pub bytes_out: usize,
    /// Signature schemes, `v1+v2+v3`; empty when unsigned.
    pub signed: String,
}

/// The result.
#[derive(Debug)]
pub struct AppOutput {
    /// The files to write: as many as were read, in the same order.
    pub files: Vec<Vec<u8>>,
    /// The map, unless the codec is none.
    pub map: Option<PackedMap>,
    /// What happened.
    pub report: AppReport,
}

/// Texts longer than this name no classes.
const TEXT_LIMIT: u64 = 256 << 10;
/// So many bytes of texts are looked at.
const TEXTS_LIMIT: u64 = 8 << 20;

/// The table of resources, which has texts that layouts refer to.
const RESOURCES: &str = "resources.arsc";
/// Each chunk of binary XML begins so.
const BINARY_XML: [u8; 4] = [3, 0, 8, 0];

/// Names out of packages that libraries and the platform look up.
fn names_in(packages: &[Apk]) -> NamesInTexts {
    let (mut classes, mut handlers) = (BTreeSet::new(), BTreeSet::new());
    packages.iter().for_each(|app| read_names(app, &mut classes, &mut handlers));
    NamesInTexts {
        classes: classes.into_iter().collect(),
        handlers: handlers.into_iter().collect(),
    }
}

/// What could be class names in the texts of a package (services, properties, configuration) and
/// in its binary resources; and what of these could be names of methods that a layout calls.
fn read_names(app: &Apk, classes: &mut BTreeSet<String>, handlers: &mut BTreeSet<String>) {
    let is_text = |name: &str| {
        let suffixes = [".properties", ".xml", ".json", ".txt", ".cfg", ".factories"];
        name.contains("META-INF/services/") || suffixes.iter().any(|s| name.ends_with(s))
    };
    let is_part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$');
    let texts = app.small_entries(TEXT_LIMIT, TEXTS_LIMIT, is_text);
    let tables = app.small_entries(TEXTS_LIMIT, TEXTS_LIMIT, |name| name == RESOURCES);
    for (text, is_table) in texts.map(|t| (t, false)).chain(tables.map(|t| (t, true))) {
        if is_table || text.starts_with(&BINARY_XML) {
            let strings = apk::binary_strings(&text).into_iter();
            let words = strings.filter(|s| !s.is_empty() && s.bytes().all(is_part));
            for word in words {
                let names = if word.contains('.') { &mut *classes } else { &mut *handlers };
                names.insert(word);
            }
            continue;
        }
        let words = text.split(|&b| !is_part(b)).filter(|word| word.contains(&b'.'));
        classes.extend(words.filter_map(|word| String::from_utf8(word.to_vec()).ok()));
    }
}

/// Instruments an app. `signer` is asked for only when it is an APK or several; without one the
/// result is unsigned.
///
/// # Errors
/// A package or code that cannot be used; a key that cannot be used.
pub fn instrument_app(
    set: &AppSet,
    options: &Options,
    mut write: apk::WriteOptions,
    signer: impl FnOnce() -> Result<Option<Signer>, apk::SignError>,
) -> Result<AppOutput, AppError> {
    let (base, packages) = (set.base(), set.packages());
    if let Some(manifest) = base.manifest() {
        refuse_split(base.file(), manifest)?;
    }
    let AllDex { loaded, places, ignored, ends, host } = dex_files(set)?;
    let host_package = &packages[host];
    let takes_new = host_package.takes_new_dex();
    let package = base.manifest().map_or(String::new(), |m| m.package.clone());
    let min_sdk = base.manifest().map_or(1, Manifest::min_sdk_or_default);
    let home = match base.container() {
        Container::Dex => RuntimeHome::FirstFile,
        // ART would not load a new file, or load more than it did before.
        Container::Jar | Container::Apk | Container::Bundle if !takes_new => RuntimeHome::FirstFile,
        Container::Jar => RuntimeHome::OwnFile,
        Container::Apk | Container::Bundle if min_sdk < NATIVE_MULTIDEX => RuntimeHome::FirstFile,
        Container::Apk | Container::Bundle => RuntimeHome::OwnFile,
    };
    let mut options = options.clone();
    let entries = packages.iter().flat_map(Apk::entry_names);
    if options.x86_safe == X86Safe::Auto && is_for_x86_alone(entries) {
        options.x86_safe = X86Safe::Always;
    }
    if options.model.is_none() {
        options.names = names_in(packages);
    }
    if options.external {
        if package.is_empty() {
            return Err(AppError::NoFolder { file: base.file().to_owned() });
        }
        options.folder = Some(format!("/sdcard/Android/data/{package}/files"));
    }
    let options = &options;
    let manifest = whole_manifest(set);
    let mut out = instrument_with(loaded, home, &package, manifest.as_ref(), options)
        .map_err(|problem| AppError::Code { file: base.file().to_owned(), problem })?;
    if options.codec != Codec::None
        && let Some(why) = Nothing::of(&out.report)
    {
        return Err(AppError::Nothing { file: base.file().to_owned(), why });
    }
    if base.container() == Container::Dex && !out.added.is_empty() {
        return Err(AppError::SingleFile { file: base.file().to_owned() });
    }
    if !takes_new && !out.added.is_empty() {
        let name = ends.first().map(|end| end.name.clone()).unwrap_or_default();
        return Err(AppError::ListEnds { file: host_package.file().to_owned(), name });
    }
    let added_sizes = out.added.iter().map(Vec::len).collect();
    // The runtime and what finds no room are in the base, which every split can see. Where the base
    // has no code, Android loads none of it: they are in the first split that has some.
    let added: Vec<apk::NewEntry> = out
        .added
        .into_iter()
        .enumerate()
        .map(|(i, bytes)| apk::NewEntry { name: host_package.new_dex_name(i + 1), bytes })
        .collect();
    let mut replaced: Vec<Vec<apk::NewEntry>> = packages.iter().map(|_| Vec::new()).collect();
    for (name, bytes) in out.files {
        let (owner, name) = &places[&name];
        replaced[*owner].push(apk::NewEntry { name: name.clone(), bytes });
    }
    let is_signed = matches!(base.container(), Container::Apk | Container::Bundle);
    let signer = if is_signed { signer()? } else { None };
    let warnings = &mut out.report.warnings;
    warnings.extend(ends.into_iter().map(Warning::of_list_end));
    warnings.extend(base.manifest().and_then(Warning::of_shared_user));
    warnings.extend(signer.as_ref().and_then(Warning::of_key));
    // A set has one signer, so splits are signed as their base.
    write.schemes = write.schemes.or(Some(SchemeSet::for_min_sdk(min_sdk)));
    let (mut written, mut reports, mut signed) = (Vec::new(), Vec::new(), None);
    let (mut dropped, mut unpacked) = (Vec::new(), Vec::new());
    for (number, package) in packages.iter().enumerate() {
        let first = set.first_of(number);
        let is_base = first == set.base_number();
        let (replaced, added) = (&replaced[first], if first == host { &added[..] } else { &[] });
        let new = package.write(replaced, added, &[], signer.as_ref(), write)?;
        reports.push(PackageReport {
            file: package.file().to_owned(),
            split: (!is_base).then(|| split_name(package).to_owned()),
            dex: replaced.len() + added.len(),
            bytes_in: package.size(),
            bytes_out: new.bytes.len(),
        });
        dropped.extend(new.dropped);
        unpacked.extend(new.unpacked);
        signed = signed.or(new.signed);
        written.push(new.bytes);
    }
    let signed = signed.map_or(String::new(), |s| {
        let names = [(s.v1, "v1"), (s.v2, "v2"), (s.v3, "v3")];
        names.iter().filter(|n| n.0).map(|n| n.1).collect::<Vec<_>>().join("+")
    });
    let build = match (&out.map, options.codec) {
        (Some(map), codec) if codec != Codec::None => map.build().to_string(),
        _ => String::new(),
    };
    let files = set.pack(written)?;
    let alone = packages.len() == 1;
    if alone {
        reports.clear();
    }
    let report = AppReport {
        kind: base.container(),
        package,
        build,
        code: out.report,
        added: added_sizes,
        ignored_dex: ignored,
        needs_splits: alone && base.manifest().is_some_and(|m| m.needs_splits),
        dropped,
        unpacked,
        packages: reports,
        bytes_in: set.size(),
        bytes_out: files.iter().map(Vec::len).sum(),
        signed,
    };
    Ok(AppOutput { files, map: out.map, report })
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
        // Of a bundle, the base module's.
        let name = name.strip_prefix("base/").unwrap_or(&name);
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
