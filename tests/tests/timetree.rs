//! Time trees that are fed from logs answer for any interval as a list of all that ran does.
//! Judge: a sink of its own that keeps the whole list, and, of logs that are whole, the simulated
//! device's account of what ran.

use std::collections::BTreeMap;

use crate::decoder_support::collect;
use decoder::crew::Cores;
use decoder::log::Process;
use decoder::replay::{LoopRounds, PathEvent, PathSink, Program, Via};
use decoder::session::{Note, decode_thread, decode_thread_on};
use model::map::Map;
use model::recording::{Recording, TraceCodec};
use model::trace::{SLAB_HEADER, write_trace};
use reports::Weights;
use reports::traces::{FrameNames, Traces};
use tests::sim::{Event, Habits, Played, Rng, Shape, file_header, play, random_map, slabs};
use timetree::{Index, Interval, TreeOptions, methods};

const CODECS: [Recording; 6] = [
    Recording::ARITH,
    Recording::Trace(TraceCodec::ArithAdaptive),
    Recording::Trace(TraceCodec::ArithAdaptiveShift),
    Recording::Trace(TraceCodec::Huffman),
    Recording::Trace(TraceCodec::BallLarus),
    Recording::Trace(TraceCodec::Blocks),
];

/// A process with a log of some threads, and the device's account of them. If it is `damaged`,
/// slabs are missing.
fn log(rng: &mut Rng, damaged: bool) -> (Map, Process, Vec<Played>) {
    let recording = CODECS[rng.below(CODECS.len())];
    let mut shape = Shape::any(rng);
    shape.implied *= usize::from(!recording.records_gotos());
    let map = Map { recording, ..random_map(rng, &shape) };
    let size = 60 + rng.below(300);
    let (mut all, mut device) = (vec![], vec![]);
    for number in 1..=1 + rng.below(3) as u32 {
        let steps = 300 + rng.below(3000);
        let habits = Habits { unguarded: 0, keep: true, ..Habits::any(rng, steps) };
        let played = play(&map, &map, &format!("t{number}"), rng, habits);
        all.extend(slabs(&played, number, size, true));
        device.push(played);
    }
    if damaged {
        for _ in 0..(1 + rng.below(3)).min(all.len() - 1) {
            let at = rng.below(all.len());
            all.remove(at);
        }
    }
    for (slab, order) in all.iter_mut().zip(0..) {
        slab.0.order = order;
    }
    let head = file_header(&map, (size + SLAB_HEADER) as u32, 9);
    let file = write_trace(&head, all.iter().map(|(h, p)| (*h, &p[..])));
    let process = collect(&map, &file).processes.remove(0);
    (map, process, device)
}

/// Writes down each block that ran: when, and within which calls.
#[derive(Default)]
struct List {
    stack: Vec<u32>,
    time: u64,
    /// Each block: when, and the number of its call path.
    ran: Vec<(u64, usize)>,
    paths: BTreeMap<Vec<u32>, usize>,
}

impl List {
    fn clock_at(&mut self, us: u64) {
        self.time = self.time.max(us);
    }
}

impl PathSink for List {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.clock_at(times.begin_us),
            PathEvent::Clock(us) => self.clock_at(us),
            PathEvent::Enter { method, via } => {
                if matches!(via, Via::TopLevel(_)) {
                    self.stack.clear();
                }
                self.stack.push(method.0);
            }
            PathEvent::Block(_) => self.block(),
            PathEvent::Leave => {
                self.stack.pop();
            }
            PathEvent::Caught { dropped, .. } => {
                self.stack.truncate(self.stack.len() - dropped);
                self.block();
            }
            PathEvent::Unwound { dropped, .. } => self.stack.truncate(self.stack.len() - dropped),
            PathEvent::Note(Note::Resumed { .. }) => {
                self.stack.clear();
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        rounds.pass_each(self);
    }
}

impl List {
    fn block(&mut self) {
        let next = self.paths.len();
        let path = match self.paths.get(&self.stack) {
            Some(known) => *known,
            None => *self.paths.entry(self.stack.clone()).or_insert(next),
        };
        self.ran.push((self.time, path));
    }
}

/// The tree of a process.
fn tree(program: &Program<'_>, process: &Process, options: TreeOptions, cores: &Cores) -> Vec<u8> {
    let mut file = Vec::new();
    let weights = Weights::new(FrameNames(program), &mut file, options).unwrap();
    let mut traces = Traces::new(program, weights);
    traces.process(process);
    for thread in &process.threads {
        traces.thread(process, thread);
        let totals = decode_thread_on(cores, program, thread, &mut traces);
        traces.sinks().ended(&totals, 0);
    }
    traces.finish().unwrap();
    file
}

/// As the tree names methods.
fn name(map: &Map, method: u32) -> String {
    let m = &map.methods[method as usize - 1];
    let class = map.name(m.class).trim_start_matches('L').trim_end_matches(';').replace('/', ".");
    format!("{class}.{}", map.name(m.name))
}

type ByPath = BTreeMap<Vec<String>, u64>;

/// Blocks by call path: a scan of the list.
fn listed(map: &Map, list: &List, interval: Interval) -> ByPath {
    let mut counts = vec![0; list.paths.len()];
    for &(time, path) in &list.ran {
        counts[path] += u64::from((interval.from..interval.to).contains(&time));
    }
    let mut sums = ByPath::new();
    for (path, &number) in list.paths.iter().filter(|(_, n)| counts[**n] > 0) {
        *sums.entry(path.iter().map(|&m| name(map, m)).collect()).or_default() += counts[number];
    }
    sums
}

