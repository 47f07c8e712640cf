//! R8's `mapping.txt`: from names and lines in a shrunk app to those in its source.
//!
//! Sources: the description of the retrace format, version 2.2 and older
//! (<https://r8.googlesource.com/r8/+/refs/heads/main/doc/retrace.md>),
//! R8's reader and Retrace where it is silent, and ProGuard's manual for the lines themselves:
//!
//! ```text
//! original.Class -> a.b:
//! # {"id":"sourceFile","fileName":"Class.kt"}
//!     int field -> a
//!     void method(int,java.lang.String) -> a
//!     1:3:void method(int):10:12 -> b
//!     4:4:void other.Class.inlined():5:7 -> b      several lines with one range: inlined frames,
//!     4:4:void method(int):11 -> b                 innermost first, the method itself last
//! # {"id":"com.android.tools.r8.residualsignature","signature":"(La/b;)V"}
//! ```
//!
//! [`Mapping::method`] finds a method by its name and descriptor in the app, [`Retracer`] by its
//! name alone, as in a stack trace.

mod info;
mod line;
mod method;
mod names;
mod read;
mod retrace;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io::BufRead;
use std::ops::Range;

use thiserror::Error;

use crate::descriptors::internal_name;

use info::Rewrite;
use line::SourceLines;
pub use method::{Frames, MappedFrame, MappedLine, MethodMapping, Rewritten};
use names::{Name, NamePool};
pub use retrace::{MAX_CHOICES, Retraced, Retracer};

/// Reasons why a text is no mapping.
#[derive(Debug, Error)]
pub enum MappingError {
    /// A line that is neither a comment, a class nor a member.
    #[error("mapping line {line}: {what}")]
    Line {
        /// From 1.
        line: usize,
        /// Description of the error.
        what: &'static str,
    },
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
}

/// A method of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MemberSource {
    /// Descriptor of its class; `None`: the class that the line belongs to.
    class: Option<Name>,
    name: Name,
    descriptor: Name,
}

/// A line of a mapping that names a method.
#[derive(Debug, Clone, Copy)]
struct MemberRow {
    /// In the app.
    name: Name,
    /// Position in [`Mapping::sources`].
    source: u32,
    /// In the app.
    lines: Option<(u32, u32)>,
    source_lines: Option<SourceLines>,
    /// Descriptor in the app, where R8 states it because it is not that of the source.
    residual: Option<Name>,
    /// Position in [`Mapping::extras`].
    extra: Option<u32>,
}

/// Information of the comments of a row.
#[derive(Debug, Clone, Default)]
struct Extra {
    synthesized: bool,
    outline: bool,
    rewrites: Vec<Rewrite>,
    outline_call: Option<Vec<(u32, u32)>>,
}

#[derive(Debug, Clone)]
struct ClassEntry {
    original: Name,
    rows: Range<usize>,
    fields: Range<usize>,
    synthesized: bool,
}

/// A line of a mapping that names a field.
#[derive(Debug, Clone, Copy)]
struct Field {
    /// In the app.
    name: Name,
    /// In the source.
    original: Name,
}

/// A parsed mapping. The default is empty and changes nothing.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    names: NamePool,
    /// By descriptor in the app.
    classes: HashMap<Name, ClassEntry>,
    /// Files of classes, by their descriptors in the source.
    files: HashMap<Name, Name>,
    sources: Vec<MemberSource>,
    /// Those of a class stand together, sorted by name; those of a name as in the file.
    rows: Vec<MemberRow>,
    /// Those of a class stand together, sorted by name.
    fields: Vec<Field>,
    extras: Vec<Extra>,
    id: Option<Box<str>>,
    newer: Option<(u32, u32)>,
}

impl Mapping {
    /// Reads a mapping line by line.
    ///
    /// # Errors
    /// The first line that cannot be understood. Comments that no version defines are passed over.
    pub fn read(input: impl BufRead) -> Result<Self, MappingError> {
        read::MappingReader::default().read(input)
    }

    /// Reads a mapping that is in memory.
    ///
    /// # Errors
    /// As [`Mapping::read`].
    pub fn parse(text: &str) -> Result<Self, MappingError> {
        Self::read(text.as_bytes())
    }

