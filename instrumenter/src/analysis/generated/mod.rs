//! Code that a compiler generated inside methods that a person wrote: coverage excludes it.
//!
//! Each pattern matches one construct, as D8 and R8 translate what javac and kotlinc emit for it;
//! `docs/COVERAGE.md` lists the patterns beside JaCoCo's filters, their counterparts. A missing
//! match costs a red line in coverage, an excessive one hides a red line: patterns therefore
//! compare whole instruction sequences and the names of called methods.

mod coroutines;
mod kotlin;
mod members;
mod resources;
#[cfg(test)]
mod tests;
mod text_switch;

use std::collections::HashMap;

use dex::{Args, Code, Handlers, Insn, Item, Label, MethodIdx, Op, Ref, Reg, TryId, TypeIdx};
use model::map::{Generated, GeneratedCode, MethodId};

use crate::analysis::program::{MethodNo, Program};

/// Finds the generated code of a method; `addresses` has the address of each node.
pub(crate) fn generated(
    program: &Program,
    (no, id): (MethodNo, MethodId),
    code: &Code,
    addresses: &[u32],
) -> Vec<GeneratedCode> {
    let body = Body::new(program, no, code, addresses);
    if let Some(kind) = members::kind(&body) {
        let to = body.end(body.insns.len());
        return vec![GeneratedCode { method: id, from: 0, to, kind }];
    }
    let mut found = Vec::new();
    resources::find(&body, &mut found);
    kotlin::find(&body, &mut found);
    coroutines::find(&body, &mut found);
    text_switch::find(&body, &mut found);
    let mut all: Vec<GeneratedCode> = found
        .into_iter()
        .map(|f| {
            let (from, to) = (body.address(f.first), body.end(f.end));
            GeneratedCode { method: id, from, to, kind: f.kind }
        })
        .filter(|code| code.from < code.to)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Range of generated instructions, by their numbers in the method; `end` is exclusive.
struct GeneratedRange {
    first: usize,
    end: usize,
    kind: Generated,
}

/// Instructions of a method without those that do nothing.
struct Body<'a> {
    program: &'a Program,
    no: MethodNo,
    file: usize,
    code: &'a Code,
    addresses: &'a [u32],
    /// Nodes of instructions.
    insns: Vec<usize>,
    /// Number of the instruction at each label.
    labels: HashMap<Label, usize>,
}

impl<'a> Body<'a> {
    fn new(program: &'a Program, no: MethodNo, code: &'a Code, addresses: &'a [u32]) -> Body<'a> {
        let (mut insns, mut labels) = (Vec::new(), HashMap::new());
        for (node, of) in code.nodes.iter().enumerate() {
            match &of.item {
                Item::Insn(insn) if insn.op != Op::Nop => insns.push(node),
                Item::Label(label) => drop(labels.insert(*label, insns.len())),
                _ => {}
            }
        }
        let file = program.class(program.method(no).class).dex;
        Body { program, no, file, code, addresses, insns, labels }
    }

    fn insn(&self, at: usize) -> Option<&'a Insn> {
        self.code.insn(*self.insns.get(at)?)
    }

    fn op(&self, at: usize) -> Option<Op> {
        Some(self.insn(at)?.op)
    }

    fn len(&self) -> usize {
        self.insns.len()
    }

    /// Returns the address of an instruction.
    fn address(&self, at: usize) -> u32 {
        self.insns.get(at).map_or(0, |&node| self.addresses[node])
    }

    /// Returns the end address of the instruction before this one.
    fn end(&self, end: usize) -> u32 {
        let last = end.checked_sub(1).and_then(|at| Some((at, self.insn(at)?)));
        last.map_or(0, |(at, insn)| self.address(at) + insn.op.units())
    }

    /// Returns the number of the instruction that a jump leads to.
    fn target(&self, at: usize) -> Option<usize> {
        self.labels.get(&self.insn(at)?.label()?).copied()
    }

    /// Returns class and signature of the method that an instruction calls.
    fn called(&self, at: usize) -> Option<(&'a str, &'a str)> {
        let insn = self.insn(at).filter(|i| i.op.is_invoke())?;
        match insn.reference()? {
            Ref::Method(method) => {
                self.known(method).then(|| self.program.reference(self.file, method))
            }
            _ => None,
        }
    }

    fn known(&self, method: MethodIdx) -> bool {
        method.index() < self.program.files[self.file].dex.methods.len()
    }

    fn calls(&self, at: usize, class: &str, name: &str) -> bool {
        self.called(at).is_some_and(|(of, sig)| of == class && has_name(sig, name))
    }

    /// Returns the string that an instruction loads.
    fn string(&self, at: usize) -> Option<String> {
        match self.insn(at).filter(|i| matches!(i.op, Op::ConstString | Op::ConstStringJumbo))?.args
        {
            Args::ARef(_, Ref::String(text)) => {
                Some(self.program.files[self.file].dex.string(text).into_owned())
            }
            _ => None,
        }
    }

    /// Returns the class that an instruction instantiates.
    fn made(&self, at: usize) -> Option<String> {
        match self.insn(at).filter(|i| i.op == Op::NewInstance)?.args {
            Args::ARef(_, Ref::Type(ty)) => {
                Some(self.program.files[self.file].dex.type_name(ty).into_owned())
            }
            _ => None,
        }
    }

    /// Returns the only register of an instruction with this opcode.
    fn register(&self, at: usize, op: Op) -> Option<Reg> {
        match self.insn(at).filter(|i| i.op == op)?.args {
            Args::A(reg) => Some(reg),
            _ => None,
        }
    }

    /// Returns the try range of an instruction.
    fn try_of(&self, at: usize) -> Option<TryId> {
        self.code.nodes[*self.insns.get(at)?].try_id
    }

    /// Returns the try ranges with a handler that begins with this instruction.
    fn tries_of(&self, handler: usize) -> Vec<TryId> {
        let is_handler = |l: &Label| self.labels.get(l) == Some(&handler);
        let all = (0..).map(TryId).zip(&self.code.tries);
        let has =
            |t: &Handlers| t.catch_all.iter().chain(t.catches.iter().map(|c| &c.1)).any(is_handler);
        all.filter(|(_, t)| has(t)).map(|(id, _)| id).collect()
    }

    /// Returns the numbers of the instructions that begin catch-all handlers, each once.
    fn handlers(&self) -> Vec<usize> {
        let all = self.code.tries.iter().flat_map(|t| {
            let throwable = |&(ty, label): &(TypeIdx, Label)| {
                let name = self.program.files[self.file].dex.type_name(ty);
                (name == "Ljava/lang/Throwable;").then_some(label)
            };
            t.catch_all.into_iter().chain(t.catches.iter().filter_map(throwable))
        });
        let mut all: Vec<usize> = all.filter_map(|l| self.labels.get(&l).copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Returns true if a signature (`name(I)V`) has this method name.
fn has_name(sig: &str, name: &str) -> bool {
    sig.split_once('(').is_some_and(|(of, _)| of == name)
}
