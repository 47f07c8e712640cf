//! The worked figures of the publication of PSP (Li, Wang, Leung: *Profiling selected paths with
//! loops*), with its numbers. The drawings did not come down to us with the text: each graph here
//! is one with all properties that the text states of the figure.

use std::collections::BTreeSet;

use super::acyclic::{all_paths, espp, prepp, spp, values};
use super::cyclic::{psp0, psp1, psp2, psp3};
use super::graph::Graph;
use super::inaccuracy::CountedPaths;
use super::{EdgeOp, Encoding, Path};

/// Makes a graph of edges between letters, `>` the entry and `.` the exit; and its vertices in
/// order of their first mention.
struct Figure {
    graph: Graph,
    names: Vec<char>,
}

impl Figure {
    fn new(edges: &str) -> Figure {
        let mut names: Vec<char> = vec!['>', '.'];
        let mut number = |name: char| {
            names.iter().position(|n| *n == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let edges = edges.split_whitespace().map(|edge| {
            let mut ends = edge.chars();
            let mut end = || number(ends.next().expect("two letters"));
            (end(), end())
        });
        let edges: Vec<(usize, usize)> = edges.collect();
        Figure { graph: Graph::new(names.len(), edges, 0, 1).expect("a graph"), names }
    }

    /// Returns the path over these letters, between the entry and the exit.
    fn path(&self, letters: &str) -> Path {
        let number = |name| self.names.iter().position(|n| *n == name).expect("a vertex");
        let letters = format!(">{letters}.");
        self.graph.path(&letters.chars().map(number).collect::<Vec<_>>()).expect("a path")
    }

    fn edge(&self, edge: usize) -> String {
        let (from, to) = self.graph.edges()[edge];
        [self.names[from], self.names[to]].iter().collect()
    }

    /// Returns the edges on which an encoding stops.
    fn stops(&self, encoding: &Encoding) -> BTreeSet<String> {
        let stops = |edge: &usize| encoding.ops[*edge].contains(&EdgeOp::Stop);
        (0..encoding.ops.len()).filter(stops).map(|edge| self.edge(edge)).collect()
    }
}

/// Figure 3: under SPP a path outside of PI has the number 6 of one in PI. ESPP keeps them apart.
#[test]
fn figure_3_adh_and_adefgh_are_both_6_under_spp() {
    let figure = Figure::new(">A AB AD BC BD CD DH DE EF FG FH GH H.");
    let interest = [figure.path("ADH"), figure.path("ABCDEFH")];
    let others = figure.path("ADEFGH");
    let spp = spp(&figure.graph, &interest).expect("no cycles");
    assert_eq!(spp.run(&interest[0]).numbers, [6]);
    assert_eq!(spp.run(&others).numbers, [6]);
    assert_eq!(spp.run(&others).counted, [Some(0)], "counted as ADH");
    let espp = espp(&figure.graph, &interest).expect("no cycles");
    assert_eq!(espp.run(&interest[0]).counted, [Some(0)]);
    assert_eq!(espp.run(&others).counted, [None]);
}

/// Figure 7: BDE once and twice round. PSP0 compares r with {0, 3} at B and D, with nothing at C,
/// with {1, 7} at the exit, and does not look at E; BDEBC has 0, 0, 1, 3 and stops at C.
#[test]
fn figure_7_psp0_compares_with_the_registers_of_the_paths_of_interest() {
    let figure = Figure::new(">B BC BD CE DE EB E.");
    let psp0 = psp0(&figure.graph, &[figure.path("BDE"), figure.path("BDEBDE")]);
    let test = |edge: &str| {
        let at = (0..psp0.ops.len()).find(|&e| figure.edge(e) == edge).expect("an edge");
        psp0.ops[at].iter().find_map(|op| match op {
            EdgeOp::Test { of, .. } => Some(of.clone()),
            _ => None,
        })
    };
    assert_eq!((test(">B"), test("EB"), test("BD")), (Some(vec![0, 3]), test("BD"), test(">B")));
    assert_eq!((test("BC"), test("E.")), (Some(vec![]), Some(vec![1, 7])));
    assert_eq!((test("CE"), test("DE")), (None, None));
    let run = psp0.run(&figure.path("BDEBCE"));
    assert_eq!(
        run.stopped.map(|at| figure.path("BDEBCE")[at]).map(|e| figure.edge(e)),
        Some("BC".into())
    );
}

/// Figures 9 to 11: a loop around a region of nine paths, three ways to B and three from there. PI
/// goes through it in two ways, whose numbers are 5 and 8.
fn nine_paths() -> (Figure, [Path; 2]) {
    let figure = Figure::new(">A AX AY AZ XB YB ZB BE BF BD EG FG DG GA G.");
    let interest = [figure.path("AYBDG"), figure.path("AYBDGAZBDG")];
    (figure, interest)
}

#[test]
fn figure_9_psp1_tests_5_and_8_of_nine_after_the_region() {
    let (figure, interest) = nine_paths();
    let regions = figure.graph.regions();
    assert_eq!(regions.len(), 1);
    let psp1 = psp1(&figure.graph, &interest);
    let tests: Vec<(String, &EdgeOp)> = (0..psp1.ops.len())
        .flat_map(|e| psp1.ops[e].iter().map(move |op| (e, op)))
        .filter(|(_, op)| matches!(op, EdgeOp::Test { .. }))
        .map(|(e, op)| (figure.edge(e), op))
        .collect();
    let wanted = EdgeOp::Test { of: vec![5, 8], modulus: Some(9) };
    assert_eq!(tests.iter().map(|t| &*t.0).collect::<Vec<_>>(), ["EG", "FG", "DG"]);
    assert!(tests.iter().all(|(_, op)| **op == wanted), "{tests:?}");
    // It stops after the first round through E, not before.
    let run = psp1.run(&figure.path("AYBEGAZBDG"));
    assert_eq!(run.stopped.map(|at| figure.edge(figure.path("AYBEG")[at])), Some("EG".into()));
}

#[test]
fn figure_10_psp2_stops_on_be_and_bf() {
    let (figure, interest) = nine_paths();
    let psp2 = psp2(&figure.graph, &interest);
    let stops = figure.stops(&psp2);
    // AX is the third edge out of PI's vertices.
    assert_eq!(stops, ["AX", "BE", "BF"].map(String::from).into());
    assert_eq!(psp2.run(&figure.path("AYBFG")).counted, []);
    assert_eq!(psp2.run(&interest[1]).counted, [Some(1)]);
}

#[test]
fn figure_11_psp3_leaves_two_of_the_regions_nine_paths() {
    let (figure, interest) = nine_paths();
    let paths = |graph: &Graph| {
        let regions = graph.regions();
        assert_eq!(regions.len(), 1);
        let own = regions[0].as_graph(graph);
        values(&own, &|v| own.out[v].clone()).paths[regions[0].entry]
    };
    assert_eq!(paths(&figure.graph), 9);
    let in_ei = super::acyclic::edges_of(&figure.graph, &interest);
    assert_eq!(paths(&figure.graph.only(&in_ei)), 2);
    let psp3 = psp3(&figure.graph, &interest);
    let moduli: BTreeSet<Option<u128>> = psp3
        .ops
        .iter()
        .flatten()
        .filter_map(|op| match op {
            EdgeOp::Test { modulus, .. } => Some(*modulus),
            _ => None,
        })
        .collect();
    assert_eq!(moduli, [Some(2)].into());
    assert_eq!(figure.stops(&psp3), figure.stops(&psp2(&figure.graph, &interest)));
}

/// `GetMid`, the middle of three numbers, has six paths. Each runs once; for every two of them as
/// PI, PrePP counts all six, so its inaccuracy is (6 − 2) ÷ 6 = 0.67, and all others count two.
#[test]
fn get_mid_has_the_published_inaccuracies_for_every_two_of_its_six_paths() {
    // if (y < z) { if (x < y) m = y; else if (x < z) m = x; }
    // else { if (x > y) m = y; else if (x > z) m = x; }
    let figure = Figure::new(">A AB AF BC BD CR DE DR ER FG FH GR HI HR IR R.");
    let all = all_paths(&figure.graph, 100).expect("few");
    assert_eq!(all.len(), 6);
    let mut pairs = 0;
    for one in 0..6 {
        for two in 0..one {
            let interest = [all[two].clone(), all[one].clone()];
            let inaccuracy = |encoding: &Encoding| {
                let each = all.iter().map(|path| (path, 1));
                CountedPaths::of(encoding, &interest, each).inaccuracy()
            };
            let graph = &figure.graph;
            let acyclic = [espp(graph, &interest), spp(graph, &interest), prepp(graph, &interest)];
            let [espp, spp, prepp] = acyclic.map(|e| inaccuracy(&e.expect("no cycles")));
            assert_eq!((espp, spp), (0.0, 0.0), "{one} {two}");
            assert_eq!(format!("{prepp:.2}"), "0.67", "{one} {two}");
            for psp in [psp0, psp1, psp2, psp3] {
                assert_eq!(inaccuracy(&psp(graph, &interest)), 0.0, "{one} {two}");
            }
            pairs += 1;
        }
    }
    assert_eq!(pairs, 15);
}
