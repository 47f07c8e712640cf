//! The published examples, and random graphs: exact encodings are exact, and the others are not.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::acyclic::{Cut, all_paths, epp, epp_numbers, espp, prepp, spp};
use super::cyclic::{hybrid, pap, pap_path, psp0, psp1, psp2, psp3};
use super::graph::Graph;
use super::inaccuracy::CountedPaths;
use super::{EdgeOp, Encoding, EncodingKind, Path};

/// Number of random graphs of each kind.
const GRAPHS: usize = 10_000;

/// Random numbers (splitmix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// Entry 0, exit 1, and from 3 to 9 blocks. Each leads to one to three others, without `cycles` to
/// later ones; the exit can be reached from all.
fn graph(rng: &mut Rng, cycles: bool) -> Graph {
    let blocks = 3 + rng.below(7);
    let mut edges = vec![(0, 2)];
    for b in 0..blocks {
        let first = if cycles { 0 } else { b + 1 };
        let mut to = BTreeSet::new();
        for _ in 0..1 + rng.below(3) {
            to.insert(first + rng.below(blocks + 1 - first));
        }
        // The last way: always towards the exit.
        to.insert(b + 1 + rng.below(blocks - b));
        let vertex = |b: usize| if b == blocks { 1 } else { b + 2 };
        let mut to: Vec<usize> = to.into_iter().map(vertex).collect();
        let turn = rng.below(to.len());
        to.rotate_left(turn);
        edges.extend(to.into_iter().map(|to| (b + 2, to)));
    }
    Graph::new(blocks + 2, edges, 0, 1).unwrap()
}

/// A random path, unless it gets longer than 24 edges.
fn walk(rng: &mut Rng, graph: &Graph) -> Option<Path> {
    let (mut at, mut path) = (graph.entry, Vec::new());
    while at != graph.exit {
        let edge = graph.out[at][rng.below(graph.out[at].len())];
        path.push(edge);
        at = graph.edges[edge].1;
        if path.len() > 24 {
            return None;
        }
    }
    Some(path)
}

/// Different paths.
fn walks(rng: &mut Rng, graph: &Graph, tries: usize) -> Vec<Path> {
    let all: BTreeSet<Path> = (0..tries).filter_map(|_| walk(rng, graph)).collect();
    all.into_iter().collect()
}

/// Some of these, one at least.
fn some(rng: &mut Rng, all: &[Path]) -> Vec<Path> {
    let most = 1 + rng.below(all.len().min(10));
    let mut chosen: Vec<Path> = (0..most).map(|_| all[rng.below(all.len())].clone()).collect();
    chosen.sort();
    chosen.dedup();
    chosen
}

/// V1: A → C, B; B → E, D, C; C → E; D → E. Of interest: ABCE and ACE.
fn v1() -> (Graph, Vec<Path>) {
    let [entry, exit, a, b, c, d, e] = [0, 1, 2, 3, 4, 5, 6];
    let edges = vec![(entry, a), (a, c), (a, b), (b, e), (b, d), (b, c), (c, e), (d, e), (e, exit)];
    let graph = Graph::new(7, edges, entry, exit).unwrap();
    let path = |blocks: &[usize]| graph.path(blocks).unwrap();
    let interest = vec![path(&[0, 2, 3, 4, 6, 1]), path(&[0, 2, 4, 6, 1])];
    (graph, interest)
}

fn added(encoding: &Encoding) -> BTreeMap<usize, u128> {
    let add = |(edge, ops): (usize, &Vec<EdgeOp>)| {
        ops.iter().find_map(|op| match op {
            EdgeOp::Add(n) => Some((edge, *n)),
            _ => None,
        })
    };
    encoding.ops.iter().enumerate().filter_map(add).collect()
}

#[test]
fn v1_spp_leaves_one_value_and_espp_keeps_two_more() {
    let (graph, interest) = v1();
    let spp = spp(&graph, &interest).unwrap();
    assert_eq!(added(&spp), [(5, 3)].into());
    // ABE and ABDE get 0, the number of ACE.
    let other = |blocks: &[usize]| graph.path(blocks).unwrap();
    assert_eq!(spp.run(&interest[1]).numbers, [0]);
    for blocks in [&[0, 2, 3, 6, 1][..], &[0, 2, 3, 5, 6, 1]] {
        assert_eq!(spp.run(&other(blocks)).counted, [Some(1)]);
        assert_eq!(espp(&graph, &interest).unwrap().run(&other(blocks)).counted, [None]);
    }
    assert_eq!(added(&espp(&graph, &interest).unwrap()), [(3, 1), (5, 3), (7, 2)].into());
}

