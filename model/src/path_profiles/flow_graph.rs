//! Acyclic graphs with one source and one sink, whose edges are counted.
//!
//! With the matrix A of edges by paths (1 where the path has the edge), the counts x of the paths
//! give the counts b = A·x of the edges. They follow from b alone if and only if A has full column
//! rank. On such a graph of m edges and n vertices its rank is m − n + 2, so the paths must be as
//! many; equivalently, no vertex where ways join reaches one where ways part.
//!
//! ```
//! use model::path_profiles::flow_graph::FlowGraph;
//!
//! // Two diamonds, one behind the other: 0 → 1|2 → 3 → 4|5 → 6, and an edge to a sink.
//! let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)];
//! let graph = FlowGraph::new(7, edges.to_vec())?;
//! assert_eq!((graph.rank(), graph.paths()), (3, 4));
//! assert!(!graph.fixes_paths());
//!
//! // Every arm ran 50 times of 100: the path over both first arms ran 0 to 50 times.
//! let counts = graph.counts(vec![50; 8])?;
//! let left = [0, 2, 4, 6];
//! assert_eq!((counts.definite(&left), counts.potential(&left)), (0, 50));
//! assert!(!counts.fix_paths());
//!
//! // The first arms 90 times each: 80 to 90.
//! let counts = graph.counts(vec![90, 10, 90, 10, 90, 10, 90, 10])?;
//! assert_eq!((counts.definite(&left), counts.potential(&left)), (80, 90));
//! # Ok::<(), model::path_profiles::flow_graph::FlowError>(())
//! ```

use thiserror::Error;

/// Reasons why edges are not such a graph, or numbers are not counts of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FlowError {
    /// An edge to or from a vertex that is not there.
    #[error("edge {edge} names a vertex that the graph does not have")]
    Vertex {
        /// Its position.
        edge: usize,
    },
    /// There is a way from a vertex to itself.
    #[error("the graph has a cycle")]
    Cycle,
    /// Not one source and one sink. (A vertex without edges is both.)
    #[error("the graph has {sources} sources and {sinks} sinks, not one of each")]
    Ends {
        /// Vertices without edges in.
        sources: usize,
        /// Vertices without edges out.
        sinks: usize,
    },
    /// Not one count for each edge.
    #[error("{counts} counts for {edges} edges")]
    Length {
        /// Counts.
        counts: usize,
        /// Edges.
        edges: usize,
    },
    /// The flow into a vertex is not the flow out of it.
    #[error("{into} come into vertex {vertex}, and {out} leave it")]
    NotConserved {
        /// The vertex.
        vertex: usize,
        /// Sum of the counts of edges in.
        into: u128,
        /// Sum of the counts of edges out.
        out: u128,
    },
}

/// A graph without cycles, with one source and one sink. So each vertex lies on a path from the one
/// to the other. Several edges may have the same ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowGraph {
    /// From, to.
    edges: Vec<(usize, usize)>,
    /// Positions of the edges out of each vertex, ascending.
    out: Vec<Vec<usize>>,
    /// Positions of the edges into each vertex, ascending.
    into: Vec<Vec<usize>>,
    /// All vertices, each after its predecessors.
    order: Vec<usize>,
}

