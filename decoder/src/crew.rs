//! Several cores that share the work on a log.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Bytes of a thread's log that are proven ahead in one piece: milliseconds of work.
const PIECE: usize = 64 << 10;

/// The cores that decoding may use, that of the calling thread included.
#[derive(Debug)]
pub struct Cores {
    all: usize,
    free: AtomicUsize,
    piece: usize,
}

/// A core that was taken; free again when dropped.
#[derive(Debug)]
pub(crate) struct Core<'c>(&'c Cores);

impl Cores {
    /// A crew of `all` cores.
    pub fn new(all: usize) -> Self {
        Cores::with_piece(all, PIECE)
    }

    /// A crew of `all` cores, which prove `piece` bytes at a time.
    pub fn with_piece(all: usize, piece: usize) -> Self {
        Cores { all, free: AtomicUsize::new(all.saturating_sub(1)), piece }
    }

    /// Returns the number of cores in all.
    pub fn count(&self) -> usize {
        self.all
    }

    /// Bytes that are proven in one piece.
    pub(crate) fn piece(&self) -> usize {
        self.piece
    }

    /// A core that does nothing, if there is one.
    pub(crate) fn take(&self) -> Option<Core<'_>> {
        let less = |free: usize| free.checked_sub(1);
        self.free.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).ok().map(|_| Core(self))
    }
}

impl Drop for Core<'_> {
    fn drop(&mut self) {
        self.0.free.fetch_add(1, Ordering::Relaxed);
    }
}

/// Does `count` pieces of work, the first ones first, on the free cores and the calling thread's.
/// Each has a worker to itself, for what it keeps from piece to piece; so there are at most as many
/// cores at work as `workers`. A core that finds no work left is free again.
///
/// # Panics
/// If a piece of work does.
pub fn share<W: Send>(
    cores: &Cores,
    workers: &mut [W],
    count: usize,
    work: impl Fn(&mut W, usize) + Sync,
) {
    let next = AtomicUsize::new(0);
    let serve = |worker: &mut W| {
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= count {
                return;
            }
            work(worker, piece);
        }
    };
    let Some((own, others)) = workers.split_first_mut() else { return };
    thread::scope(|scope| {
        for other in others.iter_mut().take(count.saturating_sub(1)) {
            let Some(core) = cores.take() else { break };
            scope.spawn(|| {
                serve(other);
                drop(core);
            });
        }
        serve(own);
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn each_piece_is_done_once_and_by_several_threads_at_a_time() {
        for (all, pieces) in [(1, 5), (2, 5), (5, 5), (5, 2), (3, 0)] {
            let cores = Cores::new(all);
            let mut kept = vec![vec![]; all];
            // Nobody passes before all have a piece.
            let together = Barrier::new(all.min(pieces));
            share(&cores, &mut kept, pieces, |done, piece| {
                if piece < all.min(pieces) {
                    together.wait();
                }
                done.push(piece);
            });
            let mut done = kept.concat();
            done.sort_unstable();
            assert_eq!(done, (0..pieces).collect::<Vec<_>>());
            assert_eq!(std::iter::from_fn(|| cores.take().map(std::mem::forget)).count(), all - 1);
        }
    }
}
