//! Opens a file, and reads the ranges that a query needs.

use std::fs::File;
use std::path::Path;

use super::pages::{Cursor, Pages};
use super::positional::Bytes;
use super::{Head, WeightUnit};
use crate::build::TreeOptions;
use crate::contexts::{Context, ContextId, ROOT};
use crate::entry::{BYTES, NodeEntry};
use crate::error::Error;
use crate::tables::RowTable;
use crate::threads::{ThreadNo, ThreadOrigin, ThreadOutcome};

/// A thread of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Identity of the thread.
    pub origin: ThreadOrigin,
    /// End of the thread, and its losses.
    pub outcome: ThreadOutcome,
    /// Its samples.
    pub samples: u64,
    /// Their weight.
    pub total: u64,
    /// The time of the last one.
    pub last: u64,
    /// Position and number of each level's nodes, leaves first.
    pub(crate) levels: Vec<(u64, u64)>,
}

/// An open file, ready for queries.
pub struct Index<B> {
    pub(crate) pages: Pages<B>,
    head: Head,
    options: TreeOptions,
    threads: Vec<Thread>,
    contexts: (u64, u64),
    names: (u64, u64),
    pub(crate) tables: Vec<RowTable>,
}

impl Index<File> {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be read, is no time tree, or its directory is damaged.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let open = || Index::new(disk::open(path)?);
        open().map_err(|source| Error::File { path: path.into(), source: Box::new(source) })
    }
}

impl<B: Bytes> Index<B> {
    /// Opens the bytes of a file.
    ///
    /// # Errors
    /// As [`Index::open`], without the file's name.
    pub fn new(bytes: B) -> Result<Self, Error> {
        let (mut pages, directory) = Pages::open(bytes)?;
        let (head, options) = head(&mut pages)?;
        let left = pages.end() - directory;
        let mut at = Cursor::new(&mut pages, directory, left)?;
        let contexts = (at.varint()?, at.varint()?);
        let names = (at.varint()?, at.varint()?);
        let mut threads = Vec::new();
        for _ in 0..at.varint()? {
            threads.push(thread(&mut at, options)?);
        }
        let mut tables = Vec::new();
        for _ in 0..at.varint()? {
            tables.push(RowTable::read(&mut at)?);
        }
        if at.left() > 0 {
            return Err(at.damaged("something follows the directory"));
        }
        let fits = |(place, n): (u64, u64), bytes: u64| {
            n.checked_mul(bytes).and_then(|n| n.checked_add(place)).is_some_and(|e| e <= directory)
        };
        let levels = threads.iter().flat_map(|t| &t.levels);
        if !fits(contexts, 8) || !fits(names, 1) || !levels.into_iter().all(|&l| fits(l, 40)) {
            return Err(Error::Damaged { place: directory, what: "a table has no room" });
        }
        if contexts.1 > 1 << 31 {
            return Err(Error::TooMany("contexts"));
        }
        Ok(Index { pages, head, options, threads, contexts, names, tables })
    }

    /// Head of the file.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Options by which its trees are cut.
    pub fn options(&self) -> TreeOptions {
        self.options
    }

    /// Its threads.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// Number of pages read from the file.
    pub fn pages_read(&self) -> u64 {
        self.pages.read()
    }

    /// The number of contexts without the root.
    pub fn contexts(&self) -> u64 {
        self.contexts.1
    }

    /// A context; `None` for the root.
    ///
    /// # Errors
    /// A number that is not in the table; a page that is damaged.
    pub fn context(&mut self, id: ContextId) -> Result<Option<Context>, Error> {
        if id == ROOT {
            return Ok(None);
        }
        let row = u64::from(id.0) - 1;
        if row >= self.contexts.1 {
            return Err(Error::NoContext(id.0));
        }
        let mut at = Cursor::new(&mut self.pages, self.contexts.0 + 8 * row, 8)?;
        let context = Context { parent: ContextId(at.u32()?), method: at.u32()? };
        if context.parent >= id {
            return Err(at.damaged("a context is its own caller"));
        }
        Ok(Some(context))
    }

