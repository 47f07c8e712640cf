//! Contents of a body's registers, followed along all paths: the rules of ART's method verifier
//! (`method_verifier.cc`, `register_line.cc`) that need no class path.
//!
//! Checks cover kinds and pairs, arguments and results, objects whose constructor has not run,
//! monitors, and what handlers see.
//! Of classes, a use is refused if the file itself shows it to be wrong: an `Object`, or an object
//! of a class, where a class that extends it is wanted and no cast or test comes before.
//! docs/VERIFIER.md lists the rules that look at more than one instruction.

mod classes;
mod kind;
mod line;
mod narrowing;
mod step;

use std::collections::{BTreeMap, BTreeSet};

pub use self::narrowing::{Narrowing, narrowings};

use self::classes::Classes;
use self::kind::{Declared, ObjectClass, RegisterKind};
use self::line::RegisterLine;
use crate::code::opcode::Op;
use crate::code::{Code, Item, Node};
use crate::file::Dex;
use crate::file::access::AccessFlags;
use crate::ids::*;

/// Registers times merges that one body may cost; a costlier one is not followed to its end.
const MAX_WORK: usize = 1 << 27;
/// Registers of all places where paths meet that one body may have; a bigger one is not checked.
const MAX_REGISTERS: usize = 1 << 22;

/// A rule of register kinds that is broken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypeProblem {
    /// A register holds something else.
    #[error("{op} takes v{reg} for {wanted}, but it holds {found}")]
    Kind {
        /// The instruction.
        op: Op,
        /// The register.
        reg: u16,
        /// Kind of value that the instruction needs.
        wanted: &'static str,
        /// Kind of value in the register.
        found: &'static str,
    },
    /// A register holds an object of a class that is not the one wanted.
    #[error("{op} takes v{reg} for {wanted}, but nothing has shown that it is one")]
    Class {
        /// The instruction.
        op: Op,
        /// The register.
        reg: u16,
        /// The class that the instruction takes it for.
        wanted: String,
    },
    /// A wide value is not whole.
    #[error("{op} takes a wide value from v{reg}, but its halves do not belong together")]
    Pair {
        /// The instruction.
        op: Op,
        /// The first register.
        reg: u16,
    },
    /// A register that the body does not have.
    #[error("{op} uses v{reg} of {registers} registers")]
    Register {
        /// The instruction.
        op: Op,
        /// The register.
        reg: u32,
        /// Registers of the frame.
        registers: u16,
    },
    /// A call passes other words than its prototype has.
    #[error("{0} does not pass the arguments of its prototype")]
    Arguments(Op),
    /// `move-result*` does not follow a call of its kind.
    #[error("{0} does not follow an instruction with such a result")]
    Result(Op),
    /// `return*` of another kind than the method's.
    #[error("{0} does not return the prototype's type")]
    Return(Op),
    /// `move-exception` without an exception.
    #[error("move-exception can be reached without an exception")]
    StrayMoveException,
    /// A constructor that leaves `this` as it was.
    #[error("the constructor can return before the superclass's has run")]
    Unconstructed,
    /// An exception would leave a monitor locked.
    #[error("{0} may throw while a monitor is held, in a range that does not catch everything")]
    Unhandled(Op),
    /// Monitors that do not nest. ART runs such code, but slower.
    #[error("{op}: {what}")]
    Monitors {
        /// The instruction.
        op: Op,
        /// The broken rule.
        what: &'static str,
    },
    /// Ways with other monitors meet.
    #[error("ways meet on which other monitors are held")]
    MonitorsMeet,
    /// Parameters, labels or pools that do not fit the body.
    #[error("{0}")]
    Malformed(&'static str),
}

/// A broken rule and the node of the body where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("node {node}: {problem}")]
#[non_exhaustive]
pub struct TypeViolation {
    /// Position in [`Code::nodes`].
    pub node: usize,
    /// The rule.
    pub problem: TypeProblem,
}

/// Checks bodies against the pools of one file.
#[derive(Debug)]
pub struct TypeChecker<'a> {
    dex: &'a Dex,
    /// By type index.
    declared: Vec<Declared>,
    classes: Classes,
}

