//! Damaged files of every kind, in children with limits of memory and time (see `tests/mutants`).
//!
//! A child prints a line before and after each case, so it is known which one it died of or hangs
//! in; another child continues after it. A finding names kind, seed and case, which repeat it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::error::{Error, PathContext, Result};
use crate::workspace::Workspace;

const KINDS: [&str; 11] = [
    "dex", "zip", "axml", "pkcs12", "profile", "map", "model", "mapping", "trace", "logcat",
    "stack",
];
/// KiB of memory that a child may ask the system for: 1 GiB.
const MEMORY: u64 = 1 << 20;
/// A case that takes longer is a finding.
const LIMIT: Duration = Duration::from_secs(10);
/// To begin with, a child makes its seed files.
const START: Duration = Duration::from_secs(120);
/// Findings of one kind after which the run ends.
const ENOUGH: usize = 20;

/// Files to damage, number of cases, and the first case.
#[derive(Args)]
pub struct MutantOptions {
    /// Only this kind (repeatable): dex, zip, axml, pkcs12, profile, map, model, mapping, trace,
    /// logcat, stack
    kind: Vec<String>,
    /// Cases of each kind
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// The same seed gives the same cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only the case of this number
    #[arg(long)]
    case: Option<u64>,
    /// Cases between two that the program also gets (0: never)
    #[arg(long, default_value_t = 50)]
    every: u64,
    /// End a kind after SECONDS; prints the cases left out
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    /// Write the files of the cases into this folder
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Begin with this file in place of the repository's own (repeatable; needs one kind)
    #[arg(long, value_name = "FILE", requires = "kind")]
    input: Vec<PathBuf>,
}

/// Outcome of the cases of one kind.
#[derive(Default)]
struct KindOutcome {
    cases: u64,
    used: u64,
    findings: usize,
    slowest: Duration,
    /// The largest peak of a child, in KiB.
    peak: u64,
}

/// A child that runs cases, and its lines.
struct Runner {
    child: Child,
    lines: Receiver<String>,
}

impl Runner {
    fn start(command: &mut Command) -> Result<Runner> {
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|source| Error::Start { program, source })?;
        let (sender, lines) = channel();
        if let Some(out) = child.stdout.take() {
            thread::spawn(move || {
                // When the child is gone or nobody listens, the lines end.
                BufReader::new(out)
                    .lines()
                    .map_while(std::io::Result::ok)
                    .all(|line| sender.send(line).is_ok())
            });
        }
        Ok(Runner { child, lines })
    }

    /// Ends the child; returns how it ended.
    fn end(mut self) -> String {
        // It may have ended by itself.
        let _ = self.child.kill();
        self.child.wait().map_or_else(|e| e.to_string(), |status| status.to_string())
    }
}

/// Runs the cases.
///
/// # Errors
/// Fails if there is a finding.
pub fn run(options: &MutantOptions, here: &Workspace) -> Result<()> {
    here.development_binaries()?;
    if let Some(folder) = &options.save {
        std::fs::create_dir_all(folder).at(folder)?;
    }
    let kinds: Vec<&str> = if options.kind.is_empty() {
        KINDS.to_vec()
    } else {
        options.kind.iter().map(String::as_str).collect()
    };
    if kinds.len() > 1 && !options.input.is_empty() {
        return Err(Error::Wrong("--input needs one kind".into()));
    }
    let mut findings = 0;
    println!(
        "{:<8} {:>8} {:>8} {:>8} {:>8} {:>10} {:>8}",
        "", "cases", "used", "findings", "seconds", "slowest ms", "MiB"
    );
    for kind in kinds {
        let began = Instant::now();
        let outcome = one(kind, options, here)?;
        println!(
            "{kind:<8} {:>8} {:>8} {:>8} {:>8} {:>10} {:>8}",
            outcome.cases,
            outcome.used,
            outcome.findings,
            began.elapsed().as_secs(),
            outcome.slowest.as_millis(),
            outcome.peak >> 10
        );
        if outcome.findings == 0 && outcome.used == 0 && options.case.is_none() {
            return Err(Error::Wrong(format!(
                "{kind}: no case was good enough to be used: the damage is too coarse"
            )));
        }
        findings += outcome.findings;
    }
    println!("{} passed, {findings} failed", usize::from(findings == 0));
    if findings == 0 { Ok(()) } else { Err(Error::Wrong(format!("{findings} findings"))) }
}

