//! Folding and omission of rows, on hand-written paths.

use decoder::crew::Cores;
use decoder::log::ThreadLog;
use decoder::replay::{BlockNo, LoopRounds, PathSink, Program, SendEvents, Via};
use model::map::{Map, NameId, OriginId, OriginKind, OriginRange};

use super::{TextOptions, TextPaths};
use crate::base::filter::{Filter, Filtered};
use crate::tests::{CALLEE, OUTER, check, map, process, shown};

/// `C.callee`, line 50.
fn callee<W: std::io::Write>(text: &mut TextPaths<'_, '_, W>) {
    text.enter(CALLEE, Via::Call);
    text.block(BlockNo(2));
    text.leave();
}

#[test]
fn calls_in_a_loop_are_folded() {
    check(
        |path| {
            (0..300).for_each(|_| callee(path));
            for _ in 0..20 {
                path.block(BlockNo(1));
                callee(path);
            }
            path.leave();
        },
        "
⇠ A.outer()
  C.callee() × 300
    50
  20 times:
    19
    C.callee()
      50
",
    );
}

/// Block 1 is line 19 alone, so each round is that line once more.
#[test]
fn a_loop_within_one_line_is_counted() {
    check(
        |path| {
            path.block(BlockNo(1));
            path.rounds(LoopRounds {
                branch: BlockNo(1),
                stay: 0,
                cycle: &[BlockNo(1)],
                times: 4_000_000_000,
            });
            path.block(BlockNo(1));
            path.leave();
        },
        "
⇠ A.outer()
  19 × 4,000,000,002
",
    );
}

/// As the rounds of a loop that the log does not count.
#[test]
fn counted_rounds_stand_one_by_one_on_request() {
    let map = map();
    let program = Program::new(&map);
    let mut out = Vec::new();
    let options = TextOptions { unfolded: true, ..TextOptions::default() };
    let mut text = TextPaths::with(&program, &mut out, &process(&map), options);
    text.enter(OUTER, Via::Callback);
    text.block(BlockNo(1));
    text.rounds(LoopRounds { branch: BlockNo(1), stay: 0, cycle: &[BlockNo(1)], times: 14 });
    text.finish().unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.split_whitespace().filter(|word| *word == "19").count(), 15, "{text}");
    assert!(!text.contains('×'), "{text}");
}

#[test]
fn few_rounds_and_many_are_shown_alike() {
    let cases = [(1, "2"), (2, "3"), (3, "4"), (4, "5"), (5, "6"), (256, "257"), (1000, "1,001")];
    for (times, shown) in cases {
        let want = format!("⇠ A.outer()\n  19 × {shown}");
        check(
            |path| {
                path.block(BlockNo(1));
                path.rounds(LoopRounds {
                    branch: BlockNo(1),
                    stay: 0,
                    cycle: &[BlockNo(1)],
                    times,
                });
            },
            &want,
        );
    }
}

/// Calls that never return, nested deeper than a thread's stack could follow.
#[test]
fn deep_recursion_is_written() {
    let text = shown(&map(), |path| {
        for _ in 0..300_000 {
            path.enter(OUTER, Via::Call);
            path.block(BlockNo(1));
        }
        (0..300_000).for_each(|_| path.leave());
    });
    let rows = text.lines().count();
    // The callback, the first 60 and the last 40 rows, 12 calls around these, and what lies
    // between.
    assert_eq!(rows, 60 + 1 + 12 + 40);
    let left = text.lines().find(|l| l.contains("not shown")).unwrap();
    assert!(left.contains("… 599,901 rows are not shown, 299,950 of them calls …"), "{left}");
}

/// Rows of a path without repetitions: three for each `i` that has another number of calls.
#[test]
fn a_long_callback_shows_its_beginning_and_its_end() {
    let text = shown(&map(), |path| {
        for i in 1..100 {
            path.block(BlockNo(1));
            path.enter(OUTER, Via::Call);
            path.rounds(LoopRounds { branch: BlockNo(1), stay: 0, cycle: &[BlockNo(1)], times: i });
            path.leave();
        }
    });
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[3].ends_with("19") && rows[2].ends_with("A.outer()"), "{text}");
    assert!(rows.last().unwrap().ends_with("19 × 99"), "{text}");
    let left = rows.iter().position(|r| r.contains("rows are not shown")).unwrap();
    assert_eq!(left, 60, "{text}");
}

#[test]
fn a_doubt_is_shown_also_where_calls_are_not() {
    let filter = Filter { depth: Some(1), callbacks: vec![2..=2], ..Filter::default() };
    let map = map();
    let program = Program::new(&map);
    let mut out = Vec::new();
    let text = TextPaths::new(&program, &mut out, &process(&map));
    let thread = ThreadLog {
        number: 1,
        name: None,
        tid: 0,
        late: false,
        table: None,
        segments: vec![],
        gaps: vec![],
    };
    let mut paths = Filtered::new(text, &filter, &Cores::new(1), &program, &thread);
    for _ in 1..=3 {
        paths.enter(OUTER, Via::TopLevel(1));
        paths.enter(CALLEE, Via::Call);
        paths.doubtful(CALLEE, 2);
        paths.leave();
        paths.leave();
    }
    paths.into_inner().finish().unwrap();
    let text = String::from_utf8(out).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert!(rows[0].starts_with("#2 [0.002 s, "), "{text}");
    assert!(rows[1].starts_with("  ? C.callee()V may have ended earlier"), "{text}");
}

/// A map with the ids 7 (`save`) and 8, and positions.
fn map_with_origins() -> Map {
    let mut map = map();
    map.names.push("save".into());
    let name = NameId(map.names.len() as u32 - 1);
    let range = |kind, names| OriginRange { kind, first: 7, count: 2, names };
    map.origins = vec![
        range(OriginKind::Id, vec![Some(name), None]),
        range(OriginKind::Position, Vec::new()),
    ];
    map
}

#[test]
fn a_callback_shows_its_origins_in_place_of_its_parameters() {
    let map = map_with_origins();
    let program = Program::new(&map);
    let mut out = Vec::new();
    let mut text = TextPaths::new(&program, &mut out, &process(&map));
    for origins in [&[0, 3][..], &[1], &[]] {
        text.enter(OUTER, Via::TopLevel(0));
        text.block(BlockNo(1));
        origins.iter().for_each(|&origin| text.origin(OriginId(origin)));
        callee(&mut text);
        text.leave();
    }
    text.finish().unwrap();
    let text = String::from_utf8(out).unwrap();
    let headings: Vec<&str> =
        text.lines().filter_map(|l| Some(l.split_once("A.outer")?.1)).collect();
    assert_eq!(headings, ["(#save, position 8)", "(#8)", "()"], "{text}");
}
