//! Distribution of path events to two sinks in one decoding pass.

use decoder::replay::{BlockNo, LoopRounds, PathEvent, PathSink};
use model::map::MethodId;

/// Passes every event to two sinks, one after the other.
#[derive(Debug)]
pub struct Both<'a, A, B>(pub &'a mut A, pub &'a mut B);

impl<A: PathSink, B: PathSink> PathSink for Both<'_, A, B> {
    const DECISIONS_ONLY: bool = A::DECISIONS_ONLY && B::DECISIONS_ONLY;

    #[inline(always)]
    fn event(&mut self, event: PathEvent<'_>) {
        self.0.event(event);
        self.1.event(event);
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        self.0.rounds(rounds);
        self.1.rounds(rounds);
    }

    #[inline]
    fn leaf(&mut self, method: MethodId, block: BlockNo) {
        self.0.leaf(method, block);
        self.1.leaf(method, block);
    }
}

#[cfg(test)]
mod tests {
    use decoder::replay::{Decision, Ended, Note, SendEvents, Start, Times, Via};
    use model::map::{HandlerId, SlotId};

    use super::*;

    /// Records all events.
    #[derive(Debug, Default, PartialEq)]
    struct Recording(Vec<String>);

    impl PathSink for Recording {
        fn event(&mut self, event: PathEvent<'_>) {
            self.0.push(format!("{event:?}"));
        }
        fn rounds(&mut self, rounds: LoopRounds<'_>) {
            self.0.push(format!("{rounds:?}"));
        }
        fn leaf(&mut self, method: MethodId, block: BlockNo) {
            self.0.push(format!("leaf {method:?} {block:?}"));
        }
    }

    /// Sends one event of each kind.
    fn send_all(sink: &mut impl PathSink) {
        let (block, method) = (BlockNo(3), MethodId(2));
        sink.times(Times { begin_us: 1, end_us: Some(2), tick_us: 1 });
        sink.clock(1);
        sink.enter(method, Via::TopLevel(4));
        sink.block(block);
        sink.leaf(method, block);
        sink.decision(Decision::Slot(SlotId(1)), 1);
        sink.trips(block, 5);
        sink.rounds(LoopRounds { branch: block, stay: 0, cycle: &[block], times: 7 });
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