/// B → C, D; C, D → E; E → B, exit, with the entry before B.
fn published_loop() -> (Graph, [usize; 4]) {
    let [entry, exit, b, c, d, e] = [0, 1, 2, 3, 4, 5];
    let edges = vec![(entry, b), (b, c), (b, d), (c, e), (d, e), (e, b), (e, exit)];
    (Graph::new(6, edges, entry, exit).unwrap(), [b, c, d, e])
}

#[test]
fn v2_psp0_tests_what_is_published() {
    let (graph, [b, c, d, e]) = published_loop();
    let path = |blocks: &[usize]| graph.path(&[&[0], blocks, &[1]].concat()).unwrap();
    let interest = vec![path(&[b, d, e]), path(&[b, d, e, b, d, e])];
    let psp0 = psp0(&graph, &interest);
    let tests = |edge: usize| {
        psp0.ops[edge].iter().find_map(|op| match op {
            EdgeOp::Test { of, .. } => Some(of.clone()),
            _ => None,
        })
    };
    // Edges into B, C, D, E and the exit.
    assert_eq!([tests(0), tests(5)], [Some(vec![0, 3]), Some(vec![0, 3])]);
    assert_eq!([tests(1), tests(2)], [Some(vec![]), Some(vec![0, 3])]);
    assert_eq!([tests(3), tests(4), tests(6)], [None, None, Some(vec![1, 7])]);
    let run = psp0.run(&path(&[b, d, e, b, c, e]));
    // Steps: entry, BD, DE, EB, BC.
    assert_eq!((run.stopped, run.counted.len()), (Some(4), 0));
}

#[test]
fn v3_pap_runs_over_without_a_word() {
    let (graph, [b, _, d, e]) = published_loop();
    let numbers = |rounds: usize| {
        let path = [&[0][..], &[b, d, e].repeat(rounds), &[1]].concat();
        pap(&graph, &[]).run(&graph.path(&path).unwrap())
    };
    for k in 1..=32 {
        let number = numbers(k).numbers[0];
        assert_eq!(number, (1 << (2 * k - 1)) - 1);
        assert_eq!(number as u32 as i32 == -1, k >= 17, "{k} rounds in 32 bits");
    }
    // Here the loss is reported.
    assert_eq!((numbers(33).lost, numbers(33).numbers.len()), (1, 0));
}

/// 0 → 4, 1; 1 → 2 → 3 → 4.
fn v4() -> (Graph, Vec<Path>, Path) {
    let edges = vec![(0, 2), (2, 6), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1)];
    let graph = Graph::new(7, edges, 0, 1).unwrap();
    let path = |blocks: &[usize]| graph.path(blocks).unwrap();
    (graph.clone(), vec![path(&[0, 2, 3, 4, 5, 6, 1])], path(&[0, 2, 6, 1]))
}

#[test]
fn v4_psp2_is_exact_only_because_the_stop_holds() {
    let (graph, interest, other) = v4();
    let mut psp2 = psp2(&graph, &interest);
    assert_eq!((psp2.edges_with_ops(), psp2.ops[1].clone()), (1, vec![EdgeOp::Stop]));
    assert_eq!(psp2.run(&other).counted, []);
    psp2.ops[1].clear();
    assert_eq!(psp2.run(&other).counted, [Some(0)], "04 counts as 01234");
}

#[test]
fn epp_gives_each_path_one_number_and_leaves_none_out() {
    let mut rng = Rng(1);
    let mut cut = 0;
    for case in 0..GRAPHS {
        let graph = graph(&mut rng, case % 2 == 0);
        let numbers = epp_numbers(&graph);
        let pieces = Cut::of(&graph);
        cut += pieces.backs.len();
        let values = super::acyclic::values(&pieces.graph, &|v| pieces.graph.out[v].clone());
        let Some(all) = all_paths(&pieces.graph, 2_000) else { continue };
        let mut found: Vec<u128> =
            all.iter().map(|path| path.iter().map(|&e| values.of[e]).sum()).collect();
        found.sort_unstable();
        assert_eq!(found, (0..numbers).collect::<Vec<_>>(), "case {case}");
        // And its operations count these pieces.
        let encoding = epp(&graph, &[]);
        for path in walks(&mut rng, &graph, 4) {
            let run = encoding.run(&path);
            let rounds = path.iter().filter(|&&e| pieces.backs.iter().any(|b| b.0 == e)).count();
            assert_eq!(run.numbers.len(), 1 + rounds);
            assert!(run.numbers.iter().all(|n| *n < numbers));
        }
    }
    assert!(cut > 1_000);
}

