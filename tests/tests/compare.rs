//! Comparisons of simulated sessions, beside what really ran in them.

use std::collections::HashMap;

use decoder::log::{Collector, Process};
use model::map::{Map, Method, MethodId, Terminator};
use model::recording::{Recording, TraceCodec};
use model::trace::write_trace;
use reports::compare::{AdditionsBuilder, Common, Novelty, Ranking, Suspects, first_divergence};
use tests::sim::{
    Event, Habits, How, Played, Rng, Shape, file_header, play, random_map, sealed, slabs,
};

fn random(seed: u64) -> Map {
    let mut rng = Rng::new(seed);
    // Methods without probes differ between codecs.
    let shape = Shape { implied: 0, ..Shape::any(&mut rng) };
    random_map(&mut rng, &shape)
}

fn run(map: &Map, name: &str, seed: u64, steps: usize) -> Played {
    play(map, map, name, &mut Rng::new(seed), Habits::plain(steps, true))
}

fn process(map: &Map, threads: &[&Played]) -> Process {
    let mut all = vec![];
    for (i, played) in threads.iter().enumerate() {
        all.extend(slabs(played, i as u32 + 1, 300, true));
    }
    let file = write_trace(&file_header(map, 344, 1), all.iter().map(|(h, p)| (*h, &p[..])));
    let mut collector = Collector::new(Some(map.build));
    collector.add("log", &file[..]).expect("a log");
    let mut set = collector.finish();
    assert_eq!(set.problems, []);
    set.processes.remove(0)
}

/// The map of another build of the same app.
fn other_build(map: &Map, recording: Recording) -> Map {
    sealed(Map { recording, ..map.clone() })
}

/// The map with the frequencies of one branch reversed.
fn other_odds(map: &Map, rng: &mut Rng) -> Map {
    let mut odds = map.clone();
    let branches = odds.methods.iter_mut().flat_map(|m| &mut m.blocks);
    let mut branches: Vec<_> = branches
        .filter_map(|b| match &mut b.terminator {
            Terminator::Branch { alternatives, .. } => Some(alternatives),
            _ => None,
        })
        .collect();
    if !branches.is_empty() {
        let at = rng.below(branches.len());
        let ways = &mut branches[at];
        let freqs: Vec<u16> = ways.iter().rev().map(|w| w.1).collect();
        ways.iter_mut().zip(freqs).for_each(|(w, f)| w.1 = f);
    }
    odds
}

fn method(map: &Map, id: MethodId) -> &Method {
    &map.methods[id.0 as usize - 1]
}

#[test]
fn two_runs_part_at_the_first_event_that_differs() {
    let mut branches = 0;
    for seed in 0..600 {
        let map = [random(seed)];
        // The same dice, but for one branch with other odds.
        let rare =
            |odds: &Map| play(&map[0], odds, "main", &mut Rng::new(seed), Habits::plain(400, true));
        let (good, bad) = (rare(&map[0]), rare(&other_odds(&map[0], &mut Rng::new(seed))));
        if good.killed || bad.killed {
            // Their ends are lost.
            continue;
        }
        let common = Common::new(&map);
        let found =
            first_divergence(&common, &process(&map[0], &[&good]), &process(&map[0], &[&bad]));
        let found = found.expect("sessions of this build");
        let (a, b) = (&good.truth.events, &bad.truth.events);
        let equal = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let Some(first) = found.first else {
            // No log shows how long a loop without decisions ran before the end.
            let shown = |e: &&Event| !matches!(e, Event::Block(..));
            assert_eq!(a[equal..].iter().chain(&b[equal..]).find(shown), None, "seed {seed}");
            continue;
        };
        let tops = |e: &[Event]| {
            e.iter().filter(|e| matches!(e, Event::Enter(_, How::Top(_)))).count() as u64
        };
        let (Some(&Event::Block(m, x)), Some(&Event::Block(n, y))) = (a.get(equal), b.get(equal))
        else {
            continue;
        };
        // The same block was left for two others: a branch.
        assert_eq!(m, n);
        branches += 1;
        let bad = first.callback.bad.as_ref().expect("both ran the callback");
        assert_eq!(bad.number, tops(&b[..equal]), "seed {seed}");
        assert_eq!(first.same_before + 1, bad.number, "seed {seed}");
        let parting = first.parting.expect("both ran the callback");
        let to = |step: &Option<reports::compare::Happened>| {
            let to = step.as_ref().and_then(|s| s.to.clone()).expect("a branch");
            (to.own.m, to.pc)
        };
        let block = |b: u32| {
            (map[0].method_key(method(&map[0], m)), method(&map[0], m).blocks[b as usize].pc)
        };
        assert_eq!(to(&parting.good.step), block(x), "seed {seed}");
        assert_eq!(to(&parting.bad.step), block(y), "seed {seed}");
    }
    assert!(branches > 50, "{branches}");
}

