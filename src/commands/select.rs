//! `pathlight paths select`.

use std::path::PathBuf;

use decoder::Damage;
use decoder::replay::{PathSink, Program};
use model::map::Map;
use model::path_profiles::selected::PathKind;
use model::paths_file::{PathEntry, PathsFile};
use reports::select::{
    Activations, Between, Choice, Line, PathFindings, Rounds, likely, named, selected_texts,
    ways_over,
};
use reports::unmatched_method;

use super::{Result, Usage};
use crate::args::jobs::Jobs;
use crate::args::unmatched;
use crate::inputs::{self, LogFiles, decoded};
use crate::outputs::print::{Printer, counted, note, show};
use crate::outputs::replace::{self, Subject};
use crate::outputs::{Files, Kind as Output};

/// Choose paths to count: of those that ran in decoded sessions, by a model, or by lines.
///
/// A whole path is one activation of a method, from its entry to its return; calls in it do not
/// matter. A loop path is one round, from the loop's first block to that block again. Between two
/// lines, each arrival at the first one begins a path, and the next arrival at the second one ends
/// it. A prefix is what ran from the entry to the first arrival at a line; without a line, the
/// entry alone, which counts calls. Otherwise paths of a single block are left out. What is written
/// can be edited: steps are addresses in code units, as dexdump shows them.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight paths select --map app.plmap *.plt -o paths.json
  pathlight paths select --map app.plmap *.plt --method '*.Network.*' --rare 10 -o paths.json
  pathlight paths select --map app.plmap *.plt --through Network.java:45 -o paths.json
  pathlight paths select --map app.plmap *.plt --kind loop -o loops.json
  pathlight paths select --map app.plmap *.plt --kind prefix --to Network.java:51 -o paths.json
  pathlight paths select --map app.plmap --lines Network.java:46,47,51 -o paths.json
  pathlight paths select --map app.plmap --model model.json --top 20 -o paths.json
  pathlight instrument app.apk -o count.apk --map count.plmap --profile paths --select paths.json

In the literature this is selective path profiling (PSP; before it SPP and PrePP) of paths of
interest (PI). EPP (Ball, Larus) and PAP count all paths. `paths advise` compares these.")]
pub struct Args {
    /// Map of the build that wrote the logs, of the same release as the build that is to count; or
    /// a folder of maps. Default: the map that lies beside the logs or in the current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// Trace files, logcat text in any -v format, folders and archives of them, and - for standard
    /// input.
    #[arg(required_unless_present_any = ["model", "lines"])]
    logs: Vec<PathBuf>,
    /// Choose whole activations, rounds of loops, what runs between two lines, or begins. Without
    /// it: whole activations, and with --lines what runs between the first and the last one.
    #[arg(long, value_parser = ["whole", "loop", "between", "prefix"])]
    kind: Option<String>,
    /// Choose the N most frequent paths. With --lines, fails if more than N paths fit.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Also choose the N least frequent paths.
    #[arg(long, value_name = "N", default_value_t = 0)]
    rare: usize,
    /// Look at methods only whose `com.example.Cls.name` matches; repeatable.
    #[arg(long, value_name = "GLOB")]
    method: Vec<String>,
    /// Look at paths only that come to this line; repeatable: any of them.
    #[arg(long, value_name = "FILE:LINE", value_parser = line)]
    through: Vec<Line>,
    /// With --kind between: where paths begin.
    #[arg(long, value_name = "FILE:LINE", value_parser = line)]
    from: Option<Line>,
    /// With --kind between and prefix: where paths end.
    #[arg(long, value_name = "FILE:LINE", value_parser = line)]
    to: Option<Line>,
    /// Choose the ways over these lines, one after the other, as the code leads without exceptions.
    /// If there are several, they are listed, and each is counted by itself.
    #[arg(long, value_name = "FILE:LINE,LINE…", value_parser = lines)]
    #[arg(conflicts_with_all = ["logs", "model", "rare", "through", "from", "to"])]
    lines: Option<Lines>,
    /// Choose whole paths that this model makes likely, without logs. Their counts are estimates.
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["logs", "rare", "from", "to"])]
    model: Option<PathBuf>,
    /// Write the paths to this file.
    #[arg(short, long)]
    output: PathBuf,
    /// Replace selected paths of another app.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    jobs: Jobs,
}

/// Lines of one file.
#[derive(Clone)]
struct Lines(Vec<Line>);

fn line(text: &str) -> std::result::Result<Line, String> {
    let (file, line) = text.rsplit_once(':').ok_or("expected FILE:LINE, as in Network.java:45")?;
    Ok((file.to_owned(), line.parse().map_err(|e| format!("{line:?}: {e}"))?))
}

