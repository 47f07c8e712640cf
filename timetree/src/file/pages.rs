//! Contents in pages, deflated and with check sums, and a small cache of them.

use std::io::Write;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use super::positional::Bytes;
use super::{BEGIN, MAGIC, TRAILER, VERSION};
use crate::error::Error;

/// Bytes of contents in a full page.
pub const PAGE: usize = 1 << 14;

/// Pages that are kept in memory.
const KEPT: usize = 128;

/// Bytes that the table of pages has for each: those of its form in the file, its check sum.
const ROW: u64 = 8;

/// Writes contents as pages.
pub struct PageWriter<W> {
    out: W,
    page: Vec<u8>,
    /// Rows of the pages that are written.
    table: Vec<u8>,
    full: u64,
    deflate: Compress,
    packed: Vec<u8>,
}

impl<W: Write> PageWriter<W> {
    /// Begins a file without pages yet.
    pub fn new(mut out: W) -> Result<Self, Error> {
        out.write_all(&BEGIN)?;
        let page = Vec::with_capacity(PAGE);
        // The default level takes 3 times as long, for 4 % less.
        let deflate = Compress::new(Compression::fast(), false);
        Ok(PageWriter { out, page, table: Vec::new(), full: 0, deflate, packed: vec![0; PAGE] })
    }

    /// The place of the next byte.
    pub fn place(&self) -> u64 {
        self.full * PAGE as u64 + self.page.len() as u64
    }

    /// Appends bytes.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PAGE - self.page.len()));
            self.page.extend_from_slice(now);
            bytes = later;
            if self.page.len() == PAGE {
                self.page_out()?;
                self.full += 1;
            }
        }
        Ok(())
    }

    fn page_out(&mut self) -> Result<(), Error> {
        let sum = crc32fast::hash(&self.page);
        self.deflate.reset();
        // A page that does not become shorter is written unchanged.
        let room = &mut self.packed[..self.page.len() - 1];
        let form = match self.deflate.compress(&self.page, room, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => &self.packed[..self.deflate.total_out() as usize],
            _ => &self.page[..],
        };
        self.out.write_all(form)?;
        self.table.extend_from_slice(&(form.len() as u32).to_le_bytes());
        self.table.extend_from_slice(&sum.to_le_bytes());
        self.page.clear();
        Ok(())
    }

    /// Writes the last page and the trailer that marks the file as complete.
    pub fn finish(mut self, directory: u64) -> Result<W, Error> {
        let trailer = [directory.to_le_bytes(), self.place().to_le_bytes()].concat();
        if !self.page.is_empty() {
            self.page_out()?;
        }
        let mut end = self.table;
        end.extend_from_slice(&trailer);
        end.extend_from_slice(&crc32fast::hash(&end).to_le_bytes());
        end.extend_from_slice(&MAGIC);
        self.out.write_all(&end)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Reads contents by page, each checked once while it is kept.
pub struct Pages<B> {
    bytes: B,
    /// Number and contents, the last used at the end.
    kept: Vec<(u64, Vec<u8>)>,
    /// Position of each page in the file, and the end of the last one.
    places: Vec<u64>,
    /// The check sum of each page.
    sums: Vec<u32>,
    /// The end of the contents.
    end: u64,
    read: u64,
    inflate: Decompress,
    packed: Vec<u8>,
}

impl<B: Bytes> Pages<B> {
    /// Opens contents; the second result is the place of their directory.
    pub fn open(bytes: B) -> Result<(Self, u64), Error> {
        let size = bytes.size()?;
        let least = (BEGIN.len() + TRAILER) as u64;
        if size < least {
            return Err(Error::NoTree);
        }
        let mut begin = BEGIN;
        bytes.read_at(&mut begin, 0)?;
        if begin[..4] != MAGIC {
            return Err(Error::NoTree);
        }
        if begin[4] != VERSION {
            return Err(Error::Version(begin[4]));
        }
        let body = size - TRAILER as u64;
        let mut trailer = [0; TRAILER];
        bytes.read_at(&mut trailer, body)?;
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|k| trailer[at + k]));
        let (directory, end) = (long(0), long(8));
        // A page has at least one byte, so that a table is no longer than the file.
        let pages = end.div_ceil(PAGE as u64);
        let fits = pages.checked_mul(ROW + 1).is_some_and(|least| least <= body);
        if trailer[20..] != MAGIC || !fits || directory > end {
            return Err(Error::NoTree);
        }
        let begin = body - ROW * pages;
        let mut table = vec![0; (ROW * pages) as usize];
        bytes.read_at(&mut table, begin)?;
        let mut sum = crc32fast::Hasher::new();
        sum.update(&table);
        sum.update(&trailer[..16]);
        if trailer[16..20] != sum.finalize().to_le_bytes() {
            return Err(Error::NoTree);
        }
        let short =
            |row: &[u8], at: usize| u32::from_le_bytes(std::array::from_fn(|k| row[at + k]));
        let mut place = BEGIN.len() as u64;
        let (mut places, mut sums) = (vec![place], Vec::new());
        for row in table.chunks_exact(ROW as usize) {
            let length = short(row, 0);
            if length == 0 || length > PAGE as u32 {
                return Err(Error::NoTree);
            }
            place += u64::from(length);
            places.push(place);
            sums.push(short(row, 4));
        }
        if place != begin {
            return Err(Error::NoTree);
        }
        let (inflate, packed) = (Decompress::new(false), Vec::with_capacity(PAGE));
        let (kept, read) = (Vec::new(), 0);
        Ok((Pages { bytes, kept, places, sums, end, read, inflate, packed }, directory))
    }

    /// The end of the contents.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Number of pages read from the file.
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
            self.fill(number, &mut page)?;
            self.read += 1;
            self.kept.push((number, page));
        }
        Ok(self.kept.last().map_or(&[], |k| &k.1))
    }

    /// Reads a page that is in the file.
    fn fill(&mut self, number: u64, page: &mut Vec<u8>) -> Result<(), Error> {
        let at = number as usize;
        let (begin, form) = (self.places[at], (self.places[at + 1] - self.places[at]) as usize);
        let length = (self.end - number * PAGE as u64).min(PAGE as u64) as usize;
        page.resize(length, 0);
        if form == length {
            self.bytes.read_at(page, begin)?;
        } else {
            self.packed.resize(form, 0);
            self.bytes.read_at(&mut self.packed, begin)?;
            self.inflate.reset(false);
            let done = self.inflate.decompress(&self.packed, page, FlushDecompress::Finish);
            let whole = self.inflate.total_out() == length as u64;
            if !whole || !matches!(done, Ok(Status::StreamEnd)) {
                return Err(Error::Page(number));
            }
        }
        match crc32fast::hash(page) == self.sums[at] {
            true => Ok(()),
            false => Err(Error::Page(number)),
        }
    }

    /// The contents from `at` to the end of their page; none at the end.
    pub fn rest(&mut self, at: u64) -> Result<&[u8], Error> {
        if at >= self.end {
            return Ok(&[]);
        }
        let page = self.page(at / PAGE as u64)?;
        Ok(&page[(at % PAGE as u64) as usize..])
    }
}

