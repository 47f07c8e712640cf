//! Placement of counters, so that the counts of all alternatives of a method's branches follow.
//!
//! The flow into a block is the flow out of it. So on a spanning tree of the graph no edge needs a
//! counter (Knuth 1973; Ball and Larus, "Optimally profiling and tracing programs", 1994). Here the
//! graph has one more vertex, the *outside*: the source of calls and the target of returns. An
//! exception leaves a block for the outside, unseen: no code fits there. And it arrives at a
//! handler from there. So these edges are in the tree before all others, and edges that do not
//! follow without them are counted.
//!
//! ```
//! use model::path_profiles::placement::{WeightedEdge, CounterGraph, Requirement};
//!
//! // Two diamonds: 1 → 2|3 → 4 → 5|6 → 7; 0 is the outside. Each arm ran 90 or 10 times of 100.
//! let way = |from, to, weight| WeightedEdge { from, to, weight, role: Requirement::Required };
//! let free = |from, to, weight| WeightedEdge { from, to, weight, role: Requirement::Free };
//! let mut edges = vec![way(1, 2, 90), way(1, 3, 10), way(4, 5, 90), way(4, 6, 10)];
//! edges.extend([free(0, 1, 100), free(2, 4, 90), free(3, 4, 10)]);
//! edges.extend([free(5, 7, 90), free(6, 7, 10), free(7, 0, 100)]);
//! let flow = CounterGraph::new(8, edges.clone())?;
//! let placement = flow.place();
//! assert_eq!((flow.direct_cost(), placement.cost), (200, 110));
//!
//! // Where both decisions can throw, nothing follows.
//! let unseen = |from| WeightedEdge { from, to: 0, weight: 0, role: Requirement::Unseen };
//! edges.extend([1, 4].map(unseen));
//! assert_eq!(CounterGraph::new(8, edges)?.place().cost, 200);
//! # Ok::<(), model::path_profiles::placement::PlacementError>(())
//! ```

use thiserror::Error;

use crate::graph::ids::BlockId;
use crate::map::{Block, Terminator};

#[cfg(test)]
mod tests;

/// The vertex that stands for all that is outside.
pub const OUTSIDE: usize = 0;

/// Reasons why counters cannot be placed, or why counts are not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PlacementError {
    /// An edge to or from a vertex that is not there.
    #[error("edge {edge} names a vertex that the graph does not have")]
    Vertex {
        /// Its position.
        edge: usize,
    },
    /// Not one count for each counter.
    #[error("{counts} counts for {counters} counters")]
    Length {
        /// Counts.
        counts: usize,
        /// Counters.
        counters: usize,
    },
    /// The counts contradict each other: an edge would have run less often than never.
    #[error("the counters contradict each other: edge {edge} would have run {count} times")]
    Negative {
        /// Its position.
        edge: usize,
        /// Count that follows for it.
        count: i128,
    },
    /// More leaves a block than comes to it.
    #[error("the counters contradict each other: {more} more leave vertex {vertex} than reach it")]
    NotConserved {
        /// The vertex.
        vertex: usize,
        /// Surplus of its flow out.
        more: i128,
    },
}

/// Requirement on an edge's count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Requirement {
    /// The number of times that it ran must follow.
    Required,
    /// Nothing. It may be counted.
    Free,
    /// Nothing, and no code fits on it: an exception that leaves a block.
    Unseen,
}

/// An edge of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedEdge {
    /// Vertex where it begins.
    pub from: usize,
    /// Vertex where it ends.
    pub to: usize,
    /// Expected number of times that it runs.
    pub weight: u64,
    /// Requirement on its count.
    pub role: Requirement,
}

/// The graph of a method, with the outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterGraph {
    vertices: usize,
    edges: Vec<WeightedEdge>,
}

/// The edges that have a counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// Positions of the edges with a counter, ascending.
    pub counters: Vec<usize>,
    /// Expected number of increments.
    pub cost: u128,
    /// True if all edges but the unseen ones follow; false: the required ones alone.
    pub determines_all: bool,
}

/// Sets of vertices that are connected.
struct Joined(Vec<usize>);

impl Joined {
    fn new(vertices: usize) -> Joined {
        Joined((0..vertices).collect())
    }

    fn of(&mut self, mut vertex: usize) -> usize {
        while self.0[vertex] != vertex {
            self.0[vertex] = self.0[self.0[vertex]];
            vertex = self.0[vertex];
        }
        vertex
    }

