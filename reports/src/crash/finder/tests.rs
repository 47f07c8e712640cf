//! Stack traces and paths written by hand. The program is that of `crate::tests`: `A.outer` calls
//! `C.callee` at line 30 of `B.inlined`, which was inlined at its line 10.

use decoder::replay::{BlockNo, Ended, SendEvents, Times, Via};
use decoder::session::Note;
use model::exit_note::{ExitReason, ProcessExit};
use model::map::{CallKind, CallSite, HandlerId, InApp, Map, MethodId, NameId, Skipped};

use super::*;
use crate::tests::{CALLEE, OUTER, map, process};

const OUTLINE: MethodId = MethodId(3);
const OUTER_FIRST: BlockNo = BlockNo(0);
const OUTER_SECOND: BlockNo = BlockNo(1);
const CALLEE_BLOCK: BlockNo = BlockNo(2);
const OUTLINE_BLOCK: BlockNo = BlockNo(3);

/// A search in one thread.
struct Case {
    map: Map,
    trace: String,
}

type Path<'a, 'p, 'm> = Watch<'p, 'm, Wants<'a, 'p, 'm>>;

fn thread(name: &str) -> ThreadLog {
    let (segments, gaps) = (vec![], vec![]);
    ThreadLog {
        number: 1,
        name: Some(name.into()),
        tid: 0,
        late: false,
        table: None,
        segments,
        gaps,
    }
}

impl Case {
    /// Returns a case with a stack trace of these frames, innermost first, among platform frames.
    fn new(frames: &[&str]) -> Case {
        let line = |f: &&str| format!("\tat {f}\n");
        let frames: String = frames.iter().map(line).collect();
        let thrown = "java.lang.Error: x\n\tat java.lang.Integer.parseInt(Integer.java:5)\n";
        let trace = format!("{thrown}{frames}\tat android.os.Looper.loop(Looper.java:9)\n");
        Case { map: map(), trace }
    }

    /// Returns a case without a stack trace.
    fn none() -> Case {
        Case { map: map(), trace: String::new() }
    }

    fn of(trace: &str) -> Case {
        Case { map: map(), trace: trace.into() }
    }

    /// Gives methods names in the app: `LX;` and `a`, `LY;` and `b`.
    fn renamed(mut self) -> Case {
        let base = self.map.names.len() as u32;
        self.map.names.extend(["LX;", "a", "LY;", "b"].map(str::to_owned));
        for (method, at) in [(0, base), (1, base + 2)] {
            let descriptor = self.map.methods[method].descriptor;
            let in_app = InApp { class: NameId(at), name: NameId(at + 1), descriptor };
            self.map.methods[method].in_app = Some(in_app);
        }
        self
    }

