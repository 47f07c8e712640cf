//! Several threads that share the work on a log.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does `count` pieces of work, the first ones first, on as many threads as there are `workers`.
/// Each thread has one of these to itself, for what it keeps from piece to piece. The calling
/// thread is one of them; with one worker it does all in order.
///
/// # Panics
/// If a piece of work does.
pub fn share<W: Send>(workers: &mut [W], count: usize, work: impl Fn(&mut W, usize) + Sync) {
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
            scope.spawn(|| serve(other));
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
        for (workers, pieces) in [(1, 5), (2, 5), (5, 5), (5, 2), (3, 0)] {
            let mut kept = vec![vec![]; workers];
            // Nobody passes before all have a piece.
            let together = Barrier::new(workers.min(pieces));
            share(&mut kept, pieces, |done, piece| {
                if piece < workers.min(pieces) {
                    together.wait();
                }
                done.push(piece);
            });
            let mut all = kept.concat();
            all.sort_unstable();
            assert_eq!(all, (0..pieces).collect::<Vec<_>>());
        }
    }
}