/// A file with other contents, under check sums that are right: for tests of readers. `change` gets
/// the contents and the place of their directory.
///
/// # Errors
/// The file is damaged.
#[doc(hidden)]
pub fn with_other_contents(
    file: Vec<u8>,
    change: impl FnOnce(&mut Vec<u8>, u64),
) -> Result<Vec<u8>, Error> {
    let (mut pages, directory) = Pages::open(file)?;
    let left = pages.end();
    let mut contents = Cursor::new(&mut pages, 0, left)?.bytes(left)?;
    change(&mut contents, directory);
    let mut writer = PageWriter::new(Vec::new())?;
    writer.write(&contents)?;
    writer.finish(directory)
}

/// A position in a range of the contents.
pub struct Cursor<'p, B> {
    pages: &'p mut Pages<B>,
    at: u64,
    end: u64,
}

impl<'p, B: Bytes> Cursor<'p, B> {
    /// A cursor over `bytes` bytes from `at`.
    pub fn new(pages: &'p mut Pages<B>, at: u64, bytes: u64) -> Result<Self, Error> {
        match at.checked_add(bytes) {
            Some(end) if end <= pages.end => Ok(Cursor { pages, at, end }),
            _ => Err(Error::Damaged { place: at, what: "a record ends after the contents" }),
        }
    }

    /// The error of a broken rule at this position.
    pub fn damaged(&self, what: &'static str) -> Error {
        Error::Damaged { place: self.at, what }
    }

    /// Number of bytes left.
    pub fn left(&self) -> u64 {
        self.end - self.at
    }

    /// Fills a buffer.
    pub fn fill(&mut self, mut buffer: &mut [u8]) -> Result<(), Error> {
        if self.left() < buffer.len() as u64 {
            return Err(self.damaged("a record is too short"));
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

    /// Reads `n` bytes.
    pub fn bytes(&mut self, n: u64) -> Result<Vec<u8>, Error> {
        if n > self.left() {
            return Err(self.damaged("a record is too short"));
        }
        let mut bytes = vec![0; n as usize];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads the length of a text and the text.
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
