//! The try range of a probe while a monitor is held.
//!
//! A probe is a call and can meet a full stack. While a monitor is held the exception has to pass a
//! handler that frees it. That can be the app's own: the probe then lies in that handler's range.
//! But the verifier merges the registers of every throwing instruction of a range into its handlers
//! (`method_verifier.cc`, "merge the register set into the handler"): the probe may only show them
//! what they see anyway. That is proven here, per place:
//!
//! - the same monitors are held, by the same `monitor-enter`s, as at a throwing instruction of the
//!   range, and
//! - every register that the handlers read has there no definition reaching it that does not reach
//!   a throwing instruction of the range too (then its type is one that the handlers merge
//!   already), and
//! - no handler of the range leads back to the place with the monitor held. For the catch-all, a
//!   full stack would make that a loop for ever. For any of them, the probe of that handler would
//!   lead to itself by an exception, and ART compiles no method of that form
//!   (`HGraph::AnalyzeLoops`, "exceptional back edges"). What probes chosen before lead to counts
//!   as well: two handlers whose probes are in each other's ranges are the same loop.
//!
//! Elsewhere the probe gets a handler of its own ([`Protection::Cleanup`]): it frees the monitors
//! and rethrows.

mod flow;

use std::collections::{BTreeSet, HashMap};

use dex::{Code, Handlers, Item, MethodIdx, Op, TryId};

use crate::analysis::cfg::{BasicBlock, Cfg, may_throw};
use crate::analysis::liveness::Liveness;
use crate::analysis::monitors;
use flow::{Flow, State};

/// How far away a range may lie from a place that shares it, in nodes.
const REACH: usize = 200;

/// Index of a list of registers in [`Monitors::cleanup`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CleanupId(u32);

/// The try range of a throwing probe, where a monitor is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// A range of the method.
    Range(TryId),
    /// One whose handler frees the monitors and rethrows.
    Cleanup(CleanupId),
}

/// What is known of a method's monitors.
#[derive(Debug, Clone, Default)]
pub struct Monitors {
    /// Held before each node; empty: never any.
    depth: Vec<u8>,
    /// The possible try range of a probe before a node. Only nodes with a depth are asked for.
    protection: HashMap<usize, Protection>,
    /// Registers of monitors to free, innermost first.
    cleanups: Vec<Vec<u16>>,
    /// Behind which node the probe of a handler goes that frees its monitor at once: by the
    /// handler's first node.
    freed: HashMap<usize, usize>,
}

impl Monitors {
    /// Looks at a method. `is_init`: whether a callee is a constructor.
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
        // In a method too big to know what its handlers read, the monitors and their registers
        // still may be.
        let read = live_at_handlers(code, cfg);
        let (flow, proves) = match read.and_then(|read| Flow::solve(code, cfg, &read, is_init)) {
            Some(flow) => (Some(flow), true),
            None => (Flow::solve(code, cfg, &BTreeSet::new(), is_init), false),
        };
        if let Some(mut flow) = flow {
            found.choose(code, cfg, &mut flow, proves);
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

    /// The try range of a throwing probe right before node `n`, where a monitor is held; `None`:
    /// nothing is known that would free it.
    pub fn protection(&self, n: usize) -> Option<Protection> {
        self.protection.get(&n).copied()
    }

    /// All added handlers that some place needs.
    pub fn cleanups(&self) -> impl Iterator<Item = CleanupId> + use<> {
        (0..self.cleanups.len() as u32).map(CleanupId)
    }

    /// The registers whose monitors an added handler frees, innermost first.
    pub fn cleanup(&self, id: CleanupId) -> &[u16] {
        &self.cleanups[id.0 as usize]
    }

    /// Behind which node the probe of a handler goes whose first instruction is node `first`: the
    /// `move-exception` itself, unless a `monitor-exit` follows before anything can throw. Nothing
    /// can be recorded in between.
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

    /// Finds something for each place with a monitor held. `proves`: whether the flow knows all
    /// that handlers read.
    fn choose(&mut self, code: &Code, cfg: &Cfg, flow: &mut Flow<'_>, proves: bool) {
        // What the handlers of each range see from monitor-holding instructions, and before which
        // node.
        let mut seen: Vec<Option<State>> = vec![None; code.tries.len()];
        let mut at: Vec<Option<State>> = vec![None; code.nodes.len()];
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
        // What probes add to the graph, by the catch-all and by any handler.
        let (mut thrown_all, mut thrown) = (Thrown::new(), Thrown::new());
        let mut leads: HashMap<TryId, Led> = HashMap::new();
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
                let led = leads.entry(t).or_insert_with(|| Led {
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
            // Only behind a handler can what a probe throws close a loop through one.
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

/// Where a range's catch-all, and where any handler of it leads with the monitor held, by block.
struct Led {
    by_all: Vec<bool>,
    by_any: Vec<bool>,
}

/// Handlers that probes in a block can throw to, beside those that the block leads to by itself.
type Thrown = HashMap<usize, BTreeSet<usize>>;

/// The handlers' first blocks.
fn heads<'a>(handlers: &'a Handlers, cfg: &'a Cfg) -> impl Iterator<Item = usize> + 'a {
    let labels = handlers.catches.iter().map(|c| c.1).chain(handlers.catch_all);
    labels.filter_map(|l| cfg.block_of(l)).map(|b| b.0 as usize)
}

/// Blocks that handlers lead to before the monitor is free.
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

/// The registers that handlers of ranges with a catch-all may read; `None` when the method is too
/// big to analyse.
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
