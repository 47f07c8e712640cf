//! Files of samplers: stacks with times.
//!
//! Every count is checked against the bytes that are left before anything is allocated, and stacks
//! are stored once, as a tree of calls: memory stays in proportion to the file.

mod art;
mod perfetto;
mod protobuf;
mod seen;
mod simpleperf;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;
use std::hash::BuildHasher;

pub use seen::AllSeen;

use hashbrown::{DefaultHashBuilder, HashMap, HashSet, HashTable};
use model::text::to_utf8;

/// Reasons why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// None of the formats.
    #[error(
        "not a file of samples: expected simpleperf's report-sample protobuf, a Perfetto trace, an \
         ART method trace, or text with stacks"
    )]
    Unknown,
    /// perf.data.
    #[error("perf.data: convert it with `simpleperf report-sample --protobuf -o FILE`")]
    PerfData,
    /// A version that is not known.
    #[error("{format} of version {version}, which this program does not know")]
    Version {
        /// The recognised format.
        format: &'static str,
        /// Its version.
        version: u32,
    },
    /// Something that cannot be.
    #[error("{format}, at byte {at}: {what}")]
    Damaged {
        /// Format of the file.
        format: &'static str,
        /// Offset of the error.
        at: usize,
        /// Description of the error.
        what: &'static str,
    },
}

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleFormat {
    /// `simpleperf report-sample --protobuf`.
    Simpleperf,
    /// A Perfetto trace.
    Perfetto,
    /// An ART method trace.
    Art,
    /// Stacks as text.
    Text,
}

/// A frame as a sampler names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Name {
    /// Class in the source's form (`pkg.Cls$Inner`); empty for native code.
    pub class: String,
    /// Method.
    pub method: String,
    /// Descriptor (`(I)V`), if the file has it.
    pub descriptor: Option<String>,
    /// Line, if the file has it.
    pub line: Option<u32>,
    /// Instruction, if the file has it.
    pub at: Option<CodeAddress>,
}

/// Position of a frame's next instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeAddress {
    /// In code units from the method's begin.
    Pc(u32),
    /// In bytes, in a file that holds DEX files.
    Dex {
        /// Position in [`Samples::files`].
        file: u32,
        /// Bytes.
        offset: u64,
    },
}

/// A call within its callers: a number, from 1; 0 is no frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub u32);

/// No frame.
pub const NO_CALL: CallId = CallId(0);

/// A frame, and the call it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct StackNode {
    caller: CallId,
    /// Position in [`Samples::names`].
    name: u32,
}

/// A stack that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackSample {
    /// Time in ns, on the sampler's clock.
    pub ns: u64,
    /// System's id of the thread.
    pub thread: u32,
    /// The stack.
    pub call: CallId,
    /// Samples in a row that saw it.
    pub times: u64,
}

/// Contents of a file.
#[derive(Debug, Default)]
pub struct Samples {
    /// Names of frames; each once.
    pub names: Vec<Name>,
    calls: Vec<StackNode>,
    /// In the order of the file.
    pub seen: AllSeen,
    /// Paths of files with interpreted code.
    pub files: Vec<String>,
    /// Names of threads.
    pub threads: HashMap<u32, String>,
    /// Samples that the sampler lost.
    pub lost: u64,
    /// Samples whose stack is broken off.
    pub broken: u64,
    /// The file ends in the middle of something.
    pub cut: bool,
    /// Positions in the two tables, found by what stands there.
    known_calls: HashTable<u32>,
    known_names: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Samples {
    /// Reads a file of any format.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read(bytes: &[u8]) -> Result<(SampleFormat, Samples), ReadError> {
        let bytes = &*to_utf8(bytes);
        let format = Samples::format(bytes)?;
        let mut samples = match format {
            SampleFormat::Simpleperf => simpleperf::read(bytes)?,
            SampleFormat::Perfetto => perfetto::read(bytes)?,
            SampleFormat::Art => art::read(bytes)?,
            SampleFormat::Text => text::read(bytes)?,
        };
        samples.known_calls = HashTable::new();
        samples.known_names = HashTable::new();
        Ok((format, samples))
    }

    /// The format of a file.
    ///
    /// # Errors
    /// None that is known.
    pub fn format(bytes: &[u8]) -> Result<SampleFormat, ReadError> {
        if bytes.starts_with(simpleperf::MAGIC) {
            Ok(SampleFormat::Simpleperf)
        } else if bytes.starts_with(b"PERFILE2") {
            Err(ReadError::PerfData)
        } else if bytes.starts_with(b"*version\n") || bytes.starts_with(art::MAGIC) {
            Ok(SampleFormat::Art)
        } else if text::is_text(bytes) {
            Ok(SampleFormat::Text)
        } else if bytes.first() == Some(&perfetto::PACKET) {
            Ok(SampleFormat::Perfetto)
        } else {
            Err(ReadError::Unknown)
        }
    }

