//! The figures of all methods that branch.

use glob_match::glob_match;
use model::map::{MethodId, Terminator};
use model::path_profiles::bounds::Between;
use model::path_profiles::flow_graph::FlowCounts;
use model::path_profiles::method_graph::MethodGraph;
use serde::Serialize;

use super::counts::MethodPathCounts;
use super::graph::graph_of;
use super::known::{BlockCounts, Evidence, MethodFacts};
use super::observer::Observed;
use super::truncation::Truncation;
use crate::base::names::dotted;

/// Figures that follow from counts of edges, over all methods that branch. Figures that need paths
/// in order are `None` if there are only count files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    /// Number of methods that branch.
    pub branching: usize,
    /// Number of them in which any counts of edges determine those of paths.
    pub fixed: usize,
    /// Number of them that ran: at least one activation began. Count files lack a method if an
    /// exception ended each activation before its first decision, and only known calls led there.
    pub ran: usize,
    /// Number of those that ran and in which the counts of their edges determine those of their
    /// paths.
    pub fixed_here: usize,
    /// Number of complete paths that ran, over all these methods; `None` if unknown.
    pub passes: Option<u64>,
    /// Lower bound of this number.
    pub passes_least: u64,
    /// Upper bound of this number; `None` if unbounded.
    pub passes_most: Option<u64>,
    /// Number of passes that follow from the counts of the edges; with count files, from these and
    /// the logs.
    pub definite: u64,
    /// Additional bits to identify a pass by the shares of the edges instead of those of the paths,
    /// as the mean over the passes in logs.
    pub lost_bits: Option<f64>,
    /// Number of methods with unknown counts: they contradict each other, or the code differs.
    pub unknown: usize,
    /// Number of paths cut short by an exception or the end of a log; no other figure includes
    /// them.
    pub cut: Option<u64>,
    /// Number of undecodable records.
    pub faulty_records: u64,
    /// Influence of probes on times, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observer: Option<Observed>,
    /// The methods, those with the largest loss first.
    pub methods: Vec<Figures>,
}

/// Figures of one method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The method in the source, `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Number of vertices of its graph: its blocks, a source and a sink.
    pub vertices: usize,
    /// Number of edges of its graph.
    pub edges: usize,
    /// Number of paths through it, at most 2⁶⁴ − 1.
    pub paths: u64,
    /// Rank of the matrix of edges by paths.
    pub rank: usize,
    /// True if any counts of edges determine those of the paths.
    pub fixed: bool,
    /// True if the counts at hand do.
    pub fixed_here: bool,
    /// True if it ran: at least one activation began.
    pub began: bool,
    /// Number of complete paths that ran; `None` if unknown.
    pub passes: Option<u64>,
    /// Lower bound of this number.
    pub passes_least: u64,
    /// Upper bound of this number; `None` if unbounded.
    pub passes_most: Option<u64>,
    /// Number of different paths that ran.
    pub ran: Option<usize>,
    /// Number of passes that follow from the counts of the edges; with count files, also from logs.
    pub definite: u64,
    /// Additional bits to identify a pass by the shares of the edges instead of those of the paths:
    /// the correlation that counts of edges lose, over the passes in logs.
    pub lost_bits: Option<f64>,
    /// Number of paths that were cut short.
    pub cut: Option<u64>,
    /// Truncated passes, and their influence on the shares of paths; `None` if unknown.
    pub truncation: Option<Truncation>,
    /// Number of passes on paths beyond the first 20,000 different ones; no other figure includes
    /// them.
    pub uncounted: Option<u64>,
}

