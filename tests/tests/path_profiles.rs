//! In how many methods of the fixtures the counts of edges fix those of paths, and the paths of
//! recorded sessions beside the counts of their edges.

use std::collections::HashMap;
use std::path::Path;

use apk::Apk;
use decoder::crew::Cores;
use decoder::log::Collector;
use decoder::replay::{
    BlockNo, Decision, Ended, LoopRounds, PathEvent, PathSink, Program, SendEvents, Via,
};
use decoder::session::{Note, decode_thread_on};
use instrumenter::{Inline, Options, RuntimeHome, instrument};
use model::map::{BlockId, HandlerId, Map, MethodId, Terminator};
use model::path_profiles::method_graph::MethodGraph;
use reports::Both;
use reports::analyse::{Analysis, Evidence, PathCounts};
use tests::cells::region_cells;

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

/// The counts of an independent prototype, over the same fixtures.
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
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, .. } => *self.entries.entry(method).or_default() += 1,
            PathEvent::Decision { what: Decision::Branch(block), alternative } => {
                let (method, block) = self.program.locate(block);
                *self.ways.entry((method, block, alternative)).or_default() += 1;
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        rounds.pass_each(self);
    }
}

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
                let known = plain.ways.get(&(id, number, alternative));
                assert_eq!(through(way.edge), known.copied().unwrap_or(0));
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

/// A recorded count file: the count of each path through a region, beside the bounds by the counts
/// of its ways.
#[test]
fn cells_of_regions_lie_within_the_bounds_of_their_ways() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/recorded");
    let map = std::fs::read(recorded.join("counts.plmap")).expect("a map");
    let map = Map::from_bytes(&map).expect("a map");
    let files = std::fs::read_dir(&recorded).expect("a folder").map(|f| f.expect("a file").path());
    let files = files.filter(|path| path.extension().is_some_and(|e| e == "plc"));
    let files: Vec<_> = files.map(|path| std::fs::read(path).expect("counts")).collect();
    let cells = region_cells(&map, &files).expect("cells in their bounds");
    assert!(cells.compared > 20 && cells.exact > 10 && cells.passes > 100, "{cells:?}");
    assert_eq!(cells.unknown, 0);
}

/// Something that a thread did.
enum Event {
    Enter(MethodId),
    Block(BlockNo),
    Decision(BlockNo, usize),
    Leave,
    Caught(usize, HandlerId, BlockNo),
    Unwound(usize),
}

/// Keeps it.
#[derive(Default)]
struct Recorder(Vec<Event>);

impl PathSink for Recorder {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, .. } => self.0.push(Event::Enter(method)),
            PathEvent::Block(block) => self.0.push(Event::Block(block)),
            PathEvent::Decision { what: Decision::Branch(block), alternative } => {
                self.0.push(Event::Decision(block, alternative));
            }
            PathEvent::Leave => self.0.push(Event::Leave),
            PathEvent::Caught { dropped, handler, block, .. } => {
                self.0.push(Event::Caught(dropped, handler, block))
            }
            PathEvent::Unwound { dropped, .. } => self.0.push(Event::Unwound(dropped)),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        rounds.pass_each(self);
    }
}

/// A pass of a method: its first and last events, and its ways, if it came to its end.
struct Pass {
    method: MethodId,
    began: usize,
    ended: usize,
    ways: Option<Vec<(usize, usize)>>,
}

/// A method that runs.
#[derive(Clone)]
struct Frame {
    method: MethodId,
    /// The event that its pass began with.
    began: usize,
    /// Blocks since, and the alternative taken out of each.
    ways: Vec<(usize, usize)>,
}

/// All passes of a thread that were begun.
fn passes(program: &Program<'_>, events: &[Event]) -> Vec<Pass> {
    let map = program.map;
    let graph = |method: MethodId| {
        let handlers = map.handlers.iter().filter(|h| h.method == method).map(|h| h.block);
        let handlers: Vec<_> = handlers.collect();
        MethodGraph::new(&map.methods[method.0 as usize - 1].blocks, &handlers).expect("a graph")
    };
    let mut graphs: HashMap<MethodId, MethodGraph> = HashMap::new();
    let (mut all, mut frames) = (Vec::new(), Vec::<Frame>::new());
    let end = |all: &mut Vec<Pass>, frame: &Frame, ended, whole| {
        let Frame { method, began, ways } = frame.clone();
        if !ways.is_empty() {
            all.push(Pass { method, began, ended, ways: Some(ways).filter(|_| whole) });
        }
    };
    for (at, event) in events.iter().enumerate() {
        let dropped = match event {
            Event::Caught(dropped, ..) | Event::Unwound(dropped) => *dropped,
            _ => 0,
        };
        for frame in frames.split_off(frames.len() - dropped) {
            end(&mut all, &frame, at, false);
        }
        match event {
            Event::Enter(method) => {
                frames.push(Frame { method: *method, began: at, ways: Vec::new() });
            }
            Event::Block(block) => {
                let frame = frames.last_mut().expect("a frame");
                let (_, block) = program.locate(*block);
                let graph = graphs.entry(frame.method).or_insert_with(|| graph(frame.method));
                let way = frame.ways.last().and_then(|&(block, way)| graph.way(block, way));
                if way.is_some_and(|way| way.goes_back) {
                    end(&mut all, frame, at, true);
                    (frame.began, frame.ways) = (at, Vec::new());
                } else if frame.ways.is_empty() {
                    frame.began = at;
                }
                frame.ways.push((block, 0));
            }
            Event::Decision(_, way) => {
                let last = frames.last_mut().and_then(|frame| frame.ways.last_mut());
                last.expect("a block").1 = *way;
            }
            Event::Leave => {
                let frame = frames.pop().expect("a frame");
                end(&mut all, &frame, at, true);
            }
            Event::Caught(_, _, block) => {
                let frame = frames.last_mut().expect("a frame");
                end(&mut all, frame, at, false);
                (frame.began, frame.ways) = (at, vec![(program.locate(*block).1, 0)]);
            }
            Event::Unwound(_) => {}
        }
    }
    frames.iter().for_each(|frame| end(&mut all, frame, events.len(), false));
    all
}

