//! Contexts, compared with an enumeration of all paths.

use model::map::MethodId;

use super::*;
use crate::graph::Graph;
use crate::score::PathObserver;
use crate::train::Learner;

fn sample(node: u32) -> Sample {
    let spot = SampledFrame { method: MethodId(1), at: vec![(NodeId(node), 0)], outside: false };
    Sample { stack: vec![spot] }
}

/// Counts the contexts of these paths through a method.
fn learnt(graph: &Graph, paths: &[&[u32]]) -> Contexts {
    let mut learner = Learner::new(graph);
    for path in paths {
        learner.pass();
        learner.enter(MethodId(1), false);
        path.iter().for_each(|n| learner.block(NodeId(*n)));
    }
    learner.contexts
}

/// 0 → 1 or 2 → 3 → 4 or 5 → 6; the second branch does as the first one did.
fn twice() -> (Graph, Contexts) {
    let graph = Graph::of_method(&[&[1, 2], &[3], &[3], &[4, 5], &[6], &[6], &[]]);
    let alike: Vec<&[u32]> = [&[0, 1, 3, 4, 6][..], &[0, 2, 3, 5, 6]].repeat(50);
    let contexts = learnt(&graph, &alike);
    (graph, contexts)
}

fn filled(graph: &Graph, contexts: &Contexts, first: u32, rest: &[(u32, u32)]) -> Vec<Gap> {
    let bounds = AllBounds::new(graph);
    let mut filler = Filler::with(graph, &bounds, Some(contexts), BEAM);
    let rest: Vec<_> = rest.iter().map(|&(n, k)| (sample(n), Length::Known(k))).collect();
    filler.pass(&sample(first), &rest)
}

#[test]
fn a_branch_does_as_the_one_before_it_did() {
    let (graph, contexts) = twice();
    let gap = &filled(&graph, &contexts, 0, &[(6, 4)])[0];
    let chosen: Vec<u32> = gap.steps.iter().map(|s| s.node.unwrap().0).collect();
    assert!(chosen == [1, 3, 4, 6] || chosen == [2, 3, 5, 6], "{chosen:?}");
}

#[test]
fn a_later_sample_tells_which_branch_was_taken_in_an_earlier_gap() {
    let (graph, contexts) = twice();
    for (later, earlier) in [(4, 1), (5, 2)] {
        let gaps = filled(&graph, &contexts, 0, &[(3, 2), (later, 1)]);
        let step = gaps[0].steps[0];
        assert_eq!(step.node, Some(NodeId(earlier)));
        // 50 of 50, and the estimate without the branch before weighs as 6.
        assert!((step.p - 53.0 / 56.0).abs() < 0.01, "{}", step.p);
    }
}

#[test]
fn an_earlier_gap_tells_what_a_later_one_does() {
    let (graph, contexts) = twice();
    let gaps = filled(&graph, &contexts, 1, &[(3, 1), (6, 2)]);
    // The sample itself is no branch: half.
    assert!((gaps[1].steps[0].p - 0.5).abs() < 0.01);
    let gaps = filled(&graph, &contexts, 0, &[(1, 1), (3, 1), (6, 2)]);
    assert_eq!(gaps[2].steps[0].node, Some(NodeId(4)));
    assert!((gaps[2].steps[0].p - 53.0 / 56.0).abs() < 0.01);
}

/// Returns the probability of an edge after these branches, counted anew from the paths.
fn likely(graph: &Graph, paths: &[Vec<u32>], from: u32, to: u32, before: &[(u32, u32)]) -> f64 {
    let ways = graph.ways(NodeId(from)).len() as f64;
    let mut p = 1.0 / ways;
    for known in 1..=before.len().min(Contexts::ORDER) {
        let end = &before[before.len() - known..];
        let (mut all, mut these) = (0.0, 0.0);
        for path in paths {
            let mut taken: Vec<(u32, u32)> = Vec::new();
            for pair in path.windows(2) {
                if graph.ways(NodeId(pair[0])).len() < 2 {
                    continue;
                }
                if pair[0] == from && taken.ends_with(end) {
                    all += 1.0;
                    these += f64::from(u8::from(pair[1] == to));
                }
                taken.push((pair[0], pair[1]));
            }
        }
        p = (6.0 * p + these) / (6.0 + all);
    }
    p
}

/// The branches before, as far as any path had them in this order.
fn remembered(graph: &Graph, paths: &[Vec<u32>], before: &[(u32, u32)]) -> usize {
    let branches = |path: &Vec<u32>| -> Vec<(u32, u32)> {
        let pairs = path.windows(2).map(|p| (p[0], p[1]));
        pairs.filter(|p| graph.ways(NodeId(p.0)).len() > 1).collect()
    };
    let seen = |end: &[(u32, u32)]| {
        // One more must follow: what was never asked for is not known.
        paths.iter().any(|p| {
            let all = branches(p);
            all.len() > end.len() && all[..all.len() - 1].windows(end.len()).any(|w| w == end)
        })
    };
    let most = before.len().min(Contexts::ORDER);
    (1..=most).rev().find(|n| seen(&before[before.len() - n..])).unwrap_or(0)
}

