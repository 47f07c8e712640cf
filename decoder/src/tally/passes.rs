//! Numbers of times that blocks ran, computed from counts of decisions.
//!
//! Between two decisions control flows along chains of blocks with one successor. The flow from
//! branches into a chain is counted, and so is the flow out at the branch that ends it. Calls of a
//! method, exceptions that arrive at handlers, and exceptions outside of regions are not counted.
//! So:
//!
//! * Flow that reaches a branch beyond the known flow came from the entry, or from a handler.
//! * Flow to a branch beyond its decisions was ended by an exception before the branch.
//! * A chain that ends its method has no such check: its blocks are taken to end as often as they
//!   begin ([`CountAccuracy::Assumed`]). Calls of a method without a branch on the path from its
//!   entry also follow from the blocks that call it; and an initialiser of a class of which a
//!   method ran has run.

use std::collections::{HashSet, VecDeque};

use model::inlined::{Graph, NodeEnd};
use model::map::{BlockId, CallKind, MethodId, NameId, Terminator};

use crate::replay::{BlockNo, Program};

/// Rounds in which classes are found to be initialised, each by what the round before found.
const INITIALISED: usize = 8;

/// Accuracy of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CountAccuracy {
    /// It is right.
    Exact,
    /// It is not above the truth.
    AtLeast,
    /// It is right if no exception ended a block on the way, and if nothing but known calls led to
    /// the method.
    Assumed,
}

/// Number of times that methods and blocks ran, in the order of the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passes {
    /// Number of times that each block began.
    pub begun: Vec<u64>,
    /// Number of times that it did not come to its end.
    pub cut: Vec<u64>,
    /// Accuracy of each of these counts.
    pub known: Vec<CountAccuracy>,
    /// Of each way of each branch; all exact.
    pub ways: Vec<u64>,
    /// Number of times that each method was called: at least.
    pub calls: Vec<u64>,
}

impl Passes {
    /// `ways`: of all branches; `calls`: counted calls of each method; `stops`: how often blocks of
    /// regions threw.
    pub(super) fn new(
        program: &Program<'_>,
        ways: &[u64],
        calls: Vec<u64>,
        stops: Vec<(BlockNo, u64)>,
    ) -> Passes {
        let map = program.map;
        let blocks = map.methods.iter().map(|m| m.blocks.len()).sum();
        let mut stopped = vec![0_u64; blocks];
        for (BlockNo(b), n) in stops {
            stopped[b as usize] = stopped[b as usize].saturating_add(n);
        }
        let unseen = unseen(program, blocks);
        let mut handlers = vec![false; blocks];
        for h in &map.handlers {
            handlers[program.number(h.method, h.block.0).0 as usize] = true;
        }
        let mut methods = Vec::new();
        let (mut first, mut way) = (0, 0);
        for m in &map.methods {
            let shapes = m.blocks.iter().enumerate().map(|(i, b)| {
                let (next, decided) = match &b.terminator {
                    Terminator::Branch { alternatives, .. } => {
                        let counts = &ways[way..way + alternatives.len()];
                        way += alternatives.len();
                        let to = alternatives.iter().map(|a| a.0.0 as usize);
                        (Next::Branch, to.zip(counts.iter().copied()).collect())
                    }
                    Terminator::Goto(to) => (Next::Goto(to.0 as usize), Vec::new()),
                    Terminator::Return | Terminator::Throw => (Next::Out, Vec::new()),
                };
                BlockDecisions {
                    next,
                    decided,
                    may_throw: b.throws && unseen[first + i],
                    stops: stopped[first + i],
                    is_source: i == 0 || handlers[first + i],
                }
            });
            methods.push(MethodFlow::new(shapes.collect()));
            first += m.blocks.len();
        }
        let methods = with_calls(program, &methods, calls);
        let mut all = Passes {
            begun: Vec::new(),
            cut: Vec::new(),
            known: Vec::new(),
            ways: ways.to_vec(),
            calls: methods
                .iter()
                .map(|flow| flow.blocks.first().map_or(0, BlockCount::count))
                .collect(),
        };
        for flow in methods {
            for (of, shape) in flow.blocks.iter().zip(&flow.shapes) {
                let done = shape.decided.iter().fold(0_u64, |sum, d| sum.saturating_add(d.1));
                all.begun.push(of.count());
                all.cut.push(match shape.next {
                    Next::Branch => of.count().saturating_sub(done),
                    Next::Goto(_) | Next::Out => shape.stops.min(of.count()),
                });
                all.known.push(of.known);
            }
        }
        all
    }

