//! Counts of calls. A loop calls the same few methods again and again, so a small cache comes
//! before the map.

use std::collections::HashMap;

use crate::counts::sorted;

/// Entries of the cache.
const CACHED: usize = 512;

/// Number of calls by caller and callee.
#[derive(Debug, Clone)]
pub(crate) struct Calls {
    /// (caller, callee, n); n is 0 in free entries.
    cache: Vec<(u32, u32, u64)>,
    all: HashMap<(u32, u32), u64>,
}

impl Calls {
    pub(crate) fn new() -> Self {
        Calls { cache: vec![(0, 0, 0); CACHED], all: HashMap::new() }
    }

    #[inline]
    pub(crate) fn add(&mut self, caller: u32, callee: u32) {
        let hash = callee.wrapping_mul(0x9E37_79B1) ^ caller.wrapping_mul(0x85EB_CA77);
        let entry = &mut self.cache[(hash >> 16) as usize % CACHED];
        if entry.2 > 0 && (entry.0, entry.1) == (caller, callee) {
            entry.2 += 1;
        } else {
            let old = std::mem::replace(entry, (caller, callee, 1));
            if old.2 > 0 {
                *self.all.entry((old.0, old.1)).or_default() += old.2;
            }
        }
    }

    /// Takes out all, by caller and callee.
    pub(crate) fn take(&mut self) -> Vec<((u32, u32), u64)> {
        for (caller, callee, n) in &mut self.cache {
            if *n > 0 {
                *self.all.entry((*caller, *callee)).or_default() += std::mem::take(n);
            }
        }
        sorted(self.all.drain())
    }
}