/// Returns all paths of `steps` steps, with their probabilities.
fn all_ways(
    graph: &Graph,
    paths: &[Vec<u32>],
    (way, p, before): (Vec<u32>, f64, Vec<(u32, u32)>),
    steps: u32,
    found: &mut Vec<(Vec<u32>, f64)>,
) {
    if steps == 0 {
        found.push((way, p));
        return;
    }
    let from = *way.last().unwrap();
    let ways = graph.ways(NodeId(from));
    for &(to, _) in ways {
        let mut next = way.clone();
        next.push(to.0);
        let (mut q, mut branches) = (p, before.clone());
        if ways.len() > 1 {
            q *= likely(graph, paths, from, to.0, &before);
            branches.push((from, to.0));
            let known = remembered(graph, paths, &branches);
            branches.drain(..branches.len() - known);
        }
        all_ways(graph, paths, (next, q, branches), steps - 1, found);
    }
}

#[test]
fn probabilities_are_those_of_all_ways_through_all_gaps() {
    let mut rng = mutation::Rng::new(31);
    let mut judged = 0;
    for _ in 0..60 {
        let nodes = 4 + rng.below(3) as u32;
        let mut ways: Vec<Vec<u32>> = Vec::new();
        for at in 0..nodes {
            let mut to: Vec<u32> =
                (0..1 + rng.below(2)).map(|_| rng.below(nodes as usize) as u32).collect();
            to.push((at + 1) % nodes);
            to.sort_unstable();
            to.dedup();
            // Prices of a test's graph distinguish at most two edges.
            to.truncate(2);
            ways.push(to);
        }
        let borrowed: Vec<&[u32]> = ways.iter().map(Vec::as_slice).collect();
        let graph = Graph::of_method(&borrowed);
        let walk = |rng: &mut mutation::Rng, steps: usize| {
            let mut path = vec![rng.below(nodes as usize) as u32];
            for _ in 0..steps {
                let ways = &ways[*path.last().unwrap() as usize];
                path.push(ways[rng.below(ways.len())]);
            }
            path
        };
        let paths: Vec<Vec<u32>> = (0..4).map(|_| walk(&mut rng, 12)).collect();
        let borrowed: Vec<&[u32]> = paths.iter().map(Vec::as_slice).collect();
        let contexts = learnt(&graph, &borrowed);
        let ran = walk(&mut rng, 8);
        let rest = [(ran[3], 3), (ran[5], 2), (ran[8], 3)];
        let gaps = filled(&graph, &contexts, ran[0], &rest);
        let mut found = Vec::new();
        all_ways(&graph, &paths, (vec![ran[0]], 1.0, Vec::new()), 8, &mut found);
        found.retain(|(way, _)| [3, 5, 8].iter().all(|at| way[*at] == ran[*at]));
        let total: f64 = found.iter().map(|f| f.1).sum();
        let steps = gaps.iter().flat_map(|g| &g.steps);
        for (at, step) in (1..).zip(steps) {
            if step.how != BlockEvidence::Likely {
                continue;
            }
            let here = found.iter().filter(|f| NodeId(f.0[at]) == step.node.unwrap());
            let p = here.map(|f| f.1).sum::<f64>() / total;
            judged += 1;
            assert!((p - step.p).abs() < 0.02, "{at} {p} {step:?} {ways:?} {paths:?} {ran:?}");
        }
    }
    assert!(judged > 50, "{judged}");
}

#[test]
fn of_branches_the_last_ones_count() {
    // Three consecutive branches; only the one before the last determines the third.
    let graph =
        Graph::of_method(&[&[1, 2], &[3], &[3], &[4, 5], &[6], &[6], &[7, 8], &[9], &[9], &[]]);
    let mut paths: Vec<&[u32]> = Vec::new();
    for _ in 0..25 {
        paths.push(&[0, 1, 3, 4, 6, 7, 9]);
        paths.push(&[0, 1, 3, 5, 6, 7, 9]);
        paths.push(&[0, 2, 3, 4, 6, 8, 9]);
        paths.push(&[0, 2, 3, 5, 6, 8, 9]);
    }
    let contexts = learnt(&graph, &paths);
    let gaps = filled(&graph, &contexts, 0, &[(2, 1), (6, 3), (9, 2)]);
    let step = gaps[2].steps[0];
    assert_eq!(step.node, Some(NodeId(8)));
    assert!(step.p > 0.9, "{}", step.p);
}
