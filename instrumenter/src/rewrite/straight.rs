//! A branch for straight-line code that probes make large, so that ART still compiles it.

use dex::{Args, Code, Insn, Item, Node, Op, Payload};

use crate::art::BRANCHLESS_UNITS;

/// ART takes a method without any branch for an initialiser that a machine has written when it is
/// larger than [`BRANCHLESS_UNITS`], and does not compile it. One that only its probes make so
/// large gets a `goto` to the next instruction: ART counts the branches, wherever they lead.
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

/// Code units, at least.
pub(crate) fn least_units(code: &Code) -> u32 {
    units(code, 0)
}

/// Strings may need the longer form in the file written, and tables are aligned.
fn most_units(code: &Code) -> u32 {
    units(code, 1)
}

/// The size of code without branches: what is certain, and so much more for each place where the
/// rest of the file decides.
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
