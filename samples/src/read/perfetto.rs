//! Perfetto traces: samples of stacks (`perfetto/protos/perfetto/trace`). Numbers of names, frames
//! and stacks hold for one sequence of packets, until its state is cleared.

use hashbrown::{HashMap, HashSet};

use super::protobuf::Fields;
use super::{CallId, NO_CALL, Name, ReadError, Samples, StackSample, split_name};

/// First byte: field 1 of a trace, a packet.
pub(super) const PACKET: u8 = 0x0A;
/// The sequence's state was cleared before this packet.
const CLEARED: u64 = 1;

/// Number of characters of a process's name that identify its threads.
const LONGEST: usize = 64;
/// `StackSample.Unit`: what was allocated was counted, not what ran.
const BYTES: u64 = 4;

/// Values of interned numbers, in one sequence.
#[derive(Default)]
struct Interned {
    /// Names of functions.
    texts: HashMap<u64, String>,
    /// Parts of paths, and of each mapped file the last part of its path.
    parts: HashMap<u64, String>,
    files: HashMap<u64, u64>,
    /// Frames: names in [`Samples`].
    frames: HashMap<u64, u32>,
    stacks: HashMap<u64, CallId>,
    tasks: HashMap<u64, TraceThread>,
    /// Units of counters, `StackSample.Unit`.
    units: HashMap<u64, u64>,
    /// Unit of samples that name no counter.
    unit: u64,
}

/// A thread and its process; 0: unknown.
#[derive(Debug, Clone, Copy, Default)]
struct TraceThread {
    process: u32,
    thread: u32,
}

#[derive(Default)]
struct PerfettoReader {
    samples: Samples,
    sequences: HashMap<u64, Interned>,
    /// Names of processes.
    processes: HashMap<u32, String>,
    /// Processes of threads.
    owners: HashMap<u32, u32>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Samples, ReadError> {
    let mut reader = PerfettoReader::default();
    let mut trace = Fields::new(bytes);
    for (field, packet) in trace.by_ref() {
        if field == 1 {
            reader.packet(packet.bytes());
        }
    }
    let PerfettoReader { mut samples, sequences, processes, owners } = reader;
    samples.cut = trace.broken;
    if samples.cut && samples.seen.is_empty() && sequences.is_empty() {
        return Err(ReadError::Unknown);
    }
    // A thread without a name has that of its process, which at least the app's processes have.
    let seen: HashSet<u32> = samples.seen.iter().map(|s| s.thread).collect();
    for thread in seen {
        let Some(process) = owners.get(&thread) else { continue };
        let Some(name) = processes.get(process).filter(|_| !samples.threads.contains_key(&thread))
        else {
            continue;
        };
        let name: String = name.chars().take(LONGEST).collect();
        let name = if thread == *process { name } else { format!("{name}, thread {thread}") };
        samples.threads.insert(thread, name);
    }
    Ok(samples)
}

impl PerfettoReader {
    fn packet(&mut self, packet: &[u8]) {
        let (mut ns, mut sequence, mut cleared) = (0, 0, false);
        let (mut interned, mut defaults, mut sample) = (None, None, None);
        for (field, value) in Fields::new(packet) {
            match field {
                2 => self.process_tree(value.bytes()),
                8 => ns = value.number(),
                10 => sequence = value.number(),
                12 => interned = Some(value.bytes()),
                13 => cleared |= value.number() & CLEARED != 0,
                // Older writers used this field before there were flags; some still do.
                41 => cleared |= value.number() != 0,
                59 => defaults = Some(value.bytes()),
                60 => self.track(value.bytes()),
                66 | 135 => sample = Some((field, value.bytes())),
                _ => {}
            }
        }
        if interned.is_none() && defaults.is_none() && sample.is_none() && !cleared {
            return;
        }
        let state = self.sequences.entry(sequence).or_default();
        if cleared {
            *state = Interned::default();
        }
        if let Some(interned) = interned {
            state.read(&mut self.samples, interned);
        }
        if let Some(defaults) = defaults {
            state.defaults(defaults);
        }
        let seen = match sample {
            Some((66, sample)) => state.perf_sample(&mut self.samples, sample),
            Some((_, sample)) => state.stack_sample(&mut self.samples, sample),
            None => None,
        };
        if let Some((task, call)) = seen {
            if task.process != 0 {
                self.owners.insert(task.thread, task.process);
            }
            self.samples.seen.push(StackSample { ns, thread: task.thread, call, times: 1 });
        }
    }

