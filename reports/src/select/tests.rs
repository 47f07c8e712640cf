//! Selection of hand-written sessions, compared with the paths that were written.

use decoder::replay::{BlockNo, Decision, PathSink, Program, SendEvents, Via};
use model::map::{BlockId, HandlerId, Map};

use super::lines::tests::method;
use super::*;

/// Two diamonds, the second one in a loop, a line for each block: 0 → 1|2 → 3 → 4|5 → 6 → 3|7.
/// Block 8 is a handler, and leads to 7.
fn map() -> Map {
    method(&[
        (&[10], &[1, 2]),
        (&[11], &[3]),
        (&[12], &[3]),
        (&[13], &[4, 5]),
        (&[14], &[6]),
        (&[15], &[6]),
        (&[16], &[3, 7]),
        (&[17], &[]),
        (&[18], &[7]),
    ])
}

/// Runs an activation over these blocks that returns.
fn run(map: &Map, program: &Program<'_>, blocks: &[u32], sink: &mut impl PathSink) {
    sink.enter(MethodId(1), Via::TopLevel(0));
    go(map, program, blocks, sink);
    sink.leave();
}

fn go(map: &Map, program: &Program<'_>, blocks: &[u32], sink: &mut impl PathSink) {
    for (i, &block) in blocks.iter().enumerate() {
        sink.block(BlockNo(block));
        let to = blocks.get(i + 1).map(|&to| BlockId(to));
        let (_, at) = program.locate(BlockNo(block));
        if let model::map::Terminator::Branch { alternatives, .. } =
            &map.methods[0].blocks[at].terminator
            && let Some(way) = alternatives.iter().position(|(block, _)| Some(*block) == to)
        {
            sink.decision(Decision::Branch(BlockNo(block)), way);
        }
    }
}

/// Six activations: A three times, B twice, C once.
const A: [u32; 6] = [0, 1, 3, 4, 6, 7];
const B: [u32; 6] = [0, 2, 3, 5, 6, 7];
const C: [u32; 12] = [0, 1, 3, 4, 6, 3, 4, 6, 3, 5, 6, 7];

fn session<S: PathSink>(map: &Map, program: &Program<'_>, sink: &mut S) {
    for blocks in [&A[..], &B, &A, &C, &B, &A] {
        run(map, program, blocks, sink);
    }
}

/// Returns blocks (plus 100 after a handler's `!`) and their counts, in the order of selection.
fn chosen(
    map: &Map,
    choice: &Choice,
    found: &PathFindings,
    kind: PathKind,
) -> Vec<(Vec<u32>, u64)> {
    let step = |step: &StepAt| {
        let (pc, caught) = step.parts().expect("a step");
        pc / 10 + if caught { 100 } else { 0 }
    };
    let paths = choice.of(map, found, kind);
    paths.iter().map(|p| (p.steps.iter().map(step).collect(), p.seen.unwrap_or(0))).collect()
}

fn choice(top: usize, rare: usize) -> Choice {
    Choice { top, rare, ..Choice::default() }
}

#[test]
fn hot_and_rare_whole_paths_are_those_of_the_session() {
    let map = map();
    let program = Program::new(&map);
    let mut sink = Activations::new(&program);
    session(&map, &program, &mut sink);
    let of = |choice: &Choice| chosen(&map, choice, &sink.found, PathKind::Whole);
    let all = [(A.to_vec(), 3), (B.to_vec(), 2), (C.to_vec(), 1)];
    assert_eq!(of(&choice(1, 0)), all[..1]);
    assert_eq!(of(&choice(9, 0)), all);
    assert_eq!(of(&choice(0, 1)), all[2..]);
    assert_eq!(of(&choice(1, 1)), [all[0].clone(), all[2].clone()]);
    // A path that is both frequent and rare is selected once.
    assert_eq!(of(&choice(2, 2)), all);
    let through = vec![("A.kt".to_owned(), 15)];
    assert_eq!(of(&Choice { through, ..choice(9, 0) }), all[1..]);
    let both = [12, 14].map(|line| ("A.kt".to_owned(), line)).to_vec();
    assert_eq!(of(&Choice { through: both, ..choice(9, 0) }), all);
    assert!(of(&Choice { methods: vec!["B.*".to_owned()], ..choice(9, 9) }).is_empty());
    assert_eq!(of(&Choice { methods: vec!["A.out*".to_owned()], ..choice(9, 0) }), all);
}

