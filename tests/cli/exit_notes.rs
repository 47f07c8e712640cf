//! The end of a process, as the app's next process noted it beside the log.

use model::exit_note::{ExitNote, ExitReason, ProcessExit};
use model::trace::TraceFile;

use crate::support::Work;

/// 2026-11-28 12:03:04.120 UTC.
const AT: u64 = 1_795_867_384_120;
const ENDED: &str = "ended: ANR (signal 3) at 2026-11-28 12:03:04.120 UTC, in the foreground";

/// The note of the recorded session: an ANR.
fn note(work: &Work) -> ExitNote {
    let bytes = work.read("session.plt");
    let who = TraceFile::parse(&bytes).unwrap().header.identity;
    let build = std::array::from_fn(|i| who.build.0[i]);
    let exit = ProcessExit { reason: ExitReason::ANR, at_ms: AT, status: 3, importance: 100 };
    ExitNote { build, pid: who.pid, start_ms: who.start_ms, exit }
}

/// A folder with the recorded session and its note.
fn noted() -> Work {
    let work = Work::new();
    let note = note(&work);
    work.write(&note.file_name(), note.to_bytes());
    work
}

#[test]
fn each_command_shows_how_the_process_ended() {
    let work = noted();
    for command in
        ["decode session.plt", "crash session.plt", "inspect session.plt", "decode - < session.plt"]
    {
        let out = work.shell(&format!("pathlight {command}")).out;
        // A pipe has no folder.
        assert_eq!(out.contains(ENDED), !command.contains(" - "), "{command}: {out}");
    }
    let json =
        r#""exit":{"at_ms":1795867384120,"code":6,"importance":100,"reason":"anr","status":3}"#;
    for command in ["decode --format json", "crash --json"] {
        let out = work.run(&format!("{command} session.plt")).out;
        assert!(out.contains(json), "{command}: {out}");
    }
    assert!(work.run("inspect --json session.plt").ok().out.contains(r#""exit": "anr""#));
    let doctor = work.shell("pathlight inspect pathlight_exit-*.plx").ok().out;
    assert!(doctor.contains("exit note: process") && doctor.contains(ENDED), "{doctor}");
}

#[test]
fn a_note_comes_with_its_log_in_folders_and_archives() {
    let work = noted();
    work.shell("mkdir logs; mv session.plt pathlight_exit-* logs; tar czf logs.tgz logs").ok();
    for logs in ["logs", "logs.tgz", "logs/session.plt", "logs/*"] {
        let ran = work.shell(&format!("pathlight decode --map app.plmap {logs}")).ok();
        assert!(ran.out.contains(ENDED), "{logs}: {}", ran.out);
    }
}

#[test]
fn without_a_note_nothing_is_said() {
    let work = Work::new();
    assert!(!work.run("decode session.plt").ok().out.contains("ended: "));
    assert!(work.run("decode --format json session.plt").ok().out.contains(r#""exit":null"#));
}

/// A process id, or its start, of another process.
#[test]
fn the_note_of_another_process_is_not_taken() {
    let work = Work::new();
    let own = note(&work);
    for other in [
        ExitNote { pid: own.pid + 1, ..own.clone() },
        ExitNote { start_ms: own.start_ms + 1, ..own.clone() },
        ExitNote { build: [0; 4], ..own.clone() },
    ] {
        work.write(&own.file_name(), other.to_bytes());
        assert!(!work.run("decode session.plt").ok().out.contains("ended: "), "{other:?}");
        work.run(&format!("decode session.plt {}", own.file_name())).ok();
    }
}

#[test]
fn a_damaged_note_is_reported_and_the_paths_are_decoded() {
    let work = noted();
    let name = note(&work).file_name();
    let mut bytes = work.read(&name);
    bytes[30] ^= 1;
    work.write(&name, &bytes);
    let ran = work.run("decode session.plt");
    assert!(ran.out.contains("MainActivity"), "{}", ran.out);
    ran.fails("the checksum is wrong: the note is damaged");
    // Its writer was killed before it wrote.
    work.write(&name, b"");
    work.run("decode session.plt").ok();
}

#[test]
fn a_note_alone_is_no_log() {
    let work = noted();
    let name = note(&work).file_name();
    work.run(&format!("decode --map app.plmap {name}"))
        .fails("notes how a process ended, and is no log");
}

#[test]
fn the_page_shows_the_outcome() {
    let work = noted();
    work.run("report session.plt --html page.html").ok();
    let plain = Work::new();
    plain.run("report session.plt --html page.html").ok();
    assert_ne!(work.read("page.html"), plain.read("page.html"));
}

#[test]
fn an_older_program_would_leave_notes_alone() {
    let work = noted();
    let name = note(&work).file_name();
    assert!(!name.starts_with("pathlight-"), "old `device pull` refuses unknown names of logs");
}

/// The lines of a build with `--sink logcat`.
#[test]
fn lines_of_logcat_have_the_exits() {
    let work = Work::new();
    let bytes = work.read("session.plt");
    let file = TraceFile::parse(&bytes).unwrap();
    let who = file.header.identity.clone();
    let mut lines = format!("I/Pathlight: PL0 exits: {} {AT} 6 3 100\n", who.pid);
    for slab in file.slabs().map(Result::unwrap) {
        let mut header = slab.header;
        (header.closed, header.shift) = (true, 0);
        lines += &model::trace::encode_logcat(&who, &header, slab.payload);
        lines += "\n";
    }
    work.write("beta.log", lines);
    let out = work.run("decode --map app.plmap beta.log").out;
    assert!(out.contains(ENDED), "{out}");
}