impl FlowGraph {
    /// Makes a graph of `vertices` vertices.
    ///
    /// # Errors
    /// [`FlowError::Vertex`], [`FlowError::Cycle`], [`FlowError::Ends`].
    pub fn new(vertices: usize, edges: Vec<(usize, usize)>) -> Result<FlowGraph, FlowError> {
        let (mut out, mut into) = (vec![Vec::new(); vertices], vec![Vec::new(); vertices]);
        for (edge, &(from, to)) in edges.iter().enumerate() {
            if from >= vertices || to >= vertices {
                return Err(FlowError::Vertex { edge });
            }
            out[from].push(edge);
            into[to].push(edge);
        }
        let mut waiting: Vec<usize> = into.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..vertices).filter(|&v| waiting[v] == 0).collect();
        let sources = order.len();
        let mut at = 0;
        while let Some(&vertex) = order.get(at) {
            at += 1;
            for &edge in &out[vertex] {
                let to = edges[edge].1;
                waiting[to] -= 1;
                if waiting[to] == 0 {
                    order.push(to);
                }
            }
        }
        if order.len() < vertices {
            return Err(FlowError::Cycle);
        }
        let sinks = out.iter().filter(|edges| edges.is_empty()).count();
        if (sources, sinks) != (1, 1) {
            return Err(FlowError::Ends { sources, sinks });
        }
        Ok(FlowGraph { edges, out, into, order })
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.out.len()
    }

    /// From which vertex to which each edge leads.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// The rank of the matrix of edges by paths: m − n + 2.
    pub fn rank(&self) -> usize {
        self.edges.len() + 2 - self.out.len()
    }

    /// Returns how many paths lead from the source to the sink; at most `u128::MAX`.
    pub fn paths(&self) -> u128 {
        let mut ways = vec![0u128; self.out.len()];
        ways[self.source()] = 1;
        for &vertex in &self.order {
            for &edge in &self.out[vertex] {
                let to = self.edges[edge].1;
                ways[to] = ways[to].saturating_add(ways[vertex]);
            }
        }
        self.order.last().map_or(0, |&sink| ways[sink])
    }

    /// Returns how many paths lead from each vertex to the sink; at most `u128::MAX`.
    pub(super) fn ways_to_sink(&self) -> Vec<u128> {
        let mut ways = vec![0u128; self.out.len()];
        for &vertex in self.order.iter().rev() {
            let of = |&edge: &usize| ways[self.edges[edge].1];
            ways[vertex] = match self.is_sink(vertex) {
                true => 1,
                false => self.out[vertex].iter().map(of).fold(0, u128::saturating_add),
            };
        }
        ways
    }

    /// Returns true if counts of the edges, whatever they are, determine those of the paths. Takes
    /// time linear in the edges.
    pub fn fixes_paths(&self) -> bool {
        self.fixed_where(&|_| true)
    }

    /// The same of the graph that has only these edges.
    fn fixed_where(&self, has: &dyn Fn(usize) -> bool) -> bool {
        let mut into = vec![0; self.out.len()];
        (0..self.edges.len()).filter(|&e| has(e)).for_each(|e| into[self.edges[e].1] += 1);
        let mut joined = vec![false; self.out.len()];
        for &vertex in &self.order {
            joined[vertex] |= into[vertex] > 1;
            let out = || self.out[vertex].iter().filter(|&&e| has(e));
            if joined[vertex] && out().count() > 1 {
                return false;
            }
            if joined[vertex] {
                out().for_each(|&e| joined[self.edges[e].1] = true);
            }
        }
        true
    }

    /// Counts of the edges, by position.
    ///
    /// # Errors
    /// [`FlowError::Length`]; [`FlowError::NotConserved`] of a vertex between source and sink.
    pub fn counts(&self, counts: Vec<u64>) -> Result<FlowCounts<'_>, FlowError> {
        if counts.len() != self.edges.len() {
            return Err(FlowError::Length { counts: counts.len(), edges: self.edges.len() });
        }
        let mut through = vec![(0u128, 0u128); self.out.len()];
        for (&(from, to), &n) in self.edges.iter().zip(&counts) {
            through[from].1 += u128::from(n);
            through[to].0 += u128::from(n);
        }
        for (vertex, &(into, out)) in through.iter().enumerate() {
            let inner = !self.into[vertex].is_empty() && !self.out[vertex].is_empty();
            if inner && into != out {
                return Err(FlowError::NotConserved { vertex, into, out });
            }
        }
        let through = through.into_iter().map(|(into, out)| into.max(out)).collect();
        Ok(FlowCounts { graph: self, counts, through })
    }

    pub(super) fn source(&self) -> usize {
        self.order.first().copied().unwrap_or(0)
    }

    /// Returns true if paths end at this vertex.
    pub(super) fn is_sink(&self, vertex: usize) -> bool {
        self.out[vertex].is_empty()
    }

    /// The edges into a vertex, ascending.
    pub(super) fn edges_into(&self, vertex: usize) -> &[usize] {
        &self.into[vertex]
    }

    /// The edges out of a vertex, ascending.
    pub(super) fn edges_out(&self, vertex: usize) -> &[usize] {
        &self.out[vertex]
    }
}

/// A graph with counts of its edges that are conserved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowCounts<'g> {
    graph: &'g FlowGraph,
    counts: Vec<u64>,
    /// Through each vertex.
    through: Vec<u128>,
}

impl FlowCounts<'_> {
    /// Returns how often any path ran.
    pub fn total(&self) -> u128 {
        self.through[self.graph.source()]
    }

    /// Returns how often an edge ran.
    pub fn count(&self, edge: usize) -> u64 {
        self.counts[edge]
    }

    /// Returns how often a path would have run if its edges were independent: each taken with the
    /// frequency of all passes through the vertex before it.
    pub fn independent(&self, path: &[usize]) -> f64 {
        path.iter().fold(self.total() as f64, |passes, &edge| {
            let through = self.through[self.graph.edges[edge].0].max(1);
            passes * self.counts[edge] as f64 / through as f64
        })
    }

    /// Returns true if these counts determine those of the paths: edges that count 0 are left out.
    pub fn fix_paths(&self) -> bool {
        self.graph.fixed_where(&|edge| self.counts[edge] > 0)
    }

    /// The most often that a path can have run: the least of its edges' counts. The path is the
    /// positions of its edges, from the source to the sink.
    pub fn potential(&self, path: &[usize]) -> u128 {
        path.iter().map(|&e| u128::from(self.counts[e])).min().unwrap_or_else(|| self.total())
    }

    /// Returns the least often that it must have run: the passes that remain when at each inner
    /// vertex all flow from elsewhere takes its edge.
    pub fn definite(&self, path: &[usize]) -> u128 {
        let Some((&first, rest)) = path.split_first() else { return self.total() };
        rest.iter().fold(u128::from(self.counts[first]), |sure, &edge| self.follow(sure, edge))
    }

    /// Returns how many of `sure` passes must still go through an edge that follows.
    fn follow(&self, sure: u128, edge: usize) -> u128 {
        let vertex = self.graph.edges[edge].0;
        (sure + u128::from(self.counts[edge])).saturating_sub(self.through[vertex])
    }

    /// The paths that must have run, each with its [definite](Self::definite) count; at most so
    /// many, in the order of the edges. Together they ran at most [`Self::total`] times.
    pub fn definite_paths(&self, most: usize) -> Vec<(Vec<usize>, u128)> {
        let mut found = Vec::new();
        // Edge after the path so far, with the count up to there. The count only falls along the
        // path.
        let mut open: Vec<(usize, usize, u128)> = Vec::new();
        let begin = self.graph.out[self.graph.source()].iter().rev();
        open.extend(begin.map(|&e| (0, e, u128::from(self.counts[e]))));
        let mut path = Vec::new();
        while let Some((depth, edge, sure)) = open.pop() {
            if sure == 0 {
                continue;
            }
            path.truncate(depth);
            path.push(edge);
            let next = &self.graph.out[self.graph.edges[edge].1];
            if next.is_empty() {
                if found.len() == most {
                    break;
                }
                found.push((path.clone(), sure));
            }
            open.extend(next.iter().rev().map(|&e| (depth + 1, e, self.follow(sure, e))));
        }
        found
    }
}

#[cfg(test)]
mod tests;
