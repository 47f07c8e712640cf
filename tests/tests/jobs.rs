//! Several cores decode what one core decodes, also of damaged logs.

use crate::decoder_support::collect;
use decoder::crew::{Cores, share};
use decoder::log::Process;
use decoder::replay::Program;
use decoder::session::{decode_thread, decode_thread_on};
use decoder::train::{Counter, count_thread};
use model::map::Map;
use model::profile::Profile;
use model::recording::{Recording, TraceCodec};
use model::trace::{SLAB_HEADER, SlabHeader, write_trace};
use reports::compare::{
    AdditionsBuilder, Common, Novelty, Ranking, Suspects, Texts, first_divergence,
};
use reports::crash::{Finder, Fit};
use reports::{Filter, TextOptions, write_json, write_text};
use tests::sim::{Habits, Rng, Shape, file_header, play, random_map, slabs};

const SIZE: usize = 200;

/// The log of a process with some threads. In all but one of three, something is wrong with it:
/// slabs are missing, or their bytes or the times in their headers are others although the checksum
/// fits.
fn log(seed: u64, threads: u32) -> (Map, Process) {
    let mut rng = Rng::new(seed);
    let shape = Shape::any(&mut rng);
    let mut map = random_map(&mut rng, &shape);
    map.recording = [
        Recording::ARITH,
        Recording::Trace(TraceCodec::ArithAdaptive),
        Recording::Trace(TraceCodec::ArithAdaptiveShift),
    ][usize::from(map.build.0[0]) % 3];
    let mut all: Vec<(SlabHeader, Vec<u8>)> = vec![];
    for number in 1..=threads {
        let habits = Habits {
            unguarded: 0,
            ..Habits::any(&mut rng, if number == 1 { 10_000 } else { 600 })
        };
        let played = play(&map, &map, &format!("t{number}"), &mut rng, habits);
        all.extend(slabs(&played, number, SIZE, true));
    }
    for _ in 0..(seed % 3) * u64::from(threads) {
        let at = rng.below(all.len());
        if rng.one_in(3) && all.len() > 1 {
            all.remove(at);
            continue;
        }
        if rng.one_in(2)
            && let Some(sync) = &mut all[at].0.sync
        {
            sync.time += 1000;
            continue;
        }
        let bytes = &mut all[at].1;
        if !bytes.is_empty() {
            let bit = rng.below(8 * bytes.len());
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
    for (slab, order) in all.iter_mut().zip(0..) {
        slab.0.order = order;
    }
    let head = file_header(&map, (SIZE + SLAB_HEADER) as u32, 9);
    let file = write_trace(&head, all.iter().map(|(h, p)| (*h, &p[..])));
    let process = collect(&map, &file).processes.remove(0);
    (map, process)
}

/// So small pieces that several are proven ahead of each thread.
fn cores(all: usize) -> Cores {
    Cores::with_piece(all, 100)
}

fn text(program: &Program<'_>, process: &Process, filter: &Filter, jobs: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let options = TextOptions { full: true, ..TextOptions::default() };
    write_text(&mut out, program, process, filter, options, &cores(jobs)).unwrap();
    out
}

fn json(program: &Program<'_>, process: &Process, filter: &Filter, jobs: usize) -> Vec<u8> {
    let mut out = Vec::new();
    write_json(&mut out, program, (1, false), process, filter, &cores(jobs)).unwrap();
    out
}

/// The model, and what its decisions cost.
fn counted(program: &Program<'_>, process: &Process, jobs: usize) -> (Vec<u8>, String) {
    let mut counters = vec![Counter::new(program); jobs];
    let cores = cores(jobs);
    share(&cores, &mut counters, process.threads.len(), |counter, number| {
        decode_thread_on(&cores, program, &process.threads[number], counter);
    });
    let mut sum = Counter::new(program);
    counters.iter().for_each(|counter| sum.add(counter));
    let mut profile = Profile::default();
    sum.add_to(&mut profile, 1);
    (profile.to_bytes(), format!("{:?}", sum.cost()))
}

/// Runs `crash` on the log alone: whether it finds one, and its output.
fn crash(program: &Program<'_>, process: &Process, jobs: usize) -> (bool, Vec<u8>) {
    let mut finder = Finder::new(program, vec![], 50).on(cores(jobs));
    let faulty = finder.process(process);
    let mut out = format!("{faulty}\n").into_bytes();
    let report = finder.finish();
    report.write_json(&mut out).unwrap();
    (report.fit() > Fit::None, out)
}

/// Runs `compare` on two sessions: whether it finds where they part; its output for them, for them
/// as good and bad ones, and for what the second one adds.
fn compared(map: &Map, a: &Process, b: &Process, jobs: usize) -> (bool, Vec<u8>) {
    let maps = [map.clone()];
    let common = Common::new(&maps).on(cores(jobs));
    let (texts, mut out) = (Texts { sources: None }, Vec::new());
    let parting = first_divergence(&common, a, b);
    match &parting {
        Ok(found) => texts.divergence(found, &mut out).unwrap(),
        Err(e) => out.extend(e.to_string().into_bytes()),
    }
    let mut ranking = Ranking::new(&common);
    ranking.add(0, a, false);
    ranking.add(0, b, true);
    texts.suspects(&Suspects::new(&common, &ranking, 10), "--top", &mut out).unwrap();
    let mut novelty = Novelty::new(&common);
    let faulty = novelty.know(0, a);
    let added = novelty.add(0, b);
    let mut additions = AdditionsBuilder::default();
    additions.add(&common, 0, b, added);
    texts.additions(&additions.finish(1, faulty), &mut out).unwrap();
    (parting.is_ok(), out)
}

#[test]
fn crashes_and_comparisons_are_the_same_on_several_cores() {
    let (mut found, mut parted) = (0, 0);
    for seed in 0..60 {
        let (map, a) = log(seed, 3);
        let program = Program::new(&map);
        let alone = crash(&program, &a, 1);
        // The same session, but for its first thread.
        let mut b = a.clone();
        b.threads.remove(0);
        let apart = compared(&map, &a, &b, 1);
        for jobs in [2, 5] {
            assert!(crash(&program, &a, jobs) == alone, "seed {seed}, {jobs}");
            assert!(compared(&map, &a, &b, jobs) == apart, "seed {seed}, {jobs}");
        }
        found += u64::from(alone.0);
        parted += u64::from(apart.0);
    }
    // Few threads end by an exception: one that is caught outside is no crash.
    assert!(found > 2 && parted > 40, "{found} crashes, {parted} partings");
}

#[test]
fn several_cores_write_what_one_does() {
    let (mut lines, mut faulty) = (0, 0);
    let last = Filter { last: Some(2), ..Filter::default() };
    for seed in 0..60 {
        let (map, process) = log(seed, 2 + (seed % 7) as u32);
        let program = Program::new(&map);
        for filter in [&Filter::default(), &last] {
            let shown = json(&program, &process, filter, 1);
            let read = text(&program, &process, filter, 1);
            for jobs in [2, 5] {
                assert!(json(&program, &process, filter, jobs) == shown, "seed {seed}, {jobs}");
                assert!(text(&program, &process, filter, jobs) == read, "seed {seed}, {jobs}");
            }
            lines += read.iter().filter(|b| **b == b'\n').count();
            faulty += shown.windows(11).filter(|w| w == b"\"e\":\"error\"").count();
        }
        let all = counted(&program, &process, 1);
        for jobs in [2, 5] {
            assert!(counted(&program, &process, jobs) == all, "seed {seed}, {jobs}");
        }
    }
    assert!(lines > 20_000 && faulty > 20, "{lines} lines, {faulty} faulty records");
}

/// The next callback of a thread does not follow the last one of another thread.
#[test]
fn a_record_that_is_refused_at_the_end_of_a_thread_leaves_nothing_to_the_next_thread() {
    let mut ended_by_a_fault = 0;
    for seed in 0..600 {
        let (map, process) = log(seed, 3);
        let program = Program::new(&map);
        let mut alone = Counter::new(&program);
        for thread in &process.threads {
            let mut counter = Counter::new(&program);
            ended_by_a_fault += u64::from(decode_thread(&program, thread, &mut counter).faulty > 0);
            alone.add(&counter);
        }
        let mut profile = Profile::default();
        alone.add_to(&mut profile, 1);
        assert!(profile.to_bytes() == counted(&program, &process, 1).0, "seed {seed}");
    }
    assert!(ended_by_a_fault > 50, "{ended_by_a_fault}");
}

/// A counter that counts while it walks takes back what then turns out to be wrong.
#[test]
fn counting_in_one_walk_gives_what_proven_records_give() {
    let (mut faulty, mut unproven, mut whole) = (0, 0, 0);
    for seed in 0..600 {
        let (map, process) = log(seed, 3);
        let program = Program::new(&map);
        let (mut careful, mut at_once) = (Counter::new(&program), Counter::new(&program));
        for thread in &process.threads {
            let want = decode_thread(&program, thread, &mut careful);
            assert_eq!(count_thread(&program, thread, &mut at_once), want, "seed {seed}");
            faulty += want.faulty;
            unproven += want.unproven;
            whole += u64::from(want.faulty == 0);
        }
        let counts = |counter: &Counter<'_, '_>| {
            let model = counter.counted(1).to_bytes();
            (String::from_utf8(model).expect("JSON"), format!("{:?}", counter.cost()))
        };
        assert_eq!(counts(&at_once), counts(&careful), "seed {seed}");
    }
    assert!(faulty > 300 && unproven > 100 && whole > 300, "{faulty}, {unproven}, {whole}");
}
