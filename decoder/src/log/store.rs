//! Storage of payloads until their process is read: the files that they came in, or one temporary
//! file.
//!
//! Files are opened again when they are needed, so that a thousand inputs are not a thousand open
//! descriptors. Data that is read again is compared with its digest: other bytes than before are an
//! error, never another path.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use model::start_table::TableId;
use sha2::{Digest, Sha256};
use tempfile::SpooledTempFile;

/// Bytes of the temporary file that are held in memory before there is a file.
const HELD: usize = 16 << 20;
/// Files that are open at a time.
const OPEN: usize = 8;
/// Bytes that are read at a time.
const CHUNK: usize = 1 << 20;

/// Reasons why inputs cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The system refused.
    #[error("{input}: {error}")]
    Read {
        /// The input's name.
        input: String,
        /// The system's error.
        error: io::Error,
    },
    /// An input no longer holds what it held when it was added.
    #[error("{input}, byte {at}: the file was changed while it was being read")]
    Changed {
        /// The input's name.
        input: String,
        /// Offset in the file.
        at: u64,
    },
    /// The table that the process began with is not there, or is another one.
    #[error("it began with the start table {id}, {why}; give pathlight-*-table-{id}.plk, too")]
    Table {
        /// The table that the log names.
        id: TableId,
        /// Description of the error.
        why: String,
    },
    /// The contents of an index are not valid.
    #[error("the index of the log is damaged: {what}")]
    Index {
        /// The invalid contents.
        what: &'static str,
    },
    /// The temporary file cannot be made, written or read.
    #[error("temporary file for logs (in {}): {error}", std::env::temp_dir().display())]
    Temporary {
        /// The system's error.
        error: io::Error,
    },
}

impl From<InputError> for io::Error {
    fn from(error: InputError) -> Self {
        io::Error::other(error)
    }
}

fn temporary(error: io::Error) -> InputError {
    InputError::Temporary { error }
}

/// A file or the temporary file, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StoreId(pub(super) u32);

impl StoreId {
    /// The temporary file.
    pub(super) const TEMPORARY: Self = Self(0);
}

/// A payload that stays where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    pub(super) store: StoreId,
    /// Offset in that file.
    pub(super) at: u64,
    pub(super) len: u32,
    pub(super) digest: [u8; 16],
}

impl Stored {
    /// A payload that stands at `at` of a store.
    pub(super) fn new((store, at): (StoreId, u64), payload: &[u8]) -> Self {
        Self { store, at, len: payload.len() as u32, digest: digest(payload) }
    }

    /// Returns true if the bytes are the same.
    pub(super) fn equals(&self, other: &Self) -> bool {
        self.len == other.len && self.digest == other.digest
    }
}

fn digest(bytes: &[u8]) -> [u8; 16] {
    let mut out = [0; 16];
    out.copy_from_slice(&Sha256::digest(bytes)[..16]);
    out
}

/// All places where payloads are.
#[derive(Debug)]
pub(super) struct Stores {
    temporary: SpooledTempFile,
    /// The length of the temporary file.
    end: u64,
    /// Names for messages, and paths.
    files: Vec<(String, PathBuf)>,
    /// Open files, the one that was used last at the end.
    open: Vec<(StoreId, File)>,
}

impl Stores {
    pub(super) fn new() -> Self {
        Self { temporary: SpooledTempFile::new(HELD), end: 0, files: vec![], open: vec![] }
    }

    /// Stores of files that are opened when they are needed.
    pub(super) fn of(files: Vec<String>) -> Self {
        let files = files.into_iter().map(|name| (name.clone(), PathBuf::from(name))).collect();
        Self { files, ..Self::new() }
    }

    /// The files' names as they were given.
    pub(super) fn names(&self) -> Vec<String> {
        self.files.iter().map(|(_, path)| path.display().to_string()).collect()
    }

