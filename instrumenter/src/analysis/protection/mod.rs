//! Try range of a probe while a monitor is held.
//!
//! A probe is a call and can overflow the stack. While a monitor is held, the exception has to pass
//! a handler that frees it. The app's own handler can do that: the probe then lies in that
//! handler's range. But the verifier merges the registers of every throwing instruction of a range
//! into its handlers (`method_verifier.cc`, "merge the register set into the handler"): the probe
//! may only show them registers that they see anyway. This module proves that for each node:
//!
//! - the same monitors are held, by the same `monitor-enter`s, as at a throwing instruction of the
//!   range, and
//! - for every register that the handlers read, each definition that reaches the node also reaches
//!   a throwing instruction of the range (then its type is one that the handlers merge already),
//!   and
//! - no handler of the range leads back to the node with the monitor held. With a catch-all, a
//!   stack overflow would repeat that loop forever. With any handler, the probe of that handler
//!   would lead to itself by an exception, and ART does not compile such a method
//!   (`HGraph::AnalyzeLoops`, "exceptional back edges"). Edges from probes chosen before count as
//!   well: two handlers whose probes are in each other's ranges form the same loop.
//!
//! Elsewhere the probe gets a handler of its own ([`Protection::Cleanup`]): it frees the monitors
//! and rethrows.

mod flow;

use std::collections::{BTreeSet, HashMap};

use dex::{Code, Handlers, Item, MethodIdx, Op, TryId};

use crate::analysis::cfg::{BasicBlock, Cfg, may_throw};
use crate::analysis::liveness::Liveness;
use crate::analysis::monitors;
use flow::{MonitorFacts, MonitorFlow};

/// Largest distance, in nodes, between a range and a probe that shares it.
const REACH: usize = 200;

/// Index of a list of registers in [`Monitors::cleanup`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CleanupId(u32);

/// The try range of a throwing probe, where a monitor is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// A range of the method.
    Range(TryId),
    /// An added range whose handler frees the monitors and rethrows.
    Cleanup(CleanupId),
}

/// Facts about a method's monitors.
#[derive(Debug, Clone, Default)]
pub struct Monitors {
    /// Number of monitors held before each node; empty if the method has none.
    depth: Vec<u8>,
    /// Possible try range of a probe before a node; contains only nodes at which a monitor is held.
    protection: HashMap<usize, Protection>,
    /// Registers of monitors to free, innermost first.
    cleanups: Vec<Vec<u16>>,
    /// For handlers that free their monitor at once: the node after which their probe goes, by the
    /// handler's first node.
    freed: HashMap<usize, usize>,
}

impl Monitors {
    /// Analyses a method. `is_init` returns true if a callee is a constructor.
    pub fn find(code: &Code, cfg: &Cfg, is_init: &dyn Fn(MethodIdx) -> bool) -> Monitors {
        let depth = monitors::depths(code, cfg);
        if depth.is_empty() {
            return Monitors::default();
        }
        let mut found = Monitors { depth, ..Monitors::default() };
        for block in cfg.blocks.iter().filter(|b| b.is_handler) {
            if let Some(at) = found.behind_exits(code, block) {
                found.freed.insert(block.first, at);
            }
        }
        // A method may be too large to know the registers that its handlers read; its monitors and
        // their registers may still be known.
        let read = live_at_handlers(code, cfg);
        let (flow, proves) =
            match read.and_then(|read| MonitorFlow::solve(code, cfg, &read, is_init)) {
                Some(flow) => (Some(flow), true),
                None => (MonitorFlow::solve(code, cfg, &BTreeSet::new(), is_init), false),
            };
        if let Some(mut flow) = flow {
            found.choose(code, cfg, &mut flow, proves);
        }
        found
    }

    /// Returns the number of monitors held before each node; empty if the method has none.
    pub fn depths(&self) -> &[u8] {
        &self.depth
    }

    /// Returns the number of monitors held before a node of the original list.
    pub fn depth(&self, n: usize) -> u8 {
        self.depth.get(n).copied().unwrap_or(0)
    }

    /// Returns the try range of a throwing probe right before node `n`, at which a monitor is held,
    /// or `None` if no handler is known to free it.
    pub fn protection(&self, n: usize) -> Option<Protection> {
        self.protection.get(&n).copied()
    }

    /// Returns all added handlers that are needed.
    pub fn cleanups(&self) -> impl Iterator<Item = CleanupId> + use<> {
        (0..self.cleanups.len() as u32).map(CleanupId)
    }

    /// Returns the registers whose monitors an added handler frees, innermost first.
    pub fn cleanup(&self, id: CleanupId) -> &[u16] {
        &self.cleanups[id.0 as usize]
    }

    /// Returns the node after which the probe of a handler goes, whose first instruction is node
    /// `first`: the `move-exception` itself, unless a `monitor-exit` follows before anything can
    /// throw. Nothing can be recorded in between.
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

