//! Android DEX files: bytes in, a typed editable model, bytes out.
//!
//! This room knows the [DEX format] and the [Dalvik bytecode] and nothing else: no APKs, no probes.
//! A [`Dex`] holds *append-only pools* (strings, types, prototypes, fields, methods) that
//! everything else refers to by typed index; indices stay valid while one edits, and
//! [`write`](Dex::write) sorts the pools and renumbers every reference at the very end.
//!
//! ```text
//! bytes ──read──▶ Dex ──▶ Body::Raw ──decode──▶ Code (edit list) ──▶ Body::Edited
//!                  └───────────────────────── write ◀───────────────────┘
//! ```
//!
//! [DEX format]: https://source.android.com/docs/core/runtime/dex-format
//! [Dalvik bytecode]: https://source.android.com/docs/core/runtime/dalvik-bytecode

pub mod code;
pub mod code_error;
pub mod debug;
pub mod decode;
pub mod dump;
pub mod error;
pub mod file;
pub mod index;
pub mod insn;
pub mod lower;
pub mod merge;
pub mod mutf8;
pub mod names;
pub mod opcode;
pub mod pool;
pub mod read;
mod refs;
pub mod reindex;
pub mod verify;
pub mod write;

pub use code::{Code, Handlers, Item, Label, Node, Payload, PayloadId, TryId};
pub use code_error::CodeError;
pub use error::{ReadError, ReadErrorKind, Section, WriteError};
pub use file::{
    Body, ClassDef, CodeId, CodeItem, Dex, EncodedField, EncodedMethod, FieldRef, MethodRef, Proto, Version,
};
pub use index::*;
pub use insn::{Args, Insn, Ref, Reg, RegList};
pub use merge::{Importer, MergeError};
pub use opcode::{Format, Op, RefKind};
pub use read::ReadOptions;
pub use reindex::{IndexMap, PoolKind};
pub use verify::types::{TypeChecker, TypeProblem, TypeViolation};
pub use verify::{Problem, Violation, verify};
pub use write::{BodySize, Written};