    /// Joins the ends of an edge; returns true if they were apart.
    fn join(&mut self, edge: WeightedEdge) -> bool {
        let (a, b) = (self.of(edge.from), self.of(edge.to));
        self.0[a] = b;
        a != b
    }
}

impl CounterGraph {
    /// Makes a graph of `vertices` vertices; vertex 0 is the outside.
    ///
    /// # Errors
    /// [`PlacementError::Vertex`].
    pub fn new(vertices: usize, edges: Vec<WeightedEdge>) -> Result<CounterGraph, PlacementError> {
        match edges.iter().position(|e| e.from >= vertices || e.to >= vertices) {
            Some(edge) => Err(PlacementError::Vertex { edge }),
            None => Ok(CounterGraph { vertices, edges }),
        }
    }

    /// Makes the graph of a method: block b is vertex b + 1. `gathered` blocks, of regions and
    /// counted loops, belong to the outside: their decisions are counted otherwise, and so are all
    /// edges out of them. `weight` of a block and one of its alternatives, of a block without a
    /// branch alternative 0; `entered`: how often calls, or exceptions, begin at a block.
    ///
    /// Edges come in the order of the blocks and their alternatives; after them those from the
    /// outside and the unseen ones.
    ///
    /// # Errors
    /// [`PlacementError::Vertex`] where a block leads to one that is not there.
    pub fn of_blocks(
        blocks: &[Block],
        handlers: &[BlockId],
        gathered: &dyn Fn(BlockId) -> bool,
        weight: &dyn Fn(BlockId, usize) -> u64,
        entered: &dyn Fn(BlockId) -> u64,
    ) -> Result<CounterGraph, PlacementError> {
        let vertex = |b: BlockId| if gathered(b) { OUTSIDE } else { b.0 as usize + 1 };
        let mut edges = Vec::new();
        for (id, block) in (0..).map(BlockId).zip(blocks) {
            let from = vertex(id);
            let mut lead = |to: usize, alternative: usize, role: Requirement| {
                edges.push(WeightedEdge { from, to, weight: weight(id, alternative), role });
            };
            match &block.terminator {
                Terminator::Return | Terminator::Throw => lead(OUTSIDE, 0, Requirement::Free),
                Terminator::Goto(to) => lead(vertex(*to), 0, Requirement::Free),
                Terminator::Branch { alternatives, .. } => {
                    let role =
                        if from == OUTSIDE { Requirement::Free } else { Requirement::Required };
                    for (i, (to, _)) in alternatives.iter().enumerate() {
                        lead(vertex(*to), i, role);
                    }
                }
            }
        }
        let begin = |at: BlockId| {
            let (weight, role) = (entered(at), Requirement::Free);
            WeightedEdge { from: OUTSIDE, to: vertex(at), weight, role }
        };
        edges.extend((!blocks.is_empty()).then(|| begin(BlockId(0))));
        edges.extend(handlers.iter().map(|h| begin(*h)));
        let throws = (0..).map(BlockId).zip(blocks).filter(|(_, block)| block.throws);
        edges.extend(throws.map(|(id, _)| WeightedEdge {
            from: vertex(id),
            to: OUTSIDE,
            weight: 0,
            role: Requirement::Unseen,
        }));
        CounterGraph::new(blocks.len() + 1, edges)
    }

    /// Its edges.
    pub fn edges(&self) -> &[WeightedEdge] {
        &self.edges
    }

    /// Returns how often counters would count if each edge that is required had one.
    pub fn direct_cost(&self) -> u128 {
        let required = self.edges.iter().filter(|e| e.role == Requirement::Required);
        required.map(|e| u128::from(e.weight)).sum()
    }

    /// The cheaper one of two ways to place counters: on required edges alone, so that these
    /// follow; or on any edges, so that all do but the unseen ones.
    pub fn place(&self) -> Placement {
        let (required, all) = (self.placed(false), self.placed(true));
        if all.cost < required.cost { all } else { required }
    }

    fn placed(&self, determines_all: bool) -> Placement {
        let mut joined = Joined::new(self.vertices);
        let counts = |e: &WeightedEdge| match e.role {
            Requirement::Required => true,
            Requirement::Free => determines_all,
            Requirement::Unseen => false,
        };
        self.edges.iter().filter(|e| !counts(e)).for_each(|e| {
            joined.join(*e);
        });
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.retain(|&e| counts(&self.edges[e]));
        // Stable: ties stay in their order.
        order.sort_by_key(|&e| std::cmp::Reverse(self.edges[e].weight));
        order.retain(|&e| !joined.join(self.edges[e]));
        order.sort_unstable();
        let cost = order.iter().map(|&e| u128::from(self.edges[e].weight)).sum();
        Placement { counters: order, cost, determines_all }
    }

