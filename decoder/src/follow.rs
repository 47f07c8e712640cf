//! Paths while the app runs: what logcat brings is decoded as it comes, and each callback is passed
//! on once, when it has ended and its check is there.
//!
//! A thread is decoded from the last place where decoding can begin; what was passed on before is
//! left out. So the work for a slab grows with the callback that it belongs to, not with the
//! session.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use model::map::MethodId;

use crate::Damage;
use crate::crew::Cores;
use crate::log::{InputError, LiveLine, LiveLog, Process, ThreadKey, ThreadLog};
use crate::replay::{
    BlockNo, Ended, LoopRounds, Note, PathEvent, PathSink, Program, SendEvents, Via,
};
use crate::session::decode_thread_on;

/// Decoding a thread again may take one part in `SHARE` of the elapsed time.
const SHARE: u32 = 4;

/// Follows the threads of a log.
#[derive(Debug)]
pub struct Follower<'p, 'm> {
    program: &'p Program<'m>,
    log: LiveLog,
    threads: BTreeMap<ThreadKey, Progress>,
}

/// Progress of passing a thread on.
#[derive(Debug, Default)]
struct Progress {
    name: Option<String>,
    /// Slabs have come since.
    fresh: bool,
    /// Something was passed on.
    began: bool,
    /// Records and notes in the slabs that are kept that were passed on.
    items: u64,
    /// Begin of the callback that was passed on last, in ms as [`Via::TopLevel`] counts them.
    clock: u64,
    /// Begin and duration of the last decoding.
    last: Option<(Instant, Duration)>,
}

impl<'p, 'm> Follower<'p, 'm> {
    /// A follower of the program's build.
    pub fn new(program: &'p Program<'m>) -> Self {
        Self { program, log: LiveLog::new(program.map.build), threads: BTreeMap::new() }
    }

    /// Takes the next line of the log; what it has of builds.
    pub fn add_line(&mut self, line: &[u8]) -> Vec<LiveLine> {
        let found = self.log.add_line(line);
        for slab in &found {
            if let LiveLine::Slab(key) = slab {
                self.threads.entry(key.clone()).or_default().fresh = true;
            }
        }
        found
    }

    /// Threads of which something has come since they were decoded last. Those whose decoding takes
    /// long wait longer, unless `all` are asked for.
    pub fn fresh(&self, all: bool) -> Vec<ThreadKey> {
        let due = |thread: &Progress| {
            all || thread.last.is_none_or(|(at, took)| at.elapsed() >= took.saturating_mul(SHARE))
        };
        let fresh = self.threads.iter().filter(|(_, thread)| thread.fresh && due(thread));
        fresh.map(|(key, _)| key.clone()).collect()
    }

    /// All threads that had a slab.
    pub fn threads(&self) -> Vec<ThreadKey> {
        self.threads.keys().cloned().collect()
    }

    /// A thread's process, without its threads.
    pub fn process(&self, key: &ThreadKey) -> Process {
        self.log.process(key)
    }

    /// Returns the thread's log as far as it is kept, with its name.
    ///
    /// # Errors
    /// A temporary file cannot be used.
    pub fn thread(&self, key: &ThreadKey) -> Result<ThreadLog, InputError> {
        let mut thread = self.log.thread(key)?;
        if let Some(progress) = self.threads.get(key).filter(|p| p.began) {
            thread.name = thread.name.or_else(|| progress.name.clone());
            thread.late = false;
        }
        Ok(thread)
    }

    /// Passes on the news of a thread: callbacks that have ended, and notes about gaps and faults.
    /// Once the log is `over`, also callbacks that have not ended, and records that no check has
    /// proven, as [`decode_thread`](crate::session::decode_thread) does. Returns the new damage. Of
    /// [`PathEvent::Clock`] only some come.
    ///
    /// # Errors
    /// As [`Self::thread`].
    pub fn pass_on(
        &mut self,
        key: &ThreadKey,
        over: bool,
        cores: &Cores,
        sink: &mut impl PathSink,
    ) -> Result<Damage, InputError> {
        let begun = Instant::now();
        let mut thread = self.thread(key)?;
        let Some(progress) = self.threads.get_mut(key) else { return Ok(Damage::NONE) };
        if thread.late {
            sink.note(Note::Late);
        }
        thread.late = false;
        let mut gaps = std::mem::take(&mut thread.gaps).into_iter().peekable();
        let mut parts = std::mem::take(&mut thread.segments).into_iter().peekable();
        let (mut damage, mut last) = (Damage::NONE, None);
        while let Some(mut segment) = parts.next() {
            let known = progress.began && last.is_none();
            while let Some(gap) = gaps.next_if(|g| g.from <= segment.first) {
                if !known {
                    sink.note(Note::Gap { from: gap.from, to: gap.to });
                    damage += Damage::of_gap(&gap);
                }
            }
            last = Some((segment.first, segment.syncs.last().map(|sync| sync.offset)));
            // Later records of the device are in the segments that follow, or in a gap.
            segment.complete &= parts.peek().is_none();
            let part = ThreadLog { segments: vec![segment], ..thread.clone() };
            let from = if known { progress.items } else { 0 };
            let until = if over || parts.peek().is_some() {
                u64::MAX
            } else {
                whole_items(self.program, cores, &part)
            };
            let mut window = ItemFilter {
                sink,
                from,
                until,
                items: 0,
                faults: 0,
                clock: 0,
                reported: progress.clock,
            };
            decode_thread_on(cores, self.program, &part, &mut window);
            damage += Damage::records(window.faults);
            progress.clock = window.reported;
            progress.items = until;
        }
        progress.began |= last.is_some();
        progress.fresh = false;
        progress.name = thread.name.or(progress.name.take());
        progress.last = Some((begun, begun.elapsed()));
        if let Some((first, sync)) = last {
            self.trim(key, cores, first, sync.unwrap_or(0))?;
        }
        Ok(damage)
    }

