//! Text of hand-written paths, and the map that other tests use.

use decoder::log::Process;
use decoder::replay::{BlockNo, Ended, Program, SendEvents, Via};
use decoder::session::Note;
use model::map::*;
use model::recording::Recording;
use model::throwing::ThrowingLinesBuilder;
use model::trace::Refused;

use crate::paths::TextPaths;

pub(crate) const OUTER: MethodId = MethodId(1);
pub(crate) const CALLEE: MethodId = MethodId(2);
const OUTLINE: MethodId = MethodId(3);

/// `A.outer` calls `C.callee` at line 30 of `B.inlined`, which was inlined at line 10; line 11 is
/// its own again. Its second block calls an outline, whose line 1 is line 20 there, and line 2 is
/// line 31 of `B.inlined`, inlined at line 21.
pub(crate) fn map() -> Map {
    let names = ["LA;", "LB;", "LC;", "outer", "inlined", "callee", "()V", "A.kt", "B.kt", "LNpe;"];
    let own = SourceMethod {
        class: NameId(0),
        name: NameId(3),
        descriptor: NameId(6),
        file: Some(NameId(7)),
    };
    let inlined = SourceMethod { class: NameId(1), name: NameId(4), file: Some(NameId(8)), ..own };
    let block = |lines: &[(u32, CodeOrigin)], calls: &[(u32, MethodId)]| Block {
        pc: 0,
        end: 9,
        lines: lines.to_vec(),
        calls: calls.iter().map(|&(pc, m)| CallSite { pc, call: CallKind::Predicted(m) }).collect(),
        throws: true,
        mark: false,
        terminator: Terminator::Return,
    };
    let method = |class, name, kind, blocks| Method {
        class: NameId(class),
        name: NameId(name),
        descriptor: NameId(6),
        source_file: None,
        in_app: None,
        kind,
        guarded: true,
        blocks,
        regions: vec![],
        loops: vec![],
        fingerprint: 0,
    };
    let position = |method, line, caller| Position { method, line, caller };
    let (line, at) = (CodeOrigin::Line, |id| CodeOrigin::At(PositionId(id)));
    let first = block(&[(0, line(9)), (2, at(1)), (6, line(11))], &[(4, CALLEE)]);
    let second = block(&[(0, line(19))], &[(4, OUTLINE)]);
    let outline = block(&[(0, line(1)), (2, line(2))], &[]);
    Map {
        build: BuildId::default(),
        origin: [0; 32],
        recording: Recording::ARITH,
        id_bits: 2,
        package: String::new(),
        names: names.map(str::to_owned).to_vec(),
        methods: vec![
            method(0, 3, MethodKind::Source, vec![first, second]),
            method(2, 5, MethodKind::Source, vec![block(&[(0, line(50))], &[])]),
            method(2, 5, MethodKind::Outline, vec![outline]),
        ],
        handlers: vec![],
        slots: vec![],
        next_callbacks: vec![],
        skipped: vec![],
        places: SourcePositions {
            sources: vec![own, inlined],
            positions: vec![
                position(0, 10, 0),
                position(1, 30, 1),
                position(0, 21, 0),
                position(1, 31, 3),
            ],
            rewrites: vec![Rewrite { position: 1, thrown: NameId(9), remove: 1 }],
            outline_calls: vec![OutlineCall {
                method: OUTER,
                pc: 4,
                lines: vec![(1, line(20)), (2, at(3))],
            }],
        },
        protocol: 3,
        inlined: Vec::new(),
        paths: Vec::new(),
        code_lines: Vec::new(),
        generated: Vec::new(),
        origins: Vec::new(),
        upper_bounds: false,
        throwing: ThrowingLines::default(),
    }
}

/// Returns an empty process of this map.
pub(crate) fn process(map: &Map) -> Process {
    Process {
        build_id: map.build,
        pid: 1,
        name: String::new(),
        start_ms: 0,
        clocks: None,
        sources: vec![],
        refused: Refused::default(),
        exit: None,
        threads: vec![],
    }
}

pub(crate) fn shown(map: &Map, path: impl FnOnce(&mut TextPaths<'_, '_, &mut Vec<u8>>)) -> String {
    let program = Program::new(map);
    let mut out = Vec::new();
    let mut text = TextPaths::new(&program, &mut out, &process(map));
    text.enter(OUTER, Via::Callback);
    path(&mut text);
    text.finish().unwrap();
    String::from_utf8(out).unwrap()
}

#[track_caller]
pub(crate) fn check(path: impl FnOnce(&mut TextPaths<'_, '_, &mut Vec<u8>>), want: &str) {
    assert_eq!(shown(&map(), path).trim(), want.trim());
}

