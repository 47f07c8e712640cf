//! States at the beginning and at the end of a stream.

use model::map::MethodId;
use model::protocol::RestartPlace;

/// State at the beginning of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Start {
    /// Progress counter.
    pub progress: u32,
    /// The last top-level callback; `None` at the thread's beginning.
    pub last_top: Option<MethodId>,
    /// Last time that the thread recorded, in ticks of the build's protocol since the trace began.
    pub time: u64,
    /// Inside a callback: at the head of this loop.
    pub inside: Option<RestartPlace>,
}

/// End of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Between two records, and the device had written all that it had recorded.
    Clean,
    /// Between two records, but the device may have recorded more: a line of logcat, or a slab that
    /// is full, stands for what was recorded until then.
    Unknown,
    /// The app wrote that nothing follows (switched off, log full).
    Stopped,
    /// In the middle of a record: what was not committed is missing.
    Cut,
}
