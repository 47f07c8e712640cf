//! Perfetto's trace format: two tracks for each thread.
//!
//! *callbacks (measured)* has a slice for each top-level callback, from its measured start to its
//! measured end; *calls (interpolated)* has a slice for each frame. Times of calls are interpolated
//! by blocks between the clock readings in the log: start and end of the callback, and the starts
//! of slabs. Each slice has its error: half of the longer of the two gaps between clock readings in
//! which it begins and ends.
//!
//! A callback whose end is unknown (a log that breaks off, or of protocol 2) is an instant, and its
//! calls are only in order: a block takes 1 µs, and calls are squeezed where they would reach
//! beyond the start of the thread's next callback. In logs of protocol 2 the track is called *calls
//! (order, not time)*.
//!
//! Source of all field numbers: Perfetto's `protos/perfetto/trace/trace_packet.proto` and the files
//! that it imports, version 52.

use std::io::{self, BufReader, BufWriter, Seek, Write};

use decoder::log::{Process, ThreadLog, wall_clock};
use model::protocol::Protocol;
use tempfile::SpooledTempFile;

use super::limit::{CALLS_LIMIT, CountingWriter, Limit};
use super::proto::{Message, read_number, write_number};
use crate::base::escape::visible;
use crate::frames::{Closed, Frame, FrameFile, FrameNames, FrameSink, Opened, WallTime};

/// First bytes of every such file: a packet with the descriptor of an unused track.
pub const HEAD: &[u8] = b"\x0a\x10\xe2\x03\x0d\x08\x01\x12\x09Pathlight";

/// Nanoseconds in the trace for a block.
const STEP_NS: u64 = 1000;
/// Bytes of events that wait in memory until the next start is known; more of them wait in a file.
const WAITING_BYTES: usize = 1 << 20;
/// Lower bound of a slice's bytes: time, flags, event with its kind, category and name, sequence.
const LEAST: u64 = 12;
/// Latest time that a trace can contain, in µs.
const MAX_US: u64 = i64::MAX as u64 / 1000 / 2;

/// Field numbers of the messages, named `MESSAGE_FIELD`.
mod field {
    pub const TRACE_PACKET: u32 = 1;
    pub const PACKET_CLOCK_SNAPSHOT: u32 = 6;
    pub const PACKET_TIMESTAMP: u32 = 8;
    pub const PACKET_SEQUENCE: u32 = 10;
    pub const PACKET_EVENT: u32 = 11;
    pub const PACKET_INTERNED: u32 = 12;
    pub const PACKET_FLAGS: u32 = 13;
    pub const PACKET_CLOCK: u32 = 58;
    pub const PACKET_DEFAULTS: u32 = 59;
    pub const PACKET_TRACK: u32 = 60;
    pub const SNAPSHOT_CLOCK: u32 = 1;
    pub const CLOCK_ID: u32 = 1;
    pub const CLOCK_TIMESTAMP: u32 = 2;
    pub const CLOCK_INCREMENTAL: u32 = 3;
    pub const CLOCK_UNIT_NS: u32 = 4;
    pub const DEFAULTS_EVENT: u32 = 11;
    pub const DEFAULTS_CLOCK: u32 = 58;
    pub const TRACK_UUID: u32 = 1;
    pub const TRACK_NAME: u32 = 2;
    pub const TRACK_PARENT: u32 = 5;
    pub const TRACK_ORDERING: u32 = 11;
    pub const TRACK_RANK: u32 = 12;
    pub const EVENT_CATEGORY: u32 = 3;
    pub const EVENT_ANNOTATION: u32 = 4;
    pub const EVENT_TYPE: u32 = 9;
    pub const EVENT_NAME: u32 = 10;
    pub const EVENT_TRACK: u32 = 11;
    pub const EVENT_NAME_TEXT: u32 = 23;
    pub const INTERNED_CATEGORY: u32 = 1;
    pub const INTERNED_NAME: u32 = 2;
    pub const INTERNED_KEY: u32 = 3;
    pub const INTERNED_TEXT: u32 = 29;
    /// Fields of all interned messages.
    pub const INTERNED_ID: u32 = 1;
    pub const INTERNED_VALUE: u32 = 2;
    pub const ANNOTATION_KEY: u32 = 1;
    pub const ANNOTATION_NUMBER: u32 = 3;
    pub const ANNOTATION_TEXT: u32 = 17;
}
use field::*;

