//! Blocks run over time: for each thread a strip of time slices, with the blocks of each node of
//! the call tree. Blocks are dated by the last clock reading before them, as in a time tree
//! ([`crate::export::Weights`]).

use timetree::{Strip, TimeSlice};

/// Maximum number of time slices of a thread.
const STRETCHES: usize = 2048;
/// Maximum number of sums (a node's blocks in a slice) of all threads; each takes about four bytes
/// in the page and 16 in memory.
const SUMS: usize = 200_000;

/// Blocks by node of the call tree and time, one thread after the other.
#[derive(Debug)]
pub(super) struct When {
    /// Start of the process, in µs since 1970.
    start: u64,
    /// The last clock reading, in µs since `start`.
    time: u64,
    strips: Vec<Strip>,
    /// Number of sums of the threads that have ended.
    sums: usize,
    /// Current maximum number of slices of a thread.
    most: usize,
}

impl Default for When {
    fn default() -> Self {
        When { start: 0, time: 0, strips: Vec::new(), sums: 0, most: STRETCHES }
    }
}

impl When {
    /// Begins a thread of a process that began at `start_ms`, in ms since 1970.
    pub fn thread(&mut self, start_ms: u64) {
        (self.start, self.time) = (start_ms.saturating_mul(1000), 0);
        self.sums += self.strips.last().map_or(0, Strip::pairs);
        self.strips.push(Strip::new(self.most));
        self.make_room();
    }

    /// Sets the time, in µs since 1970.
    pub fn clock(&mut self, us: u64) {
        self.time = self.time.max(us.saturating_sub(self.start));
    }

    /// Counts blocks that a node ran since the last clock reading.
    pub fn ran(&mut self, node: u32, steps: u64) {
        let Some(strip) = self.strips.last_mut() else { return };
        strip.sample(self.time, node, steps);
        if strip.pairs() > SUMS {
            self.make_room();
        }
    }

    /// Merges time slices until the sums fill at most half of the limit.
    fn make_room(&mut self) {
        let sums = |strips: &[Strip]| strips.iter().map(Strip::pairs).sum::<usize>();
        if self.sums + self.strips.last().map_or(0, Strip::pairs) <= SUMS {
            return;
        }
        while sums(&self.strips) > SUMS / 2 && self.most > 1 {
            self.most /= 2;
            self.strips.iter_mut().for_each(|strip| strip.limit(self.most));
        }
        let (_, ended) = self.strips.split_last().unzip();
        self.sums = ended.map_or(0, sums);
    }

    /// Returns the time slices of each thread.
    pub fn threads(&self) -> impl Iterator<Item = Vec<TimeSlice>> {
        self.strips.iter().cloned().map(Strip::finish)
    }
}
