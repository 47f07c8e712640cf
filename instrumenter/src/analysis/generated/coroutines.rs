//! State machines of Kotlin's coroutines: the jump to the point where a function resumes, and the
//! return when it suspends. The timing of awaited results decides which of them run, not the
//! source.

use dex::{Args, Op, Payload, Reg};
use model::map::Generated;

use super::{Body, GeneratedRange};

const INTRINSICS: &str = "Lkotlin/coroutines/intrinsics/IntrinsicsKt;";
const RESULT: &str = "Lkotlin/ResultKt;";
const NOT_RESUMED: &str = "call to 'resume' before 'invoke' with coroutine";
/// Largest number of instructions that restore the values a function keeps while it is suspended.
const RESTORED: usize = 512;

pub(super) fn find(body: &Body<'_>, found: &mut Vec<GeneratedRange>) {
    let is_start = |&at: &usize| body.calls(at, INTRINSICS, "getCOROUTINE_SUSPENDED");
    let Some(start) = (0..body.len()).find(is_start) else { return };
    let Some(suspended) = body.register(start + 1, Op::MoveResultObject) else { return };
    let is_switch = |&at: &usize| body.op(at).is_some_and(Op::is_switch);
    let Some(switch) = (start + 2..body.len().min(start + 6)).find(is_switch) else { return };
    let mut add =
        |first, end| found.push(GeneratedRange { first, end, kind: Generated::Coroutine });
    add(switch, switch + 1);
    for target in targets(body, switch) {
        if let Some(end) = resumed(body, target) {
            add(target, end);
        }
    }
    for at in 0..body.len() {
        if let Some(end) = not_resumed(body, at) {
            add(at, end);
        }
        match waits(body, at, suspended) {
            Some(back) if back == at + 1 => add(at, at + 2),
            Some(back) => {
                add(at, at + 1);
                add(back, back + 1);
            }
            None => {}
        }
    }
}

fn targets(body: &Body<'_>, switch: usize) -> Vec<usize> {
    let payload = body.insn(switch).and_then(|i| body.code.payloads.get(i.payload()?.0 as usize));
    let labels: Vec<_> = match payload {
        Some(Payload::PackedSwitch { targets, .. }) => targets.clone(),
        Some(Payload::SparseSwitch { cases }) => cases.iter().map(|c| c.1).collect(),
        Some(Payload::FillArray { .. }) | None => Vec::new(),
    };
    labels.iter().filter_map(|l| body.labels.get(l).copied()).collect()
}

/// Matches the point where the function resumes: `throwOnFailure(result)` and the jump into its
/// code.
fn resumed(body: &Body<'_>, first: usize) -> Option<usize> {
    let mut end = first;
    while !body.calls(end, RESULT, "throwOnFailure") {
        let op = body.op(end)?;
        if end - first > RESTORED || op.is_branch() || op.is_return() || !op.can_continue() {
            return None;
        }
        end += 1;
    }
    end += 1;
    let is_move = |at: usize| body.op(at).is_some_and(|op| op.name().starts_with("move"));
    let jump = (end..body.len()).find(|&at| !is_move(at))?;
    let jumps = body.op(jump).is_some_and(Op::is_goto);
    Some(if jumps { jump + 1 } else { end })
}

/// Matches `throw IllegalStateException("call to 'resume' before 'invoke' with coroutine")`.
fn not_resumed(body: &Body<'_>, first: usize) -> Option<usize> {
    body.made(first)?;
    let throws = body.string(first + 1)? == NOT_RESUMED && body.op(first + 3)? == Op::Throw;
    throws.then_some(first + 4)
}

/// Matches the return of a call that suspends: `if-ne result, SUSPENDED` before it, or `if-eq` to
/// it.
fn waits(body: &Body<'_>, at: usize, suspended: Reg) -> Option<usize> {
    let insn = body.insn(at)?;
    let Args::ABJump(a, b, _) = insn.args else { return None };
    (a == suspended || b == suspended).then_some(())?;
    let back = match insn.op {
        Op::IfNe => at + 1,
        Op::IfEq => body.target(at)?,
        _ => return None,
    };
    (body.register(back, Op::ReturnObject)? == suspended).then_some(back)
}