    /// Returns how many blocks that ran have a count of each accuracy: exact, at least, assumed.
    pub fn blocks_known(&self) -> [u64; 3] {
        let mut blocks = [0; 3];
        let ran = self.known.iter().zip(&self.begun).filter(|(_, n)| **n > 0);
        ran.for_each(|(known, _)| blocks[*known as usize] += 1);
        blocks
    }
}

/// Returns a flag per block: true if an exception can end it without a symbol. These are the blocks
/// outside of regions, at least where their code is inlined. Blocks that wait for inlined code are
/// also among them: an exception in that code ends them as well, and is counted as that code's.
pub(super) fn unseen(program: &Program<'_>, blocks: usize) -> Vec<bool> {
    let map = program.map;
    let mut unseen = vec![false; blocks];
    for (id, m) in (1..).map(MethodId).zip(&map.methods) {
        let inside: HashSet<BlockId> =
            m.regions.iter().flat_map(|r| r.inside.iter().copied()).collect();
        let Ok(graph) = map.graph(id) else { continue };
        let waits = |node: &BlockId| match &graph {
            Graph::Blocks(_) => false,
            Graph::Nodes(nodes) => matches!(nodes[node.0 as usize].end, NodeEnd::Enter(_)),
        };
        let nodes = (0..graph.len() as u32).map(BlockId);
        for node in nodes.filter(|node| !inside.contains(node) || waits(node)) {
            unseen[program.reported(id, node).0 as usize] = true;
        }
    }
    unseen
}

/// Returns the methods with the flow that follows from calls. A class of which a method ran is
/// initialised: where no call determines the count of its initialiser, it ran once.
fn with_calls(
    program: &Program<'_>,
    methods: &[MethodFlow],
    mut calls: Vec<u64>,
) -> Vec<MethodFlow> {
    let map = program.map;
    let is_initialiser = |at: usize| map.name(map.methods[at].name) == "<clinit>";
    let initialisers: Vec<usize> = (0..methods.len()).filter(|&at| is_initialiser(at)).collect();
    let round = |calls: &[u64]| {
        let mut all = methods.to_vec();
        enter(program, &mut all, &mut calls.to_vec());
        let began = |at: usize| all[at].blocks.first().is_some_and(|b| b.count() > 0);
        let ran: HashSet<NameId> =
            (0..all.len()).filter(|&at| began(at)).map(|at| map.methods[at].class).collect();
        let mut missing = initialisers.clone();
        missing.retain(|&at| {
            let waits = calls[at] == 0 && !began(at) && methods[at].is_open();
            waits && ran.contains(&map.methods[at].class)
        });
        (all, missing)
    };
    // Initialisers that initialise others take a few rounds; a map with more was made to take time.
    for _ in 0..INITIALISED {
        let (all, missing) = round(&calls);
        if missing.is_empty() {
            return all;
        }
        missing.into_iter().for_each(|at| calls[at] = 1);
    }
    round(&calls).0
}

