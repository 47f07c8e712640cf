//! The bench: running time, log size and growth.

use std::path::PathBuf;
use std::process::Command;

use clap::Subcommand;

use crate::error::Result;
use crate::process;
use crate::traces;
use crate::workspace::{HandedOn, Workspace};

/// Measurements.
#[derive(Subcommand)]
pub enum BenchTask {
    /// Every codec, JaCoCo and nothing at all, on compute kernels and real libraries
    #[command(after_help = "\
Example:
  cargo xtask bench run --out bench       # the recorded run: RESULTS.md, results.csv, results.svg
  cargo xtask bench run --quick --workload heapsort --variant arith --variant jacoco
  cargo xtask bench run --list            # workloads and variants
  cargo xtask bench run -- --help         # all options")]
    Run(HandedOn),
    /// The log size that `pathlight instrument` predicts, beside the size of the log; `--time`: the
    /// same of the run time
    #[command(after_help = "\
Example:
  cargo xtask bench predict --codec pap --codec huffman gson
  cargo xtask bench predict --time --out bench/slowdown.csv")]
    Predict(HandedOn),
    /// Bits and time of each kind of event
    #[command(after_help = "Example:\n  cargo xtask bench exactness 5     # five runs of each")]
    Exactness(HandedOn),
    /// Share of each probe in the growth of an app's DEX files
    #[command(after_help = "Example:\n  cargo xtask bench growth app.apk beta.apk")]
    Growth(HandedOn),
    /// Growth of the DEX files of apps: writes bench/sizes.csv
    #[command(
        after_help = "Example:\n  cargo xtask bench sizes 'io.appium.settings 8.0.10=settings.apk'"
    )]
    Sizes(HandedOn),
    /// Time and memory of `instrument`: writes bench/memory.csv
    #[command(
        after_help = "Example:\n  cargo xtask bench memory 'io.appium.settings 8.0.10=settings.apk'"
    )]
    Memory(HandedOn),
    /// Share of a model's savings that remains after a release of a library
    #[command(after_help = "\
Example:
  cargo xtask bench transfer --out bench/transfer.csv        # all pairs: fetches from Debian
  cargo xtask bench transfer gson --mode d8 --mode debug-d8")]
    Transfer(HandedOn),
    /// Time, logs and growth under several builds of `pathlight`: writes bench/steps.csv
    #[command(after_help = "\
Example:
  cargo xtask bench steps before=old/pathlight now=target/release/pathlight")]
    Steps(HandedOn),
    /// A start with the app's baseline profile and without it, on ART 14: writes bench/starts.csv
    #[command(after_help = "Example:\n  cargo xtask bench starts --rounds 3 --workload gson")]
    Starts(HandedOn),
    /// Releases that R8 made beside D8's, on ART 14: writes bench/r8.csv
    #[command(after_help = "Example:\n  cargo xtask bench r8 --rounds 1 --workload gson")]
    R8(HandedOn),
    /// Choices of the generated code on ART 14 and ART 10: writes bench/decisions.csv
    #[command(after_help = "Example:\n  cargo xtask bench decisions --rounds 1 --workload gson")]
    Decisions(HandedOn),
    /// That no log is larger with a model of the same run than without: writes bench/own_model.csv
    #[command(after_help = "\
Example:
  cargo xtask bench own-model
  cargo xtask bench own-model --workload rhino --codec arith")]
    OwnModel(HandedOn),
    /// Share of exact paths that samples of them recover: writes bench/samples.csv,
    /// bench/samples_train.csv and bench/dense.csv
    #[command(after_help = "\
Example:
  cargo xtask bench samples
  cargo xtask bench samples --part dense
  cargo xtask bench samples --workload gson --gaps 500")]
    Samples(HandedOn),
    /// Speed of turning streams into tables, in MB/s: writes bench/streams.csv
    #[command(after_help = "\
Example:
  cargo xtask bench streams
  cargo xtask bench streams --workload gson")]
    Streams(HandedOn),
    /// Counter updates if only chords of spanning trees were counted: writes
    /// bench/archive/placement.csv
    #[command(after_help = "\
Example:
  cargo xtask bench placement
  cargo xtask bench placement --workload gson")]
    Placement(HandedOn),
    /// Published encodings of paths in apps, beside `--profile paths`: writes
    /// bench/path_encodings.csv
    #[command(after_help = "\
Example:
  cargo xtask bench path-encodings
  cargo xtask bench path-encodings --workload gson --rounds 1")]
    PathEncodings(HandedOn),
    /// Cost of the rare call in a probe, beside its work: writes
    /// bench/archive/slow_way.csv
    #[command(after_help = "\
Example:
  cargo xtask bench slow-way
  cargo xtask bench slow-way --workload euler")]
    SlowWay(HandedOn),
    /// Path facts that counts of edges determine, over all fixtures: writes bench/profiles.csv
    #[command(after_help = "\