impl<'a> TypeChecker<'a> {
    /// For bodies that refer to this file's pools as they are now.
    pub fn new(dex: &'a Dex) -> TypeChecker<'a> {
        let descriptor =
            |&s: &StringIdx| dex.strings.items().get(s.index()).map_or(&[][..], |s| &s.0);
        let types = (0..).map(TypeIdx).zip(dex.types.items());
        let declared = types.map(|(ty, s)| Declared::of(ty, descriptor(s))).collect();
        TypeChecker { dex, declared, classes: Classes::of(dex) }
    }

    /// Checks one body, as that of a method with these access flags. What cannot be reached is not
    /// looked at. A body whose check would take too long or too much memory is not checked to its
    /// end.
    ///
    /// # Errors
    /// The first broken rule that was met.
    pub fn check(
        &self,
        method: MethodIdx,
        flags: AccessFlags,
        code: &Code,
    ) -> Result<(), TypeViolation> {
        let wrong = |problem| TypeViolation { node: 0, problem };
        let entry = self.entry(method, flags, code).map_err(wrong)?;
        TypeFlow::new(self, method, flags, code).run(entry)
    }

    /// Contents of the registers at the first instruction.
    fn entry(
        &self,
        method: MethodIdx,
        flags: AccessFlags,
        code: &Code,
    ) -> Result<RegisterLine, TypeProblem> {
        let malformed = TypeProblem::Malformed;
        let m = self
            .dex
            .methods
            .items()
            .get(method.index())
            .ok_or(malformed("the method is in no pool"))?;
        let proto = self
            .dex
            .protos
            .items()
            .get(m.proto.index())
            .ok_or(malformed("the prototype is in no pool"))?;
        let first = code
            .registers
            .checked_sub(code.ins)
            .ok_or(malformed("more parameters than registers"))?;
        let mut line = RegisterLine::new(code.registers, has_monitors(code));
        let mut at = usize::from(first);
        let mut is_constructed = true;
        let mut add = |kind: RegisterKind| {
            let to = line.regs.get_mut(at).ok_or(malformed("more parameters than the body has"))?;
            *to = kind;
            at += 1;
            Ok(())
        };
        if !flags.contains(AccessFlags::STATIC) {
            let constructs =
                self.is_constructor(method) && self.dex.type_name(m.class) != "Ljava/lang/Object;";
            let this = self.declared(m.class).kinds().0;
            add(if constructs { RegisterKind::This } else { this })?;
            is_constructed = !constructs;
        }
        for &ty in &proto.parameters {
            let (low, high) = self.declared(ty).kinds();
            add(low)?;
            if let Some(high) = high {
                add(high)?;
            }
        }
        if at != usize::from(code.registers) {
            return Err(malformed("fewer parameters than the body has"));
        }
        line.constructed = is_constructed;
        Ok(line)
    }

    fn declared(&self, ty: TypeIdx) -> Declared {
        self.declared.get(ty.index()).copied().unwrap_or(Declared::Ref(ObjectClass::Unknown))
    }

    fn is_constructor(&self, method: MethodIdx) -> bool {
        self.dex
            .methods
            .items()
            .get(method.index())
            .is_some_and(|m| self.dex.string(m.name) == "<init>")
    }
}

fn has_monitors(code: &Code) -> bool {
    code.insns().any(|(_, i)| i.op == Op::MonitorEnter)
}

/// One body being followed.
struct TypeFlow<'a> {
    types: &'a TypeChecker<'a>,
    code: &'a Code,
    /// Return type of the method.
    returns: Declared,
    return_type: TypeIdx,
    constructs: bool,
    has_monitors: bool,
    /// Node of each label.
    labels: Vec<usize>,
    /// Facts at each label that was reached.
    entries: Vec<Option<RegisterLine>>,
    narrowings: BTreeMap<usize, Narrowing>,
    /// Labels to follow, by node: the first in the list comes first.
    work: BTreeSet<(usize, u32)>,
    /// Remaining budget of the analysis.
    budget: usize,
    room: usize,
}

