//! Bounds that a device's counts give on the paths of a method, where not all edges are counted.
//!
//! A build that counts records how often each alternative of each branch was taken. It does not
//! record how often methods were called, exceptions arrived at handlers, and exceptions ended a
//! block unseen. So other edges are known only *between* two bounds, and the flow into a block need
//! not come out. A path ran at most as often as the least of the upper bounds of its edges, and at
//! least as often as the passes that remain when at each block all flow from elsewhere takes its
//! edge.
//!
//! A region has a count for each path through it. So the flow that enters its head is known per
//! sequence of edges: a *run*. A path that contains a run is bounded by the run's count, not by its
//! edges' counts.
//!
//! ```
//! use model::path_profiles::bounds::{BlockCounts, BoundedFlow};
//! use model::path_profiles::method_graph::MethodGraph;
//! # use model::map::{Block, BlockId, BranchIdentity, Terminator};
//! # let block = |to: &[u32]| Block {
//! #     pc: 0, end: 0, lines: vec![], calls: vec![], throws: false, mark: false,
//! #     terminator: match to {
//! #         [] => Terminator::Return,
//! #         [to] => Terminator::Goto(BlockId(*to)),
//! #         _ => Terminator::Branch {
//! #             alternatives: to.iter().map(|&to| (BlockId(to), 1)).collect(),
//! #             identity: BranchIdentity { fingerprint: 0 },
//! #         },
//! #     },
//! # };
//! // Two diamonds: 0 → 1|2 → 3 → 4|5 → 6. The first arms were taken 90 times of 100 each, and
//! // block 1 may end in an exception that nobody sees.
//! let to: [&[u32]; 7] = [&[1, 2], &[3], &[3], &[4, 5], &[6], &[6], &[]];
//! let blocks: Vec<Block> = to.iter().map(|to| block(to)).collect();
//! let graph = MethodGraph::new(&blocks, &[])?;
//! let branch = |a, b| BlockCounts { decided: vec![a, b], stops: Some(0) };
//! let quiet = || BlockCounts { decided: vec![], stops: Some(0) };
//! let mut counts: Vec<BlockCounts> = (0..7).map(|_| quiet()).collect();
//! (counts[0], counts[3]) = (branch(90, 10), branch(88, 10));
//! counts[1].stops = None;
//! let flow = BoundedFlow::new(&graph, &blocks, &[], &counts, &[])?;
//! let way = |block, number| graph.way(block, number).unwrap().edge;
//! let begin = graph.begin(0).unwrap();
//! // 88 came out of block 1, for the others did not throw; of these, ten at most went to block 5.
//! let left = [begin, way(0, 0), way(1, 0), way(3, 0), way(4, 0), way(6, 0)];
//! assert_eq!((flow.definite(&left), flow.potential(&left)), (78, Some(88)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashMap;

use thiserror::Error;

use super::flow_graph::{FlowCounts, FlowGraph};
use super::method_graph::MethodGraph;
use crate::graph::ids::BlockId;
use crate::map::{Block, Terminator};

/// Rounds in which bounds are narrowed. Each is right after any number of rounds.
const ROUNDS: usize = 64;

/// A count that is known to lie between two bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between {
    /// It is not below this.
    pub least: u64,
    /// Upper bound; `None`: nothing bounds it.
    pub most: Option<u64>,
}

impl Between {
    /// Nothing is known.
    pub const UNKNOWN: Between = Between { least: 0, most: None };

    /// A count that was counted. The highest one stands for all that no 64 bits hold.
    pub fn exact(n: u64) -> Between {
        Between { least: n, most: (n < u64::MAX).then_some(n) }
    }

    /// The count, if there is one only.
    pub fn known(self) -> Option<u64> {
        self.most.filter(|most| *most == self.least)
    }

    /// The bounds of a sum.
    pub fn sum(all: impl IntoIterator<Item = Between>) -> Between {
        all.into_iter().fold(Between::exact(0), |sum, n| Between {
            least: sum.least.saturating_add(n.least),
            most: sum.most.zip(n.most).and_then(|(a, b)| a.checked_add(b)),
        })
    }

