//! Published encodings of paths, replayed over exact logs: how far what they count is off, and what
//! they do on the way.
//! `path_encodings [--interest N] [--sets N] [--select FILE] MAP LOG… > table.csv`
//!
//! For each method that took two different paths or more, paths of interest are drawn at random, as
//! the publications do: of all static paths where these are few enough (acyclic methods), else of
//! those that ran; or they are the whole paths of a file of `paths select`. Then every activation
//! in the logs that no exception cut or went through is replayed. `psp0` to `psp3`, `spp` and the
//! others are those of `model::path_profiles::encodings`; `automaton` is what `--profile paths`
//! adds to an app.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use decoder::log::Collector;
use decoder::replay::Program;
use decoder::session::decode_thread;
use model::map::{BlockId, Map, Method, MethodId, Terminator};
use model::path_profiles::automaton::{Automaton, MethodShape};
use model::path_profiles::encodings::acyclic::all_paths;
use model::path_profiles::encodings::advisor::Traits;
use model::path_profiles::encodings::graph::Graph;
use model::path_profiles::encodings::inaccuracy::CountedPaths;
use model::path_profiles::encodings::{Encoding, EncodingKind, Path};
use model::path_profiles::operation::Operation;
use model::path_profiles::selected::{PathKind, PathStep};
use model::paths_file::{PathEntry, PathsFile, StepAt};
use reports::select::Activations;
use tests::sim::Rng;

/// Static paths of which some are drawn.
const STATIC: u128 = 4_096;

/// Sums over methods and sets.
#[derive(Default)]
struct Row {
    sets: u64,
    /// Of each set's activations.
    inaccuracy: f64,
    inaccurate: u64,
    sum: CountedPaths,
    edges: u64,
    edges_with_ops: u64,
    planning: Duration,
}

/// A method's graph and the paths that it took.
struct Taken<'m> {
    method: &'m Method,
    graph: Graph,
    paths: Vec<(Path, u64)>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut interest, mut sets) = (10, 10);
    let mut selected = None;
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).ok_or("a number");
        match argument.as_str() {
            "--interest" => interest = number()?,
            "--sets" => sets = number()?,
            "--select" => selected = arguments.next(),
            _ => files.push(argument),
        }
    }
    let (map, logs) = files.split_first().ok_or("usage: path_encodings MAP LOG…")?;
    let map = Map::from_bytes(&std::fs::read(map)?)?;
    let taken = taken(&map, logs)?;
    let selected = selected.map(|file| {
        sets = 1;
        PathsFile::from_bytes(&std::fs::read(file)?).map_err(Box::<dyn std::error::Error>::from)
    });
    let selected = selected.transpose()?;
    let mut rows: BTreeMap<(&str, &str), Row> = BTreeMap::new();
    let mut rng = Rng::new(1);
    let mut never = [0_u64; 2];
    let mut advice: BTreeMap<String, u64> = BTreeMap::new();
    for of in &taken {
        let shape = if of.graph.is_acyclic() { "acyclic" } else { "cyclic" };
        let advice_text = Traits::of(&of.graph).advice();
        *advice.entry(format!("{shape} {advice_text:?}")).or_default() += 1;
        let drawn_of: Vec<Path> = match shape {
            "acyclic" => all_paths(&of.graph, STATIC),
            _ => None,
        }
        .unwrap_or_else(|| of.paths.iter().map(|p| p.0.clone()).collect());
        for _ in 0..sets {
            let drawn = match &selected {
                Some(file) => of.chosen(file, &map),
                None => draw(&mut rng, &drawn_of, interest),
            };
            if drawn.is_empty() {
                continue;
            }
            let ran = drawn.iter().filter(|p| of.paths.iter().any(|(q, _)| q == *p)).count();
            never[0] += ran as u64;
            never[1] += (drawn.len() - ran) as u64;
            for kind in EncodingKind::ALL {
                let begun = Instant::now();
                let Some(encoding) = kind.encode(&of.graph, &drawn) else { continue };
                let row = rows.entry((shape, kind.name())).or_default();
                row.planning += begun.elapsed();
                row.add(&encoding, &drawn, of);
            }
            let row = rows.entry((shape, "automaton")).or_default();
            row.automaton(of, &drawn)?;
        }
    }
    println!(
        "shape,encoding,sets,activations,of_interest,collected,wrong,inaccurate_sets,\
         mean_inaccuracy,lost,stopped,steps_with_ops,steps,edges_with_ops,edges,planning_ms"
    );
    for ((shape, name), row) in &rows {
        let Row { sets, sum, .. } = row;
        println!(
            "{shape},{name},{sets},{},{},{},{},{},{:.4},{},{},{},{},{},{},{:.1}",
            sum.runs,
            sum.is,
            sum.collected,
            sum.wrong,
            row.inaccurate,
            row.inaccuracy / *sets as f64,
            sum.lost,
            sum.stopped,
            sum.steps_with_ops,
            sum.steps,
            row.edges_with_ops,
            row.edges,
            row.planning.as_secs_f64() * 1e3
        );
    }
    eprintln!(
        "{} methods; of the drawn paths {} ran and {} never did; advice: {advice:?}",
        taken.len(),
        never[0],
        never[1]
    );
    Ok(())
}

