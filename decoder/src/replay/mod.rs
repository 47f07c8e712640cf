//! Replays a thread's stream into the path that ran (`docs/PROTOCOL.md`).
//!
//! A [`Walker`] keeps the call stack and walks the program; it reports the path to a [`PathSink`].
//! It reports only certain events: blocks are passed on when the symbol after them has been read.

mod adapt;
mod block;
mod doubt;
mod escapes;
mod fault;
mod implied;
mod program;
mod regions;
mod restart;
mod silent;
mod times;
mod walk;

pub use block::BlockNo;
pub use fault::{Fault, FaultKind};
pub use program::Program;
pub use silent::LISTED_ROUNDS;
pub(crate) use silent::{Credit, budget};
pub(crate) use times::{Carried, Timeline};
pub use walk::{Ended, Start, Walker};

use model::map::{HandlerId, MethodId, OriginId, SlotId};

/// Ways in which a method is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// The only callee its call site can have.
    Call,
    /// The only callee, which has no probes: it ran, because control passed its call. Where a
    /// callback was reported since [`PathSink::possible`], it may have come out of it, or later.
    Implied,
    /// Predicted by the symbol of the call slot.
    Slot(SlotId),
    /// Announced itself: called by code outside the app, by reflection, as a static initialiser.
    Callback,
    /// A top-level callback, this many milliseconds after the last one of its thread (as clocks
    /// show it: the difference of two times in whole ms). [`PathSink::times`] came before.
    TopLevel(u32),
}

/// Subject of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A branch block.
    Branch(BlockNo),
    /// A call slot.
    Slot(SlotId),
    /// A next-callback distribution.
    NextCallback(SlotId),
}

/// Begin and end of a top-level callback, in µs since the trace began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Its begin.
    pub begin_us: u64,
    /// Its end; `None` if the log has none: the log ends before the callback does, or is of
    /// protocol 2.
    pub end_us: Option<u64>,
    /// Both are rounded down to a multiple of this.
    pub tick_us: u32,
}

impl Times {
    /// Returns its duration, if that is known.
    pub fn took_us(&self) -> Option<u64> {
        self.end_us.map(|end| end.saturating_sub(self.begin_us))
    }
}

/// Receiver of a path. All methods have empty defaults: a sink implements the ones that it needs.
pub trait PathSink {
    /// Calls that return without a decision are not reported: neither their methods nor their
    /// blocks.
    const DECISIONS_ONLY: bool = false;
    /// The next frame is a top-level callback that ran at this time.
    fn times(&mut self, _times: Times) {}
    /// It was this time, in µs since the trace began, when the path was here: a slab of the log was
    /// begun. What was passed on so far ran before, up to a few decisions. May come between two
    /// callbacks, too.
    fn clock(&mut self, _us: u64) {}
    /// A method begins.
    fn enter(&mut self, _method: MethodId, _via: Via) {}
    /// The innermost frame, which has just begun, is a callback that came from here. One callback
    /// may have several origins.
    fn origin(&mut self, _origin: OriginId) {}
    /// The innermost frame continues in this block.
    fn block(&mut self, _block: BlockNo) {}
    /// A method that is one block without calls begins and returns, called as [`Via::Call`].
    #[inline]
    fn leaf(&mut self, method: MethodId, block: BlockNo) {
        self.enter(method, Via::Call);
        self.block(block);
        self.leave();
    }
    /// A decision and the alternative taken.
    fn decision(&mut self, _what: Decision, _alternative: usize) {}
    /// A counted loop was left: the branch that it hangs on and its symbol
    /// (`model::region::trip_symbol`). The decisions came before.
    fn trips(&mut self, _branch: BlockNo, _symbol: usize) {}
    /// A loop went round this often: each time `branch` took `stay`, then came the blocks of
    /// `cycle`, of which the branch block is the last. Billions are possible: override this to
    /// process rounds in bulk.
    fn rounds(&mut self, branch: BlockNo, stay: usize, cycle: &[BlockNo], times: u32) {
        for _ in 0..times {
            self.decision(Decision::Branch(branch), stay);
            cycle.iter().for_each(|&b| self.block(b));
        }
    }
    /// The last decision was coded under a distribution that adapts, in which the alternative had
    /// this frequency of 65,536.
    fn adapted(&mut self, _freq: u16) {}
    /// The innermost frame returned.
    fn leave(&mut self) {}
    /// An exception ended the `dropped` innermost frames and arrived at this handler of the next
    /// one. It was thrown in the innermost of them all, in one of `from` (in walking order; the
    /// first has begun for certain).
    fn caught(&mut self, _dropped: usize, _handler: HandlerId, _block: BlockNo, _from: &[BlockNo]) {
    }
    /// An exception ended the `dropped` innermost frames and left the app's code.
    fn unwound(&mut self, _dropped: usize, _from: &[BlockNo]) {}
    /// Comes before a callback is entered, before [`Self::caught`] and [`Self::unwound`]: implied
    /// calls ([`Via::Implied`]) of the frame at this depth (1: the outermost) that it may have come
    /// to, in order. The event that follows happened before, between or after them, or in one of
    /// them. Calls that did run are entered as the frame goes on; after an exception it stays
    /// unknown which ran.
    fn possible(&mut self, _depth: usize, _methods: &[MethodId]) {}
    /// Comes before [`Self::caught`] or [`Self::unwound`], or at the end. Code outside the app
    /// entered this method, which has no guard. An exception may have ended it earlier and been
    /// swallowed outside; then the path that follows its entry belongs to the frames below. The
    /// entry in question is the oldest of the callback whose frame had this depth (1: the
    /// outermost), except those that an exception ended.
    fn doubtful(&mut self, _method: MethodId, _depth: usize) {}
    /// A check was passed: everything up to here is proven.
    fn checked(&mut self) {}
    /// Returns true if the sink needs nothing more: the thread's path ends here, as if its log did.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }
}

/// Forgets everything: for proving a record before it is passed on.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoSink;

impl PathSink for NoSink {
    const DECISIONS_ONLY: bool = true;
    fn rounds(&mut self, _branch: BlockNo, _stay: usize, _cycle: &[BlockNo], _times: u32) {}
}