const BEGIN: u64 = 1;
const END: u64 = 2;
const INSTANT: u64 = 3;
const REALTIME: u64 = 1;
const BOOTTIME: u64 = 6;
/// Number of the sequence's clock, whose timestamps are differences.
const STEPS: u64 = 64;
const STATE_CLEARED: u64 = 1;
const NEEDS_STATE: u64 = 2;
/// Orders siblings by their ranks.
const EXPLICIT: u64 = 3;

const CATEGORIES: [&str; 4] = ["call", "callback", "inlined", "note"];
const CALLBACK: u64 = 2;
const NOTE: u64 = 4;
const KEYS: [&str; 5] = ["time", "steps", "ended", "calls left out", "error us"];
const TIME: u64 = 1;
const STEPS_RUN: u64 = 2;
const ENDED: u64 = 3;
const LEFT_OUT: u64 = 4;
const ERROR: u64 = 5;
const TEXTS: [&str; 6] =
    ["order", "measured start", "by an exception", "unknown", "measured", "interpolated"];
const ORDER: u64 = 1;
const MEASURED: u64 = 2;
const BY_EXCEPTION: u64 = 3;
const UNKNOWN: u64 = 4;
const MEASURED_ALL: u64 = 5;
const INTERPOLATED: u64 = 6;

/// An event that waits until the next start is known.
enum Waiting {
    Open(Frame, Opened),
    Close(Closed),
    /// Calls beyond the file's limit; their number follows.
    LeftOut,
}

const CLOSED: [Closed; 3] = [Closed::Return, Closed::Exception, Closed::Unknown];
const OPENED: [Opened; 3] = [Opened::Call, Opened::Callback, Opened::Inlined];

impl Waiting {
    fn code(&self) -> u64 {
        match *self {
            Waiting::Close(how) => how as u64,
            Waiting::LeftOut => 3,
            Waiting::Open(frame, how) => 6 + 3 * u64::from(frame.0) + how as u64,
        }
    }

    fn of(code: u64) -> Waiting {
        let how = (code % 3) as usize;
        match code / 3 {
            0 => Waiting::Close(CLOSED[how]),
            1 => Waiting::LeftOut,
            n => Waiting::Open(Frame((n - 2) as u32), OPENED[how]),
        }
    }
}

/// The events since the last measured start.
#[derive(Debug)]
struct Group {
    /// Pairs of numbers: blocks since the previous event, and [`Waiting::code`];
    /// [`Waiting::LeftOut`] has a third number.
    events: BufWriter<SpooledTempFile>,
    count: u64,
    /// Number of events that begin a frame.
    opens: u64,
    steps: u64,
    /// Blocks since the last event.
    since: u64,
    start_ns: u64,
    /// The end of the events' callback, if it was measured.
    end_ns: Option<u64>,
    /// Number of its open frames.
    depth: u64,
    /// Clock readings in between: blocks and time.
    clocks: Vec<(u64, u64)>,
}

impl Group {
    fn new(start_ns: u64) -> Self {
        let events = BufWriter::new(SpooledTempFile::new(WAITING_BYTES));
        let clocks = Vec::new();
        Group {
            events,
            count: 0,
            opens: 0,
            steps: 0,
            since: 0,
            start_ns,
            end_ns: None,
            depth: 0,
            clocks,
        }
    }
}

/// Times of blocks, interpolated between clock readings.
struct Interpolated {
    /// Blocks and time, both ascending, from start to end.
    clocks: Vec<(u64, u64)>,
    /// Index of the clock reading after the blocks requested last.
    next: usize,
}

impl Interpolated {
    fn new(start_ns: u64, end_ns: u64, group: &Group) -> Self {
        let end = (group.steps, end_ns.max(start_ns));
        let mut clocks = vec![(0, start_ns)];
        for &(steps, ns) in group.clocks.iter().chain([&end]) {
            let last = clocks[clocks.len() - 1].1;
            clocks.push((steps, ns.clamp(last, end.1)));
        }
        Interpolated { clocks, next: 0 }
    }