#[test]
fn inlined_code_is_a_call_and_calls_what_it_called() {
    check(
        |path| {
            path.block(BlockNo(0));
            path.enter(CALLEE, Via::Call);
            path.block(BlockNo(2));
            path.leave();
            path.leave();
        },
        "
⇠ A.outer()
  9 10
  ⤷ B.inlined()
    30
    C.callee()
      50
  11
",
    );
}

#[test]
fn what_stands_behind_a_call_that_threw_did_not_run() {
    check(
        |path| {
            path.block(BlockNo(0));
            path.enter(CALLEE, Via::Call);
            path.block(BlockNo(2));
            path.unwound(2, &[BlockNo(2)]);
        },
        "
⇠ A.outer()
  9 10
  ⤷ B.inlined()
    30
    C.callee()
      50
      ✗ exception at C.callee:50, leaves the app's code
",
    );
}

/// The block of lines 9, 10, 30 (inlined) and 11 began; how far it came is not known.
#[test]
fn lines_of_a_block_in_which_the_log_ends_are_not_claimed() {
    check(
        |path| {
            path.block(BlockNo(0));
            path.note(Note::Ended(Ended::Cut));
        },
        "
⇠ A.outer()
  9
  ■ the log ends here
",
    );
}

#[test]
fn an_exception_names_all_lines_of_its_block_that_can_have_thrown() {
    check(
        |path| {
            path.block(BlockNo(0));
            path.unwound(1, &[BlockNo(0)]);
        },
        "
⇠ A.outer()
  9
  ✗ exception at A.outer:9, B.kt:30 in B.inlined (Npe: A.kt:10), A.outer:11, leaves the app's code
",
    );
}

/// Lines 9 and 10 ended before the call, which returned.
#[test]
fn an_exception_behind_a_call_names_no_line_before_it() {
    check(
        |path| {
            path.block(BlockNo(0));
            path.enter(CALLEE, Via::Call);
            path.block(BlockNo(2));
            path.leave();
            path.unwound(1, &[BlockNo(0)]);
        },
        "
⇠ A.outer()
  9 10
  ⤷ B.inlined()
    30
    C.callee()
      50
    ✗ exception at B.kt:30 in B.inlined (Npe: A.kt:10), A.outer:11, leaves the app's code
",
    );
}

/// The map with bits for what can throw in its first block, at these addresses.
fn map_that_throws(lines: &[(u32, CodeOrigin)], throwing: &[u32]) -> Map {
    let mut map = map();
    let first = &mut map.methods[0].blocks[0];
    if !lines.is_empty() {
        first.lines = lines.to_vec();
        first.calls.clear();
    }
    let mut builder = ThrowingLinesBuilder::default();
    for (number, block) in map.methods.iter().flat_map(|m| &m.blocks).enumerate() {
        builder.push(block, if number == 0 { throwing } else { &[] });
    }
    map.throwing = builder.finish();
    map
}

#[track_caller]
fn check_throwing(map: &Map, path: impl FnOnce(&mut TextPaths<'_, '_, &mut Vec<u8>>), want: &str) {
    assert_eq!(shown(map, path).trim(), want.trim());
}

const NINE_TO_ELEVEN: [(u32, CodeOrigin); 3] =
    [(0, CodeOrigin::Line(9)), (2, CodeOrigin::Line(10)), (4, CodeOrigin::Line(11))];

/// Nothing before the call can throw, and the call did not begin: line 11 did not run.
#[test]
fn lines_before_the_first_one_that_can_throw_ran_and_those_after_a_call_did_not() {
    check_throwing(
        &map_that_throws(&[], &[4, 7]),
        |path| {
            path.block(BlockNo(0));
            path.unwound(1, &[BlockNo(0)]);
        },
        "
⇠ A.outer()
  9 10
  ⤷ B.inlined()
    30
    ✗ exception at B.kt:30 in B.inlined (Npe: A.kt:10), leaves the app's code
",
    );
}

#[test]
fn a_call_that_returned_did_not_throw() {
    check_throwing(
        &map_that_throws(&[], &[4, 7]),
        |path| {
            path.block(BlockNo(0));
            path.enter(CALLEE, Via::Call);
            path.block(BlockNo(2));
            path.leave();
            path.unwound(1, &[BlockNo(0)]);
        },
        "
⇠ A.outer()
  9 10
  ⤷ B.inlined()
    30
    C.callee()
      50
  11
  ✗ exception at A.outer:11, leaves the app's code
",
    );
}