    /// With what else is known.
    fn narrow(&mut self, by: Between, changed: &mut bool) {
        let before = *self;
        self.least = self.least.max(by.least);
        self.most = match (self.most, by.most) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        *changed |= before != *self;
    }

    fn contradicts(self) -> bool {
        self.most.is_some_and(|most| most < self.least)
    }
}

/// Counts of a block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockCounts {
    /// Count of each alternative of a block that ends in a branch; else empty.
    pub decided: Vec<u64>,
    /// Number of exceptions that ended it; `None`: they may have, unseen.
    pub stops: Option<u64>,
}

/// Passes that were counted from a block on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionRun {
    /// The block: whatever decided there is in one of its runs.
    pub block: usize,
    /// The number of the way out of the block, and out of each that followed.
    pub ways: Vec<(usize, usize)>,
    /// Number of times that it ran.
    pub times: u64,
}

/// Reasons why counts are not valid for a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BoundsError {
    /// Counts of other blocks than the method has.
    #[error("block {0} has other ways than were counted")]
    Shape(usize),
    /// More went one way than can have come. Counts that were written while the method ran can be
    /// of different moments.
    #[error("the counts contradict each other at block {0}")]
    Contradiction(usize),
}

/// A run, as edges of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EdgeRun {
    edges: Vec<usize>,
    times: u64,
}

/// Bounds of the passes over an edge of a path.
#[derive(Debug, Clone, Copy)]
struct Prefix {
    /// Lower bound of the passes that came on the path.
    sure: u128,
    /// Upper bound of the passes that came on other paths; `None`: nothing bounds them.
    beside: Option<u128>,
}

impl Prefix {
    /// With what else is known.
    fn and(self, other: Prefix) -> Prefix {
        let beside = least(self.beside, other.beside);
        Prefix { sure: self.sure.max(other.sure), beside }
    }
}

/// The lower one of two bounds.
fn least(a: Option<u128>, b: Option<u128>) -> Option<u128> {
    a.into_iter().chain(b).min()
}

/// The graph of a method with bounds of its edges' counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundedFlow<'g> {
    graph: &'g FlowGraph,
    edges: Vec<Between>,
    /// The most that can have passed each vertex.
    through: Vec<Option<u64>>,
    /// By vertex: runs from it on.
    runs: HashMap<usize, Vec<EdgeRun>>,
}

/// Bounds of a method's blocks, while they are narrowed.
struct Narrowing<'a> {
    graph: &'a MethodGraph,
    counts: &'a [BlockCounts],
    /// Ways into each block.
    into: Vec<Vec<(usize, usize)>>,
    /// Calls or exceptions lead there.
    is_source: Vec<bool>,
    begun: Vec<Between>,
    ways: Vec<Vec<Between>>,
}

