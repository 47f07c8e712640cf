//! Blocks at which a register holds an object that a branch narrows later on
//! ([`dex::verify::types::narrowings`]).
//!
//! ART's verifier narrows a type only if the type that it has inferred so far allows that: it never
//! narrows a `String` to an `Integer`. It checks a block as soon as it reaches it, by the edges
//! that it has followed until then, and rejects the class even if an edge that it follows later
//! shows that the register may hold any object. So where such paths meet, no edge may be followed
//! later than in the original.

use std::collections::{BTreeMap, BTreeSet};

use dex::verify::types::{Narrowing, narrowings};
use dex::{Args, Code, Item, Op, Reg};

use crate::analysis::cfg::Cfg;
use crate::analysis::liveness::written;

/// Returns for each block whether a register that holds a value at its entry is tested later on.
/// `placed` returns the new register of a register that a node names. The result is empty if
/// nothing is tested.
pub(crate) fn tested(code: &Code, cfg: &Cfg, placed: &dyn Fn(usize, Reg) -> Reg) -> Vec<bool> {
    let narrowings = narrowings(code);
    if narrowings.is_empty() {
        return Vec::new();
    }
    let blocks = cfg.blocks.len();
    let mut preds: Vec<Vec<usize>> = vec![Vec::new(); blocks];
    for (b, block) in cfg.blocks.iter().enumerate() {
        for s in block.end.successors().iter().chain(&block.handlers) {
            preds[s.0 as usize].push(b);
        }
    }
    let mut entry: Vec<BTreeSet<Reg>> = vec![BTreeSet::new(); blocks];
    let mut work: BTreeSet<usize> = (0..blocks).collect();
    while let Some(b) = work.pop_last() {
        let before = at_entry(code, cfg, b, &entry, &narrowings, placed);
        if before != entry[b] {
            entry[b] = before;
            work.extend(&preds[b]);
        }
    }
    entry.iter().map(|tested| !tested.is_empty()).collect()
}

fn at_entry(
    code: &Code,
    cfg: &Cfg,
    b: usize,
    entry: &[BTreeSet<Reg>],
    narrowings: &BTreeMap<usize, Narrowing>,
    placed: &dyn Fn(usize, Reg) -> Reg,
) -> BTreeSet<Reg> {
    let block = &cfg.blocks[b];
    let mut now: BTreeSet<Reg> = BTreeSet::new();
    let add = |now: &mut BTreeSet<Reg>, blocks: &[model::map::BlockId]| {
        blocks.iter().for_each(|s| now.extend(&entry[s.0 as usize]));
    };
    add(&mut now, block.end.successors());
    for n in (block.first..=block.last).rev() {
        let Item::Insn(insn) = &code.nodes[n].item else { continue };
        let was_tested = insn.def().is_some_and(|(to, _)| now.contains(&placed(n, to)));
        written(insn).for_each(|r| {
            now.remove(&placed(n, Reg(r)));
        });
        match (insn.op, insn.args) {
            (Op::MoveObject | Op::MoveObjectFrom16 | Op::MoveObject16, Args::AB(_, from))
                if was_tested =>
            {
                now.insert(placed(n, from));
            }
            _ => {}
        }
        now.extend(narrowings.get(&n).map(|narrowing| placed(n, narrowing.object)));
    }
    add(&mut now, &block.handlers);
    now
}
