//! Switches with one probe: it comes before the switch and looks the symbol up by the key. A probe
//! on every edge would be most of a large switch's code.

use dex::{Args, Item, Label, Payload, Reg};
use model::map::{BlockId, Codec};

use crate::analysis::cfg::End;
use crate::plan::regions::{Role, is_large_switch};
use crate::plan::subject::Subject;

/// How the probe gets at the switch's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// In this register, as the other arguments.
    Near(Reg),
    /// In this register, through the temporary.
    Far(Reg),
}

/// The cases of a switch, each with the alternative (its position among the block's successors)
/// that it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Cases {
    /// Consecutive keys, from this one on.
    Packed(i32, Vec<usize>),
    /// Keys ascending.
    Sparse(Vec<(i32, usize)>),
}

/// A switch with one probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchLookup {
    cases: Cases,
    /// The alternative of every other key.
    other: usize,
    /// The key.
    pub key: Key,
}

impl SwitchLookup {
    /// The switch at the end of a block, if one probe is to code it.
    pub fn of(subject: &Subject, codec: Codec, block: BlockId) -> Option<SwitchLookup> {
        let cfg = &subject.cfg;
        let End::Branch(ways) = &cfg.block(block).end else { return None };
        let Item::Insn(insn) = &subject.code.nodes[cfg.block(block).last].item else { return None };
        let plain = subject.paths.role(block) == Role::Plain && subject.free.is_none();
        // What counts names a cell, which a table of alternatives does not.
        let looks_up = codec.fuses() && codec != Codec::Counts;
        if !looks_up || !is_large_switch(insn, ways.len()) || !plain {
            return None;
        }
        let Args::APayload(key, payload) = insn.args else { return None };
        let way = |to: BlockId| ways.iter().position(|&w| w == to);
        let led = |l: Label| way(cfg.block_of(l)?);
        let cases = match &subject.code.payloads[payload.0 as usize] {
            Payload::PackedSwitch { first_key, targets } => {
                Cases::Packed(*first_key, targets.iter().map(|&l| led(l)).collect::<Option<_>>()?)
            }
            Payload::SparseSwitch { cases } => {
                // As the device searches them. The format requires it, but a switch that breaks it
                // may never run.
                if !cases.is_sorted_by(|a, b| a.0 < b.0) {
                    return None;
                }
                Cases::Sparse(
                    cases.iter().map(|&(key, l)| Some((key, led(l)?))).collect::<Option<_>>()?,
                )
            }
            Payload::FillArray { .. } => return None,
        };
        let other = way(BlockId(block.0 + 1))?;
        let key = subject.placed(cfg.block(block).last, key);
        let near = subject.layout.scratch.low && key.0 < 16;
        let key = if near { Key::Near(key) } else { Key::Far(key) };
        Some(SwitchLookup { cases, other, key })
    }

    /// Whether keys are consecutive: the two kinds have tables and probes of their own.
    pub fn is_packed(&self) -> bool {
        matches!(self.cases, Cases::Packed(..))
    }

    /// What the device finds at the probe's base (the runtime's `Probes.lookupPacked` and
    /// `Probes.lookupSparse`), given the symbols of the alternatives.
    pub fn table(&self, symbols: &[u32]) -> Vec<u32> {
        let mut table = match &self.cases {
            Cases::Packed(first, ways) => vec![*first as u32, ways.len() as u32],
            Cases::Sparse(cases) => {
                [cases.len() as u32].into_iter().chain(cases.iter().map(|c| c.0 as u32)).collect()
            }
        };
        match &self.cases {
            Cases::Packed(_, ways) => table.extend(ways.iter().map(|&way| symbols[way])),
            Cases::Sparse(cases) => table.extend(cases.iter().map(|c| symbols[c.1])),
        }
        table.push(symbols[self.other]);
        table
    }
}
