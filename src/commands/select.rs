//! `pathlight select`.

use std::path::PathBuf;

use decoder::crew::share;
use decoder::replay::Program;
use decoder::session::{ThreadSink, decode_thread_on};
use model::map::Map;
use model::path_profiles::selected::Kind;
use model::paths_file::PathsFile;
use reports::select::{Activations, Choice, Found, Rounds};

use super::decode::{collect, read_map};
use super::jobs::Jobs;
use super::{Result, Usage};
use crate::outputs::{Files, Kind as Output};
use crate::print::{Printer, note, say};
use crate::progress::Progress;

/// Choose paths to count, of those that ran in decoded sessions.
///
/// A whole path is one activation of a method, from its entry to its return; calls in it do not
/// matter. A loop path is one round, from the loop's first block to that block again. Paths of a
/// single block are left out: they would count calls. What is written can be edited: steps are
/// addresses in code units, as dexdump shows them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  pathlight select --map app.plmap *.plt -o paths.json
  pathlight select --map app.plmap *.plt --method '*.Network.*' --top 50 --rare 10 -o paths.json
  pathlight select --map app.plmap *.plt --through Network.java:42 -o paths.json
  pathlight select --map app.plmap *.plt --kind loop -o loops.json
  pathlight instrument app.apk -o count.apk --map count.plmap --profile paths --select paths.json")]
pub struct Args {
    /// Map of the build that wrote the logs: of the same release as the build that is to count.
    #[arg(long)]
    map: PathBuf,
    /// Any mix of trace files, logcat text in any -v format, and - for standard input.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Choose whole activations, or rounds of loops.
    #[arg(long, default_value = "whole", value_parser = ["whole", "loop"])]
    kind: String,
    /// Choose so many paths that ran most often.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Choose so many more that ran least often.
    #[arg(long, value_name = "N", default_value_t = 0)]
    rare: usize,
    /// Look at methods only whose `com.example.Cls.name` matches; repeatable.
    #[arg(long, value_name = "GLOB")]
    method: Vec<String>,
    /// Look at paths only that come to this line; repeatable: any of them.
    #[arg(long, value_name = "FILE:LINE", value_parser = line)]
    through: Vec<(String, u32)>,
    /// Write the paths to this file.
    #[arg(short, long)]
    output: PathBuf,
    #[command(flatten)]
    jobs: Jobs,
}

fn line(text: &str) -> std::result::Result<(String, u32), String> {
    let (file, line) = text.rsplit_once(':').ok_or("expected FILE:LINE, as in Network.java:42")?;
    Ok((file.to_owned(), line.parse().map_err(|e| format!("{line:?}: {e}"))?))
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    if args.top == 0 && args.rare == 0 {
        return Err(Usage("--top 0 without --rare chooses nothing").into());
    }
    let mut files = Files::default();
    files.reads("--map", &args.map);
    args.logs.iter().for_each(|log| files.reads("a log", log));
    files.writes("-o", &args.output, Output::Paths);
    files.check()?;
    let map = read_map(&args.map)?;
    let program = Program::new(&map);
    let (kind, (found, faulty)) = match args.kind.as_str() {
        "loop" => {
            (Kind::Piece, look(&map, args, || Rounds::new(&program), |s| &s.found, &program)?)
        }
        _ => {
            let sink = || Activations::new(&program);
            (Kind::Whole, look(&map, args, sink, |s| &s.found, &program)?)
        }
    };
    let choice = Choice {
        methods: args.method.clone(),
        through: args.through.clone(),
        top: args.top,
        rare: args.rare,
    };
    let paths = choice.of(&map, &found, kind);
    if paths.is_empty() {
        return Err("no path that ran is of these; nothing was written".into());
    }
    let count = paths.len();
    let methods: std::collections::HashSet<&str> = paths.iter().map(|p| &*p.method).collect();
    let told = format!("{count} paths of {} methods → {}", methods.len(), args.output.display());
    files.write(&[&PathsFile::new(&map.package, paths).to_bytes()])?;
    say!(out, "{told}")?;
    let told = [
        (found.long, "are too long to be chosen: --kind loop takes their rounds"),
        (found.unsure, "hold an exception that several blocks can have thrown: not chosen"),
        (found.cut, "were cut short by an exception or the log's end: not chosen"),
        (found.uncounted, "are of methods with more than 20,000 different paths: not chosen"),
    ];
    for (times, what) in told.into_iter().filter(|(times, _)| *times > 0) {
        note(format_args!("{times} passes {what}"));
    }
    if faulty > 0 {
        return Err(format!("{faulty} records could not be decoded and are left out").into());
    }
    Ok(())
}

/// What all logs show to such sinks, and how many records could not be decoded.
fn look<'p, 'm, S: ThreadSink + Send>(
    map: &Map,
    args: &Args,
    new: impl Fn() -> S + Sync,
    found: impl Fn(&S) -> &Found,
    program: &'p Program<'m>,
) -> Result<(Found, u64)> {
    let cores = args.jobs.cores();
    let mut sinks: Vec<Option<(S, u64)>> = (0..cores.count()).map(|_| None).collect();
    let processes = collect(map, &args.logs)?;
    let all = processes.len();
    let progress = Progress::new("decoding");
    for (number, process) in (1..).zip(processes) {
        progress.at(format_args!("decoding process {number} of {all}"));
        let threads = process?.threads;
        share(&cores, &mut sinks, threads.len(), |sink, number| {
            let (sink, faulty) = sink.get_or_insert_with(|| (new(), 0));
            *faulty += decode_thread_on(&cores, program, &threads[number], sink).faulty;
        });
    }
    let mut sum = (Found::default(), 0);
    for (sink, faulty) in sinks.iter().flatten() {
        sum.0.merge(found(sink));
        sum.1 += faulty;
    }
    Ok(sum)
}
