//! Sizes of coded streams against the order-0 entropy of the same decisions: the floor of every
//! static model.

use model::map::{Block, BlockId, BranchIdentity, CallKind, CallSite, Map, MethodId, Terminator};
use model::recording::{Recording, TraceCodec};
use tests::sim::{Device, Habits, Played, Rng, SYSTEM_ID, Shape, counts_to_map, play, random_map};

/// Bits of the empirical order-0 entropy of all decisions, and how many there are.
fn floor(played: &Played) -> (f64, u64) {
    let (mut bits, mut all) = (0.0, 0);
    for counts in played.truth.branches.iter().chain(&played.truth.slots) {
        let sum: u64 = counts.iter().sum();
        all += sum;
        bits += counts
            .iter()
            .filter(|n| **n > 0)
            .map(|&n| n as f64 * (sum as f64 / n as f64).log2())
            .sum::<f64>();
    }
    (bits, all)
}

/// A program, and the same one with the tables that one run of it gives. With `long`, its first
/// method is a loop that calls all others.
fn trained(seed: u64, shape: &Shape, steps: usize, long: bool) -> (Map, Map, Habits) {
    let mut rng = Rng::new(seed);
    let mut map = random_map(&mut rng, shape);
    if long {
        let calls = (2..=shape.methods as u32)
            .map(|m| CallSite { pc: 0, call: CallKind::Predicted(MethodId(m)) })
            .collect();
        let alternatives = vec![(BlockId(0), 65_534), (BlockId(1), 1)];
        let terminator =
            Terminator::Branch { alternatives, identity: BranchIdentity { fingerprint: 1 } };
        let block = |calls, terminator| Block {
            pc: 0,
            end: 1,
            lines: vec![],
            calls,
            throws: true,
            mark: false,
            terminator,
        };
        // Exceptions have their own price.
        for b in map
            .methods
            .iter_mut()
            .flat_map(|m| &mut m.blocks)
            .filter(|b| b.terminator == Terminator::Throw)
        {
            b.terminator = Terminator::Return;
        }
        map.methods[0].blocks = vec![block(calls, terminator), block(vec![], Terminator::Return)];
    }
    let habits = Habits { depth: 200, ..Habits::plain(steps, false) };
    let first = play(&map, &map, "t", &mut rng, habits);
    let trained = counts_to_map(&map, &first.truth.branches, &first.truth.slots);
    (map, trained, habits)
}

#[test]
fn long_runs_cost_at_most_one_percent_more_than_their_entropy() {
    println!("| seed | decisions | entropy, bits each | coded bytes | coded ÷ entropy |");
    println!("|---|---|---|---|---|");
    let (mut worst, mut measured) = (0.0f64, 0);
    for seed in 0..60 {
        let shape = Shape {
            methods: 3 + seed as usize % 9,
            blocks: 12,
            predicted: 9,
            slots: 6,
            implied: 0,
            inlined: 0,
            guarded: 0,
            handlers: 0,
        };
        let (odds, map, habits) = trained(seed, &shape, 1_000_000, true);
        // The tables are those of the run itself: some programs come to one loop in one run and to
        // another one in the next.
        let second = play(&map, &odds, "t", &mut Rng::new(seed + 99), habits);
        let map = counts_to_map(&map, &second.truth.branches, &second.truth.slots);
        let played = play(&map, &odds, "t", &mut Rng::new(seed + 99), habits);
        let (bits, decisions) = floor(&played);
        // Programs that mostly do what they always do leave too few bits to divide by; some recurse
        // until the stack is full.
        if decisions < 100_000 || bits < 10_000.0 || played.truth.escapes > 1 {
            continue;
        }
        let ratio = (8 * played.bytes.len()) as f64 / bits;
        println!(
            "| {seed} | {decisions} | {:.4} | {} | {ratio:.4} |",
            bits / decisions as f64,
            played.bytes.len()
        );
        worst = worst.max(ratio);
        measured += 1;
    }
    println!("worst {worst:.5} of {measured}");
    assert!(measured >= 10);
    assert!(worst <= 1.01, "{worst}");
}

