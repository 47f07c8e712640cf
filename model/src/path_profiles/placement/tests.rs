//! Random methods, whose walks are counted: what follows is what ran.

use super::*;

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

/// A method whose edges' weights are how often random walks took them. Of each walk, all that it
/// takes is counted, exceptions and handlers as well. `throwing`: of how many blocks one may throw.
fn method(rng: &mut Rng, throwing: usize) -> Option<CounterGraph> {
    let blocks = 1 + rng.below(8);
    let mut edges = vec![(OUTSIDE, 1, Requirement::Free)];
    let mut handlers = Vec::new();
    for b in 1..=blocks {
        match rng.below(6) {
            0 | 1 => {
                for _ in 0..2 + rng.below(2) {
                    edges.push((b, 1 + rng.below(blocks), Requirement::Required));
                }
            }
            2 | 3 => edges.push((b, (b + 1 + rng.below(2)).min(blocks), Requirement::Free)),
            _ => edges.push((b, OUTSIDE, Requirement::Free)),
        }
        if throwing > 0 && rng.below(throwing) == 0 {
            edges.push((b, OUTSIDE, Requirement::Unseen));
        }
        if throwing > 0 && b > 1 && rng.below(4) == 0 {
            handlers.push(edges.len());
            edges.push((OUTSIDE, b, Requirement::Free));
        }
    }
    let mut edges: Vec<WeightedEdge> = edges
        .into_iter()
        .map(|(from, to, role)| WeightedEdge { from, to, weight: 0, role })
        .collect();
    for _ in 0..1 + rng.below(20) {
        let (mut next, mut steps) = (0, 0);
        loop {
            edges[next].weight += 1;
            steps += 1;
            if steps > 300 {
                return None;
            }
            let WeightedEdge { to: at, role, .. } = edges[next];
            if at == OUTSIDE {
                // An exception may be caught here.
                if role != Requirement::Unseen || handlers.is_empty() || rng.below(3) == 0 {
                    break;
                }
                next = handlers[rng.below(handlers.len())];
                continue;
            }
            let out: Vec<usize> = (0..edges.len()).filter(|&e| edges[e].from == at).collect();
            next = out[rng.below(out.len())];
        }
    }
    CounterGraph::new(blocks + 1, edges).ok()
}

fn counts(flow: &CounterGraph, placement: &Placement) -> Vec<u64> {
    placement.counters.iter().map(|&e| flow.edges[e].weight).collect()
}

#[test]
fn what_follows_from_the_counters_is_what_ran() {
    let mut rng = Rng(1);
    let (mut cases, mut saved, mut by_kind) = (0, 0, [0, 0]);
    while cases < 6_000 {
        let Some(flow) = method(&mut rng, cases % 4) else { continue };
        cases += 1;
        for determines_all in [false, true] {
            let placement = flow.placed(determines_all);
            let solved = flow.solve(&placement, &counts(&flow, &placement)).unwrap();
            for (e, (edge, count)) in flow.edges.iter().zip(&solved).enumerate() {
                let asked = match edge.role {
                    Requirement::Required => true,
                    Requirement::Free => determines_all,
                    Requirement::Unseen => false,
                };
                assert_eq!(*count, asked.then_some(edge.weight), "case {cases}, edge {e}");
            }
            assert!(determines_all || placement.cost <= flow.direct_cost());
        }
        let best = flow.place();
        assert!(best.cost <= flow.direct_cost());
        saved += usize::from(best.cost < flow.direct_cost());
        by_kind[usize::from(best.determines_all)] += 1;
    }
    assert!(saved > 500 && by_kind.iter().all(|&n| n > 20), "{saved} {by_kind:?}");
}

