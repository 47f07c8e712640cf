//! The source of an app, file by file, with its coverage.

use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

use decoder::replay::{BlockNo, Program};
use model::map::NameId;

use super::lines::{FileKey, FileLines, LineCounts, Lines, SourceLines};
use crate::base::counts::Counts;
use crate::base::escape::visible;
use crate::base::method_names::package;
use crate::base::sources::Sources;

/// Parts of names that compilers give to classes of their own.
const MADE: [&str; 3] = ["$$ExternalSynthetic", "$$InternalSynthetic", "-$$Lambda$"];

/// Returns true if a compiler named the class.
pub(crate) fn is_made(class: &str) -> bool {
    MADE.iter().any(|part| class.contains(part))
}

/// A source file.
#[derive(Debug)]
pub(crate) struct CoveredFile {
    /// Package, with slashes.
    pub package: String,
    pub name: String,
    /// Its path, if sources are given and have it.
    pub found: Option<PathBuf>,
    /// All lines with code.
    pub lines: BTreeMap<u32, LineOf>,
    pub classes: Vec<CoveredClass>,
}

/// A line with its branches.
#[derive(Debug, Clone, Default)]
pub(crate) struct LineOf {
    pub line: LineCounts,
    pub branches: Vec<Fork>,
}

/// A branch: its block, and the number of times that each alternative was taken.
#[derive(Debug, Clone)]
pub(crate) struct Fork {
    /// Number in the map; for merged builds, in that of the first one.
    pub block: BlockNo,
    /// Number of the block that each alternative leads to, and its predicted share of 65,535.
    pub blocks: Vec<(u32, u16)>,
    pub taken: Vec<u64>,
}

impl Fork {
    /// Returns true if any alternative was taken.
    pub fn is_decided(&self) -> bool {
        self.taken.iter().any(|&n| n > 0)
    }
}

/// A class of the source.
#[derive(Debug)]
pub(crate) struct CoveredClass {
    /// Name, with slashes.
    pub name: String,
    pub methods: Vec<CoveredMethod>,
}

/// A method of the source.
#[derive(Debug)]
pub(crate) struct CoveredMethod {
    pub name: String,
    pub descriptor: String,
    /// Number of calls of which a line ran: 0 exactly if no line did.
    pub calls: u64,
    /// Lines, never empty.
    pub lines: BTreeMap<u32, LineOf>,
}

/// Lines after the end of their files, which are left out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Beyond {
    pub lines: usize,
    pub files: usize,
}

impl Beyond {
    fn add(&mut self, lines: usize) {
        self.lines += lines;
        self.files += usize::from(lines > 0);
    }
}

impl AddAssign for Beyond {
    fn add_assign(&mut self, other: Beyond) {
        self.lines += other.lines;
        self.files += other.files;
    }
}

/// Returns all files with lines that ran or could have run.
pub(crate) fn files(
    program: &Program<'_>,
    counts: &Counts<'_, '_>,
    sources: Option<&Sources>,
) -> (Vec<CoveredFile>, Beyond) {
    let all = Lines::of(program, counts).into_iter();
    let (keys, mut files): (Vec<FileKey>, Vec<CoveredFile>) = all
        .filter_map(|(key, lines)| {
            let file = file(program, counts, &key, &lines)?;
            Some((key, file))
        })
        .unzip();
    find(&mut files, &keys, sources);
    let mut beyond = Beyond::default();
    for (file, key) in files.iter_mut().zip(&keys).filter(|(file, _)| file.found.is_some()) {
        if let Some(last) = sources.and_then(|s| s.last_line(&key.package, &key.name)) {
            beyond.add(file.cut(last));
        }
    }
    files.retain(|file| !file.lines.is_empty());
    (files, beyond)
}

/// Returns the file of these lines; `None` if all of its code is the compiler's.
pub(crate) fn file(
    program: &Program<'_>,
    counts: &Counts<'_, '_>,
    key: &FileKey,
    lines: &FileLines,
) -> Option<CoveredFile> {
    let map = program.map;
    let shown = |id: NameId| visible(map.name(id)).into_owned();
    let mut classes: BTreeMap<String, Vec<CoveredMethod>> = BTreeMap::new();
    for s in lines.sources.iter().filter(|s| !s.lines.is_empty() && !s.made) {
        let class = shown(s.method.class);
        let class = class.strip_prefix('L').unwrap_or(&class).trim_end_matches(';');
        if !is_made(class) {
            let (name, descriptor) = (shown(s.method.name), shown(s.method.descriptor));
            let method =
                CoveredMethod::new(name, descriptor, s.calls, lines_of(s, program, counts));
            classes.entry(class.to_owned()).or_default().push(method);
        }
    }
    if classes.is_empty() {
        return None;
    }
    let class = |(name, methods)| {
        let mut class = CoveredClass { name, methods };
        class.sort();
        class
    };
    let mut file = CoveredFile {
        package: visible(&key.package).into_owned(),
        name: visible(&key.name).into_owned(),
        found: None,
        lines: BTreeMap::new(),
        classes: classes.into_iter().map(class).collect(),
    };
    file.add_up();
    Some(file)
}

