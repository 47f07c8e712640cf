//! Graph of one method for display: blocks with addresses and lines, and every edge with its kind.

use std::collections::BTreeMap;

use dex::debug::DebugEvent;
use dex::{Body, Dex, Item, Payload, TypeIdx};
use serde::Serialize;

use crate::analysis::cfg::{BlockEnd, Cfg};

/// Kind of a block in its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockKind {
    /// Entry of the method.
    Entry,
    /// Entry of the program: that of the main activity's `onCreate`.
    Initial,
    /// Exit of the method: `return` or `throw`.
    Exit,
    /// Exit of a component's `onStop` or `onDestroy`.
    Terminal,
    /// A block with two or more successors, exceptions aside.
    Branch,
    /// A successor of a branch block.
    Target,
    /// Entry of an exception handler.
    Handler,
}

/// Kind of an edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum EdgeKind {
    /// To the next instruction: after a block's last instruction, `if-*` not taken, no case of a
    /// `switch`.
    Fallthrough,
    /// `goto`.
    Goto,
    /// `if-*` taken.
    Taken,
    /// `switch`: all cases that lead to the same block.
    Case {
        /// Their keys, ascending.
        keys: Vec<i64>,
    },
    /// An exception thrown inside the block.
    Exception {
        /// Descriptors of the caught types, in the order in which they are tried; `any` for a
        /// catch-all.
        types: Vec<String>,
    },
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EdgeView {
    /// Number of the target block.
    pub to: u32,
    /// Address of the target block, in 16-bit units from the start of the method.
    pub pc: u32,
    /// Kind of the edge.
    #[serde(flatten)]
    pub kind: EdgeKind,
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockView {
    /// Number, from 0 in the order of addresses.
    pub id: u32,
    /// Address of its first instruction, in 16-bit units.
    pub pc: u32,
    /// End address of its last instruction, in 16-bit units.
    pub end: u32,
    /// Line entries: address and line; the first one is valid at `pc`.
    pub lines: Vec<(u32, u32)>,
    /// Kinds of the block.
    pub kinds: Vec<BlockKind>,
    /// Number of edges that end here.
    #[serde(rename = "in")]
    pub in_degree: u32,
    /// Number of edges that begin here.
    #[serde(rename = "out")]
    pub out_degree: u32,
    /// Edges that begin here.
    pub edges: Vec<EdgeView>,
}

/// Role of a method in the whole program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// True for the main activity's `onCreate`.
    pub initial: bool,
    /// True for a component's `onStop` or `onDestroy`.
    pub terminal: bool,
}

