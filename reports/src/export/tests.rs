//! Files of hand-written frames, read back by small independent readers.

use decoder::log::{Process, ThreadLog};
use decoder::replay::{BlockNo, LoopRounds, PathSink, Program, SendEvents, Via};
use decoder::session::Note;
use model::map::*;
use model::recording::Recording;
use model::trace::Refused;
use serde_json::Value;

use std::io;

use super::folded::Room;
use super::*;
use crate::frames::*;

#[path = "perfetto_tests.rs"]
mod in_perfetto;

/// Paths into any sink.
type Path<'p, 'm, 'a> = Traces<'p, 'm, Box<dyn FrameSink + 'a>>;

impl FrameSink for Box<dyn FrameSink + '_> {
    fn process(&mut self, process: &Process) {
        (**self).process(process);
    }
    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        (**self).thread(process, thread);
    }
    fn top_level(&mut self, at: WallTime) {
        (**self).top_level(at);
    }
    fn clock(&mut self, us: u64) {
        (**self).clock(us);
    }
    fn open(&mut self, frame: Frame, how: Opened) {
        (**self).open(frame, how);
    }
    fn steps(&mut self, steps: u64) {
        (**self).steps(steps);
    }
    fn close(&mut self, how: Closed) {
        (**self).close(how);
    }
    fn note(&mut self, text: &str) {
        (**self).note(text);
    }
    fn thread_ends(&mut self) {
        (**self).thread_ends();
    }
    fn finish(&mut self) -> io::Result<()> {
        (**self).finish()
    }
}