    fn run<T>(
        &self,
        path: impl FnOnce(&mut Path<'_, '_, '_>),
        ask: impl FnOnce(&Report<'_, '_>) -> T,
    ) -> T {
        let program = Program::new(&self.map);
        let stacks = match self.trace.is_empty() {
            true => Vec::new(),
            false => Stack::read(self.trace.as_bytes()).unwrap(),
        };
        let mut finder = Finder::new(&program, stacks, 10);
        let mut watch = finder.watch();
        path(&mut watch);
        let thread = thread("main");
        let (wants, track, moment) = watch.finish(&thread);
        let fit = (wants.best, wants.equals.max(1));
        let mut all = ProcessTrack::default();
        let last = all.add(track);
        if let Some(moment) = moment {
            let suspect = finder.ended(&process(&self.map), &thread, fit, moment, last);
            finder.judge(&all, suspect.into_iter().collect());
        }
        ask(&finder.finish())
    }

    #[track_caller]
    fn fits(&self, path: impl FnOnce(&mut Path<'_, '_, '_>)) -> (Fit, usize, usize) {
        self.run(path, |r| {
            let join = r.found.as_ref().and_then(|f| f.join);
            (r.fit(), join.map_or(0, |j| j.1.fits), join.map_or(0, |j| j.1.lines))
        })
    }
}

/// `A.outer` calls `C.callee`.
fn called(path: &mut Path<'_, '_, '_>) {
    path.enter(OUTER, Via::TopLevel(5));
    path.block(OUTER_FIRST);
    path.enter(CALLEE, Via::Call);
    path.block(CALLEE_BLOCK);
}

/// Like `called`, and `C.callee` throws out of the app.
fn thrown(path: &mut Path<'_, '_, '_>) {
    called(path);
    path.unwound(2, &[CALLEE_BLOCK]);
}

const RETRACED: [&str; 3] = ["C.callee(C.kt:50)", "B.inlined(B.kt:30)", "A.outer(A.kt:10)"];

#[test]
fn a_retraced_stack_trace_has_the_frames_of_inlined_calls() {
    assert_eq!(Case::new(&RETRACED).fits(thrown), (Fit::Exact, 3, 3));
    let without = Case::new(&["C.callee(C.kt:50)", "A.outer(A.kt:10)"]).renamed();
    assert_eq!(without.fits(thrown).0, Fit::Partial, "it cannot be called from line 10 itself");
}

#[test]
fn a_raw_stack_trace_has_the_names_in_the_app() {
    let raw = ["Y.b(SourceFile:1)", "X.a(SourceFile:2)"];
    // Its lines are not those of the source.
    assert_eq!(Case::new(&raw).renamed().fits(thrown), (Fit::Exact, 2, 0));
    assert_eq!(Case::new(&raw).fits(thrown).0, Fit::None);
    assert_eq!(Case::new(&RETRACED).renamed().fits(thrown), (Fit::Exact, 3, 3));
}

/// Returns a case in which `C.callee` calls `C.hidden0`, that calls `C.hidden1`, and so on, each
/// `times` times: methods without probes.
fn hidden(frames: &[&str], depth: u32, times: usize) -> Case {
    let mut case = Case::new(frames);
    let first = case.map.methods.len() as u32 + 1;
    let calls = |m| vec![CallSite { pc: 0, call: CallKind::Implied(MethodId(m)) }; times];
    case.map.methods[1].blocks[0].calls = calls(first);
    for n in 0..depth {
        let mut method = case.map.methods[1].clone();
        method.guarded = false;
        method.name = NameId(case.map.names.len() as u32);
        case.map.names.push(format!("hidden{n}"));
        let deeper = n + 1 < depth;
        method.blocks[0].calls = if deeper { calls(first + n + 1) } else { Vec::new() };
        case.map.methods.push(method);
    }
    case
}

#[test]
fn a_method_without_probes_fits_above_its_caller_and_nowhere_else() {
    let [callee, inlined, outer] = RETRACED;
    let [first, second] = ["C.hidden0(C.kt:60)", "C.hidden1(C.kt:70)"];
    for frames in [&[first, callee, inlined, outer][..], &[second, first, callee, inlined, outer]] {
        let (fit, fits, _) = hidden(frames, 2, 1).fits(thrown);
        assert_eq!((fit, fits), (Fit::Exact, frames.len()), "{frames:?}");
    }
    for frames in [
        &[second, callee, inlined, outer][..],
        &[first, second, callee, inlined, outer],
        &[callee, first, inlined, outer],
        &[callee, inlined, outer, first],
    ] {
        assert_eq!(hidden(frames, 2, 1).fits(thrown).0, Fit::Partial, "{frames:?}");
    }
}

/// Followed call by call, these would be 10¹⁴ chains.
#[test]
fn methods_without_probes_that_call_each_other_often_take_no_time() {
    let all: Vec<String> = (0..8).rev().map(|n| format!("C.hidden{n}(C.kt:1)")).collect();
    let frames: Vec<&str> = all.iter().map(String::as_str).chain(RETRACED).collect();
    assert_eq!(hidden(&frames, 8, 60).fits(thrown).0, Fit::Exact);
}

#[test]
fn other_frames_never_fit_exactly() {
    let none = Case::new(&["D.other(D.java:1)", "android.A.outer(A.java:1)"]);
    assert_eq!(none.fits(thrown).0, Fit::None);
    let [callee, inlined, outer] = RETRACED;
    assert_eq!(Case::new(&[outer, inlined, callee]).renamed().fits(thrown).0, Fit::None);
    for (frames, fits) in [
        (&[inlined, callee, outer][..], 1),
        (&[callee, inlined], 2),
        (&[inlined, outer], 2),
        (&[callee, inlined, outer, outer], 3),
        (&[callee, callee, inlined, outer], 3),
        (&["C.unknown(C.kt:1)", callee, inlined, outer], 3),
    ] {
        let found = Case::new(frames).renamed().fits(thrown);
        assert_eq!((found.0, found.1), (Fit::Partial, fits), "{frames:?}");
    }
}

#[test]
fn the_same_frames_at_another_line_are_not_exact() {
    let frames = ["C.callee(C.kt:51)", RETRACED[1], RETRACED[2]];
    assert_eq!(Case::new(&frames).fits(thrown), (Fit::Lines, 3, 2));
    // Without lines nothing contradicts.
    let frames = ["C.callee(C.kt)", "B.inlined(Unknown Source)", "A.outer(A.kt)"];
    assert_eq!(Case::new(&frames).fits(thrown), (Fit::Exact, 3, 0));
}

#[test]
fn methods_without_probes_may_be_in_the_stack_trace() {
    let [callee, inlined, outer] = RETRACED;
    let frames = ["S.left(S.kt:1)", callee, "S.left(S.kt:2)", inlined, outer];
    let mut case = Case::new(&frames);
    let skipped = |method: &str| Skipped { method: method.into(), reason: "size".into() };
    assert_eq!(case.fits(thrown).0, Fit::Partial);
    case.map.skipped = vec![skipped("LS;->left(I)V")];
    assert_eq!(case.fits(thrown), (Fit::Exact, 3, 3));
    // A method of the same name has probes: the frame that was not recorded may be either.
    let mut case = Case::new(&[callee, callee, inlined, outer]);
    case.map.skipped = vec![skipped("LC;->callee(I)V")];
    assert_eq!(case.fits(thrown).0, Fit::Exact);
}

#[test]
fn an_exception_that_a_finally_threw_again_keeps_its_stack_trace() {
    let rethrown = |path: &mut Path<'_, '_, '_>| {
        called(path);
        path.caught(1, HandlerId(0), OUTER_SECOND, &[CALLEE_BLOCK]);
        path.unwound(1, &[OUTER_SECOND]);
    };
    assert_eq!(Case::new(&RETRACED).fits(rethrown), (Fit::Exact, 3, 3));
    // Or the handler threw another exception.
    assert_eq!(Case::new(&["A.outer(A.kt:19)"]).fits(rethrown), (Fit::Exact, 1, 1));
    assert_eq!(Case::new(&["C.callee(C.kt:50)"]).fits(rethrown).0, Fit::Partial);
}

#[test]
fn an_exception_passes_code_outside_on_its_way() {
    let through = |path: &mut Path<'_, '_, '_>| {
        path.enter(OUTER, Via::TopLevel(0));
        path.block(OUTER_SECOND);
        path.enter(CALLEE, Via::Callback);
        path.block(CALLEE_BLOCK);
        path.unwound(1, &[CALLEE_BLOCK]);
        path.unwound(1, &[OUTER_SECOND]);
    };
    let frames = ["C.callee(C.kt:50)", "java.util.List.forEach(List.java:1)", "A.outer(A.kt:19)"];
    assert_eq!(Case::new(&frames).fits(through), (Fit::Exact, 2, 2));
    // Code outside wrapped it.
    let wrapped = "java.lang.Error\n\tat x.Y.z(Y.java:1)\n\tat A.outer(A.kt:19)\n\
                   Caused by: E.e\n\tat C.callee(C.kt:50)\n\t... 2 more\n";
    assert_eq!(Case::of(wrapped).fits(through).0, Fit::Exact);
}

