//! Tables that go from one process to the next: `runtime/test/Adapting.java` plays the processes,
//! `model::start_table`, `model::adaptive` and `model::coder` read what they wrote.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};

use model::adaptive::Rule;
use model::map::BuildId;
use model::start_table::{StartTable, TableId};
use model::trace::TraceFile;

use super::adapting::{branches, input, read_reporting};
use super::host::{classes, driver, stream, threads};

type Branches = Vec<(u32, Vec<u16>)>;

const RULE: Rule = Rule::Inc { inc: 4096, floor: 4096 };
const OPS: u32 = 3000;

/// A process that has been given its script.
fn start(dir: &Path, rule: Rule, branches: &Branches, seed: u32) -> Child {
    let mut java =
        driver(classes(), dir, &["adapt", "0", "0", "0", "SLAB=256", "KEEP_TABLES=true"]);
    let mut child = java.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&input(rule, branches, seed, OPS)).unwrap();
    child
}

/// The log of a process that has ended, which is taken out of the folder's list.
fn log_of(dir: &Path, child: &mut Child) -> Vec<u8> {
    assert!(child.wait().unwrap().success());
    let pid = format!("-{}-", child.id());
    let logs = names(dir, ".plt").into_iter().filter(|n| n.contains(&pid)).collect::<Vec<_>>();
    assert_eq!(logs.len(), 1);
    fs::read(dir.join(&logs[0])).unwrap()
}

fn play(dir: &Path, rule: Rule, branches: &Branches, seed: u32) -> Vec<u8> {
    log_of(dir, &mut start(dir, rule, branches, seed))
}

fn names(dir: &Path, end: &str) -> Vec<String> {
    let all = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut all: Vec<_> = all.filter(|n| n.ends_with(end)).collect();
    all.sort();
    all
}

fn table_name(id: TableId) -> String {
    format!("pathlight-00010203-table-{id}.plk")
}

/// The tables in the folder, by generation. Each has the name of its id.
fn tables(dir: &Path) -> Vec<StartTable> {
    let read = |name: &String| {
        let table = StartTable::parse(&fs::read(dir.join(name)).unwrap()).unwrap();
        assert_eq!(*name, table_name(table.id()));
        table
    };
    let mut all: Vec<_> = names(dir, ".plk").iter().map(read).collect();
    all.sort_by_key(|t| t.generation);
    all
}

/// The branches as a process has them that begins with this table.
fn with(branches: &Branches, table: &StartTable) -> Branches {
    let mut cells: Vec<u16> = vec![];
    for (at, freqs) in branches {
        cells.resize(*at as usize, 0);
        cells.extend(if freqs.len() > 2 { Some(freqs.len() as u16) } else { None });
        cells.extend(if freqs.len() > 2 { &freqs[..] } else { &freqs[..1] });
    }
    assert_eq!(table.cells as usize, cells.len());
    table.changes.iter().for_each(|&(at, value)| cells[at as usize] = value);
    let freqs = |(at, old): &(u32, Vec<u16>)| {
        let at = *at as usize;
        let now = match old.len() {
            2 => vec![cells[at], 65_535 - cells[at]],
            n => cells[at + 1..=at + n].to_vec(),
        };
        (at as u32, now)
    };
    branches.iter().map(freqs).collect()
}

/// The bytes of a log's stream, and what its branches were at the end of each callback. The log
/// is read with the table that it names.
fn read(
    dir: &Path,
    bytes: &[u8],
    rule: Rule,
    from: &Branches,
    seed: u32,
) -> (usize, Vec<Branches>) {
    let file = TraceFile::parse(bytes).unwrap();
    assert_eq!(file.version, 6);
    let began = match file.header.table {
        None => from.clone(),
        Some(id) => {
            let table = StartTable::parse(&fs::read(dir.join(table_name(id))).unwrap()).unwrap();
            with(from, &table)
        }
    };
    let (_, data) = stream(&threads(bytes)[&1]);
    let mut states = vec![began.clone()];
    let report = |now: &[Vec<u16>]| {
        states.push(from.iter().map(|b| b.0).zip(now.iter().cloned()).collect());
    };
    assert_eq!(read_reporting(&data, rule, &began, seed, OPS, report).len(), 1);
    (data.len(), states)
}

/// Each frequency is between the least and the largest that it was, less what rounding takes.
fn within(kept: &Branches, states: &[Branches]) {
    for (i, (at, freqs)) in kept.iter().enumerate() {
        for (j, &f) in freqs.iter().enumerate() {
            let was = || states.iter().map(|s| s[i].1[j]);
            let (least, most) = (was().min().unwrap(), was().max().unwrap());
            let slack = if freqs.len() > 2 { 20 * freqs.len() as u16 } else { 1 };
            let fits = (least.saturating_sub(slack)..=most.saturating_add(slack)).contains(&f);
            assert!(fits, "cell {at}, alternative {j}: {f} is not in {least} … {most}");
        }
    }
}

#[test]
fn a_process_begins_with_what_the_last_one_has_learnt() {
    for (i, rule) in [RULE, Rule::Shift(5)].into_iter().enumerate() {
        let branches = branches(i as u64 + 20);
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let mut lengths = vec![];
        let mut last = None;
        for process in 0..3 {
            let log = play(dir, rule, &branches, 5);
            let named = TraceFile::parse(&log).unwrap().header.table;
            assert_eq!(named, last, "process {process}");
            let (length, states) = read(dir, &log, rule, &branches, 5);
            let newest = tables(dir).pop().unwrap();
            if Some(newest.id()) != last {
                let kept = with(&branches, &newest);
                within(&kept, &states);
            }
            last = Some(newest.id());
            lengths.push(length);
        }
        // The same decisions.
        assert!(lengths[1] < lengths[0] * 9 / 10, "{rule:?}: {lengths:?}");
    }
}

