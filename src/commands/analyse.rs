//! `pathlight analyse`.

use std::path::PathBuf;

use decoder::replay::Program;
use model::map::Map;
use reports::analyse::{Analysis, Observer, PathCounts};

use super::Result;
use super::decode::read_map;
use super::jobs::Jobs;
use super::sinks::decoded;
use crate::print::Printer;

/// Tell what counts of edges would miss: whether they fix those of paths, and what correlation of
/// branches they lose.
///
/// A path runs from a method's entry, a handler or a loop's first block to where the method is left
/// or a loop goes round. *Definite* passes follow from the counts of the edges; *lost bits* is how
/// much more it takes to tell a pass by edges than by paths.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  pathlight analyse --map app.plmap *.plt
  pathlight analyse --map app.plmap *.plt --method '*.tether.Commands.*' --top 50 --json
  pathlight analyse --map app.plmap *.plt --observer --deadline 16ms --delta-ns 20")]
pub struct Args {
    /// Map of the build, written by `instrument`.
    #[arg(long)]
    map: PathBuf,
    /// Any mix of trace files, logcat text in any -v format, and - for standard input.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Look at methods only whose `com.example.Cls.name` matches; repeatable.
    #[arg(long, value_name = "GLOB")]
    method: Vec<String>,
    /// Show so many methods, those first where the counts of edges lose most.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Also tell what probes change about times: the share of each method's callbacks that ended by
    /// the deadline, as measured and less the time of the probes.
    #[arg(long, requires = "delta_ns")]
    observer: bool,
    /// With --observer: what a decision costs on the device, in ns (bench/README.md has prices). A
    /// loop that is counted or a region has fewer probes than decisions, so this is the most.
    #[arg(long, value_name = "NS", requires = "observer")]
    delta_ns: Option<u64>,
    /// With --observer: the deadline (16ms, 1.5s).
    #[arg(long, value_name = "TIME", default_value = "16ms", value_parser = super::report::time)]
    deadline: u64,
    /// Print the figures of all methods as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    let map = read_map(&args.map)?;
    let program = Program::new(&map);
    let (counts, faulty) = count(&map, &program, &args.logs, &args.jobs)?;
    let mut analysis = Analysis::new(&counts, &args.method);
    analysis.faulty_records = faulty;
    if let Some(delta_ns) = args.delta_ns {
        let new = || Observer::new(&program);
        let add = |all: &mut Observer<'_, '_>, one: &mut Observer<'_, '_>| all.merge(one);
        let (observer, _) = decoded(&map, &program, &args.logs, &args.jobs, new, add)?;
        analysis.observer = Some(observer.observed(args.deadline, delta_ns, &args.method));
    }
    match args.json {
        true => out.json(&analysis)?,
        false => analysis.write(args.top, out.raw())?,
    }
    if faulty > 0 {
        return Err(format!("{faulty} records could not be decoded and are left out").into());
    }
    Ok(())
}

/// Counts the paths of all logs. Also gives how many records could not be decoded.
pub fn count<'p, 'm>(
    map: &Map,
    program: &'p Program<'m>,
    logs: &[PathBuf],
    jobs: &Jobs,
) -> Result<(PathCounts<'p, 'm>, u64)> {
    let add = |all: &mut PathCounts<'p, 'm>, one: &mut PathCounts<'p, 'm>| all.merge(one);
    decoded(map, program, logs, jobs, || PathCounts::new(program), add)
}
