//! Numbers with a type: pool indices, registers, and the names of labels, tries and tables.
//!
//! A pool index is a position in the *in-memory* pool, which grows while one edits; the number that
//! ends up in the file is decided by the writer.

use std::fmt;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position as a `usize`, for slices.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// # Panics
            /// Panics if the position does not fit 32 bits, which no DEX pool exceeds.
            #[inline]
            fn from(i: usize) -> Self {
                $name(u32::try_from(i).expect("pool position fits u32"))
            }
        }
    )*};
}

index! {
    /// A string (`string_id_item`).
    StringIdx;
    /// A type descriptor (`type_id_item`).
    TypeIdx;
    /// A method prototype (`proto_id_item`).
    ProtoIdx;
    /// A field reference (`field_id_item`).
    FieldIdx;
    /// A method reference (`method_id_item`).
    MethodIdx;
    /// A call site (`call_site_id_item`).
    CallSiteIdx;
    /// A method handle (`method_handle_item`).
    MethodHandleIdx;
}

/// A pool of a DEX file that instructions index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named as in the specification")]
pub enum PoolKind {
    String,
    Type,
    Proto,
    Field,
    Method,
    CallSite,
    MethodHandle,
}

impl fmt::Display for PoolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PoolKind::String => "string",
            PoolKind::Type => "type",
            PoolKind::Proto => "proto",
            PoolKind::Field => "field",
            PoolKind::Method => "method",
            PoolKind::CallSite => "call site",
            PoolKind::MethodHandle => "method handle",
        })
    }
}

/// A body: position in [`Dex::codes`](crate::Dex::codes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeId(pub u32);

/// A branch target; it is in the list as [`Item::Label`](crate::Item::Label), exactly once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub u32);

/// A try range: position in [`Code::tries`](crate::Code::tries). Instructions that carry the same
/// id and follow each other form one `try_item` (split where it would exceed 65,535 units).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TryId(pub u32);

/// A switch or array table: position in [`Code::payloads`](crate::Code::payloads).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PayloadId(pub u32);

/// A register number, `v0`…`v65535`. Wide values live in `Reg(n)` and `Reg(n + 1)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub u16);

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}