    /// Returns the counts of the edges that a placement determines, from its counters' in their
    /// order; `None` for the others.
    ///
    /// # Errors
    /// [`PlacementError::Length`]. Counters that contradict each other, instead of any count:
    /// [`PlacementError::Negative`], [`PlacementError::NotConserved`].
    pub fn solve(
        &self,
        placement: &Placement,
        counts: &[u64],
    ) -> Result<Vec<Option<u64>>, PlacementError> {
        if counts.len() != placement.counters.len() {
            let counters = placement.counters.len();
            return Err(PlacementError::Length { counts: counts.len(), counters });
        }
        let mut known: Vec<Option<i128>> = vec![None; self.edges.len()];
        for (&edge, &n) in placement.counters.iter().zip(counts) {
            known[edge] = Some(i128::from(n));
        }
        for edge in self.bridges(placement)? {
            known[edge.0] = Some(edge.1.sum(&known));
        }
        if placement.determines_all {
            self.check(&known)?;
        }
        let fits = |(edge, count): (usize, Option<i128>)| match count.map(u64::try_from) {
            Some(Err(_)) => {
                Err(PlacementError::Negative { edge, count: count.unwrap_or_default() })
            }
            count => Ok(count.and_then(Result::ok)),
        };
        known.into_iter().enumerate().map(fits).collect()
    }

    /// Edges that follow, each with what it follows from: the counters around the part of the graph
    /// that it alone connects, uncounted, with the outside.
    fn bridges(&self, placement: &Placement) -> Result<Vec<(usize, Around)>, PlacementError> {
        let is_counter = |e: usize| placement.counters.binary_search(&e).is_ok();
        let asked = |e: &WeightedEdge| match e.role {
            Requirement::Required => true,
            Requirement::Free => placement.determines_all,
            Requirement::Unseen => false,
        };
        let uncounted = (0..self.edges.len()).filter(|&e| !is_counter(e));
        let bridges = uncounted.filter(|&e| asked(&self.edges[e])).map(|bridge| {
            let mut joined = Joined::new(self.vertices);
            for (e, edge) in self.edges.iter().enumerate() {
                if e != bridge && !is_counter(e) {
                    joined.join(*edge);
                }
            }
            let WeightedEdge { from, to, .. } = self.edges[bridge];
            let outside = joined.of(OUTSIDE);
            let inner = if joined.of(from) == outside { to } else { from };
            let inside = joined.of(inner);
            let mut around = Around { into: Vec::new(), out: Vec::new(), leads_in: inner == to };
            for &e in &placement.counters {
                let [from, to] =
                    [self.edges[e].from, self.edges[e].to].map(|v| joined.of(v) == inside);
                match (from, to) {
                    (false, true) => around.into.push(e),
                    (true, false) => around.out.push(e),
                    (true, true) | (false, false) => {}
                }
            }
            (bridge, around)
        });
        Ok(bridges.collect())
    }

    /// Checks that the known counts do not let more leave a vertex than reaches it; where no
    /// exception leaves it, both must be equal.
    fn check(&self, known: &[Option<i128>]) -> Result<(), PlacementError> {
        let mut left = vec![0_i128; self.vertices];
        let mut throws = vec![false; self.vertices];
        for (edge, count) in self.edges.iter().zip(known) {
            throws[edge.from] |= edge.role == Requirement::Unseen;
            left[edge.to] += count.unwrap_or(0);
            left[edge.from] -= count.unwrap_or(0);
        }
        let wrong = (1..self.vertices).find(|&v| left[v] < 0 || (left[v] > 0 && !throws[v]));
        match wrong {
            Some(vertex) => Err(PlacementError::NotConserved { vertex, more: -left[vertex] }),
            None => Ok(()),
        }
    }
}

/// Counters on the edges into a part of the graph and out of it.
struct Around {
    into: Vec<usize>,
    out: Vec<usize>,
    /// True if the edge that follows from them leads into it.
    leads_in: bool,
}

impl Around {
    fn sum(&self, known: &[Option<i128>]) -> i128 {
        let sum = |edges: &[usize]| edges.iter().filter_map(|&e| known[e]).sum::<i128>();
        let more = sum(&self.into) - sum(&self.out);
        if self.leads_in { -more } else { more }
    }
}
