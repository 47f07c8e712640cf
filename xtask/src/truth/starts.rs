//! Each probe of each profile and codec as the first of a process: every shape of
//! [`super::shapes`] begins a process of every build.
//!
//! Output must be that of the program without probes, the log must decode without a problem, and a
//! trace must begin with the shape's class.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use clap::Args;
use serde_json::Value;

use super::shapes::{self, StartShape};
use crate::compilers::{files_below, javac, r8};
use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::session::Vm;
use crate::fixtures::tail;
use crate::process::{cores, output, parallel, to_files};
use crate::tally::Tally;
use crate::workspace::Workspace;

const PROGRAM: &str = "tests/truth/startup/starts.dex";
const LIMIT: Duration = Duration::from_secs(120);

/// Builds and shapes to run.
#[derive(Args)]
pub struct StartsOptions {
    /// Recompile tests/truth/startup/starts.dex and stop
    #[arg(long)]
    make: bool,
    /// Run every shape of every build on every VM
    #[arg(long)]
    all: bool,
}

/// Recording of a build, and the command that reads it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recorded {
    Trace,
    Lines,
    Counts,
    Hits,
}

struct RecordedBuild {
    name: &'static str,
    arguments: &'static [&'static str],
    recorded: Recorded,
}

const fn build(
    name: &'static str,
    recorded: Recorded,
    arguments: &'static [&'static str],
) -> RecordedBuild {
    RecordedBuild { name, arguments, recorded }
}

/// One build for each set of probes. The first one gives the paths that others count.
const BUILDS: &[RecordedBuild] = &[
    build("arith", Recorded::Trace, &["--codec", "arith"]),
    build(
        "arith-in-line",
        Recorded::Trace,
        &["--codec", "arith", "--steps", "all", "--inline", "all", "--clones", "all"],
    ),
    build("arith-ring", Recorded::Trace, &["--codec", "arith", "--ring"]),
    build("arith-logcat", Recorded::Lines, &["--codec", "arith", "--sink", "logcat"]),
    build("arith-adaptive", Recorded::Trace, &["--codec", "arith-adaptive"]),
    build("arith-adaptive-shift", Recorded::Trace, &["--codec", "arith-adaptive-shift"]),
    build("kept", Recorded::Trace, &["--codec", "arith-adaptive", "--adapt", "keep"]),
    build("huffman", Recorded::Trace, &["--codec", "huffman"]),
    build("ball-larus", Recorded::Trace, &["--codec", "ball-larus"]),
    build("blocks", Recorded::Trace, &["--codec", "blocks"]),
    build("pap", Recorded::Trace, &["--codec", "pap"]),
    build("edges", Recorded::Counts, &["--profile", "edges"]),
    build(
        "edges-forms",
        Recorded::Counts,
        &["--profile", "edges", "--inline", "all", "--clones", "all"],
    ),
    build("paths", Recorded::Hits, &["--profile", "paths", "--detect", "flag"]),
    build(
        "paths-copies",
        Recorded::Hits,
        &["--profile", "paths", "--detect", "copies", "--hits", "published"],
    ),
];

/// Recompiles the program, or runs it.
///
/// # Errors
/// Fails if a compiler is missing, or a process that a probe began is not what it should be.
pub fn run(options: &StartsOptions, here: &Workspace) -> Result<()> {
    if options.make {
        return make(here);
    }
    let work = scratch()?;
    let bench = Bench { here, work: work.path() };
    let mut tally = Tally::default();
    let expected = Mutex::new(Vec::new());
    parallel(&StartShape::all(), cores(), |shape| {
        let logs = bench.folder("plain", &shape.name)?;
        let out = bench.play(&here.path(PROGRAM), Vm::Art, &shape.name, &logs)?;
        expected.lock().expect("no job panics").push((shape.clone(), out));
        Ok(())
    })?;
    let expected = expected.into_inner().expect("no job panics");
    for (turn, build) in BUILDS.iter().enumerate() {
        bench.instrument(build)?;
        let mut runs = vec![];
        for (shape, out) in &expected {
            let vms = Vm::ART.iter().enumerate();
            let due = vms.filter(|(v, _)| options.all || shape.is_due(turn, *v, Vm::ART.len()));
            runs.extend(due.map(|(_, &vm)| StartRun { build, vm, shape: &shape.name, out }));
        }
        let failed = Mutex::new(vec![]);
        parallel(&runs, cores(), |run| {
            if let Err(why) = bench.one(run)? {
                failed.lock().expect("no job panics").push(format!("{}: {why}", run.name()));
            }
            Ok(())
        })?;
        let failed = failed.into_inner().expect("no job panics");
        failed.iter().for_each(|why| tally.fail(why));
        if failed.is_empty() {
            let outcome = bench.read(build, runs.len());
            tally.count(build.name, outcome.map_err(|error| error.to_string()));
        }
        if turn == 0 {
            bench.select()?;
        }
    }
    tally.finish()
}

