//! `pathlight timetree build`.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use decoder::Damage;
use decoder::places::IndexRecorder;
use decoder::replay::Program;
use decoder::session::decode_streamed_on;
use reports::traces::{FrameNames, Traces};
use reports::{Both, Weights};
use samples::read::{ReadError, SampleFormat, Samples};
use samples::weights::{Feeder, kind};
use timetree::{Builder, Head, TreeOptions, WeightUnit};

use super::super::Result;
use crate::args::jobs::Jobs;
use crate::args::times::sampling;
use crate::inputs::{self, LogFiles, Logs};
use crate::outputs::print::{Printer, counted, note, show};
use crate::outputs::progress::Progress;
use crate::outputs::replace::{self, Subject};
use crate::outputs::timetree::{unit, weighed};
use crate::outputs::{self, Files};

/// Decode sessions once, and write a tree of what ran when; or one of samples.
///
/// The tree has the blocks that each call path ran, at the last time that was measured before they
/// ran: the begin of their callback, or the clock of a piece of the log that was begun since. No
/// time is made up in between.
///
/// With --samples, it has the stacks that a sampler saw, and needs no map. Of a trace of calls that
/// ART wrote, stacks weigh the µs until their thread's next event.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight timetree build --map app.plmap pathlight-*.plt -o session.pltt
  pathlight timetree build --map app.plmap beta.log --keep 99 -o session.pltt
  pathlight timetree build --samples dump.txt -o dump.pltt")]
pub struct Args {
    /// Map of the build, or a folder of maps, written by `instrument`. Default: the map of the
    /// logs' build that lies beside them or in the current folder.
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "samples")]
    map: Vec<PathBuf>,
    /// The files are of a sampler: simpleperf's report-sample protobuf, Perfetto traces, ART method
    /// traces, text with stacks. Each counts its time from its first sample.
    #[arg(long)]
    samples: bool,
    /// Trace files, logcat text in any -v format, folders and archives of them, and - for standard
    /// input.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Write the tree to this file.
    #[arg(short, long)]
    output: PathBuf,
    /// Replace a time tree of another build, or one of sessions by one of samples.
    #[arg(long)]
    force: bool,
    /// Sample an ART trace of calls at this interval: 1ms, 250us.
    #[arg(long, value_name = "TIME", value_parser = sampling, requires = "samples")]
    interval: Option<u64>,
    /// Weights in a leaf. A query reads at most two leaves of a thread in part.
    #[arg(long, value_name = "N", default_value_t = TreeOptions::default().leaf)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    leaf: u32,
    /// Children of a node.
    #[arg(long, value_name = "N", default_value_t = TreeOptions::default().fanout)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=1 << 10))]
    fanout: u32,
    /// Percent of a node's weight that is kept by call path; that of the rarest paths counts for
    /// their callers. Sums are exact in any case.
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0, value_parser = percent)]
    keep: f64,
    #[command(flatten)]
    jobs: Jobs,
}

fn percent(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(percent) if (0.01..=100.0).contains(&percent) => Ok(percent),
        _ => Err("expected a number from 0.01 to 100".into()),
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let mut files = Files::default();
    args.map.iter().for_each(|path| files.reads("the map", path));
    let what = if args.samples { "a file of samples" } else { "a log" };
    let found = match args.samples {
        true => LogFiles::default(),
        false => LogFiles::find(&args.logs)?,
    };
    args.logs.iter().filter(|path| !path.is_dir()).for_each(|path| files.reads(what, path));
    found.files().iter().for_each(|log| files.reads(what, &log.path));
    files.writes("-o", &args.output, outputs::Kind::TimeTree);
    files.check()?;
    let keep = (args.keep * 100.0).round() as u32;
    let options = TreeOptions { leaf: args.leaf, fanout: args.fanout, keep };
    match args.samples {
        false => of_sessions(args, &found, options, &files, out),
        true => of_samples(args, options, &files, out),
    }
}

