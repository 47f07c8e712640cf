//! Loop heads at which a reader of a ring buffer can begin (`docs/PROTOCOL.md` §6).
//!
//! A thread that is one endless callback has an endless loop near the bottom of its stack. A
//! restart in a method that is called from within that loop would be of little use: nothing is
//! known of its callers, so a reader would have to stop when the method returns. Only methods that
//! can be at the bottom get these probes: those with a guard, which code outside the app calls; and
//! their callees outside of loops, a few calls deep, if no loop of the app calls them. Such callees
//! get a guard as well: then a reader knows the end of their frames.

use std::collections::HashSet;

use dex::{Code, Item, Op};
use model::map::{BlockId, MethodId};
use model::protocol::RestartPlace;
use rayon::prelude::*;

use crate::analysis::cfg::Cfg;
use crate::analysis::program::{MethodNo, Program, Reach};
use crate::plan::by_subject::SubjectId;
use crate::plan::regions::BlockRole;
use crate::plan::subject::{CallInApp, Selection, Subject, scratch_count};
use crate::rewrite::registers::RegisterLayout;

/// Largest number of loop heads of a method that get a probe.
const MOST: usize = 8;
/// Largest number of calls between code outside the app and a method at the bottom of the stack.
const DEEPEST: usize = 4;

/// Returns loops by their position in the code: first and last block, and true if something is
/// called in between.
fn loops(code: &Code, cfg: &Cfg) -> Vec<(usize, usize, bool)> {
    let calls = |from: usize, to: usize| {
        let nodes = &code.nodes[cfg.blocks[from].first..=cfg.blocks[to].last];
        nodes.iter().any(|n| matches!(&n.item, Item::Insn(i) if i.op.is_invoke()))
    };
    let backwards = cfg.blocks.iter().enumerate().flat_map(|(b, block)| {
        let heads = block.end.successors().iter().map(|to| to.0 as usize);
        heads.filter(move |&head| head <= b).map(move |head| (head, b))
    });
    backwards.map(|(head, b)| (head, b, calls(head, b))).collect()
}

/// Loops of a method, and calls in them.
#[derive(Debug, Clone, Default)]
struct Loops {
    /// Nodes of calls inside the app that are in a loop.
    calls: HashSet<u32>,
    /// True if a reader could begin at one of them.
    endless: bool,
}

impl Loops {
    fn of(subject: &Subject, calls: &[CallInApp]) -> Loops {
        let (code, cfg) = (&subject.code, &subject.cfg);
        let loops = loops(code, cfg);
        let inside = |node: u32| {
            let within = |&(head, b, _): &(usize, usize, bool)| {
                (cfg.blocks[head].first..=cfg.blocks[b].last).contains(&(node as usize))
            };
            loops.iter().any(within)
        };
        Loops {
            calls: calls.iter().map(|call| call.node).filter(|&n| inside(n)).collect(),
            endless: loops.iter().any(|&(.., calls)| calls),
        }
    }
}

/// Finds the methods with a loop that can be at the bottom of a thread's stack, and gives them a
/// guard.
pub(crate) fn mark(program: &Program, selection: &mut Selection) {
    let subjects = &selection.subjects;
    let ids: Vec<SubjectId> = subjects.enumerate().map(|(i, _)| i).collect();
    let loops: Vec<Loops> = ids
        .par_iter()
        .map(|&i| Loops::of(&selection.open(program, i), &subjects[i].calls))
        .collect();
    let called = |inside: bool, i: usize| {
        let (calls, loops) = (subjects[ids[i]].calls.iter(), &loops[i]);
        calls.filter(move |call| loops.calls.contains(&call.node) == inside)
    };
    let all = 0..ids.len();
    let in_loops: HashSet<MethodNo> =
        all.clone().flat_map(|i| called(true, i)).flat_map(|call| call.reach.methods()).collect();
    let guarded = subjects.iter().filter(|s| s.guarded).map(|s| s.no);
    let mut found: HashSet<MethodNo> = guarded.collect();
    for _ in 0..DEEPEST {
        let callers = all.clone().filter(|&i| found.contains(&subjects[ids[i]].no));
        let callees = callers.flat_map(|i| called(false, i)).filter_map(|call| match call.reach {
            Reach::One(m) if !in_loops.contains(&m) => Some(m),
            _ => None,
        });
        let callees: Vec<MethodNo> = callees.collect();
        found.extend(callees);
    }
    let wanted: Vec<bool> =
        all.map(|i| loops[i].endless && found.contains(&subjects[ids[i]].no)).collect();
    let layouts: Vec<Option<RegisterLayout>> = (wanted.iter().zip(&ids))
        .map(|(&wanted, &i)| {
            let needed = wanted && !subjects[i].guarded;
            needed.then(|| guarded_layout(&selection.open(program, i))).flatten()
        })
        .collect();
    for (summary, (wanted, layout)) in
        selection.subjects.iter_mut().zip(wanted.into_iter().zip(layouts))
    {
        if let Some(layout) = layout {
            (summary.guarded, summary.layout) = (true, layout);
        }
        summary.bottom = wanted && summary.guarded;
    }
}

