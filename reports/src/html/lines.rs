//! Counters of blocks as hits of source lines, file by file.
//!
//! The hits of a line are those of the entry of it that was reached most often, in one method: a
//! line of several blocks is one line. Copies of a line (the method itself, and each place where a
//! compiler inlined it) add up. Behind the place of an exception nothing is counted: what is shown
//! ran for certain.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use decoder::replay::{BlockNo, Program};
use model::map::{Block, Method, MethodKind, NameId, Place, Terminator};

use super::facts::Facts;
use crate::dotted_name;
use crate::text::package;

/// The source file of a class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileKey {
    /// With slashes.
    pub package: String,
    /// Its name; without one in the app, that of the class, without ending.
    pub name: String,
}

/// What is known of a file's lines.
#[derive(Debug, Default)]
pub(super) struct FileLines {
    /// Hits by line, 0 for lines of the app that did not run.
    pub hits: BTreeMap<u32, u64>,
    /// Branches by line.
    pub branches: Vec<Branch>,
    /// Methods by their number in the map: first line.
    pub methods: BTreeMap<usize, u32>,
    /// Methods of the source that were inlined, by their number in the map's places.
    pub inlined: BTreeSet<u32>,
}

/// A branch and the line it is on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branch {
    pub line: u32,
    pub block: BlockNo,
}

/// A copy of lines: file, and the position that it was inlined at.
type Copy = (usize, u32);

/// Collects lines of all files of which something ran.
pub(super) struct Lines<'f, 'p, 'm> {
    program: &'p Program<'m>,
    facts: &'f Facts<'p, 'm>,
    keys: BTreeMap<FileKey, usize>,
    files: Vec<FileLines>,
    by_name: HashMap<(NameId, Option<NameId>), usize>,
}

impl<'f, 'p, 'm> Lines<'f, 'p, 'm> {
    /// The files of the methods that ran, by name.
    pub fn of(program: &'p Program<'m>, facts: &'f Facts<'p, 'm>) -> Vec<(FileKey, FileLines)> {
        let map = program.map;
        let mut lines = Lines {
            program,
            facts,
            keys: BTreeMap::new(),
            files: Vec::new(),
            by_name: HashMap::new(),
        };
        let all = || (0..).zip(&map.methods).filter(|(_, m)| m.kind != MethodKind::Outline);
        let ran: Vec<bool> = facts.calls.iter().map(|&n| n > 0).collect();
        let mut shown = BTreeSet::new();
        for (at, m) in all() {
            let of = lines.files_of(m);
            if ran[at] {
                shown.extend(of);
            }
        }
        let mut first = 0;
        for (at, m) in (0..).zip(&map.methods) {
            if m.kind != MethodKind::Outline && lines.files_of(m).iter().any(|f| shown.contains(f))
            {
                lines.method(at, m, first);
            }
            first += m.blocks.len() as u32;
        }
        let mut files: Vec<Option<FileLines>> = lines.files.into_iter().map(Some).collect();
        let keys = lines.keys.into_iter().filter(|(_, at)| shown.contains(at));
        keys.filter_map(|(key, at)| Some((key, files[at].take()?))).collect()
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

    /// All files that a method has lines of.
    fn files_of(&mut self, m: &Method) -> BTreeSet<usize> {
        let map = self.program.map;
        let mut files = BTreeSet::from([self.file(m.class, m.source_file)]);
        for (_, place) in m.blocks.iter().flat_map(|b| &b.lines) {
            if let Place::At(id) = place {
                for p in map.places.frames(*id) {
                    let s = &map.places.sources[p.method as usize];
                    files.insert(self.file(s.class, s.file));
                }
            }
        }
        files
    }

    /// The lines that a place stands for: file, copy and line, innermost first.
    fn places(&mut self, m: &Method, place: Place) -> Vec<(Copy, u32)> {
        let map = self.program.map;
        let own = self.file(m.class, m.source_file);
        match place {
            Place::Line(line) => vec![((own, 0), line)],
            Place::At(id) => {
                let frames: Vec<_> = map.places.frames(id).copied().collect();
                let place = |p: &model::map::Position| {
                    let s = map.places.sources[p.method as usize];
                    let file = self.file(s.class, s.file);
                    self.files[file].inlined.insert(p.method);
                    ((file, p.caller), p.line)
                };
                frames.iter().map(place).collect()
            }
        }
    }

    fn method(&mut self, at: usize, m: &Method, first: u32) {
        let mut copies: BTreeMap<Copy, BTreeMap<u32, u64>> = BTreeMap::new();
        let mut first_line = 0;
        for (number, b) in (first..).map(BlockNo).zip(&m.blocks) {
            for &(pc, place) in &b.lines {
                let reached = self.facts.reached(number, pc);
                for (copy, line) in self.places(m, place) {
                    if line > 0 {
                        let hits = copies.entry(copy).or_default().entry(line).or_default();
                        *hits = (*hits).max(reached);
                    }
                }
                if first_line == 0 {
                    first_line = place.own_line().unwrap_or(0);
                }
            }
            if let (Terminator::Branch { .. }, Some(place)) = (&b.terminator, end(b))
                && let Some(&((file, _), line)) = self.places(m, place).first()
                && line > 0
            {
                self.files[file].branches.push(Branch { line, block: number });
            }
        }
        let own = self.file(m.class, m.source_file);
        self.files[own].methods.insert(at, first_line);
        for ((file, _), lines) in copies {
            for (line, hits) in lines {
                let sum = self.files[file].hits.entry(line).or_default();
                *sum = sum.saturating_add(hits);
            }
        }
    }
}

/// The place in force at a block's end.
fn end(block: &Block) -> Option<Place> {
    block.lines.last().map(|l| l.1)
}
