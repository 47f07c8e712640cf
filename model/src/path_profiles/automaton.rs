//! The automaton that recognises a method's selected paths, with one small number as its state.
//!
//! The automaton is that of Aho and Corasick (1975) over the blocks of the paths, followed only
//! where the method's graph leads. In a block each of its states has a number of its own; 0 means
//! that no path has begun that can still be taken. Numbers belong to a block: along an edge a
//! number stays as it is where that is possible, and such an edge needs no code. An exception
//! leaves a block anywhere in it, so where a path goes through a handler, blocks that lead there
//! by exceptions do not share numbers that mean different things in the handler.

use std::collections::{BTreeMap, HashMap, HashSet};

use thiserror::Error;

use crate::graph::ids::BlockId;
use crate::path_profiles::selected::{PathKind, PathStep};

pub mod copies;
#[cfg(test)]
mod tests;

/// The most states that the paths of a method may have together.
pub const MAX_STATES: usize = 200_000;

/// Reasons why paths cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AutomatonError {
    /// A path has no steps.
    #[error("it is empty")]
    Empty(usize),
    /// The method's graph does not lead where a path goes.
    #[error("it goes from block {from} to block {to}, where the method does not lead")]
    Way {
        /// Position of the path.
        path: usize,
        /// The block before.
        from: u32,
        /// The block that does not follow it.
        to: u32,
    },
    /// A path that begins with the method's entry begins elsewhere.
    #[error("it begins with block {block}, where no such path can begin")]
    Begin {
        /// Position of the path.
        path: usize,
        /// Its first block.
        block: u32,
    },
    /// A path with a return at its end ends in a block without one.
    #[error("it ends in block {block}, which does not return")]
    End {
        /// Position of the path.
        path: usize,
        /// Its last block.
        block: u32,
    },
    /// Too many different steps.
    #[error("the paths have more than {MAX_STATES} different steps together")]
    States,
}

impl AutomatonError {
    /// Position of the path that is the reason, if one is.
    pub fn path(&self) -> Option<usize> {
        match self {
            AutomatonError::Empty(path)
            | AutomatonError::Way { path, .. }
            | AutomatonError::Begin { path, .. }
            | AutomatonError::End { path, .. } => Some(*path),
            AutomatonError::States => None,
        }
    }
}

/// Properties of a method that the automaton needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodShape {
    /// Of each block, where it leads without exceptions; no target twice.
    pub successors: Vec<Vec<BlockId>>,
    /// Of each block, the handlers that exceptions in it come to.
    pub handlers: Vec<Vec<BlockId>>,
    /// Of each block, whether it returns.
    pub returns: Vec<bool>,
}

/// Effect of an edge on a number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NumberChange {
    /// The new number.
    pub number: u32,
    /// Positions of the paths that this completes, ascending.
    pub completes: Vec<u32>,
}

/// Effect on each number that there can be, ascending by number; 0 is the first.
pub type Rows = Vec<(u32, NumberChange)>;

/// See the module.
#[derive(Debug, Clone)]
pub struct Automaton {
    trie: Trie,
    shape: MethodShape,
    /// Number of each state, by block; states that mean nothing have none.
    numbers: Vec<BTreeMap<StateId, u32>>,
    /// Blocks of which exceptions come to a handler, ascending.
    throwing: BTreeMap<BlockId, Vec<BlockId>>,
}

/// A state: what has been taken of paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct StateId(u32);

/// Nothing of any path.
const NOTHING: StateId = StateId(0);

/// Symbols that distinguish states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Symbol {
    Entry,
    Step(PathStep),
    Return,
}

/// The paths' common prefixes, with the state to fall back to from each.
#[derive(Debug, Clone, Default)]
struct Trie {
    next: Vec<BTreeMap<Symbol, StateId>>,
    fallback: Vec<StateId>,
    /// Paths that are complete in a state, those of its fallbacks among them.
    complete: Vec<Vec<u32>>,
}

