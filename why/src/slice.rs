//! The walk backwards.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use decoder::replay::{BlockNo, Decision, Program};
use dex::{Insn, Op, Reg};
use model::map::{Block, CallKind, Method, MethodId, Terminator};

use crate::code::{self, AppCode, MethodBody};
use crate::criterion::{Criterion, Thrown, ThrownFrame, blamed, is_of_instructions};
use crate::explanation::{Address, Certainty, Explanation, Role, SliceStep, SourceLocation};
use crate::history::{
    Activation, ActivationNo, Entry, Exception, History, ThreadName, Visit, VisitNo,
};
use crate::words;

/// Queries that are answered at most.
const MAX_QUERIES: usize = 20_000;
/// Visits that are looked through for the write of a field or an element.
const MAX_SCANNED: usize = 1 << 20;
/// Instructions that are shown where several may have thrown.
const MAX_THROWERS: usize = 3;
/// Cost of a step to a definition.
const DATA: u32 = 2;
/// Cost of a step to a branch that went an unusual way, and to one that went the usual way.
const UNUSUAL: u32 = 1;
const USUAL: u32 = 5;
/// A branch that goes a way less often than this is unusual.
const UNUSUAL_BELOW: f64 = 0.2;

/// Fields whose writes may be on other threads, and the time of the event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sought {
    /// `Lpkg/Cls;->name:type`.
    pub fields: BTreeSet<String>,
    /// Time before the event in µs since the trace began: the last one that the log has.
    pub clock_us: u64,
    /// Time after the event: the end of its callback, if that is known.
    pub until_us: u64,
}

/// A point of the path: a node of the block of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Point {
    visit: VisitNo,
    node: usize,
}

/// A question about the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Query {
    /// The definition of a register that an instruction reads.
    Value(Point, Reg),
    /// The branch because of which a block ran.
    Control(VisitNo),
}

/// The definition of a register.
enum Definition {
    /// An instruction.
    At(Point),
    /// An argument of the activation, by its word.
    Argument(ActivationNo, u16),
    /// It is before what is kept.
    Unknown,
}

/// Numbers from here on are of visits and activations that are not recorded but assumed: those of
/// methods that decide nothing, called in a recorded block.
const ASSUMED: u64 = 1 << 62;

/// True if an activation is assumed.
fn is_assumed(no: ActivationNo) -> bool {
    no.0 >= ASSUMED
}

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

/// A walk back over the path, in the order in which instructions ran.
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

/// Visits and activations that are not recorded.
#[derive(Default)]
struct Assumed {
    visits: Vec<Visit>,
    activations: Vec<Activation>,
    /// The node of the call, by activation.
    call_nodes: Vec<Option<usize>>,
    by_call: HashMap<(VisitNo, Option<usize>, MethodId), ActivationNo>,
}

/// The object that a register holds, by its definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Object {
    /// Created by this instruction.
    New(Point),
    /// Defined by this instruction, which may give the same object again.
    Some(Point),
    /// An argument that code outside the app gave.
    Given(ActivationNo, u16),
    Unknown,
}

/// Explains an event of a thread; none if the thread has no such event.
///
/// `most`: steps that are listed at most. Also returns the fields whose writes were not found, or
/// may be on other threads: [`FieldWrites`](crate::FieldWrites) finds those.
pub fn explain<'m>(
    code: &AppCode<'m>,
    history: &History<'_, 'm>,
    thread: &ThreadName,
    criterion: &Criterion,
    most: usize,
) -> Option<(Explanation, Sought)> {
    let mut slice = Slice {
        code,
        history,
        program: history.program(),
        queue: BinaryHeap::new(),
        asked: HashSet::new(),
        shown: HashSet::new(),
        writes: HashMap::new(),
        steps: Vec::new(),
        sought: Sought::default(),
        assumed: RefCell::default(),
        most,
        more: false,
    };
    let mut explanation = slice.begin(thread, criterion)?;
    slice.run();
    explanation.steps = slice.steps;
    explanation.more = slice.more;
    Some((explanation, slice.sought))
}

/// A block of a visit with its method and body.
struct VisitedBlock<'m> {
    method: &'m Method,
    number: usize,
    block: &'m Block,
    body: Rc<MethodBody>,
}

