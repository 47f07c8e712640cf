//! Logs that cannot be used are rows of `errors`, and change no other row.

use std::collections::BTreeMap;
use std::time::Duration;

use model::trace::encode_logcat;
use tables::SessionId;
use tests::sim::{Rng, identity, slabs};

use crate::support::{Fleet, log, map, played};

/// Eight kinds of poison among good logs: each is a row of errors or, where something of it can be
/// used, of sessions.
#[test]
fn poison_changes_no_row_of_other_sessions() {
    let (of, foreign) = (map(1), map(2));
    let fleet = Fleet::new(&[&of]);
    let mut logs = fleet.sessions(&of, 0..60);
    let clean = fleet.shard("clean", &logs);
    assert_eq!((clean.sessions, clean.errors), (60, 0));
    let mut rng = Rng::new(3);
    let good = log(&of, 100);
    let mut flipped = log(&of, 101);
    for _ in 0..40 {
        let bit = rng.below(8 * (flipped.len() - 20_000));
        flipped[bit / 8] ^= 1 << (bit % 8);
    }
    let mut header = log(&of, 102);
    header[12] ^= 0xFF;
    header[30] ^= 0xFF;
    let random: Vec<u8> = (0..5000).map(|_| rng.below(256) as u8).collect();
    let zip = [&b"PK\x03\x04"[..], &random].concat();
    let poison: [(&str, Vec<u8>); 8] = [
        ("random", random),
        ("empty", vec![]),
        ("cut", good[..30].to_vec()),
        ("flips", flipped),
        ("foreign", log(&foreign, 103)),
        ("doubled", [&good[..], &good].concat()),
        ("header", header),
        ("zip", zip),
    ];
    for (name, bytes) in &poison {
        logs.push(fleet.write(&format!("raw/poison-{name}.plt"), bytes));
    }
    let done = fleet.shard("poisoned", &logs);
    assert_eq!(done.inputs, 68);
    let ids: BTreeMap<String, &str> = poison
        .iter()
        .map(|(name, _)| {
            let key = format!("poison-{name}");
            (SessionId::new(&tables::Salt::new("pepper"), &key).0.to_string(), *name)
        })
        .collect();
    for table in ["sessions", "edges", "calls", "exceptions", "paths", "callbacks"] {
        let mut rows = fleet.rows("poisoned", table);
        rows.retain(|row| !ids.contains_key(&row["session"]));
        assert_eq!(rows, fleet.rows("clean", table), "{table}");
    }
    let errors = fleet.rows("poisoned", "errors");
    let kinds = |name: &str| -> Vec<&str> {
        let of = errors.iter().filter(|row| row["key"] == format!("poison-{name}"));
        of.map(|row| row["kind"].as_str()).collect()
    };
    assert_eq!(kinds("random"), ["empty"]);
    assert_eq!(kinds("empty"), ["empty"]);
    assert_eq!(kinds("cut"), ["unreadable"]);
    assert_eq!(kinds("foreign"), ["no_map"]);
    assert_eq!(kinds("header"), ["unreadable"]);
    assert_eq!(kinds("zip"), ["empty"]);
    assert_eq!(kinds("doubled"), [""; 0]);
    fleet.shard("alone", &[fleet.write("raw/alone.plt", &good)]);
    let alone = fleet.rows("alone", "sessions").remove(0);
    let sessions = fleet.rows("poisoned", "sessions");
    for (id, name) in &ids {
        let row = sessions.iter().find(|row| row["session"] == *id);
        let usable = row.map(|row| row["usable"].as_str());
        match *name {
            "doubled" => assert_eq!(row.map(|r| &r["decisions"]), Some(&alone["decisions"])),
            // Whatever is left of it is in no denominator.
            "flips" => assert!(usable == Some("false") || !kinds(name).is_empty(), "{row:?}"),
            _ => assert_eq!(usable, None, "{name}"),
        }
    }
    assert_eq!(errors.len() as u64, done.errors);
}

