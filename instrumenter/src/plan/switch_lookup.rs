//! Switches with one probe: it comes before the switch and looks up the symbol by the key. Probes
//! on all edges would be most of a large switch's code.

use dex::{Args, Item, Label, Payload, Reg};
use model::map::BlockId;
use model::recording::Recording;

use crate::analysis::cfg::BlockEnd;
use crate::plan::regions::{BlockRole, is_large_switch};
use crate::plan::subject::Subject;

/// Access of the probe to the switch's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// In this register, like the other arguments.
    Near(Reg),
    /// In this register, copied through the temporary.
    Far(Reg),
}

/// Cases of a switch, each with the alternative (its position among the block's successors) that it
/// selects.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Cases {
    /// Consecutive keys from this one.
    Packed(i32, Vec<usize>),
    /// Keys ascending.
    Sparse(Vec<(i32, usize)>),
}

/// A switch with one probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchLookup {
    cases: Cases,
    /// Alternative of all other keys.
    other: usize,
    /// Access to the key.
    pub key: Key,
}

impl SwitchLookup {
    /// Returns the switch at the end of a block, if one probe is to code it.
    pub fn of(subject: &Subject, recording: Recording, block: BlockId) -> Option<SwitchLookup> {
        let cfg = &subject.cfg;
        let BlockEnd::Branch(ways) = &cfg.block(block).end else { return None };
        let Item::Insn(insn) = &subject.code.nodes[cfg.block(block).last].item else { return None };
        let plain = subject.paths.role(block) == BlockRole::Plain && subject.free.is_none();
        // Counting probes name a cell, which a table of alternatives does not contain.
        let looks_up = recording.fuses_regions() && recording != Recording::Edges;
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
                // The device searches sorted keys. The format requires that order, but a switch
                // that violates it may never run.
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

    /// Returns true if keys are consecutive: the two kinds have tables and probes of their own.
    pub fn is_packed(&self) -> bool {
        matches!(self.cases, Cases::Packed(..))
    }

    /// Returns the table at the probe's base (for the runtime's `Probes.lookupPacked` and
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
