//! Files made of frames that are written down by hand, read back by small readers of their own.

use decoder::log::{Process, ThreadLog};
use decoder::replay::{BlockNo, PathSink, Program, Via};
use decoder::session::{Note, ThreadSink};
use model::map::*;
use model::trace::Refused;
use serde_json::Value;

use super::folded::Room;
use super::*;

#[path = "tests_perfetto.rs"]
mod in_perfetto;

/// Methods `LA;` with these names and a block each.
fn map(methods: &[&str]) -> Map {
    let block = Block {
        pc: 0,
        end: 1,
        lines: vec![],
        calls: vec![],
        throws: true,
        mark: false,
        terminator: Terminator::Return,
    };
    let method = |name| Method {
        class: NameId(0),
        name: NameId(name),
        descriptor: NameId(1),
        source_file: None,
        guarded: true,
        blocks: vec![block.clone()],
        regions: vec![],
        loops: vec![],
        fingerprint: 0,
    };
    Map {
        build: BuildId::default(),
        origin: [0; 32],
        codec: Codec::Arith,
        id_bits: 8,
        package: String::new(),
        names: ["LA;", "()V"].iter().chain(methods).map(|n| n.to_string()).collect(),
        methods: (2..).take(methods.len()).map(method).collect(),
        handlers: vec![],
        slots: vec![],
        next_callbacks: vec![],
        skipped: vec![],
    }
}

fn process(name: &str) -> Process {
    Process {
        build_id: BuildId::default(),
        pid: 7,
        name: name.into(),
        start_ms: 1000,
        sources: vec![],
        refused: Refused::default(),
        threads: vec![],
    }
}

fn thread(number: u32, name: &str) -> ThreadLog {
    ThreadLog { number, name: Some(name.into()), late: false, segments: vec![], gaps: vec![] }
}

