//! Errors of files that are read, and of models that are written.

use std::fmt;

use crate::code::error::CodeError;
use crate::ids::CodeId;

/// The parts of a DEX file, as errors name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Section {
    Header,
    Map,
    StringIds,
    StringData,
    TypeIds,
    ProtoIds,
    TypeList,
    FieldIds,
    MethodIds,
    ClassDefs,
    ClassData,
    CodeItem,
    Handlers,
    DebugInfo,
    AnnotationsDirectory,
    AnnotationSet,
    Annotation,
    EncodedArray,
    CallSiteIds,
    MethodHandles,
    HiddenapiClassData,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Section::Header => "header",
            Section::Map => "map list",
            Section::StringIds => "string ids",
            Section::StringData => "string data",
            Section::TypeIds => "type ids",
            Section::ProtoIds => "proto ids",
            Section::TypeList => "type list",
            Section::FieldIds => "field ids",
            Section::MethodIds => "method ids",
            Section::ClassDefs => "class defs",
            Section::ClassData => "class data",
            Section::CodeItem => "code item",
            Section::Handlers => "catch handlers",
            Section::DebugInfo => "debug info",
            Section::AnnotationsDirectory => "annotations directory",
            Section::AnnotationSet => "annotation set",
            Section::Annotation => "annotation",
            Section::EncodedArray => "encoded array",
            Section::CallSiteIds => "call site ids",
            Section::MethodHandles => "method handles",
            Section::HiddenapiClassData => "hiddenapi class data",
        })
    }
}

/// A reason to refuse a file, with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{section} at offset {offset:#x}: {kind}")]
#[non_exhaustive]
pub struct ReadError {
    /// The part of the file.
    pub section: Section,
    /// Offset of the offending bytes from the start of the file.
    pub offset: usize,
    /// The broken rule.
    pub kind: ReadErrorKind,
}

/// Addition to the error for a version: from 041 on, files are containers.
fn container_note(version: u16) -> &'static str {
    if version >= 41 { "; 041 and above are containers of several files" } else { "" }
}

/// Rules of the format that a file can break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The file ends too early.
    #[error("{need} bytes needed, {left} left")]
    Truncated {
        /// Bytes the item needs at least.
        need: u64,
        /// Bytes between the offset and the end of the file.
        left: u64,
    },
    /// No DEX file.
    #[error("not a DEX file: it does not start with \"dex\\n\", a version and a zero")]
    NotDex,
    /// A compact DEX file, which only exists on devices.
    #[error("a CompactDex (\"cdex\") file; only standard DEX files can be read")]
    CompactDex,
    /// A version that this crate does not know.
    #[error("DEX version {0:03} cannot be read (035 to 040 can){note}", note = container_note(*.0))]
    Version(u16),
    /// `endian_tag` of a byte-swapped file.
    #[error("big-endian DEX files cannot be read")]
    BigEndian,
    /// `endian_tag` is neither of the two constants.
    #[error("endian tag {0:#010x}")]
    EndianTag(u32),
    /// `header_size` is not 0x70.
    #[error("header size {0:#x} instead of 0x70")]
    HeaderSize(u32),
    /// `file_size` is less than the header or more than there is.
    #[error("file size {stated} stated, {actual} there")]
    FileSize {
        /// Size in the header.
        stated: u64,
        /// Size of the bytes given.
        actual: u64,
    },
    /// The Adler-32 checksum is wrong: the file was damaged or edited.
    #[error("checksum {stored:#010x} stored, {computed:#010x} computed: the file is damaged")]
    Checksum {
        /// In the header.
        stored: u32,
        /// Of the bytes.
        computed: u32,
    },
    /// An index outside its pool.
    #[error("{what} index {index}, but there are {count}")]
    Index {
        /// Name of the pool.
        what: &'static str,
        /// The index.
        index: u64,
        /// Size of the pool.
        count: usize,
    },
    /// A (s|u)leb128 number longer than five bytes.
    #[error("a LEB128 number of more than five bytes")]
    Leb128,
    /// A string that is not valid modified UTF-8, or not of its stated length.
    #[error("malformed modified UTF-8")]
    Utf8,
    /// A value that the format does not allow.
    #[error("{what} is {value:#x}")]
    Invalid {
        /// Name of the value.
        what: &'static str,
        /// Its value.
        value: u64,
    },
    /// Arrays and annotations nested too deeply.
    #[error("values nested more than {0} deep")]
    Nesting(u32),
    /// Items overlap so often that reading them would take more memory than any honest file needs.
    #[error("overlapping items expand to far more than the file holds")]
    Expansion,
    /// Debug info that does not parse.
    #[error("{0}")]
    Debug(CodeError),
}

/// Reasons why a model cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// More items than 16-bit indices can name.
    #[error("{count} {pool}, but one DEX file holds at most {limit}")]
    TooMany {
        /// Name of the pool.
        pool: &'static str,
        /// Items in the pool.
        count: usize,
        /// Items that the format allows.
        limit: usize,
    },
    /// A method body that cannot be encoded.
    #[error("{method}: {problem}")]
    Body {
        /// The body.
        body: CodeId,
        /// The first method that has it.
        method: String,
        /// The reason.
        #[source]
        problem: CodeError,
    },
    /// An index in the model that its pool does not have.
    #[error("{what} {index} is named, but there are {count}")]
    Index {
        /// Name of the pool.
        what: &'static str,
        /// The index.
        index: u32,
        /// Size of the pool.
        count: usize,
    },
    /// Something in the model that the format cannot express.
    #[error("{place}: {problem}")]
    Unencodable {
        /// Name of the item.
        place: String,
        /// The broken rule.
        problem: &'static str,
    },
    /// The file would be larger than 4 GiB.
    #[error("the file would be larger than 4 GiB")]
    FileTooLarge,
}
