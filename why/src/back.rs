//! The path backwards, in the order in which instructions ran, and the writes on it.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use decoder::replay::BlockNo;
use dex::Reg;

use crate::history::{ActivationNo, Visit, VisitNo};
use crate::path::{Object, Path, Point, VisitedBlock, is_assumed};

/// Parts of visits that are looked through for writes, in all.
const MAX_SCANNED: usize = 1 << 22;

/// A part of the path before a point.
#[derive(Debug)]
enum PathPart {
    /// All of an activation.
    Activation(ActivationNo),
    /// A visit up to a node and up to an activation that it entered, and the visits of the same
    /// activation before it.
    Visits(VisitNo, usize, Option<ActivationNo>),
    /// Nodes of a visit.
    Nodes(VisitNo, Range<usize>),
}

/// A walk back over the path.
struct Back {
    /// Parts that wait, the latest one on top.
    stack: Vec<PathPart>,
    /// A visit of the activation that the walk is in.
    at: VisitNo,
}

impl Back {
    fn from(point: Point) -> Back {
        let start = PathPart::Visits(point.visit, point.node, None);
        Back { stack: vec![start], at: point.visit }
    }
}

/// A write of a field or of an array element in a block.
struct Write {
    node: usize,
    /// `Lpkg/Cls;->name:type`; none for an element.
    field: Option<String>,
    /// The object or array; none for a static field.
    owner: Option<Reg>,
    value: Reg,
}

/// The last write of a field or of an element before a point.
pub struct LastWrite {
    /// The write.
    pub at: Point,
    /// The register with its value.
    pub value: Reg,
    /// True if it is of the same object for certain, and nothing of the thread is missing between.
    pub is_same: bool,
}

/// Looks for writes on the path.
#[derive(Default)]
pub struct WriteSearch {
    of_block: HashMap<BlockNo, Rc<[Write]>>,
    scanned: usize,
}

impl WriteSearch {
    /// The last write before a point that `is_wanted` and is not certain to be of another object
    /// than `object`; none if there is none, or too much was looked through already.
    pub fn last(
        &mut self,
        path: &Path<'_, '_, '_>,
        before: Point,
        is_wanted: impl Fn(Option<&str>) -> bool,
        object: Option<Object>,
    ) -> Option<LastWrite> {
        let mut back = Back::from(before);
        while self.scanned < MAX_SCANNED {
            self.scanned += 1;
            let (no, nodes) = path.step_back(&mut back)?;
            let visit = path.visit(no)?;
            let writes = self.of_block(path, &visit);
            for write in writes.iter().rev() {
                if !nodes.contains(&write.node) || !is_wanted(write.field.as_deref()) {
                    continue;
                }
                let at = Point { visit: no, node: write.node };
                let is_same = match object.zip(write.owner) {
                    None => true,
                    Some((object, owner)) => match (object, path.object(at, owner)) {
                        (Object::New(a), Object::New(b)) if a != b => continue,
                        (Object::Unknown, _) | (_, Object::Unknown) => false,
                        (a, b) => a == b,
                    },
                };
                let is_same = is_same && path.is_unbroken(no, before.visit);
                return Some(LastWrite { at, value: write.value, is_same });
            }
        }
        None
    }

    /// The writes in a block, in order.
    fn of_block(&mut self, path: &Path<'_, '_, '_>, visit: &Visit) -> Rc<[Write]> {
        if let Some(known) = self.of_block.get(&visit.block) {
            return known.clone();
        }
        let mut writes: Vec<Write> = Vec::new();
        if let Some(block) = path.block(visit) {
            for (node, insn) in block.body.insns(block.in_map) {
                let name = insn.op.name();
                let uses = insn.uses();
                let is_field = name.starts_with("iput") || name.starts_with("sput");
                if is_field || name.starts_with("aput") {
                    let Some(value) = uses.first().map(|u| u.0) else { continue };
                    let field = is_field.then(|| path.code.field(&block.body, insn)).flatten();
                    writes.push(Write { node, field, owner: uses.get(1).map(|u| u.0), value });
                }
            }
        }
        let writes: Rc<[Write]> = writes.into();
        self.of_block.insert(visit.block, writes.clone());
        writes
    }
}

