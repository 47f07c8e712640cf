//! Whether a method's selected paths can be told apart by copies of its blocks.
//!
//! Otherwise a register holds a number ([`crate::probes::selected`]). Numbers are always possible;
//! copies need no register, no comparison and nothing on edges, but more code.

use std::collections::{BTreeMap, BTreeSet};

use dex::verify::types::narrowings;
use dex::{Args, Insn, Item, Op, Reg};
use model::map::BlockId;
use model::path_profiles::automaton::Automaton;
use model::path_profiles::automaton::copies::{Copies, CopyId, is_reducible};

use crate::art::COMPILE_UNITS;
use crate::options::Detect;
use crate::plan::subject::Subject;

/// The copies may take so many times the method's own code, beside it.
const MOST_GROWTH: u32 = 3;
/// Code units that a hit takes at most, for each path that it counts.
const HIT_UNITS: u32 = 6;
/// Code units of a jump to the copy that follows.
const JUMP_UNITS: u32 = 2;

/// The copies of a method's blocks, if they are what is to be done and can be done.
pub(crate) fn copies(subject: &Subject, automaton: &Automaton, detect: Detect) -> Option<Copies> {
    if detect == Detect::Flag {
        return None;
    }
    let units: Vec<u32> =
        (0..subject.cfg.blocks.len()).map(|b| units(subject, BlockId(b as u32))).collect();
    let own: u32 = units.iter().sum();
    let most = own.saturating_mul(1 + MOST_GROWTH);
    // Each block has a unit at least.
    let copies = automaton.copies(most as usize)?;
    let taken: u32 = copies.all.iter().map(|c| units[c.block.0 as usize]).sum();
    let hits = copies.all.iter().map(|c| {
        let on_ways: usize = c.next.iter().map(|way| way.completes.len()).sum();
        c.exit.len() + c.caught.len() + on_ways
    });
    let more = hits.sum::<usize>() as u32 * HIT_UNITS + copies.all.len() as u32 * JUMP_UNITS;
    let fits = taken <= most && (taken + more <= COMPILE_UNITS || copies.all.len() <= units.len());
    let of = copies.of_blocks();
    let loops_stay = || detect == Detect::Copies || copies.is_reducible() || !is_plain(subject);
    (fits
        && monitors_stay(subject, &copies, &of)
        && objects_stay(subject, &of)
        && handlers_are_apart(subject)
        && lines_are_known(subject)
        // In a copy fewer paths meet: an object's type may be too narrow for a later test of it.
        && narrowings(&subject.code).is_empty()
        && loops_stay())
    .then_some(copies)
}

/// Code units of a block's instructions.
fn units(subject: &Subject, block: BlockId) -> u32 {
    let bounds = subject.cfg.block(block);
    let nodes = &subject.code.nodes[bounds.first..=bounds.last];
    let insns = nodes.iter().filter_map(|n| match &n.item {
        Item::Insn(insn) => Some(insn.op.units()),
        _ => None,
    });
    insns.sum()
}

/// Whether each loop of the method itself has one entry.
fn is_plain(subject: &Subject) -> bool {
    let ways = subject.cfg.blocks.iter().map(|b| {
        let all = b.end.successors().iter().chain(&b.handlers);
        all.map(|to| to.0 as usize).collect()
    });
    is_reducible(&ways.collect::<Vec<_>>())
}

/// Whether no block that begins with a monitor held has two copies, and nothing is counted with
/// one held: the call could throw, and the monitor would stay locked.
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

/// Whether no object is made in one copy and initialised in another: the verifier tells objects
/// that are not initialised apart by the address of their `new-instance`.
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

/// Registers with an object that is not initialised, behind an instruction.
fn step(insn: &Insn, open: &mut BTreeSet<Reg>) {
    let receiver = match (insn.op, &insn.args) {
        (Op::InvokeDirect, Args::List(regs, _)) => regs.iter().next(),
        (Op::InvokeDirectRange, Args::Range(first, ..)) => Some(*first),
        _ => None,
    };
    if receiver.is_some_and(|r| open.contains(&r)) {
        // Only a constructor may be called with it. What else holds the same object is not known.
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

/// Whether nothing but an exception comes to blocks that begin with `move-exception`.
fn handlers_are_apart(subject: &Subject) -> bool {
    let blocks = &subject.cfg.blocks;
    let takes = |b: BlockId| {
        let first = subject.cfg.block(b).first;
        subject.code.insn(first).is_some_and(|i| i.op == Op::MoveException)
    };
    blocks.iter().all(|b| !b.end.successors().iter().any(|&to| takes(to)))
}

/// Whether lines hold everywhere or nowhere: a copy far from its block says its line anew, and
/// could not say that none holds.
fn lines_are_known(subject: &Subject) -> bool {
    let is_line = |item: &Item| matches!(item, Item::Debug(dex::debug::DebugEvent::Line(_)));
    let nodes = &subject.code.nodes;
    let first = nodes.iter().position(|n| is_line(&n.item));
    first.is_none_or(|line| line <= subject.cfg.blocks[0].first)
}
