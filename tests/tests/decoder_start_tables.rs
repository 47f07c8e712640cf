//! Logs of processes that begin with what earlier ones have learnt, against the simulated device.

use std::fs;
use std::path::Path;

use crate::decoder_support::{Ear, agree};
use decoder::log::{Collector, LogSet};
use decoder::replay::{Ended, FaultKind, Program};
use decoder::session::{Note, decode_thread};
use model::adaptive::initial;
use model::map::{BuildId, Map};
use model::recording::{Recording, TraceCodec};
use model::start_table::{StartTable, TableId};
use model::trace::{FileHeader, SLAB_HEADER, write_trace};
use tests::sim::{Habits, Played, Rng, Shape, file_header, play_from, random_map, sealed, slabs};

/// A build, and processes that each begin with what the one before has learnt.
struct Chain {
    map: Map,
    played: Vec<Played>,
    /// The table that each began with; none: the first.
    tables: Vec<Option<StartTable>>,
}

impl Chain {
    fn new(seed: u64, processes: usize) -> Chain {
        let mut rng = Rng::new(seed);
        let recording = [
            Recording::Trace(TraceCodec::ArithAdaptive),
            Recording::Trace(TraceCodec::ArithAdaptiveShift),
        ][seed as usize % 2];
        let shape = Shape::any(&mut rng);
        let map = Map { recording, ..random_map(&mut rng, &shape) };
        let map = Map::from_bytes(&sealed(map).to_bytes()).unwrap();
        let mut chain = Chain { map, played: vec![], tables: vec![] };
        let mut table: Option<(StartTable, Vec<u16>)> = None;
        for generation in 1..=processes as u32 {
            let map = &chain.map;
            let habits = Habits::any(&mut rng, 400);
            let cells = table.as_ref().map(|t| &t.1[..]);
            let played = play_from(map, map, "thread", &mut rng, habits, cells);
            let cells = played.cells.clone();
            chain.tables.push(table.map(|t| t.0));
            let next = StartTable::of(map.build, generation, &initial(map), &cells);
            // A table without changes is none.
            table = (!next.changes.is_empty()).then_some((next, cells));
            chain.played.push(played);
        }
        chain
    }

    fn log(&self, process: usize) -> Vec<u8> {
        let all = slabs(&self.played[process], 1, 200, true);
        let header = FileHeader {
            table: self.tables[process].as_ref().map(StartTable::id),
            ..file_header(&self.map, 200 + SLAB_HEADER as u32, process as u32 + 1)
        };
        write_trace(&header, all.iter().map(|(h, p)| (*h, &p[..])))
    }

    /// Writes the logs into a folder.
    fn logs(&self, dir: &Path) {
        for i in 0..self.played.len() {
            fs::write(dir.join(format!("{i}.plt")), self.log(i)).unwrap();
        }
    }

    fn table(&self, i: usize) -> &StartTable {
        self.tables[i].as_ref().expect("a table")
    }

    /// True if the decoded path of a process is what ran in it.
    fn right(&self, set: &LogSet, process: usize) -> bool {
        let Some(log) = set.processes.iter().find(|p| p.pid == process as u32 + 1) else {
            return false;
        };
        let program = Program::new(&self.map);
        let mut ear = Ear::new(&program);
        let faulty = log.threads.iter().map(|t| decode_thread(&program, t, &mut ear).faulty);
        if faulty.sum::<u64>() > 0 {
            return false;
        }
        let (part, truth) = (&ear.parts[0].events, &self.played[process].truth.events);
        let n = agree(&program, part, truth);
        // Or frames that no return shows the end of.
        let cut = ear.notes.last() == Some(&Note::Ended(Ended::Cut));
        n == part.len() && (cut || self.played[process].killed || n == truth.len())
    }
}

fn table_name(table: &StartTable) -> String {
    format!("pathlight-00010203-table-{}.plk", table.id())
}

fn lay(dir: &Path, table: &StartTable) {
    fs::write(dir.join(table_name(table)), table.to_bytes()).unwrap();
}

