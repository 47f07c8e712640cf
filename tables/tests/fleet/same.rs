//! The model that one `train` gives, and the same bytes whatever the way.

use std::collections::BTreeSet;
use std::path::PathBuf;

use model::map::{Map, Terminator};
use model::profile::Profile;
use model::recording::{Recording, TraceCodec};
use tables::SessionId;
use tests::sim::{Rng, sealed};

use crate::support::{Fleet, log, log_of, map, played, total, trained};

#[test]
fn shards_one_job_and_one_train_give_one_model() {
    for seed in 0..12 {
        let map = map(seed);
        let fleet = Fleet::new(&[&map]);
        let logs = fleet.sessions(&map, 0..23);
        for (n, logs) in logs.chunks(7).enumerate() {
            fleet.run(&fleet.job("shards", &n.to_string()), logs);
        }
        let mut whole = fleet.job("whole", "0");
        whole.jobs = 3;
        let done = fleet.run(&whole, &logs);
        assert_eq!((done.sessions, done.errors), (23, 0));
        let want = trained(&map, &logs, Profile::default());
        assert_eq!(want.sessions, 23);
        let text = |p: Profile| String::from_utf8(p.to_bytes()).expect("JSON");
        assert_eq!(text(fleet.model("whole")), text(want.clone()));
        assert!(want.rest_bits() > Some(0));
        assert_eq!(text(fleet.model("shards")), text(want));
    }
}

/// Each cell of the model is the sum of its edge's rows, and nothing else is in the table.
#[test]
fn edges_add_up_to_the_model() {
    for seed in 20..30 {
        let map = map(seed);
        let fleet = Fleet::new(&[&map]);
        let logs = fleet.sessions(&map, 0..9);
        let done = fleet.shard("out", &logs);
        let (rows, model) = (fleet.rows("out", "edges"), fleet.model("out"));
        let mut edge = 0;
        for m in &map.methods {
            let history = model.methods.get(&map.method_key(m));
            let branches = m.blocks.iter().filter_map(|b| match &b.terminator {
                Terminator::Branch { alternatives, .. } => Some(alternatives.len()),
                _ => None,
            });
            for (i, ways) in branches.enumerate() {
                let counts = history.map_or(vec![0; ways], |h| h.branches[i].counts());
                for n in counts {
                    assert_eq!(total(&rows, "n", &[("edge", &edge.to_string())]), n, "{edge}");
                    edge += 1;
                }
            }
        }
        assert_eq!(total(&rows, "n", &[]), done.decisions);
        assert_eq!(total(&fleet.rows("out", "sessions"), "decisions", &[]), done.decisions);
        assert_eq!(model.decisions(), done.decisions);
        assert!(rows.iter().all(|row| row["n"] != "0"));
    }
}

/// The paths have the callbacks that came to their end, and their steps are decisions.
#[test]
fn paths_and_callbacks_tell_of_the_same_callbacks() {
    for seed in 30..40 {
        let map = map(seed);
        let fleet = Fleet::new(&[&map]);
        fleet.shard("out", &fleet.sessions(&map, 0..9));
        let [sessions, paths, callbacks] =
            ["sessions", "paths", "callbacks"].map(|table| fleet.rows("out", table));
        assert_eq!(callbacks.len() as u64, total(&sessions, "callbacks", &[]));
        let whole: Vec<_> = callbacks.iter().filter(|c| c["shape"] != "null").cloned().collect();
        assert_eq!(total(&paths, "n", &[]), whole.len() as u64);
        assert_eq!(total(&paths, "steps", &[]), total(&whole, "steps", &[]));
        for path in &paths {
            let with: Vec<(&str, &str)> = ["session", "callback", "shape"]
                .iter()
                .map(|column| (*column, path[*column].as_str()))
                .collect();
            assert_eq!(total(&whole, "steps", &with).to_string(), path["steps"]);
        }
    }
}

