//! Joins the code of a method with its callees' code in place of calls.
//!
//! The graph of the joined code has the nodes of `model::inlined`, in the same order: each segment
//! of a block begins with a label, and gets a placeholder instruction if it has none of its own.

use std::collections::HashSet;

use dex::{Args, Code, Insn, Item, Label, Node, Op};
use model::map::BlockId;

use crate::plan::by_subject::SubjectId;
use crate::plan::inlining::{BlockOrigin, InlinedCall, NodeMap};
use crate::plan::selection::Decoded;
use crate::plan::subject::Subject;

/// Code of a caller with its callees.
pub(super) struct InlinedBody {
    pub decoded: Decoded,
    /// Inlined bodies, without the origins of blocks.
    pub node_map: NodeMap,
    /// Origins that the blocks of the graph must have.
    pub expected: Vec<BlockOrigin>,
    /// Block that each instruction's node belongs to.
    pub from: Vec<Option<BlockOrigin>>,
}

/// Decodes a method.
pub(super) type Open<'a> = dyn Fn(SubjectId) -> Subject + 'a;

/// Puts callees in the place of their calls. Returns `None` if an instruction cannot encode its
/// registers.
pub(super) fn join(
    own: &Subject,
    id: SubjectId,
    calls: &[InlinedCall],
    open: &Open<'_>,
) -> Option<InlinedBody> {
    let mut splice = Inliner {
        open,
        nodes: Vec::new(),
        addresses: Vec::new(),
        from: Vec::new(),
        placeholders: HashSet::new(),
        expected: Vec::new(),
        next_label: own.code.next_label,
        moved: vec![0; own.code.nodes.len()],
    };
    splice.method(own, calls, &CodeContext { subject: id, depth: 0, labels: 0, ends: None })?;
    let Inliner { nodes, addresses, from, placeholders, expected, next_label, moved, .. } = splice;
    let foreign = from.iter().map(|o| o.is_some_and(|o| o.depth > 0)).collect();
    let code = Code {
        nodes,
        next_label,
        registers: own.code.registers,
        ins: own.code.ins,
        outs: own.code.outs,
        tries: own.code.tries.clone(),
        payloads: own.code.payloads.clone(),
        debug: own.code.debug.clone(),
    };
    let node_map = NodeMap { origins: Vec::new(), nodes: moved, foreign, placeholders };
    Some(InlinedBody { decoded: (code, addresses), node_map, expected, from })
}

/// Context of a method's code in the joined code.
struct CodeContext<'a> {
    subject: SubjectId,
    depth: u8,
    /// Offset that is added to its labels.
    labels: u32,
    /// For a callee: the label to continue at, the call, and the call's address.
    ends: Option<(Label, &'a InlinedCall, u32)>,
}

struct Inliner<'a> {
    open: &'a Open<'a>,
    nodes: Vec<Node>,
    addresses: Vec<u32>,
    from: Vec<Option<BlockOrigin>>,
    placeholders: HashSet<usize>,
    expected: Vec<BlockOrigin>,
    next_label: u32,
    moved: Vec<usize>,
}

