//! Files that appear whole or not at all, and tables in them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::StagedFile;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

use crate::Error;
use crate::schema::{ColumnKind, Table};

/// Rows of a row group. At most this number waits in memory, for each table and build.
const ROW_GROUP: usize = 1 << 20;

/// A file that has another name until it is whole.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) path: PathBuf,
    pub(crate) file: StagedFile,
}

impl Whole {
    /// Begins a file; its folder is made.
    pub(crate) fn create(path: PathBuf) -> Result<Self, Error> {
        let folder = path.parent().unwrap_or(Path::new("."));
        match fs::create_dir_all(folder).and_then(|()| StagedFile::beside(&path)) {
            Ok(file) => Ok(Whole { path, file }),
            Err(source) => Err(Error::Write { path, source }),
        }
    }

    /// Gives the file its name; one that is there is replaced.
    pub(crate) fn persist(self) -> Result<(), Error> {
        let Whole { path, file } = self;
        file.persist(&path).map_err(|source| Error::Write { path, source })
    }

    /// A file with these bytes.
    pub(crate) fn write(path: PathBuf, bytes: &[u8]) -> Result<(), Error> {
        let mut whole = Whole::create(path)?;
        if let Err(source) = whole.file.as_file_mut().write_all(bytes) {
            return Err(Error::Write { path: whole.path, source });
        }
        whole.persist()
    }
}

/// A cell of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cell<'v> {
    I64(i64),
    I32(i32),
    Bool(bool),
    Text(&'v str),
    Null,
}

impl From<i64> for Cell<'_> {
    fn from(n: i64) -> Self {
        Cell::I64(n)
    }
}

/// Parquet has no unsigned numbers: larger ones become the largest signed one.
impl From<u64> for Cell<'_> {
    fn from(n: u64) -> Self {
        Cell::I64(i64::try_from(n).unwrap_or(i64::MAX))
    }
}

impl From<i32> for Cell<'_> {
    fn from(n: i32) -> Self {
        Cell::I32(n)
    }
}

impl From<u32> for Cell<'_> {
    fn from(n: u32) -> Self {
        Cell::I32(i32::try_from(n).unwrap_or(i32::MAX))
    }
}

impl From<bool> for Cell<'_> {
    fn from(is: bool) -> Self {
        Cell::Bool(is)
    }
}

impl<'v> From<&'v str> for Cell<'v> {
    fn from(text: &'v str) -> Self {
        Cell::Text(text)
    }
}

impl<'v, T: Into<Cell<'v>>> From<Option<T>> for Cell<'v> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Null, Into::into)
    }
}

/// The values of a column that wait.
#[derive(Debug)]
struct Cells {
    is_optional: bool,
    /// Of an optional column: 1 for each value, 0 for each null.
    levels: Vec<i16>,
    values: Values,
}

#[derive(Debug)]
enum Values {
    I64(Vec<i64>),
    I32(Vec<i32>),
    Bool(Vec<bool>),
    Text(Vec<ByteArray>),
}

impl Cells {
    #[inline]
    fn push(&mut self, value: Cell<'_>) {
        match (&mut self.values, value) {
            (Values::I64(all), Cell::I64(n)) => all.push(n),
            (Values::I32(all), Cell::I32(n)) => all.push(n),
            (Values::Bool(all), Cell::Bool(is)) => all.push(is),
            (Values::Text(all), Cell::Text(text)) => all.push(ByteArray::from(text)),
            (_, Cell::Null) if self.is_optional => return self.levels.push(0),
            (column, value) => unreachable!("{value:?} in a column of {column:?}"),
        }
        if self.is_optional {
            self.levels.push(1);
        }
    }

    fn write(&mut self, group: &mut SerializedRowGroupWriter<'_, File>) -> ParquetResult<()> {
        let Some(mut column) = group.next_column()? else {
            return Err(ParquetError::General("no such column".into()));
        };
        let levels = self.is_optional.then_some(&self.levels[..]);
        match &mut self.values {
            Values::I64(all) => {
                column.typed::<Int64Type>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::I32(all) => {
                column.typed::<Int32Type>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::Bool(all) => {
                column.typed::<BoolType>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::Text(all) => {
                column.typed::<ByteArrayType>().write_batch(all, levels, None)?;
                all.clear();
            }
        }
        self.levels.clear();
        column.close()
    }
}

/// A file of a table that is being written.
pub(crate) struct TableFile {
    whole: Whole,
    writer: SerializedFileWriter<File>,
    cells: Vec<Cells>,
    rows: usize,
}

impl TableFile {
    /// Begins one.
    pub(crate) fn create(table: &Table, path: PathBuf) -> Result<Self, Error> {
        let whole = Whole::create(path)?;
        let failed = |source| Error::Write { path: whole.path.clone(), source };
        let file = whole.file.reopen().map_err(failed)?;
        let writer = table.parquet().and_then(|schema| {
            SerializedFileWriter::new(file, schema, Arc::new(table.properties()?))
        });
        let writer =
            writer.map_err(|source| Error::Parquet { path: whole.path.clone(), source })?;
        let cells = table.columns.iter().map(|c| Cells {
            is_optional: c.is_optional,
            levels: Vec::new(),
            values: match c.kind {
                ColumnKind::I64 => Values::I64(Vec::new()),
                ColumnKind::I32 => Values::I32(Vec::new()),
                ColumnKind::Bool => Values::Bool(Vec::new()),
                ColumnKind::Text => Values::Text(Vec::new()),
            },
        });
        let cells = cells.collect();
        Ok(TableFile { whole, writer, cells, rows: 0 })
    }

    /// Adds a row, with a value for each column of the table.
    #[inline]
    pub(crate) fn row<const N: usize>(&mut self, row: [Cell<'_>; N]) -> Result<(), Error> {
        debug_assert_eq!(N, self.cells.len());
        self.cells.iter_mut().zip(row).for_each(|(cells, value)| cells.push(value));
        self.rows += 1;
        if self.rows == ROW_GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.rows = 0;
        let mut group = || {
            let mut group = self.writer.next_row_group()?;
            self.cells.iter_mut().try_for_each(|cells| cells.write(&mut group))?;
            group.close().map(drop)
        };
        group().map_err(|source| Error::Parquet { path: self.whole.path.clone(), source })
    }

    /// Writes what waits, and gives the file its name.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if self.rows > 0 {
            self.flush()?;
        }
        let TableFile { whole, writer, .. } = self;
        match writer.close() {
            Ok(_) => whole.persist(),
            Err(source) => Err(Error::Parquet { path: whole.path, source }),
        }
    }
}

/// Reads a file; the error is the one that the system gives.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Read { path: path.into(), source };
    let mut bytes = Vec::new();
    let mut input = disk::open(path).and_then(disk::unpacked).map_err(failed)?;
    io::Read::read_to_end(&mut input, &mut bytes).map_err(failed)?;
    Ok(bytes)
}