#[test]
fn ending_a_record_costs_two_bytes_at_most() {
    let (mut worst, mut sum, mut records) = (0.0f64, 0.0, 0);
    for seed in 0..500 {
        let shape = Shape {
            methods: 6,
            blocks: 8,
            predicted: 3,
            slots: 4,
            implied: 0,
            inlined: 0,
            guarded: 3,
            handlers: 0,
        };
        let (odds, map, habits) = trained(seed, &shape, 20_000, false);
        let mut rng = Rng::new(seed + 99);
        let played = play(&map, &odds, "t", &mut rng, Habits { steps: 100, ..habits });
        if played.killed || played.flushes == 0 {
            continue;
        }
        // Everything that is coded counts as needed: decisions, times, check symbols, escapes.
        let name = 8 * (1 + usize::from(played.bytes[0]) + SYSTEM_ID.len());
        let beside = (8 * played.bytes.len() - name) as f64 - played.ideal;
        assert!(beside >= 0.0, "seed {seed}: fewer bits than an ideal coder needs");
        worst = worst.max(beside / played.flushes as f64 / 8.0);
        sum += beside / 8.0;
        records += played.flushes;
    }
    println!(
        "{records} records: {:.3} bytes each on the average, {worst:.3} in the worst stream",
        sum / records as f64
    );
    assert!(records > 2_000 && worst <= 2.0);
}

/// A loop whose inner branch goes one way for long, then the other: bytes under a codec, with
/// tables that were trained on this very run.
fn phases(recording: Recording) -> (usize, f64) {
    let alternatives = |a: u32, b: u32| Terminator::Branch {
        alternatives: vec![(BlockId(a), 32_768), (BlockId(b), 32_767)],
        identity: BranchIdentity { fingerprint: 1 },
    };
    let block = |terminator| Block {
        pc: 0,
        end: 1,
        lines: vec![],
        calls: vec![],
        throws: false,
        mark: false,
        terminator,
    };
    let mut map = random_map(
        &mut Rng::new(5),
        &Shape {
            methods: 1,
            blocks: 1,
            predicted: 0,
            slots: 0,
            implied: 0,
            inlined: 0,
            guarded: 1,
            handlers: 0,
        },
    );
    map.methods[0].blocks = vec![
        block(alternatives(1, 4)),
        block(alternatives(2, 3)),
        block(Terminator::Goto(BlockId(0))),
        block(Terminator::Goto(BlockId(0))),
        block(Terminator::Return),
    ];
    map.recording = recording;
    let run = |map: &Map| {
        let mut device = Device::new(map, "t");
        let mut rng = Rng::new(77);
        let (frame, _, _) = device.enter(MethodId(1), 0);
        let mut counts = vec![vec![0; 2], vec![0; 2]];
        let mut take = |device: &mut Device<'_>, b: usize, i: usize| {
            let Terminator::Branch { alternatives, .. } = &map.methods[0].blocks[b].terminator
            else {
                panic!("a branch")
            };
            let freqs: Vec<u16> = alternatives.iter().map(|a| a.1).collect();
            let targets: Vec<_> = alternatives.iter().map(|a| a.0).collect();
            device.branch(MethodId(1), b as u32, &freqs, &targets, i);
            counts[b][i] += 1u64;
        };
        for round in 0..100_000 {
            take(&mut device, 0, 0);
            // Ten phases.
            let mostly = round / 10_000 % 2;
            take(&mut device, 1, if rng.one_in(20) { 1 - mostly } else { mostly });
        }
        take(&mut device, 0, 1);
        device.leave(frame);
        (device.published(), counts)
    };
    let (_, counts) = run(&map);
    let slots = vec![vec![1; map.slots[0].freqs.len()]; map.slots.len()];
    let mut trained = counts_to_map(&map, &counts, &slots);
    trained.recording = recording;
    let floor: f64 = counts
        .iter()
        .map(|c| {
            let sum = c.iter().sum::<u64>() as f64;
            c.iter().filter(|n| **n > 0).map(|&n| n as f64 * (sum / n as f64).log2()).sum::<f64>()
        })
        .sum();
    (run(&trained).0, floor)
}

#[test]
fn code_that_changes_its_habits_costs_less_than_the_floor_of_any_fixed_table() {
    let (fixed, floor) = phases(Recording::ARITH);
    let (published, _) = phases(Recording::Trace(TraceCodec::ArithAdaptive));
    let (shift, _) = phases(Recording::Trace(TraceCodec::ArithAdaptiveShift));
    println!(
        "floor {:.0} bytes; arith {fixed}, arith-adaptive {published}, \
         arith-adaptive-shift {shift}",
        floor / 8.0
    );
    assert!(fixed as f64 >= floor / 8.0);
    assert!((published as f64) < floor / 8.0 * 0.75);
    assert!((shift as f64) < floor / 8.0 * 0.5);
}