    /// Chooses the protection of each node at which a monitor is held. `proves` is true if the
    /// dataflow covers all registers that handlers read.
    fn choose(&mut self, code: &Code, cfg: &Cfg, flow: &mut MonitorFlow<'_>, proves: bool) {
        // Facts that the handlers of each range see from instructions with a held monitor, and the
        // node before which they hold.
        let mut seen: Vec<Option<MonitorFacts>> = vec![None; code.tries.len()];
        let mut at: Vec<Option<MonitorFacts>> = vec![None; code.nodes.len()];
        for b in 0..cfg.blocks.len() {
            let Some(mut state) = flow.at_entry(b) else { continue };
            let bounds = &cfg.blocks[b];
            for (n, at) in at.iter_mut().enumerate().take(bounds.last + 1).skip(bounds.first) {
                let Item::Insn(insn) = &code.nodes[n].item else { continue };
                if self.depth(n) > 0 {
                    *at = Some(state.clone());
                }
                if let Some(t) = code.nodes[n].try_id.filter(|_| may_throw(insn)) {
                    match &mut seen[t.0 as usize] {
                        Some(known) => {
                            known.join(&state);
                        }
                        none => *none = Some(state.clone()),
                    }
                }
                flow.step(n, insn, &mut state);
            }
        }
        let all_handlers = code.tries.iter().flat_map(|h| heads(h, cfg)).collect();
        let behind_handlers = held_from(cfg, &self.depth, all_handlers, &Thrown::new());
        // Edges that probes add to the graph, to catch-all handlers and to any handler.
        let (mut thrown_all, mut thrown) = (Thrown::new(), Thrown::new());
        let mut leads: HashMap<TryId, HeldBlocks> = HashMap::new();
        let mut numbers: HashMap<Vec<u16>, CleanupId> = HashMap::new();
        let mut block = 0;
        for (n, state) in at.iter().enumerate() {
            while block + 1 < cfg.blocks.len() && cfg.blocks[block].last < n {
                block += 1;
            }
            let Some(state) = state else { continue };
            let mut fits = |t: TryId| {
                let handlers = &code.tries[t.0 as usize];
                let free = handlers.catch_all.and_then(|l| cfg.block_of(l))?;
                if !seen[t.0 as usize].as_ref().is_some_and(|s| state.within(s)) {
                    return None;
                }
                let led = leads.entry(t).or_insert_with(|| HeldBlocks {
                    by_all: held_from(cfg, &self.depth, vec![free.0 as usize], &thrown_all),
                    by_any: held_from(cfg, &self.depth, heads(handlers, cfg).collect(), &thrown),
                });
                (!led.by_all[block]).then_some((t, led.by_any[block]))
            };
            let near = (0..REACH).flat_map(|i| [n.checked_add(i), n.checked_sub(i)]).flatten();
            let mut tried: Vec<TryId> = Vec::new();
            let mut shared = None;
            for t in near.filter_map(|i| code.nodes.get(i)?.try_id).take_while(|_| proves) {
                if !tried.contains(&t) {
                    shared = fits(t);
                    if shared.is_some() {
                        break;
                    }
                    tried.push(t);
                }
            }
            let protection = match shared {
                Some((t, false)) => Some(Protection::Range(t)),
                other => match flow.held_in(state) {
                    Some(registers) => {
                        let next = CleanupId(numbers.len() as u32);
                        Some(Protection::Cleanup(*numbers.entry(registers).or_insert_with_key(
                            |registers| {
                                self.cleanups.push(registers.clone());
                                next
                            },
                        )))
                    }
                    None => other.map(|(t, _)| Protection::Range(t)),
                },
            };
            self.protection.extend(protection.map(|c| (n, c)));
            // Only a node reached from a handler can close a loop through the exception of a probe.
            if let Some(Protection::Range(t)) = protection.filter(|_| behind_handlers[block]) {
                let handlers = &code.tries[t.0 as usize];
                let free = handlers.catch_all.and_then(|l| cfg.block_of(l));
                let mut new = false;
                for to in heads(handlers, cfg) {
                    if Some(to) == free.map(|b| b.0 as usize) {
                        new |= thrown_all.entry(block).or_default().insert(to);
                    }
                    new |= thrown.entry(block).or_default().insert(to);
                }
                if new {
                    leads.retain(|_, led| !led.by_all[block] && !led.by_any[block]);
                }
            }
        }
    }
}

/// Blocks reached with the monitor held from a range's catch-all, and from any of its handlers.
struct HeldBlocks {
    by_all: Vec<bool>,
    by_any: Vec<bool>,
}

/// Handlers that probes in a block can throw to, beside those that the block itself can throw to.
type Thrown = HashMap<usize, BTreeSet<usize>>;

/// Returns the first blocks of handlers.
fn heads<'a>(handlers: &'a Handlers, cfg: &'a Cfg) -> impl Iterator<Item = usize> + 'a {
    handlers.labels().filter_map(|l| cfg.block_of(l)).map(|b| b.0 as usize)
}

/// Returns the blocks that handlers lead to before the monitor is freed.
fn held_from(cfg: &Cfg, depth: &[u8], handlers: Vec<usize>, thrown: &Thrown) -> Vec<bool> {
    let mut reached = vec![false; cfg.blocks.len()];
    let mut work = handlers;
    while let Some(b) = work.pop() {
        if depth[cfg.blocks[b].first] == 0 || std::mem::replace(&mut reached[b], true) {
            continue;
        }
        work.extend(cfg.blocks[b].end.successors().iter().map(|s| s.0 as usize));
        work.extend(thrown.get(&b).into_iter().flatten());
    }
    reached
}

/// Returns the registers that handlers of ranges with a catch-all may read, or `None` if the method
/// is too large to analyse.
fn live_at_handlers(code: &Code, cfg: &Cfg) -> Option<BTreeSet<u16>> {
    let live = Liveness::solve(code, cfg)?;
    let mut read = BTreeSet::new();
    for h in code.tries.iter().filter(|h| h.catch_all.is_some()) {
        for to in h.labels().filter_map(|l| cfg.block_of(l)) {
            read.extend((0..code.registers).filter(|&r| live.at(to, r)));
        }
    }
    Some(read)
}
