//! Pages of hand-written paths; the tests unpack their data blocks again.

use std::collections::BTreeMap;
use std::io::Read;

use decoder::replay::{BlockNo, Decision, LoopRounds, PathSink, Program, SendEvents, Times, Via};
use decoder::session::{Note, ThreadTotals};
use model::map::*;
use serde_json::{Value, json};

use super::tree::NODES;
use super::*;
use crate::base::tee::Both;
use crate::export::tests::{process, thread};
use crate::frames::call_tree::Callee;
use crate::frames::{FrameNames, Traces};
use crate::tests::{CALLEE, OUTER, map};

/// Runs a path as a pass over one thread.
fn pass<'p, 'm>(
    program: &'p Program<'m>,
    name: &str,
    path: impl FnOnce(&mut Both<'_, Traces<'_, '_, Calls<'_>>, Facts<'_, '_>>),
) -> (Html<'p, 'm>, Totals) {
    let mut html = Html::new(program, PageOptions::default());
    let (frames, facts) = html.sinks();
    let mut traces = Traces::new(program, frames);
    let (process, thread) = (process(name), thread(1, name));
    traces.process(&process);
    facts.process(&process);
    traces.thread(&process, &thread);
    facts.thread(&process, &thread);
    path(&mut Both(&mut traces, facts));
    facts.thread_ends(ThreadTotals::default());
    let (totals, _) = traces.finish().unwrap();
    (html, totals)
}

