//! Work that several threads do, whose results one thread takes in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Results that may wait, for each thread.
const AHEAD: usize = 16;

struct ResultQueue<T> {
    done: BTreeMap<usize, T>,
    /// Number of the next result.
    next: usize,
}

/// Does `count` jobs on `threads` threads, each with a worker of its own, and takes the results in
/// order. No job begins far ahead of the next result, so memory holds a bounded number of results.
///
/// # Errors
/// The first one of `take`; the rest of the work is not done then.
///
/// If a job does.
/// If a piece of work does.
pub(crate) fn in_order<W, T: Send, E>(
    threads: usize,
    count: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    if threads < 2 || count < 2 {
        let mut own = worker();
        return (0..count).try_for_each(|piece| take(piece, work(&mut own, piece)));
    }
    let (begun, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let state = Mutex::new(ResultQueue { done: BTreeMap::new(), next: 0 });
    let changed = Condvar::new();
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| {
                // Threads that wait for one that panics would wait for ever.
                let panicked = Panicked(&stopped, &changed, &state);
                let mut own = worker();
                loop {
                    let piece = begun.fetch_add(1, Ordering::Relaxed);
                    if piece >= count {
                        break;
                    }
                    let early = |s: &mut ResultQueue<T>| {
                        s.next + AHEAD * threads < piece && !stopped.load(Ordering::Relaxed)
                    };
                    drop(changed.wait_while(lock(), early));
                    if stopped.load(Ordering::Relaxed) {
                        break;
                    }
                    let result = work(&mut own, piece);
                    lock().done.insert(piece, result);
                    changed.notify_all();
                }
                std::mem::forget(panicked);
            });
        }
        for piece in 0..count {
            let mut waiting = lock();
            let result = loop {
                if let Some(result) = waiting.done.remove(&piece) {
                    break result;
                }
                if stopped.load(Ordering::Relaxed) {
                    return Ok(());
                }
                waiting = changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            };
            waiting.next = piece + 1;
            drop(waiting);
            changed.notify_all();
            if let Err(e) = take(piece, result) {
                let _held = lock();
                stopped.store(true, Ordering::Relaxed);
                changed.notify_all();
                return Err(e);
            }
        }
        Ok(())
    })
}

struct Panicked<'s, T>(&'s AtomicBool, &'s Condvar, &'s Mutex<ResultQueue<T>>);

impl<T> Drop for Panicked<'_, T> {
    fn drop(&mut self) {
        let _held = self.2.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.store(true, Ordering::Relaxed);
        self.1.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whoever_is_first() {
        for threads in [1, 2, 5] {
            let mut got = Vec::new();
            let work = |_: &mut (), n: usize| {
                if n.is_multiple_of(7) {
                    thread::sleep(std::time::Duration::from_millis(2));
                }
                n * n
            };
            let taken = in_order(
                threads,
                200,
                || (),
                work,
                |n, square| {
                    got.push((n, square));
                    Ok::<(), ()>(())
                },
            );
            assert_eq!(taken, Ok(()));
            assert_eq!(got, (0..200).map(|n| (n, n * n)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let done = AtomicUsize::new(0);
        let work = |_: &mut (), _| done.fetch_add(1, Ordering::Relaxed);
        let taken = in_order(3, 100_000, || (), work, |n, _| if n < 5 { Ok(()) } else { Err(n) });
        assert_eq!(taken, Err(5));
        assert!(done.into_inner() < 1000);
    }
}
