//! Paths of callbacks that the page contains: the newest of each session, and those of crashes,
//! up to a size.
//!
//! Events of the running thread are plain. When the thread ends, its newest callbacks become
//! *chunks* of some 64 KiB, each deflated alone, so that the page unpacks only what is looked at.
//! If all chunks together exceed the size, the session with the most bytes loses its oldest chunk.

use std::io::{self, Write};

use base64ct::{Base64, Encoding as _};
use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::events::Event;

/// Maximum number of events of one callback.
const OF_CALLBACK: usize = 200_000;
/// Maximum number of events of one thread, and of all threads of the report.
const OF_THREAD: usize = 4_000_000;
const OF_ALL: usize = 8_000_000;
/// Bytes of a chunk before it is deflated; a callback is never split.
const CHUNK: usize = 64 << 10;

/// A callback of the running thread.
#[derive(Debug)]
struct KeptCallback {
    /// Number in its thread, from 1.
    number: u64,
    /// Start in ms since its process began.
    start: u32,
    /// First event, counted from the begin of the thread.
    first: usize,
    events: usize,
    is_whole: bool,
}

/// Callbacks of one thread in a chunk: `first` to `last`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ChunkRun {
    lane: u32,
    first: u64,
    last: u64,
}

/// Deflated paths of callbacks.
#[derive(Debug)]
struct Chunk {
    process: usize,
    /// Start of its newest callback, in ms since the process began.
    newest: u32,
    /// The chunk contains the last callback of a thread that an exception ended.
    is_crash: bool,
    runs: Vec<ChunkRun>,
    base64: String,
}

/// Paths of callbacks, up to the limits.
#[derive(Debug)]
pub(super) struct KeptPaths {
    /// Maximum size of all chunks in bytes.
    size: usize,
    /// Sessions that have not begun yet, with the running one.
    sessions: usize,
    /// Events that may still be kept, of all sessions and of the running one.
    left_of_all: usize,
    left_of_session: usize,
    /// Events of the running thread; `dropped` older ones are gone.
    events: Vec<Event>,
    dropped: usize,
    callbacks: std::collections::VecDeque<KeptCallback>,
    /// Number of events that may still be kept of the running callback.
    left: usize,
    /// Processes so far.
    processes: usize,
    chunks: Vec<Chunk>,
    /// The chunk that is being filled, and its bytes.
    open: Option<Chunk>,
    plain: Vec<u8>,
    bytes: usize,
}

impl KeptPaths {
    /// Keeps paths of this many sessions in up to `size` bytes.
    pub fn new(size: usize, sessions: usize) -> Self {
        KeptPaths {
            size,
            sessions: sessions.max(1),
            left_of_all: OF_ALL,
            left_of_session: 0,
            events: Vec::new(),
            dropped: 0,
            callbacks: std::collections::VecDeque::new(),
            left: 0,
            processes: 0,
            chunks: Vec::new(),
            open: None,
            plain: Vec::new(),
            bytes: 0,
        }
    }

    /// Begins a process: it gets an equal share of what is left.
    pub fn process(&mut self) {
        self.close_chunk();
        self.processes += 1;
        self.left_of_session = self.left_of_all / self.sessions;
        self.sessions = (self.sessions - 1).max(1);
    }

    /// Events that the running thread may keep.
    fn of_thread(&self) -> usize {
        OF_THREAD.min(self.left_of_session)
    }

    /// Begins a callback: its number in the thread and its start, in ms since the process began.
    pub fn begin(&mut self, number: u64, start: u32) {
        let (most, first) = (self.of_thread(), self.dropped + self.events.len());
        if self.events.len() > 2 * most {
            let old = self.events.len() - most;
            self.events.drain(..old);
            self.dropped += old;
            while self.callbacks.front().is_some_and(|c| c.first < self.dropped) {
                self.callbacks.pop_front();
            }
        }
        self.left = OF_CALLBACK.min(most);
        let (events, is_whole) = (0, false);
        self.callbacks.push_back(KeptCallback { number, start, first, events, is_whole });
    }

    /// Adds an event of the running callback.
    #[inline]
    pub fn push(&mut self, event: Event) {
        if self.left > 0 {
            self.left -= 1;
            self.events.push(event);
        }
    }

    /// Ends the callback. Returns true if all of its events were kept.
    pub fn end(&mut self) -> bool {
        let is_whole = std::mem::take(&mut self.left) > 0;
        if let Some(callback) = self.callbacks.back_mut() {
            callback.events = self.dropped + self.events.len() - callback.first;
            callback.is_whole = is_whole;
        }
        is_whole
    }

