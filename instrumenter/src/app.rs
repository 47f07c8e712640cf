//! Instruments one app: rewrites the dex files of its packages, packs and signs them.

use std::collections::BTreeSet;

use apk::{Apk, ApkError, AppSet, Container, Manifest, SchemeSet, Signer};

use model::packed_map::PackedMap;
use model::recording::Recording;
use serde::Serialize;

use crate::baseline::{BaselineReport, NewDex, OldProfiles};
use crate::error::InstrumentError;
use crate::instrument::instrument_with;
use crate::options::{Baseline, NamesInTexts, Options, RuntimeHome, X86Safe};
use crate::packages::{PackageDex, dex_files, split_name, whole_manifest};
use crate::probes::runtime::BuildPackage;
use crate::report::Report;
use crate::warnings::Warning;

/// First API level at which Android loads every dex file of a package without a support library.
const NATIVE_MULTIDEX: u32 = 21;

/// Errors of instrumenting an app's files.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// A package that cannot be read or written.
    #[error(transparent)]
    Package(#[from] ApkError),
    /// A signing key that cannot be used.
    #[error(transparent)]
    Key(#[from] apk::SignError),
    /// Code that cannot be instrumented.
    #[error("{file}: {problem}")]
    Code {
        /// Name of the package's file, as given.
        file: String,
        /// Cause.
        problem: InstrumentError,
    },
    /// A split APK without its base: Android installs them together, and all must carry the same
    /// signature.
    #[error(
        "{file}: this is the split APK `{split}` of {package}, which Android installs together \
         with its base only: give all APKs of the app together, or one that holds everything \
         (`bundletool build-apks --mode=universal`)"
    )]
    Split {
        /// Name of the split's file, as given.
        file: String,
        /// Name of the split in its manifest.
        split: String,
        /// Package name of the app.
        package: String,
    },
    /// Logs cannot go to an app's folder on shared storage because the input is no Android app.
    #[error("{file}: not an Android app, so there is no folder on shared storage for its logs")]
    NoFolder {
        /// Name of the input file, as given.
        file: String,
    },
    /// No method would carry probes: the build would record nothing.
    #[error("{file}: nothing to instrument: {why}")]
    Nothing {
        /// Name of the package's file, as given.
        file: String,
        /// Reason why no method carries probes.
        why: Nothing,
    },
    /// The classes need a further dex file, but ART would not load it, or would load unnumbered
    /// leftovers with it.
    #[error(
        "{file}: its classes do not fit its dex files together with the runtime, and a new dex \
         file cannot be named: the list ends before {name}; remove {name} or renumber the files"
    )]
    ListEnds {
        /// Name of the package's file, as given.
        file: String,
        /// First dex file name that ART's list lacks.
        name: String,
    },
    /// The classes need a second dex file, but the input is a bare dex file.
    #[error(
        "{file}: its classes do not fit one dex file together with the runtime; give it in a .zip"
    )]
    SingleFile {
        /// Name of the dex file, as given.
        file: String,
    },
}

/// Reasons why no method carries probes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Nothing {
    /// The app has no code.
    #[error("no method has code")]
    NoCode,
    /// The include and exclude globs leave no method; the number of methods with code.
    #[error("the include and exclude globs leave none of the {0} methods with code")]
    Excluded(usize),
    /// The limits leave no method; the number of methods with code.
    #[error("the limits leave none of the {0} methods with code")]
    Limits(usize),
    /// Each method is left unchanged for a reason of its own.
    #[error("all {methods} methods with code are left as they are, the first because: {reason}")]
    Refused {
        /// Number of methods with code.
        methods: usize,
        /// Reason of the first method.
        reason: String,
    },
}

