//! `pathlight tables`: jobs that are killed, and memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{Work, pathlight};

/// A folder with a catalogue and this number of inputs.
fn fleet(inputs: usize) -> Work {
    let work = Work::new();
    let map = work.map();
    fs::create_dir_all(work.path("maps")).expect("a folder");
    fs::create_dir_all(work.path("raw")).expect("a folder");
    fs::copy(work.path("app.plmap"), work.path(&format!("maps/b{}.plmap", map.build)))
        .expect("copied");
    for n in 0..inputs {
        let name = format!("raw/s{n:05}.plt");
        fs::copy(work.path("session.plt"), work.path(&name)).expect("copied");
    }
    work
}

/// All files below a folder, but for those that were not finished.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if !path.file_name().expect("a name").to_string_lossy().starts_with(".pathlight-") {
            all.insert(path.clone(), fs::read(&path).expect("readable"));
        }
    }
    all
}

const JOB: &str = "tables --maps maps --day 1 --shard 1 --callbacks raw";

#[test]
fn a_killed_job_leaves_whole_files_and_its_repetition_the_same() {
    let work = fleet(600);
    let below = |out: &str| {
        let root = work.path(out);
        let name = |path: PathBuf| path.strip_prefix(&root).expect("below").to_owned();
        files(&root).into_iter().map(|(p, b)| (name(p), b)).collect::<BTreeMap<_, _>>()
    };
    work.run(&format!("{JOB} --out want")).ok();
    let want = below("want");
    assert_eq!(want.len(), 9, "{:?}", want.keys());
    let mut unfinished = 0;
    for ms in [2, 10, 20, 40, 80, 160] {
        let mut job = pathlight(&work.path("."))
            .args(JOB.split(' '))
            .args(["--out", "again"])
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(ms));
        job.kill().expect("it is ours");
        job.wait().expect("it has ended");
        let left = below("again");
        unfinished += usize::from(left.len() < want.len());
        assert!(left.iter().all(|(path, bytes)| want[path] == *bytes), "after {ms} ms");
    }
    assert!(unfinished > 0, "no job was killed in its midst");
    work.run(&format!("{JOB} --out again")).ok();
    assert!(below("again") == want);
}

/// Nobody writes to the pipe: a process that opens it waits for ever.
#[test]
fn a_pipe_in_a_folder_of_logs_is_an_error_and_no_end() {
    let work = fleet(1);
    work.shell("mkfifo raw/pipe.plt").ok();
    let ran = work.shell(&format!("timeout 60 pathlight {JOB} --out fleet"));
    // A pipe in place of a log is damage.
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("\"inputs\":2,\"sessions\":1,\"errors\":1"), "{}", ran.out);
}

#[test]
fn a_job_does_not_read_what_it_writes() {
    let work = fleet(1);
    for out in ["raw", "raw/fleet", ".", "./raw/../raw"] {
        let ran = work.run(&format!("{JOB} --out {out}")).fails("contain each other");
        assert!(ran.err.starts_with("pathlight: raw: the folder of outputs ("), "{}", ran.err);
    }
    assert_eq!(files(&work.path("raw")).len(), 1);
    work.run(&format!("{JOB} --out rawer")).ok();
}