    /// Ends a thread: its newest callbacks go into chunks. `threw` is true if an exception ended
    /// the thread.
    pub fn thread_ends(&mut self, lane: u32, threw: bool) {
        let mut left = self.of_thread();
        let mut is_crash = threw;
        while let Some(c) = self.callbacks.pop_back() {
            if c.first < self.dropped || c.events > left || (c.events == 0 && !c.is_whole) {
                break;
            }
            left -= c.events;
            self.left_of_session -= c.events;
            self.left_of_all -= c.events;
            self.add(lane, &c, std::mem::take(&mut is_crash));
        }
        self.callbacks.clear();
        self.events.clear();
        self.dropped = 0;
        if self.events.capacity() > OF_CALLBACK {
            self.events.shrink_to(OF_CALLBACK);
        }
    }

    /// Adds the record of a callback: lane, number, twice the count of numbers (and 1 if it is
    /// whole), then the numbers of its events.
    fn add(&mut self, lane: u32, callback: &KeptCallback, is_crash: bool) {
        let process = self.processes;
        let chunk = self.open.get_or_insert_with(|| Chunk {
            process,
            newest: 0,
            is_crash: false,
            runs: Vec::new(),
            base64: String::new(),
        });
        chunk.newest = chunk.newest.max(callback.start);
        chunk.is_crash |= is_crash;
        match chunk.runs.last_mut() {
            Some(run) if run.lane == lane && run.first == callback.number + 1 => run.first -= 1,
            _ => {
                let (first, last) = (callback.number, callback.number);
                chunk.runs.push(ChunkRun { lane, first, last });
            }
        }
        let first = callback.first - self.dropped;
        let events = &self.events[first..first + callback.events];
        let count: u64 = events.iter().map(|e| 1 + u64::from(e.numbers().1.is_some())).sum();
        let plain = &mut self.plain;
        [lane.into(), callback.number, count << 1 | u64::from(callback.is_whole)]
            .into_iter()
            .for_each(|n| put(plain, n));
        for event in events {
            let (code, more) = event.numbers();
            put(plain, code.into());
            if let Some(more) = more {
                put(plain, more.into());
            }
        }
        if self.plain.len() >= CHUNK {
            self.close_chunk();
        }
    }

    fn close_chunk(&mut self) {
        let Some(chunk) = self.open.take() else { return };
        let base64 = deflated(&self.plain).expect("memory takes everything");
        self.plain.clear();
        self.bytes += base64.len();
        self.chunks.push(Chunk { base64, ..chunk });
        while self.bytes > self.size && !self.chunks.is_empty() {
            let all: Vec<&Chunk> = self.chunks.iter().collect();
            let at = oldest_of_largest(&all);
            self.bytes -= self.chunks.remove(at).base64.len();
        }
    }

    /// Ends the pass.
    pub fn finish(&mut self) {
        self.close_chunk();
    }

    /// Returns the chunks that fit into this many bytes.
    pub fn fitting(&self, size: usize) -> FittingPaths<'_> {
        let (mut chunks, mut bytes): (Vec<&Chunk>, _) = (self.chunks.iter().collect(), self.bytes);
        while bytes > size && !chunks.is_empty() {
            let at = oldest_of_largest(&chunks);
            bytes -= chunks.remove(at).base64.len();
        }
        FittingPaths(chunks)
    }
}

/// Chunks that go into the page.
#[derive(Debug)]
pub(super) struct FittingPaths<'a>(Vec<&'a Chunk>);

impl FittingPaths<'_> {
    /// Returns per chunk the lane, the first and the last callback of each of its runs.
    pub fn index(&self) -> Vec<Vec<u64>> {
        let flat =
            |c: &&Chunk| c.runs.iter().flat_map(|r| [u64::from(r.lane), r.first, r.last]).collect();
        self.0.iter().map(flat).collect()
    }

    /// Returns the number of callbacks whose path is kept.
    pub fn callbacks(&self) -> u64 {
        self.0.iter().flat_map(|c| &c.runs).map(|r| r.last - r.first + 1).sum()
    }

    /// Writes the chunks as blocks of the page.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        (0..).zip(&self.0).try_for_each(|(number, chunk): (u32, _)| {
            super::blocks::write(out, &format!("path-{number}"), &chunk.base64)
        })
    }
}

