//! Measures the decoding speed of one core:
//! `cargo run --release -p tests --example decode_speed [millions of branches]`.
//!
//! Streams of two programs (`tests::sim` plays them): nested loops with branches in them, and a
//! recursion that calls more than it branches. Decoded into counts as `pathlight train` does, in
//! one walk (`count_thread`), and into nothing by `decode_thread`, which proves every record first
//! and passes it on second. Time is what the thread got of the processor. `decode_speed memory N`
//! decodes a stream of N megabytes and prints what it took. `decode_speed logs FOLDER [millions]
//! [threads]` writes logs and maps of both programs, to measure whole commands with.

use std::io;
use std::path::Path;
use std::time::Instant;

use decoder::log::{Segment, SegmentStart, SyncPoint, ThreadLog};
use decoder::replay::{NoSink, Program};
use decoder::session::{ThreadTotals, decode_thread};
use decoder::train::{Counter, count_thread};
use model::map::*;
use model::table::quantise;
use model::trace::{SLAB_HEADER, write_trace};
use tests::sim::{
    Habits, Played, Rng, SYSTEM_ID, Shape, file_header, play, random_map, sealed, slabs,
};

/// Size of slabs, as the runtime writes them.
const SLAB: u32 = 1024;

fn branch(targets: &[(u32, u64)]) -> Terminator {
    let counts: Vec<u64> = targets.iter().map(|t| t.1).collect();
    let freqs = quantise(&counts).expect("a few alternatives");
    let alternatives = targets.iter().map(|t| BlockId(t.0)).zip(freqs).collect();
    Terminator::Branch { alternatives, identity: BranchIdentity { fingerprint: 1 } }
}

fn block(calls: &[CallKind], terminator: Terminator) -> Block {
    let calls = calls.iter().map(|c| CallSite { pc: 0, call: *c }).collect();
    Block { pc: 0, end: 1, lines: vec![], calls, throws: true, mark: false, terminator }
}

fn program(methods: Vec<Vec<Block>>) -> Map {
    let mut rng = Rng::new(1);
    let shape = Shape {
        methods: methods.len(),
        blocks: 1,
        predicted: 0,
        slots: 0,
        implied: 0,
        inlined: 0,
        guarded: 1,
        handlers: 0,
    };
    let mut map = random_map(&mut rng, &shape);
    for (i, (m, blocks)) in map.methods.iter_mut().zip(methods).enumerate() {
        m.blocks = blocks;
        m.guarded = i == 0;
    }
    map.slots = vec![Slot { callees: vec![MethodId(1)], freqs: vec![1, 65_534], site: NameId(0) }];
    map.next_callbacks.clear();
    Map::from_bytes(&sealed(map).to_bytes()).expect("a sound map")
}

/// Two loops, one in the other, with an `if` and a `switch`.
fn loops() -> Map {
    let goto = |t| Terminator::Goto(BlockId(t));
    program(vec![vec![
        block(&[], goto(1)),
        block(&[], branch(&[(2, 1 << 30), (7, 1)])),
        block(&[], branch(&[(3, 20), (6, 1)])),
        block(&[], branch(&[(4, 3), (5, 2)])),
        block(&[], goto(2)),
        block(&[], branch(&[(2, 5), (4, 3), (3, 1)])),
        block(&[], goto(1)),
        block(&[], Terminator::Return),
    ]])
}

/// Something like Fibonacci under a loop.
fn calls() -> Map {
    let call = |m| CallKind::Predicted(MethodId(m));
    program(vec![
        vec![block(&[call(2)], branch(&[(0, 1 << 30), (1, 1)])), block(&[], Terminator::Return)],
        vec![
            block(&[], branch(&[(1, 52), (2, 48)])),
            block(&[call(3)], Terminator::Return),
            block(&[call(2), call(3), call(2)], Terminator::Return),
        ],
        vec![block(&[], Terminator::Return)],
    ])
}

/// A switch of 250 cases in a loop: a byte a branch.
fn switch() -> Map {
    let cases: Vec<(u32, u64)> = (1..=250).map(|t| (t, 1000)).chain([(251, 0)]).collect();
    let mut blocks = vec![block(&[], branch(&cases))];
    blocks.resize(251, block(&[CallKind::Predicted(MethodId(2))], Terminator::Goto(BlockId(0))));
    blocks.push(block(&[], Terminator::Return));
    program(vec![
        blocks,
        vec![block(&[], branch(&[(0, 1), (1, 1)])), block(&[], Terminator::Return)],
    ])
}

fn thread(played: Played) -> ThreadLog {
    let syncs = played
        .records
        .iter()
        .map(|r| SyncPoint {
            offset: r.at,
            progress: r.progress,
            last_top: r.last_top,
            time: r.time,
        })
        .collect();
    let offset = 1 + usize::from(played.bytes[0]) + SYSTEM_ID.len();
    let start = SegmentStart::Beginning { offset };
    let segment = Segment {
        restarts: vec![],
        bytes: played.bytes,
        start,
        syncs,
        clocks: vec![],
        first: 0,
        slabs: 1,
        complete: true,
    };
    ThreadLog {
        number: 1,
        name: None,
        tid: 0,
        late: false,
        table: None,
        segments: vec![segment],
        gaps: vec![],
    }
}

