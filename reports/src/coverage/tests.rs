//! Coverage of paths that are written down by hand.

use decoder::replay::{BlockNo, Decision, PathSink, Via};
use model::map::*;

use super::*;
use crate::tests::{CALLEE, OUTER, map};

/// The tracefile of a path of one thread.
fn lcov(map: &Map, path: impl FnOnce(&mut Counts<'_, '_>)) -> String {
    let program = Program::new(map);
    let mut counts = Counts::new(&program);
    path(&mut counts);
    counts.thread_ends(&Default::default());
    let mut out = Vec::new();
    Coverage::of(&program, &counts, None).write_lcov(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// `outer` calls `callee` in its inlined code.
fn call(path: &mut Counts<'_, '_>) {
    path.enter(OUTER, Via::TopLevel(0));
    path.block(BlockNo(0));
    path.enter(CALLEE, Via::Call);
    path.block(BlockNo(2));
}

#[test]
fn behind_the_call_that_an_exception_left_no_line_counts() {
    let all = lcov(&map(), |path| {
        for _ in 0..2 {
            call(path);
            path.leave();
            path.leave();
        }
        call(path);
        path.unwound(2, &[BlockNo(2)]);
    });
    // The call is at address 4, line 11 begins at 6. Line 10, and line 30 which is inlined there,
    // name their files.
    let want = "\
TN:
SF:A
FN:9,A.outer()V
FNDA:3,A.outer()V
FNF:1
FNH:1
BRF:0
BRH:0
DA:9,3
DA:11,2
DA:19,0
LF:3
LH:2
end_of_record
TN:
SF:A.kt
FN:10,A.outer()V
FNDA:3,A.outer()V
FNF:1
FNH:1
BRF:0
BRH:0
DA:10,3
LF:1
LH:1
end_of_record
TN:
SF:B.kt
FN:30,B.inlined()V
FNDA:3,B.inlined()V
FNF:1
FNH:1
BRF:0
BRH:0
DA:30,3
LF:1
LH:1
end_of_record
TN:
SF:C
FN:50,C.callee()V
FNDA:3,C.callee()V
FNF:1
FNH:1
BRF:0
BRH:0
DA:50,3
LF:1
LH:1
end_of_record
";
    assert_eq!(all, want);
}

#[test]
fn ways_are_counted_and_those_that_nobody_decided_have_no_count() {
    let mut map = map();
    let alternatives = vec![(BlockId(0), 1 << 15), (BlockId(1), (1 << 15) - 1)];
    let identity = BranchIdentity { fingerprint: 0 };
    for block in &mut map.methods[0].blocks {
        block.terminator = Terminator::Branch { alternatives: alternatives.clone(), identity };
    }
    let all = lcov(&map, |path| {
        path.enter(OUTER, Via::TopLevel(0));
        path.block(BlockNo(0));
        path.rounds(BlockNo(0), 0, &[BlockNo(0)], 1_000_000_000);
        path.decision(Decision::Branch(BlockNo(0)), 0);
        path.block(BlockNo(0));
        path.leave();
    });
    // The first block ends at line 11, the second one at line 19.
    let record = all.split("end_of_record").next().unwrap();
    let told: Vec<_> = record.lines().filter(|l| l.starts_with("BR")).collect();
    let ways = ["BRDA:11,0,0,1000000001", "BRDA:11,0,1,0", "BRDA:19,0,0,-", "BRDA:19,0,1,-"];
    assert_eq!(told, [&ways[..], &["BRF:4", "BRH:1"]].concat());
    assert!(record.contains("\nDA:9,1000000002\n"), "{record}");
}

#[test]
fn what_the_compiler_made_is_left_out_and_code_inlined_into_it_is_not() {
    let mut map = map();
    map.methods[0].kind = MethodKind::Synthesized;
    map.names[2] = "LC$$ExternalSyntheticLambda0;".into();
    let all = lcov(&map, call);
    let files: Vec<_> = all.lines().filter(|l| l.starts_with("SF:")).collect();
    assert_eq!(files, ["SF:A.kt", "SF:B.kt"]);
}

#[test]
fn names_neither_end_a_line_nor_a_field() {
    let mut map = map();
    for name in ["LA;", "outer", "A.kt"] {
        let at = map.names.iter().position(|n| n == name).unwrap();
        map.names[at] = name.replace(['A', 'u'], "x,1\nSF:y\u{1b}");
    }
    let all = lcov(&map, call);
    assert_eq!(all.lines().filter(|l| l.starts_with("SF:")).count(), 4);
    assert!(all.lines().filter(|l| l.starts_with("FN")).all(|l| l.matches(',').count() <= 1));
    assert!(!all.contains('\u{1b}'));
}
