//! `cargo xtask test`: all steps that must pass, with their times and logs.

mod lanes;
mod steps;

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::error::{Error, PathContext, Result};
use crate::workspace::Workspace;
use steps::{Beside, RELEASE, STEPS, Step};

/// Skipped tests that CI accepts, one line each.
const ALLOWED_SKIPS: &str = "tests/allowed-skips.txt";
/// Begin of a line that reports a skipped test.
const SKIPPED: &str = "skipped: ";
/// Lines of a failed step's log that are shown.
const SHOWN_LINES: usize = 60;

/// The choice of steps.
#[derive(clap::Args)]
pub struct Options {
    /// Formatting, lints, documentation and cargo tests only
    #[arg(long)]
    fast: bool,
    /// Only steps whose name contains this text; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "fast")]
    step: Vec<String>,
    /// List the steps and their commands instead
    #[arg(long)]
    list: bool,
}

/// Runs the steps that were chosen. The last line is `N passed, N failed`, and what was skipped.
///
/// # Errors
/// A step failed, or skipped a test that CI does not allow to skip.
pub fn run(options: &Options, here: &Workspace) -> Result<()> {
    let steps = selected(STEPS, options)?;
    if options.list {
        for step in steps {
            println!(
                "{}{}\n    {}",
                step.name,
                if step.fast { " (fast)" } else { "" },
                step.command
            );
        }
        return Ok(());
    }
    let logs = here.target.join("test-logs");
    fs::create_dir_all(&logs).at(&logs)?;
    let allowed = here.path(ALLOWED_SKIPS);
    let allowed = fs::read_to_string(&allowed).at(&allowed)?;
    let is_ci = env::var_os("CI").is_some_and(|v| v == "true");
    let mut suite = Suite::new(here, logs, is_ci.then_some(allowed));
    suite.builds_release = steps.iter().any(|step| step.name == RELEASE);
    let alone = |step: &Step| step.beside == Beside::Nothing;
    for group in steps.chunk_by(|a, b| !alone(a) && !alone(b)) {
        suite.steps(group)?;
    }
    suite.finish()
}

/// The steps that the options ask for, in their order.
fn selected<'a>(steps: &'a [Step], options: &Options) -> Result<Vec<&'a Step>> {
    let asked = |step: &&Step| options.step.iter().any(|text| step.name.contains(text.as_str()));
    if let Some(text) =
        options.step.iter().find(|text| !steps.iter().any(|s| s.name.contains(text.as_str())))
    {
        return Err(Error::Missing(format!(
            "no step has {text:?} in its name: `cargo xtask test --list` lists the steps"
        )));
    }
    let all = options.step.is_empty();
    Ok(steps.iter().filter(|s| asked(s) || all && (s.fast || !options.fast)).collect())
}

/// A run of steps.
struct Suite<'a> {
    here: &'a Workspace,
    /// Folder of the output of each step.
    logs: PathBuf,
    /// The text that lists allowed skips; `None`: every skip is allowed.
    allowed: Option<String>,
    /// True if a step builds the release binary, for those after it.
    builds_release: bool,
    passed: usize,
    failed: usize,
    skipped: Vec<String>,
}

impl<'a> Suite<'a> {
    fn new(here: &'a Workspace, logs: PathBuf, allowed: Option<String>) -> Self {
        Suite {
            here,
            logs,
            allowed,
            builds_release: false,
            passed: 0,
            failed: 0,
            skipped: Vec::new(),
        }
    }

    /// Runs steps that may run beside each other, or a single one.
    fn steps(&mut self, steps: &[&Step]) -> Result<()> {
        let (here, logs) = (self.here, self.logs.clone());
        let built = self.builds_release.then(|| here.target.join("release/pathlight"));
        let run = |step: &Step| {
            let binary = built.as_deref().filter(|_| step.beside == Beside::OthersAfterBuilds);
            outcome(step, command(here, step, binary), &logs)
        };
        let mut failed = None;
        lanes::run(steps, run, |step, outcome| match outcome {
            Ok(outcome) => self.record(step, &outcome),
            Err(error) => failed = Some(error),
        });
        failed.map_or(Ok(()), Err)
    }

    /// Counts a step that has ended, and prints its result.
    fn record(&mut self, step: &Step, outcome: &Outcome) {
        let Outcome { passed, seconds, text, log } = outcome;
        if *passed {
            self.passed += 1;
            let counts = text.lines().rev().find(|line| is_count(line)).unwrap_or_default();
            println!("PASS  {:<52} {seconds:>4} s   {counts}", step.name);
        } else {
            self.failed += 1;
            println!("FAIL  {:<52} {seconds:>4} s   {}", step.name, log.display());
            let lines: Vec<&str> = text.lines().collect();
            for line in &lines[lines.len().saturating_sub(SHOWN_LINES)..] {
                println!("    | {line}");
            }
        }
        for line in text.lines().filter(|line| line.starts_with(SKIPPED)) {
            self.skipped.push(line[SKIPPED.len()..].to_owned());
            if self.allowed.as_ref().is_some_and(|all| all.lines().all(|allowed| allowed != line)) {
                self.failed += 1;
                println!("FAIL  {:<52}          {line}", step.name);
            }
        }
    }

