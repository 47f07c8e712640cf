//! Queries of a file: weights in an interval.

use std::collections::BTreeMap;

use crate::contexts::{ContextId, ROOT};
use crate::entry::NodeEntry;
use crate::error::Error;
use crate::file::pages::Cursor;
use crate::file::positional::Bytes;
use crate::file::read::Index;
use crate::file::unzigzag;
use crate::histogram::sum;
use crate::threads::ThreadNo;

/// Number of weights that are collected before they are added up.
const ENOUGH: usize = 1 << 19;

/// The times `from` and later, before `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The first time.
    pub from: u64,
    /// The first time after it.
    pub to: u64,
}

impl Interval {
    fn has(self, time: u64) -> bool {
        self.from <= time && time < self.to
    }
}

/// Weight of a context in an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// Itself.
    pub own: u64,
    /// Contexts that it called, which are not kept one by one.
    pub other: u64,
}

/// Cost of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Levels above the leaves.
    pub height: u64,
    /// Children of a node.
    pub fanout: u64,
    /// Nodes whose entry was read.
    pub visited: u64,
    /// Nodes that lie whole in the interval.
    pub merged: u64,
    /// Leaves of which a part lies in the interval.
    pub partial: u64,
    /// Samples that were read.
    pub samples: u64,
}

impl Stats {
    /// The most nodes that a query can visit.
    pub fn most_visited(&self) -> u64 {
        2 * self.fanout * self.height + 1
    }

    /// The most nodes that a query can merge.
    pub fn most_merged(&self) -> u64 {
        (2 * (self.fanout - 1) * self.height).max(1)
    }
}

/// The weights of an interval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// By context.
    pub weights: BTreeMap<ContextId, Weight>,
    /// Their sum. It is exact, whatever the file keeps.
    pub total: u64,
    /// Part of the total in nodes that keep less than all contexts.
    pub inner: u64,
    /// Cost of the answer.
    pub stats: Stats,
}

/// A context with what it called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextRow {
    /// The context.
    pub id: ContextId,
    /// Its caller's; the root is its own.
    pub parent: ContextId,
    /// Its method; `None` for the root.
    pub method: Option<u32>,
    /// Its weight.
    pub weight: Weight,
    /// Weight of the context and its callees.
    pub inclusive: u64,
}

/// A node to look at: its level, its number, its entry, and a time that no sample of it exceeds.
struct Visit {
    level: usize,
    number: u64,
    entry: NodeEntry,
    upto: u64,
}

impl<B: Bytes> Index<B> {
    /// Returns the weights of a thread in an interval.
    ///
    /// # Errors
    /// A thread that is not there; pages that are damaged.
    pub fn query(&mut self, thread: ThreadNo, interval: Interval) -> Result<Answer, Error> {
        let (last, levels) = {
            let thread = self.thread(thread)?;
            (thread.last, thread.levels.clone())
        };
        let fanout = u64::from(self.options().fanout);
        let height = levels.len().saturating_sub(1) as u64;
        let stats = Stats { height, fanout, ..Stats::default() };
        let mut answer = Answer { stats, ..Answer::default() };
        let Some(top) = levels.len().checked_sub(1) else { return Ok(answer) };
        let root = self.entries(levels[top], 0, 1)?;
        let visit = |entry: &NodeEntry| Visit { level: top, number: 0, entry: *entry, upto: last };
        let (mut sums, mut most) = (Vec::new(), ENOUGH);
        let mut open: Vec<_> = root.iter().map(visit).collect();
        while let Some(Visit { level, number, entry, upto }) = open.pop() {
            answer.stats.visited += 1;
            if entry.first >= interval.to || upto < interval.from {
                continue;
            }
            let whole = interval.from <= entry.first && upto < interval.to;
            if whole {
                answer.stats.merged += 1;
            }
            match level.checked_sub(1) {
                None => {
                    answer.stats.partial += u64::from(!whole);
                    self.samples(&entry, interval, &mut sums, &mut answer)?;
                }
                Some(_) if whole => {
                    self.histogram(&entry, &mut sums, &mut answer)?;
                    // A forged file may have many nodes with the same long histogram.
                    if sums.len() > most {
                        sum(&mut sums);
                        most = ENOUGH.max(2 * sums.len());
                    }
                }
                Some(below) => {
                    let from = number.saturating_mul(fanout);
                    let children = self.entries(levels[below], from, fanout)?;
                    for (i, entry) in children.iter().enumerate() {
                        let upto = children.get(i + 1).map_or(upto, |next| next.first);
                        let number = from + i as u64;
                        open.push(Visit { level: below, number, entry: *entry, upto });
                    }
                }
            }
        }
        sum(&mut sums);
        answer.weights = by_context(&sums);
        Ok(answer)
    }

