//! Adds a branch to straight-line code that probes make large, so that ART still compiles it.

use dex::{Args, Code, Insn, Item, Node, Op, Payload};

use crate::art::BRANCHLESS_UNITS;

/// ART considers a method without any branch that is larger than [`BRANCHLESS_UNITS`] a generated
/// initialiser, and does not compile it. A method that exceeds the size only by its probes gets a
/// `goto` to the next instruction: ART counts branches, with any target.
pub(super) fn keep_compiled(before: &Code, out: &mut Code) {
    if out.insns().any(|(_, i)| jumps(i))
        || least_units(before) > BRANCHLESS_UNITS
        || most_units(out) < BRANCHLESS_UNITS
    {
        return;
    }
    let next = out.new_label();
    let there = [Item::Insn(Insn::goto(next)), Item::Label(next)];
    out.nodes.splice(0..0, there.map(|item| Node { item, try_id: None }));
}

/// Returns the smallest possible number of code units.
pub(crate) fn least_units(code: &Code) -> u32 {
    units(code, 0)
}

/// Returns the largest possible number of code units: strings may need the longer form in the
/// written file, and tables are aligned.
fn most_units(code: &Code) -> u32 {
    units(code, 1)
}

/// Returns the size of code without branches: the certain units, plus `open` for each instruction
/// or table whose size depends on the rest of the file.
fn units(code: &Code, open: u32) -> u32 {
    let tables = code.insns().filter_map(|(_, insn)| match insn.args {
        Args::APayload(_, id) => match code.payloads.get(id.0 as usize)? {
            // Its header is four units.
            Payload::FillArray { data, .. } => Some(4 + data.len().div_ceil(2) as u32 + open),
            Payload::PackedSwitch { .. } | Payload::SparseSwitch { .. } => None,
        },
        _ => None,
    });
    let insns =
        code.insns().map(|(_, i)| i.op.units() + if i.op == Op::ConstString { open } else { 0 });
    tables.chain(insns).fold(0, u32::saturating_add)
}

fn jumps(insn: &Insn) -> bool {
    matches!(insn.args, Args::Jump(_) | Args::AJump(..) | Args::ABJump(..)) || insn.op.is_switch()
}