    /// `ProcessTree`: names of processes and threads.
    fn process_tree(&mut self, tree: &[u8]) {
        for (field, entry) in Fields::new(tree) {
            let (mut id, mut name, mut owner) = (0, String::new(), 0);
            for (field_of, value) in Fields::new(entry.bytes()) {
                match (field, field_of) {
                    (1 | 2, 1) => id = value.number() as u32,
                    // The first part of a command line is the process's name.
                    (1, 3) if name.is_empty() => name = value.text(),
                    (2, 2) => name = value.text(),
                    (2, 3) => owner = value.number() as u32,
                    _ => {}
                }
            }
            if owner != 0 {
                self.owners.insert(id, owner);
            }
            self.named(field == 2, id, name);
        }
    }

    /// `TrackDescriptor`: the name of a process or of a thread.
    fn track(&mut self, track: &[u8]) {
        for (field, entry) in Fields::new(track) {
            let (mut id, mut name) = (0, String::new());
            for (field_of, value) in Fields::new(entry.bytes()) {
                match (field, field_of) {
                    (3, 1) | (4, 2) => id = value.number() as u32,
                    (3, 6) | (4, 5) => name = value.text(),
                    _ => {}
                }
            }
            self.named(field == 4, id, name);
        }
    }

    fn named(&mut self, thread: bool, id: u32, name: String) {
        if !name.is_empty() {
            let names = if thread { &mut self.samples.threads } else { &mut self.processes };
            names.insert(id, name);
        }
    }
}

impl TraceThread {
    /// `StackSample.TaskContext`, and its number.
    fn read(task: &[u8]) -> (u64, TraceThread) {
        let (mut id, mut read) = (0, TraceThread::default());
        for (field, value) in Fields::new(task) {
            match field {
                1 => id = value.number(),
                2 => read.process = value.number() as u32,
                3 => read.thread = value.number() as u32,
                _ => {}
            }
        }
        (id, read)
    }
}

/// `StackSample.CounterDescriptor`: its number and its unit.
fn counter(counter: &[u8]) -> (u64, u64) {
    let (mut id, mut unit) = (0, 0);
    for (field, value) in Fields::new(counter) {
        match field {
            1 => id = value.number(),
            3 => unit = value.number(),
            _ => {}
        }
    }
    (id, unit)
}

impl Interned {
    fn read(&mut self, samples: &mut Samples, data: &[u8]) {
        // Tables may come in any order.
        for (field, text) in Fields::new(data).filter(|f| matches!(f.0, 5 | 17)) {
            let (mut id, mut name) = (0, String::new());
            for (field, value) in Fields::new(text.bytes()) {
                match field {
                    1 => id = value.number(),
                    2 => name = value.text(),
                    _ => {}
                }
            }
            if field == 5 { &mut self.texts } else { &mut self.parts }.insert(id, name);
        }
        for (_, file) in Fields::new(data).filter(|f| f.0 == 19) {
            let (mut id, mut part) = (0, 0);
            for (field, value) in Fields::new(file.bytes()) {
                match field {
                    1 => id = value.number(),
                    7 => value.each(|last| part = last),
                    _ => {}
                }
            }
            self.files.insert(id, part);
        }
        for (_, frame) in Fields::new(data).filter(|f| f.0 == 6) {
            let (mut id, mut text, mut file, mut line) = (0, 0, 0, 0);
            for (field, value) in Fields::new(frame.bytes()) {
                match field {
                    1 => id = value.number(),
                    2 => text = value.number(),
                    3 => file = value.number(),
                    6 => line = value.number(),
                    _ => {}
                }
            }
            let name = samples.name(self.frame(text, file, line));
            self.frames.insert(id, name);
        }
        for (_, stack) in Fields::new(data).filter(|f| f.0 == 7) {
            let (id, call) = self.stack(samples, stack.bytes());
            self.stacks.insert(id, call);
        }
        for (field, entry) in Fields::new(data) {
            match field {
                2000 => self.tasks.extend([TraceThread::read(entry.bytes())]),
                2002 => self.units.extend([counter(entry.bytes())]),
                _ => {}
            }
        }
    }