    /// The folder that an input lies in, if it is a file.
    pub(super) fn folder(&self, name: &str) -> Option<&Path> {
        let (_, path) = self.files.iter().find(|(n, _)| n == name)?;
        path.parent()
    }

    /// The folders of the inputs that are files, by name.
    pub(super) fn folders(&self) -> HashMap<&str, &Path> {
        let files = self.files.iter();
        files.filter_map(|(name, path)| Some((name.as_str(), path.parent()?))).collect()
    }

    /// Makes a store of a file; its payloads stay there.
    pub(super) fn add_file(&mut self, name: &str, path: &Path, file: File) -> StoreId {
        self.files.push((name.into(), path.into()));
        let id = StoreId(self.files.len() as u32);
        self.keep_open(id, file);
        id
    }

    /// Puts bytes into the temporary file.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(StoreId, u64), InputError> {
        let at = self.end;
        self.temporary.seek(SeekFrom::Start(at)).map_err(temporary)?;
        self.temporary.write_all(bytes).map_err(temporary)?;
        self.end += bytes.len() as u64;
        Ok((StoreId::TEMPORARY, at))
    }

    /// Writes over bytes of the temporary file.
    pub(super) fn write_temporary(&mut self, at: u64, bytes: &[u8]) -> Result<(), InputError> {
        self.temporary.seek(SeekFrom::Start(at)).map_err(temporary)?;
        self.temporary.write_all(bytes).map_err(temporary)
    }

    /// Fills `out` with bytes of the temporary file.
    pub(super) fn read_temporary(&mut self, at: u64, out: &mut [u8]) -> Result<(), InputError> {
        self.read_at(StoreId::TEMPORARY, at, out)
    }

    /// Puts all of a stream into the temporary file; returns its place and its length.
    pub(super) fn append_from(
        &mut self,
        name: &str,
        mut input: impl Read,
    ) -> Result<(StoreId, u64, u64), InputError> {
        let begin = self.end;
        let mut buffer = vec![0; CHUNK];
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return Ok((StoreId::TEMPORARY, begin, self.end - begin)),
                Ok(n) => self.append(&buffer[..n]).map(drop)?,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(InputError::Read { input: name.into(), error }),
            }
        }
    }

    /// Reads a payload again and appends it to `out`.
    pub(super) fn read(&mut self, stored: &Stored, out: &mut Vec<u8>) -> Result<(), InputError> {
        let begin = out.len();
        out.resize(begin + stored.len as usize, 0);
        self.read_at(stored.store, stored.at, &mut out[begin..])?;
        if digest(&out[begin..]) == stored.digest {
            Ok(())
        } else {
            Err(self.changed(stored.store, stored.at))
        }
    }

    /// Returns true if a payload begins with another one.
    pub(super) fn starts_with(
        &mut self,
        whole: &Stored,
        start: &Stored,
    ) -> Result<bool, InputError> {
        if start.len >= whole.len {
            return Ok(whole.equals(start));
        }
        let mut bytes = vec![];
        self.read(whole, &mut bytes)?;
        Ok(digest(&bytes[..start.len as usize]) == start.digest)
    }

    /// Fills `out` with the bytes at `at`.
    pub(super) fn read_at(
        &mut self,
        store: StoreId,
        at: u64,
        out: &mut [u8],
    ) -> Result<(), InputError> {
        if store == StoreId::TEMPORARY {
            self.temporary.seek(SeekFrom::Start(at)).map_err(temporary)?;
            return self.temporary.read_exact(out).map_err(temporary);
        }
        let file = self.file(store)?;
        match file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(out)) {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => Err(self.changed(store, at)),
            Err(error) => Err(InputError::Read { input: self.named(store).0.clone(), error }),
        }
    }

    fn named(&self, store: StoreId) -> &(String, PathBuf) {
        &self.files[store.0 as usize - 1]
    }

    fn changed(&self, store: StoreId, at: u64) -> InputError {
        let (input, at) = if store == StoreId::TEMPORARY {
            ("temporary file".into(), at)
        } else {
            (self.named(store).0.clone(), at)
        };
        InputError::Changed { input, at }
    }

    fn file(&mut self, store: StoreId) -> Result<&mut File, InputError> {
        match self.open.iter().position(|(id, _)| *id == store) {
            Some(i) => self.open[i..].rotate_left(1),
            None => {
                let (name, path) = self.named(store);
                // A pipe that stands there now would never open.
                let regular = path
                    .metadata()
                    .and_then(|m| if m.is_file() { File::open(path).map(Some) } else { Ok(None) });
                match regular {
                    Ok(Some(file)) => self.keep_open(store, file),
                    Ok(None) => return Err(self.changed(store, 0)),
                    Err(error) => return Err(InputError::Read { input: name.clone(), error }),
                }
            }
        }
        Ok(&mut self.open.last_mut().expect("just put there").1)
    }

    fn keep_open(&mut self, store: StoreId, file: File) {
        if self.open.len() == OPEN {
            self.open.remove(0);
        }
        self.open.push((store, file));
    }

    /// Returns the number of open files.
    #[cfg(test)]
    pub(super) fn open_files(&self) -> usize {
        self.open.len()
    }

    #[cfg(test)]
    pub(super) fn close_files(&mut self) {
        self.open.clear();
    }
}