impl<'a> Narrowing<'a> {
    fn new(
        graph: &'a MethodGraph,
        blocks: &[Block],
        handlers: &[BlockId],
        counts: &'a [BlockCounts],
    ) -> Result<Narrowing<'a>, BoundsError> {
        if blocks.len() != counts.len() {
            return Err(BoundsError::Shape(blocks.len().min(counts.len())));
        }
        let mut into = vec![Vec::new(); blocks.len()];
        let mut ways = Vec::new();
        for (at, (block, counted)) in blocks.iter().zip(counts).enumerate() {
            let known: Vec<Between> = match &block.terminator {
                Terminator::Branch { alternatives, .. } => {
                    if counted.decided.len() != alternatives.len() {
                        return Err(BoundsError::Shape(at));
                    }
                    counted.decided.iter().map(|&n| Between::exact(n)).collect()
                }
                // What throws completes no path.
                Terminator::Throw => vec![Between::exact(0)],
                Terminator::Goto(_) | Terminator::Return => vec![Between::UNKNOWN],
            };
            for (number, way) in graph.ways(at).iter().enumerate() {
                if let Some(to) = way.to {
                    into[to.0 as usize].push((at, number));
                }
            }
            ways.push(known);
        }
        let mut is_source = vec![false; blocks.len()];
        let sources = handlers.iter().map(|h| h.0 as usize).chain([0]);
        for at in sources.filter(|at| *at < blocks.len()) {
            is_source[at] = true;
        }
        let begun = vec![Between::UNKNOWN; blocks.len()];
        Ok(Narrowing { graph, counts, into, is_source, begun, ways })
    }

    fn all(mut self) -> Result<Self, BoundsError> {
        for round in 0..ROUNDS {
            let mut changed = false;
            for i in 0..self.begun.len() {
                // Along chains in both directions.
                let at = if round % 2 == 0 { i } else { self.begun.len() - 1 - i };
                self.block(at, &mut changed);
                let wrong = self.ways[at].iter().any(|way| way.contradicts());
                if wrong || self.begun[at].contradicts() {
                    return Err(BoundsError::Contradiction(at));
                }
            }
            if !changed {
                break;
            }
        }
        Ok(self)
    }

    /// Tightens the bounds of the edges into and out of a block by each other.
    fn block(&mut self, at: usize, changed: &mut bool) {
        if self.graph.ways(at).is_empty() {
            return;
        }
        let out = Between::sum(self.ways[at].iter().copied());
        let stops = self.counts[at].stops.map_or(Between::UNKNOWN, Between::exact);
        let came = Between::sum(self.into[at].iter().map(|&(b, n)| self.ways[b][n]));
        let begun = &mut self.begun[at];
        begun.narrow(Between::sum([out, stops]), changed);
        let most = if self.is_source[at] { None } else { came.most };
        begun.narrow(Between { least: came.least, most }, changed);
        let begun = *begun;
        if let [way] = &mut self.ways[at][..] {
            way.narrow(less(begun, stops), changed);
        }
        for i in 0..self.into[at].len() {
            let (from, number) = self.into[at][i];
            let others = self.into[at].iter().enumerate().filter(|(j, _)| *j != i);
            let others = Between::sum(others.map(|(_, &(b, n))| self.ways[b][n]));
            let mut by = less(begun, others);
            if self.is_source[at] {
                by.least = 0;
            }
            self.ways[from][number].narrow(by, changed);
        }
    }

    /// Returns how many paths begin at a block.
    fn begins(&self, at: usize) -> Between {
        let goes_back = |&&(b, n): &&(usize, usize)| self.graph.ways(b)[n].goes_back;
        let (back, onwards): (Vec<_>, Vec<_>) = self.into[at].iter().partition(goes_back);
        let sum =
            |ways: &[&(usize, usize)]| Between::sum(ways.iter().map(|&&(b, n)| self.ways[b][n]));
        let (back, mut begins) = (sum(&back), less(self.begun[at], sum(&onwards)));
        let most = if self.is_source[at] { None } else { back.most };
        begins.narrow(Between { least: back.least, most }, &mut false);
        begins
    }
}

/// Returns the bounds of a count minus a part of it.
fn less(all: Between, part: Between) -> Between {
    Between {
        least: part.most.map_or(0, |most| all.least.saturating_sub(most)),
        most: all.most.map(|most| most.saturating_sub(part.least)),
    }
}