fn answer(index: &mut Index<Vec<u8>>, thread: usize, interval: Interval) -> ByPath {
    let names = index.names().unwrap();
    let answer = index.query(thread, interval).unwrap();
    let stats = answer.stats;
    assert!(stats.visited <= stats.most_visited() && stats.merged <= stats.most_merged());
    assert!(stats.partial <= 2);
    let rows = index.rows(&answer).unwrap();
    assert_eq!(methods(&rows).iter().map(|m| m.own).sum::<u64>(), answer.total);
    let mut paths = BTreeMap::new();
    let mut sums = ByPath::new();
    for row in rows {
        let mut path: Vec<String> = paths.get(&row.parent).cloned().unwrap_or_default();
        path.extend(row.method.map(|m| names[m as usize].clone()));
        if row.weight.own > 0 {
            *sums.entry(path.clone()).or_default() += row.weight.own;
        }
        paths.insert(row.id, path);
    }
    assert_eq!(sums.values().sum::<u64>(), answer.total);
    sums
}

/// An interval about the times of a list; sometimes empty, or all.
fn interval(list: &List, rng: &mut Rng) -> Interval {
    let mut place = || match rng.below(12) {
        0 => 0,
        1 => u64::MAX,
        _ if list.ran.is_empty() => 7,
        _ => list.ran[rng.below(list.ran.len())].0 + rng.below(2) as u64,
    };
    let (a, b) = (place(), place());
    Interval { from: a.min(b), to: a.max(b) }
}

fn compare(seed: u64, logs: usize, intervals: usize) {
    let mut rng = Rng::new(seed);
    let (mut blocks, mut part) = (0, 0);
    for at in 0..logs {
        let (map, process, _) = log(&mut rng, at % 3 == 2);
        let program = Program::new(&map);
        let options = TreeOptions {
            leaf: [1, 3, 16, 256][rng.below(4)],
            fanout: 2 + rng.below(6) as u32,
            keep: 10_000,
        };
        let cores = Cores::with_piece(1 + rng.below(3), 100);
        let mut index = Index::new(tree(&program, &process, options, &cores)).unwrap();
        assert_eq!(index.threads().len(), process.threads.len());
        for (number, thread) in process.threads.iter().enumerate() {
            let mut list = List::default();
            decode_thread(&program, thread, &mut list);
            blocks += list.ran.len();
            for _ in 0..intervals / process.threads.len() + 1 {
                let asked = interval(&list, &mut rng);
                let expected = listed(&map, &list, asked);
                let sum: u64 = expected.values().sum();
                part += usize::from(sum > 0 && sum < list.ran.len() as u64);
                assert_eq!(answer(&mut index, number, asked), expected, "log {at}, {asked:?}");
            }
        }
    }
    assert!(blocks > 100 * logs, "only {blocks} blocks ran");
    assert!(part > logs * intervals / 4, "only {part} intervals had some and not all of it");
}

#[test]
fn trees_of_logs_answer_what_a_list_says() {
    compare(1, 100, 100);
}

#[test]
#[ignore = "half a million intervals: minutes"]
fn trees_of_many_logs_answer_what_lists_say() {
    compare(2, 2000, 250);
}

#[test]
fn the_whole_of_a_tree_is_what_the_device_ran() {
    let mut rng = Rng::new(3);
    let mut seen = 0;
    for _ in 0..60 {
        let (map, process, device) = log(&mut rng, false);
        if device.iter().any(|played| played.killed) {
            continue;
        }
        let program = Program::new(&map);
        let options = TreeOptions { leaf: 5, ..TreeOptions::default() };
        let mut index = Index::new(tree(&program, &process, options, &Cores::new(1))).unwrap();
        for (number, played) in device.iter().enumerate() {
            let mut own = BTreeMap::<String, u64>::new();
            for event in &played.truth.events {
                let method = match event {
                    Event::Block(method, _) => *method,
                    // The handler's first block runs.
                    Event::Caught { handler, .. } => map.handlers[handler.0 as usize].method,
                    _ => continue,
                };
                *own.entry(name(&map, method.0)).or_default() += 1;
            }
            let all = answer(&mut index, number, Interval { from: 0, to: u64::MAX });
            let mut sums = BTreeMap::<String, u64>::new();
            // The device does not know of methods without probes.
            let knows = |path: &Vec<String>| !path.last().is_some_and(|m| m.contains(".implied"));
            for (mut path, blocks) in all.into_iter().filter(|(path, _)| knows(path)) {
                *sums.entry(path.pop().unwrap_or_default()).or_default() += blocks;
            }
            assert_eq!(sums, own);
            let thread = &index.threads()[number];
            assert_eq!((thread.outcome.refused, thread.outcome.missing), (0, 0));
            let last = played.times.iter().map(|t| t.1.unwrap_or(t.0)).max().unwrap_or(0);
            assert!(thread.outcome.end >= last, "{} is before {last}", thread.outcome.end);
            seen += own.values().sum::<u64>();
        }
    }
    assert!(seen > 10_000, "only {seen} blocks");
}
