//! Models: JSON values, counts, sizes, depth; and what comes of merging them.

use std::path::PathBuf;

use decoder::replay::Program;
use decoder::train::Counter;
use instrumenter::{Inline, Limits, Options, RuntimeHome, instrument};
use model::map::Map;
use model::profile::Profile;
use model::recording::{Recording, TraceCodec};
use mutation::{Rng, overwrite};
use serde_json::{Value, json};
use tests::sim::random_history;

use crate::{Case, fixtures};

pub struct Kind {
    seeds: Vec<Profile>,
    map: Map,
    dex: Vec<u8>,
}

impl Kind {
    pub fn new(inputs: &[PathBuf]) -> Result<Kind, String> {
        let dex = fixtures::file("tests/truth/fixtures/inline/program.dex")?;
        let map = fixtures::map_of("inline", Recording::ARITH)?;
        let mut seeds = vec![random_history(&map, &mut Rng::new(5))];
        for bytes in fixtures::seeds(inputs, &[])? {
            seeds.push(Profile::from_bytes(&bytes).map_err(|e| e.to_string())?);
        }
        Ok(Kind { seeds, map, dex })
    }
}

fn other(rng: &mut Rng) -> Value {
    match rng.below(14) {
        0 => json!(u64::MAX),
        1 => json!(u64::MAX / 2),
        2 => json!(-1),
        3 => json!(0),
        4 => json!(1e300),
        5 => json!(65_535),
        6 => json!(u32::MAX),
        7 => json!(rng.below(70_000)),
        8 => json!(null),
        9 => json!([]),
        10 => json!({}),
        11 => json!("none"),
        12 => json!("x".repeat(1 << rng.below(16))),
        _ => {
            let branch = json!({ "id": "0:0", "alternatives": 65_535, "counts": {} });
            json!({ "shape": "0", "branches": [branch] })
        }
    }
}

/// Changes a value somewhere inside.
fn damage(value: &mut Value, rng: &mut Rng) {
    match value {
        Value::Object(map) if !map.is_empty() && !rng.one_in(8) => {
            let at = rng.below(map.len());
            let key = map.keys().nth(at).cloned().unwrap_or_default();
            match rng.below(12) {
                0 => drop(map.remove(&key)),
                1 => {
                    let inside = map.remove(&key).unwrap_or_default();
                    let names = [
                        "",
                        "0",
                        "65535",
                        "4294967295",
                        "-1",
                        "none",
                        "other",
                        "LMain;-><clinit>()V",
                        "\u{0}",
                    ];
                    map.insert((*rng.pick(&names)).into(), inside);
                }
                // The same history for many names.
                2 => {
                    let inside = map[&key].clone();
                    for i in 0..rng.below(50) {
                        map.insert(format!("{i}"), inside.clone());
                    }
                }
                _ => damage(&mut map[&key], rng),
            }
        }
        Value::Array(all) if !all.is_empty() && !rng.one_in(8) => {
            let at = rng.below(all.len());
            match rng.below(6) {
                0 => drop(all.remove(at)),
                1 => {
                    let again = all[at].clone();
                    let times = if rng.one_in(8) { 3000 } else { 1 };
                    all.splice(at..at, std::iter::repeat_n(again, times));
                }
                2 => all.reverse(),
                _ => damage(&mut all[at], rng),
            }
        }
        Value::Number(_) if rng.one_in(2) => {
            *value = json!(mutation::number(value.as_u64().unwrap_or(0), 8, rng))
        }
        Value::String(text) if rng.one_in(2) => {
            let mut bytes = std::mem::take(text).into_bytes();
            overwrite(&mut bytes, rng);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
        _ => *value = other(rng),
    }
}

fn damage_text(text: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(text.len());
    let many = 1 << rng.below(18);
    match rng.below(7) {
        0 | 1 => overwrite(text, rng),
        2 => text.truncate(at),
        3 => drop(text.splice(at..at, b"[".repeat(many))),
        4 => drop(text.splice(at..at, b"{\"a\":".repeat(many))),
        5 => drop(text.splice(at..at, b"9".repeat(many))),
        // A key twice.
        _ => {
            let line =
                text.split(|&b| b == b'\n').nth(1 + rng.below(4)).unwrap_or_default().to_vec();
            let behind = text.iter().position(|&b| b == b'\n').unwrap_or(0) + 1;
            drop(text.splice(behind..behind, [line, b"\n".to_vec()].concat()));
        }
    }
}

impl crate::Kind for Kind {
    fn case(&self, rng: &mut Rng) -> Case {
        let mut bytes = rng.pick(&self.seeds).to_bytes();
        if !rng.one_in(4)
            && let Ok(mut value) = serde_json::from_slice::<Value>(&bytes)
        {
            for _ in 0..=rng.below(4) {
                // The two fields that identify it are damaged rarely: nothing else would be
                // looked at.
                let part =
                    *rng.pick(&["methods", "methods", "slots", "idle", "announced", "sessions"]);
                match value.get_mut(part) {
                    Some(inside) if !rng.one_in(30) => damage(inside, rng),
                    _ => damage(&mut value, rng),
                }
            }
            bytes = value.to_string().into_bytes();
        } else {
            damage_text(&mut bytes, rng);
        }
        bytes.into()
    }

    fn feed(&self, case: &Case, rng: &mut Rng) -> bool {
        let Ok(profile) = Profile::from_bytes(&case.bytes) else { return false };
        let mut merged = self.seeds[0].clone();
        merged.merge(&profile);
        merged.merge(&merged.clone());
        let mut older = profile.clone();
        older.merge(&self.seeds[0]);
        older.decay(rng.bits() as u16);
        for p in [&profile, &merged, &older] {
            let _ = p.decisions();
            assert!(
                Profile::from_bytes(&p.to_bytes()).is_ok_and(|again| again == *p),
                "written and read it is another"
            );
        }
        Counter::new(&Program::new(&self.map)).add_to(&mut merged, 1);
        if rng.one_in(8) {
            let ratio = |rng: &mut Rng| rng.one_in(3).then(|| 1.0 + rng.below(100) as f64 / 50.0);
            let limits = Limits {
                size_growth: ratio(rng),
                log_rate: ratio(rng).map(|r| r * 300.0),
                ..Limits::default()
            };
            let inline = if rng.one_in(2) { Inline::Hot } else { Inline::All };
            let recording = *rng.pick(&[
                TraceCodec::Arith,
                TraceCodec::Arith,
                TraceCodec::Huffman,
                TraceCodec::ArithAdaptiveShift,
            ]);
            let recording = recording.into();
            let options =
                Options { model: Some(profile), recording, inline, limits, ..Options::default() };
            // Limits may leave nothing; that is an error with words.
            let inputs = vec![("classes.dex".into(), self.dex.clone())];
            return instrument(inputs, RuntimeHome::OwnFile, "", &options).is_ok();
        }
        true
    }

    fn calls(&self) -> &'static [&'static str] {
        &[
            "inspect FILE",
            "instrument DEX -o OUT --map MAP --model FILE --json",
            "instrument DEX -o OUT --map MAP --model FILE --max-log-rate 200",
            "train --map BUILD LOG --model FILE -o OUT",
            "train --map BUILD LOG --model FILE --model FILE --decay 0.5 -o OUT --json",
        ]
    }
}
