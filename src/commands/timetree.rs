//! `pathlight timetree`.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use decoder::places::Places;
use decoder::replay::Program;
use decoder::session::decode_thread_on;
use reports::traces::{Names, Traces};
use reports::{Both, Weights};
use serde::Serialize;
use timetree::{Index, Interval, Options, Origin, Outcome, Row, Stats, Thread, methods};

use super::decode::{Format, collect, read_map};
use super::jobs::Jobs;
use super::times::Time;
use super::{Result, Usage};
use crate::outputs::{Files, Kind};
use crate::print::{Printer, say};
use crate::progress::Progress;

/// What is to be done.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Decode sessions once, and write a tree of what ran when.
    Build(BuildArgs),
    /// Tell what ran in an interval: methods and call paths with their blocks.
    Query(QueryArgs),
}

/// Decode sessions once, and write a tree of what ran when.
///
/// The tree has the blocks that each call path ran, at the last time that was measured before they
/// ran: the begin of their callback, or the clock of a piece of the log that was begun since. No
/// time is made up in between.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  pathlight timetree build --map app.plmap pathlight-*.plt -o session.pltt
  pathlight timetree build --map app.plmap beta.log --keep 99 -o session.pltt")]
pub struct BuildArgs {
    /// Map of the build, written by `instrument`.
    #[arg(long)]
    map: PathBuf,
    /// Any mix of trace files, logcat text in any -v format, and - for standard input.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Write the tree to this file.
    #[arg(short, long)]
    output: PathBuf,
    /// Weights in a leaf. A query reads at most two leaves of a thread in part.
    #[arg(long, value_name = "N", default_value_t = Options::default().leaf)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    leaf: u32,
    /// Children of a node.
    #[arg(long, value_name = "N", default_value_t = Options::default().fanout)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=1 << 10))]
    fanout: u32,
    /// Percent of a node's blocks that are told by call path; those of the rarest paths count for
    /// their callers. Sums are exact in any case.
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0, value_parser = percent)]
    keep: f64,
    #[command(flatten)]
    jobs: Jobs,
}

/// Tell what ran in an interval: methods and call paths with their blocks.
///
/// Times are those since the process began (12.3s, 500ms; a bare number is in ms), before its end
/// (-2s), or of the wall clock in UTC (2026-11-21T09:12:44.946). What ran counts where the last
/// clock before it is: a callback's begin, or a piece of the log that was begun since.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  pathlight timetree query session.pltt --from 12.3s --to 15s
  pathlight timetree query session.pltt --from=-2s --thread main --top 5
  pathlight timetree query session.pltt --from 2026-11-23T04:30:24 --to 2026-11-23T04:30:24.89
  pathlight timetree query session.pltt --from 0 --to 500 --format json")]
pub struct QueryArgs {
    /// A tree that `timetree build` wrote.
    file: PathBuf,
    /// What ran at this time or later. Default: from the beginning.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<Time>,
    /// What ran before this time. Default: to the end.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<Time>,
    /// Threads of this name or number. May be repeated.
    #[arg(long, value_name = "NAME|N")]
    thread: Vec<String>,
    /// Name so many methods and call paths of each thread.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Print text for people, or json for programs.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print how much of the file was read, too.
    #[arg(long)]
    stats: bool,
}

fn percent(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(percent) if (0.01..=100.0).contains(&percent) => Ok(percent),
        _ => Err("expected a number from 0.01 to 100".into()),
    }
}

/// Runs the command.
pub fn run(command: &Command, out: &mut Printer) -> Result {
    match command {
        Command::Build(args) => build(args, out),
        Command::Query(args) => query(args, out),
    }
}

