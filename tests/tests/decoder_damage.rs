//! Damaged logs: whatever happens to them, the decoder passes on nothing that did not run.

use crate::decoder_support::{Ear, collect, wrong};
use decoder::Damage;
use decoder::log::{Collector, LogSet, ProblemKind};
use decoder::replay::Program;
use decoder::session::{Note, decode_thread};
use model::map::{BuildId, Map};
use model::recording::{Recording, TraceCodec};
use model::trace::{SLAB_HEADER, SlabHeader, encode_logcat, write_trace};
use tests::sim::{
    Event, Habits, Played, Rng, Shape, Truth, file_header, identity, play, random_map, slabs,
};

type Slab = (SlabHeader, Vec<u8>);

struct Case {
    map: Map,
    threads: Vec<Played>,
    slabs: Vec<Slab>,
    size: usize,
}

fn case(rng: &mut Rng, last_closed: bool) -> Case {
    let shape = Shape::any(rng);
    let mut map = random_map(rng, &shape);
    map.recording = [
        Recording::ARITH,
        Recording::Trace(TraceCodec::ArithAdaptive),
        Recording::Trace(TraceCodec::ArithAdaptiveShift),
    ][usize::from(map.build.0[0]) % 3];
    let size = 40 + rng.below(200);
    let mut all: Vec<Slab> = vec![];
    let threads: Vec<Played> = (0..2 + rng.below(2))
        .map(|i| {
            let habits = Habits { unguarded: 0, ..Habits::any(rng, 300) };
            let played = play(&map, &map, &format!("t{i}"), rng, habits);
            all.extend(slabs(&played, i as u32 + 1, size, last_closed));
            played
        })
        .collect();
    for (i, slab) in all.iter_mut().enumerate() {
        slab.0.order = i as u32;
    }
    Case { map, threads, slabs: all, size }
}

impl Case {
    fn file(&self) -> Vec<u8> {
        let head = file_header(&self.map, (self.size + SLAB_HEADER) as u32, 9);
        write_trace(&head, self.slabs.iter().map(|(h, p)| (*h, &p[..])))
    }

    fn text(&self) -> Vec<u8> {
        let line = |(h, p): &Slab| {
            format!(
                "11-21 01:02:03.004  9  10 I Pathlight: {}\n",
                encode_logcat(&identity(&self.map, 9), h, p)
            )
        };
        self.slabs.iter().map(line).collect::<String>().into_bytes()
    }
}

#[derive(Debug, Default)]
struct Tally {
    events: usize,
    /// Parts with a false event that a check seemed to prove.
    proven: usize,
    /// Parts with a false event in what is announced as unproven.
    unproven: usize,
    /// Records refused.
    faulty: u64,
    resumed: usize,
}

/// Decodes all threads and adds up what is false; `any`: events of another thread count as true.
fn judge(case: &Case, set: &LogSet, any: bool, tally: &mut Tally) {
    let program = Program::new(&case.map);
    let all: Vec<&Truth> = case.threads.iter().map(|t| &t.truth).collect();
    for thread in
        set.processes.iter().filter(|p| p.build_id == case.map.build).flat_map(|p| &p.threads)
    {
        let own = all.get((thread.number as usize).wrapping_sub(1)..).and_then(|t| t.first());
        let truths = if any { all.clone() } else { own.map(|t| vec![*t]).unwrap_or_default() };
        let mut ear = Ear::new(&program);
        tally.faulty += decode_thread(&program, thread, &mut ear).faulty;
        for part in &ear.parts {
            let (proven, unproven) = wrong(&program, part, &truths);
            tally.events += part.events.len();
            tally.proven += usize::from(proven > 0);
            tally.unproven += usize::from(unproven > 0);
        }
        tally.resumed += ear.notes.iter().filter(|n| matches!(n, Note::Resumed { .. })).count();
    }
}

fn read_text(case: &Case, text: &[u8]) -> LogSet {
    let mut c = Collector::new(Some(case.map.build));
    c.add_text("logcat", text).unwrap();
    c.finish()
}

fn flip(rng: &mut Rng, bytes: &mut [u8]) {
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len());
        if let Some(b) = bytes.get_mut(at) {
            *b ^= 1 << rng.below(8);
        }
    }
}

/// Slabs lost, doubled, out of order, of another process or thread number, their bytes left alone.
fn shuffle(rng: &mut Rng, slabs: &mut Vec<Slab>) {
    for _ in 0..1 + rng.below(3) {
        if slabs.is_empty() {
            return;
        }
        let (i, j) = (rng.below(slabs.len()), rng.below(slabs.len()));
        match rng.below(4) {
            0 => drop(slabs.remove(i)),
            1 => slabs.push(slabs[i].clone()),
            2 => slabs.swap(i, j),
            _ => slabs.truncate(i),
        }
    }
}

