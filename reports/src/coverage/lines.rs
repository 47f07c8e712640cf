//! Counters of blocks as hits of source lines, file by file.
//!
//! The hits of a line are those of the entry of it that was reached most often, in one method: a
//! line of several blocks is one line. Copies of a line (the method itself, and each place where a
//! compiler inlined it) add up. Behind the place of an exception nothing is counted: what is shown
//! ran for certain.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use decoder::replay::{BlockNo, Program};
use model::map::{Block, Method, MethodKind, NameId, Place, Position, SourceMethod, Terminator};

use crate::counts::Counts;
use crate::dotted_name;
use crate::text::package;

/// The source file of a class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileKey {
    /// With slashes.
    pub package: String,
    /// Its name; without one in the app, that of the class, without ending.
    pub name: String,
}

/// What is known of a file's lines.
#[derive(Debug, Default)]
pub(crate) struct FileLines {
    /// Methods of the app by their number in the map: first line.
    pub methods: BTreeMap<usize, u32>,
    /// Methods of the source that were inlined, by their number in the map's places.
    pub inlined: BTreeSet<u32>,
    /// Lines by method of the source.
    pub sources: Vec<SourceLines>,
    /// Whether a method ran that has lines of this file.
    pub ran: bool,
}

/// What is known of a method of the source, in all its copies.
#[derive(Debug)]
pub(crate) struct SourceLines {
    pub method: SourceMethod,
    /// Calls of the method; of an inlined copy, how often its first line was reached.
    pub calls: u64,
    /// The compiler made it.
    pub made: bool,
    pub lines: BTreeMap<u32, Line>,
    pub branches: Vec<Branch>,
}

/// A line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// 0 for lines of the app that did not run.
    pub hits: u64,
    /// Code units that were reached.
    pub covered: u64,
    /// Code units that were not.
    pub missed: u64,
}

impl Line {
    /// Another copy of the line, or another method on it.
    pub fn add(&mut self, other: Line) {
        self.hits = self.hits.saturating_add(other.hits);
        self.covered = self.covered.saturating_add(other.covered);
        self.missed = self.missed.saturating_add(other.missed);
    }
}

/// A branch and the line it is on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Branch {
    pub line: u32,
    pub block: BlockNo,
}

/// A copy of lines: method of the source, and the position that it was inlined at.
type Copy = (usize, u32);

/// Collects lines of all files.
pub(crate) struct Lines<'f, 'p, 'm> {
    program: &'p Program<'m>,
    counts: &'f Counts<'p, 'm>,
    keys: BTreeMap<FileKey, usize>,
    files: Vec<FileLines>,
    by_name: HashMap<(NameId, Option<NameId>), usize>,
    /// Methods of the source, each with its file.
    sources: Vec<(usize, SourceLines)>,
    by_source: HashMap<SourceMethod, usize>,
}

impl<'f, 'p, 'm> Lines<'f, 'p, 'm> {
    /// All files by name.
    pub fn of(program: &'p Program<'m>, counts: &'f Counts<'p, 'm>) -> Vec<(FileKey, FileLines)> {
        let mut lines = Lines {
            program,
            counts,
            keys: BTreeMap::new(),
            files: Vec::new(),
            by_name: HashMap::new(),
            sources: Vec::new(),
            by_source: HashMap::new(),
        };
        let mut first = 0;
        for (at, m) in program.map.methods.iter().enumerate() {
            if m.kind != MethodKind::Outline {
                lines.method(at, m, first);
            }
            first += m.blocks.len() as u32;
        }
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

    /// The number of a method of the source.
    fn source(&mut self, method: SourceMethod) -> usize {
        if let Some(&known) = self.by_source.get(&method) {
            return known;
        }
        let file = self.file(method.class, method.file);
        let (lines, branches) = (BTreeMap::new(), Vec::new());
        let source = SourceLines { method, calls: 0, made: false, lines, branches };
        self.sources.push((file, source));
        let at = self.sources.len() - 1;
        self.by_source.insert(method, at);
        at
    }

    /// The lines that a place stands for, innermost first.
    fn places(&mut self, own: usize, place: Place) -> Vec<(Copy, u32)> {
        let map = self.program.map;
        match place {
            Place::Line(line) => vec![((own, 0), line)],
            Place::At(id) => {
                let place = |p: &Position| {
                    let source = self.source(map.places.sources[p.method as usize]);
                    let file = self.sources[source].0;
                    self.files[file].inlined.insert(p.method);
                    ((source, p.caller), p.line)
                };
                map.places.frames(id).map(place).collect()
            }
        }
    }

    fn method(&mut self, at: usize, m: &Method, first: u32) {
        let (class, name, descriptor) = (m.class, m.name, m.descriptor);
        let own = self.source(SourceMethod { class, name, descriptor, file: m.source_file });
        let calls = self.counts.calls()[at];
        let mut copies: BTreeMap<Copy, BTreeMap<u32, Line>> = BTreeMap::new();
        let mut entered: BTreeMap<Copy, u64> = BTreeMap::new();
        let mut first_line = 0;
        for (number, b) in (first..).map(BlockNo).zip(&m.blocks) {
            for (i, &(pc, place)) in b.lines.iter().enumerate() {
                let end = b.lines.get(i + 1).map_or(b.end, |next| next.0);
                // Only damaged maps have entries without code.
                let units = u64::from(end.saturating_sub(pc).max(1));
                let hits = self.counts.reached(number, pc);
                for (copy, line) in self.places(own, place) {
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
            if let (Terminator::Branch { .. }, Some(place)) = (&b.terminator, end(b))
                && let Some(&((source, _), line)) = self.places(own, place).first()
                && line > 0
            {
                self.sources[source].1.branches.push(Branch { line, block: number });
            }
        }
        let (file, source) = &mut self.sources[own];
        source.calls = source.calls.saturating_add(calls);
        source.made |= matches!(m.kind, MethodKind::Synthesized | MethodKind::Added);
        self.files[*file].methods.insert(at, first_line);
        self.files[*file].ran |= calls > 0;
        for (copy, reached) in entered {
            let (file, source) = &mut self.sources[copy.0];
            self.files[*file].ran |= calls > 0;
            if copy != (own, 0) {
                source.calls = source.calls.saturating_add(reached);
            }
        }
        for ((source, _), lines) in copies {
            for (line, of) in lines {
                self.sources[source].1.lines.entry(line).or_default().add(of);
            }
        }
    }
}

/// The place in force at a block's end.
fn end(block: &Block) -> Option<Place> {
    block.lines.last().map(|l| l.1)
}
