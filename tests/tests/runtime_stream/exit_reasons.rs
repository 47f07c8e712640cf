//! Ends of earlier processes: the notes of the runtime beside the logs that it finds
//! (`docs/PROTOCOL.md` §14). `runtime/test/stubs` answers for Android.

use std::path::Path;
use std::time::Instant;

use model::exit_note::{EXIT_NOTE_MAGIC, ExitNote, ProcessExit, parse_line};
use model::trace::runtime_note;

use super::storage::{run, run_bare};

/// A log of build 0a0b0c0d, of a process that began at this ms.
fn log(dir: &Path, pid: u32, start: u64) {
    std::fs::write(dir.join(format!("pathlight-0a0b0c0d-{pid}-{start}.plt")), []).unwrap();
}

/// Runs a process that begins later than all of these, and waits for its question.
fn ask(dir: &Path, exits: &str) {
    let text = run(dir, &[&format!("-Dstub.exits={exits}")], &["exits", "1"]);
    assert!(!text.contains("PL0 exits"), "{text}");
}

/// The notes of a folder, by name.
fn notes(dir: &Path) -> Vec<(String, ExitNote)> {
    let mut all: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|end| end == "plx"))
        .map(|p| {
            let name = p.file_name().unwrap().to_str().unwrap().to_owned();
            let note = ExitNote::parse(&std::fs::read(&p).unwrap()).unwrap();
            assert_eq!(note.file_name(), name);
            (name, note)
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn reasons(dir: &Path) -> Vec<(u32, u64, u32)> {
    notes(dir).iter().map(|(_, n)| (n.pid, n.start_ms, n.exit.reason.0)).collect()
}

#[test]
fn a_note_has_reason_time_status_and_importance() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 4711, 1000);
    ask(dir.path(), "4711,5000,6,3,100");
    let [(name, note)] = &notes(dir.path())[..] else { panic!("{:?}", notes(dir.path())) };
    assert_eq!(name, "pathlight_exit-0a0b0c0d-4711-1000.plx");
    assert_eq!((note.build, note.pid, note.start_ms), ([10, 11, 12, 13], 4711, 1000));
    let exit = &note.exit;
    let values = (exit.reason.0, exit.at_ms, exit.status, exit.importance);
    assert_eq!(values, (6, 5000, 3, 100));
}

/// A number of a newer Android must not be lost.
#[test]
fn each_reason_is_noted_as_it_is() {
    for reason in 0..=18 {
        let dir = tempfile::tempdir().unwrap();
        log(dir.path(), 1, 1000);
        ask(dir.path(), &format!("1,5000,{reason},0,0"));
        assert_eq!(reasons(dir.path()), [(1, 1000, reason)]);
    }
}

#[test]
fn exits_of_other_processes_are_not_noted() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 1, 1000);
    ask(dir.path(), "2,5000,6,0,0;11,5001,4,0,0");
    assert!(notes(dir.path()).is_empty());
}

/// A process id comes again.
#[test]
fn an_exit_before_the_log_began_belongs_to_another_process() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 1, 1000);
    ask(dir.path(), "1,999,6,0,0");
    assert!(notes(dir.path()).is_empty());
}

#[test]
fn of_a_process_id_that_came_again_each_log_gets_its_own_exit() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 1, 1000);
    log(dir.path(), 1, 6000);
    // The newest first, as Android gives them.
    ask(dir.path(), "1,7000,3,0,0;1,5000,6,0,0");
    assert_eq!(reasons(dir.path()), [(1, 1000, 6), (1, 6000, 3)]);
}

/// Android forgets the oldest exits.
#[test]
fn a_log_whose_exit_is_forgotten_does_not_get_that_of_a_later_process() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 1, 1000);
    log(dir.path(), 1, 6000);
    ask(dir.path(), "1,7000,3,0,0");
    assert_eq!(reasons(dir.path()), [(1, 6000, 3)]);
}

/// Two builds in one process: their logs begin one after the other.
#[test]
fn builds_of_one_process_share_its_exit() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 1, 1000);
    std::fs::write(dir.path().join("pathlight-00000001-1-1005.plc"), []).unwrap();
    ask(dir.path(), "1,5000,6,0,0");
    assert_eq!(reasons(dir.path()), [(1, 1005, 6), (1, 1000, 6)]);
}

#[test]
fn a_running_process_has_no_note() {
    let dir = tempfile::tempdir().unwrap();
    let text = run(dir.path(), &["-Dstub.exits=own"], &["exits", "1"]);
    assert!(text.ends_with("done\n"), "{text}");
    assert!(notes(dir.path()).is_empty());
}

