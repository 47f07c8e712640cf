//! `pathlight samples show`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use apk::AppSet;
use decoder::Damage;
use decoder::replay::Program;
use instrumenter::code_ranges::code_ranges;
use model::descriptors::dotted_name;
use model::map::{Map, MethodId};
use model::profile::Profile;
use reports::Unmatched;
use samples::fill::AllBounds;
use samples::firefox::firefox;
use samples::graph::Graph;
use samples::groups::{Group, groups};
use samples::passes::passes;
use samples::placed::{Code, CodeTable, Placer};
use samples::places::MethodResolver;
use samples::read::{SampleFormat as FileFormat, Samples};
use samples::train::{Evidence, train};

use super::against::AgainstArgs;
use super::fill::{FillArgs, GapFiller};
use super::merging::{MergeArgs, has_clock};
use super::output::{Answer, Answers, FileAnswer, TrainedAnswer, callback, name_of};
use super::passes::PassArgs;
use super::training::profile;
use super::{Result, Usage};
use crate::args::jobs::Jobs;
use crate::args::text::Format;
use crate::args::times::sampling;
use crate::args::unmatched;
use crate::commands::causes::app_code;
use crate::inputs::{read_map, read_model};
use crate::outputs::print::{Printer, note};
use crate::outputs::replace::{self, Subject};
use crate::outputs::{Files, Kind};

/// Show what ran in samples of a build: for each callback its passes, in groups that did much the
/// same, and one typical pass of each.
///
/// Everything that is shown was seen, unless --fill asks for what ran between two samples: real
/// samplers see one block in thousands, so most of it is unknown. --method puts the samples of all
/// passes of a group in one order. Two passes of one callback with no sample between them look like
/// one: --first, --marker and --split cut them. With --train the samples become a model: how often
/// each block is seen determines how often each alternative was taken.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight samples show --map app.plmap dump.txt
  pathlight samples show --map app.plmap dump.txt --callback onClick --format json
  pathlight samples show --map app.plmap dump.txt --method free --interval 1ms
  pathlight samples show --map app.plmap dump.txt --method linked --split 50/7
  pathlight samples show --map app.plmap dump.txt --method free --against session.plt
  pathlight samples show --map app.plmap dump.txt --fill --every 16
  pathlight samples show --map app.plmap dump.txt --apk app.apk --train production.json
  pathlight samples show --map app.plmap dump.txt --firefox samples.json")]
pub struct Args {
    /// Map of the build, written by `instrument`.
    #[arg(long)]
    map: PathBuf,
    /// Any mix of simpleperf's report-sample protobuf, Perfetto traces, ART method traces, and text
    /// with stacks.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The app that was sampled, as the build of the map was made of: it locates the instruction of
    /// interpreter frames. Repeat it for each package.
    #[arg(long, value_name = "FILE")]
    apk: Vec<PathBuf>,
    /// Time from one sample to the next: 1ms, 250us. Stops then have times; and ART traces,
    /// which record nothing where nothing changed, are counted by it.
    #[arg(long, value_name = "TIME", value_parser = sampling)]
    interval: Option<u64>,
    /// Callbacks whose name has this in it.
    #[arg(long, value_name = "NAME")]
    callback: Option<String>,
    /// Show N stacks of a pass.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Go on where less than 95 % of the app's frames and calls fit the map; replace a model with
    /// sessions of other builds.
    #[arg(long)]
    force: bool,
    /// Train a model on the samples of all files, for `instrument --model` and `train --model`.
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// The model before the samples, with --train; with --fill, the model that prices blocks.
    /// Default: that of the build.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Write the samples as a profile for the Firefox Profiler; of one file.
    #[arg(long, value_name = "FILE")]
    firefox: Option<PathBuf>,
    /// Print text for people, or json for programs.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[arg(default_value_if("json", "true", "json"), conflicts_with = "json")]
    format: Format,
    /// Print JSON. Short for --format json.
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,
    #[command(flatten)]
    passes: PassArgs,
    #[command(flatten)]
    merge: MergeArgs,
    #[command(flatten)]
    against: AgainstArgs,
    #[command(flatten)]
    fill: FillArgs,
    #[command(flatten)]
    jobs: Jobs,
}

