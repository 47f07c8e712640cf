//! Proving ahead: while one core passes records on, others prove what follows.
//!
//! A sync point says all that a reader must know, so stretches between them can be walked at the
//! same time. What a walk from a sync point finds holds only if decoding comes to that point in
//! just that state; so each proof says from which state it began, and one that does not fit is
//! dropped and made anew. What is passed on is the same as with one core.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, ScopedJoinHandle};

use model::symbols::Symbols;

use crate::crew::Cores;
use crate::log::{Segment, SyncPoint};
use crate::prove::{End, prove, resume};
use crate::replay::{Program, Start, Walker, budget};

/// For each core, so many pieces may be proven that decoding has not come to.
const PIECES: usize = 2;

/// A stretch that ends at a sync point, in its state.
pub(crate) struct Proof {
    /// Where it begins.
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
    /// The steps that are left behind the stretch if decoding is where the proof began, with so
    /// many left. `None`: it is not, or the budget might not have sufficed.
    fn fits(&self, offset: usize, walker: &Walker<'_>, steps: u64) -> Option<u64> {
        let here = self.offset == offset
            && walker.at_top()
            && self.start == walker.state()
            && self.now_us == walker.times.now_us()
            && self.steps.0 <= steps;
        // Whoever has more steps left takes just as many.
        here.then(|| (steps - self.steps.0).saturating_add(self.steps.1))
    }
}

/// What is proven of a segment ahead of the walk that passes it on.
pub(crate) struct Ahead<'s, 'e, M> {
    scope: &'s Scope<'s, 'e>,
    program: &'e Program<'e>,
    segment: &'e Segment,
    cores: &'e Cores,
    /// Makes a decoder that begins at a byte.
    decoder: &'e M,
    /// Nobody waits for proofs any more.
    stop: &'e AtomicBool,
    /// Nothing is begun before decoding has come so far: so what is proven in vain because of a
    /// fault is at most some times what was passed on before it.
    begins: usize,
    /// The first sync point that no proof was begun at.
    next: usize,
    /// Pieces that are being proven, and where each begins.
    pieces: VecDeque<(usize, ScopedJoinHandle<'s, Vec<Proof>>)>,
    found: VecDeque<Proof>,
}

impl<'s, 'e, S: Symbols, M: Fn(usize) -> S + Sync> Ahead<'s, 'e, M> {
    pub fn new(
        scope: &'s Scope<'s, 'e>,
        (program, segment): (&'e Program<'e>, &'e Segment),
        cores: &'e Cores,
        decoder: &'e M,
        stop: &'e AtomicBool,
        offset: usize,
    ) -> Self {
        let begins = offset.saturating_add(cores.piece());
        let (pieces, found) = (VecDeque::new(), VecDeque::new());
        Ahead { scope, program, segment, cores, decoder, stop, begins, next: 0, pieces, found }
    }

    /// Has free cores prove what follows behind `offset`.
    fn begin(&mut self, offset: usize) {
        let (syncs, piece) = (&self.segment.syncs, self.cores.piece());
        while offset >= self.begins && self.pieces.len() < PIECES * self.cores.count() {
            // The walk itself has work until the next piece.
            let (known, from) = (self.next, offset.saturating_add(piece / 2));
            let first = known + syncs[known..].partition_point(|p| p.offset < from);
            if first >= syncs.len() {
                return;
            }
            let Some(core) = self.cores.take() else { return };
            let until = syncs[first].offset.saturating_add(piece);
            self.next = first + syncs[first..].partition_point(|p| p.offset < until);
            let (program, stop) = (self.program, self.stop);
            // With the first one of the next piece: there it ends.
            let (decoder, syncs) = (self.decoder, &syncs[first..syncs.len().min(self.next + 1)]);
            let proven = self.scope.spawn(move || {
                let _core = core;
                let bytes = syncs[syncs.len() - 1].offset - syncs[0].offset;
                piece_of(program, syncs, budget(bytes as u64, 0), decoder, stop)
            });
            self.pieces.push_back((syncs[0].offset, proven));
        }
    }

    /// The proof of the stretch that begins at `offset`, if others have made it, and the steps that
    /// are left behind it.
    pub fn proof(
        &mut self,
        offset: usize,
        walker: &Walker<'_>,
        steps: u64,
    ) -> Option<(Proof, u64)> {
        self.begin(offset);
        while self.pieces.front().is_some_and(|p| p.0 <= offset) {
            let (_, piece) = self.pieces.pop_front()?;
            self.found.extend(piece.join().unwrap_or_else(|e| std::panic::resume_unwind(e)));
        }
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
        let stretch = prove(&mut walker, &mut decoder, &mut syncs);
        // What reads tables before they restart would need those of the records before.
        if !matches!(stretch.end, End::Sync) || walker.needs_older() {
            break;
        }
        let (records, ends) = (stretch.records, walker.times.ends());
        proofs.push(Proof { offset, start, now_us, records, ends, steps: (before, walker.steps) });
        offset = decoder.record_start();
    }
    proofs
}
