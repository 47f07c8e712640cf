//! Methods that contain callees' code in place of calls ([`crate::inline`]).

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
    /// The callee.
    pub callee: SubjectId,
    /// Register of the woven caller for each of the callee's registers.
    pub places: Vec<Reg>,
    /// Instructions that copy parameters which the callee overwrites to their registers.
    pub copies: Vec<Insn>,
    /// Node of the call's `move-result`, the kind of the value, and its register.
    pub result: Option<(usize, MoveKind, Reg)>,
    /// Calls of the callee that are inlined as well.
    pub inner: Vec<InlinedCall>,
}

/// A method with inlined calls.
#[derive(Debug, Clone)]
pub struct InliningPlan {
    /// The calls, by node.
    pub calls: Vec<InlinedCall>,
    /// Layout of the registers.
    pub layout: RegisterLayout,
    /// Number of registers for callees, beside those of the probes.
    pub spare: u16,
    /// True if decisions go into the path register.
    pub has_paths: bool,
    /// Number of regions.
    pub regions: u32,
    /// Number of counted loops.
    pub loops: u32,
}

/// Origin of a block of the joined code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockOrigin {
    /// Method that the block belongs to.
    pub subject: SubjectId,
    /// Number of the block in that method.
    pub block: BlockId,
    /// Number of inlined calls around it.
    pub depth: u8,
    /// True if it is the beginning of the original block.
    pub begins: bool,
}

/// Composition of the joined code.
#[derive(Debug, Clone, Default)]
pub struct NodeMap {
    /// Origin of each block of the graph.
    pub origins: Vec<BlockOrigin>,
    /// Node in the joined code of each node of the method's own code.
    pub nodes: Vec<usize>,
    /// By node: true if it belongs to a callee, with registers as in the woven code.
    pub foreign: Vec<bool>,
    /// Nodes that represent blocks without instructions, and are not written.
    pub placeholders: HashSet<usize>,
}
