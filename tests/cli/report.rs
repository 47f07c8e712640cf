//! The files of `report` hold what `decode` prints of the same sessions, which tether recorded.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Work, repository};

/// The recorded sessions, and what was decoded of them as JSON lines.
fn recorded() -> (Work, String, Vec<Value>) {
    let folder = repository("tests/cli/recorded");
    let logs = format!("--map {0}/app.plmap {0}/*.plt {0}/sessions/*/*.plt", folder.display());
    let work = Work::new();
    let out = work.shell(&format!("pathlight decode {logs} --format json")).ok().out;
    let events = out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    (work, logs, events)
}

fn is(event: &Value, kind: &str) -> bool {
    event["e"] == kind
}

#[test]
fn folded_stacks_have_the_blocks_that_decode_prints() {
    let (work, logs, events) = recorded();
    let mut blocks = 0;
    for e in &events {
        blocks += u64::from(is(e, "block"));
        if is(e, "repeat") {
            blocks += e["blocks"].as_u64().unwrap() * e["times"].as_u64().unwrap();
        }
    }
    assert!(blocks > 10_000, "{blocks}");
    let out = work.shell(&format!("pathlight report {logs} --folded /dev/stdout")).ok().out;
    let steps = out.lines().map(|l| l.rsplit(' ').next().unwrap().parse::<u64>().unwrap());
    assert_eq!(steps.sum::<u64>(), blocks);
}

#[test]
fn speedscope_opens_the_calls_that_decode_prints_and_closes_them_in_order() {
    let (work, logs, events) = recorded();
    let mut calls: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for e in events.iter().filter(|e| is(e, "enter")) {
        let thread =
            format!("{} (thread {}), java (pid {})", e["name"].as_str().unwrap(), e["t"], e["p"]);
        calls.entry(thread).or_default().push(e["m"].as_str().unwrap());
    }
    work.shell(&format!("pathlight report {logs} --speedscope app.json")).ok();
    let file: Value = serde_json::from_slice(&work.read("app.json")).unwrap();
    let profiles = file["profiles"].as_array().unwrap();
    assert_eq!(profiles.len(), calls.len());
    for profile in profiles {
        let (mut open, mut at, mut opened) = (Vec::new(), 0, Vec::new());
        for e in profile["events"].as_array().unwrap() {
            let now = e["at"].as_u64().unwrap();
            assert!(now >= at);
            at = now;
            if e["type"] == "O" {
                open.push(&e["frame"]);
                opened.push(&file["shared"]["frames"][e["frame"].as_u64().unwrap() as usize]);
            } else {
                assert_eq!(open.pop(), Some(&e["frame"]));
            }
        }
        assert!(open.is_empty() && profile["endValue"].as_u64().unwrap() == at);
        let thread = &calls[profile["name"].as_str().unwrap()];
        assert_eq!(opened.len(), thread.len());
        for (frame, key) in opened.iter().zip(thread) {
            let (class, method) = key.split_once(";->").unwrap();
            let name =
                format!("{}.{}", &class[1..].replace('/', "."), method.split('(').next().unwrap());
            assert_eq!(frame["name"], name);
        }
    }
}

#[test]
fn all_outputs_are_what_each_is_alone() {
    let (work, logs, _) = recorded();
    let all = "--folded a.folded --speedscope a.json --perfetto a.pftrace --html a.html";
    work.shell(&format!("pathlight report {logs} {all}")).ok();
    let files = [
        ("--folded", "a.folded"),
        ("--speedscope", "a.json"),
        ("--perfetto", "a.pftrace"),
        ("--html", "a.html"),
    ];
    for (option, name) in files {
        work.shell(&format!("pathlight report {logs} {option} alone")).ok();
        assert!(work.read("alone") == work.read(name), "{name}");
        // A file of its own kind is replaced; that of another one is not.
        work.shell(&format!("pathlight report {logs} {option} alone")).ok();
        for (other, _) in files.iter().filter(|f| f.0 != option) {
            work.shell(&format!("pathlight report {logs} {other} alone")).fails("of another kind");
        }
        std::fs::remove_file(work.path("alone")).unwrap();
    }
}

#[test]
fn any_number_of_cores_writes_the_same() {
    let (work, logs, _) = recorded();
    // The second session's log is damaged in many places, behind its header.
    let folder = repository("tests/cli/recorded/sessions/2");
    let log = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(log).unwrap();
    bytes.iter_mut().skip(200).step_by(97).for_each(|b| *b ^= 0x55);
    work.write("damaged.plt", &bytes);
    let others = logs.replace("sessions/*", "sessions/[13456]");
    assert_ne!(others, logs);
    let logs = format!("{others} damaged.plt");
    let all = "--folded f --speedscope s.json --perfetto p.pftrace --html h.html --slow 1ms";
    let written = |jobs: usize| {
        let run = |command: &str| {
            let ran = work.shell(&format!("pathlight {command} --jobs {jobs}"));
            (ran.code, ran.out, ran.err)
        };
        let printed = [
            run(&format!("decode {logs}")),
            run(&format!("decode {logs} --full --unfolded")),
            run(&format!("decode {logs} --format json")),
            run(&format!("decode {logs} --last 3")),
            run(&format!("train {logs} -o m.json --json")),
            run(&format!("report {logs} {all}")),
        ];
        let files = ["m.json", "f", "s.json", "p.pftrace", "h.html"].map(|name| work.read(name));
        (printed, files)
    };
    let one = written(1);
    assert!(one.0[0].2.contains("damaged.plt"), "{}", one.0[0].2);
    for jobs in [2, 5] {
        let several = written(jobs);
        for (a, b) in one.0.iter().zip(&several.0) {
            assert_eq!(a, b, "{jobs} cores");
        }
        assert!(one.1 == several.1, "{jobs} cores");
    }
}

#[test]
fn a_failed_report_leaves_no_file() {
    let work = Work::new();
    let names = work.names();
    work.write("cut.plt", &work.read("session.plt")[..40]);
    work.run("report --map app.plmap cut.plt --perfetto new.pftrace --folded new.folded")
        .fails("no record of build");
    std::fs::remove_file(work.path("cut.plt")).unwrap();
    assert_eq!(work.names(), names);
}
