//! Checks of a file that a device sent, before it takes its name.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use model::counts::{CountFile, CountsError};
use model::exit_note::ExitNote;
use model::hits::{HitFile, HitsError};
use model::start_table::StartTable;
use model::trace::{Identity, MAX_FILE_HEADER, TraceFile};

/// Bytes of a trace file that are read at a time: more than a slab has.
const PIECE: u64 = 1 << 20;

/// The files that builds write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PulledKind {
    Trace,
    Counts,
    Hits,
    Table,
    Exit,
}

/// Measures of a file by which two copies of it are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Content {
    /// The process that wrote it; `None` if no process has begun to, or for a start table.
    writer: Option<Identity>,
    /// Slabs, pages or counts that are damaged.
    pub damaged: u64,
    /// Slabs that were begun; of other files, their parts.
    begun: u64,
    /// Bytes, or counts, that were written to them.
    written: u64,
}

/// The copy that came, beside the one that is in the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beside {
    /// It has all that the other one has.
    Better,
    /// It is damaged, or more than the other one.
    Damaged,
    /// It has less.
    Shorter,
    /// Another process wrote it.
    Other,
}

impl PulledKind {
    /// The kind of a file of this name.
    pub(crate) fn of(name: &str) -> Option<PulledKind> {
        Some(match name.rsplit_once('.')?.1 {
            "plt" => PulledKind::Trace,
            "plc" => PulledKind::Counts,
            "plh" => PulledKind::Hits,
            "plk" => PulledKind::Table,
            "plx" => PulledKind::Exit,
            _ => return None,
        })
    }

    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            PulledKind::Trace => "trace file",
            PulledKind::Counts => "count file",
            PulledKind::Hits => "hit file",
            PulledKind::Table => "start table",
            PulledKind::Exit => "note of an exit",
        }
    }

    /// Reads a file. The inner error is the reason why it is not of this kind.
    pub(crate) fn content(self, file: &mut File) -> io::Result<Result<Content, String>> {
        if self == PulledKind::Trace {
            return trace(file);
        }
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.read_to_end(&mut bytes)?;
        Ok(match self {
            PulledKind::Trace | PulledKind::Counts => counts(&bytes),
            PulledKind::Hits => hits(&bytes),
            PulledKind::Table => StartTable::parse(&bytes)
                .map(|_| Content { begun: 1, ..Content::default() })
                .map_err(|e| e.to_string()),
            // One that its writer had no time to fill is not begun, as a log is.
            PulledKind::Exit if bytes.is_empty() => Ok(Content::default()),
            PulledKind::Exit => ExitNote::parse(&bytes)
                .map(|_| Content { begun: 1, ..Content::default() })
                .map_err(|e| e.to_string()),
        })
    }
}

impl Content {
    /// Compares this copy, which came, with one that is there.
    pub(crate) fn beside(&self, there: &Content) -> Beside {
        let amount = |content: &Content| (content.begun, content.written);
        match there.writer {
            None if self.damaged <= there.damaged => Beside::Better,
            Some(_) if self.writer.is_some() && self.writer != there.writer => Beside::Other,
            _ if self.damaged > there.damaged => Beside::Damaged,
            _ if amount(self) < amount(there) => Beside::Shorter,
            _ => Beside::Better,
        }
    }
}

/// A file of zeros, or of nothing: its process ended before it began.
fn is_not_begun(file: &mut File) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut piece = [0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(true),
            n if piece[..n].iter().any(|b| *b != 0) => return Ok(false),
            _ => {}
        }
    }
}

fn trace(file: &mut File) -> io::Result<Result<Content, String>> {
    let length = file.seek(SeekFrom::End(0))?;
    let at = |file: &mut File, from: u64, most: u64| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        file.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let head = at(file, 0, MAX_FILE_HEADER as u64)?;
    let (writer, mut finder) = match TraceFile::parse(&head) {
        Ok(trace) => (trace.header.identity.clone(), trace.finder()),
        Err(_) if is_not_begun(file)? => return Ok(Ok(Content::default())),
        Err(e) => return Ok(Err(e.to_string())),
    };
    let mut content = Content { writer: Some(writer), ..Content::default() };
    loop {
        let from = finder.at();
        let bytes = at(file, from as u64, PIECE)?;
        let last = from as u64 + bytes.len() as u64 >= length;
        while let Some(slab) = finder.next_in(&bytes, from, last) {
            match slab {
                Ok(slab) => {
                    // In a ring, newer slabs take the place of older ones.
                    content.begun = content.begun.max(u64::from(slab.header.order) + 1);
                    content.written += slab.payload.len() as u64;
                }
                Err(_) => content.damaged += 1,
            }
        }
        if last {
            return Ok(Ok(content));
        }
    }
}

fn counts(bytes: &[u8]) -> Result<Content, String> {
    match CountFile::parse(bytes) {
        Ok(file) => Ok(Content {
            writer: Some(file.identity),
            damaged: file.damage.len() as u64,
            begun: file.pages.len() as u64,
            written: sum(file.pages.values().flatten()),
        }),
        Err(CountsError::NotBegun) => Ok(Content::default()),
        Err(e) => Err(e.to_string()),
    }
}

fn hits(bytes: &[u8]) -> Result<Content, String> {
    match HitFile::parse(bytes) {
        Ok(file) => Ok(Content {
            damaged: file.damage.len() as u64,
            begun: file.threads.len() as u64,
            written: sum(file.threads.iter().flat_map(|thread| &thread.counts)),
            writer: Some(file.identity),
        }),
        Err(HitsError::NotBegun) => Ok(Content::default()),
        Err(e) => Err(e.to_string()),
    }
}

fn sum<'n>(counts: impl Iterator<Item = &'n u64>) -> u64 {
    counts.fold(0, |sum, n| sum.saturating_add(*n))
}
