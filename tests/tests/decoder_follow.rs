//! Events passed on while a log comes in, beside those of decoding the whole log. Judge: the
//! decoder itself on the whole log, which other tests judge by the simulated device.

use std::collections::BTreeMap;

use decoder::crew::Cores;
use decoder::follow::Follower;
use decoder::log::{Collector, LiveLine};
use decoder::replay::{Ended, LoopRounds, PathEvent, PathSink, Program};
use decoder::session::{Note, decode_thread};
use model::map::Map;
use model::recording::{Recording, TraceCodec};
use model::trace::encode_logcat;
use tests::sim::{Habits, Rng, Shape, identity, play, random_map, slabs};

/// Writes down everything but clocks, of which only some come while the log comes in.
#[derive(Debug, Default, PartialEq)]
struct Events(Vec<String>);

impl PathSink for Events {
    fn event(&mut self, event: PathEvent<'_>) {
        if !matches!(event, PathEvent::Clock(_) | PathEvent::CanBegin { .. }) {
            self.0.push(format!("{event:?}"));
        }
    }
    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        self.0.push(format!("{rounds:?}"));
    }
}

/// A log of some threads, as lines in the order in which they came.
fn log(rng: &mut Rng, lost: bool) -> (Map, Vec<String>) {
    let shape = Shape::any(rng);
    let mut map = random_map(rng, &shape);
    map.recording = [
        Recording::ARITH,
        Recording::Trace(TraceCodec::ArithAdaptive),
        Recording::Trace(TraceCodec::ArithAdaptiveShift),
    ][rng.below(3)];
    let size = 40 + rng.below(200);
    let mut threads: Vec<Vec<_>> = (1..=1 + rng.below(3) as u32)
        .map(|number| {
            let steps = 200 + rng.below(1500);
            let habits = Habits { unguarded: 0, ..Habits::any(rng, steps) };
            let played = play(&map, &map, &format!("t{number}"), rng, habits);
            slabs(&played, number, size, true)
        })
        .collect();
    threads.iter_mut().for_each(|slabs| slabs.reverse());
    let mut lines = vec![];
    while threads.iter().any(|slabs| !slabs.is_empty()) {
        let thread = rng.below(threads.len());
        let Some((mut header, payload)) = threads[thread].pop() else { continue };
        header.order = lines.len() as u32;
        let line = encode_logcat(&identity(&map, 9), &header, &payload);
        if !(lost && rng.one_in(6)) {
            lines.push(format!("11-21 01:02:03.004  9  10 I Pathlight: {line}"));
        }
        // Logcat gives out some lines twice when it is read again.
        if rng.one_in(20) {
            let again = rng.below(lines.len().max(1));
            lines.extend(lines.get(again).cloned());
        }
    }
    (map, lines)
}

/// Events of each thread by decoding the whole log.
fn whole(map: &Map, lines: &[String]) -> BTreeMap<u32, (Option<String>, Events)> {
    let mut collector = Collector::new(Some(map.build));
    collector.add_text("log", lines.join("\n").as_bytes()).expect("read");
    let program = Program::new(map);
    let set = collector.finish();
    let threads = set.processes.into_iter().flat_map(|p| p.threads);
    threads
        .map(|thread| {
            let mut events = Events::default();
            decode_thread(&program, &thread, &mut events);
            (thread.number, (thread.name, events))
        })
        .collect()
}

struct Followed {
    threads: BTreeMap<u32, (Option<String>, Events)>,
    /// Events that came before the end of the log.
    early: usize,
    /// Bytes that were decoded, beside those of the log.
    decoded: usize,
    all: usize,
}

/// Events that a follower passes on, polled after every few lines.
fn followed(map: &Map, lines: &[String], rng: &mut Rng) -> Followed {
    let (program, cores) = (Program::new(map), Cores::new(1));
    let mut follower = Follower::new(&program);
    let mut events: BTreeMap<_, Events> = BTreeMap::new();
    let (mut early, mut decoded, mut all) = (0, 0, 0);
    for line in lines {
        assert!(matches!(follower.add_line(line.as_bytes())[..], [LiveLine::Slab(_)]));
        all += line.len();
        if !rng.one_in(3) {
            continue;
        }
        for key in follower.fresh(true) {
            let kept = follower.thread(&key).expect("read");
            decoded += kept.segments.iter().map(|s| s.bytes.len()).sum::<usize>();
            let sink = events.entry(key.clone()).or_default();
            let _ = follower.pass_on(&key, false, &cores, sink).expect("passed on");
        }
        early = events.values().map(|s| s.0.len()).sum();
    }
    let mut threads = BTreeMap::new();
    for key in follower.threads() {
        let mut sink = events.remove(&key).unwrap_or_default();
        let _ = follower.pass_on(&key, true, &cores, &mut sink).expect("passed on");
        let name = follower.thread(&key).expect("read").name;
        threads.insert(key.thread, (name, sink));
    }
    Followed { threads, early, decoded, all }
}

/// Runs of the same program as text, decoded at once and as they come.
fn compare(seeds: std::ops::Range<u64>, lost: bool) -> (usize, usize) {
    let (mut early, mut ends) = (0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let (map, lines) = log(&mut rng, lost);
        let expected = whole(&map, &lines);
        let live = followed(&map, &lines, &mut rng);
        for (number, (name, events)) in &expected {
            let (live_name, live) = &live.threads[number];
            assert_eq!(live_name, name, "seed {seed}, thread {number}");
            let at = live.0.iter().zip(&events.0).take_while(|(a, b)| a == b).count();
            assert!(
                live == events,
                "seed {seed}, thread {number}, event {at}: {:?} instead of {:?}",
                live.0.get(at..live.0.len().min(at + 5)),
                events.0.get(at..events.0.len().min(at + 5))
            );
            ends += usize::from(
                events.0.contains(&format!("{:?}", PathEvent::Note(Note::Ended(Ended::Cut)))),
            );
        }
        assert_eq!(live.threads.len(), expected.len());
        early += live.early;
    }
    (early, ends)
}

#[test]
fn a_log_that_comes_in_pieces_tells_the_same_paths() {
    let (early, cut) = compare(0..600, false);
    assert!(early > 100_000, "{early} events before the end");
    assert!(cut > 5, "{cut} threads were cut");
}

#[test]
fn lost_lines_are_told_once_and_decoding_goes_on_behind_them() {
    let (early, _) = compare(1000..1400, true);
    assert!(early > 20_000, "{early} events before the end");
}

#[test]
fn what_was_passed_on_is_not_decoded_again_and_again() {
    let (mut decoded, mut all) = (0, 0);
    for seed in 2000..2050 {
        let mut rng = Rng::new(seed);
        let (map, lines) = log(&mut rng, false);
        let live = followed(&map, &lines, &mut rng);
        decoded += live.decoded;
        // A line is base64 of a slab with its header.
        all += live.all;
    }
    assert!(decoded < 3 * all, "{decoded} bytes decoded of lines of {all} bytes");
}
