//! Which try range a probe may share while a monitor is held.
//!
//! A probe is a call and can meet a full stack. While a monitor is held the exception has to pass the handler that frees it, so the probe
//! must lie in that handler's range. But the verifier merges the registers of every throwing instruction of a range into its
//! handlers (`method_verifier.cc`, "merge the register set into the handler"): the probe may only show them what they see anyway. That is proven here, per place:
//!
//! - the same monitors are held, by the same `monitor-enter`s, as at a throwing instruction of the range, and
//! - every register that the handlers read has there no definition reaching it that does not reach a throwing instruction of the
//!   range too (then its type is one that the handlers merge already), and
//! - the handler does not lead back to the place with the monitor held: a full stack would make that a loop for ever.

use std::collections::{BTreeSet, HashMap, VecDeque};

use dex::{Code, Insn, Item, MethodIdx, Op, Reg, TryId};

use crate::cfg::{BasicBlock, Cfg, may_throw};
use crate::live::{Liveness, written};
use crate::monitors;
use dex::opcode::RegKind;

/// Words of reaching definitions that one method may take: more, and its probes share no ranges.
const MAX_WORDS: usize = 1 << 20;
/// Different sets of held monitors in one method; code that holds more is no compiler's.
const MAX_STACKS: usize = 256;
/// How far away a range may lie from a place that wants to share it, in nodes.
const REACH: usize = 200;

/// What is known of a method's monitors.
#[derive(Debug, Default)]
pub struct Monitors {
    /// Held before each node; empty: never any.
    depth: Vec<u8>,
    /// The range that a probe before a node can share. Only nodes with a depth are asked for.
    range: HashMap<usize, TryId>,
    /// Behind which node the probe of a handler goes that frees its monitor at once: by the handler's first node.
    freed: HashMap<usize, usize>,
}

impl Monitors {
    /// Looks at a method. `is_init` tells constructors from other callees.
    pub fn find(code: &Code, cfg: &Cfg, is_init: &dyn Fn(MethodIdx) -> bool) -> Monitors {
        let depth = monitors::depths(code, cfg);
        if depth.is_empty() {
            return Monitors::default();
        }
        let mut found = Monitors { depth, range: HashMap::new(), freed: HashMap::new() };
        for block in cfg.blocks.iter().filter(|b| b.is_handler) {
            if let Some(at) = found.behind_exits(code, block) {
                found.freed.insert(block.first, at);
            }
        }
        if let Some(mut flow) = Flow::solve(code, cfg, is_init) {
            found.range = flow.ranges(code, cfg, &found.depth);
        }
        found
    }

    /// Monitors held before each node; empty: never any.
    pub fn depths(&self) -> &[u8] {
        &self.depth
    }

    /// Monitors held before a node of the original list.
    pub fn depth(&self, n: usize) -> u8 {
        self.depth.get(n).copied().unwrap_or(0)
    }

    /// The range that a throwing probe right before node `n`, where a monitor is held, can stand in.
    pub fn range(&self, n: usize) -> Option<TryId> {
        self.range.get(&n).copied()
    }

    /// Behind which node the probe of a handler goes whose first instruction is node `first`: the `move-exception`
    /// itself, unless a `monitor-exit` follows before anything can throw. Nothing can be recorded in between.
    pub fn caught_behind(&self, first: usize) -> usize {
        self.freed.get(&first).copied().unwrap_or(first)
    }

    fn behind_exits(&self, code: &Code, block: &BasicBlock) -> Option<usize> {
        let mut last = None;
        for n in block.first..=block.last {
            let Item::Insn(insn) = &code.nodes[n].item else { continue };
            if self.depth(n) == 0 || may_throw(insn) {
                break;
            }
            if insn.op == Op::MonitorExit {
                last = Some(n);
            }
        }
        last.filter(|_| code.insn(block.first).is_some_and(|i| i.op == Op::MoveException))
    }
}

/// What reaches a place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    /// Definitions, a bit each; see [`Flow::regs`].
    defs: Vec<u64>,
    /// Stacks of held monitors, by number.
    locks: BTreeSet<u32>,
}