/// Nanoseconds that this thread ran, and those on the clock.
fn clocks(begin: Instant) -> (f64, f64) {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let ran = stat.split(' ').next().and_then(|n| n.parse().ok());
    let clock = begin.elapsed().as_nanos() as f64;
    (ran.unwrap_or(clock), clock)
}

fn timed(decode: impl FnOnce() -> ThreadTotals) -> f64 {
    let begin = Instant::now();
    let (before, _) = clocks(begin);
    let totals = decode();
    assert!(totals.proven > 0 && totals.faulty == 0, "{totals:?}");
    (clocks(begin).0 - before) / 1e9
}

/// Plays a program until it has decided so often, in millions, and gives how often it did.
fn played(map: &Map, millions: usize) -> (Played, f64) {
    let mut rng = Rng::new(7);
    let mut played = Played::default();
    let mut branches = 0.0;
    // As many steps as it takes: blocks and calls are steps, too.
    for steps in [2, 4, 8] {
        let habits =
            Habits { depth: 100_000, ..Habits::plain(steps * millions * 1_000_000, false) };
        played = play(map, map, "t", &mut rng, habits);
        branches = played.truth.branches.iter().flatten().sum::<u64>() as f64;
        if branches >= millions as f64 * 1e6 {
            break;
        }
    }
    (played, branches)
}

/// Writes a map and a log of it: the same path in each thread.
fn log(folder: &Path, name: &str, map: &Map, millions: usize, threads: u32) -> io::Result<()> {
    let (played, branches) = played(map, millions);
    let payload = SLAB as usize - SLAB_HEADER;
    let all: Vec<_> = (1..=threads).flat_map(|t| slabs(&played, t, payload, true)).collect();
    let bytes = write_trace(&file_header(map, SLAB, 1), all.iter().map(|(h, p)| (*h, &p[..])));
    std::fs::write(folder.join(format!("{name}.plmap")), map.to_bytes())?;
    std::fs::write(folder.join(format!("{name}.plt")), &bytes)?;
    let branches = branches * f64::from(threads) / 1e6;
    println!("{name}: {branches:.1} million branches in {} bytes", bytes.len());
    Ok(())
}

fn speed(name: &str, map: &Map, millions: usize) {
    let (played, branches) = played(map, millions);
    let program = Program::new(map);
    let bytes = played.bytes.len();
    let thread = thread(played);
    let median = |f: &dyn Fn() -> f64| {
        let mut all: Vec<f64> = (0..7).map(|_| f()).collect();
        all.sort_by(f64::total_cmp);
        branches / all[3] / 1e6
    };
    let train = median(&|| timed(|| count_thread(&program, &thread, &mut Counter::new(&program))));
    let bare = median(&|| timed(|| decode_thread(&program, &thread, &mut NoSink)));
    println!(
        "{name}: {:.1} million branches in {bytes} bytes; \
         {train:.1} million branches/s into counts, {bare:.1} into nothing",
        branches / 1e6
    );
}

fn high_water() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// A log of this size: a long record, again and again, between gaps.
fn memory(megabytes: usize) {
    let map = switch();
    let mut rng = Rng::new(3);
    let played =
        play(&map, &map, "t", &mut rng, Habits { depth: 2000, ..Habits::plain(30_000_000, false) });
    let times = (megabytes << 20).div_ceil(played.bytes.len());
    let bytes = times * played.bytes.len();
    let branches = times as u64 * played.truth.branches.iter().flatten().sum::<u64>();
    let mut thread = thread(played);
    let one = thread.segments[0].clone();
    thread.segments.resize(times, one);
    let program = Program::new(&map);
    let before = high_water();
    let seconds = timed(|| count_thread(&program, &thread, &mut Counter::new(&program)));
    println!(
        "{} MB, {branches} branches, {seconds:.1} s: \
         VmHWM {before} kB before decoding, {} kB after",
        bytes >> 20,
        high_water()
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, otherwise| arguments.get(i).and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    if arguments.first().is_some_and(|a| a == "memory") {
        return memory(number(1, 200));
    }
    if let [mode, folder, ..] = &arguments[..]
        && mode == "logs"
    {
        let folder = Path::new(folder);
        std::fs::create_dir_all(folder).expect("a folder");
        for (name, map) in [("loops", loops()), ("calls", calls())] {
            log(folder, name, &map, number(2, 20), number(3, 1) as u32).expect("logs");
        }
        return;
    }
    speed("loops", &loops(), number(0, 20));
    speed("calls", &calls(), number(0, 20));
}
