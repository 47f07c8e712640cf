//! Short ways to write down bodies and edit lists.

use dex::debug::DebugHeader;
use dex::{Args, Code, CodeError, CodeItem, IndexMap, Insn, Item, Label, Node, Op, TryId};

/// A body of these units, without tries and debug info.
pub fn body(insns: &[u16]) -> CodeItem {
    CodeItem { registers: 16, insns: insns.to_vec(), ..CodeItem::default() }
}

pub fn insn(op: Op, args: Args) -> Node {
    Node { item: Item::Insn(Insn { op, args }), try_id: None }
}

pub fn tried(id: u32, node: Node) -> Node {
    Node { try_id: Some(TryId(id)), ..node }
}

pub fn label(number: u32) -> Node {
    Node { item: Item::Label(Label(number)), try_id: None }
}

pub fn goto(number: u32) -> Node {
    insn(Op::Goto, Args::Jump(Label(number)))
}

pub fn nops(count: usize) -> Vec<Node> {
    vec![insn(Op::Nop, Args::None); count]
}

pub fn return_void() -> Node {
    insn(Op::ReturnVoid, Args::None)
}

pub fn code(parts: impl IntoIterator<Item = Vec<Node>>) -> Code {
    let nodes: Vec<Node> = parts.into_iter().flatten().collect();
    Code {
        registers: 16,
        nodes,
        debug: Some(DebugHeader::default()),
        next_label: 1000,
        ..Code::default()
    }
}

/// Lowers with a map that changes nothing, for pools of 70,000 items.
pub fn lower(code: &Code) -> Result<CodeItem, CodeError> {
    dex::lower(code, &IndexMap::identity_of_size(70_000))
}

pub fn units(code: &Code) -> Vec<u16> {
    lower(code).unwrap().insns
}

/// The instructions of a list, without labels and events.
pub fn insns(code: &Code) -> Vec<Insn> {
    let insn = |node: &Node| match &node.item {
        Item::Insn(insn) => Some(*insn),
        _ => None,
    };
    code.nodes.iter().filter_map(insn).collect()
}
