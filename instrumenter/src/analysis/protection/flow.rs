//! Facts that reach each node of a method that holds monitors: definitions, the monitors
//! themselves, and the registers that hold them.

use std::collections::{BTreeSet, HashMap, VecDeque};

use dex::RegKind;
use dex::{Code, Insn, Item, MethodIdx, Op, Reg};

use crate::analysis::cfg::{Cfg, may_throw};
use crate::analysis::liveness::written;

/// Largest number of words of reaching definitions for one method; the probes of larger methods
/// share no ranges.
const MAX_WORDS: usize = 1 << 20;
/// Largest number of different sets of held monitors in one method; no compiler emits code that
/// holds more.
const MAX_STACKS: usize = 256;

/// Facts that reach a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MonitorFacts {
    /// Definitions that may reach the node, one bit each; see [`MonitorFlow::regs`].
    defs: Vec<u64>,
    /// Numbers of the stacks of monitors that may be held.
    locks: BTreeSet<u32>,
    /// Registers that hold the object of a `monitor-enter` on every path to the node, with the node
    /// of the `monitor-enter`.
    holders: BTreeSet<(u32, u16)>,
}

impl MonitorFacts {
    /// Adds facts that reach the node from elsewhere. Returns true if any was new.
    pub fn join(&mut self, other: &MonitorFacts) -> bool {
        let mut new = false;
        for (a, &b) in self.defs.iter_mut().zip(&other.defs) {
            new |= b & !*a != 0;
            *a |= b;
        }
        for &l in &other.locks {
            new |= self.locks.insert(l);
        }
        let known = self.holders.len();
        self.holders.retain(|h| other.holders.contains(h));
        new | (self.holders.len() < known)
    }

    /// Returns true if all facts here also hold there: no other definitions reach this node, and no
    /// other monitors are held.
    pub fn within(&self, other: &MonitorFacts) -> bool {
        self.locks.is_subset(&other.locks)
            && self.defs.iter().zip(&other.defs).all(|(a, b)| a & !b == 0)
    }
}

/// Definitions of one register.
#[derive(Debug)]
struct Defs {
    /// First word of its bits.
    word: usize,
    /// Bit of each defining node, from 1; bit 0 is the method's entry.
    bits: HashMap<usize, usize>,
}

/// Dataflow of one method: forward, to a fixed point over its blocks and handlers.
pub(super) struct MonitorFlow<'a> {
    code: &'a Code,
    is_init: &'a dyn Fn(MethodIdx) -> bool,
    /// Registers that handlers of monitor-freeing ranges read.
    regs: HashMap<u16, Defs>,
    words: usize,
    /// Monitor stacks by number: the nodes of their `monitor-enter`s.
    stacks: Vec<Vec<u32>>,
    entries: Vec<Option<MonitorFacts>>,
    overflow: bool,
}

