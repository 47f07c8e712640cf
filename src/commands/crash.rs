//! `pathlight crash`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use decoder::Damage;
use decoder::replay::Program;
use model::mapping::{MAX_CHOICES, Mapping};
use reports::crash::{Finder, Fit, MAX_BYTES, Stack};

use super::Result;
use super::decode::read_sources;
use super::jobs::Jobs;
use super::logs::Logs;
use crate::inputs::{self, LogFiles};
use crate::print::{Printer, note};
use crate::progress::Progress;

/// Join a crash's stack trace to the path that led there.
///
/// Prints how well they fit (exactly, partially or not), the callbacks as steps to reproduce, and
/// the last branches: line, way taken, how unusual that was.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight crash --map app.plmap pathlight-*.plt --stack beta.log
  pathlight crash --map app.plmap pathlight-*.plt --stack crash.txt --sources app/src/main/java
  pathlight crash --map app.plmap pathlight-*.plt --stack raw.txt --mapping mapping.txt
  pathlight crash --map app.plmap pathlight-*.plt --stack sentry-event.json --json
  pathlight crash --map app.plmap pathlight-*.plt    # finds the thread that an exception ended")]
pub struct Args {
    /// Map of the build, or a folder of maps, written by `instrument`; of several builds, the one
    /// whose paths fit best is shown. Default: the maps of the logs' builds beside them or in the
    /// current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// Trace files, logcat text in any -v format, folders and archives of them, and - for standard
    /// input.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// File with the stack trace, raw or retraced: logcat, Play Console, Crashlytics, ANR or
    /// tombstone, printStackTrace, or JSON of Android Studio (.logcat), ACRA, Play or Sentry; - for
    /// standard input.
    #[arg(long, value_name = "FILE")]
    stack: Option<PathBuf>,
    /// R8's mapping.txt of the build, to retrace the stack trace.
    #[arg(long, value_name = "FILE", requires = "stack")]
    mapping: Option<PathBuf>,
    /// Print the last N branches.
    #[arg(long, value_name = "N", default_value_t = 200)]
    last: usize,
    /// Folder of source files, whose lines are printed; repeatable.
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,
    /// Print JSON, one object a line; the first one shows how well the stack trace fits.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let stdin = Path::new("-");
    if args.stack.as_deref() == Some(stdin) && args.logs.iter().any(|log| log == stdin) {
        return Err(super::Usage("standard input cannot be both a log and the stack trace").into());
    }
    let files = LogFiles::find(&args.logs)?;
    let maps = inputs::maps_of(&args.map, &[&files])?;
    let sources = read_sources(&args.sources)?;
    let mut stacks = args.stack.as_deref().map_or(Ok(Vec::new()), read_stacks)?;
    if let Some(path) = &args.mapping {
        let mapping = read_mapping(path)?;
        stacks = retrace(stacks, &mapping, path);
    }
    let programs: Vec<Program<'_>> = maps.iter().map(|found| Program::new(&found.map)).collect();
    let new_finder =
        |program| Finder::new(program, stacks.clone(), args.last).on(args.jobs.cores());
    let mut finders: Vec<Finder<'_, '_>> = programs.iter().map(new_finder).collect();
    let mut faulty = 0;
    let mut logs = Logs::of_builds(&maps, files.files())?;
    let all = logs.len();
    let progress = Progress::new("decoding");
    while let Some((build, process)) = logs.next_with_map()? {
        let number = all - logs.len();
        progress.at_part(number - 1, all, format_args!("decoding process {number} of {all}"));
        faulty += finders[build].process(&process);
    }
    drop(progress);
    let reports = finders.into_iter().map(Finder::finish).zip(&maps);
    // Of builds that fit as well, the last one counts.
    let best = reports.reduce(|best, next| if best.0.beats(&next.0) { best } else { next });
    let (report, found) = best.ok_or("no build has a map")?;
    if maps.len() > 1 && report.fit() > Fit::None {
        let (map, build) = (found.path.display(), found.map.build);
        note(format_args!("of {} builds, build {build} fits best ({map})", maps.len()));
    }
    match args.json {
        true => report.write_json(out.raw())?,
        false => {
            out.page()?;
            report.write_text(out.raw(), sources.as_ref())?;
        }
    }
    if let Some(missing) = sources.and_then(|s| s.missing()) {
        note(missing);
    }
    let mut damage = Damage::records(faulty);
    damage += logs.damage();
    if report.fit() > Fit::None {
        return Ok(damage);
    }
    if !damage.is_none() {
        note(format_args!("damage in the logs: {damage}"));
    }
    let logs: Vec<_> = args.logs.iter().map(|log| log.display().to_string()).collect();
    Err(match &args.stack {
        Some(stack) => format!("{}: not joined to {}", stack.display(), logs.join(", ")),
        None => format!("{}: no crash found", logs.join(", ")),
    }
    .into())
}

/// Reads the stack traces of a file; errors name it.
pub(super) fn read_stacks(path: &Path) -> Result<Vec<Stack>> {
    let named = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let mut bytes = Vec::new();
    let read = match path.as_os_str() == "-" {
        true => std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes),
        false => {
            disk::open_log(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        }
    };
    read.map_err(|e| named(&e))?;
    Ok(Stack::read(&bytes).map_err(|e| named(&e))?)
}

/// Retraces stack traces, and notes what was left out.
pub(super) fn retrace(stacks: Vec<Stack>, mapping: &Mapping, path: &Path) -> Vec<Stack> {
    let retraced = Stack::retrace_all(stacks, mapping);
    let path = path.display();
    let frames = |count: usize| match count {
        1 => "1 frame".to_owned(),
        _ => format!("{count} frames"),
    };
    if retraced.ambiguous > 0 {
        note(format!(
            "{path}: of {}, more than {MAX_CHOICES} methods have the name; the first {MAX_CHOICES} \
             are compared",
            frames(retraced.ambiguous)
        ));
    }
    if retraced.kept > 0 {
        note(format!(
            "{path}: not retraced: {}, as there are too many; cut out the stack trace you mean",
            frames(retraced.kept)
        ));
    }
    retraced.stacks
}

pub(super) fn read_mapping(path: &Path) -> Result<Mapping> {
    let named = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let file = disk::open(path).map_err(|e| named(&e))?;
    Ok(Mapping::read(std::io::BufReader::new(file)).map_err(|e| named(&e))?)
}