#[test]
fn edges_and_shapes_are_the_same_under_other_codecs() {
    let mut compared = 0;
    for seed in 40..60 {
        let of = map(seed);
        let tables = [
            Recording::ARITH,
            Recording::Trace(TraceCodec::Huffman),
            Recording::Trace(TraceCodec::BallLarus),
            Recording::Trace(TraceCodec::Blocks),
        ]
        .map(|recording| {
            let map = sealed(Map { recording, ..of.clone() });
            let fleet = Fleet::new(&[&map]);
            let mut whole = BTreeSet::new();
            let logs: Vec<PathBuf> = (0..12)
                .map(|n| {
                    let threads = played(&map, n);
                    if threads.iter().all(|t| !t.killed) {
                        whole.insert(SessionId::new(
                            &tables::Salt::new("pepper"),
                            &format!("s-{n}"),
                        ));
                    }
                    fleet.write(&format!("raw/s-{n}.plt"), &log_of(&map, n as u32 + 1, &threads))
                })
                .collect();
            fleet.shard("out", &logs);
            let mut rows = ["edges", "paths"].map(|table| fleet.rows("out", table));
            for rows in &mut rows {
                // The end of a killed session is lost, in each codec another one.
                rows.retain(|r| whole.contains(&SessionId(r["session"].parse().expect("an id"))));
            }
            (whole, rows)
        });
        for other in &tables[1..] {
            if other.0 == tables[0].0 {
                assert_eq!(other.1, tables[0].1, "seed {seed}");
                compared += other.1[0].len();
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn order_cores_and_repetition_change_no_byte() {
    let maps = [map(70), map(71)];
    let fleet = Fleet::new(&[&maps[0], &maps[1]]);
    let mut logs = fleet.sessions(&maps[0], 0..30);
    logs.extend(fleet.sessions(&maps[1], 30..40));
    logs.push(fleet.write("raw/broken.plt", b"PLTR but no more"));
    fleet.shard("first", &logs);
    let want = fleet.files("first");
    assert_eq!(want.len(), 2 * 7 + 1 + 2, "{:?}", want.keys());
    let mut rng = Rng::new(1);
    for jobs in [1, 2, 5] {
        for i in (1..logs.len()).rev() {
            logs.swap(i, rng.below(i + 1));
        }
        let mut job = fleet.job("again", "0");
        job.jobs = jobs;
        fleet.run(&job, &logs);
        assert!(fleet.files("again") == want, "{jobs} jobs");
        fleet.run(&job, &logs);
        assert!(fleet.files("again") == want, "{jobs} jobs, again");
    }
}

#[test]
fn ids_are_those_that_another_program_computes() {
    // Python: int.from_bytes(hmac.new(salt, key, "sha256").digest()[:8], "big", signed=True)
    let id = |salt: &str, key: &str| SessionId::new(&tables::Salt::new(salt), key).0;
    assert_eq!(id("pepper", "s-17"), -8438488678182542857);
    assert_eq!(id("", "s-17"), 4675074401961564444);
    let map = map(72);
    let fleet = Fleet::new(&[&map]);
    let both = [log(&map, 1), log(&map, 2)].concat();
    fleet.shard("out", &[fleet.write("raw/s-17.plt", &both)]);
    let ids: Vec<String> =
        fleet.rows("out", "sessions").iter().map(|row| row["session"].clone()).collect();
    assert_eq!(ids, ["-8438488678182542857", "5222593720471364441"]);
}

#[test]
fn facts_hold_no_name_of_a_process_a_thread_or_a_file() {
    let map = map(73);
    let fleet = Fleet::new(&[&map]);
    let log = fleet.write("raw/secret-key.plt", &log(&map, 5));
    fleet.shard("out", &[log, fleet.write("raw/secret-broken.plt", b"PLTR")]);
    for table in ["sessions", "edges", "calls", "exceptions", "paths", "callbacks", "errors"] {
        for mut row in fleet.rows("out", table) {
            if table == "errors" {
                row.remove("key");
            }
            assert!(!format!("{row:?}").contains("secret"), "{row:?}");
        }
    }
    for (path, bytes) in fleet.files("out") {
        let is_error = path.starts_with("tables/v1/errors");
        assert!(is_error || !bytes.windows(6).any(|w| w == b"secret"), "{}", path.display());
    }
}