impl<'a> MonitorFlow<'a> {
    /// Solves the dataflow equations for these registers. Returns `None` if the method is too
    /// large, or holds more monitors than compiled code does.
    pub fn solve(
        code: &'a Code,
        cfg: &Cfg,
        live: &BTreeSet<u16>,
        is_init: &'a dyn Fn(MethodIdx) -> bool,
    ) -> Option<MonitorFlow<'a>> {
        let mut flow = MonitorFlow {
            code,
            is_init,
            regs: live.iter().map(|&r| (r, Defs { word: 0, bits: HashMap::new() })).collect(),
            words: 0,
            stacks: vec![Vec::new()],
            entries: vec![None; cfg.blocks.len()],
            overflow: false,
        };
        for (n, insn) in code.insns() {
            for r in written(insn).chain(receiver(insn)) {
                if let Some(d) = flow.regs.get_mut(&r) {
                    let bit = d.bits.len() + 1;
                    d.bits.entry(n).or_insert(bit);
                }
            }
            if insn.op == Op::InvokeDirect || insn.op == Op::InvokeDirectRange {
                // A constructor call may define every copy of the object that it initialises.
                for d in flow.regs.values_mut() {
                    let bit = d.bits.len() + 1;
                    d.bits.entry(n).or_insert(bit);
                }
            }
        }
        for r in live {
            let d = flow.regs.get_mut(r).expect("made from the same list");
            d.word = flow.words;
            flow.words += (d.bits.len() + 1).div_ceil(64);
        }
        if flow.words.saturating_mul(cfg.blocks.len()) > MAX_WORDS {
            return None;
        }
        flow.run(cfg);
        (!flow.overflow).then_some(flow)
    }

    fn run(&mut self, cfg: &Cfg) {
        let mut entry = MonitorFacts {
            defs: vec![0; self.words],
            locks: BTreeSet::from([0]),
            holders: BTreeSet::new(),
        };
        self.regs.values().for_each(|d| entry.defs[d.word] |= 1);
        self.entries[0] = Some(entry);
        let mut work = VecDeque::from([0usize]);
        while let Some(b) = work.pop_front() {
            if self.overflow {
                return;
            }
            let block = &cfg.blocks[b];
            let mut state = self.entries[b].clone().expect("only reached blocks are on the list");
            for n in block.first..=block.last {
                let Item::Insn(insn) = &self.code.nodes[n].item else { continue };
                if let Some(t) = self.code.nodes[n].try_id.filter(|_| may_throw(insn)) {
                    let h = &self.code.tries[t.0 as usize];
                    for to in h.labels().filter_map(|l| cfg.block_of(l)) {
                        self.arrive(to.0 as usize, &state, &mut work);
                    }
                }
                self.step(n, insn, &mut state);
            }
            for s in block.end.successors() {
                self.arrive(s.0 as usize, &state, &mut work);
            }
        }
    }

    fn arrive(&mut self, to: usize, state: &MonitorFacts, work: &mut VecDeque<usize>) {
        let new = match &mut self.entries[to] {
            Some(known) => known.join(state),
            none => {
                *none = Some(state.clone());
                true
            }
        };
        if new {
            work.push_back(to);
        }
    }

    /// Returns the facts at the entry of a block, or `None` if it is unreachable.
    pub fn at_entry(&self, block: usize) -> Option<MonitorFacts> {
        self.entries[block].clone()
    }

    /// Applies an instruction to the facts.
    pub fn step(&mut self, n: usize, insn: &Insn, state: &mut MonitorFacts) {
        let used = insn.uses().first().map(|u: &(Reg, RegKind)| u.0.0);
        let moves = [Op::MoveObject, Op::MoveObjectFrom16, Op::MoveObject16];
        let copied = used.filter(|_| moves.contains(&insn.op));
        let copied: Vec<u32> =
            state.holders.iter().filter(|h| Some(h.1) == copied).map(|h| h.0).collect();
        for r in written(insn) {
            self.define(n, r, state);
            state.holders.retain(|h| h.1 != r);
            state.holders.extend(copied.iter().map(|&enter| (enter, r)));
        }
        match insn.op {
            Op::MonitorEnter | Op::MonitorExit => {
                let mut after = BTreeSet::new();
                for &l in &state.locks {
                    let mut stack = self.stacks[l as usize].clone();
                    if insn.op == Op::MonitorExit {
                        stack.pop();
                    } else if stack.len() < MAX_STACKS {
                        stack.push(n as u32);
                    }
                    let number =
                        self.stacks.iter().position(|s| *s == stack).unwrap_or_else(|| {
                            self.stacks.push(stack);
                            self.stacks.len() - 1
                        });
                    after.insert(number as u32);
                }
                self.overflow |= self.stacks.len() > MAX_STACKS;
                state.locks = after;
                if let Some(r) = used.filter(|_| insn.op == Op::MonitorEnter) {
                    state.holders.retain(|h| h.0 != n as u32);
                    state.holders.insert((n as u32, r));
                }
            }
            Op::InvokeDirect | Op::InvokeDirectRange => {
                let Some(dex::Ref::Method(m)) = insn.reference() else { return };
                if (self.is_init)(m) {
                    let initialised: Vec<u16> = self
                        .regs
                        .iter()
                        .filter(|(_, d)| self.maybe_new(d, state))
                        .map(|(&r, _)| r)
                        .collect();
                    initialised.into_iter().for_each(|r| self.define(n, r, state));
                }
            }
            _ => {}
        }
    }

    /// Returns true if a register may hold an object whose constructor has not run yet.
    fn maybe_new(&self, d: &Defs, state: &MonitorFacts) -> bool {
        let reaches = |bit: usize| state.defs[d.word + bit / 64] >> (bit % 64) & 1 == 1;
        let makes = |n: usize| {
            self.code.insn(n).is_some_and(|i| {
                matches!(
                    i.op,
                    Op::NewInstance | Op::MoveObject | Op::MoveObjectFrom16 | Op::MoveObject16
                )
            })
        };
        reaches(0) || d.bits.iter().any(|(&n, &bit)| makes(n) && reaches(bit))
    }

    fn define(&self, n: usize, r: u16, state: &mut MonitorFacts) {
        let Some(d) = self.regs.get(&r) else { return };
        let Some(&bit) = d.bits.get(&n) else { return };
        let words = (d.bits.len() + 1).div_ceil(64);
        state.defs[d.word..d.word + words].fill(0);
        state.defs[d.word + bit / 64] |= 1 << (bit % 64);
    }

    /// Returns registers that hold the objects of all held monitors, innermost first. Returns
    /// `None` if the held monitors depend on the path, or if one is in no register.
    pub fn held_in(&self, state: &MonitorFacts) -> Option<Vec<u16>> {
        let mut locks = state.locks.iter();
        let (Some(&only), None) = (locks.next(), locks.next()) else { return None };
        let stack = &self.stacks[only as usize];
        let holder = |enter: u32| {
            let own = self.code.insn(enter as usize).and_then(|i| i.uses().first().map(|u| u.0.0));
            let all = || state.holders.iter().filter(|h| h.0 == enter).map(|h| h.1);
            all().find(|&r| Some(r) == own).or_else(|| all().next())
        };
        // If one `monitor-enter` ran twice, the register holds the last object only.
        let once = (1..stack.len()).all(|i| !stack[..i].contains(&stack[i]));
        stack.iter().rev().map(|&enter| holder(enter).filter(|_| once)).collect()
    }
}

/// Returns the object of an `invoke-direct`: a constructor changes its type.
fn receiver(insn: &Insn) -> Option<u16> {
    let direct = matches!(insn.op, Op::InvokeDirect | Op::InvokeDirectRange);
    insn.uses().first().filter(|_| direct).map(|u: &(Reg, RegKind)| u.0.0)
}
