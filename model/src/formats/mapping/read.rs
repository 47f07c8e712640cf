//! Reads a mapping line by line.

use std::collections::HashMap;
use std::io::BufRead;
use std::ops::Range;

use super::info::{Info, NEWEST};
use super::line::{self, MethodLine};
use super::names::{Name, NamePool};
use super::{ClassEntry, Extra, Field, Mapping, MappingError, MemberRow, MemberSource};
use crate::text::TextReader;

/// Longer lines are refused.
const MAX_LINE: usize = 16 << 20;

/// A mapping as far as it is read.
#[derive(Default)]
pub(super) struct MappingReader {
    mapping: Mapping,
    /// Texts of methods as Java writes them; the number of each is that of its source.
    signatures: NamePool,
    /// The class that members belong to.
    class: Option<OpenClass>,
    /// Version of the comments.
    version: Option<(u32, u32)>,
    /// Line number, from 1.
    line: usize,
}

/// The class that is being read.
struct OpenClass {
    name: Name,
    original: Name,
    rows: Range<usize>,
    /// Position of its first field.
    fields: usize,
    synthesized: bool,
    /// True if the last member line named a method.
    method: bool,
    /// True if a member line came.
    members: bool,
}

impl MappingReader {
    /// Reads to the end.
    pub fn read(mut self, input: impl BufRead) -> Result<Mapping, MappingError> {
        let mut input = TextReader::new(input);
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            self.line += 1;
            let taken = std::io::Read::take(&mut input, MAX_LINE as u64 + 1)
                .read_until(b'\n', &mut buffer)?;
            if taken == 0 {
                break;
            }
            if taken > MAX_LINE {
                return Err(self.wrong("a line of more than 16 MiB"));
            }
            let text = str::from_utf8(&buffer)
                .map_err(|_| self.wrong("neither UTF-8 nor UTF-16: save it as UTF-8"))?;
            self.one(text)?;
        }
        self.close();
        self.mapping.rows.shrink_to_fit();
        self.mapping.fields.shrink_to_fit();
        Ok(self.mapping)
    }

    fn wrong(&self, what: &'static str) -> MappingError {
        MappingError::Line { line: self.line, what }
    }

    fn name(&mut self, text: &str) -> Result<Name, MappingError> {
        let line = self.line;
        let added = self.mapping.names.add(text);
        added.ok_or(MappingError::Line { line, what: "4 GiB of names" })
    }

    fn one(&mut self, line: &str) -> Result<(), MappingError> {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return Ok(());
        }
        if let Some(comment) = trimmed.strip_prefix('#') {
            return self.comment(comment);
        }
        let (left, right) = trimmed.split_once(" -> ").ok_or(self.wrong("no ` -> `"))?;
        if line.starts_with([' ', '\t']) {
            self.member(left, right)
        } else {
            self.class(left, right)
        }
    }

    fn class(&mut self, left: &str, right: &str) -> Result<(), MappingError> {
        let in_app = right.strip_suffix(':').ok_or(self.wrong("a class line ends with `:`"))?;
        self.close();
        let name = self.name(&line::descriptor(in_app))?;
        let original = self.name(&line::descriptor(left))?;
        let at = self.mapping.rows.len();
        self.class = Some(OpenClass {
            name,
            original,
            rows: at..at,
            fields: self.mapping.fields.len(),
            synthesized: false,
            method: false,
            members: false,
        });
        Ok(())
    }

    fn member(&mut self, left: &str, right: &str) -> Result<(), MappingError> {
        let method = line::method(left).map_err(|what| self.wrong(what))?;
        let name = self.name(right)?;
        let Some(open) = &mut self.class else {
            return Err(self.wrong("a member before the first class"));
        };
        (open.method, open.members) = (method.is_some(), true);
        let Some(MethodLine { lines, signature, source: source_lines }) = method else {
            let original = self.name(line::field(left))?;
            self.mapping.fields.push(Field { name, original });
            return Ok(());
        };
        let source = self.source(signature)?;
        let row = MemberRow { name, source, lines, source_lines, residual: None, extra: None };
        self.mapping.rows.push(row);
        Ok(())
    }

    /// The number of a method of the source.
    fn source(&mut self, text: &str) -> Result<u32, MappingError> {
        let id = self.signatures.add(text).ok_or(self.wrong("4 GiB of names"))?;
        if id.0 as usize == self.mapping.sources.len() {
            let parsed = line::signature(text).map_err(|what| self.wrong(what))?;
            let class = parsed.class.map(|c| self.name(&line::descriptor(c))).transpose()?;
            let (name, descriptor) = (self.name(parsed.name)?, self.name(&parsed.descriptor)?);
            self.mapping.sources.push(MemberSource { class, name, descriptor });
        }
        Ok(id.0)
    }

    fn comment(&mut self, comment: &str) -> Result<(), MappingError> {
        if let Some(hash) = comment.trim().strip_prefix("pg_map_hash:") {
            let hash = hash.trim();
            let hex = hash.strip_prefix("SHA-256").unwrap_or(hash).trim();
            self.mapping.id.get_or_insert_with(|| hex.into());
            return Ok(());
        }
        let Some(info) = Info::parse(comment, self.version) else { return Ok(()) };
        if let Info::Version(version) = info {
            self.version = version;
            if version.is_some_and(|v| v > NEWEST) {
                self.mapping.newer = version.max(self.mapping.newer);
            }
            return Ok(());
        }
        let Some(open) = &mut self.class else { return Ok(()) };
        match (&info, open.members) {
            (Info::SourceFile(file), false) => {
                let original = open.original;
                let file = self.name(file)?;
                self.mapping.files.insert(original, file);
            }
            (Info::Synthesized, false) => open.synthesized = true,
            (_, true) if open.method => self.of_method(info)?,
            _ => {}
        }
        Ok(())
    }

    /// A comment below a line of a method.
    fn of_method(&mut self, info: Info) -> Result<(), MappingError> {
        if let Info::Residual(descriptor) = &info {
            let descriptor = self.name(descriptor)?;
            if let Some(row) = self.mapping.rows.last_mut() {
                row.residual = Some(descriptor);
            }
            return Ok(());
        }
        let next = u32::try_from(self.mapping.extras.len()).ok();
        let next = next.ok_or(self.wrong("too many comments"))?;
        let Some(row) = self.mapping.rows.last_mut() else { return Ok(()) };
        let at = *row.extra.get_or_insert(next);
        if at == next {
            self.mapping.extras.push(Extra::default());
        }
        let extra = &mut self.mapping.extras[at as usize];
        match info {
            Info::Synthesized => extra.synthesized = true,
            Info::Outline => extra.outline = true,
            Info::Rewrite(rewrite) => extra.rewrites.push(rewrite),
            Info::OutlineCall(positions) if extra.outline_call.is_none() => {
                extra.outline_call = Some(positions);
            }
            _ => {}
        }
        Ok(())
    }

    /// The class ends: its rows by name in the app, those of a name in the order of the file.
    fn close(&mut self) {
        let Some(open) = self.class.take() else { return };
        let rows = open.rows.start..self.mapping.rows.len();
        self.mapping.rows[rows.clone()].sort_by_key(|r| r.name);
        inherit(&mut self.mapping.rows[rows.clone()]);
        let fields = open.fields..self.mapping.fields.len();
        self.mapping.fields[fields.clone()].sort_by_key(|f| f.name);
        let OpenClass { original, synthesized, .. } = open;
        let class = ClassEntry { original, rows, fields, synthesized };
        self.mapping.classes.insert(open.name, class);
    }
}

/// A stated descriptor stands at the first line of a method only; it holds for the others, too.
fn inherit(rows: &mut [MemberRow]) {
    let mut stated: HashMap<(Name, u32), Name> = HashMap::new();
    for row in rows {
        match row.residual {
            Some(residual) => _ = stated.insert((row.name, row.source), residual),
            None if stated.is_empty() => {}
            None => row.residual = stated.get(&(row.name, row.source)).copied(),
        }
    }
}