    /// The names of the methods 0 and on; none when the file has none.
    ///
    /// # Errors
    /// A page that is damaged.
    pub fn names(&mut self) -> Result<Vec<String>, Error> {
        let left = self.pages.end().saturating_sub(self.names.0);
        let mut at = Cursor::new(&mut self.pages, self.names.0, left)?;
        (0..self.names.1).map(|_| at.text()).collect()
    }

    /// A range of nodes of a level.
    pub(crate) fn entries(
        &mut self,
        level: (u64, u64),
        from: u64,
        most: u64,
    ) -> Result<Vec<NodeEntry>, Error> {
        let n = most.min(level.1.saturating_sub(from));
        let bytes = BYTES as u64;
        let mut at = Cursor::new(&mut self.pages, level.0 + bytes * from, bytes * n)?;
        let mut entries = Vec::new();
        for _ in 0..n {
            let mut bytes = [0; BYTES];
            at.fill(&mut bytes)?;
            entries.push(NodeEntry::of_bytes(&bytes));
        }
        Ok(entries)
    }

    /// The levels and the last time of a thread.
    pub(crate) fn thread(&self, thread: ThreadNo) -> Result<&Thread, Error> {
        self.threads.get(thread).ok_or(Error::NoThread(thread))
    }
}

fn head<B: Bytes>(pages: &mut Pages<B>) -> Result<(Head, TreeOptions), Error> {
    let end = pages.end();
    let mut at = Cursor::new(pages, 0, end)?;
    let mut begin = [0; 2];
    at.fill(&mut begin)?;
    let kind = WeightUnit::of(begin[0]).ok_or_else(|| at.damaged("the kind is not known"))?;
    let build_id = at.bytes(begin[1].into())?;
    let options = TreeOptions { leaf: at.u32()?, fanout: at.u32()?, keep: at.u32()? };
    if !options.valid() {
        return Err(Error::Options);
    }
    Ok((Head { kind, build_id }, options))
}

fn thread<B: Bytes>(at: &mut Cursor<'_, B>, options: TreeOptions) -> Result<Thread, Error> {
    let (origin, outcome) = (ThreadOrigin::read(at)?, ThreadOutcome::read(at)?);
    let (samples, total) = (at.varint()?, at.varint()?);
    let (last, depth) = (at.varint()?, at.varint()?);
    let mut levels = Vec::<(u64, u64)>::new();
    let mut wanted = samples.div_ceil(options.leaf.into());
    for _ in 0..depth {
        let level = (at.varint()?, at.varint()?);
        if level.1 != wanted || wanted == 0 {
            return Err(at.damaged("a level has not as many nodes as the one below asks for"));
        }
        levels.push(level);
        wanted = if wanted > 1 { wanted.div_ceil(options.fanout.into()) } else { 0 };
    }
    if wanted != 0 {
        return Err(at.damaged("a tree has no root"));
    }
    Ok(Thread { origin, outcome, samples, total, last, levels })
}

impl<B: Bytes> Index<B> {
    /// A table of a thread, or of the whole file.
    pub fn table(&self, thread: Option<ThreadNo>, kind: u8) -> Option<RowTable> {
        self.tables.iter().find(|t| t.thread == thread && t.kind == kind).copied()
    }

    /// The bytes of the rows `from` and on, before `to`; fewer where the table ends.
    ///
    /// # Errors
    /// A page that is damaged, a table that ends after the file.
    pub fn table_rows(&mut self, table: &RowTable, from: u64, to: u64) -> Result<Vec<u8>, Error> {
        let (from, to) = (from.min(table.rows), to.min(table.rows));
        let bytes = to.saturating_sub(from) * table.row;
        let mut at = Cursor::new(&mut self.pages, table.place + from * table.row, bytes)?;
        at.bytes(bytes)
    }
}
