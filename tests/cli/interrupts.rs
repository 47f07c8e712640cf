//! Ctrl-C, TERM and HUP: nothing unfinished stays, and the exit status names the signal.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tests::sim::Rng;

use crate::support::{Work, pathlight};

/// Signals by the names that `kill` knows, with their numbers.
const SIGNALS: [(&str, i32); 3] = [("HUP", 1), ("INT", 2), ("TERM", 15)];

/// Starts the program with temporary files in `tmp`. Signals end it also where these tests were
/// started with some of them ignored, as background jobs are: GNU's `env` sees to that.
fn start(work: &Work, words: &str) -> Child {
    let program = pathlight(&work.path("."));
    let mut command = std::process::Command::new("env");
    command.arg("--default-signal=HUP,INT,TERM").arg(program.get_program());
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(work.path(".")).env("TMPDIR", work.path("tmp"));
    command.args(words.split_whitespace());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
}

fn kill(child: &mut Child, signal: &str) -> ExitStatus {
    let number = child.id().to_string();
    // The process may have ended; it is still there to be waited for.
    let sent = std::process::Command::new("kill").args(["-s", signal, &number]).status();
    assert!(sent.expect("kill starts").success());
    child.wait().expect("it ends")
}

/// All files below a folder, with their content.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(at) = left.pop() {
        for entry in std::fs::read_dir(&at).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                left.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below").display().to_string();
                found.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

/// The first output is staged, and the second one waits for a reader that never comes.
#[test]
fn a_signal_removes_the_unfinished_output() {
    for (signal, number) in SIGNALS {
        let work = Work::new();
        work.shell("mkfifo pipe; mkdir tmp").ok();
        let before = work.names();
        let words = "report --map app.plmap session.plt --folded out.folded --lcov pipe";
        let mut child = start(&work, words);
        let begun = Instant::now();
        while work.names() == before && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(work.names().len() > before.len(), "no file was begun");
        assert_eq!(kill(&mut child, signal).signal(), Some(number));
        assert_eq!(work.names(), before, "{signal}");
        assert!(files(&work.path("tmp")).is_empty());
    }
}

/// `nohup` and background jobs of scripts start programs that ignore a signal.
#[test]
fn an_ignored_signal_stays_ignored() {
    let work = Work::new();
    work.shell("mkfifo pipe").ok();
    let line = "trap '' HUP; pathlight report --map app.plmap session.plt --folded a.folded \
                --lcov pipe & sleep 1; kill -HUP $!; cat pipe > out.info; wait $!";
    work.shell(line).ok();
    assert!(work.read("out.info").starts_with(b"TN:"));
}

/// Moments of each command at which each signal ends it: 108 in all.
const MOMENTS: usize = 9;

/// Each command is ended at moments of its run: what is there afterwards is whole.
#[test]
fn whatever_the_moment_outputs_are_whole_or_as_before() {
    let commands = [
        "report --map app.plmap session.plt --html a.html --perfetto a.pftrace --folded a.folded",
        "instrument app.apk -o out.apk --map out.plmap",
        #[cfg(feature = "tables")]
        "tables --maps maps --out fleet --day 20261122 --shard 1 raw.tar.gz",
        "timetree build --map app.plmap session.plt -o session.pltt",
    ];
    let mut rng = Rng::new(3);
    for words in commands {
        let work = Work::new();
        let map = format!("maps/b{}.plmap", work.map().build);
        work.shell(&format!("mkdir tmp maps; cp app.plmap {map}; tar czf raw.tar.gz session.plt"))
            .ok();
        let before = files(&work.path("."));
        let begun = Instant::now();
        assert!(start(&work, words).wait().expect("it ends").success(), "{words}");
        let whole = begun.elapsed();
        let after = files(&work.path("."));
        assert!(after.len() > before.len() && !after.keys().any(|name| name.contains("tmp")));
        for (signal, number) in SIGNALS.repeat(MOMENTS) {
            for name in after.keys().filter(|name| !before.contains_key(*name)) {
                let _ = std::fs::remove_file(work.path(name));
            }
            let mut child = start(&work, words);
            std::thread::sleep(whole.mul_f64(rng.below(1000) as f64 / 1000.0));
            let status = kill(&mut child, signal);
            assert!(status.success() || status.signal() == Some(number), "{words}: {status}");
            for (name, bytes) in files(&work.path(".")) {
                assert!(after.get(&name) == Some(&bytes), "{words}: {signal} left {name}");
            }
        }
    }
}
