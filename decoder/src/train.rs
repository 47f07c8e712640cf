//! Decoded paths to counts, counts to the next model.

use model::map::{Loop, MethodId, SlotId, Terminator};
use model::price::{self, BIT};
use model::profile::{BranchShape, NONE, Profile};
use model::protocol::announcement_bits;
use model::region::{TRIP_SYMBOLS, trip_bits};
use model::table::quantise;
use serde::Serialize;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::log::ThreadLog;
use crate::replay::{BlockNo, Decision, LoopRounds, PathEvent, PathSink, Program, Via};
use crate::session::{Misled, Note, ThreadTotals, decode_thread, decode_thread_once};

mod held_out;

pub use held_out::HeldOut;

/// Counts every decision of every path given to it.
#[derive(Debug, Clone)]
pub struct Counter<'p, 'm> {
    program: &'p Program<'m>,
    /// First count of each block's alternatives; `u32::MAX` for blocks without.
    base: Vec<u32>,
    branches: Vec<u64>,
    /// Counted loops by their branch block: how often each symbol came.
    trips: HashMap<u32, Vec<u64>>,
    slots: Vec<Vec<u64>>,
    next_callbacks: Vec<Vec<u64>>,
    /// (last top-level callback, next) pairs.
    tops: BTreeMap<(Option<MethodId>, MethodId), u64>,
    last_top: Option<MethodId>,
    /// Announced callees by method: calls that cost an escape.
    announced: Vec<u64>,
    /// Decisions under distributions that adapt, by the frequency that each had; empty if there was
    /// none. Counts, not bits: a sum of bits depends on the order.
    adapted: Vec<u64>,
}

impl<'p, 'm> Counter<'p, 'm> {
    /// All counts zero.
    pub fn new(program: &'p Program<'m>) -> Self {
        let mut base = Vec::new();
        let mut len = 0;
        for m in &program.map.methods {
            for b in &m.blocks {
                if let Terminator::Branch { alternatives, .. } = &b.terminator {
                    base.push(len);
                    len += alternatives.len() as u32;
                } else {
                    base.push(u32::MAX);
                }
            }
        }
        let per_slot = || program.map.slots.iter().map(|s| vec![0; s.freqs.len()]).collect();
        Counter {
            program,
            base,
            branches: vec![0; len as usize],
            trips: HashMap::new(),
            slots: per_slot(),
            next_callbacks: per_slot(),
            tops: Default::default(),
            last_top: None,
            announced: vec![0; program.map.methods.len()],
            adapted: Vec::new(),
        }
    }

