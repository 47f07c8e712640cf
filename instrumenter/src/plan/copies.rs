//! Decision to track a method's selected paths by copies of its blocks.
//!
//! The alternative is a number in a register ([`crate::probes::selected`]), which is always
//! possible. Copies need no register, no comparison and no code on edges, but more code in total.

use std::collections::{BTreeMap, BTreeSet};

use dex::verify::types::narrowings;
use dex::{Args, Insn, Item, Op, Reg};
use model::map::BlockId;
use model::path_profiles::automaton::Automaton;
use model::path_profiles::automaton::copies::{Copies, CopyId, is_reducible};

use crate::art::COMPILE_UNITS;
use crate::options::PathTracking;
use crate::plan::subject::Subject;

/// Largest size of the copies, as a multiple of the method's own code.
const MOST_GROWTH: u32 = 3;
/// Largest number of code units of a hit, for each path that it counts.
const HIT_UNITS: u32 = 6;
/// Code units of a jump to the next copy.
const JUMP_UNITS: u32 = 2;

/// Returns the copies of a method's blocks, if the options allow them and they are possible.
pub(crate) fn copies(
    subject: &Subject,
    automaton: &Automaton,
    tracking: PathTracking,
) -> Option<Copies> {
    if tracking == PathTracking::Register {
        return None;
    }
    let units: Vec<u32> =
        (0..subject.cfg.blocks.len()).map(|b| units(subject, BlockId(b as u32))).collect();
    let own: u32 = units.iter().sum();
    let most = own.saturating_mul(1 + MOST_GROWTH);
    // Each block has at least one unit.
    let copies = automaton.copies(most as usize)?;
    let taken: u32 = copies.all.iter().map(|c| units[c.block.0 as usize]).sum();
    let hits = copies.all.iter().map(|c| {
        let on_ways: usize = c.next.iter().map(|way| way.completes.len()).sum();
        c.exit.len() + c.caught.len() + on_ways
    });
    let more = hits.sum::<usize>() as u32 * HIT_UNITS + copies.all.len() as u32 * JUMP_UNITS;
    let fits = taken <= most && (taken + more <= COMPILE_UNITS || copies.all.len() <= units.len());
    let of = copies.of_blocks();
    let loops_stay =
        || tracking == PathTracking::DuplicateBlocks || copies.is_reducible() || !is_plain(subject);
    (fits
        && monitors_stay(subject, &copies, &of)
        && objects_stay(subject, &of)
        && handlers_are_apart(subject)
        && lines_are_known(subject)
        // Fewer paths meet in a copy: an object's inferred type may be too narrow for a later test
        // of it.
        && narrowings(&subject.code).is_empty()
        && loops_stay())
    .then_some(copies)
}

/// Returns the number of code units of a block's instructions.
fn units(subject: &Subject, block: BlockId) -> u32 {
    let bounds = subject.cfg.block(block);
    let nodes = &subject.code.nodes[bounds.first..=bounds.last];
    let insns = nodes.iter().filter_map(|n| match &n.item {
        Item::Insn(insn) => Some(insn.op.units()),
        _ => None,
    });
    insns.sum()
}

/// Returns true if each loop of the original method has one entry.
fn is_plain(subject: &Subject) -> bool {
    let ways = subject.cfg.blocks.iter().map(|b| {
        let all = b.end.successors().iter().chain(&b.handlers);
        all.map(|to| to.0 as usize).collect()
    });
    is_reducible(&ways.collect::<Vec<_>>())
}

/// Returns true if no block that begins with a held monitor has two copies, and nothing is counted
/// while a monitor is held: the call could throw, and the monitor would stay locked.
fn monitors_stay(subject: &Subject, copies: &Copies, of: &BTreeMap<BlockId, Vec<CopyId>>) -> bool {
    if subject.monitors.depths().is_empty() {
        return true;
    }
    let held = |block: BlockId| subject.monitors.depth(subject.cfg.block(block).first) > 0;
    let held_at_end = |block: BlockId| subject.monitors.depth(subject.cfg.block(block).last) > 0;
    let counts_freely = copies.all.iter().all(|c| {
        let on_ways = c.next.iter().all(|way| {
            way.completes.is_empty() || !(held_at_end(c.block) || held(copies.copy(way.to).block))
        });
        on_ways && c.caught.is_empty() && (c.exit.is_empty() || !held_at_end(c.block))
    });
    counts_freely && of.iter().all(|(&block, copies)| copies.len() == 1 || !held(block))
}

/// Returns true if no object is created in one copy and initialised in another: the verifier
/// distinguishes uninitialised objects by the address of their `new-instance`.
fn objects_stay(subject: &Subject, of: &BTreeMap<BlockId, Vec<CopyId>>) -> bool {
    let blocks = &subject.cfg.blocks;
    let count = |b: usize| of.get(&BlockId(b as u32)).map_or(0, Vec::len);
    let mut open: Vec<BTreeSet<Reg>> = vec![BTreeSet::new(); blocks.len()];
    let mut work: Vec<usize> = (0..blocks.len()).collect();
    while let Some(b) = work.pop() {
        let mut now = open[b].clone();
        for node in &subject.code.nodes[blocks[b].first..=blocks[b].last] {
            if let Item::Insn(insn) = &node.item {
                step(insn, &mut now);
            }
        }
        if now.is_empty() {
            continue;
        }
        for to in blocks[b].end.successors() {
            let to = to.0 as usize;
            if count(b) > 1 || count(to) > 1 {
                return false;
            }
            let known = open[to].len();
            open[to].extend(&now);
            if open[to].len() > known {
                work.push(to);
            }
        }
    }
    true
}

/// Updates the registers with an uninitialised object, after an instruction.
fn step(insn: &Insn, open: &mut BTreeSet<Reg>) {
    let receiver = match (insn.op, &insn.args) {
        (Op::InvokeDirect, Args::List(regs, _)) => regs.iter().next(),
        (Op::InvokeDirectRange, Args::Range(first, ..)) => Some(*first),
        _ => None,
    };
    if receiver.is_some_and(|r| open.contains(&r)) {
        // Only a constructor may be called with it. Other registers with the same object are
        // unknown.
        open.clear();
    }
    let moves = matches!(insn.op, Op::MoveObject | Op::MoveObjectFrom16 | Op::MoveObject16);
    let moved = moves && insn.uses().iter().any(|(r, _)| open.contains(r));
    if let Some((to, _)) = insn.def() {
        open.remove(&to);
        if moved || insn.op == Op::NewInstance {
            open.insert(to);
        }
    }
}

/// Returns true if only exceptions lead to blocks that begin with `move-exception`.
fn handlers_are_apart(subject: &Subject) -> bool {
    let blocks = &subject.cfg.blocks;
    let takes = |b: BlockId| {
        let first = subject.cfg.block(b).first;
        subject.code.insn(first).is_some_and(|i| i.op == Op::MoveException)
    };
    blocks.iter().all(|b| !b.end.successors().iter().any(|&to| takes(to)))
}

/// Returns true if lines are known everywhere or nowhere: a copy far from its block repeats its
/// line, and could not express that there is none.
fn lines_are_known(subject: &Subject) -> bool {
    let is_line = |item: &Item| matches!(item, Item::Debug(dex::debug::DebugEvent::Line(_)));
    let nodes = &subject.code.nodes;
    let first = nodes.iter().position(|n| is_line(&n.item));
    first.is_none_or(|line| line <= subject.cfg.blocks[0].first)
}
