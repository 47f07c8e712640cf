//! Perfetto traces: samples of stacks (`perfetto/protos/perfetto/trace`). Numbers of names, frames
//! and stacks hold for one sequence of packets, until its state is cleared.

use hashbrown::HashMap;

use super::protobuf::Fields;
use super::{CallId, NO_CALL, Name, ReadError, Samples, Seen, split_name};

/// First byte: field 1 of a trace, a packet.
pub(super) const PACKET: u8 = 0x0A;
/// The sequence's state was cleared before this packet.
const CLEARED: u64 = 1;

/// What numbers stand for, in one sequence.
#[derive(Default)]
struct Interned {
    /// Names of functions.
    texts: HashMap<u64, String>,
    /// Frames: names in [`Samples`].
    frames: HashMap<u64, u32>,
    stacks: HashMap<u64, CallId>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Samples, ReadError> {
    let mut samples = Samples::default();
    let mut sequences: HashMap<u64, Interned> = HashMap::new();
    let mut trace = Fields::new(bytes);
    for (field, packet) in trace.by_ref() {
        if field == 1 {
            read_packet(&mut samples, &mut sequences, packet.bytes());
        }
    }
    samples.cut = trace.broken;
    if samples.cut && samples.seen.is_empty() && sequences.is_empty() {
        return Err(ReadError::Unknown);
    }
    Ok(samples)
}

fn read_packet(samples: &mut Samples, sequences: &mut HashMap<u64, Interned>, packet: &[u8]) {
    let (mut ns, mut sequence, mut flags) = (0, 0, 0);
    let (mut interned, mut sample, mut tree) = (None, None, None);
    for (field, value) in Fields::new(packet) {
        match field {
            2 => tree = Some(value.bytes()),
            8 => ns = value.number(),
            10 => sequence = value.number(),
            12 => interned = Some(value.bytes()),
            13 => flags = value.number(),
            66 => sample = Some(value.bytes()),
            _ => {}
        }
    }
    if let Some(tree) = tree {
        for (_, thread) in Fields::new(tree).filter(|f| f.0 == 2) {
            let (mut id, mut name) = (0, String::new());
            for (field, value) in Fields::new(thread.bytes()) {
                match field {
                    1 => id = value.number() as u32,
                    2 => name = value.text(),
                    _ => {}
                }
            }
            if !name.is_empty() {
                samples.threads.insert(id, name);
            }
        }
    }
    if interned.is_none() && sample.is_none() && flags & CLEARED == 0 {
        return;
    }
    let state = sequences.entry(sequence).or_default();
    if flags & CLEARED != 0 {
        *state = Interned::default();
    }
    if let Some(interned) = interned {
        state.read(samples, interned);
    }
    let Some(sample) = sample else { return };
    let (mut thread, mut stack, mut broken, mut skipped) = (0, 0, false, false);
    for (field, value) in Fields::new(sample) {
        match field {
            3 => thread = value.number() as u32,
            4 => stack = value.number(),
            16 => broken = value.number() != 0,
            17 => samples.lost = samples.lost.saturating_add(value.number()),
            18 => skipped = value.number() != 0,
            _ => {}
        }
    }
    if skipped {
        samples.lost += 1;
        return;
    }
    let call = state.stacks.get(&stack).copied().unwrap_or(NO_CALL);
    samples.broken += u64::from(broken || call == NO_CALL);
    samples.seen.push(Seen { ns, thread, call, times: 1 });
}

impl Interned {
    fn read(&mut self, samples: &mut Samples, data: &[u8]) {
        // Tables may come in any order.
        for (_, text) in Fields::new(data).filter(|f| f.0 == 5) {
            let (mut id, mut name) = (0, String::new());
            for (field, value) in Fields::new(text.bytes()) {
                match field {
                    1 => id = value.number(),
                    2 => name = value.text(),
                    _ => {}
                }
            }
            self.texts.insert(id, name);
        }
        for (_, frame) in Fields::new(data).filter(|f| f.0 == 6) {
            let (mut id, mut text, mut line) = (0, 0, 0);
            for (field, value) in Fields::new(frame.bytes()) {
                match field {
                    1 => id = value.number(),
                    2 => text = value.number(),
                    6 => line = value.number(),
                    _ => {}
                }
            }
            let text = self.texts.get(&text).map_or("", String::as_str);
            let line = u32::try_from(line).ok().filter(|l| *l > 0);
            let name = match split_name(text) {
                Some((class, method)) => {
                    let (class, method) = (class.into(), method.into());
                    Name { class, method, line, ..Name::default() }
                }
                None => Name { method: text.into(), ..Name::default() },
            };
            let name = samples.name(name);
            self.frames.insert(id, name);
        }
        for (_, stack) in Fields::new(data).filter(|f| f.0 == 7) {
            let mut id = 0;
            let mut call = NO_CALL;
            for (field, value) in Fields::new(stack.bytes()) {
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
            self.stacks.insert(id, call);
        }
    }
}
