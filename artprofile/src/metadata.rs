//! Metadata of a baseline profile, `baseline.profm`: what versions other than `010` need besides.

use std::collections::BTreeSet;

use crate::compressed::{deflate, inflate};
use crate::cursor::{Cursor, Result};
use crate::error::{ProfileFault, Region, UnwritableProfile};
use crate::regions::Indices;
use crate::version::ProfileVersion;

/// First bytes of every file of metadata.
const MAGIC: &[u8; 4] = b"prm\0";

/// Version of metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetadataVersion {
    /// `001`: for profiles of version `001` only.
    N,
    /// `002`: also for profiles of version `015`.
    S,
}

impl MetadataVersion {
    /// Returns the version's bytes in a file.
    pub fn bytes(self) -> [u8; 4] {
        *match self {
            MetadataVersion::N => b"001\0",
            MetadataVersion::S => b"002\0",
        }
    }
}

/// Metadata of a baseline profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// Version of the format.
    pub version: MetadataVersion,
    /// The DEX files of the profile. Version `001` demands the profile's order.
    pub dex_files: Vec<DexMetadata>,
}

/// Metadata of one DEX file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DexMetadata {
    /// Key of the DEX file in the profile.
    pub key: String,
    /// Number that the file gives the DEX file; 0 in version `001`.
    pub number: u16,
    /// Number of type ids of the DEX file; 0 in version `001`.
    pub type_ids: u32,
    /// Classes of the profile, by the positions of their definitions.
    pub definitions: BTreeSet<u16>,
}

impl Metadata {
    /// Reads metadata of any version.
    ///
    /// # Errors
    /// Fails if the bytes are damaged, of an unknown version, or decompress to more than 16 MiB.
    pub fn read(bytes: &[u8]) -> Result<Metadata> {
        let mut cursor = Cursor::new(bytes, Region::File);
        if !bytes.starts_with(MAGIC) {
            return Err(cursor.error(ProfileFault::Magic));
        }
        cursor.bytes(MAGIC.len())?;
        let start = cursor.pos();
        let read = cursor.version()?;
        let versions = [MetadataVersion::N, MetadataVersion::S];
        let Some(version) = versions.into_iter().find(|version| version.bytes() == read) else {
            let name = String::from_utf8_lossy(&read).trim_end_matches('\0').to_owned();
            return Err(cursor.error_at(start, ProfileFault::Version(name)));
        };
        let count = match version {
            MetadataVersion::N => cursor.u8()?.into(),
            MetadataVersion::S => cursor.u16()?,
        };
        let (inflated, compressed) = (cursor.u32()?, cursor.u32()?);
        let body = inflate(&mut cursor, compressed, inflated)?;
        cursor.end()?;
        let mut body = Cursor::new(&body, Region::Body);
        let dex_files = match version {
            MetadataVersion::N => read_headers_first(&mut body, count)?,
            MetadataVersion::S => {
                (0..count).map(|_| read_dex_file(&mut body)).collect::<Result<_>>()?
            }
        };
        body.end()?;
        Ok(Metadata { version, dex_files })
    }

    /// Writes the metadata in its version.
    ///
    /// # Errors
    /// Fails if the version cannot count the DEX files or classes.
    pub fn write(&self) -> std::result::Result<Vec<u8>, UnwritableProfile> {
        // The versions of profiles word errors alike.
        let (version, most) = match self.version {
            MetadataVersion::N => (ProfileVersion::N, u8::MAX.into()),
            MetadataVersion::S => (ProfileVersion::S, u16::MAX),
        };
        let short = |what, count| version.count(what, count, u16::MAX.into()).map(|n| n as u16);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for dex in &self.dex_files {
            let key = short("bytes of a key", dex.key.len())?.to_le_bytes();
            let count = short("classes", dex.definitions.len())?.to_le_bytes();
            match self.version {
                MetadataVersion::N => {
                    first.extend([key, count].concat());
                    first.extend(dex.key.as_bytes());
                    Indices::Distances.put_classes(&dex.definitions, &mut second);
                }
                MetadataVersion::S => {
                    first.extend([dex.number.to_le_bytes(), key].concat());
                    first.extend(dex.key.as_bytes());
                    first.extend(dex.type_ids.to_le_bytes());
                    first.extend(count);
                    Indices::Distances.put_classes(&dex.definitions, &mut first);
                }
            }
        }
        first.extend(second);
        let mut out = MAGIC.to_vec();
        out.extend(self.version.bytes());
        let count = version.count("DEX files", self.dex_files.len(), most.into())? as u16;
        match self.version {
            MetadataVersion::N => out.push(count as u8),
            MetadataVersion::S => out.extend(count.to_le_bytes()),
        }
        let compressed = deflate(&first);
        out.extend(version.count("bytes", first.len(), u32::MAX)?.to_le_bytes());
        out.extend((compressed.len() as u32).to_le_bytes());
        out.extend(compressed);
        Ok(out)
    }
}

fn read_headers_first(body: &mut Cursor<'_>, count: u16) -> Result<Vec<DexMetadata>> {
    let headers = (0..count).map(|_| {
        let (key, classes) = (body.u16()?, body.u16()?);
        Ok((body.name(key)?, classes))
    });
    let headers = headers.collect::<Result<Vec<_>>>()?;
    let files = headers.into_iter().map(|(key, classes)| {
        let definitions = Indices::Distances.classes(body, classes)?;
        Ok(DexMetadata { key, definitions, ..DexMetadata::default() })
    });
    files.collect()
}

fn read_dex_file(body: &mut Cursor<'_>) -> Result<DexMetadata> {
    let (number, key) = (body.u16()?, body.u16()?);
    let key = body.name(key)?;
    let (type_ids, classes) = (body.u32()?, body.u16()?);
    let definitions = Indices::Distances.classes(body, classes)?;
    Ok(DexMetadata { key, number, type_ids, definitions })
}
