//! What ran when: per thread a strip of stretches of time, with the steps of each node of the call
//! tree. Steps count at the last time that was measured before they ran, as in a time tree
//! ([`crate::Weights`]).

use timetree::{Stretch, Strip};

/// Stretches of a thread's time that are told apart.
const STRETCHES: usize = 2048;
/// Sums (a node's steps in a stretch) that all threads have together; about four bytes in the page
/// and 16 in memory.
const SUMS: usize = 200_000;

/// Steps by node of the call tree and time, of one thread after the other.
#[derive(Debug)]
pub(super) struct When {
    /// When the process began, in µs since 1970.
    start: u64,
    /// The last time that was measured, in µs since then.
    time: u64,
    strips: Vec<Strip>,
    /// Sums of the threads that have ended.
    sums: usize,
    /// Stretches that a thread may have.
    most: usize,
}

impl Default for When {
    fn default() -> Self {
        When { start: 0, time: 0, strips: Vec::new(), sums: 0, most: STRETCHES }
    }
}

impl When {
    /// A thread begins, of a process that began at this time, in ms since 1970.
    pub fn thread(&mut self, start_ms: u64) {
        (self.start, self.time) = (start_ms.saturating_mul(1000), 0);
        self.sums += self.strips.last().map_or(0, Strip::pairs);
        self.strips.push(Strip::new(self.most));
        self.make_room();
    }

    /// It is this time, in µs since 1970.
    pub fn clock(&mut self, us: u64) {
        self.time = self.time.max(us.saturating_sub(self.start));
    }

    /// A node ran so many steps since the last clock.
    pub fn ran(&mut self, node: u32, steps: u64) {
        let Some(strip) = self.strips.last_mut() else { return };
        strip.sample(self.time, node, steps);
        if strip.pairs() > SUMS {
            self.make_room();
        }
    }

    /// Tells fewer stretches apart, until the sums take at most half of their room.
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

    /// The stretches of each thread.
    pub fn threads(&self) -> impl Iterator<Item = Vec<Stretch>> {
        self.strips.iter().cloned().map(Strip::finish)
    }
}
