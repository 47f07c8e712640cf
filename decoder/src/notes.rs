//! Notes about a thread's path, and the sink that takes both.

use model::map::MethodId;

use crate::replay::{BlockNo, Ended, Fault, NoSink, PathSink, Start};

/// A note about a thread's path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The thread ran before its first record, unrecorded.
    Late,
    /// Slabs `from..to` of the thread are missing.
    Gap {
        /// First missing slab.
        from: u32,
        /// First slab that is present again.
        to: u32,
    },
    /// Bytes that no decoding can begin in.
    Skipped {
        /// Number of bytes.
        bytes: usize,
    },
    /// A record that cannot be what the app wrote; nothing of it was passed on.
    Faulty(Fault),
    /// Decoding continues with an empty stack.
    Resumed {
        /// Last time that the thread recorded, in ms since the trace began: when the last top-level
        /// callback before it began (protocol 2) or ended.
        time_ms: u32,
    },
    /// Comes after [`Note::Resumed`]: inside a callback, which began then. The sink receives its
    /// innermost frame as a callback, at the head of a loop; the path before it and its callers are
    /// missing.
    Inside {
        /// Whose frame that is.
        method: MethodId,
        /// The loop's head.
        at: BlockNo,
    },
    /// That frame has ended, and what called it is not known.
    Below,
    /// The last record is not closed: no check covers the committed events that follow.
    Unproven,
    /// The end.
    Ended(Ended),
}

/// Takes a thread's path and the notes about it, in order.
pub trait ThreadSink: PathSink {
    /// A note.
    fn note(&mut self, _note: Note) {}
    /// Decoding can begin here as well, in this state: at a byte of the segment whose first slab
    /// has this sequence, between two records, with an empty stack. Not all such places are
    /// reported.
    fn can_begin(&mut self, _segment: u32, _offset: usize, _start: Start) {}
}

impl ThreadSink for NoSink {}

/// Totals of one thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThreadTotals {
    /// Records whose check was right.
    pub proven: u64,
    /// Records that ended before their check.
    pub unproven: u64,
    /// Records that were refused.
    pub faulty: u64,
    /// Slabs missing.
    pub missing_slabs: u64,
}
