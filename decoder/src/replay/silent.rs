//! Silent code, which runs without a symbol: computed per method before anything is walked, and
//! bounded.
//!
//! A forged map can hold methods that each call the next one twice, fifty deep: 2⁵⁰ calls from a
//! map of two kilobytes, without a single byte of log. So a thread's walk has a *budget* of steps
//! (a block left, or a call passed). It grows with the bytes and with the symbols, far faster than
//! most real paths need, so decoding takes time in proportion to the log. A record of straight code
//! may overdraw it: see [`Credit`]. For a sink that does not ask for blocks, a silent call is one
//! step.

use model::map::CallKind;

use super::block::{BlockEnd, FlatBlock};

/// Steps that a thread's walk may take whatever its length. The longest call without a decision in
/// four real apps, of 415,000 methods in all, is 1,337 steps.
const STEPS: u64 = 1 << 20;
/// Steps for each byte of a thread's slabs. A byte holds eight decisions of a build without
/// history.
const STEPS_PER_BYTE: u64 = 1 << 14;
/// Steps for each symbol taken. With history a byte may hold 180,000 of them.
pub(super) const STEPS_PER_SYMBOL: u64 = 1 << 12;
/// Number of rounds of a loop that reports list one by one; longer loops are reported by their
/// first round and a number. The budget counts listed rounds.
pub const LISTED_ROUNDS: u32 = 256;
/// Bytes that a slab counts for beside its payload.
const SLAB_BYTES: u64 = 40;
/// Deeper silent calls are walked one by one.
pub(super) const MAX_DEPTH: usize = 1000;

/// Returns the budget of a thread with `bytes` bytes in `slabs` slabs.
pub(crate) fn budget(bytes: u64, slabs: u64) -> u64 {
    bytes
        .saturating_add(slabs.saturating_mul(SLAB_BYTES))
        .saturating_mul(STEPS_PER_BYTE)
        .saturating_add(STEPS)
}

/// Steps beyond the budget, for records that are proven. Straight code can take any number of steps
/// and leave nothing in the log but the check of its progress counter at the record's end. So a
/// record may overdraw the budget before that check is read. The first one that overdraws it and
/// turns out to be wrong ends the thread's credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Credit {
    /// Number of steps that records may still overdraw in all.
    left: u64,
    /// Number of steps that one record may overdraw.
    record: u64,
}

impl Credit {
    /// In all, as many steps as a progress counter can count.
    pub const FULL: Credit = Credit { left: 1 << 32, record: 1 << 26 };
    /// That of a walk which passes no call at once (codec `pap`).
    pub const SLOW: Credit = Credit { left: 1 << 32, record: 1 << 24 };
    /// Nothing may be overdrawn.
    pub const NONE: Credit = Credit { left: 0, record: 0 };

    /// Returns what the next record may overdraw.
    pub fn offer(self) -> u64 {
        self.left.min(self.record)
    }

    /// Takes the offer back after a record, of which `left` steps are left with the budget; returns
    /// the rest of the budget. `fits`: the record has no error.
    pub fn settle(&mut self, left: u64, fits: bool) -> u64 {
        let offered = self.offer();
        let overdrawn = offered.saturating_sub(left);
        if overdrawn > 0 {
            self.left = if fits { self.left - overdrawn } else { 0 };
        }
        left.saturating_sub(offered)
    }
}

/// Cost of a call of a method that returns without a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Silent {
    /// Steps.
    pub steps: u64,
    /// Increase of the progress counter.
    pub counts: u64,
    depth: usize,
}

/// Costs stop growing here: no budget comes near.
fn add(a: &mut u64, b: u64) {
    *a = a.saturating_add(b).min(1 << 60);
}

struct Visit {
    method: usize,
    block: u32,
    call: u32,
    /// Blocks that were passed.
    passed: u32,
    sum: Silent,
}

#[derive(Clone, Copy)]
enum SilentState {
    New,
    Open,
    Done(Option<Silent>),
}

