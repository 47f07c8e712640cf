//! Additions of sessions to what others did, and a few sessions that together cover all of it.
//!
//! Events (branches, calls, calls from outside, exceptions) and *shapes* of callbacks count. A
//! shape is the callback's method, the alternatives that it took, and the number of times for each
//! in powers of two; not their order. So a loop over 5 items and one over 7 have the same shape,
//! and shapes come back.
//!
//! A callback's shape is the sum, modulo 2⁶⁴, of a hash for its method and of hashes of (event,
//! ⌊log₂ n⌋) for each alternative of a branch or call that it took n times. It contains no order
//! and no build.

use std::collections::{BinaryHeap, HashMap, HashSet};

use decoder::log::Process;
use model::map::MethodId;

use super::common::{BuildEvent, Common, Event, mix};
use super::events::{EventSink, read};

/// A shape of a callback, and its first occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallbackShape {
    /// Its hash.
    pub hash: u64,
    /// The callback's method in the build of the session.
    pub method: MethodId,
    /// Number of the thread.
    pub thread: u32,
    /// The callback's number in its thread, from 1.
    pub number: u64,
}

/// Events and shapes that one session adds to the known ones.
#[derive(Debug, Clone, Default)]
pub struct Added {
    /// Events, in the order in which they happened.
    pub events: Vec<Event>,
    /// Shapes of callbacks, in the same order.
    pub shapes: Vec<CallbackShape>,
    /// The new events and shapes as items: numbers that all sessions share.
    items: Vec<u32>,
    /// Number of top-level callbacks of the session.
    pub callbacks: u64,
    /// Number of undecodable records.
    pub faulty: u64,
}

/// Finds new events and shapes.
#[derive(Debug)]
pub struct Novelty<'c, 'm> {
    common: &'c Common<'m>,
    known: KnownItems,
    /// Items, by hash.
    items: HashMap<u64, u32>,
    seen: SessionItems,
}

/// Items known before.
#[derive(Debug, Default)]
struct KnownItems {
    hashes: HashSet<u64>,
}

/// The session that is being read.
#[derive(Debug, Default)]
struct SessionItems {
    build: usize,
    added: Added,
    /// Items of this session.
    happened: HashSet<u64>,
    /// Number of times that each event happened in this callback, and the events that did.
    counts: Vec<u64>,
    touched: Vec<u32>,
    callback: Option<(MethodId, u64)>,
    thread: u32,
}

impl<'c, 'm> Novelty<'c, 'm> {
    /// Creates a state in which nothing is known.
    pub fn new(common: &'c Common<'m>) -> Self {
        let counts = vec![0; common.events.len()];
        let seen = SessionItems { counts, ..SessionItems::default() };
        Novelty { common, known: KnownItems::default(), items: HashMap::new(), seen }
    }

    /// Adds everything in a session to the known items. Returns the number of undecodable records.
    pub fn know(&mut self, build: usize, process: &Process) -> u64 {
        let added = self.read(build, process);
        self.known.hashes.extend(self.seen.happened.drain());
        added.faulty
    }

    /// Returns what a session adds, and adds it to the known items.
    pub fn add(&mut self, build: usize, process: &Process) -> Added {
        let mut added = self.read(build, process);
        self.seen.happened.clear();
        let hashes = added.events.iter().map(|e| e.hash).chain(added.shapes.iter().map(|s| s.hash));
        for hash in hashes {
            let next = self.items.len() as u32;
            added.items.push(*self.items.entry(hash).or_insert(next));
        }
        added
    }

    fn read(&mut self, build: usize, process: &Process) -> Added {
        self.seen.build = build;
        let common = self.common;
        let faulty = read(&common.builds[build], process, self);
        self.end_callback();
        Added { faulty, ..std::mem::take(&mut self.seen.added) }
    }

    fn end_callback(&mut self) {
        let Some((method, number)) = self.seen.callback.take() else {
            self.seen.touched.drain(..).for_each(|e| self.seen.counts[e as usize] = 0);
            return;
        };
        let mut hash = mix(self.common.builds[self.seen.build].method(method), 6);
        for event in self.seen.touched.drain(..) {
            let n = std::mem::take(&mut self.seen.counts[event as usize]);
            let way = mix(self.common.events[event as usize].hash, n.max(1).ilog2().into());
            hash = hash.wrapping_add(way);
        }
        if self.seen.happened.insert(hash) && !self.known.hashes.contains(&hash) {
            let thread = self.seen.thread;
            self.seen.added.shapes.push(CallbackShape { hash, method, thread, number });
        }
    }