    /// Adds what another counter of the same program has counted, of other threads.
    pub fn add(&mut self, other: &Self) {
        let add = |to: &mut [u64], from: &[u64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = to.saturating_add(*from));
        };
        add(&mut self.branches, &other.branches);
        add(&mut self.announced, &other.announced);
        for (&branch, counts) in &other.trips {
            add(self.trips.entry(branch).or_insert_with(|| vec![0; TRIP_SYMBOLS]), counts);
        }
        for (to, from) in self.slots.iter_mut().zip(&other.slots) {
            add(to, from);
        }
        for (to, from) in self.next_callbacks.iter_mut().zip(&other.next_callbacks) {
            add(to, from);
        }
        for (&pair, n) in &other.tops {
            self.count_top(pair.0, pair.1, *n);
        }
        self.adapted.resize(self.adapted.len().max(other.adapted.len()), 0);
        add(&mut self.adapted, &other.adapted);
    }

    /// Returns the number of times that this was decided.
    #[inline]
    fn cell(&mut self, what: Decision, alternative: usize) -> &mut u64 {
        match what {
            Decision::Branch(BlockNo(b)) => {
                &mut self.branches[self.base[b as usize] as usize + alternative]
            }
            Decision::Slot(SlotId(s)) => &mut self.slots[s as usize][alternative],
            Decision::NextCallback(SlotId(s)) => &mut self.next_callbacks[s as usize][alternative],
        }
    }

    /// Counts a decision so often.
    pub fn count(&mut self, what: Decision, alternative: usize, n: u64) {
        let count = self.cell(what, alternative);
        *count = count.saturating_add(n);
    }

    /// Counts a symbol of a counted loop so often.
    pub fn count_trips(&mut self, BlockNo(branch): BlockNo, symbol: usize, n: u64) {
        let trips = self.trips.entry(branch).or_insert_with(|| vec![0; TRIP_SYMBOLS]);
        trips[symbol] = trips[symbol].saturating_add(n);
    }

    /// Counts `n` top-level callbacks that follow the last one.
    pub fn count_top(&mut self, last: Option<MethodId>, next: MethodId, n: u64) {
        let count = self.tops.entry((last, next)).or_default();
        *count = count.saturating_add(n);
    }

    /// Counts so often that a method announced itself.
    pub fn count_announced(&mut self, MethodId(m): MethodId, n: u64) {
        let count = &mut self.announced[m as usize - 1];
        *count = count.saturating_add(n);
    }

    /// Counts `n` decisions that were coded with this frequency of 65,536, under distributions that
    /// adapt.
    pub fn count_adapted(&mut self, freq: u16, n: u64) {
        if self.adapted.is_empty() {
            self.adapted = vec![0; 1 << 16];
        }
        let count = &mut self.adapted[usize::from(freq)];
        *count = count.saturating_add(n);
    }

    /// Adds the counts, of this many sessions, to a model of this build or earlier ones.
    pub fn add_to(&self, profile: &mut Profile, sessions: u64) {
        let map = self.program.map;
        let build: HashSet<String> = map.methods.iter().map(|m| map.method_key(m)).collect();
        profile.merge_build(&self.counted(sessions), &|key| build.contains(key));
    }

    /// The counts, of this many sessions, as a model.
    pub fn counted(&self, sessions: u64) -> Profile {
        let map = self.program.map;
        let mut profile = Profile { builds: vec![map.build], ..Profile::default() };
        let (mut block, mut keys) = (0, HashSet::new());
        for m in &map.methods {
            let key = map.method_key(m);
            // A mapping can give several methods one name. One history of both would depend on
            // which of them ran in the sessions at hand: so it is the first one's alone.
            let is_first = keys.insert(key.clone());
            let mut branches: Vec<(BranchShape, &[u64], &[u64])> = Vec::new();
            let mut seen = false;
            for b in &m.blocks {
                if let Terminator::Branch { alternatives, identity } = &b.terminator {
                    let shape = BranchShape {
                        fingerprint: identity.fingerprint,
                        alternatives: alternatives.len() as u32,
                    };
                    let counts = &self.branches[self.base[block] as usize..][..alternatives.len()];
                    seen |= counts.iter().any(|&n| n > 0);
                    let trips = self.trips.get(&(block as u32)).map_or(&[][..], Vec::as_slice);
                    branches.push((shape, counts, trips));
                }
                block += 1;
            }
            if seen && is_first {
                profile.record_loops(&key, m.fingerprint, branches);
            }
        }
        let key = |m: MethodId| map.method_key(&map.methods[m.0 as usize - 1]);
        for (slot, counts) in map.slots.iter().zip(&self.slots) {
            let site = map.name(slot.site);
            profile.record_slot(site, NONE, counts[0]);
            for (&callee, &n) in slot.callees.iter().zip(&counts[1..]) {
                profile.record_slot(site, &key(callee), n);
            }
        }
        for ((last, next), n) in &self.tops {
            profile.record_next_callback(&last.map_or(String::new(), key), &key(*next), *n);
        }
        for (m, &n) in map.methods.iter().zip(&self.announced) {
            profile.record_announced(&map.method_key(m), n);
        }
        profile.sessions = sessions;
        profile
    }

    /// Counts of all branches' ways in the order of the map, and of each slot's alternatives.
    pub(crate) fn decisions(&self) -> (&[u64], &[Vec<u64>]) {
        (&self.branches, &self.slots)
    }

    /// Returns the number of top-level callbacks.
    pub fn callbacks(&self) -> u64 {
        self.tops.values().fold(0, |sum, n| sum.saturating_add(*n))
    }

    /// Returns the number of callbacks that the distribution before them does not list: a number
    /// of the map's `id_bits` names each.
    pub fn unlisted_callbacks(&self) -> u64 {
        let other = self.next_callbacks.iter().filter_map(|counts| counts.first());
        other.fold(0, |sum, n| sum.saturating_add(*n))
    }

    /// Returns what the counted decisions, announced calls and numbers of callbacks took in logs,
    /// in 1/65,536ths of a bit. Sums of parts are those of the whole: no price is rounded in a sum.
    pub fn logged(&self) -> u128 {
        let map = self.program.map;
        let of = |counts: &[u64], freqs: &[u16]| -> u128 {
            counts.iter().zip(freqs).map(|(&n, &f)| u128::from(n) * price::cost(f.into())).sum()
        };
        let mut logged = u128::from(self.unlisted_callbacks()) * u128::from(map.id_bits) * BIT;
        let each = announcement_bits(map.recording.wire(), map.id_bits);
        logged += self.announced.iter().map(|&n| u128::from(n)).sum::<u128>() * each as u128 * BIT;
        self.each_counted(&mut |block, counted| {
            if let Some((trips, freqs)) = counted.trips {
                let raw = (0..).zip(trips).map(|(s, &n)| u128::from(n) * u128::from(trip_bits(s)));
                logged += of(trips, freqs) + raw.sum::<u128>() * BIT;
            } else if !self.program.adapts(block) {
                logged += of(counted.counts, &counted.freqs);
            }
        });
        for (freq, &n) in (0..).zip(&self.adapted) {
            logged += u128::from(n) * price::cost(freq);
        }
        for (slot, counts) in map.slots.iter().zip(&self.slots) {
            logged += of(counts, &slot.freqs);
        }
        for (slot, counts) in map.slots.iter().zip(&self.next_callbacks) {
            logged += of(counts, &slot.freqs);
        }
        logged
    }

    /// Returns the cost of the counted decisions.
    pub fn cost(&self) -> Cost {
        let map = self.program.map;
        let announced: u64 = self.announced.iter().sum();
        let each = announcement_bits(map.recording.wire(), map.id_bits);
        let announced_bits = announced.saturating_mul(each.into());
        let mut cost = Cost { announced, announced_bits, ..Cost::default() };
        self.each_branch(&mut |_, price| cost.branch.sum(price));
        for (&n, freq) in self.adapted.iter().zip(0_u32..).filter(|(n, _)| **n > 0) {
            cost.branch.now += n as f64 * (16.0 - f64::from(freq).log2());
        }
        for (slot, counts) in self.program.map.slots.iter().zip(&self.slots) {
            cost.slot.add(counts, &slot.freqs);
        }
        for (slot, counts) in self.program.map.slots.iter().zip(&self.next_callbacks) {
            cost.next_callback.add(counts, &slot.freqs);
        }
        cost
    }

    /// Returns at most `most` branches whose cost exceeds their cost under tables of their own, the
    /// most expensive first. If tables adapt, the cost of single branches is unknown.
    pub fn most_expensive(&self, most: usize) -> Vec<CostlyBranch> {
        let mut all: Vec<CostlyBranch> = Vec::new();
        self.each_branch(&mut |block, price| {
            if price.now - price.trained >= 1.0 {
                all.push(CostlyBranch { block, price: *price });
            }
        });
        let excess = |d: &CostlyBranch| d.price.now - d.price.trained;
        all.sort_by(|a, b| excess(b).total_cmp(&excess(a)).then(a.block.0.cmp(&b.block.0)));
        all.truncate(most);
        all
    }

    /// Visits each branch with its cost.
    fn each_branch(&self, visit: &mut dyn FnMut(BlockNo, &Price)) {
        self.each_counted(&mut |block, counted| {
            let mut price = Price::default();
            match counted.trips {
                Some((trips, freqs)) => price.add_loop(counted.counts, trips, freqs),
                None => price.add(counted.counts, &counted.freqs),
            }
            if self.program.adapts(block) {
                price.now = 0.0;
            }
            visit(block, &price);
        });
    }

    /// Visits all branches, with their counts.
    fn each_counted(&self, visit: &mut dyn FnMut(BlockNo, CountedBranch<'_>)) {
        let mut block = 0;
        for m in &self.program.map.methods {
            let loops: HashMap<usize, &Loop> =
                m.loops.iter().map(|l| (l.branch.0 as usize, l)).collect();
            for (b, of) in m.blocks.iter().enumerate() {
                if let Terminator::Branch { alternatives, .. } = &of.terminator {
                    let counts = &self.branches[self.base[block] as usize..][..alternatives.len()];
                    let trips = match (loops.get(&b), self.trips.get(&(block as u32))) {
                        (Some(l), Some(trips)) => Some((&trips[..], &l.freqs[..])),
                        _ => None,
                    };
                    let freqs = alternatives.iter().map(|a| a.1).collect();
                    visit(BlockNo(block as u32), CountedBranch { counts, freqs, trips });
                }
                block += 1;
            }
        }
    }
}

