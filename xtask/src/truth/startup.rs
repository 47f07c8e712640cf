//! The first probes of a process at the end of a stack, in more and more of its last frames.
//!
//! Nothing but StackOverflowError may reach the app, ART must not crash, and what runs with enough
//! stack later must be in the log.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::compilers::{files_below, javac, r8};
use crate::error::{PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::session::Vm;
use crate::fixtures::tail;
use crate::process::{output, to_files};
use crate::tally::Tally;
use crate::workspace::Workspace;

const FRAMES: [u32; 11] = [1, 2, 3, 4, 6, 10, 20, 50, 100, 300, 1000];
/// Calls of `App.callee` that the main thread makes.
const CALLS: usize = 3000;

/// Recompiles startup/java.
///
/// # Errors
/// Fails if a compiler is missing.
pub fn make(here: &Workspace) -> Result<()> {
    let work = scratch()?;
    let (folder, classes) = (here.path("tests/truth/startup"), work.path().join("classes"));
    javac(&folder.join("java"), &classes, &["-Xlint:-options"], None)?;
    let mut d8 = r8(here, "D8")?;
    d8.args(["--release", "--min-api", "24", "--no-desugaring", "--output"]).arg(work.path());
    output(d8.args(files_below(&classes, "class")?))?;
    let dex = work.path().join("classes.dex");
    fs::copy(&dex, folder.join("program.dex")).at(&dex).map(drop)
}

/// Runs the program with each number of frames on every ART.
///
/// # Errors
/// Fails if something reaches the app or lacks in the log without a word.
pub fn run(here: &Workspace) -> Result<()> {
    let work = scratch()?;
    let (dex, map) = (work.path().join("app.dex"), work.path().join("app.plmap"));
    let mut instrument = Command::new(here.pathlight()?);
    instrument
        .args(["instrument", "--force"])
        .arg(here.path("tests/truth/startup/program.dex"))
        .arg("-o")
        .arg(&dex);
    output(instrument.arg("--map").arg(&map).args(["--exclude", "Main"]))?;
    let mut tally = Tally::default();
    for vm in Vm::ART {
        for frames in FRAMES {
            let outcome = one(vm, frames, &dex, &map, work.path(), here)?;
            tally.count(&format!("{}, {frames} frames", vm.name()), outcome);
        }
    }
    tally.finish()
}

type Outcome = std::result::Result<String, String>;

fn one(
    vm: Vm,
    frames: u32,
    dex: &Path,
    map: &Path,
    work: &Path,
    here: &Workspace,
) -> Result<Outcome> {
    let [logs, out, err] = ["logs", "out", "err"].map(|name| work.join(name));
    let _ = fs::remove_dir_all(&logs);
    fs::create_dir(&logs).at(&logs)?;
    let mut art = vm.art_command(here)?;
    art.arg("-cp")
        .arg(dex)
        .arg(format!("-Dpathlight.dir={}", logs.display()))
        .arg("Main")
        .arg(frames.to_string());
    let ended = to_files(&mut art, &out, &err, Duration::from_secs(120))?;
    let printed = fs::read_to_string(&out).at(&out)?;
    let numbers: Vec<usize> = printed.split_whitespace().map_while(|w| w.parse().ok()).collect();
    // Of 3,000 calls, work(3) and work(4) give 1 and 0, 1,000 times each.
    let (true, &[1000, back]) = (ended.is_some_and(|s| s.success()), &numbers[..]) else {
        let ended = ended.map_or("stopped at its time limit".into(), |s| s.to_string());
        return Ok(Err(format!("{ended}: {} {}", printed.trim(), tail(&err)?)));
    };
    let (paths, messages) = (work.join("paths"), work.join("messages"));
    let mut decode = Command::new(here.pathlight()?);
    decode.arg("decode").arg("--map").arg(map).args(sorted(&logs)?);
    let decoded = to_files(&mut decode, &paths, &messages, Duration::from_secs(600))?;
    if !decoded.is_some_and(|s| s.success()) {
        return Ok(Err(format!("decode: {}", tail(&messages)?)));
    }
    let read = |file: &Path| fs::read_to_string(file).at(file);
    Ok(judge(back, &read(&paths)?, &read(&messages)?))
}

/// The main thread lacks nothing. The thread "deep" may lack its beginning, and then the log
/// records that; or has no stack for a record before it ends, and the log records that, too.
/// `back`: calls of "deep" that returned.
fn judge(back: usize, paths: &str, messages: &str) -> Outcome {
    let main = calls(paths, "\"main\"");
    if main != CALLS {
        return Err(format!("{main} calls of the main thread in the log"));
    }
    let deep = calls(paths, "\"deep\"");
    let late = paths.matches("this thread ran before").count();
    let none = messages.lines().filter(|l| l.contains("ran without being recorded")).count();
    let wanted = (usize::from(deep > 0 && deep < back), usize::from(deep == 0 && back > 0));
    if (late, none) != wanted {
        return Err(format!(
            "{deep} of {back} calls of \"deep\" are in the log, \
             which reports them {late} and {none} times"
        ));
    }
    let word = if late + none > 0 { ", and the log reports it" } else { "" };
    Ok(format!("{main} calls; of \"deep\" {deep} of {back}{word}"))
}

/// Lines that name `App.callee` in threads of this name.
fn calls(paths: &str, thread: &str) -> usize {
    let mut on = false;
    let mut found = 0;
    for line in paths.lines() {
        if line.starts_with("===") {
            on = line.contains(thread);
        }
        found += usize::from(on && line.contains("App.callee"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(deep: usize) -> String {
        let call = "  App.callee(I)I\n";
        format!(
            "=== p, thread 2 \"deep\"\n{}=== p, thread 1 \"main\"\n{}",
            call.repeat(deep),
            call.repeat(CALLS)
        )
    }

    #[test]
    fn a_thread_that_lacks_calls_without_a_word_is_found() {
        assert!(judge(5, &log(5), "").is_ok());
        assert!(judge(5, &log(3), "").is_err());
        assert!(judge(5, &format!("{}this thread ran before\n", log(3)), "").is_ok());
        assert!(judge(5, &log(0), "").is_err());
        assert!(judge(5, &log(0), "1 thread ran without being recorded\n").is_ok());
    }

    #[test]
    fn a_call_of_the_main_thread_that_is_missing_is_found() {
        assert!(judge(0, &log(0).replacen("  App.callee(I)I\n", "", 1), "").is_err());
    }
}
