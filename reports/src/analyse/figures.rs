//! The figures of all methods that branch.

use glob_match::glob_match;
use model::map::{MethodId, Terminator};
use model::path_profiles::flow_graph::Flow;
use model::path_profiles::method_graph::MethodGraph;
use serde::Serialize;

use super::counts::{Counted, PathCounts};
use super::graph::{flow, graph_of};
use super::observer::Observed;
use crate::dotted;

/// Paths with a definite count that are looked for in one method.
const DEFINITE: usize = 10_000;

/// What counts of edges tell, of all methods that branch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    /// Methods that branch.
    pub branching: usize,
    /// Those in which counts of edges fix those of paths, whatever they are.
    pub fixed: usize,
    /// Those that ran.
    pub ran: usize,
    /// Those that ran, and in which the counts of their edges fix those of their paths.
    pub fixed_here: usize,
    /// Complete paths that ran, of all these methods.
    pub passes: u64,
    /// How many of them follow from the counts of the edges.
    pub definite: u64,
    /// Paths that an exception or the end of a log cut short. They are in no other figure.
    pub cut: u64,
    /// Records that could not be decoded.
    pub faulty_records: u64,
    /// What probes change about times, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observer: Option<Observed>,
    /// The methods: first where the counts of edges lose most.
    pub methods: Vec<Figures>,
}

/// The same of one method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// `Lpkg/Cls;->name(I)V`, as the source has it.
    pub method: String,
    /// Vertices of its graph: its blocks, a source and a sink.
    pub vertices: usize,
    /// Edges of its graph.
    pub edges: usize,
    /// Paths through it; as many as fit into 64 bits.
    pub paths: u64,
    /// Rank of the matrix of edges by paths.
    pub rank: usize,
    /// Whether counts of edges fix those of the paths, whatever they are.
    pub fixed: bool,
    /// Whether these counts do.
    pub fixed_here: bool,
    /// Complete paths that ran.
    pub passes: u64,
    /// How many different ones.
    pub ran: usize,
    /// Passes that follow from the counts of the edges.
    pub definite: u64,
    /// What it takes more to tell a pass by the shares of the edges than by those of the paths, in
    /// bits: the correlation that counts of edges lose.
    pub lost_bits: f64,
    /// Paths that were cut short.
    pub cut: u64,
    /// Passes on paths beyond the first 20,000 different ones. They are in no other figure.
    pub uncounted: u64,
}

impl Analysis {
    /// Of all methods with branches whose `com.example.Cls.name` matches one of the patterns;
    /// without patterns, of all.
    pub fn new(counts: &PathCounts<'_, '_>, globs: &[String]) -> Analysis {
        let asked = |name: &str| globs.is_empty() || globs.iter().any(|g| glob_match(g, name));
        let map = counts.program().map;
        let mut all = Analysis {
            branching: 0,
            fixed: 0,
            ran: 0,
            fixed_here: 0,
            passes: 0,
            definite: 0,
            cut: 0,
            faulty_records: 0,
            observer: None,
            methods: Vec::new(),
        };
        let none = Counted::default();
        for (id, method) in (1..).map(MethodId).zip(&map.methods) {
            let branches =
                method.blocks.iter().any(|b| matches!(b.terminator, Terminator::Branch { .. }));
            if !branches || !asked(&dotted(map, method)) {
                continue;
            }
            let Some(graph) = graph_of(map, id) else { continue };
            let counted = counts.counted.get(&id).unwrap_or(&none);
            let figures = Figures::new(map.method_key(method), &graph, counted);
            all.branching += 1;
            all.fixed += usize::from(figures.fixed);
            all.ran += usize::from(figures.passes > 0);
            all.fixed_here += usize::from(figures.passes > 0 && figures.fixed_here);
            all.passes = all.passes.saturating_add(figures.passes);
            all.definite = all.definite.saturating_add(figures.definite);
            all.cut = all.cut.saturating_add(figures.cut);
            all.methods.push(figures);
        }
        let lost = |f: &Figures| f.lost_bits * f.passes as f64;
        // In the order of the map where they lose alike.
        all.methods.sort_by(|a, b| lost(b).total_cmp(&lost(a)).then(b.passes.cmp(&a.passes)));
        all
    }
}

impl Figures {
    fn new(method: String, graph: &MethodGraph, counted: &Counted) -> Figures {
        let flow = flow(graph, &counted.paths);
        let passes = counted.paths.values().fold(0, |sum: u64, n| sum.saturating_add(*n));
        let definite = flow.as_ref().map_or(0, |flow| {
            flow.definite_paths(DEFINITE).iter().map(|(_, times)| times).sum::<u128>()
        });
        let lost_bits = flow.as_ref().map_or(0.0, |flow| lost_bits(flow, counted, passes));
        Figures {
            method,
            vertices: graph.graph.vertices(),
            edges: graph.graph.edges().len(),
            paths: u64::try_from(graph.graph.paths()).unwrap_or(u64::MAX),
            rank: graph.graph.rank(),
            fixed: graph.graph.fixes_paths(),
            fixed_here: flow.as_ref().is_some_and(Flow::fix_paths),
            passes,
            ran: counted.paths.len(),
            definite: u64::try_from(definite).unwrap_or(u64::MAX),
            lost_bits,
            cut: counted.cut,
            uncounted: counted.uncounted,
        }
    }
}

fn lost_bits(flow: &Flow<'_>, counted: &Counted, passes: u64) -> f64 {
    let of = |(path, times): (&[u32], u64)| {
        let path: Vec<usize> = path.iter().map(|&e| e as usize).collect();
        let times = times as f64;
        times / passes.max(1) as f64 * (times / flow.independent(&path)).log2()
    };
    // In an order that does not change from run to run: sums of fractions depend on it.
    let mut paths: Vec<_> = counted.paths.iter().map(|(p, n)| (p.as_ref(), *n)).collect();
    paths.sort_unstable();
    paths.into_iter().map(of).sum::<f64>().max(0.0)
}
