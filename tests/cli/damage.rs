//! Damage in what a command reads ends in exit code 1, after all that could be written was written;
//! the same command on whole files ends in 0. What counts as damage: docs/GUARANTEES.md.

use model::hits::{HitFile, ThreadHits};
use model::map::Map;
use model::trace::{SlabHeader, encode_logcat, write_trace};
use tests::sim::{Habits, Rng, file_header, identity, play, slabs};

use crate::support::{Work, repository};

/// A session of three threads, as slabs.
fn session(map: &Map) -> Vec<(SlabHeader, Vec<u8>)> {
    let thread = |number: u32| {
        let played =
            play(map, map, &format!("t{number}"), &mut Rng::new(7), Habits::plain(2000, false));
        slabs(&played, number, 300, true)
    };
    let mut all: Vec<_> = (1..=3).flat_map(thread).collect();
    all.iter_mut().zip(0..).for_each(|(slab, order)| slab.0.order = order);
    all
}

fn trace(map: &Map, pid: u32, slabs: &[(SlabHeader, Vec<u8>)]) -> Vec<u8> {
    write_trace(&file_header(map, 344, pid), slabs.iter().map(|(h, p)| (*h, &p[..])))
}

/// The place of the second slab's payload in such a trace: a byte there is changed.
const IN_SECOND_SLAB: usize = 344 * 2 + 100;

fn flipped(mut bytes: Vec<u8>, at: usize) -> Vec<u8> {
    bytes[at] ^= 1;
    bytes
}

/// A folder with `whole.plt`, and with `damaged.plt`, one byte of which is changed.
fn folder() -> (Work, Map) {
    let work = Work::new();
    let map = work.map();
    let whole = trace(&map, 4711, &session(&map));
    work.write("damaged.plt", flipped(whole.clone(), IN_SECOND_SLAB));
    work.write("whole.plt", whole);
    (work, map)
}

/// Runs a command line on whole files, then on damaged ones; `written` is what it writes.
#[track_caller]
fn judge(work: &Work, command: &str, written: Option<&str>) {
    let run = |log: &str| {
        written.iter().for_each(|file| drop(std::fs::remove_file(work.path(file))));
        let ran = work.run(&command.replace("LOG", log));
        let file = written.map(|file| work.path(file).exists());
        (ran, file.unwrap_or(true))
    };
    let (ran, file) = run("whole.plt");
    ran.ok();
    assert!(file, "{command}: nothing was written");
    let (ran, file) = run("damaged.plt");
    assert!(file, "{command}: nothing was written of a damaged log");
    if written.is_none() {
        assert!(!ran.out.is_empty(), "{command}: nothing was printed of a damaged log");
    }
    ran.fails("damage in what was read");
}

#[test]
fn commands_that_read_logs_end_in_1_after_a_changed_byte() {
    let (work, _) = folder();
    let map = "--map app.plmap LOG";
    for (command, written) in [
        (format!("decode {map}"), None),
        (format!("decode {map} --format json"), None),
        (format!("decode {map} --path-ids"), None),
        (format!("decode {map} --thread t3"), None),
        (format!("report {map} --folded OUT"), Some("OUT")),
        (format!("report {map} --html OUT"), Some("OUT")),
        (format!("report {map} --lcov OUT"), Some("OUT")),
        (
            "report --map app.plmap --map other.plmap LOG other.plt --lcov OUT".to_owned(),
            Some("OUT"),
        ),
        (format!("train {map} -o OUT"), Some("OUT")),
        (format!("analyse {map}"), None),
        (format!("explain {map} --path Lorg/example/tether/Network;->up()Z"), None),
        (format!("select {map} -o OUT"), Some("OUT")),
        (format!("timetree build {map} -o OUT"), Some("OUT")),
        (format!("samples score {map} --every 8"), None),
        (format!("samples score {map} --train session.plt --samples 50"), None),
        ("compare --map app.plmap --new LOG".to_owned(), None),
        ("compare --map app.plmap --good session.plt --bad LOG".to_owned(), None),
        ("compare --map app.plmap --good session.plt third.plt --bad LOG".to_owned(), None),
        ("inspect LOG".to_owned(), None),
        ("inspect LOG --json".to_owned(), None),
        ("doctor app.plmap LOG".to_owned(), None),
    ] {
        if command.contains("other.plmap") {
            let build = "instrument app.apk -o other.apk --map other.plmap --cap 16";
            work.run(&format!("{build} --codec arith-adaptive-shift")).ok();
            let other = Map::from_bytes(&work.read("other.plmap")).expect("a map");
            work.write("other.plt", trace(&other, 9, &session(&other)));
        }
        if command.contains("third.plt") {
            let map = work.map();
            work.write("third.plt", trace(&map, 4713, &session(&map)));
        }
        if command.contains("session.plt") {
            let map = work.map();
            work.write("session.plt", trace(&map, 4712, &session(&map)));
        }
        judge(&work, &command, written);
    }
}