/// Returns the position of the chunk that is given up first.
fn oldest_of_largest(chunks: &[&Chunk]) -> usize {
    let mut sizes: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
    chunks.iter().for_each(|c| *sizes.entry(c.process).or_default() += c.base64.len());
    let largest = sizes.iter().max_by_key(|(process, size)| (**size, **process)).map(|s| *s.0);
    let of_it = chunks.iter().enumerate().filter(|(_, c)| Some(c.process) == largest);
    of_it.min_by_key(|(_, c)| (c.is_crash, c.newest)).map_or(0, |(at, _)| at)
}

/// Appends an unsigned LEB128 number.
fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn deflated(plain: &[u8]) -> io::Result<String> {
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::fast());
    deflate.write_all(plain)?;
    Ok(Base64::encode_string(&deflate.finish()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(kept: &mut KeptPaths, lane: u32, callbacks: u64, events: u32, threw: bool) {
        kept.process();
        for number in 1..=callbacks {
            kept.begin(number, number as u32);
            (0..events).for_each(|b| kept.push(Event::block(b * 7919 % 100_003 + lane)));
            assert!(kept.end());
        }
        kept.thread_ends(lane, threw);
    }

    #[test]
    fn a_long_callback_is_kept_to_its_limit_and_the_next_one_whole() {
        let mut kept = KeptPaths::new(1 << 20, 1);
        kept.process();
        kept.begin(1, 0);
        (0..OF_CALLBACK as u32 + 5).for_each(|b| kept.push(Event::block(b % 9)));
        assert!(!kept.end());
        kept.push(Event::leave());
        kept.begin(2, 1);
        kept.push(Event::leave());
        assert!(kept.end());
        kept.thread_ends(0, false);
        kept.finish();
        let fitting = kept.fitting(1 << 20);
        assert_eq!(fitting.callbacks(), 2);
        assert_eq!(fitting.index(), [[0, 1, 2]]);
    }

    #[test]
    fn each_session_has_its_share_and_the_newest_callbacks_remain() {
        let mut kept = KeptPaths::new(usize::MAX, 3);
        session(&mut kept, 0, 1000, 400, false);
        session(&mut kept, 1, 1000, 400, false);
        session(&mut kept, 2, 3, 5, false);
        kept.finish();
        assert_eq!(kept.fitting(usize::MAX).callbacks(), 2003);
        let all = kept.bytes;
        let fitting = kept.fitting(all / 2);
        let bytes: usize = fitting.0.iter().map(|c| c.base64.len()).sum();
        assert!(bytes <= all / 2 && bytes > all / 3, "{bytes} of {all}");
        let newest = |lane| {
            let runs = fitting.0.iter().flat_map(|c| &c.runs).filter(|r| r.lane == lane);
            runs.map(|r| (r.first, r.last))
                .fold((u64::MAX, 0), |(a, b), (c, d)| (a.min(c), b.max(d)))
        };
        for lane in 0..2 {
            let (first, last) = newest(lane);
            assert!(last == 1000 && (300..700).contains(&first), "{lane}: {first} to {last}");
        }
        assert_eq!(newest(2), (1, 3), "a small session keeps all of its paths");
    }

    #[test]
    fn a_crash_is_given_up_last() {
        let mut kept = KeptPaths::new(usize::MAX, 1);
        session(&mut kept, 0, 400, 400, true);
        // A later thread of the same process with later callbacks.
        for number in 1..=400 {
            kept.begin(number, 10_000);
            (0..400).for_each(|b| kept.push(Event::block(b * 31 % 9001)));
            kept.end();
        }
        kept.thread_ends(1, false);
        kept.finish();
        let fitting = kept.fitting(kept.bytes / 8);
        let crash = fitting.0.iter().flat_map(|c| &c.runs).find(|r| r.lane == 0).unwrap();
        assert_eq!(crash.last, 400);
    }

    #[test]
    fn a_thread_beyond_its_share_keeps_the_newest_callbacks() {
        let mut kept = KeptPaths::new(usize::MAX, 1);
        kept.process();
        kept.left_of_session = 1000;
        for number in 1..=500 {
            kept.begin(number, 0);
            (0..10).for_each(|b| kept.push(Event::block(b)));
            kept.end();
        }
        kept.thread_ends(0, false);
        kept.finish();
        assert_eq!(kept.fitting(usize::MAX).index(), [[0, 401, 500]]);
    }
}
