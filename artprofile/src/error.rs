//! Faults of profiles.

use std::fmt;

/// A fault with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}, at byte {offset:#x} of {region}")]
pub struct ProfileError {
    /// Offset in bytes from the start of the region.
    pub offset: usize,
    /// The bytes that the offset counts.
    pub region: Region,
    /// The fault.
    pub fault: ProfileFault,
}

/// Bytes that an offset counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// The file.
    File,
    /// The decompressed body.
    Body,
    /// The decompressed section of version `015` with this number.
    Section(u32),
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Region::File => f.write_str("the file"),
            Region::Body => f.write_str("the decompressed body"),
            Region::Section(kind) => write!(f, "the decompressed section {kind}"),
        }
    }
}

/// Reasons why a profile cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileFault {
    /// The file begins with other bytes than a profile.
    #[error("not a profile of the Android Runtime")]
    Magic,
    /// The version is unknown.
    #[error("unknown version {0:?} of a profile")]
    Version(String),
    /// The bytes end too early.
    #[error("truncated: {needed} bytes are needed, {left} are left")]
    Truncated {
        /// Number of bytes needed.
        needed: usize,
        /// Number of bytes left.
        left: usize,
    },
    /// Bytes follow the end.
    #[error("{0} bytes follow the end")]
    Trailing(usize),
    /// Compressed bytes are damaged, or do not have their declared sizes.
    #[error("damaged compressed data of {compressed} bytes, {inflated} decompressed")]
    Compressed {
        /// Declared number of compressed bytes.
        compressed: u32,
        /// Declared number of decompressed bytes.
        inflated: u32,
    },
    /// Decompressed bytes exceed the limit.
    #[error("{size} decompressed bytes, {limit} allowed")]
    TooLarge {
        /// Declared size in bytes.
        size: u32,
        /// The limit in bytes.
        limit: u32,
    },
    /// An index is outside its table.
    #[error("{what} {index} of {count}")]
    Index {
        /// Kind of index.
        what: &'static str,
        /// The index.
        index: u64,
        /// Number of valid indices.
        count: u64,
    },
    /// A name is empty or no UTF-8.
    #[error("a name that is empty or no UTF-8")]
    Name,
    /// A list of hot methods does not end with its region.
    #[error("a list of hot methods crosses the end of its region")]
    MethodRegion,
    /// Flags that apps have not.
    #[error("unknown method flags {0:#x}")]
    Flags(u16),
    /// A section of version `015` is missing, repeated or out of order.
    #[error("the section of DEX files must come first, and once")]
    DexFilesSection,
}

/// Reasons why a profile cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnwritableProfile {
    /// More items than the version can count.
    #[error("{count} {what} do not fit a profile of version {version}")]
    TooMany {
        /// Kind of items.
        what: &'static str,
        /// Number of items.
        count: usize,
        /// Version of the profile.
        version: String,
    },
    /// A method index is not below the number of method ids of its DEX file.
    #[error("method {index} of {count} in {key}")]
    Method {
        /// Key of the DEX file.
        key: String,
        /// The index.
        index: u16,
        /// Number of method ids.
        count: u32,
    },
}