/// The whole activations of each method with several paths.
fn taken<'m>(map: &'m Map, logs: &[String]) -> Result<Vec<Taken<'m>>, Box<dyn std::error::Error>> {
    let program = Program::new(map);
    let mut collector = Collector::new(Some(map.build));
    for log in logs {
        collector.add_file(log, std::path::Path::new(log))?;
    }
    let mut sink = Activations::new(&program);
    for process in collector.finish_each().1 {
        for thread in process?.threads {
            decode_thread(&program, &thread, &mut sink);
        }
    }
    let mut all = Vec::new();
    for (id, method) in (1..).map(MethodId).zip(&map.methods) {
        let graph = Graph::of_blocks(&method.blocks)?;
        let edges = |(steps, times): (&[PathStep], u64)| {
            let block = |step: &PathStep| match step {
                PathStep::Block(b) => Some(b.0 as usize + 2),
                PathStep::Caught(_) => None,
            };
            let inner = steps.iter().map(block).collect::<Option<Vec<usize>>>()?;
            Some((graph.path(&[&[0], &inner[..], &[1]].concat())?, times))
        };
        let paths: Vec<(Path, u64)> = sink.found.paths_of(id).filter_map(edges).collect();
        if paths.len() > 1 {
            all.push(Taken { method, graph, paths });
        }
    }
    Ok(all)
}

fn draw(rng: &mut Rng, all: &[Path], most: usize) -> Vec<Path> {
    let mut left: Vec<&Path> = all.iter().collect();
    let mut drawn = Vec::new();
    // Something must be of no interest.
    while drawn.len() < most.min(all.len() - 1) {
        drawn.push(left.swap_remove(rng.below(left.len())).clone());
    }
    drawn
}

impl Taken<'_> {
    /// The method's paths in a file.
    fn chosen(&self, file: &PathsFile, map: &Map) -> Vec<Path> {
        let key = map.method_key(self.method);
        let blocks: BTreeMap<u32, usize> =
            self.method.blocks.iter().zip(2..).map(|(block, vertex)| (block.pc, vertex)).collect();
        let path = |entry: &PathEntry| {
            let vertex = |step: &StepAt| blocks.get(&step.parts()?.0).copied();
            let inner = entry.steps.iter().map(vertex).collect::<Option<Vec<usize>>>()?;
            self.graph.path(&[&[0], &inner[..], &[1]].concat())
        };
        file.paths.iter().filter(|entry| entry.method == key).filter_map(path).collect()
    }
}