    /// Prints the last line.
    fn finish(self) -> Result<()> {
        let skipped = match self.skipped.len() {
            0 => String::new(),
            n => format!(", {n} skipped: {}", self.skipped.join("; ")),
        };
        println!("{} passed, {} failed{skipped}", self.passed, self.failed);
        match self.failed {
            0 => Ok(()),
            failed => Err(Error::Wrong(format!("{failed} failed"))),
        }
    }
}

/// Result of a step.
struct Outcome {
    passed: bool,
    seconds: u64,
    /// Its output.
    text: String,
    /// The file that keeps the output.
    log: PathBuf,
}

/// Runs a step; its output goes to a file of its name.
fn outcome(step: &Step, mut command: Command, logs: &Path) -> Result<Outcome> {
    let path = logs.join(format!("{}.log", step.name.replace(' ', "-")));
    let log = File::create(&path).at(&path)?;
    command.stdin(Stdio::null()).stdout(log.try_clone().at(&path)?).stderr(log);
    let began = Instant::now();
    let passed = match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            println!("    | cannot start {}: {error}", step.command);
            false
        }
    };
    let seconds = began.elapsed().as_secs();
    let text = String::from_utf8_lossy(&fs::read(&path).at(&path)?).into_owned();
    Ok(Outcome { passed, seconds, text, log: path })
}

/// A step's command in the root folder; cargo is the one that runs this program.
fn command(here: &Workspace, step: &Step, binary: Option<&Path>) -> Command {
    let mut words = step.command.split_whitespace();
    let mut command = match (words.next().unwrap_or_default(), words.clone().next()) {
        ("cargo", Some(verb)) => {
            words.next();
            here.cargo(verb)
        }
        (program, _) => {
            let mut command = Command::new(program);
            command.current_dir(&here.root).env_remove("CARGO_MANIFEST_DIR");
            command
        }
    };
    if let Some(binary) = binary {
        command.env("PATHLIGHT", binary);
    }
    // Scripts need not build this program again.
    if let Ok(xtask) = env::current_exe() {
        command.env("XTASK", xtask);
    }
    command.args(words);
    command
}

/// True if a line begins with `N passed, N failed`.
fn is_count(line: &str) -> bool {
    let number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    line.split_once(" passed, ").is_some_and(|(passed, rest)| {
        number(passed) && rest.split_once(" failed").is_some_and(|(failed, _)| number(failed))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Runs one step; what passed, failed and was skipped.
    fn outcome(command: &'static str, allowed: Option<&str>) -> (usize, usize, Vec<String>) {
        let (here, logs) = (Workspace::find(), tempfile::tempdir().unwrap());
        let mut suite = Suite::new(&here, logs.path().to_owned(), allowed.map(ToString::to_string));
        let step = Step { name: "a step", command, fast: true, beside: Beside::Nothing };
        suite.steps(&[&step]).unwrap();
        assert!(logs.path().join("a-step.log").exists());
        let counts = (suite.passed, suite.failed, suite.skipped.clone());
        assert_eq!(suite.finish().is_ok(), counts.1 == 0);
        counts
    }

    #[test]
    fn steps_pass_and_fail_by_their_exit_code() {
        assert_eq!(outcome("true", None), (1, 0, vec![]));
        assert_eq!(outcome("false", None), (0, 1, vec![]));
        assert_eq!(outcome("no-such-program-anywhere", None), (0, 1, vec![]));
    }

    #[test]
    fn a_skip_that_is_not_allowed_fails_though_its_step_passes() {
        let left_out = || vec!["disk".to_string()];
        assert_eq!(outcome("echo skipped: disk", None), (1, 0, left_out()));
        assert_eq!(outcome("echo skipped: disk", Some("# why\nskipped: disk")), (1, 0, left_out()));
        assert_eq!(outcome("echo skipped: disk", Some("skipped: dis")), (1, 1, left_out()));
    }

    #[test]
    fn steps_are_chosen_by_speed_or_by_a_part_of_their_names() {
        let options = |fast, step: &[&str]| Options {
            fast,
            step: step.iter().map(ToString::to_string).collect(),
            list: false,
        };
        let names = |options| -> Vec<&str> {
            selected(STEPS, &options).unwrap().iter().map(|s| s.name).collect()
        };
        assert_eq!(names(options(false, &[])).len(), STEPS.len());
        let fast = names(options(true, &[]));
        assert!(fast.contains(&"cargo tests") && !fast.contains(&"the demo"));
        assert_eq!(names(options(false, &["demo", "format"])), ["formatting", "the demo"]);
        assert!(selected(STEPS, &options(false, &["demo", "nonsense"])).is_err());
    }

    #[test]
    fn every_step_has_a_name_of_its_own_and_a_program_that_exists() {
        let here = Workspace::find();
        let names: HashSet<&str> = STEPS.iter().map(|s| s.name).collect();
        assert_eq!(names.len(), STEPS.len());
        for step in STEPS {
            let program = step.command.split(' ').next().unwrap();
            let known = ["cargo", "env"].contains(&program) || here.path(program).exists();
            assert!(known, "{}", step.command);
        }
    }

    #[test]
    fn counts_are_found_only_at_the_beginning_of_a_line() {
        assert!(is_count("12 passed, 0 failed, 1 skipped: disk"));
        assert!(!is_count("a 12 passed, 0 failed"));
        assert!(!is_count("test result: ok. 12 passed; 0 failed"));
    }
}