    /// Returns the time after `steps` blocks, and its error. `steps` never decreases.
    fn at(&mut self, steps: u64) -> (u64, u64) {
        while self.next + 1 < self.clocks.len() && self.clocks[self.next].0 <= steps {
            self.next += 1;
        }
        let before = self.next.saturating_sub(1);
        let ((from, start), (to, end)) = (self.clocks[before], self.clocks[self.next]);
        let gap = end - start;
        (start + share(gap, steps.clamp(from, to) - from, to - from), gap / 2)
    }
}

/// Returns `part / of` of `all`, at most `all`.
fn share(all: u64, parts: u64, of: u64) -> u64 {
    let of = of.max(1);
    match all.checked_mul(parts) {
        Some(product) => product / of,
        None => u64::try_from(u128::from(all) * u128::from(parts) / u128::from(of)).unwrap_or(all),
    }
}

/// Times of a group's blocks, and their errors if they have one.
struct Timing {
    timed: Option<Interpolated>,
    start: u64,
    /// Maximum duration of all blocks together without measured times.
    room: u64,
    steps: u64,
}

impl Timing {
    fn new(start: u64, group: &Group, next_ns: Option<u64>) -> Timing {
        let timed = group.end_ns.map(|end| Interpolated::new(start, end, group));
        let free = group.steps.saturating_mul(STEP_NS);
        let room = next_ns.map_or(free, |next| next.saturating_sub(start).min(free));
        Timing { timed, start, room, steps: group.steps }
    }

    fn at(&mut self, steps: u64) -> (u64, Option<u64>) {
        match &mut self.timed {
            Some(timed) => {
                let (ns, error) = timed.at(steps);
                (ns, Some(error))
            }
            None => (self.start.saturating_add(share(self.room, steps, self.steps)), None),
        }
    }
}

/// Writes a trace as threads come.
#[derive(Debug)]
pub struct Perfetto<'p, 'm, W> {
    names: FrameNames<'p, 'm>,
    out: CountingWriter<W>,
    limit: Limit,
    tracks: u64,
    process: u64,
    /// Name of the process, until it has an event.
    process_name: Option<String>,
    thread_name: Option<String>,
    /// Sequence of the thread's packets.
    sequence: u64,
    callbacks: u64,
    /// For each frame the last sequence that has its name.
    named: Vec<u64>,
    group: Group,
    /// Time of the last packet on the clock of blocks.
    now_ns: u64,
    /// Start of the last callback.
    clock_ns: u64,
    /// Number of instants at the same measured time: they are a nanosecond apart,
    /// as viewers would stack them.
    instants: u64,
    /// True if the next frame is a top-level callback.
    top: bool,
    /// Shown frames that are open.
    stack: Vec<OpenSlice>,
    /// The time of the last event of callbacks.
    callback_ns: u64,
    /// Number of innermost open frames that were left out directly because the file will be full.
    hidden: u64,
    /// Number of such frames since the last waiting event.
    left_out: u64,
}

/// A shown frame that is open.
#[derive(Debug)]
struct OpenSlice {
    /// Blocks at its start.
    steps: u64,
    /// Number of calls left out before its start.
    left_out: u64,
    /// Error of its start time in ns; `None` without a time.
    error_ns: Option<u64>,
}

fn ns(us: u64) -> u64 {
    us.min(MAX_US) * 1000
}

fn interned(data: Message, list: u32, id: u64, value: &str) -> Message {
    let entry = Message::default().number(INTERNED_ID, id).text(INTERNED_VALUE, value);
    data.message(list, &entry)
}

fn annotated(event: Message, key: u64, value: u32, id: u64) -> Message {
    let annotation = Message::default().number(ANNOTATION_KEY, key).number(value, id);
    event.message(EVENT_ANNOTATION, &annotation)
}

impl<'p, 'm, W: Write> Perfetto<'p, 'm, W> {
    /// Creates a sink that writes to `out` as events come.
    pub fn new(names: FrameNames<'p, 'm>, out: W) -> Self {
        Self::with_limit(names, out, CALLS_LIMIT)
    }

    pub(super) fn with_limit(names: FrameNames<'p, 'm>, out: W, bytes: u64) -> Self {
        let mut out = CountingWriter::new(out);
        out.put(HEAD);
        Perfetto {
            names,
            out,
            limit: Limit::new(bytes),
            tracks: 1,
            process: 0,
            process_name: None,
            thread_name: None,
            sequence: 1,
            callbacks: 0,
            named: vec![0; names.len()],
            group: Group::new(0),
            now_ns: 0,
            clock_ns: 0,
            instants: 0,
            top: false,
            stack: Vec::new(),
            callback_ns: 0,
            hidden: 0,
            left_out: 0,
        }
    }

