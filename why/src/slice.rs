//! The walk backwards: questions about values and control, cheapest first.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashSet};

use decoder::replay::Decision;
use dex::{Insn, Op, Reg};
use model::map::Terminator;

use crate::back::WriteSearch;
use crate::code::{self, AppCode};
use crate::criterion::{Criterion, Thrown};
use crate::explanation::{Address, Certainty, Explanation, Role, SliceStep};
use crate::history::{ActivationNo, Entry, Exception, History, Visit, VisitNo};
use crate::path::{CallResult, Definition, Path, Point, VisitedBlock};
use crate::words;

/// Queries that are answered at most.
const MAX_QUERIES: usize = 20_000;
/// Visits of an activation that are looked through for the branch of a block.
const MAX_VISITS: usize = 1 << 20;
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

/// A question about the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Query {
    /// The definition of a register that an instruction reads.
    Value(Point, Reg),
    /// The branch because of which a block ran.
    Control(VisitNo),
}

/// Explains an event of a thread; none if the thread has no such event.
///
/// `most`: steps that are listed at most. Also returns the fields that were read, whose writes may
/// be on other threads: [`FieldWrites`](crate::FieldWrites) finds those.
pub fn explain<'m>(
    code: &AppCode<'m>,
    history: &History<'_, 'm>,
    thread: &str,
    criterion: &Criterion,
    most: usize,
) -> Option<(Explanation, Sought)> {
    let mut slice = Slice {
        path: Path::new(code, history),
        queue: BinaryHeap::new(),
        asked: HashSet::new(),
        shown: HashSet::new(),
        writes: WriteSearch::default(),
        steps: Vec::new(),
        sought: Sought::default(),
        has_model: reports::has_model(history.program().map),
        most,
        more: false,
    };
    let mut explanation = match criterion {
        Criterion::Exception { number, thrown } => slice.of_exception(thread, *number, thrown)?,
        Criterion::Line { file, line } => slice.of_line(thread, file, *line)?,
    };
    slice.run();
    explanation.steps = slice.steps;
    explanation.more = slice.more;
    Some((explanation, slice.sought))
}

struct Slice<'c, 'p, 'm> {
    path: Path<'c, 'p, 'm>,
    queue: BinaryHeap<Reverse<(u32, Query)>>,
    asked: HashSet<Query>,
    shown: HashSet<(Point, Role)>,
    writes: WriteSearch,
    steps: Vec<SliceStep>,
    sought: Sought,
    /// True if branches have probabilities: without a model all alternatives are equally likely.
    has_model: bool,
    most: usize,
    more: bool,
}

impl<'m> Slice<'_, '_, 'm> {
    fn ask(&mut self, cost: u32, query: Query) {
        if self.asked.len() < MAX_QUERIES && self.asked.insert(query) {
            self.queue.push(Reverse((cost, query)));
        }
    }

