//! `pathlight train`.

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use decoder::Damage;
use decoder::crew::share;
use decoder::replay::Program;
use decoder::train::{Cost, CostlyBranch, Counter, HeldOut, Price, count_thread};
use model::profile::Profile;
use model::recording::Recording;
use serde::Serialize;

use super::{Result, Usage};
use crate::args::jobs::Jobs;
use crate::inputs::{self, FoundMap, LogFiles, Logs, counts};
use crate::outputs::print::{JSON_VERSION, Printer, counted, show};
use crate::outputs::progress::Progress;
use crate::outputs::replace::{self, Subject};
use crate::outputs::{Files, Kind};

/// Train a new model for the next release on decoded paths.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight train --map app.plmap monday.log tuesday.plt -o model.json
  pathlight train --map app.plmap wednesday.log --model model.json --decay 0.9 -o model2.json
  pathlight train --map maps logs -o model.json")]
pub struct Args {
    /// Map of the build, or a folder of maps, written by `instrument`. To merge builds of the same
    /// source, pass every --map with all logs; the build with the oldest session counts as the
    /// oldest. Default: the maps of the logs' builds beside them or in the current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// Trace files, logcat text in any -v format, folders and archives of them, and - for standard
    /// input; count files.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Merge this older model into the new one; repeatable.
    #[arg(long)]
    model: Vec<PathBuf>,
    /// Weigh the counts of older models by this factor, 0 to 1.
    #[arg(long, default_value_t = 1.0)]
    decay: f64,
    /// Write the new model to this file; it must not be one of the older ones.
    #[arg(short, long)]
    output: PathBuf,
    /// Replace a model that has sessions of builds that the new one has not.
    #[arg(long)]
    force: bool,
    /// Print the figures as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

/// Branches that are named in JSON.
const MOST_EXPENSIVE: usize = 10;
/// Of these, those that are named in text.
const SHOWN: usize = 3;

/// A branch and what it cost.
#[derive(Serialize)]
struct BranchJson {
    /// `Lpkg/Cls;->name(I)V`, as the source has it.
    method: String,
    /// Number of its block in the method.
    block: usize,
    /// Its last line that is one of the method's own.
    line: Option<u32>,
    decisions: u64,
    now: f64,
    trained: f64,
    /// Its build, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<String>,
}

impl BranchJson {
    /// Returns the number of bits that the new model saves.
    fn saving(&self) -> f64 {
        self.now - self.trained
    }
}

fn branch_json(program: &Program<'_>, d: &CostlyBranch, names_build: bool) -> BranchJson {
    let (method, block) = program.locate(d.block);
    let m = &program.map.methods[method.0 as usize - 1];
    BranchJson {
        method: program.map.method_key(m),
        block,
        line: m.blocks[block].lines.iter().rev().find_map(|(_, place)| place.own_line()),
        decisions: d.price.decisions,
        now: d.price.now,
        trained: d.price.trained,
        build: names_build.then(|| program.map.build.to_string()),
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    if !(0.0..=1.0).contains(&args.decay) {
        return Err(Usage("--decay must be a number from 0 to 1").into());
    }
    let mut files = Files::default();
    args.map.iter().for_each(|path| files.reads("the map", path));
    let found = LogFiles::find(&args.logs)?;
    args.logs.iter().filter(|log| !log.is_dir()).for_each(|log| files.reads("a log", log));
    found.files().iter().for_each(|log| files.reads("a log", &log.path));
    args.model.iter().for_each(|path| files.reads("an input model", path));
    files.writes("-o", &args.output, Kind::Model);
    files.check()?;
    let mut maps = inputs::maps_of(&args.map, &[&found])?;
    // Counts of selected paths are no evidence for a model: their map is of use only if named.
    let counts_paths = |found: &FoundMap| found.map.recording == Recording::Paths;
    if !maps.iter().all(counts_paths) {
        maps.retain(|found| !counts_paths(found) || args.map.contains(&found.path));
    }
    let mut profile = Profile::default();
    for path in &args.model {
        profile.merge(&inputs::read_model(path)?);
    }
    if args.decay < 1.0 {
        profile.decay((args.decay * 65_536.0) as u16);
    }
    let programs: Vec<Program<'_>> = maps.iter().map(|found| Program::new(&found.map)).collect();
    let (mut builds, damage) = count(args, &found, &maps, &programs)?;
    // A model continues the methods of older builds in newer ones.
    builds.sort_by_key(|build| build.first_ms);
    let held_out = builds.iter().all(|build| build.held_out.is_some()).then(HeldOut::default);
    let mut trained = Trained { builds: builds.len(), held_out, ..Trained::default() };
    for build in &builds {
        build.counter.add_to(&mut profile, build.sessions);
        profile.record_rest(build.callbacks, build.bytes, build.logged);
        trained.add(build);
    }
    trained.branches.sort_by(|a, b| b.saving().total_cmp(&a.saving()));
    trained.branches.truncate(MOST_EXPENSIVE);
    if !args.force {
        replace::check("-o", &args.output, &Subject::of_model(&profile))?;
    }
    files.write(&[&profile.to_bytes()])?;
    match args.json {
        true => show!(
            out,
            "{}",
            serde_json::json!({
                "v": JSON_VERSION, "bytes": trained.bytes, "faulty_records": damage.records,
                "cost": trained.cost, "held_out": trained.held_out, "sessions": profile.sessions,
                "most_expensive": trained.branches,
            })
        )?,
        false => print_text(&trained, profile.sessions, out)?,
    }
    Ok(damage)
}

/// Counts of the logs of one build.
struct BuildCounts<'p, 'm> {
    program: &'p Program<'m>,
    counter: Counter<'p, 'm>,
    sessions: u64,
    /// Start of the first session, ms since 1970.
    first_ms: u64,
    /// Bytes of the streams.
    bytes: u64,
    /// Callbacks in them.
    callbacks: u64,
    /// 1/65,536ths of bits of them that are decisions, announced calls and numbers of callbacks.
    logged: u128,
    /// Price of each session, or each tenth of them, under tables of the others; `None` for a
    /// single one.
    held_out: Option<HeldOut>,
}

/// Largest number of parts for the cross-validation: each session is one, or each tenth of them.
const PARTS: usize = 10;

/// Counts of one build's logs, by part.
struct Parts<'p, 'm> {
    /// The part that is being counted, and its counts: one for each core, as counts add up to the
    /// same in any order.
    now: usize,
    cores: Vec<Option<Counter<'p, 'm>>>,
    /// Complete parts.
    counters: Vec<Counter<'p, 'm>>,
}

impl<'p, 'm> Parts<'p, 'm> {
    fn new(cores: usize) -> Self {
        Parts { now: 0, cores: vec![None; cores], counters: Vec::new() }
    }

    /// Returns the counters of a part. Parts come in order.
    fn at(&mut self, part: usize) -> &mut [Option<Counter<'p, 'm>>] {
        if part != self.now {
            self.complete();
            self.now = part;
        }
        &mut self.cores
    }

    fn complete(&mut self) {
        let sum = self.cores.iter_mut().filter_map(Option::take).reduce(|mut sum, other| {
            sum.add(&other);
            sum
        });
        self.counters.extend(sum);
    }
}

impl<'p, 'm> BuildCounts<'p, 'm> {
    /// Adds the counts of the logs.
    fn add_parts(&mut self, mut parts: Parts<'p, 'm>) {
        parts.complete();
        let mut logged = 0;
        for part in &parts.counters {
            logged += part.logged();
            self.callbacks = self.callbacks.saturating_add(part.callbacks());
            self.counter.add(part);
        }
        self.logged = logged;
        self.held_out = (parts.counters.len() > 1).then(|| self.counter.held_out(&parts.counters));
    }
}

/// Counts the decisions in logs and count files, build by build.
fn count<'p, 'm>(
    args: &Args,
    found: &LogFiles,
    maps: &[FoundMap],
    programs: &'p [Program<'m>],
) -> Result<(Vec<BuildCounts<'p, 'm>>, Damage)> {
    let (logs, counts) = found.split_counts();
    let (tallies, mut damage) = match programs {
        [program] => {
            let (tally, damage) = counts::tally(program, &counts)?;
            (vec![tally], damage)
        }
        programs => counts::tallies(programs, &counts)?,
    };
    // Without logs there need be none of these builds.
    let mut logs = (!logs.is_empty()).then(|| Logs::of_builds(maps, &logs)).transpose()?;
    let mut builds = Vec::new();
    for (program, tally) in programs.iter().zip(&tallies) {
        let starts = tally.processes().map(|process| process.start_ms);
        builds.push(BuildCounts {
            program,
            counter: tally.counter()?,
            sessions: tally.files(),
            first_ms: starts.min().unwrap_or(u64::MAX),
            bytes: 0,
            callbacks: 0,
            logged: 0,
            held_out: None,
        });
    }
    let cores = args.jobs.cores();
    let mut parts: Vec<Parts<'p, 'm>> =
        programs.iter().map(|_| Parts::new(cores.count())).collect();
    let faulty = AtomicU64::new(0);
    let progress = Progress::new("decoding");
    let all = logs.as_ref().map_or(0, |logs| logs.len());
    while let Some(logs) = &mut logs
        && let Some((number, process)) = logs.next_with_map()?
    {
        let at = all - logs.len();
        progress.at_part(at - 1, all, format_args!("decoding process {at} of {all}"));
        let (program, build) = (&programs[number], &mut builds[number]);
        let threads = process.threads;
        // A process that ended before it wrote anything is no session.
        if !threads.is_empty() {
            build.sessions += 1;
            build.first_ms = build.first_ms.min(process.start_ms);
        }
        let bytes = AtomicU64::new(0);
        share(
            &cores,
            parts[number].at((at - 1) * PARTS.min(all) / all),
            threads.len(),
            |counter, number| {
                let thread = &threads[number];
                let counter = counter.get_or_insert_with(|| Counter::new(program));
                let size = thread.segments.iter().map(|s| s.bytes.len() as u64).sum::<u64>();
                bytes.fetch_add(size, Relaxed);
                faulty.fetch_add(count_thread(program, thread, counter).faulty, Relaxed);
            },
        );
        build.bytes += bytes.into_inner();
    }
    drop(progress);
    damage += Damage::records(faulty.into_inner());
    logs.iter().for_each(|logs| damage += logs.damage());
    for (build, parts) in builds.iter_mut().zip(parts) {
        build.add_parts(parts);
    }
    if let [_, _, ..] = maps
        && let Some((_, idle)) = builds.iter().zip(maps).find(|(build, _)| build.sessions == 0)
    {
        let path = idle.path.display();
        return Err(format!("{path}: no log and no count file is of its build").into());
    }
    Ok((builds, damage))
}

/// Figures of all builds together.
#[derive(Default)]
struct Trained {
    builds: usize,
    bytes: u64,
    cost: Cost,
    /// `None` if a build has a single session: what it costs without itself is not known.
    held_out: Option<HeldOut>,
    branches: Vec<BranchJson>,
}

impl Trained {
    fn add(&mut self, build: &BuildCounts<'_, '_>) {
        self.bytes += build.bytes;
        self.cost.add(&build.counter.cost());
        if let (Some(sum), Some(build)) = (&mut self.held_out, build.held_out) {
            sum.branch += build.branch;
            sum.slot += build.slot;
            sum.next_callback += build.next_callback;
        }
        let branches = build.counter.most_expensive(MOST_EXPENSIVE);
        self.branches
            .extend(branches.iter().map(|d| branch_json(build.program, d, self.builds > 1)));
    }
}

fn print_text(trained: &Trained, sessions: u64, out: &mut Printer) -> Result {
    let Trained { builds, bytes, cost, held_out, branches } = trained;
    show!(
        out,
        "{:<10} {:>12} {:>12} {:>12} {:>12}",
        "",
        "decisions",
        "bits now",
        "retrained",
        "floor"
    )?;
    let held_out = |of: fn(&HeldOut) -> f64| held_out.as_ref().map(of);
    print_price("branches", &cost.branch, held_out(|h| h.branch), out)?;
    print_price("calls", &cost.slot, held_out(|h| h.slot), out)?;
    print_price("callbacks", &cost.next_callback, held_out(|h| h.next_callback), out)?;
    print_announced(cost, out)?;
    match trained.held_out {
        Some(_) => show!(
            out,
            "retrained: cross-validated, each session under tables of the others (of more than \
             {PARTS}, each tenth)"
        )?,
        None => show!(out, "retrained: not known from one session; two or more show it")?,
    }
    print_shares(cost, *bytes, out)?;
    let of_builds = match builds {
        1 => String::new(),
        builds => format!(", counted with the maps of {builds} builds"),
    };
    show!(out, "{} in the model{of_builds}", counted(sessions, "session"))?;
    if !branches.is_empty() {
        show!(out, "branches that the new model makes cheaper by most (ten with --json):")?;
    }
    for d in branches.iter().take(SHOWN) {
        let line = d.line.map_or(String::new(), |line| format!(", line {line}"));
        show!(
            out,
            "  {:.0} → {:.0} bits for {}: {}{line}",
            d.now,
            d.trained,
            counted(d.decisions, "decision"),
            d.method
        )?;
    }
    Ok(())
}

/// Prints the row of announced calls. They have no table that training could change.
fn print_announced(cost: &Cost, out: &mut Printer) -> Result {
    let each = cost.announced_bits.checked_div(cost.announced).unwrap_or(0);
    show!(
        out,
        "{:<10} {:>12} {each:>12} {each:>12} {:>12}   bits per call, about",
        "announced",
        cost.announced,
        "–"
    )?;
    Ok(())
}

/// Prints how the bytes of the streams divide among the rows of the table. Count files have none.
fn print_shares(cost: &Cost, bytes: u64, out: &mut Printer) -> Result {
    if bytes == 0 {
        return Ok(());
    }
    let share = |bits: f64| 100.0 * bits / (8 * bytes) as f64;
    show!(
        out,
        "{} of streams: branches {:.0} %, calls {:.0} %, callbacks {:.0} %, announced calls \
         {:.0} %, exceptions, times and ends {:.0} %",
        counted(bytes, "byte"),
        share(cost.branch.now),
        share(cost.slot.now),
        share(cost.next_callback.now),
        share(cost.announced_bits as f64),
        share((8 * bytes) as f64 - cost.bits()).max(0.0)
    )?;
    Ok(())
}

fn print_price(name: &str, p: &Price, held_out: Option<f64>, out: &mut Printer) -> Result {
    let per = |bits: f64| if p.decisions == 0 { 0.0 } else { bits / p.decisions as f64 };
    show!(
        out,
        "{name:<10} {:>12} {:>12.4} {:>12} {:>12.4}   bits per decision",
        p.decisions,
        per(p.now),
        held_out.map_or("–".to_owned(), |bits| format!("{:.4}", per(bits))),
        per(p.floor)
    )?;
    Ok(())
}
