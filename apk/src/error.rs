//! Faults of a package, one clear line each.

use super::sign::SignError;

/// A fault together with the file it was found in.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct ApkError {
    /// The file as the user named it.
    pub file: String,
    /// The fault, with its position.
    pub fault: Fault,
}

impl ApkError {
    /// A fault of this file.
    pub fn new(file: &str, fault: impl Into<Fault>) -> Self {
        Self { file: file.to_owned(), fault: fault.into() }
    }
}

fn of_split(split: &Option<String>) -> String {
    split.as_ref().map_or("the base".to_owned(), |split| format!("split {split:?}"))
}

/// Reasons why a package cannot be read, written or signed. Offsets count bytes from the start of
/// the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Neither a zip nor a DEX file.
    #[error("neither an APK, jar or zip nor a DEX file")]
    NotAPackage,
    /// Begins like a zip, but the end record is missing or does not end the file.
    #[error(
        "truncated zip, or bytes after its end: no end-of-central-directory record closes the file"
    )]
    NoEndRecord,
    /// A zip whose first bytes are a DEX file: one file with two meanings (the "janus" attack,
    /// CVE-2017-13156).
    #[error(
        "a DEX file precedes the zip (janus); refused, because Android versions disagree \
         on what it is"
    )]
    Janus,
    /// The zip does not begin with its first entry.
    #[error("unknown bytes precede the zip")]
    Prefix,
    /// Zip64 records; no APK signature scheme allows them.
    #[error("zip64 archives are not supported (APK signatures do not allow them)")]
    Zip64,
    /// The archive is split over several disks.
    #[error("zip split over several disks")]
    MultiDisk,
    /// A record does not lie inside the bytes that hold it.
    #[error("truncated: {what} at {offset:#x} does not fit")]
    Truncated {
        /// Name of the record.
        what: &'static str,
        /// Start of the record.
        offset: usize,
    },
    /// A record does not begin with its signature, or the counts around it do not add up.
    #[error("damaged: {what} at {offset:#x}")]
    Damaged {
        /// The broken rule.
        what: &'static str,
        /// Position of the fault.
        offset: usize,
    },
    /// Central directory and local header differ.
    #[error("entry {name:?}: central directory and local header disagree on the {field}")]
    Disagree {
        /// The entry by the central directory.
        name: String,
        /// The field that differs.
        field: &'static str,
    },
    /// Two entries share bytes.
    #[error("entry {name:?} overlaps the entry before it")]
    Overlap {
        /// The later one.
        name: String,
    },
    /// Two entries of the same name.
    #[error("entry {name:?} occurs more than once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// A name that is empty or holds a NUL byte.
    #[error("entry {name:?}: refused name")]
    BadName {
        /// The name.
        name: String,
    },
    /// An encrypted entry.
    #[error("entry {name:?} is encrypted")]
    Encrypted {
        /// The entry.
        name: String,
    },
    /// An entry that must be read is compressed by something else than deflate.
    #[error("entry {name:?}: compression method {method} is not supported")]
    Method {
        /// The entry.
        name: String,
        /// The method's number in the zip.
        method: u16,
    },
    /// More bytes than this program is willing to inflate.
    #[error("entry {name:?}: {size} bytes uncompressed, {limit} allowed (zip bomb?)")]
    TooLarge {
        /// The entry.
        name: String,
        /// Its declared size, or the sum up to and including it.
        size: u64,
        /// The largest size allowed.
        limit: u64,
    },
    /// The compressed bytes do not inflate to what the entry declares.
    #[error("entry {name:?}: {reason}")]
    Content {
        /// The entry.
        name: String,
        /// The broken rule.
        reason: &'static str,
    },
    /// No `classes.dex` in the package.
    #[error("no classes.dex in it")]
    NoDex,
    /// A binary XML file is damaged.
    #[error("AndroidManifest.xml at {offset:#x}: {reason}")]
    Manifest {
        /// Offset in the inflated manifest.
        offset: usize,
        /// The broken rule.
        reason: &'static str,
    },
    /// The caller asked to replace or remove an entry that is not there.
    #[error("there is no entry {name:?} to replace or remove")]
    NoSuchEntry {
        /// The name.
        name: String,
    },
    /// The caller asked to add an entry that exists already.
    #[error("there is an entry {name:?} already")]
    Exists {
        /// The name.
        name: String,
    },
    /// A file of a set is no APK.
    #[error("no APK: only APKs of one app can be given together")]
    NotOfSet,
    /// Nothing but splits.
    #[error("a split without its base: give all APKs of the app together")]
    NoBase,
    /// Two files of the base, or of a split.
    #[error("{} is also in {first}: give those APKs that one device installs", of_split(split))]
    SplitTwice {
        /// Its name; none for the base.
        split: Option<String>,
        /// The other file.
        first: String,
    },
    /// Variants of a split with different code.
    #[error(
        "its code differs from that of {first}: give the APKs that one device installs \
         (`bundletool extract-apks` picks them), or one for all devices (`bundletool build-apks \
         --mode=universal`)"
    )]
    OtherCode {
        /// The first variant.
        first: String,
    },
    /// A split of another app or of another version.
    #[error("{found} is not the app of the base, {wanted}")]
    OtherApp {
        /// Package name and version code.
        found: String,
        /// Those of the base.
        wanted: String,
    },
    /// Something that a single DEX file cannot have.
    #[error("a single DEX file can neither take further entries nor be signed")]
    SingleDex,
    /// Only an APK can be signed.
    #[error("only an APK can be signed, this has no AndroidManifest.xml")]
    NotSignable,
    /// The result would need zip64.
    #[error("the result would exceed what a zip can hold ({what})")]
    TooBig {
        /// Name of the limit.
        what: &'static str,
    },
    /// Signing failed.
    #[error(transparent)]
    Sign(#[from] SignError),
}