    fn happened(&mut self, event: Event) {
        if self.seen.happened.insert(event.hash) && !self.known.hashes.contains(&event.hash) {
            self.seen.added.events.push(event);
        }
    }
}

impl EventSink for Novelty<'_, '_> {
    fn thread(&mut self, number: u32) {
        self.end_callback();
        self.seen.thread = number;
    }

    fn callback(&mut self, method: MethodId, number: u64) {
        self.end_callback();
        self.seen.callback = Some((method, number));
        self.seen.added.callbacks += 1;
    }

    fn event(&mut self, event: u32, _site: u32, times: u64) {
        let Some(count) = self.seen.counts.get_mut(event as usize) else { return };
        let e = self.common.events[event as usize];
        let first = *count == 0;
        *count = count.saturating_add(times);
        if first {
            // Only alternatives of branches and calls are part of a shape.
            match e.what {
                BuildEvent::Branch(..) | BuildEvent::Call(..) => self.seen.touched.push(event),
                _ => *count = 0,
            }
            self.happened(e);
        }
    }

    fn thrown(&mut self, hash: u64, what: BuildEvent, site: u32) {
        self.happened(Event { build: self.seen.build, what, site, hash });
    }
}

/// A session of a cover, and the number of items it adds to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverSession {
    /// Index of the session.
    pub session: usize,
    /// Number of events and shapes that no session chosen before has.
    pub gain: usize,
}

/// Returns a few sessions that together have all items of all sessions: repeatedly the session that
/// adds most, the first of equal ones. The result is not always the smallest such set, but at most
/// ln n + 1 times as large for n items (Chvátal, *A greedy heuristic for the set-covering problem*,
/// 1979).
pub fn cover(sessions: &[Added]) -> Vec<CoverSession> {
    let items = sessions.iter().flat_map(|s| &s.items).max().map_or(0, |&m| m as usize + 1);
    let mut covered = vec![false; items];
    // Gains only shrink, so the largest gain is the next one if it has not changed.
    let gain = |(at, s): (usize, &Added)| (s.items.len(), std::cmp::Reverse(at));
    let mut heap: BinaryHeap<_> = sessions.iter().enumerate().map(gain).collect();
    let mut chosen = Vec::new();
    while let Some((was, at)) = heap.pop() {
        let items = &sessions[at.0].items;
        let gain = items.iter().filter(|&&i| !covered[i as usize]).count();
        if gain == 0 {
            continue;
        }
        if gain < was {
            heap.push((gain, at));
            continue;
        }
        items.iter().for_each(|&i| covered[i as usize] = true);
        chosen.push(CoverSession { session: at.0, gain });
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(of: &[&[u32]]) -> Vec<Added> {
        of.iter().map(|items| Added { items: items.to_vec(), ..Added::default() }).collect()
    }

    fn chosen(of: &[&[u32]]) -> Vec<(usize, usize)> {
        cover(&sessions(of)).iter().map(|c| (c.session, c.gain)).collect()
    }

    #[test]
    fn the_session_that_adds_most_is_next() {
        assert_eq!(chosen(&[&[0, 1], &[2, 3, 4], &[1, 2, 3], &[5]]), [(1, 3), (0, 2), (3, 1)]);
    }

    #[test]
    fn of_equals_the_first_is_taken() {
        assert_eq!(chosen(&[&[], &[0, 1], &[1, 0], &[2]]), [(1, 2), (3, 1)]);
        assert_eq!(chosen(&[&[], &[]]), []);
    }

    /// Johnson's example: two sessions have all items, the greedy choice takes three.
    #[test]
    fn a_cover_is_not_always_the_smallest() {
        let (odd, even): (Vec<u32>, Vec<u32>) = (0..14).partition(|i| i % 2 == 1);
        let large: Vec<u32> = (0..8).collect();
        let middle: Vec<u32> = (8..12).collect();
        let small = [12, 13];
        assert_eq!(chosen(&[&odd, &even, &large, &middle, &small]), [(2, 8), (3, 4), (4, 2)]);
    }
}
