//! Errors of the code level: decoding, lowering, renumbering and debug info.

use crate::code::opcode::Op;
use crate::ids::{Label, PayloadId, PoolKind, TryId};

/// Reasons why a method body cannot be decoded or lowered.
///
/// `at` is an offset in code units from the start of the method's instructions; `node` is a
/// position in [`Code::nodes`](crate::Code::nodes).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// An instruction or table is cut off by the end of the code.
    #[error("code unit {at:#06x}: instruction runs past the end of the code")]
    Truncated {
        /// Its first code unit.
        at: u32,
    },
    /// The specification has no such opcode.
    #[error("code unit {at:#06x}: unknown opcode {opcode:#04x}")]
    UnknownOpcode {
        /// Offset of the instruction.
        at: u32,
        /// The opcode byte.
        opcode: u8,
    },
    /// An argument list names more than five registers.
    #[error("code unit {at:#06x}: {op} with {count} registers; its format holds five")]
    ArgumentCount {
        /// Offset of the instruction.
        at: u32,
        /// The instruction.
        op: Op,
        /// Registers that it claims to have.
        count: u16,
    },
    /// A branch, switch or handler target is not the start of an instruction.
    #[error("code unit {at:#06x}: target {target:#x} is not an instruction of this method")]
    BadTarget {
        /// The branch or switch instruction, or the start of the try range.
        at: u32,
        /// Absolute target.
        target: i64,
    },
    /// A 31t instruction does not lead to a well-formed table of its kind.
    #[error("code unit {at:#06x}: {op}: {what}")]
    BadPayload {
        /// The instruction that uses the table, or the table when nothing uses it yet.
        at: u32,
        /// The instruction.
        op: Op,
        /// The broken rule.
        what: &'static str,
    },
    /// The parameters need more registers than the frame has.
    #[error("{ins} registers of parameters in a frame of {registers}")]
    Parameters {
        /// Registers of the frame.
        registers: u16,
        /// Registers that the parameters take.
        ins: u16,
    },
    /// Control reaches a switch or array table as if it were an instruction.
    #[error("code unit {at:#06x}: execution runs into a data table")]
    PayloadExecuted {
        /// First code unit of the table.
        at: u32,
    },
    /// Control reaches the end of the code; a method without instructions does so at once.
    #[error("execution runs off the end of the code")]
    RunsOffEnd,
    /// A try range is malformed.
    #[error("try range {index}: {what}")]
    BadTry {
        /// Position in the method's list of tries.
        index: usize,
        /// The broken rule.
        what: &'static str,
    },
    /// Debug info bytes are malformed.
    #[error("debug info, byte {at}: {what}")]
    BadDebug {
        /// Offset in the bytes that were parsed.
        at: usize,
        /// The broken rule.
        what: &'static str,
    },
    /// Debug events are not in ascending order of address.
    #[error("debug event {index} lies before its predecessor")]
    DebugOrder {
        /// Position in [`DebugInfo::events`](crate::debug::DebugInfo::events).
        index: usize,
    },
    /// The operands do not have the shape of the opcode's format, or a value does not fit it.
    #[error("node {node}: operands do not fit {op}: {what}")]
    Operand {
        /// Position of the instruction.
        node: usize,
        /// The instruction.
        op: Op,
        /// The operand that does not fit.
        what: &'static str,
    },
    /// An index, once final, does not fit the 16 bits that the instruction has for it.
    #[error("node {node}: {op}: {pool} index {index} does not fit 16 bits")]
    IndexTooBig {
        /// Position of the instruction.
        node: usize,
        /// The instruction.
        op: Op,
        /// The index's pool.
        pool: PoolKind,
        /// The final index.
        index: u32,
    },
    /// An index that its pool does not have.
    #[error("{pool} index {index} is not in the pool")]
    NotInPool {
        /// The index's pool.
        pool: PoolKind,
        /// The index before renumbering.
        index: u32,
    },
    /// A label that is used stands nowhere in the list, or at its very end.
    #[error("label {} does not stand before an instruction", label.0)]
    UnboundLabel {
        /// The label.
        label: Label,
    },
    /// A label stands twice in the list.
    #[error("label {} stands in the list more than once", label.0)]
    DuplicateLabel {
        /// The label.
        label: Label,
    },
    /// A node names a try that the method does not have.
    #[error("node {node}: no try {}", try_id.0)]
    NoSuchTry {
        /// Position of the node.
        node: usize,
        /// The id.
        try_id: TryId,
    },
    /// An instruction names a table that the method does not have.
    #[error("node {node}: no payload {}", payload.0)]
    NoSuchPayload {
        /// Position of the instruction.
        node: usize,
        /// The id.
        payload: PayloadId,
    },
    /// A table cannot be written.
    #[error("node {node}: {op}: {what}")]
    PayloadData {
        /// The instruction that uses it.
        node: usize,
        /// The instruction.
        op: Op,
        /// The broken rule.
        what: &'static str,
    },
    /// More code units than 32-bit branches can span.
    #[error("the method would have {units} code units")]
    TooLong {
        /// Units needed.
        units: u64,
    },
    /// More try items than the format can count.
    #[error("the method would have {count} try items; 65535 is the most")]
    TooManyTries {
        /// Items needed.
        count: usize,
    },
    /// The encoded handler lists are so long that a try item cannot point at the last one.
    #[error("the handler lists would need an offset of {offset} bytes; 65535 is the most")]
    HandlersTooLong {
        /// Offset of the first list that cannot be reached.
        offset: u64,
    },
    /// A try range with neither a typed handler nor a catch-all.
    #[error("try {} has no handler", try_id.0)]
    NoHandler {
        /// The id.
        try_id: TryId,
    },
}