    fn packet(&mut self, packet: Message) {
        let packet = packet.number(PACKET_SEQUENCE, self.sequence);
        self.out.put(Message::default().message(TRACE_PACKET, &packet).as_bytes());
    }

    fn track(&mut self, name: &str, parent: u64, rank: u64) -> u64 {
        self.tracks += 1;
        let mut track = Message::default().number(TRACK_UUID, self.tracks).text(TRACK_NAME, name);
        if parent > 0 {
            track = track.number(TRACK_PARENT, parent);
        }
        track = track.number(TRACK_ORDERING, EXPLICIT).number(TRACK_RANK, rank);
        self.packet(Message::default().message(PACKET_TRACK, &track));
        self.tracks
    }

    /// Writes the packets before a thread's first event.
    fn begin(&mut self) {
        let Some(thread) = self.thread_name.take() else {
            return;
        };
        self.sequence += 1;
        if let Some(process) = self.process_name.take() {
            self.process = self.track(&process, 0, 0);
        }
        let parent = self.track(&thread, self.process, 0);
        self.callbacks = self.track("callbacks (measured)", parent, 0);
        let calls = match self.names.0.map.protocol() {
            Protocol::Two => "calls (order, not time)",
            Protocol::Three => "calls (interpolated)",
        };
        let calls = self.track(calls, parent, 1);
        self.now_ns = self.clock_ns;
        let clock =
            |id| Message::default().number(CLOCK_ID, id).number(CLOCK_TIMESTAMP, self.clock_ns);
        let steps = clock(STEPS).number(CLOCK_INCREMENTAL, 1).number(CLOCK_UNIT_NS, 1);
        let snapshot = Message::default()
            .message(SNAPSHOT_CLOCK, &clock(BOOTTIME))
            .message(SNAPSHOT_CLOCK, &clock(REALTIME))
            .message(SNAPSHOT_CLOCK, &steps);
        let event = Message::default().number(EVENT_TRACK, calls);
        let defaults =
            Message::default().number(DEFAULTS_CLOCK, STEPS).message(DEFAULTS_EVENT, &event);
        let mut data = Message::default();
        let lists: [(u32, &[&str]); 3] =
            [(INTERNED_CATEGORY, &CATEGORIES), (INTERNED_KEY, &KEYS), (INTERNED_TEXT, &TEXTS)];
        for (list, values) in lists {
            for (id, value) in (1..).zip(values) {
                data = interned(data, list, id, value);
            }
        }
        self.packet(
            Message::default()
                .number(PACKET_FLAGS, STATE_CLEARED | NEEDS_STATE)
                .message(PACKET_DEFAULTS, &defaults)
                .message(PACKET_CLOCK_SNAPSHOT, &snapshot)
                .message(PACKET_INTERNED, &data),
        );
    }

    /// Writes a packet with an event. The name of the frame is included once in a sequence.
    fn event(&mut self, packet: Message, event: Message, frame: Option<Frame>) {
        let mut packet = packet.number(PACKET_FLAGS, NEEDS_STATE);
        let mut event = event;
        if let Some(frame) = frame {
            let id = u64::from(frame.0) + 1;
            event = event.number(EVENT_NAME, id);
            let named = &mut self.named[frame.0 as usize];
            if *named != self.sequence {
                *named = self.sequence;
                let name = self.names.name(frame);
                let data = interned(Message::default(), INTERNED_NAME, id, &name);
                packet = packet.message(PACKET_INTERNED, &data);
            }
        }
        self.packet(packet.message(PACKET_EVENT, &event));
    }

    /// Returns a packet on the clock of blocks.
    fn timed(&mut self, ns: u64) -> Message {
        let delta = ns.saturating_sub(self.now_ns);
        self.now_ns += delta;
        Message::default().number(PACKET_TIMESTAMP, delta)
    }