/// Least share of frames and calls that fit.
const LEAST: f64 = 0.95;
/// Blocks that a sample stands for in a model. Samplers do not record it: this weighs samples
/// against counted decisions, where models are merged.
const BLOCKS: f64 = 1000.0;

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let mut outputs = Files::default();
    outputs.reads("the map", &args.map);
    args.files.iter().for_each(|path| outputs.reads("a file of samples", path));
    args.apk.iter().for_each(|path| outputs.reads("the app", path));
    args.model.iter().for_each(|path| outputs.reads("the model", path));
    args.train.iter().for_each(|path| outputs.writes("--train", path, Kind::Model));
    args.firefox.iter().for_each(|path| outputs.writes("--firefox", path, Kind::Firefox));
    outputs.check()?;
    if args.firefox.is_some() && args.files.len() > 1 {
        return Err(Usage("--firefox takes one file of samples").into());
    }
    if args.model.is_some() && args.train.is_none() && !args.fill.fill {
        return Err(Usage("--model is for --train or --fill").into());
    }
    args.fill.check()?;
    let map = read_map(&args.map)?;
    let places = MethodResolver::new(&map);
    let mut answer = Answer { files: Vec::new(), trained: None };
    let table = match args.apk.is_empty() {
        true => None,
        false => {
            // Instructions of another build would be wrong ones.
            app_code(&map, &args.map, &args.apk)?;
            Some(code_table(&AppSet::read(&args.apk)?)?)
        }
    };
    let mut training = match &args.train {
        Some(_) => Some(Training::new(args, &map, table.as_ref())?),
        None => None,
    };
    let model = match (&args.model, args.fill.fill) {
        (Some(path), true) => Some(read_model(path)?),
        _ => None,
    };
    let graph = Graph::new(&map, model.as_ref());
    let bounds = args.fill.fill.then(|| AllBounds::new(&graph));
    let fits = (&graph, bounds.as_ref());
    let gaps = GapFiller::new(&args.fill, &map, fits, model.is_some());
    let build = SampledBuild { map: &map, graph: &graph, places: &places, gaps: gaps.as_ref() };
    args.passes.note_coverage(args.merge.is_by_phase());
    let mut callbacks = BTreeSet::new();
    let mut written: Vec<Vec<u8>> = Vec::new();
    let mut damage = Damage::NONE;
    for path in &args.files {
        let (format, samples) = read(args, &places, path)?;
        damage += Damage::problems(samples.cut.into());
        if let Some(training) = &mut training {
            training.add(&map, &places, &samples);
        }
        if args.firefox.is_some() {
            written.push(firefox(&samples, &map.package, args.interval));
        }
        args.passes.check(&samples).map_err(|e| format!("{}: {e}", path.display()))?;
        let placer = Placer::new(&map, &graph, &places, &samples, table.as_ref());
        let (shown, more) = file(args, &build, &placer, &samples, (path, format), &mut callbacks)?;
        answer.files.push(shown);
        damage += more;
    }
    if let Some(wanted) = &args.callback {
        let matches = |wanted: &str, name: &str| name.contains(wanted);
        let wanted = std::slice::from_ref(wanted);
        unmatched::check(Unmatched::first("callback", wanted, callbacks, matches))?;
    }
    if let Some(training) = training {
        let (model, trained) = training.finish(&map)?;
        answer.trained = Some(trained);
        if let (Some(path), false) = (&args.train, args.force) {
            replace::check("--train", path, &Subject::of_model(&model))?;
        }
        let model = model.to_bytes();
        written.insert(0, model);
    }
    outputs.write(&written.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    match args.format {
        Format::Json => out.json(&answer)?,
        Format::Text => answer.print(args.top, out)?,
    }
    Ok(damage)
}

/// Returns the positions of the instructions of an app's methods.
fn code_table(app: &AppSet) -> Result<CodeTable> {
    let code = |range: instrumenter::code_ranges::CodeRange| Code {
        class: dotted_name(&range.class),
        method: range.method,
        descriptor: range.descriptor,
        bytes: (range.bytes.start, range.bytes.end),
    };
    Ok(CodeTable::new(code_ranges(app)?.into_iter().map(code)))
}

/// Reads a file of samples of this build.
fn read(args: &Args, places: &MethodResolver<'_>, path: &Path) -> Result<(FileFormat, Samples)> {
    let named = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let bytes = disk::read(path, disk::MOST).map_err(|e| named(&e))?;
    let (format, mut samples) = Samples::read(&bytes).map_err(|e| named(&e))?;
    match (format, args.interval) {
        (FileFormat::Art, Some(interval)) => samples.spread(interval),
        (FileFormat::Text, Some(interval)) => samples.date(interval),
        _ => {}
    }
    let fit = places.fit(&samples);
    if fit.frames == 0 {
        return Err(named(&"none of its frames is of a class of the map").into());
    }
    if fit.share() < LEAST {
        let what = format!(
            "of another build? {} of {} frames and {} of {} calls of the app fit the map",
            fit.known, fit.frames, fit.fitting, fit.calls
        );
        if !args.force {
            return Err(named(&format!("{what} (--force goes on)")).into());
        }
        note(named(&what));
    }
    Ok((format, samples))
}