/// Finds the paths of files in the sources. A path that files of two packages would have is
/// dropped, because a source file has one package.
fn find(files: &mut [CoveredFile], keys: &[FileKey], sources: Option<&Sources>) {
    let Some(sources) = sources else { return };
    let mut claims: HashMap<&Path, usize> = HashMap::new();
    let paths: Vec<_> = keys.iter().map(|key| sources.path(&key.package, &key.name)).collect();
    paths.iter().flatten().for_each(|path| *claims.entry(path).or_default() += 1);
    for (file, path) in files.iter_mut().zip(&paths) {
        file.found = path.clone().filter(|path| claims[path.as_path()] == 1);
    }
}

/// Returns the lines with their branches.
fn lines_of(
    source: &SourceLines,
    program: &Program<'_>,
    counts: &Counts<'_, '_>,
) -> BTreeMap<u32, LineOf> {
    let line = |(&number, &line)| (number, LineOf { line, branches: Vec::new() });
    let mut lines: BTreeMap<u32, LineOf> = source.lines.iter().map(line).collect();
    for b in &source.branches {
        let blocks = b.alternatives.iter().map(|a| (b.target(program, a), a.freq));
        let (blocks, taken) = (blocks.collect(), b.taken(program, counts));
        lines.entry(b.line).or_default().branches.push(Fork { block: b.block, blocks, taken });
    }
    lines
}

impl LineOf {
    /// Returns true if it ran although none of its branches was decided: an exception or the log's
    /// end came first, or the branches are of another method on the line, which did not run.
    pub fn is_undecided(&self) -> bool {
        let ran = self.line.hits > 0 && !self.branches.is_empty();
        ran && !self.branches.iter().any(Fork::is_decided)
    }

    pub fn add(&mut self, other: &LineOf) {
        self.line.add(other.line);
        self.branches.extend_from_slice(&other.branches);
    }
}

impl CoveredFile {
    /// Drops all lines after the last line of the file, and returns their number. Kotlin's compiler
    /// gives such numbers to inlined code, in builds without its source maps.
    pub fn cut(&mut self, last: u32) -> usize {
        let after = last.saturating_add(1);
        let lines = self.lines.range(after..).count();
        if lines == 0 {
            return 0;
        }
        for class in &mut self.classes {
            for method in &mut class.methods {
                method.lines.split_off(&after);
                if method.first_ran().is_none() {
                    method.calls = 0;
                }
            }
            class.methods.retain(|method| !method.lines.is_empty());
        }
        self.classes.retain(|class| !class.methods.is_empty());
        self.add_up();
        lines
    }

    /// Sets the file's lines to those of its methods.
    pub fn add_up(&mut self) {
        self.lines.clear();
        for (&number, line) in self.classes.iter().flat_map(|c| &c.methods).flat_map(|m| &m.lines) {
            self.lines.entry(number).or_default().add(line);
        }
    }

    /// Returns `com/example/Main.java`.
    pub fn path(&self) -> String {
        match self.package.as_str() {
            "" => self.name.clone(),
            package => format!("{package}/{}", self.name),
        }
    }
}

impl CoveredClass {
    /// Sorts methods in the order of the source.
    pub fn sort(&mut self) {
        let place = |a: &CoveredMethod, b: &CoveredMethod| {
            let parts = |m: &CoveredMethod| (m.first_line(), m.name.clone(), m.descriptor.clone());
            parts(a).cmp(&parts(b))
        };
        self.methods.sort_by(place);
    }

    /// Returns `Main$1` for `com/example/Main$1`.
    pub fn simple(&self) -> &str {
        let package = package(&self.name);
        self.name.strip_prefix(package).map_or(&self.name, |rest| rest.trim_start_matches('/'))
    }
}

impl CoveredMethod {
    /// Creates a method with these lines.
    pub fn new(
        name: String,
        descriptor: String,
        calls: u64,
        lines: BTreeMap<u32, LineOf>,
    ) -> CoveredMethod {
        let mut method = CoveredMethod { name, descriptor, calls, lines };
        // A log that lost its beginning has lines of a method and no call; an exception before its
        // first line leaves a call without lines.
        method.calls = if method.first_ran().is_some() { calls.max(1) } else { 0 };
        method
    }

    /// Returns the first line; methods have one.
    pub fn first_line(&self) -> u32 {
        self.lines.keys().next().copied().unwrap_or(0)
    }

    /// Returns the first line that ran.
    pub fn first_ran(&self) -> Option<u32> {
        self.lines.iter().find(|(_, of)| of.line.hits > 0).map(|(&number, _)| number)
    }
}
