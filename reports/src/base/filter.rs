//! Selection of the paths to show. Everything is decoded in any case.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use decoder::crew::Cores;
use decoder::log::{Midway, RestartPoint, Segment, SegmentStart, SyncPoint, ThreadLog};
use decoder::replay::{LoopRounds, PathEvent, PathSink, Program, SendEvents, Times, Via};
use decoder::session::{Note, decode_thread_on};
use glob_match::glob_match;
use model::descriptors::dotted_name;
use model::map::{Map, MethodId};

use super::own::OwnClasses;

/// Clock resolution in µs of protocol 2, whose logs have no ends of callbacks.
const OLD_TICK: u32 = 1000;

/// A sink that can leave out frames.
pub trait Paths: PathSink {
    /// Sets whether the next frame's own contents are shown. Of a hidden frame only beginning and
    /// end are shown, and only if a frame inside it is.
    fn next_frame(&mut self, shown: bool);
    /// Continues the path here, without active frames, after `_callbacks` callbacks; the times of
    /// the next ones count from `_clock_ms` (ms since the process began).
    fn begin_at(&mut self, _callbacks: u64, _clock_ms: u64) {}
}

/// Selection of paths. The default is all.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Threads, by name or number. Empty: all.
    pub threads: Vec<String>,
    /// Patterns for classes, `com.example.*`; a pattern without a dot matches the name without
    /// package. Calls of other classes are shown inside a call that matches. Empty: all.
    pub classes: Vec<String>,
    /// Patterns for names of methods, in the same way. A method must match both.
    pub methods: Vec<String>,
    /// Globs over dotted names of the app's own classes, as for the page; without any globs, its
    /// package decides. Calls of other classes are shown only as far as they lead to own ones.
    pub own: Option<Vec<String>>,
    /// Numbers of top-level callbacks, counted per thread from 1. Empty: all.
    pub callbacks: Vec<RangeInclusive<u64>>,
    /// Earliest start of callbacks, in ms since the process began.
    pub from: u64,
    /// Latest start of callbacks, in ms since the process began.
    pub to: Option<u64>,
    /// Interval in which callbacks run; remarks between them are shown if they concern it.
    pub interval: Option<Interval>,
    /// Number of callbacks of each thread: the last ones of which something would be shown.
    pub last: Option<usize>,
    /// Maximum depth of nested calls; the callback has depth 1.
    pub depth: Option<usize>,
}

impl Filter {
    /// Returns true if it leaves nothing out.
    pub fn is_all(&self) -> bool {
        self.threads.is_empty()
            && self.classes.is_empty()
            && self.methods.is_empty()
            && self.own.is_none()
            && self.callbacks.is_empty()
            && self.from == 0
            && self.to.is_none()
            && self.interval.is_none()
            && self.last.is_none()
            && self.depth.is_none()
    }

    /// Returns true if a thread is shown.
    pub fn has_thread(&self, thread: &ThreadLog) -> bool {
        let number = thread.number.to_string();
        let name = thread.name.as_deref();
        let fits = |t: &String| *t == number || Some(t.as_str()) == name;
        self.threads.is_empty() || self.threads.iter().any(fits)
    }

    /// Returns true if the patterns match a method.
    fn has_method(&self, map: &Map, method: usize) -> bool {
        let m = &map.methods[method];
        let class = dotted_name(map.name(m.class));
        let simple = class.rsplit('.').next().unwrap_or(&class);
        let of_class =
            |glob: &String| glob_match(glob, if glob.contains('.') { &class } else { simple });
        let named = |glob: &String| glob_match(glob, map.name(m.name));
        (self.classes.is_empty() || self.classes.iter().any(of_class))
            && (self.methods.is_empty() || self.methods.iter().any(named))
    }
}

/// Times from `from` on, before `to`, in µs since the process began.
///
/// A callback runs in the interval if it begins before the interval's end and does not end before
/// its beginning. A callback without a recorded end counts where it begins, but the last one of its
/// thread runs to the end of the log. With protocol 2, which records no ends, all callbacks count
/// where they begin. Remarks between two callbacks (gaps, faults) concern all times between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The first time.
    pub from: u64,
    /// The first time after the interval.
    pub to: u64,
}

impl Interval {
    /// Returns true if the interval overlaps the times from `begin` to `end`.
    fn meets(self, begin: u64, end: u64) -> bool {
        begin < self.to && end >= self.from
    }
}

/// State of a thread for an interval.
#[derive(Debug, Default)]
struct Between {
    /// Start of the thread's last callback, if its end is not recorded.
    open: Option<u64>,
    /// The last callback: start, end, true if it is shown.
    last: (u64, Option<u64>, bool),
    /// The next callback: start, end, true if it is shown.
    next: (u64, Option<u64>, bool),
    /// Remarks since the last callback.
    notes: Vec<Note>,
    /// Bytes of the segment that were not read: offsets in faults include them.
    unread: usize,
    /// Start in ms of the callback before the first decoded one.
    first: Option<u64>,
}