/// Numbers of different paths differ.
fn injective(name: &str, of: impl Fn(&Graph) -> Encoding) {
    let mut rng = Rng(2);
    let mut longest = 0;
    for case in 0..GRAPHS {
        let graph = graph(&mut rng, case % 4 > 0);
        let encoding = Encoding { most: u128::MAX, ..of(&graph) };
        let mut known: HashMap<u128, Path> = HashMap::new();
        for path in walks(&mut rng, &graph, 20) {
            let [number] = encoding.run(&path).numbers[..] else { panic!("{name} {case}") };
            longest = longest.max(path.len());
            if name == "pap" {
                assert_eq!(pap_path(&graph, number).as_ref(), Some(&path), "case {case}");
            }
            if let Some(other) = known.insert(number, path.clone()) {
                panic!("{name}, case {case}: {other:?} and {path:?} are both {number}");
            }
        }
    }
    assert!(longest > 20);
}

#[test]
fn pap_and_its_hybrid_give_different_paths_different_numbers() {
    injective("pap", |graph| pap(graph, &[]));
    injective("hybrid", |graph| hybrid(graph, &[]));
}

#[test]
fn a_number_of_no_path_is_read_back_as_none() {
    let (graph, _) = published_loop();
    let read = (0..64).filter_map(|n| pap_path(&graph, n)).count();
    // One bit for each vertex that two edges lead to: half of the numbers begin elsewhere.
    assert!(read > 10 && read < 64, "{read}");
    let endless = Graph::new(4, vec![(0, 2), (2, 2), (2, 1)], 0, 1).unwrap();
    assert!((0..64).filter_map(|n| pap_path(&endless, n)).count() > 0);
}

/// A random graph with paths: those of interest, and others.
fn drawn(rng: &mut Rng, cycles: bool) -> (Graph, Vec<Path>, Vec<Path>) {
    loop {
        let graph = graph(rng, cycles);
        let all = match cycles {
            true => walks(rng, &graph, 30),
            false => all_paths(&graph, 500).unwrap_or_default(),
        };
        if all.len() > 1 {
            let interest = some(rng, &all);
            return (graph, interest, all);
        }
    }
}

/// Runs an encoding on all these paths, each once.
fn counted(encoding: &Encoding, interest: &[Path], all: &[Path]) -> CountedPaths {
    CountedPaths::of(encoding, interest, all.iter().map(|path| (path, 1)))
}

#[test]
fn espp_is_exact_where_spp_and_prepp_are_not() {
    let mut rng = Rng(3);
    let (mut failed, mut sums) = ([0; 2], [0.0; 2]);
    for case in 0..GRAPHS {
        let (graph, interest, all) = drawn(&mut rng, false);
        let exact = counted(&espp(&graph, &interest).unwrap(), &interest, &all);
        let (is, wrong) = (interest.len() as u64, 0);
        assert_eq!((exact.collected, exact.is, exact.wrong), (is, is, wrong), "case {case}");
        let others = [spp(&graph, &interest), prepp(&graph, &interest)];
        for (i, encoding) in others.into_iter().enumerate() {
            let encoding = encoding.unwrap();
            // Among themselves, paths of interest never clash.
            assert_eq!(encoding.interest.len(), interest.len(), "case {case}");
            let counted = counted(&encoding, &interest, &all);
            failed[i] += u32::from(counted.wrong > 0);
            sums[i] += counted.inaccuracy();
        }
    }
    let share = |n: u32| f64::from(n) / GRAPHS as f64;
    let means = sums.map(|sum| sum / GRAPHS as f64);
    println!(
        "SPP fails on {:.3} of the graphs, PrePP on {:.3}",
        share(failed[0]),
        share(failed[1])
    );
    println!("mean inaccuracy {:.3} and {:.3}", means[0], means[1]);
    assert!(share(failed[0]) > 0.02 && share(failed[1]) > 0.2, "{failed:?}");
    assert!(means[1] > means[0] && means[0] > 0.0);
}

