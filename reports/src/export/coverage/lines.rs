//! Counters of blocks as hits of source lines, file by file.
//!
//! The hits of a line are those of its entry that was reached most often, in one method: a line of
//! several blocks is one line. Copies of a line (the method itself, and each place where a compiler
//! inlined it) add up. Nothing is counted after the point of an exception: shown lines ran for
//! certain.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use decoder::replay::{BlockNo, Program};
use model::descriptors::dotted_name;
use model::map::{Block, CodeOrigin, Method, MethodId, MethodKind, NameId, Position, SourceMethod};

use super::generated::{Alternative, SourceCode};
use crate::base::counts::Counts;
use crate::base::method_names::package;

/// The source file of a class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileKey {
    /// Package, with slashes.
    pub package: String,
    /// Its name; if the app has none, that of the class, without an extension.
    pub name: String,
}

/// Lines of a file.
#[derive(Debug, Default)]
pub(crate) struct FileLines {
    /// First line of each of the app's methods, by index in the map.
    pub methods: BTreeMap<usize, u32>,
    /// Source methods that were inlined, by index in the map's places.
    pub inlined: BTreeSet<u32>,
    /// Lines by source method.
    pub sources: Vec<SourceLines>,
    /// True if a method with lines of this file ran.
    pub ran: bool,
    /// True if the app has a method of its own in this file.
    own: bool,
}

impl FileLines {
    /// Returns the lines of each class, by dotted name: for files whose name a shrinker removed, so
    /// that many classes share it.
    pub fn by_class(
        self,
        program: &Program<'_>,
        counts: &Counts<'_, '_>,
    ) -> Vec<(String, FileLines)> {
        let map = program.map;
        let mut classes: BTreeMap<String, FileLines> = BTreeMap::new();
        let name = |class| dotted_name(map.name(class));
        for (at, line) in self.methods {
            let of = classes.entry(name(map.methods[at].class)).or_default();
            of.ran |= counts.calls()[at] > 0;
            of.methods.insert(at, line);
        }
        for source in self.inlined {
            let of = classes.entry(name(map.places.sources[source as usize].class)).or_default();
            of.inlined.insert(source);
        }
        for source in self.sources {
            let of = classes.entry(name(source.method.class)).or_default();
            of.ran |= source.lines.values().any(|line| line.hits > 0);
            of.sources.push(source);
        }
        classes.into_iter().collect()
    }
}

/// Lines of a source method, in all its copies.
#[derive(Debug)]
pub(crate) struct SourceLines {
    pub method: SourceMethod,
    /// Number of calls; for an inlined copy, the number of times that its first line was reached.
    pub calls: u64,
    /// True if the compiler made it.
    pub made: bool,
    /// Its first line, if it is a method of the app.
    first: Option<u32>,
    pub lines: BTreeMap<u32, LineCounts>,
    pub branches: Vec<Branch>,
}

/// Counters of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LineCounts {
    /// Number of hits; 0 for lines of the app that did not run.
    pub hits: u64,
    /// Number of code units that were reached.
    pub covered: u64,
    /// Number of code units that were not reached.
    pub missed: u64,
}

impl LineCounts {
    /// Adds another copy of the line, or another method on it.
    pub fn add(&mut self, other: LineCounts) {
        self.hits = self.hits.saturating_add(other.hits);
        self.covered = self.covered.saturating_add(other.covered);
        self.missed = self.missed.saturating_add(other.missed);
    }
}

/// A branch and the line it is on, in all its copies.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub line: u32,
    /// The block that the first copy ends.
    pub block: BlockNo,
    pub alternatives: Vec<Alternative>,
}

impl Branch {
    /// Returns the number of times that each alternative was taken.
    pub fn taken(&self, program: &Program<'_>, counts: &Counts<'_, '_>) -> Vec<u64> {
        self.alternatives.iter().map(|a| a.taken(program, counts)).collect()
    }

    /// Returns the number of the block that an alternative of the first copy leads to.
    pub fn target(&self, program: &Program<'_>, alternative: &Alternative) -> u32 {
        let (_, at) = program.locate(self.block);
        self.block.0 - at as u32 + alternative.target.0
    }
}

impl SourceLines {
    /// Adds the branches of a line in a copy of the method. Several calls on one line may have
    /// copied it several times; copies with the same branches are one.
    fn add_branches(&mut self, line: u32, copy: Vec<Branch>) {
        let (known, others) =
            std::mem::take(&mut self.branches).into_iter().partition(|b| b.line == line);
        self.branches = others;
        self.branches.extend(folded(known, copy));
    }
}