    fn instant(&mut self, category: u64) -> (Message, Message) {
        let at = self.clock_ns + self.instants.min(999_999);
        self.instants += 1;
        let packet = Message::default().number(PACKET_TIMESTAMP, at).number(PACKET_CLOCK, BOOTTIME);
        let event = Message::default()
            .number(EVENT_TYPE, INSTANT)
            .number(EVENT_TRACK, self.callbacks)
            .number(EVENT_CATEGORY, category);
        (packet, event)
    }

    /// Writes a callback that was measured from start to end. Callbacks within a tick are a
    /// nanosecond apart.
    fn callback(&mut self, begin: u64, end: u64, frame: Frame) {
        let begin = begin.max(self.callback_ns + 1);
        let end = end.max(begin);
        self.callback_ns = end;
        for (at, kind) in [(begin, BEGIN), (end, END)] {
            let packet =
                Message::default().number(PACKET_TIMESTAMP, at).number(PACKET_CLOCK, BOOTTIME);
            let event =
                Message::default().number(EVENT_TYPE, kind).number(EVENT_TRACK, self.callbacks);
            if kind == BEGIN {
                let event = event.number(EVENT_CATEGORY, CALLBACK);
                let event = annotated(event, TIME, ANNOTATION_TEXT, MEASURED_ALL);
                self.event(packet, event, Some(frame));
            } else {
                self.event(packet, event, None);
            }
        }
    }

    /// Returns true if the file will be full before a frame that begins now: all waiting events
    /// come first, and a nested frame will then be hidden.
    #[inline]
    fn leaves_out(&self) -> bool {
        self.hidden > 0
            || self.group.depth > 0
                && self.limit.is_reached(&self.out, self.group.opens.saturating_mul(LEAST))
    }

    fn waits(&mut self, event: Waiting) {
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            self.wait_for(Waiting::LeftOut);
            let wrote = write_number(&mut self.group.events, left_out);
            wrote.unwrap_or_else(|e| self.out.fail(e));
        }
        self.wait_for(event);
    }

    fn wait_for(&mut self, event: Waiting) {
        let since = std::mem::take(&mut self.group.since);
        self.group.count += 1;
        let out = &mut self.group.events;
        let wrote = write_number(out, since).and_then(|()| write_number(out, event.code()));
        wrote.unwrap_or_else(|e| self.out.fail(e));
    }

    /// Writes the calls since the last start; they end before `next_ns`.
    fn flush(&mut self, next_ns: Option<u64>) {
        let group = std::mem::replace(&mut self.group, Group::new(self.clock_ns));
        if group.count > 0
            && let Err(e) = self.write_group(group, next_ns)
        {
            self.out.fail(e);
        }
    }

    fn write_group(&mut self, group: Group, next_ns: Option<u64>) -> io::Result<()> {
        let start = group.start_ns.max(self.now_ns);
        let mut timing = Timing::new(start, &group, next_ns);
        let mut events = group.events.into_inner()?;
        events.rewind()?;
        let mut events = BufReader::new(events);
        let mut steps = 0;
        for _ in 0..group.count {
            steps += read_number(&mut events)?;
            match Waiting::of(read_number(&mut events)?) {
                Waiting::Open(frame, how) => self.begins(&mut timing, steps, frame, how),
                Waiting::Close(how) => self.ends(&mut timing, steps, how),
                Waiting::LeftOut => self.limit.left_out += read_number(&mut events)?,
            }
        }
        Ok(())
    }

    fn begins(&mut self, timing: &mut Timing, steps: u64, frame: Frame, how: Opened) {
        if self.limit.opens(&self.out) {
            let (ns, error_ns) = timing.at(steps);
            self.stack.push(OpenSlice { steps, left_out: self.limit.left_out, error_ns });
            let category = match how {
                Opened::Call => 1,
                Opened::Callback => CALLBACK,
                Opened::Inlined => 3,
            };
            let event =
                Message::default().number(EVENT_TYPE, BEGIN).number(EVENT_CATEGORY, category);
            let packet = self.timed(ns);
            self.event(packet, event, Some(frame));
        }
    }

    fn ends(&mut self, timing: &mut Timing, steps: u64, how: Closed) {
        if self.limit.closes()
            && let Some(shown) = self.stack.pop()
        {
            let (ns, error_ns) = timing.at(steps);
            let mut event = Message::default().number(EVENT_TYPE, END);
            // A frame that is open when its callback's end is no longer known has no time.
            let error = shown.error_ns.zip(error_ns).map(|(a, b)| a.max(b));
            let time = if error.is_some() { INTERPOLATED } else { ORDER };
            event = annotated(event, TIME, ANNOTATION_TEXT, time);
            if let Some(error) = error {
                event = annotated(event, ERROR, ANNOTATION_NUMBER, error.div_ceil(1000));
            }
            event = annotated(event, STEPS_RUN, ANNOTATION_NUMBER, steps - shown.steps);
            event = match how {
                Closed::Return => event,
                Closed::Exception => annotated(event, ENDED, ANNOTATION_TEXT, BY_EXCEPTION),
                Closed::Unknown => annotated(event, ENDED, ANNOTATION_TEXT, UNKNOWN),
            };
            if self.limit.left_out > shown.left_out {
                let calls = self.limit.left_out - shown.left_out;
                event = annotated(event, LEFT_OUT, ANNOTATION_NUMBER, calls);
            }
            let packet = self.timed(ns);
            self.event(packet, event, None);
        }
    }
}