    /// Adds a step, unless it is listed or the list is full.
    fn show(&mut self, point: Point, role: Role, certainty: Certainty, text: String) {
        let Some(visit) = self.path.visit(point.visit) else { return };
        let Some(block) = self.path.block(&visit) else { return };
        let is_event = self.shown.contains(&(point, Role::Event));
        if !self.shown.insert((point, role)) || (role == Role::Value && is_event) {
            return;
        }
        if self.steps.len() >= self.most {
            self.more = true;
            return;
        }
        let at = self.path.target(&block, point.node);
        let same = |s: &SliceStep| s.at == at && s.role == role && s.text == text;
        if self.steps.iter().any(same) {
            return;
        }
        let code = Address {
            method: code::key(self.path.program.map, block.method),
            units: block.body.address(point.node),
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

    /// Finds an exception and asks the first questions.
    fn of_exception(
        &mut self,
        thread: &str,
        number: Option<u64>,
        thrown: &Thrown,
    ) -> Option<Explanation> {
        let history = self.path.history;
        let end: &Exception = match number {
            Some(number) => history.exception(number)?,
            None => {
                let left = history.exceptions().rev().find(|e| e.left);
                left.or_else(|| history.exceptions().next_back())?
            }
        };
        let exception = history.exception(end.origin).unwrap_or(end);
        self.sought.clock_us = exception.clock_us;
        self.sought.until_us = end.end_us.unwrap_or(u64::MAX);
        let class = thrown.class.as_deref();
        let (at, mut throwers) = self.path.throwers(exception, thrown);
        let certainty = if throwers.is_certain { Certainty::Exact } else { Certainty::Candidate };
        throwers.all.truncate(MAX_THROWERS);
        for (point, registers) in &throwers.all {
            let visit = self.path.visit(point.visit)?;
            let block = self.path.block(&visit)?;
            let insn = block.body.insn(point.node)?;
            let mut text = words::insn(self.path.code, &block.body, insn);
            if class.is_some()
                && let [(_, role), ..] = registers[..]
            {
                text = format!("{text}: {role}");
            }
            self.show(*point, Role::Event, certainty, text);
        }
        for (point, registers) in throwers.all {
            for (register, _) in registers {
                self.ask(DATA, Query::Value(point, register));
            }
        }
        if self.steps.is_empty() {
            let block = self.path.visit(at).and_then(|visit| self.path.block(&visit))?;
            let (node, _) = block.body.insns(block.in_map).next()?;
            let text = "threw in this block".to_owned();
            self.show(Point { visit: at, node }, Role::Event, Certainty::Candidate, text);
        }
        self.ask(UNUSUAL, Query::Control(at));
        let what = class.unwrap_or("an exception");
        let fate = if end.left { "left the app's code" } else { "was caught" };
        let mut explanation =
            Explanation::new(format!("{what} {fate}"), thread, exception.callback);
        explanation.exception = Some(end.number);
        explanation.left = end.left;
        explanation.unproven = exception.unproven;
        explanation.doubtful = exception.doubtful;
        Some(explanation)
    }

    /// Finds the last time that a line ran, and asks the first questions.
    fn of_line(&mut self, thread: &str, file: &str, line: u32) -> Option<Explanation> {
        let found = self.path.history.found?;
        self.sought.clock_us = found.clock_us;
        self.sought.until_us = u64::MAX;
        let no = found.visit;
        let visit = self.path.visit(no)?;
        let block = self.path.block(&visit)?;
        let is_on_line =
            |&(node, _): &(usize, &Insn)| self.path.target(&block, node).line == Some(line);
        let nodes: Vec<(usize, Insn)> = block
            .body
            .insns(block.in_map)
            .filter(is_on_line)
            .map(|(node, insn)| (node, *insn))
            .collect();
        let &(first, insn) = nodes.first()?;
        let text = words::insn(self.path.code, &block.body, &insn);
        self.show(Point { visit: no, node: first }, Role::Event, Certainty::Exact, text);
        self.ask(UNUSUAL, Query::Control(no));
        for (node, insn) in nodes {
            for (register, _) in insn.uses() {
                self.ask(DATA + 1, Query::Value(Point { visit: no, node }, register));
            }
        }
        let mut explanation =
            Explanation::new(format!("{file}:{line} ran last"), thread, found.callback);
        explanation.unproven = found.unproven;
        explanation.doubtful = found.doubtful;
        Some(explanation)
    }

    /// Answers questions until enough steps are listed.
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

    /// Answers a question about a value.
    fn value(&mut self, cost: u32, point: Point, register: Reg) {
        let at = match self.path.definition(point, register) {
            Definition::At(at) => at,
            Definition::Argument(activation, word) => {
                return self.argument(cost, point, activation, word);
            }
            Definition::Unknown => return,
        };
        let Some(visit) = self.path.visit(at.visit) else { return };
        let Some(block) = self.path.block(&visit) else { return };
        let Some(&insn) = block.body.insn(at.node) else { return };
        let name = insn.op.name();
        let uses: Vec<Reg> = insn.uses().into_iter().map(|u| u.0).collect();
        if name.starts_with("move-exception") {
            let text = "the exception that was caught here".to_owned();
            self.show(at, Role::Value, Certainty::Exact, text);
            self.thrown(cost, &visit);
        } else if insn.op.is_move_result() {
            self.result(cost, at, &block);
        } else if name.starts_with("move") || insn.op == Op::CheckCast {
            // The same value.
            uses.iter().for_each(|&reg| self.ask(cost, Query::Value(at, reg)));
        } else if name.starts_with("iget") || name.starts_with("sget") {
            let text = words::insn(self.path.code, &block.body, &insn);
            self.show(at, Role::Value, Certainty::Exact, text);
            let field = self.path.code.field(&block.body, &insn).unwrap_or_default();
            self.written(cost, at, &field, uses.first().copied());
            self.ask(cost + USUAL, Query::Control(at.visit));
        } else if name.starts_with("aget") {
            let text = words::insn(self.path.code, &block.body, &insn);
            self.show(at, Role::Value, Certainty::Exact, text);
            if let [array, index] = uses[..] {
                self.element(cost, at, array);
                self.ask(cost + DATA, Query::Value(at, index));
            }
        } else {
            let text = words::insn(self.path.code, &block.body, &insn);
            self.show(at, Role::Value, Certainty::Exact, text);
            uses.iter().for_each(|&reg| self.ask(cost + DATA, Query::Value(at, reg)));
            self.ask(cost + DATA, Query::Control(at.visit));
        }
    }

    /// The value is an argument.
    fn argument(&mut self, cost: u32, point: Point, no: ActivationNo, word: u16) {
        if let Some((call, register)) = self.path.passed(no, word) {
            return self.ask(cost, Query::Value(call, register));
        }
        let Some(activation) = self.path.activation(no) else { return };
        let Some(first) = self.path.first_visit(point.visit) else { return };
        let Some(block) = self.path.visit(first).and_then(|v| self.path.block(&v)) else { return };
        let name = self
            .path
            .program
            .map
            .method(activation.method)
            .map(|m| self.path.program.map.name(m.name));
        let name = name.unwrap_or("?");
        let this = !block.body.is_static && word == 0;
        let what = match (this, activation.entry) {
            // The object itself is no cause.
            (true, Entry::FromOutside | Entry::TopLevel) => return,
            (_, Entry::Call) => format!("an argument of {name}(); its call is not recorded"),
            _ => format!("an argument of {name}(), which code outside the app calls"),
        };
        let node = block.body.insns(block.in_map).next().map_or(0, |i| i.0);
        self.show(Point { visit: first, node }, Role::Outside, Certainty::Exact, what);
    }

    /// The value is the result of a call or of `filled-new-array`.
    fn result(&mut self, cost: u32, at: Point, block: &VisitedBlock<'m>) {
        let before = block.body.insns(block.in_map).rev().find(|i| i.0 < at.node);
        let Some((node, &insn)) = before else { return };
        let call = Point { visit: at.visit, node };
        if !insn.op.is_invoke() {
            let text = words::insn(self.path.code, &block.body, &insn);
            return self.show(call, Role::Value, Certainty::Exact, text);
        }
        let callee = words::short(&self.path.code.callee(&block.body, &insn).unwrap_or_default());
        match self.path.returned(call) {
            Some(CallResult::Returned(end, register)) => {
                let text = format!("the result of {callee}()");
                self.show(call, Role::Value, Certainty::Exact, text);
                self.ask(cost + 1, Query::Value(end, register));
                self.ask(cost + DATA, Query::Control(end.visit));
            }
            Some(CallResult::Outside) => {
                let text = format!("the result of {callee}(), outside the app");
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
        let exception =
            visit.caught.and_then(|number| self.path.history.exception(number)).cloned();
        let Some(exception) = exception else { return };
        let (at, mut throwers) = self.path.throwers(&exception, &Thrown::default());
        let certainty = if throwers.is_certain { Certainty::Exact } else { Certainty::Candidate };
        throwers.all.truncate(1);
        for (point, registers) in throwers.all {
            let Some(visit) = self.path.visit(point.visit) else { continue };
            let Some(block) = self.path.block(&visit) else { continue };
            let Some(insn) = block.body.insn(point.node) else { continue };
            let text = format!("{}; it threw", words::insn(self.path.code, &block.body, insn));
            self.show(point, Role::Because, certainty, text);
            for (register, _) in registers {
                self.ask(cost + DATA, Query::Value(point, register));
            }
        }
        self.ask(cost + DATA, Query::Control(at));
    }

    /// The value is read from a field.
    fn written(&mut self, cost: u32, read: Point, field: &str, owner: Option<Reg>) {
        let object = owner.map(|owner| self.path.object(read, owner));
        self.sought.fields.insert(field.to_owned());
        let listed = self.steps.len();
        let found = self.writes.last(&self.path, read, |f| f == Some(field), object);
        match &found {
            Some(write) => {
                // A write that leaves no trace may have come later.
                let is_last = write.is_same && !self.path.code.has_unrecorded_writers(field);
                let certainty = if is_last { Certainty::Exact } else { Certainty::Candidate };
                let text = format!("sets field {}", words::short(field));
                self.show(write.at, Role::Set, certainty, text);
            }
            None => {
                let text = format!("no earlier write of {} is recorded", words::short(field));
                self.show(read, Role::Outside, Certainty::Exact, text);
            }
        }
        if let Some(step) = self.steps.get_mut(listed) {
            step.field = Some(field.to_owned());
        }
        if let Some(write) = found {
            self.ask(cost + 1, Query::Value(write.at, write.value));
            self.ask(cost + DATA, Query::Control(write.at.visit));
        }
    }

    /// The value is read from an array.
    fn element(&mut self, cost: u32, read: Point, array: Reg) {
        let object = self.path.object(read, array);
        let found = self.writes.last(&self.path, read, |field| field.is_none(), Some(object));
        // The index of the element is not recorded.
        if let Some(write) = found {
            let text = "sets an array element".to_owned();
            self.show(write.at, Role::Set, Certainty::Candidate, text);
            self.ask(cost + DATA, Query::Value(write.at, write.value));
        }
        self.ask(cost + DATA, Query::Value(read, array));
    }

    /// Answers a question about control.
    fn control(&mut self, cost: u32, of: VisitNo) {
        let Some(wanted) = self.path.visit(of).and_then(|v| self.path.block(&v)) else { return };
        let mut next = of;
        for _ in 0..MAX_VISITS {
            let Some(visit) = self.path.visit(next) else { return };
            if visit.caught.is_some() {
                return self.thrown(cost, &visit);
            }
            let Some(previous) = visit.previous else { return self.called(cost, &visit) };
            let (Some(branch), Some(to)) = (
                self.path.visit(previous).and_then(|v| self.path.block(&v)),
                self.path.block(&visit).map(|p| p.number),
            ) else {
                return;
            };
            if let Terminator::Branch { alternatives, .. } = &branch.in_map.terminator
                && branch.body.control.depends(wanted.number, branch.number, to)
            {
                let alternative = alternatives.iter().position(|a| a.0.0 as usize == to);
                return self.branched(cost, previous, &branch, to, alternative);
            }
            next = previous;
        }
    }

    /// Control came into the activation: why its caller called it.
    fn called(&mut self, cost: u32, first: &Visit) {
        let Some(activation) = self.path.activation(first.activation) else { return };
        if let Some(caller) = activation.caller {
            self.ask(cost, Query::Control(caller));
        }
    }

    /// A block ran because of this branch.
    fn branched(
        &mut self,
        cost: u32,
        visit: VisitNo,
        branch: &VisitedBlock<'m>,
        to: usize,
        alternative: Option<usize>,
    ) {
        let Some((node, &insn)) = branch.body.insns(branch.in_map).next_back() else { return };
        let point = Point { visit, node };
        let number = self.path.visit(visit).map(|v| v.block);
        let taken_here = number.zip(alternative).filter(|_| self.has_model);
        let probability = taken_here.and_then(|(number, alternative)| {
            let chance = reports::chance(self.path.program, Decision::Branch(number), alternative)?;
            Some((-chance.bits()).exp2())
        });
        let taken = branch.method.blocks.get(to).is_some_and(|b| b.pc != branch.in_map.end);
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
            if !self.path.is_constant(point, register) {
                self.ask(cost + DATA, Query::Value(point, register));
            }
        }
        self.ask(cost + if unusual { DATA } else { USUAL }, Query::Control(visit));
    }
}
