//! Source positions of code, for the map: maps lines of the app to positions of the source.

use std::collections::{BTreeMap, HashMap};

use model::map::{
    CodeLine, CodeOrigin, InApp, MAX_FRAMES, MethodId, MethodKind, NameId, OutlineCall, Position,
    PositionId, Rewrite, SourceMethod, SourcePositions,
};
use model::mapping::{Frames, MappedFrame, MappedLine, Mapping, MethodMapping};

use crate::map_names::NameTable;
use crate::source_maps::{Elsewhere, Inlinee, LineSource, SourceMaps};

/// Lines of a method as its code has them.
#[derive(Debug, Default)]
pub(crate) struct CodeLines {
    /// Address and line pairs per block. Addresses replace lines if the method has none.
    pub blocks: Vec<Vec<(u32, u32)>>,
    /// Address and line of each call that has a line.
    pub calls: Vec<(u32, u32)>,
    /// True if the lines are addresses.
    pub addresses: bool,
    /// Names of inlined functions by line.
    pub inlined: BTreeMap<u32, String>,
}

/// A method as the app names it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AppMethod<'a> {
    pub class: &'a str,
    pub name: &'a str,
    pub descriptor: &'a str,
    /// True if the compiler marks the method as absent from the source.
    pub added: bool,
    /// Source file of its class.
    pub file: Option<&'a str>,
}

/// Returns true if a synthetic method of this name holds source code: bodies of lambdas, interface
/// methods that D8 moved to a companion class, Kotlin's functions with default arguments and
/// overridable suspending functions.
fn is_written(class: &str, name: &str) -> bool {
    class.ends_with("$-CC;")
        || name.contains("lambda$")
        || name.ends_with("$default")
        || name.ends_with("$suspendImpl")
}

/// Names and lines of a method in the map.
pub(crate) struct Named {
    pub class: NameId,
    pub name: NameId,
    pub descriptor: NameId,
    pub file: Option<NameId>,
    pub in_app: Option<InApp>,
    pub kind: MethodKind,
    /// First address and source position of each run of instructions, per block.
    pub lines: Vec<Vec<(u32, CodeOrigin)>>,
}

/// Collects the source positions of all methods; equal ones are stored once.
pub(crate) struct PositionBuilder<'o> {
    mapping: Option<&'o Mapping>,
    source_maps: SourceMaps<'o>,
    places: SourcePositions,
    code_lines: Vec<CodeLine>,
    sources: HashMap<SourceMethod, u32>,
    positions: HashMap<Key, PositionId>,
}

/// Identity of a position: the position itself, its number among copies of a call, and the
/// exceptions that change the shown frames.
type Key = (Position, u32, Vec<(NameId, u32)>);

/// A frame of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SourceFrame {
    method: SourceMethod,
    /// Line number; 0 if unknown.
    line: u32,
    /// Number of the copy of its call, if code was inlined several times at one line.
    copy: u32,
}

impl SourceFrame {
    fn new(method: SourceMethod, line: u32) -> SourceFrame {
        SourceFrame { method, line, copy: 0 }
    }
}

impl<'o> PositionBuilder<'o> {
    pub fn new(mapping: Option<&'o Mapping>, source_maps: SourceMaps<'o>) -> Self {
        Self {
            mapping,
            source_maps,
            places: SourcePositions::default(),
            code_lines: Vec::new(),
            sources: HashMap::new(),
            positions: HashMap::new(),
        }
    }

    pub fn finish(mut self) -> (SourcePositions, Vec<CodeLine>) {
        self.places.rewrites.sort_by_key(|r| r.position);
        self.code_lines.sort_unstable();
        self.code_lines.dedup();
        (self.places, self.code_lines)
    }

