//! An exception leaves an announced method that has no guard, and code outside the app swallows it:
//! nothing in the stream shows it.

use crate::decoder_support::{Ear, Heard, Part, agree, collect};
use decoder::replay::Program;
use decoder::session::decode_thread;
use model::map::*;
use model::recording::{Recording, TraceCodec};
use tests::sim::{
    Device, Event, Habits, How, Played, Rng, Shape, file_header, play, random_map, sealed, slabs,
    uniform,
};

const TOP: MethodId = MethodId(1);
const LOOSE: MethodId = MethodId(2);
const CALLBACK: MethodId = MethodId(3);

/// `top` has a handler; `unguarded` has no guard; all of them may throw anywhere.
fn map() -> Map {
    let block = |terminator| Block {
        pc: 0,
        end: 1,
        lines: vec![],
        calls: vec![],
        throws: true,
        mark: false,
        terminator,
    };
    let method = |guarded, blocks| Method {
        class: NameId(0),
        name: NameId(0),
        descriptor: NameId(0),
        source_file: None,
        in_app: None,
        kind: model::map::MethodKind::Source,
        guarded,
        blocks,
        regions: vec![],
        loops: vec![],
        fingerprint: 0,
    };
    let slot = Slot { callees: vec![TOP], freqs: uniform(2), site: NameId(0) };
    Map {
        build: BuildId::default(),
        origin: [7; 32],
        recording: Recording::ARITH,
        id_bits: 2,
        package: String::new(),
        names: vec!["m".into()],
        methods: vec![
            method(true, vec![block(Terminator::Return), block(Terminator::Return)]),
            method(false, vec![block(Terminator::Return)]),
            method(true, vec![block(Terminator::Return)]),
        ],
        handlers: vec![Handler { method: TOP, block: BlockId(1) }],
        slots: vec![slot],
        next_callbacks: vec![],
        skipped: vec![],
        places: model::map::SourcePositions::default(),
        protocol: 2,
        inlined: Vec::new(),
        paths: Vec::new(),
        code_lines: Vec::new(),
        generated: Vec::new(),
        origins: Vec::new(),
        upper_bounds: false,
        throwing: ThrowingLines::default(),
    }
}

/// Events of a decoder where `top` calls something outside that calls `unguarded`, which returns or
/// not, and then `callback`; then an exception comes to the handler of `top`, or not.
fn heard(returns: bool, throws: bool) -> Part {
    heard_of(map(), returns, throws)
}

fn heard_of(map: Map, returns: bool, throws: bool) -> Part {
    let map = Map::from_bytes(&sealed(map).to_bytes()).unwrap();
    let mut device = Device::new(&map, "t");
    let (top, ..) = device.enter(TOP, 0);
    let (unguarded, ..) = device.enter(LOOSE, 0);
    if returns {
        device.leave(unguarded);
    }
    let (callback, ..) = device.enter(CALLBACK, 0);
    device.leave(callback);
    if throws {
        device.caught(HandlerId(0), top);
    }
    device.leave(top);
    let (bytes, records) = device.into_published();
    let played = Played { bytes, records, ..Played::default() };
    let file = write(&map, &played);
    let program = Program::new(&map);
    let mut ear = Ear::new(&program);
    assert_eq!(
        decode_thread(&program, &collect(&map, &file).processes[0].threads[0], &mut ear).faulty,
        0
    );
    ear.parts.remove(0)
}

fn write(map: &Map, played: &Played) -> Vec<u8> {
    let all = slabs(played, 1, 500, true);
    model::trace::write_trace(&file_header(map, 540, 1), all.iter().map(|(h, p)| (*h, &p[..])))
}

#[test]
fn a_frame_that_may_have_ended_before_a_callback_is_named() {
    let swallowed = heard(false, true);
    assert!(swallowed.events.iter().any(|e| matches!(e, Heard::Caught { dropped: 1, .. })));
    assert_eq!(swallowed.doubts.iter().map(|d| d.0).collect::<Vec<_>>(), [LOOSE]);
    assert_eq!(swallowed.doubted_depths, [2], "top called it");
}

