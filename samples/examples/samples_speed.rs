//! Speed of reading and placing samples, and of merging traces, on one core:
//! `cargo run --release -p samples --example samples_speed`

#[path = "../../tests/src/sim/mod.rs"]
#[allow(dead_code, unused_imports, reason = "tests of other crates use the rest")]
mod sim;

use model::map::{Map, MethodId};
use samples::graph::Graph;
use samples::merge::linked;
use samples::placed::Placer;
use samples::places::MethodResolver as Names;
use samples::read::Samples;
use samples::{Level, Token};
use sim::{Rng, Shape, random_map};

/// Seconds that this thread ran, as Linux counts: other work on the machine does not.
fn seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let ns = stat.split(' ').next().and_then(|ns| ns.parse::<u64>().ok()).expect("a number");
    ns as f64 / 1e9
}

/// Stacks of chains of calls, as text.
fn dump(map: &Map, rng: &mut Rng, stacks: usize) -> String {
    let dotted = model::descriptors::dotted_name;
    let mut text = String::new();
    for _ in 0..stacks {
        text += "\"main\" tid=1\n";
        for _ in 0..1 + rng.below(12) {
            let method = &map.methods[rng.below(map.methods.len())];
            let (class, name) = (dotted(map.name(method.class)), map.name(method.name));
            text += &format!("  at {class}.{name}(A.java:{})\n", 1 + rng.below(50));
        }
        text.push('\n');
    }
    text
}

fn main() {
    let mut rng = Rng::new(7);
    let shape = Shape { implied: 0, ..Shape::any(&mut rng) };
    let map = random_map(&mut rng, &shape);
    let graph = Graph::new(&map, None);

    let text = dump(&map, &mut rng, 200_000);
    let begun = seconds();
    let (_, samples) = Samples::read(text.as_bytes()).expect("text");
    let names = Names::new(&map);
    let placer = Placer::new(&map, &graph, &names, &samples, None);
    let placed = samples.seen.iter().filter(|s| placer.sample(s.call).is_some()).count();
    let rate = samples.seen.len() as f64 / (seconds() - begun);
    println!("samples read and placed a second: {rate:.0} ({placed} of {})", samples.seen.len());

    let token =
        |rng: &mut Rng| Token::at(MethodId(1 + rng.below(20) as u32), rng.below(100) as u32);
    let parts: Vec<Vec<Token>> =
        (0..2000).map(|_| (0..50).map(|_| token(&mut rng)).collect()).collect();
    let begun = seconds();
    let order = linked(Level::Instructions, &parts);
    println!("{} parts of 50 merged in {:.2} s", order.len(), (seconds() - begun));
}
