//! Starting programs: what runs is printed, failures are errors.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, PathContext, Result};

/// A command line as one would type it; variables that were set come first.
pub fn shown(command: &Command) -> String {
    let quoted = |s: &OsStr| {
        let s = s.to_string_lossy();
        let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
        if !s.is_empty() && s.chars().all(plain) { s.into_owned() } else { format!("'{s}'") }
    };
    let variables =
        command.get_envs().filter_map(|(k, v)| Some(format!("{}={}", quoted(k), quoted(v?))));
    let words = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted);
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

fn start_error(command: &Command) -> impl FnOnce(std::io::Error) -> Error {
    let program = command.get_program().to_string_lossy().into_owned();
    |source| Error::Start { program, source }
}

fn failed(command: &Command, status: ExitStatus) -> Error {
    Error::Failed { command: shown(command), status: status.to_string() }
}

/// Prints the command on standard error, runs it and waits.
///
/// # Errors
/// Fails if it cannot be started or does not succeed.
pub fn run(command: &mut Command) -> Result<()> {
    eprintln!("+ {}", shown(command));
    quietly(command)
}

/// Runs a command without printing it.
///
/// # Errors
/// Fails if it cannot be started or does not succeed.
pub fn quietly(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(start_error(command))?;
    if status.success() { Ok(()) } else { Err(failed(command, status)) }
}

/// Runs a command and returns its standard output.
///
/// # Errors
/// Fails if it cannot be started or does not succeed; its standard error is in the error.
pub fn output(command: &mut Command) -> Result<String> {
    let out = command.stdin(Stdio::null()).output().map_err(start_error(command))?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
    }
    // Some programs print their errors on standard output.
    let printed = [&out.stderr, &out.stdout].map(|bytes| String::from_utf8_lossy(bytes));
    let printed = printed.iter().map(|text| text.trim()).find(|text| !text.is_empty());
    let status = format!("{}: {}", out.status, printed.unwrap_or_default());
    Err(Error::Failed { command: shown(command), status })
}

/// Runs a command with its two outputs in files. `None`: it was killed at its time limit.
///
/// # Errors
/// Fails if the files cannot be made or the program cannot be started.
pub fn to_files(
    command: &mut Command,
    out: &Path,
    err: &Path,
    limit: Duration,
) -> Result<Option<ExitStatus>> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(File::create(out).at(out)?)
        .stderr(File::create(err).at(err)?)
        .spawn()
        .map_err(start_error(command))?;
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().map_err(start_error(command))? {
            return Ok(Some(status));
        }
        if began.elapsed() > limit {
            // It may have ended by itself meanwhile, which is as well.
            let _ = child.kill();
            child.wait().map_err(start_error(command))?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Default number of jobs at a time: the number of cores.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// Calls `job` for every item, `jobs` at a time; the first error wins, after all have ended.
///
/// # Errors
/// The first error of a job.
pub fn parallel<T: Sync>(
    items: &[T],
    jobs: usize,
    job: impl Fn(&T) -> Result<()> + Sync,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            job(item)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> =
            (0..jobs.clamp(1, items.len().max(1))).map(|_| scope.spawn(work)).collect();
        let ended: Vec<Result<()>> =
            workers.into_iter().map(|w| w.join().expect("a job panicked")).collect();
        ended.into_iter().collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_stopped_at_its_time_limit() {
        let folder = tempfile::tempdir().unwrap();
        let (out, err) = (folder.path().join("out"), folder.path().join("err"));
        let mut sleep = Command::new("sleep");
        sleep.arg("30");
        let ended = to_files(&mut sleep, &out, &err, Duration::from_millis(20)).unwrap();
        assert!(ended.is_none());
    }

    #[test]
    fn words_that_a_shell_would_split_are_quoted() {
        let mut command = Command::new("echo");
        command.env("SEEDS", "1 2").args(["a b", "c=d", ""]);
        assert_eq!(shown(&command), "SEEDS='1 2' echo 'a b' c=d ''");
    }

    #[test]
    fn every_item_is_done_once_and_an_error_is_kept() {
        let done = AtomicUsize::new(0);
        let count = |_: &u8| {
            done.fetch_add(1, Ordering::Relaxed);
            Ok(())
        };
        parallel(&[0; 20], 3, count).unwrap();
        assert_eq!(done.into_inner(), 20);
        let refuse = |n: &u8| if *n == 2 { Err(Error::Wrong("two".into())) } else { Ok(()) };
        assert!(parallel(&[1, 2, 3], 2, refuse).is_err());
    }
}
