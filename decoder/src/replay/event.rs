//! Events of a path, and the sinks that receive them.

use model::map::{HandlerId, MethodId, OriginId, SlotId};

use super::block::BlockNo;
use super::note::Note;
use super::state::Start;

/// Ways in which a method is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// The only callee its call site can have.
    Call,
    /// The only callee, which has no probes: it ran, because control passed its call. Where a
    /// callback was reported since [`PathEvent::Possible`], it may have come out of it, or later.
    Implied,
    /// Predicted by the symbol of the call slot.
    Slot(SlotId),
    /// Announced itself: called by code outside the app, by reflection, as a static initialiser.
    Callback,
    /// A top-level callback, this many milliseconds after the last one of its thread (as clocks
    /// show it: the difference of two times in whole ms). [`PathEvent::Times`] came before.
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

/// An event of a thread's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathEvent<'a> {
    /// The next frame is a top-level callback that ran at this time.
    Times(Times),
    /// It was this time, in µs since the trace began, when the path was here: a slab of the log was
    /// begun. What was passed on so far ran before, up to a few decisions. May come between two
    /// callbacks, too.
    Clock(u64),
    /// A method begins.
    Enter {
        /// The method.
        method: MethodId,
        /// Kind of its call.
        via: Via,
    },
    /// The innermost frame, which has just begun, is a callback that came from here. One callback
    /// may have several origins.
    Origin(OriginId),
    /// The innermost frame continues in this block.
    Block(BlockNo),
    /// A decision.
    Decision {
        /// Its subject.
        what: Decision,
        /// The alternative taken.
        alternative: usize,
    },
    /// A counted loop was left. The decisions came before.
    Trips {
        /// The branch that the loop hangs on.
        branch: BlockNo,
        /// Its symbol (`model::region::trip_symbol`).
        symbol: usize,
    },
    /// The last decision was coded under a distribution that adapts, in which the alternative had
    /// this frequency of 65,536.
    Adapted(u16),
    /// The innermost frame returned.
    Leave,
    /// An exception ended the innermost frames and arrived at a handler of the next one.
    Caught {
        /// Number of frames that it ended. It was thrown in the innermost of them all.
        dropped: usize,
        /// The handler.
        handler: HandlerId,
        /// The handler's block.
        block: BlockNo,
        /// Blocks of which one threw, in walking order; the first has begun for certain.
        from: &'a [BlockNo],
    },
    /// An exception ended the innermost frames and left the app's code.
    Unwound {
        /// Number of frames that it ended.
        dropped: usize,
        /// Blocks of which one threw, as for [`Self::Caught`].
        from: &'a [BlockNo],
    },
    /// Comes before a callback is entered, before [`Self::Caught`] and [`Self::Unwound`]: implied
    /// calls ([`Via::Implied`]) that a frame may have come to. The event that follows happened
    /// before, between or after them, or in one of them. Calls that did run are entered as the
    /// frame goes on; after an exception it stays unknown which ran.
    Possible {
        /// Depth of the frame (1: the outermost).
        depth: usize,
        /// The callees, in order.
        methods: &'a [MethodId],
    },
    /// Comes before [`Self::Caught`] or [`Self::Unwound`], or at the end. Code outside the app
    /// entered a method that has no guard. An exception may have ended it earlier and been
    /// swallowed outside; then the path that follows its entry belongs to the frames below. The
    /// entry in question is the oldest of its callback, except those that an exception ended.
    Doubtful {
        /// The method.
        method: MethodId,
        /// Depth of the callback's frame (1: the outermost).
        depth: usize,
    },
    /// A check was passed: everything up to here is proven.
    Checked,
    /// A note about the path.
    Note(Note),
    /// Decoding can begin here as well: between two records, with an empty stack. Not all such
    /// places are reported.
    CanBegin {
        /// Sequence of the segment's first slab.
        segment: u32,
        /// Byte of the segment.
        offset: usize,
        /// The state here.
        start: Start,
    },
}

/// Rounds of a loop: each time `branch` took `stay`, then came the blocks of `cycle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopRounds<'a> {
    /// The branch that the loop hangs on.
    pub branch: BlockNo,
    /// The alternative that stays in the loop.
    pub stay: usize,
    /// The blocks of one round; the branch block is the last.
    pub cycle: &'a [BlockNo],
    /// Number of rounds. Billions are possible.
    pub times: u32,
}