/// Passes on the selected parts of a thread's path.
#[derive(Debug)]
pub struct Filtered<'f, S> {
    sink: S,
    filter: &'f Filter,
    /// For each method: true if the patterns match it. Empty if there are no patterns.
    asked: Vec<bool>,
    /// For each method: true if it is of the app's own classes. Empty if all calls are shown.
    own: Vec<bool>,
    /// For each active frame: true if the patterns match it or a frame around it.
    frames: Vec<bool>,
    /// Number of the first callback that may be shown.
    first: u64,
    callback: u64,
    clock: u64,
    /// True if the current callback is shown.
    open: bool,
    /// True if a call was shown.
    has_calls: bool,
    between: Between,
}

impl<'f, S: Paths> Filtered<'f, S> {
    /// Creates a sink for one thread. To find the last callbacks it decodes the thread on `cores`.
    pub fn new(
        sink: S,
        filter: &'f Filter,
        cores: &Cores,
        program: &Program<'_>,
        thread: &ThreadLog,
    ) -> Self {
        let mut this = Self::from(sink, filter, program, thread);
        if let Some(count) = filter.last {
            let recent = Recent { count, ..Recent::default() };
            let mut look = Filtered::from(recent, filter, program, thread);
            decode_thread_on(cores, program, thread, &mut look);
            let found = look.sink.found;
            // If no callback would be shown, none is.
            this.first = found.front().copied().unwrap_or(u64::MAX);
        }
        this
    }

    fn from(mut sink: S, filter: &'f Filter, program: &Program<'_>, thread: &ThreadLog) -> Self {
        let map = program.map;
        let any = !filter.classes.is_empty() || !filter.methods.is_empty();
        let asked = 0..if any { map.methods.len() } else { 0 };
        let asked = asked.map(|m| filter.has_method(map, m)).collect();
        let own = filter.own.as_ref().map_or(Vec::new(), |globs| {
            let own = OwnClasses::new(map, globs);
            map.methods.iter().map(|m| own.has(map, m.class)).collect()
        });
        let first = thread.segments.first();
        let open = filter.interval.and_then(|_| open_at_the_end(program, thread));
        let mut between = Between { open, ..Between::default() };
        let (mut callback, mut clock) = (0, 0);
        let mut open = filter.interval.is_none_or(|i| i.from == 0);
        if let Some(SegmentStart::Midway(at)) = first.map(|s| s.start) {
            (callback, clock) = (at.callbacks, at.clock_ms);
            sink.begin_at(callback, clock);
            open =
                filter.interval.is_none_or(|i| i.meets(at.last.0, at.last.1.unwrap_or(at.last.0)));
            between.last = (at.last.0, at.last.1, open);
            between.first = Some(at.last.0 / 1000);
            between.unread = (at.segment_offset as usize).saturating_sub(at.offset);
        }
        let frames = Vec::new();
        Filtered {
            sink,
            filter,
            asked,
            own,
            frames,
            first: 0,
            callback,
            clock,
            open,
            has_calls: false,
            between,
        }
    }

    /// Returns true if a call was shown so far.
    pub fn has_calls(&self) -> bool {
        self.has_calls
    }

    /// Returns the inner sink.
    pub(crate) fn inner(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Ends the thread and returns the inner sink.
    pub fn into_inner(mut self) -> S {
        self.pass_notes(u64::MAX, false);
        self.sink
    }

    /// Passes on the remarks since the last callback if they concern the interval. The next
    /// callback begins at `begin`.
    fn pass_notes(&mut self, begin: u64, shown: bool) {
        let Some(interval) = self.filter.interval else { return };
        let (last, end, last_shown) = self.between.last;
        let concerns = shown || last_shown || interval.meets(end.unwrap_or(last), begin);
        for note in self.between.notes.drain(..) {
            match note {
                _ if concerns => self.sink.note(note),
                Note::Resumed { time_ms } => self.sink.begin_at(self.callback, time_ms.into()),
                _ => {}
            }
        }
    }

    fn cut(&mut self, count: usize) {
        self.frames.truncate(self.frames.len().saturating_sub(count));
    }
}

impl<S: Paths> PathSink for Filtered<'_, S> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.begin_callback(times),
            PathEvent::Enter { method, via } => return self.enter(method, via),
            // A doubt concerns its callback.
            PathEvent::Doubtful { .. } if !self.open => return,
            PathEvent::Note(note) => return self.note(note),
            // Of the whole log, not of what is shown.
            PathEvent::CanBegin { .. } => return,
            _ => {}
        }
        self.sink.event(event);
        match event {
            PathEvent::Leave => self.cut(1),
            PathEvent::Caught { dropped, .. } | PathEvent::Unwound { dropped, .. } => {
                self.cut(dropped);
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        self.sink.rounds(rounds);
    }
}

