//! Hits of the counters of a build with `--profile edges`, and of counters on the chords of
//! spanning trees instead (`model::path_profiles::placement`). `placement [--json] MAP LOG…`, with
//! a map and logs of `--profile trace`: regions and counted loops are as there.

use std::collections::{HashMap, HashSet};

use decoder::log::Collector;
use decoder::replay::{BlockNo, Decision, LoopRounds, PathEvent, PathSink, Program};
use decoder::session::decode_thread;
use model::map::{BlockId, Map, MethodId};
use model::path_profiles::placement::CounterGraph;

/// Counts ways, blocks, calls and arrivals at handlers.
#[derive(Default)]
struct Counts {
    ways: HashMap<(BlockNo, usize), u64>,
    blocks: HashMap<BlockNo, u64>,
    calls: HashMap<MethodId, u64>,
    caught: HashMap<BlockNo, u64>,
}

impl PathSink for Counts {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, .. } => *self.calls.entry(method).or_default() += 1,
            PathEvent::Block(block) => self.block(block),
            PathEvent::Decision { what: Decision::Branch(block), alternative } => {
                *self.ways.entry((block, alternative)).or_default() += 1;
            }
            PathEvent::Caught { block, .. } => {
                *self.caught.entry(block).or_default() += 1;
                self.block(block);
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { branch, stay, cycle, times } = rounds;
        *self.ways.entry((branch, stay)).or_default() += u64::from(times);
        for &block in cycle {
            *self.blocks.entry(block).or_default() += u64::from(times);
        }
    }
}

impl Counts {
    fn block(&mut self, block: BlockNo) {
        *self.blocks.entry(block).or_default() += 1;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let json = files.first().is_some_and(|first| first == "--json");
    files.drain(..usize::from(json));
    let (map, logs) = files.split_first().ok_or("usage: placement [--json] MAP LOG…")?;
    let map = Map::from_bytes(&std::fs::read(map)?)?;
    let program = Program::new(&map);
    let mut collector = Collector::new(Some(map.build));
    for log in logs {
        collector.add_file(log, std::path::Path::new(log))?;
    }
    let mut counts = Counts::default();
    for process in collector.finish_each().1 {
        for thread in process?.threads {
            decode_thread(&program, &thread, &mut counts);
        }
    }
    let branches: HashSet<BlockNo> = counts.ways.keys().map(|(block, _)| *block).collect();
    let (mut first, mut sums, mut counters) = (0, [0_u128; 2], [0_usize; 2]);
    let (mut methods, mut better) = (0, 0);
    for (id, m) in (1..).map(MethodId).zip(&map.methods) {
        let block = |b: BlockId| BlockNo(first + b.0);
        let gathered: HashSet<BlockId> = (m.regions.iter())
            .flat_map(|r| r.inside.iter().copied().chain([r.head]))
            .chain(m.loops.iter().map(|l| l.branch))
            .collect();
        let handlers: Vec<BlockId> =
            map.handlers.iter().filter(|h| h.method == id).map(|h| h.block).collect();
        let weight = |b: BlockId, way: usize| {
            let of_way = counts.ways.get(&(block(b), way)).copied();
            of_way.unwrap_or_else(|| match branches.contains(&block(b)) {
                true => 0,
                false => counts.blocks.get(&block(b)).copied().unwrap_or(0),
            })
        };
        let entered = |b: BlockId| match b {
            BlockId(0) => counts.calls.get(&id).copied().unwrap_or(0),
            handler => counts.caught.get(&block(handler)).copied().unwrap_or(0),
        };
        let flow = CounterGraph::of_blocks(
            &m.blocks,
            &handlers,
            &|b| gathered.contains(&b),
            &weight,
            &entered,
        )?;
        let placement = flow.place();
        let required = flow
            .edges()
            .iter()
            .filter(|e| e.role == model::path_profiles::placement::Requirement::Required)
            .count();
        if required > 0 {
            methods += 1;
            better += usize::from(placement.cost < flow.direct_cost());
            sums[0] += flow.direct_cost();
            sums[1] += placement.cost;
            counters[0] += required;
            counters[1] += placement.counters.len();
        }
        first += m.blocks.len() as u32;
    }
    if json {
        println!(
            r#"{{"methods":{methods},"better":{better},"counters":{},"hits":{},{}}}"#,
            counters[0],
            sums[0],
            format_args!(r#""placed_counters":{},"placed_hits":{}"#, counters[1], sums[1])
        );
        return Ok(());
    }
    println!(
        "{methods} methods with plain branches; {} hits of {} counters; placed: {} hits of {}, \
         fewer in {better} methods ({:.1} % of the hits)",
        sums[0],
        counters[0],
        sums[1],
        counters[1],
        100.0 * sums[1] as f64 / sums[0].max(1) as f64
    );
    Ok(())
}