#[test]
fn two_processes_at_once_name_tables_that_are_there() {
    let branches = branches(30);
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for round in 0..4 {
        let seeds = [10 + round, 50 + round, 90 + round];
        let mut both = seeds.map(|seed| start(dir, RULE, &branches, seed));
        for (child, seed) in both.iter_mut().zip(seeds) {
            read(dir, &log_of(dir, child), RULE, &branches, seed);
        }
        tables(dir);
    }
}

/// SIGKILL at moments that differ: no table is half there, and none that a log names is missing.
#[test]
fn kills_leave_whole_tables() {
    let branches = branches(60);
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for round in 0..12 {
        let mut child = start(dir, RULE, &branches, 200 + round);
        // From before the first probe to the end.
        std::thread::sleep(std::time::Duration::from_millis(60 + 35 * u64::from(round)));
        child.kill().unwrap();
        child.wait().unwrap();
        let ids: Vec<TableId> = tables(dir).iter().map(StartTable::id).collect();
        for name in names(dir, ".plt") {
            // A header that was not finished is no log yet.
            if let Ok(log) = TraceFile::parse(&fs::read(dir.join(name)).unwrap()) {
                assert!(log.header.table.is_none_or(|id| ids.contains(&id)));
            }
        }
    }
    let log = play(dir, RULE, &branches, 5);
    read(dir, &log, RULE, &branches, 5);
}

/// A process that was killed between the temporary name and the right one; a table that somebody
/// damaged; one of another build; one whose frequencies are none: nothing of it is taken.
#[test]
fn what_is_no_table_is_not_begun_with() {
    let branches = branches(40);
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    play(dir, RULE, &branches, 5);
    let good = tables(dir).pop().unwrap();
    let half = ".pathlight-00010203-999999999-1.tmp";
    fs::write(dir.join(half), &good.to_bytes()[..30]).unwrap();
    let newer = StartTable { generation: good.generation + 1, ..good.clone() };
    let mut damaged = newer.to_bytes();
    damaged[60] ^= 1;
    fs::write(dir.join(table_name(TableId(1))), damaged).unwrap();
    let foreign = StartTable { build: BuildId([9; 16]), ..newer.clone() };
    let pair = branches.iter().find(|b| b.1.len() == 2).unwrap().0;
    let wide = branches.iter().find(|b| b.1.len() > 2).unwrap().0;
    let forged = [(pair, 0), (pair, 65_535), (wide, 900), (wide + 1, 0), (wide + 1, 60_001)]
        .map(|change| StartTable { changes: vec![change], ..newer.clone() });
    let short = StartTable { cells: good.cells - 1, changes: vec![], ..newer };
    for table in forged.iter().chain([&foreign, &short]) {
        fs::write(dir.join(table_name(table.id())), table.to_bytes()).unwrap();
    }
    let log = play(dir, RULE, &branches, 6);
    assert_eq!(TraceFile::parse(&log).unwrap().header.table, Some(good.id()));
    read(dir, &log, RULE, &branches, 6);
    assert!(!dir.join(half).exists());
}

#[test]
fn tables_that_no_log_names_are_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let branches = branches(50);
    play(dir, RULE, &branches, 1);
    let first = tables(dir).pop().unwrap();
    let second = play(dir, RULE, &branches, 1);
    assert_eq!(TraceFile::parse(&second).unwrap().header.table, Some(first.id()));
    let lay = |table: &StartTable, end: &str| {
        let name = table_name(table.id()).replace(".plk", end);
        let name = name.replacen("00010203", &table.build.to_string()[..8], 1);
        fs::write(dir.join(&name), table.to_bytes()).unwrap();
        name
    };
    let nearly_empty = |generation| {
        let pair = branches.iter().find(|b| b.1.len() == 2).unwrap().0;
        StartTable { generation, changes: vec![(pair, 1000)], ..first.clone() }
    };
    for generation in 1000..1010 {
        lay(&nearly_empty(generation), ".plk");
    }
    // What a sweep that was broken off has left: one that a log names, one that none does.
    fs::remove_file(dir.join(table_name(first.id()))).unwrap();
    lay(&first, "-2.plk");
    lay(&nearly_empty(1), "-2.plk");
    // Of other builds: of now, and of long ago.
    let other = lay(&StartTable { build: BuildId([8; 16]), ..first.clone() }, ".plk");
    let old = lay(&StartTable { build: BuildId([9; 16]), ..first.clone() }, ".plk");
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(9 * 24 * 3600);
    File::options().write(true).open(dir.join(&old)).unwrap().set_modified(long_ago).unwrap();
    let third = play(dir, RULE, &branches, 2);
    let newest = TraceFile::parse(&third).unwrap().header.table.unwrap();
    assert_eq!(newest, nearly_empty(1009).id(), "that of the highest generation");
    fs::remove_file(dir.join(&other)).unwrap();
    let (left, named) = (tables(dir), [first.id(), newest]);
    assert!(named.iter().all(|id| left.iter().any(|t| t.id() == *id)), "{left:?}");
    // The third process wrote at most four since it swept last.
    let written = left.iter().filter(|t| !named.contains(&t.id()));
    assert!(written.clone().all(|t| t.generation > 1009) && (1..=4).contains(&written.count()));
    read(dir, &second, RULE, &branches, 1);
    read(dir, &third, RULE, &branches, 2);
}
