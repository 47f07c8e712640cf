//! Files stop showing calls at a number of bytes, and at a number of frames.

use std::io::{self, Write};

/// Bytes after which a trace shows no more calls, only top-level callbacks: viewers that hold all
/// slices in memory become slow there.
pub const CALLS_LIMIT: u64 = 100_000_000;

/// Writes, counts bytes and keeps the first error.
#[derive(Debug)]
pub(super) struct Counted<W> {
    out: W,
    bytes: u64,
    error: Option<io::Error>,
}

impl<W: Write> Counted<W> {
    pub fn new(out: W) -> Self {
        Counted { out, bytes: 0, error: None }
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

/// Which frames a file shows: those that are not too deep, until it is full; from then on only the
/// outermost ones.
#[derive(Debug)]
pub(super) struct Limit {
    bytes: u64,
    depth: usize,
    shown: usize,
    hidden: usize,
    full: bool,
    /// Frames that were left out because the file is full.
    pub left_out: u64,
    /// Frames that were left out because they are too deep.
    deeper: u64,
}

impl Limit {
    /// A limit of bytes.
    pub fn new(bytes: u64) -> Self {
        Limit::with_depth(bytes, usize::MAX)
    }

    /// A limit of bytes, and of frames in each other.
    pub fn with_depth(bytes: u64, depth: usize) -> Self {
        Limit { bytes, depth, shown: 0, hidden: 0, full: false, left_out: 0, deeper: 0 }
    }

    /// Whether the frame that begins is shown.
    pub fn opens<W>(&mut self, out: &Counted<W>) -> bool {
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

    /// Whether the frame that ends was shown. Hidden frames are the innermost ones.
    pub fn closes(&mut self) -> bool {
        let shown = self.hidden == 0;
        *if shown { &mut self.shown } else { &mut self.hidden } -= 1;
        shown
    }

    /// Whether no frame is shown any more inside of another one, as soon as the file has so many
    /// bytes more.
    pub fn is_reached<W>(&self, out: &Counted<W>, more: u64) -> bool {
        self.full || out.bytes.saturating_add(more) >= self.bytes
    }

    /// What the file does not show.
    pub fn said(&self) -> Option<String> {
        let full = (self.left_out > 0).then(|| {
            format!(
                "beyond {} MB it shows only top-level callbacks: {} calls are left out",
                self.bytes / 1_000_000,
                self.left_out
            )
        });
        let deep = (self.deeper > 0).then(|| {
            format!(
                "it shows {} frames of a stack, the outermost: {} calls are left out, and their \
                 steps counted in the last frame",
                self.depth, self.deeper
            )
        });
        let parts: Vec<String> = deep.into_iter().chain(full).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