impl<W: Write> FrameSink for Perfetto<'_, '_, W> {
    fn process(&mut self, process: &Process) {
        let (day, time) = wall_clock(process.start_ms);
        let (name, pid) = (visible(&process.name), process.pid);
        self.process_name = Some(format!("{name} (pid {pid}), started {day} {time} UTC"));
    }

    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        let name = visible(thread.name.as_deref().unwrap_or("?"));
        self.thread_name = Some(format!("{name} (thread {})", thread.number));
        (self.clock_ns, self.instants) = (ns(process.start_ms.saturating_mul(1000)), 0);
        self.callback_ns = 0;
        self.group = Group::new(self.clock_ns);
    }

    fn top_level(&mut self, time: WallTime) {
        self.begin();
        let (at, end) = (ns(time.begin_us), time.end_us.map(ns));
        if at > self.clock_ns {
            (self.clock_ns, self.instants) = (at, 0);
            self.flush(Some(at));
        } else if end.is_some() {
            self.flush(Some(self.clock_ns));
        }
        self.group.end_ns = end;
        self.top = true;
    }

    fn clock(&mut self, us: u64) {
        if self.group.end_ns.is_some() {
            self.group.clocks.push((self.group.steps, ns(us)));
        }
    }

    fn open(&mut self, frame: Frame, how: Opened) {
        if self.leaves_out() {
            self.hidden += 1;
            self.left_out += 1;
            return;
        }
        self.begin();
        if std::mem::take(&mut self.top) {
            if let Some(end) = self.group.end_ns {
                self.callback(self.clock_ns, end, frame);
            } else {
                let (packet, event) = self.instant(CALLBACK);
                let event = annotated(event, TIME, ANNOTATION_TEXT, MEASURED);
                self.event(packet, event, Some(frame));
            }
        }
        self.group.depth += 1;
        self.group.opens += 1;
        self.waits(Waiting::Open(frame, how));
    }

    fn steps(&mut self, steps: u64) {
        // More blocks would end beyond the year 580,000.
        let steps = steps.min(u64::MAX - self.group.steps);
        self.group.steps += steps;
        self.group.since += steps;
    }

    #[inline]
    fn leaf(&mut self, frame: Frame) {
        if self.leaves_out() {
            self.left_out += 1;
            return self.steps(1);
        }
        self.open(frame, Opened::Call);
        self.steps(1);
        self.close(Closed::Return);
    }

    fn close(&mut self, how: Closed) {
        if self.hidden > 0 {
            self.hidden -= 1;
            return;
        }
        self.waits(Waiting::Close(how));
        self.group.depth = self.group.depth.saturating_sub(1);
        if let Some(end) = self.group.end_ns.filter(|_| self.group.depth == 0) {
            self.clock_ns = self.clock_ns.max(end);
            self.flush(Some(end));
        }
    }

    fn note(&mut self, text: &str) {
        self.begin();
        let (packet, event) = self.instant(NOTE);
        self.event(packet, event.text(EVENT_NAME_TEXT, &visible(text)), None);
    }

    fn thread_ends(&mut self) {
        self.flush(None);
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.finish()
    }
}

impl<W: Write> FrameFile for Perfetto<'_, '_, W> {
    fn remark(&self) -> Option<String> {
        self.limit.remark()
    }
}
