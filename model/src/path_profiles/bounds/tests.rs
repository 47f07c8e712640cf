//! Walks through random methods, whose paths are counted one by one beside what a device counts.

use std::collections::BTreeMap;

use mutation::Rng;

use super::*;
use crate::map::BranchIdentity;

fn block(terminator: Terminator) -> Block {
    Block {
        pc: 0,
        end: 0,
        lines: Vec::new(),
        calls: Vec::new(),
        throws: false,
        mark: false,
        terminator,
    }
}

/// Blocks by where they lead.
fn blocks(to: &[Vec<usize>]) -> Vec<Block> {
    let id = |to: &usize| BlockId(*to as u32);
    let end = |to: &Vec<usize>| match &to[..] {
        [] => Terminator::Return,
        [to] => Terminator::Goto(id(to)),
        _ => Terminator::Branch {
            alternatives: to.iter().map(|to| (id(to), 1)).collect(),
            identity: BranchIdentity { fingerprint: 0 },
        },
    };
    to.iter().map(|to| block(end(to))).collect()
}

/// A method, what a device counts of it, and how often each of its paths ran.
struct Played {
    blocks: Vec<Block>,
    handlers: Vec<BlockId>,
    counts: Vec<BlockCounts>,
    runs: Vec<RegionRun>,
    graph: MethodGraph,
    paths: BTreeMap<Vec<usize>, u64>,
}

impl Played {
    fn flow(&self) -> BoundedFlow<'_> {
        let Played { blocks, handlers, counts, runs, graph, .. } = self;
        BoundedFlow::new(graph, blocks, handlers, counts, runs).expect("counts of walks")
    }
}

/// Random activations of a random method; `None` if one does not end.
fn play(rng: &mut Rng, throws: bool) -> Option<Played> {
    let len = 1 + rng.below(9);
    let to = |rng: &mut Rng, b: usize| match rng.below(6) {
        0..3 => (0..2 + rng.below(2)).map(|_| rng.below(len)).collect(),
        3 | 4 if b + 1 < len => vec![b + 1],
        _ => Vec::new(),
    };
    let to: Vec<Vec<usize>> = (0..len).map(|b| to(rng, b)).collect();
    let mut blocks = blocks(&to);
    // An exception that ends a block is seen, as in regions, or not.
    let stops: Vec<Option<Option<u64>>> =
        (0..len).map(|_| (throws && rng.one_in(2)).then(|| rng.one_in(2).then_some(0))).collect();
    for b in 0..len {
        if throws && to[b].is_empty() && rng.one_in(4) {
            blocks[b].terminator = Terminator::Throw;
        }
    }
    let handlers: Vec<usize> = (1..len).filter(|_| throws && rng.one_in(5)).collect();
    let ids: Vec<BlockId> = handlers.iter().map(|&h| BlockId(h as u32)).collect();
    let graph = MethodGraph::new(&blocks, &ids).expect("a graph");
    let mut counts: Vec<BlockCounts> = (0..len)
        .map(|b| BlockCounts {
            decided: if to[b].len() > 1 { vec![0; to[b].len()] } else { Vec::new() },
            stops: stops[b].unwrap_or(Some(0)),
        })
        .collect();
    // A region: a head, and blocks that runs from it go on in.
    let head = rng.below(len);
    let inside: Vec<bool> = (0..len).map(|b| b != head && rng.one_in(2)).collect();
    let mut runs: BTreeMap<Vec<(usize, usize)>, u64> = BTreeMap::new();
    let mut paths: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
    for _ in 0..rng.below(20) {
        let (mut at, mut steps) = (0, 0);
        let mut path = vec![graph.begin(0)?];
        let mut run: Option<Vec<(usize, usize)>> = None;
        loop {
            steps += 1;
            if steps > 200 {
                return None;
            }
            let thrown = blocks[at].terminator == Terminator::Throw;
            if thrown || stops[at].is_some() && rng.one_in(4) {
                if let Some(stops) = counts[at].stops.as_mut().filter(|_| stops[at].is_some()) {
                    *stops += 1;
                } else {
                    counts[at].stops = None;
                }
                if handlers.is_empty() || rng.one_in(3) {
                    break;
                }
                at = handlers[rng.below(handlers.len())];
                path = vec![graph.begin(at)?];
                run = None;
                continue;
            }
            if at == head && to[at].len() > 1 {
                run = Some(Vec::new());
            }
            let number = if to[at].is_empty() { 0 } else { rng.below(to[at].len()) };
            if to[at].len() > 1 {
                counts[at].decided[number] += 1;
            }
            let way = graph.way(at, number)?;
            path.push(way.edge);
            let goes_on = way.to.is_some_and(|b| !way.goes_back && inside[b.0 as usize]);
            if let Some(mut run_to) = run.take() {
                run_to.push((at, number));
                match goes_on {
                    true => run = Some(run_to),
                    false => *runs.entry(run_to).or_default() += 1,
                }
            }
            if way.goes_back || way.to.is_none() {
                *paths.entry(std::mem::take(&mut path)).or_default() += 1;
            }
            let Some(next) = way.to else { break };
            at = next.0 as usize;
            if way.goes_back {
                path = vec![graph.begin(at)?];
            }
        }
    }
    let runs =
        runs.into_iter().map(|(ways, times)| RegionRun { block: head, ways, times }).collect();
    Some(Played { blocks, handlers: ids, counts, runs, graph, paths })
}

