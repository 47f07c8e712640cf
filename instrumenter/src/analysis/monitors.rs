//! Number of monitors held at each node.
//!
//! ART rejects a throwing instruction that stands inside a try range without a catch-all while a
//! monitor is held, and a throw outside every range would leave the monitor locked. Probes that may
//! throw therefore need to know the depth (`method_verifier.cc`, "expected to be within a
//! catch-all").

use dex::{Code, Item, Op};

use crate::analysis::cfg::{Cfg, may_throw};

/// Returns the number of monitors held before each node of the list; empty if the method has no
/// `monitor-enter`.
pub fn depths(code: &Code, cfg: &Cfg) -> Vec<u8> {
    let is = |n: usize, op: Op| matches!(&code.nodes[n].item, Item::Insn(i) if i.op == op);
    if !(0..code.nodes.len()).any(|n| is(n, Op::MonitorEnter)) {
        return Vec::new();
    }
    let mut depth = vec![0u8; code.nodes.len()];
    let mut entry: Vec<Option<u8>> = vec![None; cfg.blocks.len()];
    let mut work = vec![0usize];
    entry[0] = Some(0);
    let mut start_of = Vec::with_capacity(cfg.blocks.len());
    let mut previous_end = 0;
    for b in &cfg.blocks {
        // Labels and debug events before a block belong to it.
        start_of.push(previous_end);
        previous_end = b.last + 1;
    }
    while let Some(b) = work.pop() {
        let block = &cfg.blocks[b];
        let mut held = entry[b].expect("reached blocks have a depth");
        // A handler starts with the depth at the first throwing instruction that it covers.
        let mut arrivals: Vec<(usize, u8)> = Vec::new();
        for (n, before) in depth.iter_mut().enumerate().take(block.last + 1).skip(start_of[b]) {
            *before = held;
            if let (Item::Insn(insn), Some(t)) = (&code.nodes[n].item, code.nodes[n].try_id)
                && may_throw(insn)
            {
                let h = &code.tries[t.0 as usize];
                for l in h.labels() {
                    arrivals.extend(cfg.block_of(l).map(|b| (b.0 as usize, held)));
                }
            }
            if is(n, Op::MonitorEnter) {
                held = held.saturating_add(1);
            } else if is(n, Op::MonitorExit) {
                held = held.saturating_sub(1);
            }
        }
        arrivals.extend(block.end.successors().iter().map(|s| (s.0 as usize, held)));
        for (to, at) in arrivals {
            // Where paths disagree (in code that no compiler writes), the larger depth counts: it
            // is the safe one.
            if entry[to].is_none_or(|known| at > known) {
                entry[to] = Some(at);
                work.push(to);
            }
        }
    }
    depth
}
