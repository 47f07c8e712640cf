//! `pathlight fleet tables`.

use std::path::PathBuf;
use std::time::Duration;

use decoder::Damage;
use model::map::BuildId;
use serde::Serialize;
use tables::Salt;
use tables::catalogue::Catalogue;
use tables::dims;
use tables::shard::{self, Done, Job};

use super::{Result, Usage};
use crate::args::builds::build;
use crate::args::jobs::Jobs;
use crate::outputs::print::{JSON_VERSION, Printer};
use crate::outputs::progress::Progress;

/// Write many sessions as Parquet files and one partial model: docs/TABLES.md.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight fleet tables --maps maps --out fleet --day 20261122 --shard 0001 raw/day=d20261122
  pathlight fleet tables --maps maps --out fleet --day 20261122 --shard 7 --salt env:SALT @7.txt
  pathlight fleet tables --dims --maps maps --out fleet")]
pub struct Args {
    /// Folder of maps: bID.plmap, and bID.json with the release's version_code.
    #[arg(long, value_name = "DIR")]
    maps: PathBuf,
    /// Folder that the tables and partial models go to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The partition: the day on which the logs arrived, as digits.
    #[arg(long, value_name = "YYYYMMDD", value_parser = day, required_unless_present = "dims")]
    day: Option<String>,
    /// Name of the shard, and so of its files: letters, digits, - _ and dots.
    #[arg(long, value_name = "NAME", value_parser = shard_name, required_unless_present = "dims")]
    shard: Option<String>,
    /// Trace files, logcat text, folders, .gz, .zst, .tar; @LIST: a file with one of these a line;
    /// - for standard input. A subfolder is one input: its logs are put together.
    #[arg(required_unless_present = "dims")]
    logs: Vec<PathBuf>,
    /// Write what the numbers of branches and methods mean, for all maps.
    #[arg(long, conflicts_with_all = ["day", "shard", "logs", "salt", "callbacks"])]
    dims: bool,
    /// Builds from the oldest to the newest, instead of the version codes of the catalogue.
    #[arg(long, value_name = "ID,ID…", value_delimiter = ',', value_parser = build)]
    #[arg(requires = "dims")]
    releases: Vec<BuildId>,
    /// Salt the ids of sessions with the value of this environment variable.
    #[arg(long, value_name = "env:VAR")]
    salt: Option<String>,
    /// Also write a row for each top-level callback.
    #[arg(long)]
    callbacks: bool,
    /// Sessions with more decisions are errors.
    #[arg(long, value_name = "N", default_value_t = 5_000_000_000)]
    max_decisions: u64,
    /// Sessions that take longer are errors.
    #[arg(long, value_name = "S", default_value_t = 120)]
    max_seconds: u64,
    #[command(flatten)]
    jobs: Jobs,
}

/// One line of totals.
#[derive(Serialize)]
struct Totals<'d> {
    v: u32,
    #[serde(flatten)]
    done: &'d Done,
}

fn day(text: &str) -> std::result::Result<String, String> {
    match text.len() {
        1..=16 if text.bytes().all(|b| b.is_ascii_digit()) => Ok(text.into()),
        _ => Err("1 to 16 digits are a day".into()),
    }
}

fn shard_name(text: &str) -> std::result::Result<String, String> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    match text.len() {
        1..=100 if text.bytes().all(fits) => Ok(text.into()),
        _ => Err("letters, digits, - _ and dots are a name".into()),
    }
}

fn salt(of: Option<&str>) -> Result<Salt> {
    let Some(of) = of else { return Ok(Salt::default()) };
    let Some(name) = of.strip_prefix("env:") else {
        return Err(Usage("--salt wants env:VAR, the name of an environment variable").into());
    };
    match std::env::var(name) {
        Ok(value) if !value.is_empty() => Ok(Salt::new(value)),
        _ => Err(format!("--salt: the environment variable {name} is not set").into()),
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let catalogue = Catalogue::open(&args.maps)?;
    let (Some(day), Some(shard)) = (&args.day, &args.shard) else {
        let builds = dims::write(&catalogue, &args.releases, &args.out)?;
        let builds: Vec<String> = builds.iter().map(|b| format!("b{b}")).collect();
        let line = serde_json::json!({ "v": JSON_VERSION, "dims": builds });
        out.line(format_args!("{line}"))?;
        return Ok(Damage::NONE);
    };
    let job = Job {
        out: args.out.clone(),
        day: day.clone(),
        shard: shard.clone(),
        salt: salt(args.salt.as_deref())?,
        callbacks: args.callbacks,
        max_decisions: args.max_decisions,
        max_time: Duration::from_secs(args.max_seconds),
        jobs: args.jobs.cores().count(),
    };
    let progress = Progress::new("reading the list of logs");
    let done = shard::run(&job, &catalogue, &args.logs, &mut |n, all| {
        progress.at_part(n, all, format_args!("decoding input {n} of {all}"));
    })?;
    drop(progress);
    let line = serde_json::to_string(&Totals { v: JSON_VERSION, done: &done })?;
    out.line(format_args!("{line}"))?;
    Ok(done.damaged)
}