impl<S: Paths> Filtered<'_, S> {
    fn begin_callback(&mut self, times: Times) {
        let Times { begin_us: begin, end_us, tick_us } = times;
        if let Some(interval) = self.filter.interval {
            let open = end_us.is_none() && self.between.open == Some(begin) && tick_us < OLD_TICK;
            let end = if open { u64::MAX } else { end_us.unwrap_or(begin) };
            let shown = interval.meets(begin, end);
            self.pass_notes(begin, shown);
            self.between.next = (begin, end_us, shown);
        }
    }

    fn enter(&mut self, method: MethodId, mut via: Via) {
        let filter = self.filter;
        if let Via::TopLevel(ms) = &mut via {
            self.between.last = self.between.next;
            if let Some(before) = self.between.first.take() {
                let since = (self.between.last.0 / 1000).saturating_sub(before);
                *ms = u32::try_from(since).unwrap_or(u32::MAX);
            }
            let ms = *ms;
            self.clock = self.clock.saturating_add(ms.into());
            self.callback += 1;
            let numbers = &filter.callbacks;
            self.open = self.callback >= self.first
                && (numbers.is_empty() || numbers.iter().any(|r| r.contains(&self.callback)))
                && self.clock >= filter.from
                && filter.to.is_none_or(|to| self.clock <= to)
                && (filter.interval.is_none() || self.between.last.2);
        }
        let around = self.frames.last().is_some_and(|asked| *asked);
        let asked = around || self.asked.get(method.0 as usize - 1).is_none_or(|asked| *asked);
        self.frames.push(asked);
        let deep = filter.depth.is_some_and(|depth| self.frames.len() > depth);
        let is_own = self.own.get(method.0 as usize - 1).is_none_or(|own| *own);
        let is_shown = asked && is_own && self.open && !deep;
        self.has_calls |= is_shown;
        self.sink.next_frame(is_shown);
        self.sink.enter(method, via);
    }

    fn note(&mut self, mut note: Note) {
        match &mut note {
            Note::Resumed { time_ms } => {
                self.frames.clear();
                self.clock = (*time_ms).into();
                let us = self.clock.saturating_mul(1000);
                self.open = self.filter.interval.is_none_or(|i| i.meets(us, us));
                self.between.first = None;
            }
            Note::Gap { .. } => {
                self.between.unread = 0;
            }
            Note::Faulty(fault) => {
                *fault = fault.after(self.between.unread);
            }
            _ => {}
        }
        match self.filter.interval {
            Some(_) => self.between.notes.push(note),
            None => self.sink.note(note),
        }
    }
}

/// Returns the start of a thread's last callback if its end is not recorded. Decodes from the last
/// sync point.
fn open_at_the_end(program: &Program<'_>, thread: &ThreadLog) -> Option<u64> {
    let last = thread.segments.last()?;
    let sync = last.syncs.last().copied();
    let (offset, start) = match (last.start, sync) {
        (SegmentStart::Restart(at), None) => {
            (at.offset, SegmentStart::Restart(RestartPoint { offset: 0, ..at }))
        }
        (SegmentStart::Midway(at), sync) if sync.is_none_or(|s| s.offset <= at.offset) => {
            (at.offset, SegmentStart::Midway(Midway { offset: 0, ..at }))
        }
        (_, Some(s)) => (s.offset, SegmentStart::Sync(SyncPoint { offset: 0, ..s })),
        (SegmentStart::Beginning { offset }, None) => {
            (offset, SegmentStart::Beginning { offset: 0 })
        }
        (_, None) => return None,
    };
    let (syncs, restarts, clocks) = (vec![], vec![], vec![]);
    let bytes = last.bytes.get(offset..)?.to_vec();
    let segment = Segment { bytes, start, syncs, restarts, clocks, ..*last };
    let tail = ThreadLog {
        number: thread.number,
        name: None,
        tid: 0,
        late: false,
        table: thread.table.clone(),
        segments: vec![segment],
        gaps: vec![],
    };
    let mut look = LastTimes(None);
    decode_thread_on(&Cores::new(1), program, &tail, &mut look);
    look.0.filter(|times| times.end_us.is_none()).map(|times| times.begin_us)
}

/// Times of the last callback.
struct LastTimes(Option<Times>);

impl PathSink for LastTimes {
    const DECISIONS_ONLY: bool = true;

    fn event(&mut self, event: PathEvent<'_>) {
        if let PathEvent::Times(times) = event {
            self.0 = Some(times);
        }
    }

    fn rounds(&mut self, _: LoopRounds<'_>) {}
}

/// The last callbacks of which something is shown.
#[derive(Debug, Default)]
struct Recent {
    count: usize,
    found: VecDeque<u64>,
    callback: u64,
    shown: bool,
}

impl Paths for Recent {
    fn next_frame(&mut self, shown: bool) {
        self.shown = shown;
    }

    fn begin_at(&mut self, callbacks: u64, _: u64) {
        self.callback = callbacks;
    }
}

impl PathSink for Recent {
    fn event(&mut self, event: PathEvent<'_>) {
        if let PathEvent::Enter { via, .. } = event {
            self.callback += u64::from(matches!(via, Via::TopLevel(_)));
            if self.shown && self.count > 0 && self.found.back() != Some(&self.callback) {
                if self.found.len() == self.count {
                    self.found.pop_front();
                }
                self.found.push_back(self.callback);
            }
        }
    }

    fn rounds(&mut self, _: LoopRounds<'_>) {}
}
