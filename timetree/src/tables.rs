//! Tables that the caller keeps in a file: rows of one length, read by number.

use crate::error::Error;
use crate::file::pages::Cursor;
use crate::file::positional::Bytes;
use crate::file::varint;
use crate::threads::ThreadNo;

/// A table of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowTable {
    /// Whose it is; `None`: the whole file's.
    pub(crate) thread: Option<ThreadNo>,
    pub(crate) kind: u8,
    /// Bytes of a row.
    pub(crate) row: u64,
    pub(crate) place: u64,
    pub(crate) rows: u64,
}

impl RowTable {
    /// Number of rows.
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
        Ok(RowTable { thread, kind, row, place, rows })
    }
}