impl<'m> Path<'_, '_, 'm> {
    /// True if nothing of the thread is missing between two visits.
    fn is_unbroken(&self, from: VisitNo, to: VisitNo) -> bool {
        let recorded = |no| self.recorded(no);
        recorded(from)
            .zip(recorded(to))
            .is_some_and(|(from, to)| self.history.is_unbroken(from, to))
    }

    /// The recorded visit in which a visit happened.
    fn recorded(&self, no: VisitNo) -> Option<VisitNo> {
        let mut now = no;
        while is_assumed(self.visit(now)?.activation) {
            now = self.activation(self.visit(now)?.activation)?.caller?;
        }
        Some(now)
    }

    /// The part of a visit that ran before all that this has given so far: the visit and a range of
    /// its nodes, without calls of recorded activations inside.
    fn step_back(&self, back: &mut Back) -> Option<(VisitNo, Range<usize>)> {
        loop {
            match back.stack.pop() {
                Some(PathPart::Nodes(visit, nodes)) => return Some((visit, nodes)),
                Some(PathPart::Activation(no)) => {
                    if let Some(last) = self.activation(no).and_then(|a| a.last) {
                        back.stack.push(PathPart::Visits(last, usize::MAX, None));
                    }
                }
                Some(PathPart::Visits(no, until, callee)) => {
                    let Some(visit) = self.visit(no) else { continue };
                    if let Some(previous) = visit.previous {
                        let end = self.end(previous, &visit);
                        back.stack.push(PathPart::Visits(previous, end, None));
                    }
                    let Some(block) = self.block(&visit) else { continue };
                    self.split(no, &visit, &block, until, callee, &mut back.stack);
                }
                None => {
                    // The activation is done: its caller, up to the call.
                    let no = self.visit(back.at)?.activation;
                    match self.activation(no)?.caller {
                        Some(caller) => {
                            back.at = caller;
                            let until = self.call_of_assumed(no).unwrap_or(usize::MAX);
                            let callee = if is_assumed(no) { None } else { Some(no) };
                            back.stack.push(PathPart::Visits(caller, until, callee));
                        }
                        None => {
                            let earlier = self.history.top_level_before(no)?;
                            back.at = self.activation(earlier)?.last?;
                            back.stack.push(PathPart::Activation(earlier));
                        }
                    }
                }
            }
        }
    }

    /// Splits the nodes of a visit before `until` at the calls of recorded activations, of which
    /// only those before `callee` count. Parts are pushed in order, so that the last one is popped
    /// first.
    fn split(
        &self,
        no: VisitNo,
        visit: &Visit,
        block: &VisitedBlock<'m>,
        until: usize,
        callee: Option<ActivationNo>,
        parts: &mut Vec<PathPart>,
    ) {
        let calls = self.calls(visit, block);
        let node_of = |no: ActivationNo| calls.iter().find(|c| c.1 == Some(no)).map(|c| c.0);
        let mut from = 0;
        let mut waiting = Vec::new();
        for entered in self.history.callees(visit) {
            let node = node_of(entered);
            if Some(entered) == callee {
                let until = node.unwrap_or(until);
                parts.push(PathPart::Nodes(no, from..until));
                parts.extend(waiting.drain(..).map(PathPart::Activation));
                return;
            }
            match node.filter(|&node| node < until) {
                Some(node) => {
                    parts.push(PathPart::Nodes(no, from..node));
                    // Code outside the app called these somewhere before the call.
                    parts.extend(waiting.drain(..).map(PathPart::Activation));
                    parts.push(PathPart::Activation(entered));
                    from = node;
                }
                None => waiting.push(entered),
            }
        }
        parts.extend(waiting.drain(..).map(PathPart::Activation));
        parts.push(PathPart::Nodes(no, from..until));
    }
}