/// The file that a sink writes of one thread's events.
fn written<'a, S: FrameSink + 'a>(sink: S, path: impl FnOnce(&mut Traces<'a>)) -> Totals {
    let mut traces = Traces::new(vec![Box::new(sink)]);
    let process = process("org.example");
    traces.process(&process);
    traces.thread(&process, &thread(1, "main"));
    path(&mut traces);
    traces.finish().unwrap().0
}

const A: MethodId = MethodId(1);
const B: MethodId = MethodId(2);
const C: MethodId = MethodId(3);

fn folded(names: &[&str], room: Room, path: impl FnOnce(&mut Traces<'_>)) -> String {
    let map = map(names);
    let program = Program::new(&map);
    let mut out = Vec::new();
    written(Folded::with_room(Names(&program), &mut out, room), path);
    String::from_utf8(out).unwrap()
}

const PLENTY: Room = Room { nodes: 1000, depth: 100, bytes: 1 << 20 };

fn speedscope(limit: u64, path: impl FnOnce(&mut Traces<'_>)) -> Value {
    let map = map(&["a", "b", "c"]);
    let program = Program::new(&map);
    let mut out = Vec::new();
    written(Speedscope::with_limit(Names(&program), &mut out, limit), path);
    serde_json::from_slice(&out).unwrap()
}

/// Events of a profile as `Oname@at`.
fn events(file: &Value, profile: usize) -> Vec<String> {
    let name = |e: &Value| {
        let frame = e["frame"].as_u64().unwrap() as usize;
        file["shared"]["frames"][frame]["name"].as_str().unwrap().to_owned()
    };
    let event = |e: &Value| format!("{}{}@{}", e["type"].as_str().unwrap(), name(e), e["at"]);
    file["profiles"][profile]["events"].as_array().unwrap().iter().map(event).collect()
}

/// `a` calls `b`, which calls `c`; an exception of `c` arrives in `a`.
fn thrown(path: &mut Traces<'_>) {
    path.enter(A, Via::TopLevel(5));
    path.block(BlockNo(0));
    path.enter(B, Via::Call);
    path.block(BlockNo(1));
    path.enter(C, Via::Call);
    path.block(BlockNo(2));
    path.caught(2, HandlerId(0), BlockNo(0), &[BlockNo(2)]);
    path.leave();
}

#[test]
fn steps_belong_to_the_stack_that_ran_them() {
    let text = folded(&["a", "b", "c"], PLENTY, |path| {
        thrown(path);
        thrown(path);
    });
    let lines =
        ["org.example;main;A.a 4", "org.example;main;A.a;A.b 2", "org.example;main;A.a;A.b;A.c 2"];
    assert_eq!(text.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn rounds_of_a_loop_are_counted_at_once() {
    let text = folded(&["a"], PLENTY, |path| {
        path.enter(A, Via::TopLevel(0));
        path.rounds(BlockNo(0), 0, &[BlockNo(0), BlockNo(0)], u32::MAX);
        path.leave();
    });
    assert_eq!(text, format!("org.example;main;A.a {}\n", 2 * u64::from(u32::MAX)));
}

#[test]
fn names_cannot_break_folded_lines() {
    let text = folded(&["a;b c\nd\u{1b} 9"], PLENTY, |path| {
        path.enter(A, Via::TopLevel(0));
        path.block(BlockNo(0));
        path.leave();
    });
    assert_eq!(text, "org.example;main;A.a\\u003bb c\\nd\\u001b 9 1\n");
}

#[test]
fn threads_of_one_name_are_one_root() {
    let map = map(&["a"]);
    let program = Program::new(&map);
    let mut out = Vec::new();
    let mut traces = Traces::new(vec![Box::new(Folded::new(Names(&program), &mut out))]);
    for number in 1..=2 {
        traces.thread(&process("p"), &thread(number, "pool"));
        traces.enter(A, Via::TopLevel(0));
        traces.block(BlockNo(0));
    }
    assert_eq!(traces.finish().unwrap().0.threads, 2);
    assert_eq!(String::from_utf8(out).unwrap(), "p;pool;A.a 2\n");
}

#[test]
fn a_tree_without_room_counts_the_rest_as_other() {
    let recursion = |path: &mut Traces<'_>| {
        for _ in 0..1000 {
            path.enter(A, Via::Call);
            path.block(BlockNo(0));
        }
    };
    let deep = folded(&["a"], Room { depth: 3, ..PLENTY }, recursion);
    assert_eq!(deep.lines().last(), Some("org.example;main;A.a;A.a;(other) 998"));
    let full = folded(&["a"], Room { nodes: 3, ..PLENTY }, recursion);
    assert_eq!(full.lines().last(), Some("org.example;main;A.a;(other) 999"));
    let long = folded(&["a"], Room { bytes: 10_000, ..PLENTY }, recursion);
    let steps = long.lines().map(|l| l.rsplit(' ').next().unwrap().parse::<u32>().unwrap());
    assert_eq!(steps.sum::<u32>(), 1000);
    assert!(long.len() < 10_500 && long.contains("(other)"), "{} bytes", long.len());
}

#[test]
fn speedscope_closes_what_an_exception_ends() {
    let file = speedscope(CALLS_LIMIT, thrown);
    let all = ["OA.a@0", "OA.b@1", "OA.c@2", "CA.c@3", "CA.b@3", "CA.a@4"];
    assert_eq!(events(&file, 0), all);
    assert_eq!(file["profiles"][0]["endValue"], 4);
    assert_eq!(file["profiles"][0]["unit"], "none");
}

#[test]
fn speedscope_closes_what_the_log_leaves_open() {
    let file = speedscope(CALLS_LIMIT, |path| {
        path.enter(A, Via::TopLevel(5));
        path.block(BlockNo(0));
        path.note(Note::Resumed { time_ms: 9 });
        path.enter(B, Via::TopLevel(5));
    });
    assert_eq!(events(&file, 0), ["OA.a@0", "CA.a@1", "OA.b@1", "CA.b@1"]);
}

#[test]
fn threads_without_events_have_no_profile() {
    let map = map(&["a"]);
    let program = Program::new(&map);
    let mut out = Vec::new();
    let mut traces = Traces::new(vec![Box::new(Speedscope::new(Names(&program), &mut out))]);
    for number in 1..=4 {
        traces.thread(&process("p"), &thread(number, "\u{1b}\"t"));
        if number % 2 == 0 {
            traces.enter(A, Via::TopLevel(0));
        }
    }
    traces.finish().unwrap();
    let file: Value = serde_json::from_slice(&out).unwrap();
    let profiles = file["profiles"].as_array().unwrap();
    let names: Vec<_> = profiles.iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["\u{1b}\"t (thread 2), p (pid 7)", "\u{1b}\"t (thread 4), p (pid 7)"]);
    assert!(!out.contains(&0x1b));
}

#[test]
fn a_full_file_shows_only_top_level_callbacks() {
    let file = speedscope(0, |path| {
        thrown(path);
        thrown(path);
    });
    assert_eq!(events(&file, 0), ["OA.a@0", "CA.a@4", "OA.a@4", "CA.a@8"]);
}
