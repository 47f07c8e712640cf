//! Processes that a collector found, read one by one.

use std::sync::Arc;

use model::exit_note::ProcessExit;
use model::map::BuildId;
use model::start_table::StartTable;
use model::trace::{self, Identity, Refused};

use super::index::ProcessIndex;
use super::store::{InputError, Stores};
use super::tables::StartTables;
use super::{Process, StartClocks, StreamedProcess, ThreadLog};

/// The processes that a [`Collector`](super::Collector) found, each read when it is asked for.
/// Errors: what it was read from has been changed since, or cannot be read any more.
#[derive(Debug)]
pub struct Processes {
    pub(super) left: std::vec::IntoIter<(Identity, ProcessIndex)>,
    pub(super) sources: Vec<String>,
    pub(super) stores: Stores,
    pub(super) tables: StartTables,
}

impl Processes {
    /// The builds of the processes that are left, in their order.
    pub fn builds(&self) -> impl Iterator<Item = BuildId> {
        self.left.as_slice().iter().map(|(identity, _)| identity.build)
    }

    pub(super) fn names(&self, index: &ProcessIndex) -> Vec<String> {
        index.sources.iter().map(|i| self.sources[*i].clone()).collect()
    }

    /// The next process, whose threads are read piece by piece.
    ///
    /// # Errors
    /// As those of the iterator.
    pub fn next_streamed(&mut self) -> Option<Result<StreamedProcess<'_>, InputError>> {
        let (identity, index) = self.left.next()?;
        Some(self.streamed(identity, index))
    }

    fn streamed(
        &mut self,
        identity: Identity,
        mut index: ProcessIndex,
    ) -> Result<StreamedProcess<'_>, InputError> {
        let sources = self.names(&index);
        let table = self.table(&identity, &index, &sources)?;
        let (mut threads, mut all) = (vec![], vec![]);
        for (number, stream) in std::mem::take(index.threads(&mut self.stores)?) {
            let (log, runs) = stream.begin(number, index.version, &mut self.stores)?;
            threads.push(ThreadLog { table: table.clone(), ..log });
            all.push((stream, runs));
        }
        let version = index.version;
        let process = process_of(identity, version, sources, (index.refused, index.exit), threads);
        StreamedProcess::new(process, version, all, &mut self.stores)
    }

    fn table(
        &mut self,
        identity: &Identity,
        index: &ProcessIndex,
        sources: &[String],
    ) -> Result<Option<Arc<StartTable>>, InputError> {
        let folders = sources.iter().filter_map(|name| self.stores.folder(name));
        index.table.map(|id| self.tables.find(id, identity.build, folders)).transpose()
    }

    pub(super) fn read(
        &mut self,
        identity: Identity,
        mut index: ProcessIndex,
    ) -> Result<Process, InputError> {
        let sources = self.names(&index);
        let table = self.table(&identity, &index, &sources)?;
        let mut threads = vec![];
        for (number, stream) in std::mem::take(index.threads(&mut self.stores)?) {
            let thread = stream.finish(number, index.version, &mut self.stores)?;
            threads.push(ThreadLog { table: table.clone(), ..thread });
        }
        Ok(process_of(identity, index.version, sources, (index.refused, index.exit), threads))
    }
}

/// Returns the index of a process. `version` is that of the trace format.
pub(super) fn process_of(
    identity: Identity,
    version: u16,
    sources: Vec<String>,
    (refused, exit): (Refused, Option<ProcessExit>),
    threads: Vec<ThreadLog>,
) -> Process {
    let Identity { build, start_ms, pid, instance, boot_ns, process: name } = identity;
    let clocks = (version > trace::OLDEST).then_some(StartClocks {
        monotonic_ns: instance,
        boot_ns: (boot_ns > 0).then_some(boot_ns),
    });
    Process { build_id: build, pid, name, start_ms, clocks, sources, refused, exit, threads }
}

impl Iterator for Processes {
    type Item = Result<Process, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (identity, index) = self.left.next()?;
        Some(self.read(identity, index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl ExactSizeIterator for Processes {}
