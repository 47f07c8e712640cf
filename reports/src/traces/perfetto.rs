//! Perfetto's trace format: two tracks for each thread.
//!
//! *callbacks (measured)* has an instant for each top-level callback, at its measured start. *calls
//! (order, not time)* has a slice for each frame, where a step takes 1 µs: the log has no other
//! clock. Calls of a callback are squeezed where they would reach beyond the start of the thread's
//! next callback, so both tracks can be read together.
//!
//! Source of all field numbers: Perfetto's `protos/perfetto/trace/trace_packet.proto` and the files
//! that it imports, version 52.

use std::io::{self, BufReader, BufWriter, Seek, Write};

use decoder::log::{Process, ThreadLog, wall_clock};
use tempfile::SpooledTempFile;

use super::limit::{Counted, Limit};
use super::proto::{Message, read_number, write_number};
use super::{CALLS_LIMIT, Closed, Frame, FrameSink, Names, Opened};
use crate::visible;

/// How every such file begins: a packet with the descriptor of an unused track.
pub const HEAD: &[u8] = b"\x0a\x10\xe2\x03\x0d\x08\x01\x12\x09Pathlight";

/// Nanoseconds in the trace for a step.
const STEP_NS: u64 = 1000;
/// Events of callbacks wait here until the next start is known; more than this waits in a file.
const WAITING_BYTES: usize = 1 << 20;
/// Latest time that a trace holds, in ms.
const MAX_MS: u64 = i64::MAX as u64 / 1_000_000 / 2;

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
    /// In all interned messages.
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
/// A clock of the sequence, whose timestamps are differences.
const STEPS: u64 = 64;
const STATE_CLEARED: u64 = 1;
const NEEDS_STATE: u64 = 2;
/// Siblings in the order of their ranks.
const EXPLICIT: u64 = 3;

const CATEGORIES: [&str; 4] = ["call", "callback", "inlined", "note"];
const CALLBACK: u64 = 2;
const NOTE: u64 = 4;
const KEYS: [&str; 4] = ["time", "steps", "ended", "calls left out"];
const TIME: u64 = 1;
const STEPS_RUN: u64 = 2;
const ENDED: u64 = 3;
const LEFT_OUT: u64 = 4;
const TEXTS: [&str; 4] = ["order", "measured start", "by an exception", "unknown"];
const ORDER: u64 = 1;
const MEASURED: u64 = 2;
const BY_EXCEPTION: u64 = 3;
const UNKNOWN: u64 = 4;

/// An event that waits until the next start is known.
enum Waiting {
    Open(Frame, Opened),
    Close(Closed),
}

const CLOSED: [Closed; 3] = [Closed::Return, Closed::Exception, Closed::Unknown];
const OPENED: [Opened; 3] = [Opened::Call, Opened::Callback, Opened::Inlined];

impl Waiting {
    fn code(&self) -> u64 {
        match *self {
            Waiting::Close(how) => how as u64,
            Waiting::Open(frame, how) => 3 + 3 * u64::from(frame.0) + how as u64,
        }
    }

    fn of(code: u64) -> Waiting {
        let how = (code % 3) as usize;
        match code / 3 {
            0 => Waiting::Close(CLOSED[how]),
            n => Waiting::Open(Frame(n as u32 - 1), OPENED[how]),
        }
    }
}

/// The events since the last measured start.
#[derive(Debug)]
struct Group {
    /// Pairs of numbers: steps since the event before, and [`Waiting::code`].
    events: BufWriter<SpooledTempFile>,
    count: u64,
    steps: u64,
    /// Steps since the last event.
    since: u64,
    start_ns: u64,
}

impl Group {
    fn new(start_ns: u64) -> Self {
        let events = BufWriter::new(SpooledTempFile::new(WAITING_BYTES));
        Group { events, count: 0, steps: 0, since: 0, start_ns }
    }
}

/// Writes a trace as threads come.
#[derive(Debug)]
pub struct Perfetto<'p, 'm, W> {
    names: Names<'p, 'm>,
    out: Counted<W>,
    limit: Limit,
    tracks: u64,
    process: u64,
    /// What the process is called, until it has an event.
    process_name: Option<String>,
    thread_name: Option<String>,
    /// Packets of each thread are a sequence of their own.
    sequence: u64,
    callbacks: u64,
    /// Per frame the last sequence that has its name.
    named: Vec<u64>,
    group: Group,
    /// Time of the last packet on the clock of steps.
    now_ns: u64,
    /// Start of the last callback.
    clock_ns: u64,
    /// Instants at the same measured time: they are shown one behind the other, a nanosecond apart,
    /// as viewers would stack them.
    instants: u64,
    /// Whether the next frame is a top-level callback.
    top: bool,
    /// Of the shown frames that are open: steps at the start, and what was left out before.
    stack: Vec<(u64, u64)>,
}

