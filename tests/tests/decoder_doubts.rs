//! An exception leaves an announced method that has no guard, and code outside the app swallows it: nothing in the stream says so.

#[path = "decoder_support/mod.rs"]
mod support;

use decoder::replay::Program;
use decoder::session::decode_thread;
use model::map::*;
use support::{Ear, Heard, Part, collect};
use tests::sim::{Device, Played, file_header, slabs, uniform};

const TOP: MethodId = MethodId(1);
const LOOSE: MethodId = MethodId(2);
const CALLBACK: MethodId = MethodId(3);

/// `top` has a handler; `loose` has no guard; all of them may throw anywhere.
fn map() -> Map {
    let block =
        |terminator| Block { pc: 0, end: 1, lines: vec![], calls: vec![], throws: true, mark: false, terminator };
    let method = |guarded, blocks| Method {
        class: NameId(0),
        name: NameId(0),
        descriptor: NameId(0),
        source_file: None,
        guarded,
        blocks,
        regions: vec![],
        loops: vec![],
        fingerprint: 0,
    };
    let slot = Slot { callees: vec![TOP], freqs: uniform(2), site: NameId(0) };
    Map {
        build: BuildId([7; 16]),
        codec: Codec::Arith,
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
        idle: vec![],
        skipped: vec![],
    }
}

/// What a decoder hears of `top` calling something outside that calls `loose` and then `callback`, which an exception ends in the handler of `top`.
fn heard(returns: bool) -> Part {
    let map = Map::from_bytes(&map().to_bytes()).unwrap();
    let mut device = Device::new(&map, "t");
    let (top, ..) = device.enter(TOP, 0);
    let (loose, ..) = device.enter(LOOSE, 0);
    if returns {
        device.leave(loose);
    }
    let (callback, ..) = device.enter(CALLBACK, 0);
    device.leave(callback);
    device.caught(HandlerId(0), top);
    device.leave(top);
    let (bytes, records) = device.into_published();
    let played = Played { bytes, records, ..Played::default() };
    let file = write(&map, &played);
    let program = Program::new(&map);
    let mut ear = Ear::new(&program);
    assert_eq!(decode_thread(&program, &collect(&map, &file).processes[0].threads[0], &mut ear).faulty, 0);
    ear.parts.remove(0)
}

fn write(map: &Map, played: &Played) -> Vec<u8> {
    let all = slabs(played, 1, 500, true);
    model::trace::write_trace(&file_header(map, 540, 1), all.iter().map(|(h, p)| (*h, &p[..])))
}

#[test]
fn a_frame_that_may_have_ended_before_a_callback_is_named() {
    let swallowed = heard(false);
    assert!(swallowed.events.iter().any(|e| matches!(e, Heard::Caught { dropped: 1, .. })));
    assert_eq!(swallowed.doubts, [LOOSE]);
}

#[test]
fn a_frame_that_returned_is_not_doubted() {
    let returned = heard(true);
    assert!(returned.events.iter().any(|e| matches!(e, Heard::Caught { dropped: 0, .. })));
    assert_eq!(returned.doubts, []);
}
