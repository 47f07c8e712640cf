//! Rules on one method body.

use std::borrow::Cow;

use super::{Problem, is_class};
use crate::bodies::decode::decode_with_addresses;
use crate::code::error::CodeError;
use crate::code::insn::{Args, Insn, Ref};
use crate::code::opcode::{Op, RefKind};
use crate::code::{Code, Handlers, Item, Node, Payload};
use crate::file::access::AccessFlags;
use crate::file::{Body, Dex, EncodedMethod, Proto};
use crate::ids::*;

type Found = Vec<(Option<u32>, Problem)>;

/// The violations in a body, as one method's.
pub(super) fn check(dex: &Dex, method: &EncodedMethod, code: CodeId) -> Found {
    let (code, addresses) = match dex.codes.get(code.0 as usize) {
        None => return vec![(None, Problem::NoBody)],
        Some(Body::Edited(code)) => {
            (Cow::Borrowed(&**code), (0..code.nodes.len() as u32).collect())
        }
        Some(body) => match body.item().map(|item| decode_with_addresses(&item)) {
            Some(Ok((code, addresses))) => (Cow::Owned(code), addresses),
            Some(Err(e)) => return vec![(None, e.into())],
            None => return vec![(None, Problem::NoBody)],
        },
    };
    let proto = dex
        .methods
        .items()
        .get(method.method.index())
        .and_then(|m| dex.protos.items().get(m.proto.index()));
    let Some(proto) = proto else { return vec![(None, Problem::ForeignMember)] };
    let mut check = Check { dex, code: &code, addresses: &addresses, found: Vec::new() };
    check.frame(proto, method.access.contains(AccessFlags::STATIC));
    for (i, node) in code.nodes.iter().enumerate() {
        if let Item::Insn(insn) = &node.item {
            check.insn(i, insn, proto);
        }
    }
    for handlers in &code.tries {
        for (ty, _) in &handlers.catches {
            let name = dex.type_name(*ty);
            if !is_class(&name) {
                check.found.push((None, Problem::HandlerType(name.into_owned())));
            }
        }
    }
    check.flow();
    check.found
}

/// Words that values of these types take.
fn words(dex: &Dex, types: &[TypeIdx]) -> u32 {
    types.iter().map(|&ty| if matches!(&*dex.type_name(ty), "J" | "D") { 2 } else { 1 }).sum()
}

struct Check<'a> {
    dex: &'a Dex,
    code: &'a Code,
    addresses: &'a [u32],
    found: Found,
}