/// A library may stand between the call and the callee, and throw afterwards.
#[test]
fn a_call_through_a_slot_may_throw_after_its_callee_returned() {
    let mut map = map_that_throws(&[], &[4, 7]);
    map.slots = vec![Slot { callees: vec![CALLEE], freqs: vec![1, 65_534], site: NameId(0) }];
    map.methods[0].blocks[0].calls[0].call = CallKind::Slot(SlotId(0));
    let path = |path: &mut TextPaths<'_, '_, &mut Vec<u8>>| {
        path.block(BlockNo(0));
        path.enter(CALLEE, Via::Slot(SlotId(0)));
        path.block(BlockNo(2));
        path.leave();
        path.unwound(1, &[BlockNo(0)]);
    };
    let out = shown(&map, path);
    let want = "✗ exception at B.kt:30 in B.inlined (Npe: A.kt:10), A.outer:11, leaves";
    assert!(out.contains(want), "{out}");
}

#[test]
fn lines_that_cannot_throw_are_not_named() {
    let thrown = |throwing: &[u32]| {
        shown(&map_that_throws(&NINE_TO_ELEVEN, throwing), |path| {
            path.block(BlockNo(0));
            path.unwound(1, &[BlockNo(0)]);
        })
    };
    for (throwing, ran, named) in [
        (&[1, 5][..], "9", "A.outer:9, 11"),
        (&[0, 3], "9", "A.outer:9–10"),
        (&[3, 5], "9 10", "A.outer:10–11"),
        (&[5], "9 10 11", "A.outer:11"),
        // A probe had no stack.
        (&[], "9", "A.outer:9–11"),
    ] {
        let want =
            format!("⇠ A.outer()\n  {ran}\n  ✗ exception at {named}, leaves the app's code\n");
        assert_eq!(thrown(throwing), want, "{throwing:?}");
    }
}

#[test]
fn code_before_the_first_line_entry_has_an_address_only() {
    let lines = [(3, CodeOrigin::Line(10)), (6, CodeOrigin::Line(11))];
    let thrown = |throwing: &[u32]| {
        shown(&map_that_throws(&lines, throwing), |path| {
            path.block(BlockNo(0));
            path.unwound(1, &[BlockNo(0)]);
        })
    };
    let out = thrown(&[1, 4]);
    assert_eq!(
        out,
        "⇠ A.outer()\n  ✗ exception at A.outer @0, A.outer:10, leaves the app's code\n"
    );
    let out = thrown(&[4]);
    assert_eq!(out, "⇠ A.outer()\n  10\n  ✗ exception at A.outer:10, leaves the app's code\n");
}

/// A callback comes out of what can throw; it may have ended the call at address 4 without a trace.
#[test]
fn a_callback_came_at_the_first_line_that_can_throw_or_later() {
    check_throwing(
        &map_that_throws(&[], &[4, 7]),
        |path| {
            path.block(BlockNo(0));
            path.enter(CALLEE, Via::Callback);
            path.block(BlockNo(2));
            path.leave();
            path.unwound(1, &[BlockNo(0)]);
        },
        "
⇠ A.outer()
  9 10
  ⤷ B.inlined()
    30
    ⇠ C.callee()
      50
    ✗ exception at B.kt:30 in B.inlined (Npe: A.kt:10), A.outer:11, leaves the app's code
",
    );
}

/// The end of a log is no exception: the process was killed anywhere.
#[test]
fn lines_that_cannot_throw_are_not_claimed_where_the_log_ends() {
    check_throwing(
        &map_that_throws(&NINE_TO_ELEVEN, &[5]),
        |path| {
            path.block(BlockNo(0));
            path.note(Note::Ended(Ended::Cut));
        },
        "
⇠ A.outer()
  9
  ■ the log ends here
",
    );
}

#[test]
fn a_block_without_lines_is_named_beside_one_with_lines() {
    let mut map = map();
    map.methods[0].blocks[1].lines.clear();
    let out = shown(&map, |path| {
        path.block(BlockNo(0));
        path.unwound(1, &[BlockNo(0), BlockNo(1)]);
    });
    assert!(out.contains("A.outer:11, A.outer @0, leaves the app's code"), "{out}");
}

#[test]
fn an_outline_is_shown_where_it_is_called() {
    check(
        |path| {
            path.block(BlockNo(1));
            path.enter(OUTLINE, Via::Call);
            path.block(BlockNo(3));
            path.leave();
            path.leave();
        },
        "
⇠ A.outer()
  19 20 21
  ⤷ B.inlined()
    31
",
    );
}

#[test]
fn a_moved_check_names_the_line_of_its_caller() {
    let mut map = map();
    map.methods[0].blocks[0].lines.remove(0);
    let out = shown(&map, |path| {
        path.block(BlockNo(0));
        path.unwound(1, &[BlockNo(0)]);
    });
    assert!(
        out.contains("✗ exception at B.kt:30 in B.inlined (Npe: A.kt:10), A.outer:11, leaves"),
        "{out}"
    );
}
