//! Progress of an instrumentation, for another thread to watch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Passes over the methods: they are read, mapped and woven.
const PASSES: usize = 3;

/// Counts the methods that an instrumentation has processed, in all of its passes over them. An
/// attempt that is repeated for a limit counts again.
#[derive(Debug, Clone, Default)]
pub struct BuildProgress(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    done: AtomicUsize,
    all: AtomicUsize,
}

impl BuildProgress {
    /// Returns the number of methods that are done, and of all, each counted once for each pass.
    /// Both are 0 before the methods are known.
    pub fn get(&self) -> (usize, usize) {
        let all = self.0.all.load(Ordering::Relaxed);
        (self.0.done.load(Ordering::Relaxed).min(all), all)
    }

    /// Begins an attempt with this number of methods with code.
    pub(crate) fn begin(&self, methods: usize) {
        let before = self.0.all.load(Ordering::Relaxed);
        self.0.done.store(before, Ordering::Relaxed);
        self.0.all.store(before + PASSES * methods, Ordering::Relaxed);
    }

    /// Counts a method of the running pass.
    pub(crate) fn add(&self) {
        self.0.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts methods that the passes to come leave out.
    pub(crate) fn leave_out(&self, methods: usize) {
        self.0.done.fetch_add((PASSES - 1) * methods, Ordering::Relaxed);
    }

    /// Ends the last attempt: everything is done.
    pub(crate) fn finish(&self) {
        self.0.done.store(self.0.all.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_passes_count_and_a_repeated_attempt_begins_after_the_first() {
        let progress = BuildProgress::default();
        assert_eq!(progress.get(), (0, 0));
        progress.begin(10);
        (0..10).for_each(|_| progress.add());
        progress.leave_out(4);
        assert_eq!(progress.get(), (18, 30));
        progress.begin(10);
        assert_eq!(progress.get(), (30, 60));
        progress.finish();
        assert_eq!(progress.get(), (60, 60));
    }
}
