//! Methods in which callees' code stands in place of calls ([`crate::inline`]).

use std::collections::HashSet;

use dex::{Insn, MoveKind, Reg};
use model::map::BlockId;

use crate::plan::by_subject::SubjectId;
use crate::rewrite::registers::RegisterLayout;

/// A call whose callee is inlined.
#[derive(Debug, Clone)]
pub struct InlinedCall {
    /// Node of the call.
    pub node: usize,
    /// The callee: position in the selection.
    pub callee: SubjectId,
    /// Where each of the callee's registers lies in the woven caller.
    pub places: Vec<Reg>,
    /// Parameters that the callee overwrites: what brings them to their places.
    pub copies: Vec<Insn>,
    /// Node of the call's `move-result`, what kind of value it moves, and where to.
    pub result: Option<(usize, MoveKind, Reg)>,
    /// Calls of the callee, which are replaced likewise.
    pub inner: Vec<InlinedCall>,
}

/// A method with inlined calls.
#[derive(Debug, Clone)]
pub struct Host {
    /// The calls, by node.
    pub calls: Vec<InlinedCall>,
    /// Where registers lie.
    pub layout: RegisterLayout,
    /// Registers for callees, beside those of the probes.
    pub spare: u16,
    /// Whether decisions go into the path register.
    pub has_paths: bool,
    /// How many regions there are.
    pub regions: u32,
    /// How many counted loops there are.
    pub loops: u32,
}

/// What a block of a host's code was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The method that it is of.
    pub subject: SubjectId,
    /// Its block there.
    pub block: BlockId,
    /// Inlined calls around it.
    pub depth: u8,
    /// Whether it is where that block begins.
    pub begins: bool,
}

/// How a host's code came about.
#[derive(Debug, Clone, Default)]
pub struct Spliced {
    /// Of each block of the graph.
    pub origins: Vec<Origin>,
    /// Where each node of the method's own code is.
    pub nodes: Vec<usize>,
    /// Of each node: whether it is a callee's, with registers as they lie in the woven code.
    pub foreign: Vec<bool>,
    /// Nodes that stand for blocks without instructions, and are not written.
    pub placeholders: HashSet<usize>,
}
