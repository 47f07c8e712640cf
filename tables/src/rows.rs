//! Ids of sessions, and the rows of one session.

use hmac::{Hmac, Mac};
use model::exit_note::ExitReason;
use model::map::MethodId;
use sha2::Sha256;

/// The secret of the ids of one release.
#[derive(Clone, Default)]
pub struct Salt(Vec<u8>);

impl Salt {
    /// These bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Salt(bytes.into())
    }
}

/// It is a secret.
impl std::fmt::Debug for Salt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Salt(…)")
    }
}

/// The number that stands for a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(pub i64);

impl SessionId {
    /// The first 8 bytes, big-endian, of HMAC-SHA-256 with the salt as the secret.
    pub fn new(salt: &Salt, key: &str) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(&salt.0).expect("any length is a key");
        mac.update(key.as_bytes());
        let mut id = [0; 8];
        id.copy_from_slice(&mac.finalize().into_bytes()[..8]);
        SessionId(i64::from_be_bytes(id))
    }
}

/// Position of a throw: the method, and the line at which the block begins.
pub(crate) type ThrownAt = (MethodId, Option<u32>);

/// A method, the line of the throw, and whether the exception left the app.
pub(crate) type Thrown = (u32, Option<u32>, bool);

/// End of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionEnd {
    LeftApp,
    Damaged,
    Stopped,
    Cut,
    Unknown,
    Clean,
}

impl SessionEnd {
    pub(crate) fn name(self) -> &'static str {
        match self {
            SessionEnd::LeftApp => "left_app",
            SessionEnd::Damaged => "damaged",
            SessionEnd::Stopped => "stopped",
            SessionEnd::Cut => "cut",
            SessionEnd::Unknown => "unknown",
            SessionEnd::Clean => "clean",
        }
    }
}

/// An edge of a branch that ran.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BranchEdge {
    pub(crate) edge: u32,
    pub(crate) n: u64,
    /// No lower edge of the branch was taken.
    pub(crate) is_first: bool,
}

/// A top-level callback.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallbackRow {
    pub(crate) thread: u32,
    pub(crate) method: MethodId,
    pub(crate) start_ms: u64,
    pub(crate) took_us: Option<u64>,
    pub(crate) steps: u64,
    /// `None`: its end is not in the log.
    pub(crate) shape: Option<u64>,
}

/// Facts of one session for the tables and the model. Lists are sorted, counts are positive.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) hour: Option<i32>,
    pub(crate) threads: u32,
    pub(crate) proven: u64,
    pub(crate) unproven: u64,
    pub(crate) faulty: u64,
    pub(crate) missing: u64,
    pub(crate) skipped: u64,
    pub(crate) bytes: u64,
    pub(crate) decisions: u64,
    pub(crate) callbacks_begun: u64,
    pub(crate) usable: bool,
    pub(crate) end: SessionEnd,
    pub(crate) thrown: Option<ThrownAt>,
    /// End of the process, if the device noted one.
    pub(crate) exit: Option<ExitReason>,
    pub(crate) edges: Vec<BranchEdge>,
    /// ((caller or 0, callee), n)
    pub(crate) calls: Vec<((u32, u32), u64)>,
    pub(crate) exceptions: Vec<(Thrown, u64)>,
    /// ((callback, shape), (n, steps))
    pub(crate) paths: Vec<((u32, u64), (u64, u64))>,
    pub(crate) callbacks: Vec<CallbackRow>,
    /// Only the model wants the rest: (cell of a slot, n)
    pub(crate) slots: Vec<(u32, u64)>,
    /// (method - 1, n)
    pub(crate) announced: Vec<(u32, u64)>,
    /// ((block, symbol), n)
    pub(crate) trips: Vec<((u32, u32), u64)>,
    /// ((last callback, next), n)
    pub(crate) tops: Vec<((Option<MethodId>, MethodId), u64)>,
    /// ((slot of a next-callback distribution, alternative), n)
    pub(crate) next_callbacks: Vec<((u32, u32), u64)>,
    /// (frequency under a distribution that adapts, n)
    pub(crate) adapted: Vec<(u16, u64)>,
}