/// Counts of a branch.
struct CountedBranch<'c> {
    /// Of each alternative.
    counts: &'c [u64],
    /// Frequencies of the alternatives, of 65,536.
    freqs: Vec<u16>,
    /// Of a counted loop: how often each symbol of iteration counts came, and their frequencies.
    trips: Option<(&'c [u64], &'c [u16])>,
}

impl PathSink for Counter<'_, '_> {
    #[inline(always)]
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, via } => match via {
                Via::TopLevel(_) => {
                    *self.tops.entry((self.last_top, method)).or_default() += 1;
                    self.last_top = Some(method);
                }
                Via::Callback => self.announced[method.0 as usize - 1] += 1,
                _ => {}
            },
            PathEvent::Decision { what, alternative } => *self.cell(what, alternative) += 1,
            PathEvent::Trips { branch: BlockNo(branch), symbol } => {
                self.trips.entry(branch).or_insert_with(|| vec![0; TRIP_SYMBOLS])[symbol] += 1
            }
            PathEvent::Adapted(freq) => self.count_adapted(freq, 1),
            // Each of these ends a path; the next one may be another thread's.
            PathEvent::Note(Note::Resumed { .. } | Note::Ended(_) | Note::Faulty(_)) => {
                self.last_top = None;
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { branch, stay, times, .. } = rounds;
        *self.cell(Decision::Branch(branch), stay) += u64::from(times);
    }
}