/// Recorded sessions as if the process had been killed at some moment, beside what was cut then did
/// in truth.
#[test]
fn shares_of_paths_of_cut_sessions_are_as_near_to_the_truth_as_is_told() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/recorded");
    let map = std::fs::read(recorded.join("app.plmap")).expect("a map");
    let map = Map::from_bytes(&map).expect("a map");
    let program = Program::new(&map);
    let mut collector = Collector::new(Some(map.build));
    for session in std::fs::read_dir(recorded.join("sessions")).expect("sessions") {
        for log in std::fs::read_dir(session.expect("a session").path()).expect("its logs") {
            collector.add_file("log", &log.expect("a log").path()).expect("a log");
        }
    }
    let (mut compared, mut moved, mut nearest) = (0, 0, 0.0_f64);
    for process in collector.finish_each().1 {
        for thread in &process.expect("a process").threads {
            let mut events = Recorder::default();
            decode_thread_on(&Cores::new(1), &program, thread, &mut events);
            let events = events.0;
            let mut truth: HashMap<String, Vec<Pass>> = HashMap::new();
            for pass in passes(&program, &events) {
                let method = map.method(pass.method).expect("a method");
                truth.entry(map.method_key(method)).or_default().push(pass);
            }
            for cut in (1..40).map(|part| events.len() * part / 40) {
                let mut counts = PathCounts::new(&program);
                for event in &events[..cut] {
                    match event {
                        Event::Enter(method) => counts.enter(*method, Via::Callback),
                        Event::Block(block) => counts.block(*block),
                        Event::Decision(b, way) => counts.decision(Decision::Branch(*b), *way),
                        Event::Leave => counts.leave(),
                        Event::Caught(dropped, handler, block) => {
                            counts.caught(*dropped, *handler, *block, &[]);
                        }
                        Event::Unwound(dropped) => counts.unwound(*dropped, &[]),
                    }
                }
                counts.note(Note::Ended(Ended::Cut));
                let evidence = Evidence { map: &map, logs: Some(&counts), counts: None };
                for figures in Analysis::new(&evidence, &[]).methods {
                    let of_method = truth.get(&figures.method).into_iter().flatten();
                    let begun: Vec<&Pass> = of_method.filter(|pass| pass.began < cut).collect();
                    let is_whole = |pass: &Pass| pass.ended < cut && pass.ways.is_some();
                    let whole = begun.iter().filter(|pass| is_whole(pass)).count();
                    let known = figures.truncation.expect("logs");
                    let gone = begun.len() - whole;
                    assert_eq!(known.exceptions + known.log_end, gone as u64, "{}", figures.method);
                    // What an exception cut short has no end to compare with.
                    if begun.iter().any(|pass| pass.ways.is_none()) || whole == 0 {
                        continue;
                    }
                    let mut ran: HashMap<_, (usize, usize)> = HashMap::new();
                    for pass in &begun {
                        let (all, complete) = ran.entry(&pass.ways).or_default();
                        *all += 1;
                        *complete += usize::from(is_whole(pass));
                    }
                    let bias = known.bias.expect("complete passes");
                    assert!(gone > 0 || bias == 0.0);
                    for (all, complete) in ran.into_values() {
                        let share = all as f64 / begun.len() as f64;
                        let off = (share - complete as f64 / whole as f64).abs();
                        assert!(off <= bias + 1e-12, "{}: {off} {known:?}", figures.method);
                        compared += 1;
                        moved += usize::from(off > 0.0);
                        nearest = nearest.max(off / bias.max(1e-12));
                    }
                }
            }
        }
    }
    assert!(compared > 1_000 && moved > 50 && nearest > 0.9, "{compared} {moved} {nearest}");
}
