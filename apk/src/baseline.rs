//! Baseline profiles: the entries of a package that list what a device compiles ahead of time.

use super::new_entry::NewEntry;
use super::zip_read::{self, ZipEntry};
use super::{Apk, ApkError, Container};

/// Entry of an APK's baseline profile.
pub const BASELINE_PROFILE: &str = "assets/dexopt/baseline.prof";
const METADATA: &str = "assets/dexopt/baseline.profm";
/// The same in a bundle (bundletool's `BundleMetadata`); bundletool puts them into the base APK.
const BUNDLE_PROFILE: &str = "BUNDLE-METADATA/com.android.tools.build.profiles/baseline.prof";
const BUNDLE_METADATA: &str = "BUNDLE-METADATA/com.android.tools.build.profiles/baseline.profm";

/// Profiles have some kilobytes.
const LIMIT: u64 = 16 << 20;

/// A package's baseline profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineFiles {
    /// The profile.
    pub profile: NewEntry,
    /// Its metadata.
    pub metadata: Option<NewEntry>,
}

/// Returns true if an entry is a baseline profile or its metadata.
pub(super) fn is_baseline(name: &[u8]) -> bool {
    [BASELINE_PROFILE, METADATA, BUNDLE_PROFILE, BUNDLE_METADATA]
        .iter()
        .any(|known| known.as_bytes() == name)
}

impl Apk {
    /// The baseline profile of an APK or a bundle; `None` where there is none.
    ///
    /// # Errors
    /// Fails if its entries are damaged or inflate to more than 16 MiB.
    pub fn baseline_files(&self) -> Result<Option<BaselineFiles>, ApkError> {
        let (profile, metadata) = match self.container {
            Container::Apk => (BASELINE_PROFILE, METADATA),
            Container::Bundle => (BUNDLE_PROFILE, BUNDLE_METADATA),
            Container::Jar | Container::Dex => return Ok(None),
        };
        let read = |name: &str| {
            let mut entries = self.archive.entries.iter();
            let Some(entry) = entries.find(|e| e.name == name.as_bytes()) else { return Ok(None) };
            let bytes = zip_read::inflate(&self.bytes, entry, LIMIT);
            let bytes = bytes.map_err(|fault| ApkError::new(&self.file, fault))?;
            Ok(Some(NewEntry { name: ZipEntry::display(entry), bytes }))
        };
        let Some(profile) = read(profile)? else { return Ok(None) };
        Ok(Some(BaselineFiles { profile, metadata: read(metadata)? }))
    }
}

/// The CRC-32 of an entry's uncompressed bytes; baseline profiles name DEX files by it.
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}