#[test]
fn the_cause_counts_where_code_outside_wrapped_the_exception_of_a_callback() {
    let [callee, inlined, outer] = RETRACED;
    let trace = format!(
        "java.lang.RuntimeException\n\tat android.os.Looper.loop(Looper.java:9)\n\
         Caused by: E.e\n\tat {callee}\n\tat {inlined}\n\tat {outer}\n\t... 1 more\n"
    );
    let case = Case::of(&trace);
    assert_eq!(case.fits(thrown), (Fit::Exact, 3, 3));
    assert_eq!(case.run(thrown, |r| r.throwable().unwrap().class.clone()), "E.e");
}

#[test]
fn a_check_that_r8_moved_hides_frames() {
    let inside = |path: &mut Path<'_, '_, '_>| {
        path.enter(OUTER, Via::TopLevel(0));
        path.block(OUTER_FIRST);
        path.unwound(1, &[OUTER_FIRST]);
    };
    for frames in [&["B.inlined(B.kt:30)", "A.outer(A.kt:10)"][..], &["A.outer(A.kt:10)"]] {
        assert_eq!(Case::new(frames).fits(inside).0, Fit::Exact, "{frames:?}");
    }
    assert_eq!(Case::new(&["A.outer(A.kt:12)"]).renamed().fits(inside).0, Fit::Lines);
}