fn lines(text: &str) -> std::result::Result<Lines, String> {
    let (file, numbers) = text.rsplit_once(':').ok_or("expected FILE:LINE,LINE…")?;
    let number =
        |n: &str| n.parse().map(|n| (file.to_owned(), n)).map_err(|e| format!("{n:?}: {e}"));
    numbers.split(',').map(number).collect::<std::result::Result<_, _>>().map(Lines)
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    check(args)?;
    let mut files = Files::default();
    args.map.iter().for_each(|map| files.reads("--map", map));
    let found = LogFiles::find(&args.logs)?;
    args.logs.iter().filter(|log| !log.is_dir()).for_each(|log| files.reads("a log", log));
    found.files().iter().for_each(|log| files.reads("a log", &log.path));
    args.model.iter().for_each(|model| files.reads("--model", model));
    files.writes("-o", &args.output, Output::Paths);
    files.check()?;
    let map = inputs::map_of(&args.map, &[&found])?.map;
    unmatched::check(unmatched_method(&map, &args.method))?;
    if let Some(Lines(lines)) = &args.lines {
        by_lines(args, lines, &map, &files, out)?;
        return Ok(Damage::NONE);
    }
    let choice = Choice {
        methods: args.method.clone(),
        through: args.through.clone(),
        top: args.top,
        rare: args.rare,
    };
    if let Some(model) = &args.model {
        let profile = inputs::read_model(model)?;
        let paths = choice.of(&map, &likely(&map, &profile, &choice), PathKind::Whole);
        for (path, text) in paths.iter().zip(selected_texts(&map, &paths)) {
            let times = path.seen.unwrap_or(0);
            let source = path.source.as_ref().unwrap_or(&path.method);
            show!(out, "about {times} ×  {}  {source}: lines {text}", path.id)?;
        }
        let unseen = |path| PathEntry { seen: None, ..path };
        write(args, &map, &files, paths.into_iter().map(unseen).collect(), out)?;
        return Ok(Damage::NONE);
    }
    let program = Program::new(&map);
    let (from, to) = (args.from.as_ref(), args.to.as_ref());
    let between = || Between::new(&program, from, to);
    let (kind, (found, damage)) = match args.kind.as_deref() {
        Some("loop") => (
            PathKind::Piece,
            look(&map, (args, &found), || Rounds::new(&program), |s| &mut s.found, &program)?,
        ),
        Some("between") => {
            (PathKind::Piece, look(&map, (args, &found), between, |s| &mut s.found, &program)?)
        }
        Some("prefix") => {
            (PathKind::Prefix, look(&map, (args, &found), between, |s| &mut s.found, &program)?)
        }
        _ => {
            let sink = || Activations::new(&program);
            (PathKind::Whole, look(&map, (args, &found), sink, |s| &mut s.found, &program)?)
        }
    };
    write(args, &map, &files, choice.of(&map, &found, kind), out)?;
    let left_out = [
        (found.long, "too long: --kind loop takes their rounds"),
        (found.unsure, "with an exception that several blocks can have thrown"),
        (found.cut, "cut short by an exception or the log's end"),
        (found.uncounted, "of methods with more than 20,000 different paths"),
    ];
    for (times, what) in left_out.into_iter().filter(|(times, _)| *times > 0) {
        note(format_args!("{} not chosen: {what}", counted(times, "pass")));
    }
    Ok(damage)
}

/// Options that do not go together.
fn check(args: &Args) -> Result {
    let kind = args.kind.as_deref();
    let ends = (args.from.is_some(), args.to.is_some());
    let wrong = match kind {
        _ if args.top == 0 && args.rare == 0 => "--top 0 without --rare chooses nothing",
        Some("loop") if args.lines.is_some() => "--lines names no rounds of loops",
        Some(kind) if args.model.is_some() && kind != "whole" => {
            "a model has whole paths only: pass --kind whole"
        }
        _ if args.lines.is_some() => return Ok(()),
        Some("between") if ends != (true, true) => "--kind between needs --from and --to",
        Some("prefix") if ends.0 => "a prefix begins at the entry: --from is for --kind between",
        Some("whole" | "loop") | None if ends != (false, false) => {
            "--from and --to are for --kind between, --to for --kind prefix"
        }
        _ => return Ok(()),
    };
    Err(Usage(wrong).into())
}

/// Writes the ways over lines.
fn by_lines(
    args: &Args,
    lines: &[Line],
    map: &Map,
    files: &Files<'_>,
    out: &mut Printer,
) -> Result {
    let kind = match args.kind.as_deref() {
        Some("whole") => PathKind::Whole,
        Some("prefix") => PathKind::Prefix,
        _ => PathKind::Piece,
    };
    let paths = named(map, kind, &ways_over(map, lines, kind, &args.method, args.top)?);
    match paths.len() {
        1 => show!(out, "one path leads over these lines:")?,
        many => show!(out, "{many} paths lead over these lines:")?,
    }
    for (path, text) in paths.iter().zip(selected_texts(map, &paths)) {
        let source = path.source.as_ref().unwrap_or(&path.method);
        show!(out, "  {}  {source}: lines {text}", path.id)?;
    }
    write(args, map, files, paths, out)
}

/// Writes the file.
fn write(
    args: &Args,
    map: &Map,
    files: &Files<'_>,
    paths: Vec<PathEntry>,
    out: &mut Printer,
) -> Result {
    if paths.is_empty() {
        return Err(match &args.model {
            Some(_) => "the model knows no method of these as it is; nothing was written",
            None => "no path that ran is of these; nothing was written",
        }
        .into());
    }
    let count = paths.len();
    let methods: std::collections::HashSet<&str> = paths.iter().map(|p| &*p.method).collect();
    let summary = format!(
        "{} of {} → {}",
        counted(count, "path"),
        counted(methods.len(), "method"),
        args.output.display()
    );
    if !args.force {
        replace::check("-o", &args.output, &Subject::Paths(map.package.clone()))?;
    }
    files.write(&[&PathsFile::new(&map.package, paths).to_bytes()])?;
    show!(out, "{summary}")?;
    Ok(())
}

/// Shows all logs to such sinks; gives what they found, and the damage in the logs.
fn look<'p, 'm, S: PathSink + Send>(
    map: &Map,
    (args, logs): (&Args, &LogFiles),
    new: impl Fn() -> S + Sync,
    found: impl Fn(&mut S) -> &mut PathFindings,
    program: &'p Program<'m>,
) -> Result<(PathFindings, Damage)> {
    let add = |all: &mut S, one: &mut S| found(all).merge(found(one));
    let (mut sum, damage) = decoded(map, program, logs.files(), &args.jobs.cores(), new, add)?;
    Ok((std::mem::take(found(&mut sum)), damage))
}