/// `PATHLIGHT_DAMAGED` is the number of logs, 10,000 by default (docs/TESTING.md).
#[test]
fn what_checksums_see_gives_no_false_event() {
    let mut tally = Tally::default();
    let logs = std::env::var("PATHLIGHT_DAMAGED").map_or(10_000, |n| n.parse().expect("a number"));
    for seed in 0..logs {
        let mut rng = Rng::new(seed);
        let mut case = case(&mut rng, true);
        let kind = rng.below(5);
        let set = match kind {
            0 => {
                let mut file = case.file();
                let from = case.size + SLAB_HEADER;
                if file.len() <= from {
                    continue;
                }
                flip(&mut rng, &mut file[from..]);
                collect(&case.map, &file)
            }
            1 => {
                let mut text = case.text();
                flip(&mut rng, &mut text);
                read_text(&case, &text)
            }
            2 => {
                shuffle(&mut rng, &mut case.slabs);
                let text = case.text();
                let cut = rng.below(text.len() + 1);
                read_text(&case, &text[..cut])
            }
            3 => {
                let file = case.file();
                let cut = rng.below(file.len() + 1);
                collect(&case.map, &file[..cut])
            }
            // Two files one behind the other: the second is another copy of the first, with slabs
            // lost, doubled or cut.
            _ => {
                let mut file = case.file();
                shuffle(&mut rng, &mut case.slabs);
                let second = case.file();
                let cut = rng.below(second.len() + 1);
                file.extend_from_slice(&second[..cut]);
                collect(&case.map, &file)
            }
        };
        judge(&case, &set, false, &mut tally);
        assert_eq!((tally.proven, tally.unproven), (0, 0), "seed {seed}, kind {kind}");
    }
    println!("{tally:?}");
    assert!(tally.events > 1_000_000 && tally.resumed > 500);
}

/// The path in a log, thread by thread, and the damage in it.
fn ran(case: &Case, set: &LogSet) -> (Vec<String>, Damage) {
    let program = Program::new(&case.map);
    let mut damage = Damage::of_set(set);
    let threads = set.processes.iter().flat_map(|p| &p.threads);
    let events = threads.map(|thread| {
        let mut ear = Ear::new(&program);
        damage += Damage::of_thread(thread);
        damage += Damage::records(decode_thread(&program, thread, &mut ear).faulty);
        let parts = ear.parts.iter().map(|part| format!("{:?}", part.events));
        format!("{} {:?}: {}", thread.number, thread.name, parts.collect::<String>())
    });
    (events.collect(), damage)
}

/// Exit codes follow from it: a log that shows anything else than before is a damaged one.
#[test]
fn changed_bits_are_damage_or_change_nothing() {
    let (mut changed, mut harmless) = (0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed + 2_000_000);
        let case = case(&mut rng, true);
        let read = |bytes: &[u8]| match seed % 2 {
            0 => collect(&case.map, bytes),
            _ => read_text(&case, bytes),
        };
        let mut bytes = if seed % 2 == 0 { case.file() } else { case.text() };
        let (before, none) = ran(&case, &read(&bytes));
        assert_eq!(none, Damage::NONE, "seed {seed}");
        flip(&mut rng, &mut bytes);
        let (after, damage) = ran(&case, &read(&bytes));
        assert!(before == after || !damage.is_none(), "seed {seed}: changed without damage");
        changed += usize::from(before != after);
        harmless += usize::from(before == after);
    }
    assert!(changed > 1000 && harmless > 100, "{changed} changed, {harmless} did not");
}

/// A short log with origins, each bit changed by itself: what is left ran, with the origins that it
/// had, and the damage is reported.
#[test]
fn a_changed_bit_of_an_origin_gives_no_other_origin() {
    let (mut logs, mut origins, mut changed) = (0, 0, 0);
    for seed in 0.. {
        if logs == 12 {
            break;
        }
        let mut rng = Rng::new(seed + 3_000_000);
        let map = random_map(&mut rng, &Shape::any(&mut Rng::new(seed)));
        let habits = Habits { unguarded: 0, ..Habits::any(&mut rng, 12) };
        let played = play(&map, &map, "main", &mut rng, habits);
        let recorded = played.truth.events.iter().filter(|e| matches!(e, Event::Origin(_))).count();
        if recorded < 3 {
            continue;
        }
        let all = slabs(&played, 1, 60, true);
        let case = Case { map, threads: vec![played], slabs: all, size: 60 };
        let file = case.file();
        let (before, none) = ran(&case, &collect(&case.map, &file));
        assert_eq!(none, Damage::NONE, "seed {seed}");
        // The file's head is no part of the path.
        for bit in 8 * (case.size + SLAB_HEADER)..8 * file.len() {
            let mut bytes = file.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let set = collect(&case.map, &bytes);
            let mut tally = Tally::default();
            judge(&case, &set, false, &mut tally);
            assert_eq!((tally.proven, tally.unproven), (0, 0), "seed {seed}, bit {bit}");
            let (after, damage) = ran(&case, &set);
            assert!(before == after || !damage.is_none(), "seed {seed}, bit {bit}: no damage");
            changed += usize::from(before != after);
        }
        logs += 1;
        origins += recorded;
    }
    println!("{origins} origins, {changed} changed bits that are seen");
    assert!(origins >= 36 && changed > 1000, "{origins} origins, {changed} changes");
}

