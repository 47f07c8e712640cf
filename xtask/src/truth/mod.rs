//! Decoded paths against an independent trace of every instruction.

use std::ffi::OsString;
use std::process::Command;

use clap::Subcommand;

use crate::compilers::{javac, jdk, kotlin, r8};
use crate::error::{PathContext, Result};
use crate::files::scratch;
use crate::process::{quietly, run as run_command};
use crate::workspace::{HandedOn, Workspace};

pub(crate) mod apps;
mod bounds;
mod counts;
mod mapped;
mod shapes;
mod starts;
mod startup;
mod steps;
mod traces;

/// Comparisons.
#[derive(Subcommand)]
pub enum TruthTask {
    /// Generated, committed or hand-written programs under ART
    #[command(after_help = "\
Example:
  cargo xtask truth run --prebuilt                                # the committed programs
  cargo xtask truth run --fixtures --vm art14 --vm jit --vm art11 # one for each kind of hazard
  cargo xtask truth run 1-200 --vm int --codec pap                # generated ones
  cargo xtask truth run --prebuilt --model own                    # again, with a model of the log
  cargo xtask truth run -- --help                                 # all options")]
    Run(HandedOn),
    /// Sessions of the fixture apps on every ART
    #[command(after_help = "Example:\n  cargo xtask truth apps --codec huffman 1 2 3")]
    Apps(apps::AppsOptions),
    /// Models from counts of edges beside those from logs, of the same sessions of the fixture
    /// apps; and paths of the logs beside their bounds by counts
    #[command(after_help = "Example:\n  cargo xtask truth counts 1 2 3")]
    Counts(counts::CountsOptions),
    /// The same of the committed programs and fixtures, or of generated ones
    #[command(after_help = "\
Example:
  cargo xtask truth counted               # all that is committed, on every ART
  cargo xtask truth counted 1-20 --vm int # generated programs")]
    Counted(HandedOn),
    /// Counts of selected paths against the trace
    #[command(after_help = "\
Example:
  cargo xtask truth paths                 # all that is committed, on every ART
  cargo xtask truth paths 1-20 --vm int   # generated programs")]
    Paths(HandedOn),
    /// The first probes of a process at the end of a stack, in more and more of its last frames
    #[command(after_help = "Example:\n  cargo xtask truth startup")]
    Startup {
        /// Recompile startup/ and stop
        #[arg(long)]
        make: bool,
    },
    /// Each probe of each profile and codec as the first of a process, in generated programs
    #[command(after_help = "\
Example:
  cargo xtask truth starts                # the simplest on three ARTs, others in turn
  cargo xtask truth starts --all          # every process on each of them")]
    Starts(starts::StartsOptions),
    /// Crashes of the fixture apps, repeated by the steps that `crash` prints
    #[command(after_help = "Example:\n  cargo xtask truth steps")]
    Steps(steps::StepsOptions),
    /// Stack traces of a program that R8 made, before and after, also through R8's Retrace
    #[command(after_help = "Example:\n  cargo xtask truth traces")]
    Traces,
    /// Exceptions at random places of libraries that R8 made, before and after: every frame
    #[command(after_help = "\
Example:
  cargo xtask truth sites                 # all programs in five forms, ART 10 and 11
  cargo xtask truth sites --app jsoup --form 26 --codec arith
  cargo xtask truth sites -- --help       # all options")]
    Sites(HandedOn),
    /// Calls in the paths of a program that R8 made, inlined ones too, beside its debug build
    #[command(after_help = "Example:\n  cargo xtask truth mapped")]
    Mapped,
    /// Random typed callers before and after their callees' code is put in place of the calls
    #[command(after_help = "\
Example:
  cargo xtask truth inline                # 1,600 callers on ART 10 (interpreter, JIT) and ART 11
  cargo xtask truth inline 20000 --seed 1001
  cargo xtask truth inline -- --help      # all options")]
    Inline(HandedOn),
    /// Random methods that use objects as what `instanceof` has found, before and after
    #[command(after_help = "\
Example:
  cargo xtask truth narrowing             # 800 methods in ten modes, ART 10 and 11
  cargo xtask truth narrowing 20000 --seed 1001
  cargo xtask truth narrowing -- --help   # all options")]
    Narrowing(HandedOn),
    /// Does the comparer find seeded errors in this trace?
    #[command(
        after_help = "Example:\n  cargo xtask truth selftest kept/traced.table kept/trace.bin"
    )]
    Selftest(HandedOn),
    /// Times of callbacks and hot methods against the program's own clock, on ART's JIT
    #[command(after_help = "Example:\n  cargo xtask truth timing --codec huffman")]
    Timing(HandedOn),
    /// Writes the tracer's smali files from their Java source
    #[command(after_help = "Example:\n  cargo xtask truth make-tracer")]
    MakeTracer,
}