/// The build that was sampled.
struct SampledBuild<'a> {
    map: &'a Map,
    graph: &'a Graph,
    places: &'a MethodResolver<'a>,
    gaps: Option<&'a GapFiller<'a>>,
}

/// Answers for a file. Also returns the damage in the logs that it is compared with.
fn file(
    args: &Args,
    build: &SampledBuild<'_>,
    placer: &Placer<'_>,
    samples: &Samples,
    (path, format): (&Path, FileFormat),
    callbacks: &mut BTreeSet<String>,
) -> Result<(FileAnswer, Damage)> {
    let passes = passes(samples, build.places, &args.passes.cuts());
    let (groups, left_out) = groups(&passes, args.passes.grouping(args.merge.is_merged()));
    let mut wanted: Vec<(String, &Group)> = Vec::new();
    let mut targets: BTreeMap<String, Vec<MethodId>> = BTreeMap::new();
    for group in &groups {
        let (callback, methods) = callback(samples, placer, group);
        callbacks.insert(callback.clone());
        if args.callback.as_ref().is_none_or(|c| callback.contains(c)) {
            targets.entry(callback.clone()).or_insert(methods);
            wanted.push((callback, group));
        }
    }
    let targets = targets.into_iter().collect();
    let exact = args.against.follow(build.map, build.graph, targets, &args.jobs)?;
    let answers = Answers {
        samples,
        places: build.places,
        placer,
        interval: args.interval,
        distance: args.passes.distance(),
        has_clock: has_clock(format),
        merge: &args.merge,
        gaps: build.gaps,
        exact: exact.as_ref().map(|e| &e.0),
    };
    let mut shown = Vec::new();
    for (callback, group) in wanted {
        let named = |e| format!("{}: {callback}: {e}", path.display());
        shown.push(answers.group(group, callback.clone()).map_err(named)?);
    }
    let answer = FileAnswer {
        file: path.display().to_string(),
        format: name_of(format),
        samples: samples.seen.iter().map(|s| s.times).sum(),
        lost: samples.lost,
        broken: samples.broken,
        cut: samples.cut,
        fit: build.places.fit(samples).share(),
        groups: shown,
        left_out,
    };
    Ok((answer, exact.map_or(Damage::NONE, |e| e.1)))
}

/// Samples on their way into a model.
struct Training<'a> {
    graph: Graph,
    evidence: Evidence,
    table: Option<&'a CodeTable>,
    before: Option<Profile>,
    answer: TrainedAnswer,
}

impl<'a> Training<'a> {
    fn new(args: &Args, map: &Map, table: Option<&'a CodeTable>) -> Result<Training<'a>> {
        let before = args.model.as_ref().map(|path| read_model(path)).transpose()?;
        let graph = Graph::new(map, before.as_ref());
        let evidence = Evidence::new(&graph);
        Ok(Training { graph, evidence, table, before, answer: TrainedAnswer::default() })
    }

    fn add(&mut self, map: &Map, places: &MethodResolver<'_>, samples: &Samples) {
        let placer = Placer::new(map, &self.graph, places, samples, self.table);
        self.answer.exact_frames += placer.exact() as u64;
        for seen in samples.seen.iter() {
            match placer.sample(seen.call) {
                Some(sample) => self.evidence.add(&self.graph, &sample, seen.times),
                None => self.answer.left_out += seen.times,
            }
        }
    }

    fn finish(mut self, map: &Map) -> Result<(Profile, TrainedAnswer)> {
        if self.evidence.samples() == 0 {
            return Err(
                "no sample has a frame that the map has: there is nothing to train on".into()
            );
        }
        let trained = train(&self.graph, &self.evidence, BLOCKS);
        self.answer.samples = self.evidence.samples();
        self.answer.rounds = trained.rounds;
        self.answer.bits = trained.bits;
        let found = profile(&Program::new(map), &self.graph, &trained.counts, 1);
        let model = match self.before {
            Some(mut before) => {
                before.merge(&found);
                before
            }
            None => found,
        };
        self.answer.methods = model.methods.len() as u64;
        Ok((model, self.answer))
    }
}
