//! Against all paths, all their counts, and elimination on the matrix itself.

use proptest::prelude::*;

use super::*;

/// All paths, as positions of edges.
fn all_paths(graph: &FlowGraph) -> Vec<Vec<usize>> {
    fn walk(graph: &FlowGraph, vertex: usize, path: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if graph.out[vertex].is_empty() {
            all.push(path.clone());
        }
        for &edge in &graph.out[vertex] {
            path.push(edge);
            walk(graph, graph.edges[edge].1, path, all);
            path.pop();
        }
    }
    let mut all = Vec::new();
    walk(graph, graph.source(), &mut Vec::new(), &mut all);
    all
}

/// The rank of the matrix of edges by paths, modulo a prime. (Such a matrix has minors far below
/// it here, so it is the rank.)
fn eliminated(graph: &FlowGraph, paths: &[Vec<usize>]) -> usize {
    const P: i64 = 1_000_003;
    let row = |path: &Vec<usize>| {
        (0..graph.edges.len()).map(|e| i64::from(path.contains(&e))).collect::<Vec<i64>>()
    };
    let inverse = |x: i64| {
        let (mut result, mut base, mut n) = (1, x, P - 2);
        while n > 0 {
            if n & 1 == 1 {
                result = result * base % P;
            }
            (base, n) = (base * base % P, n >> 1);
        }
        result
    };
    let mut rows: Vec<Vec<i64>> = paths.iter().map(row).collect();
    let mut rank = 0;
    for column in 0..graph.edges.len() {
        let Some(pivot) = (rank..rows.len()).find(|&r| rows[r][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let by = inverse(rows[rank][column]);
        let top = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let times = row[column] * by % P;
            for (x, y) in row.iter_mut().zip(&top) {
                *x = (*x - times * y).rem_euclid(P);
            }
        }
        rank += 1;
    }
    rank
}

/// All counts of the paths that give these counts of the edges.
fn decompositions(
    paths: &[Vec<usize>],
    left: &mut [u64],
    at: usize,
    sum: &mut Vec<Vec<u64>>,
    x: &mut Vec<u64>,
) {
    let Some(path) = paths.get(at) else {
        if left.iter().all(|&n| n == 0) {
            sum.push(x.clone());
        }
        return;
    };
    let most = path.iter().map(|&e| left[e]).min().unwrap_or(0);
    for n in 0..=most {
        path.iter().for_each(|&e| left[e] -= n);
        x.push(n);
        decompositions(paths, left, at + 1, sum, x);
        x.pop();
        path.iter().for_each(|&e| left[e] += n);
    }
}

/// A graph of a chain with further edges forwards, and counts for its paths.
fn graphs() -> impl Strategy<Value = (FlowGraph, Vec<u64>)> {
    (2usize..7).prop_flat_map(|n| {
        let more = prop::collection::vec((0..n, 0..n), 0..6);
        (more, prop::collection::vec(0u64..4, 64)).prop_map(move |(more, counts)| {
            let forwards = more.into_iter().filter(|(a, b)| a < b);
            let edges: Vec<(usize, usize)> = (1..n).map(|v| (v - 1, v)).chain(forwards).collect();
            (FlowGraph::new(n, edges).expect("a chain"), counts)
        })
    })
}

fn of_paths(graph: &FlowGraph, paths: &[Vec<usize>], counts: &[u64]) -> Vec<u64> {
    let mut edges = vec![0; graph.edges.len()];
    for (path, n) in paths.iter().zip(counts) {
        path.iter().for_each(|&e| edges[e] += n);
    }
    edges
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_rank_is_that_of_the_matrix((graph, _) in graphs()) {
        let paths = all_paths(&graph);
        prop_assert_eq!(graph.paths(), paths.len() as u128);
        let rank = eliminated(&graph, &paths);
        prop_assert_eq!(graph.rank(), rank);
        prop_assert_eq!(graph.fixes_paths(), rank == paths.len());
        let own = |p: &Vec<usize>| {
            p.iter().any(|e| paths.iter().filter(|other| other.contains(e)).count() == 1)
        };
        prop_assert_eq!(graph.fixes_paths(), paths.iter().all(own));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn both_bounds_are_attained((graph, counts) in graphs()) {
        let paths = all_paths(&graph);
        prop_assume!(paths.len() <= 7);
        let mut edges = of_paths(&graph, &paths, &counts);
        let flow = graph.counts(edges.clone()).expect("paths are conserved");
        let mut all = Vec::new();
        decompositions(&paths, &mut edges, 0, &mut all, &mut Vec::new());
        for (i, path) in paths.iter().enumerate() {
            let ran = || all.iter().map(|x| u128::from(x[i]));
            prop_assert_eq!(ran().min(), Some(flow.definite(path)));
            prop_assert_eq!(ran().max(), Some(flow.potential(path)));
        }
        prop_assert_eq!(flow.fix_paths(), all.len() == 1);
        let want: Vec<(Vec<usize>, u128)> = paths
            .iter()
            .map(|p| (p.clone(), flow.definite(p)))
            .filter(|(_, n)| *n > 0)
            .collect();
        prop_assert_eq!(flow.definite_paths(usize::MAX), want.clone());
        prop_assert!(want.iter().map(|(_, n)| n).sum::<u128>() <= flow.total());
        prop_assert_eq!(flow.definite_paths(1).len(), want.len().min(1));
    }
}

#[test]
fn an_edge_of_its_own_tells_a_path() {
    // 0 → 1 → 3 and 0 → 2 → 3.
    let graph = FlowGraph::new(4, vec![(0, 1), (1, 3), (0, 2), (2, 3)]).unwrap();
    assert!(graph.fixes_paths());
    let counts = graph.counts(vec![5, 5, 3, 3]).unwrap();
    assert_eq!((counts.definite(&[0, 1]), counts.potential(&[0, 1])), (5, 5));
    assert_eq!(counts.definite_paths(9), [(vec![0, 1], 5), (vec![2, 3], 3)]);
}

#[test]
fn counts_can_fix_what_the_graph_does_not() {
    let edges = vec![(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)];
    let graph = FlowGraph::new(7, edges).unwrap();
    let counts = graph.counts(vec![9, 0, 9, 0, 4, 5, 4, 5]).unwrap();
    assert!(!graph.fixes_paths() && counts.fix_paths());
    assert_eq!(counts.definite_paths(9), [(vec![0, 2, 4, 6], 4), (vec![0, 2, 5, 7], 5)]);
}

#[test]
fn a_single_vertex_has_one_empty_path() {
    let graph = FlowGraph::new(1, Vec::new()).unwrap();
    assert_eq!((graph.rank(), graph.paths(), graph.fixes_paths()), (1, 1, true));
}

#[test]
fn what_is_no_such_graph_is_refused() {
    let refused = |n, edges: &[(usize, usize)]| FlowGraph::new(n, edges.to_vec()).unwrap_err();
    assert_eq!(refused(2, &[(0, 2)]), FlowError::Vertex { edge: 0 });
    assert_eq!(refused(3, &[(0, 1), (1, 2), (2, 1)]), FlowError::Cycle);
    assert_eq!(refused(3, &[(0, 2), (1, 2)]), FlowError::Ends { sources: 2, sinks: 1 });
    assert_eq!(refused(0, &[]), FlowError::Ends { sources: 0, sinks: 0 });
    let graph = FlowGraph::new(3, vec![(0, 1), (1, 2)]).unwrap();
    assert_eq!(graph.counts(vec![1]), Err(FlowError::Length { counts: 1, edges: 2 }));
    let lost = FlowError::NotConserved { vertex: 1, into: 2, out: 1 };
    assert_eq!(graph.counts(vec![2, 1]), Err(lost));
    assert!(graph.counts(vec![u64::MAX; 2]).is_ok());
}

#[test]
fn there_may_be_more_paths_than_a_number_holds() {
    let edges = (0..200).flat_map(|v| [(v, v + 1), (v, v + 1)]).collect();
    let graph = FlowGraph::new(201, edges).unwrap();
    assert_eq!((graph.paths(), graph.rank()), (u128::MAX, 201));
}
