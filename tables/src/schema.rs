//! The tables: names, columns and types, which `docs/TABLES.md` describes.

use std::fmt::Write;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, Type};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// INT64.
    I64,
    /// INT32.
    I32,
    /// BOOLEAN.
    Bool,
    /// UTF-8 text.
    Text,
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: ColumnKind,
    /// True if it can be null.
    pub is_optional: bool,
    /// True if differences of neighbours are written instead of a dictionary.
    is_delta: bool,
}

/// A table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// Its name, and that of its folder.
    pub name: &'static str,
    /// Its columns.
    pub columns: &'static [Column],
}

const fn column(name: &'static str, kind: ColumnKind) -> Column {
    Column { name, kind, is_optional: false, is_delta: false }
}

const fn maybe(name: &'static str, kind: ColumnKind) -> Column {
    Column { is_optional: true, ..column(name, kind) }
}

const fn delta(name: &'static str, kind: ColumnKind) -> Column {
    Column { is_delta: true, ..column(name, kind) }
}

use ColumnKind::{Bool, I32, I64, Text};

/// A row per session.
pub const SESSIONS: Table = Table {
    name: "sessions",
    columns: &[
        column("session", I64),
        maybe("hour", I32),
        column("threads", I32),
        column("proven", I64),
        column("unproven", I64),
        column("faulty", I64),
        column("missing", I64),
        column("bytes", I64),
        column("decisions", I64),
        column("callbacks", I64),
        column("usable", Bool),
        column("end", Text),
        maybe("throw_method", I32),
        maybe("throw_line", I32),
        maybe("exit", Text),
    ],
};

/// Branches and their edges.
pub const EDGES: Table = Table {
    name: "edges",
    columns: &[
        column("session", I64),
        delta("edge", I32),
        column("n", I64),
        column("first_way", Bool),
    ],
};

/// Calls.
pub const CALLS: Table = Table {
    name: "calls",
    columns: &[
        column("session", I64),
        column("caller", I32),
        column("callee", I32),
        column("n", I64),
    ],
};

/// Exceptions.
pub const EXCEPTIONS: Table = Table {
    name: "exceptions",
    columns: &[
        column("session", I64),
        column("method", I32),
        maybe("line", I32),
        column("left_app", Bool),
        column("n", I64),
    ],
};

/// Top-level callbacks by shape.
pub const PATHS: Table = Table {
    name: "paths",
    columns: &[
        column("session", I64),
        column("callback", I32),
        column("shape", I64),
        column("n", I64),
        column("steps", I64),
    ],
};

/// Top-level callbacks one by one.
pub const CALLBACKS: Table = Table {
    name: "callbacks",
    columns: &[
        column("session", I64),
        column("thread", I32),
        column("callback", I32),
        column("start_ms", I64),
        maybe("took_us", I64),
        column("steps", I64),
        maybe("shape", I64),
    ],
};

/// Unusable inputs and sessions.
pub const ERRORS: Table = Table {
    name: "errors",
    columns: &[
        maybe("session", I64),
        column("key", Text),
        column("kind", Text),
        column("text", Text),
    ],
};

/// Alternatives of branches.
pub const EDGE: Table = Table {
    name: "edge",
    columns: &[
        delta("edge", I32),
        column("branch", I64),
        column("alt", I32),
        column("alts", I32),
        column("method", I32),
        column("ordinal", I32),
        column("block", I32),
        column("pc", I32),
        maybe("line", I32),
        maybe("origin", I64),
    ],
};

/// Methods.
pub const METHOD: Table = Table {
    name: "method",
    columns: &[
        delta("method", I32),
        column("id", I64),
        column("name", Text),
        column("class", Text),
        maybe("file", Text),
        maybe("line", I32),
        maybe("origin", I64),
    ],
};

/// All tables.
pub const TABLES: [Table; 9] =
    [SESSIONS, EDGES, CALLS, EXCEPTIONS, PATHS, CALLBACKS, ERRORS, EDGE, METHOD];

impl Table {
    /// The schema as Parquet has it.
    pub(crate) fn parquet(&self) -> Result<Arc<Type>, ParquetError> {
        let mut text = format!("message {} {{", self.name);
        for c in self.columns {
            let (kind, logical) = match c.kind {
                I64 => ("INT64", ""),
                I32 => ("INT32", ""),
                Bool => ("BOOLEAN", ""),
                Text => ("BYTE_ARRAY", " (STRING)"),
            };
            let repeats = if c.is_optional { "OPTIONAL" } else { "REQUIRED" };
            let _ = write!(text, " {repeats} {kind} {}{logical};", c.name);
        }
        text.push('}');
        Ok(Arc::new(parse_message_type(&text)?))
    }

    /// Encodings and compression of its columns.
    pub(crate) fn properties(&self) -> Result<WriterProperties, ParquetError> {
        let mut properties = WriterProperties::builder()
            .set_writer_version(WriterVersion::PARQUET_2_0)
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .set_created_by("pathlight".into());
        for c in self.columns.iter().filter(|c| c.is_delta) {
            let path = ColumnPath::from(c.name);
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
        Ok(properties.build())
    }
}