/// Adds calls, which follow from the blocks that call. A method whose calls no branch determines
/// waits for its callers.
fn enter(program: &Program<'_>, methods: &mut [MethodFlow], calls: &mut [u64]) {
    let map = program.map;
    let callees = |at: usize, block: usize| {
        let calls = map.methods[at].blocks[block].calls.iter().filter_map(|c| match c.call {
            CallKind::Predicted(m) | CallKind::Implied(m) => Some(m.0 as usize - 1),
            CallKind::Slot(_) => None,
        });
        calls.collect::<Vec<_>>()
    };
    // How many calls that wait for their callers' calls lead to each method.
    let mut waiting = vec![0_u32; methods.len()];
    for (at, flow) in methods.iter().enumerate() {
        for (block, of) in flow.blocks.iter().enumerate().filter(|(_, of)| of.count() > 0) {
            for callee in callees(at, block) {
                calls[callee] = calls[callee].saturating_add(of.count());
            }
        }
        flow.open.iter().flat_map(|&b| callees(at, b)).for_each(|m| waiting[m] += 1);
    }
    let mut done = vec![false; methods.len()];
    let mut ready: VecDeque<usize> =
        (0..methods.len()).filter(|&at| waiting[at] == 0 && methods[at].is_open()).collect();
    // Methods that wait for each other go last, with the calls that are known then.
    let mut circles = 0..methods.len();
    loop {
        let next = ready.pop_front().or_else(|| circles.find(|&at| methods[at].is_open()));
        let Some(at) = next else { return };
        if std::mem::replace(&mut done[at], true) {
            continue;
        }
        let open = methods[at].open.clone();
        let entered = methods[at].enter(calls[at]);
        for callee in open.into_iter().flat_map(|b| callees(at, b)) {
            calls[callee] = calls[callee].saturating_add(entered);
            waiting[callee] -= 1;
            if waiting[callee] == 0 && methods[callee].is_open() {
                ready.push_back(callee);
            }
        }
    }
}

/// End of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Goto(usize),
    Branch,
    /// It leaves the method.
    Out,
}

/// A block, and what was counted at it.
#[derive(Debug, Clone)]
struct BlockDecisions {
    next: Next,
    /// Targets of its alternatives, with the number of times that each was taken.
    decided: Vec<(usize, u64)>,
    /// An exception can end it unseen.
    may_throw: bool,
    /// Number of recorded exceptions.
    stops: u64,
    /// It is entered from outside: by calls, or by exceptions.
    is_source: bool,
}

/// Number of times that a block began.
#[derive(Debug, Clone, Copy)]
struct BlockCount {
    /// Below 0 where what threw came from calls that are not known yet.
    begun: i128,
    known: CountAccuracy,
}

impl BlockCount {
    fn count(&self) -> u64 {
        u64::try_from(self.begun.max(0)).unwrap_or(u64::MAX)
    }
}

/// Flow through a method.
#[derive(Debug, Clone)]
struct MethodFlow {
    shapes: Vec<BlockDecisions>,
    blocks: Vec<BlockCount>,
    /// From which blocks with one successor each one is gone to.
    before: Vec<Vec<usize>>,
    /// Number of entries and handlers from which the chains to each block come.
    sources: Vec<u32>,
    /// Blocks from the entry on whose counts follow only from calls of the method.
    open: Vec<usize>,
    /// Upper bound of the calls that lead to them.
    most: u64,
}

