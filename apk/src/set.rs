//! Apps that are several packages: a base and its splits, which Android installs together
//! (`PackageInstaller` sessions, `adb install-multiple`). They come as files beside each other, or
//! in one archive: `.apks` of bundletool, `.xapk` and `.apkm` of stores. Android demands of a set
//! one package name, one version, split names that differ, and one signer (`PackageLite`,
//! `ApkLiteParseUtils.composePackageLiteFromApks`).

use std::collections::HashMap;
use std::path::Path;

use super::error::{ApkError, Fault};
use super::{Apk, Container, NewEntry, WriteOptions, inflated_limit, zip_read};

/// One package, or a base with its splits.
#[derive(Debug)]
pub struct AppSet {
    /// What the packages were in.
    archive: Option<Archive>,
    packages: Vec<Apk>,
    base: usize,
}

#[derive(Debug)]
struct Archive {
    zip: Apk,
    /// Entries of the packages.
    names: Vec<String>,
}

impl AppSet {
    /// Opens one file, be it an APK, a jar, a DEX file or an archive of APKs; or the APKs of a set.
    ///
    /// # Errors
    /// As [`Apk::read`]; packages that are no set.
    ///
    /// # Panics
    /// Without paths.
    pub fn read<P: AsRef<Path>>(paths: &[P]) -> Result<Self, ApkError> {
        let (first, others) = paths.split_first().expect("a path");
        let first = Apk::read(first)?;
        if others.is_empty() {
            return Self::of_one(first);
        }
        let mut packages = vec![first];
        for path in others {
            packages.push(Apk::read(path)?);
        }
        let base = base_of(&packages)?;
        Ok(Self { archive: None, packages, base })
    }

    /// An archive of APKs as the set that it holds, everything else by itself.
    fn of_one(file: Apk) -> Result<Self, ApkError> {
        let names: Vec<String> = match file.container() {
            Container::Jar if file.loaded_dex_entries().is_empty() => {
                file.entry_names().filter(|name| name.ends_with(".apk")).collect()
            }
            Container::Jar | Container::Apk | Container::Dex => Vec::new(),
        };
        if names.is_empty() {
            return Ok(Self { archive: None, packages: vec![file], base: 0 });
        }
        let packages = packages_in(&file)?;
        let base = base_of(&packages)?;
        Ok(Self { archive: Some(Archive { zip: file, names }), packages, base })
    }

    /// The packages, in the order in which they were given or stand in the archive.
    pub fn packages(&self) -> &[Apk] {
        &self.packages
    }

    /// Which of them is the base.
    pub fn base_number(&self) -> usize {
        self.base
    }

    /// The base, or the only package.
    pub fn base(&self) -> &Apk {
        &self.packages[self.base]
    }

    /// Bytes of the files that were read.
    pub fn size(&self) -> usize {
        match &self.archive {
            Some(archive) => archive.zip.size(),
            None => self.packages.iter().map(Apk::size).sum(),
        }
    }

    /// The files to write, given the new packages in the same order: the archive with these in it,
    /// or the packages themselves.
    ///
    /// # Errors
    /// A result beyond 4 GiB.
    ///
    /// # Panics
    /// Unless there are as many packages as before.
    pub fn pack(&self, packages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, ApkError> {
        assert_eq!(packages.len(), self.packages.len(), "one new package for each old one");
        let Some(archive) = &self.archive else { return Ok(packages) };
        let new = archive.names.iter().cloned().zip(packages);
        let new: Vec<_> = new.map(|(name, bytes)| NewEntry { name, bytes }).collect();
        let written = archive.zip.write(&new, &[], &[], None, WriteOptions::default())?;
        Ok(vec![written.bytes])
    }
}

/// The packages of an archive; their names say where they are.
fn packages_in(file: &Apk) -> Result<Vec<Apk>, ApkError> {
    let limit = inflated_limit(&file.bytes);
    let (mut sum, mut packages) = (0, Vec::new());
    for entry in file.archive.entries.iter().filter(|e| e.name.ends_with(b".apk")) {
        sum += u64::from(entry.size);
        let of_file = |fault| ApkError::new(&file.file, fault);
        if sum > limit {
            return Err(of_file(Fault::TooLarge { name: entry.display(), size: sum, limit }));
        }
        let bytes = zip_read::inflate(&file.bytes, entry, limit).map_err(of_file)?;
        let name = format!("{}: {}", file.file, entry.display());
        packages.push(Apk::from_bytes(name, bytes)?);
    }
    Ok(packages)
}

/// Which of the packages is the base.
fn base_of(packages: &[Apk]) -> Result<usize, ApkError> {
    let mut base = None;
    let mut splits: HashMap<&str, &Apk> = HashMap::new();
    for (number, package) in packages.iter().enumerate() {
        let refused = |fault| Err(ApkError::new(&package.file, fault));
        let Some(manifest) = package.manifest() else { return refused(Fault::NotOfSet) };
        match (manifest.split_name(), base) {
            (None, None) => base = Some(number),
            (None, Some(first)) => {
                let first: &Apk = &packages[first];
                return refused(Fault::TwoBases { first: first.file.clone() });
            }
            (Some(split), _) => {
                if let Some(first) = splits.insert(split, package) {
                    let (split, first) = (split.to_owned(), first.file.clone());
                    return refused(Fault::SplitTwice { split, first });
                }
            }
        }
    }
    let Some(number) = base else {
        return Err(ApkError::new(&packages[0].file, Fault::NoBase));
    };
    let of = |package: &Apk| {
        package.manifest().map(|m| (m.package.clone(), m.version_code)).unwrap_or_default()
    };
    let wanted = of(&packages[number]);
    let Some(other) = packages.iter().find(|p| of(p) != wanted) else { return Ok(number) };
    let told = |(name, version): (String, Option<i32>)| {
        format!("{name} {}", version.map_or("without a version code".into(), |v| v.to_string()))
    };
    let (found, wanted) = (told(of(other)), told(wanted));
    Err(ApkError::new(&other.file, Fault::OtherApp { found, wanted }))
}
