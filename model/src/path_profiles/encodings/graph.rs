//! The graph of a method: one entry, one exit, cycles allowed.

use std::collections::HashSet;

use thiserror::Error;

use super::Path;
use crate::map::{Block, Terminator};

/// Reasons why edges are not such a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum GraphError {
    /// An edge to or from a vertex that is not there.
    #[error("edge {edge} names a vertex that the graph does not have")]
    Vertex {
        /// Its position.
        edge: usize,
    },
    /// An edge leads to the entry, or from the exit.
    #[error("edge {edge} leads to the entry or from the exit")]
    Ends {
        /// Its position.
        edge: usize,
    },
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// From, to.
    pub(super) edges: Vec<(usize, usize)>,
    /// Positions of the edges out of each vertex, ascending.
    pub(super) out: Vec<Vec<usize>>,
    /// Positions of the edges into each vertex, ascending.
    pub(super) into: Vec<Vec<usize>>,
    pub(super) entry: usize,
    pub(super) exit: usize,
}

/// An acyclic region: its entry comes before its exit on each way to it, its exit after its entry
/// on each way from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Vertex where it is entered.
    pub entry: usize,
    /// Vertex where it is left.
    pub exit: usize,
    /// Its edges, ascending.
    pub edges: Vec<usize>,
    /// Its vertices without the exit, ascending.
    pub vertices: Vec<usize>,
}

impl Graph {
    /// Makes a graph of `vertices` vertices.
    ///
    /// # Errors
    /// See [`GraphError`].
    pub fn new(
        vertices: usize,
        edges: Vec<(usize, usize)>,
        entry: usize,
        exit: usize,
    ) -> Result<Graph, GraphError> {
        let (mut out, mut into) = (vec![Vec::new(); vertices], vec![Vec::new(); vertices]);
        for (edge, &(from, to)) in edges.iter().enumerate() {
            if from >= vertices || to >= vertices {
                return Err(GraphError::Vertex { edge });
            }
            if to == entry || from == exit {
                return Err(GraphError::Ends { edge });
            }
            out[from].push(edge);
            into[to].push(edge);
        }
        Ok(Graph { edges, out, into, entry, exit })
    }

    /// The graph of a method with these blocks, as far as it runs without exceptions: vertex 0 is
    /// the entry, 1 the exit, block b vertex b + 2.
    ///
    /// # Errors
    /// [`GraphError::Vertex`] where a block leads to one that is not there.
    pub fn of_blocks(blocks: &[Block]) -> Result<Graph, GraphError> {
        let mut edges = vec![(0, if blocks.is_empty() { 1 } else { 2 })];
        for (at, block) in blocks.iter().enumerate() {
            let mut lead = |to: usize| edges.push((at + 2, to));
            match &block.terminator {
                Terminator::Return | Terminator::Throw => lead(1),
                Terminator::Goto(to) => lead(to.0 as usize + 2),
                Terminator::Branch { alternatives, .. } => {
                    alternatives.iter().for_each(|(to, _)| lead(to.0 as usize + 2));
                }
            }
        }
        Graph::new(blocks.len() + 2, edges, 0, 1)
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.out.len()
    }

    /// From, to.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// Returns the first edge from one vertex to another.
    pub fn edge(&self, from: usize, to: usize) -> Option<usize> {
        self.out.get(from)?.iter().copied().find(|&e| self.edges[e].1 == to)
    }

    /// The path over these vertices, from the entry to the exit, by the first edge between each
    /// two.
    pub fn path(&self, vertices: &[usize]) -> Option<Path> {
        if vertices.first() != Some(&self.entry) || vertices.last() != Some(&self.exit) {
            return None;
        }
        vertices.windows(2).map(|pair| self.edge(pair[0], pair[1])).collect()
    }

    /// Vertices that the entry leads to, each before those that it leads to, but for edges that go
    /// back; and which edges these are.
    pub fn order(&self) -> (Vec<usize>, Vec<bool>) {
        let mut goes_back = vec![false; self.edges.len()];
        let (mut seen, mut open) = (vec![false; self.vertices()], vec![false; self.vertices()]);
        let mut order = Vec::new();
        let mut stack = vec![(self.entry, 0)];
        seen[self.entry] = true;
        open[self.entry] = true;
        while let Some((vertex, next)) = stack.last_mut() {
            let Some(&edge) = self.out[*vertex].get(*next) else {
                open[*vertex] = false;
                order.push(*vertex);
                stack.pop();
                continue;
            };
            *next += 1;
            let to = self.edges[edge].1;
            goes_back[edge] = open[to];
            if !seen[to] {
                (seen[to], open[to]) = (true, true);
                stack.push((to, 0));
            }
        }
        order.reverse();
        (order, goes_back)
    }