/// Merges the branches of two copies of a line; equal branches appear once.
fn folded(known: Vec<Branch>, copy: Vec<Branch>) -> Vec<Branch> {
    let shape = |b: &Branch| b.alternatives.len();
    let mut all = known;
    let length = if all.is_empty() { copy.len() } else { all.len().min(copy.len()) };
    all.extend(copy);
    if length == 0 {
        return all;
    }
    let same = (length..all.len()).all(|at| shape(&all[at]) == shape(&all[at % length]));
    if !all.len().is_multiple_of(length) || !same {
        return all;
    }
    for (at, other) in all.split_off(length).into_iter().enumerate() {
        let both = all[at % length].alternatives.iter_mut().zip(other.alternatives);
        both.for_each(|(alternative, copy)| alternative.add(copy));
    }
    all
}

/// A copy of lines: source method, and the position that it was inlined at.
type Copy = (usize, u32);

/// Collects lines of all files.
pub(crate) struct Lines<'f, 'p, 'm> {
    program: &'p Program<'m>,
    counts: &'f Counts<'p, 'm>,
    keys: BTreeMap<FileKey, usize>,
    files: Vec<FileLines>,
    by_name: HashMap<(NameId, Option<NameId>), usize>,
    /// Source methods, each with its file.
    sources: Vec<(usize, SourceLines)>,
    by_source: HashMap<SourceMethod, usize>,
    /// Copies of methods: first line, and the number of times that it was reached.
    copies: Vec<(usize, u32, u64)>,
}

impl<'f, 'p, 'm> Lines<'f, 'p, 'm> {
    /// Returns all files by name.
    pub fn of(program: &'p Program<'m>, counts: &'f Counts<'p, 'm>) -> Vec<(FileKey, FileLines)> {
        let mut lines = Lines {
            program,
            counts,
            keys: BTreeMap::new(),
            files: Vec::new(),
            by_name: HashMap::new(),
            sources: Vec::new(),
            by_source: HashMap::new(),
            copies: Vec::new(),
        };
        for m in program.map.methods.iter().filter(|m| m.kind != MethodKind::Outline) {
            let file = lines.file(m.class, m.source_file);
            lines.files[file].own = true;
        }
        let mut first = 0;
        for (at, m) in program.map.methods.iter().enumerate() {
            if m.kind != MethodKind::Outline {
                lines.method(at, m, first);
            }
            first += m.blocks.len() as u32;
        }
        lines.add_calls();
        let mut files = lines.files;
        for (file, source) in lines.sources {
            files[file].sources.push(source);
        }
        let mut files: Vec<Option<FileLines>> = files.into_iter().map(Some).collect();
        lines.keys.into_iter().filter_map(|(key, at)| Some((key, files[at].take()?))).collect()
    }

    fn file(&mut self, class: NameId, file: Option<NameId>) -> usize {
        if let Some(&known) = self.by_name.get(&(class, file)) {
            return known;
        }
        let map = self.program.map;
        let descriptor = map.name(class);
        let dotted = dotted_name(descriptor);
        let simple = dotted.rsplit('.').next().unwrap_or(&dotted);
        let outer = simple.split('$').next().unwrap_or(simple);
        let name = file.map(|f| map.name(f)).filter(|f| !f.is_empty()).unwrap_or(outer);
        let key = FileKey { package: package(descriptor).to_owned(), name: name.to_owned() };
        let next = self.files.len();
        let at = *self.keys.entry(key).or_insert(next);
        if at == next {
            self.files.push(FileLines::default());
        }
        self.by_name.insert((class, file), at);
        at
    }

    /// Returns the index of a source method.
    fn source(&mut self, method: SourceMethod) -> usize {
        if let Some(&known) = self.by_source.get(&method) {
            return known;
        }
        let file = self.file(method.class, method.file);
        let (lines, branches) = (BTreeMap::new(), Vec::new());
        let source = SourceLines { method, calls: 0, made: false, first: None, lines, branches };
        self.sources.push((file, source));
        let at = self.sources.len() - 1;
        self.by_source.insert(method, at);
        at
    }