#[test]
fn no_number_is_above_the_bound_of_its_vertex() {
    let mut rng = Rng(11);
    let (mut tight, mut seen) = (0, 0);
    for turn in 0..GRAPHS / 10 {
        let cycles = turn % 2 == 0;
        let (graph, interest, all) = drawn(&mut rng, cycles);
        for kind in EncodingKind::ALL {
            let Some(encoding) = kind.encode(&graph, &interest) else { continue };
            let bounds = encoding.bounds(&graph);
            let mut most = vec![0; graph.vertices()];
            for path in &all {
                let mut number = Some(0);
                for &edge in path {
                    let to = graph.edges[edge].1;
                    number = number.and_then(|r| encoding.number_after(edge, r));
                    most[to] = most[to].max(number.unwrap_or(0));
                }
            }
            assert!(most.iter().zip(&bounds).all(|(r, bound)| r <= bound), "{kind:?} {graph:?}");
            // Without cycles all paths are known.
            if !cycles && kind == EncodingKind::Epp {
                seen += 1;
                tight += usize::from(most == bounds);
            }
        }
    }
    // Else a bound that is always too large would pass. Sums over paths are bounded one by one.
    assert_eq!((tight, seen), (GRAPHS / 20, GRAPHS / 20));
}

#[test]
fn an_activation_stops_only_where_it_can() {
    let (graph, interest) = v1();
    let can_stop = |kind: EncodingKind| {
        let encoding = kind.encode(&graph, &interest).unwrap();
        encoding.can_stop(&graph, &encoding.bounds(&graph))
    };
    let stop: Vec<_> = EncodingKind::ALL.into_iter().filter(|kind| can_stop(*kind)).collect();
    let psp = [EncodingKind::Psp0, EncodingKind::Psp1, EncodingKind::Psp2, EncodingKind::Psp3];
    assert_eq!(stop, psp);
    // In a loop PAP's number grows until it is too large.
    let (graph, _) = published_loop();
    let pap = pap(&graph, &[]);
    assert!(pap.can_stop(&graph, &pap.bounds(&graph)));
}

#[test]
fn graphs_with_cycles_are_none_for_acyclic_encodings() {
    let (graph, _) = published_loop();
    let none = [spp(&graph, &[]), prepp(&graph, &[]), espp(&graph, &[])];
    assert!(none.iter().all(Option::is_none));
}

#[test]
fn psp0_stops_at_the_first_step_that_no_path_of_interest_takes() {
    let mut rng = Rng(4);
    let mut stopped = 0;
    for case in 0..GRAPHS {
        let (graph, interest, all) = drawn(&mut rng, case % 4 > 0);
        let encoding = Encoding { most: u128::MAX, ..psp0(&graph, &interest) };
        for path in &all {
            let run = encoding.run(path);
            let deviates = (0..path.len())
                .find(|&step| !interest.iter().any(|p| p.starts_with(&path[..=step])));
            assert_eq!(run.stopped, deviates, "case {case}");
            stopped += usize::from(run.stopped.is_some());
            let is = interest.iter().position(|p| p == path);
            assert_eq!(run.counted, if is.is_some() { vec![is] } else { vec![] }.as_slice());
        }
    }
    assert!(stopped > GRAPHS);
}

#[test]
fn psp1_to_psp3_count_exactly_the_paths_of_interest() {
    let mut rng = Rng(5);
    let mut early = [0; 3];
    for case in 0..GRAPHS {
        let (graph, interest, all) = drawn(&mut rng, case % 4 > 0);
        for (i, of) in [psp1, psp2, psp3].into_iter().enumerate() {
            let encoding = Encoding { most: u128::MAX, ..of(&graph, &interest) };
            for path in &all {
                let run = encoding.run(path);
                let counted = run.counted.first().copied().flatten();
                let is = interest.iter().position(|p| p == path);
                assert_eq!(counted, is, "psp{}, case {case}, {path:?}", i + 1);
                early[i] += usize::from(run.stopped.is_some());
            }
        }
    }
    assert!(early.iter().all(|&n| n > 1_000), "{early:?}");
}

/// Chains of diamonds, one after the other, and a loop around: regions inside of it are found.
#[test]
fn regions_are_the_largest_ones_without_cycles() {
    let [entry, exit, head, a, b, join, tail] = [0, 1, 2, 3, 4, 5, 6];
    let edges = vec![
        (entry, head),
        (head, a),
        (head, b),
        (a, join),
        (b, join),
        (join, tail),
        (tail, head),
        (tail, exit),
    ];
    let graph = Graph::new(7, edges, entry, exit).unwrap();
    let regions = graph.regions();
    assert_eq!(regions.len(), 1);
    assert_eq!((regions[0].entry, regions[0].exit), (head, tail));
    assert_eq!(graph.loops(), (1, 5.0 / 7.0));
    // An acyclic graph is one region.
    let (whole, _) = v1();
    assert_eq!((whole.regions()[0].entry, whole.regions()[0].exit), (0, 1));
}
