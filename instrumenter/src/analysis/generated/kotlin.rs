//! Generated code of Kotlin: `when` without `else`, `lateinit`, default arguments.

use dex::{Args, Op};
use model::map::Generated;

use super::{Body, GeneratedRange, has_name};

const NO_BRANCH: &str = "Lkotlin/NoWhenBranchMatchedException;";
const INTRINSICS: &str = "Lkotlin/jvm/internal/Intrinsics;";

pub(super) fn find(body: &Body<'_>, found: &mut Vec<GeneratedRange>) {
    let sig = body.program.text(body.program.method(body.no).sig);
    let of_defaults = sig.split_once('(').is_some_and(|(name, _)| name.ends_with("$default"));
    for first in 0..body.len() {
        let end = no_branch(body, first).map(|end| (end, Generated::When));
        let end = end.or_else(|| Some((lateinit(body, first)?, Generated::Lateinit)));
        let default = || Some((default_argument(body, first)?, Generated::DefaultArgument));
        let end = end.or_else(|| of_defaults.then(default)?);
        found.extend(end.map(|(end, kind)| GeneratedRange { first, end, kind }));
    }
}

/// Matches `throw NoWhenBranchMatchedException()`: no value of the sealed class or enum leads
/// there.
fn no_branch(body: &Body<'_>, first: usize) -> Option<usize> {
    (body.made(first)? == NO_BRANCH && body.calls(first + 1, NO_BRANCH, "<init>")).then_some(())?;
    (body.op(first + 2)? == Op::Throw).then_some(first + 3)
}

/// Matches `throwUninitializedPropertyAccessException("name")`, which never returns, and the code
/// after it.
fn lateinit(body: &Body<'_>, first: usize) -> Option<usize> {
    body.string(first)?;
    let (class, sig) = body.called(first + 1)?;
    let throws = class == INTRINSICS && has_name(sig, "throwUninitializedPropertyAccessException");
    throws.then_some(())?;
    let mut end = first + 2;
    while let Some(op) = body.op(end) {
        if matches!(op, Op::Const4 | Op::Throw) || op.is_return() || op.is_goto() {
            end += 1;
        }
        if op != Op::Const4 {
            break;
        }
    }
    Some(end)
}

/// Matches the test of a bit of the mask of default arguments.
fn default_argument(body: &Body<'_>, first: usize) -> Option<usize> {
    let insn = body.insn(first).filter(|i| matches!(i.op, Op::AndIntLit8 | Op::AndIntLit16))?;
    let Args::ABLit(bit, _, mask) = insn.args else { return None };
    let Args::AJump(asked, _) = body.insn(first + 1).filter(|i| i.op == Op::IfEqz)?.args else {
        return None;
    };
    (asked == bit && mask.count_ones() == 1).then_some(first + 2)
}
