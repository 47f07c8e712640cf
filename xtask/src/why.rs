//! `why` on programs with planted faults: the cause must be among the steps, and every step must
//! have run, by the independent tracer.
//!
//! A seed is a Java file of tests/oracles/why: a class of its name with `main`, which ends by an
//! exception. The line of the cause ends in `// cause`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;
use serde_json::Value;

use crate::compilers::{files_below, javac, jdk, r8};
use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::session::Vm;
use crate::process::{output, quietly};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Steps of an answer.
const STEPS: usize = 15;
/// Share of the seeds, in percent, whose cause must be among the steps, and among the first three
/// after the event.
const FOUND: usize = 70;
const FIRST: usize = 45;
/// Keeps `main`; all else may be renamed, inlined and merged.
const RULES: &str = "-keep class * { public static void main(java.lang.String[]); }\n\
     -keepattributes SourceFile,LineNumberTable\n-dontwarn **\n";

/// The compiler that a seed goes through.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// D8, debug
    #[value(name = "d8")]
    Debug,
    /// R8 with a mapping
    #[value(name = "r8")]
    Shrunk,
}

impl Form {
    const ALL: [Form; 2] = [Form::Debug, Form::Shrunk];

    fn name(self) -> &'static str {
        match self {
            Form::Debug => "D8",
            Form::Shrunk => "R8",
        }
    }
}

/// Runs all seeds, or those with these names.
///
/// # Errors
/// A step did not run, a seed has no answer, or too few causes are found.
pub fn run(here: &Workspace, names: &[String], form: Option<Form>) -> Result<()> {
    here.packages(&["run", "fixtures"])?;
    let work = scratch()?;
    let mut seeds = sorted(&here.path("tests/oracles/why"))?;
    seeds.retain(|seed| seed.extension().is_some_and(|e| e == "java"));
    seeds.retain(|seed| names.is_empty() || names.iter().any(|name| *name == stem(seed)));
    if seeds.is_empty() {
        return Err(Error::Missing("no seed has this name".into()));
    }
    let mut tally = Tally::default();
    let (mut all, mut found, mut first) = (0, 0, 0);
    for seed in &seeds {
        for form in Form::ALL.into_iter().filter(|&f| form.is_none_or(|form| form == f)) {
            let name = format!("{}, {}", stem(seed), form.name());
            let folder = work.path().join(format!("{}-{}", stem(seed), form.name()));
            let judged = judge(here, seed, form, &folder).map_err(|e| e.to_string());
            all += 1;
            if let Ok(rank) = judged {
                found += usize::from(rank.is_some());
                first += usize::from(rank.is_some_and(|rank| rank <= 3));
            }
            let words = judged.map(|rank| match rank {
                Some(rank) => format!("the cause is step {rank}"),
                None => "the cause is not among the steps".to_owned(),
            });
            tally.count(&name, words);
        }
    }
    println!("causes among {STEPS} steps: {found} of {all}; among the first three: {first}");
    if names.is_empty() && (found * 100 < FOUND * all || first * 100 < FIRST * all) {
        return Err(Error::Wrong(format!("{FOUND} % and {FIRST} % are wanted")));
    }
    tally.finish()
}

