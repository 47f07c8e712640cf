//! Errors of a stream, with their positions.

use model::coder::CoderError;
use model::pap::LOST_FRAMES;

use super::silent::STEPS_PER_SYMBOL;

/// Frames a stack may have: far more than any Android thread holds, far less than memory.
pub(super) const MAX_FRAMES: usize = 4 << 20;

/// Kinds of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// The code itself.
    #[error("{0}")]
    Coder(CoderError),
    /// An escape of a kind that does not exist.
    #[error("unknown escape kind {0}")]
    UnknownEscape(u32),
    /// An id that the map does not have.
    #[error("id {0} is not in the map")]
    UnknownId(u32),
    /// The escape lies after a place where a symbol was due, or where the path cannot continue.
    #[error("an escape names a place that the path does not reach")]
    Unreachable,
    /// No such frame on the stack.
    #[error("an escape names a frame that is not active")]
    UnknownFrame,
    /// A check failed: some decision before it is wrong.
    #[error("the check at the end of the record failed")]
    Check,
    /// A symbol follows a `throw` or a missing caller.
    #[error("the path cannot go on")]
    DeadEnd,
    /// The path does not arrive at the state in the header of a slab.
    #[error("the path does not reach the record that the slab header announces")]
    Sync,
    /// A record that needs distributions which grew before it.
    #[error("the record needs distributions that were adapted before it")]
    Tables,
    /// The table that the process began with cannot be one of this build.
    #[error("the start table is none of this build")]
    StartTable,
    /// The path runs in circles without ever coming to the symbol that follows.
    #[error("the path loops and never reaches the next symbol")]
    Circle,
    /// Decoding began inside a callback, and the frame that it began in has ended.
    #[error("what called the method that decoding began in is not known")]
    Below,
    /// More steps than so long a log can stand for.
    #[error(
        "too many steps without a decision: more than {STEPS_PER_SYMBOL} blocks and calls \
         per symbol of the log (in method {method} of the map, at {pc:#x})"
    )]
    Steps {
        /// The method it has come to.
        method: u32,
        /// The block, as an offset in the original method.
        pc: u32,
    },
    /// The call stack outgrew every real one.
    #[error("the call stack exceeds {MAX_FRAMES} frames")]
    Depth,
    /// Codec `pap`: an exception left a run of frames without stack for their probes, so long
    /// that the ring in which they leave their numbers (`State.LOST` in the runtime) overflowed;
    /// the number is that of the missing frames.
    #[error(
        "{0} frames are missing: on a full stack recording pap keeps only {LOST_FRAMES} of the \
         frames that an exception leaves"
    )]
    FullStack(u64),
}

/// A fault and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("at byte {at} of the thread's stream (record at {record}): {kind}")]
pub struct Fault {
    /// Bytes of the stream used up.
    pub at: usize,
    /// Begin of the record.
    pub record: usize,
    /// Kind of the error.
    pub kind: FaultKind,
}

impl Fault {
    /// Returns the same fault in a stream that has `bytes` more bytes before.
    pub fn after(self, bytes: usize) -> Fault {
        let later = |at: usize| at.saturating_add(bytes);
        let kind = match self.kind {
            FaultKind::Coder(CoderError::Truncated { at }) => {
                FaultKind::Coder(CoderError::Truncated { at: later(at) })
            }
            FaultKind::Coder(CoderError::Corrupt { at }) => {
                FaultKind::Coder(CoderError::Corrupt { at: later(at) })
            }
            kind => kind,
        };
        Fault { at: later(self.at), record: later(self.record), kind }
    }
}

impl From<CoderError> for FaultKind {
    fn from(e: CoderError) -> Self {
        FaultKind::Coder(e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_of_a_fault_move_with_its_stream() {
        let fault = |at, record, kind| Fault { at, record, kind };
        let corrupt = |at| FaultKind::Coder(CoderError::Corrupt { at });
        let truncated = |at| FaultKind::Coder(CoderError::Truncated { at });
        assert_eq!(fault(5, 3, corrupt(4)).after(100), fault(105, 103, corrupt(104)));
        assert_eq!(fault(5, 3, truncated(6)).after(100), fault(105, 103, truncated(106)));
        assert_eq!(fault(5, 3, FaultKind::Check).after(100), fault(105, 103, FaultKind::Check));
    }
}