impl Analysis {
    /// Computes the figures of all methods with branches whose `com.example.Cls.name` matches one
    /// of the patterns; without patterns, of all.
    pub fn new(evidence: &Evidence<'_, '_, '_>, globs: &[String]) -> Analysis {
        let asked = |name: &str| globs.is_empty() || globs.iter().any(|g| glob_match(g, name));
        let map = evidence.map;
        let (mut passes, mut cut) = (Between::exact(0), 0_u64);
        let (mut logged, mut lost_bits) = (0_u64, 0.0);
        let mut all = Analysis {
            branching: 0,
            fixed: 0,
            ran: 0,
            fixed_here: 0,
            passes: None,
            passes_least: 0,
            passes_most: None,
            definite: 0,
            lost_bits: None,
            unknown: 0,
            cut: None,
            faulty_records: 0,
            observer: None,
            methods: Vec::new(),
        };
        for (id, method) in (1..).map(MethodId).zip(&map.methods) {
            let branches =
                method.blocks.iter().any(|b| matches!(b.terminator, Terminator::Branch { .. }));
            if !branches || !asked(&dotted(map, method)) {
                continue;
            }
            let Some(graph) = graph_of(map, id) else { continue };
            let known = MethodFacts::new(evidence, id, &graph);
            let figures = Figures::new(map.method_key(method), &graph, &known);
            all.branching += 1;
            all.fixed += usize::from(figures.fixed);
            all.ran += usize::from(figures.began);
            all.fixed_here += usize::from(figures.began && figures.fixed_here);
            all.unknown += usize::from(matches!(known.counts, BlockCounts::Unknown));
            all.definite = all.definite.saturating_add(figures.definite);
            passes = Between::sum([passes, known.passes()]);
            logged = logged.saturating_add(known.passes_logged());
            lost_bits += figures.lost_bits.unwrap_or(0.0) * known.passes_logged() as f64;
            cut = cut.saturating_add(figures.cut.unwrap_or(0));
            all.methods.push(figures);
        }
        (all.passes, all.passes_least, all.passes_most) =
            (passes.known(), passes.least, passes.most);
        all.lost_bits = evidence.logs.map(|_| lost_bits / logged.max(1) as f64);
        all.cut = evidence.counts.is_none().then_some(cut);
        let lost = |f: &Figures| f.lost_bits.unwrap_or(0.0) * f.passes_least as f64;
        // Equal losses stay in the order of the map.
        all.methods
            .sort_by(|a, b| lost(b).total_cmp(&lost(a)).then(b.passes_least.cmp(&a.passes_least)));
        all
    }
}

impl Figures {
    fn new(method: String, graph: &MethodGraph, known: &MethodFacts<'_>) -> Figures {
        let passes = known.passes();
        let logs = known.logs.as_ref();
        // Passes in count files may also have been cut short, or have run on other paths.
        let alone = logs.filter(|_| matches!(known.counts, BlockCounts::None));
        Figures {
            method,
            vertices: graph.graph.vertices(),
            edges: graph.graph.edges().len(),
            paths: u64::try_from(graph.graph.paths()).unwrap_or(u64::MAX),
            rank: graph.graph.rank(),
            fixed: graph.graph.fixes_paths(),
            fixed_here: known.fixed(),
            began: known.ran,
            passes: passes.known(),
            passes_least: passes.least,
            passes_most: passes.most,
            ran: alone.map(|(counted, _)| counted.paths.len()),
            definite: known.definite(),
            lost_bits: logs
                .map(|(counted, flow)| flow.as_ref().map_or(0.0, |flow| lost_bits(flow, counted))),
            cut: alone.map(|(counted, _)| counted.cut.passes()),
            truncation: alone.map(|(c, _)| c.cut.report(&graph.graph, &c.paths)),
            uncounted: logs.map(|(counted, _)| counted.uncounted),
        }
    }
}

fn lost_bits(flow: &FlowCounts<'_>, counted: &MethodPathCounts) -> f64 {
    let passes = counted.paths.values().fold(0, |sum: u64, n| sum.saturating_add(*n));
    let of = |(path, times): (&[u32], u64)| {
        let path: Vec<usize> = path.iter().map(|&e| e as usize).collect();
        let times = times as f64;
        times / passes.max(1) as f64 * (times / flow.independent(&path)).log2()
    };
    // A fixed order, because sums of fractions depend on it.
    let mut paths: Vec<_> = counted.paths.iter().map(|(p, n)| (p.as_ref(), *n)).collect();
    paths.sort_unstable();
    paths.into_iter().map(of).sum::<f64>().max(0.0)
}
