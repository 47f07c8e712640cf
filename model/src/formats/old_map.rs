//! Maps of version 3, which know lines only: no inlined frames, and no names of the app; of
//! versions 4 and 5, which do not name their protocol; of version 6, whose inlined calls count as
//! calls do; of version 7, which selects no paths; of version 8, whose inlined code of Kotlin has
//! no lines of its own, and which names no generated code; of version 9, whose callbacks record no
//! origin; and of version 10, which does not contain on which lines code can throw, and whose
//! counts of paths are all exact.

use serde::Deserialize;

use super::map::{BuildId, Handler, Loop, Map, Method, Region, Skipped, Slot};
use crate::graph::block::{Block, CallSite, Terminator};
use crate::graph::ids::{MethodId, NameId, SlotId};
use crate::graph::position::{CodeOrigin, MethodKind, SourcePositions};
use crate::graph::throwing::ThrowingLines;
use crate::protocol::Protocol;
use crate::recording::Recording;

#[derive(Deserialize)]
struct OldBlock {
    pc: u32,
    end: u32,
    lines: Vec<(u32, u32)>,
    calls: Vec<CallSite>,
    throws: bool,
    mark: bool,
    terminator: Terminator,
}

#[derive(Deserialize)]
struct OldMethod {
    class: NameId,
    name: NameId,
    descriptor: NameId,
    source_file: Option<NameId>,
    guarded: bool,
    blocks: Vec<OldBlock>,
    regions: Vec<Region>,
    loops: Vec<Loop>,
    fingerprint: u64,
}

#[derive(Deserialize)]
struct OldMap {
    build: BuildId,
    origin: [u8; 32],
    recording: Recording,
    id_bits: u8,
    package: String,
    names: Vec<String>,
    methods: Vec<OldMethod>,
    handlers: Vec<Handler>,
    slots: Vec<Slot>,
    next_callbacks: Vec<(MethodId, SlotId)>,
    skipped: Vec<Skipped>,
}

/// Reads the content of a map of version 3.
pub(crate) fn from_bytes(plain: &[u8]) -> postcard::Result<Map> {
    let old: OldMap = postcard::from_bytes(plain)?;
    Ok(Map {
        build: old.build,
        origin: old.origin,
        recording: old.recording,
        id_bits: old.id_bits,
        package: old.package,
        names: old.names,
        methods: old.methods.into_iter().map(method).collect(),
        handlers: old.handlers,
        slots: old.slots,
        next_callbacks: old.next_callbacks,
        skipped: old.skipped,
        places: SourcePositions::default(),
        protocol: Protocol::Two.number(),
        inlined: Vec::new(),
        paths: Vec::new(),
        code_lines: Vec::new(),
        generated: Vec::new(),
        origins: Vec::new(),
        upper_bounds: false,
        throwing: ThrowingLines::default(),
    })
}

/// Nothing, as postcard has it in a list; false.
const NONE: u8 = 0;

/// Reads the content of a map of version 4 or 5, which lacks the protocol and inlined calls.
pub(crate) fn version_5(plain: &[u8]) -> postcard::Result<Map> {
    postcard::from_bytes(&[plain, &[Protocol::Two.number()][..], &[NONE; 7]].concat())
}

/// Reads the content of a map of version 6, which lacks inlined calls.
pub(crate) fn version_6(plain: &[u8]) -> postcard::Result<Map> {
    postcard::from_bytes(&[plain, &[NONE; 7]].concat())
}

/// Reads the content of a map of version 7, which lacks selected paths.
pub(crate) fn version_7(plain: &[u8]) -> postcard::Result<Map> {
    postcard::from_bytes(&[plain, &[NONE; 6]].concat())
}

/// Reads the content of a map of version 8, which lacks lines of inlined code and generated code.
pub(crate) fn version_8(plain: &[u8]) -> postcard::Result<Map> {
    postcard::from_bytes(&[plain, &[NONE; 5]].concat())
}

/// Reads the content of a map of version 9, which lacks origins of callbacks.
pub(crate) fn version_9(plain: &[u8]) -> postcard::Result<Map> {
    postcard::from_bytes(&[plain, &[NONE; 3]].concat())
}

/// Reads the content of a map of version 10, which lacks the lines on which code can throw, and
/// whose counts of paths are exact.
pub(crate) fn version_10(plain: &[u8]) -> postcard::Result<Map> {
    postcard::from_bytes(&[plain, &[NONE; 2]].concat())
}

fn method(old: OldMethod) -> Method {
    Method {
        class: old.class,
        name: old.name,
        descriptor: old.descriptor,
        source_file: old.source_file,
        in_app: None,
        kind: MethodKind::Source,
        guarded: old.guarded,
        blocks: old.blocks.into_iter().map(block).collect(),
        regions: old.regions,
        loops: old.loops,
        fingerprint: old.fingerprint,
    }
}

fn block(old: OldBlock) -> Block {
    Block {
        pc: old.pc,
        end: old.end,
        lines: old.lines.into_iter().map(|(pc, line)| (pc, CodeOrigin::Line(line))).collect(),
        calls: old.calls,
        throws: old.throws,
        mark: old.mark,
        terminator: old.terminator,
    }
}
