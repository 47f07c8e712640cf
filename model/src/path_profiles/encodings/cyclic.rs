//! Encodings of any graph: PAP, its hybrids with EPP, and PSP0 to PSP3, which stop.

use std::collections::{BTreeSet, HashSet};

use super::acyclic::{edges_of, espp_values, values};
use super::graph::{Graph, Region};
use super::{EdgeOp, Encoding, Path};

/// Factor and summand of an edge's probe.
type Probe = Option<(u128, u128)>;

/// PAP's probes: the edges into each vertex that several lead to are numbered.
fn probes(graph: &Graph) -> Vec<Probe> {
    let mut probes = vec![None; graph.edges.len()];
    for into in graph.into.iter().filter(|into| into.len() > 1) {
        for (number, &edge) in (0..).zip(into) {
            probes[edge] = Some((into.len() as u128, number));
        }
    }
    probes
}

/// First one probe, then the other.
fn then(first: Probe, second: (u128, u128)) -> Probe {
    let (by, add) = first.unwrap_or((1, 0));
    Some((by.saturating_mul(second.0), add.saturating_mul(second.0).saturating_add(second.1)))
}

fn op((by, add): (u128, u128)) -> EdgeOp {
    EdgeOp::MulAdd { by, add }
}

fn counting(graph: &Graph, probes: &[Probe]) -> Encoding {
    let mut encoding = Encoding::new(graph.edges.len());
    for ((ops, probe), &(_, to)) in encoding.ops.iter_mut().zip(probes).zip(&graph.edges) {
        ops.extend(probe.map(op));
        ops.extend((to == graph.exit).then_some(EdgeOp::Count));
    }
    encoding
}

/// Puts an operation before an edge counts.
fn before_count(ops: &mut Vec<EdgeOp>, op: EdgeOp) {
    let at = ops.iter().position(|op| *op == EdgeOp::Count).unwrap_or(ops.len());
    ops.insert(at, op);
}

/// Profiling all paths: r · s + i on the edge number i of s into a vertex. The path is read back
/// from the exit ([`pap_path`]).
pub fn pap(graph: &Graph, interest: &[Path]) -> Encoding {
    counting(graph, &probes(graph)).with_interest(interest)
}

/// The path that PAP gave this number; `None` if it gives it to none.
pub fn pap_path(graph: &Graph, mut number: u128) -> Option<Path> {
    let mut path = Vec::new();
    let mut vertex = graph.exit;
    // With the number used up, a vertex seen again would be seen for ever.
    let mut zeros = HashSet::new();
    while vertex != graph.entry {
        if number == 0 && !zeros.insert(vertex) {
            return None;
        }
        let into = &graph.into[vertex];
        let ways = into.len() as u128;
        let edge = *into.get(usize::try_from(number % ways.max(1)).ok()?)?;
        number /= ways.max(1);
        path.push(edge);
        vertex = graph.edges[edge].0;
    }
    path.reverse();
    (number == 0).then_some(path)
}

/// PAP outside of regions. Into a region r · n goes, with n its paths: the values inside add up to
/// the last digit.
fn around(graph: &Graph, regions: &[(Region, u128)]) -> Vec<Probe> {
    let mut probes = probes(graph);
    for (region, _) in regions {
        let inner = region.vertices.iter().filter(|&&v| v != region.entry).chain([&region.exit]);
        inner.flat_map(|&v| &graph.into[v]).for_each(|&e| probes[e] = None);
    }
    for (region, paths) in regions {
        for &edge in &graph.into[region.entry] {
            probes[edge] = then(probes[edge], (*paths, 0));
        }
    }
    probes
}

/// The regions of a graph, each with the number of its paths.
fn counted_regions(graph: &Graph) -> Vec<(Region, u128)> {
    let count = |region: Region| {
        let own = region.as_graph(graph);
        let paths = values(&own, &|v| own.out[v].clone()).paths[region.entry];
        (region, paths)
    };
    graph.regions().into_iter().map(count).collect()
}

/// PAP outside of acyclic regions, EPP inside.
pub fn hybrid(graph: &Graph, interest: &[Path]) -> Encoding {
    let regions = counted_regions(graph);
    let mut encoding = counting(graph, &around(graph, &regions));
    for (region, _) in &regions {
        let own = region.as_graph(graph);
        add_values(&mut encoding, region, &values(&own, &|v| own.out[v].clone()).of);
    }
    encoding.with_interest(interest)
}

