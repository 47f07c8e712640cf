//! Switch and array tables after the code.

use crate::code::error::CodeError;
use crate::code::opcode::Op;
use crate::code::raw::{FILL_ARRAY, PACKED_SWITCH, SPARSE_SWITCH};
use crate::code::{Code, Item, Payload};
use crate::ids::{Label, PayloadId};

use super::relax::CodeLayout;

/// Appends a table for each of the `users` (table and slot of a 31t instruction) and patches the
/// distance.
pub(super) fn append(
    code: &Code,
    layout: &CodeLayout,
    users: &[(PayloadId, usize)],
    out: &mut Vec<u16>,
) -> Result<(), CodeError> {
    for &(id, user) in users {
        let slot = &layout.slots[user];
        let node = slot.node as usize;
        let Item::Insn(insn) = &code.nodes[node].item else { continue };
        let payload = code
            .payloads
            .get(id.0 as usize)
            .ok_or(CodeError::NoSuchPayload { node, payload: id })?;

        // Tables are 4-byte aligned, and so is the first instruction in the file.
        if !out.len().is_multiple_of(2) {
            out.push(Op::Nop.value().into());
        }
        let distance = (out.len() as u64).wrapping_sub(slot.at.into());
        let operand = slot.at as usize + 1;
        out[operand] = distance as u16;
        out[operand + 1] = (distance >> 16) as u16;

        let bad = |what| CodeError::PayloadData { node, op: insn.op, what };
        let relative = |label: Label| layout.address(label).map(|at| at.wrapping_sub(slot.at));
        match (insn.op, payload) {
            (Op::PackedSwitch, Payload::PackedSwitch { first_key, targets }) => {
                let count =
                    u16::try_from(targets.len()).map_err(|_| bad("more than 65535 cases"))?;
                if count > 0 && first_key.checked_add(i32::from(count) - 1).is_none() {
                    return Err(bad("keys overflow"));
                }
                out.extend([PACKED_SWITCH, count]);
                push_long(out, *first_key as u32);
                for &target in targets {
                    push_long(out, relative(target)?);
                }
            }
            (Op::SparseSwitch, Payload::SparseSwitch { cases }) => {
                let count = u16::try_from(cases.len()).map_err(|_| bad("more than 65535 cases"))?;
                if cases.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
                    return Err(bad("keys do not ascend"));
                }
                out.extend([SPARSE_SWITCH, count]);
                for &(key, _) in cases {
                    push_long(out, key as u32);
                }
                for &(_, target) in cases {
                    push_long(out, relative(target)?);
                }
            }
            (Op::FillArrayData, Payload::FillArray { width, data }) => {
                if !matches!(width, 1 | 2 | 4 | 8) || data.len() % usize::from(*width) != 0 {
                    return Err(bad("not a whole number of elements of 1, 2, 4 or 8 bytes"));
                }
                let count = u32::try_from(data.len() / usize::from(*width))
                    .map_err(|_| bad("too many elements"))?;
                out.extend([FILL_ARRAY, *width]);
                push_long(out, count);
                out.extend(
                    data.chunks(2)
                        .map(|pair| u16::from_le_bytes([pair[0], *pair.get(1).unwrap_or(&0)])),
                );
            }
            _ => return Err(bad("the table is of another kind")),
        }
        if out.len() > i32::MAX as usize {
            return Err(CodeError::TooLong { units: out.len() as u64 });
        }
    }
    Ok(())
}

fn push_long(out: &mut Vec<u16>, value: u32) {
    out.extend([value as u16, (value >> 16) as u16]);
}