/// Decodes a thread and counts its decisions.
pub fn count_thread(
    program: &Program<'_>,
    thread: &ThreadLog,
    counter: &mut Counter<'_, '_>,
) -> ThreadTotals {
    decode_thread_once(program, thread, counter).unwrap_or_else(|Misled| {
        // A second walk sends the same events.
        let _ = decode_thread_once(program, thread, &mut TakeBack(counter));
        decode_thread(program, thread, counter)
    })
}

/// Counts backwards.
struct TakeBack<'c, 'p, 'm>(&'c mut Counter<'p, 'm>);

impl PathSink for TakeBack<'_, '_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, via } => self.enter(method, via),
            PathEvent::Decision { what, alternative } => *self.0.cell(what, alternative) -= 1,
            PathEvent::Trips { branch: BlockNo(branch), symbol } => {
                if let Some(trips) = self.0.trips.get_mut(&branch) {
                    trips[symbol] -= 1;
                    if trips.iter().all(|&n| n == 0) {
                        self.0.trips.remove(&branch);
                    }
                }
            }
            PathEvent::Adapted(freq) => self.0.adapted[usize::from(freq)] -= 1,
            PathEvent::Note(_) => self.0.event(event),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { branch, stay, times, .. } = rounds;
        *self.0.cell(Decision::Branch(branch), stay) -= u64::from(times);
    }
}

