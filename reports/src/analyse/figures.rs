//! The figures of all methods that branch.

use glob_match::glob_match;
use model::map::{MethodId, Terminator};
use model::path_profiles::bounds::Between;
use model::path_profiles::flow_graph::FlowCounts;
use model::path_profiles::method_graph::MethodGraph;
use serde::Serialize;

use super::counts::Counted;
use super::graph::graph_of;
use super::known::{Counts, Evidence, Known};
use super::observer::Observed;
use super::truncation::Truncation;
use crate::base::names::dotted;

/// What counts of edges tell, of all methods that branch. What needs paths in order is `None` where
/// there are count files alone.
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
    /// Complete paths that ran, of all these methods; `None`: this is not known.
    pub passes: Option<u64>,
    /// At least so many.
    pub passes_least: u64,
    /// At most so many; `None`: nothing tells.
    pub passes_most: Option<u64>,
    /// How many of them follow from the counts of the edges; with count files, from these and the
    /// logs.
    pub definite: u64,
    /// What a pass of these methods takes more to tell by the shares of the edges than by those of
    /// the paths, in bits, in the mean over the passes in logs.
    pub lost_bits: Option<f64>,
    /// Methods whose counts are not known: they contradict each other, or the code is another.
    pub unknown: usize,
    /// Paths that an exception or the end of a log cut short. They are in no other figure.
    pub cut: Option<u64>,
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
    /// Complete paths that ran; `None`: this is not known.
    pub passes: Option<u64>,
    /// At least so many.
    pub passes_least: u64,
    /// At most so many; `None`: nothing tells.
    pub passes_most: Option<u64>,
    /// How many different ones.
    pub ran: Option<usize>,
    /// Passes that follow from the counts of the edges; with count files, from these and the logs.
    pub definite: u64,
    /// What it takes more to tell a pass by the shares of the edges than by those of the paths, in
    /// bits: the correlation that counts of edges lose, of the passes in logs.
    pub lost_bits: Option<f64>,
    /// Paths that were cut short.
    pub cut: Option<u64>,
    /// What was cut short, and how far that moves the shares of paths; `None`: this is not known.
    pub truncation: Option<Truncation>,
    /// Passes on paths beyond the first 20,000 different ones. They are in no other figure.
    pub uncounted: Option<u64>,
}

impl Analysis {
    /// Of all methods with branches whose `com.example.Cls.name` matches one of the patterns;
    /// without patterns, of all.
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
            let known = Known::new(evidence, id, &graph);
            let figures = Figures::new(map.method_key(method), &graph, &known);
            let ran = figures.passes_least > 0;
            all.branching += 1;
            all.fixed += usize::from(figures.fixed);
            all.ran += usize::from(ran);
            all.fixed_here += usize::from(ran && figures.fixed_here);
            all.unknown += usize::from(matches!(known.counts, Counts::Unknown));
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
        // In the order of the map where they lose alike.
        all.methods
            .sort_by(|a, b| lost(b).total_cmp(&lost(a)).then(b.passes_least.cmp(&a.passes_least)));
        all
    }
}

impl Figures {
    fn new(method: String, graph: &MethodGraph, known: &Known<'_>) -> Figures {
        let passes = known.passes();
        let logs = known.logs.as_ref();
        // What count files counted may have been cut short as well, or on still other paths.
        let alone = logs.filter(|_| matches!(known.counts, Counts::None));
        Figures {
            method,
            vertices: graph.graph.vertices(),
            edges: graph.graph.edges().len(),
            paths: u64::try_from(graph.graph.paths()).unwrap_or(u64::MAX),
            rank: graph.graph.rank(),
            fixed: graph.graph.fixes_paths(),
            fixed_here: known.fixed(),
            passes: passes.known(),
            passes_least: passes.least,
            passes_most: passes.most,
            ran: alone.map(|(counted, _)| counted.paths.len()),
            definite: known.definite(),
            lost_bits: logs
                .map(|(counted, flow)| flow.as_ref().map_or(0.0, |flow| lost_bits(flow, counted))),
            cut: alone.map(|(counted, _)| counted.cut.passes()),
            truncation: alone.map(|(c, _)| c.cut.told(&graph.graph, &c.paths)),
            uncounted: logs.map(|(counted, _)| counted.uncounted),
        }
    }
}

fn lost_bits(flow: &FlowCounts<'_>, counted: &Counted) -> f64 {
    let passes = counted.paths.values().fold(0, |sum: u64, n| sum.saturating_add(*n));
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