#[test]
fn an_exit_is_noted_once() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 1, 1000);
    ask(dir.path(), "1,5000,6,0,0");
    // A later answer that differs would be about another process.
    ask(dir.path(), "1,5000,3,0,0");
    assert_eq!(reasons(dir.path()), [(1, 1000, 6)]);
}

/// The process that wrote it was killed between two system calls.
#[test]
fn a_note_without_content_is_written_again() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 1, 1000);
    std::fs::write(dir.path().join("pathlight_exit-0a0b0c0d-1-1000.plx"), []).unwrap();
    ask(dir.path(), "1,5000,6,0,0");
    assert_eq!(reasons(dir.path()), [(1, 1000, 6)]);
}

/// Logs that were sent and deleted: their notes would stay for ever.
#[test]
fn notes_whose_logs_have_gone_go() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 1, 1000);
    log(dir.path(), 2, 1000);
    ask(dir.path(), "1,5000,6,0,0;2,5000,6,0,0");
    std::fs::remove_file(dir.path().join("pathlight-0a0b0c0d-1-1000.plt")).unwrap();
    ask(dir.path(), "1,5000,6,0,0;2,5000,6,0,0");
    assert_eq!(reasons(dir.path()), [(2, 1000, 6)]);
}

#[test]
fn names_that_are_nearly_logs_do_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let bad = ["pathlight-xyz-1-1000.plt", "pathlight-0a0b0c0d-2-9999999999999999999.plt"];
    bad.iter().for_each(|name| std::fs::write(dir.path().join(name), []).unwrap());
    log(dir.path(), 1, 1000);
    ask(dir.path(), "1,5000,6,0,0");
    assert_eq!(reasons(dir.path()), [(1, 1000, 6)]);
}

#[test]
fn a_service_that_throws_or_knows_nothing_leaves_the_app_alone() {
    for answer in ["throw", "null", ""] {
        let dir = tempfile::tempdir().unwrap();
        log(dir.path(), 1, 1000);
        ask(dir.path(), answer);
        assert!(notes(dir.path()).is_empty(), "{answer}");
    }
}

/// Before Android 11.
#[test]
fn without_the_class_nothing_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 1, 1000);
    let text = run_bare(dir.path(), &["exits", "1"]);
    assert!(text.ends_with("done\n"), "{text}");
    assert!(notes(dir.path()).is_empty());
}

/// Methods that are not public are needed: an app may die of that.
#[test]
fn where_strict_mode_watches_hidden_methods_nothing_is_asked() {
    for (mask, asked) in [("268435488", true), ("268436000", false), ("-1", false), ("0", true)] {
        let dir = tempfile::tempdir().unwrap();
        log(dir.path(), 1, 1000);
        let vm = format!("-Dstub.vm={mask}");
        run(dir.path(), &["-Dstub.exits=1,5000,6,0,0", &vm], &["exits", "1"]);
        assert_eq!(notes(dir.path()).len(), usize::from(asked), "{mask}");
    }
}

/// The answer comes from another process. The driver ends before it, and is not held up.
#[test]
fn no_thread_of_the_app_waits_for_the_answer() {
    let dir = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    run(dir.path(), &["-Dstub.exits=wait 1,5000,6,0,0"], &["callbacks", "1"]);
    assert!(begin.elapsed().as_millis() < 3000, "{:?}", begin.elapsed());
}

/// There is no folder with logs.
#[test]
fn logcat_gets_one_line() {
    let dir = tempfile::tempdir().unwrap();
    log(dir.path(), 1, 1000);
    let exits = "-Dstub.exits=1,5000,6,3,100;2,6000,2,9,400";
    let text = run(dir.path(), &[exits], &["exits", "1", "SINK=1"]);
    let lines: Vec<&str> = text.lines().filter(|l| l.contains("PL0 exits")).collect();
    assert_eq!(lines, ["Pathlight: PL0 exits: 1 5000 6 3 100; 2 6000 2 9 400"]);
    let read = parse_line(&runtime_note(lines[0].as_bytes()).unwrap());
    let exit = |reason, at_ms, status, importance| ProcessExit {
        reason: model::exit_note::ExitReason(reason),
        at_ms,
        status,
        importance,
    };
    assert_eq!(read, [(1, exit(6, 5000, 3, 100)), (2, exit(2, 6000, 9, 400))]);
    assert!(notes(dir.path()).is_empty());
}

#[test]
fn a_note_is_no_log_for_older_programs() {
    // Neither a line of logcat nor a begin of any other file.
    for mark in [&b"PL0 "[..], b"PL2 ", b"PL3 ", b"PLTR", b"PLKT", b"PLCN", b"PLHT"] {
        assert_ne!(EXIT_NOTE_MAGIC[..], *mark);
    }
}