/// An input that is read piece by piece.
#[derive(Debug)]
pub(super) struct InputBuffer {
    store: StoreId,
    /// Begin of the input in the store.
    origin: u64,
    /// The input's length.
    pub(super) len: u64,
    held: Vec<u8>,
    /// Offset of `held` in the input.
    at: u64,
}

impl InputBuffer {
    pub(super) fn new(store: StoreId, origin: u64, len: u64) -> Self {
        Self { store, origin, len, held: vec![], at: 0 }
    }

    /// A place in the store.
    pub(super) fn place(&self, at: u64) -> (StoreId, u64) {
        (self.store, self.origin + at)
    }

    /// Returns some of the input's bytes from `at` to `end`: at least `least`, unless `end` comes
    /// before.
    pub(super) fn bytes(
        &mut self,
        stores: &mut Stores,
        at: u64,
        least: usize,
        end: u64,
    ) -> Result<&[u8], InputError> {
        let end = end.min(self.len);
        let needed = at.saturating_add(least as u64).min(end);
        if at < self.at || needed > self.at + self.held.len() as u64 {
            let length = (self.len.saturating_sub(at)).min(CHUNK.max(least) as u64);
            self.held.resize(length as usize, 0);
            self.at = at;
            stores.read_at(self.store, self.origin + at, &mut self.held)?;
        }
        let held = &self.held[((at - self.at) as usize).min(self.held.len())..];
        Ok(&held[..held.len().min(end.saturating_sub(at) as usize)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_gives_the_bytes_wherever_it_is_asked() {
        let mut stores = Stores::new();
        let bytes: Vec<u8> =
            (0..3 * CHUNK as u32 + 5).map(|n| (n.wrapping_mul(n) >> 3) as u8).collect();
        stores.append(b"before").unwrap();
        let (store, origin, len) = stores.append_from("stream", &bytes[..]).unwrap();
        stores.append(b"after").unwrap();
        let mut window = InputBuffer::new(store, origin, len);
        for at in
            [0, 1, CHUNK - 1, CHUNK, 3 * CHUNK, 7, 2 * CHUNK + 9, bytes.len() - 1, bytes.len()]
        {
            for (least, end) in [(1, bytes.len()), (65_536, bytes.len()), (4, at + 3)] {
                let got = window.bytes(&mut stores, at as u64, least, end as u64).unwrap();
                assert!(
                    got.len() >= least.min(end.min(bytes.len()) - at),
                    "{} bytes at {at}",
                    got.len()
                );
                assert_eq!(got, &bytes[at..at + got.len()]);
                assert!(at + got.len() <= end);
            }
        }
    }
}
