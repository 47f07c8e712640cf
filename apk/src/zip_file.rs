//! Zip archives that are no packages, such as bug reports.

use std::io::{self, Write};
use std::path::Path;

use super::zip_read::{self, Archive};
use super::{ApkError, BASE_MANIFEST, MANIFEST_NAME};

/// A zip archive held in memory, read as strictly as packages are.
#[derive(Debug)]
pub struct ZipFile {
    file: String,
    bytes: Vec<u8>,
    archive: Archive,
}

impl ZipFile {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// I/O errors, and everything that [`Apk::from_bytes`](crate::Apk::from_bytes) refuses of a
    /// zip.
    pub fn read(path: &Path) -> Result<Self, ApkError> {
        let file = path.display().to_string();
        let bytes = disk::read(path, disk::MOST).map_err(|e| ApkError::new(&file, e))?;
        let archive = zip_read::read(&bytes).map_err(|fault| ApkError::new(&file, fault))?;
        Ok(Self { file, bytes, archive })
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.archive.entries.len()
    }

    /// Returns whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.archive.entries.is_empty()
    }

    /// Returns whether it is an app or holds one: a package, a bundle, a jar of DEX files or an
    /// archive of packages.
    pub fn is_package(&self) -> bool {
        self.archive.entries.iter().any(|entry| {
            entry.name == MANIFEST_NAME.as_bytes()
                || entry.name == BASE_MANIFEST.as_bytes()
                || [&b".apk"[..], b".dex"].iter().any(|end| entry.name.ends_with(end))
        })
    }

    /// Name of an entry, counted from 0; bytes that are not UTF-8 are replaced.
    ///
    /// # Panics
    /// Panics if the archive has no such entry.
    pub fn name(&self, number: usize) -> String {
        String::from_utf8_lossy(&self.archive.entries[number].name).into_owned()
    }

    /// Writes the content of an entry, counted from 0.
    ///
    /// # Errors
    /// The entry is damaged, or the sink fails.
    ///
    /// # Panics
    /// Panics if the archive has no such entry.
    pub fn copy(&self, number: usize, sink: &mut impl Write) -> io::Result<()> {
        zip_read::inflate_into(&self.bytes, &self.archive.entries[number], sink)
            .map_err(|fault| io::Error::other(ApkError::new(&self.file, fault).fault))
    }
}
