//! `pathlight samples score`.

use std::path::PathBuf;
use std::time::Instant;

use decoder::Damage;
use decoder::replay::Program;
use model::map::Map;
use model::profile::Profile;
use samples::fill::{AllBounds, BEAM, Filler, FramePrecision};
use samples::graph::{Graph, NodeId};
use samples::score::{PathSampler, Sampling, Score, score};
use samples::train::Learner;
use serde::Serialize;

use super::Result;
use super::path::{Path, report_depth};
use super::training::Training;
use crate::args::jobs::Jobs;
use crate::args::text::Format;
use crate::inputs::{self, LogFile, LogFiles, read_model};
use crate::outputs::print::{Printer, counted, show};
use crate::outputs::progress::Progress;

/// Thin exact paths out to samples, rebuild them, and show how much of them came back.
///
/// All but every Nth block of the paths in the logs are dropped; what lies between is rebuilt from
/// the graph of the blocks and their prices, and compared with what ran. F1 is of the rebuilt
/// traces, samples included. "expected" is the F1 that the rebuilder expects if the prices are true
/// and intervals known; hardly any other could then have more. "dropped" is the F1 of what was
/// rebuilt alone; "same place" counts dropped blocks that were rebuilt at exactly their place.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight samples score --map app.plmap held-back.plt
  pathlight samples score --map app.plmap held-back.plt --every 8,16 --jitter 0.25
  pathlight samples score --map app.plmap held-back.plt --model next.json --places line,method
  pathlight samples score --map app.plmap held-back.plt --contexts monday.plt tuesday.plt
  pathlight samples score --map app.plmap held-back.plt --train monday.plt --samples 5000")]
pub struct Args {
    /// Map of the build, or a folder of maps, written by `instrument`. Default: the map of the
    /// logs' build that lies beside them or in the current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// Trace files, logcat text in any -v format, folders and archives of them, and - for standard
    /// input.
    #[arg(required = true)]
    pub logs: Vec<PathBuf>,
    /// Keep one block in N. Several numbers give a line each.
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [8, 16, 32, 64])]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=256))]
    every: Vec<u32>,
    /// Lengthen or shorten intervals by up to this share. The rebuilder does not see by how much.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    jitter: f64,
    /// Precision of sampled frames: block (stack), line or method.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "stack")]
    places: Vec<Precision>,
    /// Take prices from this model. Default: those of the build.
    #[arg(long, value_name = "FILE", conflicts_with = "no_model")]
    model: Option<PathBuf>,
    /// Learn from exact paths in these logs, of the same build, how each branch depends on the
    /// branches that its thread took before it. Rebuilds more, and takes longer.
    #[arg(long, value_name = "LOG", num_args = 1.., conflicts_with = "train")]
    pub contexts: Vec<PathBuf>,
    /// Take all ways for equally likely.
    #[arg(long)]
    no_model: bool,
    /// Compare at most N gaps, spread over the logs.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    gaps: usize,
    /// Follow at most this many blocks of the logs: one symbol can stand for billions of rounds.
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    max_blocks: u64,
    /// Keep N partial paths at a time (beam search).
    #[arg(long, value_name = "N", default_value_t = BEAM)]
    beam: usize,
    /// Instead: sample these logs, of the same build, train a model on the samples, and print
    /// what the decisions of the logs above cost under it, under a model of exact paths, and under
    /// none. --model is the model before the samples.
    #[arg(long, value_name = "LOG", num_args = 1..)]
    #[arg(conflicts_with_all = ["every", "places", "gaps"])]
    pub train: Vec<PathBuf>,
    /// With --train: take about N samples, one block in 1,000; of fewer blocks, as if their
    /// sessions had run again.
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "train")]
    pub samples: u64,
    /// Print text for people, or json for programs.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[arg(default_value_if("json", "true", "json"), conflicts_with = "json")]
    format: Format,
    /// Print JSON. Short for --format json.
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,
    #[command(flatten)]
    pub jobs: Jobs,
}

/// The precision of a frame in samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Precision {
    Stack,
    Line,
    Method,
}

impl From<Precision> for FramePrecision {
    fn from(precision: Precision) -> FramePrecision {
        match precision {
            Precision::Stack => FramePrecision::Stack,
            Precision::Line => FramePrecision::Line,
            Precision::Method => FramePrecision::Method,
        }
    }
}

/// Parses a share from 0 to 0.9.
pub fn share(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=0.9).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 0.9".into()),
    }
}

/// A line of the table.
#[derive(Serialize)]
struct Row {
    every: u32,
    jitter: f64,
    places: Precision,
    gaps: u64,
    same_place: f64,
    f1: f64,
    f1_dropped: f64,
    observed: u64,
    observed_wrong: u64,
    forced: u64,
    forced_wrong: u64,
    unproven_gaps: u64,
    surprise_gaps: u64,
    unknown_gaps: u64,
    /// The greatest difference of a tenth between probabilities and how often they were right, over
    /// tenths of 100 blocks and more.
    miscalibrated: f64,
    /// The F1 that the rebuilder expects of itself; for intervals that are known.
    f1_expected: Option<f64>,
    /// The greatest expected `same_place`, if the prices are true; for intervals that are known.
    same_place_most: Option<f64>,
    /// By tenths of the predicted probability: blocks, sum of probabilities, correct blocks.
    tenths: [(u64, f64, u64); 10],
    gaps_per_second: f64,
}

