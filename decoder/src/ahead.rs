//! Proving ahead: while one core passes records on, others prove the records that follow.
//!
//! A sync point contains the whole state of a reader, so the segments between sync points can be
//! walked at the same time. The result of a walk from a sync point holds only if decoding comes to
//! that point in exactly that state; so each proof contains the state in which it began, and a
//! proof that does not fit is dropped and made anew. The sink receives the same as with one core.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

use model::symbols::Symbols;

use crate::crew::Cores;
use crate::log::{Segment, SyncPoint};
use crate::prove::{StretchEnd, prove, resume};
use crate::replay::{NoSink, Program, Start, Walker, budget};

/// Number of pieces per core that may be proven before decoding reaches them.
const PIECES: usize = 2;

/// A stretch that ends at a sync point, in its state.
pub(crate) struct Proof {
    /// Offset at which it begins.
    offset: usize,
    start: Start,
    now_us: u64,
    /// Records in it.
    pub records: u64,
    /// Ends of its callbacks.
    pub ends: VecDeque<Option<u64>>,
    /// Steps that were left before and after.
    steps: (u64, u64),
}

impl Proof {
    /// Returns the budget after the stretch, if decoding is where the proof began, with `steps`
    /// left. `None`: it is not, or the budget might not have sufficed.
    fn fits(&self, offset: usize, walker: &Walker<'_>, steps: u64) -> Option<u64> {
        let here = self.offset == offset
            && walker.at_top()
            && self.start == walker.state()
            && self.now_us == walker.times.now_us()
            && self.steps.0 <= steps;
        // A larger remaining budget is charged the same number of steps.
        here.then(|| (steps - self.steps.0).saturating_add(self.steps.1))
    }
}

/// A piece of a segment that is being proven, or was.
struct ProofPiece {
    offset: usize,
    /// `None`: somebody is at work on it.
    proofs: Option<Vec<Proof>>,
}

#[derive(Default)]
struct BoardState {
    /// Offset that decoding has reached.
    here: usize,
    /// The first sync point that no piece was begun at.
    next: usize,
    /// Pieces that decoding has not come to, in order.
    pieces: VecDeque<ProofPiece>,
    /// Those before them.
    passed: usize,
}

/// State shared by the cores that prove a segment ahead.
pub(crate) struct Board<'e, M> {
    program: &'e Program<'e>,
    segment: &'e Segment,
    cores: &'e Cores,
    /// Makes a decoder that begins at a byte.
    decoder: M,
    /// Nobody waits for proofs any more.
    stop: AtomicBool,
    state: Mutex<BoardState>,
    /// A piece is proven.
    done: Condvar,
}

/// A piece to prove: its number, and its sync points with the one at which it ends.
struct Work<'e> {
    number: usize,
    syncs: &'e [SyncPoint],
}

/// If proving panics, nothing is proven of the piece: somebody may wait for it.
struct Unproven<'b, 'e, M>(&'b Board<'e, M>, usize);

impl<M> Drop for Unproven<'_, '_, M> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.proven(&mut self.0.state(), self.1, vec![]);
        }
    }
}

impl<'e, M> Board<'e, M> {
    pub fn new(
        (program, segment): (&'e Program<'e>, &'e Segment),
        cores: &'e Cores,
        decoder: M,
    ) -> Self {
        let (state, done) = (Mutex::default(), Condvar::new());
        Board { program, segment, cores, decoder, stop: AtomicBool::new(false), state, done }
    }

    /// No proof is needed any more.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn state(&self) -> MutexGuard<'_, BoardState> {
        // A thread that panicked takes the program with it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn proven(&self, state: &mut BoardState, number: usize, proofs: Vec<Proof>) {
        let at = number - state.passed;
        state.pieces[at].proofs = Some(proofs);
        self.done.notify_one();
    }

    /// Returns the next piece, if there is one and decoding is not too far before it.
    fn work(&self, state: &mut BoardState) -> Option<Work<'e>> {
        let (syncs, piece) = (&self.segment.syncs, self.cores.piece());
        if state.pieces.len() >= PIECES * self.cores.count() {
            return None;
        }
        // The walk itself has work until the next piece.
        let from = state.here.saturating_add(piece / 2);
        let first = state.next + syncs[state.next..].partition_point(|p| p.offset < from);
        let offset = syncs.get(first)?.offset;
        let until = offset.saturating_add(piece);
        state.next = first + syncs[first..].partition_point(|p| p.offset < until);
        state.pieces.push_back(ProofPiece { offset, proofs: None });
        let number = state.passed + state.pieces.len() - 1;
        // With the first one of the next piece: there it ends.
        Some(Work { number, syncs: &syncs[first..syncs.len().min(state.next + 1)] })
    }
}