/// Returns the register layout of a method that gets a guard.
fn guarded_layout(subject: &Subject) -> Option<RegisterLayout> {
    let count = scratch_count(false, true, !subject.paths.is_empty());
    let plain = !subject.implied && !subject.leaf && subject.free.is_none();
    plain.then(|| RegisterLayout::find(&subject.code, count)).flatten()
}

/// Returns the heads of a method's loops that call something, with their numbers on the device:
/// loops that call nothing end, or are counted. At a head the path register is empty, and no
/// exception arrives there.
pub(crate) fn heads(subject: &Subject, id: MethodId) -> Vec<(BlockId, u32)> {
    let plain = subject.layout.scratch.low || subject.paths.is_empty();
    // The call uses consecutive registers if they are high.
    if !subject.bottom || !subject.framed() || subject.implied || !plain {
        return Vec::new();
    }
    let cfg = &subject.cfg;
    let bare = |head: usize| {
        let own = subject.node_map.as_ref().is_none_or(|s| s.origins[head].depth == 0);
        let role = subject.paths.role(BlockId(head as u32));
        let node = &subject.code.nodes[cfg.blocks[head].first];
        let glued = matches!(&node.item, Item::Insn(i)
            if i.op.is_move_result() || i.op == Op::MoveException);
        own && matches!(role, BlockRole::Plain | BlockRole::Head(_))
            && !glued
            && !cfg.blocks[head].is_handler
    };
    let loops = loops(&subject.code, cfg).into_iter();
    let mut heads: Vec<usize> =
        loops.filter(|&(head, _, calls)| calls && bare(head)).map(|(head, ..)| head).collect();
    heads.sort_unstable();
    heads.dedup();
    heads.truncate(MOST);
    let heads = heads.into_iter().filter_map(|head| {
        let block = BlockId(head as u32);
        Some((block, RestartPlace { method: id, block }.number()?))
    });
    heads.collect()
}

#[cfg(test)]
mod tests {
    use dex::Dex;
    use model::recording::Recording;

    use super::*;
    use crate::analysis::by_convention::Outside;
    use crate::analysis::program::{CallTargets, DexFile};
    use crate::plan::selection::select;

    /// `run` calls `work` once, whose loop calls `step`; `step` and `alone` have such loops as
    /// well.
    const CLASSES: &str = "\
.class public Lp/Worker;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;
.method public run()V
.code registers=1 ins=1 outs=1
    invoke-direct {p0}, Lp/Worker;->work()V
    return-void
.end method
.method private work()V
.code registers=2 ins=1 outs=1
:again
    invoke-static {}, Lq/Lib;->more()Z
    move-result v0
    if-eqz v0, :out
    invoke-direct {p0}, Lp/Worker;->step()V
    goto :again
:out
    return-void
.end method
.method private step()V
.code registers=2 ins=1 outs=1
:again
    invoke-static {}, Lq/Lib;->more()Z
    move-result v0
    if-nez v0, :again
    return-void
.end method
";

    fn marked(text: &str) -> (Program, Selection) {
        let mut dex = Dex::new(dex::Version(35));
        dex::text::parse_classes(text, &mut dex).expect("parses");
        let dex = Dex::read(&dex.write().expect("writes")).expect("reads");
        let program = Program::new(vec![DexFile { name: "classes.dex".into(), dex }]);
        let none = Default::default();
        let outside = Outside::FirstRelease(&none);
        let names = Default::default();
        let refused = Default::default();
        let mut selection = select(
            &CallTargets::of(&program),
            &names,
            Recording::ARITH.into(),
            &|_| None,
            &refused,
            outside,
        );
        mark(&program, &mut selection);
        (program, selection)
    }

    #[test]
    fn readers_begin_near_the_bottom_of_the_stack() {
        let (program, selection) = marked(CLASSES);
        let name = |no| program.text(program.method(no).sig).to_owned();
        let bottom = selection.subjects.iter().filter(|s| s.bottom);
        let bottom: Vec<_> = bottom.map(|s| (name(s.no), s.guarded)).collect();
        assert_eq!(bottom, [("work()V".to_owned(), true)]);
    }

    #[test]
    fn a_head_is_named_by_its_method_and_block() {
        let (program, selection) = marked(CLASSES);
        let found = selection.subjects.enumerate().find(|(_, s)| s.bottom).map(|(i, _)| i);
        let subject = selection.open(&program, found.expect("one is marked"));
        let place = RestartPlace { method: MethodId(7), block: BlockId(0) };
        let heads = heads(&subject, MethodId(7));
        // The method begins with the loop's head.
        assert_eq!(heads, [(BlockId(0), place.number().expect("it fits"))]);
    }
}
