//! Counted loops that end before their register overflows, whatever the app does. Such a loop need
//! not test the register in each iteration (`LAP`, `docs/PROTOCOL.md` §5).
//!
//! The analysis looks for a variable that each iteration changes once, by the same constant. If the
//! variable indexes an array, it stays between 0 and the largest length of an array, so it moves in
//! one direction and fewer than 2³¹ iterations end. If the loop continues only while the variable
//! is less than another, in steps of 1 from a constant that is not negative, or only while it is
//! more than 0, downwards, the variable does not wrap around either.

use dex::{Args, Code, Insn, Item, Op, Reg, RegKind};
use model::map::BlockId;
use model::region::TripCount;

use crate::analysis::cfg::{BlockEnd, Cfg};

/// Largest log₂ of the steps per iteration, so that 2³¹ iterations fit the register.
const MOST_SHIFT: u32 = 1;

/// Returns true if fewer than 2³¹ iterations of this loop can end, so that its register never wraps
/// around. `stay` is the alternative of the branch (the last block of the cycle) that stays in the
/// loop.
pub(super) fn is_bounded(code: &Code, cfg: &Cfg, stay: usize, trips: &TripCount) -> bool {
    if trips.shift > MOST_SHIFT {
        return false;
    }
    let Some(&branch) = trips.cycle.last() else { return false };
    let body: Vec<&Insn> = trips.cycle.iter().flat_map(|&b| insns(code, cfg, b)).collect();
    body.iter().filter_map(|insn| step(insn)).any(|(variable, by)| {
        let once = body.iter().filter(|insn| writes(insn, variable)).count() == 1;
        let condition = body.last().and_then(|insn| bound(insn, stay == 1, variable));
        once && (body.iter().any(|insn| is_index(insn, variable))
            || match condition {
                Some(Bound::Above) => by == 1 && starts_natural(code, cfg, trips, branch, variable),
                Some(Bound::Zero) => by < 0,
                None => false,
            })
    })
}

fn insns<'a>(code: &'a Code, cfg: &Cfg, block: BlockId) -> impl Iterator<Item = &'a Insn> {
    let block = cfg.block(block);
    code.nodes[block.first..=block.last].iter().filter_map(|node| match &node.item {
        Item::Insn(insn) => Some(insn),
        _ => None,
    })
}

/// Returns the variable that an instruction changes by a constant other than 0, with the constant.
fn step(insn: &Insn) -> Option<(Reg, i32)> {
    match (insn.op, insn.args) {
        (Op::AddIntLit8 | Op::AddIntLit16, Args::ABLit(to, from, by)) if to == from && by != 0 => {
            Some((to, by))
        }
        _ => None,
    }
}

fn writes(insn: &Insn, variable: Reg) -> bool {
    insn.def().is_some_and(|(reg, kind)| {
        reg == variable || kind == RegKind::Wide && reg.0 + 1 == variable.0
    })
}

/// Returns true if an instruction reads or writes the element of an array at the variable.
fn is_index(insn: &Insn, variable: Reg) -> bool {
    let elements = Op::Aget.value()..=Op::AputShort.value();
    elements.contains(&insn.op.value())
        && matches!(insn.args, Args::ABC(_, _, index) if index == variable)
}

/// Bound of a variable in all iterations that begin.
enum Bound {
    /// The variable is less than another number.
    Above,
    /// The variable is more than 0.
    Zero,
}

/// Returns the bound of the variable after the branch if the branch's condition `holds`, or does
/// not.
fn bound(branch: &Insn, holds: bool, variable: Reg) -> Option<Bound> {
    match (branch.op, branch.args, holds) {
        (Op::IfLt, Args::ABJump(v, ..), true) | (Op::IfGe, Args::ABJump(v, ..), false)
            if v == variable =>
        {
            Some(Bound::Above)
        }
        (Op::IfGt, Args::ABJump(_, v, _), true) | (Op::IfLe, Args::ABJump(_, v, _), false)
            if v == variable =>
        {
            Some(Bound::Above)
        }
        (Op::IfGtz, Args::AJump(v, _), true) | (Op::IfLez, Args::AJump(v, _), false)
            if v == variable =>
        {
            Some(Bound::Zero)
        }
        _ => None,
    }
}

/// Returns true if each path into the loop sets the variable to a constant that is not negative.
fn starts_natural(
    code: &Code,
    cfg: &Cfg,
    trips: &TripCount,
    branch: BlockId,
    variable: Reg,
) -> bool {
    let natural = |block: BlockId| {
        let last = insns(code, cfg, block).filter(|insn| writes(insn, variable)).last();
        last.is_some_and(|insn| match (insn.op, insn.args) {
            (Op::Const4 | Op::Const16 | Op::Const, Args::ALit(_, value)) => value >= 0,
            _ => false,
        })
    };
    let mut ways = 0;
    for b in (0..cfg.blocks.len() as u32).map(BlockId) {
        let leads = cfg.block(b).end.successors().contains(&branch);
        if leads && !trips.cycle.contains(&b) {
            if !natural(b) || !matches!(cfg.block(b).end, BlockEnd::Goto(_)) {
                return false;
            }
            ways += 1;
        }
    }
    // The method's beginning and an exception are entries as well.
    ways > 0 && branch.0 != 0 && !cfg.block(branch).is_handler
}