fn make(here: &Workspace) -> Result<()> {
    let work = scratch()?;
    let (java, classes) = (work.path().join("java"), work.path().join("classes"));
    fs::create_dir(&java).at(&java)?;
    for (name, text) in shapes::sources() {
        let file = java.join(name);
        fs::write(&file, text).at(&file)?;
    }
    javac(&java, &classes, &["-Xlint:-options"], None)?;
    let mut d8 = r8(here, "D8")?;
    d8.args(["--release", "--min-api", "24", "--no-desugaring", "--output"]).arg(work.path());
    output(d8.args(files_below(&classes, "class")?))?;
    let dex = work.path().join("classes.dex");
    fs::copy(&dex, here.path(PROGRAM)).at(&dex).map(drop)
}

/// A process to start.
struct StartRun<'a> {
    build: &'a RecordedBuild,
    vm: Vm,
    shape: &'a str,
    out: &'a str,
}

impl StartRun<'_> {
    fn name(&self) -> String {
        format!("{}, {}, {} first", self.build.name, self.vm.name(), self.shape)
    }
}

type Outcome = std::result::Result<(), String>;

struct Bench<'a> {
    here: &'a Workspace,
    work: &'a Path,
}

impl Bench<'_> {
    fn file(&self, build: &RecordedBuild, ending: &str) -> PathBuf {
        self.work.join(format!("{}.{ending}", build.name))
    }

    /// A new folder for the logs of a process.
    fn folder(&self, build: &str, process: &str) -> Result<PathBuf> {
        let folder = self.work.join(build).join(process);
        fs::create_dir_all(&folder).at(&folder)?;
        Ok(folder)
    }

    fn instrument(&self, build: &RecordedBuild) -> Result<()> {
        let mut command = Command::new(self.here.pathlight()?);
        command.args(["instrument", "--force"]).arg(self.here.path(PROGRAM)).args(build.arguments);
        if build.recorded == Recorded::Hits {
            command.arg("--select").arg(self.work.join("paths.json"));
        }
        command.arg("-o").arg(self.file(build, "dex")).arg("--map").arg(self.file(build, "plmap"));
        output(command.args(["--exclude", "Main"])).map(drop)
    }

    /// Selects paths of the first build's logs.
    fn select(&self) -> Result<()> {
        let mut command = Command::new(self.here.pathlight()?);
        command.arg("select").arg("--map").arg(self.file(&BUILDS[0], "plmap"));
        command.args(self.logs(&BUILDS[0], "plt")?);
        output(command.arg("-o").arg(self.work.join("paths.json"))).map(drop)
    }

    /// Runs the program from this shape on, and returns its output.
    fn play(&self, dex: &Path, vm: Vm, shape: &str, logs: &Path) -> Result<String> {
        let [out, err] = ["out", "err"].map(|name| logs.join(name));
        let mut art = vm.art_command(self.here)?;
        let host = self.here.path("android-fixtures/stubs/prebuilt/host.dex");
        art.arg(format!("-Dpathlight.dir={}", logs.display()))
            .arg(format!("-Dstub.logcat={}", logs.join("logcat").display()))
            .arg("-cp")
            .arg(format!("{}:{}", dex.display(), host.display()))
            .args(["Main", shape]);
        let ended = to_files(&mut art, &out, &err, LIMIT)?;
        let printed = fs::read_to_string(&out).at(&out)?;
        if ended.is_some_and(|status| status.success()) {
            return Ok(printed);
        }
        let ended = ended.map_or("stopped at its time limit".into(), |status| status.to_string());
        Err(Error::Wrong(format!("{ended}: {}", tail(&err)?)))
    }

    fn one(&self, run: &StartRun<'_>) -> Result<Outcome> {
        let process = format!("{}-{}", run.vm.name(), run.shape);
        let logs = self.folder(run.build.name, &process)?;
        let printed = match self.play(&self.file(run.build, "dex"), run.vm, run.shape, &logs) {
            Ok(printed) => printed,
            Err(Error::Wrong(why)) => return Ok(Err(why)),
            Err(error) => return Err(error),
        };
        let mut pairs = run.out.lines().zip(printed.lines());
        Ok(match pairs.find(|(plain, probed)| plain != probed) {
            Some((plain, probed)) => Err(format!("prints {probed:?}, was {plain:?}")),
            None if run.out.len() != printed.len() => Err("prints fewer or more lines".into()),
            None => Ok(()),
        })
    }

    /// The logs of all processes of a build.
    fn logs(&self, build: &RecordedBuild, ending: &str) -> Result<Vec<PathBuf>> {
        let mut found = vec![];
        for folder in sorted(&self.work.join(build.name))? {
            let is_log = |f: &PathBuf| f.extension().map_or(f.ends_with(ending), |e| e == ending);
            found.extend(sorted(&folder)?.into_iter().filter(is_log));
        }
        Ok(found)
    }

    /// Reads the logs of that many processes of a build.
    fn read(&self, build: &RecordedBuild, processes: usize) -> Result<String> {
        let ending = match build.recorded {
            Recorded::Trace => "plt",
            Recorded::Lines => "logcat",
            Recorded::Counts => "plc",
            Recorded::Hits => "plh",
        };
        let logs = self.logs(build, ending)?;
        if logs.len() != processes {
            return Err(Error::Wrong(format!("{} logs of {processes} processes", logs.len())));
        }
        let mut command = Command::new(self.here.pathlight()?);
        match build.recorded {
            Recorded::Counts => {
                command.arg("train").arg("-o").arg(self.file(build, "json"));
            }
            Recorded::Hits => {
                command.arg("decode");
            }
            Recorded::Trace | Recorded::Lines => {
                command.args(["decode", "--format", "json"]);
            }
        }
        let text = output(command.arg("--map").arg(self.file(build, "plmap")).args(&logs))?;
        if matches!(build.recorded, Recorded::Trace | Recorded::Lines) {
            let begun = begins(&text)?;
            if begun != processes {
                return Err(Error::Wrong(format!(
                    "{begun} of {processes} logs begin with the process's first shape"
                )));
            }
        }
        Ok(format!("{processes} processes"))
    }
}

