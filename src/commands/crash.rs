//! `pathlight crash`.

use std::io::Write;
use std::path::{Path, PathBuf};

use decoder::Damage;
use decoder::log::Process;
use decoder::replay::Program;
use reports::crash::{Finder, Fit, Report};
use why::{AppCode, Explanation};

use super::Result;
use super::causes::{Causes, app_codes};
use crate::args::jobs::Jobs;
use crate::inputs::{self, LogFiles, Logs, read_mapping, read_sources, read_stacks, retrace};
use crate::outputs::print::{Printer, note};
use crate::outputs::progress::Progress;
use crate::outputs::{Files, Kind};

/// Maximum number of causes: that of `why`.
const MOST_STEPS: usize = 12;

/// Join a crash's stack trace to the path that led there.
///
/// Prints how well they fit (exactly, partially or not), the causes of the exception if the app is
/// given, the callbacks as steps to reproduce, and the last branches: line, way taken, how unusual
/// that was.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight crash --map app.plmap pathlight-*.plt --stack beta.log
  pathlight crash --map app.plmap pathlight-*.plt --stack crash.txt --sources app/src/main/java
  pathlight crash --map app.plmap pathlight-*.plt --stack crash.txt --apk app.apk
  pathlight crash --map app.plmap pathlight-*.plt --stack crash.txt --steps
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
    /// The app as it was before `instrument`: the report has the causes of the exception, as `why`
    /// prints them; repeatable for a split app.
    #[arg(long, value_name = "APK")]
    apk: Vec<PathBuf>,
    /// R8's mapping.txt of the build, to retrace the stack trace.
    #[arg(long, value_name = "FILE", requires = "stack")]
    mapping: Option<PathBuf>,
    /// Print the last N branches.
    #[arg(long, value_name = "N", default_value_t = 200)]
    last: usize,
    /// Folder of source files, whose lines are printed; repeatable.
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,
    /// Print the steps only that a person can repeat to reach the crash: screens that opened, taps
    /// by the ids of views, keys, and texts by their methods.
    #[arg(long, conflicts_with_all = ["json", "apk"])]
    steps: bool,
    /// Also write the steps as a flow of Maestro. Views and menu items are named by their resource
    /// ids; what a flow cannot repeat is a comment.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    maestro: Option<PathBuf>,
    /// Also write the steps as a shell script of adb: am start, am broadcast, input keyevent. What
    /// adb cannot repeat is a comment, to be done by hand.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    adb: Option<PathBuf>,
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
    let outputs = outputs_of(args, &files)?;
    // A wrong app is reported before the logs are decoded.
    let codes = match &args.apk[..] {
        [] => Vec::new(),
        apks => app_codes(&maps, apks)?,
    };
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
    // The process of each build's best crash, whose causes are searched for at the end.
    let mut crashed: Vec<Option<Process>> = maps.iter().map(|_| None).collect();
    while let Some((build, process)) = logs.next_with_map()? {
        let number = all - logs.len();
        progress.at_part(number - 1, all, format_args!("decoding process {number} of {all}"));
        let before = finders[build].point();
        faulty += finders[build].process(&process);
        if !args.apk.is_empty() && finders[build].point() != before {
            crashed[build] = Some(process);
        }
    }
    drop(progress);
    let reports = finders.into_iter().map(Finder::finish).enumerate();
    // Of builds that fit as well, the last one counts.
    let best = reports.reduce(|best, next| if best.1.beats(&next.1) { best } else { next });
    let (build, report) = best.ok_or("no build has a map")?;
    let found = &maps[build];
    if maps.len() > 1 && report.fit() > Fit::None {
        let (map, build) = (found.path.display(), found.map.build);
        note(format_args!("of {} builds, build {build} fits best ({map})", maps.len()));
    }
    let causes = match (&crashed[build], codes.get(build)) {
        (Some(process), Some(Some(code))) => causes(args, code, &programs[build], process, &report),
        (Some(_), Some(None)) => {
            let (build, map) = (found.map.build, found.path.display());
            note(format_args!("no causes: --apk is not the app of build {build} ({map})"));
            None
        }
        _ => None,
    };
    match args.json {
        _ if args.steps => {
            out.page()?;
            report.write_steps(out.raw())?;
        }
        true => {
            report.write_json(out.raw())?;
            causes.map_or(Ok(()), |causes| write_json_causes(out.raw(), &causes))?;
        }
        false => {
            out.page()?;
            let mut text = Vec::new();
            if let Some(causes) = causes {
                writeln!(text, "causes, as `pathlight why` finds them")?;
                causes.write_text(&mut text, sources.as_ref())?;
                if causes.more {
                    note("`pathlight why --most N` prints more steps of the causes");
                }
            }
            let text = String::from_utf8_lossy(&text);
            report.write_text(out.raw(), sources.as_ref(), &text)?;
        }
    }
    write_flows(args, &outputs, &report)?;
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

/// Returns the files to write beside the report, none of which is an input.
fn outputs_of<'a>(args: &'a Args, logs: &'a LogFiles) -> Result<Files<'a>> {
    let mut files = Files::default();
    args.map.iter().filter(|map| !map.is_dir()).for_each(|map| files.reads("--map", map));
    args.apk.iter().for_each(|apk| files.reads("--apk", apk));
    args.stack.iter().for_each(|stack| files.reads("--stack", stack));
    args.mapping.iter().for_each(|mapping| files.reads("--mapping", mapping));
    logs.files().iter().for_each(|log| files.reads("a log", &log.path));
    args.maestro.iter().for_each(|path| files.writes("--maestro", path, Kind::Flow));
    args.adb.iter().for_each(|path| files.writes("--adb", path, Kind::Script));
    files.check()?;
    Ok(files)
}

/// Writes the steps for other programs, if there is a crash.
fn write_flows(args: &Args, files: &Files<'_>, report: &Report<'_, '_>) -> Result<()> {
    if report.fit() == Fit::None || args.maestro.is_none() && args.adb.is_none() {
        return Ok(());
    }
    let (mut flow, mut script) = (Vec::new(), Vec::new());
    report.write_maestro(&mut flow)?;
    report.write_adb(&mut script)?;
    let flow = args.maestro.iter().map(|_| &flow[..]);
    let contents: Vec<&[u8]> = flow.chain(args.adb.iter().map(|_| &script[..])).collect();
    files.write(&contents)?;
    for path in args.maestro.iter().chain(&args.adb) {
        note(format_args!("wrote {}", path.display()));
    }
    Ok(())
}

/// Returns the causes of the crash, or a note of the reason why there are none.
fn causes<'m>(
    args: &Args,
    code: &AppCode<'m>,
    program: &Program<'m>,
    process: &Process,
    report: &Report<'_, 'm>,
) -> Option<Explanation> {
    let causes = Causes { code, program, cores: args.jobs.cores(), most: MOST_STEPS };
    let point = report.point();
    let found = point.and_then(|point| causes.of_crash(process, &point, report.joined_stack()));
    if found.is_none() {
        note("no causes: the path does not end with an exception that is still known");
    }
    found
}

/// Writes the causes as the last line of the report.
fn write_json_causes(out: &mut dyn Write, causes: &Explanation) -> Result {
    let mut line = serde_json::to_value(causes)?;
    line["e"] = "why".into();
    Ok(writeln!(out, "{}", reports::visible(&line.to_string()))?)
}
