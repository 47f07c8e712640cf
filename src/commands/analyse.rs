//! `pathlight analyse`.

use std::path::PathBuf;

use decoder::crew::share;
use decoder::replay::Program;
use decoder::session::decode_thread_on;
use model::map::Map;
use reports::analyse::{Analysis, PathCounts};

use super::Result;
use super::decode::{collect, read_map};
use super::jobs::Jobs;
use crate::print::Printer;
use crate::progress::Progress;

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
  pathlight analyse --map app.plmap *.plt --method '*.tether.Commands.*' --top 50 --json")]
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
    let cores = jobs.cores();
    // One for each core: counts add up to the same in any order.
    let mut counters: Vec<Option<(PathCounts<'p, 'm>, u64)>> = vec![None; cores.count()];
    let processes = collect(map, logs)?;
    let all = processes.len();
    let progress = Progress::new("decoding");
    for (number, process) in (1..).zip(processes) {
        progress.at(format_args!("decoding process {number} of {all}"));
        let threads = process?.threads;
        share(&cores, &mut counters, threads.len(), |counter, number| {
            let (counts, faulty) = counter.get_or_insert_with(|| (PathCounts::new(program), 0));
            *faulty += decode_thread_on(&cores, program, &threads[number], counts).faulty;
        });
    }
    let mut all = (PathCounts::new(program), 0);
    for (counts, faulty) in counters.iter().flatten() {
        all.0.merge(counts);
        all.1 += faulty;
    }
    Ok(all)
}
