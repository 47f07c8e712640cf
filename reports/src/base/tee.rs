//! Distribution of path events to two sinks in one decoding pass.

use decoder::replay::{BlockNo, Decision, PathSink, Start, Times, Via};
use decoder::session::{Note, ThreadSink};
use model::map::{HandlerId, MethodId, OriginId};

/// Passes every event and note to two sinks, one after the other.
#[derive(Debug)]
pub struct Both<'a, A, B>(pub &'a mut A, pub &'a mut B);

impl<A: PathSink, B: PathSink> PathSink for Both<'_, A, B> {
    const DECISIONS_ONLY: bool = A::DECISIONS_ONLY && B::DECISIONS_ONLY;

    fn times(&mut self, times: Times) {
        self.0.times(times);
        self.1.times(times);
    }

    fn clock(&mut self, us: u64) {
        self.0.clock(us);
        self.1.clock(us);
    }

    fn enter(&mut self, method: MethodId, via: Via) {
        self.0.enter(method, via);
        self.1.enter(method, via);
    }

    fn origin(&mut self, origin: OriginId) {
        self.0.origin(origin);
        self.1.origin(origin);
    }

    #[inline]
    fn block(&mut self, block: BlockNo) {
        self.0.block(block);
        self.1.block(block);
    }

    #[inline]
    fn leaf(&mut self, method: MethodId, block: BlockNo) {
        self.0.leaf(method, block);
        self.1.leaf(method, block);
    }

    #[inline]
    fn decision(&mut self, what: Decision, alternative: usize) {
        self.0.decision(what, alternative);
        self.1.decision(what, alternative);
    }

    fn trips(&mut self, branch: BlockNo, symbol: usize) {
        self.0.trips(branch, symbol);
        self.1.trips(branch, symbol);
    }

    fn rounds(&mut self, branch: BlockNo, stay: usize, cycle: &[BlockNo], times: u32) {
        self.0.rounds(branch, stay, cycle, times);
        self.1.rounds(branch, stay, cycle, times);
    }

    fn adapted(&mut self, freq: u16) {
        self.0.adapted(freq);
        self.1.adapted(freq);
    }

    fn leave(&mut self) {
        self.0.leave();
        self.1.leave();
    }

    fn caught(&mut self, dropped: usize, handler: HandlerId, block: BlockNo, from: &[BlockNo]) {
        self.0.caught(dropped, handler, block, from);
        self.1.caught(dropped, handler, block, from);
    }

    fn unwound(&mut self, dropped: usize, from: &[BlockNo]) {
        self.0.unwound(dropped, from);
        self.1.unwound(dropped, from);
    }

    fn possible(&mut self, depth: usize, methods: &[MethodId]) {
        self.0.possible(depth, methods);
        self.1.possible(depth, methods);
    }

    fn doubtful(&mut self, method: MethodId, depth: usize) {
        self.0.doubtful(method, depth);
        self.1.doubtful(method, depth);
    }

    fn checked(&mut self) {
        self.0.checked();
        self.1.checked();
    }
}

impl<A: ThreadSink, B: ThreadSink> ThreadSink for Both<'_, A, B> {
    fn note(&mut self, note: Note) {
        self.0.note(note.clone());
        self.1.note(note);
    }

    fn can_begin(&mut self, segment: u32, offset: usize, start: Start) {
        self.0.can_begin(segment, offset, start);
        self.1.can_begin(segment, offset, start);
    }
}

#[cfg(test)]
mod tests {
    use decoder::replay::Ended;
    use model::map::SlotId;

    use super::*;

    /// Records all events.
    #[derive(Debug, Default, PartialEq)]
    struct Recording(Vec<String>);

    impl Recording {
        fn put(&mut self, what: impl std::fmt::Debug) {
            self.0.push(format!("{what:?}"));
        }
    }

    impl PathSink for Recording {
        fn times(&mut self, times: Times) {
            self.put(times);
        }
        fn clock(&mut self, us: u64) {
            self.put(("clock", us));
        }
        fn enter(&mut self, method: MethodId, via: Via) {
            self.put((method, via));
        }
        fn block(&mut self, block: BlockNo) {
            self.put(block);
        }
        fn leaf(&mut self, method: MethodId, block: BlockNo) {
            self.put(("leaf", method, block));
        }
        fn decision(&mut self, what: Decision, alternative: usize) {
            self.put((what, alternative));
        }
        fn trips(&mut self, branch: BlockNo, symbol: usize) {
            self.put(("trips", branch, symbol));
        }
        fn rounds(&mut self, branch: BlockNo, stay: usize, cycle: &[BlockNo], times: u32) {
            self.put((branch, stay, cycle, times));
        }
        fn adapted(&mut self, freq: u16) {
            self.put(("adapted", freq));
        }
        fn leave(&mut self) {
            self.put("leave");
        }
        fn caught(&mut self, dropped: usize, handler: HandlerId, at: BlockNo, from: &[BlockNo]) {
            self.put((dropped, handler, at, from));
        }
        fn unwound(&mut self, dropped: usize, from: &[BlockNo]) {
            self.put((dropped, from));
        }
        fn possible(&mut self, depth: usize, methods: &[MethodId]) {
            self.put(("possible", depth, methods));
        }
        fn doubtful(&mut self, method: MethodId, depth: usize) {
            self.put(("doubtful", method, depth));
        }
        fn checked(&mut self) {
            self.put("checked");
        }
    }

    impl ThreadSink for Recording {
        fn note(&mut self, note: Note) {
            self.put(note);
        }
        fn can_begin(&mut self, segment: u32, offset: usize, start: Start) {
            self.put((segment, offset, start));
        }
    }

    /// Sends one event of each kind.
    fn send_all(sink: &mut impl ThreadSink) {
        let (block, method) = (BlockNo(3), MethodId(2));
        sink.times(Times { begin_us: 1, end_us: Some(2), tick_us: 1 });
        sink.clock(1);
        sink.enter(method, Via::TopLevel(4));
        sink.block(block);
        sink.leaf(method, block);
        sink.decision(Decision::Slot(SlotId(1)), 1);
        sink.trips(block, 5);
        sink.rounds(block, 0, &[block], 7);
        sink.adapted(9);
        sink.leave();
        sink.caught(1, HandlerId(0), block, &[block]);
        sink.unwound(2, &[block]);
        sink.possible(1, &[method]);
        sink.doubtful(method, 3);
        sink.checked();
        sink.note(Note::Ended(Ended::Clean));
        sink.can_begin(1, 2, Start::default());
    }

    #[test]
    fn both_sinks_hear_all_that_one_alone_hears() {
        let (mut alone, mut first, mut second) = <(Recording, Recording, Recording)>::default();
        send_all(&mut alone);
        send_all(&mut Both(&mut first, &mut second));
        assert_eq!(alone.0.len(), 17);
        assert_eq!((&first, &second), (&alone, &alone));
    }
}
