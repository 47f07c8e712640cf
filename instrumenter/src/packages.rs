//! Merges a set of packages into one program: the code of all, and the components of their
//! manifests.

use std::collections::HashMap;

use apk::{Apk, ApkError, AppSet, Fault, ListEnd, Manifest};

/// Dex files of a set, with their packages.
pub(crate) struct PackageDex {
    /// Names (of splits: `SPLIT/NAME`) and bytes.
    pub loaded: Vec<(String, Vec<u8>)>,
    /// Number of the package and name of the entry, by name of the dex file.
    pub places: HashMap<String, (usize, String)>,
    /// Entries that look like dex files and are not loaded.
    pub ignored: Vec<String>,
    /// Ends of lists of dex files that numbered files follow.
    pub ends: Vec<ListEnd>,
    /// Number of the first package with code: the base, unless it has none.
    pub host: usize,
}

/// Returns the dex files that ART loads from all packages, the base first. A package may have no
/// code, but one must have some; variants have the same.
pub(crate) fn dex_files(set: &AppSet) -> Result<PackageDex, ApkError> {
    let base = set.base_number();
    let others = (0..set.packages().len()).filter(|&number| number != base);
    let (loaded, ignored, ends) = (vec![], vec![], vec![]);
    let mut all = PackageDex { loaded, places: HashMap::new(), ignored, ends, host: base };
    let mut without_code = None;
    for number in [base].into_iter().chain(others) {
        let package = &set.packages()[number];
        let dex = match package.dex_files() {
            Ok(dex) => dex,
            Err(error @ ApkError { fault: Fault::NoDex, .. }) => {
                without_code.get_or_insert(error);
                continue;
            }
            Err(error) => return Err(error),
        };
        let first = set.first_of(number);
        if first != number {
            let twin = &set.packages()[first];
            if dex != twin.dex_files()? {
                let first = twin.file().to_owned();
                return Err(ApkError::new(package.file(), Fault::OtherCode { first }));
            }
            continue;
        }
        let name = |name: String| match number == base {
            true => name,
            false => format!("{}/{name}", split_name(package)),
        };
        if all.loaded.is_empty() {
            all.host = number;
        }
        for file in dex.loaded {
            let name = name(file.name.clone());
            all.places.insert(name.clone(), (number, file.name));
            all.loaded.push((name, file.bytes));
        }
        all.ends.extend(dex.ends.into_iter().map(|end| ListEnd {
            name: name(end.name),
            rest: end.rest.into_iter().map(name).collect(),
            ..end
        }));
        all.ignored.extend(dex.ignored.into_iter().map(name));
    }
    match without_code {
        Some(error) if all.loaded.is_empty() => Err(error),
        _ => Ok(all),
    }
}

/// Returns the name of a split, or an empty name for others.
pub(crate) fn split_name(package: &Apk) -> &str {
    package.manifest().and_then(Manifest::split_name).unwrap_or_default()
}

/// Returns the base's manifest with the components of all others, or `None` without a manifest.
pub(crate) fn whole_manifest(set: &AppSet) -> Option<Manifest> {
    set.base().manifest().cloned().map(|mut manifest| {
        let others = set.packages().iter().filter_map(Apk::manifest);
        others.for_each(|other| manifest.add_components(other));
        manifest
    })
}