/// Checks the bounds that hold whatever ran.
fn check(case: usize, played: &Played, flow: &BoundedFlow<'_>) -> [usize; 3] {
    let mut seen = [0; 3];
    let (possible, all) = flow.possible_paths(2_000);
    for path in possible.iter().chain(played.paths.keys()) {
        let ran = u128::from(played.paths.get(path).copied().unwrap_or(0));
        let (least, most) = (flow.definite(path), flow.potential(path));
        assert!(least <= ran, "case {case}: {path:?} ran {ran} times, not {least}");
        assert!(most.is_none_or(|most| ran <= most), "case {case}: {path:?} ran {ran}, {most:?}");
        let kind = if most == Some(least) { 0 } else { 1 + usize::from(least > 0) };
        seen[kind] += usize::from(ran > 0);
        assert!(!all || ran == 0 || possible.contains(path), "case {case}: {path:?} can run");
    }
    let passes = flow.passes();
    let ran: u64 = played.paths.values().sum();
    assert!(passes.least <= ran && passes.most.is_none_or(|most| ran <= most), "case {case}");
    let sure = flow.definite_paths(10_000);
    for (path, times) in &sure {
        assert_eq!(*times, flow.definite(path), "case {case}");
    }
    let missing = |path: &&Vec<usize>| !sure.iter().any(|(known, _)| known == *path);
    for path in possible.iter().filter(missing) {
        assert_eq!(flow.definite(path), 0, "case {case}");
    }
    seen
}

#[test]
fn paths_ran_as_often_as_the_bounds_allow() {
    let mut rng = Rng::new(1);
    let (mut cases, mut seen, mut tightened) = (0, [0; 3], 0);
    while cases < 4_000 {
        let Some(played) = play(&mut rng, cases % 4 > 0) else { continue };
        cases += 1;
        let flow = played.flow();
        let with = check(cases, &played, &flow);
        let without = check(cases, &played, &flow.by_edges_alone());
        tightened += usize::from(with[0] > without[0]);
        (0..3).for_each(|kind| seen[kind] += with[kind]);
    }
    assert!(seen.iter().all(|&n| n > 500), "bounded from below, above, both sides: {seen:?}");
    assert!(tightened > 100, "runs tighten the bounds of {tightened} methods");
}

#[test]
fn without_exceptions_the_bounds_are_those_of_the_flow() {
    let mut rng = Rng::new(2);
    let (mut cases, mut exact) = (0, 0);
    while cases < 2_000 {
        let Some(played) = play(&mut rng, false) else { continue };
        cases += 1;
        let bounded = played.flow().by_edges_alone();
        let Some(flow) = bounded.exact() else { continue };
        exact += usize::from(!played.paths.is_empty());
        let ran: u64 = played.paths.values().sum();
        assert_eq!((flow.total(), bounded.passes().known()), (u128::from(ran), Some(ran)));
        for path in played.paths.keys() {
            assert_eq!(Some(flow.potential(path)), bounded.potential(path));
            assert_eq!(flow.definite(path), bounded.definite(path));
            let guess = bounded.independent(path).expect("all counts are known");
            assert!((guess - flow.independent(path)).abs() < 1e-6);
        }
    }
    assert!(exact > 500, "{exact}");
}

#[test]
fn counts_of_different_moments_are_refused() {
    // 0: if → 1 or 2; 1 → 3, 2 → 3: if → 4 or 5. Seven came, eight went on.
    let to: Vec<Vec<usize>> = [&[1, 2][..], &[3], &[3], &[4, 5], &[], &[]].map(Vec::from).into();
    let blocks = blocks(&to);
    let graph = MethodGraph::new(&blocks, &[]).unwrap();
    let mut counts = vec![BlockCounts { decided: vec![], stops: Some(0) }; 6];
    counts[0].decided = vec![3, 4];
    counts[3].decided = vec![4, 4];
    let of = |counts: &[BlockCounts], handlers: &[BlockId]| {
        BoundedFlow::new(&graph, &blocks, handlers, counts, &[]).map(|flow| flow.passes().known())
    };
    assert!(matches!(of(&counts, &[]), Err(BoundsError::Contradiction(_))));
    // If exceptions lead to block 1, one did.
    assert_eq!(of(&counts, &[BlockId(1)]), Ok(Some(8)));
    counts[3].decided.push(1);
    assert_eq!(of(&counts, &[]), Err(BoundsError::Shape(3)));
    assert_eq!(of(&counts[..2], &[]), Err(BoundsError::Shape(2)));
}

#[test]
fn nothing_is_known_where_nothing_is_counted() {
    let blocks = blocks(&[vec![1], vec![]]);
    let graph = MethodGraph::new(&blocks, &[]).unwrap();
    let counts = vec![BlockCounts { decided: vec![], stops: Some(0) }; 2];
    let flow = BoundedFlow::new(&graph, &blocks, &[], &counts, &[]).unwrap();
    let (paths, all) = flow.possible_paths(9);
    assert_eq!((paths.len(), all), (1, true));
    assert_eq!((flow.definite(&paths[0]), flow.potential(&paths[0])), (0, None));
    assert_eq!((flow.passes(), flow.independent(&paths[0])), (Between::UNKNOWN, None));
    // The highest count stands for all above.
    assert_eq!(Between::exact(u64::MAX).known(), None);
}
