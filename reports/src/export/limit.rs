//! Limits of files in bytes and frames, beyond which they show no calls.

use model::nouns::there_are;
use std::io::{self, Write};

/// Size in bytes at which a trace stops showing calls other than top-level callbacks: viewers that
/// hold all slices in memory become slow there.
pub const CALLS_LIMIT: u64 = 100_000_000;

/// A writer that counts bytes and keeps the first error.
#[derive(Debug)]
pub(super) struct CountingWriter<W> {
    out: W,
    bytes: u64,
    error: Option<io::Error>,
}

impl<W: Write> CountingWriter<W> {
    pub fn new(out: W) -> Self {
        CountingWriter { out, bytes: 0, error: None }
    }

    pub fn put(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.bytes += bytes.len() as u64;
            self.error = self.out.write_all(bytes).err();
        }
    }

    pub fn fail(&mut self, error: io::Error) {
        self.error.get_or_insert(error);
    }

    pub fn finish(&mut self) -> io::Result<()> {
        match self.error.take() {
            Some(e) => Err(e),
            None => self.out.flush(),
        }
    }
}

/// Selects the frames that a file shows: frames up to a depth, and after the file is full only the
/// outermost ones.
#[derive(Debug)]
pub(super) struct Limit {
    bytes: u64,
    depth: usize,
    shown: usize,
    hidden: usize,
    full: bool,
    /// Number of frames left out because the file is full.
    pub left_out: u64,
    /// Number of frames left out because they are too deep.
    deeper: u64,
}

impl Limit {
    /// Creates a limit of bytes.
    pub fn new(bytes: u64) -> Self {
        Limit::with_depth(bytes, usize::MAX)
    }

    /// Creates a limit of bytes and of nested frames.
    pub fn with_depth(bytes: u64, depth: usize) -> Self {
        Limit { bytes, depth, shown: 0, hidden: 0, full: false, left_out: 0, deeper: 0 }
    }

    /// Begins a frame. Returns true if it is shown.
    pub fn opens<W>(&mut self, out: &CountingWriter<W>) -> bool {
        self.full |= out.bytes >= self.bytes;
        let shows = self.shown == 0 || !self.full && self.shown < self.depth;
        if shows {
            self.shown += 1;
        } else {
            self.hidden += 1;
            *if self.full { &mut self.left_out } else { &mut self.deeper } += 1;
        }
        shows
    }

    /// Ends a frame. Returns true if it was shown. Hidden frames are the innermost ones.
    pub fn closes(&mut self) -> bool {
        let shown = self.hidden == 0;
        *if shown { &mut self.shown } else { &mut self.hidden } -= 1;
        shown
    }

    /// Returns true if nested frames are hidden once the file has `more` bytes more.
    pub fn is_reached<W>(&self, out: &CountingWriter<W>, more: u64) -> bool {
        self.full || out.bytes.saturating_add(more) >= self.bytes
    }

    /// Returns a remark on what the file does not show.
    pub fn remark(&self) -> Option<String> {
        let full = (self.left_out > 0).then(|| {
            format!(
                "beyond {} MB it shows only top-level callbacks: {} left out",
                self.bytes / 1_000_000,
                there_are(self.left_out, "call")
            )
        });
        let deep = (self.deeper > 0).then(|| {
            format!(
                "it shows {} frames of a stack, the outermost: {} left out, with blocks counted \
                 in the last frame",
                self.depth,
                there_are(self.deeper, "call")
            )
        });
        let parts: Vec<String> = deep.into_iter().chain(full).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
