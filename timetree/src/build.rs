//! Builds trees in one pass, from the leaves up.

use std::io::Write;

use crate::contexts::{ContextId, Contexts, ROOT};
use crate::entry::NodeEntry;
use crate::error::Error;
use crate::file::pages::PageWriter;
use crate::file::{Head, text, varint, zigzag};
use crate::histogram::{Histogram, Pairs, fold, sum};
use crate::tables::RowTable;
use crate::threads::{ThreadNo, ThreadOrigin, ThreadOutcome};

/// Options of how a tree is cut into nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// Samples in a leaf.
    pub leaf: u32,
    /// Children of a node.
    pub fanout: u32,
    /// Share of a node's weight kept per context, in 1/10,000.
    pub keep: u32,
}

impl Default for TreeOptions {
    fn default() -> Self {
        TreeOptions { leaf: 256, fanout: 4, keep: 10_000 }
    }
}

impl TreeOptions {
    pub(crate) fn valid(self) -> bool {
        self.leaf >= 1 && self.fanout >= 2 && (1..=10_000).contains(&self.keep)
    }
}

/// A sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Time at which it was taken.
    pub time: u64,
    /// The context that ran.
    pub context: ContextId,
    /// Weight of the sample.
    pub weight: u64,
}

/// A node that is not complete.
#[derive(Default)]
struct OpenNode {
    first: u64,
    children: u32,
    pairs: Pairs,
}

#[derive(Default)]
struct Thread {
    origin: ThreadOrigin,
    outcome: ThreadOutcome,
    samples: u64,
    total: u64,
    last: u64,
    leaf: Vec<Sample>,
    /// Of level 1 and above.
    open: Vec<OpenNode>,
    levels: Vec<Vec<NodeEntry>>,
}

/// Builds a file. Memory holds the contexts, 40 bytes for each node, and for each thread one open
/// node per level.
pub struct Builder<W> {
    out: PageWriter<W>,
    options: TreeOptions,
    contexts: Contexts,
    threads: Vec<Thread>,
    tables: Vec<RowTable>,
}

