//! Android DEX files: bytes in, a typed editable model, bytes out.
//!
//! This crate covers the [DEX format] and the [Dalvik bytecode] and nothing else: no APKs, no
//! probes. A [`Dex`] holds *append-only pools* (strings, types, prototypes, fields, methods) that
//! everything else refers to by typed index; indices stay valid while one edits, and
//! [`write`](Dex::write) sorts the pools and renumbers every reference at the very end.
//!
//! ```text
//! bytes ──read──▶ Dex ──▶ Body::Raw ──decode──▶ Code (edit list) ──▶ Body::Edited
//!                  └───────────────────────── write ◀───────────────────┘
//! ```
//!
//! The README, whose examples run as tests:
//!
#![doc = include_str!("../README.md")]
//!
//! [DEX format]: https://source.android.com/docs/core/runtime/dex-format
//! [Dalvik bytecode]: https://source.android.com/docs/core/runtime/dalvik-bytecode

mod bodies;
mod code;
mod file;
mod ids;
mod parallel;
mod read;
mod renumber;
pub mod text;
pub mod verify;
mod write;

pub use bodies::decode::{decode, decode_with_addresses};
pub use bodies::lower::lower;
pub use code::debug;
pub use code::error::CodeError;
pub use code::insn::{Args, Insn, MoveKind, Ref, RegList};
pub use code::opcode::{Access, Flags, InsnFormat, Op, OperandRole, RefKind, RegKind};
pub use code::raw::{RawInsn, RawKind, raw_insns};
pub use code::{Code, Handlers, Item, Node, Payload};
pub use file::access::AccessFlags;
pub use file::error::{ReadError, ReadErrorKind, Section, WriteError};
pub use file::index_map::IndexMap;
pub use file::mutf8;
pub use file::pool::Pool;
pub use file::{
    Annotation, AnnotationSet, Annotations, Body, ClassAnnotations, ClassDef, CodeItem, Dex,
    DexString, EncodedAnnotation, EncodedField, EncodedMethod, EncodedValue, FieldRef,
    HandleTarget, MethodHandle, MethodRef, Proto, RawHandlers, RawTry, StoredAnnotations,
    StoredBody, Version,
};
pub use ids::*;
pub use read::ReadOptions;
pub use read::sections::{SectionBytes, section_bytes};
pub use read::unmapped::unmapped_bytes;
pub use renumber::merge::{Importer, MergeError};
pub use renumber::reindex::{remap_debug, remap_raw};
pub use write::bodies::MakeBody;
pub use write::{BodySize, WrittenDex};
