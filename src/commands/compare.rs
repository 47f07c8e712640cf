//! `pathlight compare`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use decoder::Damage;
use decoder::log::Process;
use model::map::{BuildId, Map};
use reports::compare::{
    AdditionsBuilder, Common, Novelty, Ranking, Suspects, Texts, first_divergence,
};

use super::{Result, Usage};
use crate::args::jobs::Jobs;
use crate::inputs::{self, LogFiles, Logs, read_sources};
use crate::outputs::print::{Printer, note};
use crate::outputs::progress::Progress;

/// Compare sessions: a good one and a bad one, many of each, or new ones with known ones.
///
/// A session is one process of the app. One good and one bad: where their paths part first.
/// Several: which branches, calls, methods and exceptions have to do with the bad ones. --new: what
/// sessions add to those known, and few sessions that together do all of it.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["bad", "new"]))]
#[command(after_long_help = "\
Examples:
  pathlight compare --map app.plmap --good works.plt --bad crash.plt --sources app/src/main/java
  pathlight compare --map app.plmap --good good/*.plt --bad bad/*.plt --top 20
  pathlight compare --map old.plmap --map new.plmap --good old/*.plt --bad new/*.plt --json
  pathlight compare --map app.plmap --new today/*.plt --known before/*.plt

What the figures mean: docs/COMPARE.md")]
pub struct Args {
    /// Maps of the builds, or folders of maps, written by `instrument`. Default: those of the logs'
    /// builds that lie beside them or in the current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// Logs of good sessions: trace files, logcat text, or - for standard input.
    #[arg(long, value_name = "LOGS", num_args = 1.., requires = "bad")]
    good: Vec<PathBuf>,
    /// Logs of bad sessions.
    #[arg(long, value_name = "LOGS", num_args = 1.., requires = "good")]
    bad: Vec<PathBuf>,
    /// Logs of sessions that may do something new.
    #[arg(long, value_name = "LOGS", num_args = 1.., conflicts_with_all = ["good", "bad"])]
    new: Vec<PathBuf>,
    /// Logs of sessions that were known before. Without: nothing was known.
    #[arg(long, value_name = "LOGS", num_args = 1.., requires = "new")]
    known: Vec<PathBuf>,
    /// Show N classes of events.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Folder of source files, whose lines are printed; repeatable.
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,
    /// Print all as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let given = [&args.good, &args.bad, &args.new, &args.known];
    if given.iter().flat_map(|i| i.iter()).filter(|p| *p == Path::new("-")).count() > 1 {
        return Err(Usage("standard input can be read only once").into());
    }
    let mut logs = Vec::new();
    for paths in given {
        logs.push(LogFiles::find(paths)?);
    }
    let maps = inputs::maps_of(&args.map, &logs.iter().collect::<Vec<_>>())?;
    let maps: Vec<Map> = maps.into_iter().map(|found| found.map).collect();
    let builds: Vec<BuildId> = maps.iter().map(|map| map.build).collect();
    let common = Common::new(&maps).on(args.jobs.cores());
    let sources = read_sources(&args.sources)?;
    let texts = Texts { sources: sources.as_ref() };
    let sessions = |first, second| -> Result<[Sessions; 2]> {
        Ok([Sessions::find(&builds, first)?, Sessions::find(&builds, second)?])
    };
    if !args.json {
        out.page()?;
    }
    let damage = match args.new.is_empty() {
        true => good_and_bad(args, sessions(&logs[0], &logs[1])?, &common, texts, out)?,
        false => new_and_known(args, sessions(&logs[2], &logs[3])?, &common, texts, out)?,
    };
    if let Some(missing) = sources.and_then(|s| s.missing()) {
        note(missing);
    }
    Ok(damage)
}

/// The identity of a session: no session may be given twice.
type Name = (BuildId, u32, u64, String);

fn name(p: &Process) -> Name {
    (p.build_id, p.pid, p.start_ms, p.name.clone())
}

/// The sessions of the builds that have a map, one by one.
struct Sessions {
    logs: Logs,
    /// The number of sessions.
    count: usize,
    /// The number of those that were decoded.
    decoded: usize,
    progress: Option<Progress>,
}

impl Sessions {
    /// Looks through logs.
    fn find(builds: &[BuildId], logs: &LogFiles) -> Result<Self> {
        let read = Logs::of_any_build(logs.files())?.among(builds);
        let count = read.builds().filter(|build| builds.contains(build)).count();
        if let (0, Some(first)) = (count, logs.files().first()) {
            let name = &first.name;
            return Err(format!("{name}: no session of a build whose map is given").into());
        }
        Ok(Sessions { logs: read, count, decoded: 0, progress: None })
    }

    /// Returns the next one, and the position of its build.
    fn next(&mut self) -> Result<Option<(usize, Process)>> {
        let next = self.logs.next_with_map()?;
        if next.is_some() {
            self.decoded += 1;
            let progress = self.progress.get_or_insert_with(|| Progress::new("decoding"));
            let text = format_args!("decoding session {} of {}", self.decoded, self.count);
            progress.at_part(self.decoded - 1, self.count, text);
        } else {
            self.progress = None;
        }
        Ok(next)
    }
}

fn good_and_bad(
    args: &Args,
    [mut good, mut bad]: [Sessions; 2],
    common: &Common<'_>,
    texts: Texts<'_>,
    out: &mut Printer,
) -> Result<Damage> {
    if (good.count, bad.count) == (1, 1)
        && let (Some((_, a)), Some((_, b))) = (good.next()?, bad.next()?)
    {
        if name(&a) == name(&b) {
            return Err(both(&a));
        }
        let found = first_divergence(common, &a, &b)?;
        // Sessions of other builds may follow.
        good.next()?;
        bad.next()?;
        match args.json {
            true => out.json(&found)?,
            false => texts.divergence(&found, out.raw())?,
        }
        return Ok(damage([&good, &bad], found.faulty_records));
    }
    let mut ranking = Ranking::new(common);
    let mut names = BTreeSet::new();
    while let Some((build, process)) = good.next()? {
        names.insert(name(&process));
        ranking.add(build, &process, false);
    }
    while let Some((build, process)) = bad.next()? {
        if names.contains(&name(&process)) {
            return Err(both(&process));
        }
        ranking.add(build, &process, true);
    }
    let found = Suspects::new(common, &ranking, args.top);
    match args.json {
        true => out.json(&found)?,
        false => texts.suspects(&found, "--top", out.raw())?,
    }
    Ok(damage([&good, &bad], found.faulty_records))
}

/// Damage in two sets of logs, and records of theirs.
fn damage(logs: [&Sessions; 2], records: u64) -> Damage {
    let mut damage = Damage::records(records);
    logs.iter().for_each(|sessions| damage += sessions.logs.damage());
    damage
}

fn both(p: &Process) -> Box<dyn std::error::Error> {
    let file = p.sources.first().cloned().unwrap_or_default();
    format!("{file}: process {} is among the good and among the bad sessions", p.pid).into()
}

fn new_and_known(
    args: &Args,
    [mut new, mut known]: [Sessions; 2],
    common: &Common<'_>,
    texts: Texts<'_>,
    out: &mut Printer,
) -> Result<Damage> {
    let mut novelty = Novelty::new(common);
    let (mut sessions, mut faulty) = (0, 0);
    while let Some((build, process)) = known.next()? {
        faulty += novelty.know(build, &process);
        sessions += 1;
    }
    let mut additions = AdditionsBuilder::default();
    while let Some((build, process)) = new.next()? {
        let added = novelty.add(build, &process);
        additions.add(common, build, &process, added);
    }
    let found = additions.finish(sessions, faulty);
    match args.json {
        true => out.json(&found)?,
        false => texts.additions(&found, out.raw())?,
    }
    Ok(damage([&known, &new], found.faulty_records))
}