fn command(kind: &str, from: u64, to: u64, options: &MutantOptions, here: &Workspace) -> Command {
    let built = here.target.join("debug");
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -v \"$0\" && exec \"$@\"", &MEMORY.to_string()])
        .arg(built.join("mutants"));
    command.args([
        "--kind",
        kind,
        "--seed",
        &options.seed.to_string(),
        "--every",
        &options.every.to_string(),
    ]);
    command.args(["--from", &from.to_string(), "--to", &to.to_string()]);
    command.arg("--program").arg(built.join("pathlight"));
    if let Some(folder) = &options.save {
        command.arg("--save").arg(folder);
    }
    // One thread: each has memory of its own, and runs must be alike.
    command.args(&options.input).env("RAYON_NUM_THREADS", "1").env("RUST_BACKTRACE", "0");
    command
}

fn one(kind: &str, options: &MutantOptions, here: &Workspace) -> Result<KindOutcome> {
    let (mut next, to) = options.case.map_or((0, options.count), |case| (case, case + 1));
    let end = options.time.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut outcome = KindOutcome::default();
    while next < to && outcome.findings < ENOUGH && end.is_none_or(|end| Instant::now() < end) {
        let runner = Runner::start(&mut command(kind, next, to, options, here))?;
        let stopped = listen(&runner, &mut next, end, &mut outcome, |case, what| {
            println!("FINDING {what}");
            println!(
                "        cargo xtask mutants {kind} --seed {} --case {case} --every {}",
                options.seed, options.every
            );
        });
        let status = runner.end();
        match stopped {
            Stopped::Done | Stopped::Time => {}
            Stopped::Ended(None) => {
                return Err(Error::Wrong(format!("{kind}: no case was run: {status}")));
            }
            Stopped::Ended(Some(case)) | Stopped::Silent(case) => {
                let what = match stopped {
                    Stopped::Silent(_) => format!("takes more than {} s", LIMIT.as_secs()),
                    _ => format!("the child died: {status} (more than {} MiB?)", MEMORY >> 10),
                };
                println!("FINDING {what}");
                println!(
                    "        cargo xtask mutants {kind} --seed {} --case {case} --every {}",
                    options.seed, options.every
                );
                outcome.findings += 1;
            }
        }
    }
    if next < to {
        println!("{kind}: cases {next} to {} were left out", to - 1);
    }
    Ok(outcome)
}

/// Reason to stop reading lines.
enum Stopped {
    /// All cases were run.
    Done,
    /// The time for this kind is over.
    Time,
    /// The child ended inside this case, or before the first one.
    Ended(Option<u64>),
    /// No line for too long inside this case.
    Silent(u64),
}

/// Follows a child; `next` becomes the case after the last one that was begun.
fn listen(
    runner: &Runner,
    next: &mut u64,
    end: Option<Instant>,
    outcome: &mut KindOutcome,
    finding: impl Fn(u64, &str),
) -> Stopped {
    let mut inside = None;
    let mut began = Instant::now();
    loop {
        // The program has the same limit, and what it takes is reported by the child.
        let limit = if inside.is_some() { 2 * LIMIT } else { START };
        let line = match runner.lines.recv_timeout(limit) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => return Stopped::Ended(inside),
            Err(RecvTimeoutError::Timeout) => {
                return inside.map_or(Stopped::Ended(None), Stopped::Silent);
            }
        };
        if let Some(peak) = line.strip_prefix("peak ") {
            outcome.peak = outcome.peak.max(peak.parse().unwrap_or(0));
            return Stopped::Done;
        }
        if let Some(number) = line.strip_prefix("case ") {
            if end.is_some_and(|end| Instant::now() > end) {
                return Stopped::Time;
            }
            inside = number.parse().ok();
            *next = inside.map_or(*next, |n| n + 1);
            began = Instant::now();
            continue;
        }
        let took = began.elapsed();
        outcome.cases += 1;
        outcome.slowest = outcome.slowest.max(took);
        outcome.used += u64::from(line == "used");
        let what = line.strip_prefix("finding ").map(str::to_owned);
        let slow = (took > LIMIT).then(|| format!("takes {} s", took.as_secs()));
        if let Some(what) = what.or(slow) {
            outcome.findings += 1;
            finding(*next - 1, &what);
        }
    }
}