impl Nothing {
    /// Returns the reason why no method carries probes, or `None` if some do.
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

/// Counts of one package of a set.
#[derive(Debug, Serialize)]
pub struct PackageReport {
    /// Name of the package's file, as given.
    pub file: String,
    /// Name of the split; `None` for the base.
    pub split: Option<String>,
    /// Number of its dex files that were rewritten or added.
    pub dex: usize,
    /// Size of the input in bytes.
    pub bytes_in: usize,
    /// Size of the output in bytes.
    pub bytes_out: usize,
}

/// Counts and properties of an instrumented app.
#[derive(Debug, Serialize)]
pub struct AppReport {
    /// Kind of the input: apk, bundle, jar or dex.
    pub kind: Container,
    /// Package name, empty without a manifest.
    pub package: String,
    /// Build id (empty for codec none).
    pub build: String,
    /// Report on the code.
    #[serde(flatten)]
    pub code: Report,
    /// Sizes in bytes of the dex files that were added after the existing ones.
    pub added: Vec<usize>,
    /// Dex-like entries that Android does not load by itself; they are copied unchanged.
    pub ignored_dex: Vec<String>,
    /// True if Android installs this app only together with its splits, which then must be signed
    /// with the same key.
    pub needs_splits: bool,
    /// Counts of the baseline profiles; `None` without profiles, or if they are left out.
    pub baseline: Option<BaselineReport>,
    /// Entries left out, with reasons.
    pub dropped: Vec<apk::Dropped>,
    /// Entries that were compressed and had to be stored.
    pub unpacked: Vec<apk::Unpacked>,
    /// Packages of a set; empty for a single file.
    pub packages: Vec<PackageReport>,
    /// Size of all input files in bytes.
    pub bytes_in: usize,
    /// Size of all output files in bytes.
    pub bytes_out: usize,
    /// Signature schemes, such as `v1+v2+v3`; empty when unsigned.
    pub signed: String,
}

/// An instrumented app.
#[derive(Debug)]
pub struct AppOutput {
    /// Files to write: one for each file that was read, in the same order.
    pub files: Vec<Vec<u8>>,
    /// The map, unless the codec is none.
    pub map: Option<PackedMap>,
    /// Report on the app.
    pub report: AppReport,
}

/// Largest text, in bytes, that is searched for class names.
const TEXT_LIMIT: u64 = 256 << 10;
/// Total number of bytes of texts that are searched.
const TEXTS_LIMIT: u64 = 8 << 20;

/// Resource table of a package; it contains the texts that layouts refer to.
const RESOURCES: &str = "resources.arsc";
/// First bytes of each chunk of binary XML.
const BINARY_XML: [u8; 4] = [3, 0, 8, 0];

/// Returns names from packages that libraries and the platform may look up by reflection.
fn names_in(packages: &[Apk]) -> NamesInTexts {
    let (mut classes, mut handlers) = (BTreeSet::new(), BTreeSet::new());
    packages.iter().for_each(|app| read_names(app, &mut classes, &mut handlers));
    NamesInTexts {
        classes: classes.into_iter().collect(),
        handlers: handlers.into_iter().collect(),
    }
}

/// Adds words that could be class names in the texts of a package (services, properties,
/// configuration) and in its binary resources to `classes`, and words that could be names of
/// methods that a layout calls to `handlers`.
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

/// Largest resource table that is read, and all tables of an app together, in bytes.
const TABLES_LIMIT: u64 = 64 << 20;

/// Returns the ids of the app's resources, with their names.
pub(crate) fn resources_of(packages: &[Apk]) -> Vec<apk::ResourceIds> {
    let is_table = |name: &str| name == RESOURCES || name.ends_with("/resources.pb");
    let tables = packages.iter().flat_map(|app| {
        let tables = app.small_entries(TABLES_LIMIT, TABLES_LIMIT, is_table);
        tables.collect::<Vec<_>>()
    });
    let tables: Vec<Vec<u8>> = tables.collect();
    apk::resource_ids(tables.iter().map(Vec::as_slice))
}

/// Instruments an app. Calls `signer` only for APKs and bundles; if it returns no signer, the
/// result is unsigned.
///
/// # Errors
/// Fails if a package, its code or the key cannot be used.
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
    let code = dex_files(set)?;
    let profiles = match options.baseline {
        Baseline::Extend | Baseline::Keep => OldProfiles::read(set, &code),
        Baseline::Drop => OldProfiles::default(),
    };
    let PackageDex { loaded, places, ignored, ends, host } = code;
    let host_package = &packages[host];
    let takes_new = host_package.takes_new_dex();
    let package = base.manifest().map_or(String::new(), |m| m.package.clone());
    let min_sdk = base.manifest().map_or(1, Manifest::min_sdk_or_default);
    let home = match base.container() {
        Container::Dex => RuntimeHome::FirstFile,
        // ART would not load a new file, or would load more files than before.
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
    if options.ids {
        options.resources = resources_of(packages);
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
    if options.recording() != Recording::Reassemble
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
    // The runtime and the classes that need a further file are added to the base, which every split
    // can see. If the base has no code, Android loads no code from it: they are added to the first
    // split with code.
    let added: Vec<apk::NewEntry> = out
        .added
        .into_iter()
        .enumerate()
        .map(|(i, bytes)| apk::NewEntry { name: host_package.new_dex_name(i + 1), bytes })
        .collect();
    let mut replaced: Vec<Vec<apk::NewEntry>> = packages.iter().map(|_| Vec::new()).collect();
    let mut order = Vec::new();
    for (name, bytes) in out.files {
        let (owner, name) = &places[&name];
        order.push((*owner, replaced[*owner].len()));
        replaced[*owner].push(apk::NewEntry { name: name.clone(), bytes });
    }
    let rewritten = order.into_iter().map(|(owner, at)| (owner, &replaced[owner][at]));
    let new = rewritten.chain(added.iter().map(|entry| (host, entry)));
    let new: Vec<NewDex<'_>> = new.map(|(package, entry)| NewDex { package, entry }).collect();
    let build_package = out.map.as_ref().map(|map| BuildPackage::new(map.build()));
    let ran = match options.baseline {
        Baseline::Extend => &out.ran[..],
        Baseline::Keep | Baseline::Drop => &[],
    };
    let carried = profiles.carry(&new, ran, host, build_package.as_ref());
    let is_signed = matches!(base.container(), Container::Apk | Container::Bundle);
    let signer = if is_signed { signer()? } else { None };
    let warnings = &mut out.report.warnings;
    warnings.extend(ends.into_iter().map(Warning::of_list_end));
    warnings.extend(base.manifest().and_then(Warning::of_shared_user));
    warnings.extend(signer.as_ref().and_then(Warning::of_key));
    warnings.extend(carried.warnings);
    // All packages of a set have one signer, so splits get the base's schemes.
    write.schemes = write.schemes.or(Some(SchemeSet::for_min_sdk(min_sdk)));
    let (mut written, mut reports, mut signed) = (Vec::new(), Vec::new(), None);
    let (mut dropped, mut unpacked) = (Vec::new(), Vec::new());
    for (number, package) in packages.iter().enumerate() {
        let first = set.first_of(number);
        let is_base = first == set.base_number();
        let (replaced, added) =
            (&mut replaced[first], if first == host { &added[..] } else { &[] });
        let dex = replaced.len();
        let profile = carried.entries.iter().filter(|(owner, _)| *owner == number);
        replaced.extend(profile.map(|(_, entry)| entry.clone()));
        let new = package.write(replaced, added, &[], signer.as_ref(), write)?;
        replaced.truncate(dex);
        reports.push(PackageReport {
            file: package.file().to_owned(),
            split: (!is_base).then(|| split_name(package).to_owned()),
            dex: dex + added.len(),
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
    let build = match (&out.map, options.recording()) {
        (Some(map), recording) if recording != Recording::Reassemble => map.build().to_string(),
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
        baseline: carried.report,
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

/// Refuses a split alone: its code runs only with its base, and both must have the same signer.
fn refuse_split(file: &str, manifest: &Manifest) -> Result<(), AppError> {
    let Some(split) = manifest.split_name() else { return Ok(()) };
    let (split, package) = (split.to_owned(), manifest.package.clone());
    Err(AppError::Split { file: file.to_owned(), split, package })
}

/// Returns true if a package with these entries has native libraries and all of them are for x86:
/// such an app runs only on emulators.
fn is_for_x86_alone(entries: impl Iterator<Item = String>) -> bool {
    let mut found = false;
    for name in entries {
        // The entries of a bundle's base module carry a prefix.
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
    fn a_split_by_itself_is_refused_with_a_cure() {
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
