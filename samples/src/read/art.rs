//! ART's method traces, versions 1 to 3, as one file or streamed (`art/runtime/trace.cc`): begins
//! and ends of calls. Of a sampling trace these are the differences between samples.

use hashbrown::HashMap;

use super::{CallId, NO_CALL, Name, ReadError, Samples, StackSample, lines};

pub(super) const MAGIC: &[u8; 4] = b"SLOW";
const FORMAT: &str = "ART method trace";
/// In the version's number: the trace was streamed.
const STREAMED: u16 = 0xF0;

fn damaged(at: usize, what: &'static str) -> ReadError {
    ReadError::Damaged { format: FORMAT, at, what }
}

/// Reads numbers of a byte order.
struct Bytes<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Bytes<'b> {
    fn take(&mut self, n: usize) -> Option<&'b [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(n)?)?;
        self.at += n;
        Some(taken)
    }

    fn number(&mut self, n: usize) -> Option<u64> {
        Some(self.take(n)?.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b)))
    }
}

/// Layout of events.
struct EventLayout {
    /// Bytes of a thread's number.
    thread: usize,
    /// Bytes of an event.
    record: usize,
    streamed: bool,
}

pub(super) fn read(bytes: &[u8]) -> Result<Samples, ReadError> {
    let mut reader = ArtReader::default();
    let mut events = Bytes { bytes, at: 0 };
    if bytes.starts_with(b"*version\n") {
        let end = find(bytes, b"*end\n").ok_or(damaged(0, "its tables have no end"))?;
        reader.tables(&bytes[..end]);
        events.at = end + 5;
    }
    let layout = header(&mut events)?;
    reader.events(&mut events, &layout);
    // Names come with the events of a streamed trace; all tables follow at its end.
    reader.samples.cut |= layout.streamed && !reader.whole;
    Ok(reader.samples)
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(i) = bytes[from..].iter().position(|&b| b == what[0]) {
        let at = from + i;
        if bytes[at..].starts_with(what) && (at == 0 || bytes[at - 1] == b'\n') {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// Parses the header before the events.
fn header(events: &mut Bytes<'_>) -> Result<EventLayout, ReadError> {
    let begin = events.at;
    let cut = damaged(begin, "it has no events");
    if events.take(4) != Some(MAGIC) {
        return Err(damaged(begin, "its events do not begin with SLOW"));
    }
    let version = events.number(2).ok_or(cut.clone())? as u16;
    let streamed = version & STREAMED == STREAMED;
    let version = if streamed { version ^ STREAMED } else { version };
    let offset = events.number(2).ok_or(cut.clone())? as usize;
    events.number(8).ok_or(cut.clone())?;
    let (thread, record) = match version {
        1 => (1, 9),
        2 => (2, 10),
        3 => (2, events.number(2).ok_or(cut.clone())? as usize),
        _ => return Err(ReadError::Version { format: FORMAT, version: version.into() }),
    };
    if record < thread + 8 {
        return Err(damaged(begin + 16, "its events are too short"));
    }
    let at = begin.checked_add(offset).filter(|at| *at >= events.at && *at <= events.bytes.len());
    events.at = at.ok_or(cut)?;
    Ok(EventLayout { thread, record, streamed })
}

/// A thread's calls.
#[derive(Clone, Copy)]
struct Running {
    call: CallId,
    us: u64,
}

#[derive(Default)]
struct ArtReader {
    samples: Samples,
    methods: HashMap<u32, u32>,
    running: HashMap<u32, Running>,
    /// A streamed trace has come to its end.
    whole: bool,
}

impl ArtReader {
    /// The text tables.
    fn tables(&mut self, text: &[u8]) {
        let mut section = "";
        for line in lines(text) {
            let line = &*line;
            match line {
                "*version" | "*end" => section = "",
                "*threads" => section = "threads",
                "*methods" => section = "methods",
                _ if section == "threads" => {
                    if let Some((id, name)) = line.split_once('\t')
                        && let Ok(id) = id.parse()
                    {
                        self.samples.threads.insert(id, name.into());
                    }
                }
                _ if section == "methods" => self.method(line),
                _ => {}
            }
        }
    }

    /// `0xID class method descriptor file`, with tabs between.
    fn method(&mut self, line: &str) {
        let mut parts = line.trim_end().split('\t');
        // ART's "%#x" writes 0 without a prefix.
        let id = parts.next().map(|id| id.strip_prefix("0x").unwrap_or(id));
        let Some(id) = id.and_then(|id| u32::from_str_radix(id, 16).ok()) else { return };
        let mut part = || parts.next().unwrap_or_default().to_owned();
        let (class, method, descriptor) = (part(), part(), part());
        let name = Name {
            class: class.replace('/', "."),
            method,
            descriptor: Some(descriptor).filter(|d| !d.is_empty()),
            line: None,
            at: None,
        };
        let name = self.samples.name(name);
        self.methods.insert(id & !3, name);
    }

    fn events(&mut self, events: &mut Bytes<'_>, layout: &EventLayout) {
        while events.at < events.bytes.len() {
            if self.event(events, layout).is_none() {
                self.samples.cut = true;
                return;
            }
        }
    }

    fn event(&mut self, events: &mut Bytes<'_>, layout: &EventLayout) -> Option<()> {
        let thread = events.number(layout.thread)? as u32;
        if thread == 0 && layout.streamed {
            return self.table(events);
        }
        let method = events.number(4)? as u32;
        // The last clock of a record is the wall's.
        let rest = events.take(layout.record - layout.thread - 4)?;
        let clock = rest.get(rest.len() - 4..)?;
        let us = u32::from_le_bytes(clock.try_into().ok()?).into();
        let name = match self.methods.get(&(method & !3)) {
            Some(&name) => name,
            // One for all: a damaged trace has as many methods as events.
            None => self.samples.name(Name { method: "?".into(), ..Name::default() }),
        };
        let running = self.running.entry(thread).or_insert(Running { call: NO_CALL, us });
        running.us = us;
        let call = match method & 3 {
            0 => self.samples.call(running.call, name),
            _ => self.samples.caller(running.call),
        };
        running.call = call;
        self.samples.seen.push(StackSample { ns: us.saturating_mul(1000), thread, call, times: 1 });
        Some(())
    }

    /// Parses the records between events of a streamed trace.
    fn table(&mut self, events: &mut Bytes<'_>) -> Option<()> {
        match events.number(1)? {
            1 => {
                let length = events.number(2)? as usize;
                let line = String::from_utf8_lossy(events.take(length)?).into_owned();
                self.method(&line);
            }
            2 => {
                let thread = events.number(2)? as u32;
                let length = events.number(2)? as usize;
                let name = String::from_utf8_lossy(events.take(length)?).into_owned();
                self.samples.threads.insert(thread, name);
            }
            3 => {
                let length = events.number(4)? as usize;
                let tables = events.take(length)?;
                self.tables(tables);
                self.whole = true;
            }
            _ => return None,
        }
        Some(())
    }
}