#[test]
fn rounds_run_from_a_head_to_the_next_time_there() {
    let map = map();
    let program = Program::new(&map);
    let mut sink = Rounds::new(&program);
    session(&map, &program, &mut sink);
    // C alone goes round, twice: by the first arm both times.
    let of = chosen(&map, &choice(9, 9), &sink.found, PathKind::Piece);
    assert_eq!(of, [(vec![3, 4, 6, 3], 2)]);
}

#[test]
fn pieces_between_lines_and_begins_are_those_of_the_session() {
    let map = map();
    let program = Program::new(&map);
    let line = |line| ("A.kt".to_owned(), line);
    let (from, to) = (line(13), line(16));
    let mut sink = Between::new(&program, Some(&from), Some(&to));
    session(&map, &program, &mut sink);
    // A: one by the first arm; B: one by the second; C: two and one.
    let of = chosen(&map, &choice(9, 0), &sink.found, PathKind::Piece);
    assert_eq!(of, [(vec![3, 4, 6], 5), (vec![3, 5, 6], 3)]);
    let mut sink = Between::new(&program, None, Some(&line(14)));
    session(&map, &program, &mut sink);
    // B never comes to line 14.
    let of = chosen(&map, &choice(9, 0), &sink.found, PathKind::Prefix);
    assert_eq!(of, [(vec![0, 1, 3, 4], 4)]);
    let mut sink = Between::new(&program, None, None);
    session(&map, &program, &mut sink);
    assert_eq!(chosen(&map, &choice(9, 0), &sink.found, PathKind::Prefix), [(vec![0], 6)]);
}

#[test]
fn paths_go_on_in_handlers_where_one_block_can_have_thrown() {
    let map = map();
    let program = Program::new(&map);
    let mut sink = Activations::new(&program);
    let throws = |sink: &mut Activations<'_, '_>, from: &[u32]| {
        sink.enter(MethodId(1), Via::TopLevel(0));
        go(&map, &program, &[0, 1, 3], sink);
        let from: Vec<BlockNo> = from.iter().map(|&b| BlockNo(b)).collect();
        sink.caught(0, HandlerId(0), BlockNo(8), &from);
        sink.block(BlockNo(7));
        sink.leave();
    };
    throws(&mut sink, &[3]);
    throws(&mut sink, &[3]);
    throws(&mut sink, &[1, 3]);
    sink.enter(MethodId(1), Via::TopLevel(0));
    go(&map, &program, &[0, 2], &mut sink);
    sink.unwound(1, &[BlockNo(2)]);
    let of = chosen(&map, &choice(9, 0), &sink.found, PathKind::Whole);
    assert_eq!(of, [(vec![0, 1, 3, 108, 7], 2)]);
    assert_eq!((sink.found.unsure, sink.found.cut), (1, 1));
}

/// As `decode` names blocks: a path has the same lines in every output.
#[test]
fn blocks_of_paths_are_named_by_the_lines_at_which_they_begin() {
    let map = method(&[(&[176, 177], &[1]), (&[177], &[2]), (&[177, 179], &[])]);
    let path = [0, 1, 2].map(|block| PathStep::Block(BlockId(block))).to_vec();
    let entries = named(&map, PathKind::Whole, &[(MethodId(1), path)]);
    let program = Program::new(&map);
    let mut json = Vec::new();
    let (process, thread) = (crate::tests::process(&map), crate::export::tests::thread(1, "main"));
    let mut decoded = crate::paths::JsonPaths::new(&program, &mut json, 1, &process, &thread);
    run(&map, &program, &[0, 1, 2], &mut decoded);
    decoded.finish().unwrap();
    let json = String::from_utf8(json).unwrap();
    let lines = json.lines().filter(|l| l.contains("\"e\":\"block\"")).map(|l| {
        let event: serde_json::Value = serde_json::from_str(l).unwrap();
        event["line"].as_u64().map(|line| line as u32)
    });
    assert_eq!(entries[0].lines, lines.collect::<Vec<_>>());
    assert_eq!(entries[0].lines, [Some(176), Some(177), Some(177)]);
}
