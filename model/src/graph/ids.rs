//! Ids of the lists of a map.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);
    )*};
}

id! {
    /// An instrumented method; ids start at 1, `Map::methods[id - 1]`.
    MethodId;
    /// A basic block within its method.
    BlockId;
    /// A call slot (see `docs/PROTOCOL.md` §4), position in `Map::slots`. Slot 0 is the
    /// next-callback distribution.
    SlotId;
    /// An exception handler, position in `Map::handlers`.
    HandlerId;
    /// An origin of a callback, counted through the ranges of `Map::origins`. In a stream its id is
    /// the number of methods + 1 + this number.
    OriginId;
    /// A name, position in `Map::names`.
    NameId;
}