    fn histogram(
        &mut self,
        entry: &NodeEntry,
        sums: &mut Vec<(u64, u64)>,
        answer: &mut Answer,
    ) -> Result<(), Error> {
        let mut at = Cursor::new(&mut self.pages, entry.place, entry.length.into())?;
        let (mut key, mut total, mut other) = (0u64, 0u64, 0u64);
        for _ in 0..entry.items {
            let (more, weight) = (at.varint()?, at.varint()?);
            key = key.checked_add(more).ok_or_else(|| at.damaged("a context has no number"))?;
            context(&at, key >> 1)?;
            sums.push((key, weight));
            total = plus(&at, total, weight)?;
            other = plus(&at, other, weight * (key & 1))?;
        }
        if total != entry.total || other != entry.other || at.left() > 0 {
            return Err(at.damaged("the weight of a node differs from its entry"));
        }
        answer.total = plus(&at, answer.total, total)?;
        answer.inner = plus(&at, answer.inner, total)?;
        Ok(())
    }

    fn samples(
        &mut self,
        entry: &NodeEntry,
        interval: Interval,
        sums: &mut Vec<(u64, u64)>,
        answer: &mut Answer,
    ) -> Result<(), Error> {
        let mut at = Cursor::new(&mut self.pages, entry.place, entry.length.into())?;
        // A number has at least one byte.
        if u64::from(entry.items) > at.left() {
            return Err(at.damaged("the number of a leaf's samples differs from its entry"));
        }
        let times = differences(&mut at, entry.items, entry.first)?;
        let contexts = differences(&mut at, entry.items, 0)?;
        let mut total = 0u64;
        for (time, id) in times.into_iter().zip(contexts) {
            let weight = at.varint()?;
            let id = context(&at, id)?;
            answer.stats.samples += 1;
            total = plus(&at, total, weight)?;
            if interval.has(time) {
                sums.push((2 * u64::from(id.0), weight));
                answer.total = plus(&at, answer.total, weight)?;
            }
        }
        if total != entry.total || at.left() > 0 {
            return Err(at.damaged("the weight of a leaf differs from its entry"));
        }
        Ok(())
    }

    /// The contexts of an answer and their callers, callers first, with inclusive weights.
    ///
    /// # Errors
    /// A context that is not in the table; pages that are damaged.
    pub fn rows(&mut self, answer: &Answer) -> Result<Vec<ContextRow>, Error> {
        let mut left: BTreeMap<ContextId, Weight> = answer.weights.clone();
        let mut below = BTreeMap::<ContextId, u64>::new();
        let mut rows = Vec::new();
        left.entry(ROOT).or_default();
        // Callers have lower numbers: each is complete when it is taken.
        while let Some((id, weight)) = left.pop_last() {
            let called = below.remove(&id).unwrap_or(0);
            let sum = weight.own.checked_add(weight.other).and_then(|w| w.checked_add(called));
            let inclusive = sum.ok_or(Error::TooHeavy)?;
            let context = self.context(id)?;
            let parent = context.map_or(ROOT, |c| c.parent);
            if id != ROOT {
                let to = below.entry(parent).or_default();
                *to = to.checked_add(inclusive).ok_or(Error::TooHeavy)?;
                left.entry(parent).or_default();
            }
            rows.push(ContextRow {
                id,
                parent,
                method: context.map(|c| c.method),
                weight,
                inclusive,
            });
        }
        rows.reverse();
        Ok(rows)
    }
}

/// The weights of keys as histograms have them.
fn by_context(sums: &[(u64, u64)]) -> BTreeMap<ContextId, Weight> {
    let mut weights = BTreeMap::<ContextId, Weight>::new();
    for &(key, weight) in sums {
        let to = weights.entry(ContextId((key >> 1) as u32)).or_default();
        *if key & 1 == 0 { &mut to.own } else { &mut to.other } = weight;
    }
    weights
}

/// Reads `n` numbers, each written as its difference from the one before it.
fn differences<B: Bytes>(
    at: &mut Cursor<'_, B>,
    items: u32,
    mut before: u64,
) -> Result<Vec<u64>, Error> {
    let mut next = || {
        before = before.wrapping_add(unzigzag(at.varint()?));
        Ok(before)
    };
    (0..items).map(|_| next()).collect()
}

fn context<B: Bytes>(at: &Cursor<'_, B>, number: u64) -> Result<ContextId, Error> {
    u32::try_from(number).map(ContextId).map_err(|_| at.damaged("a context has no number"))
}

fn plus<B: Bytes>(at: &Cursor<'_, B>, a: u64, b: u64) -> Result<u64, Error> {
    a.checked_add(b).ok_or_else(|| at.damaged("a sum exceeds 64 bits"))
}