impl Row {
    fn add(&mut self, encoding: &Encoding, interest: &[Path], of: &Taken<'_>) {
        let counted =
            CountedPaths::of(encoding, interest, of.paths.iter().map(|(path, n)| (path, *n)));
        self.sets += 1;
        self.inaccuracy += counted.inaccuracy();
        self.inaccurate += u64::from(counted.wrong > 0);
        self.edges += encoding.ops.len() as u64;
        self.edges_with_ops += encoding.edges_with_ops() as u64;
        let (sum, more) = (&mut self.sum, counted);
        sum.runs += more.runs;
        sum.collected += more.collected;
        sum.is += more.is;
        sum.wrong += more.wrong;
        sum.lost += more.lost;
        sum.stopped += more.stopped;
        sum.steps_with_ops += more.steps_with_ops;
        sum.steps += more.steps;
    }

    /// The automaton of `--profile paths`.
    fn automaton(
        &mut self,
        of: &Taken<'_>,
        interest: &[Path],
    ) -> Result<(), Box<dyn std::error::Error>> {
        let begun = Instant::now();
        let edges = of.graph.edges();
        let step = |e: &usize| PathStep::Block(BlockId(edges[*e].1 as u32 - 2));
        let steps =
            |path: &Path| path[..path.len() - 1].iter().map(step).collect::<Vec<PathStep>>();
        // A block that throws at its end ends no whole path.
        let returns = |b: usize| of.method.blocks[b - 2].terminator == Terminator::Return;
        let paths: Vec<(PathKind, Vec<PathStep>)> = interest
            .iter()
            .filter(|path| returns(edges[path[path.len() - 1]].0))
            .map(|path| (PathKind::Whole, steps(path)))
            .collect();
        let shape = MethodShape {
            successors: (of.method.blocks.iter())
                .map(|b| match &b.terminator {
                    Terminator::Goto(to) => vec![*to],
                    Terminator::Branch { alternatives, .. } => {
                        alternatives.iter().map(|a| a.0).collect()
                    }
                    Terminator::Return | Terminator::Throw => Vec::new(),
                })
                .collect(),
            handlers: vec![Vec::new(); of.method.blocks.len()],
            returns: (2..of.graph.vertices()).map(returns).collect(),
        };
        let automaton = Automaton::new(shape, &paths)?;
        let operations: Vec<Operation> = edges
            .iter()
            .map(|&(from, to)| match (from, to) {
                (0, _) | (_, 1) => Operation::new(&[]),
                (from, to) => {
                    let block = |v: usize| BlockId(v as u32 - 2);
                    Operation::new(&automaton.edge(block(from), block(to)))
                }
            })
            .collect();
        self.planning += begun.elapsed();
        self.sets += 1;
        self.edges += edges.len() as u64;
        self.edges_with_ops += operations.iter().filter(|op| !op.is_nothing()).count() as u64;
        for (path, times) in &of.paths {
            let number_of = |path: &Path| {
                let mut number = automaton.begin().number;
                let (mut with_ops, mut stopped) = (0, None);
                for (step, &edge) in path.iter().enumerate() {
                    with_ops += u64::from(!operations[edge].is_nothing());
                    number = operations[edge].apply(number).0;
                    if number == 0 && stopped.is_none() && edges[edge].1 != 1 {
                        stopped = Some(step);
                    }
                }
                (number, with_ops, stopped)
            };
            let (number, with_ops, stopped) = number_of(path);
            let rows = automaton.exit(BlockId(edges[path[path.len() - 1]].0 as u32 - 2));
            let done = Operation::completions(rows);
            let collected = !done.apply(number).1.is_empty();
            let is = interest.contains(path) && returns(edges[path[path.len() - 1]].0);
            let sum = &mut self.sum;
            sum.runs += times;
            sum.collected += times * u64::from(collected);
            sum.is += times * u64::from(is);
            sum.wrong += times * u64::from(collected != is);
            sum.stopped += times * u64::from(stopped.is_some());
            sum.steps_with_ops += times * with_ops;
            sum.steps += times * path.len() as u64;
        }
        Ok(())
    }
}