fn ns(ms: u64) -> u64 {
    ms.min(MAX_MS) * 1_000_000
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
    /// Writes to `out` as events come.
    pub fn new(names: Names<'p, 'm>, out: W) -> Self {
        Self::with_limit(names, out, CALLS_LIMIT)
    }

    pub(super) fn with_limit(names: Names<'p, 'm>, out: W, bytes: u64) -> Self {
        let mut out = Counted::new(out);
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

    /// Writes what stands before a thread's first event.
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
        let calls = self.track("calls (order, not time)", parent, 1);
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

    /// A packet with an event; the name of the frame goes with it once in a sequence.
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

    /// On the clock of steps.
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

    fn waits(&mut self, event: Waiting) {
        let since = std::mem::take(&mut self.group.since);
        self.group.count += 1;
        let out = &mut self.group.events;
        let wrote = write_number(out, since).and_then(|()| write_number(out, event.code()));
        wrote.unwrap_or_else(|e| self.out.fail(e));
    }

    /// Writes the calls since the last start; they end before `limit`.
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
        let free = u128::from(group.steps) * u128::from(STEP_NS);
        let room = next_ns.map_or(free, |next| u128::from(next.saturating_sub(start)).min(free));
        // Below 2^64, because `room` is.
        let at = |steps: u64| {
            let ns = u128::from(steps) * room / u128::from(group.steps.max(1));
            start.saturating_add(u64::try_from(ns).unwrap_or(u64::MAX))
        };
        let mut events = group.events.into_inner()?;
        events.rewind()?;
        let mut events = BufReader::new(events);
        let mut steps = 0;
        for _ in 0..group.count {
            steps += read_number(&mut events)?;
            match Waiting::of(read_number(&mut events)?) {
                Waiting::Open(frame, how) => self.begins(at(steps), steps, frame, how),
                Waiting::Close(how) => self.ends(at(steps), steps, how),
            }
        }
        Ok(())
    }

    fn begins(&mut self, ns: u64, steps: u64, frame: Frame, how: Opened) {
        if self.limit.opens(&self.out) {
            self.stack.push((steps, self.limit.left_out));
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

    fn ends(&mut self, ns: u64, steps: u64, how: Closed) {
        if self.limit.closes()
            && let Some((start, left_out)) = self.stack.pop()
        {
            let mut event = Message::default().number(EVENT_TYPE, END);
            event = annotated(event, TIME, ANNOTATION_TEXT, ORDER);
            event = annotated(event, STEPS_RUN, ANNOTATION_NUMBER, steps - start);
            event = match how {
                Closed::Return => event,
                Closed::Exception => annotated(event, ENDED, ANNOTATION_TEXT, BY_EXCEPTION),
                Closed::Unknown => annotated(event, ENDED, ANNOTATION_TEXT, UNKNOWN),
            };
            if self.limit.left_out > left_out {
                let calls = self.limit.left_out - left_out;
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
        (self.clock_ns, self.instants) = (ns(process.start_ms), 0);
        self.group = Group::new(self.clock_ns);
    }

    fn top_level(&mut self, at_ms: u64) {
        self.begin();
        let at = ns(at_ms);
        if at > self.clock_ns {
            (self.clock_ns, self.instants) = (at, 0);
            self.flush(Some(at));
        }
        self.top = true;
    }

    fn open(&mut self, frame: Frame, how: Opened) {
        self.begin();
        if std::mem::take(&mut self.top) {
            let (packet, event) = self.instant(CALLBACK);
            let event = annotated(event, TIME, ANNOTATION_TEXT, MEASURED);
            self.event(packet, event, Some(frame));
        }
        self.waits(Waiting::Open(frame, how));
    }

    fn steps(&mut self, steps: u64) {
        // A step more would end beyond the year 580,000.
        let steps = steps.min(u64::MAX - self.group.steps);
        self.group.steps += steps;
        self.group.since += steps;
    }

    fn close(&mut self, how: Closed) {
        self.waits(Waiting::Close(how));
    }

    fn note(&mut self, text: &str) {
        self.begin();
        let (packet, event) = self.instant(NOTE);
        self.event(packet, event.text(EVENT_NAME_TEXT, &visible(text)), None);
    }

    fn thread_ends(&mut self) {
        self.flush(None);
    }

    fn finish(&mut self) -> io::Result<Option<String>> {
        self.out.finish()?;
        Ok(self.limit.said())
    }
}