impl Check<'_> {
    fn report(&mut self, node: usize, problem: Problem) {
        self.found.push((self.addresses.get(node).copied(), problem));
    }

    fn frame(&mut self, proto: &Proto, is_static: bool) {
        let Code { registers, ins, .. } = *self.code;
        if registers < ins {
            self.found.push((None, CodeError::Parameters { registers, ins }.into()));
        }
        let expected = words(self.dex, &proto.parameters) + u32::from(!is_static);
        if expected != ins.into() {
            self.found.push((None, Problem::Ins { ins, expected }));
        }
    }

    fn insn(&mut self, node: usize, insn: &Insn, proto: &Proto) {
        let op = insn.op;
        let registers = self.code.registers;
        if let Some(reg) = insn.highest_reg().filter(|&reg| reg >= registers.into()) {
            self.report(node, Problem::Register { op, reg, registers });
        }
        if let Some(reference) = insn.reference()
            && let Err(problem) = self.reference(insn, reference)
        {
            self.report(node, problem);
        }
        if op.is_return() {
            let fits = match (op, &*self.dex.type_name(proto.return_type)) {
                (Op::ReturnVoid, ty) => ty == "V",
                (Op::ReturnWide, ty) => matches!(ty, "J" | "D"),
                (Op::ReturnObject, ty) => ty.starts_with(['L', '[']),
                (_, ty) => matches!(ty, "Z" | "B" | "S" | "C" | "I" | "F"),
            };
            if !fits {
                self.report(node, Problem::ReturnType(op));
            }
        }
    }

    fn reference(&self, insn: &Insn, reference: Ref) -> Result<(), Problem> {
        let (dex, op) = (self.dex, insn.op);
        let wants = op.ref_kind();
        let kind = reference.kind();
        if kind != wants && !(kind == RefKind::Method && wants == RefKind::MethodAndProto) {
            return Err(Problem::Operand { op, what: "it refers to another kind of item" });
        }
        let dangling = |what| Err(Problem::Dangling(op, what));
        if let Some(what) = dex.lacks(reference) {
            return dangling(what);
        }
        let given = match insn.args {
            Args::List(list, _) | Args::PolyList(list, ..) => list.len() as u32,
            Args::Range(_, count, _) | Args::PolyRange(_, count, ..) => count.into(),
            _ => 0,
        };
        let called = match reference {
            Ref::Type(i) => return type_operand(op, &dex.type_name(i)),
            Ref::CallSite(i) => match dex.call_sites.items()[i.index()].get(2) {
                Some(&crate::file::EncodedValue::MethodType(proto)) => (proto, 0),
                _ => return Err(Problem::Operand { op, what: "the call site has no method type" }),
            },
            Ref::Method(i) => {
                let method = &dex.methods.items()[i.index()];
                let name = dex.string(method.name);
                let init = name == "<init>";
                if init != matches!(op, Op::InvokeDirect | Op::InvokeDirectRange)
                    && (init || name == "<clinit>")
                {
                    return Err(Problem::Operand { op, what: "it calls a constructor" });
                }
                match (insn.args, op) {
                    (Args::PolyList(.., proto) | Args::PolyRange(.., proto), _) => (proto, 1),
                    (_, Op::InvokeStatic | Op::InvokeStaticRange) => (method.proto, 0),
                    _ => (method.proto, 1),
                }
            }
            Ref::String(_) | Ref::Field(_) | Ref::Proto(_) | Ref::MethodHandle(_) => return Ok(()),
        };
        let (proto, receiver) = called;
        let Some(proto) = dex.protos.items().get(proto.index()) else {
            return dangling("prototype");
        };
        let expected = words(dex, &proto.parameters) + receiver;
        if given != expected {
            return Err(Problem::ArgumentCount { op, given, expected });
        }
        let outs = self.code.outs;
        // `lower` makes it large enough; a body as read must have enough.
        if given > outs.into() {
            return Err(Problem::Outs { op, words: given, outs });
        }
        Ok(())
    }

    /// Follows control from the first instruction.
    fn flow(&mut self) {
        let code = self.code;
        let flow = LabelTargets::new(code);
        let Some(first) = flow.insn_from(0) else {
            self.found.push((None, Problem::Empty));
            return;
        };
        let mut reached = vec![false; code.nodes.len()];
        let mut work = Vec::new();
        // The kinds of arrival at a node: by falling in, by a jump, or with an exception.
        let mut reach =
            |check: &mut Self, work: &mut Vec<usize>, node: Option<usize>, from, how: Arrival| {
                let Some(node) = node else {
                    check.report(from, Problem::FallsOffEnd);
                    return;
                };
                let Item::Insn(insn) = code.nodes[node].item else { return };
                if insn.op.is_move_result() && how != Arrival::Falling {
                    check.report(node, Problem::MoveResultTarget(insn.op));
                }
                if insn.op == Op::MoveException && how != Arrival::Exception {
                    check.report(node, Problem::StrayMoveException);
                }
                if !std::mem::replace(&mut reached[node], true) {
                    work.push(node);
                }
            };
        reach(self, &mut work, Some(first), 0, Arrival::Jump);
        while let Some(at) = work.pop() {
            let node = &code.nodes[at];
            let Item::Insn(insn) = &node.item else { continue };
            if insn.op.can_continue() {
                let next = flow.insn_from(at + 1);
                if let Some(Item::Insn(result)) = next.map(|n| code.nodes[n].item.clone())
                    && result.op.is_move_result()
                    && !insn.op.sets_result()
                {
                    self.report(next.unwrap_or(at), Problem::StrayMoveResult(result.op));
                }
                reach(self, &mut work, next, at, Arrival::Falling);
            }
            for label in targets(code, insn) {
                reach(self, &mut work, flow.target(label), at, Arrival::Jump);
            }
            for label in handlers(code, node) {
                reach(self, &mut work, flow.target(label), at, Arrival::Exception);
            }
        }
        self.found.sort_by_key(|(at, _)| *at);
        self.found.dedup();
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Arrival {
    Falling,
    Jump,
    Exception,
}

/// Destinations of labels.
struct LabelTargets<'a> {
    code: &'a Code,
    /// Node of each label; `usize::MAX` when it stands nowhere.
    labels: Vec<usize>,
}

impl<'a> LabelTargets<'a> {
    fn new(code: &'a Code) -> LabelTargets<'a> {
        let mut labels = Vec::new();
        for (i, node) in code.nodes.iter().enumerate() {
            if let Item::Label(Label(label)) = node.item {
                let label = label as usize;
                if label >= labels.len() {
                    labels.resize(label + 1, usize::MAX);
                }
                labels[label] = i;
            }
        }
        LabelTargets { code, labels }
    }

    /// The first instruction at or after a node.
    fn insn_from(&self, node: usize) -> Option<usize> {
        let rest = self.code.nodes.get(node..)?;
        rest.iter().position(|n| matches!(n.item, Item::Insn(_))).map(|i| i + node)
    }

    fn target(&self, label: Label) -> Option<usize> {
        self.insn_from(*self.labels.get(label.0 as usize)?)
    }
}

fn targets<'a>(code: &'a Code, insn: &Insn) -> Box<dyn Iterator<Item = Label> + 'a> {
    match insn.payload().and_then(|p| code.payloads.get(p.0 as usize)) {
        Some(Payload::PackedSwitch { targets, .. }) => Box::new(targets.iter().copied()),
        Some(Payload::SparseSwitch { cases }) => Box::new(cases.iter().map(|&(_, label)| label)),
        Some(Payload::FillArray { .. }) | None => Box::new(insn.label().into_iter()),
    }
}

fn handlers<'a>(code: &'a Code, node: &Node) -> impl Iterator<Item = Label> + 'a {
    let handlers = node.try_id.and_then(|id| code.tries.get(id.0 as usize));
    handlers.into_iter().flat_map(Handlers::labels)
}

/// Checks that an instruction may name a type.
fn type_operand(op: Op, descriptor: &str) -> Result<(), Problem> {
    let fits = match op {
        Op::NewInstance => is_class(descriptor),
        Op::NewArray | Op::FilledNewArray | Op::FilledNewArrayRange => {
            descriptor.starts_with('[')
                && descriptor.bytes().take_while(|&b| b == b'[').count() <= 255
        }
        Op::CheckCast | Op::InstanceOf => descriptor.starts_with(['L', '[']),
        _ => true,
    };
    if fits {
        Ok(())
    } else {
        Err(Problem::Operand { op, what: "it names a type of the wrong kind" })
    }
}
