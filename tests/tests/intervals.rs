//! Of an interval, an index gives what a full decode prints, byte for byte, and that is what runs
//! in it. Judge: the full decode with the same filter; and all lines of a decode without one, from
//! which the callbacks are chosen by the times that they print.

use std::path::{Path, PathBuf};

use decoder::crew::Cores;
use decoder::log::{Collector, Process};
use decoder::places::IndexRecorder;
use decoder::replay::Program;
use decoder::session::decode_streamed_on;
use model::map::Map;
use model::protocol::Protocol;
use model::recording::{Recording, TraceCodec};
use model::trace::{SLAB_HEADER, SlabHeader, write_trace};
use reports::traces::{FrameNames, Traces};
use reports::{
    Both, Filter, IndexError, Interval, SessionIndex, TextOptions, Weights, write_json, write_text,
};
use tempfile::TempDir;
use tests::sim::{Habits, Rng, Shape, file_header, play, random_map, slabs};
use timetree::TreeOptions;

const CODECS: [Recording; 6] = [
    Recording::ARITH,
    Recording::Trace(TraceCodec::ArithAdaptive),
    Recording::Trace(TraceCodec::ArithAdaptiveShift),
    Recording::Trace(TraceCodec::Huffman),
    Recording::Trace(TraceCodec::BallLarus),
    Recording::Trace(TraceCodec::Blocks),
];

/// Logs of some processes in a folder, with their index.
struct Session {
    folder: TempDir,
    map: Map,
    processes: Vec<Process>,
    /// Begin of the callbacks, and their ends.
    times: Vec<u64>,
    bytes: usize,
}

