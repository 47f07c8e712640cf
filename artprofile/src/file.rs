//! Whole profile files of any version.

use crate::cursor::{Cursor, Result};
use crate::error::{ProfileFault, Region, UnwritableProfile};
use crate::rules::ArtProfile;
use crate::version::ProfileVersion;
use crate::{interleaved, sections};

/// First bytes of every profile.
const MAGIC: &[u8; 4] = b"pro\0";

impl ArtProfile {
    /// Reads a profile of any version.
    ///
    /// # Errors
    /// Fails if the bytes are damaged, of an unknown version, or decompress to more than 16 MiB.
    pub fn read(bytes: &[u8]) -> Result<ArtProfile> {
        let mut cursor = Cursor::new(bytes, Region::File);
        if !bytes.starts_with(MAGIC) {
            return Err(cursor.error(ProfileFault::Magic));
        }
        cursor.bytes(MAGIC.len())?;
        let start = cursor.pos();
        let version = cursor.version()?;
        let Some(version) = ProfileVersion::of_bytes(version) else {
            let name = String::from_utf8_lossy(&version).trim_end_matches('\0').to_owned();
            return Err(cursor.error_at(start, ProfileFault::Version(name)));
        };
        match version {
            ProfileVersion::S => sections::read(&mut cursor),
            _ => interleaved::read(version, &mut cursor),
        }
    }

    /// Writes the profile in its version.
    ///
    /// # Errors
    /// Fails if the version cannot count the rules, or a method index is outside its DEX file.
    pub fn write(&self) -> std::result::Result<Vec<u8>, UnwritableProfile> {
        let mut out = MAGIC.to_vec();
        out.extend(self.version.bytes());
        match self.version {
            ProfileVersion::S => sections::write(self, &mut out)?,
            _ => interleaved::write(self, &mut out)?,
        }
        Ok(out)
    }
}