impl LoopRounds<'_> {
    /// Passes on the events of one round.
    #[inline]
    pub fn pass_one(&self, sink: &mut impl PathSink) {
        sink.decision(Decision::Branch(self.branch), self.stay);
        self.cycle.iter().for_each(|&block| sink.block(block));
    }

    /// Passes on the events of all rounds, one after the other: only where billions of them do no
    /// harm.
    pub fn pass_each(&self, sink: &mut impl PathSink) {
        (0..self.times).for_each(|_| self.pass_one(sink));
    }
}

/// Receiver of a thread's path and of the notes about it, in order.
///
/// A sink that wraps another passes on `event` and `rounds`. A caller knows which event it sends:
/// on hot paths `event` is `#[inline(always)]`, so that its `match` folds away.
pub trait PathSink {
    /// Calls that return without a decision are not reported: neither their methods nor their
    /// blocks.
    const DECISIONS_ONLY: bool = false;

    /// Receives an event.
    fn event(&mut self, event: PathEvent<'_>);

    /// Receives the rounds of a loop at once. There is no default, so that no sink forgets their
    /// blocks, or replays billions, by accident: sinks process them in bulk, drop them, or ask for
    /// single events ([`LoopRounds::pass_each`]).
    fn rounds(&mut self, rounds: LoopRounds<'_>);

    /// Receives a call of a method that is one block without calls: it begins, called as
    /// [`Via::Call`], and returns. The default passes on the three events.
    #[inline]
    fn leaf(&mut self, method: MethodId, block: BlockNo) {
        self.enter(method, Via::Call);
        self.block(block);
        self.leave();
    }

    /// Returns true if the sink needs nothing more: the thread's path ends here, as if its log did.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }
}

/// One method for each event, for code that sends events: `sink.block(b)` is
/// `sink.event(PathEvent::Block(b))`. No sink can implement it.
#[allow(missing_docs, reason = "`PathEvent` describes them")]
pub trait SendEvents: PathSink {
    #[inline]
    fn times(&mut self, times: Times) {
        self.event(PathEvent::Times(times));
    }
    #[inline]
    fn clock(&mut self, us: u64) {
        self.event(PathEvent::Clock(us));
    }
    #[inline]
    fn enter(&mut self, method: MethodId, via: Via) {
        self.event(PathEvent::Enter { method, via });
    }
    #[inline]
    fn origin(&mut self, origin: OriginId) {
        self.event(PathEvent::Origin(origin));
    }
    #[inline]
    fn block(&mut self, block: BlockNo) {
        self.event(PathEvent::Block(block));
    }
    #[inline]
    fn decision(&mut self, what: Decision, alternative: usize) {
        self.event(PathEvent::Decision { what, alternative });
    }
    #[inline]
    fn trips(&mut self, branch: BlockNo, symbol: usize) {
        self.event(PathEvent::Trips { branch, symbol });
    }
    #[inline]
    fn adapted(&mut self, freq: u16) {
        self.event(PathEvent::Adapted(freq));
    }
    #[inline]
    fn leave(&mut self) {
        self.event(PathEvent::Leave);
    }
    #[inline]
    fn caught(&mut self, dropped: usize, handler: HandlerId, block: BlockNo, from: &[BlockNo]) {
        self.event(PathEvent::Caught { dropped, handler, block, from });
    }
    #[inline]
    fn unwound(&mut self, dropped: usize, from: &[BlockNo]) {
        self.event(PathEvent::Unwound { dropped, from });
    }
    #[inline]
    fn possible(&mut self, depth: usize, methods: &[MethodId]) {
        self.event(PathEvent::Possible { depth, methods });
    }
    #[inline]
    fn doubtful(&mut self, method: MethodId, depth: usize) {
        self.event(PathEvent::Doubtful { method, depth });
    }
    #[inline]
    fn checked(&mut self) {
        self.event(PathEvent::Checked);
    }
    #[inline]
    fn note(&mut self, note: Note) {
        self.event(PathEvent::Note(note));
    }
    #[inline]
    fn can_begin(&mut self, segment: u32, offset: usize, start: Start) {
        self.event(PathEvent::CanBegin { segment, offset, start });
    }
}

impl<S: PathSink + ?Sized> SendEvents for S {}

/// Forgets everything: for proving a record before it is passed on.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoSink;

impl PathSink for NoSink {
    const DECISIONS_ONLY: bool = true;

    #[inline]
    fn event(&mut self, _: PathEvent<'_>) {}

    #[inline]
    fn rounds(&mut self, _: LoopRounds<'_>) {}
}
