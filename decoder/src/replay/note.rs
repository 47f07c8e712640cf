//! Notes about a thread's path.

use model::map::MethodId;

use super::block::BlockNo;
use super::fault::Fault;
use super::state::Ended;

/// A note about a thread's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
