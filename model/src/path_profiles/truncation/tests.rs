//! Against all paths that the cut passes can have gone on to.

use proptest::prelude::*;

use super::*;

type Counts = HashMap<Box<[u32]>, u64>;

/// All paths that begin so.
fn all_paths(edges: &[(usize, usize)], sink: usize, begin: &[u32]) -> Vec<Vec<u32>> {
    let at = begin.last().map_or(0, |&edge| edges[edge as usize].1);
    if at == sink {
        return vec![begin.to_vec()];
    }
    let out = (0..edges.len() as u32).filter(|&edge| edges[edge as usize].0 == at);
    out.flat_map(|edge| all_paths(edges, sink, &[begin, &[edge]].concat())).collect()
}

fn counts(list: &[Vec<u32>]) -> Counts {
    let mut counts = Counts::new();
    list.iter().for_each(|path| *counts.entry(path.as_slice().into()).or_default() += 1);
    counts
}

/// The most that any path's share is off, over all that each cut pass can have gone on to.
fn tried(all: &[Vec<u32>], complete: &[Vec<u32>], cut: &[Vec<u32>]) -> f64 {
    let Some((first, rest)) = cut.split_first() else { return 0.0 };
    let mut most = 0.0_f64;
    let mut went: Vec<Vec<&Vec<u32>>> = vec![vec![]];
    for begin in std::iter::once(first).chain(rest) {
        let fits = |path: &&Vec<u32>| path.starts_with(begin);
        went = (went.iter())
            .flat_map(|so_far| {
                all.iter().filter(fits).map(move |path| [so_far.as_slice(), &[path]].concat())
            })
            .collect();
    }
    for went in went {
        for path in all {
            let ran = complete.iter().filter(|p| *p == path).count() as f64;
            let more = went.iter().filter(|p| **p == path).count() as f64;
            let of_all = (ran + more) / (complete.len() + cut.len()) as f64;
            most = most.max((of_all - ran / complete.len() as f64).abs());
        }
    }
    most
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]
    #[test]
    fn no_way_to_go_on_is_further_off_and_one_is_as_far(
        n in 2_usize..6,
        more in prop::collection::vec((0_usize..6, 0_usize..6), 0..5),
        picks in prop::collection::vec(0_usize..1_000, 1..6),
        cuts in prop::collection::vec(
            (0_usize..1_000, 0_usize..1_000, prop::bool::weighted(0.2)),
            0..4,
        ),
    ) {
        // A chain with further edges forwards: one source, one sink.
        let forwards = more.into_iter().filter(|&(from, to)| from < to && to < n);
        let edges: Vec<_> = (1..n).map(|v| (v - 1, v)).chain(forwards).collect();
        let graph = FlowGraph::new(n, edges.clone()).expect("a chain");
        let all = all_paths(&edges, n - 1, &[]);
        let complete: Vec<_> = picks.iter().map(|&p| all[p % all.len()].clone()).collect();
        // Begins of paths, and some passes of which nothing is known: these begin with no edge.
        let cut: Vec<Vec<u32>> = cuts
            .iter()
            .map(|&(p, length, nothing)| {
                let path = &all[p % all.len()];
                path[..if nothing { 0 } else { length % path.len() }].to_vec()
            })
            .collect();
        let (begun, anywhere): (Vec<_>, Vec<_>) = cut.iter().cloned().partition(|p| !p.is_empty());
        let bound = most_off(&graph, &counts(&complete), &counts(&begun), anywhere.len() as u64);
        let want = tried(&all, &complete, &cut);
        prop_assert!((bound.expect("complete passes") - want).abs() < 1e-9, "{bound:?} {want}");
    }
}

#[test]
fn nothing_complete_has_no_shares() {
    let graph = FlowGraph::new(2, vec![(0, 1)]).expect("a graph");
    assert_eq!(most_off(&graph, &Counts::new(), &Counts::new(), 3), None);
    assert_eq!(most_off(&graph, &Counts::new(), &Counts::new(), 0), Some(0.0));
}

#[test]
fn edges_that_the_graph_does_not_have_lead_nowhere() {
    let graph = FlowGraph::new(2, vec![(0, 1)]).expect("a graph");
    let (complete, cut) = (counts(&[vec![0]]), counts(&[vec![7, 9]]));
    assert!(most_off(&graph, &complete, &cut, 0).is_some_and(f64::is_finite));
}

#[test]
fn large_counts_do_not_overflow() {
    let graph = FlowGraph::new(2, vec![(0, 1), (0, 1)]).expect("a graph");
    let complete = Counts::from([(Box::from([0]), u64::MAX), (Box::from([1]), u64::MAX)]);
    let off = most_off(&graph, &complete, &Counts::new(), u64::MAX).expect("shares");
    // From 1 ÷ 2 to 2 ÷ 3 or to 1 ÷ 3.
    assert!((off - 1.0 / 6.0).abs() < 1e-9);
}
