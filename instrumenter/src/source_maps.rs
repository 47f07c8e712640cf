//! Origins of Kotlin's inlined code, for all classes of an app: reads their source maps and finds
//! the methods at the lines which they name.
//!
//! A source map names class and line of inlined code, but no method. The method is the one of that
//! class, if the app has it, whose line table contains the line. R8 searches in the same manner
//! when it writes a mapping; the line tables of such an app no longer contain source lines, so with
//! a mapping nothing is searched here.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use dex::debug::DebugEvent;
use dex::{AccessFlags, ClassDef, Dex, EncodedValue, Item, Reg, StringIdx};
use model::descriptors::{dotted_name, internal_name};
use model::mapping::Mapping;
use model::source_map::{LineOrigin, SourceMap};
use rayon::prelude::*;

use crate::analysis::program::{ClassNo, MethodNo, Program};
use crate::warnings::Warning;

/// Annotations whose value is a source map: D8 converts the attribute of a class file to the first,
/// and Kotlin's compiler adds the second.
const ANNOTATIONS: [&str; 2] =
    ["Ldalvik/annotation/SourceDebugExtension;", "Lkotlin/jvm/internal/SourceDebugExtension;"];

/// Source of a line of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LineSource {
    /// The line with this number in the class's own file.
    Own,
    /// No source: the line before continues.
    None,
    /// Code that was inlined or copied into the class.
    Elsewhere(Elsewhere),
}

/// Code of another method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Elsewhere {
    /// Descriptor of its class.
    pub class: String,
    /// Its source file.
    pub file: String,
    /// Its line number.
    pub line: u32,
    /// Its method.
    pub method: Inlinee,
    /// Line of the call in the class's own file; 0 if unknown.
    pub call: u32,
    /// Number of this copy among the copies that were inlined at the call.
    pub copy: u32,
    /// First line of the class that continues to this one.
    pub first: u32,
}

/// Method that inlined code belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Inlinee {
    /// A method of the app: name and descriptor.
    Known(String, String),
    /// The method that the class copied together with its class.
    Copied,
    /// A method that the app does not have.
    Unknown,
}

/// Source maps of an app.
pub(crate) struct SourceMaps<'p> {
    program: &'p Program,
    /// Source maps by descriptor in the source.
    maps: HashMap<String, Arc<SourceMap>>,
    /// Lines of classes that code was inlined from; `None` if the app has a mapping.
    lines: Option<HashMap<ClassNo, ClassLines>>,
}

impl<'p> SourceMaps<'p> {
    /// Reads the source maps of all classes and counts those that cannot be read.
    pub fn of(
        program: &'p Program,
        mapping: Option<&Mapping>,
    ) -> (SourceMaps<'p>, Option<Warning>) {
        let found: Vec<(String, Text)> = program
            .classes
            .par_iter()
            .filter(|class| !class.is_duplicate())
            .filter_map(|class| {
                let dex = &program.files[class.dex].dex;
                let strings = extension(dex, &dex.classes[class.def])?;
                let name = program.text(class.name);
                let name = mapping.map_or_else(|| name.into(), |m| m.type_descriptor(name));
                Some((name, (class.dex, strings)))
            })
            .collect();
        // Classes may share a text: no file has more maps than texts.
        let mut texts: HashMap<Text, Option<Arc<SourceMap>>> =
            found.iter().map(|(_, text)| (text.clone(), None)).collect();
        texts.par_iter_mut().for_each(|((file, strings), map)| {
            let dex = &program.files[*file].dex;
            let text: String = strings.iter().map(|&s| dex.string(s)).collect();
            *map = SourceMap::parse(&text).ok().map(Arc::new);
        });
        let mut unreadable = Vec::new();
        let mut maps = HashMap::new();
        for (class, text) in found {
            match &texts[&text] {
                Some(map) => {
                    maps.entry(class).or_insert_with(|| map.clone());
                }
                None => unreadable.push(class),
            }
        }
        let classes = unreadable.len();
        let warning = unreadable.into_iter().min().map(|class| {
            let class = dotted_name(&class);
            Warning::SourceMaps { classes, class }
        });
        let lines = mapping.is_none().then(HashMap::new);
        (SourceMaps { program, maps, lines }, warning)
    }

    /// Returns true if a class has a source map.
    pub fn has(&self, class: &str) -> bool {
        self.maps.contains_key(class)
    }

    /// Returns the source of a line of a class; `file` is the file of the class.
    pub fn find(&mut self, class: &str, file: Option<&str>, line: u32) -> LineSource {
        let Some(map) = self.maps.get(class).cloned() else { return LineSource::Own };
        let Some(origin) = map.origin(line) else { return LineSource::Own };
        if origin.is_no_source() {
            return LineSource::None;
        }
        let own = |o: &LineOrigin<'_>| is_own(o, class, file);
        let method = match (own(&origin), origin.line == line) {
            (true, true) => return LineSource::Own,
            (false, true) => Inlinee::Copied,
            (_, false) => Inlinee::Unknown,
        };
        let call = map.call(line).filter(own).map_or(0, |o| o.line);
        let class = origin.class.map_or_else(|| class.to_owned(), |class| format!("L{class};"));
        let method = match self.method_at(&class, origin.line) {
            Some(no) if method == Inlinee::Unknown => self.named(no),
            _ => method,
        };
        let LineOrigin { file, line, copy, first, .. } = origin;
        let file = file.to_owned();
        LineSource::Elsewhere(Elsewhere { class, file, line, method, call, copy, first })
    }

