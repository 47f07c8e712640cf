//! Lower bounds for the bits of a log's decisions:
//! `cargo run --release -p tests --example floors MAP LOGS…`
//!
//! Prints JSON: the number of decisions and, in bits, two empirical entropies of the alternatives
//! taken at each site (a branch block, a call slot, an next-callback distribution). `order0`: given
//! the site alone, which no static model of single decisions can beat. `order8`: given the site and
//! the last eight alternatives that the thread took, wherever that was. The second counts nothing
//! for learning its tables, so a real coder with that history stays above it; the more contexts
//! there are (`contexts`), the more.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::process::ExitCode;

use decoder::log::Collector;
use decoder::replay::{Decision, LoopRounds, PathEvent, PathSink, Program};
use decoder::session::decode_thread;
use model::map::Map;

/// Decisions that count as history.
const ORDER: u32 = 8;

/// Mixes two numbers; nobody chooses them to collide.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u64(u64::from(b)));
    }

    fn write_u64(&mut self, x: u64) {
        let y = (self.0 ^ x).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = y ^ y >> 32;
    }
}

/// Counts what was taken in each context.
#[derive(Default)]
struct Contexts {
    counts: HashMap<(u64, u64), Vec<u32>, BuildHasherDefault<Mix>>,
}

impl Contexts {
    fn add(&mut self, site: u64, history: u64, alternative: usize) {
        let counts = self.counts.entry((site, history)).or_default();
        if counts.len() <= alternative {
            counts.resize(alternative + 1, 0);
        }
        counts[alternative] += 1;
    }

    fn bits(&self) -> f64 {
        let entropy = |counts: &Vec<u32>| {
            let sum: f64 = counts.iter().map(|&n| f64::from(n)).sum();
            counts
                .iter()
                .filter(|&&n| n > 0)
                .map(|&n| f64::from(n) * (sum / f64::from(n)).log2())
                .sum::<f64>()
        };
        self.counts.values().map(entropy).sum()
    }
}

#[derive(Default)]
struct Floors {
    plain: Contexts,
    deep: Contexts,
    /// The last [`ORDER`] alternatives, a byte each (those above 255 share one).
    history: u64,
    decisions: u64,
}

impl PathSink for Floors {
    fn event(&mut self, event: PathEvent<'_>) {
        if let PathEvent::Decision { what, alternative } = event {
            let site = match what {
                Decision::Branch(b) => u64::from(b.0) << 2,
                Decision::Slot(s) => u64::from(s.0) << 2 | 1,
                Decision::NextCallback(s) => u64::from(s.0) << 2 | 2,
            };
            self.plain.add(site, 0, alternative);
            self.deep.add(site, self.history, alternative);
            self.history = self.history << (64 / ORDER) | alternative.min(255) as u64;
            self.decisions += 1;
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        rounds.pass_each(self);
    }
}

fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [map, logs @ ..] = arguments else { return Err("usage: floors MAP LOGS…".into()) };
    let map = Map::from_bytes(&std::fs::read(map)?)?;
    let mut collector = Collector::new(Some(map.build));
    for log in logs {
        collector.add(log, std::io::BufReader::new(std::fs::File::open(log)?))?;
    }
    let set = collector.finish();
    let program = Program::new(&map);
    let mut floors = Floors::default();
    for thread in set.processes.iter().flat_map(|p| &p.threads) {
        floors.history = 0;
        let totals = decode_thread(&program, thread, &mut floors);
        if totals.faulty > 0 || totals.unproven > 0 || totals.missing_slabs > 0 {
            return Err(format!("not all of the log could be decoded: {totals:?}").into());
        }
    }
    println!(
        "{{\"decisions\": {}, \"order0\": {:.1}, \"order8\": {:.1}, \
         \"sites\": {}, \"contexts\": {}}}",
        floors.decisions,
        floors.plain.bits(),
        floors.deep.bits(),
        floors.plain.counts.len(),
        floors.deep.counts.len()
    );
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("floors: {e}");
            ExitCode::FAILURE
        }
    }
}
