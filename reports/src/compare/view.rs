//! Elements of comparisons, for text and JSON alike.

use decoder::log::{Process, ThreadLog};
use decoder::replay::{BlockNo, Decision, Program};
use model::map::{CodeOrigin, Map, MethodId, MethodKind, SourceMethod, Terminator};
use serde::Serialize;

use super::common::{BuildEvent, Common, Event};
use super::steps::{ActiveFrame, PathDecision};
use crate::base::method_names::{
    MethodNotation, MethodRef, method as method_name, package, source_method,
};
use crate::base::names::block_of;
use crate::base::price::chance;
use crate::base::progress::place_at;

/// A session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Session {
    /// The inputs that contain a part of its log.
    pub files: Vec<String>,
    /// Name of its process.
    pub process: String,
    /// Process id on the device.
    pub pid: u32,
    /// The build that ran.
    pub build: String,
    /// Wall clock at its start, in ms since 1970.
    pub start_ms: u64,
}

impl From<&Process> for Session {
    fn from(p: &Process) -> Session {
        Session {
            files: p.sources.clone(),
            process: p.name.clone(),
            pid: p.pid,
            build: p.build_id.to_string(),
            start_ms: p.start_ms,
        }
    }
}

/// A line of the source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceLine {
    /// The method, `Lpkg/Cls;->name(I)V`.
    pub m: String,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The method in source notation.
    #[serde(skip)]
    pub title: String,
    /// The package, with slashes.
    #[serde(skip)]
    pub package: String,
}

/// A source position in a method of the app.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourcePosition {
    /// The method, its file, and the line of the method itself.
    #[serde(flatten)]
    pub own: SourceLine,
    /// Code-unit offset in the original method.
    pub pc: u32,
    /// Frames of the inlined code that runs there, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<SourceLine>,
}

impl SourcePosition {
    /// Returns the source line that is running.
    pub fn line(&self) -> &SourceLine {
        self.at.first().unwrap_or(&self.own)
    }
}

/// A decision, a call from outside or an exception.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Happened {
    /// `branch`, `call`, `enter`, `throw`, `catch` or `leave`.
    pub kind: &'static str,
    /// Its position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePosition>,
    /// Target of a branch, or handler of an exception.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<SourcePosition>,
    /// For a call: the called method, `Lpkg/Iface;->call()V`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// For a call: the method that ran; none if it is not a method with probes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callee: Option<String>,
    /// For a branch: its name in model files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// For a branch or a call: index of the alternative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternative: Option<u32>,
    /// Number of alternatives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<u32>,
    /// Its price in bits under the build's distributions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<f64>,
    /// The event happens once in this number of cases, according to the build's model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub once_in: Option<u64>,
}

