//! `pathlight timetree query`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use timetree::{Index, Interval, Thread, ThreadOrigin, WeightUnit};

use super::super::{Result, Usage};
use crate::args::times::{Span, Time};
use crate::args::unmatched::Threads;
use crate::error::PathContext;
use crate::outputs::print::{Printer, counted, show};
use crate::outputs::timetree::{Names, ThreadAnswer, compared, folded};

/// Show what ran in an interval: methods and call paths with their weights.
///
/// Times are those since the process began (12.3s, 500ms; a bare number is in ms), before its end
/// (-2s), or of the wall clock in UTC (2026-11-21T09:12:44.946). What ran counts where the last
/// clock before it is: a callback's begin, or a piece of the log that was begun since. Weights are
/// blocks; in a tree of samples, samples or µs, and times since the file's first sample.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight timetree query session.pltt --from 12.3s --to 15s
  pathlight timetree query session.pltt --from=-2s --thread main --top 5
  pathlight timetree query session.pltt --from 2026-11-29T21:11:47 --to 2026-11-29T21:11:47.27
  pathlight timetree query session.pltt --from 0 --to 200 --thread main --compare 600ms..800ms
  pathlight timetree query session.pltt --from 0 --to 500 --format json
  pathlight timetree query session.pltt --from 0 --to 500 --format folded > 500ms.folded")]
pub struct Args {
    /// A tree that `timetree build` wrote.
    file: PathBuf,
    /// Weights of this time or later. Default: from the beginning.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<Time>,
    /// Weights before this time. Default: to the end.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<Time>,
    /// Compare with another interval: A..B, A.. or ..B. Weights of the other one
    /// are scaled to the same length.
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    compare: Option<Span>,
    /// Threads of this name or number. May be repeated.
    #[arg(long, value_name = "NAME|N")]
    thread: Vec<String>,
    /// Name N methods and N call paths of each thread.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Print text for people, json for programs, or folded stacks for flame graphs, all of them.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[arg(default_value_if("json", "true", "json"), conflicts_with = "json")]
    format: Format,
    /// Print JSON. Short for --format json.
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,
    /// Also print how much of the file was read.
    #[arg(long)]
    stats: bool,
}

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
    /// Folded stacks: flamegraph.pl, speedscope and the Firefox Profiler read them
    Folded,
}

/// Errors name the file.
fn named<T>(path: &Path, result: std::result::Result<T, timetree::Error>) -> Result<T> {
    Ok(result.at(path)?)
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    if args.compare.is_some() && args.format == Format::Folded {
        return Err(Usage("folded stacks are of one interval: leave --compare out").into());
    }
    let mut index = Index::open(&args.file)?;
    let kind = index.head().kind;
    let names = Names(named(&args.file, index.names())?);
    let threads = index.threads().to_vec();
    let process = |o: &ThreadOrigin| (o.pid, o.start_ms, o.process.clone());
    let mut ends = BTreeMap::<_, u64>::new();
    for Thread { origin, outcome, .. } in &threads {
        let end = ends.entry(process(origin)).or_default();
        *end = outcome.end.max(*end);
    }
    let mut there = Threads::new(&args.thread);
    threads.iter().for_each(|t| there.add(t.origin.number, Some(&t.origin.name)));
    there.check().at(&args.file)?;
    let asked = |o: &ThreadOrigin| {
        let fits = |t: &String| *t == o.number.to_string() || *t == o.name;
        args.thread.is_empty() || args.thread.iter().any(fits)
    };
    let (mut answers, mut found) = (Vec::new(), false);
    for (number, thread) in threads.iter().enumerate().filter(|(_, t)| asked(&t.origin)) {
        let end = ends[&process(&thread.origin)];
        let clock = Clock { start_ms: thread.origin.start_ms, end, kind };
        let interval = clock.interval(args.from, args.to)?;
        let answer = named(&args.file, index.query(number, interval))?;
        let rows = named(&args.file, index.rows(&answer))?;
        if args.format == Format::Folded {
            folded(&thread.origin, &rows, &names, out)?;
            found = true;
            continue;
        }
        let heaviest = names.heaviest(&rows, args.top);
        let mut shown = ThreadAnswer::new((thread, kind), interval, &answer, heaviest);
        if let Some(span) = args.compare {
            let other = clock.interval(span.from, span.to)?;
            let second = named(&args.file, index.query(number, other))?;
            let both = [(&answer, interval), (&second, other)];
            shown.compared = Some(named(&args.file, compared(&mut index, both, &names, args.top))?);
        }
        answers.push(shown);
    }
    if answers.is_empty() && !found && threads.is_empty() {
        return Err(format!("{}: no thread in it", args.file.display()).into());
    }
    match args.format {
        Format::Json => out.json(&BTreeMap::from([("threads", &answers)]))?,
        Format::Text => {
            out.page()?;
            let (ran, idle): (Vec<_>, Vec<_>) = answers.iter().partition(|a| a.ran());
            ran.iter().try_for_each(|a| a.print(args.stats, out))?;
            if !idle.is_empty() {
                show!(out, "nothing ran in the interval in {}", counted(idle.len(), "thread"))?;
            }
        }
        Format::Folded => {}
    }
    Ok(())
}

/// The reference points for times of a process.
struct Clock {
    start_ms: u64,
    /// In µs since then, the last time that is known.
    end: u64,
    kind: WeightUnit,
}

impl Clock {
    fn at(&self, time: Time) -> Result<u64> {
        if matches!(time, Time::Wall(_)) && self.kind != WeightUnit::Paths {
            return Err(Usage("samples have no wall clock: times are since the first one").into());
        }
        Ok(time.since(self.start_ms, self.end))
    }

    /// Returns the interval between two times. Without `to`, it has the last time of the process.
    fn interval(&self, from: Option<Time>, to: Option<Time>) -> Result<Interval> {
        let begin = from.map_or(Ok(0), |t| self.at(t))?;
        let end = to.map_or(Ok(self.end.saturating_add(1)), |t| self.at(t))?;
        if begin > end && to.is_some() {
            return Err(Usage("the interval ends before it begins").into());
        }
        Ok(Interval { from: begin, to: end.max(begin) })
    }
}
