//! Index of a process before its log is read: the places of its slabs. If there are many processes,
//! the temporary file holds part of the index.

use std::collections::{BTreeMap, BTreeSet};

use model::exit_note::ProcessExit;
use model::start_table::TableId;
use model::trace::Refused;

use super::store::{InputError, StoreId, Stores};
use super::stored_slab::StoredSlab;
use super::streams::Stream;

/// The index of a process's slabs, by thread.
#[derive(Debug)]
enum Threads {
    Held(BTreeMap<u32, Stream>),
    /// In the temporary file, and the threads whose name is not sound.
    Put {
        at: u64,
        len: usize,
        unnamed: Vec<u32>,
    },
}

/// Index of a process.
#[derive(Debug)]
pub(super) struct ProcessIndex {
    threads: Threads,
    /// Of the slab that was begun last: its order, and whether threads had no record then.
    pub(super) last: (u32, bool),
    pub(super) refused: Refused,
    /// End of the process, once it was looked up.
    pub(super) exit: Option<ProcessExit>,
    /// Version of the trace format.
    pub(super) version: u16,
    /// The start table that its header names.
    pub(super) table: Option<TableId>,
    /// The inputs that it came from, by number.
    pub(super) sources: BTreeSet<usize>,
    /// Number of the last addition to it.
    pub(super) used: u64,
}

impl Default for ProcessIndex {
    fn default() -> Self {
        let threads = Threads::Held(BTreeMap::new());
        Self {
            threads,
            last: (0, false),
            refused: Refused::default(),
            exit: None,
            version: 0,
            table: None,
            sources: BTreeSet::new(),
            used: 0,
        }
    }
}

impl ProcessIndex {
    /// One that this input names.
    pub(super) fn of(source: usize) -> Self {
        Self { sources: BTreeSet::from([source]), ..Self::default() }
    }

    /// Returns how many of its slabs memory holds.
    pub(super) fn held(&self) -> usize {
        match &self.threads {
            Threads::Held(threads) => threads.values().map(Stream::held).sum(),
            Threads::Put { .. } => 0,
        }
    }

    /// The threads, fetched if they are not in memory.
    pub(super) fn threads(
        &mut self,
        stores: &mut Stores,
    ) -> Result<&mut BTreeMap<u32, Stream>, InputError> {
        if let Threads::Put { at, len, .. } = self.threads {
            let mut bytes = vec![0; len];
            stores.read_at(StoreId::TEMPORARY, at, &mut bytes)?;
            self.threads = Threads::Held(unpacked(&bytes));
        }
        match &mut self.threads {
            Threads::Held(threads) => Ok(threads),
            Threads::Put { .. } => unreachable!("just fetched"),
        }
    }

    /// Puts the threads into the temporary file: whole, or what can grow of each.
    pub(super) fn put(&mut self, stores: &mut Stores) -> Result<(), InputError> {
        let Threads::Held(threads) = &mut self.threads else { return Ok(()) };
        if !threads.values().all(Stream::is_short) {
            return threads.values_mut().try_for_each(|stream| stream.put(stores));
        }
        let bytes = packed(threads, stores)?;
        let (_, at) = stores.append(&bytes)?;
        self.threads = Threads::Put { at, len: bytes.len(), unnamed: self.unnamed() };
        Ok(())
    }

    /// Threads whose stream ends inside their name.
    pub(super) fn unnamed(&self) -> Vec<u32> {
        match &self.threads {
            Threads::Held(threads) => {
                threads.iter().filter(|(_, s)| !s.named()).map(|(n, _)| *n).collect()
            }
            Threads::Put { unnamed, .. } => unnamed.clone(),
        }
    }

    /// Returns true if both can be of one process: no slab that both have differs, nor the start
    /// table.
    pub(super) fn agrees(
        &mut self,
        other: &mut Self,
        stores: &mut Stores,
    ) -> Result<bool, InputError> {
        if self.table.zip(other.table).is_some_and(|(a, b)| a != b) {
            return Ok(false);
        }
        let ours = self.threads(stores)?;
        for (n, theirs) in other.threads(stores)? {
            if let Some(ours) = ours.get_mut(n)
                && !ours.agrees(theirs, stores)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes in another part of the same process; returns how many slabs both had.
    pub(super) fn merge(
        &mut self,
        mut other: Self,
        stores: &mut Stores,
    ) -> Result<u64, InputError> {
        self.last = self.last.max(other.last);
        self.refused.threads = self.refused.threads.max(other.refused.threads);
        self.refused.cut = self.refused.cut.max(other.refused.cut);
        self.version = self.version.max(other.version);
        self.table = self.table.or(other.table);
        let theirs = std::mem::take(other.threads(stores)?);
        self.sources.extend(other.sources);
        let ours = self.threads(stores)?;
        let mut both = 0;
        for (n, stream) in theirs {
            both += ours.entry(n).or_default().merge(stream, stores)?;
        }
        Ok(both)
    }
}

fn packed(threads: &BTreeMap<u32, Stream>, stores: &mut Stores) -> Result<Vec<u8>, InputError> {
    let slabs: usize = threads.values().map(Stream::len).sum();
    let mut out = Vec::with_capacity(slabs * StoredSlab::PACKED + threads.len() * 8);
    for (number, stream) in threads {
        out.extend_from_slice(&number.to_le_bytes());
        out.extend_from_slice(&(stream.len() as u32).to_le_bytes());
        stream.pack(stores, &mut out)?;
    }
    Ok(out)
}

/// The inverse of [`packed`].
fn unpacked(mut bytes: &[u8]) -> BTreeMap<u32, Stream> {
    let mut threads = vec![];
    while let Some((head, rest)) = bytes.split_first_chunk::<8>() {
        let number = |at| u32::from_le_bytes(std::array::from_fn(|i| head[at + i]));
        let (pieces, rest) = rest.split_at(number(4) as usize * StoredSlab::PACKED);
        threads.push((number(0), Stream::unpack(pieces)));
        bytes = rest;
    }
    threads.into_iter().collect()
}
