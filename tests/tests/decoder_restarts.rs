//! A ring's reader can begin inside a callback that never ends: what it passes on is what ran, to
//! the end.

use crate::decoder_support::{Ear, agree, collect, wrong};
use decoder::replay::Program;
use decoder::session::{Note, decode_thread, decode_thread_once};
use model::map::Map;
use model::recording::{Recording, TraceCodec};
use model::trace::{SLAB_HEADER, SlabHeader, write_trace};
use tests::sim::{Habits, Played, Rng, Shape, file_header, play, random_map, sealed, slabs};

const CODECS: [Recording; 5] = [
    Recording::ARITH,
    Recording::Trace(TraceCodec::ArithAdaptive),
    Recording::Trace(TraceCodec::ArithAdaptiveShift),
    Recording::Trace(TraceCodec::Huffman),
    Recording::Trace(TraceCodec::BallLarus),
];

struct Case {
    map: Map,
    played: Played,
    slabs: Vec<(SlabHeader, Vec<u8>)>,
    size: usize,
}

fn case(seed: u64, rng: &mut Rng) -> Case {
    let recording = CODECS[seed as usize % CODECS.len()];
    let shape = Shape::any(rng);
    let map = Map { recording, ..random_map(rng, &shape) };
    let map = Map::from_bytes(&sealed(map).to_bytes()).unwrap();
    let habits = Habits { restart: 2 + rng.below(20), ..Habits::any(rng, 600) };
    let played = play(&map, &map, "t", rng, habits);
    let size = 64 + rng.below(200);
    let slabs = slabs(&played, 1, size, true);
    Case { map, played, slabs, size }
}

impl Case {
    fn file(&self, from: usize) -> Vec<u8> {
        let head = file_header(&self.map, (self.size + SLAB_HEADER) as u32, 1);
        write_trace(&head, self.slabs[from..].iter().map(|(h, p)| (*h, &p[..])))
    }
}

#[test]
fn who_knows_the_whole_thread_reads_over_restarts() {
    let mut restarts = 0;
    for seed in 0..400 {
        let case = case(seed, &mut Rng::new(seed));
        let program = Program::new(&case.map);
        let set = collect(&case.map, &case.file(0));
        let mut ear = Ear::new(&program);
        let totals = decode_thread(&program, &set.processes[0].threads[0], &mut ear);
        assert_eq!(totals.faulty, 0, "seed {seed}: {:?}", ear.notes);
        assert_eq!(ear.parts.len(), 1, "seed {seed}: {:?}", ear.notes);
        let n = agree(&program, &ear.parts[0].events, &case.played.truth.events);
        assert_eq!(n, ear.parts[0].events.len(), "seed {seed}");
        restarts += case.played.truth.restarts.len();
    }
    assert!(restarts > 1000, "{restarts}");
}

#[test]
fn what_a_ring_has_kept_is_what_ran() {
    let (mut inside, mut below, mut last, mut steps) = (0, 0, 0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let case = case(seed, &mut rng);
        if case.slabs.len() < 2 {
            continue;
        }
        let from = 1 + rng.below(case.slabs.len() - 1);
        let program = Program::new(&case.map);
        let set = collect(&case.map, &case.file(from));
        let mut ear = Ear::new(&program);
        let totals = decode_thread(&program, &set.processes[0].threads[0], &mut ear);
        assert_eq!(totals.faulty, 0, "seed {seed}: {:?}", ear.notes);
        for part in &ear.parts {
            let found = wrong(&program, part, &[&case.played.truth]);
            assert_eq!(found, (0, 0), "seed {seed}: {:?} {:?}", ear.notes, part.events);
        }
        inside += ear.notes.iter().filter(|n| matches!(n, Note::Inside { .. })).count();
        below += ear.notes.iter().filter(|n| **n == Note::Below).count();
        // A single walk reports the same.
        let mut once = Ear::new(&program);
        let thread = &set.processes[0].threads[0];
        assert_eq!(decode_thread_once(&program, thread, &mut once), Ok(totals), "seed {seed}");
        let events =
            |ear: &Ear<'_, '_>| -> Vec<_> { ear.parts.iter().map(|p| p.events.clone()).collect() };
        assert_eq!(events(&once), events(&ear), "seed {seed}");
        // The newest part of what is there can be read, and is the end of the whole log's path.
        let begins = |(h, _): &(SlabHeader, Vec<u8>)| h.sync.is_some();
        let ended_below = ear.notes.contains(&Note::Below);
        if case.slabs[from..].iter().any(begins) && !ended_below {
            last += 1;
            assert!(ear.parts.len() > 1, "seed {seed}: {:?}", ear.notes);
            let whole = collect(&case.map, &case.file(0));
            let mut all = Ear::new(&program);
            decode_thread(&program, &whole.processes[0].threads[0], &mut all);
            let tail = &ear.parts[ear.parts.len() - 1].events[1..];
            let all = &all.parts[0].events;
            assert!(all.ends_with(tail), "seed {seed}");
            steps += tail.len();
        }
    }
    println!("{inside} {below} {last} {steps}");
    assert!(inside > 200 && below > 20 && last > 200, "{inside} {below} {last}");
    assert!(steps > 10_000, "{steps}");
}

/// Damage with a checksum made over it, as by a bug: only checks of the protocol are left.
#[test]
fn damaged_restarts_give_nothing_false() {
    let (mut events, mut refused, mut inside, mut by_chance) = (0, 0, 0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let mut case = case(seed, &mut rng);
        let from = rng.below(case.slabs.len().max(1));
        let at = rng.below(case.slabs.len().max(1));
        // The header's place or progress, or a bit of the payload.
        if let Some((header, payload)) = case.slabs.get_mut(at) {
            match (&mut header.sync, rng.below(4)) {
                (Some(sync), 0) => sync.last_top ^= 1 << rng.below(20),
                (Some(sync), 1) => sync.progress = sync.progress.wrapping_add(1),
                (Some(sync), 2) => sync.last_top ^= 1 << 31,
                _ if payload.is_empty() => {}
                _ => {
                    let bit = rng.below(8 * payload.len());
                    payload[bit / 8] ^= 1 << (bit % 8);
                }
            }
        }
        let program = Program::new(&case.map);
        let set = collect(&case.map, &case.file(from.min(case.slabs.len())));
        for thread in set.processes.iter().flat_map(|p| &p.threads) {
            let mut ear = Ear::new(&program);
            refused += decode_thread(&program, thread, &mut ear).faulty;
            inside += ear.notes.iter().filter(|n| matches!(n, Note::Inside { .. })).count();
            let found = ear.parts.iter().map(|p| wrong(&program, p, &[&case.played.truth]).0);
            let proven = found.max().unwrap_or(0);
            by_chance += usize::from(proven > 0);
            events += ear.parts.iter().map(|p| p.events.len()).sum::<usize>();
        }
    }
    println!("{events} {refused} {inside} {by_chance}");
    assert!(events > 100_000 && refused > 100 && inside > 500, "{events} {refused} {inside}");
    // One check symbol in 255 fits by chance; a symbol may be taken for another that leads as many
    // steps further.
    assert!(by_chance < 30, "{by_chance}");
}