/// An instruction that may have thrown, and the registers to blame, each with its role.
type Thrower = (Point, Vec<(Reg, &'static str)>);

/// A write in a block: its node, the field (none: an array element), object and value.
type Write = (usize, Option<String>, Option<Reg>, Reg);

struct Slice<'c, 'p, 'm> {
    code: &'c AppCode<'m>,
    history: &'c History<'p, 'm>,
    program: &'p Program<'m>,
    queue: BinaryHeap<Reverse<(u32, Query)>>,
    asked: HashSet<Query>,
    shown: HashSet<(Point, Role)>,
    writes: HashMap<BlockNo, Rc<[Write]>>,
    steps: Vec<SliceStep>,
    sought: Sought,
    assumed: RefCell<Assumed>,
    most: usize,
    more: bool,
}

impl<'c, 'p, 'm> Slice<'c, 'p, 'm> {
    fn place(&self, visit: &Visit) -> Option<VisitedBlock<'m>> {
        let (id, number, block, body) = self.code.at(self.program, visit.block)?;
        Some(VisitedBlock { method: self.program.map.method(id)?, number, block, body })
    }

    fn target(&self, place: &VisitedBlock<'m>, node: usize) -> SourceLocation {
        words::target(self.program.map, place.method, place.block, place.body.address(node))
    }

    fn ask(&mut self, cost: u32, query: Query) {
        if self.asked.len() < MAX_QUERIES && self.asked.insert(query) {
            self.queue.push(Reverse((cost, query)));
        }
    }

    /// Adds a step; false if the list is full.
    fn show(&mut self, point: Point, role: Role, certainty: Certainty, text: String) {
        let Some(visit) = self.visit(point.visit) else { return };
        let Some(place) = self.place(&visit) else { return };
        let is_event = self.shown.contains(&(point, Role::Event));
        if !self.shown.insert((point, role)) || (role == Role::Value && is_event) {
            return;
        }
        if self.steps.len() >= self.most {
            self.more = true;
            return;
        }
        let at = self.target(&place, point.node);
        let same = |s: &SliceStep| s.at == at && s.role == role && s.text == text;
        if self.steps.iter().any(same) {
            return;
        }
        let code = Address {
            method: code::key(self.program.map, place.method),
            units: place.body.address(point.node),
        };
        self.steps.push(SliceStep {
            role,
            certainty,
            at,
            code,
            text,
            probability: None,
            field: None,
            thread: None,
        });
    }

    /// Finds the event and asks the first questions.
    fn begin(&mut self, thread: &ThreadName, criterion: &Criterion) -> Option<Explanation> {
        match criterion {
            Criterion::Exception { number, thrown } => {
                let exception = match number {
                    Some(number) => self.history.exception(*number)?,
                    None => {
                        let left = self.history.exceptions().rev().find(|e| e.left);
                        left.or_else(|| self.history.exceptions().next_back())?
                    }
                };
                let end = exception.clone();
                let exception = self.history.exception(end.origin).unwrap_or(exception).clone();
                self.sought.clock_us = exception.clock_us;
                self.sought.until_us = end.end_us.unwrap_or(u64::MAX);
                let class = thrown.class.as_deref();
                let (at, mut throwers) = self.throwers(&exception, thrown);
                let certainty = match throwers.len() {
                    0 | 1 => Certainty::Exact,
                    _ => Certainty::Candidate,
                };
                throwers.truncate(MAX_THROWERS);
                for (point, registers) in &throwers {
                    let visit = self.visit(point.visit)?;
                    let place = self.place(&visit)?;
                    let insn = place.body.insn(point.node)?;
                    let mut text = words::insn(self.code, &place.body, insn);
                    if class.is_some()
                        && let [(_, role), ..] = registers[..]
                    {
                        text = format!("{text}: {role}");
                    }
                    self.show(*point, Role::Event, certainty, text);
                }
                for (point, registers) in throwers {
                    for (register, _) in registers {
                        self.ask(DATA, Query::Value(point, register));
                    }
                }
                self.ask(UNUSUAL, Query::Control(at));
                let what = class.unwrap_or("exception");
                let fate = if end.left { "left the app's code" } else { "was caught" };
                let title = format!("{what} {} of the thread, which {fate}", exception.number);
                let mut explanation = Explanation::new(title, thread, exception.callback);
                explanation.exception = Some(end.number);
                explanation.left = end.left;
                Some(explanation)
            }
            Criterion::Line { file, line } => {
                let (no, callback, clock_us) = self.history.found?;
                self.sought.clock_us = clock_us;
                self.sought.until_us = u64::MAX;
                let visit = self.visit(no)?;
                let place = self.place(&visit)?;
                let on_line =
                    |&(node, _): &(usize, &Insn)| self.target(&place, node).line == Some(*line);
                let nodes: Vec<(usize, Insn)> = place
                    .body
                    .insns(place.block)
                    .filter(on_line)
                    .map(|(node, insn)| (node, *insn))
                    .collect();
                let &(first, insn) = nodes.first()?;
                let text = words::insn(self.code, &place.body, &insn);
                self.show(Point { visit: no, node: first }, Role::Event, Certainty::Exact, text);
                self.ask(UNUSUAL, Query::Control(no));
                for (node, insn) in nodes {
                    for (register, _) in insn.uses() {
                        self.ask(DATA + 1, Query::Value(Point { visit: no, node }, register));
                    }
                }
                let title = format!("{file}:{line} ran last");
                Some(Explanation::new(title, thread, callback))
            }
        }
    }

    /// The instructions that may have thrown an exception, and the visit that they are in.
    fn throwers(&self, exception: &Exception, thrown: &Thrown) -> (VisitNo, Vec<Thrower>) {
        let class = thrown.class.as_deref();
        let frames = &thrown.frames[..];
        let innermost = frames.iter().position(|frame| self.method_of(frame).is_some());
        let frames = innermost.map_or(&[][..], |at| &frames[at..]);
        if let Some(frame) = frames.first() {
            // Right there, by the line of the innermost frame.
            let all = self.throwers_in(exception.visit, class, Some(frame));
            if !all.is_empty() {
                return (exception.visit, self.named_in(thrown, all));
            }
            // In a method that the log does not mention, because nothing in it decides.
            if let Some((visit, all)) = self.throwers_below(exception.visit, class, frames) {
                return (visit, self.named_in(thrown, all));
            }
        }
        let all = self.throwers_in(exception.visit, class, None);
        match all.is_empty() {
            true => (exception.visit, self.throwers_in(exception.visit, None, None)),
            false => (exception.visit, self.named_in(thrown, all)),
        }
    }

    /// The instructions whose member the message names, as ART's messages do (`Attempt to invoke
    /// virtual method 'int java.lang.String.length()' on a null object reference`); all if it names
    /// none of them.
    fn named_in(&self, thrown: &Thrown, all: Vec<Thrower>) -> Vec<Thrower> {
        let Some(message) = &thrown.message else { return all };
        let is_named = |(point, _): &Thrower| {
            let place = self.visit(point.visit).and_then(|visit| self.place(&visit))?;
            let insn = place.body.insn(point.node)?;
            let member = self
                .code
                .callee(&place.body, insn)
                .or_else(|| self.code.field(&place.body, insn))?;
            let (class, member) = member.split_once("->")?;
            let end = member.find(['(', ':'])?;
            // A method's name is followed by its parameters, a field's by a quote.
            let after = if member.as_bytes()[end] == b'(' { '(' } else { '\'' };
            let name = format!("{}.{}{after}", words::dotted(class), &member[..end]);
            message.contains(&name).then_some(())
        };
        let named: Vec<Thrower> =
            all.iter().filter(|thrower| is_named(thrower).is_some()).cloned().collect();
        if named.is_empty() { all } else { named }
    }

    /// The method of a frame; of overloads one that has its line.
    fn method_of(&self, frame: &ThrownFrame) -> Option<MethodId> {
        let map = self.program.map;
        let of_frame = |m: &Method| {
            let is = |class, name| {
                let class = words::dotted(map.name(class));
                let rest = frame.method.strip_prefix(&class);
                rest.and_then(|rest| rest.strip_prefix('.')) == Some(map.name(name))
            };
            is(m.class, m.name) || m.in_app.is_some_and(|app| is(app.class, app.name))
        };
        let has_line = |m: &Method| {
            let mut lines = m.blocks.iter().flat_map(|b| &b.lines).filter_map(|l| l.1.own_line());
            lines.any(|line| Some(line) == frame.line)
        };
        let all = || (1..).map(MethodId).zip(&map.methods).filter(|(_, m)| of_frame(m));
        all().find(|(_, m)| has_line(m)).or_else(|| all().next()).map(|(id, _)| id)
    }

    /// Instructions of a visit's block that may have thrown, at the place of a frame if one is
    /// given.
    fn throwers_in(
        &self,
        no: VisitNo,
        class: Option<&str>,
        frame: Option<&ThrownFrame>,
    ) -> Vec<Thrower> {
        let Some(visit) = self.visit(no) else { return Vec::new() };
        let Some(place) = self.place(&visit) else { return Vec::new() };
        // Calls that came back have not thrown, and nothing before them has.
        let calls = self.calls(&visit, &place);
        let done = calls.iter().filter(|c| c.1.is_some()).map(|c| c.0).max();
        let mut all: Vec<Thrower> = Vec::new();
        for (node, insn) in place.body.insns(place.block) {
            if done.is_some_and(|done| node <= done) || !insn.op.can_throw() {
                continue;
            }
            let is_there = |frame: &ThrownFrame| {
                let at = self.target(&place, node);
                at.method == frame.method
                    && (at.near || frame.line.is_none() || at.line == frame.line)
            };
            if frame.is_some_and(|frame| !is_there(frame)) {
                continue;
            }
            if let Some(registers) = blamed(insn, class) {
                all.push((Point { visit: no, node }, registers));
            }
        }
        // An exception that no instruction throws by itself: a block that ends in `throw` is there
        // to throw it; else a call threw it.
        if !class.is_some_and(is_of_instructions) {
            let is = |p: &Thrower, wanted: &dyn Fn(Op) -> bool| {
                place.body.insn(p.0.node).is_some_and(|insn| wanted(insn.op))
            };
            let throws = |op: Op| op == Op::Throw;
            if all.iter().any(|p| is(p, &throws)) {
                all.retain(|p| is(p, &throws));
            } else if class.is_some() && all.iter().any(|p| is(p, &Op::is_invoke)) {
                all.retain(|p| is(p, &Op::is_invoke));
            }
        }
        all
    }

    /// Follows the frames of a stack trace from that of a visit to inner ones, which the log does
    /// not mention.
    fn throwers_below(
        &self,
        from: VisitNo,
        class: Option<&str>,
        frames: &[ThrownFrame],
    ) -> Option<(VisitNo, Vec<Thrower>)> {
        let outer = self.activation(self.visit(from)?.activation)?.method;
        let at = frames.iter().position(|frame| self.method_of(frame) == Some(outer))?;
        let mut now = from;
        for inner in (0..at).rev() {
            // Frames of code outside the app call the next one.
            let Some(method) = self.method_of(&frames[inner]) else { continue };
            now = self.call_assumed(now, &frames[inner + 1], method)?;
        }
        // A method without decisions is one path: the block is the one with the line.
        let mut block = (now != from).then_some(now);
        while let Some(no) = block {
            let all = self.throwers_in(no, class, frames.first());
            if !all.is_empty() {
                return Some((no, all));
            }
            block = self.visit(no)?.previous;
        }
        None
    }

    /// The last visit of an activation of `callee` that a visit entered at the line of its frame.
    fn call_assumed(
        &self,
        caller: VisitNo,
        frame: &ThrownFrame,
        callee: MethodId,
    ) -> Option<VisitNo> {
        let name = self.program.map.name(self.program.map.method(callee)?.name);
        let mut now = Some(caller);
        while let Some(no) = now {
            let visit = self.visit(no)?;
            let place = self.place(&visit)?;
            let call = place.body.insns(place.block).rev().find(|&(node, insn)| {
                let target = self.code.callee(&place.body, insn).unwrap_or_default();
                insn.op.is_invoke()
                    && words::short(&target).rsplit('.').next() == Some(name)
                    && (frame.line.is_none() || self.target(&place, node).line == frame.line)
            });
            if let Some((node, _)) = call {
                return self.activation(self.assume(no, Some(node), callee)?)?.last;
            }
            // Only within assumed methods: the exception was in the recorded visit.
            now = if is_assumed(visit.activation) { visit.previous } else { None };
        }
        self.activation(self.assume(caller, None, callee)?)?.last
    }

    /// Makes up an activation of a method that decides nothing: one path through it, from the entry
    /// to its end. None if the method has branches on it.
    fn assume(
        &self,
        caller: VisitNo,
        node: Option<usize>,
        callee: MethodId,
    ) -> Option<ActivationNo> {
        let mut assumed = self.assumed.borrow_mut();
        if let Some(&known) = assumed.by_call.get(&(caller, node, callee)) {
            return Some(known);
        }
        let method = self.program.map.method(callee)?;
        let activation = ActivationNo(ASSUMED + assumed.activations.len() as u64);
        let mut visits = Vec::new();
        let (mut previous, mut number) = (None, 0);
        for _ in 0..method.blocks.len() {
            let block = self.program.block(callee, number)?;
            let no = VisitNo(ASSUMED + (assumed.visits.len() + visits.len()) as u64);
            let (last_callee, caught) = (None, None);
            visits.push(Visit { activation, block, previous, last_callee, caught });
            previous = Some(no);
            match &method.blocks[number].terminator {
                Terminator::Goto(to) => number = to.0 as usize,
                Terminator::Return | Terminator::Throw => break,
                Terminator::Branch { .. } => return None,
            }
        }
        assumed.visits.extend(visits);
        let entry = if node.is_some() { Entry::Call } else { Entry::FromOutside };
        let (method, caller_visit) = (callee, Some(caller));
        let (earlier, last, threw) = (None, previous, false);
        let made = Activation { method, entry, caller: caller_visit, earlier, last, threw };
        assumed.activations.push(made);
        assumed.call_nodes.push(node);
        assumed.by_call.insert((caller, node, callee), activation);
        Some(activation)
    }

    /// A visit, recorded or assumed.
    fn visit(&self, no: VisitNo) -> Option<Visit> {
        match no.0.checked_sub(ASSUMED) {
            Some(at) => self.assumed.borrow().visits.get(usize::try_from(at).ok()?).copied(),
            None => self.history.visit(no).copied(),
        }
    }

    /// An activation, recorded or assumed.
    fn activation(&self, no: ActivationNo) -> Option<Activation> {
        match no.0.checked_sub(ASSUMED) {
            Some(at) => self.assumed.borrow().activations.get(usize::try_from(at).ok()?).copied(),
            None => self.history.activation(no).copied(),
        }
    }

    fn run(&mut self) {
        while let Some(Reverse((cost, query))) = self.queue.pop() {
            if self.steps.len() >= self.most {
                self.more |= !self.queue.is_empty();
                return;
            }
            match query {
                Query::Value(point, register) => self.value(cost, point, register),
                Query::Control(visit) => self.control(cost, visit),
            }
        }
    }

    /// Calls of a visit in order: the node of each `invoke`, and the activation that it entered.
    /// The last one of the same name and descriptor that has not been entered yet is taken.
    fn calls(&self, visit: &Visit, place: &VisitedBlock<'m>) -> Vec<(usize, Option<ActivationNo>)> {
        let mut callees = self
            .history
            .callees(visit)
            .into_iter()
            .filter(|&no| self.activation(no).is_some_and(|a| a.entry == Entry::Call));
        let mut next = callees.next();
        let mut calls = Vec::new();
        for (node, insn) in place.body.insns(place.block).filter(|(_, i)| i.op.is_invoke()) {
            let entered = next.filter(|&no| {
                let name = self.code.callee(&place.body, insn).unwrap_or_default();
                self.is_named(no, &name)
            });
            if entered.is_some() {
                next = callees.next();
            }
            calls.push((node, entered));
        }
        calls
    }

    /// The activation that a call of a visit entered: a recorded one, or that of a method that
    /// decides nothing.
    fn entered(
        &self,
        call: Point,
        visit: &Visit,
        place: &VisitedBlock<'m>,
    ) -> Option<ActivationNo> {
        let calls = self.calls(visit, place);
        if let Some(no) = calls.iter().find(|c| c.0 == call.node)?.1 {
            return Some(no);
        }
        let address = place.body.address(call.node);
        let site = place.block.calls.iter().find(|site| site.pc == address)?;
        match site.call {
            CallKind::Implied(callee) => self.assume(call.visit, Some(call.node), callee),
            CallKind::Predicted(_) | CallKind::Slot(_) => None,
        }
    }

    /// True if an activation is of a method with this name and descriptor.
    fn is_named(&self, no: ActivationNo, member: &str) -> bool {
        let method = self.activation(no).and_then(|a| self.program.map.method(a.method));
        let (Some(method), Some((_, member))) = (method, member.split_once("->")) else {
            return false;
        };
        let map = self.program.map;
        let (name, descriptor) = match method.in_app {
            Some(app) => (app.name, app.descriptor),
            None => (method.name, method.descriptor),
        };
        member.strip_prefix(map.name(name)) == Some(map.name(descriptor))
    }

    /// The definition of a register before a point of an activation.
    fn definition(&self, point: Point, register: Reg) -> Definition {
        let mut now = point;
        loop {
            let Some(visit) = self.visit(now.visit) else { return Definition::Unknown };
            let Some(place) = self.place(&visit) else { return Definition::Unknown };
            let defines = |insn: &Insn| {
                insn.def().is_some_and(|(reg, kind)| {
                    let high =
                        kind == dex::RegKind::Wide && reg.0.checked_add(1) == Some(register.0);
                    reg == register || high
                })
            };
            let found = place
                .body
                .insns(place.block)
                .rev()
                .find(|&(node, insn)| node < now.node && defines(insn));
            if let Some((node, _)) = found {
                return Definition::At(Point { visit: now.visit, node });
            }
            let Some(previous) = visit.previous else {
                return match place.body.argument(register.0) {
                    Some(word) => Definition::Argument(visit.activation, word),
                    None => Definition::Unknown,
                };
            };
            now = Point { visit: previous, node: self.end(previous, &visit) };
        }
    }

    /// The node up to which the block of a visit ran, if `next` is the visit that follows.
    fn end(&self, no: VisitNo, next: &Visit) -> usize {
        if next.caught.is_none() {
            return usize::MAX;
        }
        // An exception came out of a call, or of an instruction that is not known.
        let Some(visit) = self.visit(no) else { return usize::MAX };
        let Some(place) = self.place(&visit) else { return usize::MAX };
        let threw = |no: &ActivationNo| self.activation(*no).is_some_and(|a| a.threw);
        let calls = self.calls(&visit, &place);
        let call = calls.iter().rev().find(|c| c.1.as_ref().is_some_and(threw));
        call.map_or(usize::MAX, |c| c.0)
    }

    /// The argument register of the call that entered an activation.
    fn passed(&self, no: ActivationNo, word: u16) -> Option<(Point, Reg)> {
        let activation = self.activation(no)?;
        if activation.entry != Entry::Call {
            return None;
        }
        let caller = activation.caller?;
        let visit = self.visit(caller)?;
        let place = self.place(&visit)?;
        let node = match no.0.checked_sub(ASSUMED) {
            Some(at) => (*self.assumed.borrow().call_nodes.get(usize::try_from(at).ok()?)?)?,
            None => self.calls(&visit, &place).iter().find(|c| c.1 == Some(no))?.0,
        };
        let insn = place.body.insn(node)?;
        let register = insn.uses().get(usize::from(word))?.0;
        Some((Point { visit: caller, node }, register))
    }

    /// The return of the callee that a call entered: where it is, and the register.
    fn returned(&self, call: Point) -> Option<Option<(Point, Reg)>> {
        let visit = self.visit(call.visit)?;
        let place = self.place(&visit)?;
        let Some(entered) = self.entered(call, &visit, &place) else { return Some(None) };
        let last = self.activation(entered)?.last?;
        let place = self.place(&self.visit(last)?)?;
        let (node, insn) = place.body.insns(place.block).next_back()?;
        let register = insn.op.is_return().then(|| insn.uses().first().copied()).flatten()?.0;
        Some(Some((Point { visit: last, node }, register)))
    }

    /// Answers a question about a value.
    fn value(&mut self, cost: u32, point: Point, register: Reg) {
        let at = match self.definition(point, register) {
            Definition::At(at) => at,
            Definition::Argument(activation, word) => {
                return self.argument(cost, point, activation, word);
            }
            Definition::Unknown => return,
        };
        let Some(visit) = self.visit(at.visit) else { return };
        let Some(place) = self.place(&visit) else { return };
        let Some(&insn) = place.body.insn(at.node) else { return };
        let name = insn.op.name();
        let uses: Vec<Reg> = insn.uses().into_iter().map(|u| u.0).collect();
        if name.starts_with("move-exception") {
            let text = "the exception that was caught here".to_owned();
            self.show(at, Role::Value, Certainty::Exact, text);
            self.thrown(cost, &visit);
        } else if insn.op.is_move_result() {
            self.result(cost, at, &place);
        } else if name.starts_with("move") || insn.op == Op::CheckCast {
            // The same value.
            uses.iter().for_each(|&reg| self.ask(cost, Query::Value(at, reg)));
        } else if name.starts_with("iget") || name.starts_with("sget") {
            let text = words::insn(self.code, &place.body, &insn);
            self.show(at, Role::Value, Certainty::Exact, text);
            let field = self.code.field(&place.body, &insn).unwrap_or_default();
            self.written(cost, at, &field, uses.first().copied());
            self.ask(cost + USUAL, Query::Control(at.visit));
        } else if name.starts_with("aget") {
            let text = words::insn(self.code, &place.body, &insn);
            self.show(at, Role::Value, Certainty::Exact, text);
            if let [array, index] = uses[..] {
                self.element(cost, at, array);
                self.ask(cost + DATA, Query::Value(at, index));
            }
        } else {
            let text = words::insn(self.code, &place.body, &insn);
            self.show(at, Role::Value, Certainty::Exact, text);
            uses.iter().for_each(|&reg| self.ask(cost + DATA, Query::Value(at, reg)));
            self.ask(cost + DATA, Query::Control(at.visit));
        }
    }

    /// The value is an argument.
    fn argument(&mut self, cost: u32, point: Point, no: ActivationNo, word: u16) {
        if let Some((call, register)) = self.passed(no, word) {
            return self.ask(cost, Query::Value(call, register));
        }
        let Some(activation) = self.activation(no) else { return };
        let Some(first) = self.first_visit(point.visit) else { return };
        let Some(place) = self.visit(first).and_then(|v| self.place(&v)) else { return };
        let name =
            self.program.map.method(activation.method).map(|m| self.program.map.name(m.name));
        let name = name.unwrap_or("?");
        let this = !place.body.is_static && word == 0;
        let what = match (this, activation.entry) {
            // The object itself is no cause.
            (true, Entry::FromOutside | Entry::TopLevel) => return,
            (_, Entry::Call) => format!("an argument of {name}(); its call is not known"),
            _ => format!("an argument of {name}(), which code outside the app calls"),
        };
        let node = place.body.insns(place.block).next().map_or(0, |i| i.0);
        self.show(Point { visit: first, node }, Role::Outside, Certainty::Exact, what);
    }

    /// The first visit of an activation, from one of its visits.
    fn first_visit(&self, from: VisitNo) -> Option<VisitNo> {
        let mut now = from;
        for _ in 0..MAX_SCANNED {
            match self.visit(now)?.previous {
                Some(previous) => now = previous,
                None => return Some(now),
            }
        }
        None
    }

    /// The value is the result of a call or of `filled-new-array`.
    fn result(&mut self, cost: u32, at: Point, place: &VisitedBlock<'m>) {
        let before = place.body.insns(place.block).rev().find(|i| i.0 < at.node);
        let Some((node, &insn)) = before else { return };
        let call = Point { visit: at.visit, node };
        if !insn.op.is_invoke() {
            let text = words::insn(self.code, &place.body, &insn);
            return self.show(call, Role::Value, Certainty::Exact, text);
        }
        let callee = words::short(&self.code.callee(&place.body, &insn).unwrap_or_default());
        match self.returned(call) {
            Some(Some((end, register))) => {
                let text = format!("what {callee}() returned");
                self.show(call, Role::Value, Certainty::Exact, text);
                self.ask(cost + 1, Query::Value(end, register));
                self.ask(cost + DATA, Query::Control(end.visit));
            }
            Some(None) => {
                let text = format!("what {callee}() returned, outside the app");
                self.show(call, Role::Outside, Certainty::Exact, text);
                for (register, _) in insn.uses() {
                    self.ask(cost + 2 * DATA, Query::Value(call, register));
                }
                self.ask(cost + DATA, Query::Control(at.visit));
            }
            None => {}
        }
    }

    /// The exception that a visit caught.
    fn thrown(&mut self, cost: u32, visit: &Visit) {
        let exception = visit.caught.and_then(|number| self.history.exception(number)).cloned();
        let Some(exception) = exception else { return };
        let (at, mut throwers) = self.throwers(&exception, &Thrown::default());
        let certainty = if throwers.len() == 1 { Certainty::Exact } else { Certainty::Candidate };
        throwers.truncate(1);
        for (point, registers) in throwers {
            let Some(visit) = self.visit(point.visit) else { continue };
            let Some(place) = self.place(&visit) else { continue };
            let Some(insn) = place.body.insn(point.node) else { continue };
            let text = format!("{}; it threw", words::insn(self.code, &place.body, insn));
            self.show(point, Role::Because, certainty, text);
            for (register, _) in registers {
                self.ask(cost + DATA, Query::Value(point, register));
            }
        }
        self.ask(cost + DATA, Query::Control(at));
    }

    /// Writes of fields and elements in a block, in order.
    fn writes_of(&mut self, visit: &Visit) -> Rc<[Write]> {
        if let Some(known) = self.writes.get(&visit.block) {
            return known.clone();
        }
        let mut writes: Vec<Write> = Vec::new();
        if let Some(place) = self.place(visit) {
            for (node, insn) in place.body.insns(place.block) {
                let name = insn.op.name();
                let uses = insn.uses();
                let put = name.starts_with("iput") || name.starts_with("sput");
                if put || name.starts_with("aput") {
                    let Some(value) = uses.first().map(|u| u.0) else { continue };
                    let field = put.then(|| self.code.field(&place.body, insn)).flatten();
                    writes.push((node, field, uses.get(1).map(|u| u.0), value));
                }
            }
        }
        let writes: Rc<[Write]> = writes.into();
        self.writes.insert(visit.block, writes.clone());
        writes
    }

    /// The object that a register holds.
    fn object(&self, point: Point, register: Reg) -> Object {
        let (mut point, mut register) = (point, register);
        for _ in 0..1_000 {
            match self.definition(point, register) {
                Definition::At(at) => {
                    let insn = self
                        .history
                        .visit(at.visit)
                        .and_then(|v| self.place(v))
                        .and_then(|p| p.body.insn(at.node).copied());
                    let Some(insn) = insn else { return Object::Unknown };
                    let name = insn.op.name();
                    let passes = name.starts_with("move-object") || insn.op == Op::CheckCast;
                    if insn.op.is_move_result() {
                        let call = self.call_before(at);
                        match call.and_then(|call| self.returned(call)).flatten() {
                            Some((end, reg)) => (point, register) = (end, reg),
                            None => return Object::Some(at),
                        }
                    } else if passes {
                        let Some(&(reg, _)) = insn.uses().first() else { return Object::Unknown };
                        (point, register) = (at, reg);
                    } else if matches!(insn.op, Op::NewInstance | Op::NewArray) {
                        return Object::New(at);
                    } else {
                        return Object::Some(at);
                    }
                }
                Definition::Argument(no, word) => match self.passed(no, word) {
                    Some((call, reg)) => (point, register) = (call, reg),
                    None => return Object::Given(no, word),
                },
                Definition::Unknown => return Object::Unknown,
            }
        }
        Object::Unknown
    }

    fn call_before(&self, at: Point) -> Option<Point> {
        let place = self.place(&self.visit(at.visit)?)?;
        let (node, insn) = place.body.insns(place.block).rev().find(|i| i.0 < at.node)?;
        insn.op.is_invoke().then_some(Point { visit: at.visit, node })
    }

    /// The last write before a point that `is_wanted` and is not certain to be of another object
    /// than `object`: its point, its value, and whether it is of the same object for certain.
    fn last_write(
        &mut self,
        before: Point,
        is_wanted: impl Fn(Option<&str>) -> bool,
        object: Option<Object>,
    ) -> Option<(Point, Reg, bool)> {
        let mut back = Back::from(before);
        for _ in 0..MAX_SCANNED {
            let (no, nodes) = self.step_back(&mut back)?;
            let visit = self.visit(no)?;
            let writes = self.writes_of(&visit);
            for (node, field, owner, value) in writes.iter().rev() {
                if !nodes.contains(node) || !is_wanted(field.as_deref()) {
                    continue;
                }
                let point = Point { visit: no, node: *node };
                let Some((object, owner)) = object.zip(*owner) else {
                    return Some((point, *value, true));
                };
                match (object, self.object(point, owner)) {
                    (Object::New(a), Object::New(b)) if a != b => {}
                    (Object::Unknown, _) | (_, Object::Unknown) => {
                        return Some((point, *value, false));
                    }
                    (a, b) => return Some((point, *value, a == b)),
                }
            }
        }
        None
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
                    let Some(place) = self.place(&visit) else { continue };
                    self.split(no, &visit, &place, until, callee, &mut back.stack);
                }
                None => {
                    // The activation is done: its caller, up to the call.
                    let activation = self.activation(self.visit(back.at)?.activation)?;
                    let no = self.visit(back.at)?.activation;
                    match activation.caller {
                        Some(caller) => {
                            let node = match no.0.checked_sub(ASSUMED) {
                                Some(at) => {
                                    let assumed = self.assumed.borrow();
                                    assumed.call_nodes.get(at as usize).copied().flatten()
                                }
                                None => None,
                            };
                            back.at = caller;
                            let until = node.unwrap_or(usize::MAX);
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
        place: &VisitedBlock<'m>,
        until: usize,
        callee: Option<ActivationNo>,
        parts: &mut Vec<PathPart>,
    ) {
        let calls = self.calls(visit, place);
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

    /// The value is read from a field.
    fn written(&mut self, cost: u32, read: Point, field: &str, owner: Option<Reg>) {
        let object = owner.map(|owner| self.object(read, owner));
        self.sought.fields.insert(field.to_owned());
        let listed = self.steps.len();
        let found = self.last_write(read, |f| f == Some(field), object);
        match found {
            Some((point, _, same)) => {
                let certainty = if same { Certainty::Exact } else { Certainty::Candidate };
                let text = format!("sets field {}", words::short(field));
                self.show(point, Role::Set, certainty, text);
            }
            None => {
                let text = format!("{} was not set before in this thread", words::short(field));
                self.show(read, Role::Outside, Certainty::Exact, text);
            }
        }
        if let Some(step) = self.steps.get_mut(listed) {
            step.field = Some(field.to_owned());
        }
        if let Some((point, value, _)) = found {
            self.ask(cost + 1, Query::Value(point, value));
            self.ask(cost + DATA, Query::Control(point.visit));
        }
    }

    /// The value is read from an array.
    fn element(&mut self, cost: u32, read: Point, array: Reg) {
        let object = self.object(read, array);
        let found = self.last_write(read, |field| field.is_none(), Some(object));
        // Which element it was is not recorded.
        if let Some((point, value, _)) = found {
            let text = "sets an array element".to_owned();
            self.show(point, Role::Set, Certainty::Candidate, text);
            self.ask(cost + DATA, Query::Value(point, value));
        }
        self.ask(cost + DATA, Query::Value(read, array));
    }

    /// Answers a question about control.
    fn control(&mut self, cost: u32, of: VisitNo) {
        let Some(wanted) = self.visit(of).and_then(|v| self.place(&v)) else { return };
        let mut next = of;
        for _ in 0..MAX_SCANNED {
            let Some(visit) = self.visit(next) else { return };
            if visit.caught.is_some() {
                return self.thrown(cost, &visit);
            }
            let Some(previous) = visit.previous else { return self.called(cost, &visit) };
            let (Some(branch), Some(to)) = (
                self.visit(previous).and_then(|v| self.place(&v)),
                self.place(&visit).map(|p| p.number),
            ) else {
                return;
            };
            if let Terminator::Branch { alternatives, .. } = &branch.block.terminator
                && branch.body.control.depends(wanted.number, branch.number, to)
            {
                let alternative = alternatives.iter().position(|a| a.0.0 as usize == to);
                return self.branched(cost, previous, &branch, to, alternative);
            }
            next = previous;
        }
    }

    /// True if a register holds what the instruction of a constant defined.
    fn is_constant(&self, point: Point, register: Reg) -> bool {
        let Definition::At(at) = self.definition(point, register) else { return false };
        let place = self.visit(at.visit).and_then(|visit| self.place(&visit));
        let insn = place.and_then(|place| place.body.insn(at.node).copied());
        insn.is_some_and(|insn| insn.op.name().starts_with("const"))
    }

    /// Control came into the activation: why its caller called it.
    fn called(&mut self, cost: u32, first: &Visit) {
        let Some(activation) = self.activation(first.activation) else { return };
        if let Some(caller) = activation.caller {
            self.ask(cost, Query::Control(caller));
        }
    }

    fn branched(
        &mut self,
        cost: u32,
        visit: VisitNo,
        branch: &VisitedBlock<'m>,
        to: usize,
        alternative: Option<usize>,
    ) {
        let Some((node, &insn)) = branch.body.insns(branch.block).next_back() else { return };
        let point = Point { visit, node };
        let block = self.visit(visit).map(|v| v.block);
        let probability = block.zip(alternative).and_then(|(block, alternative)| {
            let chance = reports::chance(self.program, Decision::Branch(block), alternative)?;
            Some((-chance.bits()).exp2())
        });
        let taken = branch.method.blocks.get(to).is_some_and(|b| b.pc != branch.block.end);
        let listed = self.steps.len();
        self.show(point, Role::Because, Certainty::Exact, words::outcome(&insn, taken));
        if self.steps.len() > listed
            && let Some(step) = self.steps.last_mut()
        {
            step.probability = probability;
        }
        let unusual = probability.is_some_and(|p| p < UNUSUAL_BELOW);
        for (register, _) in insn.uses() {
            // The source line has the constants.
            if !self.is_constant(point, register) {
                self.ask(cost + DATA, Query::Value(point, register));
            }
        }
        self.ask(cost + if unusual { DATA } else { USUAL }, Query::Control(visit));
    }
}
