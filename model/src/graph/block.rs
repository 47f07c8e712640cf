//! Blocks of a method as the map has them.

use serde::{Deserialize, Serialize};

use crate::graph::ids::{BlockId, MethodId, SlotId};
use crate::graph::position::CodeOrigin;

/// A call site that takes part in the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallKind {
    /// Exactly one possible callee: walked without a symbol.
    Predicted(MethodId),
    /// Several possibilities: a symbol selects one.
    Slot(SlotId),
    /// Exactly one possible callee, which has no probes and decides nothing: walked without a
    /// symbol and without counting.
    Implied(MethodId),
}

/// A call and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// Code-unit offset of the invoke instruction in the original method.
    pub pc: u32,
    /// Handling of the call by the decoder.
    pub call: CallKind,
}

/// Identity of a branch block across releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchIdentity {
    /// Hash of the branch and its surroundings.
    pub fingerprint: u64,
}

/// End of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Terminator {
    /// The method returns.
    Return,
    /// The block ends in `throw` (or in nothing that can complete).
    Throw,
    /// One successor.
    Goto(BlockId),
    /// Two or more distinct successors.
    Branch {
        /// Alternatives in symbol order, with their frequencies (sum 65,535; ESC has the last
        /// slice).
        alternatives: Vec<(BlockId, u16)>,
        /// Identity of the branch in the model.
        identity: BranchIdentity,
    },
}

impl Block {
    /// The place in force at its beginning, if one is known.
    pub fn place(&self) -> Option<CodeOrigin> {
        self.lines.first().map(|l| l.1).filter(|p| *p != CodeOrigin::Line(0))
    }
}

/// A basic block of the original method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Code-unit offset of its first instruction in the original method.
    pub pc: u32,
    /// Offset after its last instruction.
    pub end: u32,
    /// Line entries that begin inside: (offset, place). The first one is the place in force at
    /// `pc`.
    pub lines: Vec<(u32, CodeOrigin)>,
    /// Calls that take part in the protocol, in order.
    pub calls: Vec<CallSite>,
    /// True if anything inside can throw, call out or run other code.
    pub throws: bool,
    /// True if every entry (except by an exception) counts one step of progress: see
    /// `docs/PROTOCOL.md` §2.
    pub mark: bool,
    /// Instruction that ends the block.
    pub terminator: Terminator,
}