#[test]
fn lines_of_an_outline_are_places_of_its_caller() {
    let outlined = |path: &mut Path<'_, '_, '_>| {
        path.enter(OUTER, Via::TopLevel(0));
        path.block(OUTER_SECOND);
        path.enter(OUTLINE, Via::Call);
        path.block(OUTLINE_BLOCK);
        path.unwound(2, &[OUTLINE_BLOCK]);
    };
    assert_eq!(Case::new(&["A.outer(A.kt:20)"]).fits(outlined), (Fit::Exact, 1, 1));
    let inlined = ["B.inlined(B.kt:31)", "A.outer(A.kt:21)"];
    assert_eq!(Case::new(&inlined).fits(outlined), (Fit::Exact, 2, 2));
}

#[test]
fn an_anr_is_joined_to_the_end_of_a_thread() {
    let [callee, inlined, outer] = RETRACED;
    let trace =
        format!("\"main\" prio=5 tid=1 Native\n  at {callee}\n  at {inlined}\n  at {outer}\n");
    let hangs = |path: &mut Path<'_, '_, '_>| {
        called(path);
        path.note(Note::Ended(Ended::Cut));
    };
    assert_eq!(Case::of(&trace).fits(hangs), (Fit::Exact, 3, 3));
    assert_eq!(Case::of(&trace).fits(thrown).0, Fit::None, "it went on");
    // The log of a crash may end before the exception is recorded.
    assert_eq!(Case::new(&RETRACED).fits(hangs), (Fit::Exact, 3, 3));
}

/// Exceptions have `Native Method`, the dumps that ART writes for an ANR `Native method`.
#[test]
fn a_native_method_of_the_app_is_passed_over_in_an_anr() {
    let [callee, inlined, outer] = RETRACED;
    let frames = format!("  at {callee}\n  at {inlined}\n  at {outer}\n");
    let anr = format!("\"main\" prio=5 tid=1 Native\n  at B.poll(Native method)\n{frames}");
    let case = Case::of(&anr);
    let stopped = |path: &mut Path<'_, '_, '_>| {
        called(path);
        path.note(Note::Ended(Ended::Cut));
    };
    assert_eq!(case.fits(stopped), (Fit::Exact, 3, 3));
}

#[test]
fn of_several_places_that_fit_the_last_is_shown_and_all_are_counted() {
    let thrice = |path: &mut Path<'_, '_, '_>| {
        (0..3).for_each(|_| thrown(path));
        path.enter(CALLEE, Via::TopLevel(0));
        path.leave();
    };
    let case = Case::new(&RETRACED);
    let found = case.run(thrice, |r| {
        let moment = &r.found.as_ref().unwrap().moment;
        (r.equals, moment.callbacks, moment.after, moment.steps.len())
    });
    assert_eq!(found, (3, 3, 1, 1));
}