    fn named(&self, no: MethodNo) -> Inlinee {
        let sig = self.program.text(self.program.method(no).sig);
        let (name, descriptor) = sig.split_at(sig.find('(').unwrap_or(sig.len()));
        Inlinee::Known(name.into(), descriptor.into())
    }

    fn method_at(&mut self, class: &str, line: u32) -> Option<MethodNo> {
        let no = self.program.find_class(class)?;
        let (program, maps) = (self.program, &self.maps);
        let known = self.lines.as_mut()?.entry(no);
        known.or_insert_with(|| ClassLines::of(program, no, maps.get(class))).method_at(line)
    }
}

/// Strings of a source map: the number of the DEX file, and string indices in order.
type Text = (usize, Vec<StringIdx>);

/// Returns the strings of a class's source map.
fn extension(dex: &Dex, class: &ClassDef) -> Option<Vec<StringIdx>> {
    let values = class.annotations.as_ref()?.values();
    let set = values.class.as_ref()?;
    let of = |name: &&str| set.iter().find(|a| dex.type_name(a.annotation.ty) == **name);
    let value = &ANNOTATIONS.iter().find_map(of)?.annotation.elements.first()?.1;
    let text = |value: &EncodedValue| match value {
        EncodedValue::String(text) => Some(*text),
        _ => None,
    };
    match value {
        EncodedValue::Array(all) => all.iter().map(text).collect(),
        one => Some(vec![text(one)?]),
    }
}

/// Returns true if a line belongs to the file of a class. Older compilers name the class of the
/// file or the outer class.
fn is_own(origin: &LineOrigin<'_>, class: &str, file: Option<&str>) -> bool {
    let Some(of) = origin.class else { return true };
    let class = internal_name(class);
    let package = |class: &str| class.rfind('/').map(|at| class[..at].to_owned());
    of == class || (package(of) == package(class) && Some(origin.file) == file)
}

/// Lines of a class's methods.
#[derive(Default)]
struct ClassLines {
    /// Methods by line, source-written methods first.
    lines: Vec<(u32, bool, MethodNo)>,
    /// First and last line of each method.
    spans: Vec<(u32, u32, MethodNo)>,
}

impl ClassLines {
    fn of(program: &Program, class: ClassNo, map: Option<&Arc<SourceMap>>) -> ClassLines {
        let mut all = ClassLines::default();
        let first = program.methods.partition_point(|m| m.class < class);
        let methods = program.methods[first..].iter().take_while(|m| m.class == class);
        let dex = &program.files[program.class(class).dex].dex;
        for (no, method) in (first as u32..).map(MethodNo).zip(methods) {
            let Some(Ok(code)) = method.code.and_then(|id| dex.code(id)) else { continue };
            let made = method.access.contains(AccessFlags::SYNTHETIC);
            let line = |item: &Item| match item {
                Item::Debug(DebugEvent::Line(line)) => Some(*line),
                _ => None,
            };
            let is_own =
                |line: &u32| map.and_then(|m| m.origin(*line)).is_none_or(|o| o.line == *line);
            let lines: Vec<u32> =
                code.nodes.iter().filter_map(|n| line(&n.item)).filter(is_own).collect();
            if let (Some(first), Some(last)) = (lines.iter().min(), lines.iter().max()) {
                all.spans.push((*first, *last, no));
            }
            all.lines.extend(lines.into_iter().map(|line| (line, made, no)));
        }
        all.lines.sort_unstable();
        all
    }

    /// Returns the method with code of this line, else the shortest method around it: all lines of
    /// a lambda may have been inlined.
    fn method_at(&self, line: u32) -> Option<MethodNo> {
        let at = self.lines.partition_point(|l| l.0 < line);
        if let Some(exact) = self.lines.get(at).filter(|l| l.0 == line) {
            return Some(exact.2);
        }
        let around = self.spans.iter().filter(|s| (s.0..=s.1).contains(&line));
        around.min_by_key(|s| (s.1 - s.0, s.2)).map(|s| s.2)
    }
}

/// Names of inlined functions, as marked by local variables: each inlined function has one if local
/// variables are kept.
pub(crate) struct InlineMarkers<'d> {
    dex: &'d Dex,
    active: Vec<(Reg, StringIdx)>,
    /// Innermost function at each line of the code.
    pub names: BTreeMap<u32, String>,
}

impl<'d> InlineMarkers<'d> {
    /// Prefix that Kotlin's compiler puts before the name of a function.
    const PREFIX: &'static str = "$i$f$";

    pub fn new(dex: &'d Dex) -> InlineMarkers<'d> {
        InlineMarkers { dex, active: Vec::new(), names: BTreeMap::new() }
    }

    /// Notes variables that begin and end.
    pub fn event(&mut self, event: &DebugEvent) {
        if let DebugEvent::StartLocal { reg, .. } | DebugEvent::EndLocal(reg) = event {
            self.active.retain(|(other, _)| other != reg);
        }
        let DebugEvent::StartLocal { reg, name: Some(name), .. } = event else { return };
        let text = self.dex.strings.items().get(name.index());
        if text.is_some_and(|text| text.0.starts_with(Self::PREFIX.as_bytes())) {
            self.active.push((*reg, *name));
        }
    }

    /// Notes an instruction of this line.
    pub fn at_line(&mut self, line: u32) {
        if let Some((_, name)) = self.active.last() {
            let name = || self.dex.string(*name)[Self::PREFIX.len()..].to_owned();
            self.names.entry(line).or_insert_with(name);
        }
    }
}