/// Per method: what it costs if it returns without a symbol. `first` holds the first block of each
/// method, and one more at the end. `inlined`: whether callees are inlined there, which decide.
pub(crate) fn silent(
    blocks: &[FlatBlock],
    calls: &[CallKind],
    first: &[u32],
    leaf: &[bool],
    inlined: &dyn Fn(usize) -> bool,
) -> Vec<Option<Silent>> {
    let visit = |method: usize| {
        let block = first[method];
        let counts = 1 + u64::from(blocks[block as usize].mark);
        let sum = Silent { steps: 0, counts, depth: 1 };
        Visit { method, block, call: blocks[block as usize].calls.0, passed: 0, sum }
    };
    // The walk passes a leaf within the step of its call.
    let known = |(method, &leaf): (usize, &bool)| match leaf {
        true => SilentState::Done(Some(Silent { steps: 0, counts: 2, depth: 1 })),
        false if inlined(method) => SilentState::Done(None),
        false => SilentState::New,
    };
    let mut state: Vec<SilentState> = leaf.iter().enumerate().map(known).collect();
    let mut work = Vec::new();
    for root in 0..state.len() {
        if matches!(state[root], SilentState::New) {
            state[root] = SilentState::Open;
            work.push(visit(root));
        }
        while let Some(v) = work.last_mut() {
            let block = &blocks[v.block as usize];
            let found = if v.call < block.calls.1 {
                match calls[v.call as usize] {
                    CallKind::Predicted(m) => match state[m.0 as usize - 1] {
                        SilentState::New => {
                            state[m.0 as usize - 1] = SilentState::Open;
                            work.push(visit(m.0 as usize - 1));
                            continue;
                        }
                        SilentState::Done(Some(callee)) if callee.depth < MAX_DEPTH => {
                            v.call += 1;
                            add(&mut v.sum.steps, callee.steps + 1);
                            add(&mut v.sum.counts, callee.counts);
                            v.sum.depth = v.sum.depth.max(callee.depth + 1);
                            continue;
                        }
                        SilentState::Open | SilentState::Done(_) => None,
                    },
                    // Known by the map to be straight; it counts nothing.
                    CallKind::Implied(m) => match state[m.0 as usize - 1] {
                        SilentState::New => {
                            state[m.0 as usize - 1] = SilentState::Open;
                            work.push(visit(m.0 as usize - 1));
                            continue;
                        }
                        SilentState::Done(Some(callee)) => {
                            v.call += 1;
                            add(&mut v.sum.steps, callee.steps + 1);
                            continue;
                        }
                        SilentState::Open | SilentState::Done(None) => None,
                    },
                    CallKind::Slot(_) => None,
                }
            } else {
                v.passed += 1;
                add(&mut v.sum.steps, 1);
                match block.step {
                    BlockEnd::Goto(t) if v.passed <= first[v.method + 1] - first[v.method] => {
                        v.block = t.0;
                        v.call = blocks[t.0 as usize].calls.0;
                        add(&mut v.sum.counts, blocks[t.0 as usize].mark.into());
                        continue;
                    }
                    BlockEnd::Return => Some(Silent { counts: v.sum.counts + 1, ..v.sum }),
                    _ => None,
                }
            };
            state[v.method] = SilentState::Done(found);
            work.pop();
        }
    }
    state.into_iter().map(|s| if let SilentState::Done(found) = s { found } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_fits_pays_what_it_overdrew() {
        let mut credit = Credit::FULL;
        let budget = 100;
        let overdrawn = 1000;
        let left = budget + credit.offer() - (budget + overdrawn);
        assert_eq!(credit.settle(left, true), 0);
        assert_eq!(credit.left, Credit::FULL.left - overdrawn);
    }

    #[test]
    fn a_wrong_record_within_the_budget_keeps_the_credit() {
        let mut credit = Credit::FULL;
        let left = 60 + credit.offer();
        assert_eq!(credit.settle(left, false), 60);
        assert_eq!(credit, Credit::FULL);
    }

    #[test]
    fn a_wrong_record_beyond_the_budget_ends_the_credit() {
        let mut credit = Credit::FULL;
        assert_eq!(credit.settle(0, false), 0);
        assert_eq!(credit.offer(), 0);
    }
}