    /// Turns a trace of calls into samples: the stack that was running at the end of each interval
    /// of `interval` ns. Events at one time are one sample, and a stack that did not change between
    /// samples left none. No event stands for more than a million samples.
    pub fn spread(&mut self, interval: u64) {
        // Of each that stays: what it saw last, and how often that counts.
        let mut calls: Vec<(CallId, u32)> = Vec::new();
        let mut last: HashMap<u32, (usize, u64)> = HashMap::new();
        for now in self.seen.iter() {
            if let Some(&(before, ns)) = last.get(&now.thread) {
                if ns == now.ns {
                    calls[before].0 = now.call;
                    continue;
                }
                let passed = now.ns.saturating_sub(ns);
                let times = (passed.saturating_add(interval / 2)) / interval.max(1);
                calls[before].1 = times.clamp(1, 1_000_000) as u32;
            }
            last.insert(now.thread, (calls.len(), now.ns));
            calls.push((now.call, u32::try_from(now.times).unwrap_or(u32::MAX)));
        }
        last.clear();
        let mut calls = calls.into_iter();
        let mut seen = AllSeen::default();
        for now in self.seen.iter() {
            let stays = last.insert(now.thread, (0, now.ns)).is_none_or(|(_, ns)| ns != now.ns);
            if let Some((call, times)) = stays.then(|| calls.next()).flatten() {
                seen.push(StackSample { call, times: times.into(), ..now });
            }
        }
        self.seen = seen;
    }

    /// Gives samples of a file without a clock times, `interval` ns from one to the next.
    pub fn date(&mut self, interval: u64) {
        let at = |s: StackSample| StackSample { ns: s.ns.saturating_mul(interval), ..s };
        self.seen = self.seen.iter().map(at).collect();
    }

    pub(crate) fn name(&mut self, name: Name) -> u32 {
        let Samples { names, known_names, hasher, .. } = self;
        let hash = |at: &u32| hasher.hash_one(&names[*at as usize]);
        let next = names.len() as u32;
        let known =
            known_names.entry(hasher.hash_one(&name), |at| names[*at as usize] == name, hash);
        let id = *known.or_insert(next).get();
        if id == next {
            names.push(name);
        }
        id
    }

    pub(crate) fn call(&mut self, caller: CallId, name: u32) -> CallId {
        let Samples { calls, known_calls, hasher, .. } = self;
        let call = StackNode { caller, name };
        let hash = |at: &u32| hasher.hash_one(calls[*at as usize]);
        let next = calls.len() as u32;
        let known =
            known_calls.entry(hasher.hash_one(call), |at| calls[*at as usize] == call, hash);
        let id = *known.or_insert(next).get();
        if id == next {
            calls.push(call);
        }
        CallId(id + 1)
    }

    fn caller(&self, call: CallId) -> CallId {
        self.get(call).map_or(NO_CALL, |c| c.caller)
    }

    fn get(&self, call: CallId) -> Option<&StackNode> {
        self.calls.get((call.0 as usize).checked_sub(1)?)
    }

    /// All calls, callers first: the caller, the call, and the position of its name.
    pub fn tree(&self) -> impl Iterator<Item = (CallId, CallId, u32)> + '_ {
        (1..).zip(&self.calls).map(|(id, c)| (c.caller, CallId(id), c.name))
    }

    /// Names that call names; each pair once.
    pub fn calls(&self) -> HashSet<(u32, u32)> {
        let pair = |c: &StackNode| Some((self.get(c.caller)?.name, c.name));
        self.calls.iter().filter_map(pair).collect()
    }

    /// The frames of a stack, innermost first: positions in [`Samples::names`].
    pub fn frames(&self, call: CallId) -> impl Iterator<Item = u32> + '_ {
        let mut at = call;
        std::iter::from_fn(move || {
            let call = self.get(at)?;
            at = call.caller;
            Some(call.name)
        })
    }
}

/// Returns the lines of a text, one by one: a long file is never copied as a whole.
fn lines(bytes: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    bytes.split_inclusive(|b| *b == b'\n').map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line))
    })
}

/// Class and method of a name in one: `pkg.Cls.method`, `void pkg.Cls.method(int)`.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let text = text.split('(').next().unwrap_or(text);
    let text = text.split(" [").next().unwrap_or(text).trim_end();
    let text = text.rsplit(' ').next().unwrap_or(text);
    let (class, method) = text.rsplit_once('.')?;
    let plain =
        |s: &str| !s.is_empty() && !s.contains(['/', ':', '`', '*', '&']) && !s.starts_with('.');
    // The linker numbers local functions: `read.17`.
    let numbered = method.starts_with(|c: char| c.is_ascii_digit());
    (plain(class) && plain(method) && !numbered).then_some((class, method))
}