fn build(args: &BuildArgs, out: &mut Printer) -> Result {
    let mut files = Files::default();
    files.reads("the map", &args.map);
    args.logs.iter().for_each(|path| files.reads("a log", path));
    files.writes("-o", &args.output, Kind::TimeTree);
    files.check()?;
    let map = read_map(&args.map)?;
    let mut processes = collect(&map, &args.logs)?;
    let program = Program::new(&map);
    let keep = (args.keep * 100.0).round() as u32;
    let options = Options { leaf: args.leaf, fanout: args.fanout, keep };
    let staged = files.stage()?;
    let Some(writer) = staged.writers()?.pop() else { return Ok(()) };
    let mut traces = Traces::new(&program, Weights::new(Names(&program), writer, options)?);
    let cores = args.jobs.cores();
    let (mut faulty, all) = (0, processes.len());
    let progress = Progress::new("decoding");
    let mut number = 0;
    while let Some(process) = processes.next_indexed() {
        let (process, slabs) = process?;
        let lasting = slabs.lasting();
        number += 1;
        traces.process(&process);
        traces.sinks().process_of(&process, &slabs);
        for thread in &process.threads {
            let n = thread.number;
            progress.at(format_args!("decoding process {number} of {all}, thread {n}"));
            traces.thread(&process, thread);
            let before = traces.totals().doubtful;
            let mut places = Places::default();
            let mut both = Both(&mut traces, &mut places);
            let totals = decode_thread_on(&cores, &program, thread, &mut both);
            let doubtful = traces.totals().doubtful - before;
            traces.sinks().ended(&totals, doubtful);
            if lasting {
                traces.sinks().keep(thread, &slabs, places);
            }
            faulty += totals.faulty;
        }
    }
    drop(progress);
    let (totals, said) = traces.finish()?;
    staged.commit()?;
    if !files.write_to_stdout() {
        let (threads, callbacks, steps) = (totals.threads, totals.callbacks, totals.steps);
        say!(out, "{threads} threads, {callbacks} callbacks, {steps} blocks")?;
        for said in said.into_iter().flatten() {
            say!(out, "{}: {said}", args.output.display())?;
        }
    }
    if faulty > 0 {
        return Err(format!("{faulty} records could not be decoded and are left out").into());
    }
    Ok(())
}

/// What a thread did in the interval.
#[derive(Serialize)]
struct ThreadAnswer {
    process: String,
    pid: u32,
    thread: u32,
    name: String,
    start_ms: u64,
    from_us: u64,
    to_us: u64,
    blocks: u64,
    /// Of these, blocks that count for a caller.
    folded: u64,
    methods: Vec<MethodAnswer>,
    paths: Vec<PathAnswer>,
    refused_records: u64,
    unproven_records: u64,
    missing_slabs: u64,
    doubtful_calls: u64,
    stats: StatsAnswer,
}

/// A method with what it ran.
#[derive(Serialize)]
struct MethodAnswer {
    method: String,
    own: u64,
    total: u64,
}

/// A call path with what its last call ran.
#[derive(Serialize)]
struct PathAnswer {
    blocks: u64,
    /// The outermost call first.
    calls: Vec<String>,
}

/// How much was read.
#[derive(Serialize)]
struct StatsAnswer {
    height: u64,
    visited: u64,
    most_visited: u64,
    merged: u64,
    most_merged: u64,
    partial_leaves: u64,
    weights_read: u64,
}

impl From<Stats> for StatsAnswer {
    fn from(stats: Stats) -> Self {
        StatsAnswer {
            height: stats.height,
            visited: stats.visited,
            most_visited: stats.most_visited(),
            merged: stats.merged,
            most_merged: stats.most_merged(),
            partial_leaves: stats.partial,
            weights_read: stats.samples,
        }
    }
}

/// Errors name the file.
fn named<T>(path: &Path, told: std::result::Result<T, timetree::Error>) -> Result<T> {
    Ok(told.map_err(|e| format!("{}: {e}", path.display()))?)
}

fn query(args: &QueryArgs, out: &mut Printer) -> Result {
    let mut index = Index::open(&args.file)?;
    let names = named(&args.file, index.names())?;
    let threads = index.threads().to_vec();
    let process = |o: &Origin| (o.pid, o.start_ms, o.process.clone());
    let mut ends = BTreeMap::<_, u64>::new();
    for Thread { origin, outcome, .. } in &threads {
        let end = ends.entry(process(origin)).or_default();
        *end = outcome.end.max(*end);
    }
    let asked = |o: &Origin| {
        let fits = |t: &String| *t == o.number.to_string() || *t == o.name;
        args.thread.is_empty() || args.thread.iter().any(fits)
    };
    let mut answers = Vec::new();
    for (number, thread) in threads.iter().enumerate().filter(|(_, t)| asked(&t.origin)) {
        let end = ends[&process(&thread.origin)];
        let at = |time: Time| time.since(thread.origin.start_ms, end);
        // What ran at the very end is in an interval without one.
        let (from, to) = (args.from.map_or(0, at), args.to.map_or(end.saturating_add(1), at));
        if from > to && args.to.is_some() {
            return Err(Usage("--from is later than --to").into());
        }
        let interval = Interval { from, to: to.max(from) };
        answers.push(answer(&mut index, args, &names, (number, thread), interval)?);
    }
    if answers.is_empty() {
        return Err(format!("{}: it has no such thread", args.file.display()).into());
    }
    match args.format {
        Format::Json => out.json(&BTreeMap::from([("threads", &answers)]))?,
        Format::Text => {
            let (ran, idle): (Vec<_>, Vec<_>) = answers.iter().partition(|a| a.blocks > 0);
            ran.iter().try_for_each(|a| write(a, args, out))?;
            if !idle.is_empty() {
                say!(out, "nothing ran in the interval in {} threads", idle.len())?;
            }
        }
    }
    Ok(())
}