fn collect(map: &Map, dir: &Path, names: &[&str]) -> LogSet {
    let mut c = Collector::new(Some(map.build));
    for name in names {
        c.add_file(name, &dir.join(name)).unwrap();
    }
    c.finish()
}

const LOGS: [&str; 3] = ["0.plt", "1.plt", "2.plt"];

#[test]
fn a_chain_of_processes_decodes_to_what_ran() {
    let (mut with, mut wrong_without) = (0, 0);
    for seed in 0..300 {
        let chain = Chain::new(seed, 3);
        let dir = tempfile::tempdir().unwrap();
        chain.logs(dir.path());
        chain.tables.iter().flatten().for_each(|t| lay(dir.path(), t));
        let set = collect(&chain.map, dir.path(), &LOGS);
        assert_eq!(set.problems, [], "seed {seed}");
        for process in 0..3 {
            assert!(chain.right(&set, process), "seed {seed}, process {process}");
            let Some(table) = &chain.tables[process] else { continue };
            with += 1;
            let mut set = set.clone();
            for t in set.processes.iter_mut().flat_map(|p| &mut p.threads) {
                assert!(t.table.as_deref().is_none_or(|t| t.build == chain.map.build));
                t.table = None;
            }
            assert!(!table.changes.is_empty());
            wrong_without += usize::from(!chain.right(&set, process));
        }
    }
    // The test would prove nothing if tables made no difference.
    assert!(with > 300 && wrong_without > with / 2, "{wrong_without} of {with}");
}

/// A chain whose second and third process have tables.
fn chain() -> Chain {
    (1000..)
        .map(|seed| Chain::new(seed, 3))
        .find(|c| c.tables[1..].iter().all(Option::is_some))
        .unwrap()
}

#[test]
fn a_missing_table_is_named_and_costs_its_own_process_alone() {
    let chain = chain();
    let dir = tempfile::tempdir().unwrap();
    chain.logs(dir.path());
    lay(dir.path(), chain.table(2));
    let set = collect(&chain.map, dir.path(), &LOGS);
    let id = chain.table(1).id();
    let problems: Vec<String> = set.problems.iter().map(ToString::to_string).collect();
    let want = format!(
        "1.plt: process 2 is left out: it began with the start table {id}, which is not there; \
         give pathlight-*-table-{id}.plk, too"
    );
    assert_eq!(problems, [want]);
    assert!(chain.right(&set, 0) && !chain.right(&set, 1) && chain.right(&set, 2));
}

#[test]
fn tables_are_taken_as_inputs_wherever_they_lie() {
    let chain = chain();
    let dir = tempfile::tempdir().unwrap();
    chain.logs(dir.path());
    let folder = dir.path().join("tables");
    fs::create_dir(&folder).unwrap();
    chain.tables.iter().flatten().for_each(|t| lay(&folder, t));
    let tables: Vec<String> =
        chain.tables.iter().flatten().map(|t| format!("tables/{}", table_name(t))).collect();
    // In any order.
    let names = [&tables[0][..], "2.plt", "1.plt", &tables[1], "0.plt"];
    let set = collect(&chain.map, dir.path(), &names);
    assert_eq!(set.problems, []);
    assert!((0..3).all(|i| chain.right(&set, i)));
    // Out of pipes.
    let mut c = Collector::new(Some(chain.map.build));
    for name in names {
        c.add(name, &fs::read(dir.path().join(name)).unwrap()[..]).unwrap();
    }
    let set = c.finish();
    assert_eq!(set.problems, []);
    assert!((0..3).all(|i| chain.right(&set, i)));
}

