//! Methods whose path follows from their calls alone ([`CallKind::Implied`]).

use super::block::{Block, CallKind, Terminator};
use super::ids::{BlockId, MethodId};

/// Implied calls nest no deeper: a decoder may keep what it passes on a stack of this size.
pub const MAX_DEPTH: usize = 200;

/// The blocks from a method's entry to its return, if nothing is decided between.
pub fn straight_path(blocks: &[Block]) -> Option<Vec<BlockId>> {
    let mut path = vec![BlockId(0)];
    loop {
        match blocks.get(path[path.len() - 1].0 as usize)?.terminator {
            Terminator::Return => return Some(path),
            Terminator::Goto(to) if path.len() < blocks.len() => path.push(to),
            _ => return None,
        }
    }
}

/// The first method that is called as an implied one and cannot be: it must go straight to its
/// return, count nothing, and call implied methods only, [`MAX_DEPTH`] deep at most. `blocks` gives
/// a method's blocks if it may be implied, for every id that is called.
pub fn first_unsound<'b>(
    called: impl Iterator<Item = MethodId>,
    methods: usize,
    blocks: impl Fn(MethodId) -> Option<&'b [Block]>,
) -> Option<MethodId> {
    /// Nesting depth of a method's own calls.
    #[derive(Clone, Copy, PartialEq)]
    enum Nesting {
        New,
        Open,
        Done(usize),
    }
    let mut states = vec![Nesting::New; methods];
    let callees = |m: MethodId| -> Option<Vec<MethodId>> {
        let blocks = blocks(m)?;
        let mut callees = Vec::new();
        for b in straight_path(blocks)? {
            let block = &blocks[b.0 as usize];
            if block.mark {
                return None;
            }
            for site in &block.calls {
                let CallKind::Implied(callee) = site.call else { return None };
                callees.push(callee);
            }
        }
        Some(callees)
    };
    for root in called {
        // Method, its callees, the next of them, how deep they nest so far.
        let mut work: Vec<(MethodId, Vec<MethodId>, usize, usize)> = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(m) = next.take() {
                match states[m.0 as usize - 1] {
                    Nesting::Open => return Some(m),
                    Nesting::Done(depth) => {
                        if let Some(top) = work.last_mut() {
                            top.3 = top.3.max(depth);
                        }
                    }
                    Nesting::New => {
                        let Some(callees) = callees(m) else { return Some(m) };
                        states[m.0 as usize - 1] = Nesting::Open;
                        work.push((m, callees, 0, 0));
                    }
                }
            }
            let Some(top) = work.last_mut() else { break };
            if let Some(&callee) = top.1.get(top.2) {
                top.2 += 1;
                next = Some(callee);
                continue;
            }
            let depth = top.3 + 1;
            if depth > MAX_DEPTH {
                return Some(top.0);
            }
            states[top.0.0 as usize - 1] = Nesting::Done(depth);
            work.pop();
            if let Some(caller) = work.last_mut() {
                caller.3 = caller.3.max(depth);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(calls: &[u32], ends: &[Terminator]) -> Vec<Block> {
        let block = |(i, terminator): (usize, &Terminator)| Block {
            pc: i as u32,
            end: i as u32 + 1,
            lines: Vec::new(),
            calls: calls
                .iter()
                .filter(|_| i == 0)
                .map(|&m| super::super::block::CallSite {
                    pc: 0,
                    call: CallKind::Implied(MethodId(m)),
                })
                .collect(),
            throws: true,
            mark: false,
            terminator: terminator.clone(),
        };
        ends.iter().enumerate().map(block).collect()
    }

    fn unsound(methods: &[Vec<Block>]) -> Option<u32> {
        let all = (1..=methods.len() as u32).map(MethodId);
        first_unsound(all, methods.len(), |m| Some(&methods[m.0 as usize - 1][..])).map(|m| m.0)
    }

    #[test]
    fn a_straight_method_goes_to_its_return_over_gotos() {
        let to = |b| Terminator::Goto(BlockId(b));
        let m = method(&[], &[to(2), Terminator::Return, to(1)]);
        assert_eq!(straight_path(&m), Some(vec![BlockId(0), BlockId(2), BlockId(1)]));
        assert_eq!(straight_path(&method(&[], &[to(1), to(0)])), None);
        assert_eq!(straight_path(&method(&[], &[Terminator::Throw])), None);
    }

    #[test]
    fn methods_that_call_each_other_are_no_implied_ones() {
        let calls = |m: &[u32]| method(m, &[Terminator::Return]);
        assert_eq!(unsound(&[calls(&[2, 2]), calls(&[3]), calls(&[])]), None);
        assert_eq!(unsound(&[calls(&[2]), calls(&[1])]), Some(1));
        assert_eq!(unsound(&[calls(&[1])]), Some(1));
    }

    #[test]
    fn calls_nest_so_deep_and_no_deeper() {
        let chain = |n: u32| -> Vec<Vec<Block>> {
            let calls = |m| if m < n { vec![m + 1] } else { Vec::new() };
            (1..=n).map(|m| method(&calls(m), &[Terminator::Return])).collect()
        };
        assert_eq!(unsound(&chain(MAX_DEPTH as u32)), None);
        assert_eq!(unsound(&chain(MAX_DEPTH as u32 + 1)), Some(1));
    }

    #[test]
    fn a_method_with_a_mark_counts_and_so_is_no_implied_one() {
        let mut m = method(&[], &[Terminator::Return]);
        m[0].mark = true;
        assert_eq!(unsound(&[m]), Some(1));
    }
}
