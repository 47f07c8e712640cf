//! Counters in a dense array of which few are used at a time; counts in order.

/// All entries, by key.
pub(crate) fn sorted<K: Ord, V>(entries: impl Iterator<Item = (K, V)>) -> Vec<(K, V)> {
    let mut all: Vec<(K, V)> = entries.collect();
    all.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    all
}

/// Counts by number; reading and clearing costs the counted numbers only.
#[derive(Debug, Clone)]
pub(crate) struct DenseCounts {
    counts: Vec<u64>,
    touched: Vec<u32>,
}

impl DenseCounts {
    /// `len` counts, all zero.
    pub(crate) fn new(len: usize) -> Self {
        DenseCounts { counts: vec![0; len], touched: Vec::new() }
    }

    #[inline]
    pub(crate) fn add(&mut self, at: u32, n: u64) {
        let count = &mut self.counts[at as usize];
        if *count == 0 {
            self.touched.push(at);
        }
        *count = count.saturating_add(n);
    }

    /// Takes out all that is not zero, in the order in which it was counted first.
    pub(crate) fn drain(&mut self, mut each: impl FnMut(u32, u64)) {
        for at in self.touched.drain(..) {
            each(at, std::mem::take(&mut self.counts[at as usize]));
        }
    }

    /// Takes out all that is not zero, by number.
    pub(crate) fn take(&mut self) -> Vec<(u32, u64)> {
        self.touched.sort_unstable();
        let mut all = Vec::with_capacity(self.touched.len());
        self.drain(|at, n| all.push((at, n)));
        all
    }
}