/// Six testers' phones gave the app the same process id.
#[test]
fn logcats_of_several_devices_do_not_mix() {
    let map = map(5);
    let fleet = Fleet::new(&[&map]);
    let logcat = |n: u64| {
        let mut text = String::new();
        for (thread, played) in (1..).zip(played(&map, n)) {
            for (header, payload) in slabs(&played, thread, 300, true) {
                // All that names them is the same.
                let line = encode_logcat(&identity(&map, 4711), &header, &payload);
                text += &format!("11-22 09:12:44.123  4711  4712 I Pathlight: {line}\n");
            }
        }
        text
    };
    let mut logs = Vec::new();
    let mut decisions = 0;
    for n in 0..6 {
        let log = fleet.write(&format!("raw/tester-{n}.log"), logcat(n).as_bytes());
        decisions += fleet.shard(&format!("alone-{n}"), std::slice::from_ref(&log)).decisions;
        logs.push(log);
    }
    let done = fleet.shard("all", &logs);
    assert_eq!((done.sessions, done.errors, done.decisions), (6, 0, decisions));
    assert!(decisions > 0);
}

#[test]
fn a_session_beyond_a_limit_is_an_error_and_nothing_else() {
    let map = map(6);
    let fleet = Fleet::new(&[&map]);
    let logs = fleet.sessions(&map, 0..8);
    fleet.shard("all", &logs);
    let sessions = fleet.rows("all", "sessions");
    let decisions = |row: &BTreeMap<String, String>| row["decisions"].parse().expect("a count");
    let most: u64 = sessions.iter().map(decisions).max().expect("a session");
    let mut job = fleet.job("some", "0");
    job.max_decisions = most - 1;
    let done = fleet.run(&job, &logs);
    let left: Vec<_> = sessions.iter().filter(|row| decisions(row) < most).cloned().collect();
    assert_eq!(done.sessions, left.len() as u64);
    assert_eq!(fleet.rows("some", "sessions"), left);
    let errors = fleet.rows("some", "errors");
    assert!(!errors.is_empty() && errors.iter().all(|row| row["kind"] == "limit"), "{errors:?}");
    assert_eq!(fleet.model("some").sessions, done.sessions);
    job.max_time = Duration::ZERO;
    assert_eq!(fleet.run(&job, &logs).errors, 8);
}

#[test]
fn of_two_inputs_of_one_key_the_one_with_more_proven_records_stays() {
    let map = map(7);
    let fleet = Fleet::new(&[&map]);
    // A log with several slabs, without its last one.
    let mut logs = (0..).map(|seed| log(&map, seed));
    let whole = logs.find(|log| log.len() > 20_000 + 6 * 344).expect("a long one");
    let half = &whole[..whole.len() - 20_000 - 344];
    let (a, b) = (fleet.write("raw/1/s.plt", half), fleet.write("raw/2/s.plt", &whole));
    fleet.shard("want", std::slice::from_ref(&b));
    for logs in [[a.clone(), b.clone()], [b, a]] {
        let done = fleet.shard("both", &logs);
        assert_eq!(done.sessions, 1);
        assert_eq!(fleet.rows("both", "edges"), fleet.rows("want", "edges"));
        let errors = fleet.rows("both", "errors");
        assert!(errors.iter().any(|row| row["kind"] == "duplicate"), "{errors:?}");
    }
}

#[test]
fn a_log_that_is_not_there_is_an_error_row() {
    let map = map(8);
    let fleet = Fleet::new(&[&map]);
    let mut logs = fleet.sessions(&map, 0..1);
    logs.push(fleet.at("raw/missing.plt"));
    logs.push(fleet.write("raw/cut.plt.gz", &[0x1F, 0x8B, 8, 0]));
    let done = fleet.shard("out", &logs);
    assert_eq!((done.sessions, done.errors), (1, 2));
    assert!(fleet.rows("out", "errors").iter().all(|row| row["kind"] == "unreadable"));
}