impl MethodFlow {
    fn new(shapes: Vec<BlockDecisions>) -> MethodFlow {
        let len = shapes.len();
        let mut before = vec![Vec::new(); len];
        let mut begun = vec![0_i128; len];
        for (b, shape) in shapes.iter().enumerate() {
            if let Next::Goto(to) = shape.next {
                before[to].push(b);
            }
            shape.decided.iter().for_each(|&(to, n)| begun[to] += i128::from(n));
        }
        // From branches alone, and as if nothing threw unseen. What goes round for ever is not in
        // the order.
        let mut sources: Vec<u32> = shapes.iter().map(|s| u32::from(s.is_source)).collect();
        let mut lossless = vec![true; len];
        let mut ordered = vec![false; len];
        let mut waiting: Vec<usize> = before.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..len).filter(|&b| waiting[b] == 0).collect();
        let mut at = 0;
        while let Some(&b) = order.get(at) {
            (at, ordered[b]) = (at + 1, true);
            if let Next::Goto(to) = shapes[b].next {
                begun[to] += begun[b] - i128::from(shapes[b].stops);
                lossless[to] &= lossless[b] && !shapes[b].may_throw;
                sources[to] = sources[to].saturating_add(sources[b]);
                waiting[to] -= 1;
                if waiting[to] == 0 {
                    order.push(to);
                }
            }
        }
        let known = |b: usize| match (ordered[b] && lossless[b], sources[b]) {
            (true, 0) => CountAccuracy::Exact,
            (true, _) => CountAccuracy::AtLeast,
            (false, _) => CountAccuracy::Assumed,
        };
        let blocks =
            begun.iter().enumerate().map(|(b, &n)| BlockCount { begun: n, known: known(b) });
        let blocks = blocks.collect();
        let mut flow =
            MethodFlow { shapes, blocks, before, sources, open: Vec::new(), most: u64::MAX };
        let mut most = u64::MAX;
        for end in order {
            if flow.shapes[end].next != Next::Branch {
                continue;
            }
            let more = flow.settle(end);
            if flow.chain(0).last() == Some(&end) {
                most = u64::try_from(more.max(0)).unwrap_or(u64::MAX);
            }
        }
        flow.find_open(most);
        flow
    }

    /// The blocks from this one to the branch or end of its chain, or until it goes round.
    fn chain(&self, from: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut next = (from < self.shapes.len()).then_some(from);
        while let Some(b) = next.filter(|_| chain.len() < self.shapes.len()) {
            chain.push(b);
            next = match self.shapes[b].next {
                Next::Goto(to) => Some(to),
                Next::Branch | Next::Out => None,
            };
        }
        chain
    }

    /// Compares what flows to a branch with what it decided: how much more came.
    fn settle(&mut self, end: usize) -> i128 {
        let BlockDecisions { decided, stops, .. } = &self.shapes[end];
        let came = decided.iter().fold(i128::from(*stops), |sum, d| sum + i128::from(d.1));
        let more = came - self.blocks[end].begun;
        let mut all = vec![end];
        let mut at = 0;
        while let Some(&b) = all.get(at) {
            at += 1;
            all.extend_from_slice(&self.before[b]);
        }
        let loses = all.iter().any(|&b| self.shapes[b].may_throw);
        for b in all {
            let of = &mut self.blocks[b];
            if self.sources[b] == self.sources[end] {
                // All flow from outside passes here. So the flow that reached the end did, except
                // for
                // flow that joins later, of which no more can have come than is known.
                of.begun += more;
                let nothing_lost = match self.sources[end] {
                    0 => more == 0,
                    1 => !loses,
                    _ => false,
                };
                of.known = match of.known {
                    CountAccuracy::Exact => {
                        of.begun -= more;
                        CountAccuracy::Exact
                    }
                    _ if nothing_lost => CountAccuracy::Exact,
                    _ => CountAccuracy::AtLeast,
                };
            } else if of.known == CountAccuracy::Assumed {
                of.begun += more.min(0);
            }
        }
        more
    }

    /// Finds the blocks whose counts follow from calls of the method; at most `most` calls came to
    /// the branch that ends their chain, from the entry or from handlers.
    fn find_open(&mut self, most: u64) {
        let chain = self.chain(0);
        let Some(&end) = chain.last() else { return };
        match self.shapes[end].next {
            Next::Out => self.open = chain,
            Next::Branch => {
                let alone = |b: &usize| self.sources[*b] < self.sources[end];
                self.open = chain.into_iter().take_while(alone).collect();
                self.most = most;
            }
            Next::Goto(_) => {}
        }
    }

    fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Adds calls, as far as no branch bounds them. Returns how many were added.
    fn enter(&mut self, calls: u64) -> u64 {
        let calls = calls.min(self.most);
        for b in std::mem::take(&mut self.open) {
            let of = &mut self.blocks[b];
            of.begun += i128::from(calls);
            of.known = CountAccuracy::Assumed;
        }
        calls
    }
}

#[cfg(test)]
mod tests;