impl Trie {
    fn new(paths: &[(PathKind, Vec<PathStep>)]) -> Result<Trie, AutomatonError> {
        let mut trie = Trie::default();
        trie.add_state();
        for (i, (kind, steps)) in paths.iter().enumerate() {
            let mut at = NOTHING;
            let entry = (*kind != PathKind::Piece).then_some(Symbol::Entry);
            let exit = (*kind == PathKind::Whole).then_some(Symbol::Return);
            for symbol in
                entry.into_iter().chain(steps.iter().copied().map(Symbol::Step)).chain(exit)
            {
                at = match trie.next[at.0 as usize].get(&symbol) {
                    Some(&to) => to,
                    None => {
                        let to = trie.add_state();
                        trie.next[at.0 as usize].insert(symbol, to);
                        to
                    }
                };
                if trie.next.len() > MAX_STATES {
                    return Err(AutomatonError::States);
                }
            }
            trie.complete[at.0 as usize].push(i as u32);
        }
        trie.link();
        Ok(trie)
    }

    fn add_state(&mut self) -> StateId {
        self.next.push(BTreeMap::new());
        self.fallback.push(NOTHING);
        self.complete.push(Vec::new());
        StateId(self.next.len() as u32 - 1)
    }

    /// Finds the fallbacks, shorter states first.
    fn link(&mut self) {
        let mut queue: Vec<StateId> = self.next[0].values().copied().collect();
        let mut done = 0;
        while let Some(&state) = queue.get(done) {
            done += 1;
            let to_all: Vec<_> =
                self.next[state.0 as usize].iter().map(|(s, t)| (*s, *t)).collect();
            for (symbol, to) in to_all {
                let fallback = self.step(self.fallback[state.0 as usize], symbol);
                self.fallback[to.0 as usize] = fallback;
                let more = self.complete[fallback.0 as usize].clone();
                self.complete[to.0 as usize].extend(more);
                self.complete[to.0 as usize].sort_unstable();
                queue.push(to);
            }
        }
    }

    /// Returns the state after a symbol.
    fn step(&self, mut from: StateId, symbol: Symbol) -> StateId {
        loop {
            if let Some(&to) = self.next[from.0 as usize].get(&symbol) {
                return to;
            }
            if from == NOTHING {
                return NOTHING;
            }
            from = self.fallback[from.0 as usize];
        }
    }

    /// The shortest state with the same future: nothing continues the longer ones.
    fn settle(&self, mut state: StateId) -> StateId {
        while self.next[state.0 as usize].is_empty() && state != NOTHING {
            state = self.fallback[state.0 as usize];
        }
        state
    }

    fn completes(&self, state: StateId) -> Vec<u32> {
        self.complete[state.0 as usize].clone()
    }
}

impl Automaton {
    /// The automaton for these paths of a method.
    ///
    /// # Errors
    /// [`AutomatonError`]: a path that the method cannot take, or too many.
    pub fn new(
        shape: MethodShape,
        paths: &[(PathKind, Vec<PathStep>)],
    ) -> Result<Automaton, AutomatonError> {
        for (i, (kind, steps)) in paths.iter().enumerate() {
            check(&shape, i, *kind, steps)?;
        }
        let trie = Trie::new(paths)?;
        let mut throwing: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        for (from, handlers) in shape.handlers.iter().enumerate() {
            for &handler in handlers {
                throwing.entry(handler).or_default().push(BlockId(from as u32));
            }
        }
        let mut automaton = Automaton {
            trie,
            numbers: vec![BTreeMap::new(); shape.successors.len()],
            shape,
            throwing,
        };
        let reached = automaton.reached();
        automaton.number(reached);
        Ok(automaton)
    }

    /// The number in block 0 at entry, and what paths that completes.
    pub fn begin(&self) -> NumberChange {
        let entry = self.trie.step(NOTHING, Symbol::Entry);
        self.outcome(entry, Symbol::Step(PathStep::Block(BlockId(0))), BlockId(0))
    }

    /// Returns the effect of an edge to one of a block's successors on the block's numbers.
    pub fn edge(&self, from: BlockId, to: BlockId) -> Rows {
        self.rows(from, |state| self.outcome(state, Symbol::Step(PathStep::Block(to)), to))
    }

