//! Prices rules of adaptation on recorded paths:
//! `cargo run --release -p tests --example adaptive_rules MAP LOG…`.
//!
//! Bits per branch decision under each rule, beginning with the map's tables, beside the fixed
//! tables and the order-0 floor. The rules in `model::adaptive::Rule::of` were chosen by it.

use std::io::BufReader;

use decoder::log::Collector;
use decoder::replay::{Decision, LoopRounds, PathEvent, PathSink, Program};
use decoder::session::decode_thread;
use decoder::train::Counter;
use model::adaptive::Rule;
use model::map::{Map, Terminator};

struct Costs {
    rules: Vec<Rule>,
    /// Per block, per rule: frequencies.
    tables: Vec<Vec<Vec<u16>>>,
    bits: Vec<f64>,
    decisions: u64,
}

impl PathSink for Costs {
    fn event(&mut self, event: PathEvent<'_>) {
        if let PathEvent::Decision { what, alternative } = event {
            self.decision(what, alternative);
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        rounds.pass_each(self);
    }
}

impl Costs {
    fn decision(&mut self, what: Decision, taken: usize) {
        let Decision::Branch(block) = what else { return };
        self.decisions += 1;
        for ((rule, freqs), bits) in
            self.rules.iter().zip(&mut self.tables[block.0 as usize]).zip(&mut self.bits)
        {
            *bits += 16.0 - f64::from(freqs[taken]).log2();
            rule.update(freqs, taken);
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let map = Map::from_bytes(&std::fs::read(&args[0]).expect("the map")).expect("a map");
    let mut collector = Collector::new(Some(map.build));
    for log in &args[1..] {
        collector
            .add(log, BufReader::new(std::fs::File::open(log).expect("the log")))
            .expect("readable");
    }
    let set = collector.finish();
    let program = Program::new(&map);
    let mut rules: Vec<Rule> = (3..=8).map(Rule::Shift).collect();
    for inc in [64, 256, 1024, 4096] {
        rules.extend([1, 16, 64, 256, 1024, 4096].map(|floor| Rule::Inc { inc, floor }));
    }
    let blocks: Vec<Vec<u16>> = map
        .methods
        .iter()
        .flat_map(|m| &m.blocks)
        .map(|b| match &b.terminator {
            Terminator::Branch { alternatives, .. } => alternatives.iter().map(|a| a.1).collect(),
            _ => vec![],
        })
        .collect();
    let mut counter = Counter::new(&program);
    let mut total = Costs { bits: vec![0.0; rules.len()], rules, tables: vec![], decisions: 0 };
    for thread in set.processes.iter().flat_map(|p| &p.threads) {
        total.tables = blocks.iter().map(|b| vec![b.clone(); total.rules.len()]).collect();
        decode_thread(&program, thread, &mut total);
        decode_thread(&program, thread, &mut counter);
    }
    let price = counter.cost().branch;
    let n = total.decisions as f64;
    println!(
        "{} decisions; fixed {:.4}, floor {:.4} bits each",
        total.decisions,
        price.now / n,
        price.floor / n
    );
    for (rule, bits) in total.rules.iter().zip(&total.bits) {
        println!("{:.4} {rule:?}", bits / n);
    }
}