/// Returns the blocks of a body.
///
/// # Errors
/// Returns a message if the code has no graph.
pub fn blocks(dex: &Dex, body: &Body, marks: Marks) -> Result<Vec<BlockView>, String> {
    let raw = body.item().ok_or("under edit")?;
    let (code, addresses) = dex::decode_with_addresses(&raw).map_err(|e| e.to_string())?;
    if let Some((_, what)) = dex.dangling(&code) {
        return Err(format!("it names a {what} that the file does not have"));
    }
    let cfg = Cfg::build(&code).ok_or("empty body")?;
    let count = cfg.blocks.len();
    let mut views: Vec<BlockView> = Vec::with_capacity(count);
    let (mut line, mut node) = (None, 0);
    for (b, block) in cfg.blocks.iter().enumerate() {
        let mut lines: Vec<(u32, u32)> = Vec::new();
        while node <= block.last {
            match &code.nodes[node].item {
                Item::Debug(DebugEvent::Line(l)) => line = Some(*l),
                Item::Insn(_) => {
                    if let Some(l) = line.filter(|&l| lines.last().map(|x| x.1) != Some(l)) {
                        lines.push((addresses[node], l));
                    }
                }
                _ => {}
            }
            node += 1;
        }
        let last = code.insn(block.last).ok_or("a block without an instruction")?;
        let mut edges = Vec::new();
        let mut add = |to: usize, kind| {
            let pc = addresses[cfg.blocks[to].first];
            edges.push(EdgeView { to: to as u32, pc, kind });
        };
        if last.op.can_continue() && b + 1 < count {
            add(b + 1, EdgeKind::Fallthrough);
        }
        if let Some(to) = last.label().and_then(|l| cfg.block_of(l)) {
            add(to.0 as usize, if last.op.is_goto() { EdgeKind::Goto } else { EdgeKind::Taken });
        }
        if last.op.is_switch() {
            let payload = last.payload().and_then(|p| code.payloads.get(p.0 as usize));
            for (to, keys) in cases(payload, &cfg) {
                add(to as usize, EdgeKind::Case { keys });
            }
        }
        for (to, types) in exceptions(dex, &code, &cfg, b) {
            add(to as usize, EdgeKind::Exception { types });
        }
        let mut kinds = Vec::new();
        let exit = matches!(block.end, BlockEnd::Return | BlockEnd::Throw);
        for (kind, yes) in [
            (BlockKind::Entry, b == 0),
            (BlockKind::Initial, b == 0 && marks.initial),
            (BlockKind::Exit, exit),
            (BlockKind::Terminal, exit && marks.terminal),
            (BlockKind::Branch, block.end.successors().len() > 1),
            (BlockKind::Handler, block.is_handler),
        ] {
            if yes {
                kinds.push(kind);
            }
        }
        views.push(BlockView {
            id: b as u32,
            pc: addresses[block.first],
            end: addresses[block.last] + last.op.units(),
            lines,
            kinds,
            in_degree: 0,
            out_degree: edges.len() as u32,
            edges,
        });
    }
    let mut is_target = vec![false; count];
    let mut in_degree = vec![0; count];
    for (block, view) in cfg.blocks.iter().zip(&views) {
        if let BlockEnd::Branch(all) = &block.end {
            all.iter().for_each(|t| is_target[t.0 as usize] = true);
        }
        view.edges.iter().for_each(|e| in_degree[e.to as usize] += 1);
    }
    for (view, (target, degree)) in views.iter_mut().zip(is_target.into_iter().zip(in_degree)) {
        view.in_degree = degree;
        if target {
            view.kinds.push(BlockKind::Target);
        }
    }
    Ok(views)
}

/// Returns the cases of a switch by target block, in the order of each target's first case.
fn cases(payload: Option<&Payload>, cfg: &Cfg) -> Vec<(u32, Vec<i64>)> {
    let all: Vec<(i64, dex::Label)> = match payload {
        Some(Payload::PackedSwitch { first_key, targets }) => targets
            .iter()
            .enumerate()
            .map(|(i, &l)| (i64::from(*first_key) + i as i64, l))
            .collect(),
        Some(Payload::SparseSwitch { cases }) => {
            cases.iter().map(|&(k, l)| (i64::from(k), l)).collect()
        }
        _ => Vec::new(),
    };
    let mut place: BTreeMap<u32, usize> = BTreeMap::new();
    let mut grouped: Vec<(u32, Vec<i64>)> = Vec::new();
    for (key, label) in all {
        let Some(to) = cfg.block_of(label) else { continue };
        let at = *place.entry(to.0).or_insert_with(|| {
            grouped.push((to.0, Vec::new()));
            grouped.len() - 1
        });
        grouped[at].1.push(key);
    }
    grouped
}

/// Returns the handlers that exceptions inside a block reach, ascending, with the caught types.
fn exceptions(dex: &Dex, code: &dex::Code, cfg: &Cfg, b: usize) -> BTreeMap<u32, Vec<String>> {
    let block = &cfg.blocks[b];
    let mut found: BTreeMap<u32, Vec<Option<TypeIdx>>> = BTreeMap::new();
    let mut seen = std::collections::HashSet::new();
    for node in &code.nodes[block.first..=block.last] {
        let (Item::Insn(insn), Some(t)) = (&node.item, node.try_id) else { continue };
        if !insn.op.can_throw() || !seen.insert(t) {
            continue;
        }
        let Some(handlers) = code.tries.get(t.0 as usize) else { continue };
        let all = handlers
            .catches
            .iter()
            .map(|&(ty, l)| (Some(ty), l))
            .chain(handlers.catch_all.map(|l| (None, l)));
        for (ty, label) in all {
            let Some(to) = cfg.block_of(label) else { continue };
            let types = found.entry(to.0).or_default();
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
    }
    let name = |t: Option<TypeIdx>| t.map_or("any".to_owned(), |t| dex.type_name(t).into_owned());
    found.into_iter().map(|(to, types)| (to, types.into_iter().map(name).collect())).collect()
}
