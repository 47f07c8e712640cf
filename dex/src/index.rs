//! Typed indices into the pools of a [`Dex`](crate::Dex).
//!
//! An index is a position in the *in-memory* pool, which grows while one edits; the number that
//! ends up in the file is decided by the writer.

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
            /// When the position does not fit 32 bits, which no DEX pool does.
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
