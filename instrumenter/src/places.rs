//! Where code comes from, for the map: lines of the app become places of the source.

use std::collections::HashMap;

use model::map::{
    InApp, MAX_FRAMES, MethodId, MethodKind, NameId, OutlineCall, Place, Places, Position,
    PositionId, Rewrite, SourceMethod,
};
use model::mapping::{Frame, Frames, Line, Mapping, MethodMapping};

use crate::map_names::Names;

/// Lines of a method as its code has them.
#[derive(Debug, Default)]
pub(crate) struct CodeLines {
    /// Per block: address and line. Addresses stand for lines where the method has none.
    pub blocks: Vec<Vec<(u32, u32)>>,
    /// Address and line of each call that has a line.
    pub calls: Vec<(u32, u32)>,
    /// Whether the lines are addresses.
    pub addresses: bool,
}

/// A method as the app names it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AppMethod<'a> {
    pub class: &'a str,
    pub name: &'a str,
    pub descriptor: &'a str,
    /// The compiler of its language says that it is not in the source.
    pub added: bool,
    /// Source file of its class.
    pub file: Option<&'a str>,
}

/// Whether a method of this name holds code of the source although it is marked synthetic: bodies
/// of lambdas, Kotlin's functions with default arguments and overridable suspending ones.
fn is_written(name: &str) -> bool {
    name.contains("lambda$") || name.ends_with("$default") || name.ends_with("$suspendImpl")
}

/// What the map says of a method, beside its code.
pub(crate) struct Named {
    pub class: NameId,
    pub name: NameId,
    pub descriptor: NameId,
    pub file: Option<NameId>,
    pub in_app: Option<InApp>,
    pub kind: MethodKind,
    /// Per block.
    pub lines: Vec<Vec<(u32, Place)>>,
}

/// Collects the places of all methods; equal ones are stored once.
pub(crate) struct PlaceBuilder<'o> {
    mapping: Option<&'o Mapping>,
    places: Places,
    sources: HashMap<SourceMethod, u32>,
    positions: HashMap<(Position, Vec<(NameId, u32)>), PositionId>,
}

impl<'o> PlaceBuilder<'o> {
    pub fn new(mapping: Option<&'o Mapping>) -> Self {
        let places = Places::default();
        Self { mapping, places, sources: HashMap::new(), positions: HashMap::new() }
    }

    pub fn finish(mut self) -> Places {
        self.places.rewrites.sort_by_key(|r| r.position);
        self.places
    }

    /// A method and its lines.
    pub fn method(
        &mut self,
        id: MethodId,
        app: AppMethod<'_>,
        lines: CodeLines,
        names: &mut Names,
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
            _ if app.added && !is_written(&name) => MethodKind::Added,
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
            app,
            addresses: lines.addresses,
            outline: kind == MethodKind::Outline,
            known: HashMap::new(),
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

    fn position(&mut self, position: Position, rewrites: Vec<(NameId, u32)>) -> PositionId {
        let places = &mut self.places;
        *self.positions.entry((position, rewrites)).or_insert_with_key(|(position, rewrites)| {
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

/// One method's lines.
struct InMethod<'b, 'o, 'a> {
    builder: &'b mut PlaceBuilder<'o>,
    mapped: Option<MethodMapping<'o>>,
    own: SourceMethod,
    app: AppMethod<'a>,
    addresses: bool,
    outline: bool,
    /// By line in the app.
    known: HashMap<u32, Place>,
}

impl InMethod<'_, '_, '_> {
    /// Entries of equal places in a row become one.
    fn block(&mut self, lines: Vec<(u32, u32)>, names: &mut Names) -> Vec<(u32, Place)> {
        let mut out: Vec<(u32, Place)> = Vec::with_capacity(lines.len());
        for (pc, line) in lines {
            let place = self.place(line, names);
            let last = out.last().map_or(Place::Line(0), |l| l.1);
            if place != last {
                out.push((pc, place));
            }
        }
        out.shrink_to_fit();
        out
    }

    fn place(&mut self, line: u32, names: &mut Names) -> Place {
        let Some(mapped) = &self.mapped else {
            // No number of an outline is a line: its callers say what it stands for.
            let number = !self.addresses || self.outline;
            return Place::Line(if number { line } else { 0 });
        };
        if let Some(&known) = self.known.get(&line) {
            return known;
        }
        let place = match mapped.at(Some(line)) {
            // The mapping knows the method, but not what this line is.
            None => Place::Line(0),
            Some(frames) => self.of_frames(&frames, line, names),
        };
        self.known.insert(line, place);
        place
    }

    fn of_frames(&mut self, frames: &Frames<'_>, line: u32, names: &mut Names) -> Place {
        let shown = frames.shown(None);
        let rewrites: Vec<_> = frames.rewrites().map(|r| (names.add(r.thrown), r.remove)).collect();
        let numbered: Vec<(SourceMethod, u32)> =
            shown.iter().rev().map(|f| self.of_frame(f, line, names)).collect();
        match &numbered[..] {
            [] => return Place::Line(0),
            [(source, line)] if *source == self.own && rewrites.is_empty() => {
                return Place::Line(*line);
            }
            _ => {}
        }
        // Of chains beyond all sense the frames around the innermost ones go.
        let from = numbered.len().saturating_sub(MAX_FRAMES);
        let last = numbered.len() - 1;
        let mut caller = 0;
        for (i, (source, line)) in numbered.into_iter().enumerate().skip(from) {
            let position = Position { method: self.builder.source(source), line, caller };
            let rewrites = if i == last { rewrites.clone() } else { Vec::new() };
            caller = self.builder.position(position, rewrites).0 + 1;
        }
        Place::At(PositionId(caller - 1))
    }

    fn of_frame(&mut self, frame: &Frame<'_>, line: u32, names: &mut Names) -> (SourceMethod, u32) {
        let file = self.builder.mapping.and_then(|m| m.source_file(frame.class, self.app.file));
        let source = SourceMethod {
            class: names.add(frame.class),
            name: names.add(frame.name),
            descriptor: names.add(frame.descriptor),
            file: file.map(|f| names.add(&f)),
        };
        let line = match frame.line {
            Line::At(line) => line,
            Line::Same if !self.addresses => line,
            Line::Same | Line::None | Line::Between(..) => 0,
        };
        (source, line)
    }

    /// What an outline's lines stand for at this call.
    fn call(
        &mut self,
        method: MethodId,
        pc: u32,
        line: u32,
        names: &mut Names,
    ) -> Option<OutlineCall> {
        let frames = self.mapped.as_ref()?.at(Some(line))?;
        let mut lines: Vec<(u32, Place)> = Vec::new();
        for &(outline, here) in frames.outline_call? {
            if lines.last().is_none_or(|l| l.0 < outline) {
                lines.push((outline, self.place(here, names)));
            }
        }
        Some(OutlineCall { method, pc, lines })
    }
}