#[test]
fn damaged_and_exchanged_tables_are_refused() {
    let chain = chain();
    let dir = tempfile::tempdir().unwrap();
    chain.logs(dir.path());
    lay(dir.path(), chain.table(2));
    let path = dir.path().join(table_name(chain.table(1)));
    let whole = chain.table(1).to_bytes();
    let refusal = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let set = collect(&chain.map, dir.path(), &LOGS);
        assert!(chain.right(&set, 0) && !chain.right(&set, 1) && chain.right(&set, 2));
        assert_eq!(set.problems.len(), 1, "{:?}", set.problems);
        set.problems[0].to_string()
    };
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        refusal(&bytes);
    }
    assert!(refusal(&whole[..whole.len() - 1]).contains("the file ends after"));
    assert!(refusal(b"").contains("not a start table"));
    let other = chain.table(2);
    assert!(refusal(&other.to_bytes()).contains(&format!("is {}", other.id())));
    fs::write(&path, &whole).unwrap();
    assert_eq!(collect(&chain.map, dir.path(), &LOGS).problems, []);
    // A damaged one that is given.
    let name = table_name(chain.table(1));
    fs::write(&path, &whole[..50]).unwrap();
    let set = collect(&chain.map, dir.path(), &[&name, "0.plt"]);
    assert_eq!(set.problems[0].to_string(), format!("{name}: the file ends after 50 bytes"));
}

/// A forger can make a table's id fit, and a log name it: its process is faulty as a whole.
#[test]
fn forged_tables_are_refused() {
    let chain = chain();
    let (map, good) = (&chain.map, chain.table(1));
    let cells = initial(map);
    let foreign = StartTable { build: BuildId([0x77; 16]), ..good.clone() };
    let more = StartTable { cells: good.cells + 1, ..good.clone() };
    let zeros = (0..).zip(&cells).map(|(i, _)| (i, 0)).collect();
    let zeros = StartTable { changes: zeros, ..good.clone() };
    let at = good.changes[0].0;
    let full = StartTable { changes: vec![(at, 0xFFFF)], ..good.clone() };
    for (forged, of_this_build) in [(foreign, false), (more, true), (zeros, true), (full, true)] {
        let dir = tempfile::tempdir().unwrap();
        let forged_chain = Chain {
            map: map.clone(),
            played: chain.played.clone(),
            tables: vec![None, Some(forged.clone()), None],
        };
        fs::write(dir.path().join("1.plt"), forged_chain.log(1)).unwrap();
        lay(dir.path(), &forged);
        let set = collect(map, dir.path(), &["1.plt"]);
        assert_eq!(set.processes.is_empty(), !of_this_build, "{:?}", set.problems);
        for thread in set.processes.iter().flat_map(|p| &p.threads) {
            let program = Program::new(map);
            let mut ear = Ear::new(&program);
            assert_eq!(decode_thread(&program, thread, &mut ear).faulty, 1);
            assert!(ear.parts.iter().all(|p| p.events.is_empty()));
            let first = ear.notes.first();
            assert!(
                matches!(first, Some(Note::Faulty(f)) if f.kind == FaultKind::StartTable),
                "{first:?}"
            );
        }
    }
}

/// Two inputs that agree in all but the table are two processes.
#[test]
fn logs_that_name_different_tables_are_not_joined() {
    let chain = chain();
    let dir = tempfile::tempdir().unwrap();
    chain.tables.iter().flatten().for_each(|t| lay(dir.path(), t));
    fs::write(dir.path().join("1.plt"), chain.log(1)).unwrap();
    let mut other = chain.log(1);
    other[28 + 45 + 11..28 + 45 + 19].copy_from_slice(&chain.table(2).id().0.to_be_bytes());
    let crc = crc32fast::hash(&[&other[..8], &other[28..28 + 45 + 19]].concat());
    other[24..28].copy_from_slice(&crc.to_be_bytes());
    fs::write(dir.path().join("2.plt"), &other).unwrap();
    let set = collect(&chain.map, dir.path(), &["1.plt", "2.plt"]);
    let ids: Vec<TableId> = (set.processes.iter())
        .flat_map(|p| &p.threads)
        .filter_map(|t| t.table.as_ref().map(|t| t.id()))
        .collect();
    assert_eq!(ids, [chain.table(1).id(), chain.table(2).id()]);
}
