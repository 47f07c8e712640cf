//! Code of an inlined callee ([`crate::inline`]).

use dex::{Args, Code, Insn, Item, Label, Node};

use super::{Part, Weave, Weaver};
use crate::inline::InlinedCall;

impl Weaver<'_> {
    /// The callee's code in place of the call at node `n`.
    pub(super) fn inline_call(&mut self, call: &InlinedCall, n: usize) {
        let all = self.plan.all;
        let callee = all.selection.open(all.program, call.callee);
        let callee = call.apply(callee, self.subject.layout.scratch);
        let callee = callee.expect("tried when it was chosen");
        let weave = Weave { inlined: &call.inner, ..all.of(call.callee) };
        let tracks = self.part.map_or(self.subject.tracks(), |p| p.tracks);
        let out = Code {
            registers: self.out.registers,
            ins: self.out.ins,
            outs: self.out.outs,
            nodes: Vec::new(),
            tries: Vec::new(),
            payloads: Vec::new(),
            debug: None,
            next_label: callee.code.next_label + 1,
        };
        let end = Label(callee.code.next_label);
        let part = Part { end, result: call.result.map(|r| (r.1, r.2)), tracks };
        let mut inside = Weaver::new(&callee, &weave, None, Some(part), out);
        inside.run();
        inside.out.nodes.push(Node { item: Item::Label(end), try_id: None });
        let part = inside.out;
        let outer = self.outer(n);
        for &insn in &call.copies {
            self.push(insn, outer);
        }
        let base = self.out.next_label;
        self.out.next_label += part.next_label;
        let moved = |l: Label| Label(l.0 + base);
        for node in part.nodes {
            match node.item {
                Item::Insn(insn) => self.push(with_labels(insn, &moved), outer),
                Item::Label(l) => {
                    self.out.nodes.push(Node { item: Item::Label(moved(l)), try_id: None })
                }
                Item::Debug(_) => {}
            }
        }
    }

    /// In place of a `return` of such code.
    pub(super) fn leave_part(&mut self, insn: &Insn) {
        let Some(part) = self.part else { return };
        self.push(self.probes.mark(), None);
        if let (Some((kind, to)), Args::A(from)) = (part.result, insn.args) {
            self.push(Insn::copy(kind, to, from), None);
        }
        self.push(Insn::goto(part.end), None);
    }

    /// Whether a node is the `move-result` of a call that has been replaced.
    pub(super) fn is_inlined_result(&self, n: usize) -> bool {
        self.plan.inlined.iter().any(|s| s.result.is_some_and(|r| r.0 == n))
    }
}

fn with_labels(insn: Insn, to: &dyn Fn(Label) -> Label) -> Insn {
    let args = match insn.args {
        Args::Jump(l) => Args::Jump(to(l)),
        Args::AJump(a, l) => Args::AJump(a, to(l)),
        Args::ABJump(a, b, l) => Args::ABJump(a, b, to(l)),
        args => args,
    };
    Insn { op: insn.op, args }
}