fn answer(
    index: &mut Index<File>,
    args: &QueryArgs,
    names: &[String],
    (number, thread): (usize, &Thread),
    interval: Interval,
) -> Result<ThreadAnswer> {
    let told = named(&args.file, index.query(number, interval))?;
    let rows = named(&args.file, index.rows(&told))?;
    let name = |method: u32| match names.get(method as usize) {
        Some(name) => name.clone(),
        None => format!("method {method}"),
    };
    let method = |m: &timetree::MethodRow| MethodAnswer {
        method: name(m.method),
        own: m.own,
        total: m.total,
    };
    let mut heavy: Vec<&Row> = rows.iter().filter(|r| r.weight.own > 0).collect();
    heavy.sort_by_key(|r| (std::cmp::Reverse(r.weight.own), r.id));
    let path = |row: &&Row| {
        let by_id = |id| rows.binary_search_by_key(&id, |r| r.id).ok().map(|at| &rows[at]);
        let above = |r: &&Row| by_id(r.parent).filter(|p| p.id < r.id);
        let mut calls: Vec<String> =
            std::iter::successors(Some(*row), above).filter_map(|r| r.method.map(name)).collect();
        calls.reverse();
        PathAnswer { blocks: row.weight.own, calls }
    };
    let Outcome { refused, unproven, missing, doubtful, .. } = thread.outcome;
    let origin = thread.origin.clone();
    Ok(ThreadAnswer {
        process: origin.process,
        pid: origin.pid,
        thread: origin.number,
        name: origin.name,
        start_ms: origin.start_ms,
        from_us: interval.from,
        to_us: interval.to,
        blocks: told.total,
        folded: told.weights.values().map(|w| w.other).sum(),
        methods: methods(&rows).iter().take(args.top).map(method).collect(),
        paths: heavy.iter().take(args.top).map(path).collect(),
        refused_records: refused,
        unproven_records: unproven,
        missing_slabs: missing,
        doubtful_calls: doubtful,
        stats: told.stats.into(),
    })
}

/// A call path in one line; calls of a method by itself are a number.
fn path(calls: &[String]) -> String {
    let one = |run: &[String]| match run.len() {
        1 => run[0].clone(),
        n => format!("{} × {n}", run[0]),
    };
    calls.chunk_by(|a, b| a == b).map(one).collect::<Vec<_>>().join(" > ")
}

fn write(a: &ThreadAnswer, args: &QueryArgs, out: &mut Printer) -> Result {
    let seconds = |us: u64| us as f64 / 1e6;
    let (from, to) = (seconds(a.from_us), seconds(a.to_us));
    let ThreadAnswer { process, pid, thread, name, blocks, .. } = a;
    say!(out, "=== {process} (pid {pid}), thread {thread} \"{name}\", {from:.3} s to {to:.3} s")?;
    let mut lacks = Vec::new();
    for (n, what) in [
        (a.refused_records, "records could not be decoded"),
        (a.unproven_records, "records are not proven"),
        (a.missing_slabs, "slabs are missing"),
        (a.doubtful_calls, "calls are doubtful"),
    ] {
        if n > 0 {
            lacks.push(format!("{n} {what}"));
        }
    }
    let folded = match a.folded {
        0 => String::new(),
        n => format!(", {n} of them counted for their callers"),
    };
    say!(out, "{blocks} blocks{folded}")?;
    if !lacks.is_empty() {
        say!(out, "in the whole thread: {}", lacks.join(", "))?;
    }
    if !a.methods.is_empty() {
        say!(out, "{:>14} {:>14}  method", "own blocks", "with callees")?;
        for m in &a.methods {
            say!(out, "{:>14} {:>14}  {}", m.own, m.total, m.method)?;
        }
        say!(out, "{:>14}  call path", "blocks")?;
        for p in &a.paths {
            say!(out, "{:>14}  {}", p.blocks, path(&p.calls))?;
        }
    }
    if args.stats {
        let s = &a.stats;
        say!(
            out,
            "read: {} of at most {} nodes, {} merged, {} leaves in part, {} weights",
            s.visited,
            s.most_visited,
            s.merged,
            s.partial_leaves,
            s.weights_read
        )?;
    }
    Ok(())
}