impl<'a> TypeFlow<'a> {
    fn new(
        types: &'a TypeChecker<'a>,
        method: MethodIdx,
        flags: AccessFlags,
        code: &'a Code,
    ) -> TypeFlow<'a> {
        let mut labels = Vec::new();
        for (n, node) in code.nodes.iter().enumerate() {
            if let Item::Label(Label(l)) = node.item {
                let l = l as usize;
                // Labels are numbered without gaps; what is not is refused where something leads
                // there.
                if l < 2 * code.nodes.len() + code.next_label as usize {
                    if labels.len() <= l {
                        labels.resize(l + 1, usize::MAX);
                    }
                    labels[l] = n;
                }
            }
        }
        let proto = types.dex.methods.items().get(method.index()).map(|m| m.proto);
        let proto = proto.and_then(|p| types.dex.protos.items().get(p.index()));
        TypeFlow {
            types,
            code,
            returns: proto.map_or(Declared::Void, |p| types.declared(p.return_type)),
            return_type: proto.map_or(TypeIdx(u32::MAX), |p| p.return_type),
            constructs: !flags.contains(AccessFlags::STATIC) && types.is_constructor(method),
            has_monitors: has_monitors(code),
            entries: vec![None; labels.len()],
            labels,
            narrowings: narrowings(code),
            work: BTreeSet::new(),
            budget: MAX_WORK,
            room: MAX_REGISTERS,
        }
    }

    fn run(mut self, entry: RegisterLine) -> Result<(), TypeViolation> {
        self.follow(0, entry, false)?;
        while let Some((node, label)) = self.work.pop_first() {
            if self.budget == 0 || self.room == 0 {
                return Ok(());
            }
            let Some(line) = self.entries[label as usize].clone() else { continue };
            self.follow(node + 1, line, true)?;
        }
        Ok(())
    }

    /// Follows straight-line code from a node to its end or to a label.
    fn follow(
        &mut self,
        start: usize,
        mut line: RegisterLine,
        at_label: bool,
    ) -> Result<(), TypeViolation> {
        let code = self.code;
        // True at the first instruction after a label: an exception can arrive only there.
        let mut first = at_label;
        // The try range whose handlers already got the present registers.
        let mut informed_try = None;
        for (n, node) in code.nodes.iter().enumerate().skip(start) {
            let wrong = |problem| TypeViolation { node: n, problem };
            let insn = match &node.item {
                Item::Debug(_) => continue,
                Item::Label(label) => return self.arrive(*label, &line, false).map_err(wrong),
                Item::Insn(insn) => insn,
            };
            self.budget = self.budget.saturating_sub(1);
            if insn.op == Op::MoveException && !first {
                return Err(wrong(TypeProblem::StrayMoveException));
            }
            // ART takes `monitor-exit` for an instruction that does not throw.
            let throws = insn.op.can_throw() && insn.op != Op::MonitorExit;
            let handlers = node
                .try_id
                .filter(|_| throws)
                .and_then(|t| Some((t, code.tries.get(t.0 as usize)?)));
            if let Some((t, handlers)) = handlers
                && informed_try != Some(t)
            {
                for label in handlers.labels() {
                    self.arrive(label, &line, true).map_err(wrong)?;
                }
                informed_try = Some(t);
            }
            let wrote = step::step(self, &mut line, n, insn).map_err(wrong)?;
            if wrote {
                informed_try = None;
            }
            if let Some((_, handlers)) = handlers {
                // The first `monitor-enter` throws before it takes the lock.
                let takes_first = insn.op == Op::MonitorEnter && line.depth == 1;
                if line.depth > 0 && handlers.catch_all.is_none() && !takes_first {
                    return Err(wrong(TypeProblem::Unhandled(insn.op)));
                }
            }
            let narrowed = self.narrowed(n, &line);
            if insn.op.is_branch() || insn.op.is_switch() {
                let taken = narrowed.as_ref().filter(|n| n.0).map_or(&line, |n| &n.1);
                for label in code.targets(insn) {
                    self.arrive(label, taken, false).map_err(wrong)?;
                }
            }
            if let Some((false, narrowed)) = narrowed {
                line = narrowed;
                informed_try = None;
            }
            if !insn.op.can_continue() {
                return Ok(());
            }
            first = false;
        }
        Err(TypeViolation {
            node: code.nodes.len(),
            problem: TypeProblem::Malformed("execution runs off the end of the code"),
        })
    }

    /// The registers on the edge of a branch where it narrows a type, and whether that is the edge
    /// where it is taken.
    fn narrowed(&self, n: usize, line: &RegisterLine) -> Option<(bool, RegisterLine)> {
        let &Narrowing { ty, object, source, when_taken } = self.narrowings.get(&n)?;
        let kind = line.regs.get(usize::from(object.0)).copied()?;
        let kind = self.types.classes.narrowed(kind, ty, self.types.declared(ty))?;
        let mut line = line.clone();
        for r in std::iter::once(object).chain(source) {
            line.retype(r.0, kind);
        }
        Some((when_taken, line))
    }

    /// Control comes to a label with these registers.
    fn arrive(
        &mut self,
        label: Label,
        line: &RegisterLine,
        by_exception: bool,
    ) -> Result<(), TypeProblem> {
        let l = label.0 as usize;
        let nowhere = TypeProblem::Malformed("a label stands nowhere");
        let node = self.labels.get(l).copied().filter(|&n| n != usize::MAX).ok_or(nowhere)?;
        if !by_exception && self.is_move_exception(node) {
            return Err(TypeProblem::StrayMoveException);
        }
        self.budget = self.budget.saturating_sub(1 + line.regs.len());
        let changed = match &mut self.entries[l] {
            Some(known) => known.join(line)?,
            entry => {
                self.room = self.room.saturating_sub(line.regs.len());
                *entry = Some(line.at_label());
                true
            }
        };
        if changed {
            self.work.insert((node, label.0));
        }
        Ok(())
    }

    /// True if the first instruction after a label is `move-exception`.
    fn is_move_exception(&self, node: usize) -> bool {
        let op = |n: &Node| if let Item::Insn(insn) = &n.item { Some(insn.op) } else { None };
        self.code.nodes[node..].iter().find_map(op) == Some(Op::MoveException)
    }
}
