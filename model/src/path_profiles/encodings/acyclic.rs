//! Encodings that add values: EPP, SPP, PrePP, ESPP. A graph with cycles is cut where edges go
//! back; the last three take acyclic graphs only.

use std::collections::HashSet;

use super::graph::Graph;
use super::{EdgeOp, Encoding, Path};

/// The most paths that ESPP looks at; of graphs with more it keeps all values.
pub const ENUMERATED: u128 = 4_096;

/// Values of edges, and from how many paths each vertex leads to the exit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Values {
    pub of: Vec<u128>,
    pub paths: Vec<u128>,
}

/// The values of Ball and Larus, with each vertex's edges in this order. Saturating.
pub(super) fn values(graph: &Graph, sorted: &dyn Fn(usize) -> Vec<usize>) -> Values {
    let mut of = vec![0; graph.edges.len()];
    let mut paths = vec![0_u128; graph.vertices()];
    for &vertex in graph.order().0.iter().rev() {
        paths[vertex] = u128::from(vertex == graph.exit);
        for edge in sorted(vertex) {
            of[edge] = paths[vertex];
            paths[vertex] = paths[vertex].saturating_add(paths[graph.edges[edge].1]);
        }
    }
    Values { of, paths }
}

/// An acyclic graph in place of one with cycles, as Ball and Larus cut it: an edge back becomes one
/// from its beginning to the exit and one from the entry to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The graph without back edges; the edges that stand for them come after all others.
    pub graph: Graph,
    /// Edges back, each with the one to the exit and the one from the entry.
    pub backs: Vec<(usize, usize, usize)>,
}

impl Cut {
    /// Cuts a graph.
    pub fn of(graph: &Graph) -> Cut {
        let (_, goes_back) = graph.order();
        let (entry, exit) = (graph.entry, graph.exit);
        let mut cut = graph.only(&goes_back.iter().map(|b| !b).collect::<Vec<_>>());
        let mut stand_in = |from: usize, to: usize| {
            let first = graph.edges.len();
            let known = cut.edges[first..].iter().position(|&e| e == (from, to));
            first
                + known.unwrap_or_else(|| {
                    let edge = cut.edges.len();
                    cut.edges.push((from, to));
                    cut.out[from].push(edge);
                    cut.into[to].push(edge);
                    edge - first
                })
        };
        let backs = (0..goes_back.len()).filter(|&e| goes_back[e]).map(|edge| {
            let (from, to) = graph.edges[edge];
            (edge, stand_in(from, exit), stand_in(entry, to))
        });
        let backs = backs.collect();
        Cut { graph: cut, backs }
    }
}

/// Efficient path profiling of the whole method (Ball and Larus 1996, §3): all paths from the entry
/// or a loop's head to the exit or round, numbered from 0 without gaps.
pub fn epp(graph: &Graph, interest: &[Path]) -> Encoding {
    let cut = Cut::of(graph);
    let values = values(&cut.graph, &|v| cut.graph.out[v].clone());
    let mut encoding = Encoding::new(graph.edges.len());
    let add = |value: u128| (value > 0).then_some(EdgeOp::Add(value));
    for (edge, ops) in encoding.ops.iter_mut().enumerate() {
        match cut.backs.iter().find(|back| back.0 == edge) {
            Some(&(_, to_exit, from_entry)) => {
                ops.extend(add(values.of[to_exit]));
                ops.extend([EdgeOp::Count, EdgeOp::Set(values.of[from_entry])]);
            }
            None => {
                ops.extend(add(values.of[edge]));
                ops.extend((graph.edges[edge].1 == graph.exit).then_some(EdgeOp::Count));
            }
        }
    }
    encoding.with_interest(interest)
}

/// Returns how many numbers [`epp`] has. Saturating.
pub fn epp_numbers(graph: &Graph) -> u128 {
    let cut = Cut::of(graph).graph;
    values(&cut, &|v| cut.out[v].clone()).paths[graph.entry]
}

/// Returns a flag per edge: true if one of these paths takes it.
pub(super) fn edges_of(graph: &Graph, paths: &[Path]) -> Vec<bool> {
    let mut of = vec![false; graph.edges.len()];
    paths.iter().flatten().for_each(|&e| of[e] = true);
    of
}

