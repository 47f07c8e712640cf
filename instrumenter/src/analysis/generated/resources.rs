//! Handlers that release a resource: the monitor of `synchronized`, the resources of `try (…)` and
//! of Kotlin's `use`.

use dex::Op;
use model::map::Generated;

use super::{Body, GeneratedRange, has_name};

pub(super) fn find(body: &Body<'_>, found: &mut Vec<GeneratedRange>) {
    for first in body.handlers() {
        let monitor = monitor(body, first).map(|end| (end, Generated::Monitor));
        let close = || close(body, first).map(|end| (end, Generated::Resource));
        if let Some((end, kind)) = monitor.or_else(close) {
            found.push(GeneratedRange { first, end, kind });
            if kind == Generated::Resource {
                closed(body, first, found);
            }
        }
    }
}

/// Matches `move-exception e; monitor-exit m; throw e`.
fn monitor(body: &Body<'_>, first: usize) -> Option<usize> {
    let thrown = body.register(first, Op::MoveException)?;
    body.register(first + 1, Op::MonitorExit)?;
    (body.register(first + 2, Op::Throw)? == thrown).then_some(first + 3)
}

/// Matches `move-exception e; [if-eqz r → throw]; r.close(); [goto throw]; move-exception t;
/// e.addSuppressed(t); throw e`; for Kotlin `move-exception e; throw e; move-exception t;
/// closeFinally(r, e); throw t`.
fn close(body: &Body<'_>, first: usize) -> Option<usize> {
    let thrown = body.register(first, Op::MoveException)?;
    if body.register(first + 1, Op::Throw) == Some(thrown) {
        let second = body.register(first + 2, Op::MoveException)?;
        let closes = body.called(first + 3).is_some_and(|(_, sig)| has_name(sig, "closeFinally"));
        return (closes && body.register(first + 4, Op::Throw)? == second).then_some(first + 5);
    }
    let mut at = first + 1;
    at += usize::from(body.op(at) == Some(Op::IfEqz));
    is_close(body, at)?;
    at += 1;
    at += usize::from(body.op(at).is_some_and(Op::is_goto));
    body.register(at, Op::MoveException)?;
    let suppressed = body.called(at + 1).is_some_and(|(_, sig)| has_name(sig, "addSuppressed"));
    let rethrown = body.register(at + 2, Op::Throw) == Some(thrown);
    (suppressed && rethrown).then_some(at + 3)
}

/// Adds the calls of `close` after the code that such a handler covers, if the resource may be
/// null.
fn closed(body: &Body<'_>, handler: usize, found: &mut Vec<GeneratedRange>) {
    let tries = body.tries_of(handler);
    for at in 1..body.len() {
        let leaves = body.try_of(at - 1).is_some_and(|id| tries.contains(&id))
            && body.try_of(at).is_none_or(|id| !tries.contains(&id));
        if leaves
            && body.op(at) == Some(Op::IfEqz)
            && is_close(body, at + 1).is_some()
            && body.target(at) == Some(at + 2)
        {
            found.push(GeneratedRange { first: at, end: at + 2, kind: Generated::Resource });
        }
    }
}

fn is_close(body: &Body<'_>, at: usize) -> Option<()> {
    let (_, sig) = body.called(at)?;
    (sig == "close()V" || has_name(sig, "$closeResource")).then_some(())
}