    /// Returns the lines of a position, innermost first; `None` for a line outside the app.
    fn places(&mut self, own: usize, place: CodeOrigin) -> Vec<Option<(Copy, u32)>> {
        let map = self.program.map;
        match place {
            CodeOrigin::Line(line) => vec![Some(((own, 0), line))],
            CodeOrigin::At(id) => {
                let place = |p: &Position| {
                    let method = map.places.sources[p.method as usize];
                    if self.is_foreign(&method) {
                        return None;
                    }
                    let source = self.source(method);
                    let file = self.sources[source].0;
                    self.files[file].inlined.insert(p.method);
                    Some(((source, p.caller), p.line))
                };
                map.places.frames(id).map(place).collect()
            }
        }
    }

    /// Returns true if inlined code is of a library: a source map names its file, but the app has
    /// no method there that could have run.
    fn is_foreign(&mut self, method: &SourceMethod) -> bool {
        if !self.program.map.is_unknown(method) {
            return false;
        }
        let file = self.file(method.class, method.file);
        !self.files[file].own
    }

    fn method(&mut self, at: usize, m: &Method, first: u32) {
        let (class, name, descriptor) = (m.class, m.name, m.descriptor);
        let own = self.source(SourceMethod { class, name, descriptor, file: m.source_file });
        let calls = self.counts.calls()[at];
        let written = SourceCode::of(self.program.map, MethodId(at as u32 + 1), m, first);
        let mut copies: BTreeMap<Copy, BTreeMap<u32, LineCounts>> = BTreeMap::new();
        let mut entered: BTreeMap<Copy, u64> = BTreeMap::new();
        let mut first_line = 0;
        for (number, b) in (first..).map(BlockNo).zip(&m.blocks) {
            for (i, &(pc, place)) in b.lines.iter().enumerate() {
                let end = b.lines.get(i + 1).map_or(b.end, |next| next.0);
                // Only damaged maps have entries without code.
                let parts = written.parts(pc, end.max(pc.saturating_add(1)));
                let Some(&(from, _)) = parts.first() else { continue };
                let units = parts.iter().map(|(from, to)| u64::from(to - from)).sum::<u64>();
                let hits = self.counts.reached(number, from);
                for (copy, line) in self.places(own, place).into_iter().flatten() {
                    entered.entry(copy).or_insert(hits);
                    if line > 0 {
                        let of = copies.entry(copy).or_default().entry(line).or_default();
                        of.hits = of.hits.max(hits);
                        *(if hits > 0 { &mut of.covered } else { &mut of.missed }) += units;
                    }
                }
                if first_line == 0 {
                    first_line = place.own_line().unwrap_or(0);
                }
            }
        }
        let mut branches: BTreeMap<(Copy, u32), Vec<Branch>> = BTreeMap::new();
        for (id, alternatives) in written.branches() {
            if let Some(place) = end(&m.blocks[id.0 as usize])
                && let Some(&Some((copy, line))) = self.places(own, place).first()
                && line > 0
            {
                let block = BlockNo(first + id.0);
                branches.entry((copy, line)).or_default().push(Branch {
                    line,
                    block,
                    alternatives,
                });
            }
        }
        for (((source, _), line), copy) in branches {
            self.sources[source].1.add_branches(line, copy);
        }
        let (file, source) = &mut self.sources[own];
        source.calls = source.calls.saturating_add(calls);
        source.first = source.first.or(Some(first_line).filter(|l| *l > 0));
        source.made |= matches!(m.kind, MethodKind::Synthesized | MethodKind::Added);
        self.files[*file].methods.insert(at, first_line);
        self.files[*file].ran |= calls > 0;
        for (copy, reached) in entered {
            let file = self.sources[copy.0].0;
            self.files[file].ran |= calls > 0;
            if copy != (own, 0) {
                let first = copies.get(&copy).and_then(|lines| lines.keys().next());
                self.copies.push((copy.0, first.copied().unwrap_or(0), reached));
            }
        }
        for ((source, _), lines) in copies {
            for (line, of) in lines {
                self.sources[source].1.lines.entry(line).or_default().add(of);
            }
        }
    }
}

impl Lines<'_, '_, '_> {
    /// Counts copies of methods as calls. A copy that begins further down is that of a lambda in
    /// the method, which a source map does not distinguish.
    fn add_calls(&mut self) {
        let of_kotlin = !self.program.map.code_lines.is_empty();
        for (source, first, reached) in std::mem::take(&mut self.copies) {
            let source = &mut self.sources[source].1;
            if !of_kotlin || source.first.is_none_or(|own| first <= own) {
                source.calls = source.calls.saturating_add(reached);
            }
        }
    }
}

/// Returns the source position in force at a block's end.
fn end(block: &Block) -> Option<CodeOrigin> {
    block.lines.last().map(|l| l.1)
}
