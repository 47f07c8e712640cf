//! In how many methods of the fixtures the counts of edges fix those of paths, and the paths of
//! recorded sessions beside the counts of their edges.

use std::collections::HashMap;
use std::path::Path;

use apk::Apk;
use decoder::crew::Cores;
use decoder::log::Collector;
use decoder::replay::{Decision, PathSink, Program, Via};
use decoder::session::{ThreadSink, decode_thread_on};
use decoder::tally::Tally;
use instrumenter::{Inline, Options, RuntimeHome, instrument};
use model::counts::CountFile;
use model::map::{BlockId, Map, MethodId, Terminator};
use model::path_profiles::bounds::BoundedFlow;
use model::path_profiles::method_graph::MethodGraph;
use reports::Both;
use reports::analyse::PathCounts;

fn map(app: &str) -> Map {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let apk = root.join(format!("android-fixtures/{app}/prebuilt/{app}.apk"));
    let apk = Apk::read(apk).expect("a fixture");
    let files = apk.dex_files().expect("dex files").loaded;
    let files = files.into_iter().map(|f| (f.name, f.bytes)).collect();
    let options = Options { inline: Inline::Never, ..Options::default() };
    let out = instrument(files, RuntimeHome::OwnFile, app, &options).expect("instruments");
    out.map.expect("a map").unpack()
}

/// Methods that branch, and those of them in which the counts of edges fix those of paths.
fn fixed(map: &Map) -> (usize, usize) {
    let (mut fixed, mut all) = (0, 0);
    for (id, m) in (1..).map(MethodId).zip(&map.methods) {
        if !m.blocks.iter().any(|b| matches!(b.terminator, Terminator::Branch { .. })) {
            continue;
        }
        let handlers: Vec<_> =
            map.handlers.iter().filter(|h| h.method == id).map(|h| h.block).collect();
        let graph = MethodGraph::new(&m.blocks, &handlers).expect("a graph").graph;
        all += 1;
        fixed += usize::from(graph.fixes_paths());
    }
    (fixed, all)
}

/// What a prototype of its own, over the same fixtures, counted.
#[test]
fn counts_of_edges_fix_those_of_paths_in_about_half_of_the_branching_methods() {
    assert_eq!(["tether", "kernels"].map(|app| fixed(&map(app))), [(37, 71), (2, 24)]);
}

/// Counts ways out of branches and entries of methods, and nothing else.
struct Plain<'p> {
    program: &'p Program<'p>,
    ways: HashMap<(MethodId, usize, usize), u64>,
    entries: HashMap<MethodId, u64>,
}

impl PathSink for Plain<'_> {
    fn enter(&mut self, method: MethodId, _via: Via) {
        *self.entries.entry(method).or_default() += 1;
    }

    fn decision(&mut self, what: Decision, alternative: usize) {
        if let Decision::Branch(block) = what {
            let (method, block) = self.program.locate(block);
            *self.ways.entry((method, block, alternative)).or_default() += 1;
        }
    }
}

impl ThreadSink for Plain<'_> {}