impl Inliner<'_> {
    fn method(&mut self, s: &Subject, calls: &[InlinedCall], at: &CodeContext<'_>) -> Option<()> {
        let last = s.code.nodes.iter().rposition(|n| matches!(n.item, Item::Insn(_)))?;
        let mut block = 0;
        let mut origin = self.begin(at, 0, true);
        // True if the segment has an instruction.
        let mut filled = false;
        for (n, node) in s.code.nodes.iter().enumerate() {
            if at.depth == 0 {
                self.moved[n] = self.nodes.len();
            }
            let address = at.ends.map_or(s.addresses[n], |e| e.2);
            let insn = match &node.item {
                Item::Insn(insn) => insn,
                Item::Debug(_) if at.depth > 0 => continue,
                Item::Debug(_) => {
                    self.push(node.item.clone(), node, address, None);
                    continue;
                }
                Item::Label(l) => {
                    self.label(Label(l.0 + at.labels), address);
                    continue;
                }
            };
            let is_last = n == s.cfg.blocks[block].last;
            if let Some(call) = calls.iter().find(|c| c.node == n) {
                if !filled {
                    self.placeholder(address, origin);
                }
                self.call(call, at.depth, address)?;
                origin = self.begin(at, block, false);
                filled = false;
            } else if calls.iter().any(|c| c.result.is_some_and(|r| r.0 == n)) {
                // The value is in its register when the callee returns.
            } else if let (Some((end, call, _)), true) = (at.ends, insn.op.is_return()) {
                if let (Some((_, kind, to)), Args::A(from)) = (call.result, insn.args) {
                    self.insn(Insn::copy(kind, to, from), address, origin);
                    filled = true;
                }
                if n != last {
                    self.insn(Insn::goto(end), address, origin);
                    filled = true;
                }
            } else {
                let insn = with_labels(*insn, at.labels);
                self.push(Item::Insn(insn), node, address, Some(origin));
                filled = true;
            }
            if is_last {
                if !filled {
                    self.placeholder(address, origin);
                }
                block += 1;
                if block < s.cfg.blocks.len() {
                    origin = self.begin(at, block, true);
                    filled = false;
                }
            }
        }
        Some(())
    }

    /// Adds a callee.
    fn call(&mut self, call: &InlinedCall, depth: u8, address: u32) -> Option<()> {
        let callee = call.apply((self.open)(call.callee))?;
        let labels = self.next_label;
        let end = Label(labels + callee.code.next_label);
        let entry = Label(end.0 + 1);
        self.next_label = entry.0 + 1;
        self.label(entry, address);
        let at = CodeContext {
            subject: call.callee,
            depth: depth + 1,
            labels,
            ends: Some((end, call, address)),
        };
        let origin =
            BlockOrigin { subject: call.callee, block: BlockId(0), depth: depth + 1, begins: true };
        for &copy in &call.copies {
            self.insn(copy, address, origin);
        }
        self.method(&callee, &call.inner, &at)?;
        self.label(end, address);
        Some(())
    }

    fn begin(&mut self, at: &CodeContext<'_>, block: usize, begins: bool) -> BlockOrigin {
        let block = BlockId(block as u32);
        let origin = BlockOrigin { subject: at.subject, block, depth: at.depth, begins };
        self.expected.push(origin);
        origin
    }

    fn push(&mut self, item: Item, like: &Node, address: u32, origin: Option<BlockOrigin>) {
        self.nodes.push(Node { item, try_id: like.try_id });
        self.addresses.push(address);
        self.from.push(origin);
    }

    fn insn(&mut self, insn: Insn, address: u32, origin: BlockOrigin) {
        self.nodes.push(Node { item: Item::Insn(insn), try_id: None });
        self.addresses.push(address);
        self.from.push(Some(origin));
    }

    fn label(&mut self, label: Label, address: u32) {
        self.nodes.push(Node { item: Item::Label(label), try_id: None });
        self.addresses.push(address);
        self.from.push(None);
    }

    /// Adds a placeholder, which is never written.
    fn placeholder(&mut self, address: u32, origin: BlockOrigin) {
        self.placeholders.insert(self.nodes.len());
        self.insn(Insn { op: Op::Nop, args: Args::None }, address, origin);
    }
}

fn with_labels(insn: Insn, more: u32) -> Insn {
    let to = |l: Label| Label(l.0 + more);
    let args = match insn.args {
        Args::Jump(l) => Args::Jump(to(l)),
        Args::AJump(a, l) => Args::AJump(a, to(l)),
        Args::ABJump(a, b, l) => Args::ABJump(a, b, to(l)),
        args => args,
    };
    Insn { op: insn.op, args }
}
