//! The instructions that may have thrown an exception.

use dex::{Op, Reg};
use model::descriptors::dotted_name;
use model::map::{Method, MethodId, SourceMethod};

use crate::criterion::{Thrown, ThrownFrame, blamed, is_of_instructions};
use crate::history::{Exception, VisitNo};
use crate::path::{Path, Point, is_assumed};
use crate::words;

/// An instruction that may have thrown, and the registers to blame, each with its role.
pub type Thrower = (Point, Vec<(Reg, &'static str)>);

/// Instructions of a visit, one of which threw.
#[derive(Default)]
pub struct Throwers {
    /// The instructions, in order.
    pub all: Vec<Thrower>,
    /// True if the only one of them threw for certain: no other instruction of the block could.
    pub is_certain: bool,
}

/// ThrowerFacts that select among the instructions of a block.
#[derive(Clone, Copy)]
struct ThrowerFacts<'a> {
    class: Option<&'a str>,
    frame: Option<&'a ThrownFrame>,
    /// True if the stack trace begins in code outside the app: a call threw.
    by_call: bool,
}

impl Path<'_, '_, '_> {
    /// The instructions that may have thrown an exception, and the visit that they are in.
    pub fn throwers(&self, exception: &Exception, thrown: &Thrown) -> (VisitNo, Throwers) {
        let class = thrown.class.as_deref();
        let frames = &thrown.frames[..];
        let is_own =
            |frame: &ThrownFrame| self.method_of(frame).is_some() || self.is_inlined(frame);
        let innermost = frames.iter().position(is_own);
        let frames = innermost.map_or(&[][..], |at| &frames[at..]);
        let by_call = innermost.is_some_and(|at| at > 0);
        let none = ThrowerFacts { class, frame: None, by_call };
        if let Some(frame) = frames.first() {
            let facts = ThrowerFacts { frame: Some(frame), ..none };
            // Right there, by the line of the innermost frame.
            let found = self.throwers_in(exception.visit, facts);
            if !found.all.is_empty() {
                return (exception.visit, self.named_in(thrown, found));
            }
            // In a method that the log does not mention, because nothing in it decides.
            if let Some((visit, found)) = self.throwers_below(exception.visit, facts, frames) {
                return (visit, self.named_in(thrown, found));
            }
        }
        let mut found = self.throwers_in(exception.visit, none);
        if found.all.is_empty() {
            found = self.throwers_in(exception.visit, ThrowerFacts { class: None, ..none });
        }
        // The trace has frames, and none fits; or a block that followed without a decision threw.
        found.is_certain &= frames.is_empty() && exception.in_visit;
        (exception.visit, self.named_in(thrown, found))
    }

    /// The instructions whose member the message names, as ART's messages do (`Attempt to invoke
    /// virtual method 'int java.lang.String.length()' on a null object reference`); all if it names
    /// none of them.
    fn named_in(&self, thrown: &Thrown, found: Throwers) -> Throwers {
        let Some(message) = &thrown.message else { return found };
        let is_named = |(point, _): &Thrower| {
            let block = self.visit(point.visit).and_then(|visit| self.block(&visit))?;
            let insn = block.body.insn(point.node)?;
            let member = self
                .code
                .callee(&block.body, insn)
                .or_else(|| self.code.field(&block.body, insn))?;
            let (class, member) = member.split_once("->")?;
            let end = member.find(['(', ':'])?;
            // A method's name is followed by its parameters, a field's by a quote.
            let after = if member.as_bytes()[end] == b'(' { '(' } else { '\'' };
            let name = format!("{}.{}{after}", dotted_name(class), &member[..end]);
            message.contains(&name).then_some(())
        };
        let named: Vec<Thrower> =
            found.all.iter().filter(|thrower| is_named(thrower).is_some()).cloned().collect();
        match named.len() {
            0 => found,
            n => Throwers { all: named, is_certain: n == 1 },
        }
    }

    /// True if a frame is of a source method whose code stands in other methods (R8 inlines).
    fn is_inlined(&self, frame: &ThrownFrame) -> bool {
        let map = self.program.map;
        let (class, name) = frame.method.rsplit_once('.').unwrap_or_default();
        let is_of_frame = |source: &SourceMethod| {
            map.name(source.name) == name && dotted_name(map.name(source.class)) == class
        };
        map.places.sources.iter().any(is_of_frame)
    }

    /// The method of a frame; of overloads one that has its line.
    fn method_of(&self, frame: &ThrownFrame) -> Option<MethodId> {
        let map = self.program.map;
        let of_frame = |m: &Method| {
            let is = |class, name| {
                let class = dotted_name(map.name(class));
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

    /// Instructions of a visit's block that may have thrown.
    fn throwers_in(&self, no: VisitNo, facts: ThrowerFacts<'_>) -> Throwers {
        let Some(visit) = self.visit(no) else { return Throwers::default() };
        let Some(block) = self.block(&visit) else { return Throwers::default() };
        // Calls that came back have not thrown, and nothing before them has.
        let calls = self.calls(&visit, &block);
        let done = calls.iter().filter(|c| c.1.is_some()).map(|c| c.0).max();
        let mut all: Vec<Thrower> = Vec::new();
        let mut could = 0;
        for (node, insn) in block.body.insns(block.in_map) {
            if done.is_some_and(|done| node <= done) || !insn.op.can_throw() {
                continue;
            }
            let is_there = |frame: &ThrownFrame| {
                let at = self.target(&block, node);
                at.method == frame.method
                    && (at.near || frame.line.is_none() || at.line == frame.line)
            };
            if facts.frame.is_some_and(|frame| !is_there(frame)) {
                continue;
            }
            could += 1;
            if let Some(registers) = blamed(insn, facts.class) {
                all.push((Point { visit: no, node }, registers));
            }
        }
        // An exception that no instruction throws by itself: a call threw it if the trace begins
        // outside the app, else the `throw` in which the block ends.
        if !facts.class.is_some_and(is_of_instructions) {
            let is = |p: &Thrower, wanted: &dyn Fn(Op) -> bool| {
                block.body.insn(p.0.node).is_some_and(|insn| wanted(insn.op))
            };
            let throws = |op: Op| op == Op::Throw;
            if !facts.by_call && all.iter().any(|p| is(p, &throws)) {
                all.retain(|p| is(p, &throws));
            } else if facts.class.is_some() && all.iter().any(|p| is(p, &Op::is_invoke)) {
                all.retain(|p| is(p, &Op::is_invoke));
            }
        }
        // A trace that begins here, or a class that only some instructions throw, excludes others.
        let by_trace = facts.frame.is_some() && facts.class.is_some();
        let is_certain = all.len() == 1 && (could == 1 || by_trace);
        Throwers { all, is_certain }
    }

    /// Follows the frames of a stack trace from that of a visit to inner ones, which the log does
    /// not mention.
    fn throwers_below(
        &self,
        from: VisitNo,
        facts: ThrowerFacts<'_>,
        frames: &[ThrownFrame],
    ) -> Option<(VisitNo, Throwers)> {
        let outer = self.activation(self.visit(from)?.activation)?.method;
        let at = frames.iter().position(|frame| self.method_of(frame) == Some(outer))?;
        let mut now = from;
        for inner in (0..at).rev() {
            // Frames of code outside the app call the next one.
            let Some(method) = self.method_of(&frames[inner]) else { continue };
            now = self.call_assumed(now, &frames[inner + 1], method)?;
        }
        // A method without decisions is one path: the block is the one with the line.
        let mut candidate = (now != from).then_some(now);
        while let Some(no) = candidate {
            let found = self.throwers_in(no, facts);
            if !found.all.is_empty() {
                return Some((no, found));
            }
            candidate = self.visit(no)?.previous;
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
            let block = self.block(&visit)?;
            let call = block.body.insns(block.in_map).rev().find(|&(node, insn)| {
                let target = self.code.callee(&block.body, insn).unwrap_or_default();
                insn.op.is_invoke()
                    && words::short(&target).rsplit('.').next() == Some(name)
                    && (frame.line.is_none() || self.target(&block, node).line == frame.line)
            });
            if let Some((node, _)) = call {
                return self.activation(self.assume(no, Some(node), callee)?)?.last;
            }
            // Only within assumed methods: the exception was in the recorded visit.
            now = if is_assumed(visit.activation) { visit.previous } else { None };
        }
        self.activation(self.assume(caller, None, callee)?)?.last
    }
}
