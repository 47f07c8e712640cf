//! Access to the path: visits, calls, and the definitions of registers.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use decoder::replay::Program;
use dex::{Insn, Op, Reg};
use model::map::{Block, CallKind, Method, MethodId, Terminator};

use crate::code::{AppCode, MethodBody};
use crate::explanation::SourceLocation;
use crate::history::{Activation, ActivationNo, Entry, History, Visit, VisitNo};
use crate::words;

/// Moves, calls and returns that are followed to the origin of an object.
const MAX_MOVES: usize = 1_000;
/// Assumed visits that are kept.
const MAX_ASSUMED: usize = 1 << 16;
/// Numbers from here on are of visits and activations that are not recorded but assumed: those of
/// methods that decide nothing, called in a recorded block.
const ASSUMED: u64 = 1 << 62;

/// True if an activation is assumed.
pub fn is_assumed(no: ActivationNo) -> bool {
    no.0 >= ASSUMED
}

/// A point of the path: a node of the block of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The visit.
    pub visit: VisitNo,
    /// The node in the list of the method's body.
    pub node: usize,
}

/// The definition of a register.
pub enum Definition {
    /// An instruction.
    At(Point),
    /// An argument of the activation, by its word.
    Argument(ActivationNo, u16),
    /// It is before what is kept.
    Unknown,
}

/// The object that a register holds, by its definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Object {
    /// Created by this instruction.
    New(Point),
    /// Defined by this instruction, which may give the same object again.
    Some(Point),
    /// An argument that code outside the app gave.
    Given(ActivationNo, u16),
    /// The definition is not known.
    Unknown,
}

/// The value that a call gave.
pub enum CallResult {
    /// The register that a `return` of the app gave.
    Returned(Point, Reg),
    /// Code that the log does not show.
    Outside,
}

/// A block of a visit with its method and body.
pub struct VisitedBlock<'m> {
    /// The method.
    pub method: &'m Method,
    /// The block's position in the method.
    pub number: usize,
    /// The block.
    pub in_map: &'m Block,
    /// The method's body.
    pub body: Rc<MethodBody>,
}

/// Visits and activations that are not recorded.
#[derive(Default)]
struct Assumed {
    visits: Vec<Visit>,
    activations: Vec<Activation>,
    /// The node of the call, by activation; none if code outside the app called it.
    call_nodes: Vec<Option<usize>>,
    by_call: HashMap<(VisitNo, Option<usize>, MethodId), ActivationNo>,
}

/// The kept path of a thread, with the app's code.
pub struct Path<'c, 'p, 'm> {
    /// The code.
    pub code: &'c AppCode<'m>,
    /// The recorded path.
    pub history: &'c History<'p, 'm>,
    /// The program that the path is of.
    pub program: &'p Program<'m>,
    assumed: RefCell<Assumed>,
}

impl<'c, 'p, 'm> Path<'c, 'p, 'm> {
    /// The path of a history.
    pub fn new(code: &'c AppCode<'m>, history: &'c History<'p, 'm>) -> Self {
        let program = history.program();
        Path { code, history, program, assumed: RefCell::default() }
    }

