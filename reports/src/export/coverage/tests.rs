//! Coverage of hand-written paths.

use decoder::replay::{BlockNo, Decision, LoopRounds, PathSink, Program, SendEvents, Via};
use model::map::*;

use super::{COBERTURA_HEAD, Coverage, CoverageOrigin, JACOCO_HEAD, Root, Session};
use crate::base::counts::Counts;
use crate::tests::{CALLEE, OUTER, map};

/// Returns a session of this process, without sources.
fn origin(pid: u32) -> CoverageOrigin<'static> {
    let session = Session { start_ms: 1_000 * u64::from(pid), pid, name: "org.example".into() };
    CoverageOrigin { sessions: vec![session], sources: None, root: Root::of("/".as_ref()) }
}

/// Returns the coverage of a path of one thread: lcov, JaCoCo, Cobertura.
fn written(map: &Map, path: impl FnOnce(&mut Counts<'_, '_>)) -> [String; 3] {
    let program = Program::new(map);
    let mut counts = Counts::new(&program);
    path(&mut counts);
    counts.thread_ends(&Default::default());
    let coverage = Coverage::of(&program, &counts, origin(7));
    let mut out = [Vec::new(), Vec::new(), Vec::new()];
    coverage.write_lcov(&mut out[0]).unwrap();
    coverage.write_jacoco(&mut out[1]).unwrap();
    coverage.write_cobertura(&mut out[2], 7).unwrap();
    out.map(|bytes| String::from_utf8(bytes).unwrap())
}