/// Bytes changed *and* checksums made to fit: only the protocol's own checks are left.
#[test]
fn what_no_checksum_sees_is_found_by_the_checks_of_the_protocol() {
    let (mut payload, mut header, mut relabelled) =
        (Tally::default(), Tally::default(), Tally::default());
    for seed in 0..6000 {
        let mut rng = Rng::new(seed + 1_000_000);
        let closed = rng.one_in(2);
        let mut case = case(&mut rng, closed);
        if case.slabs.is_empty() {
            continue;
        }
        let i = rng.below(case.slabs.len());
        let tally = match seed % 3 {
            0 => {
                flip(&mut rng, &mut case.slabs[i].1);
                &mut payload
            }
            1 => {
                let room = case.slabs[i].1.len();
                if let Some(sync) = &mut case.slabs[i].0.sync {
                    match rng.below(3) {
                        0 => sync.offset = rng.below(room + 1) as u16,
                        1 => sync.progress ^= 1 << rng.below(32),
                        _ => sync.last_top = rng.below(case.map.methods.len() + 2) as u32,
                    }
                }
                // Only without the slab before does the header's word count.
                if rng.one_in(2) && i > 0 {
                    case.slabs.remove(i - 1);
                }
                &mut header
            }
            _ => {
                let (thread, sequence) = (case.slabs[i].0.thread, case.slabs[i].0.sequence);
                let j = rng.below(case.slabs.len());
                (case.slabs[j].0.thread, case.slabs[j].0.sequence) = (thread, sequence);
                if i != j {
                    case.slabs.remove(i);
                }
                &mut relabelled
            }
        };
        let set = collect(&case.map, &case.file());
        judge(&case, &set, seed % 3 == 2, tally);
    }
    println!("payload {payload:?}\nheader {header:?}\nrelabelled {relabelled:?}");
    // One check symbol in 255 fits by chance.
    assert!(payload.proven + header.proven + relabelled.proven <= 20);
    assert!(payload.faulty > 500 && header.faulty > 100 && relabelled.faulty > 100);
}

#[test]
fn other_builds_are_named_and_left_out() {
    let mut rng = Rng::new(5);
    let a = case(&mut rng, true);
    let mut b = case(&mut rng, true);
    let mut c = Collector::new(Some(a.map.build));
    c.add("a", &a.file()[..]).unwrap();
    c.add("b", &b.file()[..]).unwrap();
    c.add_text("text", &b.text()[..]).unwrap();
    let set = c.finish();
    assert!(set.processes.iter().all(|p| p.build_id == a.map.build));
    let foreign: Vec<BuildId> = set
        .problems
        .iter()
        .filter_map(|p| match p.kind {
            ProblemKind::ForeignBuild { build, expected, slabs } => {
                assert_eq!((expected, slabs as usize), (a.map.build, b.slabs.len()));
                Some(build)
            }
            _ => None,
        })
        .collect();
    assert_eq!(foreign, [b.map.build; 2]);
    assert!(set.problems.iter().all(|p| p.to_string().contains(&b.map.build.to_string())));
    let mut tally = Tally::default();
    judge(&a, &set, false, &mut tally);
    assert_eq!((tally.faulty, tally.proven, tally.unproven), (0, 0, 0));
    // The same bytes under a map that claims their build but is another program's: everything is
    // refused or announced as unproven.
    b.map.build = a.map.build;
    b.threads = vec![];
    let mut tally = Tally::default();
    judge(&b, &set, false, &mut tally);
    assert!(tally.faulty > 0 && tally.proven <= 1, "{tally:?}");
}

#[test]
fn empty_inputs_are_said_to_be_empty() {
    let mut c = Collector::new(None);
    c.add("nothing", &b""[..]).unwrap();
    c.add("half a header", &b"PLTR\0\x02"[..]).unwrap();
    c.add("no line of ours", &b"I/Other: hello\n"[..]).unwrap();
    let set = c.finish();
    assert!(set.processes.is_empty());
    let problems: Vec<String> = set.problems.iter().map(|p| p.to_string()).collect();
    assert_eq!(
        problems,
        [
            "nothing: it has no record: its process ended before it wrote one",
            "half a header: the file ends inside its header, after 6 bytes",
            "no line of ours: not a Pathlight log: it has no record"
        ]
    );
}

/// Without damage everything is reported, and nothing else. In the programs of seeds 12007 and
/// 12360 a handler block follows another block by plain succession; handler blocks had no marks,
/// and callbacks out of them came a block early.
#[test]
fn without_damage_the_path_is_what_ran() {
    let mut tally = Tally::default();
    for seed in (10_000..11_000).chain([12_007, 12_360]) {
        let mut rng = Rng::new(seed);
        let case = case(&mut rng, true);
        judge(&case, &collect(&case.map, &case.file()), false, &mut tally);
        assert_eq!((tally.proven, tally.unproven, tally.faulty), (0, 0, 0), "seed {seed}");
    }
    assert!(tally.events > 100_000);
}
