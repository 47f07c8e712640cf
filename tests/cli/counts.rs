//! Count files: what `train` and `report` make of them.

use model::cells::{CellLayout, IDLE_CELLS, PAGE_CELLS, Site};
use model::counts::CountFile;
use model::map::{Map, MethodId};
use model::profile::Profile;
use tests::sim::identity;

use crate::support::Work;

/// A process that took each alternative of the first branch that is counted by itself `1, 2, …`
/// times, after the callback of method 1 had begun twice.
fn counted(map: &Map, pid: u32) -> (CountFile, MethodId) {
    let layout = CellLayout::new(map).unwrap();
    let branch = layout.sites().iter().find(|s| matches!(s.0, Site::Branch(..)));
    let &(Site::Branch(m, _), at) = branch.expect("a branch") else { unreachable!() };
    let (page, first) = (at.first / PAGE_CELLS, at.first % PAGE_CELLS);
    let mut cells = vec![0; PAGE_CELLS as usize];
    (0..at.count).for_each(|i| cells[(first + i) as usize] = u64::from(i) + 1);
    let mut idle = vec![0; IDLE_CELLS as usize];
    idle[..5].copy_from_slice(&[0, 1, 1, 1 << 32 | 1, 1]);
    let pages = [(page, cells), (layout.idle_page(), idle)].into();
    (CountFile { identity: identity(map, pid), pages, ..CountFile::default() }, m)
}

#[test]
fn train_takes_count_files_beside_logs() {
    let work = Work::new();
    let map = work.map();
    let (file, method) = counted(&map, 77);
    work.write("a.plc", file.to_bytes());
    work.write("b.plc", counted(&map, 78).0.to_bytes());
    let ran = work.run("train --map app.plmap a.plc -o counts.json").ok();
    assert!(ran.out.contains("1 session in the model"), "{}", ran.out);
    let model = Profile::from_bytes(&work.read("counts.json")).unwrap();
    let key = map.method_key(map.method(method).unwrap());
    let counts = model.methods[&key].branches.iter().map(|b| b.counts());
    let seen: Vec<Vec<u64>> = counts.filter(|c| c.iter().any(|n| *n > 0)).collect();
    assert_eq!(seen, [(1..=seen[0].len() as u64).collect::<Vec<_>>()]);
    let first = map.method_key(map.method(MethodId(1)).unwrap());
    assert_eq!(model.next_callbacks[""][&first], 1);
    assert_eq!(model.next_callbacks[&first][&first], 1);

    work.run("train --map app.plmap a.plc b.plc beta.log -o all.json").ok();
    work.run("train --map app.plmap beta.log -o log.json").ok();
    let sum = |name: &str| Profile::from_bytes(&work.read(name)).unwrap();
    let mut expected = sum("log.json");
    expected.merge(&model);
    expected.merge(&model);
    assert_eq!(sum("all.json"), expected);
}

#[test]
fn count_files_that_do_not_fit_are_named() {
    let work = Work::new();
    let map = work.map();
    let (file, _) = counted(&map, 77);
    let bytes = file.to_bytes();
    work.write("a.plc", &bytes);
    let train = |files: &str| work.run(&format!("train --map app.plmap {files} -o x.json"));
    train("a.plc a.plc").fails("a.plc: counts of process 77, of which another file was given");
    let mut other = file.clone();
    other.identity.build.0[0] ^= 1;
    work.write("other.plc", other.to_bytes());
    train("other.plc").fails("other.plc: counts of build ");
    work.write("empty.plc", [0; 4096]);
    let ran = train("empty.plc a.plc").ok();
    assert!(ran.err.contains("empty.plc: the file was made, but not begun"), "{}", ran.err);
    work.write("short.plc", &bytes[..100]);
    train("short.plc").fails("short.plc: the file ends inside its header, after 100 bytes");
    work.write("cut.plc", &bytes[..bytes.len() - 8]);
    std::fs::remove_file(work.path("x.json")).expect("the model from before");
    train("cut.plc").fails("cut.plc: the file ends inside page");
    assert!(work.path("x.json").exists(), "what is whole was counted");
}

/// Returns counts of branch directions and hits of lines of an lcov file.
fn taken(lcov: &[u8]) -> (Vec<u64>, u64) {
    let text = String::from_utf8(lcov.to_vec()).unwrap();
    let last = |line: &str| line.rsplit(',').next().unwrap().parse().unwrap_or(0);
    let of = |kind: &'static str| text.lines().filter(move |l| l.starts_with(kind)).map(last);
    (of("BRDA:").filter(|n| *n > 0).collect(), of("DA:").sum())
}

#[test]
fn report_takes_count_files_for_coverage() {
    let work = Work::new();
    let map = work.map();
    let (file, _) = counted(&map, 77);
    work.write("a.plc", file.to_bytes());
    let ran = work.run("report --map app.plmap a.plc --lcov counts.info").ok();
    assert!(ran.err.contains("of the blocks that ran by count files, "), "{}", ran.err);
    let (ways, lines) = taken(&work.read("counts.info"));
    assert_eq!(ways, (1..=ways.len() as u64).collect::<Vec<_>>());
    assert!(ways.len() > 1 && lines > 0);

    // Beside a log both count.
    work.run("report --map app.plmap beta.log --lcov log.info").ok();
    work.run("report --map app.plmap a.plc beta.log --lcov both.info").ok();
    let [log, both] = ["log.info", "both.info"].map(|name| taken(&work.read(name)));
    let sum = |ways: &[u64]| ways.iter().sum::<u64>();
    assert_eq!(sum(&both.0), sum(&log.0) + sum(&ways));
    assert_eq!(both.1, log.1 + lines);
}

#[test]
fn count_files_are_for_coverage_alone() {
    let work = Work::new();
    let (file, _) = counted(&work.map(), 77);
    work.write("a.plc", file.to_bytes());
    let ran = work.run("report --map app.plmap a.plc --lcov x.info --folded x.txt");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("count files are for --lcov, --jacoco, --cobertura alone"));
    let mut other = file;
    other.identity.build.0[0] ^= 1;
    work.write("other.plc", other.to_bytes());
    let ran = work.run("report --map app.plmap other.plc --lcov x.info");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("other.plc: of build "), "{}", ran.err);
    assert!(ran.err.contains("no log and no count file is of its build"), "{}", ran.err);
}
