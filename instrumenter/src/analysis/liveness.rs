//! Live registers of one method, by backward dataflow.

use std::collections::VecDeque;

use dex::RegKind;
use dex::{Code, Insn, Item};
use model::map::BlockId;

use crate::analysis::cfg::Cfg;

/// Largest number of words for one method; larger methods are not analysed.
const MAX_WORDS: usize = 1 << 20;

/// Live registers at the entry of each block; a wide value counts as two registers.
#[derive(Debug)]
pub struct Liveness {
    entry: Vec<Vec<u64>>,
}

impl Liveness {
    /// Solves the dataflow equations, or returns `None` if the method is too large.
    pub fn solve(code: &Code, cfg: &Cfg) -> Option<Liveness> {
        let words = usize::from(code.registers).div_ceil(64);
        if words.saturating_mul(cfg.blocks.len()) > MAX_WORDS {
            return None;
        }
        let mut live = Liveness { entry: vec![vec![0u64; words]; cfg.blocks.len()] };
        let mut preds: Vec<Vec<usize>> = vec![Vec::new(); cfg.blocks.len()];
        for (b, block) in cfg.blocks.iter().enumerate() {
            for s in block.end.successors().iter().chain(&block.handlers) {
                preds[s.0 as usize].push(b);
            }
        }
        let mut work: VecDeque<usize> = (0..cfg.blocks.len()).rev().collect();
        while let Some(b) = work.pop_front() {
            let mut now = vec![0u64; words];
            live.backward(code, cfg, b, &mut now, &mut |_, _| {});
            if now != live.entry[b] {
                live.entry[b] = now;
                work.extend(&preds[b]);
            }
        }
        Some(live)
    }

    /// Returns true if a register is live at the entry of a block.
    pub fn at(&self, block: BlockId, r: u16) -> bool {
        has(&self.entry[block.0 as usize], r)
    }

    /// Returns the registers that are live at the end of a block.
    pub fn behind(&self, cfg: &Cfg, b: usize) -> Vec<u64> {
        let mut all = vec![0; self.entry[b].len()];
        cfg.blocks[b]
            .end
            .successors()
            .iter()
            .for_each(|s| add(&mut all, &self.entry[s.0 as usize]));
        all
    }

    /// Walks a block from its end to its start and calls `see` with the registers that are live
    /// before each instruction. `now` starts as zeros.
    pub fn backward(
        &self,
        code: &Code,
        cfg: &Cfg,
        b: usize,
        now: &mut [u64],
        see: &mut dyn FnMut(usize, &[u64]),
    ) {
        let block = &cfg.blocks[b];
        block.end.successors().iter().for_each(|s| add(now, &self.entry[s.0 as usize]));
        for n in (block.first..=block.last).rev() {
            let Item::Insn(insn) = &code.nodes[n].item else { continue };
            for r in written(insn) {
                if let Some(word) = now.get_mut(usize::from(r) / 64) {
                    *word &= !(1 << (r % 64));
                }
            }
            if let Some(t) = code.nodes[n].try_id.filter(|_| insn.op.can_throw()) {
                let h = &code.tries[t.0 as usize];
                for to in h.labels().filter_map(|l| cfg.block_of(l)) {
                    add(now, &self.entry[to.0 as usize]);
                }
            }
            for (r, kind) in insn.uses() {
                let high = (kind == RegKind::Wide).then(|| r.0.checked_add(1)).flatten();
                for r in std::iter::once(r.0).chain(high) {
                    if let Some(word) = now.get_mut(usize::from(r) / 64) {
                        *word |= 1 << (r % 64);
                    }
                }
            }
            see(n, now);
        }
    }
}

fn add(now: &mut [u64], from: &[u64]) {
    now.iter_mut().zip(from).for_each(|(a, b)| *a |= b);
}

/// Returns true if a register's bit is set.
pub fn has(bits: &[u64], r: u16) -> bool {
    bits.get(usize::from(r) / 64).is_some_and(|word| word >> (r % 64) & 1 == 1)
}

/// Returns the registers that an instruction writes.
pub fn written(insn: &Insn) -> impl Iterator<Item = u16> {
    let def = insn.def();
    let high = def.filter(|d| d.1 == RegKind::Wide).and_then(|d| d.0.0.checked_add(1));
    def.map(|d| d.0.0).into_iter().chain(high)
}