#[cfg(feature = "tables")]
#[test]
fn tables_end_in_1_after_a_changed_byte() {
    let (work, map) = folder();
    work.shell("mkdir maps").ok();
    work.write(&format!("maps/b{}.plmap", map.build), work.read("app.plmap"));
    let model = format!("tables/partial/build=b{}/day=d1/part-1.json.zst", map.build);
    judge(&work, "tables --maps maps --out tables --day 1 --shard 1 LOG", Some(&model));
}

/// `crash` ends in 0 only where it joins: so it needs the recorded crash, beside which a log is
/// damaged.
#[test]
fn crash_ends_in_1_if_a_log_beside_the_crash_is_damaged() {
    let work = Work::new();
    let from = repository("tests/cli/recorded");
    work.shell(&format!("cp -r '{}'/. .; mv pathlight-*.plt crash.plt", from.display())).ok();
    work.shell("cp sessions/1/*.plt whole.plt").ok();
    // In the second slab of that session's first thread.
    work.write("damaged.plt", flipped(work.read("whole.plt"), 1152 + 44 + 20));
    judge(&work, "crash --map app.plmap crash.plt LOG --stack crash.log", None);
}

#[test]
fn files_of_counts_end_in_1_after_a_changed_byte() {
    let work = Work::new();
    let from = repository("tests/cli/recorded");
    work.shell(&format!("cp '{}'/count*.plmap '{0}'/*.plc '{0}'/*.plh .", from.display())).ok();
    work.shell("mv *.plc whole.plt; mv *.plh whole.plh").ok();
    // Both copies of the first page that was counted.
    let mut counts = work.read("whole.plt");
    let cells = u32::from_be_bytes(counts[324..328].try_into().expect("four bytes")) as usize;
    for copy in 0..2 {
        counts[320 + 12 + copy * (8 + 8 * cells) + 12] ^= 1;
    }
    work.write("damaged.plt", counts);
    for (command, written) in [
        ("train --map counts.plmap LOG -o OUT", Some("OUT")),
        ("report --map counts.plmap LOG --lcov OUT", Some("OUT")),
        ("analyse --map counts.plmap LOG", None),
        ("doctor counts.plmap LOG", None),
    ] {
        judge(&work, command, written);
    }
    let map = Map::from_bytes(&work.read("count.plmap")).expect("a map");
    let paths = HitFile::parse(&work.read("whole.plh")).expect("a hit file").paths;
    let counts = vec![3; paths as usize];
    let threads = vec![ThreadHits { thread: 1, name: "main".into(), counts }];
    let file = HitFile { identity: identity(&map, 8), paths, threads, ..HitFile::default() };
    work.write("whole.plt", file.to_bytes());
    let last = file.to_bytes().len() - 3;
    work.write("damaged.plt", flipped(file.to_bytes(), last));
    judge(&work, "decode --map count.plmap LOG", None);
}

/// Each kind of damage in a log, and what is none, one by one.
#[test]
fn damage_of_each_kind_ends_in_1() {
    let (work, map) = folder();
    let other = Map { recording: model::recording::Recording::ARITH, ..map.clone() };
    let other = Map { build: model::map::BuildId([7; 16]), ..other };
    let all = session(&map);
    let whole = trace(&map, 4711, &all);
    let without = |i: usize| {
        let mut left = all.clone();
        left.remove(i);
        trace(&map, 4711, &left)
    };
    let open = |i: usize| {
        let mut left = all.clone();
        left[i].0.closed = false;
        trace(&map, 4711, &left)
    };
    let last = all.iter().rposition(|slab| slab.0.thread == 1).expect("slabs of thread 1");
    let garbage = [&whole[..], &b"of no slab".repeat(100)].concat();
    let line = |map: &Map, slab: &(SlabHeader, Vec<u8>)| {
        format!("I/Pathlight( 9): {}\n", encode_logcat(&identity(map, 9), &slab.0, &slab.1))
    };
    let text: String = all.iter().map(|slab| line(&map, slab)).collect();
    let mixed = text.clone() + &line(&other, &all[0]);
    let cases: [(&str, Vec<u8>, i32); 14] = [
        ("a log", whole.clone(), 0),
        ("a payload", flipped(whole.clone(), IN_SECOND_SLAB), 1),
        ("a slab's mark", flipped(whole.clone(), 344 * 2), 1),
        ("the mark of the last slab", flipped(whole.clone(), whole.len() - 344), 1),
        ("the file's header", flipped(whole.clone(), 30), 1),
        ("the file's mark", flipped(whole.clone(), 0), 1),
        ("a missing slab", without(1), 1),
        ("a slab that is open in the middle", open(1), 1),
        ("bytes of no slab at the end", garbage, 1),
        ("the oldest part, which a ring drops", without(0), 0),
        ("the last slab of a killed process", open(last), 0),
        ("a line that was cut", text[..text.len() - 20].into(), 1),
        ("a mark in a line", text.replacen("PL3 ", "PX3 ", 1).into(), 1),
        ("a line of another build", mixed.into(), 1),
    ];
    for (what, bytes, code) in cases {
        work.write("log", bytes);
        let ran = work.run("decode --map app.plmap log");
        assert_eq!(ran.code, Some(code), "{what}: {}", ran.err);
    }
}