impl TakeBack<'_, '_, '_> {
    fn enter(&mut self, method: MethodId, via: Via) {
        let Counter { tops, last_top, announced, .. } = &mut *self.0;
        match via {
            Via::TopLevel(_) => {
                if let Entry::Occupied(mut pair) = tops.entry((*last_top, method)) {
                    *pair.get_mut() -= 1;
                    if *pair.get() == 0 {
                        pair.remove();
                    }
                }
                *last_top = Some(method);
            }
            Via::Callback => announced[method.0 as usize - 1] -= 1,
            _ => {}
        }
    }
}

/// Decisions of one kind and their price in bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Price {
    /// Decisions.
    pub decisions: u64,
    /// Under the tables of the map; where they adapt, as they were when each decision was coded.
    pub now: f64,
    /// Under tables trained on exactly these counts.
    pub trained: f64,
    /// Empirical order-0 entropy per site: the floor of every static model that codes each decision
    /// by itself. Counted loops, which are one symbol for all rounds, can cost less.
    pub floor: f64,
}

/// A branch that costs more than it would with a history of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CostlyBranch {
    /// Its block.
    pub block: BlockNo,
    /// Cost of its decisions.
    pub price: Price,
}

impl Price {
    fn sum(&mut self, other: &Price) {
        self.decisions = self.decisions.saturating_add(other.decisions);
        self.now += other.now;
        self.trained += other.trained;
        self.floor += other.floor;
    }

    fn add(&mut self, counts: &[u64], now: &[u16]) {
        let sum = counts.iter().fold(0_u64, |sum, n| sum.saturating_add(*n));
        if sum == 0 {
            return;
        }
        self.decisions = self.decisions.saturating_add(sum);
        let trained = quantise(counts).unwrap_or_else(|_| now.to_vec());
        for ((&n, &a), &b) in counts.iter().zip(now).zip(&trained) {
            if n > 0 {
                let bits = |f: u16| n as f64 * (65_536.0 / f64::from(f)).log2();
                self.now += bits(a);
                self.trained += bits(b);
                self.floor += n as f64 * (sum as f64 / n as f64).log2();
            }
        }
    }
}

impl Price {
    /// A branch that is coded as a counted loop: its price is that of the iteration counts, its
    /// floor (that of a model that decides every iteration by itself) that of its decisions.
    fn add_loop(&mut self, counts: &[u64], trips: &[u64], now: &[u16]) {
        let mut whole = Price::default();
        whole.add(trips, now);
        let raw: f64 =
            trips.iter().enumerate().map(|(s, &n)| n as f64 * f64::from(trip_bits(s))).sum();
        let mut single = Price::default();
        single.add(counts, &vec![1; counts.len()]);
        self.decisions = self.decisions.saturating_add(single.decisions);
        self.now += whole.now + raw;
        self.trained += whole.trained + raw;
        self.floor += single.floor;
    }
}

/// Cost of the decisions of some paths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Cost {
    /// Branch blocks.
    pub branch: Price,
    /// Call slots.
    pub slot: Price,
    /// next-callback distributions.
    pub next_callback: Price,
    /// Methods that had to announce themselves by an escape (not in the bits above).
    pub announced: u64,
    /// Bits that these took, about.
    pub announced_bits: u64,
}

impl Cost {
    /// Adds what decisions of other paths cost.
    pub fn add(&mut self, other: &Cost) {
        self.branch.sum(&other.branch);
        self.slot.sum(&other.slot);
        self.next_callback.sum(&other.next_callback);
        self.announced = self.announced.saturating_add(other.announced);
        self.announced_bits = self.announced_bits.saturating_add(other.announced_bits);
    }

    /// Bits of everything that is priced, under the tables of the map.
    pub fn bits(&self) -> f64 {
        let coded = self.branch.now + self.slot.now + self.next_callback.now;
        coded + self.announced_bits as f64
    }
}
