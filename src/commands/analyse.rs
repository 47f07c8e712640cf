//! `pathlight paths analyse`.

use std::path::PathBuf;

use decoder::Damage;
use decoder::replay::Program;
use reports::analyse::{Analysis, Observer};
use reports::unmatched_method;

use super::{Result, Usage};
use crate::args::jobs::Jobs;
use crate::args::times::duration;
use crate::args::unmatched;
use crate::inputs::{EvidenceFiles, decoded};
use crate::outputs::print::Printer;

/// Show what counts of edges would miss: if they fix those of paths, and what correlation of
/// branches they lose.
///
/// A path runs from a method's entry, a handler or a loop's first block to where the method is left
/// or a loop goes round. *Definite* passes follow from the counts of the edges; *lost bits* are the
/// bits that a description of a pass by edges needs beyond one by paths.
///
/// Some passes have no end: an exception or the log's end cut them short, or a ring has overwritten
/// their begin. *Cut* is their share. *Off by* is the most by which the share of any path in the
/// complete passes can differ from its share in all, had each of the others gone on to its end.
///
/// Count files (of a build with `--profile edges`) have no paths: then only the definite passes are
/// known, and figures that need paths are marked as unknown. The bounds hold for threads that had
/// ended their callbacks when the file was written. Counts of logs of other sessions are added.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight paths analyse --map app.plmap *.plt
  pathlight paths analyse --map app.plmap *.plt --method '*.tether.Commands.*' --top 50 --json
  pathlight paths analyse --map counts.plmap pathlight-*.plc
  pathlight paths analyse --map app.plmap --map counts.plmap pathlight-*.plt pathlight-*.plc
  pathlight paths analyse --map app.plmap *.plt --observer --deadline 16ms --delta-ns 20")]
pub struct Args {
    /// Map of the build, or a folder of maps, written by `instrument`; twice with logs and count
    /// files, as these are of two builds. Default: maps beside the logs or in the current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// Trace files, logcat text in any -v format, folders and archives of them, and - for standard
    /// input; count files.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Look at methods only whose `com.example.Cls.name` matches; repeatable.
    #[arg(long, value_name = "GLOB")]
    method: Vec<String>,
    /// Show N methods; first those where counts of edges lose most.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Also show what probes change about times. That is the share of each method's callbacks that
    /// ended by the deadline, as measured and less the time of the probes.
    #[arg(long, requires = "delta_ns")]
    observer: bool,
    /// With --observer: what a decision costs on the device, in ns (bench/README.md has prices). A
    /// loop that is counted or a region has fewer probes than decisions, so this is the most.
    #[arg(long, value_name = "NS", requires = "observer")]
    delta_ns: Option<u64>,
    /// With --observer: the deadline (16ms, 1.5s).
    #[arg(long, value_name = "TIME", default_value = "16ms", value_parser = duration)]
    deadline: u64,
    /// Print the figures of all methods as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let inputs = EvidenceFiles::read(&args.map, &args.logs)?;
    if args.observer && inputs.logs.is_empty() {
        return Err(Usage("--observer is for logs: count files have no times").into());
    }
    unmatched::check(unmatched_method(&inputs.map, &args.method))?;
    let program = Program::new(&inputs.map);
    let (shown, damage) = inputs.counted(&program, &args.jobs.cores())?;
    let mut analysis = Analysis::new(&shown.evidence(&inputs.map), &args.method);
    analysis.faulty_records = damage.records;
    if let Some(delta_ns) = args.delta_ns {
        let new = || Observer::new(&program);
        let add = |all: &mut Observer<'_, '_>, one: &mut Observer<'_, '_>| all.merge(one);
        let logs = &inputs.logs;
        let (observer, _) = decoded(&inputs.map, &program, logs, &args.jobs.cores(), new, add)?;
        analysis.observer = Some(observer.observed(args.deadline, delta_ns, &args.method));
    }
    match args.json {
        true => out.json(&analysis)?,
        false => {
            out.page()?;
            analysis.write(args.top, out.raw())?;
        }
    }
    Ok(damage)
}