impl State {
    /// Adds what reaches this place from elsewhere; whether that was anything new.
    fn join(&mut self, other: &State) -> bool {
        let mut new = false;
        for (a, &b) in self.defs.iter_mut().zip(&other.defs) {
            new |= b & !*a != 0;
            *a |= b;
        }
        for &l in &other.locks {
            new |= self.locks.insert(l);
        }
        new
    }

    fn within(&self, other: &State) -> bool {
        self.locks.is_subset(&other.locks) && self.defs.iter().zip(&other.defs).all(|(a, b)| a & !b == 0)
    }
}

/// The definitions of one register.
#[derive(Debug)]
struct Defs {
    /// First word of its bits.
    word: usize,
    /// Bit of each defining node, from 1; bit 0 is the method's entry.
    bits: HashMap<usize, usize>,
}

struct Flow<'a> {
    code: &'a Code,
    is_init: &'a dyn Fn(MethodIdx) -> bool,
    /// Registers that handlers of monitor-freeing ranges read.
    regs: HashMap<u16, Defs>,
    words: usize,
    /// Monitor stacks by number: the nodes of their `monitor-enter`s.
    stacks: Vec<Vec<u32>>,
    entries: Vec<Option<State>>,
    starts: Vec<usize>,
    overflow: bool,
}

impl<'a> Flow<'a> {
    fn solve(code: &'a Code, cfg: &Cfg, is_init: &'a dyn Fn(MethodIdx) -> bool) -> Option<Flow<'a>> {
        let live = live_at_handlers(code, cfg)?;
        let mut flow = Flow {
            code,
            is_init,
            regs: live.iter().map(|&r| (r, Defs { word: 0, bits: HashMap::new() })).collect(),
            words: 0,
            stacks: vec![Vec::new()],
            entries: vec![None; cfg.blocks.len()],
            starts: cfg.blocks.iter().map(|b| b.first).collect(),
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
                // May define every copy of what it initialises.
                for d in flow.regs.values_mut() {
                    let bit = d.bits.len() + 1;
                    d.bits.entry(n).or_insert(bit);
                }
            }
        }
        let mut sorted: Vec<u16> = live.into_iter().collect();
        sorted.sort_unstable();
        for r in sorted {
            let d = flow.regs.get_mut(&r).expect("made from the same list");
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
        let mut entry = State { defs: vec![0; self.words], locks: BTreeSet::from([0]) };
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
                    for to in h.catches.iter().map(|c| c.1).chain(h.catch_all).filter_map(|l| cfg.block_of(l)) {
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

    fn arrive(&mut self, to: usize, state: &State, work: &mut VecDeque<usize>) {
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

    /// What an instruction does to the state.
    fn step(&mut self, n: usize, insn: &Insn, state: &mut State) {
        for r in written(insn) {
            self.define(n, r, state);
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
                    let number = self.stacks.iter().position(|s| *s == stack).unwrap_or_else(|| {
                        self.stacks.push(stack);
                        self.stacks.len() - 1
                    });
                    after.insert(number as u32);
                }
                self.overflow |= self.stacks.len() > MAX_STACKS;
                state.locks = after;
            }
            Op::InvokeDirect | Op::InvokeDirectRange => {
                let Some(dex::Ref::Method(m)) = insn.reference() else { return };
                if (self.is_init)(m) {
                    let initialised: Vec<u16> =
                        self.regs.iter().filter(|(_, d)| self.maybe_new(d, state)).map(|(&r, _)| r).collect();
                    initialised.into_iter().for_each(|r| self.define(n, r, state));
                }
            }
            _ => {}
        }
    }

    /// Whether a register may hold an object that no constructor has seen yet.
    fn maybe_new(&self, d: &Defs, state: &State) -> bool {
        let reaches = |bit: usize| state.defs[d.word + bit / 64] >> (bit % 64) & 1 == 1;
        let makes = |n: usize| {
            self.code.insn(n).is_some_and(|i| {
                matches!(i.op, Op::NewInstance | Op::MoveObject | Op::MoveObjectFrom16 | Op::MoveObject16)
            })
        };
        reaches(0) || d.bits.iter().any(|(&n, &bit)| makes(n) && reaches(bit))
    }

    fn define(&self, n: usize, r: u16, state: &mut State) {
        let Some(d) = self.regs.get(&r) else { return };
        let Some(&bit) = d.bits.get(&n) else { return };
        let words = (d.bits.len() + 1).div_ceil(64);
        state.defs[d.word..d.word + words].fill(0);
        state.defs[d.word + bit / 64] |= 1 << (bit % 64);
    }

    /// The range for each place with a monitor held, where there is one.
    fn ranges(&mut self, code: &Code, cfg: &Cfg, depth: &[u8]) -> HashMap<usize, TryId> {
        // What the handlers of each range see from monitor-holding instructions, and before which node.
        let mut seen: Vec<Option<State>> = vec![None; code.tries.len()];
        let mut at: Vec<Option<State>> = vec![None; code.nodes.len()];
        for b in 0..cfg.blocks.len() {
            let Some(mut state) = self.entries[b].clone() else { continue };
            for n in self.starts[b]..=cfg.blocks[b].last {
                let Item::Insn(insn) = &code.nodes[n].item else { continue };
                if depth[n] > 0 {
                    at[n] = Some(state.clone());
                }
                if let Some(t) = code.nodes[n].try_id.filter(|_| may_throw(insn)) {
                    match &mut seen[t.0 as usize] {
                        Some(known) => {
                            known.join(&state);
                        }
                        none => *none = Some(state.clone()),
                    }
                }
                self.step(n, insn, &mut state);
            }
        }
        let mut returns: HashMap<TryId, Vec<bool>> = HashMap::new();
        let mut found = HashMap::new();
        let mut block = 0;
        for (n, state) in at.iter().enumerate() {
            while block + 1 < cfg.blocks.len() && cfg.blocks[block].last < n {
                block += 1;
            }
            let Some(state) = state else { continue };
            let mut fits = |t: TryId| {
                let handlers = &code.tries[t.0 as usize];
                let Some(free) = handlers.catch_all.and_then(|l| cfg.block_of(l)) else { return false };
                seen[t.0 as usize].as_ref().is_some_and(|s| state.within(s))
                    && !returns.entry(t).or_insert_with(|| held_from(cfg, depth, free.0 as usize))[block]
            };
            let near = (0..REACH).flat_map(|i| [n.checked_add(i), n.checked_sub(i)]).flatten();
            let mut tried: Vec<TryId> = Vec::new();
            for t in near.filter_map(|i| code.nodes.get(i)?.try_id) {
                if tried.contains(&t) {
                    continue;
                }
                if fits(t) {
                    found.insert(n, t);
                    break;
                }
                tried.push(t);
            }
        }
        found
    }
}

