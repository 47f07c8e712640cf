//! Raw code units, one instruction or table at a time.

use crate::code::opcode::{INFO, Op, RefKind};
use crate::ids::PoolKind;

/// First unit of a `packed-switch-payload`.
pub(crate) const PACKED_SWITCH: u16 = 0x0100;
/// First unit of a `sparse-switch-payload`.
pub(crate) const SPARSE_SWITCH: u16 = 0x0200;
/// First unit of a `fill-array-data-payload`.
pub(crate) const FILL_ARRAY: u16 = 0x0300;

/// Kind of item that starts at a code unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RawKind {
    /// An instruction.
    Insn(Op),
    /// A switch or array table.
    Table,
    /// A unit whose opcode byte is unused; it counts as one unit, as ART walks it.
    Unknown(u8),
}

/// One instruction or table of raw code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RawInsn {
    /// Its first code unit.
    pub at: usize,
    /// The code unit after it.
    pub end: usize,
    /// Kind of the item.
    pub kind: RawKind,
    /// True if the item is complete; otherwise `end` is the end of the code, and nothing follows.
    pub whole: bool,
}

impl RawInsn {
    /// Positions of its pool indices: the pool, the offset of the (low) unit from
    /// [`at`](RawInsn::at), and true if a second unit holds the high half.
    pub(crate) fn indices(self) -> impl Iterator<Item = (PoolKind, usize, bool)> {
        let (first, second) = match self.kind {
            RawKind::Insn(op) => {
                let kind = op.ref_kind();
                let first = kind.pool().map(|pool| (pool, 1, op == Op::ConstStringJumbo));
                (first, (kind == RefKind::MethodAndProto).then_some((PoolKind::Proto, 3, false)))
            }
            RawKind::Table | RawKind::Unknown(_) => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// Walks raw code (the field [`insns`](crate::CodeItem::insns) of a body) from the first unit to
/// the last: every instruction, table and unused unit, in order. Nothing is checked but lengths.
///
/// ```
/// use dex::{Op, RawKind, raw_insns};
/// // const/16 v0, 7; return v0
/// let kinds: Vec<_> = raw_insns(&[0x0013, 7, 0x000f]).map(|insn| (insn.at, insn.kind)).collect();
/// assert_eq!(kinds, [(0, RawKind::Insn(Op::Const16)), (2, RawKind::Insn(Op::Return))]);
/// ```
pub fn raw_insns(insns: &[u16]) -> impl Iterator<Item = RawInsn> + Clone + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let &unit = insns.get(at)?;
        let (kind, units) = match (&INFO[(unit & 0xff) as usize], unit) {
            (_, PACKED_SWITCH | SPARSE_SWITCH | FILL_ARRAY) => {
                (RawKind::Table, table_units(insns, at))
            }
            (Some(info), _) => (RawKind::Insn(info.op), Some(info.units.into())),
            (None, _) => (RawKind::Unknown(unit as u8), Some(1)),
        };
        let units = units.filter(|&units| units <= insns.len() - at);
        let end = units.map_or(insns.len(), |units| at + units);
        let insn = RawInsn { at, end, kind, whole: units.is_some() };
        at = end;
        Some(insn)
    })
}

/// Length in units that the table at `at` claims; `None` when even its head is cut off.
fn table_units(insns: &[u16], at: usize) -> Option<usize> {
    let unit = |i: usize| insns.get(at + i).map(|&u| u as usize);
    Some(match *insns.get(at)? {
        PACKED_SWITCH => 4 + 2 * unit(1)?,
        SPARSE_SWITCH => 2 + 4 * unit(1)?,
        _ => {
            let elements = unit(2)? as u64 | (unit(3)? as u64) << 16;
            usize::try_from(4 + (unit(1)? as u64 * elements).div_ceil(2)).ok()?
        }
    })
}
