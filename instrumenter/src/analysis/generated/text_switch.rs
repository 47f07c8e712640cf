//! `switch` over strings: a switch over hash codes, comparisons, and often a second switch, all for
//! one branch of the source.

use dex::{Args, Op, Reg};
use model::map::Generated;

use super::{Body, GeneratedRange, has_name};

pub(super) fn find(body: &Body<'_>, found: &mut Vec<GeneratedRange>) {
    for first in 2..body.len() {
        if body.op(first).is_some_and(Op::is_switch) && is_of_hash(body, first) {
            found.extend(end(body, first + 1).map(|end| GeneratedRange {
                first,
                end,
                kind: Generated::TextSwitch,
            }));
        }
    }
}

/// Returns true if a switch is over a hash code. D8 may place constants that are used later between
/// the two.
fn is_of_hash(body: &Body<'_>, switch: usize) -> bool {
    let is_constant = |at: &usize| body.op(*at).is_some_and(|op| op.name().starts_with("const"));
    let Some(result) = (1..switch).rev().find(|at| !is_constant(at)) else { return false };
    let hashed = body.called(result - 1).is_some_and(|(_, sig)| sig == "hashCode()I");
    hashed && body.op(result).is_some_and(Op::is_move_result)
}

/// Returns the number of the instruction after the comparisons and after the switch over their
/// results, if there is one.
fn end(body: &Body<'_>, first: usize) -> Option<usize> {
    let mut compared = None;
    let mut chosen: Option<Reg> = None;
    let mut at = first;
    while let Some(insn) = body.insn(at) {
        let is_number = matches!(insn.op, Op::Const4 | Op::Const16 | Op::Const);
        if equals(body, at) {
            compared = Some(at + 3);
            at += 3;
        } else if let (true, Args::ALit(reg, _)) = (is_number, insn.args) {
            chosen = Some(reg);
            at += 1;
        } else if insn.op.is_goto() || matches!(insn.op, Op::ConstString | Op::ConstStringJumbo) {
            at += 1;
        } else {
            break;
        }
    }
    let end = compared?;
    let second = match body.insn(at)?.args {
        Args::APayload(reg, _) | Args::AJump(reg, _) => Some(reg) == chosen,
        _ => false,
    };
    Some(if second { at + 1 } else { end })
}

/// Returns true for `equals(…)` followed by the branch on its result.
fn equals(body: &Body<'_>, at: usize) -> bool {
    let compares = body
        .called(at)
        .is_some_and(|(_, sig)| sig == "equals(Ljava/lang/Object;)Z" || has_name(sig, "areEqual"));
    let asked = body.op(at + 2);
    compares
        && body.op(at + 1).is_some_and(Op::is_move_result)
        && matches!(asked, Some(Op::IfEqz | Op::IfNez))
}
