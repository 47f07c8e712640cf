//! Entries that a package does not have yet.

/// An entry to put in: its name and its uncompressed bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// Full name in the package.
    pub name: String,
    /// Uncompressed bytes.
    pub bytes: Vec<u8>,
}
