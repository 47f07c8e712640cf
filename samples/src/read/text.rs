//! Stacks as text: dumps of ART's threads (ANR files, `kill -3`) and what `getStackTrace` prints.

use super::{CodeAddress, NO_CALL, Name, ReadError, Samples, StackSample, lines};

/// A name longer than this is none.
const LONGEST: usize = 4096;

/// Returns true if bytes are text that has a frame in it.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1 << 16)];
    !head.contains(&0) && lines(head).any(|l| frame(&l).is_some())
}

/// A stack that is being read, innermost frame first.
#[derive(Default)]
struct OpenStack {
    thread: u32,
    frames: Vec<Name>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Samples, ReadError> {
    let mut samples = Samples::default();
    let mut open = OpenStack::default();
    let mut number = 0;
    for line in lines(bytes) {
        let line = &*line;
        if let Some(name) = frame(line) {
            open.frames.push(name);
        } else if let Some((id, name)) = thread(line) {
            close(&mut samples, &mut open, &mut number);
            samples.threads.insert(id, name);
            open.thread = id;
        } else if line.trim().is_empty() {
            close(&mut samples, &mut open, &mut number);
        }
    }
    close(&mut samples, &mut open, &mut number);
    Ok(samples)
}

fn close(samples: &mut Samples, open: &mut OpenStack, number: &mut u64) {
    if open.frames.is_empty() {
        return;
    }
    let mut call = NO_CALL;
    for name in std::mem::take(&mut open.frames).into_iter().rev() {
        let name = samples.name(name);
        call = samples.call(call, name);
    }
    // Text has no clock: the order alone.
    samples.seen.push(StackSample { ns: *number, thread: open.thread, call, times: 1 });
    *number += 1;
}

/// `"main" prio=5 tid=1 Runnable`
fn thread(line: &str) -> Option<(u32, String)> {
    let rest = line.strip_prefix('"')?;
    let (name, rest) = rest.rsplit_once('"')?;
    let id = rest.split_whitespace().find_map(|w| w.strip_prefix("tid="))?;
    Some((id.parse().ok()?, name.into()))
}

/// `  at pkg.Cls.method(File.java:12)`, with or without `at`.
fn frame(line: &str) -> Option<Name> {
    let line = line.trim();
    let text = line.strip_prefix("at ").unwrap_or(line);
    let (name, place) = text.strip_suffix(')')?.split_once('(')?;
    if name.len() > LONGEST || name.contains([' ', '"', '=']) {
        return None;
    }
    let (class, method) = name.rsplit_once('.')?;
    if class.is_empty() || method.is_empty() {
        return None;
    }
    let (source, number) = place.rsplit_once(':').unwrap_or_default();
    // Without line tables ART prints the instruction in place of the line.
    let (line, at) = match source {
        "Unknown Source" => (None, number.parse().ok().map(CodeAddress::Pc)),
        _ => (number.parse().ok(), None),
    };
    Some(Name { class: class.into(), method: method.into(), descriptor: None, line, at })
}
