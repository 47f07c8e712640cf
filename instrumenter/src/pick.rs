//! Switches that one probe tells: it stands before the switch and looks the symbol up by the key, where a probe on every edge would
//! take most of a large switch's room.

use dex::{Args, Insn, Item, Op, Payload, Reg};
use model::map::{BlockId, Codec};

use crate::cfg::End;
use crate::gather::Role;
use crate::plan::Subject;

/// From so many ways on one probe is shorter, whatever registers it must go through.
pub const MIN_WAYS: usize = 6;

/// How the probe gets at the switch's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// In this register, as the other arguments.
    Near(Reg),
    /// In this register, through the temporary.
    Far(Reg),
}

/// A switch that one probe tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// Key of the first case.
    pub first_key: i32,
    /// The alternative (its position among the block's successors) of each case.
    pub cases: Vec<usize>,
    /// The alternative of every other key.
    pub other: usize,
    /// The key.
    pub key: Key,
}

impl Pick {
    /// The switch at the end of a block, if this is the way to tell it.
    pub fn find(subject: &Subject, codec: Codec, block: BlockId) -> Option<Pick> {
        let cfg = &subject.cfg;
        let End::Branch(ways) = &cfg.block(block).end else { return None };
        let Item::Insn(insn) = &subject.code.nodes[cfg.block(block).last].item else { return None };
        let (Op::PackedSwitch, Args::APayload(key, payload)) = (insn.op, insn.args) else { return None };
        let Payload::PackedSwitch { first_key, targets } = &subject.code.payloads[payload.0 as usize] else {
            return None;
        };
        let plain = subject.gather.role(block) == Role::Plain && subject.free.is_none();
        if !codec.fuses() || ways.len() < MIN_WAYS || !plain {
            return None;
        }
        let way = |to: BlockId| ways.iter().position(|&w| w == to);
        let cases = targets.iter().map(|&l| way(cfg.block_of(l)?)).collect::<Option<_>>()?;
        let other = way(BlockId(block.0 + 1))?;
        let key = subject.room.place_reg(key);
        let near = subject.room.scratch.low && key.0 < 16;
        let key = if near { Key::Near(key) } else { Key::Far(key) };
        Some(Pick { first_key: *first_key, cases, other, key })
    }

    /// What the device finds at the probe's base, given the symbols of the alternatives.
    pub fn table(&self, symbols: &[u32]) -> Vec<u32> {
        let cases = self.cases.iter().map(|&way| symbols[way]);
        let head = [self.first_key as u32, self.cases.len() as u32];
        head.into_iter().chain(cases).chain([symbols[self.other]]).collect()
    }
}

/// Whether a block is for [`Pick`] rather than part of a fused region, as far as its end tells.
pub fn wanted(insn: &Insn, ways: usize) -> bool {
    insn.op == Op::PackedSwitch && ways >= MIN_WAYS
}