/// Returns a map with methods of `LA;` with these names and a block each.
pub(crate) fn map(methods: &[&str]) -> Map {
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
        in_app: None,
        kind: MethodKind::Source,
        guarded: true,
        blocks: vec![block.clone()],
        regions: vec![],
        loops: vec![],
        fingerprint: 0,
    };
    Map {
        build: BuildId::default(),
        origin: [0; 32],
        recording: Recording::ARITH,
        id_bits: 8,
        package: String::new(),
        names: ["LA;", "()V"].iter().chain(methods).map(|n| n.to_string()).collect(),
        methods: (2..).take(methods.len()).map(method).collect(),
        handlers: vec![],
        slots: vec![],
        next_callbacks: vec![],
        skipped: vec![],
        places: SourcePositions::default(),
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

pub(crate) fn process(name: &str) -> Process {
    Process {
        build_id: BuildId::default(),
        pid: 7,
        name: name.into(),
        start_ms: 1000,
        clocks: None,
        sources: vec![],
        refused: Refused::default(),
        exit: None,
        threads: vec![],
    }
}

pub(crate) fn thread(number: u32, name: &str) -> ThreadLog {
    ThreadLog {
        number,
        name: Some(name.into()),
        tid: 0,
        late: false,
        table: None,
        segments: vec![],
        gaps: vec![],
    }
}

/// Passes one thread's events to a sink, and returns its remark.
fn written<'a, S: FrameSink + 'a>(
    program: &Program<'_>,
    sink: S,
    path: impl FnOnce(&mut Path<'_, '_, 'a>),
) -> Totals {
    let mut traces = Traces::new(program, Box::new(sink) as Box<dyn FrameSink>);
    let process = process("org.example");
    traces.process(&process);
    traces.thread(&process, &thread(1, "main"));
    path(&mut traces);
    traces.finish().unwrap().0
}

const A: MethodId = MethodId(1);
const B: MethodId = MethodId(2);
const C: MethodId = MethodId(3);

fn folded(names: &[&str], room: Room, path: impl FnOnce(&mut Path<'_, '_, '_>)) -> String {
    let map = map(names);
    let program = Program::new(&map);
    let mut out = Vec::new();
    written(&program, Folded::with_room(FrameNames(&program), &mut out, room), path);
    String::from_utf8(out).unwrap()
}

const PLENTY: Room = Room { nodes: 1000, depth: 100, bytes: 1 << 20 };

fn speedscope(limit: u64, path: impl FnOnce(&mut Path<'_, '_, '_>)) -> Value {
    let map = map(&["a", "b", "c"]);
    let program = Program::new(&map);
    let mut out = Vec::new();
    written(&program, Speedscope::with_limit(FrameNames(&program), &mut out, limit), path);
    serde_json::from_slice(&out).unwrap()
}

/// Returns the events of a profile as `Oname@at`.
fn events(file: &Value, profile: usize) -> Vec<String> {
    let name = |e: &Value| {
        let frame = e["frame"].as_u64().unwrap() as usize;
        file["shared"]["frames"][frame]["name"].as_str().unwrap().to_owned()
    };
    let event = |e: &Value| format!("{}{}@{}", e["type"].as_str().unwrap(), name(e), e["at"]);
    file["profiles"][profile]["events"].as_array().unwrap().iter().map(event).collect()
}

/// Lets `a` call `b`, which calls `c`; an exception of `c` arrives in `a`.
fn thrown(path: &mut Path<'_, '_, '_>) {
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
        path.rounds(LoopRounds {
            branch: BlockNo(0),
            stay: 0,
            cycle: &[BlockNo(0), BlockNo(0)],
            times: u32::MAX,
        });
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
    let mut traces = Traces::new(&program, Folded::new(FrameNames(&program), &mut out));
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
    let recursion = |path: &mut Path<'_, '_, '_>| {
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
    let mut traces = Traces::new(&program, Speedscope::new(FrameNames(&program), &mut out));
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

/// The viewer opens no file with stacks much deeper than this.
#[test]
fn speedscope_shows_the_outermost_frames_of_a_deep_stack() {
    let map = map(&["a"]);
    let program = Program::new(&map);
    let mut out = Vec::new();
    let mut traces = Traces::new(&program, Speedscope::new(FrameNames(&program), &mut out));
    traces.thread(&process("p"), &thread(1, "main"));
    traces.enter(A, Via::TopLevel(0));
    (0..4_999).for_each(|_| traces.enter(A, Via::Call));
    traces.block(BlockNo(0));
    (0..5_000).for_each(|_| traces.leave());
    let (totals, file) = traces.finish().unwrap();
    assert_eq!(totals.calls, 5_000);
    let remarks = file.remark().unwrap();
    drop(file);
    let file: Value = serde_json::from_slice(&out).unwrap();
    let shown = events(&file, 0);
    assert_eq!((shown.len(), &shown[999..1_001]), (2_000, &["OA.a@0".into(), "CA.a@1".into()][..]));
    assert!(
        remarks.contains("1000 frames") && remarks.contains("4000 calls are left out"),
        "{remarks}"
    );
}

/// Returns a map with these blocks of `a`: its own code, then `c` inlined into `b` inlined into
/// `a`, then that `b` again. Inlined code calls `d` in the last one.
fn inlining() -> Map {
    let mut map = map(&["a", "b", "c", "d"]);
    let source = |name| SourceMethod {
        class: NameId(0),
        name: NameId(name),
        descriptor: NameId(1),
        file: None,
    };
    let position = |method, line, caller| Position { method, line, caller };
    map.places = SourcePositions {
        sources: vec![source(2), source(3), source(4)],
        positions: vec![position(0, 1, 0), position(1, 10, 1), position(2, 20, 2)],
        ..SourcePositions::default()
    };
    let block = |places: &[CodeOrigin]| Block {
        lines: (0..).zip(places.iter().copied()).collect(),
        ..map.methods[0].blocks[0].clone()
    };
    let (own, b, c) =
        (CodeOrigin::Line(1), CodeOrigin::At(PositionId(1)), CodeOrigin::At(PositionId(2)));
    let calls = vec![CallSite { pc: 1, call: model::map::CallKind::Predicted(MethodId(4)) }];
    let blocks =
        vec![block(&[own]), block(&[c]), Block { calls, ..block(&[own, b]) }, block(&[own])];
    map.methods[0].blocks = blocks;
    map
}

#[test]
fn inlined_code_is_a_frame_where_a_block_begins_in_it_or_calls_from_it() {
    let map = inlining();
    let program = Program::new(&map);
    let mut out = Vec::new();
    let totals =
        written(&program, Folded::with_room(FrameNames(&program), &mut out, PLENTY), |path| {
            path.enter(A, Via::TopLevel(0));
            path.block(BlockNo(0));
            path.rounds(LoopRounds {
                branch: BlockNo(0),
                stay: 0,
                cycle: &[BlockNo(1), BlockNo(0)],
                times: 10,
            });
            path.block(BlockNo(2));
            path.enter(MethodId(4), Via::Call);
            path.block(BlockNo(6));
            path.leave();
            path.block(BlockNo(3));
            path.leave();
        });
    let lines = [
        "org.example;main;A.a 13",
        "org.example;main;A.a;A.b;A.c 10",
        "org.example;main;A.a;A.b;A.d 1",
    ];
    assert_eq!(String::from_utf8(out).unwrap().lines().collect::<Vec<_>>(), lines);
    assert_eq!((totals.calls, totals.inlined, totals.steps), (2, 3, 24));
}

#[test]
fn an_exception_ends_inlined_frames_with_their_method() {
    let map = inlining();
    let program = Program::new(&map);
    let mut out = Vec::new();
    let totals = written(&program, Speedscope::new(FrameNames(&program), &mut out), |path| {
        path.enter(MethodId(4), Via::TopLevel(0));
        path.enter(A, Via::Callback);
        path.block(BlockNo(1));
        path.caught(1, HandlerId(0), BlockNo(6), &[BlockNo(1)]);
        path.leave();
    });
    let file: Value = serde_json::from_slice(&out).unwrap();
    let all = ["OA.d@0", "OA.a@0", "OA.b@0", "OA.c@0", "CA.c@1", "CA.b@1", "CA.a@1", "CA.d@2"];
    assert_eq!(events(&file, 0), all);
    assert_eq!(totals.exceptions, 1);
}
