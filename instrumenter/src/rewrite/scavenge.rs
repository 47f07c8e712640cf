//! Methods with too many registers of their own for those of their probes to be below `v256`.
//!
//! Calls (`invoke-static/range`) and moves (`move/16`) reach such registers; constants and results
//! of calls do not. These use a lower register that is dead at that point (by liveness), followed
//! by a move. Nothing is saved or restored.

use dex::MoveKind;
use dex::{Args, Code, Insn, Item, Op, Reg};

use crate::analysis::cfg::Cfg;
use crate::analysis::liveness::{Liveness, has};

/// Free register at every node of a method where a probe may need one.
#[derive(Debug, Clone)]
pub struct FreeRegisters {
    by_node: Vec<Option<u8>>,
}

impl FreeRegisters {
    /// Looks for a register below `v256` before each instruction that neither later code nor any
    /// handler reads. Returns `None` if there is none where a probe with a constant may be: at the
    /// head of a block, around a call, in a handler.
    pub fn find(code: &Code, cfg: &Cfg) -> Option<FreeRegisters> {
        let live = Liveness::solve(code, cfg)?;
        let count = code.registers.min(256);
        let read_by_handlers: Vec<bool> = (0..count)
            .map(|r| (0..cfg.blocks.len()).any(|b| cfg.blocks[b].is_handler && has_at(&live, b, r)))
            .collect();
        let mut by_node: Vec<Option<u8>> = vec![None; code.nodes.len()];
        let mut enough = true;
        for b in 0..cfg.blocks.len() {
            let mut now = vec![0u64; usize::from(code.registers).div_ceil(64)];
            live.backward(code, cfg, b, &mut now, &mut |n, bits| {
                let free = (0..count).find(|&r| !has(bits, r) && !read_by_handlers[usize::from(r)]);
                by_node[n] = free.map(|r| r as u8);
            });
            let block = &cfg.blocks[b];
            let mut wanted = true;
            for (n, free) in by_node.iter().enumerate().take(block.last + 1).skip(block.first) {
                let Some(insn) = code.insn(n) else { continue };
                enough &= free.is_some() || !(wanted || block.is_handler || insn.op.is_invoke());
                // After a call, and after its result.
                wanted =
                    insn.op.is_invoke() || (wanted && n > block.first && insn.op.is_move_result());
            }
        }
        enough.then_some(FreeRegisters { by_node })
    }

    /// Rewrites probes before node `n` so that every instruction can encode its registers.
    pub fn reach(&self, items: Vec<Item>, n: usize) -> Vec<Item> {
        let Some(free) = self.by_node.get(n).copied().flatten() else { return items };
        let free = Reg(free.into());
        let mut out = Vec::with_capacity(items.len() + 2);
        for item in items {
            let Item::Insn(insn) = item else {
                out.push(item);
                continue;
            };
            let kind =
                if insn.op == Op::MoveResultObject { MoveKind::Object } else { MoveKind::Single };
            let (low, to) = match insn.args {
                _ if insn.fits() => {
                    out.push(Item::Insn(insn));
                    continue;
                }
                Args::ALit(to, value) => (Insn::const_int(free, value as i32), to),
                Args::A(to) => (Some(Insn { op: insn.op, args: Args::A(free) }), to),
                _ => (None, free),
            };
            match low {
                Some(low) => out.extend([Item::Insn(low), Item::Insn(Insn::copy(kind, to, free))]),
                // No other probe has a form that does not reach: the writer would reject the
                // method.
                None => out.push(Item::Insn(insn)),
            }
        }
        out
    }
}

fn has_at(live: &Liveness, b: usize, r: u16) -> bool {
    live.at(model::map::BlockId(b as u32), r)
}
