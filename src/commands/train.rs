//! `pathlight train`.

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use decoder::Damage;
use decoder::crew::share;
use decoder::replay::Program;
use decoder::train::{Cost, CostlyBranch, Counter, Price, count_thread};
use model::profile::Profile;
use serde::Serialize;

use super::counts;
use super::jobs::Jobs;
use super::logs::Logs;
use super::{Result, Usage};
use crate::inputs::{self, LogFiles};
use crate::outputs::{Files, Kind};
use crate::print::{JSON_VERSION, Printer, counted, say};
use crate::progress::Progress;
use crate::replace::{self, Subject};

/// Train a new model for the next release on decoded paths.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight train --map app.plmap monday.log tuesday.plt -o model.json
  pathlight train --map app.plmap wednesday.log --model model.json --decay 0.9 -o model2.json")]
pub struct Args {
    /// Map of the build, or a folder of maps, written by `instrument`. Default: the map of the
    /// logs' build that lies beside them or in the current folder.
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
const DEAREST: usize = 10;
/// Of these, those that are named in text.
const SHOWN: usize = 3;

/// A branch and what it cost.
#[derive(Serialize)]
struct DearJson {
    /// `Lpkg/Cls;->name(I)V`, as the source has it.
    method: String,
    /// Number of its block in the method.
    block: usize,
    /// Its last line that is one of the method's own.
    line: Option<u32>,
    decisions: u64,
    now: f64,
    trained: f64,
}

fn dear(program: &Program<'_>, d: &CostlyBranch) -> DearJson {
    let (method, block) = program.locate(d.block);
    let m = &program.map.methods[method.0 as usize - 1];
    DearJson {
        method: program.map.method_key(m),
        block,
        line: m.blocks[block].lines.iter().rev().find_map(|(_, place)| place.own_line()),
        decisions: d.price.decisions,
        now: d.price.now,
        trained: d.price.trained,
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
    let map = inputs::map_of(&args.map, &[&found])?.map;
    let mut profile = Profile::default();
    for path in &args.model {
        profile.merge(&super::instrument::read_model(path)?);
    }
    if args.decay < 1.0 {
        profile.decay((args.decay * 65_536.0) as u16);
    }
    let program = Program::new(&map);
    let (logs, counts) = found.split_counts();
    let (tally, mut damage) = counts::tally(&program, &counts)?;
    // Without logs there need be none of this build.
    let mut logs = (!logs.is_empty()).then(|| Logs::of_build(&map, &logs)).transpose()?;
    let mut sessions = tally.files();
    let cores = args.jobs.cores();
    // One for each core: counts add up to the same in any order.
    let mut counters: Vec<Option<Counter<'_, '_>>> = vec![None; cores.count()];
    let (faulty, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
    let progress = Progress::new("decoding");
    let all = logs.as_ref().map_or(0, |logs| logs.len());
    for (number, process) in (1..).zip(logs.iter_mut().flatten()) {
        progress.at_part(number - 1, all, format_args!("decoding process {number} of {all}"));
        let threads = process?.threads;
        // A process that ended before it wrote anything is no session.
        sessions += u64::from(!threads.is_empty());
        share(&cores, &mut counters, threads.len(), |counter, number| {
            let thread = &threads[number];
            let counter = counter.get_or_insert_with(|| Counter::new(&program));
            let size = thread.segments.iter().map(|s| s.bytes.len() as u64).sum::<u64>();
            bytes.fetch_add(size, Relaxed);
            faulty.fetch_add(count_thread(&program, thread, counter).faulty, Relaxed);
        });
    }
    drop(progress);
    let (faulty, bytes) = (faulty.into_inner(), bytes.into_inner());
    damage += Damage::records(faulty);
    logs.iter().for_each(|logs| damage += logs.damage());
    let mut counter = tally.counter()?;
    counters.iter().flatten().for_each(|other| counter.add(other));
    counter.add_to(&mut profile, sessions);
    let cost = counter.cost();
    let dearest: Vec<DearJson> =
        counter.most_expensive(DEAREST).iter().map(|d| dear(&program, d)).collect();
    if !args.force {
        replace::check("-o", &args.output, &Subject::of_model(&profile))?;
    }
    files.write(&[&profile.to_bytes()])?;
    if args.json {
        say!(
            out,
            "{}",
            serde_json::json!({
                "v": JSON_VERSION, "bytes": bytes, "faulty_records": faulty, "cost": cost,
                "sessions": profile.sessions, "dearest": dearest,
            })
        )?;
    } else {
        say!(
            out,
            "{:<10} {:>12} {:>12} {:>12} {:>12}",
            "",
            "decisions",
            "bits now",
            "retrained",
            "floor"
        )?;
        for (name, p) in
            [("branches", cost.branch), ("calls", cost.slot), ("callbacks", cost.next_callback)]
        {
            print_price(name, &p, out)?;
        }
        print_announced(&cost, out)?;
        print_shares(&cost, bytes, out)?;
        say!(out, "{} in the model", counted(profile.sessions, "session"))?;
        if !dearest.is_empty() {
            say!(out, "branches that the new model makes cheaper by most (ten with --json):")?;
        }
        for d in dearest.iter().take(SHOWN) {
            let line = d.line.map_or(String::new(), |line| format!(", line {line}"));
            say!(
                out,
                "  {:.0} → {:.0} bits for {} decisions: {}{line}",
                d.now,
                d.trained,
                d.decisions,
                d.method
            )?;
        }
    }
    Ok(damage)
}

/// Prints the row of announced calls. They have no table that training could change.
fn print_announced(cost: &Cost, out: &mut Printer) -> Result {
    let each = cost.announced_bits.checked_div(cost.announced).unwrap_or(0);
    say!(
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
    say!(
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

fn print_price(name: &str, p: &Price, out: &mut Printer) -> Result {
    let per = |bits: f64| if p.decisions == 0 { 0.0 } else { bits / p.decisions as f64 };
    say!(
        out,
        "{name:<10} {:>12} {:>12.4} {:>12.4} {:>12.4}   bits per decision",
        p.decisions,
        per(p.now),
        per(p.trained),
        per(p.floor)
    )?;
    Ok(())
}