/// The recorded sessions of README.md, and the paths that `analyse` counts in them.
#[test]
fn paths_counted_in_sessions_have_the_edges_that_the_log_has() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/recorded");
    let map = std::fs::read(recorded.join("app.plmap")).expect("a map");
    let map = Map::from_bytes(&map).expect("a map");
    let program = Program::new(&map);
    let mut plain = Plain { program: &program, ways: HashMap::new(), entries: HashMap::new() };
    let mut counts = PathCounts::new(&program);
    let mut collector = Collector::new(Some(map.build));
    for session in std::fs::read_dir(recorded.join("sessions")).expect("sessions") {
        for log in std::fs::read_dir(session.expect("a session").path()).expect("its logs") {
            collector.add_file("log", &log.expect("a log").path()).expect("a log");
        }
    }
    let (_, processes) = collector.finish_each();
    for process in processes {
        for thread in &process.expect("a process").threads {
            let cores = Cores::new(1);
            decode_thread_on(&cores, &program, thread, &mut Both(&mut plain, &mut counts));
        }
    }
    let mut compared = 0;
    for (id, method) in (1..).map(MethodId).zip(&map.methods) {
        let handlers: Vec<_> =
            map.handlers.iter().filter(|h| h.method == id).map(|h| h.block).collect();
        let graph = MethodGraph::new(&method.blocks, &handlers).expect("a graph");
        let (paths, cut) = counts.paths(id);
        let through = |edge| -> u64 {
            paths.iter().filter(|(path, _)| path.contains(&edge)).map(|(_, times)| times).sum()
        };
        // Nothing of these methods was cut short: all that the log has is on whole paths.
        if cut > 0 || paths.is_empty() {
            continue;
        }
        let entry = graph.begin(0).expect("the entry");
        let back: u64 = (0..method.blocks.len())
            .flat_map(|b| graph.ways(b))
            .filter(|way| way.goes_back && way.to == Some(BlockId(0)))
            .map(|way| through(way.edge))
            .sum();
        assert_eq!(through(entry) - back, plain.entries[&id], "{}", map.method_key(method));
        for (number, block) in method.blocks.iter().enumerate() {
            let Terminator::Branch { alternatives, .. } = &block.terminator else { continue };
            for alternative in 0..alternatives.len() {
                let way = graph.way(number, alternative).expect("a way");
                let told = plain.ways.get(&(id, number, alternative));
                assert_eq!(through(way.edge), told.copied().unwrap_or(0));
                compared += 1;
            }
        }
        // What follows from the edges' counts must be true.
        let edges = (0..graph.graph.edges().len()).map(through).collect();
        let flow = graph.graph.counts(edges).expect("whole paths are conserved");
        let fixed = flow.fix_paths();
        for (path, times) in &paths {
            let times = u128::from(*times);
            assert!((flow.definite(path)..=flow.potential(path)).contains(&times));
            assert!(!fixed || flow.definite(path) == times);
        }
    }
    assert!(compared > 100, "{compared} ways");
}

/// A recorded count file: what each path through a region was counted, beside what its ways' counts
/// say of it.
#[test]
fn cells_of_regions_lie_within_the_bounds_of_their_ways() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/recorded");
    let map = std::fs::read(recorded.join("counts.plmap")).expect("a map");
    let map = Map::from_bytes(&map).expect("a map");
    let program = Program::new(&map);
    let mut tally = Tally::new(&program).expect("a layout");
    let files = std::fs::read_dir(&recorded).expect("a folder").map(|f| f.expect("a file").path());
    for path in files.filter(|path| path.extension().is_some_and(|e| e == "plc")) {
        let file = CountFile::parse(&std::fs::read(path).expect("a file")).expect("counts");
        tally.add(&file).expect("counts of this build");
    }
    let (mut compared, mut told, mut passes) = (0, 0, 0);
    let counts = tally.blocks().expect("a layout");
    for ((id, m), of) in (1..).map(MethodId).zip(&map.methods).zip(&counts) {
        let handlers: Vec<_> =
            map.handlers.iter().filter(|h| h.method == id).map(|h| h.block).collect();
        let graph = MethodGraph::new(&m.blocks, &handlers).expect("a graph");
        let flow = BoundedFlow::new(&graph, &m.blocks, &handlers, &of.blocks, &[]).expect("counts");
        for run in &of.runs {
            let edge = |&(block, number): &(usize, usize)| graph.way(block, number).expect("a way");
            let edges: Vec<usize> = run.ways.iter().map(|way| edge(way).edge).collect();
            let (least, most) = (flow.definite(&edges), flow.potential(&edges));
            let most = most.expect("a way of a branch");
            let times = u128::from(run.times);
            assert!((least..=most).contains(&times), "{}: {run:?}", map.method_key(m));
            compared += usize::from(run.times > 0);
            told += usize::from(run.times > 0 && least == most);
            passes += run.times;
        }
    }
    assert!(compared > 20 && told > 10 && passes > 100, "{compared} {told} {passes}");
}
