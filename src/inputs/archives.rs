//! Compressed files and archives: their members, one by one.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use apk::ZipFile;

use crate::error::Result;

/// The offset of tar's mark in a member's header, and the mark (POSIX.1-1988).
const TAR_MARK: (usize, &[u8]) = (257, b"ustar");
/// Bytes of a member's header.
const TAR_HEADER: usize = 512;

/// A form of packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packed {
    /// With gzip or zstd: one file, or a tar archive.
    Compressed,
    /// A tar archive.
    Tar,
    /// A zip archive; packages are such, too.
    Zip,
}

impl Packed {
    /// Returns how a file is packed that begins like this.
    pub fn of(head: &[u8]) -> Option<Packed> {
        if disk::is_compressed(head) {
            Some(Packed::Compressed)
        } else if is_tar(head) {
            Some(Packed::Tar)
        } else if head.starts_with(b"PK\x03\x04") {
            Some(Packed::Zip)
        } else {
            None
        }
    }
}

fn is_tar(head: &[u8]) -> bool {
    let (at, mark) = TAR_MARK;
    head.get(at..at + mark.len()) == Some(mark)
}

/// A reason why an archive cannot be used.
pub enum ArchiveError {
    /// The archive itself.
    Archive(String),
    /// It is an app.
    Package,
    /// A member; the error names it.
    Member(Box<dyn std::error::Error>),
}

/// Copies a member's content to a file. Returns the error that ended it before the content did.
pub type Copy<'c> = &'c mut dyn FnMut(&mut File) -> io::Result<Option<io::Error>>;

/// Copies what can be read. An error of the input ends the copy, and is returned as a value.
pub fn copy(input: &mut impl Read, file: &mut File) -> io::Result<Option<io::Error>> {
    let mut chunk = vec![0; 1 << 16];
    loop {
        match input.read(&mut chunk) {
            Ok(0) => return Ok(None),
            Ok(length) => file.write_all(&chunk[..length])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Some(error)),
        }
    }
}

/// Shows each member with its name; a compressed file that is no archive has none.
///
/// # Errors
/// The archive is damaged, or is a package; what `each` fails with.
pub fn each_member(
    path: &Path,
    packed: Packed,
    each: &mut dyn FnMut(Option<&str>, Copy<'_>) -> Result<()>,
) -> std::result::Result<(), ArchiveError> {
    let broken = |error: io::Error| ArchiveError::Archive(error.to_string());
    match packed {
        Packed::Zip => zip_members(path, each),
        Packed::Tar => tar_members(BufReader::new(disk::open(path).map_err(broken)?), each),
        Packed::Compressed => {
            let mut content = disk::open(path).and_then(disk::unpacked).map_err(broken)?;
            let mut head = Vec::new();
            content.by_ref().take(TAR_HEADER as u64).read_to_end(&mut head).map_err(broken)?;
            let is_archive = is_tar(&head);
            let mut content = (&head[..]).chain(content);
            if is_archive {
                return tar_members(content, each);
            }
            each(None, &mut |file| copy(&mut content, file)).map_err(ArchiveError::Member)
        }
    }
}

fn tar_members(
    input: impl Read,
    each: &mut dyn FnMut(Option<&str>, Copy<'_>) -> Result<()>,
) -> std::result::Result<(), ArchiveError> {
    let broken = |error: io::Error| ArchiveError::Archive(error.to_string());
    for entry in tar::Archive::new(input).entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = entry.path().map_err(broken)?.display().to_string();
        each(Some(&name), &mut |file| copy(&mut entry, file)).map_err(ArchiveError::Member)?;
    }
    Ok(())
}

fn zip_members(
    path: &Path,
    each: &mut dyn FnMut(Option<&str>, Copy<'_>) -> Result<()>,
) -> std::result::Result<(), ArchiveError> {
    let zip = ZipFile::read(path).map_err(|e| ArchiveError::Archive(e.fault.to_string()))?;
    if zip.is_package() {
        return Err(ArchiveError::Package);
    }
    for number in 0..zip.len() {
        let name = zip.name(number);
        if name.ends_with('/') {
            continue;
        }
        each(Some(&name), &mut |file| zip.copy(number, file).map(|()| None))
            .map_err(ArchiveError::Member)?;
    }
    Ok(())
}
