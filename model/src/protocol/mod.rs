//! The event protocol's numbers and names, once for all of Rust (`docs/PROTOCOL.md`).
//!
//! The Java runtime has the same in `Protocol.java`, `Config.java` and its probes; the tests in
//! `tests/tests/protocol.rs` read the built runtime and the document and compare.

mod config;
mod escape;
pub mod probes;
mod restart;
mod time;

pub use config::{ConfigKey, ConfigType, SinkNumber};
pub use escape::{Escape, Position, announcement_bits, progress_check};
pub use restart::{RestartMode, RestartPlace};
pub use time::{Protocol, Span};

/// Mark that ends the words of an open slab (§7): its order times `FACTOR`, the high half of the
/// product, `BIT` set; then the number of payload bytes before it, 16 bits.
pub mod slab_mark {
    /// Factor by which the slab's order is multiplied.
    pub const FACTOR: u32 = 0x9E37_79B1;
    /// A bit that is always set: no mark is zero.
    pub const BIT: u32 = 0x8000;
}

/// A slab's flags (`docs/PROTOCOL.md` §7).
pub mod slab_flags {
    /// The slab is complete and its checksum valid.
    pub const CLOSED: u16 = 1;
    /// In the slab of sequence 0: the thread ran before, unrecorded.
    pub const LATE: u16 = 1 << 1;
    /// Threads had run unrecorded and had no record yet when this slab was begun.
    pub const UNRECORDED: u16 = 1 << 2;
    /// The file is a ring, in which newer slabs take the place of the oldest ones.
    pub const RING: u16 = 1 << 3;
    /// Lowest bit of the shift: the slab has the file's slab size, halved that many times; doubled,
    /// where it is negative.
    pub const SHIFT_AT: u32 = 8;
    /// Bits of the shift, a signed number: one more than any shift needs, so that damage shows.
    pub const SHIFT_MASK: u16 = 7;
    /// Position of bits 32 to 36 of the clock.
    pub const CLOCK_AT: u32 = 11;
}
