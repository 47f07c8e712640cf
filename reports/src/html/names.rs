//! Methods and classes as the page names them, numbered in the order of their first use.

use std::collections::HashMap;

use decoder::replay::{BlockNo, Program};
use model::descriptors::dotted_name;
use model::map::{CodeOrigin, MethodId, MethodKind, NameId, PositionId};
use serde::Serialize;

use crate::base::escape::visible;
use crate::base::method_names::parameters;
use crate::base::own::OwnClasses;

/// A method of the app, or a source method that the compiler inlined.
#[derive(Debug, Serialize)]
pub(super) struct NamedMethod {
    /// Index in the list of classes.
    c: u32,
    /// Name.
    n: String,
    /// Parameters, as in source.
    p: String,
    /// 1: exists only in the source; 2: made by the compiler; 3: an outline.
    #[serde(skip_serializing_if = "is_zero")]
    k: u8,
    /// Its id, if it is a method of the app.
    #[serde(skip_serializing_if = "Option::is_none")]
    m: Option<u32>,
    /// Number of calls; unknown for inlined methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<u64>,
    /// Number of its first block.
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u32>,
    /// Line entries of each block: a line of the method, 0 for none, or a negative number for a
    /// position (-1 is the first).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<Vec<i64>>,
}

fn is_zero(n: &u8) -> bool {
    *n == 0
}

/// Numbers methods, classes and positions when they are first used.
pub(super) struct NameTables<'p, 'm> {
    program: &'p Program<'m>,
    calls: &'p [u64],
    own: OwnClasses<'p>,
    classes: Vec<String>,
    /// 1 for classes of the app's own, 0 for those of libraries.
    own_classes: Vec<u8>,
    class_of: HashMap<NameId, u32>,
    pub rows: Vec<NamedMethod>,
    methods: HashMap<u32, u32>,
    sources: HashMap<u32, u32>,
    /// NamedMethod, line, and the caller's position plus one (0: no caller).
    positions: Vec<(u32, u32, u32)>,
    position_of: HashMap<PositionId, u32>,
}

/// The name tables of the page.
#[derive(Debug, Serialize)]
pub(super) struct PackedNames {
    classes: Vec<String>,
    own: Vec<u8>,
    frames: Vec<NamedMethod>,
    positions: Vec<(u32, u32, u32)>,
}

impl<'p, 'm> NameTables<'p, 'm> {
    /// Creates empty tables; `calls` has the number of calls of each method, `own` the globs of
    /// the app's own classes.
    pub fn new(program: &'p Program<'m>, calls: &'p [u64], own: &'p [String]) -> Self {
        NameTables {
            program,
            calls,
            own: OwnClasses::new(program.map, own),
            classes: Vec::new(),
            own_classes: Vec::new(),
            class_of: HashMap::new(),
            rows: Vec::new(),
            methods: HashMap::new(),
            sources: HashMap::new(),
            positions: Vec::new(),
            position_of: HashMap::new(),
        }
    }

    fn class(&mut self, class: NameId) -> u32 {
        *self.class_of.entry(class).or_insert_with(|| {
            self.own_classes.push(self.own.has(self.program.map, class).into());
            self.classes.push(visible(&dotted_name(self.program.map.name(class))).into_owned());
            self.classes.len() as u32 - 1
        })
    }

    fn row(&mut self, class: NameId, name: NameId, descriptor: NameId) -> NamedMethod {
        let (c, map) = (self.class(class), self.program.map);
        let descriptor = map.name(descriptor);
        let list = parameters(descriptor).map(|list| format!("({list})"));
        let p = visible(&list.unwrap_or_else(|| descriptor.to_owned())).into_owned();
        let n = visible(map.name(name)).into_owned();
        NamedMethod { c, n, p, k: 0, m: None, calls: None, b: None, lines: Vec::new() }
    }

    /// Returns the number of a method of the app.
    pub fn method(&mut self, method: MethodId) -> u32 {
        if let Some(&known) = self.methods.get(&method.0) {
            return known;
        }
        let map = self.program.map;
        let at = method.0 as usize - 1;
        let m = &map.methods[at];
        let row = self.row(m.class, m.name, m.descriptor);
        let number = self.rows.len() as u32;
        self.methods.insert(method.0, number);
        let kind = match m.kind {
            MethodKind::Source => 0,
            MethodKind::Synthesized | MethodKind::Added => 2,
            MethodKind::Outline => 3,
        };
        let calls = self.calls.get(at).copied();
        self.rows.push(NamedMethod { k: kind, m: Some(method.0), calls, ..row });
        number
    }

    /// Returns the number of an inlined method.
    pub fn source(&mut self, source: u32) -> u32 {
        if let Some(&known) = self.sources.get(&source) {
            return known;
        }
        let s = self.program.map.places.sources[source as usize];
        let row = self.row(s.class, s.name, s.descriptor);
        let number = self.rows.len() as u32;
        self.sources.insert(source, number);
        self.rows.push(NamedMethod { k: 1, ..row });
        number
    }

    /// Returns the number of the method that contains a block, and adds the lines of its blocks.
    pub fn block(&mut self, block: BlockNo) -> u32 {
        let (method, at) = self.program.locate(block);
        self.blocks_of(method, block.0 - at as u32)
    }

    /// Returns the number of a method, and adds the lines of its blocks.
    pub fn blocks_of(&mut self, method: MethodId, first: u32) -> u32 {
        let number = self.method(method);
        if self.rows[number as usize].b.is_some() {
            return number;
        }
        let m = &self.program.map.methods[method.0 as usize - 1];
        let place = |names: &mut Self, place: CodeOrigin| match place {
            CodeOrigin::Line(line) => i64::from(line),
            CodeOrigin::At(id) => -1 - i64::from(names.position(id)),
        };
        let mut lines = Vec::with_capacity(m.blocks.len());
        for block in &m.blocks {
            let mut of_block: Vec<i64> = Vec::new();
            if m.kind != MethodKind::Outline {
                of_block.extend(block.lines.iter().map(|l| place(self, l.1)));
            }
            lines.push(of_block);
        }
        let row = &mut self.rows[number as usize];
        (row.b, row.lines) = (Some(first), lines);
        number
    }

    fn position(&mut self, id: PositionId) -> u32 {
        if let Some(&known) = self.position_of.get(&id) {
            return known;
        }
        let p = self.program.map.places.positions[id.0 as usize];
        // Chains have 255 frames at most.
        let caller = p.caller().map_or(0, |caller| self.position(caller) + 1);
        let row = self.source(p.method);
        self.positions.push((row, p.line, caller));
        let number = self.positions.len() as u32 - 1;
        self.position_of.insert(id, number);
        number
    }

    /// Returns all names that were used.
    pub fn tables(self) -> PackedNames {
        let NameTables { classes, own_classes: own, rows: frames, positions, .. } = self;
        PackedNames { classes, own, frames, positions }
    }
}
