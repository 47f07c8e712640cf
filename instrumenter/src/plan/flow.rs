//! Numbers of runs of a method's blocks, derived from the counts of its branches.
//!
//! The model counts decisions. Between two decisions control has no choice, so the counts of all
//! other blocks follow; executions that exceptions interrupt are not counted, and a method without
//! branches has no counts.

use model::map::BlockId;

use crate::analysis::cfg::{BlockEnd, Cfg};

/// Numbers of runs of a method and its blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Runs {
    /// Runs of each block.
    pub blocks: Vec<u64>,
    /// Entries of the method.
    pub entries: u64,
}

/// Returns the runs of a method and its blocks. `taken` returns the counts of a branch block's
/// alternatives (empty: it never ran).
pub(crate) fn runs(cfg: &Cfg, taken: &dyn Fn(BlockId) -> Vec<u64>) -> Runs {
    let mut runs = vec![0u64; cfg.blocks.len()];
    let mut totals = vec![None; cfg.blocks.len()];
    let mut waits = vec![0u32; cfg.blocks.len()];
    for (b, block) in cfg.blocks.iter().enumerate() {
        match &block.end {
            BlockEnd::Branch(all) => {
                let counts = taken(BlockId(b as u32));
                for (to, n) in all.iter().zip(&counts) {
                    add(&mut runs[to.0 as usize], *n);
                }
                totals[b] = Some(counts.iter().fold(0, |sum: u64, n| sum.saturating_add(*n)));
            }
            BlockEnd::Goto(to) => waits[to.0 as usize] += 1,
            BlockEnd::Return | BlockEnd::Throw => {}
        }
    }
    // Gotos pass on the runs of their block, in an order in which all incoming runs are known;
    // cycles of gotos are never ready.
    let mut ready: Vec<usize> = (0..waits.len()).filter(|&b| waits[b] == 0).collect();
    while let Some(b) = ready.pop() {
        let BlockEnd::Goto(to) = cfg.blocks[b].end else { continue };
        let to = to.0 as usize;
        let n = runs[b];
        add(&mut runs[to], n);
        waits[to] -= 1;
        if waits[to] == 0 {
            ready.push(to);
        }
    }
    // Decisions of the first branch that no other edge explains came in by the entry.
    let mut way = vec![0];
    while let BlockEnd::Goto(to) = cfg.blocks[way[way.len() - 1]].end {
        if way.len() > cfg.blocks.len() {
            break;
        }
        way.push(to.0 as usize);
    }
    let first = way[way.len() - 1];
    let entries = totals[first].map_or(0, |total| total.saturating_sub(runs[first]));
    if totals[first].is_some() {
        way.iter().for_each(|&b| add(&mut runs[b], entries));
    }
    for (n, total) in runs.iter_mut().zip(totals) {
        *n = total.unwrap_or(*n);
    }
    Runs { blocks: runs, entries }
}

fn add(n: &mut u64, more: u64) {
    *n = n.saturating_add(more);
}

#[cfg(test)]
mod tests {
    use dex::{Args, Code, Insn, Item, Label, Node, Op, Reg};

    use super::*;

    /// `head: if (…) goto out; work; goto head; out: return`, with a block before it.
    fn loop_with_entry() -> Cfg {
        let node = |item| Node { item, try_id: None };
        let insn = |op, args| node(Item::Insn(Insn { op, args }));
        let (head, out) = (Label(0), Label(1));
        let nodes = vec![
            insn(Op::Nop, Args::None),
            node(Item::Label(head)),
            insn(Op::IfEqz, Args::AJump(Reg(0), out)),
            insn(Op::Nop, Args::None),
            insn(Op::Goto, Args::Jump(head)),
            node(Item::Label(out)),
            insn(Op::ReturnVoid, Args::None),
        ];
        Cfg::build(&Code {
            registers: 1,
            ins: 1,
            outs: 0,
            nodes,
            tries: vec![],
            payloads: vec![],
            debug: None,
            next_label: 2,
        })
        .expect("it has instructions")
    }

    #[test]
    fn entries_are_the_runs_that_the_loop_does_not_explain() {
        let cfg = loop_with_entry();
        // Alternatives: stay (fallthrough), leave. Three entries, each with four rounds.
        assert_eq!(runs(&cfg, &|_| vec![12, 3]), Runs { blocks: vec![3, 15, 12, 3], entries: 3 });
    }

    #[test]
    fn counts_that_exceptions_interrupt_do_not_go_below_zero() {
        // The work threw seven times: five more rounds came back than the branch decided.
        assert_eq!(
            runs(&loop_with_entry(), &|_| vec![12, 0]),
            Runs { blocks: vec![0, 12, 12, 0], entries: 0 }
        );
    }

    #[test]
    fn a_cycle_of_gotos_terminates() {
        let node = |item| Node { item, try_id: None };
        let insn = |op, args| node(Item::Insn(Insn { op, args }));
        let nodes = vec![
            node(Item::Label(Label(0))),
            insn(Op::Nop, Args::None),
            insn(Op::Goto, Args::Jump(Label(0))),
        ];
        let code = Code {
            registers: 0,
            ins: 0,
            outs: 0,
            nodes,
            tries: vec![],
            payloads: vec![],
            debug: None,
            next_label: 1,
        };
        let cfg = Cfg::build(&code).expect("it has instructions");
        assert_eq!(
            runs(&cfg, &|_| unreachable!("there is no branch")),
            Runs { blocks: vec![0], entries: 0 }
        );
    }
}
