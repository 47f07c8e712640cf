//! Escapes: events that no distribution predicts (`docs/PROTOCOL.md` §5).

use crate::recording::Wire;

/// Kind of an escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Escape {
    /// A guarded method was entered, and nothing predicted it.
    Entry,
    /// An exception arrived at a handler.
    Handler,
    /// An exception left an announced guarded frame.
    Unwound,
    /// Nothing follows in this thread. The only kind without a position.
    End,
    /// The coder is flushed and reset; the walk continues.
    Flush,
    /// An unguarded method was announced.
    EntryUnguarded,
    /// An exception broke off the path of the innermost frame.
    Broken,
    /// The path register of a counted loop is full; the loop continues.
    Lap,
}

/// Bits that a call takes in the log that something without probes makes to a method with probes,
/// about: the escape, its kind, its position and the method's number (§5).
pub fn announcement_bits(wire: Wire, id_bits: u8) -> u32 {
    const POSITION: u32 = 2 + 4;
    let escape = match wire {
        Wire::Range => 16,
        // A flagged word: its head, and half a byte of padding.
        Wire::Packed => 7 + 4,
    };
    escape + Escape::BITS + POSITION + u32::from(id_bits)
}

impl Escape {
    /// All kinds; the place is the number.
    pub const ALL: [Escape; 8] = [
        Escape::Entry,
        Escape::Handler,
        Escape::Unwound,
        Escape::End,
        Escape::Flush,
        Escape::EntryUnguarded,
        Escape::Broken,
        Escape::Lap,
    ];

    /// Bits of a kind's number in the stream.
    pub const BITS: u32 = 3;

    /// The number in the stream.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// The kind with this number. Every number of [`BITS`](Self::BITS) bits is one.
    pub fn from_number(number: u32) -> Option<Escape> {
        Escape::ALL.get(number as usize).copied()
    }

    /// Its name in `docs/PROTOCOL.md`; the runtime's constant is `ESCAPE_` and this.
    pub fn name(self) -> &'static str {
        match self {
            Escape::Entry => "ENTRY",
            Escape::Handler => "HANDLER",
            Escape::Unwound => "UNWOUND",
            Escape::End => "END",
            Escape::Flush => "FLUSH",
            Escape::EntryUnguarded => "ENTRY_UNGUARDED",
            Escape::Broken => "BROKEN",
            Escape::Lap => "LAP",
        }
    }

    /// Returns true if a [`Position`] follows the kind.
    pub fn has_position(self) -> bool {
        self != Escape::End
    }
}

/// Number of low bits of progress that an escape's position carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    bits: u32,
}

impl Position {
    /// Bits of the width's number in the stream.
    pub const CLASS_BITS: u32 = 2;

    /// The width with this number, 0 … 3.
    pub fn of_class(class: u32) -> Position {
        Position { bits: 4 << class.min(3) }
    }

    /// The smallest width for which `ahead` (progress since the decoder's place) fits.
    pub fn for_distance(ahead: u32) -> (u32, Position) {
        let class = (0..3).find(|c| ahead >> (4 << c) == 0).unwrap_or(3);
        (class, Position::of_class(class))
    }

    /// Returns the number of bits of progress: 4, 8, 16 or 32.
    pub fn bits(self) -> u32 {
        self.bits
    }
}

/// The 16 bits of progress that checks carry (`hash` of `docs/PROTOCOL.md` §5).
pub fn progress_check(progress: u32) -> u32 {
    progress.wrapping_mul(0x9E37_79B1) >> 16
}