#[test]
fn a_frame_that_returned_is_doubted_if_an_exception_comes_and_it_can_throw() {
    assert_eq!(heard(true, true).doubts.len(), 1);
    let mut quiet = map();
    quiet.methods[LOOSE.0 as usize - 1].blocks[0].throws = false;
    assert_eq!(heard_of(quiet, true, true).doubts, []);
}

#[test]
fn a_frame_is_not_doubted_when_the_record_ends_by_returns() {
    let returned = heard(true, false);
    assert_eq!(returned.events.iter().filter(|e| **e == Heard::Leave).count(), 3);
    assert_eq!(returned.doubts, []);
}

/// Outcomes of the records of many random threads in which code outside swallows exceptions that
/// leave methods without guards.
#[derive(Debug, Default)]
struct Outcome {
    /// Threads in which that happened.
    swallowed: usize,
    /// Of these: some record was refused; something was called doubtful; neither (the path was
    /// right up to where the log ends).
    refused: usize,
    doubtful: usize,
    right: usize,
    /// Threads in which nothing was swallowed, and those of them in which something was called
    /// doubtful.
    innocent: usize,
    suspected: usize,
}

/// Plays and decodes; all that is reported as proven, and without doubt, must have run.
fn swallow(recording: Recording, seeds: std::ops::Range<u64>) -> Outcome {
    let mut outcome = Outcome::default();
    for seed in seeds {
        let mut rng = Rng::new(seed);
        // Small programs whose branches all look alike: what belongs to one frame fits another one
        // best.
        let shape = Shape::any(&mut rng);
        let map = Map { recording, ..random_map(&mut rng, &shape) };
        let map = Map::from_bytes(&sealed(map).to_bytes()).unwrap();
        let habits = Habits {
            unguarded: 5 + rng.below(40),
            throw: 5 + rng.below(40),
            swallow: 2,
            ..Habits::any(&mut rng, 60)
        };
        let played = play(&map, &map, "t", &mut rng, habits);
        let file = write(&map, &played);
        let program = Program::new(&map);
        let mut ear = Ear::new(&program);
        let faulty =
            decode_thread(&program, &collect(&map, &file).processes[0].threads[0], &mut ear).faulty;
        let truth = &played.truth;
        for part in &ear.parts {
            let proven = &part.events[..part.unproven.unwrap_or(part.events.len())];
            let starts = truth.starts.iter().copied().filter(|_| !part.beginning).chain([0]);
            let right =
                starts.map(|s| agree(&program, proven, &truth.events[s..])).max().unwrap_or(0);
            let excused = part.doubts.iter().any(|&(left, reported)| {
                let entered = part.events[..reported]
                    .iter()
                    .position(|e| *e == Heard::Enter(left, How::Callback));
                entered.is_some_and(|at| at <= right)
            });
            assert!(
                right == proven.len() || excused,
                "{recording}, seed {seed}: {:?} is not {:?}",
                proven.get(right),
                truth.events.get(right)
            );
        }
        let doubtful = ear.parts.iter().any(|p| !p.doubts.is_empty());
        let lost = truth.events.iter().any(|e| matches!(e, Event::Swallowed { .. }));
        if lost {
            outcome.swallowed += 1;
            outcome.refused += usize::from(faulty > 0);
            outcome.doubtful += usize::from(faulty == 0 && doubtful);
            outcome.right += usize::from(faulty == 0 && !doubtful);
        } else {
            assert_eq!(faulty, 0, "{recording}, seed {seed}");
            outcome.innocent += 1;
            outcome.suspected += usize::from(doubtful);
        }
    }
    outcome
}

#[test]
fn what_fits_though_a_frame_ended_unnoticed_is_called_doubtful() {
    for (recording, seeds) in [
        (Recording::ARITH, 0..6000),
        (Recording::Trace(TraceCodec::Huffman), 6000..9000),
        (Recording::Trace(TraceCodec::BallLarus), 9000..12_000),
    ] {
        let outcome = swallow(recording, seeds);
        println!("{recording}: {outcome:?}");
        assert!(
            outcome.swallowed > 300 && outcome.doubtful > 50 && outcome.refused > 50,
            "{recording}: {outcome:?}"
        );
    }
}
