//! Logcat as it comes: slabs of threads that are still running. A caller that has decoded a part of
//! a thread's slabs can have them dropped.

use std::collections::BTreeMap;

use model::map::BuildId;
use model::trace::{DamagedSlab, Identity, LogcatSlab, Refused, SlabHeader};

use super::processes::process_of;
use super::scanner::{ScannedSlab, Scanner};
use super::store::{InputError, Stored, Stores};
use super::streams::Stream;
use super::{Process, ThreadLog};

/// A thread of a process, among those of a log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadKey {
    /// The process.
    pub identity: Identity,
    /// The thread's number, from 1.
    pub thread: u32,
}

/// A find in a line of logcat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiveLine {
    /// A slab of this thread. It may have come before.
    Slab(ThreadKey),
    /// A slab of another build.
    Foreign(BuildId),
    /// A slab that cannot be used: damaged, or of a version that this program does not know.
    Damaged(DamagedSlab),
}

/// Slabs of one thread.
#[derive(Debug, Default)]
struct Kept {
    version: u16,
    /// Older ones are not kept any more.
    from: u32,
    slabs: BTreeMap<u32, (SlabHeader, Vec<u8>)>,
}

/// The slabs that a log has brought so far, but for those that were dropped.
#[derive(Debug)]
pub struct LiveLog {
    build: BuildId,
    threads: BTreeMap<ThreadKey, Kept>,
}

impl LiveLog {
    /// An empty log of this build.
    pub fn new(build: BuildId) -> Self {
        Self { build, threads: BTreeMap::new() }
    }

    /// Takes the next line, in any format of logcat; what it has of builds, in order.
    pub fn add_line(&mut self, line: &[u8]) -> Vec<LiveLine> {
        let mut scanner = Scanner::default();
        scanner.push(line);
        scanner.finish();
        let found = std::iter::from_fn(|| scanner.next());
        found
            .map(|ScannedSlab { slab, .. }| slab.map_or_else(LiveLine::Damaged, |s| self.add(s)))
            .collect()
    }

    fn add(&mut self, slab: LogcatSlab) -> LiveLine {
        if slab.identity.build != self.build {
            return LiveLine::Foreign(slab.identity.build);
        }
        let key = ThreadKey { identity: slab.identity, thread: slab.header.thread };
        let kept = self.threads.entry(key.clone()).or_default();
        kept.version = slab.version;
        let sequence = slab.header.sequence;
        if sequence >= kept.from {
            // A slab that comes twice is the same: its line has a checksum.
            kept.slabs.entry(sequence).or_insert((slab.header, slab.payload));
        }
        LiveLine::Slab(key)
    }

    /// Bytes that are kept of a thread.
    pub fn size(&self, key: &ThreadKey) -> usize {
        let kept = self.threads.get(key);
        kept.map_or(0, |kept| kept.slabs.values().map(|(_, payload)| payload.len()).sum())
    }

    /// A thread's process, without its threads.
    pub fn process(&self, key: &ThreadKey) -> Process {
        let version = self.threads.get(key).map_or(0, |kept| kept.version);
        let sources = vec!["logcat".to_owned()];
        process_of(key.identity.clone(), version, sources, (Refused::default(), None), vec![])
    }

    /// Returns the kept part of a thread. If its beginning was dropped, it has no name.
    ///
    /// # Errors
    /// A temporary file that holds long logs cannot be used.
    pub fn thread(&self, key: &ThreadKey) -> Result<ThreadLog, InputError> {
        let (mut stores, mut stream) = (Stores::new(), Stream::default());
        let Some(kept) = self.threads.get(key) else {
            return stream.finish(key.thread, 0, &mut stores);
        };
        for (header, payload) in kept.slabs.values() {
            let stored = Stored::new(stores.append(payload)?, payload);
            stream.add(header, stored, payload.first().copied(), &mut stores)?;
        }
        stream.finish(key.thread, kept.version, &mut stores)
    }

    /// Drops the slabs of a thread that lie before the one that holds this byte of its last
    /// segment, which begins with slab `first`. Those that come again later are dropped, too.
    pub fn drop_before(&mut self, key: &ThreadKey, first: u32, offset: usize) {
        let Some(kept) = self.threads.get_mut(key) else { return };
        let mut end = 0;
        let holds = kept.slabs.range(first..).find(|(_, (_, payload))| {
            end += payload.len();
            end > offset
        });
        let sequence = holds.map_or(first, |(sequence, _)| *sequence);
        kept.slabs = kept.slabs.split_off(&sequence);
        kept.from = kept.from.max(sequence);
    }
}