impl<'e, S: Symbols, M: Fn(usize) -> S> Board<'e, M> {
    /// Proves a piece and then others, as long as there are some.
    fn serve(&self, mut work: Work<'e>) {
        loop {
            let Work { number, syncs } = work;
            let unproven = Unproven(self, number);
            let bytes = syncs[syncs.len() - 1].offset - syncs[0].offset;
            let steps = budget(bytes as u64, 0);
            let proofs = piece_of(self.program, syncs, steps, &self.decoder, &self.stop);
            drop(unproven);
            let mut state = self.state();
            self.proven(&mut state, number, proofs);
            let stop = self.stop.load(Ordering::Relaxed);
            let Some(next) = self.work(&mut state).filter(|_| !stop) else { return };
            work = next;
        }
    }
}

/// Proofs of a segment, ahead of the walk that passes it on.
pub(crate) struct Ahead<'s, 'e, M> {
    scope: &'s Scope<'s, 'e>,
    board: &'e Board<'e, M>,
    /// No proof begins before decoding has reached this offset: so the proofs that a fault makes
    /// useless are at most a multiple of the log that was passed on before it.
    begins: usize,
    found: VecDeque<Proof>,
}

impl<'s, 'e, S: Symbols, M: Fn(usize) -> S + Sync> Ahead<'s, 'e, M> {
    /// Decoding begins at `offset`.
    pub fn new(scope: &'s Scope<'s, 'e>, board: &'e Board<'e, M>, offset: usize) -> Self {
        let begins = offset.saturating_add(board.cores.piece());
        Ahead { scope, board, begins, found: VecDeque::new() }
    }

    /// Has free cores prove the log after `offset`.
    fn begin(&self, offset: usize, state: &mut BoardState) {
        let board = self.board;
        while offset >= self.begins && state.next < board.segment.syncs.len() {
            let Some(core) = board.cores.take() else { return };
            let Some(work) = board.work(state) else { return };
            self.scope.spawn(move || {
                let _core = core;
                board.serve(work);
            });
        }
    }

    /// Returns the proof of the stretch that begins at `offset`, if another core has made it, and
    /// the steps that are left after it.
    pub fn proof(
        &mut self,
        offset: usize,
        walker: &Walker<'_>,
        steps: u64,
    ) -> Option<(Proof, u64)> {
        let mut state = self.board.state();
        state.here = offset;
        self.begin(offset, &mut state);
        while let Some(piece) = state.pieces.front_mut().filter(|p| p.offset <= offset) {
            let Some(proofs) = piece.proofs.take() else {
                state = self.board.done.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            self.found.extend(proofs);
            state.pieces.pop_front();
            state.passed += 1;
        }
        drop(state);
        while self.found.front().is_some_and(|p| p.offset < offset) {
            self.found.pop_front();
        }
        let left = self.found.front()?.fits(offset, walker, steps)?;
        Some((self.found.pop_front()?, left))
    }
}

/// Proves from the first of these sync points to the last one, or as far as there is nothing wrong.
fn piece_of<S: Symbols>(
    program: &Program<'_>,
    syncs: &[SyncPoint],
    steps: u64,
    decoder: impl Fn(usize) -> S,
    stop: &AtomicBool,
) -> Vec<Proof> {
    let mut proofs = vec![];
    let (Some((first, mut syncs)), Some(last)) = (syncs.split_first(), syncs.last()) else {
        return proofs;
    };
    let (mut offset, start, _) = resume(program, first);
    let mut walker = Walker::new(program, start);
    walker.steps = steps;
    walker.times.be_first();
    let mut decoder = decoder(offset);
    while offset < last.offset && !stop.load(Ordering::Relaxed) {
        let (start, now_us, before) = (walker.state(), walker.times.now_us(), walker.steps);
        let stretch = prove(&mut walker, &mut decoder, &mut syncs, &mut NoSink);
        // What reads tables before they restart would need those of the records before.
        if !matches!(stretch.end, StretchEnd::Sync) || walker.needs_older() {
            break;
        }
        let (records, ends) = (stretch.records, walker.times.ends());
        proofs.push(Proof { offset, start, now_us, records, ends, steps: (before, walker.steps) });
        offset = decoder.record_start();
    }
    proofs
}