/// Blocks that a handler leads to before the monitor is free.
fn held_from(cfg: &Cfg, depth: &[u8], handler: usize) -> Vec<bool> {
    let mut reached = vec![false; cfg.blocks.len()];
    let mut work = vec![handler];
    while let Some(b) = work.pop() {
        if depth[cfg.blocks[b].first] == 0 || std::mem::replace(&mut reached[b], true) {
            continue;
        }
        work.extend(cfg.blocks[b].end.successors().iter().map(|s| s.0 as usize));
    }
    reached
}

/// The object that an `invoke-direct` is called on: a constructor changes its type.
fn receiver(insn: &Insn) -> Option<u16> {
    let direct = matches!(insn.op, Op::InvokeDirect | Op::InvokeDirectRange);
    insn.uses().first().filter(|_| direct).map(|u: &(Reg, RegKind)| u.0.0)
}

/// The registers that handlers of ranges with a catch-all may read; `None` when the method is too big to say.
fn live_at_handlers(code: &Code, cfg: &Cfg) -> Option<BTreeSet<u16>> {
    let live = Liveness::solve(code, cfg)?;
    let mut read = BTreeSet::new();
    for h in code.tries.iter().filter(|h| h.catch_all.is_some()) {
        for to in h.catches.iter().map(|c| c.1).chain(h.catch_all).filter_map(|l| cfg.block_of(l)) {
            read.extend((0..code.registers).filter(|&r| live.at(to, r)));
        }
    }
    Some(read)
}
