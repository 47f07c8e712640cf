//! Apps that are several packages: a base and its splits, which Android installs together
//! (`PackageInstaller` sessions, `adb install-multiple`). They come as files beside each other, or
//! in one archive: `.apks` of bundletool, `.xapk` and `.apkm` of stores. Android demands of a set
//! one package name, one version, split names that differ, and one signer (`PackageLite`,
//! `ApkLiteParseUtils.composePackageLiteFromApks`). An archive of bundletool may hold *variants*:
//! the same split packed for several versions of Android, of which a device gets one.

use std::collections::HashMap;
use std::path::Path;

use super::error::{ApkError, Fault};
use super::{Apk, Container, NewEntry, WriteOptions, inflated_limit, zip_read};

/// One package, or a base with its splits.
///
/// Files given one by one are those of one device: each split is there once.
#[derive(Debug)]
pub struct AppSet {
    /// The archive that holds the packages.
    archive: Option<Archive>,
    packages: Vec<Apk>,
    /// Per package: the first of its split.
    firsts: Vec<usize>,
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
        let (firsts, base) = splits(&packages)?;
        if let Some((twin, &first)) = firsts.iter().enumerate().find(|(n, first)| n != *first) {
            let split = packages[twin].manifest().and_then(|m| m.split_name());
            let (split, first) = (split.map(str::to_owned), packages[first].file.clone());
            return Err(ApkError::new(&packages[twin].file, Fault::SplitTwice { split, first }));
        }
        Ok(Self { archive: None, packages, firsts, base })
    }

    /// An archive of APKs as the set that it holds, everything else by itself.
    fn of_one(file: Apk) -> Result<Self, ApkError> {
        let names: Vec<String> = match file.container() {
            Container::Jar if file.loaded_dex_entries().is_empty() => {
                file.entry_names().filter(|name| name.ends_with(".apk")).collect()
            }
            Container::Jar | Container::Apk | Container::Bundle | Container::Dex => Vec::new(),
        };
        if names.is_empty() {
            return Ok(Self { archive: None, packages: vec![file], firsts: vec![0], base: 0 });
        }
        let packages = packages_in(&file)?;
        let (firsts, base) = splits(&packages)?;
        Ok(Self { archive: Some(Archive { zip: file, names }), packages, firsts, base })
    }

    /// True if the packages are in an archive.
    pub fn is_archive(&self) -> bool {
        self.archive.is_some()
    }

    /// The packages, in the order in which they were given or stand in the archive.
    pub fn packages(&self) -> &[Apk] {
        &self.packages
    }

    /// Number of the base, or of its first variant.
    pub fn base_number(&self) -> usize {
        self.base
    }

    /// The first variant of the split that a package is: itself, unless there are several.
    pub fn first_of(&self, package: usize) -> usize {
        self.firsts[package]
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

/// The packages of an archive, named by file and entry.
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

/// Per package the first of its split, and which one is the base.
fn splits(packages: &[Apk]) -> Result<(Vec<usize>, usize), ApkError> {
    let mut firsts = Vec::with_capacity(packages.len());
    let mut by_name: HashMap<Option<&str>, usize> = HashMap::new();
    for (number, package) in packages.iter().enumerate() {
        let apk = |p: &&Apk| p.container() == Container::Apk;
        let Some(manifest) = Some(package).filter(apk).and_then(Apk::manifest) else {
            return Err(ApkError::new(&package.file, Fault::NotOfSet));
        };
        firsts.push(*by_name.entry(manifest.split_name()).or_insert(number));
    }
    let Some(&base) = by_name.get(&None) else {
        return Err(ApkError::new(&packages[0].file, Fault::NoBase));
    };
    let of = |package: &Apk| {
        package.manifest().map(|m| (m.package.clone(), m.version_code)).unwrap_or_default()
    };
    let wanted = of(&packages[base]);
    let Some(other) = packages.iter().find(|p| of(p) != wanted) else { return Ok((firsts, base)) };
    let display = |(name, version): (String, Option<i32>)| {
        format!("{name} {}", version.map_or("without a version code".into(), |v| v.to_string()))
    };
    let (found, wanted) = (display(of(other)), display(wanted));
    Err(ApkError::new(&other.file, Fault::OtherApp { found, wanted }))
}