    /// Returns true if no path leads from a vertex back to itself.
    pub fn is_acyclic(&self) -> bool {
        !self.order().1.contains(&true)
    }

    /// Returns the number of loops (vertices that back edges lead to), and the share of the
    /// vertices from which one of them is reached again.
    pub fn loops(&self) -> (usize, f64) {
        let (order, goes_back) = self.order();
        let backs: Vec<usize> = (0..self.edges.len()).filter(|&e| goes_back[e]).collect();
        let heads: HashSet<usize> = backs.iter().map(|&e| self.edges[e].1).collect();
        let mut inside = HashSet::new();
        for edge in backs {
            // The natural loop: what leads to its end without its head.
            let (from, head) = self.edges[edge];
            let mut open = vec![from];
            let mut body = HashSet::from([head]);
            while let Some(vertex) = open.pop() {
                if body.insert(vertex) {
                    open.extend(self.into[vertex].iter().map(|&e| self.edges[e].0));
                }
            }
            inside.extend(body);
        }
        inside.retain(|v| order.contains(v));
        (heads.len(), inside.len() as f64 / order.len().max(1) as f64)
    }

    /// The graph of these edges alone.
    pub fn only(&self, has: &[bool]) -> Graph {
        let keep = |edges: &Vec<Vec<usize>>| {
            edges.iter().map(|e| e.iter().copied().filter(|&e| has[e]).collect()).collect()
        };
        Graph { out: keep(&self.out), into: keep(&self.into), ..self.clone() }
    }

    /// The acyclic regions with several paths that lie in no other one and share no vertex.
    pub fn regions(&self) -> Vec<Region> {
        let (order, _) = self.order();
        let mut all: Vec<Region> = Vec::new();
        for &entry in &order {
            if self.out[entry].is_empty() {
                continue;
            }
            all.extend(order.iter().filter_map(|&exit| self.region(entry, exit)));
        }
        let size = |r: &Region| (std::cmp::Reverse(r.vertices.len()), r.entry, r.exit);
        all.sort_by_key(size);
        let mut taken = HashSet::new();
        all.retain(|region| {
            let own: Vec<usize> = region.vertices.iter().copied().chain([region.exit]).collect();
            let free = own.iter().all(|v| !taken.contains(v));
            if free {
                taken.extend(own);
            }
            free
        });
        all
    }

    /// The region between two vertices, if it is one.
    fn region(&self, entry: usize, exit: usize) -> Option<Region> {
        if entry == exit {
            return None;
        }
        let mut vertices = vec![entry];
        let mut found = HashSet::from([entry]);
        let mut edges = Vec::new();
        let mut at = 0;
        while let Some(&vertex) = vertices.get(at) {
            at += 1;
            if vertex == self.exit || self.out[vertex].is_empty() {
                return None;
            }
            for &edge in &self.out[vertex] {
                let to = self.edges[edge].1;
                edges.push(edge);
                if to == entry {
                    return None;
                }
                if to != exit && found.insert(to) {
                    vertices.push(to);
                }
            }
        }
        edges.sort_unstable();
        vertices.sort_unstable();
        let inside: HashSet<usize> = edges.iter().copied().collect();
        let closed = |v: &usize| self.into[*v].iter().all(|e| inside.contains(e));
        let within = vertices.iter().filter(|&&v| v != entry).all(closed) && closed(&exit);
        if !within || edges.len() == vertices.len() {
            // As many edges as vertices before the exit: a chain.
            return None;
        }
        let region = Region { entry, exit, edges, vertices };
        region.as_graph(self).is_acyclic().then_some(region)
    }
}

impl Region {
    /// The region alone, with the edges' positions in the whole graph.
    pub fn as_graph(&self, of: &Graph) -> Graph {
        let mut has = vec![false; of.edges.len()];
        self.edges.iter().for_each(|&e| has[e] = true);
        Graph { entry: self.entry, exit: self.exit, ..of.only(&has) }
    }

    /// The parts of a path that go through it.
    pub fn fragments(&self, of: &Graph, path: &[usize]) -> Vec<Path> {
        let mut all: Vec<Path> = Vec::new();
        for &edge in path {
            if self.edges.binary_search(&edge).is_ok() {
                if of.edges[edge].0 == self.entry {
                    all.push(Vec::new());
                }
                if let Some(last) = all.last_mut() {
                    last.push(edge);
                }
            }
        }
        all
    }
}
