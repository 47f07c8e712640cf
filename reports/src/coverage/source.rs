//! The source of an app, file by file, with what ran of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use decoder::replay::Program;
use model::map::NameId;

use super::lines::{Line, Lines, SourceLines};
use crate::counts::Counts;
use crate::text::{Sources, package};
use crate::visible;

/// Parts of names that compilers give to classes of their own.
const MADE: [&str; 3] = ["$$ExternalSynthetic", "$$InternalSynthetic", "-$$Lambda$"];

/// Whether a compiler gave a class its name.
pub(crate) fn is_made(class: &str) -> bool {
    MADE.iter().any(|part| class.contains(part))
}

/// A source file.
#[derive(Debug)]
pub(super) struct File {
    /// With slashes.
    pub package: String,
    pub name: String,
    /// Where it is, if sources are given.
    pub found: Option<PathBuf>,
    /// All lines with code.
    pub lines: BTreeMap<u32, LineOf>,
    pub classes: Vec<Class>,
}

/// A line with its branches.
#[derive(Debug, Clone, Default)]
pub(super) struct LineOf {
    pub line: Line,
    /// How often each way of each branch was taken.
    pub branches: Vec<Vec<u64>>,
}

/// A class of the source.
#[derive(Debug)]
pub(super) struct Class {
    /// With slashes.
    pub name: String,
    pub methods: Vec<Method>,
}

/// A method of the source.
#[derive(Debug)]
pub(super) struct Method {
    pub name: String,
    pub descriptor: String,
    pub calls: u64,
    /// Not empty.
    pub lines: BTreeMap<u32, LineOf>,
}

/// All files with lines that ran or could have.
pub(super) fn files(
    program: &Program<'_>,
    counts: &Counts<'_, '_>,
    sources: Option<&Sources>,
) -> Vec<File> {
    let map = program.map;
    let shown = |id: NameId| visible(map.name(id)).into_owned();
    let mut files = Vec::new();
    for (key, of) in Lines::of(program, counts) {
        let mut classes: BTreeMap<String, Vec<Method>> = BTreeMap::new();
        for s in of.sources.iter().filter(|s| !s.lines.is_empty() && !s.made) {
            let class = shown(s.method.class);
            let class = class.strip_prefix('L').unwrap_or(&class).trim_end_matches(';');
            if !is_made(class) {
                let (name, descriptor) = (shown(s.method.name), shown(s.method.descriptor));
                let lines = lines_of(s, counts);
                let method = Method { name, descriptor, calls: s.calls, lines };
                classes.entry(class.to_owned()).or_default().push(method);
            }
        }
        if classes.is_empty() {
            continue;
        }
        let found = sources.and_then(|s| s.path(&key.package, &key.name));
        let class = |(name, methods)| {
            let mut class = Class { name, methods };
            class.sort();
            class
        };
        let mut file = File {
            package: visible(&key.package).into_owned(),
            name: visible(&key.name).into_owned(),
            found: found.map(PathBuf::from),
            lines: BTreeMap::new(),
            classes: classes.into_iter().map(class).collect(),
        };
        file.add_up();
        files.push(file);
    }
    files
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
    pub fn add(&mut self, other: &LineOf) {
        self.line.add(other.line);
        self.branches.extend_from_slice(&other.branches);
    }
}

impl File {
    /// Makes the file's lines those of its methods.
    pub fn add_up(&mut self) {
        self.lines.clear();
        for (&number, line) in self.classes.iter().flat_map(|c| &c.methods).flat_map(|m| &m.lines) {
            self.lines.entry(number).or_default().add(line);
        }
    }

    /// `com/example/Main.java`.
    pub fn path(&self) -> String {
        match self.package.as_str() {
            "" => self.name.clone(),
            package => format!("{package}/{}", self.name),
        }
    }
}

impl Class {
    /// Methods in the order of the source.
    pub fn sort(&mut self) {
        let place = |a: &Method, b: &Method| {
            let parts = |m: &Method| (m.first_line(), m.name.clone(), m.descriptor.clone());
            parts(a).cmp(&parts(b))
        };
        self.methods.sort_by(place);
    }

    /// `Main$1` of `com/example/Main$1`.
    pub fn simple(&self) -> &str {
        let package = package(&self.name);
        self.name.strip_prefix(package).map_or(&self.name, |rest| rest.trim_start_matches('/'))
    }
}

impl Method {
    pub fn first_line(&self) -> u32 {
        self.lines.keys().next().copied().unwrap_or(0)
    }
}