#[test]
fn the_crash_is_found_without_a_stack_trace() {
    let found = |path: fn(&mut Path<'_, '_, '_>)| Case::none().fits(path).0 == Fit::Exact;
    assert!(found(thrown));
    assert!(found(|path| {
        thrown(path);
        path.note(Note::Ended(Ended::Clean));
    }));
    assert!(!found(called), "the log ends");
    assert!(
        !found(|path| {
            thrown(path);
            path.enter(OUTER, Via::TopLevel(0));
            path.leave();
        }),
        "the thread went on"
    );
    assert!(
        !found(|path| {
            path.enter(OUTER, Via::TopLevel(0));
            path.block(OUTER_FIRST);
            path.enter(CALLEE, Via::Callback);
            path.unwound(1, &[CALLEE_BLOCK]);
            path.leave();
        }),
        "code outside caught it"
    );
}

/// Runs a callback of `C.callee` that began and ended at these times, in s.
fn callback(path: &mut Path<'_, '_, '_>, begin: u64, end: u64) {
    let us = |s: u64| s * 1_000_000;
    path.times(Times { begin_us: us(begin), end_us: Some(us(end)), tick_us: 1 });
    path.enter(CALLEE, Via::TopLevel(0));
    path.block(CALLEE_BLOCK);
}

/// Returns the outcome of the last exception of a thread of this name that left `C.callee` in
/// second 2. Another thread began a callback at `other`.
fn outcome(case: &Case, name: &str, other: u64) -> Option<ExceptionOutcome> {
    let program = Program::new(&case.map);
    let mut finder = Finder::new(&program, vec![], 10);
    let (mut all, mut suspects) = (ProcessTrack::default(), vec![]);
    for name in [name, "other"] {
        let mut watch = finder.watch();
        match name {
            "other" => {
                callback(&mut watch, other, other + 1);
                watch.leave();
            }
            _ => {
                callback(&mut watch, 1, 2);
                watch.unwound(1, &[CALLEE_BLOCK]);
            }
        }
        let thread = thread(name);
        let (wants, track, moment) = watch.finish(&thread);
        let fit = (wants.best, 1);
        let last = all.add(track);
        if let Some(moment) = moment {
            suspects.extend(finder.ended(&process(&case.map), &thread, fit, moment, last));
        }
    }
    finder.judge(&all, suspects);
    let report = finder.finish();
    assert_eq!(report.kept, u64::from(report.found.is_none()));
    report.found.and_then(|found| found.outcome)
}

/// Gives `C.callee` another name and descriptor.
fn named(name: &str, descriptor: &str) -> Case {
    let mut case = Case::none();
    let base = case.map.names.len() as u32;
    case.map.names.extend([name, descriptor].map(str::to_owned));
    case.map.methods[1].name = NameId(base);
    case.map.methods[1].descriptor = NameId(base + 1);
    case
}

#[test]
fn a_future_keeps_what_its_task_throws() {
    for (name, descriptor) in [
        ("call", "()Ljava/lang/Object;"),
        ("call", "()Ljava/lang/String;"),
        ("exec", "()Z"),
        ("invokeSuspend", "(Ljava/lang/Object;)Ljava/lang/Object;"),
    ] {
        assert_eq!(outcome(&named(name, descriptor), "Thread-1", 0), None, "{name}");
    }
    for (name, descriptor) in [("run", "()V"), ("call", "(I)V"), ("callback", "()V")] {
        let found = outcome(&named(name, descriptor), "pool-1-thread-1", 0);
        assert_eq!(found, Some(ExceptionOutcome::Ended), "{name}");
    }
}

#[test]
fn a_process_that_goes_on_has_not_crashed() {
    let case = Case::none();
    for (name, other, want) in [
        // The other thread's callback began before.
        ("pool-1-thread-1", 2, Some(ExceptionOutcome::Ended)),
        // Android reports a crash before it ends the process.
        ("pool-1-thread-1", 3, Some(ExceptionOutcome::Open)),
        ("pool-1-thread-1", 60, None),
        // No pool has threads of these names.
        ("main", 3, Some(ExceptionOutcome::Ended)),
        ("Thread-12", 60, Some(ExceptionOutcome::Ended)),
        ("Thread-safe pool", 60, None),
    ] {
        assert_eq!(outcome(&case, name, other), want, "{name}, {other} s");
    }
}

#[test]
fn a_callback_whose_exceptions_were_kept_before_crashes_nothing() {
    let found = |path: fn(&mut Path<'_, '_, '_>)| Case::none().fits(path).0 == Fit::Exact;
    assert!(!found(|path| (0..2).for_each(|_| thrown(path))));
}

#[test]
fn the_apps_handler_of_uncaught_exceptions_runs_behind_the_crash() {
    let case = named("uncaughtException", "(Ljava/lang/Thread;Ljava/lang/Throwable;)V");
    let handled = |path: &mut Path<'_, '_, '_>| {
        path.enter(OUTER, Via::TopLevel(0));
        path.block(OUTER_FIRST);
        path.unwound(1, &[OUTER_FIRST]);
        path.enter(CALLEE, Via::TopLevel(0));
        path.block(CALLEE_BLOCK);
        path.unwound(1, &[CALLEE_BLOCK]);
    };
    let method = case.run(handled, |r| r.found.as_ref().map(|f| f.moment.frames[0].method));
    assert_eq!(method, Some(OUTER));
}

#[test]
fn a_stack_overflow_takes_time_in_proportion_to_its_frames() {
    // Each frame has a guard: one exception leaves them all, one by one.
    const DEEP: usize = 20_000;
    let frames = vec!["C.callee(C.kt:50)"; DEEP];
    let deep = |path: &mut Path<'_, '_, '_>| {
        path.enter(CALLEE, Via::TopLevel(0));
        path.block(CALLEE_BLOCK);
        for _ in 1..DEEP {
            path.enter(CALLEE, Via::Callback);
            path.block(CALLEE_BLOCK);
        }
        (0..DEEP).for_each(|_| path.unwound(1, &[CALLEE_BLOCK]));
    };
    let began = std::time::Instant::now();
    assert_eq!(Case::new(&frames).fits(deep), (Fit::Exact, DEEP, DEEP));
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}