    /// Maps the names and lines of a method.
    pub fn method(
        &mut self,
        id: MethodId,
        app: AppMethod<'_>,
        lines: CodeLines,
        names: &mut NameTable,
    ) -> Named {
        let known = self.mapping.filter(|m| m.has_class(app.class));
        let mapped = known.and_then(|m| m.method(app.class, app.name, app.descriptor));
        let (class, name, descriptor) = match (&mapped, self.mapping) {
            (Some(m), _) => {
                let f = m.source();
                (f.class.to_owned(), f.name.to_owned(), f.descriptor.to_owned())
            }
            (None, Some(m)) => (
                m.type_descriptor(app.class),
                app.name.to_owned(),
                m.method_descriptor(app.descriptor),
            ),
            (None, None) => (app.class.into(), app.name.into(), app.descriptor.into()),
        };
        let same = class == app.class && name == app.name && descriptor == app.descriptor;
        let in_app = (!same).then(|| InApp {
            class: names.add(app.class),
            name: names.add(app.name),
            descriptor: names.add(app.descriptor),
        });
        let file = match known {
            Some(mapping) => mapping.source_file(&class, app.file),
            None => app.file.map(str::to_owned),
        };
        let kind = match &mapped {
            Some(m) if m.is_outline() => MethodKind::Outline,
            Some(m) if m.is_synthesized() => MethodKind::Synthesized,
            _ if app.added && !is_written(&class, &name) => MethodKind::Added,
            _ => MethodKind::Source,
        };
        let own = SourceMethod {
            class: names.add(&class),
            name: names.add(&name),
            descriptor: names.add(&descriptor),
            file: file.map(|f| names.add(&f)),
        };
        let mapped = mapped.filter(|_| kind != MethodKind::Outline);
        let mut method = InMethod {
            builder: self,
            mapped,
            own,
            class: &class,
            app,
            addresses: lines.addresses,
            outline: kind == MethodKind::Outline,
            inlined: lines.inlined,
            known: HashMap::new(),
            last: CodeOrigin::Line(0),
        };
        let blocks = lines.blocks.into_iter().map(|block| method.block(block, names)).collect();
        let calls = lines.calls.into_iter();
        let calls: Vec<_> =
            calls.filter_map(|(pc, line)| method.call(id, pc, line, names)).collect();
        self.places.outline_calls.extend(calls);
        Named {
            class: own.class,
            name: own.name,
            descriptor: own.descriptor,
            file: own.file,
            in_app,
            kind,
            lines: blocks,
        }
    }

    fn source(&mut self, source: SourceMethod) -> u32 {
        let sources = &mut self.places.sources;
        *self.sources.entry(source).or_insert_with(|| {
            sources.push(source);
            sources.len() as u32 - 1
        })
    }

    fn position(&mut self, key: Key) -> PositionId {
        let places = &mut self.places;
        *self.positions.entry(key).or_insert_with_key(|(position, _, rewrites)| {
            let id = places.positions.len() as u32;
            places.positions.push(*position);
            let rewrites = rewrites.iter();
            let rewrites =
                rewrites.map(|&(thrown, remove)| Rewrite { position: id, thrown, remove });
            places.rewrites.extend(rewrites);
            PositionId(id)
        })
    }
}

/// Lines of one method while they are mapped.
struct InMethod<'b, 'o, 'a> {
    builder: &'b mut PositionBuilder<'o>,
    mapped: Option<MethodMapping<'o>>,
    own: SourceMethod,
    /// Descriptor of its class in the source.
    class: &'a str,
    app: AppMethod<'a>,
    addresses: bool,
    outline: bool,
    /// Names of inlined functions by line.
    inlined: BTreeMap<u32, String>,
    /// Positions by line of the app; `None` for a line without source, which continues the line
    /// before.
    known: HashMap<u32, Option<CodeOrigin>>,
    /// Position of the line before.
    last: CodeOrigin,
}

/// Name of an inlined method that the app does not have; its descriptor is empty.
const UNKNOWN: &str = "<inline>";

