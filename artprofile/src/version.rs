//! Versions of the format.

use std::fmt;

use crate::error::UnwritableProfile;

/// Version of a profile, named by the first Android that reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProfileVersion {
    /// `001`, Android 7.0: methods and positions of class definitions.
    N,
    /// `005`, Android 8.0: hot methods and types.
    O,
    /// `009`, Android 8.1: compressed, with flags of methods.
    OMr1,
    /// `010`, Android 9: the form in which an app carries its profile.
    P,
    /// `015`, Android 12: sections.
    S,
}

impl ProfileVersion {
    /// All versions, oldest first.
    pub const ALL: [ProfileVersion; 5] = [
        ProfileVersion::N,
        ProfileVersion::O,
        ProfileVersion::OMr1,
        ProfileVersion::P,
        ProfileVersion::S,
    ];

    /// Returns the version's bytes in a file.
    pub fn bytes(self) -> [u8; 4] {
        *match self {
            ProfileVersion::N => b"001\0",
            ProfileVersion::O => b"005\0",
            ProfileVersion::OMr1 => b"009\0",
            ProfileVersion::P => b"010\0",
            ProfileVersion::S => b"015\0",
        }
    }

    pub(crate) fn of_bytes(bytes: [u8; 4]) -> Option<ProfileVersion> {
        ProfileVersion::ALL.into_iter().find(|version| version.bytes() == bytes)
    }

    /// Returns true if class rules are positions of class definitions, not type indices.
    pub fn names_definitions(self) -> bool {
        self == ProfileVersion::N
    }

    /// Returns true if methods have flags. Without flags all methods are hot.
    pub fn has_flags(self) -> bool {
        self >= ProfileVersion::OMr1
    }

    /// Returns a count, or an error if there are more than `most` items.
    pub(crate) fn count(
        self,
        what: &'static str,
        count: usize,
        most: u32,
    ) -> Result<u32, UnwritableProfile> {
        let fits = u32::try_from(count).ok().filter(|&count| count <= most);
        fits.ok_or_else(|| UnwritableProfile::TooMany { what, count, version: self.to_string() })
    }
}

impl fmt::Display for ProfileVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(String::from_utf8_lossy(&self.bytes()).trim_end_matches('\0'))
    }
}