fn text(html: &mut Html<'_, '_>, totals: Totals) -> String {
    let mut out = Vec::new();
    html.write(&mut out, totals, &[], None).unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns the data blocks by name.
fn blocks(page: &str) -> BTreeMap<String, Value> {
    let mut blocks = BTreeMap::new();
    for part in page.split("id=\"data-").skip(1) {
        let (name, rest) = part.split_once("\">").unwrap();
        let base64 = rest.split_once('<').unwrap().0;
        let packed = <base64ct::Base64 as base64ct::Encoding>::decode_vec(base64).unwrap();
        let mut plain = Vec::new();
        flate2::read::DeflateDecoder::new(&packed[..]).read_to_end(&mut plain).unwrap();
        // Paths are no JSON: here each is the list of its bytes.
        let is_path = name.starts_with("path-");
        let value = if is_path { json!(plain) } else { serde_json::from_slice(&plain).unwrap() };
        blocks.insert(name.to_owned(), value);
    }
    blocks
}

fn made(
    map: &Map,
    path: impl FnOnce(&mut Both<'_, Traces<'_, '_, Calls<'_>>, Facts<'_, '_>>),
) -> BTreeMap<String, Value> {
    let program = Program::new(map);
    let (mut html, totals) = pass(&program, "main", path);
    blocks(&text(&mut html, totals))
}

/// Returns a branch to blocks 0 and 1.
fn branch([first, second]: [u16; 2]) -> Terminator {
    let alternatives = vec![(BlockId(0), first), (BlockId(1), second)];
    Terminator::Branch { alternatives, identity: BranchIdentity { fingerprint: 0 } }
}

/// Returns the hits by line of the file with this name.
fn hits(blocks: &BTreeMap<String, Value>, name: &str) -> Value {
    let files = blocks["source"].as_array().unwrap();
    let at = files.iter().position(|f| f["name"] == name).unwrap();
    blocks[&format!("source-{at}")]["hits"].clone()
}

#[test]
fn names_are_never_markup() {
    let mut map = map();
    let evil = "</script><script>alert(1)</script>\u{1b}[2J\u{202e}\u{0}";
    for name in &mut map.names[3..6] {
        *name = evil.into();
    }
    map.skipped = vec![Skipped { method: evil.into(), reason: evil.into() }];
    map.package = evil.into();
    let program = Program::new(&map);
    let (mut html, totals) = pass(&program, evil, |path| {
        path.enter(OUTER, Via::TopLevel(0));
        path.block(BlockNo(0));
        path.leave();
    });
    let (mut out, problems) = (Vec::new(), [evil.to_owned()]);
    html.write(&mut out, totals, &problems, None).unwrap();
    let page = String::from_utf8(out).unwrap();
    assert!(!page.contains("alert(1)"));
    assert!(page.chars().all(|c| c == '\n' || !c.is_control()));
    let blocks = blocks(&page);
    // One script for each block, and one with the page's own code.
    assert_eq!(page.matches("<script").count(), blocks.len() + 1);
    let shown = r"</script><script>alert(1)</script>\u001b[2J\u202e\u0000";
    assert_eq!(blocks["main"]["package"], shown);
    assert_eq!(blocks["names"]["frames"][0]["n"], shown);
    assert_eq!(blocks["exact"]["problems"][0], shown);
    assert_eq!(blocks["exact"]["skipped"][0][0], shown);
    assert_eq!(blocks["tree"]["threads"][0][1], shown);
}

#[test]
fn lines_after_a_call_that_threw_do_not_count() {
    let all = made(&map(), |path| {
        for _ in 0..2 {
            path.enter(OUTER, Via::TopLevel(0));
            path.block(BlockNo(0));
            path.enter(CALLEE, Via::Call);
            path.block(BlockNo(2));
            path.leave();
            path.leave();
        }
        path.enter(OUTER, Via::TopLevel(0));
        path.block(BlockNo(0));
        path.enter(CALLEE, Via::Call);
        path.block(BlockNo(2));
        path.unwound(2, &[BlockNo(2)]);
    });
    // The call is at address 4; line 11 begins at address 6.
    assert_eq!(hits(&all, "A"), json!([[9, 3], [11, 2], [19, 0]]));
    assert_eq!(hits(&all, "A.kt"), json!([[10, 3]]));
    assert_eq!(hits(&all, "C"), json!([[50, 3]]));
}

#[test]
fn a_line_is_hit_as_often_as_its_entry_that_ran_most_and_copies_add_up() {
    let mut map = map();
    // Line 30 of `B.inlined`, inlined at line 10, is in two blocks; a second copy is at line 21.
    let place = |id| (0, CodeOrigin::At(PositionId(id)));
    map.places.positions[3] = Position { method: 1, line: 30, caller: 3 };
    let block = |id| Block { lines: vec![place(id)], ..map.methods[0].blocks[0].clone() };
    map.methods[0].blocks = vec![block(1), block(1), block(3)];
    let all = made(&map, |path| {
        path.enter(OUTER, Via::TopLevel(0));
        for b in [0, 1, 1, 1, 2, 2] {
            path.block(BlockNo(b));
        }
        path.leave();
    });
    assert_eq!(hits(&all, "B.kt"), json!([[30, 5]]));
}

#[test]
fn callbacks_have_start_steps_and_path() {
    let mut map = map();
    map.methods[0].blocks[0].terminator = branch([1 << 15, (1 << 15) - 1]);
    let all = made(&map, |path| {
        path.enter(OUTER, Via::TopLevel(5));
        path.block(BlockNo(0));
        path.rounds(LoopRounds {
            branch: BlockNo(0),
            stay: 0,
            cycle: &[BlockNo(1), BlockNo(0)],
            times: 10,
        });
        path.leave();
        path.enter(CALLEE, Via::TopLevel(7));
        path.block(BlockNo(2));
        path.leave();
    });
    let lane = &all["callbacks"]["lanes"][0];
    assert_eq!(lane["t"], json!([5, 7]));
    assert_eq!(lane["steps"], json!([21, 1]));
    // Enter 1 from outside, after no line; block 0; blocks 1 and 0; these 2 again 9 times; leave;
    // then the next callback.
    // The newest callback comes first: lane, number, twice the count of numbers and 1 if whole.
    assert_eq!(all["paths"]["chunks"], json!([[0, 1, 2]]));
    assert_eq!(all["main"]["paths"], 2);
    let path = [0, 2, 9, 18, 0, 16, 3, 0, 1, 17, 10, 0, 0, 8, 0, 20, 9, 3];
    assert_eq!(all["path-0"], json!(path));
    assert_eq!(all["main"]["totals"]["steps"], 22);
}

#[test]
fn each_session_has_its_sums_and_a_crash_of_its_own() {
    let map = map();
    let program = Program::new(&map);
    let options = PageOptions { sessions: 2, ..PageOptions::default() };
    let mut html = Html::new(&program, options);
    let (frames, facts) = html.sinks();
    let mut traces = Traces::new(&program, frames);
    for crashes in [true, false, true] {
        let (process, thread) = (process("main"), thread(1, "main"));
        traces.process(&process);
        facts.process(&process);
        traces.thread(&process, &thread);
        facts.thread(&process, &thread);
        let path = &mut Both(&mut traces, &mut *facts);
        path.enter(OUTER, Via::TopLevel(1));
        path.block(BlockNo(0));
        if crashes {
            path.unwound(1, &[BlockNo(0)]);
        } else {
            path.enter(CALLEE, Via::Call);
            path.block(BlockNo(2));
            path.leave();
            path.leave();
        }
        facts.thread_ends(ThreadTotals::default());
    }
    let (totals, _) = traces.finish().unwrap();
    let all = blocks(&text(&mut html, totals));
    // Nodes 0: the thread, 1: `outer`, 2: the inlined code that calls, 3: `callee`.
    let sums: Vec<Value> = all["tree"]["by"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| json!([p["n"], p["s"], p["c"]]))
        .collect();
    let crash = json!([[1], [1], [1]]);
    assert_eq!(sums, [crash.clone(), json!([[1, 1, 1], [1, 0, 1], [1, 1, 1]]), crash]);
    assert_eq!(all["exceptions"]["ends"], json!([[0, 0, 0, 1, true], [2, 0, 2, 1, true]]));
    assert_eq!(all["exceptions"]["all"][0]["by"], json!([[0, 1, 0, 1], [2, 1, 2, 1]]));
}

#[test]
fn a_stack_trace_gives_exceptions_their_type_and_message() {
    let map = map();
    let program = Program::new(&map);
    let (mut html, totals) = pass(&program, "main", |path| {
        path.enter(OUTER, Via::TopLevel(5));
        path.leave();
    });
    let text_of_stack = "java.lang.IllegalStateException: wanted\n\tat a.B.run(B.java:12)\n\
        \tat a.C.main(C.java:3)\nCaused by: a.E\n\tat a.B.call(B.java:7)\n";
    html.options.stacks = crate::crash::Stack::read(text_of_stack.as_bytes()).unwrap();
    let all = blocks(&text(&mut html, totals));
    let want = json!([
        {
            "type": "java.lang.IllegalStateException", "message": "wanted",
            "frames": [["a.B", "run", 12], ["a.C", "main", 3]],
        },
        { "type": "a.E", "message": null, "frames": [["a.B", "call", 7]] },
    ]);
    assert_eq!(all["exceptions"]["stacks"], want);
}

#[test]
fn classes_without_a_file_name_are_apart_and_coverage_is_that_of_all() {
    let mut map = map();
    map.names.push("SourceFile".into());
    let name = Some(NameId(map.names.len() as u32 - 1));
    map.methods.iter_mut().for_each(|m| m.source_file = name);
    let all = made(&map, |path| {
        path.enter(OUTER, Via::TopLevel(0));
        path.block(BlockNo(0));
        path.enter(CALLEE, Via::Call);
        path.block(BlockNo(2));
        path.leave();
        path.leave();
    });
    let files = all["source"].as_array().unwrap();
    let shown: Vec<Value> = files.iter().map(|f| json!([f["name"], f["file"]])).collect();
    assert!(shown.contains(&json!(["A", "SourceFile"])), "{shown:?}");
    assert!(shown.contains(&json!(["C", "SourceFile"])), "{shown:?}");
    assert_eq!(hits(&all, "C"), json!([[50, 1]]));
}

#[test]
fn a_page_of_a_size_has_no_more_paths_than_fit() {
    let map = map();
    let program = Program::new(&map);
    let (mut html, totals) = pass(&program, "main", |path| {
        path.enter(OUTER, Via::TopLevel(5));
        path.block(BlockNo(0));
        path.leave();
    });
    html.options.size = 1000;
    let all = blocks(&text(&mut html, totals));
    assert_eq!(all["main"]["paths"], 0);
    assert_eq!(all["paths"]["chunks"], json!([]));
    assert!(!all.contains_key("path-0"));
}

#[test]
fn the_time_between_two_clocks_is_shared_among_the_steps_in_between() {
    let times = |begin_us, end_us| Times { begin_us, end_us, tick_us: 250 };
    let all = made(&map(), |path| {
        path.times(times(1000, Some(9000)));
        path.enter(OUTER, Via::TopLevel(1));
        path.block(BlockNo(0));
        path.clock(3000);
        path.enter(CALLEE, Via::Call);
        path.block(BlockNo(2));
        path.leave();
        path.block(BlockNo(1));
        path.leave();
        path.clock(9500);
        // The log breaks off in this callback.
        path.times(times(10_000, None));
        path.enter(OUTER, Via::TopLevel(9));
        path.block(BlockNo(0));
        path.clock(12_000);
    });
    assert_eq!(all["callbacks"]["lanes"][0]["us"], json!([8000, null]));
    // The thread, `outer`, the inlined code that calls, and `callee`.
    assert_eq!(all["tree"]["self"], json!([0, 3, 0, 1]));
    assert_eq!(all["tree"]["us"], json!([0, 2000 + 3000, 0, 3000]));
    assert_eq!(all["main"]["tick"], 250);
}

#[test]
fn logs_without_measured_ends_have_no_times() {
    let all = made(&map(), |path| {
        path.times(Times { begin_us: 1000, end_us: None, tick_us: 1000 });
        path.enter(OUTER, Via::TopLevel(1));
        path.block(BlockNo(0));
        path.leave();
    });
    assert_eq!(all["callbacks"]["lanes"][0].get("us"), None);
    assert_eq!(all["tree"]["us"], Value::Null);
    assert_eq!(all["main"]["tick"], 0);
}

#[test]
fn exceptions_of_the_same_blocks_are_one_and_the_last_one_of_a_thread_is_a_crash() {
    let all = made(&map(), |path| {
        for _ in 0..3 {
            path.enter(OUTER, Via::TopLevel(0));
            path.block(BlockNo(0));
            path.enter(CALLEE, Via::Call);
            path.block(BlockNo(2));
            path.caught(1, HandlerId(0), BlockNo(1), &[BlockNo(2)]);
            path.leave();
        }
        path.enter(OUTER, Via::TopLevel(0));
        path.block(BlockNo(0));
        path.unwound(1, &[BlockNo(0)]);
    });
    let kinds = all["exceptions"]["all"].as_array().unwrap();
    let shown = |e: &Value| json!([e["from"], e["to"], e["n"], e["at"], e["last"]]);
    let shown: Vec<Value> = kinds.iter().map(shown).collect();
    let want = [json!([[0], null, 1, [0, 4], "ended"]), json!([[2], 1, 3, [0, 1], null])];
    assert_eq!(shown, want);
    assert_eq!(kinds[0]["window"]["depth"], 0);
    let events = kinds[0]["window"]["events"].as_array().unwrap();
    // The end: entered from outside (after no line), its block, unwound 1.
    assert_eq!(events[events.len() - 3..], [json!(0), json!(0), json!(14)]);
}

#[test]
fn an_exception_that_a_callback_survived_before_is_no_crash() {
    let all = made(&map(), |path| {
        for _ in 0..2 {
            path.enter(OUTER, Via::TopLevel(0));
            path.block(BlockNo(0));
            path.unwound(1, &[BlockNo(0)]);
        }
    });
    let kinds = all["exceptions"]["all"].as_array().unwrap();
    assert_eq!([&kinds[0]["n"], &kinds[0]["last"]], [&json!(2), &Value::Null]);
}

#[test]
fn the_most_surprising_alternative_comes_first() {
    let mut map = map();
    map.methods[0].blocks[0].terminator = branch([16, 65_519]);
    let all = made(&map, |path| {
        path.enter(OUTER, Via::TopLevel(0));
        for _ in 0..99 {
            path.block(BlockNo(0));
            path.decision(Decision::Branch(BlockNo(0)), 1);
        }
        path.block(BlockNo(0));
        path.decision(Decision::Branch(BlockNo(0)), 0);
        path.leave();
    });
    let costly = &all["surprises"]["dear"];
    assert_eq!(costly.as_array().unwrap().len(), 1, "the other alternative is the likely one");
    let want = json!({
        "from": 0, "to": 0, "n": 1, "all": 100, "bits": 12.0, "once": 4096, "at": [0, 1]
    });
    assert_eq!(costly[0], want);
    assert_eq!(all["surprises"]["rare"], json!([want]));
    assert_eq!(all["main"]["trained"], true);
}

#[test]
fn calls_beyond_the_limit_of_nodes_are_other() {
    let map = map();
    let program = Program::new(&map);
    let mut calls = 0;
    let (html, totals) = pass(&program, "main", |path| {
        // All call paths through two methods, 17 frames deep.
        for n in 0..1_u32 << 17 {
            let same = if n == 0 { 0 } else { 17 - (n ^ (n - 1)).ilog2() - 1 };
            (same..17).rev().filter(|_| n > 0).for_each(|_| path.leave());
            for bit in same..17 {
                calls += 1;
                let via = if bit == 0 { Via::TopLevel(0) } else { Via::Callback };
                path.enter(if n >> (16 - bit) & 1 == 0 { OUTER } else { CALLEE }, via);
                path.block(BlockNo(2));
            }
        }
    });
    let tree = &html.tree.calls;
    let nodes = tree.nodes();
    let others = (0..nodes.len() as u32).filter(|&n| tree.callee(n) == Callee::Other).count();
    assert!(others > 0 && nodes.len() - others <= NODES && nodes.len() <= 2 * NODES);
    assert_eq!(nodes.iter().map(|n| n.value.steps).sum::<u64>(), calls);
    assert_eq!(totals.steps, calls);
}

#[test]
fn endless_recursion_takes_few_nodes() {
    let map = map();
    let program = Program::new(&map);
    let (html, _) = pass(&program, "main", |path| {
        path.enter(OUTER, Via::TopLevel(0));
        for _ in 0..10_000 {
            path.enter(OUTER, Via::Callback);
            path.block(BlockNo(0));
        }
        (0..=10_000).for_each(|_| path.leave());
        path.enter(CALLEE, Via::TopLevel(0));
        path.block(BlockNo(2));
    });
    let nodes = html.tree.calls.nodes();
    assert!(nodes.len() < 300, "{}", nodes.len());
    // The stack is empty again when the next callback begins.
    let last = nodes.last().unwrap();
    assert_eq!((last.parent, last.value.steps), (Some(0), 1));
}

#[test]
fn missing_and_refused_ranges_are_listed_with_their_callback() {
    let all = made(&map(), |path| {
        path.enter(OUTER, Via::TopLevel(0));
        path.leave();
        path.note(Note::Gap { from: 2, to: 5 });
        path.note(Note::Resumed { time_ms: 90 });
        path.enter(OUTER, Via::TopLevel(4));
        path.doubtful(CALLEE, 2);
    });
    let want = json!([
        [0, 1, "missing", "3 slabs are missing"],
        [0, 1, "missing", "decoding goes on here"],
        [0, 2, "doubt", "LC;->callee()V may have ended earlier than shown"],
    ]);
    assert_eq!(all["exact"]["remarks"], want);
    // 4 ms after the callback that began at 90 ms.
    assert_eq!(all["callbacks"]["lanes"][0]["t"], json!([0, 94]));
}

/// Callbacks at random times, with random blocks, calls and clock readings.
fn wander(rng: &mut mutation::Rng, to: &mut (impl PathSink + ?Sized)) {
    let mut now = 0;
    for _ in 0..100 + rng.below(3000) {
        now += 250 * rng.below(4) as u64;
        let begin_us = now;
        let end_us = (!rng.one_in(8)).then_some(now + 90_000);
        to.times(Times { begin_us, end_us, tick_us: 250 });
        to.enter(OUTER, Via::TopLevel(0));
        for _ in 0..rng.below(4) {
            to.block(BlockNo(rng.below(2) as u32));
            if rng.one_in(3) {
                now += 250 * rng.below(9) as u64;
                to.clock(now);
            }
            if rng.one_in(2) {
                to.enter(CALLEE, Via::Call);
                to.block(BlockNo(2));
                to.leave();
            }
        }
        to.leave();
    }
}

/// Returns own blocks by name, of a lane's time slices that lie completely inside an interval. The
/// page computes the same from this block.
fn embedded(all: &BTreeMap<String, Value>, from: u64, to: u64) -> BTreeMap<String, u64> {
    let (tree, names, lane) = (&all["tree"], &all["names"], &all["intervals"]["lanes"][0]);
    let numbers = |v: &Value| -> Vec<u64> {
        v.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
    };
    let mut sums = BTreeMap::new();
    let mut time = 0;
    for (times, ran) in numbers(&lane["t"]).chunks(2).zip(lane["ran"].as_array().unwrap()) {
        let first = time + times[0];
        time = first + times[1];
        if first < from || time >= to {
            assert!(time < from || first >= to, "{first} to {time} are cut by {from}, {to}");
            continue;
        }
        let mut node = 0;
        for pair in numbers(ran).chunks(2) {
            node += pair[0] as usize;
            let frame = &names["frames"][tree["part"][node].as_u64().unwrap() as usize];
            let class = &names["classes"][frame["c"].as_u64().unwrap() as usize];
            let name = format!("{}.{}", class.as_str().unwrap(), frame["n"].as_str().unwrap());
            *sums.entry(name).or_default() += pair[1];
        }
    }
    sums
}

#[test]
fn an_interval_of_the_page_is_that_of_the_time_tree() {
    let (map, mut rng) = (map(), mutation::Rng::new(1));
    let (mut asked, mut most) = (0, 0);
    for _ in 0..12 {
        let program = Program::new(&map);
        let mut html = Html::new(&program, PageOptions::default());
        let mut file = Vec::new();
        let options = timetree::TreeOptions { leaf: 3, ..timetree::TreeOptions::default() };
        let weights =
            crate::export::Weights::new(FrameNames(&program), &mut file, options).unwrap();
        let (frames, facts) = html.sinks();
        let mut traces = Traces::new(&program, (frames, weights));
        let (process, thread) = (process("main"), thread(1, "main"));
        traces.process(&process);
        facts.process(&process);
        traces.thread(&process, &thread);
        facts.thread(&process, &thread);
        wander(&mut rng, &mut Both(&mut traces, facts));
        facts.thread_ends(ThreadTotals::default());
        let (totals, _) = traces.finish().unwrap();
        let all = blocks(&text(&mut html, totals));
        let mut index = timetree::Index::new(file).unwrap();
        let names = index.names().unwrap();
        let times = all["intervals"]["lanes"][0]["t"].as_array().unwrap();
        let mut time = 0;
        let firsts: Vec<u64> = times
            .chunks(2)
            .map(|t| {
                let first = time + t[0].as_u64().unwrap();
                time = first + t[1].as_u64().unwrap();
                first
            })
            .chain([u64::MAX])
            .collect();
        most = most.max(firsts.len());
        for _ in 0..40 {
            let [a, b] = [rng.below(firsts.len()), rng.below(firsts.len())].map(|i| firsts[i]);
            let (from, to) = (a.min(b), a.max(b));
            let answer = index.query(0, timetree::Interval { from, to }).unwrap();
            let mut shown = BTreeMap::new();
            for row in timetree::methods(&index.rows(&answer).unwrap()) {
                if row.own > 0 {
                    shown.insert(names[row.method as usize].clone(), row.own);
                }
            }
            asked += usize::from(!shown.is_empty());
            assert_eq!(embedded(&all, from, to), shown, "{from} to {to}");
        }
    }
    assert!(asked > 200 && most > 1000, "{asked} answers, {most} stretches");
}

#[test]
fn a_session_has_the_end_that_the_device_noted() {
    use model::exit_note::{ExitReason, ProcessExit};
    let map = map();
    let program = Program::new(&map);
    let mut html = Html::new(&program, PageOptions::default());
    let (frames, facts) = html.sinks();
    let mut traces = Traces::new(&program, frames);
    let ends = [
        (ExitReason::ANR, "ANR", "bad"),
        (ExitReason::LOW_MEMORY, "low memory", "warn"),
        (ExitReason::USER_REQUESTED, "user request", "good"),
    ];
    for (reason, ..) in ends {
        let exit = ProcessExit { reason, at_ms: 1000, status: 0, importance: 100 };
        let own = decoder::log::Process { exit: Some(exit), ..process("main") };
        traces.process(&own);
        facts.process(&own);
    }
    traces.process(&process("main"));
    facts.process(&process("main"));
    let (totals, _) = traces.finish().unwrap();
    let blocks = blocks(&text(&mut html, totals));
    for (i, (_, short, grade)) in ends.iter().enumerate() {
        let exit = &blocks["main"]["processes"][i]["exit"];
        assert_eq!((&exit["short"], &exit["grade"]), (&json!(short), &json!(grade)));
        assert!(exit["words"].as_str().unwrap().contains("1970-01-01 00:00:01.000 UTC"));
    }
    assert_eq!(blocks["main"]["processes"][3]["exit"], Value::Null);
}

#[test]
fn callbacks_have_the_views_that_they_came_from() {
    let mut map = map();
    let range = OriginRange { kind: OriginKind::Id, first: 100, count: 9, names: Vec::new() };
    map.origins = vec![range];
    let all = made(&map, |path| {
        for callback in 0..3 {
            path.enter(OUTER, Via::TopLevel(1));
            path.block(BlockNo(0));
            if callback == 1 {
                path.origin(OriginId(4));
                path.origin(OriginId(5));
            }
            path.enter(CALLEE, Via::Callback);
            // Of a callback within the callback.
            path.origin(OriginId(6));
            path.leave();
            path.leave();
        }
    });
    assert_eq!(all["callbacks"]["lanes"][0]["from"], json!([[1, "#104, #105"]]));
}
