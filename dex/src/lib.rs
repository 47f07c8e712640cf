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

mod access;
mod code;
mod code_error;
mod dangling;
pub mod debug;
mod decode;
mod error;
mod file;
mod ids;
mod index_map;
mod insn;
mod lower;
mod merge;
pub mod mutf8;
mod names;
mod opcode;
mod parallel;
mod pool;
mod raw;
mod read;
mod refs;
mod reindex;
pub mod text;
pub mod verify;
mod write;

pub use access::AccessFlags;
pub use code::{Code, Handlers, Item, Node, Payload};
pub use code_error::CodeError;
pub use decode::{decode, decode_with_addresses};
pub use error::{ReadError, ReadErrorKind, Section, WriteError};
pub use file::{
    Annotation, AnnotationSet, Annotations, Body, ClassDef, CodeItem, Dex, DexString,
    EncodedAnnotation, EncodedField, EncodedMethod, FieldRef, HandleTarget, MethodHandle,
    MethodRef, Proto, RawHandlers, RawTry, Value, Version,
};
pub use ids::*;
pub use index_map::IndexMap;
pub use insn::{Args, Insn, MoveKind, Ref, RegList};
pub use lower::lower;
pub use merge::{Importer, MergeError};
pub use opcode::{Access, Flags, Format, Op, RefKind, RegKind, Role};
pub use pool::Pool;
pub use raw::{RawInsn, RawKind, raw_insns};
pub use read::ReadOptions;
pub use reindex::{remap_debug, remap_raw};
pub use write::{BodySize, Written};