Example:
  cargo xtask bench profiles
  cargo xtask bench profiles tether calls")]
    Profiles(HandedOn),
    /// Intervals of samples, asked of a time tree and of Perfetto's trace processor: writes
    /// bench/timetree.csv
    #[command(after_help = "\
Example:
  cargo xtask bench timetree
  cargo xtask bench timetree --samples 300000")]
    Timetree(HandedOn),
}

/// Runs a task.
///
/// # Errors
/// Fails if a run prints something else than the uninstrumented program.
pub fn run(task: BenchTask, here: &Workspace) -> Result<()> {
    if let BenchTask::Growth(options) = task {
        here.packages(&["oracles"])?;
        return here.python("bench/exactness/growth.py", options.arguments);
    }
    if let BenchTask::Sizes(options) = task {
        return here.python("bench/sizes.py", options.arguments);
    }
    if let BenchTask::Memory(options) = task {
        return here.python("bench/memory.py", options.arguments);
    }
    here.packages(&["build", "run", "bench"])?;
    here.art("dalvikvm")?;
    here.d8()?;
    match task {
        BenchTask::Run(options) => {
            let floors = release_example(here, "floors")?;
            let mut script = here.script("python3", "bench/bench.py")?;
            process::run(script.env("FLOORS", floors).args(options.arguments))
        }
        BenchTask::Predict(options) => here.python("bench/predict.py", options.arguments),
        BenchTask::Transfer(options) => here.python("bench/transfer.py", options.arguments),
        BenchTask::Steps(options) => {
            let work = here.target.join("bench-steps");
            let mut script = here.script("python3", "bench/steps.py")?;
            process::run(script.arg("--work").arg(work).args(options.arguments))
        }
        BenchTask::Starts(options) => on_art14(here, "bench/starts.py", options),
        BenchTask::R8(options) => on_art14(here, "bench/r8.py", options),
        BenchTask::Decisions(options) => on_art14(here, "bench/decisions.py", options),
        BenchTask::OwnModel(options) => on_workloads(here, "bench/own_model.py", options),
        BenchTask::Samples(options) => on_workloads(here, "bench/samples.py", options),
        BenchTask::Streams(options) => on_workloads(here, "bench/streams.py", options),
        BenchTask::Placement(options) => {
            let mut script = with_workloads(here, "bench/archive/placement.py")?;
            script.env("PLACEMENT", here.development_example("placement")?);
            process::run(script.args(options.arguments))
        }
        BenchTask::PathEncodings(options) => {
            here.art("dex2oat14")?;
            let mut script = with_workloads(here, "bench/path_encodings.py")?;
            script.env("PATH_ENCODINGS", here.development_example("path_encodings")?);
            process::run(script.args(options.arguments))
        }
        BenchTask::SlowWay(options) => {
            here.packages(&["oracles"])?;
            process::run(with_workloads(here, "bench/archive/slow_way.py")?.args(options.arguments))
        }
        BenchTask::Profiles(options) => {
            let mut script = here.script("python3", "bench/profiles.py")?;
            script.env("REGION_CELLS", here.development_example("region_cells")?);
            process::run(script.args(options.arguments))
        }
        BenchTask::Timetree(options) => {
            let processor = traces::processor(here)?;
            let work = here.cache().join("bench/timetree");
            let mut script = here.script("python3", "bench/timetree_peers.py")?;
            script.arg(here.pathlight()?).arg(processor).arg("--work").arg(work);
            process::run(script.args(options.arguments))
        }
        BenchTask::Exactness(options) => here.python("bench/exactness/run.py", options.arguments),
        BenchTask::Growth(_) | BenchTask::Sizes(_) | BenchTask::Memory(_) => {
            unreachable!("done above")
        }
    }
}

/// Builds an example of the cross-crate tests with the release profile; returns its path.
fn release_example(here: &Workspace, name: &str) -> Result<PathBuf> {
    let build = ["--release", "--quiet", "--package", "tests", "--example", name];
    process::run(here.cargo("build").args(build))?;
    Ok(here.target.join("release/examples").join(name))
}

/// A script that builds workloads with the `pathlight` of this checkout.
fn with_workloads(here: &Workspace, script: &str) -> Result<Command> {
    let work = here.target.join("bench-steps");
    let pathlight = here.pathlight()?.to_owned();
    let mut script = here.script("python3", script)?;
    // Scripts in bench/archive import the modules of the bench.
    let path = std::env::join_paths([here.path("tests"), here.path("bench")]).expect("paths");
    script.env("PYTHONPATH", path).arg(pathlight).arg("--work").arg(work);
    Ok(script)
}

/// Runs such a script, which needs ART 14 with its boot image.
fn on_art14(here: &Workspace, script: &str, options: HandedOn) -> Result<()> {
    here.art("dex2oat14")?;
    on_workloads(here, script, options)
}

/// Runs it.
fn on_workloads(here: &Workspace, script: &str, options: HandedOn) -> Result<()> {
    process::run(with_workloads(here, script)?.args(options.arguments))
}