/// Damages some slabs: takes them away, or changes what they hold under a sum that fits.
fn damage(rng: &mut Rng, all: &mut Vec<(SlabHeader, Vec<u8>)>) {
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(all.len());
        if rng.one_in(2) && all.len() > 1 {
            all.remove(at);
            continue;
        }
        let thread = all[at].0.thread;
        let later = |slab: &(SlabHeader, Vec<u8>)| slab.0.thread == thread && slab.0.sync.is_some();
        if rng.one_in(3)
            && all[at + 1..].iter().any(later)
            && let Some(sync) = &mut all[at].0.sync
        {
            sync.time = sync.time.wrapping_add(rng.below(100_000) as u32);
            continue;
        }
        let bytes = &mut all[at].1;
        if !bytes.is_empty() {
            let bit = rng.below(8 * bytes.len());
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

fn session(rng: &mut Rng, damaged: bool, steps: usize) -> Session {
    let folder = tempfile::tempdir().unwrap();
    let recording = CODECS[rng.below(CODECS.len())];
    let mut shape = Shape::any(rng);
    shape.implied *= usize::from(!recording.records_gotos());
    let map = Map { recording, ..random_map(rng, &shape) };
    let (mut paths, mut times, mut total) = (vec![], vec![], 0);
    for pid in 1..=1 + rng.below(2) as u32 {
        let size = 60 + rng.below(900);
        let mut all = vec![];
        for number in 1..=1 + rng.below(3) as u32 {
            let steps = 1 + rng.below(steps);
            let unguarded = if rng.one_in(2) { 0 } else { 40 };
            let habits = Habits { unguarded, swallow: 0, ..Habits::any(rng, steps) };
            let played = play(&map, &map, &format!("t{number}"), rng, habits);
            times.extend(played.times.iter().flat_map(|t| [Some(t.0), t.1]).flatten());
            all.extend(slabs(&played, number, size, true));
        }
        if damaged {
            damage(rng, &mut all);
        }
        for (slab, order) in all.iter_mut().zip(0..) {
            slab.0.order = order;
        }
        let head = file_header(&map, (size + SLAB_HEADER) as u32, pid);
        let file = write_trace(&head, all.iter().map(|(h, p)| (*h, &p[..])));
        total += file.len();
        let path = folder.path().join(format!("{pid}.plt"));
        std::fs::write(&path, file).unwrap();
        paths.push(path);
    }
    let processes = indexed(rng, &map, folder.path(), &paths);
    Session { folder, map, processes, times, bytes: total }
}

/// Writes the index of logs into a folder, and gives their processes.
fn indexed(rng: &mut Rng, map: &Map, folder: &Path, paths: &[PathBuf]) -> Vec<Process> {
    let collected = || {
        let mut collector = Collector::new(Some(map.build));
        for path in paths {
            collector.add_file(&path.display().to_string(), path).unwrap();
        }
        collector.finish_each().1
    };
    let mut left = collected();
    let program = Program::new(map);
    let out = std::fs::File::create(folder.join("s.pltt")).unwrap();
    let weights = Weights::new(FrameNames(&program), out, TreeOptions::default()).unwrap();
    let mut traces = Traces::new(&program, weights);
    while let Some(next) = left.next_streamed() {
        let mut process = next.unwrap().with_window(1 << rng.below(16));
        assert!(process.lasting());
        traces.process(process.process());
        traces.sinks().process_of(&process);
        for n in 0..process.process().threads.len() {
            traces.thread(process.process(), &process.process().threads[n]);
            let mut thread = process.thread(n).unwrap();
            let mut places = IndexRecorder::default();
            let cores = Cores::with_piece(1 + rng.below(2), 100);
            let mut both = Both(&mut traces, &mut places);
            decode_streamed_on(&cores, &program, &mut thread, &mut both).unwrap();
            traces.sinks().keep(&mut thread, places);
        }
    }
    traces.finish().unwrap();
    collected().map(Result::unwrap).collect()
}

impl Session {
    fn index(&self) -> SessionIndex {
        SessionIndex::open(&self.folder.path().join("s.pltt"), self.map.build).unwrap()
    }

    fn interval(&self, rng: &mut Rng) -> Interval {
        let place = |rng: &mut Rng| match rng.below(12) {
            0 => 0,
            1 => u64::MAX,
            _ if self.times.is_empty() => 7,
            _ => self.times[rng.below(self.times.len())] + rng.below(3) as u64 * 250,
        };
        let a = place(rng);
        let near = a.saturating_add(rng.below(20_000) as u64);
        let b = if rng.one_in(2) { near } else { place(rng) };
        Interval { from: a.min(b), to: a.max(b) }
    }
}

fn json(program: &Program<'_>, n: usize, process: &Process, filter: &Filter) -> String {
    let mut out = vec![];
    write_json(&mut out, program, (n, false), process, filter, &Cores::new(1)).unwrap();
    String::from_utf8(out).unwrap()
}

fn text(program: &Program<'_>, process: &Process, filter: &Filter) -> String {
    let mut out = vec![];
    let options = TextOptions { full: true, ..TextOptions::default() };
    write_text(&mut out, program, process, filter, options, &Cores::new(1)).unwrap();
    String::from_utf8(out).unwrap()
}

/// Without the byte at which a fault was noticed: that may lie behind what was read.
fn unnoticed(text: &str) -> String {
    let is_fault = |line: &str| line.contains("of the thread's stream (record at");
    let digits = |line: &str| line.replace(|c: char| c.is_ascii_digit(), "");
    let line = |line| if is_fault(line) { digits(line) } else { String::from(line) };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn same(full: &str, part: &str, what: &str) {
    let (full, part) = (&unnoticed(full)[..], &unnoticed(part)[..]);
    let differ = full.lines().zip(part.lines()).position(|(a, b)| a != b);
    let at = differ.unwrap_or(full.lines().count().min(part.lines().count()));
    let near =
        |text: &str| text.lines().skip(at.saturating_sub(2)).take(5).collect::<Vec<_>>().join("\n");
    assert!(full == part, "{what}, line {at}:\n{}\n--- not\n{}", near(full), near(part));
}

fn bytes(process: &Process) -> usize {
    process.threads.iter().flat_map(|t| &t.segments).map(|s| s.bytes.len()).sum()
}

/// Compares random intervals of random sessions; prints the share of bytes that was read.
fn compare(seed: u64, sessions: usize, intervals: usize) {
    let mut rng = Rng::new(seed);
    let (mut rows, mut read, mut all) = (0, 0, 0);
    for at in 0..sessions {
        let session = session(&mut rng, at % 3 == 2, if at % 5 == 4 { 60_000 } else { 4_000 });
        let program = Program::new(&session.map);
        let mut index = session.index();
        assert_eq!(index.count(), session.processes.len());
        for _ in 0..intervals {
            let interval = session.interval(&mut rng);
            let last = if rng.one_in(5) { Some(rng.below(3)) } else { None };
            let filter = Filter { interval: Some(interval), last, ..Filter::default() };
            for (n, whole) in session.processes.iter().enumerate() {
                let part = index.process(n, &filter, interval).unwrap();
                read += bytes(&part);
                all += bytes(whole);
                let (full, chosen_text) =
                    (json(&program, n, whole, &filter), json(&program, n, &part, &filter));
                same(&full, &chosen_text, &format!("session {at}, {interval:?}"));
                rows += full.lines().count() - 1;
                let (full, chosen_text) =
                    (text(&program, whole, &filter), text(&program, &part, &filter));
                same(&full, &chosen_text, &format!("session {at}, {interval:?}"));
            }
        }
    }
    assert!(rows > 10 * sessions * intervals, "only {rows} lines were compared");
    assert!(read < all * 3 / 4, "{read} of {all} bytes were read");
}

#[test]
fn an_index_gives_what_a_full_decode_prints() {
    compare(1, 40, 10);
}

#[test]
#[ignore = "20,000 intervals: minutes"]
fn an_index_gives_what_a_full_decode_prints_of_many_sessions() {
    compare(2, 1000, 20);
}

/// The field of a line of JSON that is a number.
fn field(line: &str, name: &str) -> Option<u64> {
    let rest = line.split(&format!("\"{name}\":")).nth(1)?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// Returns true for lines that are no part of a path.
fn is_note(line: &str) -> bool {
    ["process", "end", "unproven", "late"].iter().any(|e| line.contains(&format!("\"e\":\"{e}\"")))
}

#[test]
fn an_interval_has_the_callbacks_that_run_in_it() {
    let mut rng = Rng::new(3);
    let (mut chosen, mut left) = (0, 0);
    for _ in 0..40 {
        let session = session(&mut rng, false, 3_000);
        let program = Program::new(&session.map);
        let ends = session.map.protocol() == Protocol::Three;
        for process in &session.processes {
            let all = json(&program, 1, process, &Filter::default());
            for _ in 0..10 {
                let interval = session.interval(&mut rng);
                let filter = Filter { interval: Some(interval), ..Filter::default() };
                let printed = json(&program, 1, process, &filter);
                let printed: Vec<&str> = printed.lines().filter(|l| !is_note(l)).collect();
                let (mut expected, mut shown, mut thread) = (vec![], false, None);
                for line in all.lines().filter(|l| !is_note(l)) {
                    if thread != field(line, "t") {
                        (thread, shown) = (field(line, "t"), interval.from == 0);
                    }
                    if let Some(begin) = field(line, "begin_us") {
                        // Of whole logs only the last callback has no end, but for protocol 2.
                        let open = if ends { u64::MAX } else { begin };
                        let end = field(line, "took_us").map_or(open, |took| begin + took);
                        shown = begin < interval.to && end >= interval.from;
                    }
                    match shown {
                        true => expected.push(line),
                        false => left += 1,
                    }
                }
                chosen += expected.len();
                assert!(printed == expected, "{interval:?}\n{printed:#?}\nnot\n{expected:#?}");
            }
        }
    }
    assert!(chosen > 10_000 && left > 10_000, "{chosen} lines are printed, {left} are not");
}

#[test]
fn a_log_that_has_changed_is_refused_by_name() {
    let mut rng = Rng::new(4);
    let session = session(&mut rng, false, 20_000);
    let mut index = session.index();
    let all = Interval { from: 0, to: u64::MAX };
    let filter = Filter { interval: Some(all), ..Filter::default() };
    assert!(index.process(0, &filter, all).is_ok());
    let path = session.folder.path().join("1.plt");
    let mut log = std::fs::read(&path).unwrap();
    let half = log.len() / 2;
    log[half..].iter_mut().for_each(|byte| *byte ^= 1);
    std::fs::write(&path, &log).unwrap();
    let changed = session.index().process(0, &filter, all).unwrap_err().to_string();
    assert!(changed.contains("1.plt"), "{changed}");
    log.truncate(log.len() / 2);
    std::fs::write(&path, &log).unwrap();
    assert!(matches!(session.index().process(0, &filter, all), Err(IndexError::Input(_))));
    std::fs::remove_file(&path).unwrap();
    let gone = session.index().process(0, &filter, all).unwrap_err().to_string();
    assert!(gone.contains("1.plt"), "{gone}");
    assert!(session.bytes > 0);
}

/// Slabs that may be read beside those of the interval's callbacks, the one before and the one
/// behind: up to 2 KiB at each side.
const BESIDE: u32 = 6;

#[test]
fn few_slabs_are_read_beside_those_of_the_interval() {
    let mut rng = Rng::new(6);
    let mut asked = 0;
    for _ in 0..12 {
        let folder = tempfile::tempdir().unwrap();
        let shape = Shape::any(&mut rng);
        let map = Map { recording: Recording::ARITH, ..random_map(&mut rng, &shape) };
        let size = 980;
        let habits = Habits { unguarded: 0, ..Habits::any(&mut rng, 200_000) };
        let played = play(&map, &map, "t", &mut rng, habits);
        let all = slabs(&played, 1, size, true);
        let head = file_header(&map, (size + SLAB_HEADER) as u32, 1);
        let path = folder.path().join("1.plt");
        let file = write_trace(&head, all.iter().map(|(h, p)| (*h, &p[..])));
        std::fs::write(&path, file).unwrap();
        let processes = indexed(&mut rng, &map, folder.path(), &[path]);
        // Records have the places and times of the callbacks before them.
        let slab = |at: usize| (at / size) as u32;
        let mut index = SessionIndex::open(&folder.path().join("s.pltt"), map.build).unwrap();
        for pair in played.records.windows(4).step_by(7) {
            let ticks = u64::from(map.protocol().tick_us());
            let (from, to) = (u64::from(pair[1].time) * ticks, u64::from(pair[2].time) * ticks);
            if pair[0].time >= pair[1].time || from >= to {
                continue;
            }
            let interval = Interval { from: from + 1, to };
            let part = index.process(0, &Filter::default(), interval).unwrap();
            let read: u32 = part.threads[0].segments.iter().map(|s| s.slabs).sum();
            let own = slab(pair[3].at) - slab(pair[0].at) + 1;
            assert!(read <= own + BESIDE, "{read} slabs for {own} of {}", all.len());
            asked += 1;
        }
        assert_eq!(processes.len(), 1);
    }
    assert!(asked > 200, "only {asked} intervals");
}

/// An interval, decoded through an index; `None` if the index is refused.
fn by_index(session: &Session, path: &Path, interval: Interval) -> Option<String> {
    let program = Program::new(&session.map);
    let mut index = SessionIndex::open(path, session.map.build).ok()?;
    let filter = Filter { interval: Some(interval), ..Filter::default() };
    let mut all = String::new();
    for n in 0..index.count().min(5) {
        all += &json(&program, n, &index.process(n, &filter, interval).ok()?, &filter);
    }
    Some(all)
}

#[test]
fn a_damaged_index_is_refused_and_a_forged_one_does_no_harm() {
    let mut rng = Rng::new(5);
    let session = session(&mut rng, false, 8_000);
    let path = session.folder.path().join("s.pltt");
    let whole = std::fs::read(&path).unwrap();
    let wrong = session.folder.path().join("wrong.pltt");
    let (mut refused, mut used) = (0, 0);
    for case in 0..1500 {
        let interval = session.interval(&mut rng);
        let truth = by_index(&session, &path, interval);
        assert!(truth.is_some());
        let mut file = whole.clone();
        let forged = case % 2 == 0;
        if forged {
            let forge = |contents: &mut Vec<u8>, directory: u64| {
                // Half of the changes hit the directory at the end.
                let from = if case % 4 == 0 { directory as usize } else { 0 };
                mutation::overwrite(&mut contents[from..], &mut rng);
            };
            file = timetree::with_other_contents(file, forge).unwrap();
        } else {
            mutation::overwrite(&mut file, &mut rng);
        }
        std::fs::write(&wrong, &file).unwrap();
        let answer = by_index(&session, &wrong, interval);
        assert!(forged || answer.is_none() || answer == truth, "damage changed an answer");
        refused += u32::from(!forged && answer.is_none());
        used += u32::from(forged && answer.is_some());
    }
    assert!(refused > 500 && used > 50, "{refused} refused, {used} forged ones used");
}
