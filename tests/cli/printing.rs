//! Output has nothing that a terminal obeys, no forged lines, no panic when the reader goes
//! away.

use decoder::log::Collector;
use decoder::replay::Program;
use decoder::session::decode_thread;
use reports::{JsonPaths, TextPaths};

use crate::support::{Ran, Work, trace};

/// A thread name as a server could send it: clears the screen, turns the text round, forges a path
/// line.
const EVIL: &str = "w\u{1b}[2J\n[0.001 s] com.bank.Pay.all()V\u{9b}1m\u{202e}\u{2028}";

#[track_caller]
fn is_plain(text: &str) {
    let bad = |c: char| {
        (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{2028}'
    };
    assert!(!text.contains(bad), "{text:?}");
    assert!(!text.lines().any(|l| l.starts_with("[0.001 s] com.bank")), "{text}");
}

#[test]
fn every_command_ends_quietly_when_its_reader_goes_away() {
    let work = Work::new();
    for command in [
        "instrument app.apk -o b.apk --map b.plmap",
        "instrument app.apk -o b.apk --map b.plmap --json",
        "decode --map app.plmap session.plt",
        "decode --map app.plmap session.plt --format json",
        "train --map app.plmap session.plt -o m.json",
        "train --map app.plmap session.plt -o m.json --json",
        "inspect app.apk --graphs graphs",
        "inspect app.apk --graphs graphs --json",
        "inspect app.plmap --all",
        "inspect app.apk",
        "inspect session.plt",
        "inspect model.json --json",
    ] {
        // `:` never reads: the pipe is closed before or while the command prints.
        let ran = work.shell(&format!("pathlight {command} | :; exit ${{PIPESTATUS[0]}}"));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{command}");
    }
}

#[test]
fn messages_that_cannot_be_printed_are_no_panic() {
    let work = Work::new();
    let ran = work.shell("pathlight inspect no-such-file 2> /dev/full");
    assert_eq!(ran.code, Some(1));
}

#[test]
fn a_full_disk_is_a_failure() {
    let work = Work::new();
    let ran = work.shell("pathlight inspect app.plmap > /dev/full");
    ran.fails("no space is left on the disk");
}

#[test]
fn a_thread_name_cannot_forge_lines() {
    let work = Work::new();
    work.write("evil.plt", trace(&work.map(), EVIL));
    let text = work.run("decode --map app.plmap evil.plt");
    is_plain(&text.out);
    assert!(
        text.out.contains(r"w\u001b[2J\n[0.001 s] com.bank.Pay.all()V\u009b1m\u202e\u2028"),
        "{}",
        text.out
    );
    is_plain(&work.run("inspect evil.plt").out);
    is_plain(&work.run("inspect evil.plt --json").out);
    let json: Ran = work.run("decode --map app.plmap evil.plt --format json");
    is_plain(&json.out);
    // The first line is about the process.
    let first: serde_json::Value =
        serde_json::from_str(json.out.lines().nth(1).expect("a line")).expect("JSON");
    assert_eq!(first["name"], EVIL);
}

#[test]
fn a_method_name_cannot_forge_lines() {
    let work = Work::new();
    let mut map = work.map();
    for name in map.names.iter_mut().filter(|n| n.as_str() == "onCreate") {
        *name = EVIL.into();
    }
    let mut collector = Collector::new(Some(map.build));
    collector.add("t", &work.read("session.plt")[..]).unwrap();
    let set = collector.finish();
    let process = &set.processes[0];
    let thread = &process.threads[0];
    let program = Program::new(&map);
    let (mut text, mut json) = (Vec::new(), Vec::new());
    let mut sink = TextPaths::new(&program, &mut text, process);
    decode_thread(&program, thread, &mut sink);
    sink.finish().unwrap();
    let mut sink = JsonPaths::new(&program, &mut json, 1, process, thread);
    decode_thread(&program, thread, &mut sink);
    sink.finish().unwrap();
    for printed in [text, json] {
        let printed = String::from_utf8(printed).unwrap();
        assert!(printed.contains(r"w\u001b[2J\n[0.001 s]"), "the method ran");
        is_plain(&printed);
    }
}

#[test]
fn a_file_name_cannot_forge_lines() {
    let work = Work::new();
    work.write("evil\u{1b}[2J.apk", "PK\u{3}\u{4}");
    let ran = work.run("inspect evil\u{1b}[2J.apk");
    ran.fails(r"evil\u001b[2J.apk");
}