    /// Returns the name of a frame. A frame without a name, as of native code without symbols, is
    /// named by its file.
    fn frame(&self, text: u64, file: u64, line: u64) -> Name {
        let line = u32::try_from(line).ok().filter(|l| *l > 0);
        let text = self.texts.get(&text).map_or("", String::as_str);
        if let Some((class, method)) = split_name(text) {
            let (class, method) = (class.into(), method.into());
            return Name { class, method, line, ..Name::default() };
        }
        let file =
            self.files.get(&file).and_then(|part| self.parts.get(part)).filter(|f| !f.is_empty());
        let method = match file {
            Some(file) if text.is_empty() && file.starts_with('[') => file.clone(),
            Some(file) if text.is_empty() => format!("[{file}]"),
            _ => text.into(),
        };
        Name { method, ..Name::default() }
    }

    /// `TracePacketDefaults`: the event that its samples count, if they do not name one.
    fn defaults(&mut self, defaults: &[u8]) {
        for (_, samples) in Fields::new(defaults).filter(|f| f.0 == 100) {
            for (_, counted) in Fields::new(samples.bytes()).filter(|f| f.0 == 2) {
                self.unit = counter(counted.bytes()).1;
            }
        }
    }

    /// `PerfSample`, of `traced_perf`.
    fn perf_sample(&self, samples: &mut Samples, sample: &[u8]) -> Option<(TraceThread, CallId)> {
        let (mut task, mut stack, mut broken, mut skipped) =
            (TraceThread::default(), 0, false, false);
        for (field, value) in Fields::new(sample) {
            match field {
                2 => task.process = value.number() as u32,
                3 => task.thread = value.number() as u32,
                4 => stack = value.number(),
                16 => broken = value.number() != 0,
                17 => samples.lost = samples.lost.saturating_add(value.number()),
                18 => skipped = value.number() != 0,
                _ => {}
            }
        }
        if skipped {
            samples.lost += 1;
            return None;
        }
        let call = self.stacks.get(&stack).copied().unwrap_or(NO_CALL);
        samples.broken += u64::from(broken || call == NO_CALL);
        Some((task, call))
    }

    /// `StackSample`, which any profiler may write. Those of allocations are left out.
    fn stack_sample(&self, samples: &mut Samples, sample: &[u8]) -> Option<(TraceThread, CallId)> {
        let (mut task, mut call, mut broken) = (TraceThread::default(), NO_CALL, false);
        let mut unit = self.unit;
        for (field, value) in Fields::new(sample) {
            match field {
                1 => task = TraceThread::read(value.bytes()).1,
                2 => task = self.tasks.get(&value.number()).copied().unwrap_or_default(),
                5 => call = self.stack(samples, value.bytes()).1,
                6 => call = self.stacks.get(&value.number()).copied().unwrap_or(NO_CALL),
                7 | 8 => broken = true,
                9 => unit = counter(value.bytes()).1,
                10 => unit = self.units.get(&value.number()).copied().unwrap_or(0),
                _ => {}
            }
        }
        if unit == BYTES {
            return None;
        }
        samples.broken += u64::from(broken || call == NO_CALL);
        Some((task, call))
    }

    /// `Callstack`: its number, and the call it stands for.
    fn stack(&self, samples: &mut Samples, stack: &[u8]) -> (u64, CallId) {
        let (mut id, mut call) = (0, NO_CALL);
        for (field, value) in Fields::new(stack) {
            match field {
                1 => id = value.number(),
                2 => value.each(|frame| {
                    if let Some(&name) = self.frames.get(&frame) {
                        call = samples.call(call, name);
                    }
                }),
                _ => {}
            }
        }
        (id, call)
    }
}