impl<W: Write> Builder<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// Options outside their ranges; a write that fails.
    pub fn new(out: W, head: &Head, options: TreeOptions) -> Result<Self, Error> {
        if !options.valid() {
            return Err(Error::Options);
        }
        let mut out = PageWriter::new(out)?;
        let id = &head.build_id[..head.build_id.len().min(255)];
        out.write(&[head.kind.byte(), id.len() as u8])?;
        out.write(id)?;
        for number in [options.leaf, options.fanout, options.keep] {
            out.write(&number.to_le_bytes())?;
        }
        let (contexts, threads, tables) = (Contexts::default(), Vec::new(), Vec::new());
        Ok(Builder { out, options, contexts, threads, tables })
    }

    /// The table of contexts; samples name what is in it.
    pub fn contexts(&mut self) -> &mut Contexts {
        &mut self.contexts
    }

    /// Adds a thread.
    pub fn thread(&mut self, origin: ThreadOrigin) -> ThreadNo {
        self.threads.push(Thread { origin, ..Thread::default() });
        self.threads.len() - 1
    }

    /// Records the end of a thread, and its losses.
    ///
    /// # Errors
    /// A thread that is not there.
    pub fn ended(&mut self, thread: ThreadNo, outcome: ThreadOutcome) -> Result<(), Error> {
        self.threads.get_mut(thread).ok_or(Error::NoThread(thread))?.outcome = outcome;
        Ok(())
    }

    /// Begins a table of the caller's: rows of `row` bytes each, which [`crate::Index::table_rows`]
    /// reads by number. The table belongs to this thread, or to the whole file. [`Builder::rows`]
    /// adds to it until something else is added to the file.
    pub fn table(&mut self, thread: Option<ThreadNo>, kind: u8, row: usize) {
        let (place, row) = (self.out.place(), row.max(1) as u64);
        self.tables.push(RowTable { thread, kind, row, place, rows: 0 });
    }

    /// Adds rows to the table that was begun last.
    ///
    /// # Errors
    /// A write that fails; no table, or something was added after it.
    pub fn rows(&mut self, rows: &[u8]) -> Result<(), Error> {
        let place = self.out.place();
        let table = self.tables.last_mut().filter(|t| t.place + t.row * t.rows == place);
        let table = table.ok_or(Error::NoTable)?;
        table.rows += rows.len() as u64 / table.row;
        self.out.write(rows)
    }

    /// Adds a sample. The samples of a thread come in order of time.
    ///
    /// # Errors
    /// A thread or context that is not there, time that runs back, more weight than 64 bits hold;
    /// a write that fails.
    pub fn sample(&mut self, thread: ThreadNo, sample: Sample) -> Result<(), Error> {
        if sample.context != ROOT && self.contexts.get(sample.context).is_none() {
            return Err(Error::NoContext(sample.context.0));
        }
        let t = self.threads.get_mut(thread).ok_or(Error::NoThread(thread))?;
        if t.samples > 0 && sample.time < t.last {
            return Err(Error::TimeRunsBack { time: sample.time, last: t.last });
        }
        t.total = t.total.checked_add(sample.weight).ok_or(Error::TooHeavy)?;
        t.last = sample.time;
        t.samples += 1;
        t.leaf.push(sample);
        if t.leaf.len() >= self.options.leaf as usize {
            self.close_leaf(thread)?;
        }
        Ok(())
    }

    fn close_leaf(&mut self, thread: ThreadNo) -> Result<(), Error> {
        let samples = std::mem::take(&mut self.threads[thread].leaf);
        let Some(first) = samples.first().map(|s| s.time) else { return Ok(()) };
        let mut raw = Vec::new();
        differences(&mut raw, samples.iter().map(|s| s.time), first);
        differences(&mut raw, samples.iter().map(|s| s.context.0.into()), 0);
        samples.iter().for_each(|s| varint(&mut raw, s.weight));
        let mut pairs: Pairs = samples.iter().map(|s| (s.context.0, s.weight)).collect();
        sum(&mut pairs);
        let total = pairs.iter().map(|p| p.1).sum();
        let entry = NodeEntry { first, total, ..self.data(&raw, samples.len())? };
        self.add(thread, 0, entry, pairs)
    }

    /// Writes data of a node, and returns an entry with their place.
    fn data(&mut self, raw: &[u8], items: usize) -> Result<NodeEntry, Error> {
        let place = self.out.place();
        self.out.write(raw)?;
        let length = u32::try_from(raw.len()).map_err(|_| Error::TooMany("bytes of a node"))?;
        Ok(NodeEntry { place, length, items: items as u32, ..NodeEntry::default() })
    }

    /// Adds a node to its level, and its weights to the open node above, which may close.
    fn add(
        &mut self,
        thread: ThreadNo,
        level: usize,
        entry: NodeEntry,
        mut pairs: Pairs,
    ) -> Result<(), Error> {
        let t = &mut self.threads[thread];
        if t.levels.len() == level {
            t.levels.push(Vec::new());
            t.open.push(OpenNode::default());
        }
        t.levels[level].push(entry);
        let open = &mut t.open[level];
        if open.children == 0 {
            open.first = entry.first;
        }
        open.children += 1;
        open.pairs.append(&mut pairs);
        if open.children == self.options.fanout {
            self.close(thread, level)?;
        }
        Ok(())
    }

    /// Closes the open node above `level`.
    fn close(&mut self, thread: ThreadNo, level: usize) -> Result<(), Error> {
        let mut open = std::mem::take(&mut self.threads[thread].open[level]);
        sum(&mut open.pairs);
        let total = open.pairs.iter().map(|p| p.1).sum();
        let histogram = fold(open.pairs.clone(), &self.contexts, self.options.keep);
        let (raw, items) = histogram_bytes(&histogram);
        let other = histogram.other.iter().map(|p| p.1).sum();
        let entry = NodeEntry { first: open.first, total, other, ..self.data(&raw, items)? };
        self.add(thread, level + 1, entry, open.pairs)
    }

    /// Completes the file. `names` are those of the methods 0 and on.
    ///
    /// # Errors
    /// A write that fails.
    pub fn finish<S: AsRef<str>>(mut self, names: &[S]) -> Result<W, Error> {
        for thread in 0..self.threads.len() {
            self.close_leaf(thread)?;
            let mut level = 0;
            while self.threads[thread].levels.get(level).is_some_and(|l| l.len() > 1) {
                if self.threads[thread].open[level].children > 0 {
                    self.close(thread, level)?;
                }
                level += 1;
            }
        }
        let mut directory = Vec::new();
        varint(&mut directory, self.out.place());
        varint(&mut directory, self.contexts.len() as u64);
        for row in self.contexts.rows() {
            self.out.write(&row.parent.0.to_le_bytes())?;
            self.out.write(&row.method.to_le_bytes())?;
        }
        varint(&mut directory, self.out.place());
        varint(&mut directory, names.len() as u64);
        let mut bytes = Vec::new();
        for name in names {
            bytes.clear();
            text(&mut bytes, name.as_ref());
            self.out.write(&bytes)?;
        }
        varint(&mut directory, self.threads.len() as u64);
        for thread in &self.threads {
            thread.origin.write(&mut directory);
            thread.outcome.write(&mut directory);
            let levels = thread.levels.len() as u64;
            for number in [thread.samples, thread.total, thread.last, levels] {
                varint(&mut directory, number);
            }
            for level in &thread.levels {
                varint(&mut directory, self.out.place());
                varint(&mut directory, level.len() as u64);
                level.iter().try_for_each(|entry| self.out.write(&entry.to_bytes()))?;
            }
        }
        varint(&mut directory, self.tables.len() as u64);
        self.tables.iter().for_each(|table| table.write(&mut directory));
        let place = self.out.place();
        self.out.write(&directory)?;
        self.out.finish(place)
    }
}

/// Appends each number as its difference from the one before it.
fn differences(out: &mut Vec<u8>, numbers: impl Iterator<Item = u64>, mut before: u64) {
    for number in numbers {
        varint(out, zigzag(number.wrapping_sub(before)));
        before = number;
    }
}

/// The bytes of a histogram and the number of its items.
fn histogram_bytes(histogram: &Histogram) -> (Vec<u8>, usize) {
    let own = histogram.own.iter().map(|&(id, weight)| (2 * u64::from(id), weight));
    let other = histogram.other.iter().map(|&(id, weight)| (2 * u64::from(id) + 1, weight));
    let mut items: Vec<_> = own.chain(other).collect();
    items.sort_unstable();
    let (mut raw, mut before) = (Vec::new(), 0);
    for &(key, weight) in &items {
        varint(&mut raw, key - before);
        varint(&mut raw, weight);
        before = key;
    }
    (raw, items.len())
}
