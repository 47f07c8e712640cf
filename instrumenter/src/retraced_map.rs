//! Names and lines of a map, retraced after the build: for apps that R8 shrank and that were
//! instrumented without its mapping.

use std::ops::Range;

use model::map::{Block, CodeOrigin, Map, Method, MethodId, MethodKind};
use model::mapping::Mapping;
use model::throwing::ThrowingLinesBuilder;

use crate::analysis::program::Program;
use crate::map_names::NameTable;
use crate::source_maps::SourceMaps;
use crate::source_positions::{AppMethod, CodeLines, PositionBuilder};
use crate::warnings::R8_ID;

/// Reasons why a map is not retraced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RetraceError {
    /// The build was instrumented with a mapping.
    #[error("the build was instrumented with a mapping: its map has the names of the source")]
    Mapped,
    /// The mapping is of another build than the app.
    #[error(
        "the mapping is of build {mapping}, but the classes are of build {app} (r8-map-id): use \
         the mapping.txt of this build"
    )]
    OtherBuild {
        /// Id of the mapping (`pg_map_hash`).
        mapping: String,
        /// Id that classes of the app name.
        app: String,
    },
    /// No method of the map is in the mapping.
    #[error("the mapping names no class of the app: is it the mapping.txt of this build?")]
    NoClass,
}

/// Code units without lines whose addresses are looked up in a map, in total. Maps of the largest
/// apps have half as many.
const UNITS: u32 = 1 << 26;

/// Gives a map the names and lines that the mapping has for it. The build id stays that of the
/// file, so that its logs still fit; such a map is never written.
///
/// An app with line numbers gets those of `instrument --mapping` wherever code can throw. The map
/// does not contain the instructions of the app: a line at the begin of a block may be that of the
/// code before, where the first instructions of the block cannot throw.
///
/// # Errors
/// The mapping is of another build, or the map is retraced already.
pub fn retrace_map(map: &mut Map, mapping: &Mapping) -> Result<(), RetraceError> {
    check(map, mapping)?;
    let program = Program::new(Vec::new());
    let (source_maps, _) = SourceMaps::of(&program, Some(mapping));
    let mut places = PositionBuilder::new(Some(mapping), source_maps);
    let bits = map.throwing_bits();
    let mut bits = bits.iter();
    let mut throwing = ThrowingLinesBuilder::default();
    let mut methods = std::mem::take(&mut map.methods);
    let mut names = NameTable::default();
    let mut units = UNITS;
    // Names of slots and of later tables keep their ids.
    map.names.iter().for_each(|name| names.append(name));
    for (id, method) in (1..).map(MethodId).zip(&mut methods) {
        let lines = code_lines(map, method, &mut units);
        let app = AppMethod {
            class: map.name(method.class),
            name: map.name(method.name),
            descriptor: map.name(method.descriptor),
            added: method.kind == MethodKind::Added,
            file: method.source_file.map(|file| map.name(file)),
        };
        let named = places.method(id, app, lines, &mut names);
        for (block, lines) in method.blocks.iter_mut().zip(named.lines) {
            let mut old = block.clone();
            old.lines = std::mem::replace(&mut block.lines, lines);
            if let Some(&first) = bits.next() {
                throwing.replace(block, &old, map.throwing.of_block(&old, first).as_ref());
            }
        }
        (method.class, method.name, method.descriptor) =
            (named.class, named.name, named.descriptor);
        (method.source_file, method.in_app, method.kind) = (named.file, named.in_app, named.kind);
    }
    map.methods = methods;
    map.names = names.into_list();
    map.throwing = throwing.finish();
    (map.places, map.code_lines) = places.finish();
    Ok(())
}

/// Refuses maps that have names of the source, and mappings of another build.
fn check(map: &Map, mapping: &Mapping) -> Result<(), RetraceError> {
    if map.methods.iter().any(|m| m.in_app.is_some()) {
        return Err(RetraceError::Mapped);
    }
    if !map.methods.iter().any(|m| mapping.has_class(map.name(m.class))) {
        return Err(RetraceError::NoClass);
    }
    let files = map.methods.iter().filter_map(|m| m.source_file);
    let mut ids = files.filter_map(|file| map.name(file).strip_prefix(R8_ID)).peekable();
    match (mapping.id(), ids.peek().copied()) {
        (Some(id), Some(app)) if !ids.any(|of_app| of_app == id) => {
            Err(RetraceError::OtherBuild { mapping: id.to_owned(), app: app.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Returns the lines of a method's code as the app has them.
fn code_lines(map: &Map, method: &Method, units: &mut u32) -> CodeLines {
    let line = |origin: CodeOrigin| match origin {
        CodeOrigin::Line(line) => line,
        CodeOrigin::At(id) => map.code_lines(id).first().map_or(0, |l| l.line),
    };
    let addresses = method.blocks.iter().all(|b| b.lines.is_empty());
    let mut all = CodeLines { addresses, ..CodeLines::default() };
    // R8 keeps the lines of instructions that can throw; at others the last line just continues.
    let mut before = None;
    for block in &method.blocks {
        let mut lines: Vec<(u32, u32)> = match addresses {
            true if !block.throws => Vec::new(),
            true => within(block, units).map(|pc| (pc, pc)).collect(),
            false => block.lines.iter().map(|&(pc, origin)| (pc, line(origin))).collect(),
        };
        let at = |pc: u32| lines.partition_point(|l| l.0 <= pc).checked_sub(1);
        let calls = block.calls.iter().map(|call| call.pc);
        all.calls.extend(calls.filter_map(|pc| Some((pc, lines[at(pc)?].1))));
        let (first, last) = (lines.first().map(|l| l.1), lines.last().map(|l| l.1));
        if !block.throws && first.is_some() && first == before {
            lines.remove(0);
        }
        before = last.or(before);
        all.blocks.push(lines);
    }
    all
}

/// Returns the addresses of a block, as long as `units` lasts; then the first one alone.
fn within(block: &Block, units: &mut u32) -> Range<u32> {
    let length = block.end.saturating_sub(block.pc);
    match units.checked_sub(length) {
        Some(left) => {
            *units = left;
            block.pc..block.end
        }
        None => block.pc..block.pc.saturating_add(1),
    }
}