fn add_values(encoding: &mut Encoding, region: &Region, values: &[u128]) {
    for &edge in region.edges.iter().filter(|&&e| values[e] > 0) {
        before_count(&mut encoding.ops[edge], EdgeOp::Add(values[edge]));
    }
}

/// PAP that tests r at each vertex to which a decision leads: is it that of a path of PI there? So
/// it stops at the first step that none of them takes.
pub fn psp0(graph: &Graph, interest: &[Path]) -> Encoding {
    let mut encoding = pap(graph, interest);
    let mut seen: Vec<BTreeSet<u128>> = vec![BTreeSet::new(); graph.vertices()];
    for path in interest {
        let mut register = Some(0_u128);
        for &edge in path {
            for op in &encoding.ops[edge] {
                if let EdgeOp::MulAdd { by, add } = op {
                    register = register.and_then(|r| r.checked_mul(*by)?.checked_add(*add));
                }
            }
            seen[graph.edges[edge].1].extend(register);
        }
    }
    for (vertex, seen) in seen.into_iter().enumerate() {
        let into = &graph.into[vertex];
        if into.iter().any(|&e| graph.out[graph.edges[e].0].len() > 1) {
            let test = EdgeOp::Test { of: seen.into_iter().collect(), modulus: None };
            into.iter().for_each(|&e| before_count(&mut encoding.ops[e], test.clone()));
        }
    }
    encoding
}

/// ESPP inside acyclic regions, PAP outside. It stops after a region unless a path of PI goes
/// through the region in this way.
pub fn psp1(graph: &Graph, interest: &[Path]) -> Encoding {
    let regions = counted_regions(graph);
    let mut encoding = counting(graph, &around(graph, &regions));
    for (region, paths) in &regions {
        let own = region.as_graph(graph);
        let taken: BTreeSet<Path> =
            interest.iter().flat_map(|path| region.fragments(graph, path)).collect();
        let taken: Vec<Path> = taken.into_iter().collect();
        let values = espp_values(&own, &taken);
        add_values(&mut encoding, region, &values);
        let sum = |path: &Path| path.iter().map(|&e| values[e]).sum();
        let of: BTreeSet<u128> = taken.iter().map(sum).collect();
        let test = EdgeOp::Test { of: of.into_iter().collect(), modulus: Some(*paths) };
        for &edge in &own.into[region.exit] {
            before_count(&mut encoding.ops[edge], test.clone());
        }
    }
    encoding.with_interest(interest)
}

/// Stops on each edge from a vertex of PI that is none of PI's.
fn stops(graph: &Graph, in_ei: &[bool], encoding: &mut Encoding) {
    for (edge, &(from, _)) in graph.edges.iter().enumerate() {
        if !in_ei[edge] && (from == graph.entry || graph.into[from].iter().any(|&e| in_ei[e])) {
            encoding.ops[edge] = vec![EdgeOp::Stop];
        } else if !in_ei[edge] {
            // Operations are left only after such an edge.
            encoding.ops[edge].clear();
        }
    }
}

/// PAP on PI's edges alone, which stops on each edge out of them. A probe after a vertex with one
/// edge out moves before it, where another probe may absorb it.
pub fn psp2(graph: &Graph, interest: &[Path]) -> Encoding {
    let in_ei = edges_of(graph, interest);
    let rest = graph.only(&in_ei);
    let mut probes = probes(&rest);
    for &vertex in rest.order().0.iter().rev() {
        let [edge] = rest.out[vertex][..] else { continue };
        let movable = vertex != rest.entry && !rest.into[vertex].contains(&edge);
        if let Some(probe) = probes[edge].filter(|_| movable) {
            probes[edge] = None;
            rest.into[vertex].iter().for_each(|&e| probes[e] = then(probes[e], probe));
        }
    }
    let mut encoding = counting(&rest, &probes);
    stops(graph, &in_ei, &mut encoding);
    encoding.with_interest(interest)
}

/// [`psp1`] on PI's edges alone, which stops on each edge out of them.
pub fn psp3(graph: &Graph, interest: &[Path]) -> Encoding {
    let in_ei = edges_of(graph, interest);
    let mut encoding = psp1(&graph.only(&in_ei), interest);
    stops(graph, &in_ei, &mut encoding);
    encoding.with_interest(interest)
}