/// SPP's values before those outside of EI are left out: EI has the large ones, and a value goes
/// down where only one edge leads.
fn pushed(graph: &Graph, in_ei: &[bool]) -> Vec<u128> {
    let sorted = |v: usize| {
        let (ei, others): (Vec<usize>, Vec<usize>) = graph.out[v].iter().partition(|&&e| in_ei[e]);
        others.into_iter().chain(ei).collect()
    };
    let mut of = values(graph, &sorted).of;
    for vertex in graph.order().0 {
        if let ([edge], false) = (&graph.into[vertex][..], graph.out[vertex].is_empty()) {
            let value = std::mem::take(&mut of[*edge]);
            graph.out[vertex].iter().for_each(|&e| of[e] = of[e].saturating_add(value));
        }
    }
    of
}

fn adding(graph: &Graph, values: &[u128], interest: &[Path]) -> Encoding {
    let mut encoding = Encoding::new(graph.edges.len());
    for (edge, ops) in encoding.ops.iter_mut().enumerate() {
        ops.extend((values[edge] > 0).then_some(EdgeOp::Add(values[edge])));
        ops.extend((graph.edges[edge].1 == graph.exit).then_some(EdgeOp::Count));
    }
    encoding.with_interest(interest)
}

/// Selective path profiling: EPP with the values outside of EI left out. Paths outside of PI may
/// get a number of PI. `None` of a graph with cycles.
pub fn spp(graph: &Graph, interest: &[Path]) -> Option<Encoding> {
    let in_ei = edges_of(graph, interest);
    let mut values = graph.is_acyclic().then(|| pushed(graph, &in_ei))?;
    values.iter_mut().zip(&in_ei).filter(|(_, ei)| !**ei).for_each(|(v, _)| *v = 0);
    Some(adding(graph, &values, interest))
}

/// Preferential path profiling, after its idea (Vaswani, Nori, Chilimbi, POPL 2007): PI gets small
/// numbers, and others may get the same. Each edge of EI has a value above all numbers that PI
/// makes after the edges before it. `None` of a graph with cycles.
pub fn prepp(graph: &Graph, interest: &[Path]) -> Option<Encoding> {
    let (order, _) = graph.is_acyclic().then(|| graph.order())?;
    let mut values = vec![0_u128; graph.edges.len()];
    for &vertex in order.iter().rev() {
        let mut next = 0_u128;
        for &edge in &graph.out[vertex] {
            let behind = |path: &Path| {
                let at = path.iter().position(|&e| e == edge)?;
                Some(path[at + 1..].iter().fold(0_u128, |sum, &e| sum.saturating_add(values[e])))
            };
            if let Some(most) = interest.iter().filter_map(behind).max() {
                values[edge] = next;
                next = next.saturating_add(most).saturating_add(1);
            }
        }
    }
    Some(adding(graph, &values, interest))
}

/// The values of ESPP.
pub(super) fn espp_values(graph: &Graph, interest: &[Path]) -> Vec<u128> {
    let in_ei = edges_of(graph, interest);
    let mut values = pushed(graph, &in_ei);
    let Some(others) = all_paths(graph, ENUMERATED) else { return values };
    let known: HashSet<&Path> = interest.iter().collect();
    let others: Vec<Path> = others.into_iter().filter(|p| !known.contains(p)).collect();
    for edge in (0..values.len()).filter(|&e| !in_ei[e]) {
        let before = std::mem::take(&mut values[edge]);
        if before == 0 {
            continue;
        }
        let sum = |path: &Path| path.iter().map(|&e| values[e]).sum::<u128>();
        let wanted: HashSet<u128> = interest.iter().map(sum).collect();
        if others.iter().any(|path| path.contains(&edge) && wanted.contains(&sum(path))) {
            values[edge] = before;
        }
    }
    values
}

/// Exact selective path profiling: SPP that keeps a value outside of EI where without it another
/// path would get a number of PI. `None` of a graph with cycles.
pub fn espp(graph: &Graph, interest: &[Path]) -> Option<Encoding> {
    let values = graph.is_acyclic().then(|| espp_values(graph, interest))?;
    Some(adding(graph, &values, interest))
}

/// Returns all paths of an acyclic graph; `None` if there are more than `most`.
pub fn all_paths(graph: &Graph, most: u128) -> Option<Vec<Path>> {
    let paths = values(graph, &|v| graph.out[v].clone()).paths;
    if paths[graph.entry] > most {
        return None;
    }
    let mut all = Vec::new();
    let mut open: Vec<(usize, Path)> = vec![(graph.entry, Vec::new())];
    while let Some((vertex, path)) = open.pop() {
        if vertex == graph.exit {
            all.push(path);
            continue;
        }
        for &edge in graph.out[vertex].iter().rev() {
            let to = graph.edges[edge].1;
            // Where no way leads to the exit, none is looked for.
            if paths[to] > 0 {
                open.push((to, [&path[..], &[edge]].concat()));
            }
        }
    }
    Some(all)
}
