//! Contents in pages with check sums, and a small cache of them.

use std::io::Write;

use super::positional::Bytes;
use super::{MAGIC, TRAILER};
use crate::error::Error;

/// Bytes of a page with its check sum.
pub const PAGE: usize = 1 << 16;

/// Bytes of contents in a full page.
const ROOM: usize = PAGE - 4;

/// Pages that are kept in memory.
const KEPT: usize = 32;

/// Writes contents as pages.
pub struct Writer<W> {
    out: W,
    page: Vec<u8>,
    full: u64,
}

impl<W: Write> Writer<W> {
    /// A writer of no pages yet.
    pub fn new(out: W) -> Self {
        Writer { out, page: Vec::with_capacity(PAGE), full: 0 }
    }

    /// The place of the next byte.
    pub fn place(&self) -> u64 {
        self.full * ROOM as u64 + self.page.len() as u64
    }

    /// Appends bytes.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(ROOM - self.page.len()));
            self.page.extend_from_slice(now);
            bytes = later;
            if self.page.len() == ROOM {
                self.page_out()?;
                self.full += 1;
            }
        }
        Ok(())
    }

    fn page_out(&mut self) -> Result<(), Error> {
        let sum = crc32fast::hash(&self.page);
        self.page.extend_from_slice(&sum.to_le_bytes());
        self.out.write_all(&self.page)?;
        self.page.clear();
        Ok(())
    }

    /// Writes the last page and what says that all is there.
    pub fn finish(mut self, directory: u64) -> Result<W, Error> {
        let mut trailer = [directory.to_le_bytes(), self.place().to_le_bytes()].concat();
        if !self.page.is_empty() {
            self.page_out()?;
        }
        let sum = crc32fast::hash(&trailer);
        trailer.extend_from_slice(&sum.to_le_bytes());
        trailer.extend_from_slice(&MAGIC);
        self.out.write_all(&trailer)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Reads contents by page, each checked once while it is kept.
pub struct Pages<B> {
    bytes: B,
    /// Number and contents, the last used at the end.
    kept: Vec<(u64, Vec<u8>)>,
    /// The end of the contents.
    end: u64,
    read: u64,
}

impl<B: Bytes> Pages<B> {
    /// Opens contents; the second result is the place of their directory.
    pub fn open(bytes: B) -> Result<(Self, u64), Error> {
        let size = bytes.size()?;
        let body = size.checked_sub(TRAILER as u64).ok_or(Error::NoTree)?;
        let mut trailer = [0; TRAILER];
        bytes.read_at(&mut trailer, body)?;
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|k| trailer[at + k]));
        let (directory, end) = (long(0), long(8));
        let room = ROOM as u64;
        let pages = end.div_ceil(room);
        let whole = trailer[20..] == MAGIC
            && trailer[16..20] == crc32fast::hash(&trailer[..16]).to_le_bytes()
            && pages.checked_mul(4).and_then(|sums| sums.checked_add(end)) == Some(body)
            && directory <= end;
        if !whole {
            return Err(Error::NoTree);
        }
        Ok((Pages { bytes, kept: Vec::new(), end, read: 0 }, directory))
    }

    /// The end of the contents.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// How many pages were read from the file so far.
    pub fn read(&self) -> u64 {
        self.read
    }

    fn page(&mut self, number: u64) -> Result<&[u8], Error> {
        if let Some(at) = self.kept.iter().rposition(|k| k.0 == number) {
            let found = self.kept.remove(at);
            self.kept.push(found);
        } else {
            let mut page = match self.kept.len() {
                KEPT => self.kept.remove(0).1,
                _ => Vec::with_capacity(PAGE),
            };
            let length = (self.end - number * ROOM as u64).min(ROOM as u64) as usize;
            page.resize(length + 4, 0);
            self.bytes.read_at(&mut page, number * PAGE as u64)?;
            let sum = page.split_off(length);
            if sum != crc32fast::hash(&page).to_le_bytes() {
                return Err(Error::Page(number));
            }
            self.read += 1;
            self.kept.push((number, page));
        }
        Ok(self.kept.last().map_or(&[], |k| &k.1))
    }

    /// The contents from `at` to the end of their page; none at the end.
    pub fn rest(&mut self, at: u64) -> Result<&[u8], Error> {
        if at >= self.end {
            return Ok(&[]);
        }
        let page = self.page(at / ROOM as u64)?;
        Ok(&page[(at % ROOM as u64) as usize..])
    }
}

/// A place between two others.
pub struct Cursor<'p, B> {
    pages: &'p mut Pages<B>,
    at: u64,
    end: u64,
}

impl<'p, B: Bytes> Cursor<'p, B> {
    /// A cursor over so many bytes.
    pub fn new(pages: &'p mut Pages<B>, at: u64, bytes: u64) -> Result<Self, Error> {
        match at.checked_add(bytes) {
            Some(end) if end <= pages.end => Ok(Cursor { pages, at, end }),
            _ => Err(Error::Damaged { place: at, what: "a part ends behind the contents" }),
        }
    }

    /// What says that something is wrong here.
    pub fn damaged(&self, what: &'static str) -> Error {
        Error::Damaged { place: self.at, what }
    }

    /// How many bytes are left.
    pub fn left(&self) -> u64 {
        self.end - self.at
    }

    /// Fills a buffer.
    pub fn fill(&mut self, mut buffer: &mut [u8]) -> Result<(), Error> {
        if self.left() < buffer.len() as u64 {
            return Err(self.damaged("a part is too short"));
        }
        while !buffer.is_empty() {
            let rest = self.pages.rest(self.at)?;
            let n = rest.len().min(buffer.len());
            let (now, later) = buffer.split_at_mut(n);
            now.copy_from_slice(&rest[..n]);
            self.at += n as u64;
            buffer = later;
        }
        Ok(())
    }

    /// So many bytes.
    pub fn bytes(&mut self, n: u64) -> Result<Vec<u8>, Error> {
        if n > self.left() {
            return Err(self.damaged("a part is too short"));
        }
        let mut bytes = vec![0; n as usize];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// A text behind its length.
    pub fn text(&mut self) -> Result<String, Error> {
        let n = self.varint()?;
        let bytes = self.bytes(n)?;
        String::from_utf8(bytes).map_err(|_| self.damaged("a name is not UTF-8"))
    }

    /// A number of four bytes.
    pub fn u32(&mut self) -> Result<u32, Error> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// A number in LEB128.
    pub fn varint(&mut self) -> Result<u64, Error> {
        // Most numbers lie in one page.
        let (at, left) = (self.at, self.left());
        let rest = self.pages.rest(at)?;
        let rest = &rest[..rest.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
        let (mut value, mut taken) = (0u64, 0);
        while taken < rest.len() && taken < 9 {
            let byte = rest[taken];
            value |= u64::from(byte & 0x7F) << (7 * taken);
            taken += 1;
            if byte < 0x80 {
                self.at += taken as u64;
                return Ok(value);
            }
        }
        self.long_varint()
    }

    fn long_varint(&mut self) -> Result<u64, Error> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.fill(&mut byte)?;
            let bits = u64::from(byte[0] & 0x7F);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte[0] < 0x80 {
                return Ok(value);
            }
        }
        Err(self.damaged("a number has more than 64 bits"))
    }
}