impl<'g> BoundedFlow<'g> {
    /// Bounds the flow of a method with these blocks, of which `handlers` are entered by
    /// exceptions.
    ///
    /// # Errors
    /// [`BoundsError`].
    /// [`BoundsError`].
    pub fn new(
        graph: &'g MethodGraph,
        blocks: &[Block],
        handlers: &[BlockId],
        counts: &[BlockCounts],
        runs: &[RegionRun],
    ) -> Result<BoundedFlow<'g>, BoundsError> {
        let narrowed = Narrowing::new(graph, blocks, handlers, counts)?.all()?;
        let mut edges = vec![Between::exact(0); graph.graph.edges().len()];
        let mut through = vec![None; graph.graph.vertices()];
        for at in 0..blocks.len() {
            for (way, known) in graph.ways(at).iter().zip(&narrowed.ways[at]) {
                edges[way.edge] = *known;
                through[graph.graph.edges()[way.edge].0] = narrowed.begun[at].most;
            }
            if let Some(begin) = graph.begin(at) {
                edges[begin] = narrowed.begins(at);
                if edges[begin].contradicts() {
                    return Err(BoundsError::Contradiction(at));
                }
            }
        }
        let mut by_vertex: HashMap<usize, Vec<EdgeRun>> = HashMap::new();
        for run in runs {
            let ways = run.ways.iter().map(|&(block, number)| graph.way(block, number));
            let ways: Option<Vec<_>> = ways.collect();
            let ways = ways.ok_or(BoundsError::Shape(run.block))?;
            let edges: Vec<usize> = ways.iter().map(|way| way.edge).collect();
            let Some(&first) = edges.first() else { continue };
            let vertex = graph.graph.edges()[first].0;
            by_vertex.entry(vertex).or_default().push(EdgeRun { edges, times: run.times });
        }
        Ok(BoundedFlow { graph: &graph.graph, edges, through, runs: by_vertex })
    }

    /// Returns the bounds that hold without runs.
    #[must_use]
    pub fn by_edges_alone(&self) -> BoundedFlow<'g> {
        BoundedFlow { runs: HashMap::new(), ..self.clone() }
    }

    /// Returns the bounds of an edge's count.
    pub fn edge(&self, edge: usize) -> Between {
        self.edges[edge]
    }

    /// Returns the bounds of the number of complete paths.
    pub fn passes(&self) -> Between {
        let ends = |edge: &usize| self.graph.is_sink(self.graph.edges()[*edge].1);
        Between::sum((0..self.edges.len()).filter(ends).map(|edge| self.edges[edge]))
    }

    /// The counts, where each edge's is known and what goes into each block comes out.
    pub fn exact(&self) -> Option<FlowCounts<'g>> {
        let counts: Option<Vec<u64>> = self.edges.iter().map(|edge| edge.known()).collect();
        self.graph.counts(counts?).ok()
    }

    /// Returns the upper bound of a path's count: from the source to the sink, or a part of such a
    /// path. `None`: nothing bounds it.
    pub fn potential(&self, path: &[usize]) -> Option<u128> {
        let edges = path.iter().filter_map(|&edge| self.edges[edge].most).map(u128::from);
        let runs = (0..path.len()).filter_map(|at| {
            let runs = self.runs.get(&self.graph.edges()[path[at]].0)?;
            // A part of a path may end within a run.
            let fits = |run: &&EdgeRun| {
                let len = run.edges.len().min(path.len() - at);
                run.edges[..len] == path[at..at + len]
            };
            Some(runs.iter().filter(fits).map(|run| u128::from(run.times)).sum())
        });
        edges.chain(runs).min()
    }

    /// The least often that it must have run.
    pub fn definite(&self, path: &[usize]) -> u128 {
        let Some((&first, rest)) = path.split_first() else { return 0 };
        // Bounds after each edge of the path.
        let mut known = vec![self.begin(first)];
        known.extend(rest.iter().map(|_| Prefix { sure: 0, beside: None }));
        for at in 0..rest.len() {
            for (edges, next) in self.steps(path[at], known[at], rest[at]) {
                let to = at + edges.len();
                if rest.get(at..to) == Some(&edges[..]) {
                    known[to] = known[to].and(next);
                }
            }
        }
        known[rest.len()].sure
    }

    /// A path that is its first edge as yet.
    fn begin(&self, edge: usize) -> Prefix {
        Prefix { sure: u128::from(self.edges[edge].least), beside: Some(0) }
    }

    /// Returns the edges that may follow an edge of a path with these bounds, from `next` on (the
    /// next edge itself, or a run), and the bounds after them.
    fn steps(&self, edge: usize, known: Prefix, next: usize) -> Vec<(Vec<usize>, Prefix)> {
        let vertex = self.graph.edges()[edge].1;
        let others = self.graph.edges_into(vertex).iter().filter(|&&other| other != edge);
        let others = others.map(|&other| self.edges[other].most.map(u128::from));
        let others = others.sum::<Option<u128>>();
        // What came to the vertex, but not on the path.
        let by_edges = known.beside.zip(others).map(|(beside, others)| beside + others);
        let through = self.through[vertex].map(u128::from);
        let beside = least(by_edges, through.map(|all| all.saturating_sub(known.sure)));
        let sure = |n: u64| beside.map_or(0, |beside| u128::from(n).saturating_sub(beside));
        let Between { least: at_least, most } = self.edges[next];
        let one = Prefix { sure: sure(at_least), beside: least(beside, most.map(u128::from)) };
        let mut all = vec![(vec![next], one)];
        for run in self.runs.get(&vertex).into_iter().flatten() {
            all.push((run.edges.clone(), Prefix { sure: sure(run.times), beside: None }));
        }
        for (edges, known) in &mut all {
            let most = edges.last().and_then(|&last| self.edges[last].most).map(u128::from);
            let rest = most.map(|most| most.saturating_sub(known.sure));
            known.beside = least(known.beside, rest);
        }
        all
    }

    /// Returns true if a lower bound above 0 holds for the passes that came over the path's last
    /// edge.
    fn tells(&self, last: usize, known: Prefix) -> bool {
        let most = self.edges[last].most.map(u128::from);
        known.sure > 0 || known.beside.is_some_and(|beside| most.is_none_or(|most| beside < most))
    }

    /// Returns how often it would have run if its edges were independent: each taken with the
    /// frequency of all passes through the block before it. `None` where one of these counts is not
    /// known.
    pub fn independent(&self, path: &[usize]) -> Option<f64> {
        let (&first, rest) = path.split_first()?;
        let begun = self.edges[first].known()? as f64;
        rest.iter().try_fold(begun, |passes, &edge| {
            let out = self.edges[edge].known()? as f64;
            let through = self.through[self.graph.edges()[edge].0]?;
            Some(passes * out / through.max(1) as f64)
        })
    }

    /// Paths that must have run, each with how often at least; looking for no more than `most`, so
    /// that of many some may be missing.
    pub fn definite_paths(&self, most: usize) -> Vec<(Vec<usize>, u128)> {
        let mut found: HashMap<Vec<usize>, u128> = HashMap::new();
        let mut open: Vec<(Vec<usize>, Prefix)> = Vec::new();
        let begins = self.graph.edges_out(self.graph.source());
        open.extend(begins.iter().map(|&e| (vec![e], self.begin(e))));
        let mut looked = 0;
        while let Some((path, known)) = open.pop().filter(|_| looked < 64 * most) {
            looked += 1;
            let last = path[path.len() - 1];
            if !self.tells(last, known) {
                continue;
            }
            let at = self.graph.edges()[last].1;
            if self.graph.is_sink(at) {
                let sure = self.definite(&path);
                if sure > 0 && found.len() < most {
                    found.insert(path, sure);
                }
                continue;
            }
            // Runs would come once for each way out.
            for (number, &edge) in self.graph.edges_out(at).iter().enumerate() {
                let steps = self.steps(last, known, edge).into_iter();
                let steps = steps.filter(|(to, _)| to.len() == 1 || number == 0);
                open.extend(steps.map(|(to, known)| ([&path[..], &to].concat(), known)));
            }
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// Returns at most `most` paths that can have run, and true if these are all.
    pub fn possible_paths(&self, most: usize) -> (Vec<Vec<usize>>, bool) {
        let can = |edge: &&usize| self.edges[**edge].most != Some(0);
        let mut found = Vec::new();
        let mut open: Vec<Vec<usize>> = Vec::new();
        let begins = self.graph.edges_out(self.graph.source());
        open.extend(begins.iter().filter(can).rev().map(|&e| vec![e]));
        let mut looked = 0;
        while let Some(path) = open.pop() {
            looked += 1;
            if found.len() == most || looked > 64 * most {
                return (found, false);
            }
            let at = self.graph.edges()[path[path.len() - 1]].1;
            if self.graph.is_sink(at) {
                found.push(path);
                continue;
            }
            let longer = self.graph.edges_out(at).iter().filter(can).rev();
            let longer = longer.map(|&edge| [&path[..], &[edge]].concat());
            open.extend(longer.filter(|path| self.potential(path) != Some(0)));
        }
        (found, true)
    }
}

#[cfg(test)]
mod tests;