fn of_sessions(
    args: &Args,
    found: &LogFiles,
    options: TreeOptions,
    files: &Files,
    out: &mut Printer,
) -> Result<Damage> {
    let map = inputs::map_of(&args.map, &[found])?.map;
    let mut logs = Logs::of_build(&map, found.files())?;
    let program = Program::new(&map);
    check(args, map.build.0.to_vec())?;
    let staged = files.stage()?;
    let Some(writer) = staged.writers()?.pop() else { return Ok(Damage::NONE) };
    let mut traces = Traces::new(&program, Weights::new(FrameNames(&program), writer, options)?);
    let cores = args.jobs.cores();
    let (mut damage, all) = (Damage::NONE, logs.len());
    let progress = Progress::new("decoding");
    let mut number = 0;
    while let Some(process) = logs.next_streamed() {
        let mut process = process?;
        number += 1;
        traces.process(process.process());
        traces.sinks().process_of(&process);
        let threads = process.process().threads.len();
        // An index of temporary copies would find nothing.
        let is_copied = process.process().sources.iter().any(|name| found.is_temporary(name));
        let lasting = process.lasting() && !is_copied;
        for thread in 0..threads {
            traces.thread(process.process(), &process.process().threads[thread]);
            let Some(mut thread) = process.thread(thread) else { continue };
            let n = thread.log().number;
            let text = format_args!("decoding process {number} of {all}, thread {n}");
            progress.at_part(number - 1, all, text);
            let before = traces.totals().doubtful;
            let mut places = IndexRecorder::default();
            let mut both = Both(&mut traces, &mut places);
            let totals = decode_streamed_on(&cores, &program, &mut thread, &mut both)?;
            let doubtful = traces.totals().doubtful - before;
            traces.sinks().ended(&totals, doubtful);
            if lasting {
                traces.sinks().keep(&mut thread, places);
            }
            damage += Damage::records(totals.faulty);
        }
    }
    drop(progress);
    let (totals, tree) = traces.finish()?;
    staged.commit()?;
    if !files.write_to_stdout() {
        let threads = counted(totals.threads, "thread");
        let callbacks = counted(totals.callbacks, "callback");
        show!(out, "{threads}, {callbacks}, {}", counted(totals.steps, "block"))?;
        if let Some(summary) = tree.summary() {
            show!(out, "{}: {summary}", args.output.display())?;
        }
    }
    damage += logs.damage();
    Ok(damage)
}

/// Refuses to replace the tree of another build, without --force.
fn check(args: &Args, build: Vec<u8>) -> Result {
    if !args.force {
        replace::check("-o", &args.output, &Subject::TimeTree(build))?;
    }
    Ok(())
}

/// The bytes of a file, or of standard input.
fn whole(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return disk::read(path, disk::MOST);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file of samples that was read.
struct Sampled {
    file: String,
    samples: Samples,
    kind: WeightUnit,
}

fn of_samples(
    args: &Args,
    options: TreeOptions,
    files: &Files,
    out: &mut Printer,
) -> Result<Damage> {
    let read = |path: &PathBuf| -> Result<Sampled> {
        let file = path.display().to_string();
        let named = |e: &dyn std::fmt::Display| format!("{file}: {e}");
        let bytes = whole(path).map_err(|e| named(&e))?;
        let (format, mut samples) = Samples::read(&bytes).map_err(|e| match e {
            ReadError::Unknown if bytes.starts_with(&model::trace::FILE_MAGIC) => {
                named(&"a log: give its --map in place of --samples")
            }
            other => named(&other),
        })?;
        if let (SampleFormat::Art, Some(interval)) = (format, args.interval) {
            samples.spread(interval);
        }
        let kind = kind(format, args.interval);
        Ok(Sampled { file, samples, kind })
    };
    let all = args.logs.iter().map(read).collect::<Result<Vec<_>>>()?;
    let kind = all[0].kind;
    if let Some(other) = all.iter().find(|s| s.kind != kind) {
        let message = format!(
            "{} weighs {}, {} weighs {}: --interval makes samples of traces of calls",
            all[0].file,
            unit(kind),
            other.file,
            unit(other.kind)
        );
        return Err(message.into());
    }
    check(args, Vec::new())?;
    let staged = files.stage()?;
    let Some(writer) = staged.writers()?.pop() else { return Ok(Damage::NONE) };
    let mut builder = Builder::new(writer, &Head { kind, build_id: Vec::new() }, options)?;
    let mut feeder = Feeder::default();
    let (mut threads, mut weight, mut damage) = (0, 0, Damage::NONE);
    for Sampled { file, samples, kind } in &all {
        let fed = feeder
            .file(&mut builder, (file, *kind), samples)
            .map_err(|e| format!("{file}: {e}"))?;
        threads += fed.threads;
        weight += fed.weight;
        if samples.cut {
            note(format!("{file}: ends in the middle of something; what is whole was read"));
            damage += Damage::problems(1);
        }
    }
    let contexts = builder.contexts().len();
    builder.finish(feeder.names())?;
    staged.commit()?;
    if !files.write_to_stdout() {
        let weight = weighed(weight, unit(kind));
        let threads = counted(threads, "thread");
        show!(out, "{threads}, {weight} of {}", counted(contexts, "call path"))?;
    }
    Ok(damage)
}