/// Runs a task.
///
/// # Errors
/// Fails if a check does not hold.
pub fn run(task: TruthTask, here: &Workspace) -> Result<()> {
    match task {
        TruthTask::Run(options) => runner(&options.arguments, here),
        TruthTask::Apps(options) => apps::run(&options, here),
        TruthTask::Counts(options) => counts::run(&options, here),
        TruthTask::Counted(options) => {
            here.art("dalvikvm")?;
            here.d8()?;
            here.python("tests/truth/counts.py", options.arguments)
        }
        TruthTask::Paths(options) => {
            here.art("dalvikvm")?;
            here.d8()?;
            here.python("tests/truth/paths.py", options.arguments)
        }
        TruthTask::Startup { make: true } => startup::make(here),
        TruthTask::Startup { make: false } => startup::run(here),
        TruthTask::Starts(options) => starts::run(&options, here),
        TruthTask::Steps(options) => steps::run(&options, here),
        TruthTask::Traces => traces::run(here),
        TruthTask::Sites(options) => sites(&options.arguments, here),
        TruthTask::Mapped => mapped::run(here),
        TruthTask::Inline(options) => here.python("tests/truth/inline.py", options.arguments),
        TruthTask::Narrowing(options) => here.python("tests/truth/narrowing.py", options.arguments),
        TruthTask::Selftest(options) => here.python("tests/truth/selftest.py", options.arguments),
        TruthTask::Timing(options) => {
            let mut arguments = options.arguments;
            arguments.extend(["--processor".into(), crate::traces::processor(here)?.into()]);
            here.python("tests/truth/timing.py", arguments)
        }
        TruthTask::MakeTracer => make_tracer(here),
    }
}

fn runner(arguments: &[OsString], here: &Workspace) -> Result<()> {
    // Committed programs need no compiler.
    let has = |name: &str| arguments.iter().any(|a| a == name);
    if !has("--prebuilt") && !has("--fixtures") && !has("--help") {
        here.d8()?;
    }
    here.python("tests/truth/runner.py", arguments)
}

fn sites(arguments: &[OsString], here: &Workspace) -> Result<()> {
    here.packages(&["fixtures", "bench"])?;
    here.art("dalvikvm")?;
    here.d8()?;
    let mut script = here.script("python3", "tests/truth/sites.py")?;
    run_command(script.env("KOTLIN", kotlin(here)?).args(arguments))
}

/// javac, D8, baksmali over tests/truth/runtime/truthtrace/T.java.
fn make_tracer(here: &Workspace) -> Result<()> {
    let work = scratch()?;
    let [classes, smali, dex] =
        ["classes", "smali", "classes.dex"].map(|name| work.path().join(name));
    javac(&here.path("tests/truth/runtime"), &classes, &["-Xlint:none", "-g:none"], None)?;
    let mut d8 = r8(here, "D8")?;
    d8.args(["--release", "--min-api", "21", "--lib"]).arg(jdk()?).arg("--output").arg(work.path());
    quietly(d8.args(crate::compilers::files_below(&classes, "class")?))?;
    run_command(
        Command::new("baksmali").args(["disassemble", "--api", "21", "-o"]).arg(&smali).arg(&dex),
    )?;
    let to = here.path("tests/truth/runtime/truthtrace");
    for file in crate::compilers::files_below(&smali, "smali")? {
        std::fs::copy(&file, to.join(file.file_name().expect("a file"))).at(&file)?;
    }
    Ok(())
}