impl Happened {
    fn new(kind: &'static str) -> Happened {
        Happened {
            kind,
            place: None,
            to: None,
            site: None,
            callee: None,
            branch: None,
            alternative: None,
            alternatives: None,
            bits: None,
            once_in: None,
        }
    }
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThreadName {
    /// Its number, from 1.
    pub number: u32,
    /// Its name, if the log has it.
    pub name: Option<String>,
}

impl From<&ThreadLog> for ThreadName {
    fn from(t: &ThreadLog) -> ThreadName {
        ThreadName { number: t.number, name: t.name.clone() }
    }
}

fn line_of(map: &Map, m: SourceMethod, line: Option<u32>) -> SourceLine {
    let [class, name, descriptor] = [m.class, m.name, m.descriptor].map(|n| map.name(n));
    SourceLine {
        m: format!("{class}->{name}{descriptor}"),
        file: m.file.map(|f| map.name(f).to_owned()).filter(|f| !f.is_empty()),
        line: line.filter(|l| *l > 0),
        title: method_name(map, &m, MethodNotation::Short, false).0,
        package: package(class).to_owned(),
    }
}

fn spot(map: &Map, method: MethodId, place: Option<CodeOrigin>, pc: u32) -> SourcePosition {
    let m = source_method(map, MethodRef::Method(method));
    // Line numbers of an outline are not lines of the source.
    let outline = map.methods[method.0 as usize - 1].kind == MethodKind::Outline;
    match place.filter(|_| !outline) {
        Some(CodeOrigin::At(id)) => {
            let source = |method: u32| map.places.sources[method as usize];
            let frames = map.places.frames(id);
            let at: Vec<SourceLine> =
                frames.map(|p| line_of(map, source(p.method), Some(p.line))).collect();
            let mut own = line_of(map, m, None);
            own.line = at.iter().find(|l| l.m == own.m).and_then(|l| l.line);
            SourcePosition { own, pc, at }
        }
        Some(CodeOrigin::Line(line)) => {
            SourcePosition { own: line_of(map, m, Some(line)), pc, at: Vec::new() }
        }
        None => SourcePosition { own: line_of(map, m, None), pc, at: Vec::new() },
    }
}

/// Returns the position of a block's beginning or end.
fn block_position(program: &Program<'_>, block: BlockNo, end: bool) -> SourcePosition {
    let (m, b) = (program.locate(block).0, block_of(program, block).1);
    let place = if end { b.lines.last().map(|l| l.1) } else { b.place() };
    spot(program.map, m, place, b.pc)
}

/// Returns the position of a frame.
pub(crate) fn frame_position(program: &Program<'_>, frame: &ActiveFrame) -> SourcePosition {
    let Some(block) = frame.block else { return spot(program.map, frame.method, None, 0) };
    match frame.call {
        Some(pc) => {
            let place = place_at(block_of(program, block).1, pc);
            spot(program.map, frame.method, place, pc)
        }
        None => block_position(program, block, true),
    }
}

/// Returns the name of a branch in model files: its index in the method, and its fingerprint.
fn branch_id(program: &Program<'_>, block: BlockNo) -> Option<String> {
    let (m, at) = program.locate(block);
    let blocks = &program.map.methods[m.0 as usize - 1].blocks;
    let branches =
        blocks[..at].iter().filter(|b| matches!(b.terminator, Terminator::Branch { .. }));
    match &blocks[at].terminator {
        Terminator::Branch { identity, .. } => {
            Some(format!("{}:{:016x}", branches.count(), identity.fingerprint))
        }
        Terminator::Return | Terminator::Throw | Terminator::Goto(_) => None,
    }
}

fn way(program: &Program<'_>, what: Decision, alternative: usize) -> Happened {
    let map = program.map;
    let chance = chance(program, what, alternative);
    let mut out = match what {
        Decision::Branch(block) => {
            let m = program.locate(block).0;
            let (method, b) = block_of(program, block);
            let targets = match &b.terminator {
                Terminator::Branch { alternatives, .. } => &alternatives[..],
                Terminator::Return | Terminator::Throw | Terminator::Goto(_) => &[],
            };
            let to = targets.get(alternative).map(|&(target, _)| {
                let to = &method.blocks[target.0 as usize];
                spot(map, m, to.place(), to.pc)
            });
            Happened {
                place: Some(block_position(program, block, true)),
                to,
                branch: branch_id(program, block),
                alternatives: Some(targets.len() as u32),
                ..Happened::new("branch")
            }
        }
        Decision::Slot(s) | Decision::NextCallback(s) => {
            let slot = &map.slots[s.0 as usize];
            let callee = alternative.checked_sub(1).and_then(|i| slot.callees.get(i));
            let key = |m: &MethodId| map.method_key(&map.methods[m.0 as usize - 1]);
            Happened {
                site: Some(map.name(slot.site).to_owned()),
                callee: callee.map(key),
                alternatives: Some(slot.freqs.len() as u32),
                ..Happened::new("call")
            }
        }
    };
    out.alternative = Some(alternative as u32);
    // Bits are for people: four digits, equal on all machines.
    out.bits = chance.map(|c| (c.bits() * 1e4).round() / 1e4);
    out.once_in = chance.map(|c| c.once_in());
    out
}

fn thrown(program: &Program<'_>, kind: &'static str, from: Option<BlockNo>) -> Happened {
    let place = from.map(|b| block_position(program, b, true));
    Happened { place, ..Happened::new(kind) }
}

/// Returns a decision of a path as an event.
pub(crate) fn step(program: &Program<'_>, step: PathDecision, frames: &[ActiveFrame]) -> Happened {
    match step {
        PathDecision::Alternative(what, alternative) => {
            let mut out = way(program, what, alternative);
            if out.place.is_none() {
                out.place = frames.last().map(|f| frame_position(program, f));
            }
            out
        }
        PathDecision::Called(m) => entered(program, m),
        PathDecision::Caught(from, handler) => {
            let h = program.map.handlers[handler.0 as usize];
            let block = &program.map.methods[h.method.0 as usize - 1].blocks[h.block.0 as usize];
            let to = Some(spot(program.map, h.method, block.place(), block.pc));
            Happened { to, ..thrown(program, "throw", from) }
        }
        PathDecision::Left(from) => thrown(program, "leave", from),
    }
}

fn entered(program: &Program<'_>, m: MethodId) -> Happened {
    let first = &program.map.methods[m.0 as usize - 1].blocks[0];
    let place = spot(program.map, m, first.place(), 0);
    Happened { place: Some(place), ..Happened::new("enter") }
}

/// Returns an event of a comparison.
pub(crate) fn event(common: &Common<'_>, event: &Event) -> Happened {
    let program = &common.builds[event.build].program;
    match event.what {
        BuildEvent::Branch(block, i) => way(program, Decision::Branch(block), i as usize),
        BuildEvent::Call(slot, i) => way(program, Decision::Slot(slot), i as usize),
        BuildEvent::Enter(m) => entered(program, m),
        BuildEvent::Throw(block) => thrown(program, "throw", Some(block)),
        BuildEvent::Leave(block) => thrown(program, "leave", Some(block)),
        BuildEvent::Catch(handler) => {
            let h = program.map.handlers[handler.0 as usize];
            let block = &program.map.methods[h.method.0 as usize - 1].blocks[h.block.0 as usize];
            let place = Some(spot(program.map, h.method, block.place(), block.pc));
            Happened { place, ..Happened::new("catch") }
        }
    }
}

/// Returns the key and the title (with package) of a method.
pub(crate) fn method(map: &Map, m: MethodId) -> (String, String) {
    let source = source_method(map, MethodRef::Method(m));
    let key = map.method_key(&map.methods[m.0 as usize - 1]);
    (key, method_name(map, &source, MethodNotation::Short, true).0)
}