#[test]
fn builds_of_the_same_code_have_the_same_paths() {
    let mut compared = 0;
    for (seed, recording) in (0..40).zip(
        [
            Recording::Trace(TraceCodec::Huffman),
            Recording::Trace(TraceCodec::Blocks),
            Recording::Trace(TraceCodec::ArithAdaptive),
        ]
        .repeat(14),
    ) {
        let first = random(seed);
        let maps = [other_build(&first, recording), first];
        let common = Common::new(&maps);
        assert_eq!(common.builds.len(), 2);
        let [a, b] = [0, 1].map(|i| run(&maps[i], "main", seed, 500));
        if a.killed {
            // The two codecs lose different ends.
            continue;
        }
        let [x, y] = [process(&maps[0], &[&a]), process(&maps[1], &[&b])];
        let found = first_divergence(&common, &x, &y).expect("known builds");
        assert!(found.first.is_none(), "seed {seed}: {:?}", found.first);
        assert!(found.same_callbacks > 0);
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn workers_are_compared_without_order() {
    let map = [random(3)];
    let common = Common::new(&map);
    let [a, b, c] =
        [1, 2, 3].map(|seed| run(&map[0], &format!("pool-1-thread-{}", seed % 2), seed, 60));
    let compare = |x: &[&Played], y: &[&Played]| {
        first_divergence(&common, &process(&map[0], x), &process(&map[0], y)).expect("known")
    };
    let same = compare(&[&a, &b, &c], &[&b, &c, &a]);
    assert!(same.first.is_none(), "{:?}", same.first);
    assert!(compare(&[&a, &b], &[&a, &c]).first.is_some());
    // Threads with names of their own keep their order.
    let named = |seed| run(&map[0], "worker", seed, 60);
    let (a, b) = (named(1), named(2));
    assert!(compare(&[&a, &b], &[&b, &a]).first.is_some());
    assert!(compare(&[&a, &b], &[&a, &b]).first.is_none());
}

/// Sessions that took each branch alternative: method, address, alternative.
type Taken = HashMap<(String, u32, u32), [u64; 2]>;

fn taken(map: &Map, played: &Played, bad: bool, all: &mut Taken) {
    let mut counts = played.truth.branches.iter();
    for m in &map.methods {
        for b in &m.blocks {
            if let Terminator::Branch { .. } = b.terminator {
                for (i, _) in
                    counts.next().expect("all branches").iter().enumerate().filter(|c| *c.1 > 0)
                {
                    let key = (map.method_key(m), b.pc, i as u32);
                    all.entry(key).or_default()[usize::from(bad)] += 1;
                }
            }
        }
    }
}

#[test]
fn sessions_are_counted_in_which_an_alternative_was_taken() {
    let mut seen = 0;
    for seed in 0..60 {
        let first = random(seed);
        // Half of the sessions are of another build.
        let maps = [other_build(&first, Recording::Trace(TraceCodec::Huffman)), first];
        let common = Common::new(&maps);
        let mut ranking = Ranking::new(&common);
        let mut truth = Taken::new();
        for session in 0..8 {
            let (build, bad) = (session % 2, session % 3 == 0);
            let map = &maps[build];
            // Of a killed process the end is lost.
            let whole =
                (0..20).map(|k| run(map, "main", 1000 * seed + 20 * session as u64 + k, 100));
            let Some(played) = whole.into_iter().find(|p| !p.killed) else { continue };
            ranking.add(build, &process(map, &[&played]), bad);
            taken(map, &played, bad, &mut truth);
        }
        let found = Suspects::new(&common, &ranking, usize::MAX);
        let before = seen;
        for class in &found.classes {
            for event in class.events.iter().filter(|e| e.kind == "branch") {
                let place = event.place.as_ref().expect("a branch has a place");
                let key = (place.own.m.clone(), place.pc, event.alternative.expect("a way"));
                let with = [class.with.good, class.with.bad];
                assert_eq!(truth[&key], with, "seed {seed}: {key:?}");
                seen += 1;
            }
        }
        let all = truth.values().filter(|n| n[1] > 0).count();
        let left: usize = found.classes.iter().map(|c| c.count - c.events.len()).sum();
        let shown = seen - before;
        assert!(shown <= all && shown + left >= all, "{shown} of {all}, {left} not shown");
    }
    assert!(seen > 100, "{seen}");
}

/// The map of a build in which the code of one method changed, around one of its branches; and the
/// method's key with the branch's address.
fn changed_build(map: &Map, rng: &mut Rng) -> Option<(Map, (String, u32))> {
    let mut changed = map.clone();
    let branching = |m: &Method| {
        let branches = m.blocks.iter().enumerate();
        let branches = branches.filter(|(_, b)| matches!(b.terminator, Terminator::Branch { .. }));
        branches.map(|(at, _)| at).collect::<Vec<usize>>()
    };
    let methods: Vec<usize> =
        (0..map.methods.len()).filter(|&i| branching(&map.methods[i]).len() > 1).collect();
    let &at = methods.get(rng.below(methods.len().max(1)))?;
    let branches = branching(&map.methods[at]);
    let block = branches[rng.below(branches.len())];
    let key = map.method_key(&map.methods[at]);
    let method = &mut changed.methods[at];
    method.fingerprint ^= 0x5555;
    let pc = method.blocks[block].pc;
    let Terminator::Branch { identity, .. } = &mut method.blocks[block].terminator else {
        unreachable!("it branches")
    };
    // Nothing is like it.
    identity.fingerprint ^= u64::MAX;
    Some((sealed(changed), (key, pc)))
}

#[test]
fn sessions_of_changed_code_are_counted_where_the_code_is_known_again() {
    let (mut around, mut elsewhere, mut apart) = (0, 0, 0);
    for seed in 0..150 {
        let first = random(seed);
        let Some((other, place)) = changed_build(&first, &mut Rng::new(seed)) else { continue };
        let maps = [first, other];
        let common = Common::new(&maps);
        let mut ranking = Ranking::new(&common);
        let (mut truth, mut by_build) = (Taken::new(), [Taken::new(), Taken::new()]);
        for session in 0..8 {
            let (build, bad) = (session % 2, session % 3 == 0);
            let map = &maps[build];
            // Of a killed process the end is lost.
            let whole =
                (0..20).map(|k| run(map, "main", 1000 * seed + 20 * session as u64 + k, 100));
            let Some(played) = whole.into_iter().find(|p| !p.killed) else { continue };
            ranking.add(build, &process(map, &[&played]), bad);
            taken(map, &played, bad, &mut truth);
            taken(map, &played, bad, &mut by_build[build]);
        }
        let found = Suspects::new(&common, &ranking, usize::MAX);
        for class in &found.classes {
            for event in class.events.iter().filter(|e| e.kind == "branch") {
                let at = event.place.as_ref().expect("a branch has a place");
                let key = (at.own.m.clone(), at.pc, event.alternative.expect("a way"));
                let with = [class.with.good, class.with.bad];
                if (&key.0, key.1) == (&place.0, place.1) {
                    // Two branches, of one build each.
                    let ran = by_build.each_ref().map(|t| t.get(&key).copied().unwrap_or_default());
                    assert!(ran.contains(&with), "seed {seed}: {key:?}, {with:?} of {ran:?}");
                    apart += usize::from(!ran.contains(&[0, 0]));
                    continue;
                }
                assert_eq!(truth[&key], with, "seed {seed}: {key:?}");
                *if key.0 == place.0 { &mut around } else { &mut elsewhere } += 1;
            }
        }
    }
    // Of the changed methods, too, what did not change is counted over both builds.
    assert!(around > 10 && elsewhere > 100 && apart > 10, "{around} {elsewhere} {apart}");
}

#[test]
fn what_is_known_is_not_new() {
    let map = [random(9)];
    let common = Common::new(&map);
    let sessions = [1, 2, 3, 2].map(|seed| process(&map[0], &[&run(&map[0], "main", seed, 80)]));
    let mut novelty = Novelty::new(&common);
    novelty.know(0, &sessions[0]);
    let mut all = AdditionsBuilder::default();
    for session in &sessions {
        let added = novelty.add(0, session);
        all.add(&common, 0, session, added);
    }
    let found = all.finish(1, 0);
    let news = |i: usize| (found.sessions[i].new_events, found.sessions[i].new_shapes);
    assert_eq!(news(0), (0, 0));
    assert!(news(1).1 > 0);
    assert_eq!(news(1), news(3), "all is compared with what was known, not with each other");
    let chosen: Vec<usize> = found.cover.iter().map(|c| c.session).collect();
    assert!(!chosen.contains(&0) && !chosen.contains(&3), "{chosen:?}");
    assert_eq!(found.items, found.cover.iter().map(|c| c.adds).sum::<usize>());
}
