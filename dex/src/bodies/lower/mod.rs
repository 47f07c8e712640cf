//! An edit list back to code units: widths, tables, try items and debug addresses.

mod encode;
mod payload;
mod relax;
mod tables;

use crate::code::error::CodeError;
use crate::code::insn::{Args, Insn};
use crate::code::opcode::Op;
use crate::code::{Code, Item};
use crate::file::CodeItem;
use crate::file::index_map::IndexMap;
use crate::ids::PoolKind;

use encode::Operands;
use relax::{CodeLayout, Form};

/// Lowers an edit list to a body whose instructions, handlers and debug info hold the indices that
/// `map` gives.
///
/// - `const-string` becomes `const-string/jumbo` where the final index needs it.
/// - A `goto` is never narrower than its opcode and widens as its distance needs; a
///   conditional branch that cannot reach becomes its inverse over a `goto/32`.
/// - Tables follow the code, 4-byte aligned, one per user, in the order of [`Code::payloads`];
///   tables without a user are left out.
/// - Consecutive instructions with the same [`TryId`](crate::TryId) form one try item, split before
///   65,535 units are exceeded; equal handler lists are stored once.
/// - Debug events get the address of the next instruction, or of the end of the code; when
///   [`Code::debug`] is `None` there is no debug info and they are left out.
///
/// `registers`, `ins` and `outs` are taken over as they are.
///
/// # Errors
/// Fails if a value does not fit its format, a name (label, try, table, pool item) leads nowhere,
/// or a limit of the format is exceeded.
pub fn lower(code: &Code, map: &IndexMap) -> Result<CodeItem, CodeError> {
    let layout = CodeLayout::new(code, map)?;
    let insns = emit(code, map, &layout)?;
    let (tries, handlers) = tables::tries(code, map, &layout)?;
    let debug = tables::debug(code, map, &layout)?;
    Ok(CodeItem {
        registers: code.registers,
        ins: code.ins,
        outs: code.outs,
        insns,
        tries,
        handlers,
        debug,
    })
}

fn emit(code: &Code, map: &IndexMap, layout: &CodeLayout) -> Result<Vec<u16>, CodeError> {
    let mut out = Vec::with_capacity(layout.end as usize);
    let mut users = Vec::new();
    for (i, slot) in layout.slots.iter().enumerate() {
        let node = slot.node as usize;
        let Item::Insn(insn) = &code.nodes[node].item else { continue };
        debug_assert_eq!(out.len(), slot.at as usize);
        let distance = match slot.target {
            Some(target) => {
                (i64::from(layout.slots[target as usize].at) - i64::from(slot.at)) as i32
            }
            None => 0,
        };
        let plain = Operands { distance, ..Operands::default() };
        match slot.form {
            Form::Plain(op) => {
                let operands = match insn.args {
                    Args::APayload(_, payload) => {
                        // Patched once the table's address is known.
                        users.push((payload, i));
                        plain
                    }
                    _ => resolve(node, op, insn, map, plain)?,
                };
                encode::encode(&Insn { op, args: insn.args }, operands, &mut out);
            }
            Form::InvertedIf(inverse) => {
                let skip = Operands { distance: 5, ..Operands::default() };
                encode::encode(&Insn { op: inverse, args: insn.args }, skip, &mut out);
                let Some(target) = slot.label else { continue };
                let goto = Insn { op: Op::Goto32, args: Args::Jump(target) };
                encode::encode(&goto, Operands { distance: distance - 2, ..plain }, &mut out);
            }
        }
    }
    out.resize(layout.end as usize, Op::Nop.value().into());
    users.sort_unstable();
    payload::append(code, layout, &users, &mut out)?;
    Ok(out)
}

/// The final indices of an instruction, checked against the width of its slot.
fn resolve(
    node: usize,
    op: Op,
    insn: &Insn,
    map: &IndexMap,
    plain: Operands,
) -> Result<Operands, CodeError> {
    let index = |pool, index| {
        let index = map.get(pool, index)?;
        if index > 0xffff && op != Op::ConstStringJumbo {
            return Err(CodeError::IndexTooBig { node, op, pool, index });
        }
        Ok(index)
    };
    let reference = match insn.args {
        Args::ARef(_, r) | Args::ABRef(_, _, r) | Args::List(_, r) | Args::Range(_, _, r) => r,
        Args::PolyList(_, method, proto) | Args::PolyRange(_, _, method, proto) => {
            let (method, proto) =
                (index(PoolKind::Method, method.0)?, index(PoolKind::Proto, proto.0)?);
            return Ok(Operands { index: method, proto, ..plain });
        }
        _ => return Ok(plain),
    };
    let (pool, position) = reference.pool_index();
    Ok(Operands { index: index(pool, position)?, ..plain })
}