impl InMethod<'_, '_, '_> {
    /// Maps the lines of a block; consecutive entries with equal positions become one.
    fn block(&mut self, lines: Vec<(u32, u32)>, names: &mut NameTable) -> Vec<(u32, CodeOrigin)> {
        let mut out: Vec<(u32, CodeOrigin)> = Vec::with_capacity(lines.len());
        for (pc, line) in lines {
            let place = self.place(line, names).unwrap_or(self.last);
            self.last = place;
            let last = out.last().map_or(CodeOrigin::Line(0), |l| l.1);
            if place != last {
                out.push((pc, place));
            }
        }
        out.shrink_to_fit();
        out
    }

    fn place(&mut self, line: u32, names: &mut NameTable) -> Option<CodeOrigin> {
        if self.outline {
            // Numbers in an outline are no lines: the callers of the outline map them.
            return Some(CodeOrigin::Line(line));
        }
        if let Some(&known) = self.known.get(&line) {
            return known;
        }
        let place = match &self.mapped {
            None if self.addresses => Some(CodeOrigin::Line(0)),
            None => self.of_line(line, names),
            // The mapping knows the method, but not every line.
            Some(mapped) => Some(match mapped.at(Some(line)) {
                None => CodeOrigin::Line(0),
                Some(frames) => self.of_frames(&frames, line, names),
            }),
        };
        self.known.insert(line, place);
        place
    }

    /// Maps a line of code without a mapping.
    fn of_line(&mut self, line: u32, names: &mut NameTable) -> Option<CodeOrigin> {
        let frames = self.with_inlined(self.class, self.own, line, names);
        if line > 0 && frames == [SourceFrame::new(self.own, 0)] {
            return None;
        }
        let place = self.chain(frames, &[]);
        if let (CodeOrigin::At(id), None) = (place, self.builder.mapping) {
            self.builder.code_lines.push(CodeLine { position: id.0, line });
        }
        Some(place)
    }

    /// Returns the frames of a line of a method, outermost first: the method and the functions that
    /// Kotlin has inlined at the line.
    fn with_inlined(
        &mut self,
        class: &str,
        method: SourceMethod,
        line: u32,
        names: &mut NameTable,
    ) -> Vec<SourceFrame> {
        let maps = &mut self.builder.source_maps;
        if !maps.has(class) {
            return vec![SourceFrame::new(method, line)];
        }
        let file = method.file.map(|f| names.get(f).to_owned());
        let found = maps.find(class, file.as_deref(), line);
        let code = match found {
            LineSource::Own => return vec![SourceFrame::new(method, line)],
            LineSource::None => return vec![SourceFrame::new(method, 0)],
            LineSource::Elsewhere(code) => code,
        };
        let Elsewhere { class, file, line: at, call, copy, .. } = code;
        let (name, descriptor) = match code.method {
            Inlinee::Known(name, descriptor) => (names.add(&name), names.add(&descriptor)),
            Inlinee::Copied => (method.name, names.add("")),
            Inlinee::Unknown => {
                let known = self.inlined.range(code.first..=line).next_back();
                (names.add(known.map_or(UNKNOWN, |(_, name)| name)), names.add(""))
            }
        };
        let (class, file) = (names.add(&class), Some(names.add(&file)));
        let inlined = SourceMethod { class, name, descriptor, file };
        vec![SourceFrame { method, line: call, copy }, SourceFrame::new(inlined, at)]
    }

    fn of_frames(&mut self, frames: &Frames<'_>, line: u32, names: &mut NameTable) -> CodeOrigin {
        let of_frame = |frame: &MappedFrame<'_>| {
            let (method, line) = self.of_frame(frame, line, names);
            self.with_inlined(frame.class, method, line, names)
        };
        let shown: Vec<Vec<_>> = frames.shown(None).iter().rev().map(of_frame).collect();
        // One frame of the mapping may be two frames here.
        let count = |frames: u32| {
            let inner = shown.iter().rev().take(frames as usize);
            frames + inner.map(|frame| frame.len() as u32 - 1).sum::<u32>()
        };
        let rewrites = frames.rewrites().map(|r| (names.add(r.thrown), count(r.remove)));
        let rewrites: Vec<_> = rewrites.collect();
        self.chain(shown.concat(), &rewrites)
    }

    /// Returns the position of a chain of frames, outermost first.
    fn chain(&mut self, frames: Vec<SourceFrame>, rewrites: &[(NameId, u32)]) -> CodeOrigin {
        match &frames[..] {
            [] => return CodeOrigin::Line(0),
            [frame] if frame.method == self.own && rewrites.is_empty() => {
                return CodeOrigin::Line(frame.line);
            }
            _ => {}
        }
        // Chains that exceed the limit lose their outermost frames.
        let from = frames.len().saturating_sub(MAX_FRAMES);
        let last = frames.len() - 1;
        let mut caller = 0;
        for (i, frame) in frames.into_iter().enumerate().skip(from) {
            let method = self.builder.source(frame.method);
            let position = Position { method, line: frame.line, caller };
            let rewrites = if i == last { rewrites.to_vec() } else { Vec::new() };
            caller = self.builder.position((position, frame.copy, rewrites)).0 + 1;
        }
        CodeOrigin::At(PositionId(caller - 1))
    }

    fn of_frame(
        &mut self,
        frame: &MappedFrame<'_>,
        line: u32,
        names: &mut NameTable,
    ) -> (SourceMethod, u32) {
        let file = self.builder.mapping.and_then(|m| m.source_file(frame.class, self.app.file));
        let source = SourceMethod {
            class: names.add(frame.class),
            name: names.add(frame.name),
            descriptor: names.add(frame.descriptor),
            file: file.map(|f| names.add(&f)),
        };
        let line = match frame.line {
            MappedLine::At(line) => line,
            MappedLine::Same if !self.addresses => line,
            MappedLine::Same | MappedLine::None | MappedLine::Between(..) => 0,
        };
        (source, line)
    }

    /// Returns the source line of a call to an outline.
    fn call(
        &mut self,
        method: MethodId,
        pc: u32,
        line: u32,
        names: &mut NameTable,
    ) -> Option<OutlineCall> {
        let frames = self.mapped.as_ref()?.at(Some(line))?;
        let mut lines: Vec<(u32, CodeOrigin)> = Vec::new();
        for &(outline, here) in frames.outline_call? {
            if lines.last().is_none_or(|l| l.0 < outline) {
                let place = self.place(here, names).unwrap_or(CodeOrigin::Line(0));
                lines.push((outline, place));
            }
        }
        Some(OutlineCall { method, pc, lines })
    }
}