#[test]
fn a_file_without_a_record_beside_a_log_ends_in_1() {
    let (work, _) = folder();
    work.write("other.txt", "11-21 09:12:45.002  4711  4711 I Other: nothing of ours\n");
    let ran = work.run("decode --map app.plmap whole.plt other.txt");
    ran.fails("other.txt: not a Pathlight log: it has no record");
    // A process that ended before it began: the file that it made is zeros.
    work.write("zeros.plt", [0; 4096]);
    work.run("decode --map app.plmap whole.plt zeros.plt").ok();
}

/// Of one session, in the forms in which collectors hand on logcat: the same output of each.
#[test]
fn logs_without_line_ends_are_read_whole() {
    let (work, map) = folder();
    let message =
        |slab: &(SlabHeader, Vec<u8>)| encode_logcat(&identity(&map, 9), &slab.0, &slab.1);
    let all = session(&map);
    let line = |text: &str| format!("11-27 14:47:38.827  9  9 I Pathlight: {text}");
    let lines: Vec<String> = all.iter().map(|slab| line(&message(slab))).collect();
    let json = |escape: &dyn Fn(&str) -> String| {
        let events = lines.iter().map(|l| format!("{{\"ts\": 1, \"msg\": \"{}\"}}", escape(l)));
        format!("[{}]", events.collect::<Vec<_>>().join(", ")).into_bytes()
    };
    // `struct logger_entry` of Android's liblog/include/log/log_read.h, then priority, tag, text.
    let entry = |text: String| {
        let text = [b"\x04Pathlight\0", text.as_bytes(), b"\0"].concat();
        let mut entry = (text.len() as u16).to_le_bytes().to_vec();
        entry.extend([28, 0]);
        [9, 9, 1_795_790_000, 0, 0, 10123].iter().for_each(|n: &u32| entry.extend(n.to_le_bytes()));
        [entry, text].concat()
    };
    let binary: Vec<u8> = all.iter().flat_map(|slab| entry(message(slab))).collect();
    work.write("lines", lines.join("\n"));
    let paths = |name: &str| {
        let out = work.run(&format!("decode --map app.plmap {name} --format json")).ok().out;
        out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let wanted = paths("lines");
    assert!(wanted.len() > 100);
    for (name, bytes) in [
        ("cr", lines.join("\r").into_bytes()),
        ("crlf", lines.join("\r\n").into_bytes()),
        ("spaces", lines.join(" ").into_bytes()),
        ("joined", all.iter().map(message).collect::<String>().into_bytes()),
        ("json", json(&str::to_owned)),
        ("json-slash", json(&|line: &str| line.replace('/', "\\/"))),
        ("json-net", json(&|line: &str| line.replace('+', "\\u002B"))),
        ("json-in-json", json(&|line: &str| line.replace('/', "\\\\\\/"))),
        ("binary", binary),
    ] {
        work.write(name, &bytes);
        assert_eq!(paths(name), wanted, "{name}");
        assert_eq!(work.run(&format!("inspect {name}")).code, Some(0), "{name}");
        // What is damaged before a good one is named with its place.
        let at = bytes.windows(4).position(|w| w == b"PL3 ").expect("a mark") + 100;
        let mut damaged = bytes;
        damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
        work.write("damaged", damaged);
        let ran = work.run("decode --map app.plmap damaged --format json");
        assert!(ran.err.contains("pathlight: damaged, "), "{name}: {}", ran.err);
        ran.fails("damaged slab in the text");
    }
}
