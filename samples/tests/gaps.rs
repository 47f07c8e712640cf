//! Reported gaps between samples, compared with the path that a simulated device ran.

#[path = "../../tests/src/sim/mod.rs"]
#[allow(dead_code, unused_imports, reason = "tests of other crates use the rest")]
mod sim;

use std::collections::HashMap;

use model::map::{BlockId, CallKind, Map, MethodId, Terminator};
use samples::fill::{AllBounds, BEAM, Filler, FramePrecision};
use samples::graph::{Graph, NodeId};
use samples::score::{PathObserver, PathSampler, SampledPath, Sampling, Score, score};
use sim::{Event, Habits, How, Rng, Shape, play, random_map};

/// A program whose blocks the device knows all of.
fn program(rng: &mut Rng) -> Map {
    let shape = Shape { implied: 0, ..Shape::any(rng) };
    random_map(rng, &shape)
}

/// Samples of one thread that the device plays.
fn thinned(
    map: &Map,
    graph: &Graph,
    rng: &mut Rng,
    plain: bool,
    thinning: Sampling,
) -> Vec<SampledPath> {
    let steps = 400 + rng.below(2000);
    let habits = if plain {
        Habits { depth: 60, ..Habits::plain(steps, true) }
    } else {
        Habits { keep: true, ..Habits::any(rng, steps) }
    };
    let played = play(map, map, "t", rng, habits);
    let mut thinner = PathSampler::new(graph, thinning);
    let mut depth = 0_usize;
    for event in &played.truth.events {
        match *event {
            Event::Enter(method, how) => {
                if depth == 0 {
                    thinner.pass();
                }
                depth += 1;
                thinner.enter(method, matches!(how, How::Callback | How::Top(_)));
            }
            Event::Block(method, block) => thinner.block(graph.node(method, BlockId(block))),
            Event::Origin(_) => {}
            Event::Leave => {
                depth = depth.saturating_sub(1);
                thinner.leave(1);
            }
            Event::Caught { dropped, handler, .. } => {
                depth = depth.saturating_sub(dropped);
                thinner.leave(dropped);
                let handler = map.handlers[handler.0 as usize];
                thinner.block(graph.node(handler.method, handler.block));
            }
            Event::Unwound { dropped, .. } | Event::Swallowed { dropped } => {
                depth = depth.saturating_sub(dropped);
                thinner.leave(dropped);
            }
        }
    }
    thinner.finish()
}

fn thinning(every: u32) -> Sampling {
    Sampling { every, jitter: 0.0, places: FramePrecision::Stack, gaps: usize::MAX }
}

/// Scores `gaps` gaps of random programs, for each kind of sample.
fn judged(seed: u64, gaps: u64, plain: bool) -> Score {
    let mut rng = Rng::new(seed);
    let mut sum = Score::default();
    while sum.gaps < gaps {
        let map = program(&mut rng);
        let graph = Graph::new(&map, None);
        let bounds = AllBounds::new(&graph);
        let mut filler = Filler::new(&graph, &bounds, 64);
        let places =
            [FramePrecision::Stack, FramePrecision::Line, FramePrecision::Method][rng.below(3)];
        let jitter = if rng.one_in(3) { 0.25 } else { 0.0 };
        let thinning = Sampling { places, jitter, ..thinning(2 + rng.below(16) as u32) };
        let stretches = thinned(&map, &graph, &mut rng, plain, thinning);
        let lines = |n: NodeId| vec![graph.locate(n).1.0 / 2];
        let one = score(&mut filler, &graph, &stretches, thinning, &lines);
        sum.gaps += one.gaps;
        sum.dropped += one.dropped;
        sum.same += one.same;
        sum.observed.0 += one.observed.0;
        sum.observed.1 += one.observed.1;
        sum.forced.0 += one.forced.0;
        sum.forced.1 += one.forced.1;
        sum.unknown += one.unknown;
        sum.surprises += one.surprises;
        if one.forced.0 != one.forced.1 {
            panic!("{} of {} forced blocks did not run", one.forced.0 - one.forced.1, one.forced.0);
        }
        if places == FramePrecision::Stack {
            assert_eq!(one.observed.0, one.observed.1);
        }
    }
    println!("{sum:?}");
    sum
}

#[test]
fn what_is_forced_did_run_whatever_happens() {
    let sum = judged(1, 20_000, false);
    assert!(sum.forced.0 > 2000, "only {} blocks are forced", sum.forced.0);
}