/// Number of processes of decoded logs that begin with the class that their log's folder names.
fn begins(text: &str) -> Result<usize> {
    let mut wanted = None;
    let mut found = 0;
    for line in text.lines() {
        let event: Value =
            serde_json::from_str(line).map_err(|error| Error::Wrong(error.to_string()))?;
        if event["e"] == "process" {
            let file = Path::new(event["files"][0].as_str().unwrap_or_default());
            let folder = file.parent().and_then(Path::file_name).unwrap_or_default();
            let folder = folder.to_string_lossy().into_owned();
            wanted = folder.rsplit_once('-').map(|(_, shape)| format!("L{shape};->"));
        } else if event["e"] == "enter"
            && event["name"] == "main"
            && let Some(class) = wanted.take()
        {
            let method = event["m"].as_str().unwrap_or_default();
            found += usize::from(method.starts_with(&class));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_begins_with_another_class_is_found() {
        let log = |class: &str| {
            format!(
                "{{\"e\":\"process\",\"files\":[\"/x/art-jit-StaticLoop/a.plt\"]}}\n\
                 {{\"e\":\"enter\",\"name\":\"main\",\"m\":\"L{class};->go(I)I\"}}\n"
            )
        };
        assert_eq!(begins(&log("StaticLoop")).unwrap(), 1);
        assert_eq!(begins(&log("StaticBranch")).unwrap(), 0);
    }
}