#[derive(Serialize)]
struct Table {
    blocks: u64,
    rows: Vec<Row>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let logs = LogFiles::find(&args.logs)?;
    let (train, learnt) = (LogFiles::find(&args.train)?, LogFiles::find(&args.contexts)?);
    let map = inputs::map_of(&args.map, &[&logs, &train, &learnt])?.map;
    let model = match &args.model {
        Some(path) => Some(read_model(path)?),
        None if args.no_model || !args.train.is_empty() => Some(Profile::default()),
        None => None,
    };
    let graph = Graph::new(&map, model.as_ref());
    let bounds = AllBounds::new(&graph);
    let program = Program::new(&map);
    let lines = |node: NodeId| lines_of(&map, &graph, node);
    let progress = Progress::new("decoding");
    if !args.train.is_empty() {
        let training = Training {
            map: &map,
            graph: &graph,
            program: &program,
            train: &train,
            samples: args.samples,
            held: &logs,
            max_blocks: args.max_blocks,
            jobs: &args.jobs,
        };
        let (judged, damage) = training.judge(&progress)?;
        drop(progress);
        judged.print(args.format, out)?;
        return Ok(damage);
    }
    let place = |log: &LogFile| log.path.canonicalize().unwrap_or_else(|_| log.path.clone());
    let rebuilt: Vec<PathBuf> = logs.files().iter().map(place).collect();
    if let Some(log) = learnt.files().iter().find(|log| rebuilt.contains(&place(log))) {
        let name = &log.name;
        return Err(format!("{name}: is to be rebuilt, so it cannot be learnt from as well").into());
    }
    let (mut contexts, mut damage) = (None, Damage::NONE);
    if !args.contexts.is_empty() {
        let mut path = Path::new(&graph, Learner::new(&graph), args.max_blocks);
        damage += path.follow(&map, &program, &learnt, &args.jobs, &progress)?;
        contexts = Some(path.follows.contexts);
    }
    let mut table = Table { blocks: 0, rows: Vec::new() };
    for &every in &args.every {
        let thinning = Sampling {
            every,
            jitter: args.jitter,
            places: FramePrecision::Stack,
            gaps: args.gaps.max(1),
        };
        let mut path = Path::new(&graph, PathSampler::new(&graph, thinning), args.max_blocks);
        // The same logs again.
        let found = path.follow(&map, &program, &logs, &args.jobs, &progress)?;
        if table.rows.is_empty() {
            damage += found;
        }
        table.blocks = path.blocks;
        report_depth(path.follows.too_deep(), every);
        let stretches = path.follows.finish();
        for &places in &args.places {
            progress.at(format_args!("rebuilding with one block in {every}"));
            let thinning = Sampling { places: places.into(), ..thinning };
            let mut filler = Filler::with(&graph, &bounds, contexts.as_ref(), args.beam.max(1));
            let begun = Instant::now();
            let score = score(&mut filler, &graph, &stretches, thinning, &lines);
            let seconds = begun.elapsed().as_secs_f64();
            table.rows.push(row(every, args.jitter, places, &score, seconds));
        }
    }
    drop(progress);
    match args.format {
        Format::Json => out.json(&table)?,
        Format::Text => print(&table, out)?,
    }
    Ok(damage)
}

/// The lines that are in force in a block.
fn lines_of(map: &Map, graph: &Graph, node: NodeId) -> Vec<u32> {
    let (method, block) = graph.locate(node);
    let block = map.method(method).and_then(|m| m.blocks.get(block.0 as usize));
    let lines = block.map_or(&[][..], |b| &b.lines);
    lines.iter().filter_map(|l| l.1.own_line()).collect()
}

fn row(every: u32, jitter: f64, places: Precision, score: &Score, seconds: f64) -> Row {
    Row {
        every,
        jitter,
        places,
        gaps: score.gaps,
        same_place: score.same_index(),
        f1: score.f1(),
        f1_dropped: score.f1_dropped(),
        observed: score.observed.0,
        observed_wrong: score.observed.0 - score.observed.1,
        forced: score.forced.0,
        forced_wrong: score.forced.0 - score.forced.1,
        unproven_gaps: score.unproven,
        surprise_gaps: score.surprises,
        unknown_gaps: score.unknown,
        miscalibrated: score.miscalibrated(100),
        f1_expected: (jitter == 0.0).then(|| score.f1_expected()),
        same_place_most: (jitter == 0.0).then(|| score.same_index_most()),
        tenths: score.deciles,
        gaps_per_second: if seconds > 0.0 { score.gaps as f64 / seconds } else { 0.0 },
    }
}

fn print(table: &Table, out: &mut Printer) -> Result {
    show!(out, "{} ran", counted(table.blocks, "block"))?;
    show!(
        out,
        "one in  jitter  places    gaps     F1  expected  dropped  same place  forced  wrong  \
         unproven  unknown"
    )?;
    for row in &table.rows {
        let places = match row.places {
            Precision::Stack => "stack",
            Precision::Line => "line",
            Precision::Method => "method",
        };
        show!(
            out,
            "{:>6}  {:>6.2}  {places:<6}  {:>6}  {:.3}     {:>5}    {:.3}       {:.3}  {:>6}  \
             {:>5}  {:>8}  {:>7}",
            row.every,
            row.jitter,
            row.gaps,
            row.f1,
            row.f1_expected.map_or("-".into(), |f1| format!("{f1:.3}")),
            row.f1_dropped,
            row.same_place,
            row.forced,
            row.forced_wrong,
            row.unproven_gaps,
            row.unknown_gaps,
        )?;
    }
    Ok(())
}