/// An ANR leaves no exception in the log.
#[test]
fn without_a_crash_the_ends_that_the_device_noted_are_listed() {
    let map = map();
    let program = Program::new(&map);
    let mut finder = Finder::new(&program, vec![], 10);
    let ends = [
        (1, ExitReason::ANR),
        (2, ExitReason::USER_REQUESTED),
        (3, ExitReason::LOW_MEMORY),
        (4, ExitReason::EXIT_SELF),
    ];
    for (pid, reason) in ends {
        let exit = ProcessExit { reason, at_ms: u64::from(pid) * 1000, status: 0, importance: 100 };
        finder.process(&Process { pid, exit: Some(exit), ..process(&map) });
    }
    let report = finder.finish();
    let (mut text, mut json) = (Vec::new(), Vec::new());
    report.write_text(&mut text, None, "").unwrap();
    report.write_json(&mut json).unwrap();
    let text = String::from_utf8(text).unwrap();
    let ended: Vec<&str> =
        text.lines().filter_map(|l| l.split_once(" ended: ")?.1.into()).collect();
    assert_eq!(
        ended,
        [
            "low memory at 1970-01-01 00:00:03.000 UTC, in the foreground",
            "ANR at 1970-01-01 00:00:01.000 UTC, in the foreground",
        ]
    );
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["exits"][0]["exit"]["reason"], "low_memory");
    assert_eq!((&json["exits"][1]["pid"], json["exits"].as_array().unwrap().len()), (&1.into(), 2));
}

/// A stack trace of an ANR, of a process that the device noted it of.
#[test]
fn a_joined_path_names_the_end_of_its_process() {
    let case = Case::new(&RETRACED);
    let program = Program::new(&case.map);
    let mut finder = Finder::new(&program, Stack::read(case.trace.as_bytes()).unwrap(), 10);
    let mut watch = finder.watch();
    thrown(&mut watch);
    let thread = thread("main");
    let (wants, _, moment) = watch.finish(&thread);
    let exit = ProcessExit { reason: ExitReason::ANR, at_ms: 1000, status: 0, importance: 400 };
    let own = Process { exit: Some(exit), ..process(&case.map) };
    let (best, equals) = (wants.best, wants.equals.max(1));
    finder.ended(&own, &thread, (best, equals), moment.unwrap(), None);
    let mut text = Vec::new();
    finder.finish().write_text(&mut text, None, "").unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("\nended: ANR at 1970-01-01 00:00:01.000 UTC, cached\n"), "{text}");
}

#[test]
fn steps_end_with_the_callback_of_the_crash_and_count_those_left_out() {
    let steps = |path: &dyn Fn(&mut Path<'_, '_, '_>)| {
        let mut text = Vec::new();
        Case::none().run(path, |report| report.write_steps(&mut text).unwrap());
        String::from_utf8(text).unwrap()
    };
    let text = steps(&thrown);
    assert!(text.ends_with("then the exception leaves the app's code in A.outer  #1\n"), "{text}");
    let text = steps(&|path| {
        // Equal callbacks one after the other are one entry.
        for method in [OUTER, CALLEE].repeat(150) {
            path.enter(method, Via::TopLevel(0));
            path.leave();
        }
        thrown(path);
    });
    assert!(text.contains("  … steps of the first 101 callbacks are left out\n"), "{text}");
    assert!(text.ends_with("in A.outer  #301\n"), "{text}");
}