    /// Drops what need not be decoded again: before the last segment, which begins with slab
    /// `first`, and before its last place to begin at.
    fn trim(
        &mut self,
        key: &ThreadKey,
        cores: &Cores,
        first: u32,
        offset: usize,
    ) -> Result<(), InputError> {
        let size = self.log.size(key);
        self.log.drop_before(key, first, offset);
        if self.log.size(key) < size {
            // Number of the items left that were passed on.
            let thread = ThreadLog { gaps: vec![], ..self.thread(key)? };
            let items = whole_items(self.program, cores, &thread);
            if let Some(progress) = self.threads.get_mut(key) {
                progress.items = items;
            }
        }
        Ok(())
    }
}

/// Records and notes of a thread, up to the last place where no callback is running. What may
/// become another note when more slabs come is left out.
fn whole_items(program: &Program<'_>, cores: &Cores, thread: &ThreadLog) -> u64 {
    let mut counted = ItemCounter::default();
    decode_thread_on(cores, program, thread, &mut counted);
    counted.whole
}

/// Counts records and notes.
#[derive(Default)]
struct ItemCounter {
    items: u64,
    /// Items when no callback was running.
    whole: u64,
    depth: usize,
}

impl PathSink for ItemCounter {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { .. } => self.depth += 1,
            PathEvent::Leave => self.depth = self.depth.saturating_sub(1),
            PathEvent::Caught { dropped, .. } | PathEvent::Unwound { dropped, .. } => {
                self.depth = self.depth.saturating_sub(dropped);
            }
            PathEvent::Checked => {
                self.items += 1;
                if self.depth == 0 {
                    self.whole = self.items;
                }
            }
            PathEvent::Note(note) => {
                self.items += 1;
                match note {
                    Note::Skipped { .. } | Note::Unproven | Note::Inside { .. } => {}
                    Note::Ended(Ended::Clean | Ended::Unknown | Ended::Cut) => {}
                    Note::Late | Note::Gap { .. } | Note::Ended(Ended::Stopped) => {
                        self.whole = self.items
                    }
                    Note::Faulty(_) | Note::Resumed { .. } | Note::Below => {
                        (self.depth, self.whole) = (0, self.items);
                    }
                }
            }
            _ => {}
        }
    }

    fn rounds(&mut self, _: LoopRounds<'_>) {}

    fn leaf(&mut self, _: MethodId, _: BlockNo) {}
}

/// Passes on some of the records and notes.
struct ItemFilter<'s, S> {
    sink: &'s mut S,
    /// The first item, and the one after the last.
    from: u64,
    until: u64,
    items: u64,
    /// Faults that were passed on.
    faults: u64,
    /// Begin of the last callback, in ms; then of the last one that the sink has received.
    clock: u64,
    reported: u64,
}

impl<S> ItemFilter<'_, S> {
    fn open(&mut self) -> Option<&mut S> {
        (self.from..self.until).contains(&self.items).then_some(&mut *self.sink)
    }
}

impl<S: PathSink> PathSink for ItemFilter<'_, S> {
    fn event(&mut self, mut event: PathEvent<'_>) {
        match &mut event {
            PathEvent::Enter { via: Via::TopLevel(ms), .. } => {
                self.clock = self.clock.saturating_add((*ms).into());
                // Where decoding began in the middle, they count from the end of the one before.
                let since = self.clock.saturating_sub(self.reported);
                *ms = u32::try_from(since).unwrap_or(u32::MAX);
                if self.open().is_some() {
                    self.reported = self.clock;
                }
            }
            PathEvent::Note(Note::Resumed { time_ms }) => {
                self.clock = (*time_ms).into();
                if self.open().is_some() {
                    self.reported = self.clock;
                }
            }
            // Its offset is one of the bytes that are kept.
            PathEvent::CanBegin { .. } => return,
            _ => {}
        }
        if let Some(sink) = self.open() {
            sink.event(event);
            self.faults += u64::from(matches!(event, PathEvent::Note(Note::Faulty(_))));
        }
        self.items += u64::from(matches!(event, PathEvent::Checked | PathEvent::Note(_)));
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        self.open().into_iter().for_each(|sink| sink.rounds(rounds));
    }
}