fn stem(seed: &Path) -> String {
    seed.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The position of the first step at the cause, from 1 after the event; none if no step is there.
fn judge(here: &Workspace, seed: &Path, form: Form, folder: &Path) -> Result<Option<usize>> {
    fs::create_dir_all(folder).at(folder)?;
    let text = fs::read_to_string(seed).at(seed)?;
    let marked = |line: &str| line.trim_end().ends_with("// cause");
    let causes: Vec<u64> = (1..).zip(text.lines()).filter(|l| marked(l.1)).map(|l| l.0).collect();
    let dex = compile(here, seed, form, folder)?;
    let answer = answer(here, seed, form, &dex, folder)?;
    let ran = ran(here, seed, &dex, folder)?;
    let steps = answer["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
    if steps.is_empty() || steps.len() > STEPS {
        return Err(Error::Wrong(format!("{} steps", steps.len())));
    }
    for step in steps {
        let (method, units) = (step["code"]["method"].as_str(), step["code"]["units"].as_u64());
        let (Some(method), Some(units)) = (method, units) else {
            return Err(Error::Wrong("a step without an address".into()));
        };
        let executed = |&(from, to): &(u64, u64)| (from..=to).contains(&units);
        if !ran.get(method).is_some_and(|ranges| ranges.iter().any(executed)) {
            return Err(Error::Wrong(format!("{method} {units:#x} is a step and did not run")));
        }
    }
    let after = steps.iter().filter(|step| step["role"] != "event");
    let at_cause = |step: &Value| step["at"]["line"].as_u64().is_some_and(|l| causes.contains(&l));
    if steps.iter().any(|step| step["role"] == "event" && at_cause(step)) {
        return Ok(Some(1));
    }
    Ok(after.map(at_cause).position(|found| found).map(|position| position + 1))
}

fn compile(here: &Workspace, seed: &Path, form: Form, folder: &Path) -> Result<PathBuf> {
    let (sources, classes) = (folder.join("sources"), folder.join("classes"));
    fs::create_dir_all(&sources).at(&sources)?;
    let copy = sources.join(seed.file_name().unwrap_or_default());
    fs::copy(seed, &copy).at(&copy)?;
    javac(&sources, &classes, &["-g", "-Xlint:none"], None)?;
    let inputs = files_below(&classes, "class")?;
    let mut compiler = match form {
        Form::Debug => {
            let mut d8 = r8(here, "D8")?;
            d8.arg("--debug");
            d8
        }
        Form::Shrunk => {
            let rules = folder.join("rules.txt");
            fs::write(&rules, RULES).at(&rules)?;
            let mut r8 = r8(here, "R8")?;
            r8.arg("--release").arg("--pg-conf").arg(rules);
            r8.arg("--pg-map-output").arg(folder.join("mapping.txt"));
            r8
        }
    };
    compiler.args(["--min-api", "24", "--lib"]).arg(jdk()?).arg("--output").arg(folder);
    quietly(compiler.args(inputs))?;
    Ok(folder.join("classes.dex"))
}

/// Instruments and runs the seed; the explanation of its end.
fn answer(here: &Workspace, seed: &Path, form: Form, dex: &Path, folder: &Path) -> Result<Value> {
    let (beta, map, logs) =
        (folder.join("beta.dex"), folder.join("beta.plmap"), folder.join("logs"));
    fs::create_dir_all(&logs).at(&logs)?;
    let mut instrument = Command::new(here.pathlight()?);
    instrument.arg("instrument").arg(dex).arg("-o").arg(&beta).arg("--map").arg(&map);
    if let Form::Shrunk = form {
        instrument.arg("--mapping").arg(folder.join("mapping.txt"));
    }
    output(&mut instrument)?;
    let stack = play(here, seed, &beta, &format!("-Dpathlight.dir={}", logs.display()))?;
    let crash = folder.join("crash.txt");
    fs::write(&crash, stack).at(&crash)?;
    let mut why = Command::new(here.pathlight()?);
    why.args(["why", "--json", "--most", &STEPS.to_string(), "--apk"]).arg(dex);
    why.arg("--map").arg(&map).arg("--stack").arg(&crash).arg(&logs);
    if let Form::Shrunk = form {
        why.arg("--mapping").arg(folder.join("mapping.txt"));
    }
    let text = output(&mut why)?;
    serde_json::from_str(&text).map_err(|e| Error::Wrong(format!("{e}: {text}")))
}

/// Address ranges that ran, by method, as the tracer recorded them in a run of its own.
fn ran(
    here: &Workspace,
    seed: &Path,
    dex: &Path,
    folder: &Path,
) -> Result<HashMap<String, Vec<(u64, u64)>>> {
    let [traced, table, trace] = ["traced.jar", "table", "trace"].map(|file| folder.join(file));
    let tracer = || here.harness("tracer");
    output(tracer().arg("instrument").arg(dex).arg("-o").arg(&traced).arg("--table").arg(&table))?;
    play(here, seed, &traced, &format!("-Dtruth.out={}", trace.display()))?;
    let dump = output(tracer().arg("dump").arg("--table").arg(&table).arg(&trace))?;
    let mut ran: HashMap<String, Vec<(u64, u64)>> = HashMap::new();
    let mut frames: Vec<String> = Vec::new();
    for line in dump.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["thread", ..] => frames.clear(),
            ["enter", method] => frames.push(method.to_owned()),
            ["run", from, to] => {
                let number = |text: &str| {
                    let hex = text.strip_prefix("0x").map(|hex| u64::from_str_radix(hex, 16));
                    hex.unwrap_or_else(|| text.parse()).unwrap_or(u64::MAX)
                };
                let method = frames.last().cloned().unwrap_or_default();
                ran.entry(method).or_default().push((number(from), number(to)));
            }
            ["return" | "unwind"] => drop(frames.pop()),
            _ => {}
        }
    }
    Ok(ran)
}

/// Runs a seed, which must end by an exception; its standard error.
fn play(here: &Workspace, seed: &Path, code: &Path, property: &str) -> Result<String> {
    let mut vm = Vm::Art.art_command(here)?;
    vm.arg(property).arg("-cp").arg(code).arg(stem(seed));
    let ended =
        vm.output().map_err(|source| Error::Start { program: "dalvikvm".into(), source })?;
    let text = String::from_utf8_lossy(&ended.stderr).into_owned();
    match text.contains("Exception") && !ended.status.success() {
        true => Ok(text),
        false => Err(Error::Wrong(format!("it did not end by an exception: {text}"))),
    }
}
