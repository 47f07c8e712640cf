//! Speedscope's own format: an evented profile for each thread, in blocks.
//!
//! Source: `file-format-schema.json` of the npm package `speedscope` 1.25.0.

use std::io::{self, Write};

use decoder::log::{Process, ThreadLog};

use super::limit::{CALLS_LIMIT, CountingWriter, Limit};
use crate::base::escape::quoted;
use crate::frames::{Closed, Frame, FrameFile, FrameNames, FrameSink, Opened};

/// First characters of every such file.
pub const HEAD: &str = "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",";

/// Maximum depth of a stack. The viewer walks stacks by recursion: with some 4,000 frames its own
/// stack overflows and it opens nothing.
const DEPTH: usize = 1_000;

/// Writes profiles as threads come.
#[derive(Debug)]
pub struct Speedscope<'p, 'm, W> {
    names: FrameNames<'p, 'm>,
    out: CountingWriter<W>,
    limit: Limit,
    /// Index of each frame in the file's list of frames.
    index: Vec<Option<u32>>,
    frames: Vec<Frame>,
    /// Shown frames that are open.
    stack: Vec<u32>,
    /// Name of the thread, until it has an event.
    name: Option<String>,
    profiles: u64,
    /// Number of blocks of the thread so far.
    at: u64,
    first: bool,
}

/// Returns a number as text.
fn decimal(mut n: u64, digits: &mut [u8; 20]) -> &[u8] {
    let mut from = digits.len();
    loop {
        from -= 1;
        digits[from] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            return &digits[from..];
        }
    }
}

impl<'p, 'm, W: Write> Speedscope<'p, 'm, W> {
    /// Creates a sink that writes to `out` as events come.
    pub fn new(names: FrameNames<'p, 'm>, out: W) -> Self {
        Self::with_limit(names, out, CALLS_LIMIT)
    }

    pub(super) fn with_limit(names: FrameNames<'p, 'm>, out: W, bytes: u64) -> Self {
        let mut out = CountingWriter::new(out);
        out.put(format!("{HEAD}\"exporter\":\"pathlight\",\"profiles\":[").as_bytes());
        Speedscope {
            names,
            out,
            limit: Limit::with_depth(bytes, DEPTH),
            index: vec![None; names.len()],
            frames: Vec::new(),
            stack: Vec::new(),
            name: None,
            profiles: 0,
            at: 0,
            first: true,
        }
    }

    fn index(&mut self, frame: Frame) -> u32 {
        let next = self.frames.len() as u32;
        *self.index[frame.0 as usize].get_or_insert_with(|| {
            self.frames.push(frame);
            next
        })
    }

    fn event(&mut self, kind: &[u8], frame: u32) {
        let comma = if std::mem::take(&mut self.first) { "" } else { "," };
        let (mut text, mut digits) = ([0; 96], [0; 20]);
        let (number, at) = (frame.into(), self.at);
        let mut len = 0;
        let mut put = |bytes: &[u8]| {
            text[len..len + bytes.len()].copy_from_slice(bytes);
            len += bytes.len();
        };
        put(comma.as_bytes());
        put(b"{\"type\":\"");
        put(kind);
        put(b"\",\"frame\":");
        put(decimal(number, &mut digits));
        put(b",\"at\":");
        put(decimal(at, &mut digits));
        put(b"}");
        self.out.put(&text[..len]);
    }
}

impl<W: Write> FrameSink for Speedscope<'_, '_, W> {
    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        let name = thread.name.as_deref().unwrap_or("?");
        let text =
            format!("{name} (thread {}), {} (pid {})", thread.number, process.name, process.pid);
        self.name = Some(quoted(&text));
        self.at = 0;
    }

    fn open(&mut self, frame: Frame, _how: Opened) {
        if let Some(name) = self.name.take() {
            let comma = if self.profiles == 0 { "\n" } else { ",\n" };
            let head = "\"type\":\"evented\",\"unit\":\"none\",\"startValue\":0,\"events\":[";
            self.out.put(format!("{comma}{{\"name\":{name},{head}").as_bytes());
            self.profiles += 1;
            self.first = true;
        }
        if self.limit.opens(&self.out) {
            let index = self.index(frame);
            self.event(b"O", index);
            self.stack.push(index);
        }
    }

    fn steps(&mut self, steps: u64) {
        self.at = self.at.saturating_add(steps);
    }

    fn close(&mut self, _how: Closed) {
        if self.limit.closes()
            && let Some(index) = self.stack.pop()
        {
            self.event(b"C", index);
        }
    }

    fn thread_ends(&mut self) {
        // The name is still there where the thread had no event; there is none before the first.
        if self.profiles > 0 && self.name.take().is_none() && !self.first {
            let end = format!("],\"endValue\":{}}}", self.at);
            self.out.put(end.as_bytes());
            self.first = true;
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.put(b"\n],\"shared\":{\"frames\":[");
        for (i, &frame) in self.frames.iter().enumerate() {
            let comma = if i == 0 { "\n" } else { ",\n" };
            let file = self.names.file(frame).map(|f| format!(",\"file\":{}", quoted(f)));
            let name = quoted(&self.names.name(frame));
            let text = format!("{comma}{{\"name\":{name}{}}}", file.unwrap_or_default());
            self.out.put(text.as_bytes());
        }
        self.out.put(b"\n]}}\n");
        self.out.finish()
    }
}

impl<W: Write> FrameFile for Speedscope<'_, '_, W> {
    fn remark(&self) -> Option<String> {
        self.limit.remark()
    }
}