    /// Returns the effect on the numbers of all blocks from which an exception comes to a handler.
    pub fn caught(&self, handler: BlockId) -> Rows {
        let mut rows = BTreeMap::new();
        for &from in self.throwing.get(&handler).into_iter().flatten() {
            let step = Symbol::Step(PathStep::Caught(handler));
            rows.extend(self.rows(from, |state| self.outcome(state, step, handler)));
        }
        if rows.is_empty() {
            rows.insert(0, NumberChange::default());
        }
        rows.into_iter().collect()
    }

    /// Returns the paths that a return completes, by the number of its block. (No number follows
    /// it.)
    pub fn exit(&self, from: BlockId) -> Rows {
        self.rows(from, |state| NumberChange {
            number: 0,
            completes: self.trie.completes(self.trie.step(state, Symbol::Return)),
        })
    }

    /// The largest number in use.
    pub fn largest(&self) -> u32 {
        self.numbers.iter().flat_map(|of_block| of_block.values().copied()).max().unwrap_or(0)
    }

    fn rows(&self, from: BlockId, outcome: impl Fn(StateId) -> NumberChange) -> Rows {
        let states = &self.numbers[from.0 as usize];
        let mut rows: Rows = states.iter().map(|(state, n)| (*n, outcome(*state))).collect();
        rows.push((0, outcome(NOTHING)));
        rows.sort_unstable();
        rows
    }

    fn outcome(&self, from: StateId, symbol: Symbol, to: BlockId) -> NumberChange {
        let state = self.trie.step(from, symbol);
        let settled = self.trie.settle(state);
        let number = self.numbers[to.0 as usize].get(&settled).copied().unwrap_or(0);
        NumberChange { number, completes: self.trie.completes(state) }
    }