/// Returns the coverage of two builds as one, as lcov: each build has its own path.
fn lcov_of_both(
    maps: [&Map; 2],
    one: impl FnOnce(&mut Counts<'_, '_>),
    other: impl FnOnce(&mut Counts<'_, '_>),
) -> String {
    let programs = maps.map(Program::new);
    let mut counts = [Counts::new(&programs[0]), Counts::new(&programs[1])];
    one(&mut counts[0]);
    other(&mut counts[1]);
    counts.iter_mut().for_each(|counts| counts.thread_ends(&Default::default()));
    let mut both = Coverage::of(&programs[0], &counts[0], origin(7));
    both.merge(Coverage::of(&programs[1], &counts[1], origin(8)));
    let mut out = Vec::new();
    both.write_lcov(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn two_builds_tell_what_one_would_of_both_sessions() {
    let once = |path: &mut Counts<'_, '_>| {
        call(path);
        path.leave();
        path.leave();
    };
    let thrown = |path: &mut Counts<'_, '_>| {
        call(path);
        path.unwound(2, &[BlockNo(2)]);
    };
    let (map, same) = (map(), map());
    let together = lcov(&map, |path| {
        once(path);
        thrown(path);
    });
    assert_eq!(lcov_of_both([&map, &same], once, thrown), together);
    assert_eq!(lcov_of_both([&map, &same], thrown, once), together);
}

fn lcov(map: &Map, path: impl FnOnce(&mut Counts<'_, '_>)) -> String {
    let [lcov, _, _] = written(map, path);
    lcov
}

/// Lets `outer` call `callee` in its inlined code.
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
        path.rounds(LoopRounds {
            branch: BlockNo(0),
            stay: 0,
            cycle: &[BlockNo(0)],
            times: 1_000_000_000,
        });
        path.decision(Decision::Branch(BlockNo(0)), 0);
        path.block(BlockNo(0));
        path.leave();
    });
    // The first block ends at line 11, the second one at line 19.
    let record = all.split("end_of_record").next().unwrap();
    let branches: Vec<_> = record.lines().filter(|l| l.starts_with("BR")).collect();
    let ways = ["BRDA:11,0,0,1000000001", "BRDA:11,0,1,0", "BRDA:19,0,0,-", "BRDA:19,0,1,-"];
    assert_eq!(branches, [&ways[..], &["BRF:4", "BRH:1"]].concat());
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
fn what_the_compiler_added_beside_the_source_is_left_out() {
    let mut map = map();
    assert!(lcov(&map, call).contains("\nDA:50,1\n"));
    map.methods[1].kind = MethodKind::Added;
    assert!(!lcov(&map, call).contains("\nDA:50,"));
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

/// Runs `outer`, with two alternatives at the end of its blocks, once; `callee` leaves it.
fn branching() -> [String; 3] {
    let mut map = map();
    let alternatives = vec![(BlockId(0), 1 << 15), (BlockId(1), (1 << 15) - 1)];
    let identity = BranchIdentity { fingerprint: 0 };
    map.methods[0].blocks[0].terminator = Terminator::Branch { alternatives, identity };
    map.package = "org.example & Co".into();
    map.skipped = vec![Skipped { method: "LD;->big--one()V".into(), reason: "too < large".into() }];
    written(&map, |path| {
        call(path);
        path.leave();
        path.decision(Decision::Branch(BlockNo(0)), 1);
        path.block(BlockNo(1));
        path.leave();
    })
}

#[test]
fn jacoco_counts_units_ways_and_paths() {
    let [_, jacoco, _] = branching();
    assert!(jacoco.starts_with(JACOCO_HEAD));
    // Line 9 has 2 code units, line 11 has 3, the second block 9, and all of them ran.
    let class = "<class name=\"A\" sourcefilename=\"A\">
   <method name=\"outer\" desc=\"()V\" line=\"9\">
    <counter type=\"INSTRUCTION\" missed=\"0\" covered=\"14\"/>
    <counter type=\"BRANCH\" missed=\"1\" covered=\"1\"/>
    <counter type=\"LINE\" missed=\"0\" covered=\"3\"/>
    <counter type=\"COMPLEXITY\" missed=\"1\" covered=\"1\"/>
    <counter type=\"METHOD\" missed=\"0\" covered=\"1\"/>
   </method>";
    assert!(jacoco.contains(class), "{jacoco}");
    let file = "<sourcefile name=\"A\">
   <line nr=\"9\" mi=\"0\" ci=\"2\" mb=\"0\" cb=\"0\"/>
   <line nr=\"11\" mi=\"0\" ci=\"3\" mb=\"1\" cb=\"1\"/>
   <line nr=\"19\" mi=\"0\" ci=\"9\" mb=\"0\" cb=\"0\"/>";
    assert!(jacoco.contains(file), "{jacoco}");
    assert!(jacoco.contains("<report name=\"org.example &amp; Co\">"), "{jacoco}");
}

#[test]
fn cobertura_has_the_conditions_of_lines() {
    let [_, _, cobertura] = branching();
    assert!(cobertura.starts_with(COBERTURA_HEAD));
    let line = "<line number=\"11\" hits=\"1\" branch=\"true\" condition-coverage=\"50% (1/2)\">";
    // Once in the method, once in the class.
    assert_eq!(cobertura.matches(line).count(), 2, "{cobertura}");
    let condition = "<condition number=\"0\" type=\"jump\" coverage=\"50%\"/>";
    assert_eq!(cobertura.matches(condition).count(), 2, "{cobertura}");
}

/// Returns a map of one source file of one class: methods with their lines, and true if a branch
/// ends them. Each method is one block.
fn file_of(methods: &[(&str, &[u32], bool)]) -> Map {
    let mut map = map();
    let model = map.methods[1].clone();
    map.methods.clear();
    map.places = SourcePositions::default();
    for (name, lines, branches) in methods {
        map.names.push((*name).into());
        let mut method = model.clone();
        (method.class, method.name) = (NameId(0), NameId(map.names.len() as u32 - 1));
        let block = &mut method.blocks[0];
        block.lines = (0..).zip(*lines).map(|(pc, &line)| (pc, CodeOrigin::Line(line))).collect();
        if *branches {
            let alternatives = vec![(BlockId(0), 1 << 15), (BlockId(0), (1 << 15) - 1)];
            let identity = BranchIdentity { fingerprint: 0 };
            block.terminator = Terminator::Branch { alternatives, identity };
        }
        map.methods.push(method);
    }
    map
}

/// Calls these methods of [`file_of`], each of which runs its block.
fn called(which: &[u32]) -> impl FnOnce(&mut Counts<'_, '_>) {
    move |path| {
        for &number in which {
            path.enter(MethodId(number + 1), Via::TopLevel(0));
            path.block(BlockNo(number));
            path.leave();
        }
    }
}

/// Returns the lines at which an lcov file lists methods.
fn listed(lcov: &str) -> Vec<&str> {
    lcov.lines().filter_map(|l| l.strip_prefix("FN:")?.strip_suffix("()V")).collect()
}

#[test]
fn a_method_that_ran_is_listed_at_its_first_line_that_did() {
    let map = file_of(&[("f", &[3, 8], false), ("g", &[5], false)]);
    assert_eq!(listed(&lcov(&map, called(&[0, 1]))), ["3,A.f", "5,A.g"]);
}

/// lcov lets the second method go on to line 8, which ran.
#[test]
fn a_method_inside_of_lines_that_ran_is_listed_with_those_around_it() {
    let map = file_of(&[("init", &[3, 8], false), ("never", &[5], false), ("f", &[11], false)]);
    assert_eq!(listed(&lcov(&map, called(&[0, 2]))), ["3,A.init", "3,A.never", "11,A.f"]);
}

/// Line 9 ran, so `second` moves; then nothing ends `first` before line 9.
#[test]
fn methods_that_end_each_other_move_together() {
    let methods: [(&str, &[u32], bool); 4] = [
        ("init", &[3, 9], false),
        ("first", &[5], false),
        ("second", &[7], false),
        ("f", &[11], false),
    ];
    let text = lcov(&file_of(&methods), called(&[0, 3]));
    assert_eq!(listed(&text), ["3,A.init", "3,A.first", "3,A.second", "11,A.f"]);
}

/// lcov does not let a lambda end the method before it.
#[test]
fn a_lambda_ends_no_method() {
    let methods: [(&str, &[u32], bool); 4] = [
        ("init", &[3, 9], false),
        ("never", &[5], false),
        ("lambda$f$0", &[7], false),
        ("f", &[11], false),
    ];
    let text = lcov(&file_of(&methods), called(&[0, 2, 3]));
    assert_eq!(listed(&text), ["3,A.init", "3,A.never", "7,A.lambda$f$0", "11,A.f"]);
}

#[test]
fn a_method_that_did_not_run_on_a_line_that_did_is_listed_there() {
    let map = file_of(&[("f", &[3, 5], false), ("lambda$f$0", &[5], true)]);
    let text = lcov(&map, called(&[0]));
    assert_eq!(listed(&text), ["3,A.f", "3,A.lambda$f$0"]);
    // Its branch is on a line that ran, and was never decided.
    assert!(text.contains("\nBRF:0\nBRH:0\n") && !text.contains("BRDA:"), "{text}");
}

#[test]
fn branches_that_lcov_refuses_are_in_the_other_formats_and_counted() {
    let map = file_of(&[("f", &[3], true)]);
    let program = Program::new(&map);
    let mut counts = Counts::new(&program);
    called(&[0])(&mut counts);
    let coverage = Coverage::of(&program, &counts, origin(7));
    assert_eq!(coverage.without_lcov(), 2);
    let [_, jacoco, cobertura] = written(&map, called(&[0]));
    assert!(jacoco.contains("<line nr=\"3\" mi=\"0\" ci=\"9\" mb=\"2\" cb=\"0\"/>"), "{jacoco}");
    assert!(cobertura.contains("condition-coverage=\"0% (0/2)\""), "{cobertura}");
}

/// JaCoCo counts a method without covered lines as one that did not run.
#[test]
fn a_call_that_ended_before_the_first_line_is_none() {
    let mut map = file_of(&[("f", &[3], false)]);
    map.methods[0].blocks[0].lines[0].0 = 5;
    let [lcov, jacoco, _] = written(&map, |path| {
        path.enter(MethodId(1), Via::TopLevel(0));
        path.block(BlockNo(0));
        path.unwound(1, &[BlockNo(0)]);
    });
    assert!(lcov.contains("FNDA:0,A.f()V\nFNF:1\nFNH:0\n"), "{lcov}");
    assert!(jacoco.contains("<counter type=\"METHOD\" missed=\"1\" covered=\"0\"/>"), "{jacoco}");
}

/// GitLab keeps the last line, other readers the first.
#[test]
fn cobertura_gives_a_line_the_same_hits_wherever_it_stands() {
    let mut map = file_of(&[("f", &[3], false), ("g", &[3], false)]);
    map.methods[1].class = NameId(2);
    map.names[2] = "LA$1;".into();
    let [_, _, cobertura] = written(&map, called(&[0, 0, 1]));
    let line = "<line number=\"3\" hits=\"3\" branch=\"false\"/>";
    // Two methods, two classes.
    assert_eq!(cobertura.matches(line).count(), 4, "{cobertura}");
    assert_eq!(cobertura.matches("<line ").count(), 4, "{cobertura}");
    assert!(cobertura.contains("lines-covered=\"1\" lines-valid=\"1\""), "{cobertura}");
}

/// Tools take the time of the report from the session, and cover2cover fails without it.
#[test]
fn jacoco_names_sessions() {
    let [_, jacoco, _] = branching();
    let session = "<sessioninfo id=\"org.example-7\" start=\"7000\" dump=\"7000\"/>";
    let (before, _) = jacoco.split_once("<package ").unwrap();
    assert!(before.contains(session), "{before}");
}

#[test]
fn what_was_left_alone_is_listed_in_a_comment() {
    let [_, jacoco, cobertura] = branching();
    for xml in [jacoco, cobertura] {
        let (comment, _) = xml.split_once("<!-- ").unwrap().1.split_once("-->").unwrap();
        assert!(!comment.contains('-') && comment.contains("()V: too < large\n"), "{comment}");
    }
}

#[test]
fn all_formats_have_the_same_sums() {
    let [lcov, jacoco, cobertura] = branching();
    let sum = |field: &str| -> u64 {
        let lines = lcov.lines().filter_map(|l| l.strip_prefix(field)?.strip_prefix(':'));
        lines.map(|n| n.parse::<u64>().unwrap()).sum()
    };
    let report = jacoco.rsplit("</package>").next().unwrap();
    for (kind, all, ran) in
        [("LINE", "LF", "LH"), ("BRANCH", "BRF", "BRH"), ("METHOD", "FNF", "FNH")]
    {
        let (all, ran) = (sum(all), sum(ran));
        let row = format!("type=\"{kind}\" missed=\"{}\" covered=\"{ran}\"", all - ran);
        assert!(report.contains(&row), "{row}: {report}");
    }
    let (lines, branches) = (sum("LF"), sum("BRF"));
    assert!(cobertura.contains(&format!("lines-valid=\"{lines}\"")), "{cobertura}");
    assert!(cobertura.contains(&format!("branches-valid=\"{branches}\"")), "{cobertura}");
    assert_eq!((lines, branches), (6, 2));
}
