//! Kinds of packages, and the endings of names that promise one.

use std::path::Path;

use apk::{Apk, AppSet, Container};

use crate::error::Result;

/// A kind of file that `instrument` reads, and writes in the same form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PackageKind {
    Apk,
    Archive,
    Bundle,
    Jar,
    Dex,
}

impl PackageKind {
    const ALL: [PackageKind; 5] = [
        PackageKind::Apk,
        PackageKind::Archive,
        PackageKind::Bundle,
        PackageKind::Jar,
        PackageKind::Dex,
    ];

    /// The kind of a set in one file.
    pub fn of_set(set: &AppSet) -> PackageKind {
        if set.is_archive() { PackageKind::Archive } else { PackageKind::of(set.base()) }
    }

    /// The kind of one package.
    pub fn of(apk: &Apk) -> PackageKind {
        match apk.container() {
            Container::Apk => PackageKind::Apk,
            Container::Bundle => PackageKind::Bundle,
            Container::Jar => PackageKind::Jar,
            Container::Dex => PackageKind::Dex,
        }
    }

    fn name(self) -> &'static str {
        match self {
            PackageKind::Apk => "an APK",
            PackageKind::Archive => "an archive of APKs",
            PackageKind::Bundle => "an app bundle",
            PackageKind::Jar => "a jar or zip",
            PackageKind::Dex => "a DEX file",
        }
    }

    /// Endings of names of this kind, the usual one first. `.zip` fits every kind of zip.
    fn endings(self) -> &'static [&'static str] {
        match self {
            PackageKind::Apk => &["apk"],
            PackageKind::Archive => &["apks", "xapk", "apkm"],
            PackageKind::Bundle => &["aab"],
            PackageKind::Jar => &["jar"],
            PackageKind::Dex => &["dex"],
        }
    }

    /// Refuses a name for the output that promises another kind: stores and tools go by it.
    pub fn check_name(self, input: &Path, output: &Path) -> Result {
        let Some(ending) = output.extension().and_then(|e| e.to_str()) else { return Ok(()) };
        let ending = ending.to_ascii_lowercase();
        let has_ending = |kind: &PackageKind| kind.endings().contains(&&*ending);
        match PackageKind::ALL.into_iter().find(has_ending) {
            Some(other) if other != self => Err(format!(
                "{}: the name is that of {}, but {} is {}, and so is what is written; choose a \
                 name that ends in .{}",
                output.display(),
                other.name(),
                input.display(),
                self.name(),
                self.endings()[0]
            )
            .into()),
            _ => Ok(()),
        }
    }
}
