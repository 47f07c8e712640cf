//! What ran of the source, as the files that coverage tools exchange.
//!
//! Lines, branches and methods are counted once (`Coverage`), and every format writes the same
//! counters. Code that the compiler made is left out; so are methods without lines. Methods that
//! `instrument` left alone are absent, and listed.

mod cobertura;
mod counters;
mod jacoco;
mod lcov;
pub(crate) mod lines;
#[cfg(test)]
mod tests;
mod xml;

use std::collections::BTreeMap;
use std::path::PathBuf;

use decoder::replay::Program;
use model::map::{NameId, Skipped};

use crate::counts::Counts;
use crate::text::{Sources, package};
use crate::visible;
use counters::{Counters, Covered};
use lines::{Line, Lines, SourceLines};

pub use cobertura::HEAD as COBERTURA_HEAD;
pub use jacoco::HEAD as JACOCO_HEAD;
pub use lcov::HEAD as LCOV_HEAD;

/// Parts of names that compilers give to classes of their own.
const MADE: [&str; 3] = ["$$ExternalSynthetic", "$$InternalSynthetic", "-$$Lambda$"];

/// What ran, file by file.
#[derive(Debug)]
pub struct Coverage<'m> {
    /// The app's package.
    name: String,
    files: Vec<File>,
    left: &'m [Skipped],
}

/// A source file.
#[derive(Debug)]
struct File {
    /// With slashes.
    package: String,
    name: String,
    /// Where it is, if sources are given.
    found: Option<PathBuf>,
    /// All lines with code.
    lines: BTreeMap<u32, LineOf>,
    classes: Vec<Class>,
}

/// A line with its branches.
#[derive(Debug, Clone, Default)]
struct LineOf {
    line: Line,
    /// How often each way of each branch was taken.
    branches: Vec<Vec<u64>>,
}

/// A class of the source.
#[derive(Debug)]
struct Class {
    /// With slashes.
    name: String,
    methods: Vec<Method>,
}

/// A method of the source.
#[derive(Debug)]
struct Method {
    name: String,
    descriptor: String,
    calls: u64,
    /// Not empty.
    lines: BTreeMap<u32, LineOf>,
}

impl<'m> Coverage<'m> {
    /// What was counted; files are looked for in the sources.
    pub fn of(program: &Program<'m>, counts: &Counts<'_, 'm>, sources: Option<&Sources>) -> Self {
        let map = program.map;
        let shown = |id: NameId| visible(map.name(id)).into_owned();
        let mut files = Vec::new();
        for (key, of) in Lines::of(program, counts) {
            let mut classes: BTreeMap<String, Vec<Method>> = BTreeMap::new();
            for s in of.sources.iter().filter(|s| !s.lines.is_empty() && !s.made) {
                let class = shown(s.method.class);
                let class = class.strip_prefix('L').unwrap_or(&class).trim_end_matches(';');
                if !MADE.iter().any(|part| class.contains(part)) {
                    let (name, descriptor) = (shown(s.method.name), shown(s.method.descriptor));
                    let lines = lines_of(s, counts);
                    let method = Method { name, descriptor, calls: s.calls, lines };
                    classes.entry(class.to_owned()).or_default().push(method);
                }
            }
            if classes.is_empty() {
                continue;
            }
            let mut lines: BTreeMap<u32, LineOf> = BTreeMap::new();
            for methods in classes.values_mut() {
                methods.sort_by(|a, b| {
                    (a.first_line(), &a.name, &a.descriptor).cmp(&(
                        b.first_line(),
                        &b.name,
                        &b.descriptor,
                    ))
                });
                for (&number, line) in methods.iter().flat_map(|m| &m.lines) {
                    lines.entry(number).or_default().add(line);
                }
            }
            let found = sources.and_then(|s| s.path(&key.package, &key.name));
            files.push(File {
                package: visible(&key.package).into_owned(),
                name: visible(&key.name).into_owned(),
                found: found.map(PathBuf::from),
                lines,
                classes: classes
                    .into_iter()
                    .map(|(name, methods)| Class { name, methods })
                    .collect(),
            });
        }
        Coverage { name: visible(&map.package).into_owned(), files, left: &map.skipped }
    }

    /// Sums over all files.
    fn counters(&self) -> Counters {
        self.files.iter().map(File::counters).sum()
    }

    /// The packages, each with its files.
    fn packages(&self) -> impl Iterator<Item = (&str, &[File])> {
        let same = |a: &File, b: &File| a.package == b.package;
        self.files.chunk_by(same).map(|files| (files[0].package.as_str(), files))
    }

    /// What ran, in words.
    pub fn summary(&self) -> String {
        let Counters { lines, branches, methods, .. } = self.counters();
        let told = |what, c: Covered| format!("{} of {} {what}", c.covered, c.all());
        format!(
            "{}, {}, {}",
            told("lines", lines),
            told("branches", branches),
            told("methods", methods)
        )
    }

    /// So many methods were left alone.
    pub fn left(&self) -> usize {
        self.left.len()
    }

    /// Whether the build has lines at all.
    pub fn has_lines(&self) -> bool {
        !self.files.is_empty()
    }
}

/// Lines with their branches.
fn lines_of(source: &SourceLines, counts: &Counts<'_, '_>) -> BTreeMap<u32, LineOf> {
    let line = |(&number, &line)| (number, LineOf { line, branches: Vec::new() });
    let mut lines: BTreeMap<u32, LineOf> = source.lines.iter().map(line).collect();
    for b in &source.branches {
        lines.entry(b.line).or_default().branches.push(counts.ways_of(b.block).to_vec());
    }
    lines
}

impl LineOf {
    fn add(&mut self, other: &LineOf) {
        self.line.add(other.line);
        self.branches.extend_from_slice(&other.branches);
    }
}

impl File {
    /// `com/example/Main.java`.
    fn path(&self) -> String {
        match self.package.as_str() {
            "" => self.name.clone(),
            package => format!("{package}/{}", self.name),
        }
    }
}

impl Class {
    /// `Main$1` of `com/example/Main$1`.
    fn simple(&self) -> &str {
        let package = package(&self.name);
        self.name.strip_prefix(package).map_or(&self.name, |rest| rest.trim_start_matches('/'))
    }
}

impl Method {
    fn first_line(&self) -> u32 {
        self.lines.keys().next().copied().unwrap_or(0)
    }
}