    /// The id of the build (`pg_map_hash`), if R8 wrote one. Classes of the app name it as their
    /// source file: `r8-map-id-<id>`.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The version of its comments, if it is newer than this reader.
    pub fn newer_version(&self) -> Option<(u32, u32)> {
        self.newer
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Returns true if it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Returns true if it names this class (descriptor in the app).
    pub fn has_class(&self, shrunk: &str) -> bool {
        self.class(shrunk).is_some()
    }

    /// Returns true if R8 made this class (descriptor in the app).
    pub fn is_synthesized(&self, shrunk: &str) -> bool {
        self.class(shrunk).is_some_and(|c| c.synthesized)
    }

    fn class(&self, shrunk: &str) -> Option<&ClassEntry> {
        self.classes.get(&self.names.find(shrunk)?)
    }

    /// The lines of all methods that have this name in the app, in the order of the file.
    fn rows_of(&self, class: &ClassEntry, name: &str) -> &[MemberRow] {
        let Some(name) = self.names.find(name) else { return &[] };
        let rows = &self.rows[class.rows.clone()];
        let start = rows.partition_point(|r| r.name < name);
        &rows[start..start + rows[start..].partition_point(|r| r.name == name)]
    }

    /// The original of a type descriptor (`La/b;`, `[La/b;`, `I`); what the mapping does not know
    /// stays.
    pub fn type_descriptor(&self, shrunk: &str) -> String {
        let element = shrunk.trim_start_matches('[');
        let original = self.class(element).map_or(element, |c| self.names.get(c.original));
        format!("{}{original}", &shrunk[..shrunk.len() - element.len()])
    }

    /// The original of a method descriptor, type by type.
    pub fn method_descriptor(&self, shrunk: &str) -> String {
        let mut out = String::with_capacity(shrunk.len());
        let mut rest = shrunk;
        while let Some(at) = rest.find('L') {
            let Some(length) = rest[at..].find(';') else { break };
            out.push_str(&rest[..at]);
            out.push_str(&self.type_descriptor(&rest[at..=at + length]));
            rest = &rest[at + length + 1..];
        }
        out + rest
    }

    /// Returns the source key (`Lpkg/Cls;->name(I)V`) of a method of the app. A method that the
    /// mapping does not list keeps its name.
    pub fn method_key(&self, class: &str, name: &str, shrunk: &str) -> String {
        match self.method(class, name, shrunk) {
            Some(m) => m.source().key(),
            None => {
                format!("{}->{name}{}", self.type_descriptor(class), self.method_descriptor(shrunk))
            }
        }
    }

    /// The name that a field of a class of the app has in the source, if the mapping knows it. Of
    /// several fields with one name in the app, the first.
    pub fn field_name(&self, class: &str, shrunk: &str) -> Option<&str> {
        let fields = &self.fields[self.class(class)?.fields.clone()];
        let name = self.names.find(shrunk)?;
        let field = fields.get(fields.partition_point(|f| f.name < name))?;
        (field.name == name).then(|| self.names.get(field.original))
    }

    /// The file of a class of the source. `in_app` is the file that the app names. As in Retrace:
    /// where the mapping names none, the file is named after the outermost class.
    pub fn source_file(&self, class: &str, in_app: Option<&str>) -> Option<String> {
        if let Some(file) = self.names.find(class).and_then(|c| self.files.get(&c)) {
            return Some(self.names.get(*file).to_owned());
        }
        Some(inferred(class, in_app?))
    }
}

/// Retrace's guess (`RetraceUtils.inferSourceFile`).
fn inferred(class: &str, in_app: &str) -> String {
    if in_app == "Native Method" {
        return in_app.to_owned();
    }
    let simple = internal_name(class);
    let simple = simple.rsplit('/').next().unwrap_or(simple);
    let outer = simple.split('$').next().unwrap_or(simple);
    let kotlin = in_app.ends_with(".kt");
    let bare = !in_app.contains('.');
    match outer.strip_suffix("Kt") {
        Some(file) if kotlin || bare => format!("{file}.kt"),
        _ if kotlin => format!("{outer}.kt"),
        _ => format!("{outer}.java"),
    }
}