#[test]
#[ignore = "a million gaps: minutes"]
fn what_is_forced_did_run_in_a_million_gaps() {
    let sum = judged(2, 1_000_000, false);
    assert!(sum.forced.0 > 100_000, "only {} blocks are forced", sum.forced.0);
}

/// A frame of the plain search: method, block, calls begun.
type Frames = Vec<(MethodId, u32, usize)>;

/// All stacks one step from this one, with what they cost.
fn next(map: &Map, graph: &Graph, from: &Frames, cost: f64, found: &mut HashMap<Frames, f64>) {
    let price = |freq: u16| 16.0 - f64::from(freq).log2();
    let mut note = |stack: Frames, cost: f64| {
        let known = found.entry(stack).or_insert(f64::INFINITY);
        *known = known.min(cost);
    };
    let _ = graph;
    let mut work = vec![(from.clone(), cost)];
    while let Some((mut stack, cost)) = work.pop() {
        let Some(&(method, block, calls)) = stack.last() else { continue };
        let here = &map.methods[method.0 as usize - 1].blocks[block as usize];
        let Some(site) = here.calls.get(calls) else {
            let top = stack.len() - 1;
            match &here.terminator {
                Terminator::Return => {
                    stack.pop();
                    work.push((stack, cost));
                }
                Terminator::Throw => {}
                Terminator::Goto(to) => {
                    stack[top] = (method, to.0, 0);
                    note(stack, cost);
                }
                Terminator::Branch { alternatives, .. } => {
                    for &(to, freq) in alternatives {
                        stack[top] = (method, to.0, 0);
                        note(stack.clone(), cost + price(freq));
                    }
                }
            }
            continue;
        };
        let top = stack.len() - 1;
        stack[top].2 += 1;
        match site.call {
            CallKind::Predicted(m) | CallKind::Implied(m) => {
                stack.push((m, 0, 0));
                note(stack, cost);
            }
            CallKind::Slot(s) => {
                let slot = &map.slots[s.0 as usize];
                for (m, &freq) in slot.callees.iter().zip(&slot.freqs[1..]) {
                    let mut inner = stack.clone();
                    inner.push((*m, 0, 0));
                    note(inner, cost + price(freq));
                }
                work.push((stack, cost + price(slot.freqs[0])));
            }
        }
    }
}

#[test]
fn the_beam_finds_what_looking_at_all_ways_finds() {
    let mut rng = Rng::new(3);
    let (mut gaps, mut choices) = (0, 0);
    while gaps < 300 {
        let map = program(&mut rng);
        let graph = Graph::new(&map, None);
        let bounds = AllBounds::new(&graph);
        let mut filler = Filler::new(&graph, &bounds, BEAM);
        let every = 2 + rng.below(11) as u32;
        for stretch in thinned(&map, &graph, &mut rng, true, thinning(every)).iter().take(4) {
            let mut from = &stretch.first;
            for (to, ran) in stretch.gaps.iter().take(4) {
                let exact = |s: &samples::fill::Sample| -> Option<Frames> {
                    s.stack
                        .iter()
                        .map(|spot| match spot.at[..] {
                            [(node, calls)] => {
                                let (m, b) = graph.locate(node);
                                Some((m, b.0, usize::from(calls)))
                            }
                            _ => None,
                        })
                        .collect()
                };
                let (Some(begin), Some(end)) = (exact(from), exact(to)) else {
                    from = to;
                    continue;
                };
                let mut layer: HashMap<Frames, f64> = HashMap::from([(begin, 0.0)]);
                for _ in 0..ran.len() {
                    let mut after = HashMap::new();
                    layer.iter().for_each(|(s, c)| next(&map, &graph, s, *c, &mut after));
                    layer = after;
                    if layer.len() > 20_000 {
                        break;
                    }
                }
                if layer.len() <= 20_000 {
                    let least = layer.get(&end).copied();
                    let found = filler.cost(from, to, ran.len() as u32);
                    match (least, found) {
                        (Some(least), Some(found)) => {
                            assert!((least - found).abs() < 0.1, "{least} bits, found {found}");
                            choices += usize::from(layer.len() > 1);
                        }
                        (least, found) => assert_eq!(least.is_some(), found.is_some()),
                    }
                    gaps += 1;
                }
                from = to;
            }
        }
    }
    assert!(choices > 150, "only {choices} gaps had a choice");
}