    /// The block of a visit, with its method and body.
    pub fn block(&self, visit: &Visit) -> Option<VisitedBlock<'m>> {
        let (id, number, in_map, body) = self.code.at(self.program, visit.block)?;
        Some(VisitedBlock { method: self.program.map.method(id)?, number, in_map, body })
    }

    /// The place of a node in the source.
    pub fn target(&self, block: &VisitedBlock<'m>, node: usize) -> SourceLocation {
        words::target(self.program.map, block.method, block.in_map, block.body.address(node))
    }

    /// The instruction at a point.
    pub fn insn(&self, at: Point) -> Option<Insn> {
        self.block(&self.visit(at.visit)?)?.body.insn(at.node).copied()
    }

    /// A visit, recorded or assumed.
    pub fn visit(&self, no: VisitNo) -> Option<Visit> {
        match no.0.checked_sub(ASSUMED) {
            Some(at) => self.assumed.borrow().visits.get(usize::try_from(at).ok()?).copied(),
            None => self.history.visit(no).copied(),
        }
    }

    /// An activation, recorded or assumed.
    pub fn activation(&self, no: ActivationNo) -> Option<Activation> {
        match no.0.checked_sub(ASSUMED) {
            Some(at) => self.assumed.borrow().activations.get(usize::try_from(at).ok()?).copied(),
            None => self.history.activation(no).copied(),
        }
    }

    /// Makes up an activation of a method that decides nothing: one path through it, from the entry
    /// to its end. None if the method has branches on it.
    pub fn assume(
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
        if assumed.visits.len() + method.blocks.len() > MAX_ASSUMED {
            return None;
        }
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

    /// The node of the call that entered an assumed activation; none if it is recorded, or if code
    /// outside the app called it.
    pub fn call_of_assumed(&self, no: ActivationNo) -> Option<usize> {
        let at = usize::try_from(no.0.checked_sub(ASSUMED)?).ok()?;
        self.assumed.borrow().call_nodes.get(at).copied().flatten()
    }

    /// Calls of a visit in order: the node of each `invoke`, and the activation that it entered.
    /// The last one of the same name and descriptor that has not been entered yet is taken.
    pub fn calls(
        &self,
        visit: &Visit,
        block: &VisitedBlock<'m>,
    ) -> Vec<(usize, Option<ActivationNo>)> {
        let mut callees = self
            .history
            .callees(visit)
            .into_iter()
            .filter(|&no| self.activation(no).is_some_and(|a| a.entry == Entry::Call));
        let mut next = callees.next();
        let mut calls = Vec::new();
        for (node, insn) in block.body.insns(block.in_map).filter(|(_, i)| i.op.is_invoke()) {
            let entered = next.filter(|&no| {
                let name = self.code.callee(&block.body, insn).unwrap_or_default();
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
        block: &VisitedBlock<'m>,
    ) -> Option<ActivationNo> {
        let calls = self.calls(visit, block);
        if let Some(no) = calls.iter().find(|c| c.0 == call.node)?.1 {
            return Some(no);
        }
        let address = block.body.address(call.node);
        let site = block.in_map.calls.iter().find(|site| site.pc == address)?;
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
    pub fn definition(&self, point: Point, register: Reg) -> Definition {
        let mut now = point;
        loop {
            let Some(visit) = self.visit(now.visit) else { return Definition::Unknown };
            let Some(block) = self.block(&visit) else { return Definition::Unknown };
            let defines = |insn: &Insn| {
                insn.def().is_some_and(|(reg, kind)| {
                    let high =
                        kind == dex::RegKind::Wide && reg.0.checked_add(1) == Some(register.0);
                    reg == register || high
                })
            };
            let found = block
                .body
                .insns(block.in_map)
                .rev()
                .find(|&(node, insn)| node < now.node && defines(insn));
            if let Some((node, _)) = found {
                return Definition::At(Point { visit: now.visit, node });
            }
            let Some(previous) = visit.previous else {
                return match block.body.argument(register.0) {
                    Some(word) => Definition::Argument(visit.activation, word),
                    None => Definition::Unknown,
                };
            };
            now = Point { visit: previous, node: self.end(previous, &visit) };
        }
    }

    /// The node up to which the block of a visit ran, if `next` is the visit that follows.
    pub fn end(&self, no: VisitNo, next: &Visit) -> usize {
        if next.caught.is_none() {
            return usize::MAX;
        }
        // An exception came out of a call, or of an instruction that is not known.
        let Some(visit) = self.visit(no) else { return usize::MAX };
        let Some(block) = self.block(&visit) else { return usize::MAX };
        let threw = |no: &ActivationNo| self.activation(*no).is_some_and(|a| a.threw);
        let calls = self.calls(&visit, &block);
        let call = calls.iter().rev().find(|c| c.1.as_ref().is_some_and(threw));
        call.map_or(usize::MAX, |c| c.0)
    }

    /// The argument register of the call that entered an activation.
    pub fn passed(&self, no: ActivationNo, word: u16) -> Option<(Point, Reg)> {
        let activation = self.activation(no)?;
        if activation.entry != Entry::Call {
            return None;
        }
        let caller = activation.caller?;
        let visit = self.visit(caller)?;
        let block = self.block(&visit)?;
        let node = match is_assumed(no) {
            true => self.call_of_assumed(no)?,
            false => self.calls(&visit, &block).iter().find(|c| c.1 == Some(no))?.0,
        };
        let insn = block.body.insn(node)?;
        let register = insn.uses().get(usize::from(word))?.0;
        Some((Point { visit: caller, node }, register))
    }

    /// The value that a call gave; none if it is not known.
    pub fn returned(&self, call: Point) -> Option<CallResult> {
        let visit = self.visit(call.visit)?;
        let block = self.block(&visit)?;
        let Some(entered) = self.entered(call, &visit, &block) else {
            return Some(CallResult::Outside);
        };
        let last = self.activation(entered)?.last?;
        let block = self.block(&self.visit(last)?)?;
        let (node, insn) = block.body.insns(block.in_map).next_back()?;
        let register = insn.op.is_return().then(|| insn.uses().first().copied()).flatten()?.0;
        Some(CallResult::Returned(Point { visit: last, node }, register))
    }

    /// The object that a register holds.
    pub fn object(&self, point: Point, register: Reg) -> Object {
        let (mut point, mut register) = (point, register);
        for _ in 0..MAX_MOVES {
            match self.definition(point, register) {
                Definition::At(at) => {
                    let Some(insn) = self.insn(at) else { return Object::Unknown };
                    let name = insn.op.name();
                    let passes = name.starts_with("move-object") || insn.op == Op::CheckCast;
                    if insn.op.is_move_result() {
                        let call = self.call_before(at);
                        match call.and_then(|call| self.returned(call)) {
                            Some(CallResult::Returned(end, reg)) => (point, register) = (end, reg),
                            Some(CallResult::Outside) | None => return Object::Some(at),
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

    /// The call whose result an instruction takes.
    pub fn call_before(&self, at: Point) -> Option<Point> {
        let block = self.block(&self.visit(at.visit)?)?;
        let (node, insn) = block.body.insns(block.in_map).rev().find(|i| i.0 < at.node)?;
        insn.op.is_invoke().then_some(Point { visit: at.visit, node })
    }

    /// The first visit of an activation, from one of its visits.
    pub fn first_visit(&self, from: VisitNo) -> Option<VisitNo> {
        let mut now = from;
        while let Some(previous) = self.visit(now)?.previous {
            now = previous;
        }
        Some(now)
    }

    /// True if a register holds what the instruction of a constant defined.
    pub fn is_constant(&self, point: Point, register: Reg) -> bool {
        let Definition::At(at) = self.definition(point, register) else { return false };
        self.insn(at).is_some_and(|insn| insn.op.name().starts_with("const"))
    }
}