    /// Each block's states that an activation can be in, [`NOTHING`] left out, and the edges on
    /// which one follows the other.
    fn reached(&self) -> Reached {
        let entry = self.trie.step(NOTHING, Symbol::Entry);
        let first = self.trie.step(entry, Symbol::Step(PathStep::Block(BlockId(0))));
        let mut open = vec![(BlockId(0), self.trie.settle(first))];
        let mut reached = Reached::default();
        let mut seen = HashSet::from([open[0]]);
        while let Some(from) = open.pop() {
            let (block, state) = from;
            let at = block.0 as usize;
            let plain = self.shape.successors[at].iter().map(|&to| PathStep::Block(to));
            let caught = self.shape.handlers[at].iter().map(|&to| PathStep::Caught(to));
            for step in plain.chain(caught) {
                let to =
                    (step.block(), self.trie.settle(self.trie.step(state, Symbol::Step(step))));
                if state != NOTHING && to.1 != NOTHING && matches!(step, PathStep::Block(_)) {
                    reached.edges.push((from, to));
                }
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        reached.places = seen.into_iter().filter(|place| place.1 != NOTHING).collect();
        reached.places.sort_unstable();
        reached.edges.sort_unstable();
        reached
    }

    /// Gives numbers: along edges the same one where nothing forbids that.
    fn number(&mut self, reached: Reached) {
        let mut groups = Groups::new(self, &reached.places);
        for (from, to) in reached.edges {
            groups.join(from, to);
        }
        let mut order: Vec<usize> = (0..groups.members.len()).collect();
        order.retain(|&g| !groups.members[g].is_empty());
        order.sort_by_key(|&g| (std::cmp::Reverse(groups.members[g].len()), g));
        let mut in_block: Vec<HashSet<u32>> = vec![HashSet::new(); self.numbers.len()];
        // Of each block, a number below which none is free: many states are not searched for anew.
        let mut free = vec![1; self.numbers.len()];
        let mut in_handler: HashMap<(BlockId, u32), StateId> = HashMap::new();
        for group in order {
            let members = &groups.members[group];
            let caught = &groups.caught[group];
            let fits = |n: &u32| {
                members.keys().all(|block| !in_block[block.0 as usize].contains(n))
                    && caught.iter().all(|(handler, state)| {
                        in_handler.get(&(*handler, *n)).is_none_or(|other| other == state)
                    })
            };
            let from = members.keys().map(|block| free[block.0 as usize]).max().unwrap_or(1);
            let number = (from..).find(fits).expect("numbers do not end");
            for (block, state) in members {
                let at = block.0 as usize;
                in_block[at].insert(number);
                while in_block[at].contains(&free[at]) {
                    free[at] += 1;
                }
                self.numbers[block.0 as usize].insert(*state, number);
            }
            for (handler, state) in caught {
                in_handler.insert((*handler, number), *state);
            }
        }
    }
}

/// A state in a block.
type BlockState = (BlockId, StateId);

#[derive(Default)]
struct Reached {
    places: Vec<BlockState>,
    edges: Vec<(BlockState, BlockState)>,
}

/// Places that share a number.
struct Groups {
    of: HashMap<BlockState, usize>,
    /// Of each group, its state in each block that it is in.
    members: Vec<BTreeMap<BlockId, StateId>>,
    /// Of each group, where it leads by an exception that comes to a handler.
    caught: Vec<BTreeMap<BlockId, StateId>>,
}

impl Groups {
    fn new(automaton: &Automaton, places: &[BlockState]) -> Groups {
        let of = places.iter().enumerate().map(|(i, place)| (*place, i)).collect();
        let caught = |&(block, state): &BlockState| {
            let handlers = &automaton.shape.handlers[block.0 as usize];
            let to = |&h: &BlockId| {
                let step = Symbol::Step(PathStep::Caught(h));
                // What it completes on its way counts, too: not settled.
                (h, automaton.trie.step(state, step))
            };
            handlers.iter().map(to).collect()
        };
        Groups {
            of,
            members: places.iter().map(|&place| BTreeMap::from([place])).collect(),
            caught: places.iter().map(caught).collect(),
        }
    }

    /// Joins the groups of two places, if they can have one number.
    fn join(&mut self, a: BlockState, b: BlockState) {
        let (Some(&a), Some(&b)) = (self.of.get(&a), self.of.get(&b)) else { return };
        if a == b {
            return;
        }
        let smaller_last = |x: usize, y: usize| match self.members[x].len() < self.members[y].len()
        {
            true => (y, x),
            false => (x, y),
        };
        let (keep, go) = smaller_last(a, b);
        let apart = self.members[go].keys().any(|block| self.members[keep].contains_key(block))
            || self.caught[go]
                .iter()
                .any(|(h, state)| self.caught[keep].get(h).is_some_and(|other| other != state));
        if apart {
            return;
        }
        for (block, state) in std::mem::take(&mut self.members[go]) {
            self.of.insert((block, state), keep);
            self.members[keep].insert(block, state);
        }
        let caught = std::mem::take(&mut self.caught[go]);
        self.caught[keep].extend(caught);
    }
}

/// Checks that a method can take a path.
fn check(
    shape: &MethodShape,
    path: usize,
    kind: PathKind,
    steps: &[PathStep],
) -> Result<(), AutomatonError> {
    let (Some(&first), Some(last)) = (steps.first(), steps.last()) else {
        return Err(AutomatonError::Empty(path));
    };
    let at = |block: BlockId| block.0 as usize;
    if kind != PathKind::Piece && first != PathStep::Block(BlockId(0)) {
        return Err(AutomatonError::Begin { path, block: first.block().0 });
    }
    let is_caught = |step: PathStep| match step {
        PathStep::Block(_) => false,
        PathStep::Caught(h) => shape.handlers.iter().any(|of_block| of_block.contains(&h)),
    };
    let exists = at(first.block()) < shape.successors.len();
    if !exists || (matches!(first, PathStep::Caught(_)) && !is_caught(first)) {
        return Err(AutomatonError::Begin { path, block: first.block().0 });
    }
    for pair in steps.windows(2) {
        let (from, to) = (pair[0].block(), pair[1]);
        let leads = match to {
            PathStep::Block(to) => shape.successors[at(from)].contains(&to),
            PathStep::Caught(to) => shape.handlers[at(from)].contains(&to),
        };
        if !leads {
            return Err(AutomatonError::Way { path, from: from.0, to: to.block().0 });
        }
    }
    if kind == PathKind::Whole && !shape.returns[at(last.block())] {
        return Err(AutomatonError::End { path, block: last.block().0 });
    }
    Ok(())
}