/// Returns true if all required edges follow from these counters: none lies on a circle without
/// counters.
fn determine(flow: &CounterGraph, counters: &[usize]) -> bool {
    let uncounted: Vec<usize> = (0..flow.edges.len()).filter(|e| !counters.contains(e)).collect();
    uncounted.iter().filter(|&&e| flow.edges[e].role == Requirement::Required).all(|&bridge| {
        let mut joined = Joined::new(flow.vertices);
        uncounted.iter().filter(|&&e| e != bridge).for_each(|&e| {
            joined.join(flow.edges[e]);
        });
        joined.join(flow.edges[bridge])
    })
}

#[test]
fn no_other_choice_of_required_edges_is_cheaper() {
    let mut rng = Rng(2);
    let mut cases = 0;
    while cases < 1_000 {
        let Some(flow) = method(&mut rng, cases % 4) else { continue };
        let required: Vec<usize> = (0..flow.edges.len())
            .filter(|&e| flow.edges[e].role == Requirement::Required)
            .collect();
        if required.len() > 9 {
            continue;
        }
        cases += 1;
        let best = (0..1_u32 << required.len()).filter_map(|set| {
            let chosen = required.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            let chosen: Vec<usize> = chosen.map(|(_, &e)| e).collect();
            let cost = chosen.iter().map(|&e| u128::from(flow.edges[e].weight)).sum::<u128>();
            determine(&flow, &chosen).then_some(cost)
        });
        assert_eq!(best.min(), Some(flow.placed(false).cost));
    }
}

#[test]
fn counters_that_contradict_each_other_are_refused() {
    // 0 → 1 → 2|3 → 0, all quiet. In mode 2 two of the five edges count.
    let edge = |from, to, role| WeightedEdge { from, to, weight: 1, role };
    let edges = vec![
        edge(0, 1, Requirement::Free),
        edge(1, 2, Requirement::Required),
        edge(1, 3, Requirement::Required),
        edge(2, 0, Requirement::Free),
        edge(3, 0, Requirement::Free),
    ];
    let flow = CounterGraph::new(4, edges).unwrap();
    // An entry and one arm: the other arm cannot have run −1 times.
    let placement = Placement { counters: vec![0, 1], cost: 2, determines_all: true };
    let wrong = PlacementError::Negative { edge: 2, count: -1 };
    assert_eq!(flow.solve(&placement, &[3, 4]), Err(wrong));
    assert_eq!(flow.solve(&placement, &[4, 3]).unwrap(), [4, 3, 1, 3, 1].map(Some));
    let length = PlacementError::Length { counts: 1, counters: 2 };
    assert_eq!(flow.solve(&placement, &[4]), Err(length));
    assert_eq!(CounterGraph::new(3, flow.edges.clone()), Err(PlacementError::Vertex { edge: 2 }));
    // A block that may throw is entered at least as often as it is left.
    let edges = [(0, 1, Requirement::Free), (1, 0, Requirement::Free), (1, 0, Requirement::Unseen)];
    let flow =
        CounterGraph::new(2, edges.map(|(from, to, role)| edge(from, to, role)).to_vec()).unwrap();
    let placement = flow.placed(true);
    assert_eq!(placement.counters, [0, 1]);
    assert_eq!(flow.solve(&placement, &[5, 3]).unwrap(), [Some(5), Some(3), None]);
    let wrong = PlacementError::NotConserved { vertex: 1, more: 2 };
    assert_eq!(flow.solve(&placement, &[3, 5]), Err(wrong));
}

/// A loop of 3 entries and 12 rounds costs 15 either way.
#[test]
fn a_loop_saves_nothing() {
    let edge = |from, to, weight, role| WeightedEdge { from, to, weight, role };
    let flow = CounterGraph::new(
        4,
        vec![
            edge(0, 1, 3, Requirement::Free),
            edge(1, 2, 12, Requirement::Required),
            edge(2, 1, 12, Requirement::Free),
            edge(1, 3, 3, Requirement::Required),
            edge(3, 0, 3, Requirement::Free),
        ],
    )
    .unwrap();
    assert_eq!([flow.placed(false).cost, flow.placed(true).cost, flow.direct_cost()], [15; 3]);
}
