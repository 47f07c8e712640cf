//! Two sinks in one decoding pass.

use decoder::replay::{BlockNo, Decision, PathSink, Times, Via};
use decoder::session::{Note, ThreadSink};
use model::map::{HandlerId, MethodId};

/// Hands every event and note to two sinks, one after the other.
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

    #[inline]
    fn block(&mut self, block: BlockNo) {
        self.0.block(block);
        self.1.block(block);
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

    fn doubtful(&mut self, method: MethodId) {
        self.0.doubtful(method);
        self.1.doubtful(method);
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
}
