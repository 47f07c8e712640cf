//! Tables that the caller keeps in a file: rows of one length, read by number.

use crate::build::ThreadNo;
use crate::error::Error;
use crate::file::pages::Cursor;
use crate::file::positional::Bytes;
use crate::file::read::Index;
use crate::file::varint;

/// A table of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Whose it is; `None`: the whole file's.
    pub(crate) thread: Option<ThreadNo>,
    pub(crate) kind: u8,
    /// Bytes of a row.
    pub(crate) row: u64,
    pub(crate) place: u64,
    pub(crate) rows: u64,
}

impl Table {
    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes of a row; at least one.
    pub fn row(&self) -> u64 {
        self.row
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let thread = self.thread.map_or(0, |t| t as u64 + 1);
        for number in [thread, self.kind.into(), self.row, self.place, self.rows] {
            varint(out, number);
        }
    }

    pub(crate) fn read<B: Bytes>(at: &mut Cursor<'_, B>) -> Result<Self, Error> {
        let (thread, kind) = (at.varint()?, at.varint()?);
        let (row, place, rows) = (at.varint()?, at.varint()?, at.varint()?);
        let kind = u8::try_from(kind).map_err(|_| at.damaged("a table has no kind"))?;
        if row == 0 || row.checked_mul(rows).and_then(|n| n.checked_add(place)).is_none() {
            return Err(at.damaged("a table has no room"));
        }
        let thread = usize::try_from(thread).unwrap_or(usize::MAX).checked_sub(1);
        Ok(Table { thread, kind, row, place, rows })
    }
}

impl<B: Bytes> Index<B> {
    /// A table of a thread, or of the whole file.
    pub fn table(&self, thread: Option<ThreadNo>, kind: u8) -> Option<Table> {
        self.tables.iter().find(|t| t.thread == thread && t.kind == kind).copied()
    }

    /// The bytes of the rows `from` and on, before `to`; fewer where the table ends.
    ///
    /// # Errors
    /// A page that is damaged, a table that ends behind the file.
    pub fn table_rows(&mut self, table: &Table, from: u64, to: u64) -> Result<Vec<u8>, Error> {
        let (from, to) = (from.min(table.rows), to.min(table.rows));
        let bytes = to.saturating_sub(from) * table.row;
        let mut at = Cursor::new(&mut self.pages, table.place + from * table.row, bytes)?;
        at.bytes(bytes)
    }
}
